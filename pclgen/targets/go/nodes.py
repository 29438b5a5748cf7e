"""The translation of a program's nodes, in order, to the statements of a function.

Comments and blank lines go between the statements. A node that Go cannot express becomes a diagnostic, and translation
continues with the next node.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from msgspec.structs import replace

from pclgen.core import program as prog
from pclgen.core.expr import Comments, Expr, ListExpr, Symbol
from pclgen.core.predicates import is_distinct, is_natural, is_null
from pclgen.core.walk import symbol_of
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.target import unsupported
from pclgen.plan.model import Declare, Defer, Plan, Resolve, Statement
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.config import read_config
from pclgen.targets.go.context import CONFIG_PATH, Block, CannotWriteError, Frame, MissingNameError, Value
from pclgen.targets.go.literals import locals_as_inputs
from pclgen.targets.go.names import local_name
from pclgen.targets.go.resources import declare_resource
from pclgen.targets.names import uppercase_first
from pclgen.targets.origins import origin_of

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
