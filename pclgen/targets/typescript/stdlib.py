"""The built-in functions in TypeScript: a table row per function (targets.md, Builtin functions).

Arguments are plain where the function waits for them. Code that needs more than an expression is a helper function
(`templates/typescript/helpers`), declared once in the files that use it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Final, TypeAlias

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual, is_lacking
from pclgen.core.jsontext import Trait, in_order, traits
from pclgen.core.predicates import doubts, has_no_member, is_natural, is_null, is_untyped_by_default, may_lead_nowhere
from pclgen.core.walk import root_of, walk
from pclgen.stdlib.checks import CHECKED
from pclgen.stdlib.collections import may_hold_null
from pclgen.stdlib.encoding import CANONICAL_JSON
from pclgen.targets.assembly import spelling_of
from pclgen.targets.rules import rule_of, with_patterns
from pclgen.targets.typescript import build
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Binding, Context, parameters, pattern, translate_output, unused
from pclgen.targets.typescript.conversions import (
    STRUCTURES,
    argument,
    choices,
    chooses_unlike_maps,
    chooses_unlike_outputs,
    have_no_common_type,
    is_text_of_any,
)
from pclgen.targets.typescript.files import ENTRY_OR_ANY, TEXT_OF_SCALAR
from pclgen.targets.typescript.loops import entries_of
from pclgen.targets.typescript.operators import mixes_objects
from pclgen.targets.typescript.steps import (
    ANY_RECORD,
    INHERITED,
    as_record,
    exact_element,
    is_keyed,
    is_sequence,
    may_be_inherited,
    mixes_maps_and_objects,
    open_path,
    some_choice_lacks,
    with_members,
)
from pclgen.targets.typescript.types import (
    attempted_type,
    fits,
    literal_type,
    may_write_null,
    members_of,
    plain_type,
    written_type,
)
from pclgen.types import model as ty
from pclgen.types.convert import element_type
from pclgen.types.rules import Json, number_text, portable

Builder: TypeAlias = Callable[[Context, core.Call], ts.TsExpr]


def call(cx: Context, expr: core.Call) -> ts.TsExpr:
    """A call of a built-in function."""
    if expr.function.home is not None:
        function = ts.Member(cx.imports.own(expr.function.home.name), spelling_of(expr, "typescript").name)
        return ts.Call(function, tuple(_args(cx, expr)))
    if expr.function is CHECKED:
        return ts.Call(ts.Helper("checked"), tuple(_args(cx, expr)))
    return FUNCTIONS[expr.function.name](cx, expr)


def _args(cx: Context, expr: core.Call) -> list[ts.TsExpr]:
    """The arguments; with `...` the last argument is spread."""
    args = [argument(cx, arg) for arg in expr.args]
    if expr.expand and args:
        args[-1] = ts.Spread(args[-1])
    return args


# -- kinds of rows ----------------------------------------------------------------------------------------------------


def _pulumi(name: str) -> Builder:
    return lambda cx, expr: cx.pulumi(name, *_args(cx, expr))


def _asset(name: str) -> Builder:
    return lambda cx, expr: ts.New(cx.imports.pulumi("asset", name), tuple(_args(cx, expr)))


def _global(owner: str, name: str) -> Builder:
    return lambda cx, expr: build.call(owner, name, *_args(cx, expr))


def _helper(name: str) -> Builder:
    return lambda cx, expr: ts.Call(ts.Helper(name), tuple(_args(cx, expr)))


def _single_or_none(cx: Context, expr: core.Call) -> ts.TsExpr:
    """The only element, or null.

    The call has a type argument where TypeScript would infer a wrong type: `unknown` for the element of an untyped value, or
    the first type for an element of mixed types or of one of several lists.
    """
    values = _without_copies(expr.args[0])
    values_type = ty.without_none(ty.resolve(values.type))
    types: tuple[ts.TsType, ...] = ()
    lists = tuple(choices(values))
    written = [element for choice in lists if isinstance(choice, core.ListExpr) for element in choice.elements]
    may_be_null = isinstance(values_type, ty.TupleType) and any(map(ty.is_optional, values_type.elements))
    may_be_null = may_be_null or any(ty.is_optional(element.type) for element in written)
    if values_type is ty.DYNAMIC or (isinstance(values, core.ListExpr) and not written and expr.type is ty.DYNAMIC):
        types = (ts.TypeName("any"),)
    elif isinstance(ty.without_none(ty.resolve(expr.type)), ty.UnionType):
        type_ = literal_type(cx.imports, ty.resolve(expr.type) if may_be_null else ty.without_none(ty.resolve(expr.type)))
        if any(ty.is_optional(element.type) and not is_null(element) for element in written):
            type_ = build.union(type_, ts.TypeName("undefined"))
        types = (type_,)
    elif have_no_common_type(lists):
        if may_be_null or any(map(is_null, written)):
            types = (literal_type(cx.imports, ty.resolve(expr.type)),)
        else:
            types = (written_type(cx.imports, ty.without_none(ty.resolve(expr.type)), lists),)
    only = ts.Call(ts.Helper("singleOrNone"), tuple(_args(cx, expr)), types)
    return ts.Binary("??", only, build.undefined()) if may_be_null and not cx.keeps_null else only


def _without_copies(expr: core.Expr) -> core.Expr:
    """The list under loops that return its elements unchanged: `xs.*`."""
    while isinstance(expr, core.For) and isinstance(expr.result, core.Ref) and expr.result.symbol is expr.value:
        expr = expr.collection
    return expr


def _constrained(cx: Context, expr: core.Call) -> ts.TsExpr:
    """A value that a helper checks; a literal needs a type, as TypeScript would infer a narrower type."""
    where, rule = rule_of(expr)
    written = isinstance(expr.args[0], core.Literal | core.Conditional | core.ListExpr | core.ObjectExpr | core.For)
    types = (plain_type(cx.imports, expr.type, declared=True),) if written else ()
    args = argument(cx, expr.args[0]), ts.Text(where), as_tree(with_patterns(rule, portable))
    return ts.Call(ts.Helper("kept"), args, types)


def as_tree(value: Json) -> ts.TsExpr:
    """Plain data as a TypeScript literal."""
    match value:
        case Mapping():
            return ts.Object(tuple([ts.Property(key, as_tree(member)) for key, member in value.items()]))
        case None:
            return ts.Constant("null")
        case bool():
            return ts.Constant("true" if value else "false")
        case int() | float():
            number = ts.Number(number_text(abs(float(value))))
            return ts.Unary("-", number) if value < 0 else number
        case str():
            return ts.Text(value)
        case _:
            return ts.Array(tuple([as_tree(element) for element in value]))


# -- control ----------------------------------------------------------------------------------------------------------


def _attempt(cx: Context, expr: core.Expr) -> ts.TsExpr:
    return argument(cx.trying(throws=not _is_path(expr)), expr)


def _is_path(expr: core.Expr) -> bool:
    """Return whether an attempt is a path, the `undefined` of which is a failure; its root takes no steps of its own."""
    root = root_of(expr)
    return root is not expr and not any(isinstance(part, core.Attr | core.Index) for part in walk(root))


def _attempt_or_null(cx: Context, expr: core.Expr) -> ts.TsExpr:
    """An attempt whose null is `null`, not `undefined`, which means a failure.

    That includes a declared member that is missing, and the element of an empty list.
    """
    may_be_unset = _may_be_missing(expr) or _may_be_unset(expr)
    throws = may_be_unset or not _is_path(expr)
    # An output is no failure, whatever its value.
    value = argument(cx.trying(throws=throws).with_null(not isinstance(expr.type, ty.OutputType)), expr)
    is_null = may_be_unset or _is_unset_any(expr) or _may_be_no_element(expr)
    return ts.Binary("??", value, ts.Constant("null")) if is_null else value


def _may_be_undefined(expr: core.Expr) -> bool:
    """Return whether `undefined` may be the result of an attempt that does not fail."""
    return _may_be_no_element(expr) or _may_be_unset(expr) or _may_be_missing(expr)


def _may_be_missing(expr: core.Expr) -> bool:
    """Return whether `expr` ends in a declared member that its object need not have: `undefined` is its null then."""
    if not ty.is_optional(expr.type) or is_eventual(expr.type):
        return False
    if ty.resolve(expr.type) is ty.NONE:  # the program writes null, which is `null`
        return False
    return _is_declared(expr) or (isinstance(expr, core.Attr) and _has_declared(expr))


def _has_declared(step: core.Attr) -> bool:
    """Return whether the object of a step declares the member."""
    owner = ty.without_none(ty.resolve(step.source.type))
    return isinstance(owner, ty.ObjectType | ty.NominalType) and not is_lacking(step)


def _may_be_unset(expr: core.Expr) -> bool:
    """Return whether null may be the value of an attempt as the `undefined` of a setting inside a list or an object."""
    if not ty.is_optional(expr.type) or ty.resolve(expr.type) is ty.NONE or _is_declared(expr):
        return False
    return any(isinstance(part, core.Ref) and _holds_unset(part) for part in walk(expr))


def _is_unset_any(expr: core.Expr) -> bool:
    """Return whether `expr` is a variable of type `any`, which may be the `undefined` of a setting."""
    kinds = (core.SymbolKind.CONFIG, core.SymbolKind.LOCAL, core.SymbolKind.LOOP)
    return isinstance(expr, core.Ref) and expr.symbol.kind in kinds and ty.resolve(expr.type) is ty.DYNAMIC


def _holds_unset(variable: core.Ref) -> bool:
    """Return whether a variable may be or hold the `undefined` of a setting."""
    t = ty.resolve(variable.symbol.type)
    is_setting = variable.symbol.kind is core.SymbolKind.CONFIG and t is not ty.DYNAMIC
    return (is_setting and ty.is_optional(t)) or may_write_null(variable)


def _may_be_no_element(expr: core.Expr) -> bool:
    """Return whether `undefined` may be the result of `singleOrNone` for an empty list, which is no failure."""
    if isinstance(expr, core.Conditional):
        return _may_be_no_element(expr.then) or _may_be_no_element(expr.otherwise)
    return isinstance(expr, core.Call) and expr.function.name == "singleOrNone"


def _typed(cx: Context, value: ts.TsExpr, expr: core.Expr) -> ts.TsExpr:
    """`value`, the translation of `expr`, with a cast where TypeScript does not infer a map type for an object literal.

    A literal is cast to its type; a loop that returns literals is cast to `any`, since its type would not help.
    """
    if _is_inferred(expr):
        return ts.As(value, ts.TypeName("any"))
    literal = expr
    while isinstance(literal, core.For):
        literal = literal.result
    if is_eventual(expr.type) or not mixes_objects(literal):
        return value
    is_loop = literal is not expr
    return ts.As(value, ts.TypeName("any") if is_loop else written_type(cx.imports, ty.resolve(expr.type), (expr,)))


def _is_inferred(expr: core.Expr) -> bool:
    """Return whether `expr` is an output of unlike objects, or its value, whose members TypeScript infers as `undefined`."""
    if not isinstance(expr, core.Ref) or not (is_eventual(expr.type) or expr.symbol.kind is core.SymbolKind.PARAMETER):
        return False
    t = ty.without_none(ty.resolve(expr.type))
    while isinstance(t, ty.ListType | ty.TupleType):
        t = element_type(t)
    return isinstance(t, ty.ObjectType) and bool(t.lacking)


def _is_declared(expr: core.Expr) -> bool:
    """Return whether `expr` cannot fail if it is `undefined`: it reads declared members of declared objects.

    In contrast, an element past the end of a list, or a missing member of an untyped value, is `undefined` and a failure.
    """
    while isinstance(expr, core.Attr):
        if ty.is_optional(ty.resolve(expr.source.type)) or not _has_declared(expr):
            return False
        expr = expr.source
    return isinstance(expr, core.Ref)


def _try(cx: Context, expr: core.Call) -> ts.TsExpr:
    paths = _open_paths(expr)
    if paths is not None:
        return _first_present(cx, expr, paths)
    # `firstOf` treats undefined as a failure, but a null last argument is not a failure.
    may_be_null = _may_be_null(expr)
    attempt = _attempt_or_null if may_be_null else _attempt
    types = _with_null(cx, expr) if may_be_null else _result_types(cx, expr)
    attempts = tuple([ts.Arrow((), _typed(cx, attempt(cx, arg), arg) if types else attempt(cx, arg)) for arg in expr.args])
    call: ts.TsExpr = ts.Call(ts.Helper("firstOf"), attempts, types)
    if may_be_null and not cx.keeps_null:
        call = ts.Binary("??", call, build.undefined())
    return cx.output(call) if is_eventual(expr.type) else call


def _may_be_null(expr: core.Call) -> bool:
    """Return whether the last argument of `try` may be null, or another argument may be a null that the program writes."""
    *attempts, last = expr.args
    return ty.is_optional(last.type) or any(map(_is_unset_any, expr.args)) or any(
        ty.is_optional(arg.type) and (may_write_null(arg) or _may_be_undefined(arg)) for arg in attempts
    )


def _open_paths(expr: core.Call) -> Sequence[Sequence[core.Attr]] | None:
    """The paths of `core.predicates.doubts`; None if a path may end in a member that every JavaScript object inherits."""
    doubtful = doubts(expr)
    inherited = (is_lacking(path) and path.name in INHERITED for paths in doubtful or () for path in paths)
    return None if any(inherited) else doubtful


def _first_present(cx: Context, expr: core.Call, paths: Sequence[Sequence[core.Attr]]) -> ts.TsExpr:
    """`rule.days ?? 0`, `rule.days != null ? `x${rule.days}` : ""`: the first argument whose paths all exist."""
    *attempts, default = expr.args
    node = argument(cx, default)
    for attempt, [path, *more] in zip(reversed(attempts), reversed(paths), strict=True):
        if path is attempt and not ty.is_optional(ty.resolve(path.type)):
            present = open_path(cx, path)
            node = present if _is_undefined(node) else build.binary("??", present, node)
        else:
            members = [path, *more]
            node = ts.Conditional(_are_members(cx, members), argument(cx.having_found(members), attempt), node)
    if not is_eventual(expr.type):
        return node
    has_one_type = len({ty.resolve(arg.type) for arg in expr.args}) == 1
    return cx.output(node if has_one_type else ts.As(node, *_result_types(cx, expr)))


def _are_members(cx: Context, paths: Sequence[core.Attr]) -> ts.TsExpr:
    return reduce(lambda left, right: build.binary("&&", left, right), [_is_member(cx, path) for path in paths])


def _is_member(cx: Context, path: core.Attr) -> ts.TsExpr:
    """`rule.days != null`; `"days" in rule` for a member that may be null."""
    if not ty.is_optional(ty.resolve(path.type)):
        return ts.Binary("!=", open_path(cx, path), ts.Constant("null"))
    source = open_path(cx, path.source)
    test = ts.Binary("in", ts.Text(path.name), source)
    if not may_lead_nowhere(path.source):
        return test
    return build.binary("&&", ts.Binary("!=", source, ts.Constant("null")), test)


def _with_null(cx: Context, expr: core.Call) -> tuple[ts.TsType, ...]:
    """The type of the alternatives if the result may be null."""
    type_ = ty.union_of([ty.resolve(arg.type) for arg in expr.args])
    if ty.without_none(type_) is ty.DYNAMIC:
        return _result_types(cx, expr)
    present = attempted_type(cx.imports, ty.without_none(type_), tuple(cx.file.written(expr.args)), nulls=False)
    outputs = [arg for arg in expr.args if is_eventual(arg.type)]
    if any(ty.is_optional(ty.resolve(arg.type)) for arg in outputs):
        present = build.union(present, ts.TypeName(build.UNDEFINED))
    if outputs:
        present = cx.imports.pulumi_type("Input", present)
    return (build.union(present, ts.TypeName("null")),)


def _result_types(cx: Context, expr: core.Call) -> tuple[ts.TsType, ...]:
    """The type of the alternatives, written out where they differ."""
    types = {ty.resolve(arg.type) for arg in expr.args}
    are_eventual = any(is_eventual(arg.type) for arg in expr.args)
    if not are_eventual and (len(types) == 1 or all(_is_text(t) for t in types)):
        return ()
    if chooses_unlike_maps(expr):
        return (ANY_RECORD,)
    union = ty.union_of(types)
    type_ = attempted_type(cx.imports, union, tuple(cx.file.written(expr.args)), nulls=cx.keeps_null)
    return (cx.imports.pulumi_type("Input", type_) if are_eventual else type_,)


def _is_text(t: ty.Type) -> bool:
    return ty.without_none(t) is ty.STRING


def _can(cx: Context, expr: core.Call) -> ts.TsExpr:
    paths = _open_paths(expr)
    if paths is not None:
        return _are_members(cx, paths[0])
    may_be_null = _may_be_undefined(expr.args[0])
    attempt = (_attempt_or_null if may_be_null else _attempt)(cx, expr.args[0])
    call = ts.Call(ts.Helper("canRun" if _is_declared(expr.args[0]) else "can"), (ts.Arrow((), attempt),))
    return cx.output(call) if is_eventual(expr.type) else call


def _recover(cx: Context, expr: core.Call) -> ts.TsExpr:
    value = translate_output(cx, expr.args[0])
    failure = expr.failure
    used = cx.bind_parameters((failure,), [expr.args[1]])
    if failure is not None and used[0] is not None:
        cx.file.bindings[failure] = Binding(variable=used[0], build=_failure_text)
    return cx.pulumi("recover", value, ts.Arrow(parameters(used), argument(cx, expr.args[1])))


def _failure_text(failure: ts.Variable) -> ts.TsExpr:
    return ts.Binary("??", ts.Member(ts.Name(failure), "message"), ts.Name(failure))


# -- outputs and JSON -------------------------------------------------------------------------------------------------


def _get_output(cx: Context, expr: core.Call) -> ts.TsExpr:
    reference, name = _args(cx, expr)
    return build.method(reference, "getOutput", name)


def _canonical_json(cx: Context, expr: core.Call) -> ts.TsExpr:
    """JavaScript's encoder; a helper where keys may not be sorted."""
    source = in_order(expr.args[0])
    if Trait.UNSORTED not in traits(source):
        return _stringify(cx, expr, source)
    inner = cx.with_null(True)
    if not expr.type.eventual:
        return ts.Call(ts.Helper("toJson"), (argument(inner, source),))
    if chooses_unlike_outputs(source):
        any_type = ts.TypeName("any")
        output: ts.TsExpr = ts.Call(cx.imports.pulumi("output"), (argument(inner, source),), (any_type,))
    else:
        output = translate_output(inner, source) if is_eventual(source.type) else cx.output(argument(inner, source))
    return build.method(output, "apply", ts.Helper("toJson"))


