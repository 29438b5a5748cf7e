"""Type labels in more detail than types: names, literals, members (targets.md, Declared types).

A type and its rule yield a `Declared`, which each target renders in its language. Values keep their types in the program.
Only boundaries with a label (the inputs of a component) declare them as narrowly as the label.

    "Size"                       Named("Size", Literals(("small", "large"), None, string))
    "map('a' | 'b')"             MapOf(Literals(("a", "b"), None, string))
    "object({port = int})"       Plain(object({port: int}))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import TypeAlias, assert_never

from msgspec import Struct

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.predicates import is_null
from pclgen.core.walk import children, expressions_of
from pclgen.source.text import split_lines
from pclgen.types import model as ty
from pclgen.types.rules import DESCRIPTION, ENUM, MEMBERS, TEXTS, TITLE, Json, Rule, inner_rule


class Plain(Struct, frozen=True):
    """A type without names or literals."""

    type: ty.Type


class Literals(Struct, frozen=True):
    """An enumeration of literals, or a value of type `rest`; `base` is the type of all values."""

    values: tuple[ty.ConstValue, ...]
    rest: ty.Type | None
    base: ty.Type


class Nullable(Struct, frozen=True):
    """A value that may be null."""

    inner: Declared


class ListOf(Struct, frozen=True):
    """A list."""

    element: Declared


class MapOf(Struct, frozen=True):
    """A map of texts to values."""

    element: Declared


class Members(Struct, frozen=True):
    """An object with its members in the order of the label; `type` is the type of the whole object."""

    members: tuple[tuple[str, Declared], ...]
    type: ty.Type


class Named(Struct, frozen=True):
    """A type alias with the lines of its description."""

    name: str
    form: Form
    doc: tuple[str, ...] = ()


Form: TypeAlias = Plain | Literals | Nullable | ListOf | MapOf | Members
Declared: TypeAlias = Form | Named


def declared(type_: ty.Type, rule: Rule | None) -> Declared:
    """The declared type of a place from the `type_` and the `rule` of its values."""
    plain = ty.resolve(type_)
    if rule is None:
        return Plain(plain)
    if ty.is_optional(plain):
        # Null belongs to the place: the name of an alias applies to the other values.
        inner = declared(ty.without_none(plain), rule)
        return Plain(plain) if isinstance(inner, Plain) else Nullable(inner)
    name = rule.get(TITLE)
    form = _form(plain, rule, named=isinstance(name, str))
    if not isinstance(name, str):
        return form
    description = rule.get(DESCRIPTION)
    return Named(name, form, tuple(split_lines(description)) if isinstance(description, str) else ())


def _form(plain: ty.Type, rule: Rule, *, named: bool) -> Form:
    form: Form = Plain(plain)
    values, texts = rule.get(ENUM), rule.get(TEXTS)
    if isinstance(values, list | tuple):
        form = Literals(_constants(values), None, plain)
    elif isinstance(texts, list | tuple) and isinstance(plain, ty.UnionType):
        form = Literals(_constants(texts), ty.union_of([t for t in plain.members if t is not ty.STRING]), plain)
    elif isinstance(plain, ty.ListType):
        form = ListOf(_inner(plain.element, rule, 0))
    elif isinstance(plain, ty.MapType):
        form = MapOf(_inner(plain.element, rule, ""))
    elif isinstance(plain, ty.ObjectType) and (named or isinstance(rule.get(MEMBERS), Mapping)):
        form = Members(tuple((name, _inner(t, rule, name)) for name, t in plain.members.items()), plain)
        if named:
            return form
    return form if says_more(form) else Plain(plain)


def _inner(type_: ty.Type, rule: Rule, key: object) -> Declared:
    return declared(type_, inner_rule(rule, key))


def _constants(values: Sequence[Json]) -> tuple[ty.ConstValue, ...]:
    """The literals of a rule, whole numbers as `int`."""
    constants: list[ty.ConstValue] = []
    for value in values:
        if isinstance(value, bool | str):
            constants.append(value)
        elif isinstance(value, int | float):
            number = Decimal(repr(value))
            constants.append(int(number) if number == number.to_integral_value() else number)
    return tuple(constants)


def parts(form: Declared) -> tuple[Declared, ...]:
    """The forms directly inside a form."""
    match form:
        case Plain() | Literals():
            return ()
        case Nullable():
            return (form.inner,)
        case ListOf() | MapOf():
            return (form.element,)
        case Members():
            return tuple(member for _, member in form.members)
        case Named():
            return (form.form,)
        case _:
            assert_never(form)


def says_more(form: Declared) -> bool:
    """Return whether a label is more specific than its type: it has a name or lists literals."""
    return isinstance(form, Named | Literals) or any(says_more(part) for part in parts(form))


def holds_literals(form: Declared) -> bool:
    """Return whether a type or a part of it is restricted to literals."""
    return isinstance(form, Literals) or any(holds_literals(part) for part in parts(form))


def is_compound(form: Declared) -> bool:
    """Return whether values of the form contain other values."""
    match form:
        case Plain():
            plain = form.type
            members = plain.members if isinstance(plain, ty.UnionType) else (plain,)
            return any(isinstance(member, ty.ListType | ty.MapType | ty.ObjectType | ty.TupleType) for member in members)
        case Literals():
            return form.rest is not None and is_compound(Plain(form.rest))
        case Nullable():
            return is_compound(form.inner)
        case ListOf() | MapOf() | Members():
            return True
        case Named():
            return is_compound(form.form)
        case _:
            assert_never(form)


def bare(form: Declared) -> Form:
    """The form behind an alias."""
    return form.form if isinstance(form, Named) else form


def in_place(value: core.Expr, expected: Declared) -> bool:
    """Return whether `value` is a literal in place, so that a compiler can check it against the expected type."""
    form = bare(expected)
    if isinstance(value, core.Conditional):
        plain = not value.condition.type.eventual
        return plain and in_place(value.then, expected) and in_place(value.otherwise, expected)
    match form:
        case Plain():
            return True
        case Nullable():
            return is_null(value) or in_place(value, form.inner)
        case Literals():
            return isinstance(value, core.Literal) and any(
                value.value == v and _same_kind(value.value, v) for v in form.values
            )
        case ListOf():
            return isinstance(value, core.ListExpr) and all(in_place(element, form.element) for element in value.elements)
        case MapOf():
            return isinstance(value, core.ObjectExpr) and all(
                isinstance(item.key, core.Literal) and in_place(item.value, form.element) for item in value.items
            )
        case Members():
            return isinstance(value, core.ObjectExpr) and _members_in_place(value, dict(form.members))
        case _:
            assert_never(form)


def _members_in_place(value: core.ObjectExpr, members: Mapping[str, Declared]) -> bool:
    written = {item.key.value: item.value for item in value.items if isinstance(item.key, core.Literal)}
    if len(written) < len(value.items) or any(name not in members for name in written):
        return False
    required = {name for name, member in members.items() if not may_be_absent(member)}
    return required <= written.keys() and all(in_place(written[str(name)], members[str(name)]) for name in written)


def may_be_absent(member: Declared) -> bool:
    """Return whether an object may lack a member."""
    if isinstance(member, Plain):
        return ty.is_optional(member.type) or member.type is ty.DYNAMIC
    return isinstance(member, Nullable)


def _same_kind(value: object, other: ty.ConstValue) -> bool:
    return isinstance(value, bool) == isinstance(other, bool)


def inputs_read_wide(program: prog.Program) -> frozenset[core.Symbol]:
    """The inputs with declared types that a component does not only forward or put into a text.

    Other operations do not accept literal types: compilers reject a comparison with another text.
    """
    inputs = [node for node in program.nodes if isinstance(node, prog.ConfigVariable)]
    forms = {node.symbol: declared(node.type, node.rule) for node in inputs}
    narrow = {symbol for symbol, form in forms.items() if says_more(form)}
    if not narrow:
        return frozenset()
    # A default that a compiler cannot check against the literals widens the value that is read.
    defaults = {node.symbol: node.default for node in inputs if node.symbol in narrow}
    wide = {s for s, value in defaults.items() if value is not None and not (is_null(value) or in_place(value, forms[s]))}
    for node in program.nodes:
        forwarded = {id(value) for value in _handed(node)}
        for expr in expressions_of(node):
            wide.update(_read(expr, forwarded) & narrow)
    return frozenset(wide)


def _handed(node: prog.Node) -> Iterator[core.Expr]:
    """The values that a node forwards unchanged."""
    match node:
        case prog.Resource() | prog.ComponentUse():
            yield from (input_.value for input_ in node.inputs)
        case prog.OutputVariable():
            yield node.value
        case _:
            return


def _read(root: core.Expr, forwarded: set[int]) -> set[core.Symbol]:
    symbols: set[core.Symbol] = set()
    pending: list[tuple[core.Expr, bool]] = [(root, id(root) in forwarded)]
    while pending:
        expr, passes = pending.pop()
        if isinstance(expr, core.Ref):
            symbols.update(() if passes else (expr.symbol,))
            continue
        pending += [(part, isinstance(expr, core.Template)) for part in children(expr)]
    return symbols
