"""The only traversal of expressions and program nodes.

Parts are in source order; `rewrite` and its relatives return copies with other parts. Nothing here recurses, so deep
nesting needs no stack, and every function is linear in the size of its argument.

    children(`a ? b : c`)  ->  (a, b, c)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from operator import attrgetter, is_not
from typing import Any, Final, TypeVar, assert_never, cast

from msgspec.structs import replace

from pclgen.core.expr import (
    All,
    Apply,
    Attr,
    Binary,
    Call,
    Conditional,
    Convert,
    Expr,
    For,
    Index,
    Invalid,
    Invoke,
    ListExpr,
    Literal,
    MethodCall,
    ObjectExpr,
    ObjectItem,
    Option,
    PropertyPath,
    Ref,
    Symbol,
    Template,
    Unary,
)
from pclgen.core.program import (
    Component,
    ComponentUse,
    ConfigVariable,
    Hook,
    Input,
    Local,
    Node,
    OutputVariable,
    Program,
    PulumiSettings,
    Range,
    Resource,
)
from pclgen.source.text import Span

R = TypeVar("R")
V = TypeVar("V", Input, Option, Range, Local, OutputVariable)


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct parts of `expr`, in source order; `with_children` expects them in the same order."""
    return _PARTS[type(expr)](expr)


def item_parts(item: ObjectItem) -> tuple[Expr, ...]:
    """The parts of `item`, in the order of `children`."""
    return (item.key, item.value) if item.when is None else (item.key, item.value, item.when)


def _all_item_parts(items: tuple[ObjectItem, ...]) -> tuple[Expr, ...]:
    parts: list[Expr] = []
    for item in items:
        parts += (item.key, item.value) if item.when is None else item_parts(item)
    return tuple(parts)


def _present(*parts: Expr | None) -> tuple[Expr, ...]:
    return tuple([part for part in parts if part is not None])


def _no_parts(_: Expr) -> tuple[Expr, ...]:
    return ()


_PARTS: Final[Mapping[type[Expr], Callable[[Any], tuple[Expr, ...]]]] = {
    Literal: _no_parts,
    Ref: _no_parts,
    PropertyPath: _no_parts,
    Invalid: _no_parts,
    Attr: lambda e: (e.source,),
    Index: lambda e: (e.source, e.key),
    ListExpr: attrgetter("elements"),
    ObjectExpr: lambda e: _all_item_parts(e.items),
    Template: attrgetter("parts"),
    Unary: lambda e: (e.operand,),
    Binary: attrgetter("left", "right"),
    Conditional: attrgetter("condition", "then", "otherwise"),
    For: lambda e: _present(e.collection, e.result_key, e.result, e.condition),
    Call: attrgetter("args"),
    Invoke: lambda e: _present(e.args, *e.options.values()),
    MethodCall: lambda e: _present(e.receiver, e.args),
    Convert: lambda e: (e.value,),
    All: lambda e: (e.value,),
    Apply: lambda e: (*e.args, e.body),
}
"""Functions that read the parts of each class.  A look-up by class costs less than a `match`, which tests the classes in
sequence (docs/contributing/decisions/0003)."""

_LEAVES: Final = frozenset(kind for kind, read in _PARTS.items() if read is _no_parts)
"""The classes of expressions without parts."""


def with_children(expr: Expr, parts: Sequence[Expr]) -> Expr:
    """`expr` with `parts` in place of its `children`; `expr` itself if they are the same objects."""
    return _rebuilt(expr, parts) if any(map(is_not, parts, children(expr))) else expr


def _rebuilt(expr: Expr, parts: Sequence[Expr]) -> Expr:
    match expr:
        case Literal() | Ref() | PropertyPath() | Invalid():
            return expr
        case Attr():
            return replace(expr, source=parts[0])
        case Index():
            return replace(expr, source=parts[0], key=parts[1])
        case ListExpr():
            return replace(expr, elements=tuple(parts))
        case ObjectExpr():
            return replace(expr, items=_items(expr.items, parts))
        case Template():
            return replace(expr, parts=tuple(parts))
        case Unary():
            return replace(expr, operand=parts[0])
        case Binary():
            return replace(expr, left=parts[0], right=parts[1])
        case Conditional():
            return replace(expr, condition=parts[0], then=parts[1], otherwise=parts[2])
        case For():
            return _for_with(expr, iter(parts))
        case Call():
            return replace(expr, args=tuple(parts))
        case Invoke():
            return _invoke_with(expr, iter(parts))
        case MethodCall():
            return replace(expr, receiver=parts[0], args=parts[1] if len(parts) > 1 else None)
        case Convert() | All():
            return replace(expr, value=parts[0])
        case Apply():
            return replace(expr, args=tuple(parts[:-1]), body=parts[-1])
        case _:
            assert_never(expr)


