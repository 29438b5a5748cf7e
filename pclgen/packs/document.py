"""The document of a pack (docs/packs.md): its members, its versions, its digest.

The rows and trees inside are decoded by `decode`.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, Final

import msgspec

from pclgen.source.packed import MOST_BYTES, DataFile, Facts

FORMAT: Final = "mupack"
VERSION: Final = 2
"""The format version. Readers reject newer versions, and accept older ones."""
MOST_PARTS: Final = 3_000_000
"""Maximum number of values in a pack, reached at about thirty thousand resources. Each takes up to a hundred bytes in
memory."""

_DIGEST: Final = re.compile(rb'"digest": ?"sha256:([0-9a-f]{64})"')
_NOTHING: Final = b"0" * 64


class PackInfo(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename="camel"):
    """Information for people about a pack."""

    description: str = ""
    author: str = ""
    website: str = ""
    license: str = ""
    package: str = ""
    version: str = ""
    """Name and version as a package of components."""


class Dependency(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename="camel"):
    """A provider package whose plugin a deployment requires."""

    name: str
    version: str = ""
    plugin_download_url: str = msgspec.field(default="", name="pluginDownloadURL")


class Source(msgspec.Struct, forbid_unknown_fields=True):
    """A source file; spans are offsets into its text."""

    name: str
    text: str


class PackageEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A package: its schema, with null for members that the program does not use; null for `pulumi`. `refers` maps `name
    version` of a reference to a package."""

    schema: msgspec.Raw
    refers: dict[str, int] = {}  # msgspec copies defaults


class FunctionFiles(msgspec.Struct, forbid_unknown_fields=True):
    """A pack of functions: its files by language."""

    name: str
    files: dict[str, str]


class PackDocument(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """The document of a pack."""

    format: str
    version: int
    digest: str
    edition: str
    name: str
    about: PackInfo
    project: Facts
    lenient: bool
    dependencies: list[Dependency]
    files: list[Source]
    data: list[DataFile]
    packages: list[PackageEntry]
    function_packs: list[FunctionFiles]
    functions: list[Any]
    declarations: list[Any]
    types: list[Any]
    symbols: list[Any]
    components: list[Any]
    program: Any
    """Null for a program with errors unless it is read leniently."""
    diagnostics: list[Any]
    strictly: list[Any]
    """In a lenient pack: the diagnostics of a strict read."""


class _Head(msgspec.Struct):
    format: str = ""
    version: int = 0
    edition: str = ""


class DocumentError(Exception):
    """Bytes that are not a pack. `newer`: a newer pclgen wrote it."""

    def __init__(self, reason: str, *, newer: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.newer = newer


def dump(document: PackDocument) -> bytes:
    """Return the bytes of a pack with its digest: one line per member and per list entry."""
    lines = []
    for name in document.__struct_encode_fields__:
        attribute = document.__struct_fields__[document.__struct_encode_fields__.index(name)]
        value = getattr(document, attribute) if name != "digest" else f"sha256:{_NOTHING.decode()}"
        if isinstance(value, list) and value:
            rows = b",\n".join(b"  " + msgspec.json.encode(row) for row in value)
            lines.append(b'"%s": [\n%s\n]' % (name.encode(), rows))
        else:
            lines.append(b'"%s": %s' % (name.encode(), msgspec.json.encode(value)))
    text = b"{\n" + b",\n".join(lines) + b"\n}\n"
    return text.replace(_NOTHING, hashlib.sha256(text).hexdigest().encode(), 1)


def load(data: bytes) -> PackDocument:
    """Return the pack in `data`. Raises `DocumentError`."""
    if len(data) > MOST_BYTES:
        raise DocumentError(f"it has more than {MOST_BYTES:,} bytes")
    if sum(data.count(sign) for sign in (b",", b"[", b"{")) > MOST_PARTS:
        raise DocumentError(f"it has more than {MOST_PARTS:,} parts")
    try:
        head = msgspec.json.decode(data, type=_Head)
        if head.format != FORMAT:
            raise DocumentError(f'it does not say `"format": "{FORMAT}"`')
        if head.version > VERSION:
            by = f" by {head.edition[:60]}" if head.edition else ""
            raise DocumentError(f"it was made{by} in version {head.version} of the form; this is {VERSION}", newer=True)
        if head.version < 1:
            raise DocumentError(f"there is no version {head.version} of the form")
        _check_digest(data)
        return msgspec.json.decode(data, type=PackDocument)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        text = str(error)
        raise DocumentError(text[:1].lower() + text[1:]) from error
    except RecursionError as error:
        raise DocumentError("its JSON is nested too deeply") from error


def _check_digest(data: bytes) -> None:
    match = _DIGEST.search(data)
    if match is None:
        raise DocumentError("it has no digest")
    content = data[: match.start(1)] + _NOTHING + data[match.end(1) :]
    if hashlib.sha256(content).hexdigest().encode() != match[1]:
        raise DocumentError("it is not what it was when it was made: its digest is another")
