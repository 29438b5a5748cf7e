"""The form of a pack as a whole (docs/packs.md): its members, its versions, its digest.

Comes in: bytes.  Goes out: a `PackDocument`, whose rows and trees `decode` reads, and back.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, Final

import msgspec

from pclgen.source.packed import MOST_BYTES, DataFile, Facts

FORMAT: Final = "mupack"
VERSION: Final = 2
"""The version of the form.  A reader refuses what is newer, and reads what is older."""
MOST_PARTS: Final = 3_000_000
"""Values that a pack may hold: some thirty thousand resources have as many.  Each takes up to a hundred bytes when read."""

_DIGEST: Final = re.compile(rb'"digest": ?"sha256:([0-9a-f]{64})"')
_NOTHING: Final = b"0" * 64


class About(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename="camel"):
    """What people want to know of a pack before they use it."""

    description: str = ""
    author: str = ""
    website: str = ""
    license: str = ""
    package: str = ""
    version: str = ""
    """What it is called as a package of components, in which version."""


class Dependency(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, rename="camel"):
    """A provider package whose plugin a deployment needs."""

    name: str
    version: str = ""
    plugin_download_url: str = msgspec.field(default="", name="pluginDownloadURL")


class Source(msgspec.Struct, forbid_unknown_fields=True):
    """A source file: places are offsets into its text."""

    name: str
    text: str


class PackageEntry(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A package: its schema, in which members that the program does not need are null; null for `pulumi`.  `refers` says
    which package a reference to `name version` means."""

    schema: msgspec.Raw
    refers: dict[str, int] = {}  # msgspec copies defaults


class FunctionFiles(msgspec.Struct, forbid_unknown_fields=True):
    """A pack of functions: its files by language."""

    name: str
    files: dict[str, str]


class PackDocument(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """A pack."""

    format: str
    version: int
    digest: str
    edition: str
    name: str
    about: About
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
    """Null for a program that has mistakes unless it is read leniently."""
    diagnostics: list[Any]
    strictly: list[Any]
    """Of a lenient pack: what there is to say of the program otherwise."""


class _Head(msgspec.Struct):
    format: str = ""
    version: int = 0
    edition: str = ""


class DocumentError(Exception):
    """Bytes that are no pack.  `newer`: one that a newer pclgen has made."""

    def __init__(self, reason: str, *, newer: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.newer = newer


def dump(document: PackDocument) -> bytes:
    """The bytes of a pack: a member a line, and each entry of a list on a line of its own; with its digest."""
    lines = []
    for name in document.__struct_encode_fields__:
        attribute = document.__struct_fields__[document.__struct_encode_fields__.index(name)]
        found = getattr(document, attribute) if name != "digest" else f"sha256:{_NOTHING.decode()}"
        if isinstance(found, list) and found:
            rows = b",\n".join(b"  " + msgspec.json.encode(row) for row in found)
            lines.append(b'"%s": [\n%s\n]' % (name.encode(), rows))
        else:
            lines.append(b'"%s": %s' % (name.encode(), msgspec.json.encode(found)))
    text = b"{\n" + b",\n".join(lines) + b"\n}\n"
    return text.replace(_NOTHING, hashlib.sha256(text).hexdigest().encode(), 1)


def load(data: bytes) -> PackDocument:
    """The pack in `data`.  Raises `DocumentError`."""
    if len(data) > MOST_BYTES:
        raise DocumentError(f"it has more than {MOST_BYTES:,} bytes")
    if sum(data.count(sign) for sign in (b",", b"[", b"{")) > MOST_PARTS:
        raise DocumentError(f"it has more than {MOST_PARTS:,} parts")
    try:
        head = msgspec.json.decode(data, type=_Head)
        if head.format != FORMAT:
            raise DocumentError(f'it does not say `"format": "{FORMAT}"`')
        if head.version > VERSION:
            made = f" by {head.edition[:60]}" if head.edition else ""
            raise DocumentError(f"it was made{made} in version {head.version} of the form; this is {VERSION}", newer=True)
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
    found = _DIGEST.search(data)
    if found is None:
        raise DocumentError("it has no digest")
    whole = data[: found.start(1)] + _NOTHING + data[found.end(1) :]
    if hashlib.sha256(whole).hexdigest().encode() != found[1]:
        raise DocumentError("it is not what it was when it was made: its digest is another")
