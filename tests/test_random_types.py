"""Random programs over all types that labels can express, run in all languages and compared with the evaluator.

A failure names the numbers; `files(number)` of `tests.support.random_types` returns the texts.

    PCLGEN_FRESH=7 pytest tests/test_random_types.py -k in_all_languages       tries others

Programs that once failed are stored in `FOUND`.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

import pclgen
from pclgen import pipeline
from pclgen.diagnostics.model import Severity
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.verify.report import Level, Report, Status, to_text
from tests.support.generated import EXAMPLE_SCHEMAS
from tests.support.random_types import files
from tests.support.verified import LANGUAGES, environments, programs_in_memory, verified
from tests.test_function_packs import KINDS

LEVELS: tuple[Level, ...] = ("compile", "run")
FIRST = 1_000_000 * int(os.environ.get("PCLGEN_FRESH") or 0)
TYPED = range(FIRST, FIRST + int(os.environ.get("PCLGEN_COUNT") or 60))
CALLING = range(FIRST + 500_000, FIRST + 500_012)

FOUND: Mapping[str, Mapping[str, str]] = {
    "maps inside of the defaults of a component": {
        "main.pp": 'component "c" "./c" {}\noutput "all" { value = c.a }\n',
        "c/main.pp": """
config "mm" "map(map(int))" { default = { a = { b = 1 } } }
config "s1" "list(map(int))" {
  default = [{ a = 1 }]
  secret = true
}
config "s2" "object({ m = map(int) })" {
  default = { m = { "x.y" = 1 } }
  secret = true
}
config "maps" "list(map(any))" { default = [{ a = 1, b = "x" }] }
config "deep" "object({ m = map(int), n = optional(map(string)) })" { default = { m = { "x.y" = 1 } } }
config "deeper" "list(object({ m = map(int) }))" { default = [{ m = { "x.y" = 1 } }] }
resource "pet" "random:index/randomPet:RandomPet" { prefix = deep.m["x.y"] == 1 ? "p" : "q" }
output "a" { value = { mm = mm, s1 = s1, s2 = s2, maps = maps, deep = deep, deeper = deeper, id = pet.prefix } }
output "mm" { value = mm }
output "s1" { value = s1 }
output "s2" { value = s2 }
output "maps" { value = maps }
output "deep" { value = deep }
output "deeper" { value = deeper }
output "texts" { value = [for m in deeper : [for k, v in m.m : "${k}${v}"]] }
""",
    },
    "labels of values that hold outputs": {
        "main.pp": """
resource "pet" "random:index/randomPet:RandomPet" {}
config "settings" "map(string)" {
  secret  = true
  default = { x = "y" }
}
local "tags" "map(string)" { value = { a = pet.id } }
local "list" "list(string)" { value = [pet.id, "x"] }
local "both" "list(string, minItems=1)" { value = list }
local "maps" "list(map(string))" { value = [settings, { k = pet.id }] }
output "all" "object({ tags = map(string), list = list(string) })" {
  value = { tags = { a = pet.id, b = tags.a }, list = [both[0], pet.id] }
}
output "maps" "list(map(string))" { value = maps }
output "keyed" { value = { for k, v in maps[0] : k => v } }
"""
    },
    "lists with elements that may be absent, in a component": {
        "main.pp": """
resource "pet" "random:index/randomPet:RandomPet" { prefix = "small" }
component "web" "./web" {
  names = [pet.prefix, null]
  texts = { a = null, b = pet.id }
}
output "shown" { value = web.shown }
""",
        "web/main.pp": """
config "names" "list(optional(string))" {}
config "texts" "map(optional(string))" { default = {} }
output "shown" { value = { names = names, texts = texts, null = [for x in names : x == null] } }
""",
    },
    "lists and maps that Go's SDK has no types for, as inputs of a component": {
        "main.pp": """
config "c" "bool" { default = true }
config "d" "map(map(list(map(int))))" { default = { a = { a = [{ b = 10 }] } } }
resource "pet" "random:index/randomPet:RandomPet" { length = 3 }
component "plain" "./part" { all = { a = { a = [{ b = 10 }, { b = 1 }] }, p = { p = [{ a = 1 }] } } }
component "late" "./part" { all = { a = { a = [{ b = pet.length }, { b = 1 }] }, p = { p = [{ a = 1 }] } } }
component "chosen" "./part" { all = { x = c ? { a = [{ b = pet.length }] } : { b = [] }, p = { p = [{ a = 1 }] } } }
component "looped" "./part" { all = { for k, v in d : k => { z = [{ b = pet.length }] } } }
component "same" "./part" { all = d }
output "shown" { value = [plain.shown, late.shown, chosen.shown, looped.shown, same.shown] }
""",
        "part/main.pp": """
config "all" "map(map(list(map(int))))" { secret = true }
config "more" "list(list(list(list(number))))" {
  default = [[[[1]]]]
  secret = true
}
output "shown" { value = { n = length(all), a = [for k, v in all : "${k}-${length(v)}"], more = more } }
""",
    },
    "parameters inside of what is written out for a component": {
        "main.pp": """
resource "pet" "random:index/randomPet:RandomPet" {}
component "p" "./part" { s = pet.id }
component "q" "./part" { s = "x" }
output "shown" { value = [p.shown, q.shown] }
""",
        "part/main.pp": """