def _items(items: tuple[ObjectItem, ...], parts: Sequence[Expr]) -> tuple[ObjectItem, ...]:
    rest = iter(parts)
    return tuple([_item_with(item, next(rest), next(rest), None if item.when is None else next(rest)) for item in items])


def _item_with(item: ObjectItem, key: Expr, value: Expr, when: Expr | None) -> ObjectItem:
    if item.key is key and item.value is value and item.when is when:
        return item
    return replace(item, key=key, value=value, when=when)


def _for_with(expr: For, parts: Iterator[Expr]) -> For:
    return replace(
        expr,
        collection=next(parts),
        result_key=None if expr.result_key is None else next(parts),
        result=next(parts),
        condition=None if expr.condition is None else next(parts),
    )


def _invoke_with(expr: Invoke, parts: Iterator[Expr]) -> Invoke:
    args = None if expr.args is None else next(parts)
    return replace(expr, args=args, options={name: next(parts) for name in expr.options})


def walk(expr: Expr) -> Iterator[Expr]:
    """`expr` and everything inside it, each before its parts, in source order.

    A shared node (lowering may share subtrees) is yielded once per occurrence.
    """
    pending = [expr]
    while pending:
        node = pending.pop()
        yield node
        if type(node) not in _LEAVES:
            pending.extend(reversed(children(node)))


def kinds_of(expr: Expr) -> AbstractSet[type]:
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


def consists_of(expr: Expr, kinds: AbstractSet[type]) -> bool:
    """Return whether `expr` and everything inside it are of the classes `kinds`."""
    pending = [expr]
    while pending:
        node = pending.pop()
        if type(node) not in kinds:
            return False
        if type(node) not in _LEAVES:
            pending.extend(children(node))
    return True


def kinds_in(nodes: Sequence[Node]) -> AbstractSet[type]:
    """The classes of all expressions of `nodes`."""
    kinds: set[type] = set()
    for node in nodes:
        for expr in expressions_of(node):
            kinds |= kinds_of(expr)
    return kinds


def postorder(expr: Expr) -> Iterator[Expr]:
    """`expr` and everything inside it, each after its parts, in source order; shared nodes once."""
    pending: list[tuple[Expr, bool]] = [(expr, False)]
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


def rewrite(expr: Expr, change: Callable[[Expr], Expr], *, only: AbstractSet[type] | None = None) -> Expr:
    """Apply `change` to every node of `expr`, parts first.

    `change` receives each node with its parts already changed and returns a node. Unchanged nodes keep their identity.
    `only` are the classes of nodes that `change` may change: if `expr` contains none, it is not called.
    """
    if only is not None and kinds_of(expr).isdisjoint(only):
        return expr
    results: dict[int, Expr] = {}
    pending: list[tuple[Expr, tuple[Expr, ...] | None]] = [(expr, None)]
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


def substitute(expr: Expr, symbols: dict[Symbol, Symbol]) -> Expr:
    """`expr` with references to keys of `symbols` replaced by references to their values, of the same types."""

    def change(node: Expr) -> Expr:
        if isinstance(node, Ref) and node.symbol in symbols:
            return replace(node, symbol=symbols[node.symbol])
        return node

    return rewrite(expr, change)


def references(expr: Expr) -> Iterator[tuple[Symbol, Span]]:
    """Every reference inside `expr` with its span, in source order, including loop variables."""
    pending = [expr]
    while pending:
        node = pending.pop()
        if type(node) is Ref:
            yield node.symbol, node.span
        elif type(node) not in _LEAVES:
            pending.extend(reversed(children(node)))


def size(expr: Expr, limit: int) -> int:
    """The number of nodes in `expr`, counted up to `limit`; a shared node counts once per occurrence."""
    count = 0
    pending = [expr]
    while pending and count < limit:
        node = pending.pop()
        count += 1
        if type(node) not in _LEAVES:
            pending.extend(children(node))
    return count


def binds(expr: Expr) -> tuple[Symbol, ...]:
    """The symbols that `expr` itself makes visible in some of its parts."""
    return _BOUND[type(expr)](expr) if type(expr) in _BOUND else ()


_BOUND: Final[Mapping[type[Expr], Callable[[Any], tuple[Symbol, ...]]]] = {
    For: lambda e: (e.value,) if e.key is None else (e.key, e.value),
    Call: lambda e: () if e.failure is None else (e.failure,),
    Apply: attrgetter("parameters"),
}


