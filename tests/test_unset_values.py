"""Nullable values where a value is required: every source of null, times every place that requires a value.

`check` warns once, at the value, and the programs type-check in all languages.  With the values set they behave like the
evaluator; without them they fail with the same message, which names the place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import pclgen
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Report, Status, to_text
from pclgen.verify.subjects import Subject
from tests.support.corpus import ROOT, needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.providing import AbsentModel
from tests.support.verified import LANGUAGES, environments, subjects_in_memory, verified

SCHEMAS = [ROOT / "examples" / "schemas"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A source of null: definitions, and the value as text and as a number."""

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
"""Configuration without the values; empty for other sources."""

PLACES: Mapping[str, str] = {
    "required-input": 'resource use "random:index/randomPassword:RandomPassword" {{\n  length = {number}\n}}',
    "argument": "output o {{ value = length({text}) }}",
    "element": 'output o {{ value = join("-", ["a", {text}]) }}',
    "template": 'output o {{ value = "x-${{{text}}}" }}',
    "operand": "output o {{ value = {number} + 1 }}",
    "comparison": "output o {{ value = {number} > 1 }}",
    "local-object": 'values = {{ a = {text} }}\noutput o {{ value = length(values.a) }}',
}
"""Places that each require a value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Members:
    """A configuration object that lacks a member: its type, its JSON, and the message of the failure."""

    type: str
    value: str
    problem: str
    more: str = ""


MEMBERS: Mapping[str, Members] = {
    "a-member": Members(type="object({ login = string, id = int })", value='{"id": 1}', problem="c.login is not set"),
    "a-member-that-is-null": Members(type="object({ login = string })", value='{"login": null}', problem="c.login is not set"),
    "deeper": Members(
        type="object({ a = object({ b = object({ on = bool }) }) })", value='{"a": {"b": {}}}', problem="c.a.b.on is not set"
    ),
    "in-an-optional-one": Members(
        type="object({ sub = optional(object({ name = string })) })", value='{"sub": {}}', problem="c.sub.name is not set"
    ),
    "in-a-list": Members(
        type="list(object({ name = string }))", value='[{"name": "a"}, {}]', problem="c[1].name is not set"
    ),
    "in-a-map": Members(
        type="map(object({ name = string }))", value='{"z": {}, "b": {}, "a": {"name": "x"}}', problem="c.b.name is not set"
    ),
    "in-a-list-in-an-object": Members(
        type="object({ all = list(object({ tags = map(string) })) })", value='{"all": [{}]}', problem="c.all[0].tags is not set"
    ),
    "with-a-slash": Members(
        type='object({ \\"app/name\\" = string })', value='{"x": "y"}', problem="c.app/name is not set"
    ),
    "a-secret": Members(
        type="object({ login = string })", value="{}", problem="c.login is not set", more="secret = true"
    ),
    "with-a-default": Members(
        type="object({ login = string })", value="{}", problem="c.login is not set", more='default = { login = "me" }'
    ),
    "a-secret-list-in-a-map": Members(
        type="map(object({ all = list(object({ name = string })) }))",
        value='{"a": {"all": [{"name": "x"}, {}]}}',
        problem="c.a.all[1].name is not set",
        more="secret = true",
    ),
    "a-secret-with-a-default": Members(
        type="list(object({ login = string }))", value="[{}]", problem="c[0].login is not set", more="secret = true\n  default = []"
    ),
    "a-secret-that-may-be-null": Members(
        type="object({ login = string })", value="{}", problem="c.login is not set", more="secret = true\n  nullable = true"
    ),
    "in-a-list-in-an-optional-one": Members(
        type="object({ sub = optional(object({ all = list(object({ name = string })) })) })",
        value='{"sub": {"all": [{}]}}',
        problem="c.sub.all[0].name is not set",
    ),
    "the-first-of-several": Members(
        type="object({ sub = object({ x = string }), name = string })", value='{"sub": {}}', problem="c.name is not set"
    ),
    "a-nullable-one": Members(type="object({ login = string })", value="{}", problem="c.login is not set", more="nullable = true"),
}


def members_program(name: str) -> str:
    members = MEMBERS[name]
    return f'\nconfig c "{members.type}" {{\n  {members.more}\n}}\noutput o {{ value = c }}\n'


COMPLETE = """
config a "object({ login = string, sub = optional(object({ name = string })), all = list(object({ n = int })) })" {}
config b "map(object({ name = string, size = optional(int) }))" { default = {} }
config s "object({ login = string })" { secret = true }
config n int { nullable = true }
config on bool { nullable = true }
resource counted "random:index/randomPet:RandomPet" {
  options { range = n }
  length = 2
}
resource maybe "random:index/randomPet:RandomPet" {
  options { range = on }
  length = 2
}
has = n != null
output login { value = "${a.login}-${s.login}" }
output size { value = { for k, v in b : k => v.size == null ? 0 : v.size + 1 } }
output sub { value = a.sub != null ? length(a.sub.name) : 0 }
output sum { value = [for one in a.all : one.n + 1] }
output alias { value = has ? n + 1 : 0 }
output both { value = n != null && n > 1 }
output either { value = n == null || n > 1 }
output attempt { value = length(try(a.sub.name, "none")) }
output some { value = [for k, v in b : v.size + 1 if v.size != null] }
output known { value = (n == null ? 7 : n) * 2 }
"""
"""All values are set or checked first: no warnings."""

COMPLETE_CONFIG: Mapping[str, Mapping[str, str]] = {
    "complete-little": {"a": '{"login": "me", "all": []}', "s": '{"login": "it"}'},
    "complete-all": {
        "a": '{"login": "me", "sub": {"name": "abc"}, "all": [{"n": 1}]}',
        "b": '{"x": {"name": "y", "size": 3}, "z": {"name": "w"}}',
        "s": '{"login": "it"}',
        "n": "2",
        "on": "true",
    },
}


def program(source: str, place: str) -> str:
    origin = SOURCES[source]
    return f"{origin.definitions}\n{PLACES[place].format(text=origin.text, number=origin.number)}\n"


CASES = {f"{source}-{place}": (source, place) for source in SOURCES for place in PLACES}


def warnings_of(text: str, schemas: Sequence[Path] = SCHEMAS) -> list[str]:
    diagnostics = pclgen.check({"main.pp": text}, schemas=schemas).diagnostics
    return [f"{d.code} {d.primary}" for d in diagnostics]


def place_of(name: str) -> str:
    """The place of the nullable value, as generated code names it."""
    warned = warnings_of(program(*CASES[name]))
    assert len(warned) == 1, warned
    code, _, place = warned[0].partition(" ")
    assert code == "PCL0416"
    return place


def test_no_warning_where_nothing_can_be_null() -> None:
    assert warnings_of(COMPLETE) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("output o { value = can(n) ? n + 1 : 0 }", "main.pp:2:29"),
        ("output o { value = can(spec.num) ? spec.num + 1 : 0 }", "main.pp:2:36"),
        ("ok = can(n)\noutput o { value = ok ? n + 1 : 0 }", "main.pp:3:25"),
    ],
)
def test_that_a_value_can_be_had_does_not_say_that_it_is_set(text: str, place: str) -> None:
    n, spec = "config n int { nullable = true }\n", 'config spec "object({ num = optional(int) })" {}\n'
    assert warnings_of(f"{spec if 'spec' in text else n}{text}\n") == [f"PCL0416 {place}"]


@pytest.mark.parametrize("name", CASES)
def test_one_warning_at_the_value(name: str) -> None:
    assert place_of(name).startswith("main.pp:")


def all_places(source: str) -> str:
    """All places of one source in one program, each with its own names."""
    origin = SOURCES[source]
    return joined(origin.definitions, PLACES.values(), origin.text, origin.number)


def with_fallbacks(source: str) -> str:
    """The same, with a fallback value in `try`.  A local requires no value: there null stays null, as in HCL."""
    origin = SOURCES[source]
    places = [place for name, place in PLACES.items() if name != "local-object"]
    return joined(origin.definitions, places, f'try({origin.text}, "none")', f"try({origin.number}, 9)")


def joined(definitions: str, uses: Iterable[str], value: str, count: str) -> str:
    """A program with several uses of a text and a number, each with its own names."""
    places: list[str] = []
    for number, place in enumerate(uses):
        text = place.format(text=value, number=count)
        places.append(re.sub(r"\b(o|use|values)\b", rf"\g<1>{number}", text))
    return "\n".join([definitions, *places, ""])


FALLBACKS = {f"fallback-{state}-{source}": (source, state) for source in SOURCES for state in ("set", "unset")}


@pytest.mark.parametrize("source", SOURCES)
def test_no_warning_where_try_has_a_fallback(source: str) -> None:
    assert warnings_of(with_fallbacks(source)) == []


def settings(subject: Subject) -> Settings:
    """The settings of a program: without the values if it is a case."""
    name = subject.name
    if name in CASES:
        texts = UNSET.get(CASES[name][0], {})
    elif name in SOURCES:
        texts = SOURCES[name].config
    elif name in FALLBACKS:
        source, state = FALLBACKS[name]
        texts = SOURCES[source].config if state == "set" else UNSET.get(source, {})
    else:
        texts = COMPLETE_CONFIG[name] if name in COMPLETE_CONFIG else {"c": MEMBERS[name].value}
    return Settings(config={f"{name}:{key}": ConfigValue(text) for key, text in texts.items()})


@dataclass(frozen=True, slots=True)
class Verified:
    """A report, and the names of its programs by key."""

    report: Report
    names: Mapping[str, str]


@pytest.fixture(scope="module")
def outcome() -> Verified:
    texts = {
        **{source: all_places(source) for source in SOURCES},
        **{name: program(*case) for name, case in CASES.items()},
        **{name: members_program(name) for name in MEMBERS},
        **{name: with_fallbacks(source) for name, (source, _) in FALLBACKS.items()},
        **dict.fromkeys(COMPLETE_CONFIG, COMPLETE),
    }
    subjects = subjects_in_memory(texts, SchemaStore(SCHEMAS))
    report = verified(subjects, settings, tools=environments(), levels=("compile", "run"))
    return Verified(report, {subject.key: subject.name for subject in subjects})


@pytest.mark.parametrize("language", LANGUAGES)
def test_set_values_do_what_the_evaluator_says(outcome: Verified, language: str) -> None:
    expected = {*SOURCES, *FALLBACKS, *COMPLETE_CONFIG}
    verdicts = [v for v in outcome.report.verdicts if v.language == language and outcome.names[v.key] in expected]
    assert {v.level for v in verdicts} == {"compile", "run"}
    assert [v for v in verdicts if v.status is not Status.PASSED] == [], to_text(outcome.report)


@pytest.mark.parametrize("language", LANGUAGES)
def test_unset_values_fail_with_the_same_words(outcome: Verified, language: str) -> None:
    failures: dict[str, tuple[str, ...]] = {}
    for verdict in outcome.report.verdicts:
        name = outcome.names[verdict.key]
        if verdict.language != language or name not in CASES:
            continue
        if verdict.level == "run":
            failures[name] = verdict.messages
        else:
            assert verdict.status is Status.PASSED, verdict
    assert failures.keys() == CASES.keys()
    assert {name: messages for name, messages in failures.items() if not _agree(place_of(name), messages)} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_missing_members_are_named_where_the_configuration_is_read(outcome: Verified, language: str) -> None:
    errors = {
        outcome.names[v.key]: v.messages
        for v in outcome.report.verdicts
        if v.language == language and v.level == "run" and outcome.names[v.key] in MEMBERS
    }
    assert errors.keys() == MEMBERS.keys()
    wrong = {n: m for n, m in errors.items() if not _agree("main.pp:2:8", m) or not all(MEMBERS[n].problem in e for e in m)}
    assert wrong == {}


SCHEMA_ONLY = """
resource pw "random:index/randomPassword:RandomPassword" {
  length = 8
}
resource key "tls:index/privateKey:PrivateKey" {
  algorithm = "RSA"
}
resource cert "tls:index/selfSignedCert:SelfSignedCert" {
  privateKeyPem = key.privateKeyPem
  allowedUses = []
  validityPeriodHours = 3
}
"""

MORE = """
resource command "command:local:Command" {
  create = "x"
}
resource pool "digitalocean:index:KubernetesNodePool" {
  clusterId = "c"
  size = "s"
}
"""


def cert_with(inputs: str) -> str:
    return f'resource to "tls:index/selfSignedCert:SelfSignedCert" {{\nvalidityPeriodHours = 3\n{inputs}\n}}'


SCHEMA_TEXTS: Mapping[str, str] = {
    "alone": '"x-${^pw.overrideSpecial}"',
    "beside-another": '"${pw.result}-${^pw.overrideSpecial}"',
    "by-a-local": '"x-${length(pw.result)}-${^pw.overrideSpecial}"',
    "member-of-what-is-null": '"x-${^cert.subject.commonName}"',
    "member-beside-another": '"${pw.result}-${^cert.subject.commonName}"',
    "in-a-loop": '[for i in [1, 2] : "${i}-${^pw.overrideSpecial}"]',
    "in-a-list": '["a", "x-${^pw.overrideSpecial}"]',
    "in-a-directive": '"%{ if pw.length > 1 }x-${^pw.overrideSpecial}%{ endif }"',
    "in-a-branch": 'pw.length > 1 ? "x-${^pw.overrideSpecial}" : "none"',
}
"""Texts with a value, at `^`, that is nullable only by its schema."""

SCHEMA_PASSED: Mapping[str, str] = {
    "whole-text": cert_with("privateKeyPem = ^pw.overrideSpecial\nallowedUses = []"),
    "whole-list": cert_with('privateKeyPem = "x"\nallowedUses = ^command.assetPaths'),
    "whole-in-a-list": cert_with('privateKeyPem = "x"\nallowedUses = ["a", ^pw.overrideSpecial]'),
    "whole-by-a-local": "same = pw.overrideSpecial\n" + cert_with("privateKeyPem = ^same\nallowedUses = []"),
    "whole-number": 'resource to "random:index/randomPassword:RandomPassword" { length = ^pool.maxNodes }',
    "whole-in-a-map": 'resource to "random:index/randomPet:RandomPet" { keepers = { a = ^pw.overrideSpecial } }',
    "whole-as-a-text": 'resource to "random:index/randomPet:RandomPet" { keepers = { a = ^pool.maxNodes } }',
    "whole-member": cert_with("privateKeyPem = ^cert.subject.commonName\nallowedUses = []"),
}
"""Resources with a value, at `^`, that is nullable only by its schema, for a required input."""

SCHEMA_GUARDED = """
resource to "tls:index/selfSignedCert:SelfSignedCert" {
  privateKeyPem = try(pw.overrideSpecial, "none")
  allowedUses = pw.overrideSpecial == null ? [] : [pw.overrideSpecial]
  validityPeriodHours = 3
}
output a { value = "x-${pw.overrideSpecial == null ? "none" : pw.overrideSpecial}" }
output b { value = "x-${try(pw.overrideSpecial, "none")}" }
output c { value = pw.overrideSpecial == null ? "none" : "x-${pw.overrideSpecial}" }
output d { value = "%{ if pw.overrideSpecial != null }x-${pw.overrideSpecial}%{ else }none%{ endif }" }
output e { value = try("x-${pw.overrideSpecial}", "none") }
output f { value = "x-${try(cert.subject.commonName, "none")}" }
output g { value = can("x-${pw.overrideSpecial}") }
"""

SCHEMA_CASES = (*SCHEMA_TEXTS, *SCHEMA_PASSED)

SCHEMA_RANGES = MORE + """
resource mapped "random:index/randomPet:RandomPet" {
  options { range = pw.keepers }
  prefix = range.value
}
resource listed "random:index/randomPet:RandomPet" {
  options { range = command.triggers }
}
resource counted "random:index/randomPet:RandomPet" {
  options { range = pool.maxNodes }
  separator = "${range.value}"
}
resource unused "random:index/randomPet:RandomPet" {
  options { range = pool.maxNodes }
}
resource single "random:index/randomPet:RandomPet" {
  options { range = pool.autoScale }
}
output many { value = [[for m in mapped : m.id], [for m in listed : m.id], [for m in counted : m.id]] }
output one { value = single == null }
"""
"""Ranges over values that are nullable only by their schema: no resources are created."""


def schema_program(name: str) -> tuple[str, str]:
    """A program, and the place of the value in it."""
    passed = SCHEMA_PASSED.get(name)
    text = f"{SCHEMA_ONLY}output o {{ value = {SCHEMA_TEXTS[name]} }}\n" if passed is None else SCHEMA_ONLY + MORE + passed
    before, _, after = text.partition("^")
    return before + after, f"main.pp:{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


@pytest.fixture(scope="module")
def schema_outcome() -> Verified:
    store = SchemaStore([REAL_SCHEMAS])
    programs = {name: schema_program(name)[0] for name in SCHEMA_CASES}
    others = {"guarded": SCHEMA_ONLY + SCHEMA_GUARDED, "ranges": SCHEMA_ONLY + SCHEMA_RANGES}
    subjects = subjects_in_memory({**programs, **others}, store)

    def absent(subject: Subject) -> Settings:
        return Settings(default_model=AbsentModel(subject.program.packages))

    report = verified(subjects, absent, tools=environments(), levels=("compile", "run"))
    return Verified(report, {subject.key: subject.name for subject in subjects})


@needs_corpus
@pytest.mark.parametrize("name", SCHEMA_CASES)
def test_what_a_schema_lets_be_null_is_not_warned_about(name: str) -> None:
    assert warnings_of(schema_program(name)[0], [REAL_SCHEMAS]) == []


@needs_corpus
def test_what_a_schema_lets_be_null_behind_a_name_is_not_warned_about() -> None:
    text = 'special = [pw.overrideSpecial, "x"]\noutput o { value = "x-${element(special, 0)}" }\n'
    assert warnings_of(SCHEMA_ONLY + text, [REAL_SCHEMAS]) == []


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_schema_lets_be_null_fails_in_the_evaluator(schema_outcome: Verified, language: str) -> None:
    """Generated code has no check, as if written by hand: the SDK decides whether it continues or how it fails."""
    failures: dict[str, tuple[str, ...]] = {}
    for verdict in schema_outcome.report.verdicts:
        name = schema_outcome.names[verdict.key]
        if verdict.language != language:
            continue
        if verdict.level == "run" and name in SCHEMA_CASES:
            failures[name] = verdict.messages
        else:
            assert verdict.status is Status.PASSED, verdict
    assert failures.keys() == set(SCHEMA_CASES)
    # In a preview the value is unknown, so that only the update fails.
    evaluated = {
        name: [message.partition("; the program fails: ")[0] for message in messages] for name, messages in failures.items()
    }
    pattern = re.compile(r"update: the evaluator fails: [\w.\[\]]+ is not set")
    wrong = {
        name: messages for name, messages in evaluated.items() if len(messages) != 1 or not pattern.fullmatch(messages[0])
    }
    assert wrong == {}


def _agree(place: str, messages: tuple[str, ...]) -> bool:
    """Whether the evaluator and the program end with the same words in a preview and in an update."""
    for message in messages:
        evaluated, _, generated = message.partition("; the program fails: ")
        words = evaluated.partition("the evaluator fails: ")[2]
        if not words.endswith("is not set") or f"{place}: {words}" not in generated:
            return False
    return len(messages) == 2
