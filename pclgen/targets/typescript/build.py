"""Small constructors of trees, shared by the translating modules."""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.targets.typescript import tree as ts

UNDEFINED = "undefined"


def method(source: ts.TsExpr, name: str, *args: ts.TsExpr) -> ts.Call:
    """`source.name(args)`."""
    return ts.Call(ts.Member(source, name), args)


def call(function: str, name: str, *args: ts.TsExpr) -> ts.Call:
    """`function.name(args)` of a global object: `JSON.stringify(x)`."""
    return method(ts.Global(function), name, *args)


def object_of(*members: tuple[str, ts.TsExpr]) -> ts.Object:
    """`{ a: x }` on one line where it fits."""
    return ts.Object(tuple(ts.Property(name, value) for name, value in members))


def index(source: ts.TsExpr, key: ts.TsExpr, *, optional: bool = False) -> ts.TsExpr:
    """`source[key]`; a constant text becomes a member."""
    if isinstance(key, ts.Text) and not key.lines:
        return ts.Member(source, key.value, optional)
    return ts.Element(source, key, optional)


def binary(operator: str, left: ts.TsExpr, right: ts.TsExpr) -> ts.Binary:
    """`left operator right`; logical chains are left-associative, as printed."""
    if operator in ("&&", "||", "??") and isinstance(right, ts.Binary) and right.operator == operator:
        return ts.Binary(operator, binary(operator, left, right.left), right.right)
    return ts.Binary(operator, left, right)


def undefined() -> ts.Global:
    """The constant `undefined`."""
    return ts.Global(UNDEFINED)


def union(*members: ts.TsType) -> ts.TypeUnion:
    """`A | B`; a union among the members is flattened."""
    return ts.TypeUnion(tuple(member for t in members for member in (t.members if isinstance(t, ts.TypeUnion) else (t,))))


def declare(variable: ts.Variable, value: ts.TsExpr, annotation: ts.TsType | None = None) -> ts.Declare:
    """`const variable: annotation = value;`."""
    return ts.Declare((variable,), value, annotation)


def arrow(variables: Sequence[ts.Variable], body: ts.TsExpr) -> ts.Arrow:
    """`(a, b) => body`."""
    return ts.Arrow(tuple(ts.Parameter((variable,)) for variable in variables), body)


def concat_text(parts: Sequence[ts.TsExpr], *, lines: bool = False, tag: ts.TsExpr | None = None) -> ts.TsExpr:
    """A template literal of texts and values; a plain string for texts only."""
    texts: list[str] = [""]
    values: list[ts.TsExpr] = []
    for part in parts:
        if isinstance(part, ts.Text):
            texts[-1] += part.value
        else:
            values.append(part)
            texts.append("")
    if not values and tag is None:
        return ts.Text(texts[0], lines and "\n" in texts[0][:-1])
    broken = lines and any("\n" in text for text in texts)
    return ts.Template(tuple(texts), tuple(values), tag, broken)


def is_path(node: ts.TsExpr) -> bool:
    """Return whether the node is a name or members of a name, which are cheap to write twice."""
    while isinstance(node, ts.Member):
        node = node.source
    return isinstance(node, ts.Identifier)


def is_same_path(left: ts.TsExpr, right: ts.TsExpr) -> bool:
    """Return whether both are the same name, or the same members of the same name."""
    if isinstance(left, ts.Member) and isinstance(right, ts.Member):
        return left.name == right.name and is_same_path(left.source, right.source)
    if isinstance(left, ts.Name) or isinstance(right, ts.Name):
        return isinstance(left, ts.Name) and isinstance(right, ts.Name) and left.variable is right.variable
    return isinstance(left, ts.Identifier) and isinstance(right, ts.Identifier) and left.name == right.name


def is_null(node: ts.TsExpr) -> bool:
    """Return whether the node is the constant `null`."""
    return isinstance(node, ts.Constant) and node.text == "null"
