"""Identifiers of generated Go programs.

PCL names become legal Go identifiers; `NameTable` makes them unique.
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


_INITIALISMS = frozenset(
    (
        *("ACL", "API", "ASCII", "CPU", "CSS", "DNS", "EOF", "GUID", "HTML", "HTTP", "HTTPS", "ID", "IP", "JSON", "QPS"),
        *("RAM", "RPC", "SLA", "SMTP", "SQL", "SSH", "TCP", "TLS", "TTL", "UDP", "UI", "UID", "UUID", "URI", "URL", "UTF8"),
        *("VM", "XML"),
    )
)
"""Initialisms, which Go writes in capitals."""


_CAPITALS = re.compile(r"^[A-Z]+(?![a-z])|^[A-Z]")
"""The start of a name to write in lower case for locals: a capital, or an initialism up to the next word."""


def local_name(name: str) -> str:
    """Return a local variable name: `my-res` -> `myRes`, `app_json` -> `appJSON`, `VPCId` -> `vpcId`, `if` -> `if_`."""
    words = [w for w in re.split(r"[-_./]", name) if w] or ["value"]
    if words[0][:1].isdecimal():
        words[0] = "_" + words[0]
    first = _CAPITALS.sub(lambda capitals: capitals[0].lower(), words[0])
    text = first + "".join(_word(w) for w in words[1:])
    text = identifier(text, inside_go_identifier)
    if text == "_":
        return "value"
    if text in KEYWORDS or text in PREDECLARED:
        return text + "_"
    return text


def _word(word: str) -> str:
    return word.upper() if word.upper() in _INITIALISMS else word[:1].upper() + word[1:]


def type_name(name: str) -> str:
    """Return an exported type name for a PCL name: `node-pools` -> `NodePools`."""
    text = title(name)
    return text if text[:1].isupper() else "X" + text.lstrip("_")
