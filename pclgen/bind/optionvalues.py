"""Values of options, by form (language.md, Options; Hooks; Property paths).

A row of `stdlib.options` describes the valid values. The typed value has one normal form per kind of option: a list for
options that take several resources, `PropertyPath`s for property paths, an object literal with the possible members for
`customTimeouts`, so that every target renders it alike:

    customTimeouts = { create = "5m" }                     ->  { create = "5m" }
    customTimeouts = slow ? { create = "1h" } : null       ->  { create = slow ? "1h" : null }
    limits = { create = "5m" }: customTimeouts = limits    ->  { create = limits.create }

Property paths, of `ignoreChanges` and similar options, are written as in a resource body; a plain string or `*` is allowed
where every SDK accepts it:

    [tags, rules[0].port, labels["a.b"], rules[*].id, "*"]   ->   tags   rules[0].port   labels["a.b"]   rules[*].id   *

The first name must be a property of the resource: an input or an output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from pclgen.bind.collections import named_items
from pclgen.bind.context import Context, Want, because
from pclgen.bind.literals import bare, static_text
from pclgen.core import expr as core
from pclgen.diagnostics import expressions, structure
from pclgen.source.text import Span
from pclgen.stdlib.options import ALIAS_KEYS, ERROR_HOOK_KEYS, RESOURCE_HOOK_KEYS, TIMEOUT_KEYS, OptionForm, OptionSpec
from pclgen.syntax import ast
from pclgen.types import model as ty
from pclgen.types.convert import is_resource, members_of
from pclgen.types.declarations import DeclarationKind
from pclgen.types.model import PROPERTY, Type, resolve
from pclgen.types.show import show, show_value, with_article
from pclgen.types.traverse import NoStep, attribute, index

_WHY_LITERAL: Final = {
    "version": "it says which version of the package the program is checked against and built with",
    "pluginDownloadURL": "it says where the package comes from that the program is checked against",
}


def check_option(cx: Context, spec: OptionSpec, e: ast.Expr) -> core.Expr | None:
    """Check the value of an option; callers handle the forms PATHS and RANGE."""
    match spec.form:
        case OptionForm.VALUE:
            value = cx.check(e, Want(spec.type, because(f"option `{spec.name}` is {with_article(spec.type)}")))
        case OptionForm.LITERAL:
            return _literal(cx, spec, e)
        case OptionForm.RESOURCE:
            return _resource(cx, spec.name, e)
        case OptionForm.RESOURCES:
            return _resources(cx, spec, e)
        case OptionForm.PROVIDERS:
            return _providers(cx, spec, e)
        case OptionForm.ALIASES:
            return _aliases(cx, spec, e)
        case OptionForm.TIMEOUTS:
            return check_timeouts(cx, e)
        case OptionForm.HOOKS:
            return _hooks(cx, e)
        case OptionForm.PATHS | OptionForm.RANGE:
            raise AssertionError(f"{spec.name} is bound by its block")
    return None if value.type is ty.ERROR else value


def _literal(cx: Context, spec: OptionSpec, e: ast.Expr) -> core.Expr | None:
    text = static_text(e)
    if text is None:
        cx.report(structure.not_literal(spec.name, "string", e.span, because=_WHY_LITERAL.get(spec.name)))
        return None
    return core.Literal(value=text, type=ty.STRING, span=e.span)


def _is_one_resource(t: ty.Type) -> bool:
    return is_resource(t) or t is ty.DYNAMIC


def _is_provider(t: ty.Type) -> bool:
    return t is ty.DYNAMIC or (isinstance(t, ty.NominalType) and t.resource is not None and t.resource.is_provider)


def _resource(cx: Context, option: str, e: ast.Expr) -> core.Expr | None:
    value = cx.synth(e)
    plain = ty.without_none(ty.resolve(value.type))
    if plain is ty.ERROR:
        return None
    provides = option in ("provider", "providers")
    if not (_is_provider if provides else _is_one_resource)(plain):
        expected = "a provider" if provides else "one resource"
        cx.report(structure.not_a_resource(option, expected, with_article(value.type), value.span))
        return None
    return value


def _resources(cx: Context, spec: OptionSpec, e: ast.Expr) -> core.Expr | None:
    """A list of resources. An element may be a list or map of resources (a ranged resource), which adds all of them."""
    e = bare(e)
    parts: Sequence[ast.Expr] = [element.value for element in e.elements] if isinstance(e, ast.TupleExpr) else [e]
    elements: list[core.Expr] = []
    for part in parts:
        value = cx.synth(part)
        if value.type is ty.ERROR:
            return None
        provides = spec.form is OptionForm.PROVIDERS
        if not _all_are(_is_provider if provides else _is_one_resource, value.type):
            expected = "providers" if provides else "resources"
            cx.report(structure.not_a_resource(spec.name, expected, with_article(value.type), value.span))
            return None
        elements += _flat(value)
    return core.ListExpr(elements=tuple(elements), type=ty.list_of(ty.DYNAMIC), span=e.span)


def _flat(value: core.Expr) -> list[core.Expr]:
    """`value` as elements of a list of resources: one resource, or a collection of resources.

    [[a, b], c]  ->  a, b, c        pair = [a, many]: pair  ->  pair[0], pair[1]
    """
    plain = ty.resolve(value.type)
    if isinstance(value, core.ListExpr):
        return [part for element in value.elements for part in _flat(element)]
    if not isinstance(plain, ty.TupleType) or all(_is_one_resource(element) for element in plain.elements):
        return [value]
    elements: list[core.Expr] = []
    for at, kind in enumerate(plain.elements):
        key = core.Literal(value=at, type=ty.INT, span=value.span)
        elements += _flat(core.Index(source=value, key=key, type=kind, span=value.span))
    return elements


def _all_are(test: Callable[[ty.Type], bool], t: ty.Type) -> bool:
    """Return whether `test` holds for `t`, or for all elements of the list or map `t`."""
    plain = ty.without_none(ty.resolve(t))
    if isinstance(plain, ty.ListType | ty.MapType):
        return test(ty.without_none(ty.resolve(plain.element)))
    if isinstance(plain, ty.TupleType):
        return all(_all_are(test, element) for element in plain.elements)
    return test(plain)


def _providers(cx: Context, spec: OptionSpec, e: ast.Expr) -> core.Expr | None:
    """A list, or a map by package name, of provider resources."""
    e = bare(e)
    if not isinstance(e, ast.ObjectExpr):
        return _resources(cx, spec, e)
    items: list[core.ObjectItem] = []
    for name, item in named_items(cx, e):
        value = _resource(cx, spec.name, item.value)
        if name is None or value is None:
            if name is None:
                cx.report(expressions.computed_key("providers", item.key.span))
            return None
        key = core.Literal(value=name, type=ty.STRING, span=item.key.span)
        items.append(core.ObjectItem(key=key, value=value, span=item.span))
    return core.ObjectExpr(items=tuple(items), type=ty.map_of(ty.DYNAMIC), span=e.span)


def _aliases(cx: Context, spec: OptionSpec, e: ast.Expr) -> core.Expr | None:
    """A list of URN texts and alias objects; the members of an object are checked one by one."""
    e = bare(e)
    if not isinstance(e, ast.TupleExpr):
        _wrong_form(cx, spec.name, "a list", e)
        return None
    aliases = [_alias(cx, bare(element.value)) for element in e.elements]
    if any(alias is None for alias in aliases):
        return None
    return core.ListExpr(elements=tuple([a for a in aliases if a is not None]), type=ty.list_of(ty.DYNAMIC), span=e.span)


def _wrong_form(cx: Context, option: str, expected: str, e: ast.Expr, *, hint: str | None = None) -> None:
    """Report a value that must be a literal, unless it has an error of its own."""
    value = cx.synth(e)
    if value.type is not ty.ERROR:
        cx.report(structure.bad_option_value(option, expected, with_article(value.type), e.span, hint=hint))


def _alias(cx: Context, e: ast.Expr) -> core.Expr | None:
    why = because("an alias is a URN or an object with name, type, parent or noParent")
    if not isinstance(e, ast.ObjectExpr):
        urn = cx.check(e, Want(ty.STRING, why))
        return None if urn.type is ty.ERROR else urn
    key_types = {"name": ty.STRING, "type": ty.STRING, "noParent": ty.BOOL}
    items: list[core.ObjectItem] = []
    for name, item in named_items(cx, e):
        if name not in ALIAS_KEYS:
            cx.report(expressions.unknown_property(name or "…", "an alias", ALIAS_KEYS, item.key.span, notes=why))
            return None
        value = _alias_parent(cx, item.value) if name == "parent" else cx.check(item.value, Want(key_types[name], why))
        if value is None or value.type is ty.ERROR:
            return None
        key = core.Literal(value=name, type=ty.STRING, span=item.key.span)
        items.append(core.ObjectItem(key=key, value=value, span=item.span))
    members = {str(i.key.value): i.value.type for i in items if isinstance(i.key, core.Literal)}
    return core.ObjectExpr(items=tuple(items), type=ty.object_of(members), span=e.span)


def _alias_parent(cx: Context, e: ast.Expr) -> core.Expr | None:
    """The parent of an alias: a resource, or the URN of one."""
    value = cx.synth(e)
    if ty.without_none(ty.resolve(value.type)) is ty.STRING:
        return value
    return _resource(cx, "aliases", e)


def _hooks(cx: Context, e: ast.Expr) -> core.Expr | None:
    """`{ beforeCreate = [h], onError = [e] }`."""
    e = bare(e)
    if not isinstance(e, ast.ObjectExpr):
        _wrong_form(cx, "hooks", "an object of lists", e, hint="write { afterCreate = [hook] }")
        return None
    items: list[core.ObjectItem] = []
    for name, item in named_items(cx, e):
        if name not in (*RESOURCE_HOOK_KEYS, *ERROR_HOOK_KEYS):
            events = (*RESOURCE_HOOK_KEYS, *ERROR_HOOK_KEYS)
            cx.report(structure.unknown_hook_event(name or "…", events, item.key.span))
            return None
        listed = _hook_list(cx, name, bare(item.value))
        if listed is None:
            return None
        key = core.Literal(value=name, type=ty.STRING, span=item.key.span)
        items.append(core.ObjectItem(key=key, value=listed, span=item.span))
    return core.ObjectExpr(items=tuple(items), type=ty.map_of(ty.list_of(ty.HOOK)), span=e.span)


def _hook_list(cx: Context, event: str, e: ast.Expr) -> core.Expr | None:
    if not isinstance(e, ast.TupleExpr):
        _wrong_form(cx, "hooks", "a list of hooks", e, hint=f"write {event} = [hook]")
        return None
    hooks: list[core.Expr] = []
    for element in e.elements:
        hook = cx.synth(element.value)
        if hook.type is ty.ERROR:
            return None
        if not isinstance(hook, core.Ref) or hook.symbol.kind is not core.SymbolKind.HOOK:
            cx.report(structure.bad_option_value("hooks", "hooks", with_article(hook.type), hook.span))
            return None
        error_hook = hook.type is not ty.HOOK
        if error_hook != (event in ERROR_HOOK_KEYS):
            expected = "error" if event in ERROR_HOOK_KEYS else "resource"
            cx.report(structure.wrong_hook(hook.symbol.name, event, expected, hook.span, declared=hook.symbol.span))
            return None
        hooks.append(hook)
    return core.ListExpr(elements=tuple(hooks), type=ty.list_of(ty.HOOK), span=e.span)


def check_parent(cx: Context, options: Sequence[core.Option]) -> None:
    """Report a resource that depends on its own parent component, since the component waits for the resource."""
    by_name = {option.name: option.value for option in options}
    parent, waits_for = by_name.get("parent"), by_name.get("dependsOn")
    owner = None if parent is None else _root(parent)
    if parent is None or owner is None or not isinstance(waits_for, core.ListExpr) or not _is_component(parent.type):
        return
    for element in waits_for.elements:
        root = _root(element)
        # `one[0]` and `one[1]` differ: the root must be the complete range, or the same element.
        if root is not None and root.symbol is owner.symbol and (element is root or element.span.text == parent.span.text):
            cx.report(structure.waits_for_parent(owner.symbol.name, element.span, parent.span))


def _root(e: core.Expr) -> core.Ref | None:
    """The variable that `e` refers to, behind indexes."""
    while isinstance(e, core.Index):
        e = e.source
    return e if isinstance(e, core.Ref) else None


def _is_component(t: ty.Type) -> bool:
    plain = ty.without_none(ty.resolve(t))
    return isinstance(plain, ty.NominalType) and plain.declaration.kind is DeclarationKind.COMPONENT


_OPTION = "customTimeouts"
_DURATION: Final = re.compile(r"[-+]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)", re.ASCII)
"""A duration as the engine reads it, with Go's `time.ParseDuration`."""


