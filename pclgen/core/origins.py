"""The origin of an untyped value: the configuration, a file, a function of a package, another stack.

An `Origin` is traced through locals, loops and steps:

    size = settings.pool.size                 config settings.pool.size
    first = [for p in settings.pools : p][0]  config settings.pools[*]
    invoke("std:index:jsondecode", { input = readFile("a.json") }).result.a   file a.json.result.a
"""

from __future__ import annotations

import posixpath
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.program import ComponentUse, Local, Node, OutputVariable, Resource
from pclgen.core.walk import children, expressions_of, walk
from pclgen.diagnostics.model import Diagnostic, note
from pclgen.source.files import folder_of
from pclgen.source.text import Span
from pclgen.stdlib.checks import CHECKED, path_text
from pclgen.stdlib.model import Derivation
from pclgen.types import model as ty

Definitions: TypeAlias = Mapping[core.Symbol, core.Expr]
"""The values of locals and outputs, and the collections of loop variables."""

Key: TypeAlias = "str | int | None"
"""A step of a path; None for a key that only the running program knows."""

_MOST_STEPS: Final = 200
_MOST_PARTS: Final = 40
_LONGEST: Final = 60
_DEEPEST: Final = 8
_ELEMENTS: Final = frozenset({core.SymbolKind.LOOP, core.SymbolKind.RANGE_VALUE})


class Origin(Struct, frozen=True):
    """The source of a value and the path inside it: `config settings`, `.pool.size`; `span` is the source's position."""

    what: str
    path: str
    span: Span

    def text(self, directory: str) -> str:
        """The origin as failures show it: `config settings.pool.size (main.pp:3:1)`."""
        return f"{self.what}{self.path} ({place(directory, self.span)})"


def place(directory: str, span: Span) -> str:
    """A place of the program as generated code names it: `main.pp:3:9`, from the root program's directory."""
    at = span.start_position
    name = posixpath.normpath(posixpath.join(folder_of(directory), posixpath.basename(span.file.name)))
    return f"{name}:{at.line}:{at.column}"


class Use(Struct, frozen=True):
    """A use of an untyped value: `used` names the position and the start of the path `keys`; `origin` is the source of the
    value, empty if unknown."""

    used: str
    keys: tuple[str | int, ...]
    origin: str

    @property
    def at(self) -> str:
        """The path as a text."""
        return path_text(self.keys)


class Sources:
    """The origins of the values of one program.

    `directory` contains its files, relative to the root program; `stack` maps variables to their lines in the stack's file.
    """

    __slots__ = ("_definitions", "_directory", "_keys", "_nodes", "_stack")

    def __init__(
        self, nodes: Sequence[Node], directory: str = ".", *, stack: Mapping[core.Symbol, str] = MappingProxyType({})
    ) -> None:
        self._nodes = nodes
        self._directory = directory
        self._stack = stack
        self._definitions: Definitions | None = None
        self._keys: frozenset[core.Symbol] | None = None

    @property
    def keys(self) -> frozenset[core.Symbol]:
        """The loop variables with keys and positions."""
        if self._keys is None:
            loops = (
                e for node in self._nodes for expr in expressions_of(node) for e in walk(expr) if isinstance(e, core.For)
            )
            self._keys = frozenset(loop.key for loop in loops if loop.key is not None)
        return self._keys

    def origin(self, expr: core.Expr) -> Origin | None:
        """The origin of the value of `expr`."""
        if self._definitions is None:
            self._definitions = definitions_of(self._nodes)
        return origin_of(expr, self._definitions)

    def set_at(self, origin: Origin) -> str:
        """The position where the stack sets a variable: `Pulumi.prod.yaml:7`; empty if unknown."""
        return next((where for symbol, where in self._stack.items() if symbol.span == origin.span), "")

    def use(self, expr: core.Expr) -> Use:
        """The use of a value at the end of a path into an untyped value."""
        keys: list[str | int] = []
        while (key := step_key(expr)) is not None:
            assert isinstance(expr, core.Attr | core.Index)
            keys.append(key)
            expr = expr.source
        source = self.origin(expr)
        origin = "" if source is None else source.text(self._directory)
        return Use(f"{place(self._directory, expr.span)}: {described(expr)}", tuple(reversed(keys)), origin)


