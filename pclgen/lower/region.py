"""A region: an expression on resolved values, with the eventual values that it waits for.

Units are taken one by one while the body is built:

    region.take(r.out)   ->  a reference to the parameter for its value
    region.close(body)   ->  Apply([r.out], [out], body)

`Lowering` is the shared context, through which a construct lowers its parts: `plain_parts` and `applied` do so for most.

Each argument of an apply gets a distinct base name as the name of its parameter (targets.md, Applies); targets fit these
names to their rules and to their scopes.

    r.out, r2.out  ->  rOut, r2Out         r.names[0]  ->  name          [for p in pets : p.id]  ->  ids

Lowering duplicates some expressions, so their growth has a limit. A call of `can` or `try` over a value that may fail on
the way to an output contains it twice: once to test whether it can be reached, once to use it. Each nesting of such calls
doubles the size. Lowering shares the duplicates, but the generated code contains all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, Protocol

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.capabilities import Capabilities
from pclgen.core.eventuals import holds_eventual, is_eventual, is_lazy, surely_output
from pclgen.core.expr import Expr
from pclgen.core.jsontext import is_json
from pclgen.core.plurals import plural, singular
from pclgen.core.program import Program
from pclgen.core.walk import children, expressions_of, postorder, programs_of, root_of, size, substitute, with_children
from pclgen.lower.facts import FactTable, key_of
from pclgen.lower.retype import plain_type, takes, with_type
from pclgen.source.text import Span
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.types import model as ty
from pclgen.types.convert import Conversion, conversion
from pclgen.types.model import STRING, InputType, Type, output_of
from pclgen.types.show import with_article


class Forms(Protocol):
    """The two dispatchers of lowering (`lower.applies`), which other modules cannot import."""

    def eventual(self, cx: Lowering, expr: core.Expr, /) -> core.Expr:
        """Lower `expr` for a place that takes outputs."""

    def plain(self, cx: Lowering, expr: core.Expr, place: PlainPlace, /) -> core.Expr:
        """Lower `expr` for a place that needs its value."""


class Lowering(Struct, frozen=True, kw_only=True):
    """The shared context of lowering: the forms of expressions and the facts about them, the capabilities of the target, the
    directory of the program's files, relative to the root program, whether it is the program of a component, and the
    parameters of enclosing functions, by `key_of` of their values."""

    forms: Forms
    facts: FactTable
    capabilities: Capabilities
    directory: str = "."
    is_component: bool = False
    at_hand: dict[Hashable, core.Ref] = field(default_factory=dict)
    attempts: list[core.Expr] = field(default_factory=list)  # the attempts around the current expression

    def eventual(self, expr: core.Expr) -> core.Expr:
        """Lower `expr` for a place that takes outputs."""
        return self.forms.eventual(self, expr)

    def plain(self, expr: core.Expr, place: PlainPlace) -> core.Expr:
        """Lower `expr` for a place that needs its value; eventual parts become arguments of the region."""
        return self.forms.plain(self, expr, place)

    @contextmanager
    def attempting(self, expr: core.Expr) -> Iterator[None]:
        """Lower an attempt. Raises `OutgrownError` if it is nested too deeply."""
        self.attempts.append(expr)
        if len(self.attempts) > MOST_ATTEMPTS:
            raise OutgrownError(expr.span)
        yield
        self.attempts.pop()

    @contextmanager
    def inside(self, region: Region) -> Iterator[None]:
        """Lower a part of the body of `region` that may contain applies of its own."""
        added = {key: ref for key, ref in region.references() if key not in self.at_hand}
        self.at_hand.update(added)
        yield
        for key in added:
            del self.at_hand[key]


class Region(Struct):
    """The arguments collected so far.  The same value taken twice is one argument."""

    args: list[core.Expr] = field(default_factory=list)
    parameters: list[core.Symbol] = field(default_factory=list)
    _parameters: dict[Hashable, core.Symbol] = field(default_factory=dict)

    def take(self, arg: core.Expr, key: Hashable, span: Span) -> core.Expr:
        """Return a reference to the parameter for `arg`; arguments with equal keys share one parameter."""
        parameter = self._parameters.get(key)
        if parameter is None:
            name, kind = base_name(arg), core.SymbolKind.PARAMETER
            parameter = core.Symbol(name=name, kind=kind, type=plain_type(arg.type), span=arg.span)
            self._parameters[key] = parameter
            self.args.append(arg)
            self.parameters.append(parameter)
        return core.Ref(symbol=parameter, type=parameter.type, span=span)

    def references(self) -> Iterator[tuple[Hashable, core.Ref]]:
        """Yield each argument with a reference to its parameter."""
        for key, symbol in self._parameters.items():
            yield key, core.Ref(symbol=symbol, type=symbol.type, span=symbol.span)

    def close(self, body: core.Expr, span: Span) -> core.Expr:
        """Return the apply with `body`; the body itself without arguments."""
        if not self.args:
            return body
        names = parameter_names(self.args)
        renamed: dict[core.Symbol, core.Symbol] = {}
        for parameter, name in zip(self.parameters, names, strict=True):
            if parameter.name != name:
                renamed[parameter] = core.Symbol(
                    name=name, kind=core.SymbolKind.PARAMETER, type=parameter.type, span=parameter.span
                )
        body = as_output(body) if holds_eventual(body.type) else body
        return core.Apply(
            args=tuple(self.args),
            parameters=tuple(renamed.get(parameter, parameter) for parameter in self.parameters),
            body=substitute(body, renamed) if renamed else body,
            type=output_of(plain_type(body.type)),
            span=span,
        )


class PlainPlace(Struct, frozen=True):
    """The destination of a plain expression: the region, and whether failures must happen inside it (arguments of `try`)."""

    region: Region
    lazy: bool = False


def as_output(expr: core.Expr) -> core.Expr:
    """Return `expr` as one output of its resolved value."""
    return expr if surely_output(expr) else core.All(value=expr, type=output_of(plain_type(expr.type)), span=expr.span)


def fitted(expr: core.Expr, expected: Type) -> core.Expr:
    """Return `expr` for a member of type `expected`: a structure with outputs inside becomes one output if the member takes
    an output of the whole, but no outputs inside it (inputs of local components)."""
    if holds_eventual(expr.type) and isinstance(expected, InputType) and not takes(expected, expr.type):
        return as_output(expr)
    return expr


def flat(cx: Lowering, expr: core.Expr) -> core.Expr:
    """Return `expr` as the result of an apply: plain, or eventual at the top, but not eventual inside. An object in input
    shape is inspected, since its type does not determine this."""
    given_outputs = not is_eventual(expr.type) and plain_type(expr.type) is not expr.type and cx.facts.of(expr).waits
    return as_output(expr) if given_outputs or holds_eventual(expr.type) else expr


def take(cx: Lowering, expr: core.Expr, place: PlainPlace) -> core.Expr:
    """Return the parameter for the unit `expr`."""
    return place.region.take(as_output(cx.eventual(expr)), key_of(expr), expr.span)


def plain_parts(cx: Lowering, expr: core.Expr, place: PlainPlace) -> core.Expr:
    """Return `expr` with all its parts plain."""
    if isinstance(expr, core.Call) and is_lazy(expr):
        place = replace(place, lazy=True)
    parts = list(children(expr))
    if isinstance(expr, core.For) and holds_eventual(expr.collection.type):
        # Nothing in the loop uses the elements, or it would be a unit; so it need not wait for them.
        parts[0] = cx.eventual(expr.collection)
        parts[1:] = [cx.plain(part, place) for part in parts[1:]]
    else:
        parts = [cx.plain(part, place) for part in parts]
    lowered = with_type(with_children(expr, parts), plain_type(expr.type))
    if isinstance(lowered, core.Convert) and conversion(lowered.type, lowered.value.type) is Conversion.NONE:
        return _failing(lowered)
    return lowered


def _failing(expr: core.Convert) -> core.Call:
    """Return a call that fails: of all arguments of `try`, the first that succeeds has a value that does not fit."""
    text = f"expected {with_article(expr.type)}, found {with_article(expr.value.type)}"
    message = core.Literal(value=text, type=STRING, span=expr.span)
    return core.Call(function=FUNCTIONS["notImplemented"], args=(message,), expand=False, type=expr.type, span=expr.span)


def applied(cx: Lowering, expr: core.Expr) -> core.Expr:
    """Return the apply around `expr`, all of whose parts need values."""
    region = Region()
    return region.close(plain_parts(cx, expr, PlainPlace(region)), expr.span)


# -- names of parameters ----------------------------------------------------------------------------------------------------

_BY_PRIMITIVE: Mapping[ty.Type, str] = {
    ty.BOOL: "b",
    ty.INT: "i",
    ty.NUMBER: "n",
    ty.STRING: "s",
    ty.ID: "s",
    ty.DYNAMIC: "obj",
}


def parameter_names(args: Sequence[core.Expr]) -> list[str]:
    """Return a name for each of `args`; equal base names get the name of their resource as a prefix, then a number."""
    bases = [base_name(arg) for arg in args]
    counts = Counter(bases)
    names: list[str] = []
    taken: set[str] = set()
    for arg, base in zip(args, bases, strict=True):
        owner = _resource_name(arg) if counts[base] > 1 else None
        preferred_name = base if owner is None else owner + base[:1].upper() + base[1:]
        name, number = preferred_name, 1
        while name in taken:
            name, number = f"{preferred_name}{number}", number + 1
        taken.add(name)
        names.append(name)
    return names


def base_name(expr: core.Expr) -> str:
    """Return a descriptive name for the resolved value of `expr`."""
    match expr:
        case core.Ref():
            return expr.symbol.name
        case core.Attr():
            return expr.name
        case core.Index():
            return _index_name(expr)
        case core.All() | core.Convert():
            return base_name(expr.value)
        case core.Apply():
            return base_name(expr.body)
        case core.For():
            return plural(base_name(expr.result)) if _is_path(expr.result) else "values"
        case core.Conditional():
            named = next((branch for branch in (expr.then, expr.otherwise) if _is_path(branch)), None)
            return _by_type(ty.resolve(expr.type)) if named is None else base_name(named)
        case core.Call():
            return _call_name(expr)
        case core.Invoke():
            return _function_name(expr.token)
        case core.MethodCall():
            return expr.name
        case _:
            return _by_type(ty.resolve(expr.type))


def _index_name(expr: core.Index) -> str:
    if isinstance(expr.key, core.Literal):
        if isinstance(expr.key.value, str):
            return expr.key.value
        return _one_of(expr.source)
    listed = isinstance(ty.resolve(expr.source.type), ty.ListType | ty.TupleType)
    return _one_of(expr.source) if listed or not _is_path(expr.key) else base_name(expr.key)


def _one_of(collection: core.Expr) -> str:
    name = base_name(collection)
    return singular(name) or name


def _call_name(expr: core.Call) -> str:
    name, named_after = expr.function.name, expr.function.named_after
    if named_after is not None:
        return base_name(expr.args[named_after])
    if name == "getOutput" and isinstance(expr.args[1], core.Literal):
        return str(expr.args[1].value)
    return "json" if is_json(expr) else name


def _function_name(token: str) -> str:
    return token.rsplit(":", 1)[-1].rsplit("/", 1)[-1] or "result"


def _is_path(expr: core.Expr) -> bool:
    return isinstance(expr, core.Ref | core.Attr | core.Index | core.Call)


def _by_type(t: ty.Type) -> str:
    match t:
        case ty.ListType() | ty.TupleType():
            return "values"
        case ty.MapType() | ty.ObjectType() | ty.NominalType():
            return "obj"
        case ty.UnionType():
            return "value"
        case ty.ConstType() | ty.EnumType():
            return _BY_PRIMITIVE.get(t.base, "v")
        case _:
            return _BY_PRIMITIVE.get(t, "v")


def _resource_name(expr: core.Expr) -> str | None:
    """Return the name of the resource at the root of a path, which distinguishes `r.out` and `r2.out`."""
    while isinstance(expr, core.All | core.Convert):
        expr = expr.value
    if not isinstance(expr, core.Attr | core.Index):
        return None
    root = root_of(expr)
    named = (core.SymbolKind.RESOURCE, core.SymbolKind.COMPONENT, core.SymbolKind.LOOP)
    return root.symbol.name if isinstance(root, core.Ref) and root.symbol.kind in named else None


# -- limits of growth -------------------------------------------------------------------------------------------------------

MOST_NODES: Final = 3_000
"""Maximum number of nodes in a written expression, if most of them are duplicates."""

_FEW_TIMES: Final = 8

MOST_ATTEMPTS: Final = 10
"""Maximum nesting of attempts over awaited values: each is lowered twice."""


class OutgrownError(Exception):
    """Lowering would take too long; `span` is the expression."""

    def __init__(self, span: Span) -> None:
        super().__init__("attempts in attempts")
        self.span = span


def outgrown(program: Program) -> Iterator[Span]:
    """Yield the spans of expressions of a lowered program, and of its components, that are too large to be written because
    their parts are duplicated many times."""
    for inside in programs_of(program):
        for node in inside.nodes:
            yield from (expr.span for expr in expressions_of(node) if _is_outgrown(expr))


def _is_outgrown(expr: Expr) -> bool:
    if size(expr, MOST_NODES + 1) <= MOST_NODES:
        return False
    sizes: dict[int, int] = {}
    for node in postorder(expr):
        sizes[id(node)] = 1 + sum(sizes[id(part)] for part in children(node))
    return sizes[id(expr)] > max(MOST_NODES, _FEW_TIMES * len(sizes))
