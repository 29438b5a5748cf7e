"""The examples for aws and kubernetes, run on the published SDKs and compared with the evaluator: Python and TypeScript for
both, Go for kubernetes (aws has no such version for Go)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pclgen.schema.load import SchemaStore
from pclgen.schema.recovery.source import InstalledSource
from pclgen.verify.environments import UserEnvironments
from pclgen.verify.report import Report, Status, to_text
from tests.support import toolchains
from tests.support.field_runs import settings_of
from tests.support.generated import LANGUAGES, installed_programs
from tests.support.toolchains import Sdks
from tests.support.verified import subjects_of, verified

PROGRAMS = installed_programs()
CASES = [
    (name, language) for name in PROGRAMS for language in LANGUAGES if language != "go" or name.startswith("kubernetes-")
]
SHOWN: Mapping[tuple[str, str], frozenset[str]] = {
    ("aws-database", "python"): frozenset({"nested-defaults"}),
    ("aws-database", "typescript"): frozenset({"defaults-in-lists"}),
    ("aws-static-site", "python"): frozenset({"functions-held-back"}),
    ("aws-static-site", "typescript"): frozenset({"functions-held-back"}),
    ("kubernetes-cron", "go"): frozenset({"partly-unknown"}),
    ("kubernetes-database", "go"): frozenset({"partly-unknown"}),
    ("kubernetes-web", "go"): frozenset({"partly-unknown"}),
}
"""The SDK limits that appear, by program and language."""


@pytest.fixture(scope="module")
def reports() -> Mapping[str, Report]:
    """One verification per language."""
    python = toolchains.python(Sdks.INSTALLED)
    [packages] = (python.home / "venv").glob("lib/python*/site-packages")
    store = SchemaStore([InstalledSource([packages])])
    installed = UserEnvironments(
        python=python.python,
        node_modules=toolchains.node(Sdks.INSTALLED).modules,
        go_module=toolchains.go(Sdks.INSTALLED).module,
    )
    reports: dict[str, Report] = {}
    for language in LANGUAGES:
        paths = [PROGRAMS[name] for name, other in CASES if other == language]
        subjects = subjects_of(paths, store, [language])
        reports[language] = verified(subjects, settings_of, tools=installed, languages=[language])
    return reports


@pytest.mark.parametrize(("name", "language"), CASES)
def test_runs_as_the_evaluator_says(reports: Mapping[str, Report], name: str, language: str) -> None:
    report = reports[language]
    (verdict,) = (verdict for verdict in report.verdicts if report.names[verdict.key] == name)
    assert verdict.status is Status.PASSED, to_text(Report(verdicts=(verdict,), names={verdict.key: name}))
    assert frozenset(verdict.limits) == SHOWN.get((name, language), frozenset())