class _Member(Struct, frozen=True):
    """A duration, and the span of its name (or of the value that contains it)."""

    value: ast.Expr
    key: Span


def check_timeouts(cx: Context, e: ast.Expr) -> core.Expr | None:
    """An object literal with durations, where null means no timeout; None after a report."""
    members = _members(cx, e)
    if members is None:
        return None
    why = because('a timeout is a duration such as "5m" or "1h30m"')
    items: list[core.ObjectItem] = []
    for name, member in members.items():
        value = cx.check(member.value, Want(ty.optional_of(ty.STRING), why))
        if value.type is ty.ERROR or not all(_is_duration(cx, constant) for constant in _constants(value)):
            return None
        if value.type is not ty.NONE:
            key = core.Literal(value=name, type=ty.STRING, span=member.key)
            items.append(core.ObjectItem(key=key, value=value, span=member.value.span))
    return core.ObjectExpr(
        items=tuple(items), type=ty.object_of(dict.fromkeys(TIMEOUT_KEYS, ty.optional_of(ty.STRING))), span=e.span
    )


def _constants(value: core.Expr) -> Iterator[core.Literal]:
    """The constants among the values that `value` may have."""
    if isinstance(value, core.Conditional):
        yield from _constants(value.then)
        yield from _constants(value.otherwise)
    elif isinstance(value, core.Literal) and value.value:
        yield value


