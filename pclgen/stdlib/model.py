"""The model of a built-in function, of its result rules and of its calls, in the manner of cty's `function.Spec`.

The topic files of this package hold the specifications. `bind` reads arity, argument types, result type and constant
folding; `lower` reads which arguments may stay eventual; each target and the evaluator have an implementation.

A result rule sees the arguments as types *and known values* and returns the plain result type; making it eventual is
the caller's job, by `lifting` (language.md, Calls). Result rules share the functions that read the shape of an argument:
these see its type without option, constant and eventual, one alternative of a union at a time. `BadArgumentError` names the
function's requirement.

The checker, constant folding and the evaluator share the functions for a call: its arity, its expected types, its result on
known values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum, StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from msgspec import Struct, field

from pclgen.types import model as ty
from pclgen.types.convert import element_type, is_resource, member_type, members_of, unify
from pclgen.types.model import DYNAMIC, Type
from pclgen.types.show import show, with_article

SEPARATOR: Final = "::"
"""The separator between the name of a pack and the name of its function."""
ENDINGS: Final = MappingProxyType({"python": ".py", "typescript": ".ts", "go": ".go"})
"""The endings of the files of a pack, by language."""


class Unknown(Enum):
    """The value of an argument that is not a constant.  Not a `StrEnum`: it must not equal the text "unknown"."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN


class Blob(Struct, frozen=True, kw_only=True):
    """A known asset or archive: its constructor, and the constructor's argument."""

    constructor: str
    source: object


Value: TypeAlias = object
"""A known value: None, bool, int, Decimal, str, list[Value], dict[str, Value], Blob; or UNKNOWN."""


class Lifting(StrEnum):
    """The treatment of eventual arguments.

    LIFT: the call runs on resolved arguments, and its result is eventual when an argument is.  OUTPUT: it takes its
    arguments as they are and always returns an output (`secret`).  KEEP: it takes them as they are, and its result is
    eventual when an argument is (`toJSON`).  NEVER: the result is never eventual (`pulumiResourceName`).
    """

    LIFT = "lift"
    OUTPUT = "output"
    KEEP = "keep"
    NEVER = "never"


class Derivation(StrEnum):
    """How the result of a function derives from its arguments.

    NEW: a value of its own.  ARGUMENT: an argument as it is, by default the first (`try`, `secret`).  ONLY: the only element
    of the first argument.  ELEMENT: an element of the first argument, at a key.  ENTRIES: its elements with their keys.
    CHOICE: one of the arguments, chosen by value (`max`).  FILE: the content of the file that the first argument names.
    """

    NEW = "new"
    ARGUMENT = "argument"
    ONLY = "only"
    ELEMENT = "element"
    ENTRIES = "entries"
    CHOICE = "choice"
    FILE = "file"

    @property
    def forwards(self) -> bool:
        """Whether the result is an argument, or elements of an argument, in the arguments' own representation."""
        return self in (Derivation.ARGUMENT, Derivation.ONLY, Derivation.ELEMENT, Derivation.ENTRIES)


class BadArgumentError(Exception):
    """A result rule or implementation refuses argument `index` (0-based).

    `reason` is a message for the reader of a diagnostic that starts with the expectation; `hint` suggests a correction.
    `in_some_cases`: some types that the argument may have would do.
    """

    def __init__(self, index: int, reason: str, hint: str | None = None, *, in_some_cases: bool = False) -> None:
        super().__init__(reason)
        self.index = index
        self.reason = reason
        self.hint = hint
        self.in_some_cases = in_some_cases


class Argument(Struct, frozen=True, kw_only=True):
    """An argument as a result rule sees it: its resolved type, and its value when that is a constant."""

    type: Type
    value: Value = UNKNOWN
    eventual: bool = False


class Parameter(Struct, frozen=True, kw_only=True):
    """A parameter.  `type` DYNAMIC takes anything; `lazy` arguments may fail without failing the call (`try`).

    As in cty: null is an error unless `allow_null`; an argument that is UNKNOWN makes the result UNKNOWN unless
    `allow_unknown`.  Parts of a list or an object may be UNKNOWN in any case: implementations pass them on.  `kind` is
    the required kind of a value of unknown type, where `type` does not state it (`stdlib.checks`).
    """

    name: str
    doc: str
    type: Type = DYNAMIC
    optional: bool = False
    allow_null: bool = False
    allow_unknown: bool = False
    lazy: bool = False
    kind: str = ""


class Spelling(Struct, frozen=True, kw_only=True):
    """The name of a pack's function in the pack's file of one language; `fails`: in Go it also returns an error."""

    name: str
    fails: bool = False


class Home(Struct, frozen=True, kw_only=True, eq=False):
    """A function's pack: its name in the configuration, its files by language, and the files that they were read from."""

    name: str
    files: Mapping[str, str]
    read_from: tuple[Path, ...] = ()


class Function(Struct, frozen=True, kw_only=True, eq=False):
    """One function: a built-in function, or a pack's function, which has a `home` and is `spelled` in some languages.

    `result` raises `BadArgumentError` for an argument of the wrong shape; it is called with the right number of arguments.
    `expects` returns the expected types of the arguments, where these depend on each other (`max(1, x)`); without it they
    are those of the parameters (`stdlib.model.expected_types` combines both).

    `implementation` is pure and takes known values (raising `BadArgumentError`); it is None where the result depends on the
    deployment or on files (`impure` names that dependency), so that it is never folded.

    Passes and targets ask for traits, never for names: `derives`; `named_after`, the index of the argument that gives the
    result its variable name; `distinct`, for a list without equal elements; `untyped`, where the type of the result is
    unknown to type checkers in languages with a helper or SDK function for any value.
    """

    name: str
    doc: str
    result: Callable[[Sequence[Argument]], Type]
    parameters: tuple[Parameter, ...] = ()
    variadic: Parameter | None = None
    lifting: Lifting = Lifting.LIFT
    expects: Callable[[Sequence[Argument]], tuple[Type, ...]] | None = None
    implementation: Callable[..., Value] | None = None
    impure: str = ""
    derives: Derivation = Derivation.NEW
    named_after: int | None = None
    distinct: bool = False
    untyped: bool = False
    example: str = ""
    spelled: Mapping[str, Spelling] = field(default_factory=dict)
    home: Home | None = None


