"""Names in published npm SDKs: packages, modules, classes, functions, enum members.

Derived from published SDKs and their description (targets.md, Spelling; Reserved words), not from the generator, which
must not be able to
share a mistake with what judges it.
"""

from __future__ import annotations

import json
import re

from tests.support.standins.schema import Schema

_DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")
_RESERVED = frozenset(
    ["break", "case", "catch", "class", "const", "continue", "debugger", "default", "delete", "do", "else", "export", "extends", "finally", "for", "function", "if", "import", "in", "instanceof", "new", "return", "super", "switch", "this", "throw", "try", "typeof", "var", "void", "while", "with", "yield", "enum", "await", "implements", "interface", "package", "private", "protected", "public", "null", "true", "false"]
)
_CLAIMED = frozenset({"module", "exports", "require"})
"""Names that a CommonJS module may not give to an import."""


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def camel(name: str) -> str:
    """Without hyphens; what stands before the first lower-case letter in lower case: `HTTPGet` is `httpget`."""
    first, *rest = name.split("-")
    text = first + "".join(upper_first(part) for part in rest)
    head = re.match(r"[^a-z]*", text)
    end = head.end() if head else 0
    return text[:end].lower() + text[end:]


def member(token: str) -> str:
    """What a token names, after module and package."""
    return token.rsplit(":", 1)[-1]


def class_name(token: str) -> str:
    """A class or an interface."""
    return upper_first(member(token))


def function_name(token: str) -> str:
    """A function."""
    return camel(upper_first(member(token)))


def identifier(text: str) -> str:
    """A name in code for a part of a path."""
    found = re.sub(r"\W", "_", text)
    return f"{found}_" if found in _RESERVED or found in _CLAIMED else found


def exported(text: str) -> str:
    """The name under which a part of a path is exported; keywords may be exported, too."""
    return re.sub(r"\W", "_", text)


def key(name: str) -> str:
    """A property's key."""
    return name if re.fullmatch(r"[A-Za-z_$][\w$]*", name) else json.dumps(name)


def enum_member(enum: str, name: str | None, value: bool | float | str) -> str:
    """A member of an enumeration."""
    source = name or (f"{value:g}" if isinstance(value, float) else str(value))
    if source == "*":
        source = "Asterisk"
    elif len(source) == 1 and source.isdigit():
        source = _DIGITS[int(source)]
    found = re.sub(r"_+", "_", re.sub(r"\W", "_", upper_first(source)))
    return found if not found.startswith("_") and not found[0].isdigit() else f"{enum}{'' if found[0] == '_' else '_'}{found}"


def package_name(schema: Schema) -> str:
    """The name on npm."""
    stated = schema.language("nodejs").get("packageName")
    return str(stated or f"@{schema.raw.get('namespace') or 'pulumi'}/{schema.name}")


def module_of(schema: Schema, token: str) -> tuple[str, ...]:
    """The path of a token's module; () for the root."""
    canonical = schema.canonical_module(token)
    stated = (schema.language("nodejs").get("moduleToPackage") or {}).get(canonical, canonical)
    return tuple(part for part in str(stated).lower().split("/") if part)
