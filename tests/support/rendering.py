"""The files that a target generates for a small program against the `probe` package."""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.lower.program import lower_program
from pclgen.plan.build import plan_project
from pclgen.targets.assembly import LanguageTarget
from pclgen.targets.base import Project
from tests.support.binding import bind_text


def render(
    target: LanguageTarget,
    text: str,
    *,
    components: Mapping[str, str] | None = None,
    project: Project | None = None,
    canonical_json: bool = False,
    lenient: bool = False,
) -> tuple[dict[str, str], list[Diagnostic]]:
    """The generated files by path, and the errors of the target; `text` must be free of others."""
    program, diagnostics = bind_text(text, components=components, lenient=lenient)
    assert [d.message for d in diagnostics if d.severity is Severity.ERROR] == []
    bag = DiagnosticBag()
    lowered = lower_program(program, target.capabilities, bag, canonical_json=canonical_json)
    files = target.render(plan_project(lowered), project or Project(name="test", program_only=True), bag)
    return {str(path): content for path, content in files.items()}, list(bag)


def render_files(
    target: LanguageTarget,
    text: str,
    *,
    components: Mapping[str, str] | None = None,
    project: Project | None = None,
    canonical_json: bool = False,
    lenient: bool = False,
) -> dict[str, str]:
    """The generated files by path; neither `text` nor the target has errors."""
    facts = {"canonical_json": canonical_json, "lenient": lenient}
    files, problems = render(target, text, components=components, project=project, **facts)
    assert [d.message for d in problems] == []
    return files