def _stringify(cx: Context, expr: core.Call, source: core.Expr) -> ts.TsExpr:
    """JavaScript's encoder."""
    value = argument(cx.with_null(True), source)
    args = [value, _null_for_undefined()] if Trait.NULL in traits(source) else [value]
    return cx.pulumi("jsonStringify", *args) if expr.type.eventual else build.call("JSON", "stringify", *args)


def _null_for_undefined() -> ts.Arrow:
    """A replacer of undefined by null: the encoder would omit undefined members."""
    value = ts.Variable(("value",))
    return build.arrow([unused(), value], ts.Binary("??", ts.Name(value), ts.Constant("null")))


# -- text and files ---------------------------------------------------------------------------------------------------


def _to_base64(cx: Context, expr: core.Call) -> ts.TsExpr:
    return build.method(build.call("Buffer", "from", *_args(cx, expr)), "toString", ts.Text("base64"))


def _from_base64(cx: Context, expr: core.Call) -> ts.TsExpr:
    return build.method(build.call("Buffer", "from", *_args(cx, expr), ts.Text("base64")), "toString")


def _digest(cx: Context, algorithm: str, value: ts.TsExpr, encoding: str) -> ts.TsExpr:
    hash_ = build.method(cx.imports.node("crypto"), "createHash", ts.Text(algorithm))
    return build.method(build.method(hash_, "update", value), "digest", ts.Text(encoding))


