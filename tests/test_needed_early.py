"""Function results where a value must be known before the deployment: in the options of resources.

A function with plain arguments is called in its plain form, also in the middle of an expression; all three languages compile
and agree with the evaluator.  The checker refuses values that are not known early enough, at their location.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import pclgen
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Report, Status, to_text
from pclgen.verify.subjects import Subject
from tests.support.corpus import needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.verified import LANGUAGES, environments, subjects_in_memory, verified

pytestmark = needs_corpus

CALL = 'invoke("tls:index/getCertificate:getCertificate", { url = "https://example.com" })'
FOUND = f"found = {CALL}\n"


def pet(options: str, more: str = "") -> str:
    return f'{more}resource pet "random:index/randomPet:RandomPet" {{\n  length = 2\n  options {{\n    {options}\n  }}\n}}\n'


PROGRAMS: Mapping[str, str] = {
    "timeouts": pet(
        "customTimeouts = { create = found.id, update = found.url, delete = try(found.url, null), read = null }", FOUND
    ),
    "timeouts-inline": pet(f"customTimeouts = {{ create = try({CALL}.url, null), update = {CALL}.id }}"),
    "timeouts-may-be-unset": pet(
        "customTimeouts = { create = t, update = try(t, null), delete = on ? t : null, read = null }",
        "config t string { nullable = true }\nconfig on bool { default = true }\n",
    ),
    "inputs-that-may-fail": 'resource pet "random:index/randomPet:RandomPet" {\n'
    "  prefix = try(limits.create, null)\n  separator = try(limits.update, null)\n}\n"
    'resource other "random:index/randomPet:RandomPet" {\n  separator = try([pet.separator][0], null)\n}\n'
    'config limits "map(string)" {}\n',
    "chosen-by-a-function": pet('import = found.id == "x" ? "a" : "b"', FOUND),
    "timeouts-whole": pet("customTimeouts = limits", 'limits = { create = "5m", update = null }\n'),
    "timeouts-that-may-fail": pet(
        "customTimeouts = { create = try(limits.create, null), update = try(limits.update, null),"
        " read = try(found.certificates[5].issuer, null) }",
        'config limits "map(string)" {}\n' + FOUND,
    ),
    "timeouts-whole-may-be-unset": pet(
        "customTimeouts = limits", 'config limits "object({create=string, read=optional(string)})" { nullable = true }\n'
    ),
    "timeouts-whole-chosen": pet(
        f'customTimeouts = {CALL}.id == "x" ? {{ create = "5m", read = "1m" }} : (on ? limits.of.pet : null)',
        'config on bool { default = true }\nlimits = { of = { pet = { create = "1h", delete = "2h" } } }\n',
    ),
    "no-timeouts": pet("customTimeouts = { read = null }"),
    "bools": pet(
        'protect = found.id == "x"\n    retainOnDelete = try(found.verifyChain, false)\n'
        '    deleteBeforeReplace = length(found.certificates) > 0',
        FOUND,
    ),
    "texts": pet('import = "${found.id}-x"\n    aliases = [{ name = found.id }]', FOUND),
    "inline": pet(f'import = try({CALL}.url, "none")\n    protect = length({CALL}.certificates) > 0'),
    "through-variables": pet("protect = many > 0", FOUND + "all = found.certificates\nmany = length(all)\n"),
    "function-of-a-function": pet(
        "customTimeouts = { create = second.id }",
        FOUND + 'second = invoke("tls:index/getCertificate:getCertificate", { url = "https://${found.id}" })\n',
    ),
    "in-a-range": pet(
        f"range = length({CALL}.certificates)\n    customTimeouts = {{ create = found.id }}\n    protect = range.value > 0", FOUND
    ),
    "in-conditions": pet(
        'import = on ? found.id : "x"\n    protect = on && found.id == "x"\n    envVarMappings = { for k in ["a"] : k => found.id }',
        FOUND + "config on bool { default = true }\n",
    ),
    "names-that-are-taken": pet(
        f"customTimeouts = {{ create = try({CALL}.id, null), update = try({CALL}.url, null) }}",
        'certificate = "a"\ncertificate2 = "b"\noutput o { value = "${certificate}${certificate2}" }\n',
    ),
    "also-an-output": pet("protect = found.id == \"x\"", FOUND + "output o { value = found.id }\n"),
}

REFUSED: Mapping[str, tuple[str, str, str]] = {
    "an-output-of-a-resource": (
        pet('protect = other.id == "x"', 'resource other "random:index/randomPet:RandomPet" {}\n'),
        "main.pp:5:15",
        "use a config value",
    ),
    "arguments-from-a-resource": (
        pet(
            'import = invoke("tls:index/getCertificate:getCertificate", { url = other.id }).id',
            'resource other "random:index/randomPet:RandomPet" {}\n',
        ),
        "main.pp:5:14",
        "arguments that are known",
    ),
    "in-a-condition": (pet(f'import = on ? {CALL}.id : "x"', "config on bool {}\n"), "main.pp:5:19", "outside of conditions"),
    "in-a-loop": (pet(f'envVarMappings = {{ for k in ["a"] : k => {CALL}.id }}'), "main.pp:4:46", "outside of conditions"),
    "in-a-second-attempt": (pet(f'import = try(on["x"], {CALL}.id)', 'config on "map(string)" {}\n'), "main.pp:5:14", "outside of"),
    "arguments-from-the-range": (
        pet('range = 2\n    import = invoke("tls:index/getCertificate:getCertificate", { url = "${range.value}" }).id'),
        "main.pp:5:14",
        "outside of conditions, loops and ranges",
    ),
    "half-of-it": (
        pet('import = "${found.id}${other.id}"', FOUND + 'resource other "random:index/randomPet:RandomPet" {}\n'),
        "main.pp:6:14",
        "arguments that are known",
    ),
}
"""Programs, the location of their only diagnostic, and a part of its help."""


def test_a_mistake_elsewhere_does_not_hide_it() -> None:
    """A valid option is not reported beside an invalid option."""
    text = pet('protect = found.id == "x"\n    nope = 1', FOUND)
    diagnostics = pclgen.check({"main.pp": text}, schemas=[REAL_SCHEMAS]).diagnostics
    assert [d.code for d in diagnostics] == ["PCL0701"]


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_known_too_late_is_refused(name: str) -> None:
    text, place, words = REFUSED[name]
    (diagnostic,) = pclgen.check({"main.pp": text}, schemas=[REAL_SCHEMAS]).diagnostics
    assert (diagnostic.code, str(diagnostic.primary)) == ("PCL0408", place)
    assert diagnostic.help is not None
    assert words in diagnostic.help


def test_a_component_cannot_wait() -> None:
    files = {"main.pp": 'component c "./web" {}\n', "web/main.pp": pet(f"import = {CALL}.id")}
    (diagnostic,) = pclgen.check(files, schemas=[REAL_SCHEMAS]).diagnostics
    assert (diagnostic.code, str(diagnostic.primary)) == ("PCL0408", "web/main.pp:4:14")
    assert diagnostic.help is not None
    assert "a component cannot wait" in diagnostic.help


WRONG: Mapping[str, tuple[str, str, str]] = {
    "a-name-that-is-none": (pet("customTimeouts = try(nope, null)"), "PCL0501", "nope"),
    "timeouts-no-object": (pet('customTimeouts = "5m"'), "PCL0702", "needs an object"),
    "timeouts-computed": (pet('customTimeouts = { for k in ["create"] : k => "5m" }'), "PCL0702", "needs an object"),
    "timeouts-from-a-map": (pet("customTimeouts = limits", 'config limits "map(string)" {}\n'), "PCL0702", "needs an object"),
    "timeouts-not-named": (pet('customTimeouts = try({ create = "5m" }, { create = "6m" })'), "PCL0702", "or a variable"),
    "timeouts-with-more": (pet("customTimeouts = limits", 'limits = { create = "5m", crate = "x" }\n'), "PCL0402", "crate"),
    "timeouts-no-durations": (pet("customTimeouts = limits", 'limits = { create = ["5m"] }\n'), "PCL0401", "string"),
    "timeouts-that-come-later": (
        pet(
            "customTimeouts = limits",
            'limits = { create = other.id, read = other.id }\nresource other "random:index/randomPet:RandomPet" {}\n',
        ),
        "PCL0408",
        "before",
    ),
    "version-from-a-function": (pet("version = found.id", FOUND), "PCL0208", "checked against"),
    "version-from-a-variable": (pet("version = v", 'v = "4.0.0"\n'), "PCL0208", "checked against"),
    "address-from-a-variable": (pet("pluginDownloadURL = v", 'v = "https://x"\n'), "PCL0208", "package comes from"),
}
"""Programs, the code of their only diagnostic, and a part of its text."""


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_value_is_reported_once(name: str) -> None:
    text, code, words = WRONG[name]
    (diagnostic,) = pclgen.check({"main.pp": text}, schemas=[REAL_SCHEMAS]).diagnostics
    assert diagnostic.code == code, diagnostic
    assert words in " ".join([diagnostic.message, *(note.message for note in diagnostic.notes)])


def settings(subject: Subject) -> Settings:
    """Settings that leave optional configuration unset."""
    values = {"on": "false"} if "unset" in subject.name else {"limits": '{"create":"5m","delete":"1h"}'}
    return Settings(config={f"{subject.name}:{name}": ConfigValue(value) for name, value in values.items()})


@pytest.fixture(scope="module")
def outcome() -> Report:
    subjects = subjects_in_memory(PROGRAMS, SchemaStore([REAL_SCHEMAS]))
    return verified(subjects, settings, tools=environments(), levels=("compile", "run"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_does_what_the_evaluator_says(outcome: Report, language: str) -> None:
    verdicts = [v for v in outcome.verdicts if v.language == language]
    assert len({v.key for v in verdicts}) == len(PROGRAMS)
    assert {v.level for v in verdicts} == {"compile", "run"}
    assert [v for v in verdicts if v.status is not Status.PASSED] == [], to_text(outcome)
