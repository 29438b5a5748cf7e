"""The TypeScript target: a lowered program to the files of a project.

The files are `index.ts`, one for each component, and the project files, laid out as prettier lays them out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import PurePosixPath

from msgspec import Struct

from pclgen.core.capabilities import Capabilities
from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.forms import forms
from pclgen.emit.overlay import Overlay
from pclgen.plan.model import ProjectPlan
from pclgen.targets import packs
from pclgen.targets.base import Project
from pclgen.targets.origins import Recorder
from pclgen.targets.settings import settings_of
from pclgen.targets.typescript import project as project_files
from pclgen.targets.typescript.capabilities import CAPABILITIES
from pclgen.targets.typescript.files import places_of
from pclgen.targets.typescript.forms import FORMS
from pclgen.targets.typescript.program import SourceText, complete, component_source, main_file


class TypeScriptTarget(Struct, frozen=True):
    """TypeScript 5 on Node 20 and later."""

    name: str = "typescript"
    capabilities: Capabilities = CAPABILITIES

    def member_name(self, name: str) -> str:
        """Return how the SDKs spell it."""
        return name

    def render(
        self, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None = None
    ) -> Mapping[PurePosixPath, str]:
        """All files of the project."""
        program = plan.main.program
        places = places_of(program, plan.plain)
        words = forms(self.name, FORMS, project.overlay)
        drafts = [main_file(plan.main, bag, places, words, recorder=recorder)]
        for component, inside in plan.components.items():
            late = plan.late.get(component.value, frozenset())
            draft = component_source(component, inside, bag, places, late=late, words=words, recorder=recorder)
            drafts.append(draft)
        if bag.has_errors:
            return {}
        files = complete(drafts, words, recorder, inline=project.inline_helpers)
        sources = PurePosixPath(project.main) if project.main else PurePosixPath()
        result = {sources / file.path: _source(file, project.overlay) for file in files}
        if recorder is not None:
            result = {path: recorder.finish(path, text) for path, text in result.items()}
        own = packs.files_of(program, self.name)
        result.update({sources / name: text for name, text in own.items()})
        if not project.program_only:
            result.update(_project_files(program, project, [*(file.path for file in files), *own]))
        return result


def _source(file: SourceText, overlay: Overlay | None) -> str:
    from pclgen.emit.environment import render

    return render(file.template, overlay, file=file)


def _project_files(program: Program, project: Project, files: list[str]) -> dict[PurePosixPath, str]:
    from pclgen.emit.environment import render

    sources = PurePosixPath(project.main) if project.main else PurePosixPath()
    settings = render("Pulumi.yaml.jinja", project.overlay, settings=settings_of(program, project, "nodejs"))
    manifest = render(
        "typescript/package.json.jinja",
        project.overlay,
        name=json.dumps(project_files.package_name(project.name)),
        description=json.dumps(project.description) if project.description else "",
        dependencies=project_files.dependencies(program.packages, project.local),
    )
    names = project_files.file_list(files)
    compiler = render("typescript/tsconfig.json.jinja", project.overlay, files=names)
    return {
        PurePosixPath("Pulumi.yaml"): settings,
        sources / "package.json": manifest,
        sources / "tsconfig.json": compiler,
        sources / ".gitignore": render("typescript/gitignore.jinja", project.overlay),
    }


TYPESCRIPT = TypeScriptTarget()
