"""The syntax tree of TypeScript, as much of it as generated programs use.

Comes in: built by the modules that translate core programs.  Goes out: laid out by `printing`.  Nodes say what the program
is, never how wide it is; parentheses, quotes, commas and line breaks are the printer's.  Each node stands in one place
of one tree.

    new random.RandomPet("web", { length: 2 })
    New(callee=Member(Name("random"), "RandomPet"), args=(Text("web"), Object((Property("length", Number("2")),))))
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

from pclgen.records import dataclass
from pclgen.types.model import ConstValue

# -- types ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TypeName:
    """`string`, `pulumi.Output<T>`: a name with its arguments."""

    name: str
    args: tuple[TsType, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TypeLiteral:
    """The type of one value: `"cat"`, `3`, `true`."""

    value: ConstValue


@dataclass(frozen=True, slots=True, eq=False)
class TypeIndex:
    """The type of a member: `WebArgs["size"]`."""

    object: str
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


TsType: TypeAlias = TypeName | TypeLiteral | TypeIndex | TypeArray | TypeTuple | TypeUnion | TypeObject

# -- expressions ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """An identifier, `undefined`, `this`."""

    text: str


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
    """`...value`."""

    value: TsExpr


@dataclass(frozen=True, slots=True, eq=False)
class Array:
    """`[a, b]`; `notes` has one entry an element or is empty; `closing` are comment lines before the bracket."""

    elements: tuple[TsExpr, ...]
    notes: tuple[Notes, ...] = ()
    closing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Property:
    """`key: value`; a `key` that is an expression is computed.  The printer quotes and shortens."""

    key: str | TsExpr
    value: TsExpr
    notes: Notes = NO_NOTES


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
    """A parameter: a name, or the names of an array or object pattern."""

    names: tuple[str, ...]
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
    """`const name: type = value;`, exported or not; `names` more than one: an array pattern."""

    name: str
    value: TsExpr | None
    type: TsType | None = None
    kind: str = "const"
    exported: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """`target = value;`."""

    target: TsExpr
    value: TsExpr


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

    name: str
    limit: TsExpr
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Each:
    """`for (const name of values) { … }`; more than one name: an array pattern."""

    names: tuple[str, ...]
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
    """A statement with comment lines above it, behind it on its line, and below it."""

    statement: Statement
    above: tuple[str, ...] = field(default=())
    behind: tuple[str, ...] = field(default=())
    below: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True, eq=False)
class Export:
    """`export { local as name };`: `name` may be a text in quotes."""

    local: str
    name: str


Statement: TypeAlias = Declare | Export | Assign | Do | Return | If | Count | Each | Try | Comment | Commented