def _is_duration(cx: Context, constant: core.Literal) -> bool:
    """Return whether a constant is a duration; False after a report."""
    text = str(constant.value)
    if _DURATION.fullmatch(text):
        return True
    hint = f'write "{text}m" for minutes, or "{text}s" for seconds' if text.isdecimal() else 'write "5m", "90s" or "1h30m"'
    cx.report(structure.bad_option_value(_OPTION, "a duration", show_value(text), constant.span, hint=hint))
    return False


def _members(cx: Context, e: ast.Expr) -> Mapping[str, _Member] | None:
    match e:
        case ast.Parens():
            return _members(cx, e.inner)
        case ast.NullLit():
            return {}
        case ast.ObjectExpr():
            named = named_items(cx, e)
            members = {name or "…": _Member(item.value, item.key.span) for name, item in named}
            return members if _are_known(cx, [(name, member.key) for name, member in members.items()]) else None
        case ast.Conditional():
            return _chosen(cx, e)
        case _:
            return _taken(cx, e)


def _are_known(cx: Context, names: Iterable[tuple[str, Span]]) -> bool:
    wrong = next(((name, span) for name, span in names if name not in TIMEOUT_KEYS), None)
    if wrong is not None:
        cx.report(expressions.unknown_property(wrong[0], _OPTION, TIMEOUT_KEYS, wrong[1]))
    return wrong is None


