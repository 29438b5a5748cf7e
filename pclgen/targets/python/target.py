"""The Python target: a lowered program to the files of a project.

The files are `__main__.py`, a module for each component, and the project files, formatted by black.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core.capabilities import Capabilities
from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.overlay import Overlay, TemplateFailureError
from pclgen.plan.model import ProjectPlan
from pclgen.targets import packs
from pclgen.targets.base import Project
from pclgen.targets.helperlines import go_beside
from pclgen.targets.origins import Mark, Recorder, is_attribute
from pclgen.targets.python import project as project_files
from pclgen.targets.python.capabilities import CAPABILITIES
from pclgen.targets.python.files import lower_files
from pclgen.targets.python.helpers import BESIDE, CHECKS
from pclgen.targets.python.names import attribute
from pclgen.targets.python.tree import File
from pclgen.targets.python.view import FileView, view_file
from pclgen.targets.settings import settings_of


class PythonTarget(Struct, frozen=True):
    """Python 3.9 and later."""

    name: str = "python"
    capabilities: Capabilities = CAPABILITIES

    def member_name(self, name: str) -> str:
        """Return how the SDKs spell it."""
        return attribute(name)

    def render(
        self, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None = None
    ) -> Mapping[PurePosixPath, str]:
        """All files of the project."""
        program = plan.main.program
        files = lower_files(plan, bag)
        if bag.has_errors:
            return {}
        sources = PurePosixPath(project.main) if project.main else PurePosixPath()
        views = _views(files, project, recorder)
        result = {path: _source(path, view, project.overlay, recorder) for view in views for path in (sources / view.path,)}
        result.update({sources / name: text for name, text in packs.files_of(program, self.name).items()})
        if not project.program_only:
            result.update(_project_files(program, project, sources, files))
        return result


def _views(files: Sequence[File], project: Project, recorder: Recorder | None) -> list[FileView]:
    """The files with those of the helpers that they import."""
    overlay = project.overlay
    views = [view_file(file, overlay, recorder=recorder) for file in files]
    if not project.inline_helpers and go_beside(template for view in views for template in view.helpers):
        views = [view_file(file, overlay, beside=True, recorder=recorder) for file in files]
    for module in (CHECKS, BESIDE):
        used = sorted({name for view in views for name in view.imported.get(module, ())})
        if used:
            file = File(path=f"{module.path}.py", header=(), statements=(), helpers=tuple(used))
            views.append(view_file(file, overlay))
    return views


def _source(path: PurePosixPath, view: FileView, overlay: Overlay | None, recorder: Recorder | None) -> str:
    from pclgen.emit.environment import render

    template = f"python/{'program' if view.component is None else 'component'}.py.jinja"
    text = render(template, overlay, file=view)
    try:
        return _formatted(path, text, recorder)
    except ValueError as error:
        if overlay is None:
            raise
        reason = f"together with the others it makes no Python of {view.path}: {error}"
        raise TemplateFailureError(template, 1, reason) from None


def _formatted(path: PurePosixPath, text: str, recorder: Recorder | None) -> str:
    """`text` as black writes it.  Raises `ValueError` when it is no Python."""
    from pclgen.format.python import format_python

    if recorder is None:
        return format_python(text)
    from pclgen.format.alignment import Alignment

    marked = recorder.split(text)
    formatted = format_python("".join(marked.parts))
    alignment = Alignment(marked.parts, formatted)
    if not alignment.is_same_text:  # a user's template has what black removes
        recorder.lost.add(path)
        return formatted
    places: list[tuple[Mark, int, int]] = []
    for mark, first, behind in zip(marked.marks, marked.first, marked.behind, strict=True):
        start, end = alignment.expression(first, behind) if is_attribute(mark) else alignment.lines(first, behind)
        places.append((mark, start, end))
    return recorder.keep(path, formatted, places)


def _project_files(
    program: Program, project: Project, sources: PurePosixPath, files: Sequence[File]
) -> dict[PurePosixPath, str]:
    from pclgen.emit.environment import render

    project = replace(project, options=project_files.options(project))
    settings = render("Pulumi.yaml.jinja", project.overlay, settings=settings_of(program, project, "python"))
    requirements = project_files.requirements(program.packages, files, project.local)
    return {
        PurePosixPath("Pulumi.yaml"): settings,
        sources / "requirements.txt": render("python/requirements.txt.jinja", project.overlay, requirements=requirements),
        sources / ".gitignore": render("python/gitignore.jinja", project.overlay),
    }


PYTHON = PythonTarget()
