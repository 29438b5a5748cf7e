"""Lists and texts: `element`, `length`, `join`, `split`, `range`, `singleOrNone`."""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.source.numbers import read_integer
from pclgen.stdlib.checks import SIZED
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
    members,
    own,
    plain,
    sequence_element,
)
from pclgen.stdlib.values import describe, integer, items, need_parts, need_text, text
from pclgen.types import model as ty

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


FUNCTIONS = (
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
