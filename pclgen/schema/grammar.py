"""The grammar of each text of a schema that becomes generated code or project files, and of references.

Schemas are untrusted: a name that is not an identifier would become code, a version with a line break another line of
`requirements.txt`. Texts that only become strings and comments need no grammar. The first violation is reported with its
JSON pointer.

References (`$ref`) are parsed into `Reference`s:

    #/types/aws:s3%2FBucketWebsite:BucketWebsite    /aws/v7.14.0/schema.json#/resources/…    pulumi.json#/Asset    #/provider
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias
from urllib.parse import unquote

import msgspec
from msgspec import Struct

from pclgen.semver import VERSION_PATTERN

if TYPE_CHECKING:
    from pclgen.schema.document import Header, ParameterizationSpec


_Rule: TypeAlias = Callable[[str], bool]
_Finding: TypeAlias = "tuple[str, str, str]"  # pointer, value, expected form

_PACKAGE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*", re.ASCII)
_MODULE: Final = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._/-]*", re.ASCII)
_MEMBER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9._/-]*", re.ASCII)
_PROPERTY: Final = re.compile(r"[A-Za-z0-9_$@][A-Za-z0-9_$@.-]*", re.ASCII)
_VERSION: Final = re.compile(f"v?{VERSION_PATTERN}", re.ASCII)
_URL: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[A-Za-z0-9._~:/?#\[\]@!$&()*+,;=%{}-]+", re.ASCII)
_REPOSITORY: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*://)?[A-Za-z0-9][A-Za-z0-9._~:/?#@&+=%-]*", re.ASCII)
_BASE64: Final = re.compile(r"[A-Za-z0-9+/_-]*={0,2}", re.ASCII)
_DISTRIBUTION: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?", re.ASCII)  # PEP 508
_NPM: Final = re.compile(r"(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*", re.ASCII | re.IGNORECASE)
_GO_ELEMENT: Final = re.compile(r"[A-Za-z0-9_~+-][A-Za-z0-9._~+-]*", re.ASCII)
_GO_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*", re.ASCII)
_GO_KEYWORDS: Final = frozenset(
    (
        *("break", "case", "chan", "const", "continue", "default", "defer", "else", "fallthrough", "for", "func", "go"),
        *("goto", "if", "import", "interface", "map", "package", "range", "return", "select", "struct", "switch", "type"),
        *("var", "_"),
    )
)


def is_package(text: str) -> bool:
    """Return whether `text` is the name of a package."""
    return _PACKAGE.fullmatch(text) is not None


def is_module(text: str) -> bool:
    """Return whether `text` is the middle of a token."""
    return text == "" or _MODULE.fullmatch(text) is not None


def is_member(text: str) -> bool:
    """Return whether `text` is the last part of a token."""
    return _MEMBER.fullmatch(text) is not None


def is_property(text: str) -> bool:
    """Return whether `text` is the name of a property or a method."""
    return _PROPERTY.fullmatch(text) is not None


def is_token(text: str) -> bool:
    """Return whether `text` is the token of a member, as schemas write them."""
    parts = text.split(":")
    return len(parts) == 3 and is_package(parts[0]) and is_module(parts[1]) and is_member(parts[2])


def is_python_name(text: str) -> bool:
    """Return whether `text` is a name of Python."""
    return text.isascii() and text.isidentifier() and not keyword.iskeyword(text)


def is_version(text: str) -> bool:
    """Return whether `text` is a semantic version."""
    return _VERSION.fullmatch(text) is not None


def is_go_path(text: str) -> bool:
    """Return whether `text` is the import path of a Go package from a repository: `example.com/shop/sdk`."""
    elements = text.split("/")
    return "." in elements[0] and all(_GO_ELEMENT.fullmatch(e) is not None and not e.endswith(".") for e in elements)


def _is_distribution(text: str) -> bool:
    """A name on PyPI (PEP 508) that also is, with underscores, the name of a module."""
    parts = text.replace("-", "_").split(".")
    return _DISTRIBUTION.fullmatch(text) is not None and all(is_python_name(part) for part in parts)


def _is_dotted(text: str) -> bool:
    return text == "" or all(is_python_name(part) for part in re.split(r"[./]", text.replace("-", "_")))


def _is_go_folder(text: str) -> bool:
    return text == "" or all(_GO_ELEMENT.fullmatch(element) is not None for element in text.split("/"))


def _is_go_name(text: str) -> bool:
    return _GO_NAME.fullmatch(text) is not None and text not in _GO_KEYWORDS


def _is_go_pattern(text: str) -> bool:
    return is_go_path(text.replace("{baseImportPath}", "example.com/x").replace("{module}", "m"))


def _is_repository(text: str) -> bool:
    return _REPOSITORY.fullmatch(text) is not None and ".." not in re.split("[/:]", text)


def _matches(pattern: re.Pattern[str]) -> _Rule:
    return lambda text: pattern.fullmatch(text) is not None


_TEXTS: Final[Mapping[tuple[str, str], tuple[_Rule, str]]] = {
    ("python", "packageName"): (_is_distribution, "the name of a Python distribution (PEP 508) that can be imported"),
    ("nodejs", "packageName"): (_matches(_NPM), "the name of an npm package"),
    ("go", "importBasePath"): (is_go_path, "a Go import path, such as `example.com/shop/sdk/go/shop`"),
    ("go", "modulePath"): (is_go_path, "the path of a Go module, such as `example.com/shop/sdk`"),
    ("go", "rootPackageName"): (_is_go_name, "the name of a Go package"),
    ("go", "importPathPattern"): (_is_go_pattern, "a Go import path around `{baseImportPath}` and `{module}`"),
}
"""Settings of a language that are texts."""

_TABLES: Final[Mapping[tuple[str, str], tuple[_Rule, str]]] = {
    ("python", "moduleNameOverrides"): (_is_dotted, "the path of a Python module"),
    ("nodejs", "moduleToPackage"): (is_module, "the path of a module"),
    ("go", "moduleToPackage"): (_is_go_folder, "a folder of Go packages"),
    ("go", "packageImportAliases"): (_is_go_name, "a name of Go"),
}
"""Settings of a language that are maps with texts as values."""


def header_problem(header: Header) -> str | None:
    """Return the first problem at the top level of a schema, with its location; None for a valid header."""
    for pointer, value, expected in _findings(header):
        return f"{pointer}: {expected} expected, not {shown(value)}"
    return None


def shown(value: str) -> str:
    """A text that breaks a rule, as diagnostics show it: short."""
    return repr(value if len(value) <= 60 else value[:57] + "...")


def _findings(header: Header) -> Iterator[_Finding]:
    """Yield each field that violates its rule."""
    fields: tuple[tuple[str, str, _Rule, str], ...] = (
        ("name", header.name, is_package, "the name of a package (letters, digits, `_`, `-`)"),
        ("version", header.version, is_version, "a semantic version, such as 1.2.3,"),
        ("namespace", header.namespace, is_package, "a name of letters, digits, `_`, `-`"),
        ("pluginDownloadURL", header.plugin_download_url, _matches(_URL), "an address"),
        ("repository", header.repository, _is_repository, "an address"),
    )
    for key, value, rule, expected in fields:
        if value and not rule(value):
            yield f"#/{key}", value, expected
    for key, spec in (
        ("parameterization", header.parameterization),
        ("extensionParameterization", header.extension_parameterization),
    ):
        if spec is not None:
            yield from _parameterization(f"#/{key}", spec)
    for language, settings in (header.language or {}).items():
        for setting, entry in (settings or {}).items():
            yield from _setting(language, setting, entry)


def _parameterization(pointer: str, spec: ParameterizationSpec) -> Iterator[_Finding]:
    base = spec.base_provider
    if not is_package(base.name):
        yield f"{pointer}/baseProvider/name", base.name, "the name of a package"
    if base.version and not is_version(base.version):
        yield f"{pointer}/baseProvider/version", base.version, "a semantic version, such as 1.2.3,"
    if base.plugin_download_url and _URL.fullmatch(base.plugin_download_url) is None:
        yield f"{pointer}/baseProvider/pluginDownloadURL", base.plugin_download_url, "an address"
    if _BASE64.fullmatch(spec.parameter) is None:
        yield f"{pointer}/parameter", spec.parameter, "Base64"


def _setting(language: str, key: str, value: object) -> Iterator[_Finding]:
    pointer = f"#/language/{language}/{key}"
    text, table = _TEXTS.get((language, key)), _TABLES.get((language, key))
    if text is not None and isinstance(value, str) and value and not text[0](value):
        yield pointer, value, text[1]
    if table is not None and isinstance(value, dict):
        for name, entry in value.items():
            if isinstance(entry, str) and not table[0](entry):
                yield f"{pointer}/{escaped(name)}", entry, table[1]


def escaped(name: str) -> str:
    """Return `name` as a step of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