def _read(cx: Context, path: ts.TsExpr, *encoding: str) -> ts.TsExpr:
    return build.method(cx.imports.node("fs"), "readFileSync", path, *(ts.Text(e) for e in encoding))


def _file(encoding: str) -> Builder:
    return lambda cx, expr: _read(cx, _args(cx, expr)[0], encoding)


def _split(cx: Context, expr: core.Call) -> ts.TsExpr:
    separator, text = _args(cx, expr)
    parts = build.method(text, "split", separator)
    return ts.As(parts, ts.TypeArray(ts.TypeName("string"))) if is_text_of_any(expr.args[1]) else parts


def _join(cx: Context, expr: core.Call) -> ts.TsExpr:
    separator, strings = _args(cx, expr)
    values = expr.args[1].value if isinstance(expr.args[1], core.Convert) else expr.args[1]
    if cx.tried and ty.without_none(ty.resolve(values.type)) in (ty.DYNAMIC, ty.list_of(ty.DYNAMIC)):
        strings = build.method(strings, "map", ts.Helper("textOf", TEXT_OF_SCALAR))  # fails for a list, unlike `join`
    if ty.is_optional(expr.args[1].type):
        strings = ts.Binary("??", strings, ts.Array(()))
    return build.method(strings, "join", separator)


