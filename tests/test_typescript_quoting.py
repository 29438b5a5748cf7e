"""Strings in generated TypeScript: JavaScript reads every text back unchanged."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pclgen.emit.forms import forms
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import is_identifier, property_key, quote, template_text
from pclgen.targets.typescript.printing.statements import print_statement
from pclgen.targets.typescript.target import FORMS
from tests.support import toolchains

HOSTILE = st.text(
    st.one_of(
        st.sampled_from(list("`$\\{}'\"\n\r\t\0\b\x7f\x85\u2028\u2029\ufeff\u200b\u200d\u202e/*<!--")),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=12,
)


def evaluated(expressions: list[str]) -> list[object]:
    """The values of JavaScript expressions, all from one process."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "values.mjs"
        script.write_text("console.log(JSON.stringify([\n" + ",\n".join(expressions) + "\n]));\n", encoding="utf-8")
        output = toolchains.run([toolchains.node().node, script], cwd=Path(folder))
    values: list[object] = json.loads(output)
    return values


WORDS = forms("typescript", FORMS, None)


def expression(node: ts.TsExpr) -> str:
    return print_statement(ts.Do(ts.Call(ts.Global("String"), (node,))), WORDS, {}).removesuffix(";")


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(HOSTILE, min_size=150, max_size=300))
def test_every_text_survives(texts: list[str]) -> None:
    quoted = [quote(text) for text in texts]
    raw = [expression(ts.Text(text, True)) for text in texts]
    pairs = [(texts[at], texts[at + 1]) for at in range(len(texts) - 1)]
    around = [expression(ts.Template(pair, (ts.Text("|"),), None, at % 2 == 0)) for at, pair in enumerate(pairs)]
    keys = [f"Object.keys({{ [{quote(text)}]: 1 }})[0]" for text in texts]
    expected: list[object] = [*texts, *texts, *(f"{a}|{b}" for a, b in pairs), *texts]
    assert evaluated([*quoted, *raw, *around, *keys]) == expected


@settings(max_examples=3, deadline=None)
@given(st.lists(HOSTILE.filter(lambda text: text != "__proto__"), min_size=200, max_size=200))
def test_every_key_survives(texts: list[str]) -> None:
    keys = evaluated([f"Object.keys({{ {property_key(text)}: 1 }})[0]" for text in texts])
    assert keys == texts


def test_quotes_are_those_that_need_fewer_escapes() -> None:
    assert quote("it's") == '"it\'s"'
    assert quote('say "hi"') == "'say \"hi\"'"
    assert quote("""'a' "b" """) == '"\'a\' \\"b\\" "'


def test_invisible_characters_are_shown_but_joined_emoji_stay() -> None:
    assert quote("\u202e\ufeff\x07") == '"\\u202e\\ufeff\\x07"'
    assert quote("👩\u200d🚀") == '"👩\u200d🚀"'


def test_a_dollar_is_escaped_only_before_a_brace() -> None:
    assert template_text("$5 ${x} $") == "$5 \\${x} $"


def test_identifiers() -> None:
    assert is_identifier("größe")
    assert not is_identifier("a-b")
    assert not is_identifier("1a")
    assert property_key("123") == '"123"'
    assert property_key("class") == "class"
