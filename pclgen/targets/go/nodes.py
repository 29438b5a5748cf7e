"""The translation of a program's nodes, in order, to the statements of a function.

Comments and blank lines go between the statements. A node that Go cannot express becomes a diagnostic, and translation
continues with the next node.

`Resource` and `ComponentUse` nodes, single and ranged, become constructor calls with their error checks; ranges become loops
(targets.md, Resources; Ranges; Uses).

    var web []*digitalocean.Droplet
    for i := range count {
        item, err := digitalocean.NewDroplet(ctx, fmt.Sprintf("web-%d", i), &digitalocean.DropletArgs{…})
        …
        web = append(web, item)
    }
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from msgspec.structs import replace

from pclgen.core import program as prog
from pclgen.core.declared import declared
from pclgen.core.expr import Comments, Expr, ListExpr, Literal, Symbol
from pclgen.core.predicates import is_distinct, is_natural, is_null
from pclgen.core.program import ComponentUse, Range, RangeKind, Resource
from pclgen.core.walk import body_symbols, symbol_of
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.target import unsupported
from pclgen.plan.model import Declare, Defer, Plan, Resolve, Statement
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import as_output, begin_lift, finish_lift
from pclgen.targets.go.config import read_config
from pclgen.targets.go.context import CONFIG_PATH, Block, CannotWriteError, Frame, MissingNameError, Place, Value
from pclgen.targets.go.literals import comment_lines, locals_as_inputs, struct_element
from pclgen.targets.go.loops import count_loop, iterate_value, plan_iteration
from pclgen.targets.go.names import local_name, type_name
from pclgen.targets.go.natives import convert_native
from pclgen.targets.go.options import with_options
from pclgen.targets.go.sdk import field_names, member_of_token
from pclgen.targets.go.spelling import native_type, resource_symbol, with_constant
from pclgen.targets.names import lowercase_first, uppercase_first
from pclgen.targets.origins import origin_of
from pclgen.types.declarations import ResourceDecl, Shape

# -- nodes in order ---------------------------------------------------------------------------------------------------------

_NOWHERE: Final = go.Place()


class Writer:
    """Writes the nodes of one program into one block."""

    _reads_config = True  # config variables are read from the stack's configuration

    def __init__(self, b: Block, plan: Plan, bag: DiagnosticBag) -> None:
        self.b = b
        self.plan = plan
        self.program: prog.Program = plan.program
        self.bag = bag
        self.inputs: Mapping[Symbol, gt.GoType] = locals_as_inputs(self.program, b.file.session.natives)
        self._configs: dict[str, go.Variable] = {}
        self._ended_short = False
        self._resolvers: dict[Symbol, tuple[go.Variable, gt.Native]] = {}

    def write_all(self) -> None:
        """Write all statements in order."""
        previous: Statement | None = None
        for statement in self.plan.statements:
            before = len(self.b.statements)
            try:
                self._with_comments(statement, previous)
            except CannotWriteError as problem:
                del self.b.statements[before:]
                if not isinstance(problem, MissingNameError) or not self.bag.has_errors:
                    self.bag.add(unsupported(problem.construct, "Go", problem.span, why=problem.why))
            if isinstance(statement, Declare):
                self._own(statement)
            if len(self.b.statements) > before:
                previous = statement
        if self.program.footer:
            self.b.emit(make.BLANK_LINE, go.Comment(lines=self.program.footer))

    def _own(self, statement: Declare) -> None:
        """Mark the variable of `statement` as the program's own, so that it gets its name before other variables."""
        symbol = symbol_of(statement.node)
        value = self.b.file.bindings.get(symbol) if symbol is not None else None
        if value is not None and isinstance(value.node, go.Name):
            self.b.file.own.setdefault(value.node.variable, local_name(statement.fallback_name))

    def _with_comments(self, statement: Statement, previous: Statement | None) -> None:
        if isinstance(statement, Declare) and isinstance(statement.node, prog.ConfigVariable) and self._reads_config:
            self._config_object(statement.node.namespace)
        start = len(self.b.statements)
        lines = self.comment_lines(statement.node) if isinstance(statement, Declare) else ()
        match statement:
            case Declare():
                self.write(statement.node, is_used=statement.is_used)
            case Defer():
                self._defer(statement)
            case Resolve():
                self._resolve(statement)
            case _:
                assert_never(statement)
        written = self.b.statements[start:]
        if not written:
            return
        del self.b.statements[start:]
        is_short = _is_short(written)
        stands_close = previous is not None and previous.group == statement.group and self._ended_short and is_short
        if previous is not None and (lines or not stands_close):
            self.b.emit(make.BLANK_LINE)
        self._ended_short = is_short
        self.b.emit(go.Place(origin=origin_of(statement)))
        if lines:
            self.b.emit(go.Comment(lines=lines))
        self.b.emit(*written, _NOWHERE)

    def comment_lines(self, node: prog.Node) -> tuple[str, ...]:
        """Return the comments above the statements of `node`."""
        return comment_lines_of(node)

    def write(self, node: prog.Node, *, is_used: bool) -> None:
        """Write one node; `is_used`: other nodes refer to it."""
        match node:
            case prog.ConfigVariable():
                read_config(self.b, node, local_name(node.symbol.name), self._config_object(node.namespace))
            case prog.Local():
                self._local(node)
            case prog.Resource() | prog.ComponentUse():
                declare_resource(self.b, node, local_name(node.symbol.name), is_used=is_used)
            case prog.Hook():
                self._hook(node, is_used=is_used)
            case prog.OutputVariable():
                self._output(node)
            case prog.PulumiSettings():
                self._settings(node)
            case _:
                assert_never(node)

    def _defer(self, statement: Defer) -> None:
        """Emit `later, resolveLater, _ := ctx.NewOutput()`."""
        b, symbol = self.b, statement.symbol
        native = b.file.session.natives.native(statement.type)
        later = make.variable(symbol.name)
        resolve = make.variable(f"resolve{uppercase_first(later.preferred_names[0])}")
        b.emit(make.define([later, resolve, None], make.method(make.CTX, "NewOutput")))
        b.bind(symbol, Value(go.Name(later), gt.GoType(native, gt.Form.OUTPUT, erased=True)))
        self._resolvers[symbol] = resolve, native

    def _resolve(self, statement: Resolve) -> None:
        resolve, native = self._resolvers[statement.symbol]
        value = self.b.into(statement.value, gt.output(native), "later")
        self.b.emit(go.ExpressionStatement(expression=make.call(go.Name(resolve), value)))

    def _config_object(self, namespace: str) -> go.Variable:
        """Return the config object for `namespace`; the first call emits its creation."""
        config = self._configs.get(namespace)
        if config is None:
            config = self._configs[namespace] = make.variable(f"{local_name(namespace)}Cfg" if namespace else "cfg")
            new = make.call(self.b.file.qualified(CONFIG_PATH, "New"), make.CTX, go.Text(namespace))
            self.b.emit(make.BLANK_LINE, go.Place(binds=config), make.define([config], new), _NOWHERE, make.BLANK_LINE)
        return config

    # ---------------------------------------------------------------------------------------------- locals

    def _local(self, node: prog.Local) -> None:
        if is_natural(node.value, self.b.file.naturals):
            self.b.file.naturals.add(node.symbol)
        if is_distinct(node.value, self.b.file.distinct):
            self.b.file.distinct.add(node.symbol)
        name = local_name(node.symbol.name)
        value = self._as_input(node, name) or self.b.natural(node.value, name)
        if isinstance(value.type.native, gt.Nil):
            self.b.bind(node.symbol, value)
            return
        if not self._is_new(value.node, name):
            value = Value(self.b.declare(name, value.node), value.type)
        self.b.bind(node.symbol, value)

    def _is_new(self, e: go.Expr, name: str) -> bool:
        """Return whether `e` is a variable created for `name` that does not hold another named value of the program."""
        return isinstance(e, go.Name) and e.variable.preferred_names[0] == name and e.variable not in self.b.file.own

    def _as_input(self, node: prog.Local, name: str) -> Value | None:
        """Return the local in its resource input type if it has one and Go can express it; else None."""
        want = self.inputs.get(node.symbol)
        if want is None:
            return None
        before = len(self.b.statements)
        try:
            return Value(self.b.into(node.value, want, name), want)
        except CannotWriteError:
            del self.b.statements[before:]
            return None

    # ----------------------------------------------------------------------------------------- outputs, settings

    def _output(self, node: prog.OutputVariable) -> None:
        value = node.value
        hint = node.symbol.name
        if is_null(value):
            exported: go.Expr = make.call(self.b.file.pulumi("Any"), make.NIL)
        else:
            exported = self.b.into(value, gt.input_(gt.ANY), hint)
            if exported is make.NIL:
                exported = make.call(self.b.file.pulumi("Any"), make.NIL)
        call = make.method(make.CTX, "Export", go.Text(node.logical_name), exported)
        self.b.emit(go.ExpressionStatement(expression=replace(call, origins=(node,))))

    def _settings(self, node: prog.PulumiSettings) -> None:
        if node.required_version_range is not None:
            range_ = self.b.into(node.required_version_range, gt.plain(gt.STRING), "versions")
            self.b.attempt_error(make.method(make.CTX, "RequirePulumiVersion", range_))

    # ------------------------------------------------------------------------------------------------- hooks

    def _hook(self, node: prog.Hook, *, is_used: bool) -> None:
        b = self.b
        kind = "ErrorHook" if node.is_error_hook else "ResourceHook"
        frame = Frame(zeros=(make.FALSE,) if node.is_error_hook else (), component=None)
        inner = b.function(frame)
        parameter = make.variable("args")
        inner.bind(node.args, Value(go.Name(parameter), gt.plain(gt.ANY)))
        run = make.method(self._command(inner, node.command), "Run")
        if node.is_error_hook:
            inner.emit(make.returns(go.Binary(run, "==", make.NIL), make.NIL))
        else:
            inner.emit(make.returns(run))
        results = (make.BOOL, make.ERROR) if node.is_error_hook else (make.ERROR,)
        args = go.Star(b.file.pulumi(f"{kind}Args"))
        callback = make.function(((parameter, args),), results, inner.statements)
        label: go.Expr = go.Text(node.symbol.name)
        if b.frame.component is not None:
            label = go.Binary(make.NAME, "+", go.Text(f"-{node.symbol.name}"))
        arguments = [label, callback]
        if not node.is_error_hook:
            arguments.append(self._hook_options(node))
        call = make.method(make.CTX, f"Register{kind}", *arguments)
        if is_used:
            b.bind(node.symbol, Value(b.attempt(node.symbol.name, call), gt.plain(gt.ANY)))
        else:
            b.attempt_unused(call)

    def _command(self, inner: Block, command: Expr) -> go.Expr:
        """Return `exec.Command(…)` for the words of a command."""
        run = inner.file.qualified("os/exec", "Command")
        if isinstance(command, ListExpr):
            words = [inner.into(e, gt.plain(gt.STRING), "word") for e in command.elements]
            return make.call(run, *words)
        words_ = inner.into(command, gt.plain(gt.Slice(gt.STRING)), "words")
        if not isinstance(words_, go.Name):
            words_ = inner.declare("words", words_)
        rest = go.Tail(operand=words_, start=make.number(1))
        return go.Call(function=run, arguments=(go.Index(words_, make.number(0)), rest), expand=True)

    def _hook_options(self, node: prog.Hook) -> go.Expr:
        fields: dict[str, go.Expr] = {}
        for key, value in (("OnDryRun", node.on_dry_run), ("IgnoreErrors", node.ignore_errors)):
            if value is not None:
                fields[key] = self.b.into(value, gt.plain(gt.BOOL), "option")
        if not fields:
            return make.NIL
        return make.address(make.struct(self.b.file.pulumi("ResourceHookOptions"), fields))