config "s" "string" {}
config "b" "bool" { default = true }
component "direct" "../inner" { m = { a = s } }
component "chosen" "../inner" { m = b ? { a = s, b = "x" } : { a = "abc" } }
component "deeper" "../inner" { l = b ? [["a"], b ? [s] : []] : [[s]] }
component "looped" "../inner" { m = { for x in ["a", "b"] : x => s } }
output "shown" { value = [direct.shown, chosen.shown, deeper.shown, looped.shown] }
""",
        "inner/main.pp": """
config "m" "map(string)" { default = {} }
config "l" "list(list(string))" { default = [] }
output "shown" { value = { m = m, l = l } }
""",
    },
    "the only element of what has no type": {
        "main.pp": """
config "one" { default = [1] }
config "none" { default = [] }
config "text" { default = ["x"] }
config "two" { default = [1, 2] }
resource "pet" "random:index/randomPet:RandomPet" { prefix = singleOrNone(text) }
output "all" {
  value = [
    singleOrNone(one),
    singleOrNone(none),
    "${singleOrNone(text)}!",
    try(singleOrNone(two), "two"),
    singleOrNone([for x in text : "${x}${pet.prefix}"]),
  ]
}
"""
    },
}


MIXED = """
resource "pet" "random:index/randomPet:RandomPet" { prefix = "small" }
config "a" "'50%' | int" {
  secret  = true
  default = 7
}
config "b" "string | int" { default = pet.prefix }
config "c" "string | list(int)" {
  secret  = true
  default = [1]
}
config "d" "'50%' | int" { secret = true }
config "e" "'50%' | int" {
  secret   = true
  nullable = true
}
config "f" "string | object({ a = int })" {
  secret  = true
  default = { a = 1 }
}
config "g" {
  nullable = true
}
config "h" "any" {
  secret  = true
  default = { x = 1 }
}
config "i" { default = 7 }
output "all" { value = [a, b, c, d, e, f, g, h, i] }
"""


@cache
def store() -> SchemaStore:
    return SchemaStore([EXAMPLE_SCHEMAS])


def assert_all_passed(report: Report) -> None:
    failed = [verdict for verdict in report.verdicts if verdict.status is not Status.PASSED]
    names = {verdict.key: report.names[verdict.key] for verdict in failed}
    assert not failed, to_text(Report(verdicts=tuple(failed), names=names))


def ran(programs: Mapping[str, Mapping[str, str]], schema_store: SchemaStore) -> None:
    """Compile and run programs; programs that Go cannot express run in the other languages."""
    refused = {name for name, texts in programs.items() if not _has_go(texts, schema_store)}
    assert len(refused) * 10 <= len(programs)
    for chosen, languages in ((programs.keys() - refused, LANGUAGES), (refused, LANGUAGES[:2])):
        subjects = programs_in_memory({name: programs[name] for name in sorted(chosen)}, schema_store, languages)
        assert_all_passed(
            verified(subjects, lambda subject: Settings(), tools=environments(), levels=LEVELS, languages=languages)
        )


def _has_go(texts: Mapping[str, str], schema_store: SchemaStore) -> bool:
    result = pipeline.generate(program_in_memory("it", dict(texts)), languages=["go"], store=schema_store)
    assert {diagnostic.code for diagnostic in result.diagnostics if diagnostic.severity is Severity.ERROR} <= {"PCL0901"}
    return result.ok


def test_the_same_number_makes_the_same_program() -> None:
    assert files(7) == files(7)
    assert len({files(number)["main.pp"] for number in range(50)}) == 50


def test_programs_in_all_languages() -> None:
    ran({f"typed-{number}": files(number) for number in TYPED}, store())


def test_programs_that_call_functions_of_users(tmp_path: Path) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "pack.py").write_text(KINDS)
    (tmp_path / "pclgen.toml").write_text('[functions]\nkit = "tools/pack.py:PACK"\n')
    schema_store = pclgen.project_store(tmp_path, schemas=[EXAMPLE_SCHEMAS], cache=False, allow_functions=True)
    ran({f"calling-{number}": files(number, functions=True) for number in CALLING}, schema_store)


@pytest.mark.parametrize("name", FOUND)
def test_what_was_found(name: str) -> None:
    ran({name: FOUND[name]}, store())


@pytest.mark.parametrize(
    "texts",
    [
        {},
        {"a": "50%", "b": "5", "c": "[2, 3]", "e": "8", "f": "text", "g": "true", "h": "[]", "i": "8"},
        {"a": "9", "b": "xx", "c": "text", "f": '{"a": 3}', "g": "t t", "h": "h", "i": "i"},
    ],
    ids=["unset", "json", "text"],
)
def test_configuration_that_may_be_a_text_or_more(texts: Mapping[str, str]) -> None:
    config = {f"mixed:{key}": ConfigValue(text, secret=key in "acdefh") for key, text in {"d": "50%", **texts}.items()}
    settings = Settings(stack="dev", organization="acme", config=config)
    subjects = programs_in_memory({"mixed": {"main.pp": MIXED}}, store())
    assert_all_passed(verified(subjects, lambda subject: settings, tools=environments(), levels=LEVELS))
