"""References of a schema (`$ref`), parsed.

    #/types/aws:s3%2FBucketWebsite:BucketWebsite    /aws/v7.14.0/schema.json#/resources/…    pulumi.json#/Asset    #/provider
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum
from urllib.parse import unquote

import msgspec
from msgspec import Struct


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