def step_key(expr: core.Expr) -> str | int | None:
    """The literal key of a step into an untyped value."""
    if not isinstance(expr, core.Attr | core.Index) or not has_no_type(expr.source):
        return None
    return expr.name if isinstance(expr, core.Attr) else _key(expr.key)


def has_no_type(expr: core.Expr) -> bool:
    """Return whether a value is untyped and must be checked at run time."""
    return ty.resolve(expr.type) is ty.DYNAMIC and not is_foreign(expr)


def kinds_of_arguments(call: core.Call) -> Sequence[tuple[int, str]]:
    """The untyped arguments of parameters with a kind (such as any list): their index and the kind."""
    pairs = enumerate(zip(call.args, call.function.parameters, strict=False))
    return [(at, parameter.kind) for at, (argument, parameter) in pairs if parameter.kind and has_no_type(argument)]


def is_foreign(expr: core.Expr) -> bool:
    """Return whether `expr` is untyped because no schema describes it, or because a converter left a hole."""
    while isinstance(expr, core.Attr | core.Index | core.Convert):
        expr = expr.value if isinstance(expr, core.Convert) else expr.source
        if ty.resolve(expr.type) is not ty.DYNAMIC:
            return False
    match expr:
        case core.Ref():
            return expr.symbol.kind in (core.SymbolKind.RESOURCE, core.SymbolKind.COMPONENT, core.SymbolKind.HOOK_ARGS)
        case core.Invoke():
            return expr.function is None
        case core.Call():
            return expr.function.name == "notImplemented"
        case _:
            return False


def is_checked(expr: core.Expr) -> bool:
    """Return whether `expr` is a check added by lowering."""
    return isinstance(expr, core.Call) and expr.function is CHECKED


def demands_value(expr: core.Expr) -> bool:
    """Return whether a check refuses null."""
    if not isinstance(expr, core.Call) or not is_checked(expr):
        return False
    kind = expr.args[2]
    return isinstance(kind, core.Literal) and not str(kind.value).endswith("?")


def described(expr: core.Expr) -> str:
    """The name of a value in failures: the path as written."""
    inner = expr
    while isinstance(inner, core.Attr | core.Index | core.Convert):
        if isinstance(inner, core.Index) and not isinstance(inner.key, core.Literal):
            return "the value"
        inner = inner.value if isinstance(inner, core.Convert) else inner.source
    text = expr.span.text
    is_path = isinstance(inner, core.Ref) or (isinstance(inner, core.Call) and inner.function.name == "getOutput")
    return text if is_path and "\n" not in text and len(text) <= _LONGEST else "the value"


def definitions_of(nodes: Sequence[Node]) -> dict[core.Symbol, core.Expr]:
    """The definitions of names, including loop variables and, in lowered programs, parameters of applies."""
    definitions: dict[core.Symbol, core.Expr] = {}
    for node in nodes:
        if isinstance(node, Local | OutputVariable):
            definitions[node.symbol] = node.value
        if isinstance(node, Resource | ComponentUse) and node.range is not None and node.range.item is not None:
            definitions[node.range.item] = node.range.value
        for expr in expressions_of(node):
            for part in walk(expr):
                if isinstance(part, core.For):
                    definitions[part.value] = part.collection
                elif isinstance(part, core.Apply):
                    definitions.update(zip(part.parameters, part.args, strict=True))
    return definitions


def origin_of(expr: core.Expr, definitions: Definitions) -> Origin | None:
    """The origin of the value of `expr`; None if it has no single source outside the program."""
    steps: list[Key] = []  # outermost first
    for _ in range(_MOST_STEPS):
        match expr:
            case core.Attr():
                steps.append(expr.name)
                if isinstance(expr.source, core.Ref) and expr.source.symbol.kind is core.SymbolKind.RESOURCE:
                    return _origin(f"resource {expr.source.symbol.name}", steps, expr.source.symbol.span)
                following: core.Expr | None = expr.source
            case core.Index():
                steps.append(_key(expr.key))
                following = expr.source
            case core.Convert():
                following = expr.value
            case core.Ref() if expr.symbol.kind is core.SymbolKind.CONFIG:
                return _origin(f"config {expr.symbol.name}", steps, expr.symbol.span)
            case core.Ref():
                if expr.symbol.kind in _ELEMENTS:
                    steps.append(None)
                following = definitions.get(expr.symbol)
            case core.Invoke():
                return _of_call(expr, expr.token, steps, definitions)
            case core.MethodCall():
                return _origin(f"method {expr.name}", steps, expr.span)
            case core.Call():
                if expr.function.name == "getOutput" and isinstance(expr.args[1], core.Literal):
                    return _origin(f"stack output {expr.args[1].value}", steps, expr.span)
                if expr.function.derives is Derivation.FILE:
                    return _of_call(expr, expr.function.name, steps, definitions)
                following = _through(expr, steps)
            case core.Conditional():
                options = [part for part in (expr.then, expr.otherwise) if ty.resolve(part.type) is ty.DYNAMIC]
                following = options[0] if options else expr.then
            case core.For():
                if steps:
                    steps.pop()
                following = expr.result
            case core.ObjectExpr() | core.ListExpr():
                following = _written(expr, steps)
            case _:
                return None
        if following is None:
            return None
        expr = following
    return None


