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

from pclgen.core.expr import Expr, Invoke, MethodCall, Option, Symbol
from pclgen.core.origins import Sources
from pclgen.core.program import (
    Component,
    ComponentUse,
    ConfigVariable,
    Hook,
    Local,
    Node,
    OutputVariable,
    Program,
    PulumiSettings,
    Range,
    RangeKind,
    Resource,
)
from pclgen.core.walk import symbol_of
from pclgen.diagnostics import evaluation as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.evaluate.config import parse_value
from pclgen.evaluate.convert import convert
from pclgen.evaluate.faults import EvaluationError, FaultError
from pclgen.evaluate.machine import Machine, at
from pclgen.evaluate.operations import describe, pairs, text_of
from pclgen.evaluate.options import choose, one_resource, resources_in
from pclgen.evaluate.presence import check_members
from pclgen.evaluate.session import FunctionUse, Request, Session
from pclgen.evaluate.specials import special
from pclgen.evaluate.values import (
    EMPTY,
    Environment,
    HookRef,
    Made,
    Output,
    Pending,
    Value,
    all_of,
    apply,
    as_output,
    holds_output,
    in_parts,
    marked_secret,
)
from pclgen.evaluate.versions import satisfies
from pclgen.graph.cycles import deferred_inputs
from pclgen.graph.dependencies import order_nodes
from pclgen.source.text import Span
from pclgen.types.declarations import DeclarationKind, Package
from pclgen.types.model import BOOL, INT, NominalType, OutputType, is_optional

_MOST = 10_000
"""A range makes at most so many resources: more is a mistake, and would fill the memory."""


class Inside(Struct, kw_only=True):
    """What a component's program is run with: its resource, the prefix of the names in it, its inputs, and the directory of
    its files, seen from the root program."""

    owner: Made
    prefix: str = ""
    inputs: Mapping[str, Pending] | None = None
    name: str = ""
    packages: Mapping[str, Package] = field(default_factory=dict)
    directory: str = "."


