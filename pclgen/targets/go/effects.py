"""Side effects of evaluating a Go expression.

Parts with effects must stay even if the value is unused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final

from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.sdk import CORE_PATH

_PREDECLARED = frozenset({"len", "make", "append", "string", "int", "float64", "min", "max"})
_COMPUTING = frozenset(
    (
        *("crypto/sha1", "crypto/sha256", "encoding/base64", "encoding/json", "errors", "fmt", "maps", "math", "reflect"),
        *("slices", "strconv", "strings", "unicode/utf8", "github.com/rivo/uniseg"),
    )
)
"""Packages whose functions are pure, as far as generated code calls them."""

_CONVERSIONS = frozenset({"String", "Int", "Bool", "Float64", "ID", "URN", "StringRef", "IntRef", "BoolRef", "Float64Ref"})
_CORE_STARTS = ("To", "New")  # `ToStringArray`, `NewFileAsset`
_POINTERS = frozenset({"StringPtrFromPtr", "IntPtrFromPtr", "BoolPtrFromPtr", "Float64PtrFromPtr"})
_CORE_NAMES = _CONVERSIONS | _POINTERS | {"All", "Any", "Sprintf"}
_METHODS = frozenset({"Elem", "Index", "MapIndex", "ID", "URN", "EncodeToString", "Stack", "Project", "Try", "TrySecret"})
"""Pure methods of outputs, the context and a configuration: reading a text fails only if it is missing."""


def effects(e: go.Expr) -> Iterator[go.Expr]:
    """Yield the outermost parts of `e` that have effects."""
    match e:
        case go.Call():
            if not _is_pure(e):
                yield e
                return
            for argument in e.arguments:
                yield from effects(argument)
        case go.FunctionLiteral():
            return
        case _:
            for child in operands(e):
                yield from effects(child)


def has_effect(e: go.Expr) -> bool:
    """Return whether evaluating `e` has an effect."""
    return next(effects(e), None) is not None


def operands(e: go.Expr) -> Iterable[go.Expr]:
    """Return the direct operands of `e`; none for a function literal."""
    return _OPERANDS[type(e)](e) if type(e) in _OPERANDS else ()


def _operand(e: go.Selector | go.Unary | go.Star | go.TypeAssertion | go.Tail) -> tuple[go.Expr, ...]:
    return (e.operand,)


_OPERANDS: Final[Mapping[type[go.Expr], Callable[[Any], Iterable[go.Expr]]]] = {
    go.Selector: _operand,
    go.Unary: _operand,
    go.Star: _operand,
    go.TypeAssertion: _operand,
    go.Tail: _operand,
    go.Index: attrgetter("operand", "key"),
    go.Composite: lambda e: [part for x in e.elements for part in (x.key, x.value) if part is not None],
    go.Call: lambda e: (e.function, *e.arguments),
    go.Binary: attrgetter("left", "right"),
}


def _is_pure(call: go.Call) -> bool:
    """Return whether a call is pure: a conversion or a known pure function."""
    function = call.function
    if _takes_context(call):
        name = (function.package.path, function.name) if isinstance(function, go.Qualified) else None
        return name == (f"{CORE_PATH}/config", "New")
    match function:
        case go.SliceType() | go.MapType() | go.Star():
            return True
        case go.Builtin():
            return function.name in _PREDECLARED
        case go.Qualified():
            if function.package.path == CORE_PATH:
                return function.name in _CORE_NAMES or function.name.startswith(_CORE_STARTS)
            return function.package.path in _COMPUTING
        case go.Selector():
            return function.name in _METHODS or (function.name.startswith("To") and function.name.endswith("Output"))
        case _:
            return False


def _takes_context(call: go.Call) -> bool:
    """Return whether the context is the first argument, as in all calls that communicate with the engine."""
    return bool(call.arguments) and call.arguments[0] is make.CTX
