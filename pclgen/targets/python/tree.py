"""A small typed syntax tree of Python, and walks over it.

The lowering builds it, `assign_names` chooses names for the variables and collects the imports, and the printer reads it.
Nodes hold no text except names and constants. A `Variable` has only preferred names. An `Imported` carries its module, so
imports need not be reconstructed afterwards:

    Call(function=Imported(module=PULUMI, name="export"), args=(Argument(value=Constant(value="id")), …))

Walks go over all parts of expressions and statements, or over their scopes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from enum import IntEnum
from typing import Final, TypeAlias

from msgspec import Struct, field

from pclgen.core.expr import NO_COMMENTS, Comments
from pclgen.sourcemaps import Origin
from pclgen.targets import origins, scopes
from pclgen.targets.scopes import Declaration, PartReaders, Problem, Scope, Write


class Group(IntEnum):
    """The import groups in the order in which they are printed."""

    STANDARD = 0
    THIRD_PARTY = 1
    LOCAL = 2


class Module(Struct, frozen=True, kw_only=True):
    """A Python module: `path` as in the import statement, `alias` the preferred name in the program."""

    path: str
    alias: str
    group: Group


Variable: TypeAlias = scopes.Variable
Name: TypeAlias = scopes.Name


class Builtin(Struct, frozen=True, kw_only=True, eq=False):
    """`len`, `self`: a name that is always in scope."""

    name: str


class Imported(Struct, frozen=True, kw_only=True, eq=False):
    """`module.name`; with `direct` the name itself is imported: `from module import name`."""

    module: Module
    name: str
    direct: bool = False


class Helper(Struct, frozen=True, kw_only=True, eq=False):
    """A function that pclgen adds to the file when it is used; a key of `modules.HELPERS`."""

    key: str


class Constant(Struct, frozen=True, kw_only=True, eq=False):
    """None, a bool, a number or a text; `multiline` asks for triple quotes."""

    value: bool | int | Decimal | str | None
    multiline: bool = False


class Hole(Struct, frozen=True, kw_only=True, eq=False):
    """`{value:spec}` in a format string."""

    value: Expr
    spec: str = ""


class FormatString(Struct, frozen=True, kw_only=True, eq=False):
    """`f"…"`; the printer writes `"…".format(…)` where an f-string runs out of quotes."""

    parts: tuple[str | Hole, ...]
    multiline: bool = False


class Item(Struct, frozen=True, kw_only=True, eq=False):
    """An element of a list display; `starred` for `*value`."""

    value: Expr
    starred: bool = False
    comments: Comments = NO_COMMENTS


class ListDisplay(Struct, frozen=True, kw_only=True, eq=False):
    """`[a, *b]`; `closing` are comments before the bracket."""

    items: tuple[Item, ...]
    closing: tuple[str, ...] = ()


class Pair(Struct, frozen=True, kw_only=True, eq=False):
    """`(first, second)`."""

    first: Expr
    second: Expr


class Entry(Struct, frozen=True, kw_only=True, eq=False):
    """`key: value`, or `**value` without a key; `origin` is the attribute that it comes from."""

    key: Expr | None
    value: Expr
    comments: Comments = NO_COMMENTS
    origin: origins.Attribute | None = None


class DictDisplay(Struct, frozen=True, kw_only=True, eq=False):
    """`{"a": 1}`."""

    entries: tuple[Entry, ...]
    closing: tuple[str, ...] = ()


class Argument(Struct, frozen=True, kw_only=True, eq=False):
    """An argument of a call: by position, `name=value`, or `*value` / `**value` (`name` is then the stars).

    `origin` is the attribute that it comes from.
    """

    value: Expr
    name: str = ""
    comments: Comments = NO_COMMENTS
    origin: origins.Attribute | None = None


class Call(Struct, frozen=True, kw_only=True, eq=False):
    """`function(args)`.  A `token`, from the schema, marks a call that creates a resource."""

    function: Expr
    args: tuple[Argument, ...]
    closing: tuple[str, ...] = ()
    token: str = ""


class Attribute(Struct, frozen=True, kw_only=True, eq=False):
    """`value.name`."""

    value: Expr
    name: str


class Subscript(Struct, frozen=True, kw_only=True, eq=False):
    """`value[keys]`; more than one key only in types."""

    value: Expr
    keys: tuple[Expr, ...]


class Unary(Struct, frozen=True, kw_only=True, eq=False):
    """`-x` or `not x`."""

    operator: str
    operand: Expr


class Binary(Struct, frozen=True, kw_only=True, eq=False):
    """`left operator right`."""

    operator: str
    left: Expr
    right: Expr


class IfElse(Struct, frozen=True, kw_only=True, eq=False):
    """`then if condition else otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr


class Lambda(Struct, frozen=True, kw_only=True, eq=False):
    """`lambda parameters: body`."""

    parameters: tuple[Variable, ...]
    body: Expr


class Loop(Struct, frozen=True, kw_only=True, eq=False):
    """`for targets in iterable if condition` of a comprehension."""

    targets: tuple[Variable, ...]
    iterable: Expr
    condition: Expr | None = None


class ListComprehension(Struct, frozen=True, kw_only=True, eq=False):
    """`[element for … in …]`."""

    element: Expr
    loop: Loop


class DictComprehension(Struct, frozen=True, kw_only=True, eq=False):
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


class Assign(Struct, frozen=True, kw_only=True, eq=False):
    """`target: annotation = value`; `origin` is the attribute that the value comes from.

    `rebinds`: the target is a variable that is already bound (a parameter).
    """

    target: Variable | Attribute
    value: Expr
    annotation: Expr | None = None
    comments: Comments = NO_COMMENTS
    origin: origins.Attribute | None = None
    rebinds: bool = False


class Unpack(Struct, frozen=True, kw_only=True, eq=False):
    """`a, b = value`, each declared with its type above."""

    targets: tuple[Variable, ...]
    annotations: tuple[Expr, ...]
    value: Expr


class Do(Struct, frozen=True, kw_only=True, eq=False):
    """An expression for its effect; `close`: it belongs to the statement above."""

    value: Expr
    comments: Comments = NO_COMMENTS
    close: bool = False


class For(Struct, frozen=True, kw_only=True, eq=False):
    """`for targets in iterable:` with its body; `close`: it belongs to the statement above."""

    loop: Loop
    body: tuple[For | Do, ...]
    close: bool = False


class Define(Struct, frozen=True, kw_only=True, eq=False):
    """`def name(parameter: annotation) -> returns:` with simple statements and a result."""

    name: Variable
    parameter: Variable
    annotation: Expr
    returns: Expr
    body: tuple[Assign | For | Do, ...]
    result: Expr | None = None
    comments: Comments = NO_COMMENTS


class Record(Struct, frozen=True, kw_only=True, eq=False):
    """A class of dicts, with the types of their members: `class Rule(TypedDict): …`; `total`: all members are required."""

    name: Variable
    base: Expr
    members: tuple[tuple[str, Expr], ...]
    total: bool = True
    comments: Comments = NO_COMMENTS


class Remark(Struct, frozen=True, kw_only=True, eq=False):
    """Comments on lines of their own."""

    lines: tuple[str, ...]


Statement: TypeAlias = Assign | Unpack | Do | For | Define | Record | Remark


class Parameter(Struct, frozen=True, kw_only=True, eq=False):
    """A keyword of a component's constructor: a config value.  It is required if `default` is None."""

    variable: Variable
    annotation: Expr
    default: Expr | None
    doc: tuple[str, ...] = ()
    origin: Origin | None = None


class Member(Struct, frozen=True, kw_only=True, eq=False):
    """An attribute of a component class: an output."""

    name: str
    annotation: Expr
    doc: tuple[str, ...]
    origin: Origin


class ComponentClass(Struct, frozen=True, kw_only=True, eq=False):
    """A component: `body` is the body of `__init__`, starting with the call of the parent's.

    `resource_name` and `options` are the parameters of every resource, `doc` is the documentation of the component.
    """

    name: str
    base: Expr
    members: tuple[Member, ...]
    resource_name: Variable
    parameters: tuple[Parameter, ...]
    options: Parameter
    body: tuple[Statement, ...]
    doc: tuple[str, ...] = ()

    @property
    def all_parameters(self) -> tuple[Parameter, ...]:
        """The parameters after the name of the resource."""
        return (*self.parameters, self.options)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables of all parameters."""
        return (self.resource_name, *(parameter.variable for parameter in self.all_parameters))


class File(Struct, frozen=True, kw_only=True, eq=False):
    """One source file: a program, or a component's class.

    `groups` has the group (of `plan.model`) of the first statement of each statement of the plan; the form of the following
    statements decides their groups.  `origins` has the nodes of statements.  `readers` create the variables that read
    configuration.  `helpers` are the helpers that the file defines for other files.
    """

    path: str  # relative to the sources, `/`-separated
    header: tuple[str, ...]
    statements: tuple[Statement, ...]
    component: ComponentClass | None = None
    groups: Mapping[Statement, int] = field(default_factory=dict)
    origins: Mapping[Statement, Origin] = field(default_factory=dict)
    readers: Mapping[Statement, Variable] = field(default_factory=dict)
    helpers: tuple[str, ...] = ()


NONE: Final = Constant(value=None)


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


# -- walks ------------------------------------------------------------------------------------------------------------------

Node: TypeAlias = "Expr | Statement"


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """`nodes` and everything inside them, with their items, entries and arguments, each before its parts."""
    return scopes.walk(nodes, _PARTS)


def roots(file: File) -> tuple[Node, ...]:
    """The statements of a file and of its component, and the component's annotations."""
    component = file.component
    if component is None:
        return file.statements
    annotations = [*(member.annotation for member in component.members), *(p.annotation for p in component.all_parameters)]
    defaults = [parameter.default for parameter in component.all_parameters if parameter.default is not None]
    return (*file.statements, component.base, *annotations, *defaults, *component.body)


_LEAVES: Final = frozenset(
    {
        "Comments", "Module", "Variable", "bool", "bool | int | Decimal | str | None", "origins.Attribute | None", "str",
        "tuple[Variable, ...]", "tuple[str, ...]",
    }
)  # fmt: skip  # a list of many short entries
"""The annotations of fields that hold no nodes."""


_PARTS: Final = PartReaders(_LEAVES)


def outline(file: File) -> Scope:
    """The scopes of a file."""
    component = file.component
    if component is None:
        return scopes.outline(Scope([*file.statements]), _STEPS, _MENTIONS)
    head = roots(file)[: -len(component.body)] if component.body else roots(file)
    constructor = Scope([*component.body], parameters=component.variables, is_function=True)
    return scopes.outline(Scope([*head, constructor]), _STEPS, _MENTIONS)


_MENTIONS: Final = frozenset((Imported, Helper))


def _steps_of_assign(node: Assign) -> tuple[object, ...]:
    if not isinstance(node.target, Variable):
        return (node.target, node.annotation, node.value)
    return (node.annotation, node.value, Write(node.target) if node.rebinds else Declaration((node.target,)))


def _steps_of_call(node: Call) -> tuple[object, ...]:
    names = [argument.name for argument in node.args if argument.name.isidentifier()]
    if len(names) == len(set(names)):
        return (node.function, node.args)
    return (node.function, node.args, Problem(f"a keyword is given twice: {', '.join(names)}"))


def _steps_of_comprehension(node: ListComprehension | DictComprehension) -> tuple[object, ...]:
    loop = node.loop
    own = (node.element,) if isinstance(node, ListComprehension) else (node.key, node.value)
    return (loop.iterable, Scope([*own, loop.condition], parameters=loop.targets))


def _steps_of_define(node: Define) -> tuple[object, ...]:
    own = Scope([*node.body, node.result], parameters=(node.parameter,), is_function=True)
    return (node.annotation, node.returns, Declaration((node.name,)), own)


_STEPS: Final = PartReaders(
    _LEAVES,
    {
        Assign: _steps_of_assign,
        Call: _steps_of_call,
        Define: _steps_of_define,
        DictComprehension: _steps_of_comprehension,
        For: lambda s: (s.loop.iterable, Scope([*s.body], parameters=s.loop.targets)),
        Lambda: lambda e: (Scope([e.body], parameters=e.parameters, is_function=True, may_hide=True),),
        ListComprehension: _steps_of_comprehension,
        Record: lambda s: (s.base, s.members, Declaration((s.name,))),
        Unpack: lambda s: (s.annotations, s.value, Declaration(s.targets)),
    },
)
"""The effect of each node class on scopes; by default only the effects of its parts."""
