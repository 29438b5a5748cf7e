"""Untrusted numbers and data: readers reject values that are too large or too deep, at no cost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import pclgen
from pclgen.schema.sources import json_of_yaml
from pclgen.source.data import MAX_NESTING, DataError, read_exact_json, read_json, read_yaml
from pclgen.source.numbers import decimal_text, read_number

DIGITS = "1" * 5000


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        (" -1.50 ", Decimal("-1.50")),
        ("1e3", 1000),
        ("15e-1", Decimal("1.5")),
        (".5", Decimal("0.5")),
        ("9007199254740993", 9007199254740993),
        ("1e308", 10**308),
        ("1e-320", Decimal("1e-320")),
        ("1e-400", 0),
        ("-1e-99999999999999999999999", 0),
        ("1e309", None),
        ("-1e309", None),
        ("1e9999999", None),
        ("1e99999999999999999999999", None),
        (DIGITS, None),
        ("0" * 5000 + "7", 7),
        ("0." + "3" * 5000, Decimal(repr(1 / 3))),
        ("inf", None),
        ("NaN", None),
        ("1_000", None),
        ("１", None),
        ("1.", None),
        ("", None),
    ],
    ids=lambda value: str(value)[:30],
)
def test_numbers(text: str, value: int | Decimal | None) -> None:
    assert read_number(text) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [(10**308, "1" + "0" * 308), (9007199254740993, "9007199254740993"), (Decimal("-1.50"), "-1.5"), (Decimal("-0.0"), "0")],
)
def test_texts_of_numbers(value: int | Decimal, text: str) -> None:
    assert decimal_text(value) == text


PLACES = [
    "output x { value = @ }",
    "output x { value = -@ }",
    'output x { value = "a ${@}" }',
    "output x { value = [1, 2][@] }",
    "output x { value = [1, 2].@ }",
    'output x { value = [1, 2]["@"] }',
    "output x { value = { a = 1 }[@] }",
    "output x { value = element([1, 2], @) }",
    "output x { value = range(@) }",
    "output x { value = max(@, 1) }",
    'resource x "probe:index:Thing" { count = "@" }',
    'resource x "probe:index:Thing" { count = @ }',
    'resource x "probe:index:Thing" { ratio = "@" }',
    'resource x "probe:index:Thing" { out = @ }',
    'resource x "probe:index:Thing" {\n options { range = @ }\n}',
    'resource x "probe:index:Thing" {\n options { customTimeouts = { create = "@" } }\n}',
]
NUMBERS = ["1e309", "1e9999999", "1e999999999", DIGITS, "1e-400", "1e308", "9007199254740993", "1e-7"]


@pytest.mark.parametrize("place", PLACES)
def test_numbers_in_programs(place: str, probe: pclgen.SchemaStore) -> None:
    """pclgen generates and runs each program, or refuses it with a short diagnostic."""
    for number in NUMBERS:
        text = place.replace("@", number)
        result = pclgen.generate({"main.pp": text}, store=probe, program_only=True)
        assert all(len(diagnostic.message) <= 1000 for diagnostic in result.diagnostics)
        if not result.files:
            assert result.diagnostics
            continue
        assert max(len(code) for files in result.files.values() for code in files.values()) < 6000
        pclgen.evaluate_program({"main.pp": text}, store=probe)


@pytest.fixture(scope="module")
def probe() -> pclgen.SchemaStore:
    return pclgen.SchemaStore([Path(__file__).parent / "schemas"])


BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)
)
MERGES = "a0: &a0 {x: 1}\n" + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 10)}]}}\n" for n in range(1, 12))

REFUSED: Mapping[str, str] = {
    BOMB: "many times larger",
    MERGES: "many times larger",
    "&a [*a]": "a part of itself",
    "[*a]": "undefined alias",
    "[" * 100_000: "nested more than",
    "- " * 3000 + "x": "nested more than",
    "!!int abc": "invalid literal",
    "!!bool abc": "tag",
    "!!timestamp abc": "tag",
    "!!float ''": "tag",
    "? [a]\n: b": "unhashable",
    "0x" + "f" * 5000: "does not fit",
    "!!python/object/apply:os.system [x]": "could not determine a constructor",
    "a: 1\n---\nb: 2": "another document",
    "a: \x07": "control characters",
}


@pytest.mark.parametrize(("text", "reason"), REFUSED.items(), ids=lambda text: text[:20])
def test_yaml_that_is_refused(text: str, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        read_yaml(text)
    assert reason in str(json_of_yaml(text.encode()))


def test_yaml_that_is_read() -> None:
    with pytest.raises(DataError, match="month"):
        read_yaml("name: 2001-99-99")
    assert json_of_yaml(b"name: 2001-99-99") == b'{"name":"2001-99-99"}'
    assert read_yaml("a: &a [1, 2]\nb: *a\nc: {<<: {d: 1}}") == {"a": [1, 2], "b": [1, 2], "c": {"d": 1}}
    assert read_yaml("") is None
    assert json_of_yaml(b"on: 2024-01-01") == b'{"on":"2024-01-01"}'


@pytest.mark.parametrize("read", [read_json, read_exact_json])
@pytest.mark.parametrize(
    "text", ["1e400", DIGITS, "NaN", "[Infinity]", "[" * 100_000, "[" * 201 + "]" * 201, '"\\ud800"', '{"\\udfff": 1}', "{"]
)
def test_json_that_is_refused(read: Callable[[str], Any], text: str) -> None:
    with pytest.raises(DataError):
        read(text)


def test_json_that_is_read() -> None:
    assert read_json('{"a": [1e3, 2, 1e-400, true, null, "\\ud83d\\ude00"]}') == {"a": [1000.0, 2, 0.0, True, None, "😀"]}
    assert read_exact_json("[0.1, 1e3]") == [Decimal("0.1"), 1000]
    assert read_json("[" * MAX_NESTING + "]" * MAX_NESTING)


SIDE_FILES: Mapping[str, bytes] = {
    "deep": b"[" * 100_000,
    "bomb": BOMB.encode(),
    "scalar": b"config: {a: 2001-99-99}",
    "tag": b"config: {a: !!int abc}",
    "large": b'{"config": {"a": 1e999}, "functions": [{"token": "a:b:c", "answer": {"x": 1e999}}]}',
    "bytes": b"\xff\xfe\x00",
}


@pytest.mark.parametrize("content", SIDE_FILES.values(), ids=SIDE_FILES)
def test_side_files(tmp_path: Path, content: bytes, probe: pclgen.SchemaStore) -> None:
    (tmp_path / "main.pp").write_text('config a { default = 1 }\noutput b { value = "${a}" }\n')
    for name in ("Pulumi.yaml", "stack.yaml", "replay.json"):
        (tmp_path / name).write_bytes(content)
    assert pclgen.generate(tmp_path, store=probe).files
    with pytest.raises(pclgen.LoadError):
        pclgen.evaluate_program(tmp_path, store=probe, replay_file=tmp_path / "replay.json")


@pytest.mark.parametrize("text", ["[" * 100_000, "1e9999999", "[1e400]", "1" * 5000, '"\\ud800"', '{"a": NaN}'])
@pytest.mark.parametrize("declared", ["", '"int"', '"number"', '"list(any)"', '"any"', '"object({ a = number })"'])
def test_configuration_values(text: str, declared: str, probe: pclgen.SchemaStore) -> None:
    program = {"main.pp": f"config a {declared} {{}}\noutput b {{ value = a }}\n"}
    ran = pclgen.evaluate_program(program, store=probe, config={"a": text})
    assert ran.trace is not None
