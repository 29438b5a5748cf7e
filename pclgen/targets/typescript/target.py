"""The TypeScript target: the files of a project from a lowered program.

The files are `index.ts`, a file for each component, and the project files, in prettier's layout.
"""

from __future__ import annotations

import json

from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.forms import forms
from pclgen.emit.overlay import Overlay
from pclgen.plan.model import ProjectPlan
from pclgen.targets.assembly import NO_SOURCES, LanguageTarget, ProjectFiles, Sources
from pclgen.targets.base import Project
from pclgen.targets.origins import Recorder
from pclgen.targets.packs import files_of
from pclgen.targets.typescript import project as project_files
from pclgen.targets.typescript.capabilities import CAPABILITIES
from pclgen.targets.typescript.files import places_of
from pclgen.targets.typescript.forms import FORMS
from pclgen.targets.typescript.program import SourceText, complete, component_source, main_file


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
        drafts = [main_file(plan.main, bag, places, words, recorder=recorder)]
        for component, inside in plan.components.items():
            late = plan.late.get(component.value, frozenset())
            draft = component_source(component, inside, bag, places, late=late, words=words, recorder=recorder)
            drafts.append(draft)
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
        "name": json.dumps(project_files.package_name(project.name)),
        "description": json.dumps(project.description) if project.description else "",
        "dependencies": project_files.dependencies(program.packages, project.local),
    }
    return {"package.json": manifest, "tsconfig.json": {"files": project_files.file_list(files)}, ".gitignore": {}}


TYPESCRIPT = TypeScriptTarget()
