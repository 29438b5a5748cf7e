"""Walks over the Python tree: the direct parts of an expression or a statement, all of them, or its scopes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any, Final, TypeAlias

from pclgen.targets import scopes
from pclgen.targets.python import tree
from pclgen.targets.scopes import Declaration, Problem, Scope, Write

Node: TypeAlias = "tree.Expr | tree.Statement"


def children(node: Node) -> Iterable[Node]:
    """The expressions and statements directly inside `node`."""
    return _PARTS[type(node)](node)


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """`nodes` and everything inside them, in preorder."""
    return scopes.walk(nodes, _PARTS)


def roots(file: tree.File) -> tuple[Node, ...]:
    """The statements of a file and of its component, and the component's annotations."""
    component = file.component
    if component is None:
        return file.statements
    annotations = [*(member.annotation for member in component.members), *(p.annotation for p in component.all_parameters)]
    defaults = [parameter.default for parameter in component.all_parameters if parameter.default is not None]
    return (*file.statements, component.base, *annotations, *defaults, *component.body)


def _no_parts(_: Node) -> tuple[Node, ...]:
    return ()


def _value(node: tree.Attribute | tree.Do) -> tuple[Node, ...]:
    return (node.value,)


def _loop(loop: tree.Loop) -> tuple[Node, ...]:
    return (loop.iterable,) if loop.condition is None else (loop.iterable, loop.condition)


def _assign(node: tree.Assign) -> tuple[Node, ...]:
    parts = (None if isinstance(node.target, tree.Variable) else node.target, node.annotation, node.value)
    return tuple([part for part in parts if part is not None])


def _define(node: tree.Define) -> tuple[Node, ...]:
    return (node.annotation, node.returns, *node.body, *(() if node.result is None else (node.result,)))


_PARTS: Final[Mapping[type[Node], Callable[[Any], Iterable[Node]]]] = {
    tree.Name: _no_parts,
    tree.Builtin: _no_parts,
    tree.Imported: _no_parts,
    tree.Helper: _no_parts,
    tree.Constant: _no_parts,
    tree.FormatString: lambda e: [part.value for part in e.parts if isinstance(part, tree.Hole)],
    tree.ListDisplay: lambda e: [item.value for item in e.items],
    tree.Pair: attrgetter("first", "second"),
    tree.DictDisplay: lambda e: [part for entry in e.entries for part in (entry.key, entry.value) if part is not None],
    tree.Call: lambda e: [e.function, *[argument.value for argument in e.args]],
    tree.Attribute: _value,
    tree.Subscript: lambda e: (e.value, *e.keys),
    tree.Unary: lambda e: (e.operand,),
    tree.Binary: attrgetter("left", "right"),
    tree.IfElse: attrgetter("then", "condition", "otherwise"),
    tree.Lambda: lambda e: (e.body,),
    tree.ListComprehension: lambda e: (e.element, *_loop(e.loop)),
    tree.DictComprehension: lambda e: (e.key, e.value, *_loop(e.loop)),
    tree.Assign: _assign,
    tree.Unpack: lambda s: (*s.annotations, s.value),
    tree.Do: _value,
    tree.For: lambda s: (s.loop.iterable, *s.body),
    tree.Define: _define,
    tree.Record: lambda s: (s.base, *[annotation for _, annotation in s.members]),
    tree.Remark: _no_parts,
}
"""The readers of the children of each class, as in `core.walk`."""


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
        return _assign(node)
    return (*_assign(node), Write(node.target) if node.rebinds else Declaration((node.target,)))


def _steps_of_call(node: tree.Call) -> Iterable[object]:
    names = [argument.name for argument in node.args if argument.name.isidentifier()]
    if len(names) == len(set(names)):
        return children(node)
    return (*children(node), Problem(f"a keyword is given twice: {', '.join(names)}"))


def _steps_of_comprehension(node: tree.ListComprehension | tree.DictComprehension) -> tuple[object, ...]:
    inside = [part for part in children(node) if part is not node.loop.iterable]
    return (node.loop.iterable, Scope([*inside], parameters=node.loop.targets))


def _steps_of_define(node: tree.Define) -> tuple[object, ...]:
    inside = _define(node)[2:]
    own = Scope([*inside], parameters=(node.parameter,), is_function=True)
    return (node.annotation, node.returns, Declaration((node.name,)), own)


_STEPS: Final[Mapping[type, Callable[[Any], Iterable[object]]]] = {
    **_PARTS,
    tree.Assign: _steps_of_assign,
    tree.Call: _steps_of_call,
    tree.Define: _steps_of_define,
    tree.DictComprehension: _steps_of_comprehension,
    tree.For: lambda s: (s.loop.iterable, Scope([*s.body], parameters=s.loop.targets)),
    tree.Lambda: lambda e: (Scope([e.body], parameters=e.parameters, is_function=True, may_hide=True),),
    tree.ListComprehension: _steps_of_comprehension,
    tree.Record: lambda s: (*children(s), Declaration((s.name,))),
    tree.Unpack: lambda s: (*children(s), Declaration(s.targets)),
}
"""The effect of each node class on scopes; by default only the effects of its children."""
