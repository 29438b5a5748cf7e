"""Walks over the Python tree: all parts of expressions and statements, or their scopes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from pclgen.targets import scopes
from pclgen.targets.python import tree
from pclgen.targets.scopes import Declaration, PartReaders, Problem, Scope, Write

Node: TypeAlias = "tree.Expr | tree.Statement"


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """`nodes` and everything inside them, with their items, entries and arguments, each before its parts."""
    return scopes.walk(nodes, _PARTS)


def roots(file: tree.File) -> tuple[Node, ...]:
    """The statements of a file and of its component, and the component's annotations."""
    component = file.component
    if component is None:
        return file.statements
    annotations = [*(member.annotation for member in component.members), *(p.annotation for p in component.all_parameters)]
    defaults = [parameter.default for parameter in component.all_parameters if parameter.default is not None]
    return (*file.statements, component.base, *annotations, *defaults, *component.body)


_LEAVES: Final = frozenset(
    {
        "Comments", "Module", "Variable", "bool", "bool | int | Decimal | str | None", "origins.Attribute | None", "str",
        "tuple[Variable, ...]", "tuple[str, ...]",
    }
)  # fmt: skip  # a list of many short entries
"""The annotations of fields that hold no nodes."""


_PARTS: Final = PartReaders(_LEAVES)


def outline(file: tree.File) -> Scope:
    """The scopes of a file."""
    component = file.component
    if component is None:
        return scopes.outline(Scope([*file.statements]), _STEPS, _MENTIONS)
    head = roots(file)[: -len(component.body)] if component.body else roots(file)
    constructor = Scope([*component.body], parameters=component.variables, is_function=True)
    return scopes.outline(Scope([*head, constructor]), _STEPS, _MENTIONS)


_MENTIONS: Final = frozenset((tree.Imported, tree.Helper))


def _steps_of_assign(node: tree.Assign) -> tuple[object, ...]:
    if not isinstance(node.target, tree.Variable):
        return (node.target, node.annotation, node.value)
    return (node.annotation, node.value, Write(node.target) if node.rebinds else Declaration((node.target,)))


def _steps_of_call(node: tree.Call) -> tuple[object, ...]:
    names = [argument.name for argument in node.args if argument.name.isidentifier()]
    if len(names) == len(set(names)):
        return (node.function, node.args)
    return (node.function, node.args, Problem(f"a keyword is given twice: {', '.join(names)}"))


def _steps_of_comprehension(node: tree.ListComprehension | tree.DictComprehension) -> tuple[object, ...]:
    loop = node.loop
    own = (node.element,) if isinstance(node, tree.ListComprehension) else (node.key, node.value)
    return (loop.iterable, Scope([*own, loop.condition], parameters=loop.targets))


def _steps_of_define(node: tree.Define) -> tuple[object, ...]:
    own = Scope([*node.body, node.result], parameters=(node.parameter,), is_function=True)
    return (node.annotation, node.returns, Declaration((node.name,)), own)


_STEPS: Final = PartReaders(
    _LEAVES,
    {
        tree.Assign: _steps_of_assign,
        tree.Call: _steps_of_call,
        tree.Define: _steps_of_define,
        tree.DictComprehension: _steps_of_comprehension,
        tree.For: lambda s: (s.loop.iterable, Scope([*s.body], parameters=s.loop.targets)),
        tree.Lambda: lambda e: (Scope([e.body], parameters=e.parameters, is_function=True, may_hide=True),),
        tree.ListComprehension: _steps_of_comprehension,
        tree.Record: lambda s: (s.base, s.members, Declaration((s.name,))),
        tree.Unpack: lambda s: (s.annotations, s.value, Declaration(s.targets)),
    },
)
"""The effect of each node class on scopes; by default only the effects of its parts."""