# -- collections ------------------------------------------------------------------------------------------------------


def _length(cx: Context, expr: core.Call) -> ts.TsExpr:
    value, plain = argument(cx, expr.args[0]), ty.resolve(expr.args[0].type)
    inner = ty.without_none(plain)
    if is_sequence(inner):
        if not ty.is_optional(plain):
            return ts.Member(value, "length")
        return ts.Binary("??", ts.Member(value, "length", True), ts.Number("0"))
    cases = inner.members if isinstance(inner, ty.UnionType) else ()
    may_be_collection = any(is_sequence(case) or is_keyed(case) for case in cases)
    if inner is ty.DYNAMIC and cx.tried:
        return ts.Call(ts.Helper("lengthOf"), (value,))
    if is_keyed(inner) or may_be_collection or inner is ty.DYNAMIC:
        if ty.is_optional(plain) and inner is not ty.DYNAMIC:
            value = ts.Binary("??", value, ts.Object(()))
        return ts.Member(build.call("Object", "keys", value), "length")
    if inner is not ty.STRING:
        value = ts.Call(ts.Global("String"), (value,))
    elif ty.is_optional(plain):
        value = ts.Binary("??", value, ts.Text(""))
    segments = build.method(ts.New(ts.Member(ts.Global("Intl"), "Segmenter"), ()), "segment", value)
    return ts.Member(ts.Array((ts.Spread(segments),)), "length")


