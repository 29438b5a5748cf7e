"""The assembly of a project's files: sources, functions of packs, and project files.

Helpers with more than `MOST` lines in total go to a file beside the program: `_helpers.py`, `helpers.ts`, `helpers.go`.

The functions of packs have names of their own in a language, and files beside the program's files. A function without a
spelling in a language is a diagnostic.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core.expr import Call
from pclgen.core.program import Program
from pclgen.core.walk import parts_of, programs_of
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.target import unsupported
from pclgen.languages import TITLES
from pclgen.plan.model import ProjectPlan
from pclgen.source.text import split_lines
from pclgen.stdlib.model import ENDINGS, Home, Spelling
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
        files.update({project.folder / name: text for name, text in files_of(program, self.name).items()})
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


# -- functions of packs -----------------------------------------------------------------------------------------------------

def spelling_of(call: Call, language: str) -> Spelling:
    """Return the spelling of a pack function, after `check_spellings` reported no problem."""
    return call.function.spelled[language]


def file_of(home: Home, language: str) -> str:
    """Return the file name of a pack in a language."""
    return f"{home.name}{ENDINGS[language]}"


def files_of(program: Program, language: str) -> Mapping[str, str]:
    """Return the files of all packs that `program` and its components call, by name."""
    if not program.homes:
        return {}
    called = {call.function.home.name: call.function.home for call in _calls(program) if call.function.home is not None}
    return {file_of(home, language): home.files[language] for _, home in sorted(called.items())}


def names_of(program: Program, language: str) -> frozenset[str]:
    """Return the names in `language` of the pack functions that `program` and its components call."""
    return frozenset(call.function.spelled[language].name for call in _calls(program) if language in call.function.spelled)


def check_spellings(program: Program, language: str, bag: DiagnosticBag) -> None:
    """Report each call of a pack function without a spelling in `language`."""
    for call in _calls(program):
        if language not in call.function.spelled:
            name = call.function.name
            hint = f"its pack says what it is called in {TITLES[language]}, in `spelled`"
            bag.add(unsupported(f"the function `{name}`", TITLES[language], call.span, hint=hint))


def _calls(program: Program) -> Iterator[Call]:
    """Yield the calls of pack functions in `program` and its components."""
    for body in programs_of(program) if program.homes else ():
        for part in parts_of(body.nodes):
            if isinstance(part, Call) and part.function.home is not None:
                yield part
