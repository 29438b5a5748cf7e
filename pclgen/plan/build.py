"""The plan of a lowered program and of its components, with the uses of their inputs: plain, forwarded, inspected.

An input takes no outputs if it is a `plain_input`, or if the component forwards it to a plain input.

Components may depend on each other (targets.md, Components that need each other). An input that refers to a later component
becomes a deferred output, which is resolved after that component. The plan contains statements that defer and resolve.

    component first "./a" { input = second.x }      defer firstInput
    component second "./b" { input = first.x }  ->  component first { input = firstInput }
                                                    component second { input = first.x }
                                                    resolve firstInput = second.x
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.eventuals import holds_eventual
from pclgen.core.program import ComponentUse, Node
from pclgen.core.walk import components_of, expressions_of, free_symbols, inner_first, parts_of, references, symbol_of
from pclgen.graph.dependencies import late_inputs, late_options
from pclgen.plan.model import Declare, Defer, Plan, ProjectPlan, Resolve, Statement
from pclgen.source.text import split_lines
from pclgen.types.model import DYNAMIC, output_of, resolve


def plain_inputs(program: prog.Program) -> Mapping[prog.Component, AbstractSet[str]]:
    """Return the logical names of the plain inputs of every component below `program`."""
    plain: dict[prog.Component, AbstractSet[str]] = {}
    for component in inner_first(program):
        forwarded = _forwarded(component.program, plain)
        variables = [node for node in component.program.nodes if isinstance(node, prog.ConfigVariable)]
        plain[component] = {v.logical_name for v in variables if v.plain_input or v.symbol in forwarded}
    return plain


def _forwarded(program: prog.Program, plain_inputs: Mapping[prog.Component, AbstractSet[str]]) -> set[core.Symbol]:
    """Return the config variables that `program` forwards to plain inputs."""
    forwarded: set[core.Symbol] = set()
    for node in program.nodes:
        if not isinstance(node, prog.Resource | prog.ComponentUse):
            continue
        plain = _plain_inputs(node, plain_inputs)
        for input_ in node.inputs:
            if input_.name in plain:
                forwarded.update(s for s, _ in references(input_.value) if not s.type.eventual)
    return forwarded


def _plain_inputs(
    node: prog.Resource | prog.ComponentUse, plain_inputs: Mapping[prog.Component, AbstractSet[str]]
) -> AbstractSet[str]:
    """Return the inputs of a resource or component that take no outputs."""
    if isinstance(node, prog.Resource):
        fields = [(i.name, i.field) for i in node.inputs]
        return {n for n, f in fields if f is not None and not f.type.eventual and f.type is not DYNAMIC}
    return plain_inputs[node.component] if node.component is not None else set()


def uses_of_inputs(program: prog.Program) -> tuple[frozenset[core.Symbol], frozenset[core.Symbol]]:
    """Return the config variables that `program` forwards to inputs or outputs, and those that it uses elsewhere.

    A variable may be in both sets.
    """
    forwarded: dict[int, core.Symbol] = {}
    for node in program.nodes:
        if isinstance(node, prog.Resource | prog.ComponentUse):
            for input_ in node.inputs:
                _add_forwarded(input_.value, forwarded)
        elif isinstance(node, prog.OutputVariable):
            _add_forwarded(node.value if isinstance(node.value, core.Ref) else None, forwarded)
    references_ = (part for part in parts_of(program.nodes) if isinstance(part, core.Ref))
    inspected = {part.symbol for part in references_ if id(part) not in forwarded}
    variables = {node.symbol for node in program.nodes if isinstance(node, prog.ConfigVariable)}
    return frozenset(variables.intersection(forwarded.values())), frozenset(variables & inspected)


def _add_forwarded(value: core.Expr | None, forwarded: dict[int, core.Symbol]) -> None:
    """Add the references that `value` forwards unchanged, by identity."""
    match value:
        case core.Ref():
            forwarded[id(value)] = value.symbol
        case core.ListExpr():
            for element in value.elements:
                _add_forwarded(element, forwarded)
        case core.ObjectExpr():
            for item in value.items:
                _add_forwarded(item.value, forwarded)
        case _:
            pass


_WORDS: Final[Mapping[type, str]] = {
    prog.ComponentUse: "Component",
    prog.ConfigVariable: "Config",
    prog.Hook: "Hook",
    prog.Local: "Value",
    prog.OutputVariable: "Value",
}


def plan_project(program: prog.Program) -> ProjectPlan:
    """Return the plans of `program` and of all components below it."""
    main = _plan(program)
    components = {component: _plan(component.program, is_inside=True) for component in components_of(program)}
    waits = any(isinstance(statement, Defer) for plan in (main, *components.values()) for statement in plan.statements)
    # A cycle of components has a deferred input, so without one no input is late.
    late = late_inputs(program) if waits else {}
    waiting = tuple(late_options(program, late)) if late else ()
    return ProjectPlan(main=main, components=components, plain=plain_inputs(program), late=late, waiting=waiting)


def _plan(program: prog.Program, *, is_inside: bool = False) -> Plan:
    """Return the plan of `program` without its components."""
    items = list(defer([_with_description(node, is_inside=is_inside) for node in program.nodes]))
    used = {symbol for item in items for value in _values(item) for symbol, _ in references(value)}
    statements: list[Statement] = []
    for item, group in zip(items, _groups(items), strict=True):
        statements.append(
            replace(item, group=group)
            if isinstance(item, Defer | Resolve)
            else Declare(node=item, is_used=symbol_of(item) in used, fallback_name=fallback_name(item), group=group)
        )
    nodes = tuple([item.node for item in statements if isinstance(item, Declare)])
    forwarded, inspected = uses_of_inputs(program) if is_inside else (frozenset(), frozenset())
    return Plan(
        program=replace(program, nodes=nodes),
        statements=tuple(statements),
        forwarded=forwarded,
        inspected=inspected,
    )


def _groups(items: Iterable[prog.Node | Defer | Resolve]) -> Iterator[int]:
    """Yield the number of each item's group: a comment or another class of statement begins a group."""
    number = 0
    before: type | None = None
    for item in items:
        item_class = prog.Resource if isinstance(item, prog.ComponentUse) else type(item)
        is_commented = not isinstance(item, Defer | Resolve) and bool(item.comments.leading)
        number += item_class is not before or is_commented
        before = item_class
        yield number


