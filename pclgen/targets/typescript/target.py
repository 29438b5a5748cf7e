"""The TypeScript target: the files of a project from a lowered program.

The files are `index.ts`, a file for each component, and the project files, in prettier's layout
(targets.md, Project files).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.forms import forms
from pclgen.emit.overlay import Overlay
from pclgen.layout import LINE, concat, group, indent, join, print_doc
from pclgen.plan.model import ProjectPlan
from pclgen.targets.assembly import NO_SOURCES, LanguageTarget, ProjectFiles, Sources
from pclgen.targets.base import Project
from pclgen.targets.origins import Recorder
from pclgen.targets.packs import files_of
from pclgen.targets.typescript.capabilities import CAPABILITIES
from pclgen.targets.typescript.files import CORE_MODULE, PULUMI, npm_name, places_of
from pclgen.targets.typescript.forms import FORMS
from pclgen.targets.typescript.program import FileBuilder, SourceText, complete
from pclgen.types.declarations import Package

_CORE_VERSION = "^3.200.0"
_ARCHIVES = (".tgz", ".tar.gz")


class TypeScriptTarget(LanguageTarget):
    """TypeScript 5 on Node 20 and later."""

    name = "typescript"
    runtime = "nodejs"
    capabilities = CAPABILITIES

    def sources(
        self, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None
    ) -> Sources:
        """`index.ts`, and a file for each component."""
        program = plan.main.program
        places = places_of(program, plan.plain)
        words = forms(self.name, FORMS, project.overlay)
        builders = [FileBuilder(plan.main, bag, places=places, recorder=recorder)]
        for component, inside in plan.components.items():
            late = plan.late.get(component.value, frozenset())
            builders.append(FileBuilder(inside, bag, component, places=places, late=late, recorder=recorder))
        drafts = [builder.build(words) for builder in builders]
        if bag.has_errors:
            return NO_SOURCES
        files = complete(drafts, words, recorder, inline=project.inline_helpers)
        texts = {project.folder / file.path: _source(file, project.overlay) for file in files}
        if recorder is not None:
            texts = {path: recorder.finish(path, text) for path, text in texts.items()}
        names = [*(file.path for file in files), *files_of(program, self.name)]
        return Sources(files=texts, project_files=lambda: _project_files(program, project, names))


def _source(file: SourceText, overlay: Overlay | None) -> str:
    from pclgen.emit.environment import render

    return render(file.template, overlay, file=file)


def _project_files(program: Program, project: Project, files: list[str]) -> ProjectFiles:
    manifest = {
        "name": json.dumps(_package_name(project.name)),
        "description": json.dumps(project.description) if project.description else "",
        "dependencies": _dependencies(program.packages, project.local),
    }
    return {"package.json": manifest, "tsconfig.json": {"files": _file_list(files)}, ".gitignore": {}}


def _dependencies(packages: Iterable[Package], local: Mapping[str, str]) -> tuple[str, ...]:
    """The lines of `dependencies`: providers in the exact versions of the schemas, or local SDKs."""
    places = {name: path if path.endswith(_ARCHIVES) else f"file:{path}" for name, path in local.items()}
    versions = {CORE_MODULE: places.get(PULUMI, _CORE_VERSION)}
    for package in sorted(packages, key=lambda p: p.name):
        if package.name != PULUMI:
            versions[npm_name(package)] = places.get(package.name) or package.version or "*"
    lines = [f"{json.dumps(name)}: {json.dumps(version)}" for name, version in versions.items()]
    return tuple(line + ("," if at + 1 < len(lines) else "") for at, line in enumerate(lines))


def _file_list(files: Sequence[str]) -> str:
    """The `files` of `tsconfig.json`, laid out as prettier does."""
    names = [json.dumps(name) for name in sorted(files)]
    doc = group("[", indent(concat(LINE, join(concat(",", LINE), names))), LINE, "]")
    text = print_doc(concat('"files": ', doc), level=1).text.removeprefix('"files": ')
    return "[" + text[2:-2] + "]" if "\n" not in text else text


def _package_name(name: str) -> str:
    """A valid npm name: lower-case letters, digits and dashes."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._") or "program"


TARGET = TypeScriptTarget()
