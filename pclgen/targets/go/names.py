"""Identifiers of generated Go programs.

Comes in: names as PCL writes them.  Goes out: legal Go identifiers; uniqueness is the business of `NameTable`.
"""

from __future__ import annotations

import re

from pclgen.targets.names import identifier, inside_go_identifier, title

KEYWORDS = frozenset(
    (
        *("break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func", "go"),
        *("goto", "if", "import", "interface", "map", "package", "range", "return", "select", "struct", "switch", "type"),
        "var",
    )
)
PREDECLARED = frozenset(
    (
        *("any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64", "int", "int8"),
        *("int16", "int32", "int64", "rune", "string", "uint", "uint8", "uint16", "uint32", "uint64", "uintptr"),
        *("true", "false", "iota", "nil", "append", "cap", "clear", "close", "complex", "copy", "delete", "imag", "len"),
        *("make", "max", "min", "new", "panic", "print", "println", "real", "recover", "init", "main"),
    )
)


def local_name(name: str) -> str:
    """A local variable for the PCL name: `my-res` -> `myRes`, `type` -> `type_`."""
    words = [w for w in name.split("-") if w] or ["value"]
    text = words[0] + "".join(w[:1].upper() + w[1:] for w in words[1:])
    text = identifier(text, inside_go_identifier)
    if text == "_":
        return "value"
    if text in KEYWORDS or text in PREDECLARED:
        return text + "_"
    return text


def type_name(name: str) -> str:
    """An exported type for the PCL name: `node-pools` -> `NodePools`."""
    text = title(name)
    return text if text[:1].isupper() else "X" + text.lstrip("_")


def singular(name: str) -> str:
    """A name for one of `name`: `buckets` -> `bucket`, `policies` -> `policy`, `data` -> `item`."""
    if re.search(r"[^aeiou]ies$", name):
        return name[:-3] + "y"
    if re.search(r"(ss|sh|ch|x|z)es$", name):
        return name[:-2]
    if name.endswith("s") and not name.endswith(("ss", "us", "is")) and len(name) > 2:
        return name[:-1]
    return "item"
