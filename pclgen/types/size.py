"""How many parts the values of a type have.

Types are shared, so a program of a few lines can make one that stands for more values than there is memory: binding asks
here before it goes on.
"""

from __future__ import annotations

from typing import Final

from pclgen.types.model import ERROR, ListType, MapType, ObjectType, OutputType, TupleType, Type, UnionType

MAX_PARTS: Final = 100_000
"""How many parts a list or an object may have, those of its parts included."""


def parts_of(t: Type) -> int:
    """The parts of `t`, those of its parts included; declared objects count as one.  A value is of one member of a union.
    Memoised on the type."""
    known = t.memo.get("parts")
    if isinstance(known, int):
        return known
    counts = [parts_of(part) for part in _parts(t)]
    count = max(counts, default=1) if isinstance(t, UnionType) else 1 + sum(counts)
    t.memo["parts"] = count
    return count


def holds_error(t: Type) -> bool:
    """Whether a part of `t` has been reported.  Memoised on the type."""
    known = t.memo.get("holds error")
    if not isinstance(known, bool):
        known = t is ERROR or any(holds_error(part) for part in _parts(t))
        t.memo["holds error"] = known
    return known


def _parts(t: Type) -> tuple[Type, ...]:
    match t:
        case TupleType():
            return t.elements
        case ObjectType():
            return tuple(t.members.values())
        case ListType() | MapType() | OutputType():
            return (t.element,)
        case UnionType():
            return t.members
        case _:
            return ()
