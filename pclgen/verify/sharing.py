"""Which programs share an environment.

Comes in: what each program needs, and a function that makes environments.  Goes out: groups of programs, each with its
environment, or with the reason why there is none.  Programs share one as long as they agree about versions, and when none
can be made for all of them, those that stand in the way get none and the others one of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from pclgen.records import dataclass
from pclgen.verify.downloads import named
from pclgen.verify.environments import Missing, Needs

_E = TypeVar("_E")


@dataclass(frozen=True, slots=True, kw_only=True)
class Share(Generic[_E]):
    """Programs (by key) and the environment that they share."""

    keys: Sequence[str]
    environment: _E | Missing


def group(needs: Mapping[str, Needs]) -> list[tuple[list[str], Needs]]:
    """Programs (by key) that can share an environment, and what it must have: no package in two versions."""
    groups: list[tuple[list[str], dict[str, str]]] = []
    for key, wanted in needs.items():
        for keys, have in groups:
            if all(have.get(package, version) == version for package, version in wanted.items()):
                keys.append(key)
                have.update(wanted)
                break
        else:
            groups.append(([key], dict(wanted)))
    return [(keys, have) for keys, have in groups]


def shared(needs: Mapping[str, Needs], make: Callable[[Needs], _E | Missing]) -> list[Share[_E]]:
    """Environments for all programs, as few as can be."""
    made: list[Share[_E]] = []
    waiting = group(needs)
    while waiting:
        keys, union = waiting.pop(0)
        environment = make(union)
        if not isinstance(environment, Missing):
            made.append(Share(keys=keys, environment=environment))
            continue
        given_up, *others = _parts({key: needs[key] for key in keys}, environment)
        if given_up:
            made.append(Share(keys=given_up, environment=environment))
        waiting[:0] = [found for part in others for found in group({key: needs[key] for key in part})]
    return made


def _parts(needs: Mapping[str, Needs], missing: Missing) -> list[list[str]]:
    """The programs that get no environment, then those for which to try once more, apart from each other."""
    keys = list(needs)
    blamed = [key for key in keys if named(needs[key], missing.reason)]
    others = [key for key in keys if key not in blamed]
    if missing.everywhere or all(needs[key] == needs[keys[0]] for key in keys):
        return [keys]
    if missing.out_of_reach:  # trying again would take the registry's time limit each time
        return [blamed, others] if blamed and others else [keys]
    if blamed and others:
        return [[], blamed, others]
    first = [key for key in keys if needs[key] == needs[keys[0]]]
    apart = [key for key in keys if key not in first]
    half = len(apart) // 2
    return [[], first + apart[:half], apart[half:]]
