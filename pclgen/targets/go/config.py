"""Config variables of a root program (targets.md, Configuration), and checks of the required members of configured objects.

Statements read each `ConfigVariable`. An explicit `false`, `0` or `""` is kept: defaults apply only if the value is
missing (`config.ErrMissingVar`; reading a text fails for no other reason).

    flag, err := cfg.TryBool("flag")
    if errors.Is(err, config.ErrMissingVar) {
        flag = true
    } else if err != nil {
        return err
    }

A default that equals Go's zero value needs no assignment. Decoding into a struct hides which members are set, so

    config users "list(object({ name = string }))" {}

becomes

    var givenUsers []map[string]any
    cfg.RequireObject("users", &givenUsers)
    for index, user := range givenUsers {
        place := fmt.Sprintf("main.pp:1:8: users[%d]", index)
        if err := requireMembers(user, place, "name"); err != nil {
            return err
        }
    }

The statements are emitted into the block that reads the config variable.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pclgen.core.expr import Literal
from pclgen.core.plurals import singular
from pclgen.core.predicates import is_null
from pclgen.core.program import ConfigVariable
from pclgen.core.walk import walk
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import as_output, to_secret
from pclgen.targets.go.context import CONFIG_PATH, Block, Value
from pclgen.targets.go.spelling import native_type, type_expr
from pclgen.targets.names import uppercase_first
from pclgen.types import model as ty
from pclgen.types.model import OutputType, may_be_text_or_more
from pclgen.types.traverse import required_names, required_paths

_SUFFIXES: Mapping[gt.Native, str] = {gt.STRING: "", gt.INT: "Int", gt.FLOAT: "Float64", gt.BOOL: "Bool"}


def read_config(b: Block, node: ConfigVariable, name: str, cfg: go.Variable) -> None:
    """Declare a variable, preferably named `name`, with the value of a config variable."""
    reader = _Reader(b, node, name, go.Name(cfg))
    native = b.file.session.natives.native(node.type)
    if isinstance(node.symbol.type, OutputType) and not node.secret:
        value = reader.with_eventual_default(native)
    else:
        value = reader.read(native, "Secret" if node.secret else "")
    b.bind(node.symbol, value)


class _Reader:
    """Reads one config variable; `secret` is "Secret" in the names of methods that read secrets, else "".

    A secret is always an output.
    """

    def __init__(self, b: Block, node: ConfigVariable, name: str, cfg: go.Expr) -> None:
        self.b = b
        self.node = node
        self.name = name
        self.cfg = cfg
        self.default = None if node.default is None or is_null(node.default) else node.default

    def _call(self, method: str, *arguments: go.Expr) -> go.Call:
        return make.method(self.cfg, method, go.Text(self.node.key), *arguments)

    def _define(self, value: go.Expr) -> go.Name:
        return self.b.declare(self.name, value)

    def _check_members(self, method: str) -> None:
        """Emit code that returns an error if the value that `method` reads lacks a required member."""
        node = self.node
        if not required_paths(node.type):
            return
        declared = ty.without_none(ty.resolve(node.type))
        raw = self.b.variable(f"given{uppercase_first(self.name)}", _raw(declared))
        self.b.emit(go.ExpressionStatement(expression=self._call(method, make.address(raw))))
        place = f"{node.place}: {node.logical_name}".replace("%", "%%")
        _check(self.b, raw, declared, _Place(place, (), node.logical_name), typed=True)

    def _missing(self) -> go.Expr:
        is_ = self.b.file.qualified("errors", "Is")
        return make.call(is_, make.ERR, self.b.file.qualified(CONFIG_PATH, "ErrMissingVar"))

    def read(self, native: gt.Native, secret: str) -> Value:
        """Read a value."""
        if isinstance(native, gt.AnyNative) and not secret:
            return self._dynamic(self.name)
        is_deferred = self.node.default is not None and self.node.default.type.eventual
        if secret and may_be_text_or_more(self.node.type) and not is_deferred:
            return self._secret_or_nothing(self._dynamic(f"{self.name}Value"), native)
        suffix = _SUFFIXES.get(native)
        if suffix is not None:
            return self._scalar(native, suffix, secret)
        if isinstance(native, gt.Pointer) and native.element == gt.STRING:
            return self._optional_text(native, secret)
        return self._object(native, secret)

    def _scalar(self, native: gt.Native, suffix: str, secret: str) -> Value:
        b, default, into = self.b, self.node.default, gt.output(native) if secret else gt.plain(native)
        if default is None:
            return Value(self._define(self._call(f"Require{secret}{suffix}")), into)
        is_zero = not secret and self._is_zero()
        if is_zero and native == gt.STRING:
            return Value(self._define(self._call("Get")), into)
        target = go.Name(make.variable(self.name))
        b.emit(make.define([target.variable, make.ERR.variable], self._call(f"Try{secret}{suffix}")))
        b.mark_err_declared()
        leave = b.leave_on_error()
        if is_zero:
            is_set = go.Unary(operator="!", operand=self._missing())
            b.emit(go.If(condition=go.Binary(leave.condition, "&&", is_set), body=leave.body))
            return Value(target, into)
        inner = b.inner()
        value = inner.into(default, gt.input_(native) if default.type.eventual else gt.plain(native), self.name)
        inner.emit(make.assign(target, to_secret(self.b, value, into) if secret else value))
        if native == gt.STRING:  # reading a text fails only if it is missing
            b.emit_if(leave.condition, inner)
        else:
            b.emit(go.If(condition=self._missing(), body=tuple(inner.statements), otherwise=(leave,)))
        return Value(target, into)

    def _is_zero(self) -> bool:
        """Return whether the default equals Go's result for an unset value: `false`, `0`, `""`."""
        default = self.node.default
        return isinstance(default, Literal) and default.value is not None and not default.value

    def _object(self, native: gt.Native, secret: str) -> Value:
        """Read a list, map, object or optional value as JSON into a variable."""
        b, default = self.b, self.default
        target = b.variable(f"{self.name}Value" if secret else self.name, native_type(b.file, native))
        pointer = make.address(target)
        if self.node.required:
            b.emit(go.ExpressionStatement(expression=self._call(f"Require{secret}Object", pointer)))
        elif default is None and not secret:
            b.attempt_error(self._call("GetObject", pointer))
        else:
            inner = b.inner()
            if default is not None:
                is_decoded = not secret and any(map(is_null, walk(default)))
                want = gt.plain(gt.as_decoded(native) if is_decoded else native)
                inner.emit(make.assign(target, inner.into(default, want, self.name)))
            error = make.ERR.variable
            init = make.define([None, error] if secret else [error], self._call(f"Try{secret}Object", pointer))
            leave, condition = b.leave_on_error(), self._missing()
            if default is None:
                condition = go.Binary(leave.condition, "&&", make.negate(condition))
                b.emit(go.If(init=init, condition=condition, body=leave.body))
            else:
                b.emit(go.If(init=init, condition=condition, body=tuple(inner.statements), otherwise=(leave,)))
        self._check_members(f"Require{secret}Object" if self.node.required else f"Get{secret}Object")
        if not secret:
            return Value(target, gt.plain(native))
        into = gt.output(native)
        return Value(self._define(to_secret(self.b, target, into)), into)

    def _optional_text(self, native: gt.Pointer, secret: str) -> Value:
        """Read optional text; it is not JSON, so it is read unchanged."""
        b, into = self.b, gt.output(native) if secret else gt.plain(native)
        target = b.variable(self.name, type_expr(b.file, into))
        held = go.Name(make.variable("value", "text"))
        missing = b.inner()
        value: go.Expr = make.NIL
        if self.default is not None:
            value = missing.into(self.default, gt.plain(native), self.name)
        if secret:
            value = as_output(missing, Value(value, gt.plain(native))).node
        if value is not make.NIL:
            missing.emit(make.assign(target, value))
        present = make.method(held, "ToStringPtrOutput") if secret else make.address(held)
        b.emit(
            go.If(
                init=make.define([held.variable, make.ERR.variable], self._call(f"Try{secret}")),
                condition=go.Binary(make.ERR, "==", make.NIL),
                body=(make.assign(target, present),),
                otherwise=tuple(missing.statements),
            )
        )
        return Value(target, into)

    def _dynamic(self, name: str) -> Value:
        """Read a value without a declared type into the variable `name`: JSON if it parses, else text."""
        default = self.default
        native = gt.AnyNative()
        start = None
        if default is not None:
            # Code that does not know a list's Go type would not recognize a typed nil in it as null.
            own = self.b.file.session.natives.native(default.type)
            want = gt.DECODED if gt.holds_nullable(own) or gt.holds_struct(own) else native
            start = self.b.into(default, gt.plain(want), name)
        target = self.b.variable(name, make.ANY, start)
        text = go.Name(make.variable("text", "value"))
        failed = self._is_no_json(text, target)
        init: go.Statement = make.define([text.variable], self._call("Require"))
        if not self.node.required:
            init = make.define([text.variable, make.ERR.variable], self._call("Try"))
            failed = go.Binary(go.Binary(make.ERR, "==", make.NIL), "&&", failed)
        self.b.emit(go.If(init=init, condition=failed, body=(make.assign(target, text),)))
        return Value(target, gt.plain(native))

    def with_eventual_default(self, native: gt.Native) -> Value:
        """Read the configured value or a deferred default; the result is always an output."""
        into = gt.output(native)
        assert self.node.default is not None
        target = self.b.variable(self.name, type_expr(self.b.file, into))
        suffix = _SUFFIXES.get(native)
        missing = self.b.inner()
        missing.emit(make.assign(target, missing.into(self.node.default, into, self.name)))
        otherwise = self.b.inner()
        mixed = may_be_text_or_more(self.node.type)
        if mixed:
            text = go.Name(make.variable("text", "value"))
            init = make.define([text.variable, make.ERR.variable], self._call("Try"))
            held = otherwise.variable("given", native_type(self.b.file, native))
            otherwise.emit(go.If(condition=self._is_no_json(text, held), body=(make.assign(held, text),)))
        elif suffix is not None:
            held = go.Name(make.variable("value", "given"))
            init = make.define([held.variable, make.ERR.variable], self._call("Try" + suffix))
        else:
            held = self.b.variable("given", native_type(self.b.file, native))
            init = make.define([make.ERR.variable], self._call("TryObject", make.address(held)))
        otherwise.emit(make.assign(target, as_output(otherwise, Value(held, gt.plain(native))).node))
        leave = self.b.leave_on_error()
        rest = go.If(condition=leave.condition, body=leave.body, otherwise=tuple(otherwise.statements))
        self.b.emit(go.If(init=init, condition=self._missing(), body=tuple(missing.statements), otherwise=(rest,)))
        if suffix is None and not mixed:
            self._check_members("GetObject")
        return Value(target, into)

    def _is_no_json(self, text: go.Name, target: go.Expr) -> go.Expr:
        """Return an expression that decodes a text into `target` and is true if the text is not JSON."""
        bytes_ = make.call(go.SliceType(element=make.BYTE), text)
        unmarshal = make.call(self.b.file.qualified("encoding/json", "Unmarshal"), bytes_, make.address(target))
        return go.Binary(unmarshal, "!=", make.NIL)

    def _secret_or_nothing(self, held: Value, native: gt.Native) -> Value:
        """Return `held` as a secret output; null if the value is unset and has no default."""
        into = gt.output(native)
        secret = to_secret(self.b, held.node, into)
        if self.node.required or self.default is not None:
            return Value(self._define(secret), into)
        target = self._define(make.call(self.b.file.pulumi("Any"), make.NIL))
        there = go.Binary(held.node, "!=", make.NIL)
        self.b.emit(go.If(condition=there, body=(make.assign(target, secret),)))
        return Value(target, into)


