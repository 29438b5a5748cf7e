"""The plan of a lowered program and of its components."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from pclgen.core import program as prog
from pclgen.core.expr import Expr
from pclgen.core.walk import components_of, expressions_of, references, symbol_of
from pclgen.graph.cycles import late_inputs, late_options
from pclgen.plan.deferral import defer
from pclgen.plan.inputs import plain_inputs, uses_of_inputs
from pclgen.plan.model import Declare, Defer, Plan, ProjectPlan, Resolve, Statement
from pclgen.source.text import split_lines

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
    # In every cycle of components, the first component has a deferred input.
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
    """Yield the number of each item's group: a comment or a change of kind begins a group."""
    number = 0
    before: type | None = None
    for item in items:
        kind = prog.Resource if isinstance(item, prog.ComponentUse) else type(item)
        is_commented = not isinstance(item, Defer | Resolve) and bool(item.comments.leading)
        number += kind is not before or is_commented
        before = kind
        yield number


def _values(item: prog.Node | Defer | Resolve) -> tuple[Expr, ...]:
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
    """Return the name of the variable of `node` where its own is taken, in camel case; empty if `node` has no variable.

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
    kind = node.token.rpartition(":")[2]
    if kind.lower() == name.lower():
        return f"{name}Resource"
    if kind.lower().startswith(name.lower()) and not kind[len(name)].islower():
        return kind[:1].lower() + kind[1:]
    return name + kind[:1].upper() + kind[1:]
