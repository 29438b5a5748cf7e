"""Programs: nodes, ranges, components.

Running a bound or lowered program leaves registrations in a session and gives its outputs. Names are evaluated when they are
needed, so that components may refer to each other (language.md, Cycles); everything else happens in the order of definition
before use, and each node once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from msgspec import Struct, field

from pclgen.core import program as prog
from pclgen.core.expr import Expr, Invoke, MethodCall, Option, Symbol
from pclgen.core.origins import Sources
from pclgen.core.walk import symbol_of
from pclgen.diagnostics import evaluation as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.evaluate.config import parse_value
from pclgen.evaluate.engine import satisfies
from pclgen.evaluate.faults import EvaluationError, FaultError
from pclgen.evaluate.machine import Machine, at
from pclgen.evaluate.operations import check_members, convert, describe, pairs, text_of
from pclgen.evaluate.options import one_resource, resolve_options, resources_in
from pclgen.evaluate.session import FunctionUse, Request, Session
from pclgen.evaluate.specials import special
from pclgen.evaluate.values import (
    EMPTY,
    Environment,
    HookRef,
    Output,
    Pending,
    ResourceValue,
    Value,
    all_of,
    apply,
    as_output,
    holds_output,
    in_parts,
    marked_secret,
)
from pclgen.graph.dependencies import deferred_inputs, order_nodes
from pclgen.source.text import Span
from pclgen.types.declarations import DeclarationKind, Package
from pclgen.types.model import BOOL, INT, NominalType, OutputType, is_optional

_MOST = 10_000
"""The maximum number of resources in a range. A larger number is a mistake and would exhaust memory."""


class Inside(Struct, kw_only=True):
    """The environment of a component's program: its resource, the prefix of its names, its inputs, and the directory of its
    files, relative to the root program."""

    owner: ResourceValue
    prefix: str = ""
    inputs: Mapping[str, Pending] | None = None
    name: str = ""
    packages: Mapping[str, Package] = field(default_factory=dict)
    directory: str = "."


class Instance:
    """One run of a program: the root, or one use of a component."""

    def __init__(self, program: prog.Program, session: Session, inside: Inside) -> None:
        self._program = program
        self._session = session
        self._inside = inside
        self._machine = Machine(self, effort=session.effort, sources=self._sources())
        self._nodes: dict[Symbol, prog.Node] = {}
        for node in program.nodes:
            symbol = symbol_of(node)
            if symbol is not None:
                self._nodes[symbol] = node
        self._values: dict[Symbol, Value] = {}
        self._running: set[Symbol] = set()
        self._uses: dict[Symbol, Value] = {}
        self._deferred: Mapping[Symbol, frozenset[str]] | None = None
        self._begun: dict[Symbol, list[_Use]] = {}  # until their turn: other nodes may need them earlier
        self._packages = {**inside.packages, **{package.name: package for package in program.packages}}

    def _sources(self) -> Sources:
        """The origins of values; only the root program has the configuration of the stack."""
        own = [node for node in self._program.nodes if isinstance(node, prog.ConfigVariable) and self._inside.inputs is None]
        settings = ((node.symbol, self._session.settings.config.get(self._key(node))) for node in own)
        stack = {symbol: setting.place for symbol, setting in settings if setting is not None and setting.place}
        return Sources(self._program.nodes, self._inside.directory, stack=stack)

    def _key(self, node: prog.ConfigVariable) -> str:
        return f"{node.namespace or self._session.deployment.project}:{node.key}"

    def run(self) -> dict[str, Value]:
        """Evaluate every node; return the outputs by their logical names. Raises `EvaluationError`."""
        for node in self._program.nodes:
            if isinstance(node, prog.PulumiSettings):
                self._check_version(node)
        for node in order_nodes(self._program.nodes, DiagnosticBag()):
            symbol = symbol_of(node)
            if symbol is not None:
                self.value_of(symbol, symbol.span)
                for use in self._begun.pop(symbol, ()):
                    use.finish()
        outputs: dict[str, Value] = {}
        for node in self._program.nodes:
            if isinstance(node, prog.OutputVariable):
                value = self._values[node.symbol]
                if not (isinstance(value, Output) and value.failure is not None):
                    outputs[node.logical_name] = value
        return outputs

    def output(self, name: str) -> Value:
        """The output called `name`, without waiting for the rest of the program."""
        for node in self._program.nodes:
            if isinstance(node, prog.OutputVariable) and node.logical_name == name:
                return self.value_of(node.symbol, node.span)
        return None

    def output_names(self) -> list[str]:
        """The logical names of the outputs."""
        return [node.logical_name for node in self._program.nodes if isinstance(node, prog.OutputVariable)]

    # --- services for expressions (`machine.World`) --------------------------------------------------------------------

    def value_of(self, symbol: Symbol, span: Span) -> Value:
        """The value of a declared name, evaluated on first use."""
        if symbol in self._values:
            return self._values[symbol]
        if symbol in self._running:
            if symbol in self._uses:
                return _started(self._uses[symbol])
            raise EvaluationError(say.needs_itself(symbol.name, span))
        node = self._nodes[symbol]
        self._running.add(symbol)
        try:
            value = self._evaluate(node)
        except EvaluationError as problem:
            if span != symbol.span:
                problem.via(f"evaluated from here, for `{symbol.name}`", span)
            raise
        finally:
            self._running.discard(symbol)
        self._session.effort.look((value,), node.span)
        self._values[symbol] = value
        return value

    def special(self, name: str, args: Sequence[Value], span: Span) -> Value:
        """A function that depends on the deployment."""
        with at(span):
            return special(self._session, name, args)

    def invoke(self, expr: Invoke, args: Value, options: dict[str, Value]) -> Value:
        """A provider function."""
        plain = isinstance(args, Output)
        if plain:
            return apply((args,), lambda plain_args: self.invoke(expr, plain_args, options))
        parent = one_resource(options.get("parent")) or self._inside.owner
        package = None if expr.function is None else expr.function.package
        answer = self._session.invoke(
            FunctionUse(
                token=expr.token,
                args=args if isinstance(args, dict) else {},
                span=expr.span,
                parent=parent,
                provider=one_resource(options.get("provider")),
                waits_for=resources_in(options.get("dependsOn")),
                version=_text(options.get("version")) or ("" if package is None else package.version),
                plugin_download_url=_text(options.get("pluginDownloadUrl")),
            )
        )
        result = self._result(answer, None if expr.function is None else expr.function.result)
        return result.value if not expr.type.eventual and isinstance(result, Output) and result.known else result

    def call(self, expr: MethodCall, receiver: Value, args: Value) -> Value:
        """A method of a resource."""
        resource = one_resource(receiver)
        if isinstance(args, Output):
            return apply((args,), lambda plain_args: self.call(expr, receiver, plain_args))
        if resource is None:
            raise EvaluationError(say.cannot_convert("a resource", describe(receiver), expr.receiver.span))
        use = FunctionUse(
            token=expr.method.token,
            args=args if isinstance(args, dict) else {},
            span=expr.span,
            parent=self._inside.owner,
            version=expr.method.package.version,
        )
        answer = self._session.call(use, resource)
        result = self._result(answer, expr.method.result)
        if expr.method.plain_result and isinstance(result, Output) and result.known:
            return result.value
        return result

    def _result(self, answer: Output, declared: object) -> Value:
        """The answer for the program: the value of a function that returns no object is the only property."""
        is_object = isinstance(declared, NominalType) and declared.declaration.kind is DeclarationKind.FUNCTION_RESULT
        if declared is None or is_object or not isinstance(answer.value, dict) or len(answer.value) != 1:
            return answer
        [value] = answer.value.values()
        return Output(value, answer.known, answer.secret, answer.dependencies, answer.failure)

    # --- nodes ---------------------------------------------------------------------------------------------------------

    def _evaluate(self, node: prog.Node) -> Value:
        match node:
            case prog.ConfigVariable():
                return self._config(node)
            case prog.Local() | prog.OutputVariable():
                return self._machine.run(node.value, EMPTY)
            case prog.Resource():
                return self._ranged(node, node.range, lambda suffix, env: self._resource(node, suffix, env))
            case prog.ComponentUse():
                return self._components(node)
            case prog.Hook():
                return self._hook(node)
            case prog.PulumiSettings():
                return None

    def _hook(self, node: prog.Hook) -> Value:
        def flag(expr: Expr | None) -> bool:
            plain, _ = all_of(None if expr is None else self._machine.run(expr, EMPTY))
            return plain is True

        def command(args: dict[str, Value]) -> Value:
            return self._machine.run(node.command, EMPTY.inside({node.args: args}))

        return HookRef(self.prefixed(node.symbol.name), command, flag(node.on_dry_run), flag(node.ignore_errors))

    def _check_version(self, node: prog.PulumiSettings) -> None:
        version_range = node.required_version_range
        version = self._session.settings.pulumi_version
        if version_range is None or not version:
            return
        text = self._machine.run(version_range, EMPTY)
        if isinstance(text, str) and satisfies(version, text) is False:
            raise EvaluationError(say.wrong_version(text, version, version_range.span))

    def _config(self, node: prog.ConfigVariable) -> Value:
        value, secret = self._configured(node)
        if value is None:
            if node.default is not None:
                value = self._machine.run(node.default, EMPTY)
            elif node.required and not is_optional(node.type):
                raise EvaluationError(say.missing_config(node.logical_name, node.symbol.span, self._inside.name))
        else:
            with at(node.span):
                value = convert(value, node.type)
        is_unset = value is None and self._inside.inputs is None
        if (node.secret or secret) and not is_unset:
            return marked_secret(value)
        if isinstance(node.symbol.type, OutputType) and not isinstance(value, Output):
            return in_parts(value) if holds_output(value) else as_output(value)
        return value

    def _configured(self, node: prog.ConfigVariable) -> tuple[Value, bool]:
        """The value from the stack or the use of the component, and whether it is secret there."""
        inputs = self._inside.inputs
        if inputs is not None:
            pending = inputs.get(node.logical_name)
            return (None if pending is None else pending.get()), False
        setting = self._session.settings.config.get(self._key(node))
        if setting is None:
            return None, False
        try:
            value = parse_value(setting.text, node.type)
            with at(node.symbol.span):
                check_members(value, node.type, f"{node.place}: {node.logical_name}")
            return value, setting.secret
        except FaultError as fault:
            reason = fault.make(node.span).message
            raise EvaluationError(say.bad_config(node.logical_name, reason, node.span)) from None

    # --- ranges --------------------------------------------------------------------------------------------------------

    def _ranged(self, node: prog.Resource | prog.ComponentUse, range_: prog.Range | None, make: _Make) -> Value:
        if range_ is None:
            return make("", EMPTY)
        value = self._machine.run(range_.value, EMPTY)
        if isinstance(value, Output):
            if not value.known and value.failure is None:
                self._session.warnings.append(say.unknown_range(node.symbol.name, range_.span))
            return apply((value,), lambda plain: self._rounds(range_, plain, make))
        plain, meta = all_of(value) if range_.kind in (prog.RangeKind.BOOL, prog.RangeKind.NUMBER) else (value, None)
        assert meta is None or meta.is_runnable, "plain ranges are known"
        return self._rounds(range_, plain, make)

    def _rounds(self, range_: prog.Range, value: Value, make: _Make) -> Value:
        if range_.kind is prog.RangeKind.BOOL:
            with at(range_.span):
                exists = convert(value, BOOL)
            return make("", EMPTY) if exists is True else None
        with at(range_.span):
            rounds = self._steps(range_, value)
        items: list[tuple[str, Value]] = []
        for key, item in rounds:
            names: dict[Symbol, Value] = {}
            if range_.item is not None:
                names[range_.item] = item
            if range_.key is not None:
                names[range_.key] = key
            suffix = text_of(key)
            try:
                items.append((suffix, make(f"-{suffix}", EMPTY.inside(names))))
            except EvaluationError as problem:
                problem.via(f"evaluated from here, for {suffix}", range_.span)
                raise
        if range_.kind is prog.RangeKind.MAP:
            return dict(items)
        return [value for _, value in items]

    def _steps(self, range_: prog.Range, value: Value) -> Sequence[tuple[Value, Value]]:
        if value is None:
            return []
        if range_.kind is not prog.RangeKind.NUMBER:
            return pairs(value)
        count = convert(value, INT)
        if not isinstance(count, int):
            raise FaultError(lambda span: say.cannot_convert("a number", describe(value), span))
        if count > _MOST:
            raise FaultError(lambda span: say.cannot_convert(f"a number up to {_MOST}", describe(value), span))
        return [(index, index) for index in range(count)]

    # --- resources and components --------------------------------------------------------------------------------------

    def _options(self, options: Sequence[Option], env: Environment) -> dict[str, Value]:
        return {option.name: self._machine.run(option.value, env) for option in options if option.name != "range"}

    def _resource(self, node: prog.Resource, suffix: str, env: Environment) -> Value:
        inputs = {input_.name: self._machine.run(input_.value, env) for input_ in node.inputs}
        chosen = resolve_options(self._options(node.options, env))
        package = node.declaration.package if node.declaration is not None else None
        return self._session.register(
            Request(
                type=node.token,
                name=f"{self._inside.prefix}{node.logical_name}{suffix}",
                inputs=inputs,
                chosen=chosen,
                parent=chosen.parent or self._inside.owner,
                declaration=node.declaration,
                span=node.name_span,
                spans={input_.name: input_.span for input_ in node.inputs},
                package=package,
                read_id=None if node.read_id is None else self._machine.run(node.read_id, env),
            )
        )

    def _components(self, node: prog.ComponentUse) -> Value:
        """Register all uses of a component block. While their inputs are evaluated, references find them in `_uses`."""
        uses: list[_Use] = []

        def prepare(suffix: str, env: Environment) -> Value:
            use = _Use(self, node, suffix, env)
            uses.append(use)
            return use

        shape = self._ranged(node, node.range, prepare)
        self._uses[node.symbol] = shape
        for use in uses:
            use.begin()
        self._begun[node.symbol] = uses
        return _started(shape)

    def request(self, use: _Use, inputs: Mapping[str, Value]) -> Request:
        """The registration request of a use of a component."""
        node = use.node
        chosen = resolve_options(self._options(node.options, use.env))
        return Request(
            type=node.type_token,
            name=use.name,
            inputs=inputs,
            chosen=chosen,
            parent=chosen.parent or self._inside.owner,
            declaration=None,
            span=node.name_span,
            spans={input_.name: input_.span for input_ in node.inputs},
            component=True,
        )

    def prefixed(self, name: str) -> str:
        """A name for registration, with the prefix of the enclosing component."""
        return self._inside.prefix + name

    def pending(self, expr: Expr, env: Environment, *, is_whole: bool) -> Pending:
        """`expr`, evaluated on demand; as a single output if `is_whole`."""
        return Pending(lambda: as_output(self._machine.run(expr, env)) if is_whole else self._machine.run(expr, env))

    def deferred_inputs(self, use: prog.ComponentUse) -> AbstractSet[str]:
        """The deferred inputs of `use`."""
        if self._deferred is None:
            self._deferred = deferred_inputs(order_nodes(self._program.nodes, DiagnosticBag()))
        return self._deferred.get(use.symbol, frozenset())

    def inner(self, component: prog.Component, resource: ResourceValue, inputs: Mapping[str, Pending]) -> Instance:
        """The program of a component, ready to run."""
        inside = Inside(
            owner=resource,
            prefix=f"{resource.name}-",
            inputs=inputs,
            name=resource.name,
            packages=self._packages,
            directory=component.path,
        )
        return Instance(component.program, self._session, inside)

    @property
    def session(self) -> Session:
        """The run that this belongs to."""
        return self._session


class _Use:
    """A use of a component. From outside, each of its outputs is a single output (`all`) of its whole value.

    `begin` evaluates its inputs and registers it; `finish` runs its program. Components may refer to each other: inputs from
    such a cycle are evaluated in `finish` and are not registered. If another node needs the component before that, its
    outputs are computed on demand. If its other inputs lead back to it, it is registered first and gets its inputs later.
    """

    def __init__(self, outer: Instance, node: prog.ComponentUse, suffix: str, env: Environment) -> None:
        self.outer = outer
        self.node = node
        self.env = env
        self.name: str = outer.prefixed(f"{node.logical_name}{suffix}")
        deferred = outer.deferred_inputs(node)
        self._inputs = {i.name: outer.pending(i.value, env, is_whole=i.name in deferred) for i in node.inputs}
        self._resource: ResourceValue | None = None
        self._instance: Instance | None = None

    def start(self, inputs: Mapping[str, Value] | None = None) -> ResourceValue:
        """Register the component on first use, without inputs if they are still unknown."""
        if self._resource is not None:
            return self._resource
        resource = self._resource = self.outer.session.register(self.outer.request(self, inputs or {}))
        if self.node.component is not None:
            instance = self._instance = self.outer.inner(self.node.component, resource, self._inputs)
            resource.properties.update({name: _output_of(instance, name) for name in instance.output_names()})
        return resource

    def begin(self) -> None:
        """Evaluate the registered inputs and register the component."""
        late = self._late()
        inputs = {name: pending.get() for name, pending in self._inputs.items() if name not in late}
        early = self._resource is not None
        resource = self.start(inputs)
        if early and resource.failure is None:
            self.outer.session.give_inputs(resource, self.outer.request(self, inputs))

    def _late(self) -> AbstractSet[str]:
        """The inputs that are not registered."""
        component = self.node.component
        return frozenset() if component is None else self.outer.session.late_inputs.get(component.value, frozenset())

    def finish(self) -> None:
        """Evaluate the remaining inputs and run the program."""
        resource = self.start()
        if resource.failure is not None:
            return
        late = self._late()
        for name, pending in self._inputs.items():
            if name in late:
                pending.get()
        if self._instance is not None:
            try:
                outputs = self._instance.run()
            except EvaluationError as problem:
                problem.via(f"evaluated from here, for component `{self.name}`", self.node.name_span)
                raise
            self.outer.session.finish_component(resource, {name: as_output(value) for name, value in outputs.items()})


def _output_of(instance: Instance, name: str) -> Pending:
    return Pending(lambda: as_output(instance.output(name)))


def _started(shape: Value) -> Value:
    """The component resources of a structure of uses."""
    if isinstance(shape, _Use):
        return shape.start()
    if isinstance(shape, list):
        return [_started(use) for use in shape]
    if isinstance(shape, dict):
        return {key: _started(use) for key, use in shape.items()}
    if isinstance(shape, Output):
        return Output(_started(shape.value), shape.known, shape.secret, shape.dependencies, shape.failure)
    return shape


_Make: TypeAlias = Callable[[str, Environment], Value]
"""Makes one resource or component from the suffix of its name and the values of `range`."""


def _text(value: Value) -> str:
    plain, _ = all_of(value)
    return plain if isinstance(plain, str) else ""