class Instance:
    """One run of a program: the root, or one use of a component."""

    def __init__(self, program: Program, session: Session, inside: Inside) -> None:
        self._program = program
        self._session = session
        self._inside = inside
        self._machine = Machine(self, effort=session.effort, sources=self._sources())
        self._nodes: dict[Symbol, Node] = {}
        for node in program.nodes:
            symbol = symbol_of(node)
            if symbol is not None:
                self._nodes[symbol] = node
        self._values: dict[Symbol, Value] = {}
        self._running: set[Symbol] = set()
        self._uses: dict[Symbol, Value] = {}
        self._deferred: Mapping[Symbol, frozenset[str]] | None = None
        self._begun: dict[Symbol, list[_Use]] = {}  # until it is their turn: others may have needed them before
        self._packages = {**inside.packages, **{package.name: package for package in program.packages}}

    def _sources(self) -> Sources:
        """Where values came from; only the root program has the configuration of the stack."""
        own = [node for node in self._program.nodes if isinstance(node, ConfigVariable) and self._inside.inputs is None]
        given = ((node.symbol, self._session.settings.config.get(self._key(node))) for node in own)
        stack = {symbol: found.place for symbol, found in given if found is not None and found.place}
        return Sources(self._program.nodes, self._inside.directory, stack=stack)

    def _key(self, node: ConfigVariable) -> str:
        return f"{node.namespace or self._session.deployment.project}:{node.key}"

    def run(self) -> dict[str, Value]:
        """Evaluate every node; the outputs by their logical names.  Raises `EvaluationError`."""
        for node in self._program.nodes:
            if isinstance(node, PulumiSettings):
                self._check_version(node)
        for node in order_nodes(self._program.nodes, DiagnosticBag()):
            symbol = symbol_of(node)
            if symbol is not None:
                self.value_of(symbol, symbol.span)
                for use in self._begun.pop(symbol, ()):
                    use.finish()
        outputs: dict[str, Value] = {}
        for node in self._program.nodes:
            if isinstance(node, OutputVariable):
                value = self._values[node.symbol]
                if not (isinstance(value, Output) and value.failure is not None):
                    outputs[node.logical_name] = value
        return outputs

    def output(self, name: str) -> Value:
        """The output called `name`, without waiting for the rest of the program."""
        for node in self._program.nodes:
            if isinstance(node, OutputVariable) and node.logical_name == name:
                return self.value_of(node.symbol, node.span)
        return None

    def output_names(self) -> list[str]:
        """The logical names of the outputs."""
        return [node.logical_name for node in self._program.nodes if isinstance(node, OutputVariable)]

    # --- what expressions need (`machine.World`) -----------------------------------------------------------------------

    def value_of(self, symbol: Symbol, span: Span) -> Value:
        """The value of a declared name, evaluated now if it was not yet."""
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
            return apply((args,), lambda known: self.invoke(expr, known, options))
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
        made = one_resource(receiver)
        if isinstance(args, Output):
            return apply((args,), lambda known: self.call(expr, receiver, known))
        if made is None:
            raise EvaluationError(say.cannot_convert("a resource", describe(receiver), expr.receiver.span))
        use = FunctionUse(
            token=expr.method.token,
            args=args if isinstance(args, dict) else {},
            span=expr.span,
            parent=self._inside.owner,
            version=expr.method.package.version,
        )
        answer = self._session.call(use, made)
        result = self._result(answer, expr.method.result)
        if expr.method.plain_result and isinstance(result, Output) and result.known:
            return result.value
        return result

    def _result(self, answer: Output, declared: object) -> Value:
        """The answer as the program sees it: a function that returns no object has its value as the only property."""
        is_object = isinstance(declared, NominalType) and declared.declaration.kind is DeclarationKind.FUNCTION_RESULT
        if declared is None or is_object or not isinstance(answer.value, dict) or len(answer.value) != 1:
            return answer
        [value] = answer.value.values()
        return Output(value, answer.known, answer.secret, answer.dependencies, answer.failure)

    # --- nodes ---------------------------------------------------------------------------------------------------------

    def _evaluate(self, node: Node) -> Value:
        match node:
            case ConfigVariable():
                return self._config(node)
            case Local() | OutputVariable():
                return self._machine.run(node.value, EMPTY)
            case Resource():
                return self._ranged(node, node.range, lambda suffix, env: self._resource(node, suffix, env))
            case ComponentUse():
                return self._components(node)
            case Hook():
                return self._hook(node)
            case PulumiSettings():
                return None

    def _hook(self, node: Hook) -> Value:
        def flag(expr: Expr | None) -> bool:
            plain, _ = all_of(None if expr is None else self._machine.run(expr, EMPTY))
            return plain is True

        def command(args: dict[str, Value]) -> Value:
            return self._machine.run(node.command, EMPTY.inside({node.args: args}))

        return HookRef(self.prefixed(node.symbol.name), command, flag(node.on_dry_run), flag(node.ignore_errors))

    def _check_version(self, node: PulumiSettings) -> None:
        wanted = node.required_version_range
        found = self._session.settings.pulumi_version
        if wanted is None or not found:
            return
        text = self._machine.run(wanted, EMPTY)
        if isinstance(text, str) and satisfies(found, text) is False:
            raise EvaluationError(say.wrong_version(text, found, wanted.span))

    def _config(self, node: ConfigVariable) -> Value:
        given, secret = self._given(node)
        if given is None:
            if node.default is not None:
                given = self._machine.run(node.default, EMPTY)
            elif node.required and not is_optional(node.type):
                raise EvaluationError(say.missing_config(node.logical_name, node.symbol.span, self._inside.name))
        else:
            with at(node.span):
                given = convert(given, node.type)
        nobody_gives_it = given is None and self._inside.inputs is None
        if (node.secret or secret) and not nobody_gives_it:
            return marked_secret(given)
        if isinstance(node.symbol.type, OutputType) and not isinstance(given, Output):
            return in_parts(given) if holds_output(given) else as_output(given)
        return given

    def _given(self, node: ConfigVariable) -> tuple[Value, bool]:
        """What the stack or the use of the component gives; and whether it is secret there."""
        inputs = self._inside.inputs
        if inputs is not None:
            pending = inputs.get(node.logical_name)
            return (None if pending is None else pending.get()), False
        found = self._session.settings.config.get(self._key(node))
        if found is None:
            return None, False
        try:
            value = parse_value(found.text, node.type)
            with at(node.symbol.span):
                check_members(value, node.type, f"{node.place}: {node.logical_name}")
            return value, found.secret
        except FaultError as fault:
            reason = fault.make(node.span).message
            raise EvaluationError(say.bad_config(node.logical_name, reason, node.span)) from None

    # --- ranges --------------------------------------------------------------------------------------------------------

    def _ranged(self, node: Resource | ComponentUse, range_: Range | None, make: _Make) -> Value:
        if range_ is None:
            return make("", EMPTY)
        value = self._machine.run(range_.value, EMPTY)
        if isinstance(value, Output):
            if not value.known and value.failure is None:
                self._session.warnings.append(say.unknown_range(node.symbol.name, range_.span))
            return apply((value,), lambda plain: self._rounds(range_, plain, make))
        plain, meta = all_of(value) if range_.kind in (RangeKind.BOOL, RangeKind.NUMBER) else (value, None)
        assert meta is None or meta.is_runnable, "plain ranges are known"
        return self._rounds(range_, plain, make)

    def _rounds(self, range_: Range, value: Value, make: _Make) -> Value:
        if range_.kind is RangeKind.BOOL:
            with at(range_.span):
                wanted = convert(value, BOOL)
            return make("", EMPTY) if wanted is True else None
        with at(range_.span):
            rounds = self._steps(range_, value)
        made: list[tuple[str, Value]] = []
        for key, item in rounds:
            names: dict[Symbol, Value] = {}
            if range_.item is not None:
                names[range_.item] = item
            if range_.key is not None:
                names[range_.key] = key
            suffix = text_of(key)
            try:
                made.append((suffix, make(f"-{suffix}", EMPTY.inside(names))))
            except EvaluationError as problem:
                problem.via(f"evaluated from here, for {suffix}", range_.span)
                raise
        if range_.kind is RangeKind.MAP:
            return dict(made)
        return [one for _, one in made]

    def _steps(self, range_: Range, value: Value) -> Sequence[tuple[Value, Value]]:
        if value is None:
            return []
        if range_.kind is not RangeKind.NUMBER:
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

    def _resource(self, node: Resource, suffix: str, env: Environment) -> Value:
        inputs = {given.name: self._machine.run(given.value, env) for given in node.inputs}
        chosen = choose(self._options(node.options, env))
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
                spans={given.name: given.span for given in node.inputs},
                package=package,
                read_id=None if node.read_id is None else self._machine.run(node.read_id, env),
            )
        )

    def _components(self, node: ComponentUse) -> Value:
        """All uses that a block stands for, registered.  While their inputs are evaluated, `_uses` has them for who refers
        to them."""
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
        """What a use of a component registers."""
        node = use.node
        chosen = choose(self._options(node.options, use.env))
        return Request(
            type=node.type_token,
            name=use.name,
            inputs=inputs,
            chosen=chosen,
            parent=chosen.parent or self._inside.owner,
            declaration=None,
            span=node.name_span,
            spans={given.name: given.span for given in node.inputs},
            component=True,
        )

    def prefixed(self, name: str) -> str:
        """A name as it is registered: that of the component around it comes first."""
        return self._inside.prefix + name

    def pending(self, expr: Expr, env: Environment, *, is_whole: bool) -> Pending:
        """`expr`, evaluated when it is needed; as one output when `is_whole`."""
        return Pending(lambda: as_output(self._machine.run(expr, env)) if is_whole else self._machine.run(expr, env))

    def deferred_inputs(self, use: ComponentUse) -> AbstractSet[str]:
        """The inputs of `use` that get their values later."""
        if self._deferred is None:
            self._deferred = deferred_inputs(order_nodes(self._program.nodes, DiagnosticBag()))
        return self._deferred.get(use.symbol, frozenset())

    def inner(self, component: Component, made: Made, inputs: Mapping[str, Pending]) -> Instance:
        """The program of a component, ready to run."""
        inside = Inside(
            owner=made,
            prefix=f"{made.name}-",
            inputs=inputs,
            name=made.name,
            packages=self._packages,
            directory=component.path,
        )
        return Instance(component.program, self._session, inside)

    @property
    def session(self) -> Session:
        """The run that this belongs to."""
        return self._session


