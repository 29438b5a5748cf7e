"""Project files: `requirements.txt`, `.gitignore` (targets 2).

Comes in: a program and the project's facts.  Goes out: values for the templates.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from pclgen.targets.python import packages
from pclgen.types.declarations import Package

CORE_REQUIREMENT = "pulumi>=3.0.0,<4.0.0"

_SEMVER = re.compile(r"(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?")
_PRE_RELEASES: Mapping[str, str] = {"alpha": "a", "a": "a", "beta": "b", "b": "b", "rc": "rc", "dev": ".dev"}


def requirements(used: Sequence[Package]) -> tuple[str, ...]:
    """The lines of `requirements.txt`: exact versions, as the schemas' types belong to them."""
    lines = {CORE_REQUIREMENT}
    for package in used:
        if package.name != packages.PULUMI:
            name = packages.distribution(package).replace("_", "-")
            lines.add(f"{name}=={pep440(package.version)}" if package.version else name)
    return tuple(sorted(lines))


def pep440(version: str) -> str:
    """A semantic version as PEP 440 spells it: `3.0.0-alpha.1+sha.12` -> `3.0.0a1+sha.12`."""
    match = _SEMVER.fullmatch(version)
    if match is None:
        return version
    release, pre, build = match[1], match[2] or "", match[3] or ""
    words = re.findall(r"[A-Za-z]+|\d+", pre)
    suffix = ""
    for at, word in enumerate(words):
        kind = _PRE_RELEASES.get(word.lower())
        if kind is not None:
            number = words[at + 1] if at + 1 < len(words) and words[at + 1].isdigit() else "0"
            suffix = f"{kind}{number}"
            break
    return release + suffix + (f"+{build.replace('-', '.')}" if build else "")
