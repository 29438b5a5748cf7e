"""Environments shared by programs.

Programs share an environment as long as their versions agree. If none can be made for all of them, the programs to blame get
none, and the others are tried again in smaller groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from pclgen.verify.downloads import named
from pclgen.verify.environments import Missing, Packages

_E = TypeVar("_E")


class Share(Struct, Generic[_E], frozen=True, kw_only=True):
    """Programs (by key) and their shared environment."""

    keys: Sequence[str]
    environment: _E | Missing


def group(packages: Mapping[str, Packages]) -> list[tuple[list[str], Packages]]:
    """Group programs (by key) that can share an environment: no package in two versions. Return each group with its
    packages."""
    groups: list[tuple[list[str], dict[str, str]]] = []
    for key, required in packages.items():
        for keys, have in groups:
            if all(have.get(package, version) == version for package, version in required.items()):
                keys.append(key)
                have.update(required)
                break
        else:
            groups.append(([key], dict(required)))
    return [(keys, have) for keys, have in groups]


def shared(packages: Mapping[str, Packages], make: Callable[[Packages], _E | Missing]) -> list[Share[_E]]:
    """Return environments for all programs, as few as possible."""
    shares: list[Share[_E]] = []
    waiting = group(packages)
    while waiting:
        keys, union = waiting.pop(0)
        environment = make(union)
        if not isinstance(environment, Missing):
            shares.append(Share(keys=keys, environment=environment))
            continue
        given_up, *smaller_groups = _parts({key: packages[key] for key in keys}, environment)
        if given_up:
            shares.append(Share(keys=given_up, environment=environment))
        waiting[:0] = [group_ for part in smaller_groups for group_ in group({key: packages[key] for key in part})]
    return shares


def _parts(packages: Mapping[str, Packages], missing: Missing) -> list[list[str]]:
    """Return the programs that get no environment, then smaller groups to try again."""
    keys = list(packages)
    blamed = [key for key in keys if named(packages[key], missing.reason)]
    blameless = [key for key in keys if key not in blamed]
    if missing.everywhere or all(packages[key] == packages[keys[0]] for key in keys):
        return [keys]
    if missing.out_of_reach:  # trying again would take the registry's time limit each time
        return [blamed, blameless] if blamed and blameless else [keys]
    if blamed and blameless:
        return [[], blamed, blameless]
    first = [key for key in keys if packages[key] == packages[keys[0]]]
    apart = [key for key in keys if key not in first]
    half = len(apart) // 2
    return [[], first + apart[:half], apart[half:]]