def comment_lines_of(node: prog.Node) -> tuple[str, ...]:
    """Return all comments of a node, which go above its statements."""
    comments: Comments = node.comments
    lines = list(comments.leading)
    if isinstance(node, prog.ConfigVariable | prog.OutputVariable | prog.Hook):
        lines += node.closing
    if isinstance(node, prog.Resource | prog.ComponentUse):
        for option in node.options:
            lines += [*option.comments.leading, *option.comments.trailing]
    return (*lines, *comments.trailing)


def _is_short(written: list[go.Statement]) -> bool:
    """Return whether the Go code of a plan statement may follow other short code without a blank line."""
    return len(written) == 1 and isinstance(written[0], go.Assign | go.ExpressionStatement)


# -- resources --------------------------------------------------------------------------------------------------------------

Node = Resource | ComponentUse


def declare_resource(b: Block, node: Node, name: str, *, is_used: bool) -> None:
    """Create the resources of a node, and bind its symbol if it is used."""
    if node.range is not None:
        _ranged(b, node, name, is_used=is_used)
        return
    instance = _create(b, node, _logical_name(b, node, None), name if is_used else None)
    if is_used:
        b.bind(node.symbol, Value(instance, gt.plain(_native(b, node))))


# ----------------------------------------------------------------------------------------------------- names


