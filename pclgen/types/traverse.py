"""Steps into values and the contents of values, by their types (language.md, Iteration; Steps).

A step from a receiver by a key (an attribute, an index, an iteration) has a type, or a reason why it is invalid.

`holds_objects` and `holds_inner_map` look for objects of packages and for inner maps; they do not search declared objects.
`required_paths` lists the members that must be set:

    object({name = string, sub = optional(object({on = bool}))})  ->  "name", "sub/on"
    map(object({name = string}))                                  ->  "*/name"

`*` is each element of a list or a map; a `/` inside of a name is written `~1`, as in a JSON pointer.  A path whose beginning
is optional counts only where that is set.  An object's own members precede their members.

Types are shared, so a program of a few lines can make a type whose values exceed the memory: binding checks the number of
parts before it continues.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from enum import StrEnum
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pclgen.source.numbers import read_number
from pclgen.types import model as ty
from pclgen.types.convert import element_type, member_type
from pclgen.types.declarations import DeclarationKind, Field

# -- steps ------------------------------------------------------------------------------------------------------------------

Key: TypeAlias = "str | int | Decimal | None"
"""A literal key, or None for an unknown key."""


class Step(Struct, frozen=True):
    """A valid step. `field` is set if a package declares the member, `spelled` if only the letter case differs, `lacking` if
    the receiver may lack the member; `type` is the type of a present member."""

    type: ty.Type
    field: Field | None = None
    spelled: str | None = None
    lacking: bool = False


class Refusal(StrEnum):
    """The reason for an invalid step."""

    UNKNOWN_MEMBER = "unknown member"
    NOT_AN_OBJECT = "not an object"
    LIST_BY_NAME = "list by name"
    OUT_OF_RANGE = "out of range"
    NULL = "null"
    IN_SOME_CASES = "in some cases"


class NoStep(Struct, frozen=True):
    """An invalid step; `receiver` is the type that has no such step, `names` are its members."""

    refusal: Refusal
    receiver: ty.Type
    names: tuple[str, ...] = ()


def attribute(t: ty.Type, name: str) -> Step | NoStep:
    """`value.name`, or `value["name"]`."""
    return _step(t, name)


def index(t: ty.Type, key: Key) -> Step | NoStep:
    """`value[key]` with a literal key, or an unknown key (None)."""
    return _step(t, key)


def _step(t: ty.Type, key: Key) -> Step | NoStep:
    match t:
        case ty.OutputType():
            return _wrap(_step(t.element, key), output=True)
        case ty.PromiseType():
            return _wrap(_step(t.element, key), output=False)
        case ty.InputType():
            return _step(t.element, key)
        case ty.ConstType():
            return _step(t.base, key)
        case ty.UnionType():
            return _step_union(t, key)
        case ty.MapType():
            return Step(t.element)
        case ty.ListType() | ty.TupleType():
            return _step_sequence(t, key)
        case ty.ObjectType() | ty.NominalType():
            return _step_object(t, key)
        case _ if t is ty.DYNAMIC or t is ty.ERROR:
            return NoStep(Refusal.OUT_OF_RANGE, t) if _is_no_index(key) else Step(t)
        case _ if t is ty.NONE:
            return NoStep(Refusal.NULL, t)
        case _:
            return NoStep(Refusal.NOT_AN_OBJECT, t)


def _wrap(step: Step | NoStep, output: bool) -> Step | NoStep:
    if isinstance(step, NoStep):
        return step
    wrapped = ty.output_of(step.type) if output else ty.promise_of(step.type)
    return replace(step, type=wrapped)


def _step_union(t: ty.UnionType, key: Key) -> Step | NoStep:
    steps: list[Step] = []
    refused: NoStep | None = None
    for member in t.members:
        if member is ty.NONE:
            continue
        result = _step(member, key)
        if isinstance(result, Step):
            steps.append(result)
        elif refused is None:
            refused = result
    if not steps:
        return refused or NoStep(Refusal.NULL, t)
    if refused is not None and refused.refusal is Refusal.NOT_AN_OBJECT and _is_index(t, key):
        return NoStep(Refusal.IN_SOME_CASES, t)  # of a text, the languages would read a character
    union = ty.union_of(step.type for step in steps)
    if ty.NONE in t.members:
        union = ty.optional_of(union)
    first = steps[0]
    return Step(union, first.field, first.spelled, lacking=any(step.lacking for step in steps))


def _is_index(t: ty.UnionType, key: Key) -> bool:
    """Return whether the value may be a list, of which a step by `key` reads an element."""
    is_list = any(isinstance(ty.resolve(member), ty.ListType | ty.TupleType) for member in t.members)
    return is_list and not (isinstance(key, str) and not key.isdecimal())


def _step_sequence(t: ty.ListType | ty.TupleType, key: Key) -> Step | NoStep:
    if isinstance(key, str):
        if not (key.isascii() and key.isdecimal()):
            return NoStep(Refusal.LIST_BY_NAME, t)
        key = read_number(key)
        if key is None:
            return NoStep(Refusal.OUT_OF_RANGE, t)
    if isinstance(t, ty.ListType):
        return NoStep(Refusal.OUT_OF_RANGE, t) if _is_no_index(key) else Step(t.element)
    if key is None:
        return Step(element_type(t))
    if key != int(key) or not 0 <= key < len(t.elements):
        return NoStep(Refusal.OUT_OF_RANGE, t)
    return Step(t.elements[int(key)])


def _is_no_index(key: Key) -> bool:
    """Return whether a number is never a valid list index: negative, fractional, or more than 32 bits."""
    return isinstance(key, int | Decimal) and (key != int(key) or not 0 <= key < 2**31)


def _step_object(t: ty.ObjectType | ty.NominalType, key: Key) -> Step | NoStep:
    if key is not None and not isinstance(key, str):
        key = str(key)
    if isinstance(t, ty.NominalType):
        fields = t.declaration.fields(t.shape)
        if key is None:
            return Step(member_type(f.type for f in fields.values()))
        field = fields.get(key)
        if field is not None:
            return Step(field.type, field)
        close = _other_case(key, tuple(fields))
        if close is not None:
            return Step(fields[close].type, fields[close], close)
        return NoStep(Refusal.UNKNOWN_MEMBER, t, tuple(fields))
    if key is None:
        return Step(member_type(t.members.values()))
    close = key if key in t.members else _other_case(key, tuple(t.members))
    if close is not None:
        present = t.lacking.get(close)
        spelled = close if close != key else None
        return Step(t.members[close] if present is None else present, None, spelled, lacking=present is not None)
    return NoStep(Refusal.UNKNOWN_MEMBER, t, tuple(t.members))


def _other_case(name: str, names: tuple[str, ...]) -> str | None:
    folded = name.casefold()
    return next((candidate for candidate in names if candidate.casefold() == folded), None)


class Eventuality(StrEnum):
    """The eventual layer around a collection."""

    PLAIN = "plain"
    OUTPUT = "output"
    PROMISE = "promise"


class Iteration(Struct, frozen=True):
    """The key and element types of a collection, and its eventual layer."""

    key: ty.Type
    element: ty.Type
    layer: Eventuality
    keyed: bool  # map-like: keys are names

    @property
    def is_eventual(self) -> bool:
        """Return whether the collection is an output or a promise."""
        return self.layer is not Eventuality.PLAIN

    def wrap(self, t: ty.Type) -> ty.Type:
        """Return `t` inside the collection's eventual layer."""
        match self.layer:
            case Eventuality.OUTPUT:
                return ty.output_of(t)
            case Eventuality.PROMISE:
                return ty.promise_of(t)
            case Eventuality.PLAIN:
                return t


