"""Calls of any built-in function: arity, expected types, evaluation on known values.

The checker, the folder and the evaluator share these results.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.stdlib.model import UNKNOWN, Argument, BadArgumentError, Function, Parameter, Value
from pclgen.types.model import DYNAMIC, Type


def arity(function: Function) -> tuple[int, int | None]:
    """Return the minimum and the maximum number of arguments; None when there is no maximum."""
    required = sum(not parameter.optional for parameter in function.parameters)
    return required, None if function.variadic is not None else len(function.parameters)


def parameter_at(function: Function, index: int) -> Parameter | None:
    """Return the parameter of argument `index` (from 0); None when there are too many arguments."""
    if index < len(function.parameters):
        return function.parameters[index]
    return function.variadic


def signature(function: Function) -> str:
    """Return the signature for messages: `lookup(map, key, default?)`, `max(first, rest…)`."""
    parts = [p.name + ("?" if p.optional else "") for p in function.parameters]
    if function.variadic is not None:
        parts.append(f"{function.variadic.name}…")
    return f"{function.name}({', '.join(parts)})"


def expected_types(function: Function, arguments: Sequence[Argument]) -> tuple[Type, ...]:
    """Return the expected type of each argument; DYNAMIC takes any value unchanged.

    The number of arguments must be right.  Raises `BadArgumentError` where `result` would.
    """
    if function.expects is not None:
        return function.expects(arguments)
    parameters = (parameter_at(function, index) for index in range(len(arguments)))
    return tuple(DYNAMIC if parameter is None else parameter.type for parameter in parameters)


def evaluate(function: Function, values: Sequence[Value]) -> Value:
    """Return the result for known values; UNKNOWN when an argument is unknown or the function is never folded.

    Values must have the types of `expected_types`.  Raises `BadArgumentError` for null where it is not allowed and for
    values that the function refuses.
    """
    if function.implementation is None:
        return UNKNOWN
    is_known = True
    for index, value in enumerate(values):
        parameter = parameter_at(function, index)
        if parameter is None:
            raise BadArgumentError(index, f"expected {len(function.parameters)} arguments: {signature(function)}")
        if value is None and not parameter.allow_null:
            raise BadArgumentError(index, f"`{parameter.name}` of `{function.name}` cannot be null")
        if value is UNKNOWN and not parameter.allow_unknown:
            is_known = False
    return function.implementation(*values) if is_known else UNKNOWN
