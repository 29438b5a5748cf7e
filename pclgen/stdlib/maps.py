"""Maps and objects: `entries`, `lookup`.

For `lookup`, a null member is present, as in HCL; only objects that packages declare do not distinguish null from absent.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.stdlib.checks import COLLECTION
from pclgen.stdlib.model import Argument, BadArgumentError, Derivation, Function, Parameter, Value
from pclgen.stdlib.shapes import each, map_element, members, own, plain, sequence_element
from pclgen.stdlib.values import describe, text
from pclgen.types.model import (
    DYNAMIC,
    INT,
    NONE,
    NUMBER,
    STRING,
    ListType,
    MapType,
    ObjectType,
    TupleType,
    Type,
    UnionType,
    is_optional,
    list_of,
    object_of,
    optional_of,
    resolve,
    tuple_of,
    without_const,
    without_none,
)
from pclgen.types.show import with_article
from pclgen.types.unify import unify_elements

_MISSING = object()


def _entry(key: Type, value: Type) -> Type:
    return list_of(object_of({"key": key, "value": without_const(value)}))


def _entries_result(arguments: Sequence[Argument]) -> Type:
    def rule(t: Type) -> Type | None:
        if isinstance(t, ListType | TupleType):
            return _entry(INT, sequence_element(t) or DYNAMIC)
        element = map_element(t)
        return None if element is None else _entry(STRING, element)

    result = each(arguments[0], rule, "a map, an object or a list")
    collection = plain(arguments[0].type)
    cases = collection.members if isinstance(collection, UnionType) else (collection,)
    if len({sequence_element(plain(case)) is None for case in cases}) > 1:
        reason = f"expected a map in all cases or a list in all cases, found {with_article(collection)}"
        raise BadArgumentError(0, reason, "the keys of a list are numbers, those of a map are texts", in_some_cases=True)
    return _entry(STRING, DYNAMIC) if result is DYNAMIC else result


def _entries(collection: Value) -> Value:
    if isinstance(collection, list):
        return [{"key": index, "value": element} for index, element in enumerate(collection)]
    if isinstance(collection, dict):
        return [{"key": key, "value": collection[key]} for key in sorted(collection)]
    raise BadArgumentError(0, f"expected a map, an object or a list, found {describe(collection)}")


def _member(arguments: Sequence[Argument]) -> tuple[Type, bool]:
    """Return the type of the looked-up value where it exists (NONE where it never does), and whether it always exists."""
    key = arguments[1].value
    always = True

    def rule(t: Type) -> Type | None:
        nonlocal always
        by_name = None if isinstance(t, MapType) else members(t)
        if by_name is None or not isinstance(key, str):
            always = False
            return NONE if by_name is not None and not by_name else map_element(t)
        member = resolve(by_name.get(key, NONE))
        if not isinstance(t, ObjectType):  # in declared objects, an unset member is missing
            always = always and not is_optional(member)
            return without_none(member) if len(arguments) > 2 else member
        always = always and key in by_name and key not in t.lacking
        return resolve(t.lacking.get(key, member))

    member = without_const(each(arguments[0], rule, "a map or an object"))
    return member, always and member is not DYNAMIC


def _lookup_result(arguments: Sequence[Argument]) -> Type:
    member, always = _member(arguments)
    if always:
        return member
    if len(arguments) < 3:
        return DYNAMIC if member is NONE else member
    default = without_const(resolve(arguments[2].type))
    if member is not NONE and isinstance(plain(arguments[0].type), MapType) and default is not DYNAMIC:
        default = _lookup_expects(arguments)[2]
    if member is NONE:
        return optional_of(default) if isinstance(plain(arguments[0].type), MapType) else default
    return unify_elements((member, default))


def may_hold_null(collection: Type) -> bool:
    """Return whether a present member of a `collection` may be null, which `lookup` then returns."""
    match without_none(collection):
        case MapType(element=element):
            elements = [element]
        case ObjectType(members=members):
            elements = list(members.values())
        case _:
            return True
    return any(is_optional(resolve(member)) or resolve(member) is DYNAMIC for member in elements)


def _lookup_expects(arguments: Sequence[Argument]) -> tuple[Type, ...]:
    """Return the expected types.

    A map's default has the type of the map's elements, unless all are null; any other default is not converted.
    """
    expected: tuple[Type, ...] = (own(arguments[0]), STRING)
    if len(arguments) < 3:
        return expected
    collection = plain(arguments[0].type)
    if not isinstance(collection, MapType) or collection.element is NONE:
        return (*expected, DYNAMIC)
    element = _widened(without_none(resolve(collection.element)), arguments[2].type)
    return (*expected, optional_of(element) if is_optional(arguments[2].type) else element)


def _widened(element: Type, default: Type) -> Type:
    """Return the type of the default of a map of `element`: not only whole numbers where the default is none.

    Where elements are unlike, the default is another of them.
    """
    default = without_none(without_const(resolve(default)))
    if isinstance(element, UnionType):
        return unify_elements((element, default))
    if element is INT and default is not INT:
        return NUMBER
    if isinstance(element, TupleType) and isinstance(default, TupleType) and len(element.elements) == len(default.elements):
        return tuple_of(_widened(*pair) for pair in zip(element.elements, default.elements, strict=True))
    inner = sequence_element(default) if isinstance(element, ListType) else None
    if isinstance(element, ListType) and inner is not None:
        part = _widened(without_none(element.element), inner)
        return list_of(optional_of(part) if is_optional(element.element) else part)
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
            Parameter(name="key", doc="The key.", type=STRING),
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
