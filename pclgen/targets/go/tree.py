"""The syntax tree of generated Go: types and expressions, statements, declarations.

The other modules of this package build the tree. `assign_names` chooses names for variables and imported packages, and
`printer` formats the tree like gofmt. Types are expressions, as in Go's own tree. A `Variable` has only preferred names. A
`Qualified` contains its package, so imports follow from the tree:

    pulumi.String("a")  ->  Call(function=Qualified(package=PULUMI, name="String"), arguments=(Text(value="a"),))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from msgspec import Struct, field

from pclgen.sourcemaps import Origin
from pclgen.targets import scopes
from pclgen.targets.origins import Attribute

# ---------------------------------------------------------------------------------------------------- names

Variable: TypeAlias = scopes.Variable
Name: TypeAlias = scopes.Name


class Package(Struct, frozen=True, kw_only=True):
    """A Go package: its import `path`, the name in its package `clause`, and the `preferred_name` in programs."""

    path: str
    clause: str
    preferred_name: str


# ---------------------------------------------------------------------------------------------- expressions


class Builtin(Struct, frozen=True, kw_only=True, eq=False):
    """A predeclared name: `nil`, `len`, `string`."""

    name: str


class Declared(Struct, frozen=True, eq=False):
    """A type, a constant or a function that a file of the program declares."""

    name: str


class Helper(Struct, frozen=True, kw_only=True, eq=False):
    """A function that pclgen adds to the project on use; a key of `helpers.HELPERS`."""

    key: str


class Field(Struct, frozen=True, eq=False):
    """The name of a field, as the key in a struct literal."""

    name: str


class Qualified(Struct, frozen=True, kw_only=True, eq=False):
    """`package.Name`."""

    package: Package
    name: str


class Number(Struct, frozen=True, kw_only=True, eq=False):
    """A number in Go syntax."""

    text: str


class Text(Struct, frozen=True, eq=False):
    """A string; `multiline` requests a raw literal if it can contain the value; `raw` does so even for one line."""

    value: str
    multiline: bool = False
    raw: bool = False


class Selector(Struct, frozen=True, kw_only=True, eq=False):
    """`operand.name`."""

    operand: Expr
    name: str


class Index(Struct, frozen=True, eq=False):
    """`operand[key]`, also the type arguments of a generic function."""

    operand: Expr
    key: Expr


class Tail(Struct, frozen=True, kw_only=True, eq=False):
    """`operand[start:]`, all elements from `start` on; without `start`, all elements."""

    operand: Expr
    start: Number | None = None


class Call(Struct, frozen=True, kw_only=True, eq=False):
    """`function(arguments…)`; with `expand` the last argument is followed by `...`.

    A `token`, from the schema, marks a call that creates a resource. `origins` are the attributes of the last arguments.
    """

    function: Expr
    arguments: tuple[Expr, ...] = ()
    expand: bool = False
    token: str = ""
    origins: tuple[Attribute | None, ...] = ()


class Unary(Struct, frozen=True, kw_only=True, eq=False):
    """`-x`, `!x`, `&x`."""

    operator: str
    operand: Expr


class Star(Struct, frozen=True, eq=False):
    """`*x`: a pointer type, or the value behind a pointer."""

    operand: Expr


class Binary(Struct, frozen=True, eq=False):
    """`left operator right`."""

    left: Expr
    operator: str
    right: Expr


class TypeAssertion(Struct, frozen=True, eq=False):
    """`operand.(type)`."""

    operand: Expr
    type: Expr


class Element(Struct, frozen=True, kw_only=True, eq=False):
    """One element of a composite literal, with an optional key; `comments` go on separate lines above it.

    `origin` is its attribute in the program.
    """

    value: Expr
    key: Expr | None = None
    comments: tuple[str, ...] = ()
    origin: Attribute | None = None


class Composite(Struct, frozen=True, kw_only=True, eq=False):
    """`Type{…}`; `type` is None if Go infers it. `closing` are comments above the brace, `block` requests separate lines."""

    type: Expr | None
    elements: tuple[Element, ...] = ()
    closing: tuple[str, ...] = ()
    block: bool = False


class Parameter(Struct, frozen=True, kw_only=True, eq=False):
    """A parameter `name Type`; `variadic` is `name ...Type`."""

    variable: Variable
    type: Expr
    variadic: bool = False


class FunctionLiteral(Struct, frozen=True, kw_only=True, eq=False):
    """`func(parameters) results { body }`."""

    parameters: tuple[Parameter, ...]
    results: tuple[Expr, ...]
    body: tuple[Statement, ...]


class SliceType(Struct, frozen=True, kw_only=True, eq=False):
    """`[]element`."""

    element: Expr


class MapType(Struct, frozen=True, kw_only=True, eq=False):
    """`map[string]element`."""

    element: Expr


Expr: TypeAlias = (
    Name
    | Builtin
    | Declared
    | Helper
    | Field
    | Qualified
    | Number
    | Text
    | Selector
    | Index
    | Tail
    | Call
    | Unary
    | Star
    | Binary
    | TypeAssertion
    | Composite
    | FunctionLiteral
    | SliceType
    | MapType
)

# ----------------------------------------------------------------------------------------------- statements


class ExpressionStatement(Struct, frozen=True, kw_only=True, eq=False):
    """A call for its effect."""

    expression: Expr


class Assign(Struct, frozen=True, kw_only=True, eq=False):
    """`targets operator values`; the operator is `:=` or `=`. `origin` is the attribute of the values."""

    targets: tuple[Expr, ...]
    values: tuple[Expr, ...]
    operator: str = "="
    origin: Attribute | None = None


class VariableStatement(Struct, frozen=True, kw_only=True, eq=False):
    """`var name Type`, `var name Type = value`."""

    variable: Variable
    type: Expr
    value: Expr | None = None


class Return(Struct, frozen=True, kw_only=True, eq=False):
    """`return values…`."""

    values: tuple[Expr, ...] = ()


class If(Struct, frozen=True, kw_only=True, eq=False):
    """`if init; condition { … } else …`; `otherwise` holds a single `If` for `else if`."""

    condition: Expr
    body: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()
    init: Statement | None = None


class ForRange(Struct, frozen=True, kw_only=True, eq=False):
    """`for key, value := range collection { … }`; either may be None."""

    key: Variable | None
    value: Variable | None
    collection: Expr
    body: tuple[Statement, ...]


class Comment(Struct, frozen=True, kw_only=True, eq=False):
    """Comment lines, marks not included."""

    lines: tuple[str, ...]


class Blank(Struct, frozen=True, kw_only=True, eq=False):
    """An empty line; the printer drops empty lines at the ends of blocks and merges adjacent ones."""


class Place(Struct, frozen=True, kw_only=True, eq=False):
    """A marker: the statements up to the next `Place` come from the node `origin`, or from no node if it is None.

    With `binds`, they only declare this variable.
    """

    origin: Origin | None = None
    binds: Variable | None = None


Statement: TypeAlias = ExpressionStatement | Assign | VariableStatement | Return | If | ForRange | Comment | Blank | Place

# --------------------------------------------------------------------------------------------- declarations


class StructField(Struct, frozen=True, kw_only=True, eq=False):
    """A field; embedded fields have an empty name. `tag` is the text of the tag."""

    name: str
    type: Expr
    tag: str = ""
    comments: tuple[str, ...] = ()
    blank_before: bool = False
    origin: Origin | None = None


class StructDeclaration(Struct, frozen=True, kw_only=True, eq=False):
    """`type Name struct { … }`."""

    name: str
    fields: tuple[StructField, ...]
    comments: tuple[str, ...] = ()


class FunctionDeclaration(Struct, frozen=True, kw_only=True, eq=False):
    """`func (receiver) Name(parameters) results { … }`; `receiver` is only a type."""

    name: str
    parameters: tuple[Parameter, ...] = ()
    results: tuple[Expr, ...] = ()
    body: tuple[Statement, ...] = ()
    receiver: Expr | None = None
    comments: tuple[str, ...] = ()


class AliasDeclaration(Struct, frozen=True, kw_only=True, eq=False):
    """`type Name = type`."""

    name: str
    type: Expr
    comments: tuple[str, ...] = ()


class ConstantsDeclaration(Struct, frozen=True, kw_only=True, eq=False):
    """Named texts: `const ( A type = "a" … )`."""

    type: Expr
    values: tuple[tuple[str, Text], ...]
    comments: tuple[str, ...] = ()


class HelperDeclaration(Struct, frozen=True, kw_only=True, eq=False):
    """A helper function of `helpers`; its template is gofmt-clean by itself."""

    name: str


Printable: TypeAlias = StructDeclaration | FunctionDeclaration | AliasDeclaration | ConstantsDeclaration
"""Declarations that consist of parts."""

Declaration: TypeAlias = Printable | HelperDeclaration


class File(Struct, frozen=True, kw_only=True, eq=False):
    """A Go file of package main; `header` are comments above the package clause.

    `own` are the variables of values that the program itself names, each with a fallback name.
    """

    declarations: tuple[Declaration, ...]
    header: tuple[str, ...] = ()
    own: Mapping[Variable, str] = field(default_factory=dict)


LEAVES = frozenset(
    {
        "str", "bool", "str | None", "tuple[str, ...]", "Variable", "Variable | None", "Package", "Origin | None",
        "Attribute | None", "tuple[Attribute | None, ...]",
    }
)  # fmt: skip  # a list of many short entries


def parts(cls: type) -> tuple[str, ...]:
    """Return the names of the fields of a class that contain nodes or tuples of nodes; none for other classes."""
    return scopes.names_of_parts(cls, LEAVES)
