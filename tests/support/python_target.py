"""Small programs against the `probe` package as Python, for tests."""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.diagnostics.model import DiagnosticBag, Severity
from pclgen.lower.program import lower_program
from pclgen.plan.build import plan_project
from pclgen.targets.base import Project
from pclgen.targets.python.target import PYTHON
from tests.support.binding import bind_text
from tests.support.fake_pulumi import Record, run


def python_files(
    text: str,
    *,
    components: Mapping[str, str] | None = None,
    project: Project | None = None,
    canonical_json: bool = False,
) -> dict[str, str]:
    """The generated files by path; `text` must be free of errors."""
    program, diagnostics = bind_text(text, components=components)
    assert [d.message for d in diagnostics if d.severity is Severity.ERROR] == []
    bag = DiagnosticBag()
    lowered = lower_program(program, PYTHON.capabilities, bag, canonical_json=canonical_json)
    files = PYTHON.render(plan_project(lowered), project or Project(name="test", program_only=True), bag)
    assert [d.message for d in bag] == []
    return {str(path): content for path, content in files.items()}


def python_text(text: str) -> str:
    """`__main__.py` without its imports."""
    lines = python_files(text)["__main__.py"].splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("import ", "from "))).strip("\n") + "\n"


def python_run(
    text: str,
    *,
    config: Mapping[str, str] | None = None,
    components: Mapping[str, str] | None = None,
    canonical_json: bool = False,
) -> Record:
    """Run the generated program and return its effects."""
    return run(python_files(text, components=components, canonical_json=canonical_json), config)
