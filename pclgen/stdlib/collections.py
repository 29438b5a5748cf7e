"""Lists, texts, maps and objects: `element`, `length`, `join`, `split`, `range`, `singleOrNone`; `entries`, `lookup`.

For `lookup`, a null member is present, as in HCL; only objects that packages declare do not distinguish null from absent.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.source.numbers import read_integer
from pclgen.stdlib.checks import COLLECTION, SIZED
from pclgen.stdlib.model import (
    UNKNOWN,
    Argument,
    BadArgumentError,
    Derivation,
    Function,
    Parameter,
    Value,
    each,
    is_text,
    map_element,
    members,
    own,
    plain,
    sequence_element,
)
from pclgen.stdlib.values import describe, integer, items, need_parts, need_text, text
from pclgen.types import model as ty
from pclgen.types.convert import unify_elements
from pclgen.types.show import with_article

# -- lists and texts --------------------------------------------------------------------------------------------------------

_FOLDED_RANGE = 100_000  # longer ranges are left to the program: their elements are worth nothing to the checker


def _element_result(arguments: Sequence[Argument]) -> ty.Type:
    index = arguments[1].value
    if isinstance(index, str):
        index = read_integer(index)  # None for a text that is no number, which the conversion of the argument reports

    def rule(t: ty.Type) -> ty.Type | None:
        if not isinstance(t, ty.TupleType):
            return t.element if isinstance(t, ty.ListType) else None
        if not t.elements:
            raise BadArgumentError(0, "this list has no elements", "`element` fails on an empty list")
        if index is UNKNOWN or index is None:
            return sequence_element(t)
        return t.elements[integer(index, 1) % len(t.elements)]

    return ty.without_const(each(arguments[0], rule, "a list"))


def _element_expects(arguments: Sequence[Argument]) -> tuple[ty.Type, ...]:
    return (own(arguments[0]), ty.INT)


def _element(value: Value, index: Value) -> Value:
    elements = items(value, 0)
    if not elements:
        raise BadArgumentError(0, "this list has no elements", "`element` fails on an empty list")
    return elements[integer(index, 1) % len(elements)]


def _length_result(arguments: Sequence[Argument]) -> ty.Type:
    def rule(t: ty.Type) -> ty.Type | None:
        if isinstance(t, ty.ListType | ty.MapType) or is_text(t) or members(t) is not None:
            return ty.INT
        return ty.INT if isinstance(t, ty.TupleType) else None

    each(arguments[0], rule, "a list, a map, an object or a string")
    t = plain(arguments[0].type)
    return ty.const_of(ty.INT, len(t.elements)) if isinstance(t, ty.TupleType) else ty.INT


def _length(value: Value) -> Value:
    if isinstance(value, str):
        from pclgen.stdlib.graphemes import grapheme_length

        return grapheme_length(value)
    if isinstance(value, list | dict):
        return len(value)
    raise BadArgumentError(0, f"expected a list, a map, an object or a string, found {describe(value)}")


def _join(separator: Value, strings: Value) -> Value:
    parts = items(strings, 1)
    if UNKNOWN in parts:
        return UNKNOWN
    if None in parts:
        raise BadArgumentError(1, f"expected strings, but element {parts.index(None)} is null")
    between, texts = text(separator, 0), [text(part, 1) for part in parts]
    need_text(len(between) * max(0, len(texts) - 1) + sum(map(len, texts)))
    return between.join(texts)


def _split(separator: Value, value: Value) -> Value:
    between, source = text(separator, 0), text(value, 1)
    need_parts(source.count(between) + 1)
    # As the reference host: an empty separator cuts into single characters.
    return list(source.split(between)) if between else list(source)


def _range(first: Value, end: Value = None) -> Value:
    start, stop = (0, integer(first, 0)) if end is None else (integer(first, 0), integer(end, 1))
    return list(range(start, stop)) if stop - start <= _FOLDED_RANGE else UNKNOWN


def _single_result(arguments: Sequence[Argument]) -> ty.Type:
    def rule(t: ty.Type) -> ty.Type | None:
        if isinstance(t, ty.TupleType) and not t.elements:
            return ty.NONE
        element = sequence_element(t)
        return None if element is None else ty.optional_of(ty.without_const(element))

    return each(arguments[0], rule, "a list")


def _single(value: Value) -> Value:
    elements = items(value, 0)
    if len(elements) > 1:
        raise BadArgumentError(0, f"expected at most one element, found {len(elements)}")
    return elements[0] if elements else None


def _own_first(arguments: Sequence[Argument]) -> tuple[ty.Type, ...]:
    return (own(arguments[0]),)


_SEQUENCES = (
    Function(
        name="element",
        doc="The element at an index modulo the length: index 3 of a list with three elements is the first.",
        result=_element_result,
        parameters=(
            Parameter(name="list", doc="A non-empty list.", kind="list"),
            Parameter(name="index", doc="An index from 0, modulo the length.", type=ty.INT),
        ),
        expects=_element_expects,
        implementation=_element,
        derives=Derivation.ELEMENT,
        named_after=0,
        untyped=True,
        example='element(["a", "b"], 3)',
    ),
    Function(
        name="length",
        doc="The number of elements of a list, map or object, or of user-perceived characters of a string.",
        result=_length_result,
        parameters=(Parameter(name="value", doc="A list, map, object or string.", kind=SIZED),),
        expects=_own_first,
        implementation=_length,
        example="length(zones)",
    ),
    Function(
        name="join",
        doc="The strings, joined by the separator.",
        result=lambda _: ty.STRING,
        parameters=(
            Parameter(name="separator", doc="The separator.", type=ty.STRING),
            Parameter(name="strings", doc="The strings.", type=ty.list_of(ty.STRING)),
        ),
        implementation=_join,
        example='join(", ", ["a", "b"])',
    ),
    Function(
        name="split",
        doc="The substrings between separators.",
        result=lambda _: ty.list_of(ty.STRING),
        parameters=(
            Parameter(name="separator", doc="The separator. An empty string splits after every character.", type=ty.STRING),
            Parameter(name="string", doc="The string to split.", type=ty.STRING),
        ),
        implementation=_split,
        example='split(",", "a,b")',
    ),
    Function(
        name="range",
        doc="The integers from 0 or the first argument up to the last argument, which is excluded.",
        result=lambda _: ty.list_of(ty.INT),
        parameters=(
            Parameter(name="fromOrTo", doc="The end if it is the only argument, otherwise the start.", type=ty.INT),
            Parameter(name="to", doc="The end, which is excluded.", type=ty.INT, optional=True, allow_null=True),
        ),
        implementation=_range,
        distinct=True,
        example="range(1, 4)",
    ),
    Function(
        name="singleOrNone",
        doc="The only element of a list, or null if the list is empty. Fails if the list has more elements.",
        result=_single_result,
        parameters=(Parameter(name="value", doc="A list with at most one element.", kind="list"),),
        expects=_own_first,
        implementation=_single,
        derives=Derivation.ONLY,
        untyped=True,
        example="singleOrNone(zones.ids)",
    ),
)


# -- maps and objects -------------------------------------------------------------------------------------------------------

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


_MAPS = (
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

FUNCTIONS = (*_SEQUENCES, *_MAPS)
