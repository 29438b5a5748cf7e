"""Project files: `package.json`, `tsconfig.json`, `.gitignore` (targets.md, Project files).

A program and the project's settings give values for the templates.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence

from pclgen.layout import LINE, concat, group, indent, join, print_doc
from pclgen.targets.typescript.imports import CORE_MODULE, PULUMI, npm_name
from pclgen.types.declarations import Package

CORE_VERSION = "^3.200.0"
_ARCHIVES = (".tgz", ".tar.gz")


def dependencies(packages: Iterable[Package], local: Mapping[str, str]) -> tuple[str, ...]:
    """The lines of `dependencies`: providers in the exact versions of the schemas, or local SDKs."""
    places = {name: path if path.endswith(_ARCHIVES) else f"file:{path}" for name, path in local.items()}
    versions = {CORE_MODULE: places.get(PULUMI, CORE_VERSION)}
    for package in sorted(packages, key=lambda p: p.name):
        if package.name != PULUMI:
            versions[npm_name(package)] = places.get(package.name) or package.version or "*"
    lines = [f"{json.dumps(name)}: {json.dumps(version)}" for name, version in versions.items()]
    return tuple(line + ("," if at + 1 < len(lines) else "") for at, line in enumerate(lines))


def file_list(files: Sequence[str]) -> str:
    """The `files` of `tsconfig.json`, laid out as prettier does."""
    names = [json.dumps(name) for name in sorted(files)]
    doc = group("[", indent(concat(LINE, join(concat(",", LINE), names))), LINE, "]")
    text = print_doc(concat('"files": ', doc), level=1).text.removeprefix('"files": ')
    return "[" + text[2:-2] + "]" if "\n" not in text else text


def package_name(name: str) -> str:
    """A valid npm name: lower-case letters, digits and dashes."""
    return re.sub(r"[^a-z0-9._-]+", "-", name.lower()).strip("-._") or "program"
