"""Maps and objects: `entries`, `lookup`.

For `lookup`, a null member is present, as in HCL; only objects that packages declare do not distinguish null from absent.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.stdlib.checks import COLLECTION
from pclgen.stdlib.model import (
    Argument,
    BadArgumentError,
    Derivation,
    Function,
    Parameter,
    Value,
    each,
    map_element,
    members,
    own,
    plain,
    sequence_element,
)
from pclgen.stdlib.values import describe, text
from pclgen.types import model as ty
from pclgen.types.convert import unify_elements
from pclgen.types.show import with_article

_MISSING = object()


def _entry(key: ty.Type, value: ty.Type) -> ty.Type:
    return ty.list_of(ty.object_of({"key": key, "value": ty.without_const(value)}))


def _entries_result(arguments: Sequence[Argument]) -> ty.Type:
    def rule(t: ty.Type) -> ty.Type | None:
        if isinstance(t, ty.ListType | ty.TupleType):
            return _entry(ty.INT, sequence_element(t) or ty.DYNAMIC)
        element = map_element(t)
        return None if element is None else _entry(ty.STRING, element)

    result = each(arguments[0], rule, "a map, an object or a list")
    collection = plain(arguments[0].type)
    cases = collection.members if isinstance(collection, ty.UnionType) else (collection,)
    if len({sequence_element(plain(case)) is None for case in cases}) > 1:
        reason = f"expected a map in all cases or a list in all cases, found {with_article(collection)}"
        raise BadArgumentError(0, reason, "the keys of a list are numbers, those of a map are texts", in_some_cases=True)
    return _entry(ty.STRING, ty.DYNAMIC) if result is ty.DYNAMIC else result


def _entries(collection: Value) -> Value:
    if isinstance(collection, list):
        return [{"key": index, "value": element} for index, element in enumerate(collection)]
    if isinstance(collection, dict):
        return [{"key": key, "value": collection[key]} for key in sorted(collection)]
    raise BadArgumentError(0, f"expected a map, an object or a list, found {describe(collection)}")


def _member(arguments: Sequence[Argument]) -> tuple[ty.Type, bool]:
    """Return the type of the looked-up value where it exists (NONE where it never does), and whether it always exists."""
    key = arguments[1].value
    always = True

    def rule(t: ty.Type) -> ty.Type | None:
        nonlocal always
        by_name = None if isinstance(t, ty.MapType) else members(t)
        if by_name is None or not isinstance(key, str):
            always = False
            return ty.NONE if by_name is not None and not by_name else map_element(t)
        member = ty.resolve(by_name.get(key, ty.NONE))
        if not isinstance(t, ty.ObjectType):  # in declared objects, an unset member is missing
            always = always and not ty.is_optional(member)
            return ty.without_none(member) if len(arguments) > 2 else member
        # A choice between objects may lack what its type has as an optional member.
        always = always and key in by_name and key not in t.lacking and not ty.is_optional(member)
        return ty.resolve(t.lacking.get(key, member))

    member = ty.without_const(each(arguments[0], rule, "a map or an object"))
    return member, always and member is not ty.DYNAMIC


def _lookup_result(arguments: Sequence[Argument]) -> ty.Type:
    member, always = _member(arguments)
    if always:
        return member
    if len(arguments) < 3:
        return ty.DYNAMIC if member is ty.NONE else member
    default = ty.without_const(ty.resolve(arguments[2].type))
    if member is not ty.NONE and isinstance(plain(arguments[0].type), ty.MapType) and default is not ty.DYNAMIC:
        default = _lookup_expects(arguments)[2]
    if member is ty.NONE:
        return ty.optional_of(default) if _may_be_null(arguments) else default
    return unify_elements((member, default))


def _may_be_null(arguments: Sequence[Argument]) -> bool:
    """Return whether the collection of a `lookup` is a map, or an object that has the member."""
    collection, key = plain(arguments[0].type), arguments[1].value
    cases = collection.members if isinstance(collection, ty.UnionType) else (collection,)
    return any(isinstance(case, ty.MapType) or key in (members(case) or {}) for case in map(plain, cases))


def may_hold_null(collection: ty.Type) -> bool:
    """Return whether a present member of a `collection` may be null, which `lookup` then returns."""
    match ty.without_none(collection):
        case ty.MapType(element=element):
            elements = [element]
        case ty.ObjectType(members=members):
            elements = list(members.values())
        case _:
            return True
    return any(ty.is_optional(ty.resolve(member)) or ty.resolve(member) is ty.DYNAMIC for member in elements)


def _lookup_expects(arguments: Sequence[Argument]) -> tuple[ty.Type, ...]:
    """Return the expected types.

    A map's default has the type of the map's elements, unless all are null; any other default is not converted.
    """
    expected: tuple[ty.Type, ...] = (own(arguments[0]), ty.STRING)
    if len(arguments) < 3:
        return expected
    collection = plain(arguments[0].type)
    if not isinstance(collection, ty.MapType) or collection.element is ty.NONE:
        return (*expected, ty.DYNAMIC)
    element = _widened(ty.without_none(ty.resolve(collection.element)), arguments[2].type)
    return (*expected, ty.optional_of(element) if ty.is_optional(arguments[2].type) else element)


def _widened(element: ty.Type, default: ty.Type) -> ty.Type:
    """Return the type of the default of a map of `element`: not only whole numbers where the default is none.

    Where elements are unlike, the default is another of them; so is a map beside objects, as it may lack their members.
    """
    default = ty.bare(default)
    if isinstance(element, ty.UnionType) or (isinstance(element, ty.ObjectType) and isinstance(default, ty.MapType)):
        return unify_elements((element, default))
    if element is ty.INT and default is not ty.INT:
        return ty.NUMBER
    if (
        isinstance(element, ty.TupleType)
        and isinstance(default, ty.TupleType)
        and len(element.elements) == len(default.elements)
    ):
        return ty.tuple_of(_widened(*pair) for pair in zip(element.elements, default.elements, strict=True))
    inner = sequence_element(default) if isinstance(element, ty.ListType) else None
    if isinstance(element, ty.ListType) and inner is not None:
        part = _widened(ty.without_none(element.element), inner)
        return ty.list_of(ty.optional_of(part) if ty.is_optional(element.element) else part)
    return element


def _lookup(collection: Value, key: Value, default: Value = _MISSING) -> Value:
    name = text(key, 1)
    if not isinstance(collection, dict):
        raise BadArgumentError(0, f"expected a map or an object, found {describe(collection)}")
    if name in collection:
        return collection[name]
    if default is not _MISSING:
        return default
    raise BadArgumentError(1, f'there is no key "{name}"', "give a third argument to use instead")


FUNCTIONS = (
    Function(
        name="entries",
        doc="The keys and values of a map or object, sorted by key. A list has its indexes as keys.",
        result=_entries_result,
        parameters=(Parameter(name="collection", doc="A map, object or list.", kind=COLLECTION),),
        expects=lambda arguments: (own(arguments[0]),),
        implementation=_entries,
        derives=Derivation.ENTRIES,
        example='[for e in entries(tags) : "${e.key}=${e.value}"]',
    ),
    Function(
        name="lookup",
        doc="The value of a key, or a default if the key is missing.",
        result=_lookup_result,
        parameters=(
            Parameter(name="map", doc="A map or object.", kind="object"),
            Parameter(name="key", doc="The key.", type=ty.STRING),
            Parameter(
                name="default",
                doc="The result if the key is missing. Without a default, a missing key is an error.",
                optional=True,
                allow_null=True,
                allow_unknown=True,
            ),
        ),
        expects=_lookup_expects,
        implementation=_lookup,
        derives=Derivation.ELEMENT,
        named_after=1,
        untyped=True,
        example='lookup(tags, "team", "none")',
    ),
)
