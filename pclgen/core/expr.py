"""Typed expressions: the one expression language of every phase after binding.

`bind` builds expressions in which every reference is resolved, every implicit conversion is an explicit `Convert` and every
node knows its type. `lower` rewrites the same nodes and adds `Apply` and `All`; after it, operators, calls and plain
positions see only plain operands (`core.check` contains the rules). With one language for both sides an evaluator can run a
program before and after lowering and compare.

    "${site.id}-${n + 1}"     Template(parts=(Attr(Ref(site), "id"), Literal("-"), Binary("+", Ref(n), Literal(1))),
                                       type=output(string))

Nodes are compared by identity and never changed.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from enum import StrEnum
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import force_setattr

from pclgen.source.text import Span
from pclgen.stdlib.model import Function
from pclgen.types.declarations import Field, FunctionDecl
from pclgen.types.model import Type

LiteralValue: TypeAlias = "bool | int | Decimal | str | None"


class SymbolKind(StrEnum):
    """The kind of entity that a name denotes."""

    CONFIG = "config"
    LOCAL = "local"
    RESOURCE = "resource"
    COMPONENT = "component"
    HOOK = "hook"
    OUTPUT = "output"
    LOOP = "loop variable"
    RANGE_KEY = "range.key"
    RANGE_VALUE = "range.value"
    HOOK_ARGS = "args"
    FAILURE = "error"  # the error text in `recover`
    PARAMETER = "parameter"  # of an Apply; created by lowering


class Symbol(Struct, frozen=True, kw_only=True, eq=False):
    """A declared name, compared by identity.  `name` is as written in PCL, or a base name for parameters."""

    name: str
    kind: SymbolKind
    type: Type
    span: Span


class Comments(Struct, frozen=True, kw_only=True):
    """Comment texts (one string per line, marks removed) around a piece of source."""

    leading: tuple[str, ...] = ()
    trailing: tuple[str, ...] = ()


NO_COMMENTS = Comments()
GAP: Final = "\n"
"""The line of comment text where an empty line separates two comments.  An empty line inside one comment is `""`."""


class Literal(Struct, frozen=True, kw_only=True, eq=False):
    """A constant.  With an `EnumType` its value is the value of a member; with a const type it is that constant."""

    value: LiteralValue
    type: Type
    span: Span
    multiline: bool = False  # the source was a heredoc: printers may keep its line structure


class Ref(Struct, frozen=True, kw_only=True, eq=False):
    """A reference to a symbol."""

    symbol: Symbol
    type: Type
    span: Span


class Attr(Struct, frozen=True, kw_only=True, eq=False):
    """`source.name`, also for literal string keys of objects; `field` is set if a package declares the source.

    `name` is the wire name.  The source may be an output: the SDK lifts the step (before lowering, it may need an
    apply).  `proved`: the step is evaluated only where a condition has shown that the source does not lack the member.
    """

    source: Expr
    name: str
    field: Field | None
    type: Type
    span: Span
    proved: bool = False


class Index(Struct, frozen=True, kw_only=True, eq=False):
    """`source[key]` on lists (int key) and maps (string key)."""

    source: Expr
    key: Expr
    type: Type
    span: Span


class ListExpr(Struct, frozen=True, kw_only=True, eq=False):
    """`[a, b]`; `comments` has one entry per element (or is empty)."""

    elements: tuple[Expr, ...]
    type: Type
    span: Span
    comments: tuple[Comments, ...] = ()
    closing: tuple[str, ...] = ()


class ObjectItem(Struct, frozen=True, kw_only=True, eq=False):
    """`key = value`; the key of a declared or structural object is a string `Literal`.  `field` is set if declared.

    `when` is a plain bool; if false, the object lacks the item, and `value` is not evaluated.  Only maps have such items,
    and their keys are literals.
    """

    key: Expr
    value: Expr
    span: Span
    field: Field | None = None
    comments: Comments = NO_COMMENTS
    when: Expr | None = None


def item_parts(item: ObjectItem) -> tuple[Expr, ...]:
    """The expressions in `item`, in source order."""
    return (item.key, item.value) if item.when is None else (item.key, item.value, item.when)


class ObjectExpr(Struct, frozen=True, kw_only=True, eq=False):
    """`{k = v}`: the type is a map, a structural object or a declared object (`NominalType`).

    `parts` follow from `items`: the expressions in them, in source order.
    """

    items: tuple[ObjectItem, ...]
    type: Type
    span: Span
    closing: tuple[str, ...] = ()
    parts: tuple[Expr, ...] = ()

    def __post_init__(self) -> None:
        force_setattr(self, "parts", tuple([part for item in self.items for part in item_parts(item)]))


class Template(Struct, frozen=True, kw_only=True, eq=False):
    """Text with holes, from string `Literal`s and expressions.  An output type marks an interpolation over eventuals."""

    parts: tuple[Expr, ...]
    type: Type
    span: Span
    multiline: bool = False


class Unary(Struct, frozen=True, kw_only=True, eq=False):
    """`-x` (number) or `!x` (bool)."""

    operator: str
    operand: Expr
    type: Type
    span: Span


class Binary(Struct, frozen=True, kw_only=True, eq=False):
    """`+ - * / %`, comparison, equality, `&& ||`."""

    operator: str
    left: Expr
    right: Expr
    type: Type
    span: Span


class Conditional(Struct, frozen=True, kw_only=True, eq=False):
    """`condition ? then : otherwise`: only the chosen branch is evaluated."""

    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type
    span: Span


class For(Struct, frozen=True, kw_only=True, eq=False):
    """List comprehension (`result_key` None) or object comprehension; maps are iterated in key order.

    `group` collects the values of equal keys into lists.  `splat` marks `xs[*].a`.  A splat over a single value is bound as
    a one-element list.
    """

    collection: Expr
    key: Symbol | None = None  # None if the program does not name it
    value: Symbol
    result_key: Expr | None = None
    result: Expr
    condition: Expr | None = None
    group: bool = False
    splat: bool = False
    type: Type
    span: Span


class Call(Struct, frozen=True, kw_only=True, eq=False):
    """A call of a built-in function.  With `expand`, the last argument is a list of the remaining arguments.

    `failure` is the symbol of the error in the second argument of `recover`.
    """

    function: Function
    args: tuple[Expr, ...]
    expand: bool
    type: Type
    span: Span
    failure: Symbol | None = None


class Invoke(Struct, frozen=True, kw_only=True, eq=False):
    """A call of a provider function.

    `args` is an object of `declaration` FUNCTION_INPUTS (PLAIN shape, or INPUT in the output form), None if the function
    has no parameters or the program passes no arguments.  `output_form` selects the Output version.  `function` is None for
    unknown functions in lenient mode; `token` is as the schema writes it (as written in the program, if unknown).
    """

    token: str
    function: FunctionDecl | None
    args: Expr | None
    options: Mapping[str, Expr]
    output_form: bool
    type: Type
    span: Span


class MethodCall(Struct, frozen=True, kw_only=True, eq=False):
    """`call(receiver, "method", {…})`."""

    receiver: Expr
    name: str
    method: FunctionDecl
    args: Expr | None
    type: Type
    span: Span


class Convert(Struct, frozen=True, kw_only=True, eq=False):
    """A conversion of `value` to `type` that changes the value (text to number, text to enum member, …) or removes null.

    Passing a plain value where an input is expected is not a conversion.

    `unset` is the message of the failure if the value, or a part of it, is null where `type` is not optional:
    `main.pp:12:9: gateway is not set`.  It is None if that cannot happen: a condition excludes null (`narrowed`), or only
    parts of a forwarded output may be null.  If only an empty loop or range excludes null, type checkers cannot see it
    (`hidden`): `range = size == null ? 0 : 1`.
    """

    value: Expr
    type: Type
    span: Span
    unset: str | None = None
    narrowed: bool = False
    hidden: bool = False


class PropertyPath(Struct, frozen=True, kw_only=True, eq=False):
    """A property path of an option (`ignoreChanges`), in wire names: `rules[0].id`, `tags["a.b"]`, `*`."""

    path: str
    type: Type
    span: Span


class Invalid(Struct, frozen=True, kw_only=True, eq=False):
    """The replacement of a reported expression; its type is ERROR.  It never reaches lowering."""

    type: Type
    span: Span


class Apply(Struct, frozen=True, kw_only=True, eq=False):
    """Run `body` with `parameters` bound to the resolved `args`, once all are known:

        "v: ${length(bucket.tags)}"  ->  Apply([bucket.tags], [tags], "v: ${length(tags)}")

    Created by lowering.  The type is an output; a body of output type is flattened.
    """

    args: tuple[Expr, ...]
    parameters: tuple[Symbol, ...]
    body: Expr
    type: Type
    span: Span


class All(Struct, frozen=True, kw_only=True, eq=False):
    """An aggregate with outputs inside, as one output of the resolved aggregate.  Created by lowering."""

    value: Expr
    type: Type
    span: Span


Expr: TypeAlias = (
    Literal
    | Ref
    | Attr
    | Index
    | ListExpr
    | ObjectExpr
    | Template
    | Unary
    | Binary
    | Conditional
    | For
    | Call
    | Invoke
    | MethodCall
    | Convert
    | PropertyPath
    | Invalid
    | Apply
    | All
)


class Option(Struct, frozen=True, kw_only=True):
    """One resource option: the row of `stdlib.options` by name, and its checked value."""

    name: str
    value: Expr
    span: Span
    comments: Comments = NO_COMMENTS
