"""List and object literals, and maps without null members (language.md, Expressions; Types of expressions; Null).

In a declared object each member is checked against its declaration (language.md, Types from schemas); unknown, duplicate
and missing members are reported at their positions.  A literal tag narrows a tagged union, at any depth. A constant that a
schema requires and a program omits is added, as there is only one possible value, and SDKs require it:

    kind: const "Basic", required      box = { size = 1 }     ->  box = { size = 1, kind = "Basic" }

Maps of inputs omit null members. If the program text shows when a member is null, the member gets this condition; else a
loop removes the nulls:

    { Owner = anonymous ? null : owner }    {Owner = owner if !anonymous}
    { Owner = owner }                       {Owner = owner if owner != null}
    { Owner = lookup(owners, "a", null) }   {for key, value in {Owner = lookup(…)} : key => value if value != null}
    tags                                    {Owner = tags.Owner if tags.Owner != null}
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pclgen.bind.coerce import fit, fit_key, fit_literal, invalid, untyped_null
from pclgen.bind.comments import comments_of, lines_of
from pclgen.bind.context import Context, Want
from pclgen.bind.literals import normal, static_text
from pclgen.bind.presence import path_key
from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import Expr, ListExpr, Literal, ObjectExpr, ObjectItem
from pclgen.core.predicates import opposite, unconverted
from pclgen.diagnostics import expressions
from pclgen.diagnostics.model import Note, note
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types import model as ty
from pclgen.types.convert import Conversion, conversion, is_resource, members_of, unify, unify_elements
from pclgen.types.declarations import Field
from pclgen.types.model import STRING, ConstType, InputType, is_optional, resolve
from pclgen.types.show import show, show_owner, with_article
from pclgen.types.traverse import iteration

# -- literals ---------------------------------------------------------------------------------------------------------------

def under_input(t: ty.Type) -> ty.Type:
    """The expected type without its input layer and without null."""
    t = ty.without_none(t)
    return ty.without_none(t.element) if isinstance(t, ty.InputType) else t


def synth_list(cx: Context, e: ast.TupleExpr) -> Expr:
    """A list literal without an expected type: a tuple."""
    elements = tuple([cx.synth(element.value) for element in e.elements])
    return _list(e, elements, ty.tuple_of([element.type for element in elements]))


def _list(e: ast.TupleExpr, elements: tuple[Expr, ...], type_: ty.Type) -> ListExpr:
    marked = any(element.leading or element.trailing for element in e.elements)
    comments = tuple([comments_of(element.leading, element.trailing) for element in e.elements]) if marked else ()
    return ListExpr(elements=elements, type=type_, span=e.span, comments=comments, closing=lines_of(e.closing))


def check_list(cx: Context, e: ast.TupleExpr, want: Want) -> Expr:
    """A list literal against an expected type."""
    target = under_input(want.type)
    if isinstance(target, ty.UnionType):
        target = _list_member(target)
    if isinstance(target, ty.ListType):
        inner = want.inner(target.element)
        elements = tuple([cx.check(element.value, inner) for element in e.elements])
        return _list(e, elements, _list_type(target, elements))
    if isinstance(target, ty.TupleType) and len(target.elements) == len(e.elements):
        pairs = zip(e.elements, target.elements, strict=True)
        elements = tuple([cx.check(element.value, want.inner(t)) for element, t in pairs])
        return _list(e, elements, ty.tuple_of([element.type for element in elements]))
    if target is ty.DYNAMIC or target is ty.ERROR:
        return synth_list(cx, e)
    return fit(cx, synth_list(cx, e), want)


def _list_member(target: ty.UnionType) -> ty.Type:
    """The only list-like alternative of a union, or the union."""
    lists = [m for m in target.members if isinstance(under_input(m), ty.ListType)]
    return under_input(lists[0]) if len(lists) == 1 else target


def _list_type(target: ty.ListType, elements: Sequence[Expr]) -> ty.Type:
    plain = ty.resolve(target.element)
    eventual = any(element.type.eventual for element in elements)
    return ty.list_of(ty.output_of(plain) if eventual else plain)


class _Key(Struct, frozen=True):
    """A key as written, with its text if known."""

    text: str | None
    span: Span
    computed: ast.Expr | None


def _key(item: ast.ObjectItem) -> _Key:
    match item.key:
        case ast.BareKey():
            return _Key(normal(item.key.text), item.key.span, None)
        case ast.ExprKey():
            text = static_text(item.key.value)
            return _Key(text, item.key.span, None if text is not None else item.key.value)


def _report_duplicates(cx: Context, keys: Sequence[_Key]) -> None:
    seen: dict[str, Span] = {}
    for key in keys:
        if key.text is None:
            continue
        first = seen.setdefault(key.text, key.span)
        if first is not key.span:
            cx.report(expressions.duplicate_key(key.text, key.span, first))


def item_names(e: ast.ObjectExpr) -> Sequence[str | None]:
    """The names of the items of an object, None for computed keys."""
    return [_key(item).text for item in e.items]


def named_items(cx: Context, e: ast.ObjectExpr) -> Sequence[tuple[str | None, ast.ObjectItem]]:
    """The items of an object with fixed keys, such as an option, with their names (None for computed keys).

    Reports duplicate names.
    """
    keys = [_key(item) for item in e.items]
    _report_duplicates(cx, keys)
    return [(key.text, item) for key, item in zip(keys, e.items, strict=True)]


def synth_object(cx: Context, e: ast.ObjectExpr) -> Expr:
    """An object literal without an expected type: a structural object, or a map if a key is computed."""
    keys = [_key(item) for item in e.items]
    _report_duplicates(cx, keys)
    items = tuple([_item(cx, k, item, cx.synth(item.value)) for k, item in zip(keys, e.items, strict=True)])
    if any(item.value.type is ty.ERROR or item.key.type is ty.ERROR for item in items):
        return invalid(e.span)
    if all(key.text is not None for key in keys):
        members = {key.text: item.value.type for key, item in zip(keys, items, strict=True) if key.text is not None}
        return _object(e, items, ty.object_of(members))
    return _map(e, items, unify_elements([item.value.type for item in items]))


def _item(cx: Context, key: _Key, item: ast.ObjectItem, value: Expr, *, field: Field | None = None) -> ObjectItem:
    if key.computed is None:
        bound: Expr = Literal(value=key.text, type=ty.STRING, span=key.span)
    else:
        bound = fit_key(cx, cx.synth(key.computed), ty.STRING)
    comments = comments_of(item.leading, item.trailing)
    return ObjectItem(key=bound, value=value, span=item.span, field=field, comments=comments)


def _object(e: ast.ObjectExpr, items: tuple[ObjectItem, ...], type_: ty.Type) -> ObjectExpr:
    return ObjectExpr(items=items, type=type_, span=e.span, closing=lines_of(e.closing))


def _map(e: ast.ObjectExpr, items: tuple[ObjectItem, ...], element: ty.Type) -> ObjectExpr:
    eventual_key = any(item.key.type.eventual for item in items)
    result_type = ty.map_of(element)
    return _object(e, items, ty.output_of(result_type) if eventual_key else result_type)


def check_object(cx: Context, e: ast.ObjectExpr, want: Want) -> Expr:
    """An object literal against an expected type."""
    target = under_input(want.type)
    if isinstance(target, ty.UnionType):
        target = _narrowed(e, target)
    if isinstance(target, ty.NominalType) and not is_resource(target):
        return _check_declared(cx, e, target, want)
    if isinstance(target, ty.ObjectType):
        return _check_structural(cx, e, target, want)
    if isinstance(target, ty.MapType):
        return _check_map(cx, e, target, want)
    if target is ty.DYNAMIC or target is ty.ERROR:
        return synth_object(cx, e)
    return fit(cx, synth_object(cx, e), want)


def _check_map(cx: Context, e: ast.ObjectExpr, target: ty.MapType, want: Want) -> Expr:
    keys = [_key(item) for item in e.items]
    _report_duplicates(cx, keys)
    inner = want.member(target.element)
    if inner.omits:
        e = _without_nulls(e)
        keys = [_key(item) for item in e.items]
    pairs = zip(keys, e.items, strict=True)
    items = tuple([_item(cx, key, item, cx.check(item.value, inner)) for key, item in pairs])
    if any(item.key.type is ty.ERROR for item in items):
        return invalid(e.span)
    literal = _map_of_inputs(e, items, target)
    return without_nulls(cx, literal, want) if inner.omits else literal


def _map_of_inputs(e: ast.ObjectExpr, items: tuple[ObjectItem, ...], target: ty.MapType) -> ObjectExpr:
    plain = ty.resolve(target.element)
    eventual = any(item.value.type.eventual for item in items)
    return _map(e, items, ty.output_of(plain) if eventual else plain)


def _without_nulls(e: ast.ObjectExpr, members: Collection[str] | None = None) -> ast.ObjectExpr:
    """Remove the items with a literal null, which SDKs do not send: those of `members`, or all. Their comments stay."""
    omitted_items = {
        id(item)
        for item in e.items
        if isinstance(item.value, ast.NullLit) and (members is None or _key(item).text in members)
    }
    if not omitted_items:
        return e
    items: list[ast.ObjectItem] = []
    waiting: tuple[ast.Comment, ...] = ()
    for item in e.items:
        if id(item) in omitted_items:
            waiting += (*item.leading, *item.trailing)
        else:
            items.append(replace(item, leading=(*waiting, *item.leading)) if waiting else item)
            waiting = ()
    return replace(e, items=tuple(items), closing=(*waiting, *e.closing))


def _check_structural(cx: Context, e: ast.ObjectExpr, target: ty.ObjectType, want: Want) -> Expr:
    fields = {name: (t, None) for name, t in target.members.items()}
    # Null is an `any`.
    required = [name for name, t in target.members.items() if not ty.is_optional(t) and t is not ty.DYNAMIC]
    owner = _Owner(f"the expected {show(target)}", fields, required, want.because)
    items = _members(cx, _without_nulls(e, fields.keys() - required), owner)
    if any(item.value.type is ty.ERROR for item in items):
        return invalid(e.span)
    written = {str(item.key.value): item.value.type for item in items if isinstance(item.key, Literal)}
    members = {name: written.get(name, ty.NONE) for name in target.members}
    eventual = any(t.eventual for t in members.values())
    return _object(e, items, ty.object_of(members) if eventual else ty.resolve(target))


def _check_declared(cx: Context, e: ast.ObjectExpr, target: ty.NominalType, want: Want) -> Expr:
    declared = target.declaration.fields(target.shape)
    cx.packages.object_type(target.declaration, e.span.file.span(e.span.start, e.span.start + 1))
    fields: dict[str, tuple[ty.Type, Field | None]] = {name: (f.type, f) for name, f in declared.items()}
    required = [name for name, f in declared.items() if f.required]
    name, what = show_owner(target.declaration)
    owner = _Owner(name, fields, required, want.because, what)
    items = _members(cx, e, owner)
    written = item_names(e)
    if None in written:  # a computed key was reported
        return _object(e, items, target)
    end = e.span.file.span(e.span.end - 1, e.span.end)
    return _object(e, (*items, *constant_items(cx, declared, written, end)), target)


class _Owner(Struct, frozen=True):
    """The expected members of an object."""

    name: str
    fields: Mapping[str, tuple[ty.Type, Field | None]]
    required: Sequence[str]
    because: tuple[Note, ...]
    what: str = "property"


def _members(cx: Context, e: ast.ObjectExpr, owner: _Owner) -> tuple[ObjectItem, ...]:
    keys = [_key(item) for item in e.items]
    _report_duplicates(cx, keys)
    items: list[ObjectItem] = []
    for key, item in zip(keys, e.items, strict=True):
        items.append(_member(cx, key, item, owner))
    written = {key.text for key in keys}
    unknown = (key for key in written if key is not None and key not in owner.fields)
    meant = expressions.misspelt(unknown, tuple(owner.fields))
    missing = [name for name in owner.required if name not in written and name not in meant]
    if missing and all(key.text is not None for key in keys):
        opening = e.span.file.span(e.span.start, e.span.start + 1)
        cx.report_softly(expressions.missing_property(missing, owner.name, opening, owner.because, what=owner.what))
    return tuple(items)


def _member(cx: Context, key: _Key, item: ast.ObjectItem, owner: _Owner) -> ObjectItem:
    if key.text is None:
        cx.report(expressions.computed_key(owner.name, key.span))
        return _item(cx, key, item, cx.synth(item.value))
    declared = owner.fields.get(key.text)
    if declared is None:
        fields = tuple(owner.fields)
        why, what = owner.because, owner.what
        cx.report_softly(expressions.unknown_property(key.text, owner.name, fields, key.span, notes=why, what=what))
        return _item(cx, key, item, cx.synth(item.value))
    expected, field = declared
    if field is not None and field.deprecated:
        cx.report(expressions.deprecated(f"`{key.text}` of {owner.name}", field.deprecated, key.span))
    because = (note(f"`{key.text}` of {owner.name} is {with_article(ty.resolve(expected))}"),)
    value = cx.check(item.value, Want(expected, because))
    return _item(cx, key, item, value, field=field)


def _narrowed(e: ast.ObjectExpr, target: ty.UnionType) -> ty.Type:
    """The alternative of a union for an object literal: by its tag, else by its keys, else the first object."""
    tagged = _by_tag(e, target)
    if tagged is not None:
        return tagged
    candidates = [under_input(m) for m in target.members]
    objects = [m for m in candidates if members_of(m) is not None or isinstance(m, ty.MapType)]
    if len(objects) < 2:
        return objects[0] if objects else (ty.DYNAMIC if ty.DYNAMIC in candidates else target)
    keys = {key.text for key in map(_key, e.items)}
    for member in objects:
        if _keys_fit(keys, member) and _constants_fit(e, member):
            return member
    return objects[0]


def _by_tag(e: ast.ObjectExpr, target: ty.UnionType) -> ty.Type | None:
    if target.discriminator is None:
        return None
    for item in e.items:
        if _key(item).text == target.discriminator.property:
            tag = static_text(item.value)
            for name, member in target.discriminator.mapping:
                if name == tag:
                    return under_input(member)
    return None


def _keys_fit(keys: set[str | None], member: ty.Type) -> bool:
    if isinstance(member, ty.NominalType):
        fields = member.declaration.fields(member.shape)
        return keys <= fields.keys() and all(name in keys for name, f in fields.items() if f.required)
    if isinstance(member, ty.ObjectType):
        return keys <= member.members.keys()
    return True


def _constants_fit(e: ast.ObjectExpr, member: ty.Type) -> bool:
    """Return whether the literal members agree with the constants of `member`."""
    declared = members_of(member) or {}
    for item in e.items:
        key = _key(item).text
        text = static_text(item.value)
        if key is None or text is None or key not in declared:
            continue
        expected = ty.resolve(ty.without_none(declared[key]))
        fixed = isinstance(expected, ty.ConstType | ty.EnumType)
        if fixed and conversion(expected, ty.const_of(ty.STRING, text)) is Conversion.NONE:
            return False
    return True


def omitted_constants(
    cx: Context, fields: Mapping[str, Field], written: Collection[str | None], span: Span
) -> Iterator[tuple[Field, Expr]]:
    """Yield the members that are not `written`, with their values at `span`."""
    for name, field in fields.items():
        if name in written or field.const is None or is_optional(resolve(field.type)):
            continue
        type_ = field.type.element if isinstance(field.type, InputType) else field.type
        if isinstance(type_, ConstType):
            value = Literal(value=type_.value, type=type_.base, span=span)
            yield field, fit_literal(cx, value, Want(field.type, ()))


def constant_items(
    cx: Context, fields: Mapping[str, Field], written: Collection[str | None], span: Span
) -> tuple[ObjectItem, ...]:
    """Return the omitted constants as items of an object literal."""
    constants = omitted_constants(cx, fields, written, span)
    return tuple(
        [
            ObjectItem(key=Literal(value=field.name, type=STRING, span=span), value=value, span=span, field=field)
            for field, value in constants
        ]
    )


# -- null members -----------------------------------------------------------------------------------------------------------

class Decided(Struct, frozen=True):
    """A member with the plain condition under which it is present; `when` is None if it is always present."""

    when: core.Expr | None
    value: core.Expr


def fit_map(cx: Context, value: core.Expr, want: Want) -> core.Expr:
    """Fit `value` to `want` and omit the members of a map of inputs that the program may set to null."""
    target = _expected_map(want.type)
    have = ty.resolve(value.type)
    if target is None or not _holds_null(have):
        return fit(cx, value, want)
    if isinstance(have, ty.ObjectType) and not is_eventual(value.type) and path_key(value) is not None:
        return without_nulls(cx, _as_literal(cx, value, target, want), want)
    return fit(cx, _filtered(value), want)


def _expected_map(expected: ty.Type) -> ty.MapType | None:
    inner = ty.without_none(expected)
    inner = ty.without_none(inner.element) if isinstance(inner, ty.InputType) else inner
    return inner if isinstance(inner, ty.MapType) and Want(inner).member(inner.element).omits else None


def _holds_null(t: ty.Type) -> bool:
    if isinstance(t, ty.ObjectType):
        return not t.lacking and any(ty.is_optional(member) for member in t.members.values())
    return isinstance(t, ty.MapType) and ty.is_optional(t.element)


def _as_literal(cx: Context, value: core.Expr, target: ty.MapType, want: Want) -> core.ObjectExpr:
    """Rewrite the path `value` as an object literal of its members."""
    span, have = value.span, ty.without_none(value.type)
    assert isinstance(have, ty.ObjectType)
    items: list[core.ObjectItem] = []
    for name, t in have.members.items():
        member = core.Attr(source=value, name=name, field=None, type=t, span=span)
        inner = want.member(target.element)
        if ty.is_optional(t):
            inner = want.inner(ty.input_of(ty.optional_of(ty.resolve(target.element))))
        key = core.Literal(value=name, type=ty.STRING, span=span)
        items.append(core.ObjectItem(key=key, value=fit(cx, member, inner), span=span))
    return core.ObjectExpr(items=tuple(items), type=ty.map_of(ty.resolve(target.element)), span=span)


def without_nulls(cx: Context, literal: core.ObjectExpr, want: Want) -> core.Expr:
    """Omit the null members of `literal`, a map of inputs."""
    if not any(ty.is_optional(item.value.type) for item in literal.items):
        return literal
    decided_items = [_decided_item(cx, item) for item in literal.items]
    items = tuple([item for item in decided_items if item is not None])
    if len(items) < len(decided_items):
        as_map = replace(literal, type=ty.map_of(unify(item.value.type for item in literal.items)))
        return fit(cx, _filtered(as_map), want)
    present = tuple([item for item in items if ty.resolve(item.value.type) is not ty.NONE])
    plain = ty.resolve(unify(item.value.type for item in present))
    eventual = any(item.value.type.eventual for item in present)
    return replace(literal, items=present, type=ty.map_of(ty.output_of(plain) if eventual else plain))


def _decided_item(cx: Context, item: core.ObjectItem) -> core.ObjectItem | None:
    if not ty.is_optional(item.value.type):
        return item
    decision = decided(cx, item.value) if isinstance(item.key, core.Literal) else None
    return None if decision is None else replace(item, value=decision.value, when=decision.when)


def filtered_result(cx: Context, condition: core.Expr | None, result: core.Expr) -> tuple[core.Expr | None, core.Expr]:
    """The condition and the result of a loop over a map of inputs that omits null results."""
    decision = decided(cx, result)
    if decision is None or decision.when is None or ty.resolve(decision.value.type) is ty.NONE:
        return condition, result
    return (decision.when if condition is None else _both(condition, decision.when)), decision.value


def decided(cx: Context, value: core.Expr) -> Decided | None:
    """Return the plain condition under which `value` is not null, or None if the program text does not show it.

    A value that is always null has the type NONE.
    """
    value = untyped_null(value)
    if not ty.is_optional(value.type) or ty.resolve(value.type) is ty.NONE:
        return Decided(None, value)
    if isinstance(value, core.Conditional):
        return None if value.condition.type.eventual else _decided_choice(cx, value)
    if value.type.eventual or path_key(value) is None:
        return None
    path = unconverted(value)
    when = _is_set(path)
    want = Want(ty.input_of(ty.without_none(value.type)))
    return Decided(when, fit(cx.where(when, True), path, want))


def _decided_choice(cx: Context, value: core.Conditional) -> Decided | None:
    then = decided(cx.where(value.condition, True), value.then)
    otherwise = decided(cx.where(value.condition, False), value.otherwise)
    if then is None or otherwise is None:
        return None
    if ty.resolve(then.value.type) is ty.NONE:
        return Decided(_both(opposite(value.condition), otherwise.when), otherwise.value)
    if ty.resolve(otherwise.value.type) is ty.NONE:
        return Decided(_both(value.condition, then.when), then.value)
    chosen = replace(value, then=then.value, otherwise=otherwise.value, type=unify((then.value.type, otherwise.value.type)))
    return Decided(_either(value, then.when, otherwise.when), chosen)


def _is_set(path: core.Expr) -> core.Expr:
    null = core.Literal(value=None, type=ty.NONE, span=path.span)
    kind = ty.output_of(ty.BOOL) if path.type.eventual else ty.BOOL
    return core.Binary(operator="!=", left=path, right=null, type=kind, span=path.span)


def _both(first: core.Expr, second: core.Expr | None) -> core.Expr:
    return first if second is None else _joined("&&", first, second)


def _joined(operator: str, left: core.Expr, right: core.Expr) -> core.Expr:
    kind = ty.output_of(ty.BOOL) if left.type.eventual or right.type.eventual else ty.BOOL
    return core.Binary(operator=operator, left=left, right=right, type=kind, span=left.span)


def _either(choice: core.Conditional, then: core.Expr | None, otherwise: core.Expr | None) -> core.Expr | None:
    """The condition under which the branch that `choice` takes is present."""
    if then is not None and otherwise is not None:
        return replace(choice, then=then, otherwise=otherwise, type=ty.BOOL)
    if then is not None:
        return _joined("||", opposite(choice.condition), then)
    return None if otherwise is None else _joined("||", choice.condition, otherwise)


def _filtered(value: core.Expr) -> core.Expr:
    """`{ for key, value in collection : key => value if value != null }`."""
    way = iteration(value.type)
    assert way is not None and way.keyed, "a map or an object"
    key = core.Symbol(name="key", kind=core.SymbolKind.LOOP, type=way.key, span=value.span)
    item = core.Symbol(name="value", kind=core.SymbolKind.LOOP, type=way.element, span=value.span)
    there = core.Ref(symbol=item, type=item.type, span=value.span)
    result = core.Convert(value=there, type=ty.without_none(item.type), span=value.span, narrowed=True)
    condition = _is_set(there)
    result_type = ty.map_of(result.type)
    eventual = way.is_eventual or condition.type.eventual
    return core.For(
        collection=value,
        key=key,
        value=item,
        result_key=core.Ref(symbol=key, type=key.type, span=value.span),
        result=result,
        condition=condition,
        type=ty.output_of(result_type) if eventual else result_type,
        span=value.span,
    )
