"""Core expressions run by the evaluator, to compare a program before and after lowering.

`meant` gives the meaning of a bound expression, in which outputs may occur anywhere.  `strict` runs a lowered
expression as an SDK would: outputs are objects, an output in place of a plain value is an error of lowering
(`AssertionError`), and a failure inside an apply makes a failed output.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pclgen.core.expr import Expr, Invoke, MethodCall, Symbol
from pclgen.evaluate.faults import EvaluationError
from pclgen.evaluate.machine import Machine
from pclgen.evaluate.values import Environment, Output, ResourceValue, Value, all_of, as_output, marked_secret
from pclgen.source.text import Span

Variables = Mapping[Symbol, object]

failures: list[str] = []
"""Failures of outputs since the last clear: a deployment reports unused outputs, too."""


class _World:
    """A world with only the names of the test."""

    def value_of(self, symbol: Symbol, span: Span) -> Value:
        raise AssertionError(f"the test gives no value for {symbol.name}")

    def special(self, name: str, args: Sequence[Value], span: Span) -> Value:
        return {"secret": marked_secret, "unsecret": as_output}[name](args[0])

    def invoke(self, expr: Invoke, args: Value, options: dict[str, Value]) -> Value:
        raise AssertionError("programs to compare have no invoke")

    def call(self, expr: MethodCall, receiver: Value, args: Value) -> Value:
        raise AssertionError("programs to compare have no call")


def thing(attributes: Mapping[str, object]) -> ResourceValue:
    """A resource with these attributes."""
    resource = ResourceValue(urn="urn:thing", type="probe:index:Thing", name="thing", custom=True, remote=False)
    resource.properties.update(attributes)
    return resource


def deeply(value: object) -> object:
    """`value` with all outputs replaced by their values; raises `EvaluationError` for failed outputs."""
    plain, meta = all_of(value)
    if meta.failure is not None:
        raise _failed(meta.failure.text)
    assert meta.known, "the tests know all values"
    return plain


def _failed(text: str) -> EvaluationError:
    from pclgen.diagnostics.model import error

    return EvaluationError(error("PCL1009", text, None))


def meant(expr: Expr, env: Variables) -> object:
    """The value of a bound expression, which may have outputs.  Raises `EvaluationError` if it fails."""
    return Machine(_World()).run(expr, Environment(env))


def strict(expr: Expr, env: Variables) -> object:
    """The value of a lowered expression, with outputs as objects.  Raises `EvaluationError` if it fails immediately."""
    machine = Machine(_World(), strict=True)
    try:
        return machine.run(expr, Environment(env))
    finally:
        failures.extend(machine.failures)


__all__ = ["EvaluationError", "Output", "ResourceValue", "deeply", "failures", "meant", "strict", "thing"]