def _element(cx: Context, expr: core.Call) -> ts.TsExpr:
    values, at = _args(cx, expr)
    if ty.is_optional(expr.args[0].type):
        values = ts.NonNull(values)
    index = expr.args[1].value if isinstance(expr.args[1], core.Literal) else None
    if index == 0:
        item: ts.TsExpr = ts.Element(values, at)
    elif build.is_path(values) and index == -1:
        item = ts.Element(values, ts.Binary("-", ts.Member(argument(cx, expr.args[0]), "length"), ts.Number("1")))
    elif build.is_path(values) and is_natural(expr.args[1], cx.file.naturals):
        item = ts.Element(values, ts.Binary("%", at, ts.Member(argument(cx, expr.args[0]), "length")))
    else:
        is_mixed = isinstance(ty.without_none(ty.resolve(expr.type)), ty.UnionType) and _is_one_of_several(expr.args[0])
        is_empty = isinstance(values, ts.Array) and not values.elements
        is_untyped = is_empty or ty.without_none(ty.resolve(expr.args[0].type)) is ty.DYNAMIC
        types = (ts.TypeName("any"),) if is_mixed or is_untyped else ()
        item = ts.Call(ts.Helper("element"), (values, at), types)
        if is_mixed:
            return ts.As(item, (literal_type if cx.keeps_null else plain_type)(cx.imports, ty.resolve(expr.type)))
    return item if index is None else exact_element(cx, item, expr.args[0], expr.type)


