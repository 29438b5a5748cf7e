"""The Python target: the files of a project from a lowered program.

The files are `__main__.py`, a module for each component, and the project files, formatted by black.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.overlay import Overlay, TemplateFailureError
from pclgen.plan.model import ProjectPlan
from pclgen.targets.assembly import NO_SOURCES, LanguageTarget, ProjectFiles, Sources, go_beside
from pclgen.targets.base import Project
from pclgen.targets.origins import Mark, Recorder, is_attribute
from pclgen.targets.python import packages as project_files
from pclgen.targets.python.capabilities import CAPABILITIES
from pclgen.targets.python.files import lower_files
from pclgen.targets.python.modules import BESIDE, CHECKS
from pclgen.targets.python.names import attribute
from pclgen.targets.python.tree import File
from pclgen.targets.python.view import FileView, view_file


class PythonTarget(LanguageTarget):
    """Python 3.9 and later."""

    name = "python"
    runtime = "python"
    capabilities = CAPABILITIES

    def member_name(self, name: str) -> str:
        """Return the name of a member in the SDKs."""
        return attribute(name)

    def options(self, project: Project) -> Mapping[str, object]:
        """The options of the runtime."""
        return project_files.options(project)

    def sources(
        self, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None
    ) -> Sources:
        """`__main__.py`, and a module for each component."""
        files = lower_files(plan, bag)
        if bag.has_errors:
            return NO_SOURCES
        views = _views(files, project, recorder)
        paths = {project.folder / view.path: view for view in views}
        texts = {path: _source(path, view, project.overlay, recorder) for path, view in paths.items()}
        return Sources(files=texts, project_files=lambda: _project_files(plan.main.program, project, files))


def _views(files: Sequence[File], project: Project, recorder: Recorder | None) -> list[FileView]:
    """The views of the files, and of the helper modules that they import."""
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
    """`text` formatted by black.  Raises `ValueError` when it is not valid Python."""
    from pclgen.format.python import Alignment, format_python

    if recorder is None:
        return format_python(text)

    marked = recorder.split(text)
    formatted = format_python("".join(marked.parts))
    alignment = Alignment(marked.parts, formatted)
    if not alignment.is_same_text:  # a user's template has text that black removes
        recorder.lost.add(path)
        return formatted
    places: list[tuple[Mark, int, int]] = []
    for mark, first, behind in zip(marked.marks, marked.first, marked.behind, strict=True):
        start, end = alignment.expression(first, behind) if is_attribute(mark) else alignment.lines(first, behind)
        places.append((mark, start, end))
    return recorder.keep(path, formatted, places)


def _project_files(program: Program, project: Project, files: Sequence[File]) -> ProjectFiles:
    requirements = project_files.requirements(program.packages, files, project.local)
    return {"requirements.txt": {"requirements": requirements}, ".gitignore": {}}


TARGET = PythonTarget()