# -- shapes of arguments ----------------------------------------------------------------------------------------------------

Rule: TypeAlias = Callable[[ty.Type], ty.Type | None]
"""The result for one alternative of an argument's type; None when the function does not take it."""


def plain(t: ty.Type) -> ty.Type:
    """Return the type of values of `t` at run time: no eventual, no option, no constant; enums by their base."""
    t = ty.without_none(ty.resolve(t))
    while isinstance(t, ty.ConstType | ty.EnumType):
        t = t.base
    return t


def each(argument: Argument, rule: Rule, needs: str) -> ty.Type:
    """Apply `rule` to the alternatives of the type of a function's first argument, and unify; dynamic stays dynamic.

    Raises `BadArgumentError` with "needs …" when an alternative does not fit, and for an argument that is only ever null.
    """
    t = plain(argument.type)
    if t is ty.DYNAMIC or t is ty.ERROR:
        return t
    cases = t.members if isinstance(t, ty.UnionType) else (t,)
    results = [rule(plain(case)) for case in cases]
    if None in results:
        misfit = cases[results.index(None)]
        in_some_cases = any(result is not None for result in results)
        raise BadArgumentError(0, f"expected {needs}, found {_actual(t)}", _advice(misfit), in_some_cases=in_some_cases)
    return unify([result for result in results if result is not None])


def own(argument: Argument) -> ty.Type:
    """Return the expected type of a generic argument: its own, but never null."""
    return ty.without_none(argument.type) if argument.type is not ty.NONE else argument.type


def sequence_element(t: ty.Type) -> ty.Type | None:
    """Return the element type of a list, set or tuple; dynamic for an empty tuple."""
    return element_type(t) if isinstance(t, ty.ListType | ty.TupleType) else None


def members(t: ty.Type) -> Mapping[str, ty.Type] | None:
    """Return the members of an object that is data; None for resources and everything else."""
    return None if is_resource(t) or not isinstance(t, ty.ObjectType | ty.NominalType) else members_of(t)


def map_element(t: ty.Type) -> ty.Type | None:
    """Return the type of any value of a map or object; dynamic for an empty object."""
    if isinstance(t, ty.MapType):
        return t.element
    by_name = members(t)
    return None if by_name is None else ty.resolve(member_type(by_name.values()))


def is_text(t: ty.Type) -> bool:
    """Return whether values of a `plain` type are strings."""
    return t is ty.STRING or t is ty.ID


def is_integer(t: ty.Type) -> bool:
    """Return whether every value of `t` is an integer by its type."""
    t = plain(t)
    if isinstance(t, ty.UnionType):
        return all(is_integer(member) for member in t.members)
    return t is ty.INT


def _actual(t: ty.Type) -> str:
    if t is ty.NONE:
        return "null"
    return f"the resource {show(t)}" if is_resource(t) else with_article(t)


def _advice(t: ty.Type) -> str | None:
    return "name one of its properties, as in `resource.property`" if is_resource(t) else None


# -- calls ------------------------------------------------------------------------------------------------------------------

def arity(function: Function) -> tuple[int, int | None]:
    """Return the minimum and the maximum number of arguments; None when there is no maximum."""
    required = sum(not parameter.optional for parameter in function.parameters)
    return required, None if function.variadic is not None else len(function.parameters)


def parameter_at(function: Function, index: int) -> Parameter | None:
    """Return the parameter of argument `index` (from 0); None when there are too many arguments."""
    if index < len(function.parameters):
        return function.parameters[index]
    return function.variadic


def signature(function: Function) -> str:
    """Return the signature for messages: `lookup(map, key, default?)`, `max(first, rest…)`."""
    parts = [p.name + ("?" if p.optional else "") for p in function.parameters]
    if function.variadic is not None:
        parts.append(f"{function.variadic.name}…")
    return f"{function.name}({', '.join(parts)})"


def expected_types(function: Function, arguments: Sequence[Argument]) -> tuple[Type, ...]:
    """Return the expected type of each argument; DYNAMIC takes any value unchanged.

    The number of arguments must be right.  Raises `BadArgumentError` where `result` would.
    """
    if function.expects is not None:
        return function.expects(arguments)
    parameters = (parameter_at(function, index) for index in range(len(arguments)))
    return tuple(DYNAMIC if parameter is None else parameter.type for parameter in parameters)


def evaluate(function: Function, values: Sequence[Value]) -> Value:
    """Return the result for known values; UNKNOWN when an argument is unknown or the function is never folded.

    Values must have the types of `expected_types`.  Raises `BadArgumentError` for null where it is not allowed and for
    values that the function refuses.
    """
    if function.implementation is None:
        return UNKNOWN
    is_known = True
    for index, value in enumerate(values):
        parameter = parameter_at(function, index)
        if parameter is None:
            raise BadArgumentError(index, f"expected {len(function.parameters)} arguments: {signature(function)}")
        if value is None and not parameter.allow_null:
            raise BadArgumentError(index, f"`{parameter.name}` of `{function.name}` cannot be null")
        if value is UNKNOWN and not parameter.allow_unknown:
            is_known = False
    return function.implementation(*values) if is_known else UNKNOWN
