"""The syntax tree of TypeScript, as much of it as generated programs use.

The modules that translate core programs build it, `allot` chooses names for the variables, and `printing` lays it out. Nodes
say what the program is, never how wide it is; parentheses, quotes, commas and line breaks are the printer's. A `Variable`
has only preferred names. Each node stands in one place of one tree.

    new random.RandomPet("web", { length: 2 })
    New(callee=Member(Imported(…), "RandomPet"), args=(Text("web"), Object((Property("length", Number("2")),))))
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from pclgen.records import dataclass
from pclgen.sourcemaps import Origin
from pclgen.targets.origins import Attribute
from pclgen.types.model import ConstValue


@dataclass(frozen=True, slots=True, eq=False)
class Variable:
    """A name that the file binds; `wishes` are possible spellings, best first.

    `yields`: it is pclgen's own, and gives way to what the program itself calls so.
    """

    wishes: tuple[str, ...]
    yields: bool = False


Spellings: TypeAlias = Mapping[Variable, str]
"""The final names of the variables of one file."""

# -- types ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TypeName:
    """`string`, `pulumi.Output<T>`: a name with its arguments; `origin` is what has to be imported for it."""

    name: str
    args: tuple[TsType, ...] = ()
    origin: Imported | None = None


@dataclass(frozen=True, slots=True, eq=False)
class TypeVariable:
    """The name of a type that the file declares."""

    variable: Variable


@dataclass(frozen=True, slots=True, eq=False)
class TypeLiteral:
    """The type of one value: `"cat"`, `3`, `true`."""

    value: ConstValue


@dataclass(frozen=True, slots=True, eq=False)
class TypeIndex:
    """The type of a member: `WebArgs["size"]`, of what is imported."""

    object: Imported
    member: str


@dataclass(frozen=True, slots=True, eq=False)
class TypeArray:
    """`T[]`."""

    element: TsType


@dataclass(frozen=True, slots=True, eq=False)
class TypeTuple:
    """`[A, B]`."""

    elements: tuple[TsType, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TypeUnion:
    """`A | B`."""

    members: tuple[TsType, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TypeMember:
    """`name?: T` in an object type; `doc` lines stand above it as a comment."""

    name: str
    type: TsType
    optional: bool = False
    doc: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TypeObject:
    """`{ a: string; b?: number }`."""

    members: tuple[TypeMember, ...]


TsType: TypeAlias = TypeName | TypeVariable | TypeLiteral | TypeIndex | TypeArray | TypeTuple | TypeUnion | TypeObject

# -- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A use of a variable."""

    variable: Variable


@dataclass(frozen=True, slots=True, eq=False)
class Global:
    """`undefined`, `this`, `Object`: a name that is always there."""

    name: str


@dataclass(frozen=True, slots=True)
class Module:
    """What a file may import: `source` as in the import statement, `alias` what the file calls all of it."""

    source: str
    alias: str = ""


@dataclass(frozen=True, slots=True)
class Imported:
    """`pulumi`: all of a module; with a `member` that alone, which is called so here, too."""

    module: Module
    member: str = ""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.member or self.module.alias


@dataclass(frozen=True, slots=True, eq=False)
class Helper:
    """A function that pclgen adds to the file when it is used; `form` is another way in which it may be declared."""

    name: str
    form: str = ""


Identifier: TypeAlias = Name | Global | Imported | Helper
"""A name in an expression."""


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A string constant, in quotes; `lines`: as a template literal when it has line breaks."""

    value: str
    lines: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """A number, as it is written; not negative."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Constant:
    """`true`, `false`, `null`."""

    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """A template literal: texts around the values, one more than these; `tag` before it when there is one.

    `lines`: line breaks of the texts are real ones; otherwise they are escaped.
    """

    texts: tuple[str, ...]
    values: tuple[TsExpr, ...]
    tag: TsExpr | None = None
    lines: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Notes:
    """Comment lines before an element and behind it on its line."""

    before: tuple[str, ...] = ()
    behind: tuple[str, ...] = ()


