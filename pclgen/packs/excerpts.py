"""The parts of schemas that a program uses (docs/packs.md, Packages).

An excerpt has the members that were used while the program was compiled, and everything that they refer to, also in other
packages. Other members are null, since their names still influence names in SDKs.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pclgen.schema.builtin import NAME
from pclgen.schema.errors import SchemaError
from pclgen.schema.references import methods_of, references_in
from pclgen.types.declarations import Package, Written


class Excerpt(Struct):
    """The schema of a package with some members, None for the package `pulumi`; `refers` maps name and version of
    references to other packages to their index in the pack."""

    schema: bytes | None
    refers: dict[str, int]


def excerpts_of(packages: Sequence[Package]) -> list[Excerpt]:
    """Return the excerpts of `packages`, followed by those of packages that they refer to."""
    all_packages: list[Package] = [*packages]
    members: list[set[tuple[str, str]]] = [set() for _ in packages]
    refers: list[dict[str, int]] = [{} for _ in packages]
    waiting: list[tuple[int, str, str]] = []
    for index, package in enumerate(packages):
        waiting += [(index, kind, token) for kind, token in sorted(_written(package).asked())]
        waiting.append((index, "provider", ""))
    while waiting:
        index, kind, token = waiting.pop()
        written = _written(all_packages[index])
        member = written.member(kind, token)
        if member is None or (kind, member[0]) in members[index]:
            continue
        members[index].add((kind, member[0]))
        waiting += [(index, "functions", method) for method in methods_of(member[1], kind)]
        for reference in references_in(member[1]):
            if reference.package in ("", all_packages[index].name):
                waiting.append((index, reference.kind.value, reference.token))
                continue
            key = f"{reference.package} {reference.version}".strip()
            if key not in refers[index]:
                try:
                    other = written.other(reference.package, reference.version)
                except SchemaError:
                    continue  # it cannot have been used
                at = next((at for at, other_package in enumerate(all_packages) if other_package is other), len(all_packages))
                if at == len(all_packages):
                    all_packages.append(other)
                    members.append(set())
                    refers.append({})
                    waiting.append((at, "provider", ""))
                refers[index][key] = at
            waiting.append((refers[index][key], reference.kind.value, reference.token))
    return [
        Excerpt(
            _written(other_package).excerpt(members[index]) if other_package.name != NAME else None,
            dict(sorted(refers[index].items())),
        )
        for index, other_package in enumerate(all_packages)
    ]


def _written(package: Package) -> Written:
    assert package.written is not None, "packages that programs are bound against come from schemas"
    return package.written
