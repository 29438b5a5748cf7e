"""Columns of a terminal, counted like prettier does."""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path

import pytest

from pclgen.widths import character_width, text_width
from tests.support import toolchains


@pytest.mark.parametrize(
    ("sample", "width"),
    [
        ("", 0),
        ("abc", 3),
        ("é", 1),
        ("e\u0301", 1),
        ("日本", 4),
        ("🌍", 2),
        ("👩\u200d🚀", 2),
        ("🇨🇭", 2),
        ("❤", 1),
        ("❤\ufe0f", 2),
        ("1\ufe0f\u20e3", 2),
        ("a\tb\x07", 2),
        ("ｗ", 2),
        ("कि", 2),
        ("\u0378", 1),
        ("\u2630", 2),
        ("\u261d", 2),
    ],
)
def test_width_is_that_of_a_terminal(sample: str, width: int) -> None:
    assert text_width(sample) == width


COUNT = """
import fs from "node:fs";
const [, , prettierPath, input, output] = process.argv;
const prettier = await import(prettierPath);
const texts = JSON.parse(fs.readFileSync(input, "utf8"));
fs.writeFileSync(output, JSON.stringify(texts.map((text) => prettier.util.getStringWidth(text))));
"""


def test_prettier_counts_the_same(tmp_path: Path) -> None:
    """Compare each character beyond ASCII that this version of Python knows."""
    node = toolchains.node()
    characters = [chr(code) for code in range(0xA0, sys.maxunicode + 1) if unicodedata.category(chr(code)) not in ("Cn", "Cs", "Co")]
    (tmp_path / "count.mjs").write_text(COUNT, encoding="utf-8")
    (tmp_path / "in.json").write_text(json.dumps(characters), encoding="utf-8")
    prettier = node.modules / "prettier" / "index.mjs"
    toolchains.run([node.node, "count.mjs", prettier, "in.json", "out.json"], cwd=tmp_path)
    widths = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    differ = {c: (character_width(c), width) for c, width in zip(characters, widths, strict=True) if character_width(c) != width}
    assert differ.keys() <= {"\U0001171e"}  # a mark without a width until Unicode 16