_OBJECT = go.MapType(element=make.ANY)
_LIST = go.SliceType(element=make.ANY)


class _Place(Struct, frozen=True):
    """The description of a value in messages: a format with its arguments; `hint` is a name for variables."""

    format: str
    arguments: tuple[go.Expr, ...]
    hint: str

    def inside(self, format_: str, hint: str, *arguments: go.Expr) -> _Place:
        return _Place(self.format + format_, (*self.arguments, *arguments), hint)


def _raw(t: ty.Type) -> go.Expr:
    """Return the type of the decoded JSON, in which missing members are absent."""
    match t:
        case ty.ObjectType():
            return _OBJECT
        case ty.ListType():
            return go.SliceType(element=_raw(ty.without_none(t.element)))
        case ty.MapType():
            return go.MapType(element=_raw(ty.without_none(t.element)))
        case _:
            return make.ANY


def _check(b: Block, value: go.Expr, t: ty.Type, place: _Place, *, typed: bool) -> None:
    """Emit the checks of a value, which is an `any` unless `typed`."""
    if not required_paths(t):
        return
    if not typed:
        held = make.variable(place.hint)
        type_ = _LIST if isinstance(t, ty.ListType) else _OBJECT
        b.emit(make.define([held, None], go.TypeAssertion(value, type_)))
        value = go.Name(held)
    match t:
        case ty.ObjectType():
            names = [go.Text(name) for name in required_names(t)]
            if names:
                helper = b.file.session.helper("requireMembers")
                b.attempt_error(make.call(helper, value, _text(b, place), *names))
            for name, member in t.members.items():
                inner = place.inside("." + name.replace("%", "%%"), name)
                _check(b, go.Index(value, go.Text(name)), ty.without_none(member), inner, typed=False)
        case ty.ListType():
            body = b.inner()
            hint = singular(place.hint) or "item"
            index, item = make.variable("index"), make.variable(hint if typed else "entry")
            inner = place.inside("[%d]", hint, go.Name(index))
            _check(body, go.Name(item), ty.without_none(t.element), inner, typed=typed)
            b.emit_loop(body, value, index, item)
        case ty.MapType():
            body = b.inner()
            key = make.variable("key")
            inner = place.inside(".%s", singular(place.hint) or "item", go.Name(key))
            _check(body, go.Index(value, go.Name(key)), ty.without_none(t.element), inner, typed=typed)
            b.emit_loop(body, b.file.sorted_keys(value), None, key)
        case _:
            return


def _text(b: Block, place: _Place) -> go.Expr:
    if not place.arguments:
        return go.Text(place.format.replace("%%", "%"))
    return b.declare("place", make.call(b.file.qualified("fmt", "Sprintf"), go.Text(place.format), *place.arguments))
