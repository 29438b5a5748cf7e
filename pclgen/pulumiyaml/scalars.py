"""Values of plain scalars: texts, numbers, truth values and null, according to the YAML that Pulumi reads (YAML 1.2 with
octal, hexadecimal and binary numbers; `yes` and `on` are texts).

A scalar is None, a `bool`, an `int`, a `Decimal`, or the text.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Final

from pclgen.source.numbers import read_number
from pclgen.source.yamltree import YamlScalar

_NULLS: Final = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLS: Final = {word: value for value in (True, False) for word in (str(value), str(value).lower(), str(value).upper())}
_INTEGER: Final = re.compile(r"[-+]?(?:0x[0-9a-fA-F_]+|0o?[0-7_]+|0b[01_]+)")
_DECIMAL: Final = re.compile(r"[-+]?(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?")
_TEXT: Final = "tag:yaml.org,2002:str"


def value_of(scalar: YamlScalar) -> bool | int | Decimal | str | None:
    """Return the value of `scalar`.  A number that is out of the range of doubles is a text."""
    text = scalar.text
    if scalar.style != "plain" or scalar.tag == _TEXT:
        return text
    if text in _NULLS:
        return None
    if text in _BOOLS:
        return _BOOLS[text]
    if _INTEGER.fullmatch(text) and text.strip("-+") != "0":
        return _integer(text.replace("_", ""))
    if _DECIMAL.fullmatch(text):
        number = read_number(text.replace("_", "").lstrip("+"))
        return text if number is None else number
    return text


def _integer(text: str) -> int | str:
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-").lower()
    base = {"0x": 16, "0b": 2}.get(digits[:2], 8)
    bare = digits.removeprefix("0x").removeprefix("0b").removeprefix("0o")
    return sign * int(bare, base) if bare and len(bare) <= 256 else text