def _logical_name(b: Block, node: Node, key: Value | None) -> go.Expr:
    """Return the engine's name for a resource: prefixed by the component's name, suffixed by the key of a range."""
    inside = b.frame.component is not None
    base = node.logical_name
    if not inside and key is None:
        return go.Text(base)
    if key is None:
        return go.Binary(make.NAME, "+", go.Text(f"-{base}"))
    verb = "%d" if key.type.native == gt.INT else "%v" if isinstance(key.type.native, gt.AnyNative) else "%s"
    form = ("%s-" if inside else "") + base.replace("%", "%%") + f"-{verb}"
    arguments = ([make.NAME] if inside else []) + [key.node]
    return make.call(b.file.qualified("fmt", "Sprintf"), go.Text(form), *arguments)


# ---------------------------------------------------------------------------------------------- constructors


def _native(b: Block, node: Node) -> gt.ResourceNative:
    """Return the type of an instance of `node`."""
    if isinstance(node, ComponentUse):
        components = b.file.session.natives.components
        return components[node.component.value] if node.component is not None else gt.ResourceNative()
    if node.declaration is not None:
        return gt.ResourceNative(node.declaration)
    is_provider = node.token.startswith("pulumi:providers:")
    return gt.ResourceNative(interface="ProviderResource" if is_provider else "CustomResource")


