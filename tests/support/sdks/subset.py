"""The part of package schemas that programs use, so that SDKs of large packages are small.

A schema is reduced to the resources and functions whose tokens occur in a text, and to every type, resource and function
that these refer to, in other packages as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote

_SECTIONS = ("resources", "functions", "types")
_REFERENCE = re.compile(r"(?:/(?P<package>[^/]+)/[^/]+/schema\.json)?#/(?P<section>resources|types|provider)/?(?P<token>.*)")

Json = Any  # untyped JSON of schemas
Member = tuple[str, str, str]
"""A package, a section of its schema and a token."""


def cut_schemas(schemas: Collection[Path], texts: Collection[str], folder: Path) -> list[Path]:
    """Write the used parts of `schemas` to `folder` and return the files, one for each package that `texts` use.

    Raises `OSError`.
    """
    documents: dict[str, Json] = {}
    for path in schemas:
        document = json.loads(path.read_bytes())
        documents[document["name"]] = document
    words = {word.removeprefix("fn::").rstrip(":") for text in texts for word in re.findall(r"[\w.-]+:[\w./:-]+", text)}
    closure = _closure(documents, [member for document in documents.values() for member in _used(document, words)])
    folder.mkdir(parents=True, exist_ok=True)
    written: list[Path] = []
    for name in sorted({package for package, _, _ in closure}):
        document = documents[name]
        kept = {key: value for key, value in document.items() if key not in _SECTIONS}
        # Imports that only pin versions of packages.
        (kept.get("language") or {}).get("go", {}).pop("internalDependencies", None)
        for section in _SECTIONS:
            members = document.get(section) or {}
            kept[section] = {token: _distinct(members[token]) for token in members if (name, section, token) in closure}
        written.append(folder / f"{name}-{document['version']}.json")
        written[-1].write_text(json.dumps(kept), encoding="utf-8")
    return written


def _distinct(member: Json) -> Json:
    """A member without repeated enumeration values, which a recovered schema may have."""
    if "enum" not in member:
        return member
    return member | {"enum": [*{repr(entry["value"]): entry for entry in member["enum"]}.values()]}


def _used(document: Json, words: Collection[str]) -> Iterator[Member]:
    name = document["name"]
    if f"pulumi:providers:{name}" in words:
        yield name, "resources", ""
    form = re.compile((document.get("meta") or {}).get("moduleFormat") or "(.*)")
    for section in ("resources", "functions"):
        for token in document.get(section) or {}:
            _, module, member = token.split(":")
            match = form.fullmatch(module)
            short = match[1] if match is not None else module
            spellings = {token, f"{name}:{short}:{member}", *([f"{name}:{member}"] if short in ("index", "") else [])}
            if not spellings.isdisjoint(words):
                yield name, section, token


def _closure(documents: Mapping[str, Json], roots: Collection[Member]) -> set[Member]:
    """The roots and everything reachable from them; the token "" is a package's provider and configuration."""
    seen: set[Member] = set()
    waiting = list(roots)
    while waiting:
        member = waiting.pop()
        package, section, token = member
        document = documents.get(package)
        if member in seen or document is None:
            continue
        seen.add(member)
        waiting.append((package, "resources", ""))
        parts = [document.get("provider"), document.get("config")] if not token else (document.get(section) or {}).get(token)
        waiting += _namesakes(document, member)
        for reference in _references(package, parts):
            waiting.append(reference)
            if reference[0] != package and reference[0] in documents:
                waiting += _namesakes(documents[reference[0]], reference, owners=True)
    return seen


def _namesakes(document: Json, member: Member, *, owners: bool = False) -> Iterator[Member]:
    """The resources that determine how an SDK names or declares a type or function.

    `getAmi` is `LookupAmi` in Go beside the resource `Ami`, and a type with the name of a resource differs from a type without
    such a resource.  With `owners`: a type that another package uses has the forms that the resource of the longer name
    needs.
    """
    package, section, token = member
    if section == "resources" or not token:
        return
    _, module, name = token.split(":")
    name = name.removeprefix("get")
    for other in document.get("resources") or {}:
        _, path, resource = other.split(":")
        if path.split("/")[0] == module.split("/")[0] and (name == resource or (owners and name.startswith(resource))):
            yield package, "resources", other


def _references(package: str, value: Json) -> Iterator[Member]:
    if isinstance(value, dict):
        match = _REFERENCE.fullmatch(value["$ref"]) if isinstance(value.get("$ref"), str) else None
        if match is not None:
            section = match["section"] if match["token"] else "resources"
            yield match["package"] or package, section, unquote(match["token"])
        methods = value.get("methods")
        for function in methods.values() if isinstance(methods, dict) else ():
            if isinstance(function, str):
                yield package, "functions", function
        for part in value.values():
            yield from _references(package, part)
    elif isinstance(value, list):
        for part in value:
            yield from _references(package, part)
