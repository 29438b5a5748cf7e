"""For-expressions and splats (language.md, Iteration; Types of expressions).

xs[*].name    -> [for item in xs : item.name]
one[*].name   -> [for item in [one] : item.name]     a single value becomes a list with one element
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from pclgen.bind import collections, operators
from pclgen.bind.coerce import fit, fit_key, invalid, narrowed, untyped_null
from pclgen.bind.context import Context, Want
from pclgen.bind.presence import is_own
from pclgen.bind.scope import SPLAT_ITEM, Entry
from pclgen.core import expr as core
from pclgen.core.plurals import singular
from pclgen.core.predicates import unconverted
from pclgen.core.walk import rewrite
from pclgen.diagnostics import expressions as say
from pclgen.syntax import ast
from pclgen.types import model as ty
from pclgen.types.convert import is_resource
from pclgen.types.show import with_article
from pclgen.types.traverse import Eventuality, Iteration, iterates_in_some_cases, iteration


def synth_for(cx: Context, e: ast.ForExpr) -> core.Expr:
    """Bind a for-expression without an expected type."""
    return _bind_for(cx, e, None)


def check_for(cx: Context, e: ast.ForExpr, want: Want) -> core.Expr:
    """Bind a for-expression and check its elements against those of the expected collection."""
    target = ty.without_none(resolve_shallow(want.type))
    element: Want | None = None
    if e.result_key is None and isinstance(target, ty.ListType):
        element = want.inner(target.element)
    elif e.result_key is not None and isinstance(target, ty.MapType) and not e.group:
        element = want.member(target.element)
    elif e.result_key is not None and isinstance(target, ty.MapType) and isinstance(target.element, ty.ListType):
        element = want.inner(target.element.element)
    return collections.fit_map(cx, _bind_for(cx, e, element), want)


def resolve_shallow(t: ty.Type) -> ty.Type:
    """The expected type under its input layer."""
    return t.element if isinstance(t, ty.InputType) else t


class _Head(Struct, frozen=True):
    """The bound head of a loop: `for key, value in collection`."""

    collection: core.Expr
    way: Iteration
    key: core.Symbol | None
    value: core.Symbol

    @property
    def names(self) -> dict[str, Entry]:
        """The names in the body of the loop; a key and a value of the same name, which is an error, are the value."""
        return {symbol.name: symbol for symbol in (self.key, self.value) if symbol is not None}


def _bind_head(cx: Context, e: ast.ForExpr | ast.TemplateFor) -> _Head | None:
    """Bind the head of a loop; None after a report of a value that cannot be looped over."""
    collection = _collection(cx, e.collection)
    way = _way(cx, collection)
    if way is None:
        return None
    if e.key is not None and e.key.text == e.value.text:
        cx.report(say.same_loop_variables(e.key.text, e.value.span))
    key = _loop_symbol(e.key, way.key) if e.key is not None else None
    value = _loop_symbol(e.value, way.element)
    cx.definitions[value] = collection
    return _Head(collection, way, key, value)


def _loop_symbol(name: ast.Name, type_: ty.Type) -> core.Symbol:
    return core.Symbol(name=name.text, kind=core.SymbolKind.LOOP, type=type_, span=name.span)


def _bind_for(cx: Context, e: ast.ForExpr, element: Want | None) -> core.Expr:
    loop = _bind_head(cx, e)
    if loop is None:
        return invalid(e.span)
    inner = cx.where_not_empty(loop.collection).inside(cx.scope.with_names(loop.names))
    condition = operators.bind_condition(inner, e.condition) if e.condition is not None else None
    if condition is not None:
        inner = inner.where(condition, True)
    result_key = None
    if e.result_key is not None:
        result_key = fit_key(inner, inner.synth(e.result_key), ty.STRING)
    result = untyped_null(narrowed(inner, inner.synth(e.result))) if element is None else inner.check(e.result, element)
    if element is not None and element.omits:
        condition, result = collections.filtered_result(inner, condition, result)
    element_type: ty.Type = result.type
    if e.group:
        element_type = ty.list_of(element_type)
    result_type = ty.list_of(element_type) if result_key is None else ty.map_of(element_type)
    deciding = [part for part in (condition, result_key) if part is not None]
    if result.type is ty.ERROR or any(part.type is ty.ERROR for part in deciding):
        return invalid(e.span)
    eventual = loop.way.is_eventual or any(part.type.eventual for part in deciding)
    return core.For(
        collection=loop.collection,
        key=loop.key,
        value=loop.value,
        result_key=result_key,
        result=result,
        condition=condition,
        group=e.group,
        type=ty.output_of(result_type) if eventual else result_type,
        span=e.span,
    )


def _collection(cx: Context, e: ast.Expr) -> core.Expr:
    """The collection of a loop, checked for null if it can be null because of the program itself."""
    collection = _without_absent(untyped_null(cx.synth(e)))
    plain = ty.resolve(collection.type)
    if plain is ty.NONE or not ty.is_optional(plain) or iteration(plain) is None or not is_own(collection, cx.definitions):
        return collection
    return fit(cx, collection, Want(ty.input_of(ty.without_none(plain)), used=True))


def _without_absent(collection: core.Expr) -> core.Expr:
    """Return a choice between objects whose members all have one type as a choice between maps.

    No element of the maps is null, although the objects may have different members.
    """
    if not isinstance(collection, core.Conditional) or not isinstance(collection.type, ty.ObjectType):
        return collection
    kinds: set[ty.Type] = set()
    pending: list[core.Expr] = [collection]
    while pending:
        part = unconverted(pending.pop())
        if isinstance(part, core.Conditional):
            pending += (part.then, part.otherwise)
        elif isinstance(part, core.ObjectExpr):
            kinds |= {item.value.type for item in part.items}
        else:
            return collection
    if len(kinds) != 1 or ty.is_optional(kind := kinds.pop()) or kind.eventual:
        return collection
    return _as_map(collection, ty.map_of(kind))


def _as_map(choice: core.Expr, kind: ty.Type) -> core.Expr:
    literal = unconverted(choice)
    if not isinstance(literal, core.Conditional):
        return literal
    then, otherwise = _as_map(literal.then, kind), _as_map(literal.otherwise, kind)
    return replace(literal, then=then, otherwise=otherwise, type=kind)


def _way(cx: Context, collection: core.Expr) -> Iteration | None:
    """The way to iterate over `collection`, or None after a report."""
    way = iteration(collection.type)
    if way is not None:
        return None if collection.type is ty.ERROR else way
    actual = with_article(ty.resolve(collection.type))
    in_some_cases = iterates_in_some_cases(collection.type)
    cx.report_softly(say.cannot_iterate(actual, collection.span, "looped over", None, in_some_cases=in_some_cases))
    return Iteration(ty.DYNAMIC, ty.DYNAMIC, Eventuality.PLAIN, keyed=False) if cx.lenient else None


def make_list_for(cx: Context, e: ast.TemplateFor, body: Callable[[Context], core.Expr]) -> core.Expr:
    """The list comprehension for a `for` directive; `body` binds the text of one iteration."""
    loop = _bind_head(cx, e)
    if loop is None:
        return invalid(e.span)
    result = body(cx.inside(cx.scope.with_names(loop.names)))
    result_type = ty.list_of(result.type)
    return core.For(
        collection=loop.collection,
        key=loop.key,
        value=loop.value,
        result=result,
        type=loop.way.wrap(result_type),
        span=e.span,
    )


def synth_splat(cx: Context, e: ast.Splat) -> core.Expr:
    """`source[*].tail`."""
    source = untyped_null(cx.synth(e.source))
    if source.type is ty.ERROR:
        return invalid(e.span)
    way = iteration(source.type)
    if way is not None and way.keyed and is_resource(ty.without_none(ty.resolve(way.element))):
        name = source.symbol.name if isinstance(source, core.Ref) else ""
        tail = f".{e.each.name.text}" if isinstance(e.each, ast.GetAttr) and isinstance(e.each.source, ast.SplatItem) else ""
        cx.report(say.splat_of_map(name, tail, e.span))
        return invalid(e.span)
    if way is None and _is_sometimes_list(source.type):
        hint = "write a list in every case, such as `[value]`"
        actual = with_article(ty.resolve(source.type))
        cx.report(say.cannot_iterate(actual, source.span, "expanded by a splat", hint, in_some_cases=True))
        return invalid(e.span)
    if way is None or way.keyed:
        return _splat_of_one(cx, e, source)
    name = element_name(cx, source, way.element, "item")
    item = core.Symbol(name=name, kind=core.SymbolKind.LOOP, type=way.element, span=e.span)
    cx.definitions[item] = source
    result = cx.inside(cx.scope.with_names({SPLAT_ITEM: item})).synth(e.each)
    if result.type is ty.ERROR:
        return invalid(e.span)
    return core.For(
        collection=source,
        value=item,
        result=result,
        splat=True,
        type=way.wrap(ty.list_of(result.type)),
        span=e.span,
    )


def _is_sometimes_list(t: ty.Type) -> bool:
    """Return whether a value of type `t` is a list in one case and a single value in another."""
    plain = ty.resolve(t)
    ways = (
        [iteration(member) for member in plain.members if member is not ty.NONE] if isinstance(plain, ty.UnionType) else []
    )
    return any(way is not None and not way.keyed for way in ways)


def element_name(cx: Context, collection: core.Expr, element: ty.Type, otherwise: str) -> str:
    """The name of an element of `collection` in generated code.

    It is the singular of the collection's name, else the type of the resource; `otherwise` if there is neither, or if the
    program already uses the name.
    """
    source = collection
    while isinstance(source, core.Index | core.Convert):
        source = source.source if isinstance(source, core.Index) else source.value
    name = None
    if isinstance(source, core.Ref | core.Attr):
        name = singular(source.symbol.name if isinstance(source, core.Ref) else source.name)
    kind = ty.without_none(ty.resolve(element))
    if name is None and isinstance(kind, ty.NominalType) and kind.resource is not None:
        token = kind.resource.token.rsplit(":", 1)[-1]
        name = token[:1].lower() + token[1:]
    return otherwise if name is None or name in cx.names or cx.scope.find(name) is not None else name


def _splat_of_one(cx: Context, e: ast.Splat, source: core.Expr) -> core.Expr:
    """Bind the splat of a single value: a list with one element, or empty if it is null (language.md, Types of expressions).

    one[*].name  ->  one == null ? [] : [one.name]
    """
    item = core.Symbol(name="item", kind=core.SymbolKind.LOOP, type=ty.without_none(source.type), span=e.span)
    cx.definitions[item] = source
    result = cx.inside(cx.scope.with_names({SPLAT_ITEM: item})).synth(e.each)
    if result.type is ty.ERROR:
        return invalid(e.span)
    each = rewrite(result, lambda node: source if isinstance(node, core.Ref) and node.symbol is item else node)
    result_type = ty.list_of(each.type)
    single = core.ListExpr(elements=(each,), type=result_type, span=e.span)
    if not ty.is_optional(source.type):
        return single
    eventual = source.type.eventual
    null = core.Literal(value=None, type=ty.NONE, span=e.span)
    missing = core.Binary(
        operator="==", left=source, right=null, type=ty.output_of(ty.BOOL) if eventual else ty.BOOL, span=e.span
    )
    none = core.ListExpr(elements=(), type=result_type, span=e.span)
    kind = ty.output_of(result_type) if eventual else result_type
    return core.Conditional(condition=missing, then=none, otherwise=single, type=kind, span=e.span)