# -- references -------------------------------------------------------------------------------------------------------------

class ReferenceKind(StrEnum):
    """The target of a reference."""

    BUILTIN = "builtin"
    TYPE = "types"
    RESOURCE = "resources"
    PROVIDER = "provider"


class Reference(Struct, frozen=True, kw_only=True):
    """A reference: `package` and `version` are empty for the schema's own members; `token` is empty for a provider."""

    kind: ReferenceKind
    package: str = ""
    version: str = ""
    token: str = ""


_EXTERNAL = re.compile(r"/(?P<name>[^/]+)/v(?P<version>[^/]+)/schema\.json")


def parse_reference(text: str) -> Reference | None:
    """Parse a `$ref`; None if it has no known form."""
    document, hash_mark, pointer = text.partition("#/")
    if not hash_mark:
        return None
    if document == "pulumi.json":
        return Reference(kind=ReferenceKind.BUILTIN, token=pointer)
    package = version = ""
    if document:
        match = _EXTERNAL.fullmatch(unquote(document))
        if match is None:
            return None
        package, version = match["name"], match["version"]
    if pointer == "provider":
        return Reference(kind=ReferenceKind.PROVIDER, package=package, version=version)
    section, _, rest = pointer.partition("/")
    token = unquote(rest)
    if section not in ("types", "resources") or not token:
        return None
    if section == "resources" and token.startswith("pulumi:providers:"):
        own = token.removeprefix("pulumi:providers:")
        return Reference(kind=ReferenceKind.PROVIDER, package=package or own, version=version)
    return Reference(kind=ReferenceKind(section), package=package, version=version, token=token)


_REFERENCE = re.compile(rb'"\$ref"\s*:\s*"((?:[^"\\]|\\.)*)"')


class _Methods(msgspec.Struct):
    """A resource, decoded only for its methods."""

    methods: dict[str, str] | None = None


def references_in(raw: bytes) -> Iterator[Reference]:
    """Yield the members of this schema and of others that the JSON of a member refers to, unique and sorted."""
    for text in sorted(set(_REFERENCE.findall(raw))):
        reference = parse_reference(msgspec.json.decode(b'"' + text + b'"'))
        if reference is not None and reference.kind is not ReferenceKind.BUILTIN:
            yield reference


def methods_of(raw: bytes, kind: str) -> tuple[str, ...]:
    """Return the tokens of the functions that are methods of a member, if it is a resource."""
    resource = msgspec.json.decode(raw, type=_Methods | None) if kind in ("resources", "provider") else None
    return tuple((resource.methods or {}).values()) if resource is not None else ()
