"""The functions `checked` and `kept`, which check a value at run time; no program can call them.

`checked` checks a value of unknown type where it meets a type (language.md, Values of any type). It requires a *kind*, a
text in generated code. The words of its failure are the same in the evaluator and in every language:

    main.pp:12:10: settings.size must be an int, and is the string "large"; it came from config settings.size (main.pp:3:1)

Lowering makes the calls of `checked`.

`kept` checks a value against a constraint (language.md, Constraints). Binding makes its calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final, Never

from pclgen.source.numbers import decimal_text, read_bool, read_integer, read_number
from pclgen.stdlib.model import UNKNOWN, BadArgumentError, Function, Parameter, Value
from pclgen.types import model as ty
from pclgen.types.convert import is_resource
from pclgen.types.model import STRING
from pclgen.types.rules import Rule, violation

# -- values of unknown type -------------------------------------------------------------------------------------------------

ANY: Final = "any"
COLLECTION: Final = "collection"
SIZED: Final = "sized"
_MEMBERS: Final = 12
_SHOWN: Final = 40
_PLAIN_KEY: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_PLAIN_TEXT: Final = re.compile(r"[A-Za-z0-9_.:/ -]+")
_ONE_OF: Final = "one of "
_EITHER: Final = "either("
_ALTERNATIVES: Final = ("bool", "int", "number", "string", "list", "object")
_SCALARS: Final[Mapping[ty.Type, str]] = {
    ty.STRING: "string",
    ty.ID: "string",
    ty.INT: "int",
    ty.NUMBER: "number",
    ty.BOOL: "bool",
}
_WORDS: Final[Mapping[str, str]] = {
    "string": "a string",
    "int": "an int",
    "number": "a number",
    "bool": "a bool",
    "object": "an object",
    "list": "a list",
    COLLECTION: "a list or a map",
    SIZED: "a string, a list or a map",
}


def kind_of(t: ty.Type, *, nullable: bool) -> str:
    """Return the kind that a check requires of a value for a place of type `t`.

    `any?` requires nothing; a `?` at the end allows null. Null inside of lists and maps is allowed, as in SDKs.
    """
    plain = ty.resolve(t)
    kind = _kind(ty.without_none(plain))
    return f"{kind}?" if nullable or ty.is_optional(plain) or kind == ANY else kind


def _kind(t: ty.Type) -> str:
    match t:
        case ty.EnumType() | ty.ConstType():
            return _kind_of_members(t)
        case ty.ListType():
            return f"list({_kind(ty.without_none(ty.resolve(t.element)))})"
        case ty.TupleType():
            return f"list({ANY})"
        case ty.MapType():
            return f"map({_kind(ty.without_none(ty.resolve(t.element)))})"
        case ty.ObjectType() | ty.NominalType():
            return ANY if is_resource(t) else "object"
        case ty.UnionType():
            return _kind_of_union(t)
        case _:
            return _SCALARS.get(t, ANY)


def _kind_of_members(t: ty.EnumType | ty.ConstType) -> str:
    values = [t.value] if isinstance(t, ty.ConstType) else [member.value for member in t.declaration.members]
    texts = [value for value in values if isinstance(value, str) and _PLAIN_TEXT.fullmatch(value)]
    if not 0 < len(texts) == len(values) <= _MEMBERS:
        return _kind(t.base)
    return _ONE_OF + "|".join(texts)


def _kind_of_union(t: ty.UnionType) -> str:
    """Return the one kind of all members; else their alternatives, without the kinds of elements."""
    kinds = {_kind(m.base) if isinstance(m, ty.EnumType | ty.ConstType) else _kind(m) for m in t.members if m is not ty.NONE}
    if len(kinds) == 1:
        return kinds.pop()
    outer = {re.sub(r"\(.*", "", kind).replace("map", "object") for kind in kinds}
    if not outer <= set(_ALTERNATIVES):
        return ANY
    return f"{_EITHER}{','.join(kind for kind in _ALTERNATIVES if kind in outer)})" if len(outer) > 1 else outer.pop()


def path_text(keys: Sequence[Value]) -> str:
    """Return steps as they are written: `.pool.sizes[0]["a b"]`."""
    return "".join([_step_text(key) for key in keys])


def _step_text(key: Value) -> str:
    if isinstance(key, str) and _PLAIN_KEY.fullmatch(key):
        return f".{key}"
    if isinstance(key, bool) or not isinstance(key, int | Decimal | str):
        return "[?]"
    return f'["{key}"]' if isinstance(key, str) else f"[{decimal_text(key)}]"


def describe(value: Value, *, secret: bool) -> str:
    """Return a description of a value that does not show values that may be secret."""
    match value:
        case None:
            return "null"
        case bool():
            return "a bool" if secret else "true" if value else "false"
        case int() | Decimal():
            return "a number" if secret else f"the number {decimal_text(value)}"
        case str():
            return "a string" if secret or len(value) > _SHOWN else f'the string "{value}"'
        case list():
            return "a list"
        case dict():
            return "an object"
        case _:
            return "a value"


def misfit(kind: str, value: Value, *, secret: bool) -> str:
    """Return the problem of a value that is not of a kind."""
    words = _words(kind)
    return "is not set" if value is None else f"must be {words}, and is {describe(value, secret=secret)}"


def _words(kind: str) -> str:
    if kind.startswith(_ONE_OF):
        return _ONE_OF + ", ".join(f'"{member}"' for member in kind.removeprefix(_ONE_OF).split("|"))
    if kind.startswith(_EITHER):
        *first, last = [_WORDS[alternative] for alternative in alternatives(kind)]
        return f"{', '.join(first)} or {last}"
    return _WORDS.get(kind) or ("a list" if kind.startswith("list(") else "an object")


def alternatives(kind: str) -> list[str]:
    """Return the kinds that `either(…)` lists."""
    return kind.removeprefix(_EITHER).removesuffix(")").split(",")


def no_step(value: Value, key: Value, *, secret: bool) -> str:
    """Return the problem of a value that lacks the target of a step."""
    if isinstance(value, dict):
        return f"has no member {_member_text(key, secret=secret)}"
    if isinstance(value, list):
        elements = "1 element" if len(value) == 1 else f"{len(value)} elements"
        return f"has {elements}, and none at {_step_text(key)}"
    if value is None:
        return "is not set"
    shape = "an object" if isinstance(key, str) else "a list"
    return f"must be {shape}, and is {describe(value, secret=secret)}"


def _member_text(key: Value, *, secret: bool) -> str:
    match key:
        case str():
            return f'"{key}"'
        case bool():
            return f'"{str(key).lower()}"'
        case int() | Decimal():
            return f'"{decimal_text(key)}"'
        case _:
            return f"for {describe(key, secret=secret)}"


def blamed(used: str, at: str, problem: str, origin: str) -> str:
    """Return the whole sentence.

    `used` is the position and the name of the checked value, `at` the path inside of it, `origin` the value's source, with
    its position in parentheses at the end (empty: unknown).
    """
    text = f"{used}{at} {problem}"
    return f"{text}; it came from {inside(origin, at)}" if origin else text


def inside(origin: str, at: str) -> str:
    """Return the origin of the value at the path `at` inside of a value from `origin`."""
    source, _, entered = origin.rpartition(" (")
    return f"{source}{at} ({entered}" if origin else ""


class Check:
    """One check, with the words of its failure.  Raises `BadArgumentError`."""

    def __init__(self, used: str, origin: str, *, secret: bool) -> None:
        self._used, self._origin, self._secret = used, origin, secret

    def require(self, value: Value, kind: str, at: str) -> Value:
        """Return `value` as a value of a kind, which may allow null."""
        if kind.endswith("?"):
            return None if value is None else self.fit(value, kind[:-1], at)
        return self.fit(value, kind, at)

    def fail(self, at: str, problem: str) -> Never:
        """Refuse the value at `at`."""
        raise BadArgumentError(0, blamed(self._used, at, problem, self._origin))

    def take(self, value: Value, key: Value, at: str) -> Value:
        """Take one step."""
        name = decimal_text(key) if isinstance(key, int | Decimal) and not isinstance(key, bool) else key
        if isinstance(value, dict) and name in value:
            return value[name]
        if isinstance(value, list) and _is_position(key, len(value)):
            return value[int(key)]  # type: ignore[call-overload]  # _is_position has looked
        return self.fail(at, no_step(value, key, secret=self._secret))

    def fit(self, value: Value, kind: str, at: str) -> Value:
        """Return `value` as a value of a kind."""
        if kind == ANY or not isinstance(value, bool | int | Decimal | str | list | dict | None):
            return value  # unknown, or no value of PCL: its consumer checks it
        if kind.startswith("list(") and isinstance(value, list):
            return [None if v is None else self.fit(v, kind[5:-1], f"{at}[{i}]") for i, v in enumerate(value)]
        if kind.startswith("map(") and isinstance(value, dict):
            inner = kind[4:-1]
            members = sorted(value.items())
            return {k: None if v is None else self.fit(v, inner, at + _step_text(k)) for k, v in members}
        if kind.startswith(_EITHER):
            own = next((alternative for alternative in alternatives(kind) if _is_of(value, alternative)), None)
            return value if own is not None else self._converted(value, kind, at)
        is_large = isinstance(value, list | dict)
        if (kind in ("object", "list") and _is_of(value, kind)) or (kind in (COLLECTION, SIZED) and is_large):
            return value
        scalar = _scalar(value, kind)
        if scalar is None:
            self.fail(at, misfit(kind, value, secret=self._secret))
        return scalar


    def _converted(self, value: Value, kind: str, at: str) -> Value:
        """Return a value of none of several kinds, converted by the first kind that can."""
        scalars = (_scalar(value, alternative) for alternative in alternatives(kind))
        converted = next((scalar for scalar in scalars if scalar is not None), None)
        return converted if converted is not None else self.fail(at, misfit(kind, value, secret=self._secret))


def _is_of(value: Value, kind: str) -> bool:
    """Return whether a value is of a kind without a conversion."""
    match value:
        case bool():
            return kind == "bool"
        case int() | Decimal():
            return kind == "number" or (kind == "int" and value == int(value))
        case str():
            return kind == "string"
        case _:
            return kind == ("list" if isinstance(value, list) else "object" if isinstance(value, dict) else "")


def _is_position(key: Value, length: int) -> bool:
    if isinstance(key, bool) or not isinstance(key, int | Decimal):
        return False
    return key == int(key) and 0 <= key < length


def _scalar(value: Value, kind: str) -> Value:
    """Return `value` as a scalar of a kind; None if it is no such scalar."""
    if kind.startswith(_ONE_OF):
        text = _scalar(value, "string")
        return text if text in kind.removeprefix(_ONE_OF).split("|") else None
    match kind, value:
        case "bool", bool():
            return value
        case "bool", str():
            return read_bool(value)
        case "string", bool():
            return "true" if value else "false"
        case "string", int() | Decimal():
            return decimal_text(value)
        case ("string" | "sized"), str():
            return value
        case ("int" | "number"), bool():
            return None
        case "number", int() | Decimal():
            return value
        case "int", int() | Decimal():
            return int(value) if value == int(value) else None
        case "number", str():
            return read_number(value)
        case "int", str():
            return read_integer(value)
        case _:
            return None


def _checked(value: Value, path: Value, kind: Value, *context: Value) -> Value:
    used, origin, *secret = context
    assert isinstance(path, list) and isinstance(kind, str) and isinstance(used, str) and isinstance(origin, str)
    check = Check(used, origin, secret=secret == [True])
    for index, key in enumerate(path):
        if value is UNKNOWN:
            return UNKNOWN
        value = check.take(value, key, path_text(path[:index]))
    return check.require(value, kind, path_text(path))


CHECKED: Final = Function(
    name="checked",
    doc="The value at the end of a path of what has no type, as the kind that its use needs.",
    result=lambda arguments: ty.DYNAMIC,
    parameters=(
        Parameter(name="value", doc="Where the path begins.", allow_null=True),
        Parameter(name="path", doc="Names and positions.", type=ty.list_of(ty.DYNAMIC)),
        Parameter(name="kind", doc="What the end has to be.", type=ty.STRING),
        Parameter(name="used", doc="The place of the use, and the name of the value.", type=ty.STRING),
        Parameter(name="origin", doc="Where the value entered the program.", type=ty.STRING),
        Parameter(name="secret", doc="Whether it must not be shown.", type=ty.BOOL, optional=True),
    ),
    implementation=_checked,
)
"""The call that lowering inserts where a value of unknown type is used; it is not a function of PCL."""


# -- constraints ------------------------------------------------------------------------------------------------------------

@lru_cache(maxsize=1000)
def read_rule(text: str) -> Rule:
    """Return the rule that the third argument contains as JSON."""
    rule = json.loads(text)
    assert isinstance(rule, Mapping)
    return rule


def rule_text(rule: Rule) -> str:
    """Return a rule as JSON, for the third argument and for generated Go code."""
    return json.dumps(rule, ensure_ascii=False, sort_keys=True)


def _holds_unknown(value: Value) -> bool:
    if isinstance(value, list):
        return any(map(_holds_unknown, value))
    return value is UNKNOWN or (isinstance(value, dict) and any(map(_holds_unknown, value.values())))


def _constrained(value: Value, where: str, text: str) -> Value:
    rule = read_rule(text)
    problem = None if _holds_unknown(value) else violation(value, rule, where, shown=not rule.get("hidden"))
    if problem is not None:
        raise BadArgumentError(0, problem)
    return value


KEPT = Function(
    name="kept",
    doc="The value, if it satisfies the rule.",
    result=lambda arguments: arguments[0].type,
    parameters=(
        Parameter(name="value", doc="The value to check.", allow_null=True),
        Parameter(name="where", doc="The name of the value's position in messages.", type=STRING),
        Parameter(name="rule", doc="A JSON Schema with the keywords of `types.rules`.", type=STRING),
    ),
    implementation=_constrained,
    untyped=True,
)
