"""A small typed syntax tree of Python: what the lowering builds and the printers read.

The modules of this package build it. `allot` chooses names for the variables and collects the imports, and the printer reads
it. Nodes hold no text but names and constants. A `Variable` has only preferred names, and an `Imported` carries the module
that it comes from, so that no one has to guess imports afterwards:

    Call(function=Imported(module=PULUMI, name="export"), args=(Argument(value=Constant(value="id")), …))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from decimal import Decimal
from enum import IntEnum
from typing import TypeAlias

from pclgen.core.expr import NO_COMMENTS, Comments
from pclgen.records import dataclass
from pclgen.sourcemaps import Origin
from pclgen.targets import origins


class Group(IntEnum):
    """The import groups in the order in which they are printed."""

    STANDARD = 0
    THIRD_PARTY = 1
    LOCAL = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Module:
    """A Python module: `path` as in the import statement, `alias` what the program would like to call it."""

    path: str
    alias: str
    group: Group


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Variable:
    """A name that the program binds; `wishes` are possible spellings, best first.

    `yields`: it is pclgen's own, and gives way to what the program itself calls so.
    """

    wishes: tuple[str, ...]
    yields: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Name:
    """A use of a variable."""

    variable: Variable


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Builtin:
    """`len`, `self`: a name that is always there."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Imported:
    """`module.name`; with `direct` the name itself is imported: `from module import name`."""

    module: Module
    name: str
    direct: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Helper:
    """A function that pclgen adds to the file when it is used; a key of `helpers.HELPERS`."""

    key: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Constant:
    """None, a bool, a number or a text; `multiline` asks for triple quotes."""

    value: bool | int | Decimal | str | None
    multiline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Hole:
    """`{value:spec}` in a format string."""

    value: Expr
    spec: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FormatString:
    """`f"…"`; the printer writes `"…".format(…)` where the quotes of an f-string do not work out."""

    parts: tuple[str | Hole, ...]
    multiline: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Item:
    """An element of a list display; `starred` for `*value`."""

    value: Expr
    starred: bool = False
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ListDisplay:
    """`[a, *b]`; `closing` are comments before the bracket."""

    items: tuple[Item, ...]
    closing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pair:
    """`(first, second)`."""

    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Entry:
    """`key: value`, or `**value` without a key; `origin` is the attribute that it comes from."""

    key: Expr | None
    value: Expr
    comments: Comments = NO_COMMENTS
    origin: origins.Attribute | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DictDisplay:
    """`{"a": 1}`."""

    entries: tuple[Entry, ...]
    closing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Argument:
    """An argument of a call: by position, `name=value`, or `*value` / `**value` (`name` is then the stars).

    `origin` is the attribute that it comes from.
    """

    value: Expr
    name: str = ""
    comments: Comments = NO_COMMENTS
    origin: origins.Attribute | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Call:
    """`function(args)`.  A `token`, that of the schema, says that it makes a resource."""

    function: Expr
    args: tuple[Argument, ...]
    closing: tuple[str, ...] = ()
    token: str = ""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attribute:
    """`value.name`."""

    value: Expr
    name: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Subscript:
    """`value[keys]`; more than one key only in types."""

    value: Expr
    keys: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unary:
    """`-x` or `not x`."""

    operator: str
    operand: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Binary:
    """`left operator right`."""

    operator: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class IfElse:
    """`then if condition else otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lambda:
    """`lambda parameters: body`."""

    parameters: tuple[Variable, ...]
    body: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Loop:
    """`for targets in iterable if condition` of a comprehension."""

    targets: tuple[Variable, ...]
    iterable: Expr
    condition: Expr | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ListComprehension:
    """`[element for … in …]`."""

    element: Expr
    loop: Loop


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class DictComprehension:
    """`{key: value for … in …}`."""

    key: Expr
    value: Expr
    loop: Loop


Expr: TypeAlias = (
    Name
    | Builtin
    | Imported
    | Helper
    | Constant
    | FormatString
    | ListDisplay
    | Pair
    | DictDisplay
    | Call
    | Attribute
    | Subscript
    | Unary
    | Binary
    | IfElse
    | Lambda
    | ListComprehension
    | DictComprehension
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Assign:
    """`target: annotation = value`; `origin` is the attribute that the value comes from."""

    target: Variable | Attribute
    value: Expr
    annotation: Expr | None = None
    comments: Comments = NO_COMMENTS
    origin: origins.Attribute | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rebind:
    """`target = value` for a variable that is already bound (a parameter)."""

    target: Variable
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Unpack:
    """`a, b = value`, each declared with its type above."""

    targets: tuple[Variable, ...]
    annotations: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Do:
    """An expression for its effect; `close`: it belongs to the statement above."""

    value: Expr
    comments: Comments = NO_COMMENTS
    close: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class For:
    """`for targets in iterable:` with what is done each time; `close`: it belongs to the statement above."""

    loop: Loop
    body: tuple[For | Do, ...]
    close: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Define:
    """`def name(parameter: annotation) -> returns:` with simple statements and a result."""

    name: Variable
    parameter: Variable
    annotation: Expr
    returns: Expr
    body: tuple[Assign | For | Do, ...]
    result: Expr | None = None
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Record:
    """A class of dicts, with the types of their members: `class Rule(TypedDict): …`; `total`: a dict has all of them."""

    name: Variable
    base: Expr
    members: tuple[tuple[str, Expr], ...]
    total: bool = True
    comments: Comments = NO_COMMENTS


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Remark:
    """Comments on lines of their own."""

    lines: tuple[str, ...]


Statement: TypeAlias = Assign | Rebind | Unpack | Do | For | Define | Record | Remark


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Parameter:
    """A keyword of a component's constructor: one config value.  `default` None: it must be given."""

    variable: Variable
    annotation: Expr
    default: Expr | None
    doc: tuple[str, ...] = ()
    origin: Origin | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Member:
    """An attribute of a component class: one output."""

    name: str
    annotation: Expr
    doc: tuple[str, ...]
    origin: Origin


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComponentClass:
    """A component: `body` is that of `__init__`, from the call of the parent's on.

    `resource_name` and `options` are the parameters that every resource has, `doc` is what is said about the whole.
    """

    name: str
    base: Expr
    members: tuple[Member, ...]
    resource_name: Variable
    parameters: tuple[Parameter, ...]
    options: Parameter
    body: tuple[Statement, ...]
    doc: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class File:
    """One source file: a program, or a component's class.  `groups` are the groups (of `plan.model`) of the statements that
    each statement of the plan begins with; the others follow these by their form.  `origins` are the nodes that
    statements come from; `readers` make the variables that configuration is read from.  `helpers` are those that the file
    has for others."""

    path: str  # relative to the sources, `/`-separated
    header: tuple[str, ...]
    statements: tuple[Statement, ...]
    component: ComponentClass | None = None
    groups: Mapping[Statement, int] = field(default_factory=dict)
    origins: Mapping[Statement, Origin] = field(default_factory=dict)
    readers: Mapping[Statement, Variable] = field(default_factory=dict)
    helpers: tuple[str, ...] = ()


def name(variable: Variable) -> Name:
    """A use of `variable`."""
    return Name(variable=variable)


def text(value: str) -> Constant:
    """A text constant."""
    return Constant(value=value)


def call(function: Expr, *args: Expr, **named: Expr) -> Call:
    """`function(args, name=value)`."""
    plain = tuple(Argument(value=value) for value in args)
    return Call(function=function, args=plain + tuple(Argument(value=v, name=n) for n, v in named.items()))


def method(receiver: Expr, attribute: str, *args: Expr, **named: Expr) -> Call:
    """`receiver.attribute(args, name=value)`."""
    return call(Attribute(value=receiver, name=attribute), *args, **named)


def builtin(function: str, *args: Expr, **named: Expr) -> Call:
    """`function(args)` of a built-in function."""
    return call(Builtin(name=function), *args, **named)


def index(value: Expr, *keys: Expr) -> Subscript:
    """`value[keys]`."""
    return Subscript(value=value, keys=keys)


def items(values: tuple[Expr, ...] | list[Expr]) -> ListDisplay:
    """`[values]`."""
    return ListDisplay(items=tuple(Item(value=value) for value in values))
