"""Types and members that schemas expect at an offset, determined from the enclosing block, so that invalid values have an
expected type, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from pclgen.core.program import ComponentUse, Resource
from pclgen.lsp.analysis import Analysis
from pclgen.stdlib.registry import INVOKE
from pclgen.syntax import ast
from pclgen.syntax.walk import Tree
from pclgen.types import model as ty
from pclgen.types.declarations import EnumMember, Field, FunctionDecl, ResourceDecl, Shape


def resource_of(analysis: Analysis, block: ast.Block) -> ResourceDecl | None:
    """Return the resource type of a block."""
    if block.type.text not in ("resource", "read") or not block.labels:
        return None
    for node in analysis.nodes.get(block.labels[0].text, ()):
        if isinstance(node, Resource):
            return node.declaration
    return analysis.resource(block.labels[1].text) if len(block.labels) > 1 else None


def inputs_of(analysis: Analysis, block: ast.Block) -> Mapping[str, Field]:
    """Return the inputs of a block, by name."""
    resource = resource_of(analysis, block)
    if resource is not None:
        declaration = resource.state if block.type.text == "read" else resource.inputs
        return declaration.fields(Shape.INPUT)
    for node in analysis.nodes.get(block.labels[0].text, ()) if block.labels else ():
        if isinstance(node, ComponentUse) and node.component is not None:
            return node.component.inputs.fields(Shape.INPUT)
    return {}


def invoked(analysis: Analysis, call: ast.Call) -> FunctionDecl | None:
    """Return the package function of a call of `invoke`."""
    match call.args:
        case [ast.Template(parts=(ast.TemplateText() as token,)), *_] if call.name.text == INVOKE:
            return analysis.function(token.value)
        case _:
            return None


def members_of(analysis: Analysis, path: Sequence[Tree], value: ast.ObjectExpr) -> Mapping[str, Field]:
    """Return the members of an object literal on `path`."""
    expected = expected_type(analysis, path, value)
    object_type = nominal(expected) if expected is not None else None
    return object_type.declaration.fields(object_type.shape) if object_type is not None else {}


def expected_type(analysis: Analysis, path: Sequence[Tree], value: Tree) -> ty.Type | None:
    """Return the type that the schema expects for `value`, on `path`."""
    expected: ty.Type | None = None
    for outer, node in pairwise(path):
        match outer:
            case ast.Attribute() if len(path) > 2 and path[2] is outer and isinstance(path[0], ast.Block):
                field = inputs_of(analysis, path[0]).get(outer.name.text)
                expected = field.type if field is not None else None
            case ast.Call():
                function = invoked(analysis, outer)
                takes = function.inputs if function is not None and node in outer.args[1:2] else None
                expected = ty.nominal_of(takes, Shape.INPUT) if takes is not None else None
            case ast.ObjectItem():
                expected = member_of(expected, key_of(outer))
            case ast.TupleExpr():
                expected = element_of(expected)
            case ast.ObjectExpr() | ast.Parens() | ast.Body() | ast.Block() | ast.Template():
                pass
            case _:
                expected = None
        if node is value:
            return expected
    return None


def key_of(item: ast.ObjectItem) -> str | None:
    """Return the constant key of an item of an object."""
    match item.key:
        case ast.BareKey():
            return item.key.text
        case ast.ExprKey(value=ast.Template(parts=(ast.TemplateText() as text,))):
            return text.value
        case _:
            return None


def nominal(t: ty.Type) -> ty.NominalType | None:
    """Return the first declared object among the alternatives of a type."""
    return next((alternative for alternative in alternatives(t) if isinstance(alternative, ty.NominalType)), None)


def enum_members(t: ty.Type) -> list[EnumMember]:
    """Return the members of the enums among the alternatives of a type."""
    return [
        member
        for alternative in alternatives(t)
        if isinstance(alternative, ty.EnumType)
        for member in alternative.declaration.members
    ]


def alternatives(t: ty.Type) -> Iterator[ty.Type]:
    """Yield the types that a value of `t` may have once it is known."""
    match t:
        case ty.InputType() | ty.OutputType() | ty.PromiseType():
            yield from alternatives(t.element)
        case ty.UnionType():
            for member in t.members:
                yield from alternatives(member)
        case _:
            yield t


def member_of(t: ty.Type | None, key: str | None) -> ty.Type | None:
    """Return the type of the member `key` of an object, or of the values of a map."""
    object_type = nominal(t) if t is not None else None
    if object_type is None or key is None:
        return element_of(t)
    field = object_type.declaration.fields(object_type.shape).get(key)
    return field.type if field is not None else None


def element_of(t: ty.Type | None) -> ty.Type | None:
    """Return the type of the elements of a list or a map."""
    parts = alternatives(t) if t is not None else ()
    return next((part.element for part in parts if isinstance(part, ty.ListType | ty.MapType)), None)