def _chosen(cx: Context, e: ast.Conditional) -> Mapping[str, _Member] | None:
    """Choose each duration separately; a duration that a branch lacks is null there."""
    then, otherwise = _members(cx, e.then), _members(cx, e.otherwise)
    if then is None or otherwise is None:
        return None
    chosen: dict[str, _Member] = {}
    for name in {**then, **otherwise}:
        first = then.get(name, _Member(ast.NullLit(span=e.then.span), e.then.span))
        second = otherwise.get(name, _Member(ast.NullLit(span=e.otherwise.span), e.otherwise.span))
        value = ast.Conditional(condition=e.condition, then=first.value, otherwise=second.value, span=e.span)
        chosen[name] = _Member(value, first.key)
    return chosen


def _taken(cx: Context, e: ast.Expr) -> Mapping[str, _Member] | None:
    """The durations of a variable or of a part of a variable."""
    value = cx.synth(e)
    plain = ty.without_none(ty.resolve(value.type))
    names = None if is_resource(plain) else members_of(plain)
    if value.type is ty.ERROR:
        return None
    if names is None or not _is_path(e):
        hint = "write { create = … }" if names is None else "give the value a name, or write { create = … }"
        expected = "an object" if names is None else "an object that is written there, or a variable"
        cx.report(structure.bad_option_value(_OPTION, expected, with_article(value.type), e.span, hint=hint))
        return None
    if value.type.eventual:
        cx.check(e, Want(ty.optional_of(plain), because(f"option `{_OPTION}` is needed before anything is deployed")))
        return None
    if not _are_known(cx, [(name, e.span) for name in names]):
        return None
    nullable = ty.is_optional(value.type)
    return {name: _Member(_part(e, name, nullable=nullable), e.span) for name in names}


def _is_path(e: ast.Expr) -> bool:
    """Return whether `e` may be repeated: a variable or a part of a variable."""
    while isinstance(e, ast.GetAttr | ast.Index | ast.Parens):
        e = e.inner if isinstance(e, ast.Parens) else e.source
    return isinstance(e, ast.Variable)


def _part(e: ast.Expr, name: str, *, nullable: bool) -> ast.Expr:
    """The member `name` of `e`, null if `e` is null."""
    at, null = e.span, ast.NullLit(span=e.span)
    member: ast.Expr = ast.GetAttr(source=e, name=ast.Name(text=name, span=at), span=at)
    if not nullable:
        return member
    absent = ast.Binary(operator="==", left=e, right=null, span=at)
    return ast.Conditional(condition=absent, then=null, otherwise=member, span=at)


