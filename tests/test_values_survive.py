"""Every text, number and nested value in a program survives its run in Python, TypeScript and Go.

Random values, including all values with a special meaning in PCL or in a language, go through every place where a value can
stand: quoted texts, heredocs, parts of plain and of eventual templates, keys, defaults of config, values of config, JSON.
Many values make one program, so that each language is compiled and started once per example (the first random example of
hypothesis is always the simplest).
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from operator import itemgetter

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pclgen.stdlib.model import Value, evaluate
from pclgen.stdlib.registry import FUNCTIONS
from tests.support.everywhere import Program, run_everywhere
from tests.support.spelling import MARKER, decimal_text, fits_heredoc, heredoc, literal, number, quoted, quoted_part

# fmt: off  # many short texts a line
_HOSTILE = (
    "${", "%{", "$${", "%%{", "$", "$$", "%", "%%", "%s", "%d", "%v", "{", "}", "{{", "}}", "{0}", "{}", "`", "'", "\"",
    "'''", "\"\"\"", "\\", "\\\\", "\\n", "\\u0041", "\\x41", "#", "//", "/*", "*/", "-->", "</script>", "EOT", "<<EOF",
    "${x}", "%{if}", "~}", "f\"", "r'", "@", "\\N{DASH}", "\\0", "&amp;", "\xe9", "e\u0301",
    "\U0001f469\u200d\U0001f680", "\U0001f1e8\U0001f1ed", "\U00010000", "\U0010ffff", "\ufffe", "\u200b", "\u202e",
    "\ufeff", "NaN", "null", "true", "__proto__", "constructor", "\n", "\r", "\r\n", "\t", " ", "  ", "\x01", "\x07",
    "\x1b", "\x7f", "\x85", "\u2028", "\u2029", "\n\n", "\\\n", "\"\n",
)
# fmt: on

_CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.lists(st.sampled_from(_HOSTILE) | _CHARACTERS, max_size=12).map("".join)


def _composed(text: str) -> str:
    """PCL treats keys that differ only in Unicode composition as one key; Pulumi's Node SDK loses one key."""
    return "proto" if text == "__proto__" else unicodedata.normalize("NFC", text)


def _is_fraction(value: float) -> bool:
    """Whole numbers from 2**53 to 2**63 are exact integers in PCL, but not as doubles."""
    return not value.is_integer() or abs(value) >= 2**63


_ODD = (0, 1, -1, 2**31, 2**53, -(2**53), 2**53 - 1, 0.1, 0.1 + 0.2, 1e21, 1e22, 1e-7, 5e-324, 1.7976931348623157e308, 1e15, 1.5e300)
INTS = st.integers(-(2**53), 2**53)
NUMBERS = st.sampled_from(_ODD) | INTS | st.floats(allow_nan=False, allow_infinity=False).filter(lambda x: _is_fraction(x))

NESTED = st.recursive(
    TEXTS | NUMBERS | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS.map(_composed), inner, max_size=4),
    max_leaves=8,
)


@dataclass(slots=True)
class Batch:
    """One program: its text, its config, and its expected outputs."""

    lines: list[str] = field(default_factory=list)
    config: dict[str, str] = field(default_factory=dict)
    expected: dict[str, object] = field(default_factory=dict)

    def output(self, value: str, expected: object) -> None:
        """Add an output with the expression `value`."""
        name = f"out{len(self.expected)}"
        self.lines.append(f"output {name} {{\n  value = {value}\n}}")
        self.expected[name] = expected

    def setting(self, type_: str, *, default: str | None = None, value: str | None = None) -> str:
        """Add a config variable with a default or with a value; return its name."""
        name = f"set{len(self.lines)}"
        self.lines.append(f"config {name} {type_} {{{f' default = {default} ' if default is not None else ''}}}")
        if value is not None:
            self.config[name] = value
        return name


def with_texts(batch: Batch, texts: Sequence[str]) -> None:
    for index, text in enumerate(texts):
        escaped = index % 2 == 1
        value, part = quoted(text, escaped=escaped), quoted_part(text, escaped=escaped)
        batch.output(value, text)
        batch.output(batch.setting("string", default=value), text)
        batch.output(batch.setting("string", value=text), text)
        batch.output(f'"{part}${{word}}{part}"', f"{text}word{text}")
        batch.output(f'"{part}${{later}}{part}"', f"{text}word{text}")
        batch.output(f'"${{later}}{part}${{word}}"', f"word{text}word")
        if text != "__proto__":
            batch.output(f"{{ {value} = {value}, other = word }}", {text: text, "other": "word"})
        batch.output(f'{{ "{part}${{word}}" = later }}', {f"{text}word": "word"})
        if unicodedata.is_normalized("NFC", text):
            batch.output(f"{value} == {batch.setting('string', value=text)}", True)
        lines = text + "\n"
        if fits_heredoc(lines):
            batch.output(heredoc(lines), lines)
            batch.output(heredoc(lines).removesuffix(MARKER) + "${later}\n" + MARKER, lines + "word\n")


