"""In a loop or range, values that its condition checks are not null: no warning, no check, and all languages type-check."""

from __future__ import annotations

import re
from collections.abc import Mapping

import pytest

import pclgen
from pclgen import pipeline
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.verify.report import Status, to_text
from tests.support.corpus import needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.verified import LANGUAGES, configured, environments, subjects_in_memory, verified

SOURCES = """
config name string { nullable = true }
config size number { nullable = true }
config names "list(string)" { nullable = true }
config on bool { default = true }
config site "object({ prefix = string, size = optional(int), tags = optional(list(string)) })" { nullable = true }
wanted = on && name != null
copies = size == null ? 0 : 2
"""

RANGES: Mapping[str, tuple[str, str]] = {
    "a bool": ("name != null", 'prefix = "x${name}"; separator = name; length = size == null ? 1 : size'),
    "a bool of several conditions": ("on && name != null && site != null", 'prefix = "${site.prefix}-${name}"; length = site.size'),
    "a negated bool": ("!(name == null || size == null)", 'prefix = "x${name}"; length = size + 1'),
    "a bool with a name": ("wanted", 'prefix = "${name}!"'),
    "a number": ("size == null ? 0 : 1", 'length = size; prefix = "x${size}"'),
    "a number with a name": ("copies", 'length = size; prefix = "x${size}-${range.value}"'),
    "a number in the first branch": ("site != null ? 1 : 0", "prefix = site.prefix; length = site.size"),
    "a number behind several conditions": (
        "on && names != null && size != null ? 2 : 0", "prefix = element(names, range.value); length = size + 1"
    ),
    "a number in one of two branches": ("name == null ? 0 : size == null ? 0 : 1", 'prefix = "${name}${size}"'),
    "a list": ("names == null ? [] : names", 'prefix = names[0]; separator = join("-", names); length = length(names)'),
    "a list of something else": ('site == null ? [] : ["a", "b"]', 'prefix = "${site.prefix}-${range.value}"'),
    "a map": ("wanted ? { a = 1, b = 2 } : {}", 'prefix = "${name}-${range.key}"; separator = name'),
}

LOOPS: Mapping[str, str] = {
    "a list": '[for x in (name == null ? [] : [1, 2]) : "${name}${x}"]',
    "a map": '{ for x in (size == null ? [] : ["a"]) : x => size * 2 }',
    "with a condition": '[for x in (names == null ? [] : names) : "${length(names)}${x}" if x != name]',
    "of an object": '[for x in (site != null ? ["a"] : []) : "${site.prefix}${x}"]',
    "in a condition": '[for x in (size != null ? [1, 2] : []) : x if x < size]',
    "in another loop": '[for x in (name == null ? [] : ["a"]) : [for y in (size == null ? [] : [x]) : "${name}${size}${y}"]]',
    "inside of a condition": "site == null ? [] : [for x in (site.tags == null ? [] : site.tags) : x]",
}

INSIDE_OF_FOLLOWED_CONDITIONS = '[for x in (names == null ? [] : names) : names != null ? names[0] : "none"]'


def program() -> str:
    resources = (
        f'resource row{at} "random:index/randomPet:RandomPet" {{\n  options {{ range = {over} }}\n  '
        + inputs.replace("; ", "\n  ")
        + "\n}\n"
        for at, (over, inputs) in enumerate(RANGES.values())
    )
    outputs = (f"output loop{at} {{ value = {loop} }}\n" for at, loop in enumerate(LOOPS.values()))
    return SOURCES + "".join(resources) + "".join(outputs) + f"output followed {{ value = {INSIDE_OF_FOLLOWED_CONDITIONS} }}\n"


CONFIGURED: Mapping[str, Mapping[str, str]] = {
    "without values": {},
    "with values": {
        "name": "n",
        "size": "3",
        "names": '["a", "b"]',
        "site": '{"prefix": "p", "size": 2, "tags": ["t"]}',
    },
    "with some": {"name": "n", "on": "false", "site": '{"prefix": "p"}'},
}


@needs_corpus
def test_nothing_to_report() -> None:
    assert pclgen.check({"main.pp": program()}, schemas=[REAL_SCHEMAS]).diagnostics == ()


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_condition_excludes_is_not_checked_again(language: str) -> None:
    result = pipeline.generate(
        program_in_memory("null", {"main.pp": program()}), languages=[language], store=SchemaStore([REAL_SCHEMAS])
    )
    texts = map(str, result.files[language].values())
    checks = [check for text in texts for check in re.findall(r"main\.pp:\d+:\d+: [^ ]+ is not set", str(text))]
    assert checks == []


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_compile_and_do_the_same(language: str) -> None:
    texts = dict.fromkeys(CONFIGURED, program())
    subjects = subjects_in_memory(texts, SchemaStore([REAL_SCHEMAS]), [language])
    results = verified(subjects, configured(CONFIGURED), tools=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in results.verdicts} == {Status.PASSED}, to_text(results)


def test_what_no_condition_excludes_is_warned_about() -> None:
    text = SOURCES + 'output a { value = [for x in (name == null ? ["x"] : ["y"]) : "${name}${x}"] }\n'
    assert [d.code for d in pclgen.check({"main.pp": text}).diagnostics if d.code == "PCL0416"] == ["PCL0416"]
