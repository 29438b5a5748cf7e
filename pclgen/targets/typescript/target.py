"""The TypeScript target: the files of a project from a lowered program.

The files are `index.ts`, a file for each component, and the project files, in prettier's layout
(targets.md, Project files).

`FORMS` are the statements that have templates, with the values that these read. The comment at the head of each template
describes it. A test compares the templates with `FORMS`.

`CAPABILITIES` are those of the SDK, for lowering (targets.md, Steps without apply). The SDK lifts property access over
outputs, with the type of the resolved value, if that is always an object or a list.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from pclgen.core.capabilities import Capabilities
from pclgen.core.eventuals import promises_outputs
from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.forms import Form, forms
from pclgen.emit.overlay import Overlay
from pclgen.layout import LINE, concat, group, indent, join, print_doc
from pclgen.plan.model import ProjectPlan
from pclgen.targets.assembly import NO_SOURCES, LanguageTarget, ProjectFiles, Sources, files_of
from pclgen.targets.base import Project
from pclgen.targets.origins import Recorder
from pclgen.targets.typescript.files import CORE_MODULE, PULUMI, npm_name, places_of
from pclgen.targets.typescript.names import words
from pclgen.targets.typescript.program import FileBuilder, SourceText, complete
from pclgen.targets.typescript.types import fits
from pclgen.types import model as ty
from pclgen.types.declarations import Field, Package

# -- capabilities of the SDK ------------------------------------------------------------------------------------------------

BLOCKED: Final = words(
    """
    allResources apply constructor deploymentOnlyModule doNotCapture get hasOwnProperty isKnown isPrototypeOf
    isSecret promise propertyIsEnumerable resources then toJSON toLocaleString toString valueOf
    """
)


def _can_lift(source: ty.Type, name: str | None, field: Field | None) -> bool:
    del field
    if name is None:
        return isinstance(source, ty.ListType | ty.MapType)
    if name in BLOCKED or name.startswith("__"):
        return False
    return isinstance(source, ty.NominalType | ty.ObjectType | ty.MapType)


def _converts_freely(source: ty.Type, target: ty.Type) -> bool:
    if source is ty.DYNAMIC and ty.without_none(target) in (ty.STRING, ty.ID, ty.INT):
        return False
    return fits(source, target) and (ty.is_optional(target) or not ty.is_optional(source))


CAPABILITIES: Final = Capabilities(
    can_lift=_can_lift,
    converts_freely=_converts_freely,
    shapes_objects=True,
    trusts_stacks=True,
    promises=promises_outputs,
)


# -- files ------------------------------------------------------------------------------------------------------------------

FORMS: Final = (
    Form("assign", ("assignment",)),
    Form("construct", ("construction",), facts=("token",)),
    Form("count", ("head", "body")),
    Form("declare", ("declaration",), facts=("exported", "kind")),
    Form("do", ("call",)),
    Form("each", ("names", "values", "body")),
    Form("export", ("local", "name")),
    Form("import", ("name", "module")),
    Form("import-component", ("name", "module")),
    Form("member", ("member",), facts=("readonly",)),
    Form("return", ("value",)),
    Form("try", ("body", "handler")),
    Form("type", ("alias",)),
)


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