def _is_one_of_several(expr: core.Expr) -> bool:
    """Return whether a choice has two types: TypeScript would infer a type argument from the first type only."""
    return len({ty.resolve(choice.type) for choice in choices(expr)}) > 1


def _entries(cx: Context, expr: core.Call) -> ts.TsExpr:
    value, plain = argument(cx, expr.args[0]), ty.without_none(ty.resolve(expr.args[0].type))
    key, element = ts.Variable(("key",)), ts.Variable(("value",))
    pair = build.object_of(("key", ts.Name(key)), ("value", ts.Name(element)))
    if is_sequence(plain):
        return build.method(value, "map", build.arrow([element, key], pair))
    return build.method(entries_of(value, expr.args[0]), "map", ts.Arrow(pattern([key, element]), pair))


def _lookup(cx: Context, expr: core.Call) -> ts.TsExpr:
    node, result = _looked_up(cx, expr), ty.resolve(expr.type)
    source = ty.without_none(ty.resolve(expr.args[0].type))
    is_structure = isinstance(ty.without_none(result), STRUCTURES) and not is_eventual(expr.type)
    if not is_structure or isinstance(node, ts.As) or not isinstance(source, ty.ObjectType):
        return node
    if _record_of(cx, expr.args[0], expr.args[2:]) is not ANY_RECORD:
        return node
    return ts.As(node, written_type(cx.imports, result, cx.file.written(expr.args)))  # TypeScript infers `any`


