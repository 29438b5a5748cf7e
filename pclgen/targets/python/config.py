"""Config values of a program and of its components: getters, checks of required members, declared types of inputs.

The program reads its values with typed getters (targets.md, Configuration). The defaults keep an explicit false, zero or
empty text. The SDK does not check the members of configured objects:

    config users "list(object({ name = string }))" {}

becomes

    users = config.require_object("users")
    for index, user in enumerate(users):
        require_members(user, f"main.pp:1:8: users[{index}]", "name")

Inputs of a component have declared types, some with aliases (targets.md, Declared types). Labels (`core.declared`) become
annotations, and the types that they name become statements.

    size: pulumi.Input[Size]            Size = Literal["small", "large"]
    rule: pulumi.Input[Rule]            class Rule(TypedDict): …
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from msgspec import Struct

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.declared import Declared, ListOf, Literals, MapOf, Members, Named, Nullable, Plain, may_be_absent
from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Comments
from pclgen.core.plurals import singular
from pclgen.core.predicates import is_null
from pclgen.core.program import ConfigVariable
from pclgen.targets.names import snake, uppercase_first
from pclgen.targets.python import enumtexts, modules, names, tree, valuetypes
from pclgen.targets.python.context import Context
from pclgen.types import model as ty
from pclgen.types.model import is_optional, without_none
from pclgen.types.traverse import required_names, required_paths

# -- config values ----------------------------------------------------------------------------------------------------------

_SUFFIXES: Mapping[ty.Type, str] = {ty.STRING: "", ty.ID: "", ty.BOOL: "_bool", ty.INT: "_int", ty.NUMBER: "_float"}


def lower_config(
    cx: Context, node: prog.ConfigVariable, target: tree.Variable, config: tree.Variable
) -> list[tree.Statement]:
    """`name = config.get("name", default)`.

    The getters take only plain defaults: another default, or None for a missing secret, is chosen after the check of
    a `configured_name`.
    """
    default = None if is_null(node.default) else node.default
    if default is not None:
        enumtexts.mark(cx, node.symbol, default)
    checked, mixed = bool(required_paths(node.type)), ty.may_be_text_or_more(node.type)
    is_deferred = default is not None and (default.type.eventual or ((checked or mixed) and node.secret))
    lowered = [cx.lower(default)] if default is not None and not is_deferred else []
    getter = _getter(node, mixed=mixed)
    if is_deferred or mixed or checked or (getter.endswith("_object") and (node.required or lowered)):
        cx.untyped.add(node.symbol)
    read = tree.method(tree.name(config), getter, tree.text(node.key), *([] if mixed else lowered))
    is_chosen = is_deferred or (checked and node.secret and not node.required)
    if not is_chosen:
        if mixed and node.secret and not node.required:
            read = modules.as_output(read)
        before, value = _converted(node, read, *(lowered if mixed else []))
        stored = tree.Assign(target=target, value=value, comments=node.comments)
        return [*before, stored, *_checks_of(node, target, maybe_none=not node.required and not lowered)]
    configured = tree.Variable(preferred_names=(f"configured_{snake(node.symbol.name)}",))
    missing = tree.NONE if default is None else _deferred_default(cx, node, default)
    before, value = _converted(node, tree.name(configured))
    if not node.secret:
        value = modules.as_output(value)
    condition = tree.Binary(operator="is", left=tree.name(configured), right=tree.NONE)
    return [
        *before,
        tree.Assign(target=configured, value=read, comments=node.comments),
        *_checks_of(node, configured, maybe_none=True),
        tree.Assign(
            target=target,
            value=tree.IfElse(condition=condition, then=missing, otherwise=value),
            annotation=modules.output(modules.any_type()) if is_deferred else None,
        ),
    ]


def _getter(node: prog.ConfigVariable, *, mixed: bool) -> str:
    """A string value may not be valid JSON, but `Config.get_object` requires JSON."""
    suffix = "" if mixed else _SUFFIXES.get(ty.bare(node.type), "_object")
    return ("require" if node.required else "get") + ("_secret" if node.secret else "") + suffix


def _deferred_default(cx: Context, node: prog.ConfigVariable, default: core.Expr) -> tree.Expr:
    """A default as an output, as the variable always is."""
    value = cx.lower(default)
    if node.secret:
        return tree.call(modules.pulumi("Output.secret"), value)
    return value if is_eventual(default.type) else modules.as_output(value)


def _converted(
    node: prog.ConfigVariable, value: tree.Expr, *default: tree.Expr
) -> tuple[list[tree.Statement], tree.Expr]:
    """The value that was read: JSON or a text, an object with checked members; with the function that checks a secret."""
    if ty.may_be_text_or_more(node.type):
        helper = tree.Helper(key="json_or_text")
        return [], tree.method(value, "apply", helper) if node.secret else tree.call(helper, value, *default)
    if node.secret and required_paths(node.type):
        check = _checking_function(node)
        return [check], tree.method(value, "apply", tree.name(check.name))
    return [], value


def _checks_of(node: prog.ConfigVariable, variable: tree.Variable, *, maybe_none: bool) -> list[tree.For | tree.Do]:
    """The checks of the members of a plain value; the function in `_converted` checks those of a secret."""
    return [] if node.secret else check_members(node, tree.name(variable), maybe_none=maybe_none)


_HELPER = tree.Helper(key="require_members")


class _CheckedValue(Struct, frozen=True):
    """A value: its code, its name, its path in messages, and whether it may be None."""

    value: tree.Expr
    name: str
    place: tuple[str | tree.Hole, ...]
    maybe_none: bool

    def inside(self, value: tree.Expr, name: str, *place: str | tree.Hole, maybe_none: bool = False) -> _CheckedValue:
        return _CheckedValue(value, name, (*self.place, *place), maybe_none)


def check_members(node: ConfigVariable, value: tree.Expr, *, maybe_none: bool) -> list[tree.For | tree.Do]:
    """Return statements that raise if `value`, read for `node`, lacks a required member."""
    held = _CheckedValue(value, node.logical_name, (f"{node.place}: {node.logical_name}",), maybe_none)
    return list(_checks(held, ty.without_none(ty.resolve(node.type))))


def _checking_function(node: ConfigVariable) -> tree.Define:
    """Return a function that checks its argument and returns it, for the `apply` of an output."""
    parameter = tree.Variable(preferred_names=("value",))
    return tree.Define(
        name=tree.Variable(preferred_names=(f"checked_{snake(node.symbol.name)}",)),
        parameter=parameter,
        annotation=modules.any_type(),
        returns=modules.any_type(),
        body=tuple(check_members(node, tree.name(parameter), maybe_none=False)),
        result=tree.name(parameter),
    )


def _checks(held: _CheckedValue, t: ty.Type) -> Iterator[tree.For | tree.Do]:
    if not required_paths(t):
        return
    match t:
        case ty.ObjectType():
            names = [tree.text(name) for name in required_names(t)]
            if names:
                yield tree.Do(value=tree.call(_HELPER, held.value, _text(held.place), *names), close=True)
            for name, member in t.members.items():
                yield from _checks(_member(held, name, member), ty.without_none(member))
        case ty.MapType():
            key, item = tree.Variable(preferred_names=("key",)), tree.Variable(preferred_names=_element_names(held))
            entries = tree.builtin("sorted", tree.method(_or_empty(held, tree.DictDisplay(entries=())), "items"))
            inner = held.inside(tree.name(item), "", ".", tree.Hole(value=tree.name(key)))
            yield _each(entries, (key, item), _checks(inner, ty.without_none(t.element)))
        case ty.ListType():
            index, item = tree.Variable(preferred_names=("index",)), tree.Variable(preferred_names=_element_names(held))
            items = tree.builtin("enumerate", _or_empty(held, tree.ListDisplay(items=())))
            inner = held.inside(tree.name(item), "", "[", tree.Hole(value=tree.name(index)), "]")
            yield _each(items, (index, item), _checks(inner, ty.without_none(t.element)))
        case _:
            return


def _member(held: _CheckedValue, name: str, member: ty.Type) -> _CheckedValue:
    """A member of an object whose required members are present."""
    maybe_none = held.maybe_none or ty.is_optional(member)
    source = _or_empty(held, tree.DictDisplay(entries=()))
    read = tree.method(source, "get", tree.text(name)) if maybe_none else tree.index(source, tree.text(name))
    return held.inside(read, name, f".{name}", maybe_none=maybe_none)


def _element_names(held: _CheckedValue) -> tuple[str, ...]:
    element = singular(snake(held.name))
    return (element, "item") if element else ("item",)


def _or_empty(held: _CheckedValue, empty: tree.Expr) -> tree.Expr:
    return tree.Binary(operator="or", left=held.value, right=empty) if held.maybe_none else held.value


def _each(
    iterable: tree.Expr, targets: tuple[tree.Variable, ...], body: Iterator[tree.For | tree.Do]
) -> tree.For:
    return tree.For(loop=tree.Loop(targets=targets, iterable=iterable), body=tuple(body), close=True)


def _text(place: tuple[str | tree.Hole, ...]) -> tree.Expr:
    texts = [part for part in place if isinstance(part, str)]
    return tree.text("".join(texts)) if len(texts) == len(place) else tree.FormatString(parts=place)


# -- declared types ---------------------------------------------------------------------------------------------------------

class DeclaredTypes:
    """The types of one file; `statements` declare the named types, each after the types that it refers to."""

    def __init__(self) -> None:
        self._variables: dict[Named, tree.Variable] = {}
        self.statements: list[tree.Statement] = []

    def annotation(self, form: Declared) -> tree.Expr:
        """The annotation of a plain value."""
        match form:
            case Plain() | Members():
                return valuetypes.annotation(form.type)
            case Literals():
                return _literals(form)
            case Nullable():
                return modules.optional(self.annotation(form.inner))
            case ListOf():
                return tree.index(modules.abstract("Sequence"), self.annotation(form.element))
            case MapOf():
                return tree.index(modules.abstract("Mapping"), tree.Builtin(name="str"), self.annotation(form.element))
            case Named():
                return tree.name(self._named(form))
            case _:
                assert_never(form)

    def _named(self, form: Named) -> tree.Variable:
        variable = self._variables.get(form)
        if variable is None:
            base = uppercase_first(names.variable(form.name))
            variable = tree.Variable(preferred_names=(base, f"{base}Type"))
            inner = form.form
            comments = Comments(leading=form.doc)
            if isinstance(inner, Members) and is_record(inner):
                self._record(variable, inner, comments)
            else:
                self.statements.append(tree.Assign(target=variable, value=self.annotation(inner), comments=comments))
            self._variables[form] = variable
        return variable

    def _record(self, name: tree.Variable, form: Members, comments: Comments) -> None:
        """Add the class of a record, with optional members in a subclass: older Pythons cannot mark a single member."""
        members = [(key, self.annotation(member), may_be_absent(member)) for key, member in form.members]
        required = tuple((key, annotation) for key, annotation, absent in members if not absent)
        optional = tuple((key, annotation) for key, annotation, absent in members if absent)
        base = modules.typing("TypedDict")
        if not optional or not required:
            self.statements.append(
                tree.Record(name=name, base=base, members=required or optional, total=bool(required), comments=comments)
            )
            return
        first = tree.Variable(preferred_names=(f"{name.preferred_names[0]}Required",))
        self.statements.append(tree.Record(name=first, base=base, members=required))
        record = tree.Record(name=name, base=tree.name(first), members=optional, total=False, comments=comments)
        self.statements.append(record)


def is_record(form: Members) -> bool:
    """Return whether a class can have these members: each name is an identifier with no other meaning in the class."""
    return bool(form.members) and all(_is_member(name) for name, _ in form.members)


def _is_member(name: str) -> bool:
    plain = name.isascii() and name.isidentifier() and name not in names.RESERVED
    return plain and not name.startswith("__") and not name[0].isupper() and name != modules.PULUMI.alias


def is_narrow(form: Declared) -> bool:
    """Return whether a value that is no literal needs a cast to the declared type."""
    match form:
        case Plain() | Members():
            return False
        case Literals():
            return _is_literal(form)
        case Nullable():
            return is_narrow(form.inner)
        case ListOf() | MapOf():
            return is_narrow(form.element)
        case Named():
            return is_record(form.form) if isinstance(form.form, Members) else is_narrow(form.form)
        case _:
            assert_never(form)


def _is_literal(form: Literals) -> bool:
    return all(isinstance(value, bool | int | str) for value in form.values)


def _literals(form: Literals) -> tree.Expr:
    if not _is_literal(form):
        return valuetypes.annotation(form.base)
    listed = tree.index(modules.typing("Literal"), *(tree.Constant(value=value) for value in form.values))
    if form.rest is None:
        return listed
    rest = valuetypes.annotation(without_none(form.rest) if is_optional(form.rest) else form.rest)
    return tree.index(modules.typing("Union"), listed, rest)
