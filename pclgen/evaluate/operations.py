"""Operators, steps and templates on plain values.

Values are plain (`evaluate.values`), never outputs; a failure is a `FaultError`.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from pclgen.diagnostics import evaluation as say
from pclgen.evaluate.faults import FaultError
from pclgen.evaluate.values import HookRef, Raw, ResourceValue, Value
from pclgen.source.numbers import decimal_text
from pclgen.stdlib.model import UNKNOWN, Blob
from pclgen.stdlib.operators import arithmetic, negated, same
from pclgen.stdlib.values import need_text


def describe(value: Value) -> str:
    """A value's kind, for messages; short texts and numbers are shown."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int() | Decimal():
            return f"the number {decimal_text(value)}"
        case str():
            return f'the string "{value}"' if len(value) <= 40 else "a string"
        case list():
            return "a list"
        case dict():
            return "an object"
        case Blob():
            return "an archive" if value.constructor.lower().endswith("archive") else "an asset"
        case ResourceValue():
            return "a resource"
        case Raw():
            return "bytes that are not text"
        case HookRef():
            return "a hook"
        case _:
            return "a value"


def joined(*parts: str) -> str:
    """A template's text.  Raises `TooLargeError`."""
    need_text(sum(map(len, parts)))
    return "".join(parts)


def text_of(value: Value) -> str:
    """The text of a value inside a template. Raises `FaultError` for a value without a text."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case int() | Decimal():
            return decimal_text(value)
        case None:
            raise FaultError(lambda span: say.null_value("something with a text", span))
        case _:
            raise FaultError(lambda span: say.cannot_convert("a string", describe(value), span))


def step(value: Value, key: Value) -> Value:
    """`value[key]` of a list, a map or an object. Raises `FaultError` if there is no such element.

    A string is not an index of a list: binding converts strings that index a list of known type to numbers.
    """
    if value is UNKNOWN:
        return UNKNOWN
    if isinstance(value, list):
        index = _whole(key)
        if index is None or not 0 <= index < len(value):
            raise FaultError(lambda span: say.no_element(key, len(value), span))
        return value[index]
    if isinstance(value, dict):
        name = key if isinstance(key, str) else text_of(key)
        if name not in value:
            raise FaultError(lambda span: say.no_member(name, list(value), span))
        return value[name]
    if value is None:
        raise FaultError(lambda span: say.null_value(f"something with {_step_name(key)}", span))
    raise FaultError(lambda span: say.cannot_convert(f"something with {_step_name(key)}", describe(value), span))


def _whole(key: Value) -> int | None:
    if isinstance(key, bool) or not isinstance(key, int | Decimal):
        return None
    return int(key) if key == int(key) else None


def _step_name(key: Value) -> str:
    return f"a member `{key}`" if isinstance(key, str) else f"an element {key}"


def pairs(collection: Value) -> Sequence[tuple[Value, Value]]:
    """Keys and values in the order in which a loop visits them: a list from 0, a map by key."""
    if isinstance(collection, list):
        return list(enumerate(collection))
    if isinstance(collection, dict):
        return sorted(collection.items())
    if collection is None:
        raise FaultError(lambda span: say.null_value("a list or a map", span))
    raise FaultError(lambda span: say.cannot_convert("a list or a map", describe(collection), span))


def truth(value: Value) -> bool:
    """The bool of a condition."""
    if isinstance(value, bool):
        return value
    if value is None:
        raise FaultError(lambda span: say.null_value("a condition", span))
    raise FaultError(lambda span: say.cannot_convert("a bool", describe(value), span))


def unary(operator: str, value: Value) -> Value:
    """`-x` or `!x`."""
    return not truth(value) if operator == "!" else negated(_number(value))


def binary(operator: str, left: Value, right: Value) -> Value:
    """Apply any operator except `&&` and `||`, which may skip their right side."""
    if operator in ("==", "!="):
        return same(left, right) is (operator == "==")
    first, second = _number(left), _number(right)
    try:
        return arithmetic(operator, first, second)
    except ZeroDivisionError:
        raise FaultError(lambda span: say.bad_arithmetic("this divides by zero", span)) from None
    except OverflowError:
        raise FaultError(lambda span: say.bad_arithmetic("the result is too large for a number", span)) from None


def _number(value: Value) -> int | Decimal:
    if isinstance(value, int | Decimal) and not isinstance(value, bool):
        return value
    if value is None:
        raise FaultError(lambda span: say.null_value("a number", span))
    raise FaultError(lambda span: say.cannot_convert("a number", describe(value), span))
