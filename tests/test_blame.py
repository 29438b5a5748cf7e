"""Values of type `any` that cause an error far from where they enter the program.

Each program fails in the evaluator and, generated with runtime checks, in every language, with the same message: the
expected type, the value, where the program uses it, and where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from pclgen.choices import CodeStyle, RuntimeChecks
from pclgen.cli.app import main
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Report, to_text
from pclgen.verify.subjects import Subject
from tests.support.binding import bind_text
from tests.support.corpus import needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.verified import LANGUAGES, environments, programs_in_memory, verified

GIVEN = """{
  "size": "large", "half": 2.5, "yes": "maybe", "text": "t", "none": null, "flag": true, "number": 7, "level": "loud",
  "list": [1, "b", {"c": 2}], "map": {"a": "x", "b": ["y"]}, "pool": {"sizes": [1, "two"], "a b": {"name": ["n"]}},
  "long": "0123456789012345678901234567890123456789 and more"
}"""
"""The value of `config free` in all programs."""

PASSWORD = 'resource r "random:index/randomPassword:RandomPassword" {{\n  length = {}\n}}'
COMMAND = 'resource r "command:local:Command" {{\n  {}\n}}'
DECODED = 'data = invoke("std:index:jsondecode", { input = "{\\"size\\": \\"large\\", \\"list\\": [[]]}" }).result\n'
NETWORK = 'resource network "pulumi:pulumi:StackReference" {\n  name = "acme/network/prod"\n}\n'
WEB = """config settings {}
resource r "random:index/randomPassword:RandomPassword" {
  length = settings.size
}
"""

CASES: Mapping[str, tuple[str, str]] = {
    "an int": (
        PASSWORD.format("free.size"),
        'main.pp:3:12: free.size must be an int, and is the string "large"; it came from config free.size (main.pp:1:8)',
    ),
    "an int of a fraction": (
        PASSWORD.format("free.half"),
        "main.pp:3:12: free.half must be an int, and is the number 2.5; it came from config free.half (main.pp:1:8)",
    ),
    "locals on the way": (
        "pool  = free.pool\nsizes = pool.sizes\nsize  = sizes[1]\n" + PASSWORD.format("size"),
        'main.pp:6:12: size must be an int, and is the string "two"; '
        "it came from config free.pool.sizes[1] (main.pp:1:8)",
    ),
    "a member that is not there": (
        PASSWORD.format("free.pool.size"),
        'main.pp:3:12: free.pool has no member "size"; it came from config free.pool (main.pp:1:8)',
    ),
    "a member of a local that is not there": (
        "pool = free.pool\noutput o {\n  value = { a = pool.size }\n}",
        'main.pp:4:17: pool has no member "size"; it came from config free.pool (main.pp:1:8)',
    ),
    "a step into a text": (
        "output o {\n  value = free.size.name\n}",
        'main.pp:3:11: free.size must be an object, and is the string "large"; it came from config free.size (main.pp:1:8)',
    ),
    "a step into null": (
        "output o {\n  value = free.none.name\n}",
        "main.pp:3:11: free.none is not set; it came from config free.none (main.pp:1:8)",
    ),
    "a position past the end": (
        "output o {\n  value = free.pool.sizes[2]\n}",
        "main.pp:3:11: free.pool.sizes has 2 elements, and none at [2]; it came from config free.pool.sizes (main.pp:1:8)",
    ),
    "a position of an object": (
        "output o {\n  value = free.text[0]\n}",
        'main.pp:3:11: free.text must be a list, and is the string "t"; it came from config free.text (main.pp:1:8)',
    ),
    "a key that is known later": (
        'config key string { default = "z" }\noutput o {\n  value = free.map[key]\n}',
        'main.pp:4:11: free.map has no member "z"; it came from config free.map (main.pp:1:8)',
    ),
    "a key that is no name": (
        'output o {\n  value = free.pool["a b"].name + 1\n}',
        'main.pp:3:11: free.pool["a b"].name must be a number, and is a list; '
        'it came from config free.pool["a b"].name (main.pp:1:8)',
    ),
    "an operand": (
        "output o {\n  value = 1 + free.text\n}",
        'main.pp:3:15: free.text must be a number, and is the string "t"; it came from config free.text (main.pp:1:8)',
    ),
    "an operand of a comparison": (
        "output o {\n  value = free.list < 3\n}",
        "main.pp:3:11: free.list must be a number, and is a list; it came from config free.list (main.pp:1:8)",
    ),
    "a condition": (
        "output o {\n  value = free.yes ? 1 : 2\n}",
        'main.pp:3:11: free.yes must be a bool, and is the string "maybe"; it came from config free.yes (main.pp:1:8)',
    ),
    "a negation": (
        "output o {\n  value = !free.number\n}",
        "main.pp:3:12: free.number must be a bool, and is the number 7; it came from config free.number (main.pp:1:8)",
    ),
    "an interpolation": (
        COMMAND.format('create = "echo ${free.map}"'),
        "main.pp:3:20: free.map must be a string, and is an object; it came from config free.map (main.pp:1:8)",
    ),
    "a loop": (
        "output o {\n  value = [for v in free.text : v]\n}",
        'main.pp:3:21: free.text must be a list or a map, and is the string "t"; '
        "it came from config free.text (main.pp:1:8)",
    ),
    "a loop over null": (
        "output o {\n  value = [for v in free.none : v]\n}",
        "main.pp:3:21: free.none is not set; it came from config free.none (main.pp:1:8)",
    ),
    "an element of a loop": (
        "output o {\n  value = [for v in free.list : v * 2]\n}",
        'main.pp:3:33: v must be a number, and is the string "b"; it came from config free.list[*] (main.pp:1:8)',
    ),
    "a loop in a loop": (
        "rows = [for v in [free.list] : [for w in v : w]]\noutput o {\n  value = [for r in rows : [for c in r : -c]]\n}",
        'main.pp:4:43: c must be a number, and is the string "b"; it came from config free.list[*] (main.pp:1:8)',
    ),
    "an input of lists": (
        COMMAND.format("interpreter = free.list"),
        "main.pp:3:17: free.list[2] must be a string, and is an object; it came from config free.list[2] (main.pp:1:8)",
    ),
    "an input of maps": (
        COMMAND.format("environment = free.map"),
        "main.pp:3:17: free.map.b must be a string, and is a list; it came from config free.map.b (main.pp:1:8)",
    ),
    "an input of maps that gets a list": (
        COMMAND.format("environment = free.list"),
        "main.pp:3:17: free.list must be an object, and is a list; it came from config free.list (main.pp:1:8)",
    ),
    "a member of an enum": (
        COMMAND.format("logging = free.level"),
        'main.pp:3:13: free.level must be one of "stdout", "stderr", "stdoutAndStderr", "none", and is the string "loud"; '
        "it came from config free.level (main.pp:1:8)",
    ),
    "an argument of a function": (
        'output o {\n  value = join("-", free.number)\n}',
        "main.pp:3:21: free.number must be a list, and is the number 7; it came from config free.number (main.pp:1:8)",
    ),
    "a value that is looked up": (
        PASSWORD.format('lookup(free.pool, "sizes", 3)'),
        "main.pp:3:12: the value must be an int, and is a list; it came from config free.pool.sizes (main.pp:1:8)",
    ),
    "a long text": (
        PASSWORD.format("free.long"),
        "main.pp:3:12: free.long must be an int, and is a string; it came from config free.long (main.pp:1:8)",
    ),
    "a default value": (
        'config other { default = { a = "b" } }\n' + PASSWORD.format("other.a"),
        'main.pp:4:12: other.a must be an int, and is the string "b"; it came from config other.a (main.pp:2:8)',
    ),
    "a secret, which is not shown": (
        "config hidden { secret = true }\n" + PASSWORD.format("hidden.size"),
        "main.pp:4:12: hidden.size must be an int, and is a string; it came from config hidden.size (main.pp:2:8)",
    ),
    "a result of a function": (
        DECODED + PASSWORD.format("data.size"),
        "main.pp:4:12: data.size must be an int, and is a string; "
        "it came from invoke std:index:jsondecode.result.size (main.pp:2:8)",
    ),
    "an output of another stack": (
        NETWORK + PASSWORD.format('network.outputs["settings"].size'),
        'main.pp:6:12: network.outputs["settings"].size must be an int, and is a string; '
        "it came from stack output settings.size (main.pp:6:12)",
    ),
    "an option": (
        COMMAND.format("options {\n    range = free.list\n    protect = range.value\n  }"),
        "main.pp:5:15: range.value must be a bool, and is the number 1; it came from config free.list[*] (main.pp:1:8)",
    ),
    "one of several kinds": (
        'local x "bool | list(string)" {\n  value = free.number\n}\noutput o {\n  value = [x]\n}',
        "main.pp:3:11: free.number must be a bool or a list, and is the number 7; it came from config free.number (main.pp:1:8)",
    ),
    "null for one of several kinds": (
        'local x "string | object({ a = int })" {\n  value = free.none\n}\noutput o {\n  value = [x]\n}',
        "main.pp:3:11: free.none is not set; it came from config free.none (main.pp:1:8)",
    ),
    "elements of several kinds": (
        'local x "list(int | bool | map(string))" {\n  value = free.list\n}\noutput o {\n  value = x\n}',
        'main.pp:3:11: free.list[1] must be a bool, an int or an object, and is the string "b"; '
        "it came from config free.list[1] (main.pp:1:8)",
    ),
    "one of several kinds for a component": (
        'component web "./mixed" {\n  mixed = free.map\n}',
        "main.pp:3:11: free.map must be a number or a list, and is an object; it came from config free.map (main.pp:1:8)",
    ),
    "a list that is none": (
        "output o {\n  value = element(free.map, 0)\n}",
        "main.pp:3:19: free.map must be a list, and is an object; it came from config free.map (main.pp:1:8)",
    ),
    "a map that is none": (
        'output o {\n  value = lookup(free.list, "a", 1)\n}',
        "main.pp:3:18: free.list must be an object, and is a list; it came from config free.list (main.pp:1:8)",
    ),
    "a value without a length": (
        "output o {\n  value = length(free.number)\n}",
        "main.pp:3:18: free.number must be a string, a list or a map, and is the number 7; "
        "it came from config free.number (main.pp:1:8)",
    ),
    "the length of null": (
        "output o {\n  value = length(free.none)\n}",
        "main.pp:3:18: free.none is not set; it came from config free.none (main.pp:1:8)",
    ),
    "entries of a text": (
        "output o {\n  value = entries(free.text)\n}",
        'main.pp:3:19: free.text must be a list or a map, and is the string "t"; it came from config free.text (main.pp:1:8)',
    ),
    "a component": (
        'component web "./web" {\n  settings = free\n}',
        'web/main.pp:3:12: settings.size must be an int, and is the string "large"; '
        "it came from config settings.size (web/main.pp:1:8)",
    ),
}
"""Programs after `config free {}`, and their messages."""


LABELS: Mapping[str, tuple[str, str, str]] = {
    "an input": (
        'config free "list(any)" {}\nall = free\nresource r "probe:index:Thing" {\n  out = all\n}',
        "PCL0401",
        "it came from config free",
    ),
    "an operand": ('config free "map(list(any))" {}\nx = free.a\ny = x + 1', "PCL0413", "it came from config free.a"),
    "a condition": ('config free "list(any)" {}\nx = [for v in [free] : v]\ny = x[0] ? 1 : 2', "PCL0414", "it came from config free"),
    "an interpolation": ('config free "list(any)" {}\nx = "a${free}"', "PCL0412", "it came from config free"),
}
"""Errors that are found before the program runs, and the text of their second label."""


@pytest.mark.parametrize("name", LABELS)
def test_a_mistake_names_the_origin(name: str) -> None:
    text, code, words = LABELS[name]
    _, diagnostics = bind_text(text)
    (diagnostic,) = diagnostics
    assert diagnostic.code == code
    assert [(note.message, note.span.text) for note in diagnostic.notes if note.span is not None] == [(words, "free")]


def test_the_evaluator_names_the_line_of_the_stack(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "main.pp").write_text('config settings {}\noutput o {\n  value = settings.size + 1\n}\n')
    stack = tmp_path / "Pulumi.prod.yaml"
    stack.write_text("config:\n  main:other: 1\n\n  main:settings:\n    size: large\n")
    assert main(["evaluate", str(tmp_path), "--project", "main", "--config-file", str(stack)]) == 1
    stderr = capsys.readouterr().err
    assert "it came from config settings.size (main.pp:1:8)" in stderr
    assert "the stack sets it at Pulumi.prod.yaml:4" in stderr


ROUNDED: Mapping[str, tuple[str, list[str]]] = {
    "a number": ("output o {\n  value = 9007199254740993\n}", ["9007199254740993"]),
    "a negative one": ("output o {\n  value = -9007199254740993\n}", ["-9007199254740993"]),
    "a part": ("output o {\n  value = { a = [1, 9223372036854775807] }\n}", ["9223372036854775807"]),
    "more than 64 bits": ("output o {\n  value = 100000000000000000001\n}", []),
    "an operand": ("output o {\n  value = 9007199254740993 + 1\n}", ["9007199254740993"]),
    "a default": ("config c number {\n  default = 9007199254740993\n}", ["9007199254740993"]),
    "an int": ("config c int {\n  default = 9007199254740993\n}", []),
    "a power of two": ("output o {\n  value = 9007199254740992 + 1152921504606846976\n}", []),
    "an exponent": ("output o {\n  value = 1e300\n}", []),
    "a text": ('output o {\n  value = "9007199254740993"\n}', []),
    "a number as a text": ('resource r "probe:index:Thing" {\n  out = 9007199254740993\n}', []),
    "a number in a text": ('output o {\n  value = "id-${9007199254740993}"\n}', []),
}
"""Programs with large integers, and integers that a double would round."""


@pytest.mark.parametrize("name", ROUNDED)
def test_numbers_that_would_be_rounded_are_refused_once(name: str) -> None:
    text, wrong = ROUNDED[name]
    _, diagnostics = bind_text(text)
    assert [d.primary.text for d in diagnostics if d.code == "PCL0423" and d.primary is not None] == wrong
    assert name == "an int" or len(diagnostics) == len(wrong)


def settings(subject: Subject) -> Settings:
    """The configuration of all programs."""
    return Settings(
        config={
            f"{subject.name}:free": ConfigValue(GIVEN),
            f"{subject.name}:hidden": ConfigValue('{"size": "large"}', secret=True),
        },
        stacks={"acme/network/prod": {"settings": {"size": "large"}}},
    )


@pytest.fixture(scope="module")
def blamed() -> tuple[Report, Mapping[str, str]]:
    """The report of all programs, and their names by key."""
    programs = {name: {"main.pp": f"config free {{}}\n{text}\n"} for name, (text, _) in CASES.items()}
    programs["a component"]["web/main.pp"] = WEB
    programs["one of several kinds for a component"]["mixed/main.pp"] = 'config mixed "number | list(number)" {}\n'
    subjects = programs_in_memory(programs, SchemaStore([REAL_SCHEMAS]), style=CodeStyle(runtime_checks=RuntimeChecks.BLAME))
    report = verified(subjects, settings, tools=environments(unpublished=True), levels=("compile", "run"))
    return report, {subject.key: subject.name for subject in subjects}


def messages_about(blamed: tuple[Report, Mapping[str, str]], name: str, language: str, level: str) -> list[str]:
    """The messages about a program."""
    report, names = blamed
    (verdict,) = (v for v in report.verdicts if (names[v.key], v.language, v.level) == (name, language, level))
    return list(verdict.messages)


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CASES)
def test_an_error_names_the_use_and_the_origin(
    blamed: tuple[Report, Mapping[str, str]], name: str, language: str
) -> None:
    words = CASES[name][1]
    _, _, problem = words.partition(": ")
    assert messages_about(blamed, name, language, "compile") == [], to_text(blamed[0])
    messages = messages_about(blamed, name, language, "run")
    assert messages
    for message in messages:
        assert f"the evaluator fails: {problem}" in message and words in message, messages
