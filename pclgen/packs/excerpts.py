"""The parts of schemas that a program needs (docs/packs.md, Packages).

Comes in: packages, with what was asked of them while the program was compiled.  Goes out: for each package, those that its
members refer to included, its schema with these members and all that they lead to; the other members are null, as their
names still count for those of SDKs.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.records import dataclass
from pclgen.schema.builtin import NAME
from pclgen.schema.errors import SchemaError
from pclgen.schema.references import methods_of, references_in
from pclgen.types.declarations import Package, Written


@dataclass(slots=True)
class Excerpt:
    """The schema of a package with some members, None for the package `pulumi`; which package of the pack each reference to
    another one means, by its name and version."""

    schema: bytes | None
    refers: dict[str, int]


def excerpts_of(packages: Sequence[Package]) -> list[Excerpt]:
    """The excerpts of `packages` and, behind them, of those that these refer to."""
    found: list[Package] = [*packages]
    members: list[set[tuple[str, str]]] = [set() for _ in packages]
    refers: list[dict[str, int]] = [{} for _ in packages]
    waiting: list[tuple[int, str, str]] = []
    for index, package in enumerate(packages):
        waiting += [(index, kind, token) for kind, token in sorted(_written(package).asked())]
        waiting.append((index, "provider", ""))
    while waiting:
        index, kind, token = waiting.pop()
        written = _written(found[index])
        member = written.member(kind, token)
        if member is None or (kind, member[0]) in members[index]:
            continue
        members[index].add((kind, member[0]))
        waiting += [(index, "functions", method) for method in methods_of(member[1], kind)]
        for reference in references_in(member[1]):
            if reference.package in ("", found[index].name):
                waiting.append((index, reference.kind.value, reference.token))
                continue
            key = f"{reference.package} {reference.version}".strip()
            if key not in refers[index]:
                try:
                    other = written.other(reference.package, reference.version)
                except SchemaError:
                    continue  # nothing of it can have been used
                at = next((at for at, one in enumerate(found) if one is other), len(found))
                if at == len(found):
                    found.append(other)
                    members.append(set())
                    refers.append({})
                    waiting.append((at, "provider", ""))
                refers[index][key] = at
            waiting.append((refers[index][key], reference.kind.value, reference.token))
    return [
        Excerpt(_written(one).excerpt(members[index]) if one.name != NAME else None, dict(sorted(refers[index].items())))
        for index, one in enumerate(found)
    ]


def _written(package: Package) -> Written:
    assert package.written is not None, "packages that programs are bound against come from schemas"
    return package.written
