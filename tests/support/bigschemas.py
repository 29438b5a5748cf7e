"""Schemas large enough to be indexed, and sources that count their requests."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Raw

from pclgen.schema.document import ABSENT, Document, Header, Members, MetaSpec
from pclgen.schema.sources import DIRECT, Candidate, Reading, Requirement
from tests.support.schemas import Schema

_WORDS = "The quick brown fox jumps over the lazy dog, and the lazy dog does not mind at all. "


def big_schema(name: str = "shop", version: str = "1.0.0", *, size: int = DIRECT) -> Schema:
    """A schema of at least `size` bytes; `shop:cart/cart:Cart`, formerly `shop:old/basket:Basket`, refers to a type."""
    resources: dict[str, object] = {
        f"{name}:cart/cart:Cart": {
            "inputProperties": {"items": {"type": "array", "items": {"$ref": f"#/types/{name}:cart/Item:Item"}}},
            "requiredInputs": ["items"],
            "properties": {"total": {"type": "number"}},
            "aliases": [{"type": f"{name}:old/basket:Basket"}],
        }
    }
    member = {"description": _WORDS * 20, "inputProperties": {f"p{i}": {"type": "string"} for i in range(5)}}
    count = size // len(json.dumps(member)) + 1
    resources.update({f"{name}:mod{i % 7}/thing{i}:Thing{i}": member for i in range(count)})
    return {
        "name": name,
        "version": version,
        "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
        "provider": {"inputProperties": {"region": {"type": "string"}}},
        "resources": resources,
        "types": {
            f"{name}:cart/Item:Item": {"type": "object", "properties": {"sku": {"type": "string"}}, "required": ["sku"]}
        },
        "functions": {f"{name}:cart/getCart:getCart": {"inputs": {"properties": {"id": {"type": "string"}}}}},
    }


def settle(path: Path) -> Path:
    """Wait until a change of a recently written file would be noticed."""
    time.sleep(0.06)
    return path


class CountingSource:
    """A source of one package that records every question; `answer` is the result of reading."""

    def __init__(self, name: str, answer: Reading, *, version: str | None = None, fingerprint: str = "") -> None:
        self.name = name
        self.answer = answer
        self.version = version
        self._fingerprint = fingerprint
        self.asked: list[Requirement] = []
        self.reads = 0

    @property
    def where(self) -> str:
        return f"the source of {self.name}"

    def names(self) -> Sequence[str]:
        return [self.name]

    def candidates(self, requirement: Requirement) -> Sequence[Candidate]:
        self.asked.append(requirement)
        return [Candidate(name=self.name, version=self.version, where=self.where)] if requirement.name == self.name else []

    def fingerprint(self, candidate: Candidate) -> str:
        del candidate
        return self._fingerprint

    def read(self, candidate: Candidate) -> Reading:
        del candidate
        self.reads += 1
        return self.answer

    def command(self, requirement: Requirement) -> str | None:
        return f"get {requirement.name}"


class SlowSection(Mapping[str, Raw]):
    """Members that are read one by one; records which, and how often all were listed."""

    def __init__(self, members: Mapping[str, object]) -> None:
        self._members = members
        self.found: list[str] = []
        self.listed = 0

    def __getitem__(self, token: str) -> Raw:
        value = self._members[token]
        self.found.append(token)
        return Raw(json.dumps(value).encode())

    def __iter__(self) -> Iterator[str]:
        self.listed += 1
        return iter(self._members)

    def __len__(self) -> int:
        return len(self._members)

    def __contains__(self, token: object) -> bool:
        return token in self._members


def slow_document(schema: Schema, identity: str) -> tuple[Document, SlowSection]:
    """A document as an installed SDK provides it, and its resources, which record the requests."""
    resources = SlowSection(_section(schema, "resources"))
    aliases = [
        (str(alias["type"]), token)
        for token, value in _section(schema, "resources").items()
        if isinstance(value, dict)
        for alias in value.get("aliases", ())
    ]
    members = Members(
        resources=resources,
        types=SlowSection(_section(schema, "types")),
        functions=SlowSection(_section(schema, "functions")),
        provider=lambda: Raw(json.dumps(schema["provider"]).encode()) if "provider" in schema else ABSENT,
        aliases=lambda: aliases,
    )
    meta = MetaSpec(module_format=str(_section(schema, "meta").get("moduleFormat", "")))
    header = Header(name=str(schema["name"]), version=str(schema.get("version", "")), meta=meta)
    return Document(header, members, where="an installed package", identity=identity), resources


def _section(schema: Schema, key: str) -> Mapping[str, object]:
    section = schema.get(key, {})
    assert isinstance(section, dict)
    return section