def iteration(t: ty.Type) -> Iteration | None:
    """Return the iteration over `t` (outputs, promises and options unwrapped), or None if `t` is no collection.

    Sets iterate like lists. A union of collections can be iterated if its members agree on keys.
    """
    layer = Eventuality.PLAIN
    while True:
        if isinstance(t, ty.OutputType):
            layer, t = Eventuality.OUTPUT, t.element
        elif isinstance(t, ty.PromiseType):
            layer, t = (layer if layer is Eventuality.OUTPUT else Eventuality.PROMISE), t.element
        elif isinstance(t, ty.InputType):
            t = t.element
        elif isinstance(t, ty.UnionType) and ty.NONE in t.members:
            t = ty.without_none(t)
        else:
            break
    match t:
        case ty.ListType():
            return Iteration(ty.INT, t.element, layer, keyed=False)
        case ty.TupleType():
            return Iteration(ty.INT, element_type(t), layer, keyed=False)
        case ty.MapType():
            return Iteration(ty.STRING, t.element, layer, keyed=True)
        case ty.ObjectType():
            return Iteration(ty.STRING, member_type(t.members.values()), layer, keyed=True)
        case ty.NominalType() if t.resource is None:
            fields = t.declaration.fields(t.shape)
            return Iteration(ty.STRING, member_type(f.type for f in fields.values()), layer, keyed=True)
        case ty.UnionType():
            return _iterate_union(t, layer)
        case _ if t is ty.DYNAMIC or t is ty.ERROR:
            return Iteration(ty.DYNAMIC, ty.DYNAMIC, layer, keyed=False)
        case _:
            return None


def iterates_in_some_cases(t: ty.Type) -> bool:
    """Return whether `t`, which has no iteration, is a union with a collection."""
    plain = ty.resolve(t)
    return isinstance(plain, ty.UnionType) and any(
        iteration(case) is not None for case in plain.members if case is not ty.NONE
    )


def _iterate_union(t: ty.UnionType, layer: Eventuality) -> Iteration | None:
    iterations = [iteration(member) for member in t.members]
    valid = [member for member in iterations if member is not None]
    if len(valid) != len(iterations) or len({member.keyed for member in valid}) != 1:
        return None
    return Iteration(valid[0].key, member_type(member.element for member in valid), layer, valid[0].keyed)


# -- contents ---------------------------------------------------------------------------------------------------------------

def holds_objects(t: ty.Type) -> bool:
    """Return whether values of type `t` contain objects of packages; memoized, as types share parts."""
    plain = ty.resolve(t)
    result = plain.memo.get("holds objects")
    if result is None:
        result = plain.memo["holds objects"] = _look(plain)
    return result is True


