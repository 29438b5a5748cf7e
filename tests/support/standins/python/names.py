"""Names in published Python SDKs: packages, modules, classes, functions, attributes, enum members.

Derived from published SDKs and their description (targets.md, Spelling; Reserved words), not from the generator, which
must not be able to
share a mistake with what judges it.
"""

from __future__ import annotations

import keyword
import re

from tests.support.standins.schema import Schema

_KEYWORDS = {*keyword.kwlist, "print", "exec"}
_DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def words(name: str) -> str:
    """Lower case with underscores: `HTTPServer` is `http_server`, `IPs` is `ips`, `SHA256Hash` is `sha256_hash`."""
    text = re.sub(r"\W", "_", name)
    # A run of capitals ends before its last one, unless a digit or nothing follows, or a plural `s`.
    text = re.sub(r"([A-Z])(?=[A-Z][^A-Z0-9])(?![A-Z]s(?![a-z]))", r"\1_", text)
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    text = text.lower()
    return text if text[:1].isalpha() or text.startswith("_") else f"_{text}"


def safe(name: str) -> str:
    """A name that is no keyword."""
    return f"{name}_" if name in _KEYWORDS else name


def attribute(name: str) -> str:
    """An attribute or a keyword argument."""
    return safe(words(name))


def argument(name: str) -> str:
    """A keyword argument of a resource, whose own are `resource_name` and `opts`."""
    found = attribute(name)
    return f"{found}_" if found in ("resource_name", "opts") else found


def upper_first(text: str) -> str:
    return text[:1].upper() + text[1:]


def member(token: str) -> str:
    """What a token names, after module and package."""
    return token.rsplit(":", 1)[-1]


def class_name(token: str) -> str:
    """A class."""
    return safe(upper_first(member(token)))


def function_name(token: str) -> str:
    """A function."""
    return safe(words(upper_first(member(token))))


def enum_member(enum: str, name: str | None, value: bool | float | str) -> str:
    """A member of an enumeration."""
    source = name or (f"{value:g}" if isinstance(value, float) else str(value))
    if source == "*":
        source = "Asterisk"
    elif len(source) == 1 and source.isdigit():
        source = _DIGITS[int(source)]
    found = re.sub(r"_+", "_", re.sub(r"\W", "_", words(source))).upper()
    return found if not found.startswith("_") else words(enum).upper() + found


def package_name(schema: Schema) -> str:
    """What a program imports."""
    stated = schema.language("python").get("packageName")
    return str(stated or f"{schema.raw.get('namespace') or 'pulumi'}_{schema.name}".replace("-", "_"))


def module_of(schema: Schema, token: str) -> tuple[str, ...]:
    """The path of a token's module under the package; () for the root."""
    canonical = schema.canonical_module(token)
    stated = (schema.language("python").get("moduleNameOverrides") or {}).get(canonical)
    if stated is not None:
        return tuple(part for part in str(stated).split("/") if part)
    return tuple(safe(words(part)) for part in canonical.lower().split("/") if part)
