"""Values that may be null where one is needed: every place that null may come from, times every place that needs a value.

`check` warns once, at the value; the programs type-check in all languages; with the values set they do what the evaluator says,
and without them they fail with the same words, which name the place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

import pclgen
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Report, Status, to_text
from pclgen.verify.subjects import Subject
from tests.support.corpus import ROOT
from tests.support.verified import LANGUAGES, environments, subjects_in_memory, verified

SCHEMAS = [ROOT / "examples" / "schemas"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Where null may come from: definitions, and the value as text and as a number."""

    definitions: str
    text: str
    number: str
    config: Mapping[str, str]


SOURCES: Mapping[str, Source] = {
    "nullable": Source(
        definitions='config txt string { nullable = true }\nconfig num int { nullable = true }',
        text="txt",
        number="num",
        config={"txt": "abc", "num": "3"},
    ),
    "null-default": Source(
        definitions='config txt string { default = null }\nconfig num int { default = null }',
        text="txt",
        number="num",
        config={"txt": "abc", "num": "3"},
    ),
    "optional-member": Source(
        definitions='config spec "object({ txt = optional(string), num = optional(int) })" {}',
        text="spec.txt",
        number="spec.num",
        config={"spec": '{"txt": "abc", "num": 3}'},
    ),
    "optional-parent": Source(
        definitions='config spec "object({ sub = optional(object({ txt = string, num = int })) })" {}',
        text="spec.sub.txt",
        number="spec.sub.num",
        config={"spec": '{"sub": {"txt": "abc", "num": 3}}'},
    ),
    "member-of-element": Source(
        definitions='config all "list(object({ txt = optional(string), num = optional(int) }))" {}',
        text="all[0].txt",
        number="all[0].num",
        config={"all": '[{"txt": "abc", "num": 3}]'},
    ),
    "conditional": Source(
        definitions='config on bool {}\ntxt = on ? "abc" : null\nnum = on ? 3 : null',
        text="txt",
        number="num",
        config={"on": "true"},
    ),
    "secret": Source(
        definitions='config spec "object({ txt = optional(string), num = optional(int) })" { secret = true }',
        text="spec.txt",
        number="spec.num",
        config={"spec": '{"txt": "abc", "num": 3}'},
    ),
    "missing-resource": Source(
        definitions="""config on bool {}
resource made "random:index/randomPet:RandomPet" {
  options { range = on }
  length = 3
  separator = "x"
}""",
        text="made.id",
        number="made.length",
        config={"on": "true"},
    ),
}

UNSET: Mapping[str, Mapping[str, str]] = {
    "optional-member": {"spec": "{}"},
    "optional-parent": {"spec": "{}"},
    "member-of-element": {"all": "[{}]"},
    "conditional": {"on": "false"},
    "secret": {"spec": "{}"},
    "missing-resource": {"on": "false"},
}
"""Configuration without the values; nothing where it is not named."""

PLACES: Mapping[str, str] = {
    "required-input": 'resource use "random:index/randomPassword:RandomPassword" {{\n  length = {number}\n}}',
    "argument": "output o {{ value = length({text}) }}",
    "element": 'output o {{ value = join("-", ["a", {text}]) }}',
    "operand": "output o {{ value = {number} + 1 }}",
    "comparison": "output o {{ value = {number} > 1 }}",
    "local-object": 'values = {{ a = {text} }}\noutput o {{ value = length(values.a) }}',
}
"""Each needs one value."""


def program(source: str, place: str) -> str:
    made = SOURCES[source]
    return f"{made.definitions}\n{PLACES[place].format(text=made.text, number=made.number)}\n"


CASES = {f"{source}-{place}": (source, place) for source in SOURCES for place in PLACES}


def warnings_of(text: str) -> list[str]:
    found = pclgen.check({"main.pp": text}, schemas=SCHEMAS).diagnostics
    return [f"{d.code} {d.primary}" for d in found]


def place_of(name: str) -> str:
    """Where the value stands that may be null: what generated code names."""
    warned = warnings_of(program(*CASES[name]))
    assert len(warned) == 1, warned
    code, _, place = warned[0].partition(" ")
    assert code == "PCL0416"
    return place


@pytest.mark.parametrize("name", CASES)
def test_one_warning_at_the_value(name: str) -> None:
    assert place_of(name).startswith("main.pp:")


def whole(source: str) -> str:
    """All places of one source in one program, each with names of its own."""
    made = SOURCES[source]
    places: list[str] = []
    for number, place in enumerate(PLACES.values()):
        text = place.format(text=made.text, number=made.number)
        places.append(re.sub(r"\b(o|use|values)\b", rf"\g<1>{number}", text))
    return "\n".join([made.definitions, *places, ""])


def settings(subject: Subject) -> Settings:
    """Those of a program: without the values when it is one case."""
    source = CASES[subject.name][0] if subject.name in CASES else subject.name
    given = UNSET.get(source, {}) if subject.name in CASES else SOURCES[source].config
    return Settings(config={f"{subject.name}:{key}": ConfigValue(text) for key, text in given.items()})


@dataclass(frozen=True, slots=True)
class Verified:
    """A report, and the names of its programs by key."""

    report: Report
    names: Mapping[str, str]


@pytest.fixture(scope="module")
def outcome() -> Verified:
    texts = {source: whole(source) for source in SOURCES} | {name: program(*case) for name, case in CASES.items()}
    subjects = subjects_in_memory(texts, SchemaStore(SCHEMAS))
    report = verified(subjects, settings, given=environments(), levels=("compile", "run"))
    return Verified(report, {subject.key: subject.name for subject in subjects})


@pytest.mark.parametrize("language", LANGUAGES)
def test_set_values_do_what_the_evaluator_says(outcome: Verified, language: str) -> None:
    verdicts = [v for v in outcome.report.verdicts if v.language == language and outcome.names[v.key] in SOURCES]
    assert {v.level for v in verdicts} == {"compile", "run"}
    assert [v for v in verdicts if v.status is not Status.PASSED] == [], to_text(outcome.report)


@pytest.mark.parametrize("language", LANGUAGES)
def test_unset_values_fail_with_the_same_words(outcome: Verified, language: str) -> None:
    told: dict[str, tuple[str, ...]] = {}
    for verdict in outcome.report.verdicts:
        name = outcome.names[verdict.key]
        if verdict.language != language or name in SOURCES:
            continue
        if verdict.level == "run":
            told[name] = verdict.messages
        else:
            assert verdict.status is Status.PASSED, verdict
    assert told.keys() == CASES.keys()
    assert {name: messages for name, messages in told.items() if not _agree(place_of(name), messages)} == {}


def _agree(place: str, messages: tuple[str, ...]) -> bool:
    """Whether the evaluator and the program end with the same words in a preview and in an update."""
    for message in messages:
        evaluated, _, generated = message.partition("; the program fails: ")
        words = evaluated.partition("the evaluator fails: ")[2]
        if not words.endswith("is not set") or f"{place}: {words}" not in generated:
            return False
    return len(messages) == 2