def _values(item: prog.Node | Defer | Resolve) -> tuple[core.Expr, ...]:
    match item:
        case Defer():
            return ()
        case Resolve():
            return (item.value,)
        case _:
            return expressions_of(item)


def _with_description(node: prog.Node, *, is_inside: bool) -> prog.Node:
    """Return `node` with its description among the comments above it.

    The description of an output of a component (`is_inside`) is not added: it documents the member of the component.
    """
    if isinstance(node, prog.ConfigVariable) or (isinstance(node, prog.OutputVariable) and not is_inside):
        comments = node.comments
        leading = comment_with_description(comments.leading, node.description)
        return replace(node, comments=replace(comments, leading=leading))
    return node


def comment_with_description(comment: Sequence[str], description: str) -> tuple[str, ...]:
    """Return the lines of `comment` and `description`; the comment alone if it contains the words of the description."""
    words = _words(description)
    if not description.strip() or (words and f" {words} " in f" {_words(' '.join(comment))} "):
        return tuple(comment)
    return (*comment, *split_lines(description.strip()))


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def fallback_name(node: prog.Node) -> str:
    """Return the name for the variable of `node` if its preferred name is taken, in camel case; empty without a variable.

        resource random "random:index/randomPet:RandomPet"      randomPet
        resource web "aws:s3/bucket:Bucket"                     webBucket
        config size int                                         sizeConfig
    """
    symbol = symbol_of(node)
    if symbol is None:
        return ""
    name = symbol.name
    if not isinstance(node, prog.Resource):
        return name + _WORDS[type(node)]
    type_name = node.token.rpartition(":")[2]
    if type_name.lower() == name.lower():
        return f"{name}Resource"
    if type_name.lower().startswith(name.lower()) and not type_name[len(name)].islower():
        return type_name[:1].lower() + type_name[1:]
    return name + type_name[:1].upper() + type_name[1:]


# -- deferred inputs --------------------------------------------------------------------------------------------------------

class _Waiting(Struct):
    """A statement to emit as soon as `missing` is empty."""

    missing: set[core.Symbol]
    statement: Resolve


class _Deferral(Struct):
    """The deferral state of a program: `later` are the components after the current node, `waiting` the statements that wait
    for each of them."""

    later: set[core.Symbol]
    waiting: dict[core.Symbol, list[_Waiting]] = field(default_factory=dict)

    def deferred(self, use: ComponentUse) -> tuple[ComponentUse, list[Defer]]:
        """Return `use` without references to later components, and its deferred outputs."""
        deferrals: list[Defer] = []
        inputs = tuple([replace(i, value=self._value(i.value, _name(use, i.name), deferrals)) for i in use.inputs])
        over = use.range
        if over is not None:
            over = replace(over, value=self._value(over.value, _name(use, "range"), deferrals))
        return (replace(use, inputs=inputs, range=over) if deferrals else use), deferrals

    def _value(self, value: core.Expr, name: str, deferred: list[Defer]) -> core.Expr:
        missing = self.later.intersection(free_symbols(value))
        if not missing:
            return value
        carried = resolve(value.type)
        symbol = core.Symbol(name=name, kind=core.SymbolKind.LOCAL, type=output_of(carried), span=value.span)
        deferred.append(Defer(symbol=symbol, type=carried))
        if holds_eventual(value.type):
            value = core.All(value=value, type=symbol.type, span=value.span)
        item = _Waiting(missing=set(missing), statement=Resolve(symbol=symbol, value=value))
        for component in missing:
            self.waiting.setdefault(component, []).append(item)
        return core.Ref(symbol=symbol, type=symbol.type, span=value.span)

    def resolvable(self, symbol: core.Symbol) -> Iterator[Resolve]:
        """Return the statements that can be resolved after the component `symbol`."""
        self.later.discard(symbol)
        for item in self.waiting.pop(symbol, ()):
            item.missing.discard(symbol)
            if not item.missing:
                yield item.statement


def _name(use: ComponentUse, place: str) -> str:
    return f"{use.symbol.name}{place[:1].upper()}{place[1:]}"


def defer(nodes: Sequence[Node]) -> Iterator[Node | Defer | Resolve]:
    """Return `nodes` with the statements that defer outputs and resolve them."""
    state = _Deferral({node.symbol for node in nodes if isinstance(node, ComponentUse)})
    for node in nodes:
        if not isinstance(node, ComponentUse):
            yield node
            continue
        use, deferred = state.deferred(node)
        yield from deferred
        yield use
        yield from state.resolvable(node.symbol)
