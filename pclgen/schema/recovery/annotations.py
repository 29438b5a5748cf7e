"""Annotations of an SDK as type expressions of a schema.

An `Annotation` is the type in schema form and the number of `Optional`s around it.

    pulumi.Input[Optional[Sequence[pulumi.Input['PortArgs']]]]
        {"type": "array", "items": {"$ref": "#/types/docker:index%2FPort:Port"}}, optional

Types that an argument class does not wrap in `pulumi.Input` accept no eventual values: they are *plain*.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from msgspec import Struct

from pclgen.schema.recovery.references import ANY

Spec = dict[str, object]
"""A piece of schema JSON."""

_PRIMITIVES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
_LITERALS = {str: "string", int: "integer", float: "number", bool: "boolean"}
_LISTS = frozenset({"Sequence", "List", "list"})
_MAPS = frozenset({"Mapping", "Dict", "dict"})
_WRAPPERS = frozenset({"Output", "Awaitable", "NotRequired"})
_ASSET, _ARCHIVE = "pulumi.json#/Asset", "pulumi.json#/Archive"
_DEEPEST = 40


class AnnotationError(Exception):
    """An annotation without an equivalent in schemas; the message quotes the annotation."""


class Annotation(Struct, frozen=True, kw_only=True):
    """A type in schema form.  `optional` counts the `Optional`s around it."""

    spec: Spec
    optional: int = 0
    is_input: bool = False


class AnnotationReader(Struct, frozen=True, kw_only=True):
    """Reads annotations of one file.

    `resolve` returns the `$ref` of a dotted name, or None. With `marks_plain`, types without an input wrapper are plain.
    """

    resolve: Callable[[str], str | None]
    marks_plain: bool = False

    def read(self, node: ast.expr) -> Annotation:
        """Return the type of an annotation. Raises `AnnotationError`."""
        return self._marked(self._read(node, 0))

    def _marked(self, annotation: Annotation) -> Annotation:
        if self.marks_plain and not annotation.is_input and annotation.spec.get("$ref") != ANY:
            return Annotation(spec={**annotation.spec, "plain": True}, optional=annotation.optional)
        return annotation

    def _read(self, node: ast.expr, depth: int) -> Annotation:
        if depth > _DEEPEST:
            raise AnnotationError("the annotation is nested too deeply")
        match node:
            case ast.Constant(value=str() as text):
                return self._read(_parsed(text), depth + 1)
            case ast.Constant(value=None):
                return Annotation(spec={"$ref": ANY}, optional=1)
            case ast.Name() | ast.Attribute():
                return Annotation(spec=self._named(dotted(node)))
            case ast.Subscript():
                return self._subscript(node, depth + 1)
            case ast.BinOp(op=ast.BitOr()):
                return self._union([node.left, node.right], depth + 1)
        raise AnnotationError(f"`{ast.unparse(node)}` is no type")

    def _subscript(self, node: ast.Subscript, depth: int) -> Annotation:
        name = dotted(node.value).rpartition(".")[2]
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name in _LISTS:
            return Annotation(spec={"type": "array", "items": self._element(parts[0], depth)})
        if name in _MAPS:
            return Annotation(spec={"type": "object", "additionalProperties": self._element(parts[-1], depth)})
        if name == "Union":
            return self._union(parts, depth)
        if name == "Literal":
            return Annotation(spec=_constant(node, parts))
        inner = self._read(parts[0], depth)
        if name == "Optional":
            return Annotation(spec=inner.spec, optional=inner.optional + 1, is_input=inner.is_input)
        if name in ("Input", "InputType"):
            # `Input` may enclose `Optional`, so an `Optional` inside of it counts, too.
            return Annotation(spec=inner.spec, optional=inner.optional, is_input=True)
        if name in _WRAPPERS:
            return inner
        raise AnnotationError(f"`{ast.unparse(node)}` is no type")

    def _element(self, node: ast.expr, depth: int) -> Spec:
        return self._marked(self._read(node, depth)).spec

    def _union(self, nodes: Sequence[ast.expr], depth: int) -> Annotation:
        members: list[Spec] = []
        optional = 0
        is_input = False
        for node in nodes:
            annotation = self._read(node, depth)
            optional += annotation.optional
            is_input = is_input or annotation.is_input
            # Classes and dicts of the same type, and the class of results, count once.
            if not (isinstance(node, ast.Constant) and node.value is None) and annotation.spec not in members:
                members.append(annotation.spec)
        if members and all(member.get("$ref") in (_ASSET, _ARCHIVE) for member in members):
            members = [{"$ref": _ASSET}] if {"$ref": _ASSET} in members else [{"$ref": _ARCHIVE}]
        if len(members) == 1:
            return Annotation(spec=members[0], optional=optional, is_input=is_input)
        return Annotation(spec={"oneOf": members}, optional=optional, is_input=is_input)

    def _named(self, name: str) -> Spec:
        last = name.rpartition(".")[2]
        if name in (last, f"_builtins.{last}", f"builtins.{last}") and last in _PRIMITIVES:
            return {"type": _PRIMITIVES[last]}
        if name in ("Any", "typing.Any"):
            return {"$ref": ANY}
        if name in ("pulumi.Asset", "pulumi.AssetOrArchive"):
            return {"$ref": _ASSET}
        if name == "pulumi.Archive":
            return {"$ref": _ARCHIVE}
        reference = self.resolve(name)
        return {"$ref": reference if reference is not None else ANY}


def _constant(node: ast.expr, parts: Sequence[ast.expr]) -> Spec:
    """Return the type of `Literal['v1']`, a constant; several literals of one type become that type."""
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    types = {_LITERALS.get(type(value)) for value in values}
    if len(values) != len(parts) or len(types) != 1 or None in types:
        raise AnnotationError(f"`{ast.unparse(node)}` is no type")
    spec: Spec = {"type": types.pop()}
    return {**spec, "const": values[0]} if len(values) == 1 else spec


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` as text. Raises `AnnotationError` for other expressions."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return f"{dotted(node.value)}.{node.attr}"
    raise AnnotationError(f"`{ast.unparse(node)}` is no name")


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise AnnotationError(f"`{text[:80]}` is no type") from error
