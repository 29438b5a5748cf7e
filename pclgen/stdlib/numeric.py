"""Numbers: `max`, `min`.

The result is an int only when every argument has the type int, constants included: `max(1, 2.5)` is a number
(language.md, Types of expressions).  Known values are compared exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pclgen.stdlib.model import Argument, Derivation, Function, Parameter, Value, is_integer
from pclgen.stdlib.values import number
from pclgen.types.model import INT, NUMBER, Type


def _result(arguments: Sequence[Argument]) -> Type:
    return INT if all(is_integer(argument.type) for argument in arguments) else NUMBER


def _expects(arguments: Sequence[Argument]) -> tuple[Type, ...]:
    return (_result(arguments),) * len(arguments)


def _extreme(name: str, which: str, pick: Callable[[list[Value]], Value]) -> Function:
    def implementation(*values: Value) -> Value:
        return pick([number(value, index) for index, value in enumerate(values)])

    return Function(
        name=name,
        doc=f"The {which} of the numbers.",
        result=_result,
        parameters=(Parameter(name="first", doc="A number.", type=NUMBER),),
        variadic=Parameter(name="rest", doc="More numbers.", type=NUMBER),
        expects=_expects,
        implementation=implementation,
        derives=Derivation.CHOICE,
        example=f"{name}(1, 2.5)",
    )


FUNCTIONS = (
    _extreme("max", "largest", max),  # type: ignore[arg-type]  # `number` has checked them: all can be compared
    _extreme("min", "smallest", min),  # type: ignore[arg-type]  # as above
)