def _origin(what: str, steps: Sequence[Key], span: Span) -> Origin:
    shown = steps[:_MOST_PARTS]
    path = "".join("[*]" if key is None else path_text((key,)) for key in reversed(shown))
    return Origin(what, f"…{path}" if len(shown) < len(steps) else path, span)


def _key(key: core.Expr) -> Key:
    value = key.value if isinstance(key, core.Literal) else None
    return value if isinstance(value, str | int) and not isinstance(value, bool) else None


def _of_call(expr: core.Expr, name: str, steps: Sequence[Key], definitions: Definitions) -> Origin:
    """The file that a function reads, or whose text is an argument; else the function."""
    pending, looked = [expr], 0
    while pending and looked < _MOST_STEPS:
        node = pending.pop(0)
        looked += 1
        if (
            isinstance(node, core.Call)
            and node.function.derives is Derivation.FILE
            and isinstance(node.args[0], core.Literal)
        ):
            return _origin(f"file {node.args[0].value}", steps, expr.span)
        if isinstance(node, core.Ref) and node.symbol.kind is core.SymbolKind.LOCAL and node.symbol in definitions:
            pending.append(definitions[node.symbol])
        pending += children(node)
    return _origin(f"invoke {name}", steps, expr.span)


def _through(call: core.Call, steps: list[Key]) -> core.Expr | None:
    """The argument that a built-in function returns, or from which it selects a part."""
    match call.function.derives:
        case Derivation.ARGUMENT | Derivation.ONLY:
            return call.args[0]
        case Derivation.ELEMENT:
            # An index is modulo the length.
            steps.append(_key(call.args[1]) if call.function.parameters[1].type is ty.STRING else None)
            return call.args[0]
        case _:
            return None


def _written(expr: core.ObjectExpr | core.ListExpr, steps: list[Key]) -> core.Expr | None:
    """The member of a literal at the last step."""
    if not steps:
        return None
    key = steps.pop()
    if isinstance(expr, core.ListExpr):
        at = key if isinstance(key, int) else 0  # any element: only the running program knows the index
        return expr.elements[at] if 0 <= at < len(expr.elements) else None
    return next((i.value for i in expr.items if isinstance(i.key, core.Literal) and i.key.value == key), None)


def with_origin(diagnostic: Diagnostic, value: core.Expr, definitions: Definitions) -> Diagnostic:
    """Return `diagnostic` about `value`; with a note on its origin if its type is uncertain."""
    if not _is_uncertain(value.type, 0):
        return diagnostic
    origin = origin_of(value, definitions)
    if origin is None or origin.span == diagnostic.primary:
        return diagnostic
    return replace(diagnostic, notes=(*diagnostic.notes, note(f"it came from {origin.what}{origin.path}", origin.span)))


def _is_uncertain(t: ty.Type, depth: int) -> bool:
    """Return whether `t` or a component of it has no type."""
    plain = ty.without_none(ty.resolve(t))
    if plain is ty.DYNAMIC or depth > _DEEPEST:
        return plain is ty.DYNAMIC
    match plain:
        case ty.ListType() | ty.MapType():
            return _is_uncertain(plain.element, depth + 1)
        case ty.TupleType():
            return any(_is_uncertain(element, depth + 1) for element in plain.elements[:_DEEPEST])
        case ty.ObjectType():
            return any(_is_uncertain(member, depth + 1) for member in list(plain.members.values())[:_DEEPEST])
        case _:
            return False