def _instance_hint(node: Node, native: gt.ResourceNative) -> str:
    """Return the preferred variable name for an instance: `droplet` for a Droplet."""
    if native.declaration is not None:
        return lowercase_first(member_of_token(native.declaration.token))
    return lowercase_first(native.name or type_name(member_of_token(node.token)))


def _create(b: Block, node: Node, label: go.Expr, hint: str | None) -> go.Expr:
    """Create an instance; return its variable, preferably named `hint`, or `_` without a hint."""
    native, call = _native(b, node), None
    if isinstance(node, ComponentUse) and node.component is not None:
        call = _component_call(b, node, native, label)
    elif native.declaration is not None:
        assert isinstance(node, Resource)
        call = _resource_call(b, node, native.declaration, label)
    if call is not None and hint is not None:
        return b.attempt(hint, call)
    if call is not None:
        b.attempt_unused(call)
        return make.BLANK
    state: go.Expr = make.address(make.struct(b.file.pulumi(native.interface + "State"), {}))
    if hint is not None:
        state = b.declare(hint, state)
    b.attempt_error(_registration_call(b, node, label, state))
    return state


def _resource_call(b: Block, node: Resource, declaration: ResourceDecl, label: go.Expr) -> go.Call:
    """Return the call of a resource's constructor, or of the function that reads the resource."""
    is_read = node.read_id is not None
    fields = (declaration.state if is_read else declaration.inputs).fields(Shape.INPUT)
    elements = [struct_element(b, item.name, fields.get(item.name) or item.field, item) for item in node.inputs]
    present = tuple(e for e in elements if e is not None)
    struct: go.Expr = make.NIL
    if present:
        type_ = resource_symbol(b.file, declaration, suffix="State" if is_read else "Args")
        struct = make.address(go.Composite(type=type_, elements=present, closing=node.closing, block=True))
    arguments = [label, struct]
    if node.read_id is not None:
        arguments.insert(1, b.into(node.read_id, gt.input_(gt.ID), "id"))
    function = resource_symbol(b.file, declaration, "Get" if is_read else "New")
    call = with_options(b, node.options, function, make.CTX, *arguments)
    return call if is_read else replace(call, token=node.token)