class _Use:
    """One use of a component.  From outside, each of its outputs is one output (`all`) of its whole value.

    Its inputs are evaluated, it is registered (`begin`), and its program runs (`finish`).  Components may refer to each
    other: inputs that come from such a cycle are evaluated when it is finished and are not registered; whoever needs it
    before that has its outputs computed one by one.  When its other inputs lead back to it, it is registered at once and
    gets its inputs afterwards.
    """

    def __init__(self, outer: Instance, node: ComponentUse, suffix: str, env: Environment) -> None:
        self.outer = outer
        self.node = node
        self.env = env
        self.name: str = outer.prefixed(f"{node.logical_name}{suffix}")
        whole = outer.deferred_inputs(node)
        self._inputs = {given.name: outer.pending(given.value, env, is_whole=given.name in whole) for given in node.inputs}
        self._made: Made | None = None
        self._instance: Instance | None = None

    def start(self, inputs: Mapping[str, Value] | None = None) -> Made:
        """Register the component, if it is not yet; without inputs when they are not known yet."""
        if self._made is not None:
            return self._made
        made = self._made = self.outer.session.register(self.outer.request(self, inputs or {}))
        if self.node.component is not None:
            instance = self._instance = self.outer.inner(self.node.component, made, self._inputs)
            made.properties.update({name: _output_of(instance, name) for name in instance.output_names()})
        return made

    def begin(self) -> None:
        """Evaluate the inputs that it is registered with, and register it."""
        late = self._late()
        inputs = {name: pending.get() for name, pending in self._inputs.items() if name not in late}
        early = self._made is not None
        made = self.start(inputs)
        if early and made.failure is None:
            self.outer.session.give_inputs(made, self.outer.request(self, inputs))

    def _late(self) -> AbstractSet[str]:
        """The inputs that it is registered without."""
        component = self.node.component
        return frozenset() if component is None else self.outer.session.late_inputs.get(component.value, frozenset())

    def finish(self) -> None:
        """Evaluate the inputs that are left and run the program."""
        made = self.start()
        if made.failure is not None:
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
            self.outer.session.finish_component(made, {name: as_output(value) for name, value in outputs.items()})


def _output_of(instance: Instance, name: str) -> Pending:
    return Pending(lambda: as_output(instance.output(name)))


def _started(shape: Value) -> Value:
    """The components that a structure of uses stands for."""
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
"""Makes one resource or component, given the suffix of its name and the values of `range`."""


def _text(value: Value) -> str:
    plain, _ = all_of(value)
    return plain if isinstance(plain, str) else ""