def _looked_up(cx: Context, expr: core.Call) -> ts.TsExpr:
    args = _args(cx, expr)
    if has_no_member(expr):
        return args[2]
    plain, result = ty.resolve(expr.args[0].type), ty.resolve(expr.type)
    inner = ty.without_none(plain)
    named = _named_member(cx, expr, args)
    if named is not None:
        return named
    source = with_members(args[0])
    if isinstance(inner, ty.ObjectType | ty.NominalType):
        source = ts.As(source, _record_of(cx, expr.args[0], expr.args[2:]))
    elif isinstance(inner, ty.UnionType) or mixes_maps_and_objects(expr.args[0]):
        source = ts.As(source, ANY_RECORD)
    entry = build.index(source, args[1], optional=ty.is_optional(plain) and inner is not ty.DYNAMIC)
    any_type = ts.TypeName("any")  # from an argument of type `any`, TypeScript infers `unknown`
    if len(args) < 3:
        return ts.Call(ts.Helper("entryOf"), (source, args[1]), (any_type,) if inner is ty.DYNAMIC else ())
    if inner is ty.DYNAMIC and cx.tried:
        return ts.Call(ts.Helper("entryOr", ENTRY_OR_ANY), (source, args[1], args[2]), (any_type, any_type))
    if isinstance(inner, ty.NominalType):
        return ts.Binary("??", entry, args[2])
    if not may_hold_null(inner) and not may_be_inherited(expr.args[1]):
        entry = ts.As(entry, any_type) if is_untyped_by_default(expr) else entry
        return entry if _is_undefined(args[2]) else ts.Binary("??", entry, args[2])
    if not build.is_path(args[0]) or not isinstance(args[1], ts.Name | ts.Text):
        entry = ts.Call(
            ts.Helper("entryOr"), (source, args[1], args[2]), (any_type, any_type) if inner is ty.DYNAMIC else ()
        )
        is_any = isinstance(source, ts.As) and source.type is ANY_RECORD
        return ts.As(entry, plain_type(cx.imports, result)) if is_any and isinstance(result, STRUCTURES) else entry
    return ts.Conditional(build.call("Object", "hasOwn", args[0], args[1]), entry, args[2])


