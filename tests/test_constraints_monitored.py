"""Each constraint under the recording monitor, with the published SDKs (language.md, Constraints).

Programs end with the message of the evaluator."""

from __future__ import annotations

import re

import pytest

from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Report, Status
from pclgen.verify.subjects import Subject
from tests.support.verified import LANGUAGES, environments, subjects_in_memory, verified
from tests.test_constraints import CASES

NAMES = {re.sub(r"\W+", "-", name): case for name, case in CASES.items()}


def _text(name: str) -> str:
    return f'config c "{NAMES[name].label}" {{}}\noutput o {{\n  value = c\n}}\n'


@pytest.fixture(scope="module")
def report() -> Report:
    subjects = subjects_in_memory({f"{kind}-{name}": _text(name) for name in NAMES for kind in ("kept", "broken")}, SchemaStore([]))

    def settings(subject: Subject) -> Settings:
        kind, _, name = subject.name.partition("-")
        case = NAMES[name]
        return Settings(stack="dev", config={f"{subject.name}:c": ConfigValue(case.keeps if kind == "kept" else case.plain)})

    return verified(subjects, settings, tools=environments())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NAMES)
def test_programs_say_what_the_evaluator_says(report: Report, name: str, language: str) -> None:
    keys = {program: key for key, program in report.names.items()}
    kept, broken = (
        next(verdict for verdict in report.of(keys[f"{kind}-{name}"]) if verdict.language == language)
        for kind in ("kept", "broken")
    )
    assert (kept.status, kept.messages, kept.differences) == (Status.PASSED, (), ())
    says = "config c" + NAMES[name].says
    assert len(broken.messages) == 2, "one for each mode"
    for message in broken.messages:
        expected, _, failure = message.partition("; the program fails: ")
        assert expected.endswith(f"the evaluator fails: {says}"), message
        assert says in failure, message
