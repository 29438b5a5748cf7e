"""The Go target: a lowered program to the files of a project.

The files are `main.go`, one for each component, and the project files.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from msgspec import Struct

from pclgen.core.capabilities import Capabilities
from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.overlay import Overlay
from pclgen.plan.model import ProjectPlan
from pclgen.targets import packs
from pclgen.targets.base import Project
from pclgen.targets.go import project as project_files
from pclgen.targets.go.capabilities import CAPABILITIES
from pclgen.targets.go.check import check_files
from pclgen.targets.go.files import translate
from pclgen.targets.go.printer import FileView, view_file
from pclgen.targets.go.sdk import property_name
from pclgen.targets.origins import Recorder
from pclgen.targets.settings import settings_of


class GoTarget(Struct, frozen=True):
    """Go with the classic (not generic) SDK."""

    name: str = "go"
    capabilities: Capabilities = CAPABILITIES

    def member_name(self, name: str) -> str:
        """Return how the SDKs spell it."""
        return property_name(name)

    def render(
        self, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None = None
    ) -> Mapping[PurePosixPath, str]:
        """All files of the project."""
        program = plan.main.program
        translated = translate(plan, bag, inline_helpers=project.inline_helpers)
        if bag.has_errors:
            return {}
        check_files(translated.files, translated.names, packs.names_of(program, self.name))
        sources = PurePosixPath(project.main) if project.main else PurePosixPath()
        files = {}
        for name, file in translated.files.items():
            path = sources / name
            view = view_file(name, file, translated.names[name], project.overlay, recorder=recorder)
            text = _source(view, project.overlay)
            files[path] = text if recorder is None else recorder.finish(path, text)
        files.update({sources / name: text for name, text in packs.files_of(program, self.name).items()})
        if not project.program_only:
            files.update(_project_files(program, project, translated.imports))
        return files


def _source(view: FileView, overlay: Overlay | None) -> str:
    from pclgen.emit.environment import render

    return render("go/file.go.jinja", overlay, file=view)


def _project_files(program: Program, project: Project, imports: frozenset[str]) -> dict[PurePosixPath, str]:
    from pclgen.emit.environment import render

    sources = PurePosixPath(project.main) if project.main else PurePosixPath()
    settings = render("Pulumi.yaml.jinja", project.overlay, settings=settings_of(program, project, "go"))
    module = render(
        "go/go.mod.jinja",
        project.overlay,
        module=project_files.module_name(project.name),
        go_version=project_files.GO_VERSION,
        requirements=project_files.requirements(program, imports),
        replacements=project_files.replacements(program, imports, project.local),
    )
    ignored = render("go/gitignore.jinja", project.overlay, binary=project_files.module_name(project.name))
    return {PurePosixPath("Pulumi.yaml"): settings, sources / "go.mod": module, sources / ".gitignore": ignored}


GO = GoTarget()
