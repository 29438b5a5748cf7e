"""Documentation of built-in functions for people and tools, generated from their specifications.

A `Function` becomes lines for a terminal, the page `docs/functions.md`, or data for JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from pclgen.stdlib.model import Function, Lifting, Parameter, signature
from pclgen.types.show import show

FORMAT_VERSION: Final = 1

_LIFTING: Final = {
    Lifting.LIFT: "an output if an argument is an output",
    Lifting.OUTPUT: "always an output",
    Lifting.KEEP: "an output if an argument is an output",
    Lifting.NEVER: "a plain value",
}

_INTRODUCTION: Final = """\
# Functions

The built-in functions of PCL, as `pclgen functions` prints them. [language.md](language.md#calls) describes calls. In a
signature, `name?` is optional and `name…` can occur any number of times. Arguments cannot be null unless the table says so.
A result is an output if an argument is an output, and secret if an argument is secret. pclgen computes a call with constant
arguments at compile time, unless the function depends on the deployment.
"""


def lines_of(function: Function) -> Iterator[str]:
    """Yield the lines of a description for a terminal."""
    yield from (signature(function), "", f"  {function.doc}")
    taken = _parameters(function)
    if taken:
        yield ""
        head = [f"  {_marked(parameter, function)}: {show(parameter.type)}" for parameter in taken]
        width = max(map(len, head))
        yield from (f"{name:<{width}}  {_about(parameter)}" for name, parameter in zip(head, taken, strict=True))
    yield from ("", f"  {_result(function)}")
    if function.example:
        yield from ("", f"  {function.example}")


def page(functions: Iterable[Function]) -> str:
    """Return the page of all `functions`, in Markdown: a summary, and a section for each."""
    rows = list(functions)
    summary = [f"| [`{signature(row)}`](#{row.name.lower()}) | {row.doc} |" for row in rows]
    sections = ("\n".join(_section(row)) for row in rows)
    return "\n".join([_INTRODUCTION, "| function | |", "|---|---|", *summary, "", *sections])


def data_of(function: Function) -> dict[str, object]:
    """Return a description for programs."""
    return {
        "name": function.name,
        "signature": signature(function),
        "doc": function.doc,
        "parameters": [
            {
                "name": parameter.name,
                "type": show(parameter.type),
                "doc": parameter.doc,
                "optional": parameter.optional,
                "variadic": parameter is function.variadic,
                "allow_null": parameter.allow_null,
                "may_fail": parameter.lazy,
            }
            for parameter in _parameters(function)
        ],
        "lifting": function.lifting.value,
        "depends_on": function.impure or None,
        "example": function.example or None,
    }


def _section(function: Function) -> Iterator[str]:
    yield from (f"## {function.name}", "", f"`{signature(function)}`", "", function.doc, "")
    parameters = _parameters(function)
    if parameters:
        yield from ("| argument | type | |", "|---|---|---|")
        yield from (f"| `{_marked(p, function)}` | {show(p.type)} | {_about(p)} |" for p in parameters)
        yield ""
    yield from (_result(function), "")
    if function.example:
        yield from ("```pcl", f"result = {function.example}", "```", "")


def _parameters(function: Function) -> tuple[Parameter, ...]:
    return (*function.parameters, *(() if function.variadic is None else (function.variadic,)))


def _marked(parameter: Parameter, function: Function) -> str:
    mark = "…" if parameter is function.variadic else "?" if parameter.optional else ""
    return f"{parameter.name}{mark}"


def _about(parameter: Parameter) -> str:
    more = (" May be null." if parameter.allow_null else "") + (" May fail." if parameter.lazy else "")
    return f"{parameter.doc}{more}"


def _result(function: Function) -> str:
    why = f" pclgen does not compute it at compile time: {function.impure}." if function.impure else ""
    return f"The result is {_LIFTING[function.lifting]}.{why}"
