"""The assembly of a project's files: sources, functions of packs, and project files.

Helpers with more than `MOST` lines in total go to a file beside the program: `_helpers.py`, `helpers.ts`, `helpers.go`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.plan.model import ProjectPlan
from pclgen.source.text import split_lines
from pclgen.targets import packs
from pclgen.targets.base import Project, Target
from pclgen.targets.origins import Recorder
from pclgen.targets.settings import settings_of

ProjectFiles: TypeAlias = Mapping[str, Mapping[str, object]]
"""The values for the templates of project files, by file name."""


class Sources(Struct, frozen=True, kw_only=True):
    """The source files by path, and the values for the project files that belong to them."""

    files: Mapping[PurePosixPath, str]
    project_files: Callable[[], ProjectFiles]


NO_SOURCES: Final = Sources(files={}, project_files=dict)


class LanguageTarget(Target):
    """A language with SDKs; Pulumi runs its programs with the runtime named `runtime`."""

    runtime: str

    def options(self, project: Project) -> Mapping[str, object]:
        """The options of the runtime."""
        return project.options

    @abstractmethod
    def sources(
        self, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None
    ) -> Sources:
        """The sources in the folder of the project.  Errors go to `bag`; the result is then not used."""

    def render(
        self, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None = None
    ) -> Mapping[PurePosixPath, str]:
        """All files of the project."""
        from pclgen.emit.environment import render

        sources = self.sources(plan, project, bag, recorder)
        if bag.has_errors:
            return {}
        program = plan.main.program
        files = {**sources.files}
        files.update({project.folder / name: text for name, text in packs.files_of(program, self.name).items()})
        if not project.program_only:
            own = replace(project, options=self.options(project))
            settings = settings_of(program, own, self.runtime)
            files[PurePosixPath("Pulumi.yaml")] = render("Pulumi.yaml.jinja", project.overlay, settings=settings)
            for name, slots in sources.project_files().items():
                template = f"{self.name}/{name.removeprefix('.')}.jinja"
                files[project.folder / name] = render(template, project.overlay, **slots)
        return files


MOST = 20


def go_beside(templates: Iterable[str]) -> bool:
    """Return whether the helpers in `templates` go to a file beside the program.

    Users' templates do not count, so they cannot change the set of files.
    """
    return sum(map(_lines, set(templates))) > MOST


@cache
def _lines(template: str) -> int:
    """Return the number of lines of a helper, without blank lines and comments outside the function."""
    from pclgen.emit.environment import render

    return sum(1 for line in split_lines(render(template)) if line.strip() and not line.startswith(("//", "/*", "#")))
