"""The only traversal of expressions and program nodes.

Parts are in source order; `rewrite` and its relatives return copies with other parts. Nothing here recurses, so deep
nesting needs no stack, and every function is linear in the size of its argument.

    children(`a ? b : c`)  ->  (a, b, c)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from operator import attrgetter, is_not
from typing import Any, Final, TypeVar, assert_never, cast
from weakref import WeakKeyDictionary

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.source.text import Span

R = TypeVar("R")
E = TypeVar("E", bound=core.Expr)
V = TypeVar("V", prog.Input, core.Option, prog.Range, prog.Local, prog.OutputVariable)


def children(expr: core.Expr) -> tuple[core.Expr, ...]:
    """The direct parts of `expr`, in source order; `with_children` expects them in the same order."""
    return _PARTS[type(expr)](expr)


def _present(*parts: core.Expr | None) -> tuple[core.Expr, ...]:
    return tuple([part for part in parts if part is not None])


def _no_parts(_: core.Expr) -> tuple[core.Expr, ...]:
    return ()


_PARTS: Final[Mapping[type[core.Expr], Callable[[Any], tuple[core.Expr, ...]]]] = {
    core.Literal: _no_parts,
    core.Ref: _no_parts,
    core.PropertyPath: _no_parts,
    core.Invalid: _no_parts,
    core.Attr: lambda e: (e.source,),
    core.Index: lambda e: (e.source, e.key),
    core.ListExpr: attrgetter("elements"),
    core.ObjectExpr: attrgetter("parts"),
    core.Template: attrgetter("parts"),
    core.Unary: lambda e: (e.operand,),
    core.Binary: attrgetter("left", "right"),
    core.Conditional: attrgetter("condition", "then", "otherwise"),
    core.For: lambda e: _present(e.collection, e.result_key, e.result, e.condition),
    core.Call: attrgetter("args"),
    core.Invoke: lambda e: _present(e.args, *e.options.values()),
    core.MethodCall: lambda e: _present(e.receiver, e.args),
    core.Convert: lambda e: (e.value,),
    core.All: lambda e: (e.value,),
    core.Apply: lambda e: (*e.args, e.body),
}
"""Functions that read the parts of each class.  A look-up by class costs less than a `match`, which tests the classes in
sequence (docs/contributing/decisions/0003)."""

_LEAVES: Final = frozenset(kind for kind, read in _PARTS.items() if read is _no_parts)
"""The classes of expressions without parts."""


def with_children(expr: E, parts: Sequence[core.Expr]) -> E:
    """`expr` with `parts` in place of its `children`; `expr` itself if they are the same objects."""
    return cast(E, _rebuilt(expr, parts)) if any(map(is_not, parts, children(expr))) else expr


def _rebuilt(expr: core.Expr, parts: Sequence[core.Expr]) -> core.Expr:
    match expr:
        case core.Literal() | core.Ref() | core.PropertyPath() | core.Invalid():
            return expr
        case core.Attr():
            return replace(expr, source=parts[0])
        case core.Index():
            return replace(expr, source=parts[0], key=parts[1])
        case core.ListExpr():
            return replace(expr, elements=tuple(parts))
        case core.ObjectExpr():
            return replace(expr, items=_items(expr.items, parts))
        case core.Template():
            return replace(expr, parts=tuple(parts))
        case core.Unary():
            return replace(expr, operand=parts[0])
        case core.Binary():
            return replace(expr, left=parts[0], right=parts[1])
        case core.Conditional():
            return replace(expr, condition=parts[0], then=parts[1], otherwise=parts[2])
        case core.For():
            return _for_with(expr, iter(parts))
        case core.Call():
            return replace(expr, args=tuple(parts))
        case core.Invoke():
            return _invoke_with(expr, iter(parts))
        case core.MethodCall():
            return replace(expr, receiver=parts[0], args=parts[1] if len(parts) > 1 else None)
        case core.Convert() | core.All():
            return replace(expr, value=parts[0])
        case core.Apply():
            return replace(expr, args=tuple(parts[:-1]), body=parts[-1])
        case _:
            assert_never(expr)


def _items(items: tuple[core.ObjectItem, ...], parts: Sequence[core.Expr]) -> tuple[core.ObjectItem, ...]:
    rest = iter(parts)
    return tuple([_item_with(item, next(rest), next(rest), None if item.when is None else next(rest)) for item in items])


def _item_with(item: core.ObjectItem, key: core.Expr, value: core.Expr, when: core.Expr | None) -> core.ObjectItem:
    if item.key is key and item.value is value and item.when is when:
        return item
    return replace(item, key=key, value=value, when=when)


def _for_with(expr: core.For, parts: Iterator[core.Expr]) -> core.For:
    return replace(
        expr,
        collection=next(parts),
        result_key=None if expr.result_key is None else next(parts),
        result=next(parts),
        condition=None if expr.condition is None else next(parts),
    )


def _invoke_with(expr: core.Invoke, parts: Iterator[core.Expr]) -> core.Invoke:
    args = None if expr.args is None else next(parts)
    return replace(expr, args=args, options={name: next(parts) for name in expr.options})


def walk(expr: core.Expr) -> Iterator[core.Expr]:
    """`expr` and everything inside it, each before its parts, in source order.

    A shared node (lowering may share subtrees) is yielded once per occurrence.
    """
    pending = [expr]
    while pending:
        node = pending.pop()
        yield node
        if type(node) not in _LEAVES:
            pending.extend(reversed(children(node)))


def kinds_of(expr: core.Expr) -> AbstractSet[type]:
    """The classes of `expr` and of everything inside it; passes test them before they visit each node."""
    kinds: set[type] = set()
    pending = [expr]
    while pending:
        node = pending.pop()
        kind = type(node)
        kinds.add(kind)
        if kind not in _LEAVES:
            pending.extend(children(node))
    return kinds


def consists_of(expr: core.Expr, kinds: AbstractSet[type]) -> bool:
    """Return whether `expr` and everything inside it are of the classes `kinds`."""
    pending = [expr]
    while pending:
        node = pending.pop()
        if type(node) not in kinds:
            return False
        if type(node) not in _LEAVES:
            pending.extend(children(node))
    return True


_KINDS: Final[WeakKeyDictionary[prog.Program, AbstractSet[type]]] = WeakKeyDictionary()


def kinds_in(program: prog.Program) -> AbstractSet[type]:
    """The classes of all expressions of `program`, without those of its components.  Several phases and each target ask for
    them, so that they are found once for each program."""
    kinds = _KINDS.get(program)
    if kinds is None:
        kinds = _KINDS[program] = frozenset().union(*(kinds_of(e) for node in program.nodes for e in expressions_of(node)))
    return kinds


def postorder(expr: core.Expr) -> Iterator[core.Expr]:
    """`expr` and everything inside it, each after its parts, in source order; shared nodes once."""
    pending: list[tuple[core.Expr, bool]] = [(expr, False)]
    done: set[int] = set()
    while pending:
        node, ready = pending.pop()
        if ready:
            yield node
        elif id(node) not in done:
            done.add(id(node))
            if type(node) in _LEAVES:
                yield node
                continue
            pending.append((node, True))
            pending.extend((part, False) for part in reversed(children(node)))


def rewrite(
    expr: core.Expr, change: Callable[[core.Expr], core.Expr], *, only: AbstractSet[type] | None = None
) -> core.Expr:
    """Apply `change` to every node of `expr`, parts first.

    `change` receives each node with its parts already changed and returns a node. Unchanged nodes keep their identity.
    `only` are the classes of nodes that `change` may change: if `expr` contains none, it is not called.
    """
    if only is not None and kinds_of(expr).isdisjoint(only):
        return expr
    results: dict[int, core.Expr] = {}
    pending: list[tuple[core.Expr, tuple[core.Expr, ...] | None]] = [(expr, None)]
    while pending:
        node, parts = pending.pop()
        if parts is not None:
            new = [results[id(part)] for part in parts]
            results[id(node)] = change(_rebuilt(node, new) if any(map(is_not, new, parts)) else node)
        elif id(node) not in results:
            if type(node) in _LEAVES:
                results[id(node)] = change(node)
            else:
                parts = children(node)
                pending.append((node, parts))
                pending.extend([(part, None) for part in reversed(parts)])
    return results[id(expr)]


def substitute(expr: core.Expr, symbols: dict[core.Symbol, core.Symbol]) -> core.Expr:
    """`expr` with references to keys of `symbols` replaced by references to their values, of the same types."""

    def change(node: core.Expr) -> core.Expr:
        if isinstance(node, core.Ref) and node.symbol in symbols:
            return replace(node, symbol=symbols[node.symbol])
        return node

    return rewrite(expr, change)


def references(expr: core.Expr) -> Iterator[tuple[core.Symbol, Span]]:
    """Every reference inside `expr` with its span, in source order, including loop variables."""
    pending = [expr]
    while pending:
        node = pending.pop()
        if type(node) is core.Ref:
            yield node.symbol, node.span
        elif type(node) not in _LEAVES:
            pending.extend(reversed(children(node)))


def size(expr: core.Expr, limit: int) -> int:
    """The number of nodes in `expr`, counted up to `limit`; a shared node counts once per occurrence."""
    count = 0
    pending = [expr]
    while pending and count < limit:
        node = pending.pop()
        count += 1
        if type(node) not in _LEAVES:
            pending.extend(children(node))
    return count


def binds(expr: core.Expr) -> tuple[core.Symbol, ...]:
    """The symbols that `expr` itself makes visible in some of its parts."""
    return _BOUND[type(expr)](expr) if type(expr) in _BOUND else ()


_BOUND: Final[Mapping[type[core.Expr], Callable[[Any], tuple[core.Symbol, ...]]]] = {
    core.For: lambda e: (e.value,) if e.key is None else (e.key, e.value),
    core.Call: lambda e: () if e.failure is None else (e.failure,),
    core.Apply: attrgetter("parameters"),
}


def free_symbols(expr: core.Expr) -> tuple[core.Symbol, ...]:
    """The symbols that `expr` uses and does not bind itself, each once, in order of first use."""
    used: dict[core.Symbol, None] = {}
    bound: set[core.Symbol] = set()
    for node in walk(expr):
        if type(node) is core.Ref:
            used[node.symbol] = None
        else:
            bound.update(binds(node))
    # A symbol belongs to one binder, so that being bound anywhere inside means being bound at its uses.
    return tuple(symbol for symbol in used if symbol not in bound)


def with_expressions(node: prog.Node, change: Callable[[core.Expr], core.Expr]) -> prog.Node:
    """`node` with each of its expressions changed, except the version range of the `pulumi` block, which is not a value.

    Returns `node` itself if nothing changes.
    """

    def maybe(expr: core.Expr | None) -> core.Expr | None:
        return None if expr is None else change(expr)

    def valued(part: V) -> V:
        value = change(part.value)
        return part if value is part.value else replace(part, value=value)

    def body(node: prog.Resource | prog.ComponentUse) -> dict[str, object]:
        return {
            "inputs": unless_same(node.inputs, [valued(item) for item in node.inputs]),
            "options": unless_same(node.options, [valued(option) for option in node.options]),
            "range": None if node.range is None else valued(node.range),
        }

    match node:
        case prog.ConfigVariable():
            return updated(node, default=maybe(node.default))
        case prog.Local():
            return valued(node)
        case prog.OutputVariable():
            return valued(node)
        case prog.Resource():
            read_id = maybe(node.read_id)
            return updated(node, **body(node), read_id=read_id)
        case prog.ComponentUse():
            return updated(node, **body(node))
        case prog.Hook():
            on_dry_run, ignore_errors = maybe(node.on_dry_run), maybe(node.ignore_errors)
            return updated(node, command=change(node.command), on_dry_run=on_dry_run, ignore_errors=ignore_errors)
        case prog.PulumiSettings():
            return node
        case _:
            assert_never(node)


def updated(record: R, **fields: object) -> R:
    """`record` with other `fields`; `record` itself if they are the same objects."""
    for name, value in fields.items():
        if getattr(record, name) is not value:
            # Callers ensure the types of the fields: `replace` is not typed by field, either.
            return cast(R, replace(cast(Any, record), **fields))
    return record


def unless_same(old: tuple[R, ...], new: Sequence[R]) -> tuple[R, ...]:
    """`new` as a tuple; `old` itself if they contain the same objects."""
    return old if len(old) == len(new) and not any(map(is_not, old, new)) else tuple(new)


def expressions_of(node: prog.Node) -> tuple[core.Expr, ...]:
    """All expressions of a program node, in source order as far as the node preserves it."""
    match node:
        case prog.ConfigVariable():
            return _present(node.default)
        case prog.Local() | prog.OutputVariable():
            return (node.value,)
        case prog.Resource():
            return (*_present(node.read_id), *_body(node))
        case prog.ComponentUse():
            return _body(node)
        case prog.Hook():
            return _present(node.command, node.on_dry_run, node.ignore_errors)
        case prog.PulumiSettings():
            return _present(node.required_version_range)
        case _:
            assert_never(node)


def parts_of(nodes: Iterable[prog.Node]) -> Iterator[core.Expr]:
    """All expressions of `nodes`, with their parts."""
    for node in nodes:
        for expr in expressions_of(node):
            yield from walk(expr)


def _body(node: prog.Resource | prog.ComponentUse) -> tuple[core.Expr, ...]:
    values = [item.value for item in node.inputs]
    if node.range is not None:
        values.append(node.range.value)
    values += [option.value for option in node.options]
    return tuple(values)


def body_of(node: prog.Resource | prog.ComponentUse) -> tuple[core.Expr, ...]:
    """Return the expressions of `node` that are repeated for each item of its range: all but the range itself."""
    read_id = node.read_id if isinstance(node, prog.Resource) else None
    values = [item.value for item in node.inputs] + [option.value for option in node.options]
    return (*values, *_present(read_id))


def body_symbols(node: prog.Resource | prog.ComponentUse) -> frozenset[core.Symbol]:
    """The symbols that the body of `node` uses: the key or the item of its range is needed if it is among them."""
    return frozenset(symbol for expr in body_of(node) for symbol, _ in references(expr))


def symbol_of(node: prog.Node) -> core.Symbol | None:
    """The symbol that a program node declares; the `pulumi` block declares none."""
    return None if isinstance(node, prog.PulumiSettings) else node.symbol


def components_of(program: prog.Program) -> tuple[prog.Component, ...]:
    """All components that `program` uses, directly or indirectly, in the order of their first use."""
    components: dict[prog.Component, None] = {}
    pending = list(reversed(program.components))
    while pending:
        component = pending.pop()
        if component not in components:
            components[component] = None
            pending.extend(reversed(component.program.components))
    return tuple(components)


def programs_of(program: prog.Program) -> tuple[prog.Program, ...]:
    """`program` itself, then those of all its components."""
    return (program, *(component.program for component in components_of(program)))


def inner_first(program: prog.Program) -> tuple[prog.Component, ...]:
    """All components that `program` uses, each once and after those that it uses itself."""
    ordered: dict[prog.Component, None] = {}
    pending = [(component, False) for component in reversed(program.components)]
    while pending:
        component, ready = pending.pop()
        if ready:
            ordered[component] = None
        elif component not in ordered:
            pending.append((component, True))
            pending.extend((used, False) for used in reversed(component.program.components))
    return tuple(ordered)


def chosen_values(expr: core.Expr) -> Iterator[core.Expr]:
    """Yield the values that conditionals choose from, under conversions."""
    match expr:
        case core.Conditional():
            yield from chosen_values(expr.then)
            yield from chosen_values(expr.otherwise)
        case core.Convert():
            yield from chosen_values(expr.value)
        case core.Apply():
            yield from chosen_values(expr.body)
        case _:
            yield expr


def root_of(path: core.Expr) -> core.Expr:
    """The expression at which the steps of `path` begin; `path` itself without steps."""
    while isinstance(path, core.Attr | core.Index):
        path = path.source
    return path


def reference_key(expr: core.Expr) -> object:
    """A key that equal references share; None for other expressions."""
    match expr:
        case core.Ref():
            return expr.symbol
        case core.Attr():
            inner = reference_key(expr.source)
            return None if inner is None else (inner, expr.name)
        case core.Index(key=core.Literal(value=value)):
            inner = reference_key(expr.source)
            return None if inner is None else (inner, value)
        case _:
            return None