def _named_member(cx: Context, expr: core.Call, args: Sequence[ts.TsExpr]) -> ts.TsExpr | None:
    """`rule.days ?? 7` for a member that the program names and that is never null if present; None for other look-ups."""
    t, key = ty.resolve(expr.args[0].type), expr.args[1]
    if not isinstance(t, ty.ObjectType) or not isinstance(key, core.Literal) or not isinstance(key.value, str):
        return None
    member = t.lacking.get(key.value) or t.members.get(key.value)
    if member is None or ty.is_optional(ty.resolve(member)) or ty.resolve(member) is ty.DYNAMIC:
        return None
    source = args[0]
    if some_choice_lacks(expr.args[0], key.value):
        source = ts.As(source, written_type(cx.imports, t, (expr.args[0],)))
    entry = ts.Member(source, key.value)
    if key.value not in t.lacking:
        return entry
    return ts.Binary("??", entry, args[2]) if len(args) > 2 else None


def _record_of(cx: Context, source: core.Expr, defaults: Sequence[core.Expr]) -> ts.TsType:
    """The object `source` as a map, with members of type `any` where their types differ, or the default's does."""
    members = {*members_of(ty.without_none(ty.resolve(source.type))).values()}
    default_types = {ty.without_none(ty.resolve(default.type)) for default in defaults} - {ty.NONE}
    if len(members) < 2 and all(fits(default, member) for default in default_types for member in members):
        return as_record(cx, source)
    return ANY_RECORD


def _is_undefined(e: ts.TsExpr) -> bool:
    return isinstance(e, ts.Global) and e.name == build.UNDEFINED


def _range(cx: Context, expr: core.Call) -> ts.TsExpr:
    start, *ends = _args(cx, expr)
    at = ts.Variable(("i",))
    body: ts.TsExpr = ts.Name(at)
    length = start
    if ends and not is_null(expr.args[1]):
        body = ts.Binary("+", start, ts.Name(at))
        length = _difference(cx, expr, ends[0])
    return build.call("Array", "from", build.object_of(("length", length)), build.arrow([unused(), at], body))


def _difference(cx: Context, expr: core.Call, end: ts.TsExpr) -> ts.TsExpr:
    first, last = expr.args[0], expr.args[1]
    start = first.value if isinstance(first, core.Literal) else None
    stop = last.value if isinstance(last, core.Literal) else None
    if isinstance(start, int) and isinstance(stop, int):
        return ts.Number(str(max(0, stop - start)))
    return ts.Binary("-", end, argument(cx, first))


FUNCTIONS: Final[Mapping[str, Builder]] = {
    "assetArchive": _asset("AssetArchive"),
    "can": _can,
    "cwd": _global("process", "cwd"),
    "element": _element,
    "entries": _entries,
    "fileArchive": _asset("FileArchive"),
    "fileAsset": _asset("FileAsset"),
    "filebase64": _file("base64"),
    "filebase64sha256": lambda cx, expr: _digest(cx, "sha256", _read(cx, _args(cx, expr)[0]), "base64"),
    "fromBase64": _from_base64,
    "getOutput": _get_output,
    "join": _join,
    "length": _length,
    "lookup": _lookup,
    "max": _global("Math", "max"),
    "min": _global("Math", "min"),
    "kept": _constrained,
    "notImplemented": _helper("notImplemented"),
    "organization": _pulumi("getOrganization"),
    "project": _pulumi("getProject"),
    "pulumiResourceName": _pulumi("resourceName"),
    "pulumiResourceType": _pulumi("resourceType"),
    "range": _range,
    "readFile": _file("utf8"),
    "recover": _recover,
    "remoteArchive": _asset("RemoteArchive"),
    "remoteAsset": _asset("RemoteAsset"),
    "rootDirectory": _pulumi("getRootDirectory"),
    "secret": _pulumi("secret"),
    "sha1": lambda cx, expr: _digest(cx, "sha1", _args(cx, expr)[0], "hex"),
    "singleOrNone": _single_or_none,
    "split": _split,
    "stack": _pulumi("getStack"),
    "stringAsset": _asset("StringAsset"),
    "toBase64": _to_base64,
    "toJSON": lambda cx, expr: _stringify(cx, expr, expr.args[0]),
    CANONICAL_JSON.name: _canonical_json,
    "try": _try,
    "unsecret": lambda cx, expr: cx.pulumi("unsecret", translate_output(cx, expr.args[0])),
}
"""The translation of each built-in function; the completeness test compares this with `stdlib.registry`."""
