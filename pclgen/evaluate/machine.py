"""Evaluation of expressions.

An expression, bound or lowered, has a value with outputs where the program has eventual values; a failure is an
`EvaluationError` with its span.

An operation that needs the values of output operands is an `all` and an `apply` over them (`evaluate.values`): it does
not run in a preview where they are unknown, and its result is secret and has dependencies as they do. An expression that
only forwards values (a list, a conditional with a plain condition) keeps outputs in place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, assert_never

from msgspec import Struct, field

from pclgen.core import expr as core
from pclgen.core.eventuals import is_at_hand, is_lazy, is_resource_like
from pclgen.core.origins import Sources, has_no_type, kinds_of_arguments
from pclgen.diagnostics import evaluation as say
from pclgen.evaluate import operations
from pclgen.evaluate.blame import Blame, check_kind, step_blamed
from pclgen.evaluate.effort import Effort
from pclgen.evaluate.faults import EvaluationError, FaultError
from pclgen.evaluate.values import (
    PLAIN,
    Environment,
    Failure,
    Meta,
    Output,
    ResourceValue,
    Value,
    apply,
    as_output,
    holds_output,
    holds_unknown,
    lift,
    meta_of,
)
from pclgen.source.text import Span
from pclgen.stdlib.checks import COLLECTION, KEPT, kind_of
from pclgen.stdlib.model import UNKNOWN, BadArgumentError, Function, Lifting
from pclgen.stdlib.model import evaluate as call_function
from pclgen.types import model as ty


class World(Protocol):
    """The interface of expressions to the run."""

    def value_of(self, symbol: core.Symbol, span: Span) -> Value:
        """Return the value of a name that the program declares."""

    def special(self, name: str, args: Sequence[Value], span: Span) -> Value:
        """Return the result of a function that depends on the deployment."""

    def invoke(self, expr: core.Invoke, args: Value, options: dict[str, Value]) -> Value:
        """Return the result of a provider function."""

    def call(self, expr: core.MethodCall, receiver: Value, args: Value) -> Value:
        """Return the result of a method."""


@contextmanager
def at(span: Span) -> Iterator[None]:
    """Turn a `FaultError` into an `EvaluationError` at a span."""
    try:
        yield
    except FaultError as fault:
        raise EvaluationError(fault.make(span), meta=fault.meta, unread=fault.unread) from None


class Machine:
    """The evaluator of expressions.

    `strict` runs lowered expressions as an SDK does: an output where a plain value is needed is a mistake of lowering
    (`AssertionError`), and a failure inside an apply makes a failed output; its reason is added to `failures`. `effort` is
    the remaining budget of the run, `sources` knows the origins of values of unknown type.
    """

    def __init__(
        self, world: World, *, strict: bool = False, effort: Effort | None = None, sources: Sources | None = None
    ) -> None:
        self._world = world
        self._sources = sources if sources is not None else Sources(())
        self._effort = effort if effort is not None else Effort()
        self._strict = strict
        self.failures: list[str] = []

    def run(self, expr: core.Expr, env: Environment) -> Value:
        """Return the value of `expr`.  Raises `EvaluationError`."""
        self._effort.step(expr.span)
        match expr:
            case core.Literal():
                return expr.value
            case core.Ref():
                return self._ref(expr, env)
            case core.Attr():
                return self._attr(expr, env)
            case core.Index():
                return self._index(expr, env)
            case core.ListExpr():
                return [self.run(element, env) for element in expr.elements]
            case core.ObjectExpr():
                return self._object(expr, env)
            case core.Template():
                return self._template(expr, env)
            case core.Unary():
                value = self.run(expr.operand, env)
                return self._strictly((value,), lambda plain: operations.unary(expr.operator, plain), expr.span)
            case core.Binary():
                return self._binary(expr, env)
            case core.Conditional():
                return self._conditional(expr, env)
            case core.For():
                return self._for(expr, env)
            case core.Call():
                return self._call(expr, env)
            case core.Invoke():
                return self._invoke(expr, env)
            case core.MethodCall():
                return self._method(expr, env)
            case core.Convert():
                return self._convert(expr, env)
            case core.PropertyPath():
                return expr.path
            case core.Apply():
                return self._apply(expr, env)
            case core.All():
                return as_output(self.run(expr.value, env))
            case core.Invalid():
                raise AssertionError("programs with errors are not evaluated")
            case _:
                assert_never(expr)

    def _strictly(self, values: Sequence[Value], run: Callable[..., Value], span: Span) -> Value:
        """Evaluate an operation that needs values."""
        self._needs_values(*values)
        return self._lifted(values, run, span)

    def _needs_values(self, *values: Value) -> None:
        assert not (self._strict and any(holds_output(value) for value in values)), "an output where a value is needed"

    def _eventually(self, run: Callable[[], Value], waits: bool) -> Value:
        """Evaluate with `run`; in strict mode, a failure of an operation that `waits` is a failed output."""
        if not (self._strict and waits):
            return run()
        try:
            return run()
        except EvaluationError as problem:
            self.failures.append(str(problem))
            return Output(UNKNOWN, False, failure=Failure(str(problem)))

    def _convert(self, expr: core.Convert, env: Environment) -> Value:
        value = self.run(expr.value, env) if expr.unset is None else self._path(expr.value, env)
        if not isinstance(value, Output):
            self._needs_values(value)

        self._effort.look((value,), expr.span)

        def run() -> Value:
            with at(expr.value.span):
                converted = operations.convert(self._checked(expr, value), expr.type)
                if expr.unset is None:
                    return converted
                return operations.all_set(converted, expr.value.type, expr.type, expr.unset)

        return self._eventually(run, isinstance(value, Output))

    def _checked(self, expr: core.Convert, value: Value) -> Value:
        """Return the value of unknown type that `expr` converts, checked for its kind."""
        if not has_no_type(expr.value):
            return value
        kind = kind_of(expr.type, nullable=expr.unset is None)
        return check_kind(value, kind, Blame(self._sources, expr.value))

    def _lifted(self, values: Sequence[Value], run: Callable[..., Value], span: Span) -> Value:
        self._effort.look(values, span)
        with at(span):
            return lift(values, run)

    def _ref(self, expr: core.Ref, env: Environment) -> Value:
        is_local, value = env.find(expr.symbol)
        return value if is_local else self._world.value_of(expr.symbol, expr.span)

    # --- steps ---------------------------------------------------------------------------------------------------------

    def _path(self, expr: core.Expr, env: Environment) -> Value:
        """A value that must be present: a part of its path that may be null by the schema makes it null, and is not a
        separate failure."""
        if not isinstance(expr, core.Attr) or expr.field is None:
            return self.run(expr, env)
        return self._step(expr, self._path(expr.source, env), passes_null=True)

    def _attr(self, expr: core.Attr, env: Environment) -> Value:
        return self._step(expr, self.run(expr.source, env), passes_null=not env.attempted and _may_be_missing(expr.source))

    def _step(self, expr: core.Attr, source: Value, *, passes_null: bool) -> Value:
        if passes_null:
            if source is None:
                return None
            if isinstance(source, Output) and source.known and source.value is None:
                return source
        optional = expr.field is not None or _may_lack(expr.source.type, expr.name)

        def run() -> Value:
            with at(expr.span), step_blamed(self._sources, expr, source, expr.name):
                return take_step(source, expr.name, optional=optional)

        return self._eventually(run, isinstance(source, Output))

    def _index(self, expr: core.Index, env: Environment) -> Value:
        source = self.run(expr.source, env)
        key = self.run(expr.key, env)
        self._needs_values(key)

        def run() -> Value:
            with at(expr.key.span), step_blamed(self._sources, expr, source, key):
                if isinstance(key, Output):
                    return apply((key,), lambda plain: take_step(source, plain))
                return take_step(source, key)

        return self._eventually(run, isinstance(source, Output))

    # --- structures ----------------------------------------------------------------------------------------------------

    def _object(self, expr: core.ObjectExpr, env: Environment) -> Value:
        members: dict[str, Value] = {}
        meta = PLAIN
        for item in expr.items:
            if item.when is not None and self.run(item.when, env) is False:
                continue
            key = self.run(item.key, env)
            self._needs_values(key)
            value = self.run(item.value, env)
            if isinstance(key, Output):
                meta |= key
                key = key.value
            if meta.is_runnable:
                with at(item.key.span):
                    members[key if isinstance(key, str) else operations.text_of(key)] = value
        return members if meta is PLAIN else _wrapped(members, meta)

    def _template(self, expr: core.Template, env: Environment) -> Value:
        values = [self.run(part, env) for part in expr.parts]
        if not isinstance(expr.type, ty.OutputType):
            self._needs_values(*values)
        return self._eventually(lambda: self._joined(expr, values), any(holds_output(value) for value in values))

    def _joined(self, expr: core.Template, values: Sequence[Value]) -> Value:
        texts: list[Value] = []
        for part, value in zip(expr.parts, values, strict=True):
            texts.append(self._lifted((value,), operations.text_of, part.span))
        with self._effort.sized(expr.span):
            return self._lifted(texts, operations.joined, expr.span)

    # --- operators -----------------------------------------------------------------------------------------------------

    def _binary(self, expr: core.Binary, env: Environment) -> Value:
        left = self.run(expr.left, env)
        if expr.operator in ("&&", "||"):
            return self._logical(expr, left, env)
        right = self.run(expr.right, env)
        return self._strictly((left, right), lambda a, b: operations.binary(expr.operator, a, b), expr.span)

    def _logical(self, expr: core.Binary, left: Value, env: Environment) -> Value:
        """Evaluate the right side only if the left side does not decide."""

        def decide(plain: Value) -> Value:
            with at(expr.left.span):
                decided = operations.truth(plain)
            if decided == (expr.operator == "||"):
                return decided
            right = self.run(expr.right, env)
            return self._strictly((right,), operations.truth, expr.right.span)

        self._needs_values(left)
        return lift((left,), decide)

    def _conditional(self, expr: core.Conditional, env: Environment) -> Value:
        def choose(plain: Value) -> Value:
            with at(expr.condition.span):
                chosen = operations.truth(plain)
            return self.run(expr.then if chosen else expr.otherwise, env)

        condition = self.run(expr.condition, env)
        self._needs_values(condition)
        return lift((condition,), choose)

    # --- loops ---------------------------------------------------------------------------------------------------------

    def _for(self, expr: core.For, env: Environment) -> Value:
        collection = self.run(expr.collection, env)
        if isinstance(collection, Output):
            self._needs_values(collection)
            return apply((collection,), lambda plain: self._rounds(expr, plain, env))
        return self._rounds(expr, collection, env)

    def _rounds(self, expr: core.For, collection: Value, env: Environment) -> Value:
        with at(expr.collection.span):
            if ty.resolve(expr.collection.type) is ty.DYNAMIC:
                check_kind(collection, COLLECTION, Blame(self._sources, expr.collection))
            rounds = [] if expr.splat and collection is None else operations.pairs(collection)
        collected = _Collected()
        for key, value in rounds:
            inner = env.inside({expr.value: value} if expr.key is None else {expr.value: value, expr.key: key})
            try:
                self._round(expr, inner, collected)
            except EvaluationError as problem:
                problem.via(f"evaluated from here, for {_shown_key(key)}", expr.span)
                raise
        result: Value = collected.listed if expr.result_key is None else collected.keyed
        self._effort.look((result,), expr.span)
        return result if collected.meta is PLAIN else _wrapped(result, collected.meta)

    def _round(self, expr: core.For, env: Environment, collected: _Collected) -> None:
        if expr.condition is not None:
            tested = self.run(expr.condition, env)
            self._needs_values(tested)
            condition = collected.value_of(tested)
            if not collected.meta.is_runnable:
                return
            with at(expr.condition.span):
                if not operations.truth(condition):
                    return
        if expr.result_key is None:
            collected.listed.append(self.run(expr.result, env))
            return
        named = self.run(expr.result_key, env)
        self._needs_values(named)
        key = collected.value_of(named)
        if not collected.meta.is_runnable:
            return
        with at(expr.result_key.span):
            name = operations.text_of(key)
        value = self.run(expr.result, env)
        if expr.group:
            group = collected.keyed.setdefault(name, [])
            assert isinstance(group, list), "groups are lists"
            group.append(value)
        elif name in collected.keyed:
            raise EvaluationError(say.equal_keys(name, expr.result_key.span))
        else:
            collected.keyed[name] = value

    # --- calls ---------------------------------------------------------------------------------------------------------

    def _call(self, expr: core.Call, env: Environment) -> Value:
        name = expr.function.name
        if is_lazy(expr):
            return self._lazy(expr, env)
        if name == "recover":
            return self._recover(expr, env)
        args = [self.run(arg, env) for arg in expr.args]
        for index, kind in kinds_of_arguments(expr):
            with at(expr.args[index].span):
                args[index] = check_kind(args[index], kind, Blame(self._sources, expr.args[index]))
        if expr.expand:
            args = [*args[:-1], *self._expanded(args[-1], expr)]
        self._effort.look(args, expr.span)
        if expr.function.implementation is None:
            return self._world.special(name, args, expr.span)
        if expr.function.lifting is not Lifting.KEEP:
            self._needs_values(*args)
        return lift(args, lambda *plain: self._built_in(expr.function, plain, expr))

    def _expanded(self, last: Value, expr: core.Call) -> Sequence[Value]:
        """The elements of the last argument; elements of an output are outputs, if they are known."""
        if isinstance(last, Output) and isinstance(last.value, list):
            return [as_output(element, meta_of(last)) for element in last.value]
        if isinstance(last, list):
            return last
        if isinstance(last, Output):
            return [last]
        with at(expr.args[-1].span):
            raise FaultError(lambda span: say.cannot_convert("a list to expand", operations.describe(last), span))

    def _built_in(self, function: Function, args: Sequence[Value], expr: core.Call) -> Value:
        try:
            with self._effort.sized(expr.span):
                result = call_function(function, args)
        except BadArgumentError as problem:
            index = min(problem.index, len(expr.args) - 1)
            span = expr.args[index].span if index >= 0 else expr.span
            if function is KEPT:
                raise EvaluationError(say.rule_broken(problem.reason, span)) from None
            raise EvaluationError(say.function_failed(function.name, problem.reason, span, problem.hint)) from None
        if result is UNKNOWN:
            result = self._world.special(function.name, args, expr.span)
        self._effort.make(result, expr.span)
        return result

    def _lazy(self, expr: core.Call, env: Environment) -> Value:
        """`try` and `can`: a failure that shows only once an output is known is caught, too."""
        problems: list[EvaluationError] = []
        waited = PLAIN  # for failed arguments: the result depends on them, too
        is_test = expr.function.name == "can"
        for arg in expr.args:
            try:
                value = self.run(arg, env.attempting() if is_test or arg is not expr.args[-1] else env)
            except EvaluationError as problem:
                problems.append(problem)
                waited = waited if problem.meta is None else waited | problem.meta
                continue
            if is_test:
                value = True if self._strict or is_at_hand(arg) else lift((value,), lambda _: True)
            return value if waited is PLAIN else as_output(value, waited)
        if is_test:
            return False if waited is PLAIN else as_output(False, waited)
        raise problems[-1]

    def _recover(self, expr: core.Call, env: Environment) -> Value:
        assert expr.failure is not None, "the binder gives `recover` a symbol"
        try:
            value = as_output(self.run(expr.args[0], env))
            if value.failure is None:
                return value
            text, waited = value.failure.text, PLAIN
        except EvaluationError as problem:
            if problem.meta is None:
                raise
            text, waited = str(problem), problem.meta
        inner = env.inside({expr.failure: text})
        return as_output(self.run(expr.args[1], inner), waited)

    def _invoke(self, expr: core.Invoke, env: Environment) -> Value:
        args = {} if expr.args is None else self.run(expr.args, env)
        options = {name: self.run(option, env) for name, option in expr.options.items()}
        return self._world.invoke(expr, args, options)

    def _method(self, expr: core.MethodCall, env: Environment) -> Value:
        receiver = self.run(expr.receiver, env)
        args = {} if expr.args is None else self.run(expr.args, env)
        return self._world.call(expr, receiver, args)

    def _apply(self, expr: core.Apply, env: Environment) -> Value:
        args = [self.run(arg, env) for arg in expr.args]
        assert not self._strict or all(isinstance(arg, Output) for arg in args), "an argument of an apply that is no output"

        def body(*plain: Value) -> Value:
            result = self.run(expr.body, env.inside(dict(zip(expr.parameters, plain, strict=True))))
            if not isinstance(result, Output):
                self._needs_values(result)
            return result

        return self._eventually(lambda: apply(args, body), True)


class _Collected(Struct):
    """The results of the iterations of a loop so far; `meta` comes from their conditions and keys."""

    listed: list[Value] = field(default_factory=list)
    keyed: dict[str, Value] = field(default_factory=dict)
    meta: Meta = PLAIN

    def value_of(self, deciding: Value) -> Value:
        """The value of a condition or key; the whole loop depends on its output."""
        if not isinstance(deciding, Output):
            return deciding
        self.meta |= deciding
        return deciding.value


def _may_be_missing(source: core.Expr) -> bool:
    """Return whether `source` is a resource that may be missing by its bool range, so that its attributes are null."""
    return is_resource_like(ty.without_none(ty.resolve(source.type)))


def _may_lack(source: ty.Type, name: str) -> bool:
    """Return whether `name` is an optional member of a structural object, as a member of type `any` is."""
    plain = ty.without_none(ty.resolve(source))
    if not isinstance(plain, ty.ObjectType) or name not in plain.members or name in plain.lacking:
        return False
    member = plain.members[name]
    return member is ty.DYNAMIC or ty.is_optional(member)


def _wrapped(value: Value, meta: Meta) -> Output:
    return as_output(value, meta) if meta.is_runnable else meta.nothing()


def _shown_key(key: Value) -> str:
    return f'key "{key}"' if isinstance(key, str) else f"element {key}"


def take_step(value: Value, key: Value, *, optional: bool = False) -> Value:
    """`value.key`: of an output its part, which may be known although the whole is not; of a resource its attribute.

    `optional`: a declared member that an object does not have is null.
    """
    if isinstance(value, Output):
        if value.failure is not None:
            return value
        if value.value is UNKNOWN:
            return value
        try:
            part = take_step(value.value, key, optional=optional)
        except FaultError as fault:
            fault.meta = meta_of(value) if fault.meta is None else meta_of(value) | fault.meta
            raise
        if isinstance(part, Output):
            return as_output(part, Meta(True, value.secret, value.dependencies))
        return Output(part, value.known or not holds_unknown(part), value.secret, value.dependencies)
    if isinstance(value, ResourceValue):
        name = key if isinstance(key, str) else operations.text_of(key)
        return value.attribute(name)
    if optional and isinstance(value, dict) and key not in value:
        return None
    return operations.step(value, key)
