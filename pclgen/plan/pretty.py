"""Plans as text, in the notation of `core.pretty`.

Each part of a statement has a separate line; the components follow the program.

    defer firstInput: string
    component first ./a
      input = firstInput
    component second ./b (unused)
      input = first.url
    resolve firstInput = second.url
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from pclgen.core.pretty import Names, Printer
from pclgen.core.program import ConfigVariable, OutputVariable, PulumiSettings
from pclgen.plan.model import Declare, Defer, Plan, ProjectPlan, Resolve, Statement
from pclgen.types.show import show


def pretty_plan(plan: ProjectPlan) -> str:
    """Return the text of a plan: the statements of the program, then its components with their plain and late inputs."""
    lines = _lines(plan.main)
    for component, inside in plan.components.items():
        lines += ["", f"component {component.name} ({component.path}):"]
        lines += _inputs("plain", plan.plain[component])
        lines += _inputs("late", plan.late.get(component.value, frozenset()))
        lines += [f"  {line}" for line in _lines(inside)]
    return "\n".join(lines) + ("\n" if lines else "")


def _inputs(word: str, names: Iterable[str]) -> list[str]:
    listed = ", ".join(sorted(names))
    return [f"  {word} {listed}"] if listed else []


def _lines(plan: Plan) -> list[str]:
    names = Names()
    printer = Printer(names)
    return [line for statement in plan.statements for line in _statement(statement, printer, names)]


def _statement(statement: Statement, printer: Printer, names: Names) -> Iterator[str]:
    match statement:
        case Declare():
            first, *rest = printer.node(statement.node)
            needs_no_use = isinstance(statement.node, OutputVariable | PulumiSettings | ConfigVariable)
            yield first if statement.is_used or needs_no_use else f"{first} (unused)"
            yield from rest
        case Defer():
            yield f"defer {names(statement.symbol)}: {show(statement.type)}"
        case Resolve():
            yield f"resolve {names(statement.symbol)} = {printer.show(statement.value)}"
        case _:
            assert_never(statement)