def free_symbols(expr: Expr) -> tuple[Symbol, ...]:
    """The symbols that `expr` uses and does not bind itself, each once, in order of first use."""
    used: dict[Symbol, None] = {}
    bound: set[Symbol] = set()
    for node in walk(expr):
        if type(node) is Ref:
            used[node.symbol] = None
        else:
            bound.update(binds(node))
    # A symbol belongs to one binder, so that being bound anywhere inside means being bound at its uses.
    return tuple(symbol for symbol in used if symbol not in bound)


def with_expressions(node: Node, change: Callable[[Expr], Expr]) -> Node:
    """`node` with each of its expressions changed, except the version range of the `pulumi` block, which is not a value.

    Returns `node` itself if nothing changes.
    """

    def maybe(expr: Expr | None) -> Expr | None:
        return None if expr is None else change(expr)

    def valued(part: V) -> V:
        value = change(part.value)
        return part if value is part.value else replace(part, value=value)

    def body(node: Resource | ComponentUse) -> dict[str, object]:
        return {
            "inputs": unless_same(node.inputs, [valued(item) for item in node.inputs]),
            "options": unless_same(node.options, [valued(option) for option in node.options]),
            "range": None if node.range is None else valued(node.range),
        }

    match node:
        case ConfigVariable():
            return updated(node, default=maybe(node.default))
        case Local():
            return valued(node)
        case OutputVariable():
            return valued(node)
        case Resource():
            read_id = maybe(node.read_id)
            return updated(node, **body(node), read_id=read_id)
        case ComponentUse():
            return updated(node, **body(node))
        case Hook():
            on_dry_run, ignore_errors = maybe(node.on_dry_run), maybe(node.ignore_errors)
            return updated(node, command=change(node.command), on_dry_run=on_dry_run, ignore_errors=ignore_errors)
        case PulumiSettings():
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


def expressions_of(node: Node) -> tuple[Expr, ...]:
    """All expressions of a program node, in source order as far as the node preserves it."""
    match node:
        case ConfigVariable():
            return _present(node.default)
        case Local() | OutputVariable():
            return (node.value,)
        case Resource():
            return (*_present(node.read_id), *_body(node))
        case ComponentUse():
            return _body(node)
        case Hook():
            return _present(node.command, node.on_dry_run, node.ignore_errors)
        case PulumiSettings():
            return _present(node.required_version_range)
        case _:
            assert_never(node)


def _body(node: Resource | ComponentUse) -> tuple[Expr, ...]:
    values = [item.value for item in node.inputs]
    if node.range is not None:
        values.append(node.range.value)
    values += [option.value for option in node.options]
    return tuple(values)


def body_of(node: Resource | ComponentUse) -> tuple[Expr, ...]:
    """Return the expressions of `node` that are repeated for each item of its range: all but the range itself."""
    read_id = node.read_id if isinstance(node, Resource) else None
    values = [item.value for item in node.inputs] + [option.value for option in node.options]
    return (*values, *_present(read_id))


def body_symbols(node: Resource | ComponentUse) -> frozenset[Symbol]:
    """The symbols that the body of `node` uses: the key or the item of its range is needed if it is among them."""
    return frozenset(symbol for expr in body_of(node) for symbol, _ in references(expr))


def symbol_of(node: Node) -> Symbol | None:
    """The symbol that a program node declares; the `pulumi` block declares none."""
    return None if isinstance(node, PulumiSettings) else node.symbol


def components_of(program: Program) -> tuple[Component, ...]:
    """All components that `program` uses, directly or indirectly, in the order of their first use."""
    components: dict[Component, None] = {}
    pending = list(reversed(program.components))
    while pending:
        component = pending.pop()
        if component not in components:
            components[component] = None
            pending.extend(reversed(component.program.components))
    return tuple(components)


def inner_first(program: Program) -> tuple[Component, ...]:
    """All components that `program` uses, each once and after those that it uses itself."""
    ordered: dict[Component, None] = {}
    pending = [(component, False) for component in reversed(program.components)]
    while pending:
        component, ready = pending.pop()
        if ready:
            ordered[component] = None
        elif component not in ordered:
            pending.append((component, True))
            pending.extend((used, False) for used in reversed(component.program.components))
    return tuple(ordered)


def reference_key(expr: Expr) -> object:
    """A key that equal references share; None for other expressions."""
    match expr:
        case Ref():
            return expr.symbol
        case Attr():
            inner = reference_key(expr.source)
            return None if inner is None else (inner, expr.name)
        case Index(key=Literal(value=value)):
            inner = reference_key(expr.source)
            return None if inner is None else (inner, value)
        case _:
            return None