NO_NOTES = Notes()


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """`...value`; `notes` are those of a member of an object."""

    value: TsExpr
    notes: Notes = NO_NOTES


@dataclass(frozen=True, slots=True, eq=False)
class Array:
    """`[a, b]`; `notes` has one entry an element or is empty; `closing` are comment lines before the bracket."""

    elements: tuple[TsExpr, ...]
    notes: tuple[Notes, ...] = ()
    closing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Property:
    """`key: value`; a `key` that is a variable is called as that is, one that is an expression is computed.  The printer
    quotes and shortens.  `origin` is the node or attribute that it comes from, `value_origin` that of the value."""

    key: str | Variable | TsExpr
    value: TsExpr
    notes: Notes = NO_NOTES
    origin: Origin | Attribute | None = None
    value_origin: Attribute | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Object:
    """`{ a: 1 }`; `expanded`: one property a line even where it would fit."""

    properties: tuple[Property | Spread, ...]
    expanded: bool = False
    closing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """`callee<T>(args)`."""

    callee: TsExpr
    args: tuple[TsExpr, ...]
    types: tuple[TsType, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class New:
    """`new callee<T>(args)`.  A `token`, that of the schema, says that it makes a resource."""

    callee: TsExpr
    args: tuple[TsExpr, ...]
    types: tuple[TsType, ...] = ()
    token: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """`source.name`, `source?.name`; a name that is no identifier is printed in brackets."""

    source: TsExpr
    name: str
    optional: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """`source[key]`, `source?.[key]`."""

    source: TsExpr
    key: TsExpr
    optional: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class NonNull:
    """`value!`."""

    value: TsExpr


@dataclass(frozen=True, slots=True, eq=False)
class As:
    """`value as type`."""

    value: TsExpr
    type: TsType


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """`!value`, `-value`."""

    operator: str
    value: TsExpr


@dataclass(frozen=True, slots=True, eq=False)
class Await:
    """`await value`."""

    value: TsExpr


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """Arithmetic, comparison, logic, `??`."""

    operator: str
    left: TsExpr
    right: TsExpr


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """`condition ? then : otherwise`."""

    condition: TsExpr
    then: TsExpr
    otherwise: TsExpr


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A parameter: a variable, or those of an array pattern (None for an element that has none) or an object pattern."""

    variables: tuple[Variable | None, ...]
    pattern: str = ""  # "", "[" or "{"
    type: TsType | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Arrow:
    """`(a, b) => body`."""

    parameters: tuple[Parameter, ...]
    body: TsExpr | tuple[Statement, ...]
    is_async: bool = False


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


@dataclass(frozen=True, slots=True, eq=False)
class Declare:
    """`const name: type = value;`, exported under the name that it wishes or not; several variables: an array pattern.

    `origin` is the attribute that the value comes from.
    """

    variables: tuple[Variable, ...]
    value: TsExpr | None
    type: TsType | None = None
    kind: str = "const"
    exported: bool = False
    origin: Attribute | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """`target = value;`; `origin` is the attribute that the value comes from."""

    target: TsExpr
    value: TsExpr
    origin: Attribute | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Do:
    """An expression as a statement."""

    value: TsExpr


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """`return value;`."""

    value: TsExpr


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """`if (condition) { … }`."""

    condition: TsExpr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """`for (let name = 0; name < limit; name++) { … }`."""

    variable: Variable
    limit: TsExpr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Each:
    """`for (const name of values) { … }`; more than one variable, of which None has no name: an array pattern."""

    variables: tuple[Variable | None, ...]
    values: TsExpr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Try:
    """`try { … } catch { … }`."""

    body: tuple[Statement, ...]
    handler: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Comment:
    """Comment lines on their own."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Commented:
    """A statement with comment lines above it, and behind it on its line."""

    statement: Statement
    above: tuple[str, ...] = field(default=())
    behind: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True, eq=False)
class Export:
    """`export { local as name };`: `name` may be a text in quotes."""

    local: Variable
    name: str


Statement: TypeAlias = Declare | Export | Assign | Do | Return | If | Count | Each | Try | Comment | Commented
