"""Checks of values of unknown type, where they are used (language.md, Values of any type).

A call of `checked` wraps a value without a type where it is used with a type, a step or a loop:

    length = settings.pool.size   ->   convert<int>(checked(settings, ["pool", "size"], "int",
                                           "main.pp:4:12: settings", "config settings (main.pp:1:1)"))

The call returns the value with the type of its kind, so that targets have nothing to convert. In `try` and `can`, steps
stay unchanged: there they may fail.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.origins import Sources, Use, has_no_type, is_checked, kinds_of_arguments
from pclgen.core.program import Hook, Node
from pclgen.core.walk import children, with_children, with_expressions
from pclgen.source.text import Span
from pclgen.stdlib.checks import ANY, CHECKED, COLLECTION, blamed, inside, kind_of
from pclgen.types import model as ty

_NULLABLE = f"{ANY}?"


def check_values(nodes: Sequence[Node], directory: str) -> tuple[Node, ...]:
    """Return the nodes of a program in `directory` with checks of values of no known type."""
    sources = Sources(nodes, directory)
    return tuple([n if isinstance(n, Hook) else with_expressions(n, lambda e: _with_checks(e, sources)) for n in nodes])


def _with_checks(expr: core.Expr, sources: Sources, *, attempted: bool = False) -> core.Expr:
    """Return `expr` with checks of its parts; `attempted`: it is inside of a call of `try` or `can`."""
    inside_attempt = attempted or (isinstance(expr, core.Call) and expr.function.name in ("try", "can"))
    parts = [_with_checks(part, sources, attempted=inside_attempt) for part in children(expr)]
    return _checked(expr, with_children(expr, parts), sources, attempted=attempted)


def _checked(old: core.Expr, new: core.Expr, sources: Sources, *, attempted: bool) -> core.Expr:
    """Return `new`, the changed form of `old`, with its check."""
    match old, new:
        case core.Attr() | core.Index(), core.Attr() | core.Index() if has_no_type(old.source) and not attempted:
            key = core.Literal(value=new.name, type=ty.STRING, span=new.span) if isinstance(new, core.Attr) else new.key
            return _step(old, new.source, key, sources)
        case core.Convert(), core.Convert() if has_no_type(old.value):
            kind = kind_of(old.type, nullable=old.unset is None)
            if kind == _NULLABLE or (kind.startswith("string") and _has_text(old.value, sources)):
                return new
            unset = None if old.unset is None else _unset_part(old.value, kind, sources)
            return replace(new, value=_of_kind(old.value, new.value, kind, sources), unset=unset)
        case core.Call(), core.Call():
            return _arguments(old, new, sources)
        case core.For(), core.For() if has_no_type(old.collection):
            return replace(new, collection=_of_kind(old.collection, new.collection, COLLECTION, sources))
        case _:
            return new


def _arguments(old: core.Call, new: core.Call, sources: Sources) -> core.Call:
    """Return a call of a function that restricts the kinds of its arguments, with their checks."""
    kinds = kinds_of_arguments(old)
    args = list(new.args)
    for at, kind in kinds:
        args[at] = _of_kind(old.args[at], args[at], kind, sources)
    return replace(new, args=tuple(args)) if kinds else new


def _has_text(value: core.Expr, sources: Sources) -> bool:
    """Return whether a value counts as a text: keys are texts, and SDKs read outputs of other stacks as texts."""
    if isinstance(value, core.Ref):
        return value.symbol.kind is core.SymbolKind.RANGE_KEY or value.symbol in sources.keys
    return isinstance(value, core.Call) and value.function.name == "getOutput"


def _unset_part(value: core.Expr, kind: str, sources: Sources) -> str | None:
    """Return the message for null inside a list or a map, for languages whose collections have no null."""
    if not kind.startswith(("list(", "map(")):
        return None
    use = sources.use(value)
    where, _, name = use.used.partition(": ")
    return blamed(f"{where}: a part of {name}", use.at, "is not set", use.origin)


def _step(old: core.Attr | core.Index, source: core.Expr, key: core.Expr, sources: Sources) -> core.Expr:
    """Return the check of a step into a value of no known type; steps with known keys extend the path of one check."""
    if isinstance(source, core.Call) and is_checked(source) and isinstance(key, core.Literal):
        path = source.args[1]
        assert isinstance(path, core.ListExpr)
        if all(isinstance(element, core.Literal) for element in path.elements):
            longer = _path([*path.elements, key], old.span)
            return replace(source, args=(source.args[0], longer, *source.args[2:]), span=old.span)
    return _call(sources.use(old.source), source, _NULLABLE, [key])


def _of_kind(old: core.Expr, new: core.Expr, kind: str, sources: Sources) -> core.Expr:
    """Return the check of a value (possibly the end of a path) for a kind."""
    if isinstance(new, core.Call) and is_checked(new):
        value, path, _, *rest = new.args
        return replace(new, args=(value, path, _text(kind, new.span), *rest))
    return _call(sources.use(old), new, kind, [])


def _call(use: Use, value: core.Expr, kind: str, keys: Sequence[core.Expr]) -> core.Expr:
    span = value.span
    used, origin = f"{use.used}{use.at}", inside(use.origin, use.at)
    args = [value, _path(keys, span), _text(kind, span), _text(used, span), _text(origin, span)]
    if is_eventual(value.type):
        args.append(core.Literal(value=True, type=ty.BOOL, span=span))
    type_ = ty.output_of(ty.DYNAMIC) if is_eventual(value.type) or any(key.type.eventual for key in keys) else ty.DYNAMIC
    return core.Call(function=CHECKED, args=tuple(args), expand=False, type=type_, span=span)


def _path(keys: Sequence[core.Expr], span: Span) -> core.ListExpr:
    return core.ListExpr(
        elements=tuple(keys), type=ty.tuple_of(key.type for key in keys) if keys else ty.list_of(ty.DYNAMIC), span=span
    )


def _text(value: str, span: Span) -> core.Literal:
    return core.Literal(value=value, type=ty.STRING, span=span)
