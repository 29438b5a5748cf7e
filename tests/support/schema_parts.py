"""Parts of the schemas of installed SDKs as files, for tools that need JSON: the used members and their references.

The complete schema of aws takes most of a minute to recover, and as long to send from a plugin.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import unquote

import msgspec
from msgspec import Raw

from pclgen.schema.document import Document, Members, ResourceSpec, dump_document
from pclgen.schema.recovery.source import InstalledSource
from pclgen.schema.sources import Requirement

_TOKEN = re.compile(r'"([\w-]+):([\w/.-]+):(\w+)"')
_REFERENCE = re.compile(rb'"#/(?:types|resources)/([^"]+)"')


def write_schemas(source: InstalledSource, programs: Iterable[Path], folder: Path) -> None:
    """Write a file for each package of the source whose members the programs in these directories name."""
    texts = [path.read_text(encoding="utf-8") for program in programs for path in sorted(program.rglob("*.pp"))]
    named = {token.groups() for text in texts for token in _TOKEN.finditer(text)}
    for package in sorted({package for package, _, _ in named}.intersection(source.names())):
        document = source.read(source.candidates(Requirement(name=package))[0])
        assert isinstance(document, Document), document
        tokens = [spelled for token in named if token[0] == package for spelled in _spellings(*token)]
        (folder / f"{package}.json").write_bytes(dump_document(_part(document, tokens)))


def _spellings(package: str, module: str, name: str) -> tuple[str, str]:
    """Forms of a token in programs, which may omit the file: `aws:s3:Bucket` is `aws:s3/bucket:Bucket`."""
    return f"{package}:{module}:{name}", f"{package}:{module}/{name[:1].lower()}{name[1:]}:{name}"


def _part(document: Document, tokens: Iterable[str]) -> Document:
    """The provider, the members with these tokens, and those that they refer to."""
    members = document.members
    sections: dict[str, dict[str, Raw]] = {"resources": {}, "types": {}, "functions": {}}
    provider = members.provider()
    waiting = [*tokens, *_references(provider)]
    tables: Mapping[str, Mapping[str, Raw]] = {
        "resources": members.resources, "types": members.types, "functions": members.functions,
    }
    while waiting:
        token = waiting.pop()
        for kind, table in tables.items():
            if token in table and token not in sections[kind]:
                sections[kind][token] = raw = table[token]
                waiting += _references(raw)
    types = {token: _published(raw) for token, raw in sections["types"].items()}
    part = Members(
        resources=sections["resources"], types=types, functions=sections["functions"], provider=lambda: provider
    )
    return Document(document.header, part, where=document.where)


def _published(raw: Raw) -> Raw:
    """A type without the data of recovered schemas that a plugin's schema never has: names in Python."""
    content = msgspec.json.decode(raw)
    for member in content.get("enum") or ():
        member.pop("pythonName", None)
    return Raw(msgspec.json.encode(content))


def _references(raw: Raw) -> list[str]:
    """The tokens that a member refers to; a resource names the functions that are its methods."""
    methods = msgspec.json.decode(raw, type=ResourceSpec).methods or {}
    return [*methods.values(), *(unquote(reference.decode()) for reference in _REFERENCE.findall(bytes(raw)))]