def _component_call(b: Block, node: ComponentUse, native: gt.ResourceNative, label: go.Expr) -> go.Call:
    """Return the call of the constructor of a component of the program."""
    assert native.component is not None
    fields = b.file.session.component_fields[native.component]
    keys = field_names(fields)
    elements = []
    for item in node.inputs:
        if is_null(item.value):
            continue
        value = b.into(item.value, _read_as(fields[item.name]), item.name)
        if item.field is not None:
            value = with_constant(b.file.session, value, item.value, declared(item.field.type, item.field.rule))
        key = go.Field(keys[item.name])
        elements.append(go.Element(key=key, value=value, comments=comment_lines(item.comments), origin=item))
    arguments: list[go.Expr] = []
    if fields:
        type_ = go.Declared(native.name + "Args")
        literal = go.Composite(type=type_, elements=tuple(elements), closing=node.closing, block=True)
        arguments = [make.address(literal) if elements else make.NIL]
    call = with_options(b, node.options, go.Declared("New" + native.name), make.CTX, label, *arguments)
    return replace(call, token=node.type_token)


def _registration_call(b: Block, node: Node, label: go.Expr, state: go.Expr) -> go.Call:
    """Return the registration, or reading, by token of a resource or component without a declaration."""
    arguments: list[go.Expr] = [go.Text(node.token), label]
    if isinstance(node, ComponentUse):
        function = "RegisterComponentResource" + ("V2" if node.inputs else "")
    else:
        function = "RegisterResource" if node.read_id is None else "ReadResource"
        if node.read_id is not None:
            arguments.append(b.into(node.read_id, gt.input_(gt.ID), "id"))
    if node.inputs or isinstance(node, Resource):
        inputs = [
            go.Element(key=go.Text(i.name), value=b.into(i.value, gt.input_(gt.ANY), i.name), origin=i)
            for i in node.inputs
        ]
        arguments.append(go.Composite(type=b.file.pulumi("Map"), elements=tuple(inputs)))
    return with_options(b, node.options, make.select(make.CTX, function), *arguments, state)


def _read_as(t: gt.GoType) -> gt.GoType:
    """Return the type in which a component reads an input of type `t`.

    If the SDK has no type for a list or a map, the component asserts the Go type of the output's value. A `pulumi.Map`
    would contain a value of another type.
    """
    holds_scalars = isinstance(gt.innermost(t.native), gt.Scalar)
    return gt.output(t.native) if t.form is gt.Form.INPUT and holds_scalars and not gt.has_family(t.native) else t


# ---------------------------------------------------------------------------------------------------- ranges


def _ranged(b: Block, node: Node, name: str, *, is_used: bool) -> None:
    range_ = node.range
    assert range_ is not None
    value = b.natural(range_.value, name) if range_.value.type.eventual else None
    if value is not None and not value.type.is_plain and value.type.form is not gt.Form.COMPOSITE:
        _ranged_later(b, node, value, name, is_used=is_used)
        return
    if range_.kind is RangeKind.BOOL and isinstance(range_.value, Literal) and range_.value.value is True:
        declare_resource(b, replace(node, range=None), name, is_used=is_used)
        return
    native = _collection(range_, _native(b, node))
    target = _declare_collection(b, native, name) if is_used else None
    _fill(b, node, None, target=target)
    if target is not None:
        b.bind(node.symbol, Value(target, gt.plain(native)))


def _collection(range_: Range, native: gt.Native) -> gt.Native:
    match range_.kind:
        case RangeKind.BOOL:
            return native
        case RangeKind.MAP:
            return gt.Map(native)
        case RangeKind.NUMBER | RangeKind.LIST:
            return gt.Slice(native)


def _declare_collection(b: Block, native: gt.Native, name: str) -> go.Name:
    if isinstance(native, gt.Map):
        return b.declare(name, make.struct(native_type(b.file, native), {}))
    return b.variable(name, native_type(b.file, native))