def with_numbers(batch: Batch, numbers: Sequence[float]) -> None:
    for value in numbers:
        spelled = number(value)
        batch.output(spelled, value)
        batch.output(f"[{spelled}]", [value])
        setting = batch.setting("number", default=spelled)
        config = batch.setting("number", value=spelled)
        batch.output(f"[{setting}, {config}, {setting} == {config}]", [value, value, True])
        if abs(value) <= 2**53:
            is_whole = value == int(value)
            batch.output(f'try(element(["whole"], {setting} * 1), "broken")', "whole" if is_whole else "broken")
        # JavaScript writes other numbers with an exponent.
        if isinstance(value, int) or 1e-6 <= abs(value) < 1e21:
            batch.output(f'"<${{{setting}}}>${{later}}"', f"<{decimal_text(value)}>word")
            batch.output(f'"<${{secret({config})}}>"', f"<{decimal_text(value)}>")


def with_nested(batch: Batch, values: Sequence[object]) -> None:
    for index, value in enumerate(values):
        spelled = literal(value, escaped=index % 2 == 1)
        batch.output(f"[{spelled}]", [value])
        batch.output(f"[{batch.setting('any', default=f'[{spelled}]')}]", [[value]])
        batch.output(f"[{batch.setting('any', value=json.dumps([value]))}]", [[value]])
        batch.output(f"secret([{spelled}])", [value])
        with_json(batch, value, spelled)


def with_json(batch: Batch, value: object, spelled: str) -> None:
    """The text of `toJSON`, byte for byte, of literals, of config values, and of values behind outputs."""
    config = batch.setting("any", value=json.dumps([value]))
    batch.output(f"toJSON([{spelled}])", json_text([value]))
    batch.output(f"toJSON([{spelled}, later])", json_text([value, "word"]))
    batch.output(f"toJSON({config})", json_text([value]))
    batch.output(f"toJSON({{ z = {config}, a = later, m = {spelled} }})", json_text({"z": [value], "a": "word", "m": value}))
    batch.output(
        f"toJSON(secret({{ z = {config}, \"10\" = 1, \"9\" = null }}))", json_text({"z": [value], "10": 1, "9": None})
    )
    batch.output(f"toJSON([for x in [{spelled}] : {{ v = x, k = word }}])", json_text([{"v": value, "k": "word"}]))


def json_text(value: object) -> str:
    """The text of `value` as the evaluator writes it."""
    text = evaluate(FUNCTIONS["toJSON"], [as_pcl(value)])
    assert isinstance(text, str)
    return text


def as_pcl(value: object) -> Value:
    """A JSON value as a value of PCL."""
    match value:
        case float():
            return Decimal(repr(value))
        case list():
            return [as_pcl(element) for element in value]
        case dict():
            return {key: as_pcl(member) for key, member in value.items()}
        case None | bool() | int() | str():
            return value
        case _:
            raise AssertionError(value)


def batch_of(texts: Sequence[str], numbers: Sequence[float], nested: Sequence[object]) -> Batch:
    """A program with all values in all places."""
    batch = Batch(lines=["config word string {}", "later = secret(word)"], config={"word": "word"})
    with_texts(batch, texts)
    with_numbers(batch, numbers)
    with_nested(batch, nested)
    return batch


def same(left: object, right: object) -> bool:
    """Whether two JSON values are equal; true is not 1, 1 is 1.0, and PCL composes texts (NFC)."""
    if isinstance(left, str) and isinstance(right, str):
        return unicodedata.normalize("NFC", left) == unicodedata.normalize("NFC", right)
    if isinstance(left, bool) or isinstance(right, bool):
        return left is right
    if isinstance(left, dict) and isinstance(right, dict):
        first, other = (
            sorted(((unicodedata.normalize("NFC", key), value) for key, value in d.items()), key=itemgetter(0))
            for d in (left, right)
        )
        return len(first) == len(other) and all(a == b and same(v, w) for (a, v), (b, w) in zip(first, other, strict=True))
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(same, left, right))
    return left == right


def wrong(batch: Batch, exports: Mapping[str, object]) -> list[tuple[str, object, object]]:
    """The wrong outputs: their source, the expected value, the actual value."""
    differences: list[tuple[str, object, object]] = []
    for name, expected in batch.expected.items():
        came = exports.get(name, "nothing")
        if not same(came, expected):
            source = next(line for line in batch.lines if line.startswith(f"output {name} "))
            differences.append((source, expected, came))
    return differences


@settings(
    max_examples=2,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.large_base_example, HealthCheck.data_too_large],
)
@given(
    texts=st.lists(TEXTS, min_size=20, max_size=20),
    numbers=st.lists(NUMBERS, min_size=15, max_size=15),
    nested=st.lists(NESTED, min_size=10, max_size=10),
)
def test_values_come_out_as_they_went_in(texts: list[str], numbers: list[float], nested: list[object]) -> None:
    check_everywhere(batch_of(texts, numbers, nested))


def test_what_is_special_somewhere_comes_out_as_it_went_in() -> None:
    check_everywhere(batch_of(_HOSTILE, _ODD, []))


def check_everywhere(batch: Batch) -> None:
    """Fail unless the program has the expected outputs in every language."""
    text = "\n".join(batch.lines) + "\n"
    outcomes = run_everywhere({"": Program(text, batch.config)}, canonical_json=True)
    assert [(language, outcome.error) for (language, _), outcome in outcomes.items() if outcome.error] == []
    assert [(language, *bad) for (language, _), outcome in outcomes.items() for bad in wrong(batch, outcome.exports)] == []
