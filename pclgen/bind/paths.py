"""Property paths of `ignoreChanges` and similar options (language.md, Property paths).

Paths are written as in a resource body; a plain string or `*` is allowed where every SDK accepts it:

    [tags, rules[0].port, labels["a.b"], rules[*].id, "*"]   ->   tags   rules[0].port   labels["a.b"]   rules[*].id   *

The first name must be a property of the resource: an input or an output.
"""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.bind.context import Context
from pclgen.bind.literals import bare, static_text
from pclgen.core.expr import Expr, ListExpr, PropertyPath
from pclgen.diagnostics import expressions as say_steps
from pclgen.diagnostics import resources as say
from pclgen.stdlib.options import OptionSpec
from pclgen.syntax import ast
from pclgen.types.model import PROPERTY, Type, resolve
from pclgen.types.show import show, with_article
from pclgen.types.traverse import NoStep, attribute, index


def check_paths(
    cx: Context, spec: OptionSpec, e: ast.Expr, owner: str, *, properties: Mapping[str, Type] | None
) -> Expr | None:
    """The list of paths; `properties` is None if the owner is unknown."""
    e = bare(e)
    if not isinstance(e, ast.TupleExpr):
        actual = with_article(cx.synth(e).type) if not isinstance(e, ast.Variable) else "one property"
        hint = f"write {spec.name} = [{e.span.text}]" if isinstance(e, ast.Variable) else None
        cx.report(say.bad_option_value(spec.name, "a list of properties", actual, e.span, hint=hint))
        return None
    paths = [_path(cx, element.value, owner, properties) for element in e.elements]
    if any(path is None for path in paths):
        return None
    return ListExpr(elements=tuple([p for p in paths if p is not None]), type=spec.type, span=e.span)


def _path(cx: Context, e: ast.Expr, owner: str, properties: Mapping[str, Type] | None) -> Expr | None:
    text = static_text(e)
    if text is not None:
        return _from_text(cx, text, e, owner, properties=properties)
    walked = _walk(cx, e, owner, properties)
    if walked is None:
        return None
    return PropertyPath(path=walked[0], type=PROPERTY, span=e.span)


def _from_text(cx: Context, text: str, e: ast.Expr, owner: str, *, properties: Mapping[str, Type] | None) -> Expr | None:
    """A path written as text: only its first name is checked."""
    first = text.split(".", 1)[0].split("[", 1)[0]
    if properties is not None and first not in properties and first != "*":
        cx.report_softly(say.unknown_path(first, owner, tuple(properties), e.span))
        return None
    return PropertyPath(path=text, type=PROPERTY, span=e.span)


def _walk(cx: Context, e: ast.Expr, owner: str, properties: Mapping[str, Type] | None) -> tuple[str, Type | None] | None:
    """The wire path of `e` and the type there (None if unknown); None after a report."""
    match e:
        case ast.Parens():
            return _walk(cx, e.inner, owner, properties)
        case ast.Variable():
            if properties is None:
                return e.name, None
            if e.name not in properties:
                cx.report_softly(say.unknown_path(e.name, owner, tuple(properties), e.span))
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
    cx.report(say.bad_path(e.span))
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
            cx.report(say_steps.unknown_attribute(str(key), show(next_step.receiver), next_step.names, place.span))
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
