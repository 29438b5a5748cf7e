"""What evaluating a Go expression does besides giving a value.

Comes in: expressions.  Goes out: the parts that must stay when nobody wants the value.
"""

from __future__ import annotations

from collections.abc import Iterator

from pclgen.targets.go import tree as go

_PURE_CALLS = frozenset({"len", "make", "append", "string", "int", "float64", "min", "max"})
_PURE_PREFIXES = ("fmt.Sprint", "strconv.", "strings.", "json.", "base64.", "sha1.", "sha256.", "slices.", "maps.")
_PURE_STARTS = ("To", "Sprintf", "Any", "NewFileA", "NewStringAsset", "NewRemoteA", "NewAssetArchive", "All")
_PURE_METHODS = frozenset({"Elem", "Index", "MapIndex", "ID", "URN", "EncodeToString", "Stack", "Project"})
_SCALARS = frozenset({"String", "Int", "Bool", "Float64", "ID", "URN", "StringRef", "IntRef", "BoolRef", "Float64Ref"})


def effects(e: go.Expr) -> Iterator[go.Expr]:
    """The parts of `e` that do something, outermost ones only."""
    match e:
        case go.Call():
            if not _is_pure(e.function):
                yield e
                return
            for argument in e.arguments:
                yield from effects(argument)
        case go.Composite():
            for element in e.elements:
                yield from effects(element.value)
        case go.FunctionLiteral():
            return
        case _:
            for child in operands(e):
                yield from effects(child)


def has_effect(e: go.Expr) -> bool:
    """Whether evaluating `e` does something."""
    return next(effects(e), None) is not None


def operands(e: go.Expr) -> tuple[go.Expr, ...]:
    """The expressions right inside `e`; literals of lists, objects and functions are not looked into."""
    match e:
        case go.Selector() | go.Unary() | go.Star() | go.TypeAssertion():
            return (e.operand,)
        case go.Index():
            return (e.operand, e.key)
        case go.Call():
            return (e.function, *e.arguments)
        case go.Binary():
            return (e.left, e.right)
        case _:
            return ()


def _is_pure(function: go.Expr) -> bool:
    """Whether a call only computes: conversions and functions known to."""
    match function:
        case go.SliceType() | go.MapType() | go.Star():
            return True
        case go.Name():
            return function.name in _PURE_CALLS
        case go.Qualified():
            if function.package == "pulumi" and function.name in _SCALARS:
                return True
            return f"{function.package}.{function.name}".startswith(_PURE_PREFIXES) or function.name.startswith(_PURE_STARTS)
        case go.Selector():
            name = function.name
            return name in _PURE_METHODS or (name.startswith("To") and name.endswith("Output"))
        case _:
            return False
