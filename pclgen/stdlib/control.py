"""Failure: `try`, `can`, `recover`, `notImplemented`.

The arguments of the first three may fail; the evaluator of the call handles that, so there is nothing to fold here.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.stdlib.model import Argument, BadArgumentError, Derivation, Function, Lifting, Parameter
from pclgen.types import model as ty
from pclgen.types.convert import unify_elements
from pclgen.types.show import with_article

_LAZY = "its arguments may fail and are evaluated one by one"


def _common(arguments: Sequence[Argument]) -> ty.Type:
    """Return the common type of alternatives, which are not converted, unlike the branches of a conditional."""
    return unify_elements(ty.without_const(ty.resolve(argument.type)) for argument in arguments)


def _recovered(arguments: Sequence[Argument]) -> ty.Type:
    value = arguments[0]
    if not value.eventual and value.type not in (ty.DYNAMIC, ty.ERROR):
        raise BadArgumentError(
            0,
            f"expected an output, found {with_article(value.type)}",
            "only values that come from a resource or a provider function can fail; use the value as it is",
        )
    return _common(arguments)


def _lazy(name: str, doc: str) -> Parameter:
    return Parameter(name=name, doc=doc, allow_null=True, allow_unknown=True, lazy=True)


FUNCTIONS = (
    Function(
        name="try",
        doc="The first argument that evaluates without an error.",
        result=_common,
        parameters=(_lazy("first", "What to try first."),),
        variadic=_lazy("others", "What to try next, in order; the last is usually a constant."),
        impure=_LAZY,
        derives=Derivation.ARGUMENT,
        named_after=0,
        untyped=True,
        example='try(settings.region, "eu-west-1")',
    ),
    Function(
        name="can",
        doc="Whether the argument evaluates without an error.",
        result=lambda _: ty.BOOL,
        parameters=(_lazy("value", "What to try."),),
        impure=_LAZY,
        example="can(settings.region)",
    ),
    Function(
        name="recover",
        doc="The value, or the recovery value if its resource failed.",
        result=_recovered,
        parameters=(
            Parameter(name="value", doc="An output.", allow_null=True, allow_unknown=True),
            _lazy("recovery", "What to use instead; `error` is the failure's text in it."),
        ),
        lifting=Lifting.OUTPUT,
        impure=_LAZY,
        derives=Derivation.ARGUMENT,
        named_after=0,
        example='recover(bucket.arn, "no bucket: ${error}")',
    ),
    Function(
        name="notImplemented",
        doc="Fails with the message. Converters write it for code that they cannot translate.",
        result=lambda _: ty.DYNAMIC,
        parameters=(Parameter(name="message", doc="The untranslated code.", type=ty.STRING),),
        impure="always fails",
        untyped=True,
        example='notImplemented("cidrsubnet(var.cidr, 8, 1)")',
    ),
)