def _set(b: Block, range_: Range, value: Value | None, want: gt.Native) -> go.Expr:
    """Return the bool or the number of a range, false or zero if it is null: null is the empty range."""
    hint = "condition" if want == gt.BOOL else "count"
    place = Place(range_.value.span, hint)
    if value is None:
        value = b.natural(range_.value, hint) if range_.is_nullable else None
        if value is None or not isinstance(value.type.native, gt.Pointer):
            return b.into(range_.value, gt.plain(want), hint)
    if not isinstance(value.type.native, gt.Pointer):
        return convert_native(b, value, want, place)
    pointer = b.reusable(value, hint).node
    if want == gt.BOOL:
        return go.Binary(go.Binary(pointer, "!=", make.NIL), "&&", go.Star(pointer))
    return b.unless_nil(pointer, native_type(b.file, want), hint, lambda _: go.Star(pointer))


def _make_one(block: Block, node: Node, key: Value | None, target: go.Expr | None) -> None:
    """Emit one iteration of the loop: create the resource and add it to the collection."""
    range_ = node.range
    assert range_ is not None
    hint = _instance_hint(node, _native(block, node)) if target is not None else None
    instance = _create(block, node, _logical_name(block, node, key), hint)
    if target is None:
        return
    if key is None:
        block.emit(make.assign(target, instance))
    elif range_.kind is RangeKind.MAP:
        block.emit(make.assign(go.Index(target, key.node), instance))
    else:
        block.emit(make.append(target, instance))


def _ranged_later(b: Block, node: Node, value: Value, name: str, *, is_used: bool) -> None:
    """Emit a deferred range: the loop runs in a callback, which returns the created resources."""
    range_ = node.range
    assert range_ is not None
    operand = as_output(b, value)
    if not make.is_simple(operand.node) and not _is_accessor(operand.node):
        operand = Value(b.declare(f"{name}Range", operand.node), operand.type)
    native = _collection(range_, _native(b, node))
    inner = b.function(Frame(zeros=(make.NIL,), component=b.frame.component))
    parameter = "items" if range_.kind in (RangeKind.LIST, RangeKind.MAP) else "value"
    callback, argument = begin_lift(inner, operand, parameter)
    target = _declare_collection(inner, native, f"{name}Made") if is_used else None
    _fill(inner, node, argument, target=target)
    result = target if target is not None else make.NIL
    into = gt.GoType(native, gt.Form.OUTPUT, erased=True)
    lifted = finish_lift(b, callback, result, into, static=make.ANY if target is None else None)
    if is_used:
        b.bind(node.symbol, Value(b.declare(name, lifted.node), into))
    else:
        assert isinstance(lifted.node, go.TypeAssertion)
        b.emit(go.ExpressionStatement(expression=lifted.node.operand))


def _is_accessor(node: go.Expr) -> bool:
    """Return whether `node` is a chain of accessors like `x.Foo().Bar()`."""
    if isinstance(node, go.Call):
        return not node.arguments and isinstance(node.function, go.Selector) and _is_accessor(node.function.operand)
    return make.is_simple(node)


def _fill(b: Block, node: Node, value: Value | None, *, target: go.Expr | None) -> None:
    """Emit the loop over a range, or over its translated `value`; resource names always need the key."""
    range_ = node.range
    assert range_ is not None
    if range_.kind is RangeKind.BOOL:
        condition = _set(b, range_, value, gt.BOOL)
        body = b.inner()
        _make_one(body, node, None, target)
        b.emit_if(condition, body)
        return
    assert range_.key is not None
    symbols, used = (range_.key, range_.item), body_symbols(node) | {range_.key}
    if range_.kind is RangeKind.NUMBER:
        plan = count_loop(b, _set(b, range_, value, gt.INT), (range_.key,))
    elif value is None:
        plan = plan_iteration(b, range_.value, symbols, used)
    else:
        plan = iterate_value(b, value, symbols, used, hint="items", at=range_.value.span)
    _make_one(plan.block, node, b.file.bindings[range_.key], target)
    plan.emit(b)
