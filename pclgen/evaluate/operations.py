"""Operations on values: operators, steps, templates and conversions.

Operators, steps and templates take plain values (`evaluate.values`), never outputs; a failure is a `FaultError`.

Conversions are those of `Convert` nodes (language.md, Conversions). A converted value has outputs where the value has them;
an impossible conversion raises `FaultError`. Unrestricted parts stay as they are. Null stays null: it is a value of every
type until an operation needs another value. A value that must be set, and is not, raises `FaultError` with the message of
generated code.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from pclgen.diagnostics import evaluation as say
from pclgen.evaluate.faults import FaultError, Unread
from pclgen.evaluate.values import HookRef, Output, Raw, ResourceValue, Value, apply, in_parts
from pclgen.source.numbers import decimal_text, read_bool, read_integer, read_number
from pclgen.stdlib.model import UNKNOWN, Blob
from pclgen.stdlib.values import arithmetic, need_text, negated, same
from pclgen.types import model as ty
from pclgen.types.convert import is_resource
from pclgen.types.show import with_article
from pclgen.types.traverse import required_names

# -- operators, steps and templates -----------------------------------------------------------------------------------------


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


# -- conversions ------------------------------------------------------------------------------------------------------------


def convert(value: Value, target: ty.Type) -> Value:
    """Convert `value` to `target`."""
    while isinstance(target, ty.OutputType | ty.PromiseType | ty.InputType):
        target = target.element
    if isinstance(value, Output) and value.parts is not None:
        return in_parts(convert(value.parts, target))
    if isinstance(value, Output):
        return apply((value,), lambda plain: convert(plain, target))
    if value is UNKNOWN or value is None or isinstance(value, ResourceValue) or target in (ty.DYNAMIC, ty.ERROR):
        return value
    return _present(value, ty.without_none(target))


def _present(value: Value, target: ty.Type) -> Value:
    match target:
        case ty.ConstType() | ty.EnumType():
            return convert(value, target.base)
        case ty.ListType():
            return [convert(element, target.element) for element in _list(value, target)]
        case ty.TupleType():
            return _tuple(value, target)
        case ty.MapType():
            return {key: convert(member, target.element) for key, member in _object(value, target).items()}
        case ty.ObjectType():
            members = _object(value, target)
            # A missing optional member stays missing: it differs from an explicit null.
            return {name: convert(members[name], member) for name, member in target.members.items() if name in members}
        case ty.NominalType():
            return value if is_resource(target) else _declared(value, target)
        case ty.UnionType():
            return _union(value, target)
        case ty.PrimitiveType():
            return _primitive(value, target)
        case _:
            return value


def _list(value: Value, target: ty.Type) -> list[Value]:
    if not isinstance(value, list):
        raise _misfit(value, target)
    return value


def _object(value: Value, target: ty.Type) -> dict[str, Value]:
    if not isinstance(value, dict):
        raise _misfit(value, target)
    return value


def _misfit(value: Value, target: ty.Type) -> FaultError:
    unread = Unread(value, target.kind) if isinstance(value, str) and isinstance(target, ty.PrimitiveType) else None
    return FaultError(lambda span: say.cannot_convert(with_article(target), describe(value), span), unread=unread)


def _tuple(value: Value, target: ty.TupleType) -> Value:
    elements = _list(value, target)
    if len(elements) != len(target.elements):
        raise _misfit(value, target)
    return [convert(element, t) for element, t in zip(elements, target.elements, strict=True)]


def _declared(value: Value, target: ty.NominalType) -> Value:
    members = _object(value, target)
    fields = target.declaration.fields(target.shape)
    return {name: convert(member, fields[name].type) if name in fields else member for name, member in members.items()}


def _union(value: Value, target: ty.UnionType) -> Value:
    """The value itself if a member accepts it, else its conversion to the first possible member."""
    if any(_is_of(value, member) for member in target.members):
        return value
    for member in target.members:
        try:
            return convert(value, member)
        except FaultError:
            continue
    raise _misfit(value, target)


def _is_of(value: Value, t: ty.Type) -> bool:
    """Return whether `value` is a scalar of scalar type `t`, or a structure of that kind."""
    match t:
        case ty.ConstType() | ty.EnumType():
            return _is_of(value, t.base)
        case ty.ListType() | ty.TupleType():
            return isinstance(value, list)
        case ty.MapType() | ty.ObjectType() | ty.NominalType():
            return isinstance(value, dict)
        case _:
            if isinstance(value, bool):
                return t is ty.BOOL
            if isinstance(value, int | Decimal):
                return t is ty.NUMBER or (t is ty.INT and value == int(value))
            return t in (ty.STRING, ty.ID) if isinstance(value, str) else t is not ty.NONE


def _primitive(value: Value, target: ty.PrimitiveType) -> Value:
    if target in (ty.STRING, ty.ID):
        return text_of(value)
    if target is ty.BOOL:
        return _bool(value)
    if target in (ty.INT, ty.NUMBER):
        return _to_number(value, target)
    return value


def _bool(value: Value) -> Value:
    truth = read_bool(value) if isinstance(value, str) else value
    if isinstance(truth, bool):
        return truth
    raise _misfit(value, ty.BOOL)


def _to_number(value: Value, target: ty.PrimitiveType) -> Value:
    number = value
    if isinstance(value, str):
        number = read_integer(value) if target is ty.INT else read_number(value)
    if isinstance(number, bool) or not isinstance(number, int | Decimal):
        raise _misfit(value, target)
    if number == int(number):
        return int(number)
    if target is ty.INT:
        raise _misfit(value, target)
    return number


def all_set(value: Value, actual: ty.Type, expected: ty.Type, problem: str) -> Value:
    """Return `value` of type `actual`; fail with `problem` if it or a part is null where `expected` allows no null."""
    if isinstance(value, Output):
        return apply((value,), lambda plain: all_set(plain, actual, expected, problem))
    _check(value, ty.resolve(actual), ty.resolve(expected), problem)
    return value


def _check(value: Value, actual: ty.Type, expected: ty.Type, problem: str) -> None:
    if value is None:
        if ty.loses_null(expected, actual):
            raise FaultError(lambda span: say.unset(problem, span))
        return
    actual, expected = ty.without_none(actual), ty.without_none(expected)
    if actual is expected:
        return
    if isinstance(value, list) and isinstance(expected, ty.ListType):
        for at, element in enumerate(value):
            part = actual.elements[at] if isinstance(actual, ty.TupleType) else getattr(actual, "element", expected.element)
            _check(element, part, expected.element, problem)
    elif isinstance(value, list) and isinstance(expected, ty.TupleType) and isinstance(actual, ty.TupleType):
        for element, h, w in zip(value, actual.elements, expected.elements, strict=False):
            _check(element, h, w, problem)
    elif isinstance(value, dict) and isinstance(expected, ty.MapType):
        for name, member in value.items():
            part = actual.members.get(name) if isinstance(actual, ty.ObjectType) else getattr(actual, "element", None)
            _check(member, part or expected.element, expected.element, problem)
    elif isinstance(value, dict) and isinstance(expected, ty.ObjectType) and isinstance(actual, ty.ObjectType):
        for name, w in expected.members.items():
            _check(value.get(name), actual.members.get(name, w), w, problem)


def check_members(value: Value, declared: ty.Type, place: str) -> None:
    """Check that the required members of a configured value are set; `place` is the path of the value."""
    _check_members(value, ty.without_none(ty.resolve(declared)), place)


def _check_members(value: Value, declared: ty.Type, place: str) -> None:
    if isinstance(declared, ty.ObjectType) and isinstance(value, dict):
        missing = next((name for name in required_names(declared) if value.get(name) is None), None)
        if missing is not None:
            raise FaultError(lambda span: say.unset(f"{place}.{missing} is not set", span))
        for name, member in declared.members.items():
            _check_members(value.get(name), ty.without_none(member), f"{place}.{name}")
    elif isinstance(declared, ty.MapType) and isinstance(value, dict):
        for name, element in sorted(value.items()):
            _check_members(element, ty.without_none(declared.element), f"{place}.{name}")
    elif isinstance(declared, ty.ListType) and isinstance(value, list):
        for at, element in enumerate(value):
            _check_members(element, ty.without_none(declared.element), f"{place}[{at}]")