def _look(plain: ty.Type) -> bool:
    if isinstance(plain, ty.NominalType):
        return plain.declaration.kind in (DeclarationKind.OBJECT, DeclarationKind.FUNCTION_RESULT)
    return any(map(holds_objects, ty.parts(plain)))


def holds_inner_map(t: ty.Type) -> bool:
    """Return whether a list, an object or a map of `t` holds a map, at any depth."""
    plain = ty.without_none(ty.resolve(t))
    if isinstance(plain, ty.UnionType):
        return any(map(holds_inner_map, plain.members))
    inner = ty.parts(plain)
    return any(isinstance(ty.without_none(ty.resolve(part)), ty.MapType) or holds_inner_map(part) for part in inner)


EACH = "*"
"""The step to every element of a list or a map."""


def required_paths(declared: ty.Type) -> tuple[str, ...]:
    """Return the paths of all members that must be set."""
    return tuple("/".join(path) for path in _paths(ty.without_none(ty.resolve(declared))))


def required_names(declared: ty.ObjectType) -> tuple[str, ...]:
    """Return the required members of an object of the type itself."""
    members = declared.members.items()
    return tuple(name for name, t in members if not ty.is_optional(t) and t is not ty.DYNAMIC and name != EACH)


def _paths(t: ty.Type) -> Iterator[tuple[str, ...]]:
    match t:
        case ty.ObjectType():
            yield from ((_path_step(name),) for name in required_names(t))
            for name, member in t.members.items():
                yield from ((_path_step(name), *path) for path in _paths(ty.without_none(member)))
        case ty.ListType() | ty.MapType():
            yield from ((EACH, *path) for path in _paths(ty.without_none(t.element)))
        case _:
            return


def _path_step(name: str) -> str:
    return name.replace("/", "~1")


# -- number of parts --------------------------------------------------------------------------------------------------------

MAX_PARTS: Final = 100_000
"""Maximum number of parts of a list or an object, including parts of parts."""

MAX_SHARED_PARTS: Final = 2_000
"""The maximum when the parts include the same values many times."""

_FEW_TIMES: Final = 50


def parts_of(t: ty.Type) -> int:
    """Return the number of parts of `t`, including parts of parts; declared objects count as one.  Memoized on the type.

    A value has the type of one member of a union.  Of members that may be null, such as those of only one branch of a
    conditional, the largest counts.
    """
    cached = t.memo.get("parts")
    if isinstance(cached, int):
        return cached
    count = max(map(parts_of, ty.parts(t)), default=1) if isinstance(t, ty.UnionType) else 1 + _together(t)
    t.memo["parts"] = count
    return count


def shared_limit(t: ty.Type, written: int) -> int:
    """Return the maximum number of parts of a value of type `t` in a program of `written` characters.

    A literal value has at most as many parts as its text.  A value has more when it uses another value twice, which does the
    same in turn: languages without types of that shape write each of these parts.
    """
    if parts_of(t) <= MAX_SHARED_PARTS or parts_of(t) <= _FEW_TIMES * _distinct(t):
        return MAX_PARTS
    return min(MAX_PARTS, max(MAX_SHARED_PARTS, written))


def _distinct(t: ty.Type) -> int:
    """Return the parts of `t`, counting those of each type in it once."""
    seen = {t}
    pending = [t]
    count = 1
    while pending:
        parts = ty.parts(pending.pop())
        count += len(parts)
        fresh = set(parts) - seen
        seen |= fresh
        pending += fresh
    return count


def is_writable(t: ty.Type) -> bool:
    """Return whether a language can write `t` out, with all of its parts.

    The parts may exclude each other in a value: all branches of a conditional are parts of its type.
    """
    return _written_parts(t) <= MAX_SHARED_PARTS


def _written_parts(t: ty.Type) -> int:
    count = t.memo.get("written parts")
    if not isinstance(count, int):
        count = t.memo["written parts"] = 1 + sum(map(_written_parts, ty.parts(t)))
    return count


def _together(t: ty.Type) -> int:
    if not isinstance(t, ty.ObjectType):
        return sum(map(parts_of, ty.parts(t)))
    optional = [member for member in t.members.values() if ty.is_optional(member)]
    certain = [member for member in t.members.values() if not ty.is_optional(member)]
    return sum(map(parts_of, certain)) + max(map(parts_of, optional), default=0)


def holds_error(t: ty.Type) -> bool:
    """Return whether an error in a part of `t` was reported.  Memoized on the type."""
    return _holds(ty.ERROR, t)


def holds_dynamic(t: ty.Type) -> bool:
    """Return whether the type of a part of `t` is unknown.  Memoized on the type."""
    return _holds(ty.DYNAMIC, t)


def _holds(sought: ty.Type, t: ty.Type) -> bool:
    key = ("holds", sought)
    result = t.memo.get(key)
    if not isinstance(result, bool):
        result = t is sought or any(_holds(sought, part) for part in ty.parts(t))
        t.memo[key] = result
    return result
