"""The scopes of a Go file."""

from __future__ import annotations

from typing import Final

from pclgen.targets import scopes
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.scopes import Declaration, PartReaders, Scope, Write


def outline(file: go.File) -> Scope:
    """Return the scopes of a file."""
    return scopes.outline(Scope([*file.declarations]), STEPS, _MENTIONS)


_MENTIONS: Final = frozenset((go.Qualified, go.Builtin, go.Declared, go.Helper))


def _steps_of_function(node: go.FunctionDeclaration | go.FunctionLiteral) -> tuple[object, ...]:
    receiver = node.receiver if isinstance(node, go.FunctionDeclaration) else None
    parameters = tuple(p.variable for p in node.parameters)
    inner = Scope([*node.body], parameters=parameters, is_function=True)
    return (receiver, *[p.type for p in node.parameters], *node.results, inner)


def _steps_of_assign(node: go.Assign) -> tuple[object, ...]:
    names = [target for target in node.targets if isinstance(target, go.Name)]
    others = [target for target in node.targets if not isinstance(target, go.Name) and target is not make.BLANK]
    if node.operator == ":=":
        return (*node.values, *others, Declaration(tuple([name.variable for name in names]), renews=True))
    return (*node.values, *others, *[Write(name.variable) for name in names])


def _steps_of_if(node: go.If) -> tuple[object, ...]:
    return (Scope([node.init, node.condition, Scope([*node.body]), Scope([*node.otherwise])]),)


def _steps_of_range(node: go.ForRange) -> tuple[object, ...]:
    own = Declaration(tuple([variable for variable in (node.key, node.value) if variable is not None]))
    return (node.collection, Scope([own, *node.body]))


def _no_steps(_: object) -> tuple[object, ...]:
    return ()


STEPS: Final = PartReaders(go.LEAVES, {
    go.Assign: _steps_of_assign,
    go.ForRange: _steps_of_range,
    go.FunctionDeclaration: _steps_of_function,
    go.FunctionLiteral: _steps_of_function,
    go.HelperDeclaration: _no_steps,
    go.If: _steps_of_if,
    go.VariableStatement: lambda node: (node.type, node.value, Declaration((node.variable,))),
})
"""The children of a node for the scope tree: its parts by default, with scopes and declarations where needed."""
