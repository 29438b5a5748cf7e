"""The Go target, which translates a lowered program to the files of a project.

The files are `main.go`, a file for each component, and the project files.
"""

from __future__ import annotations

from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.overlay import Overlay
from pclgen.plan.model import ProjectPlan
from pclgen.targets.assembly import NO_SOURCES, LanguageTarget, ProjectFiles, Sources
from pclgen.targets.base import Project
from pclgen.targets.go import project as project_files
from pclgen.targets.go.capabilities import CAPABILITIES
from pclgen.targets.go.files import translate
from pclgen.targets.go.naming import check_files
from pclgen.targets.go.printer import FileView, view_file
from pclgen.targets.go.sdk import property_name
from pclgen.targets.origins import Recorder
from pclgen.targets.packs import names_of


class GoTarget(LanguageTarget):
    """Go with the classic (non-generic) SDK."""

    name = "go"
    runtime = "go"
    capabilities = CAPABILITIES

    def member_name(self, name: str) -> str:
        """Return the name of the member in the SDKs."""
        return property_name(name)

    def sources(
        self, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None
    ) -> Sources:
        """Return `main.go`, and a file for each component."""
        program = plan.main.program
        translated = translate(plan, bag, inline_helpers=project.inline_helpers)
        if bag.has_errors:
            return NO_SOURCES
        check_files(translated.files, translated.names, names_of(program, self.name))
        files = {}
        for name, file in translated.files.items():
            path = project.folder / name
            view = view_file(name, file, translated.names[name], project.overlay, recorder=recorder)
            text = _source(view, project.overlay)
            files[path] = text if recorder is None else recorder.finish(path, text)
        return Sources(files=files, project_files=lambda: _project_files(program, project, translated.imports))


def _source(view: FileView, overlay: Overlay | None) -> str:
    from pclgen.emit.environment import render

    return render("go/file.go.jinja", overlay, file=view)


def _project_files(program: Program, project: Project, imports: frozenset[str]) -> ProjectFiles:
    name = project_files.module_name(project.name)
    module = {
        "module": name,
        "go_version": project_files.GO_VERSION,
        "requirements": project_files.requirements(program, imports),
        "replacements": project_files.replacements(program, imports, project.local),
    }
    return {"go.mod": module, ".gitignore": {"binary": name}}


TARGET = GoTarget()