# -- property paths ---------------------------------------------------------------------------------------------------------

def check_paths(
    cx: Context, spec: OptionSpec, e: ast.Expr, owner: str, *, properties: Mapping[str, Type] | None
) -> core.Expr | None:
    """The list of paths; `properties` is None if the owner is unknown."""
    e = bare(e)
    if not isinstance(e, ast.TupleExpr):
        actual = with_article(cx.synth(e).type) if not isinstance(e, ast.Variable) else "one property"
        hint = f"write {spec.name} = [{e.span.text}]" if isinstance(e, ast.Variable) else None
        cx.report(structure.bad_option_value(spec.name, "a list of properties", actual, e.span, hint=hint))
        return None
    paths = [_path(cx, element.value, owner, properties) for element in e.elements]
    if any(path is None for path in paths):
        return None
    return core.ListExpr(elements=tuple([p for p in paths if p is not None]), type=spec.type, span=e.span)


def _path(cx: Context, e: ast.Expr, owner: str, properties: Mapping[str, Type] | None) -> core.Expr | None:
    text = static_text(e)
    if text is not None:
        return _from_text(cx, text, e, owner, properties=properties)
    walked = _walk(cx, e, owner, properties)
    if walked is None:
        return None
    return core.PropertyPath(path=walked[0], type=PROPERTY, span=e.span)


def _from_text(
    cx: Context, text: str, e: ast.Expr, owner: str, *, properties: Mapping[str, Type] | None
) -> core.Expr | None:
    """A path written as text: only its first name is checked."""
    first = text.split(".", 1)[0].split("[", 1)[0]
    if properties is not None and first not in properties and first != "*":
        cx.report_softly(structure.unknown_path(first, owner, tuple(properties), e.span))
        return None
    return core.PropertyPath(path=text, type=PROPERTY, span=e.span)


def _walk(cx: Context, e: ast.Expr, owner: str, properties: Mapping[str, Type] | None) -> tuple[str, Type | None] | None:
    """The wire path of `e` and the type there (None if unknown); None after a report."""
    match e:
        case ast.Parens():
            return _walk(cx, e.inner, owner, properties)
        case ast.Variable():
            if properties is None:
                return e.name, None
            if e.name not in properties:
                cx.report_softly(structure.unknown_path(e.name, owner, tuple(properties), e.span))
                return None
            return e.name, resolve(properties[e.name])
        case ast.GetAttr():
            before = _walk(cx, e.source, owner, properties)
            return None if before is None else _step(cx, before, e.name.text, e.name)
        case ast.Index():
            before = _walk(cx, e.source, owner, properties)
            if before is None:
                return None
            key = int(e.key.value) if isinstance(e.key, ast.NumberLit) else static_text(e.key)
            if key is not None:
                return _step(cx, before, key, e.key)
        case ast.Splat():
            before = _walk(cx, e.source, owner, properties)
            return None if before is None else _splat(cx, before, e)
    cx.report(structure.bad_path(e.span))
    return None


def _splat(cx: Context, before: tuple[str, Type | None], e: ast.Splat) -> tuple[str, Type | None] | None:
    path, t = before
    inner = index(t, None) if t is not None else None
    element = inner.type if inner is not None and not isinstance(inner, NoStep) else None
    steps: list[ast.GetAttr | ast.Index] = []
    each = e.each
    while isinstance(each, ast.GetAttr | ast.Index):
        steps.append(each)
        each = each.source
    walked: tuple[str, Type | None] | None = (f"{path}[*]", element)
    for step in reversed(steps):
        if walked is None:
            return None
        if isinstance(step, ast.GetAttr):
            walked = _step(cx, walked, step.name.text, step.name)
        elif isinstance(step.key, ast.NumberLit):
            walked = _step(cx, walked, int(step.key.value), step.key)
        else:
            walked = _step(cx, walked, static_text(step.key) or "", step.key)
    return walked


def _step(
    cx: Context, before: tuple[str, Type | None], key: str | int, place: ast.Name | ast.Expr
) -> tuple[str, Type | None] | None:
    path, t = before
    after: Type | None = None
    if t is not None:
        next_step = attribute(t, key) if isinstance(key, str) else index(t, key)
        if isinstance(next_step, NoStep):
            cx.report(expressions.unknown_attribute(str(key), show(next_step.receiver), next_step.names, place.span))
            return None
        after = resolve(next_step.type)
    return path + _written(key), after


def _written(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    if key.isascii() and key.isidentifier():
        return f".{key}"
    quoted = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'["{quoted}"]'
