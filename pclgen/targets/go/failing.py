"""Failure: `try`, `can` and `recover`.

Calls of these functions become calls of helpers with the arguments as functions, so that a helper can call the next function
if the previous function fails. Inside them, a missing key or index is an error (`Frame.checked`); plain Go would continue
with a zero value.
"""

from __future__ import annotations

from pclgen.core.expr import Call, Expr
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import as_output
from pclgen.targets.go.context import Block, Frame, Value
from pclgen.targets.go.lookups import has_lacking, lacking_or
from pclgen.targets.go.natives import alternative
from pclgen.targets.go.shapes import natural_choice, natural_type
from pclgen.targets.go.spelling import type_expr, zero_of
from pclgen.targets.go.tails import shortened
from pclgen.types.model import DYNAMIC, resolve


def _computation(b: Block, e: Expr, want: gt.GoType, hint: str) -> go.Expr:
    """`func() (T, error) { return e, nil }`."""
    inner = b.function(Frame(zeros=(zero_of(b.file, want),), checked=True))
    node = alternative(inner, e, want, hint)
    inner.emit(make.returns(node, make.NIL))
    return make.function((), (type_expr(b.file, want), make.ERROR), shortened(inner.statements))


def call_try(b: Block, e: Call, hint: str) -> Value:
    """Return `try(a, b, …)`: the first argument that evaluates without an error."""
    looked_up = lacking_or(b, e)
    if looked_up is not None:
        return looked_up
    want = natural_choice(b, e.type, e.args)
    # In a literal of unknown type, a null list stays nil; to the SDK, a typed nil list is an empty list.
    into = gt.plain(gt.DECODED) if want == gt.plain(gt.ANY) and resolve(e.type) is DYNAMIC else want
    computations = [_computation(b, a, into, hint) for a in e.args]
    node = b.attempt(hint, make.call(b.file.session.helper("firstOf"), *computations))
    return Value(node, want)


def call_can(b: Block, e: Call, hint: str) -> Value:
    """Return `can(a)`: whether the argument evaluates without an error."""
    lacking = has_lacking(b, e)
    if lacking is not None:
        return lacking
    argument = e.args[0]
    want = natural_type(b, argument.type)
    if not argument.type.eventual and want.native != gt.ANY:
        want = gt.plain(want.native)
    computation = _computation(b, argument, want, hint)
    err = make.variable(f"{hint}Err")
    call = make.call(b.file.session.helper("attempt"), computation)
    b.emit(make.define([None, err], call))
    return Value(go.Binary(go.Name(err), "==", make.NIL), gt.plain(gt.BOOL))


def call_recover(b: Block, e: Call, hint: str) -> Value:
    """Return `recover(value, recovery)`: the output, or the recovery if the output fails."""
    value = as_output(b, b.natural(e.args[0], hint))
    into = natural_type(b, e.type)
    if value.type.native != into.native or value.type.erased != into.erased:
        value = Value(b.into(e.args[0], into, hint), into)
    inner = b.function(Frame(zeros=(make.NIL,)))
    failure = make.variable("failure")
    if e.failure is not None:
        inner.bind(e.failure, Value(go.Name(failure), gt.plain(gt.STRING)))
    recovery = inner.into(e.args[1], into, "recovery")
    inner.emit(make.returns(recovery))
    handle = make.function(((failure, make.STRING),), (b.file.pulumi("Output"),), shortened(inner.statements))
    call = make.call(b.file.session.helper("recoverOutput"), make.CTX, value.node, handle)
    return Value(_typed(b, call, into), into)


def _typed(b: Block, node: go.Expr, into: gt.GoType) -> go.Expr:
    """Return an untyped output, which resolves to the content of `into`, as a typed output."""
    if into == gt.output(gt.ANY) or into.erased:
        return make.call(b.file.pulumi("Any"), node)
    content = type_expr(b.file, gt.plain(into.native))
    parameter = make.variable("v")
    body = (make.returns(go.TypeAssertion(go.Name(parameter), content)),)
    callback = make.function(((parameter, make.ANY),), (content,), body)
    return go.TypeAssertion(make.method(node, "ApplyT", callback), type_expr(b.file, into))
