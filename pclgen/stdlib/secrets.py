"""Secrecy: `secret`, `unsecret`.  Not folded: a known value does not carry the mark."""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.stdlib.model import Argument, Derivation, Function, Lifting, Parameter
from pclgen.types.model import Type, resolve, without_const


def _own(arguments: Sequence[Argument]) -> Type:
    return without_const(resolve(arguments[0].type))


def _marker(name: str, doc: str, impure: str, example: str) -> Function:
    value = Parameter(name="value", doc="Any value.", allow_null=True, allow_unknown=True)
    return Function(
        name=name,
        doc=doc,
        result=_own,
        parameters=(value,),
        lifting=Lifting.OUTPUT,
        impure=impure,
        derives=Derivation.ARGUMENT,
        named_after=0,
        example=example,
    )


FUNCTIONS = (
    _marker("secret", "The value as a secret, hidden in state and logs.", "marks its value as secret", 'secret("hunter2")'),
    _marker(
        "unsecret",
        "The value without its secret mark: Pulumi shows it in state and logs.",
        "takes the secret mark off its value",
        "unsecret(password.result)",
    ),
)
