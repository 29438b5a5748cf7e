"""The subset of TypeScript's syntax tree that generated programs use, and walks over it.

The modules that translate core programs build it, `assign_names` chooses names for the variables, and `printing` lays it
out. Nodes carry structure, not layout: the printer adds parentheses, quotes, commas and line breaks. A `Variable` has only
preferred names. Each node has one place in one tree.

    new random.RandomPet("web", { length: 2 })
    New(callee=Member(Imported(…), "RandomPet"), args=(Text("web"), Object((Property("length", Number("2")),))))

Walks go over the direct parts of an expression or a statement, over all of them, or over its scopes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final, TypeAlias, assert_never

from msgspec import Struct

from pclgen.core.expr import NO_COMMENTS, Comments
from pclgen.sourcemaps import Origin
from pclgen.targets import scopes
from pclgen.targets.origins import Attribute
from pclgen.targets.scopes import Declaration, Problem, Scope
from pclgen.types.model import ConstValue

Variable: TypeAlias = scopes.Variable
Name: TypeAlias = scopes.Name
Spellings: TypeAlias = Mapping[Variable, str]
"""The final names of the variables of one file."""

# -- types ------------------------------------------------------------------------------------------------------------


class TypeName(Struct, frozen=True):
    """`string`, `pulumi.Output<T>`: a name with its arguments; `origin` is the import that it needs."""

    name: str
    args: tuple[TsType, ...] = ()
    origin: Imported | None = None


class TypeVariable(Struct, frozen=True):
    """The name of a type that the file declares."""

    variable: Variable


class TypeLiteral(Struct, frozen=True):
    """The type of a single value: `"cat"`, `3`, `true`."""

    value: ConstValue


class TypeIndex(Struct, frozen=True):
    """The type of a member of an imported type: `WebArgs["size"]`."""

    object: Imported
    member: str


class TypeArray(Struct, frozen=True):
    """`T[]`."""

    element: TsType


class TypeTuple(Struct, frozen=True):
    """`[A, B]`."""

    elements: tuple[TsType, ...]


class TypeUnion(Struct, frozen=True):
    """`A | B`."""

    members: tuple[TsType, ...]


class TypeMember(Struct, frozen=True):
    """`name?: T` in an object type; `doc` are lines of the comment above it."""

    name: str
    type: TsType
    optional: bool = False
    doc: tuple[str, ...] = ()


class TypeObject(Struct, frozen=True):
    """`{ a: string; b?: number }`."""

    members: tuple[TypeMember, ...]


TsType: TypeAlias = TypeName | TypeVariable | TypeLiteral | TypeIndex | TypeArray | TypeTuple | TypeUnion | TypeObject

# -- expressions ------------------------------------------------------------------------------------------------------


class Global(Struct, frozen=True, eq=False):
    """`undefined`, `this`, `Object`: a name that is always in scope."""

    name: str


class Module(Struct, frozen=True):
    """A module that a file may import: `source` as in the import statement, `alias` its name in the file."""

    source: str
    alias: str = ""


class Imported(Struct, frozen=True):
    """`pulumi`: all of a module; with a `member` only that member, under the same name."""

    module: Module
    member: str = ""

    @property
    def name(self) -> str:
        """The name."""
        return self.member or self.module.alias


class Helper(Struct, frozen=True, eq=False):
    """A function that pclgen adds to the file when it is used; `form` is an alternative declaration."""

    name: str
    form: str = ""


Identifier: TypeAlias = Name | Global | Imported | Helper
"""A name in an expression."""


class Text(Struct, frozen=True, eq=False):
    """A string constant, in quotes; `lines`: as a template literal if it has line breaks."""

    value: str
    lines: bool = False


class Number(Struct, frozen=True, eq=False):
    """A nonnegative number, as written."""

    text: str


class Constant(Struct, frozen=True, eq=False):
    """`true`, `false`, `null`."""

    text: str


class Template(Struct, frozen=True, eq=False):
    """A template literal: texts around the values, one more text than values; an optional `tag` before it.

    `lines`: line breaks in the texts are literal; otherwise they are escaped.
    """

    texts: tuple[str, ...]
    values: tuple[TsExpr, ...]
    tag: TsExpr | None = None
    lines: bool = False


class Spread(Struct, frozen=True, eq=False):
    """`...value`, perhaps a member of an object with its comments."""

    value: TsExpr
    comments: Comments = NO_COMMENTS


class Array(Struct, frozen=True, eq=False):
    """`[a, b]`; `comments` has one entry per element or is empty; `closing` are comment lines before the bracket."""

    elements: tuple[TsExpr, ...]
    comments: tuple[Comments, ...] = ()
    closing: tuple[str, ...] = ()


class Property(Struct, frozen=True, eq=False):
    """`key: value`; the key for a variable is its name, the key for an expression is computed.

    The printer quotes and shortens.  `origin` is the node or attribute of the property, `value_origin` that of its value.
    """

    key: str | Variable | TsExpr
    value: TsExpr
    comments: Comments = NO_COMMENTS
    origin: Origin | Attribute | None = None
    value_origin: Attribute | None = None


class Object(Struct, frozen=True, eq=False):
    """`{ a: 1 }`; `expanded`: one property per line even where it would fit."""

    properties: tuple[Property | Spread, ...]
    expanded: bool = False
    closing: tuple[str, ...] = ()


class Call(Struct, frozen=True, eq=False):
    """`callee<T>(args)`."""

    callee: TsExpr
    args: tuple[TsExpr, ...]
    types: tuple[TsType, ...] = ()


class New(Struct, frozen=True, eq=False):
    """`new callee(args)`.  A `token`, from the schema, marks a call that creates a resource."""

    callee: TsExpr
    args: tuple[TsExpr, ...]
    token: str = ""


class Member(Struct, frozen=True, eq=False):
    """`source.name`, `source?.name`; a name that is not an identifier is printed in brackets."""

    source: TsExpr
    name: str
    optional: bool = False


class Element(Struct, frozen=True, eq=False):
    """`source[key]`, `source?.[key]`."""

    source: TsExpr
    key: TsExpr
    optional: bool = False


class NonNull(Struct, frozen=True, eq=False):
    """`value!`."""

    value: TsExpr


class As(Struct, frozen=True, eq=False):
    """`value as type`."""

    value: TsExpr
    type: TsType


class Unary(Struct, frozen=True, eq=False):
    """`!value`, `-value`."""

    operator: str
    value: TsExpr


class Await(Struct, frozen=True, eq=False):
    """`await value`."""

    value: TsExpr


class Binary(Struct, frozen=True, eq=False):
    """Arithmetic, comparison, logic, `??`."""

    operator: str
    left: TsExpr
    right: TsExpr


class Conditional(Struct, frozen=True, eq=False):
    """`condition ? then : otherwise`."""

    condition: TsExpr
    then: TsExpr
    otherwise: TsExpr


class Parameter(Struct, frozen=True, eq=False):
    """A parameter: a variable, or the variables of an array pattern (None for an unnamed element) or an object pattern."""

    variables: tuple[Variable | None, ...]
    pattern: str = ""  # "", "[" or "{"


class Arrow(Struct, frozen=True, eq=False):
    """`(a, b) => body`."""

    parameters: tuple[Parameter, ...]
    body: TsExpr | tuple[Statement, ...]


TsExpr: TypeAlias = (
    Name
    | Global
    | Imported
    | Helper
    | Text
    | Number
    | Constant
    | Template
    | Spread
    | Array
    | Object
    | Call
    | New
    | Member
    | Element
    | NonNull
    | As
    | Unary
    | Await
    | Binary
    | Conditional
    | Arrow
)

# -- statements -------------------------------------------------------------------------------------------------------


class Declare(Struct, frozen=True, eq=False):
    """`const name: type = value;`, optionally exported under its preferred name. Several variables form an array pattern.

    `origin` is the attribute that the value comes from.
    """

    variables: tuple[Variable, ...]
    value: TsExpr
    type: TsType | None = None
    exported: bool = False
    origin: Attribute | None = None


class Assign(Struct, frozen=True, eq=False):
    """`target = value;`; `origin` is the attribute that the value comes from."""

    target: TsExpr
    value: TsExpr
    origin: Attribute | None = None


class Do(Struct, frozen=True, eq=False):
    """An expression as a statement."""

    value: TsExpr


class Return(Struct, frozen=True, eq=False):
    """`return value;`."""

    value: TsExpr


class Count(Struct, frozen=True, eq=False):
    """`for (let name = 0; name < limit; name++) { … }`."""

    variable: Variable
    limit: TsExpr
    body: tuple[Statement, ...]


class Each(Struct, frozen=True, eq=False):
    """`for (const name of values) { … }`; several variables, with None for an unnamed element, form an array pattern."""

    variables: tuple[Variable | None, ...]
    values: TsExpr
    body: tuple[Statement, ...]


class Try(Struct, frozen=True, eq=False):
    """`try { … } catch { … }`."""

    body: tuple[Statement, ...]
    handler: tuple[Statement, ...]


class Comment(Struct, frozen=True, eq=False):
    """Comment lines on their own."""

    lines: tuple[str, ...]


class Commented(Struct, frozen=True, eq=False):
    """A statement with comment lines above it, and after it on its line."""

    statement: Statement
    comments: Comments = NO_COMMENTS


class Export(Struct, frozen=True, eq=False):
    """`export { local as name };`: `name` may be a text in quotes."""

    local: Variable
    name: str


Statement: TypeAlias = Declare | Export | Assign | Do | Return | Count | Each | Try | Comment | Commented


# -- walks ------------------------------------------------------------------------------------------------------------------

Node: TypeAlias = "TsExpr | Statement"


def children(node: Node) -> Iterable[Node]:
    """The expressions and statements directly inside `node`."""
    return _PARTS[type(node)](node)


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """`nodes` and everything inside them, in preorder."""
    return scopes.walk(nodes, _PARTS)


def _no_parts(_: Node) -> tuple[Node, ...]:
    return ()


def _value(node: Spread | NonNull | As | Unary | Await | Declare | Do | Return) -> tuple[Node, ...]:
    return (node.value,)


def _in_object(node: Object) -> Iterator[Node]:
    for member in node.properties:
        if isinstance(member, Property) and not isinstance(member.key, str | Variable):
            yield member.key
        yield member.value


_PARTS: Final[Mapping[type[Node], Callable[[Any], Iterable[Node]]]] = {
    **dict.fromkeys((Name, Global, Imported, Helper, Text, Number, Constant, Comment), _no_parts),
    **dict.fromkeys((Spread, NonNull, As, Unary, Await, Declare, Do, Return), _value),
    **dict.fromkeys((Call, New), lambda node: (node.callee, *node.args)),
    Template: lambda node: node.values if node.tag is None else (node.tag, *node.values),
    Array: attrgetter("elements"),
    Object: _in_object,
    Member: lambda node: (node.source,),
    Element: attrgetter("source", "key"),
    Binary: attrgetter("left", "right"),
    Conditional: attrgetter("condition", "then", "otherwise"),
    Arrow: lambda node: node.body if isinstance(node.body, tuple) else (node.body,),
    Export: lambda node: (Name(node.local),),
    Assign: attrgetter("target", "value"),
    Count: lambda node: (node.limit, *node.body),
    Each: lambda node: (node.values, *node.body),
    Try: lambda node: (*node.body, *node.handler),
    Commented: lambda node: (node.statement,),
}
"""The readers of the children of each class, as in `core.walk`."""


def declared(statement: Statement) -> tuple[Variable, ...]:
    """The variables that a statement declares for its block."""
    if isinstance(statement, Commented):
        return declared(statement.statement)
    return statement.variables if isinstance(statement, Declare) else ()


def outline(statements: Iterable[Statement], parameters: Iterable[Variable] = ()) -> Scope:
    """The scopes of a file, or of a constructor with these parameters."""
    return scopes.outline(Scope([*statements], parameters=tuple(parameters)), _STEPS, _MENTIONS)


_MENTIONS: Final = frozenset((Global, Imported, Helper))


def _inner(*parts: object, own: Iterable[Variable | None] = (), is_function: bool = False) -> Scope:
    parameters = tuple([variable for variable in own if variable is not None])
    return Scope([*parts], parameters=parameters, is_function=is_function, may_hide=True)


def _steps_of_arrow(node: Arrow) -> tuple[object, ...]:
    own = [variable for parameter in node.parameters for variable in parameter.variables]
    return (_inner(*children(node), own=own, is_function=True),)


def _steps_of_object(node: Object) -> tuple[object, ...]:
    keys = [p.key for p in node.properties if isinstance(p, Property) and isinstance(p.key, str)]
    problems = (Problem(f"a property is given twice: {', '.join(keys)}"),) if len(keys) != len(set(keys)) else ()
    return (*_in_object(node), *problems)


_STEPS: Final[Mapping[type, Callable[[Any], Iterable[object]]]] = {
    **_PARTS,
    Arrow: _steps_of_arrow,
    Count: lambda node: (_inner(*children(node), own=(node.variable,)),),
    Declare: lambda node: (*children(node), Declaration(node.variables)),
    Each: lambda node: (_inner(*children(node), own=node.variables),),
    Object: _steps_of_object,
    Try: lambda node: (_inner(*node.body), _inner(*node.handler)),
}
"""The effect of each node class on scopes; by default only the effects of its children."""


def is_exported(statement: Statement) -> bool:
    """Return whether a statement exports a variable."""
    if isinstance(statement, Commented):
        return is_exported(statement.statement)
    return isinstance(statement, Export) or (isinstance(statement, Declare) and statement.exported)


def imports_of(nodes: Iterable[Node]) -> Iterator[Imported]:
    """Yield the imports of each of `nodes` and of the types written in it, without the imports of its children."""
    for node in nodes:
        if type(node) is Imported:
            yield node
        for written in _types_of(node):
            yield from imports_of_type(written)


def _types_of(node: Node) -> Iterable[TsType]:
    match node:
        case Call():
            return node.types
        case As() | Declare() if node.type is not None:
            return (node.type,)
        case _:
            return ()


def imports_of_type(t: TsType) -> Iterator[Imported]:
    """Yield the imports of a type."""
    match t:
        case TypeName():
            if t.origin is not None:
                yield t.origin
            inner: Iterable[TsType] = t.args
        case TypeVariable() | TypeLiteral():
            inner = ()
        case TypeIndex():
            yield t.object
            inner = ()
        case TypeArray():
            inner = (t.element,)
        case TypeTuple():
            inner = t.elements
        case TypeUnion():
            inner = t.members
        case TypeObject():
            inner = [member.type for member in t.members]
        case _:
            assert_never(t)
    for part in inner:
        yield from imports_of_type(part)
