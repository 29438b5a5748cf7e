"""The built-in functions (targets.md, Builtin functions), one row per function.

Functions that can fail return an error. A test compares the rows with the list of functions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core.predicates import is_natural, is_null
from pclgen.source.text import Span
from pclgen.stdlib.checks import CHECKED, rule_text
from pclgen.stdlib.encoding import CANONICAL_JSON
from pclgen.targets.assembly import spelling_of
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import as_output, coerce, to_secret
from pclgen.targets.go.context import Block, Place, Value
from pclgen.targets.go.literals import call_to_canonical_json, call_to_json
from pclgen.targets.go.lookups import call_can, call_lookup, call_recover, call_try
from pclgen.targets.go.natives import chosen, member_of_map, members_of_value, single_value
from pclgen.targets.go.spelling import native_type, natural_type, type_expr
from pclgen.targets.names import title
from pclgen.targets.origins import member_of
from pclgen.targets.rules import rule_of, with_patterns
from pclgen.types.model import DYNAMIC, ListType, ObjectType, resolve
from pclgen.types.model import STRING as STRING_TYPE
from pclgen.types.rules import portable

Builder: TypeAlias = Callable[[Block, core.Call, str], Value]


def natural_call(b: Block, e: core.Call, hint: str) -> Value:
    """Return a call of a built-in function, or of a pack function in a file beside the program's."""
    if e.function.home is not None:
        return _of_pack(b, e, hint)
    if e.function is CHECKED:
        return _checked(b, e, hint)
    return BUILTINS[e.function.name](b, e, hint)


def _checked(b: Block, e: core.Call, hint: str) -> Value:
    """Return a value of unknown type with the check that lowering added."""
    value, path, *rest = e.args
    assert isinstance(path, core.ListExpr), "paths are written out"
    keys = [coerce(b, b.natural(key, "key"), gt.plain(gt.ANY), Place(key.span, "key")) for key in path.elements]
    arguments = [b.natural(argument).node for argument in rest]
    source = coerce(b, b.plain_value(value, hint), gt.plain(gt.ANY), Place(value.span, hint))
    steps = make.listing(go.SliceType(element=make.ANY), keys) if keys else make.NIL
    return Value(b.attempt(hint, make.call(b.file.session.helper("checked"), source, steps, *arguments)), gt.plain(gt.ANY))


def _of_pack(b: Block, e: core.Call, hint: str) -> Value:
    natives, spelling = b.file.session.natives, spelling_of(e, "go")
    pairs = zip(e.args, e.function.parameters, strict=True)
    args = [b.into(arg, gt.plain(natives.native(parameter.type)), parameter.name) for arg, parameter in pairs]
    called = make.call(go.Declared(spelling.name), *args)
    return Value(b.attempt(hint, called) if spelling.fails else called, gt.plain(_native(b, e)))


def _native(b: Block, e: core.Expr) -> gt.Native:
    return b.file.session.natives.native(e.type)


def _text(b: Block, e: core.Expr, hint: str = "text") -> go.Expr:
    return b.into(e, gt.plain(gt.STRING), hint)


# ------------------------------------------------------------------------------------------------- sequences


def _list_of(b: Block, e: core.Expr) -> tuple[Value, gt.Slice]:
    """Return a plain list, or a value of unknown type as a list, and its type."""
    source = b.plain_value(e, "list")
    native = source.type.native
    if isinstance(native, gt.Slice):
        return source, native
    native = gt.Slice(gt.ANY)
    return Value(coerce(b, source, gt.plain(native), Place(e.span, "list")), gt.plain(native)), native


def _element(b: Block, e: core.Call, hint: str) -> Value:
    source, native = _list_of(b, e.args[0])
    source = b.reusable(source, "list")
    node = _element_at(b, e.args[1], source)
    target = _native(b, e)
    value = Value(node, gt.plain(native.element))
    asserted = single_value(b, value, e.type, hint)
    if asserted is not value:
        return asserted
    if isinstance(native.element, gt.AnyNative) and not isinstance(target, gt.AnyNative):
        if isinstance(target, gt.Slice | gt.Map):
            return Value(chosen(b, node, target, hint), gt.plain(target))
        return Value(go.TypeAssertion(node, native_type(b.file, target)), gt.plain(target))
    return Value(node, gt.plain(native.element))


def _element_at(b: Block, at: core.Expr, source: Value) -> go.Expr:
    """Return the element at an index that wraps around; a negative index counts from the end."""
    index, length = b.into(at, gt.plain(gt.INT), "index"), make.length(source.node)
    position = at.value if isinstance(at, core.Literal) else None
    if position == 0:
        return go.Index(source.node, index)
    if position == -1:
        return go.Index(source.node, go.Binary(length, "-", make.number("1")))
    if is_natural(at, b.file.naturals):
        return go.Index(source.node, go.Binary(index, "%", length))
    return make.call(b.file.session.helper("element"), source.node, index)


def _entries(b: Block, e: core.Call, hint: str) -> Value:
    from pclgen.targets.go.loops import dynamic_entries, iterate_value

    source = b.plain_value(e.args[0], "entries")
    want = natural_type(b, e.type)
    slice_ = want.native
    assert isinstance(slice_, gt.Slice)
    if isinstance(source.type.native, gt.AnyNative):
        decoded = b.file.session.decoded.holds(e.args[0])
        entries = dynamic_entries(b, source, decoded=decoded, hint=hint)
        return Value(entries, gt.plain(gt.Slice(gt.Map(gt.ANY))))
    entry = slice_.element
    native = source.type.native
    if isinstance(native, gt.LocalStruct | gt.PackageStruct) or (isinstance(native, gt.Map) and native.members):
        return _entries_of_members(b, e, source, want)
    out = b.declare(hint, make.struct(type_expr(b.file, want), {}))
    key, value = _loop_symbols(e.span)
    plan = iterate_value(b, source, (key, value), frozenset((key, value)), hint="items", at=e.span)
    assert isinstance(entry, gt.Map)
    members = {"key": b.file.bindings[key], "value": b.file.bindings[value]}
    if entry.element == gt.FLOAT:  # beside numbers, a position is one, too
        number = coerce(plan.block, members["key"], gt.plain(gt.FLOAT), Place(e.span, "key"))
        members["key"] = Value(number, gt.plain(gt.FLOAT))
    literal = make.mapping(native_type(b.file, entry), {name: member.node for name, member in members.items()})
    plan.block.emit(make.append(out, literal))
    plan.emit(b)
    return Value(out, want)


def _entries_of_members(b: Block, e: core.Call, source: Value, want: gt.GoType) -> Value:
    """Return the entries of an object.

    Members may differ in type, but all entries share a value type. A number beside texts stays a number.
    """
    place, entries = Place(e.span, "entries"), resolve(e.type)
    assert isinstance(entries, ListType) and isinstance(entries.element, ObjectType), "the result of `entries`"
    value = natural_type(b, entries.element.members["value"])
    if gt.may_lack_members(source.type.native) or _may_lack_untyped(e.args[0], source.type.native):
        return _entries_that_are_there(b, source, want, value, place=place)
    members = sorted(members_of_value(b, source, place).items())
    if gt.without_pointer(value.native) == gt.STRING and not all(_is_text(member.type.native) for _, member in members):
        want, value = gt.plain(gt.Slice(gt.Map(gt.ANY))), gt.plain(gt.ANY)
        members = [(n, single_value(b, Value(m.node, value), STRING_TYPE, n)) for n, m in members]
    mappings = [
        make.mapping(None, {"key": go.Text(name), "value": coerce(b, member, value, place.named(name))})
        for name, member in members
    ]
    return Value(make.listing(type_expr(b.file, want), mappings), want)


def _may_lack_untyped(expr: core.Expr, native: gt.Native) -> bool:
    """Return whether an object may lack a member of unknown type, of which the type says nothing: one that is chosen."""
    is_chosen = not isinstance(expr, core.ObjectExpr)
    return is_chosen and isinstance(native, gt.Map) and any(isinstance(member, gt.AnyNative) for _, member in native.members)


def _entries_that_are_there(b: Block, source: Value, want: gt.GoType, value: gt.GoType, *, place: Place) -> Value:
    """Return the entries of an object that may lack members."""
    native = source.type.native
    assert isinstance(native, gt.Map)
    if gt.without_pointer(value.native) == gt.STRING and not all(_is_text(member) for _, member in native.members):
        want, value = gt.plain(gt.Slice(gt.Map(gt.ANY))), gt.plain(gt.ANY)
    assert isinstance(want.native, gt.Slice)
    entry = native_type(b.file, want.native.element)
    source_node = b.reusable(source, place.hint).node
    out = b.declare(place.hint, make.struct(type_expr(b.file, want), {}))
    for name in sorted(dict(native.members)):
        inner = b.inner()
        member = coerce(inner, member_of_map(inner, source_node, native, name), value, place.named(name))
        inner.emit(make.append(out, make.mapping(entry, {"key": go.Text(name), "value": member})))
        present = make.variable("ok")
        init = make.define([None, present], go.Index(source_node, go.Text(name)))
        b.emit(go.If(condition=go.Name(present), body=tuple(inner.statements), init=init))
    return Value(out, want)


def _is_text(native: gt.Native) -> bool:
    single = gt.without_pointer(native)
    return single in gt.TEXTS or (isinstance(single, gt.EnumNative) and gt.enum_base(single) == gt.STRING)


def _loop_symbols(at: Span) -> tuple[core.Symbol, core.Symbol]:
    def symbol(name: str) -> core.Symbol:
        return core.Symbol(name=name, kind=core.SymbolKind.LOOP, type=DYNAMIC, span=at)

    return symbol("key"), symbol("value")


def _length(b: Block, e: core.Call, hint: str) -> Value:
    source = b.natural(e.args[0], "value")
    native = source.type.native
    if isinstance(native, gt.Slice | gt.Map) and source.type.form in (gt.Form.PLAIN, gt.Form.COMPOSITE):
        return Value(make.length(source.node), gt.plain(gt.INT))
    if isinstance(native, gt.LocalStruct):
        return Value(make.number(len(native.members)), gt.plain(gt.INT))
    if isinstance(native, gt.AnyNative):
        return Value(make.call(b.file.session.helper("lengthOf"), source.node), gt.plain(gt.INT))
    text = coerce(b, source, gt.plain(gt.STRING), Place(e.span, "text"))
    count = make.call(b.file.qualified("github.com/rivo/uniseg", "GraphemeClusterCount"), text)
    return Value(count, gt.plain(gt.INT))


def _join(b: Block, e: core.Call, hint: str) -> Value:
    separator = _text(b, e.args[0], "separator")
    strings = b.into(e.args[1], gt.plain(gt.Slice(gt.STRING)), "parts")
    return Value(make.call(b.file.qualified("strings", "Join"), strings, separator), gt.plain(gt.STRING))


def _split(b: Block, e: core.Call, hint: str) -> Value:
    separator = _text(b, e.args[0], "separator")
    text = _text(b, e.args[1])
    return Value(make.call(b.file.qualified("strings", "Split"), text, separator), gt.plain(gt.Slice(gt.STRING)))


def _range(b: Block, e: core.Call, hint: str) -> Value:
    limits = [b.into(a, gt.plain(gt.INT), "limit") for a in e.args if not is_null(a)]
    start, end = (make.number(0), limits[0]) if len(limits) == 1 else (limits[0], limits[1])
    return Value(make.call(b.file.session.helper("numbersFrom"), start, end), gt.plain(gt.Slice(gt.INT)))


def _single_or_none(b: Block, e: core.Call, hint: str) -> Value:
    source, native = _list_of(b, e.args[0])
    pointer = b.attempt(hint, make.call(b.file.session.helper("singleOrNone"), source.node))
    target = gt.optional(native.element)
    if isinstance(target, gt.Pointer) and target != native.element:
        return Value(pointer, gt.plain(target))
    out = b.unless_nil(pointer, native_type(b.file, target), hint, lambda _: go.Star(pointer))
    return Value(out, gt.plain(target))


# --------------------------------------------------------------------------------------------------- numbers


def _extreme(function: str) -> Builder:
    def build(b: Block, e: core.Call, hint: str) -> Value:
        if e.expand:
            return _extreme_of_list(b, e, function)
        values = [b.plain_value(a, "number") for a in e.args]
        target = gt.INT if all(v.type.native == gt.INT for v in values) else gt.FLOAT
        nodes = [coerce(b, v, gt.plain(target), Place(a.span, "number")) for v, a in zip(values, e.args, strict=True)]
        return Value(make.builtin(function, *nodes), gt.plain(target))

    return build


def _extreme_of_list(b: Block, e: core.Call, function: str) -> Value:
    """`max(a, list...)`."""
    target = _native(b, e)
    target = target if target in (gt.INT, gt.FLOAT) else gt.FLOAT
    first = [b.into(a, gt.plain(target), "number") for a in e.args[:-1]]
    numbers = b.into(e.args[-1], gt.plain(gt.Slice(target)), "numbers")
    extreme = make.call(b.file.qualified("slices", title(function)), numbers)
    return Value(make.builtin(function, *first, extreme) if first else extreme, gt.plain(target))


# ----------------------------------------------------------------------------------------- files and encoding


def _read(b: Block, e: core.Call, hint: str) -> go.Expr:
    return b.attempt(hint, make.call(b.file.qualified("os", "ReadFile"), _text(b, e.args[0], "path")))


def _read_file(b: Block, e: core.Call, hint: str) -> Value:
    return Value(make.call(make.STRING, _read(b, e, f"{hint}Bytes")), gt.plain(gt.STRING))


def _encode(b: Block, data: go.Expr) -> go.Expr:
    return make.method(b.file.qualified("encoding/base64", "StdEncoding"), "EncodeToString", data)


def _file_base64(b: Block, e: core.Call, hint: str) -> Value:
    return Value(_encode(b, _read(b, e, f"{hint}Bytes")), gt.plain(gt.STRING))


def _file_base64_sha256(b: Block, e: core.Call, hint: str) -> Value:
    data = _read(b, e, f"{hint}Bytes")
    digest = b.declare(f"{hint}Sum", make.call(b.file.qualified("crypto/sha256", "Sum256"), data))
    return Value(_encode(b, go.Tail(operand=digest)), gt.plain(gt.STRING))


def _bytes(text: go.Expr) -> go.Expr:
    if isinstance(text, go.Call) and text.function is make.STRING:
        return text.arguments[0]
    return make.call(go.SliceType(element=make.BYTE), text)


def _to_base64(b: Block, e: core.Call, hint: str) -> Value:
    return Value(_encode(b, _bytes(_text(b, e.args[0]))), gt.plain(gt.STRING))


def _from_base64(b: Block, e: core.Call, hint: str) -> Value:
    decode = make.method(b.file.qualified("encoding/base64", "StdEncoding"), "DecodeString", _text(b, e.args[0]))
    return Value(make.call(make.STRING, b.attempt(f"{hint}Bytes", decode)), gt.plain(gt.STRING))


def _sha1(b: Block, e: core.Call, hint: str) -> Value:
    digest = make.call(b.file.qualified("crypto/sha1", "Sum"), _bytes(_text(b, e.args[0])))
    return Value(make.call(b.file.qualified("fmt", "Sprintf"), go.Text("%x"), digest), gt.plain(gt.STRING))


# ---------------------------------------------------------------------------------------------------- assets


def _asset(function: str, native: gt.Native) -> Builder:
    def build(b: Block, e: core.Call, hint: str) -> Value:
        return Value(make.call(b.file.pulumi(function), _text(b, e.args[0], "path")), gt.plain(native))

    return build


def _asset_archive(b: Block, e: core.Call, hint: str) -> Value:
    assets = e.args[0]
    type_ = go.MapType(element=make.ANY)
    if isinstance(assets, core.ObjectExpr):
        members = []
        for item in assets.items:
            key = b.into(item.key, gt.plain(gt.STRING), "key")
            members.append(go.Element(key=key, value=b.natural(item.value, "asset").node, origin=member_of(item)))
        node: go.Expr = go.Composite(type=type_, elements=tuple(members))
    else:
        node = coerce(b, b.plain_value(assets, "assets"), gt.plain(gt.Map(gt.ANY)), Place(assets.span, "assets"))
    return Value(make.call(b.file.pulumi("NewAssetArchive"), node), gt.plain(gt.ARCHIVE_NATIVE))


# -------------------------------------------------------------------------------------------- secrets, stacks


def _secret(b: Block, e: core.Call, hint: str) -> Value:
    argument = e.args[0]
    if not argument.type.eventual:
        value = b.plain_value(argument, hint)
        into = gt.output(gt.ANY if is_null(argument) else value.type.native)
        if isinstance(into.native, gt.Pointer):
            into = replace(into, erased=True)
        return Value(to_secret(b, value.node, into), into)
    into = _output_of(b, e)
    if isinstance(argument, core.ListExpr | core.ObjectExpr) and not into.erased and gt.has_family(into.native):
        literal = b.into(argument, gt.GoType(into.native, gt.Form.INPUT), hint)
        return _marked(b, Value(literal, into), "ToSecret")
    return _marked(b, Value(b.into(argument, into, hint), into), "ToSecret")


def _unsecret(b: Block, e: core.Call, hint: str) -> Value:
    argument, into = e.args[0], _output_of(b, e)
    is_deferred = argument.type.eventual
    operand = Value(b.into(argument, into, hint), into) if is_deferred else as_output(b, b.plain_value(argument, hint))
    return _marked(b, operand, "Unsecret")


def _output_of(b: Block, e: core.Call) -> gt.GoType:
    natural = natural_type(b, e.type)
    return natural if natural.form is gt.Form.OUTPUT else gt.output(natural.native)


def _marked(b: Block, operand: Value, function: str) -> Value:
    node = make.call(b.file.pulumi(function), operand.node)
    return Value(go.TypeAssertion(node, type_expr(b.file, operand.type)), operand.type)


def _of_context(method: str) -> Builder:
    def build(b: Block, e: core.Call, hint: str) -> Value:
        return Value(make.method(make.CTX, method), gt.plain(gt.STRING))

    return build


def _cwd(b: Block, e: core.Call, hint: str) -> Value:
    return Value(b.attempt("cwd", make.call(b.file.qualified("os", "Getwd"))), gt.plain(gt.STRING))


def _of_resource(method: str) -> Builder:
    def build(b: Block, e: core.Call, hint: str) -> Value:
        resource = b.natural(e.args[0], "resource")
        return Value(make.method(resource.node, method), gt.plain(gt.STRING))

    return build


def _get_output(b: Block, e: core.Call, hint: str) -> Value:
    reference = b.natural(e.args[0], "reference")
    name = b.into(e.args[1], gt.GoType(gt.STRING, gt.Form.INPUT), "name")
    return Value(make.method(reference.node, "GetOutput", name), gt.output(gt.ANY))


def _not_implemented(b: Block, e: core.Call, hint: str) -> Value:
    message = _text(b, e.args[0], "message")
    return Value(b.attempt(hint, make.call(b.file.session.helper("notImplemented"), message)), gt.plain(gt.ANY))


def _constrained(b: Block, e: core.Call, hint: str) -> Value:
    where, rule = rule_of(e)
    value = b.reusable(b.natural(e.args[0], hint), hint)
    text = rule_text(with_patterns(rule, portable))
    b.attempt_error(make.call(b.file.session.helper("kept"), value.node, go.Text(where), go.Text(value=text, raw=True)))
    return value


BUILTINS: Mapping[str, Builder] = {
    "assetArchive": _asset_archive,
    "can": call_can,
    "cwd": _cwd,
    "element": _element,
    "entries": _entries,
    "fileArchive": _asset("NewFileArchive", gt.ARCHIVE_NATIVE),
    "fileAsset": _asset("NewFileAsset", gt.ASSET_NATIVE),
    "filebase64": _file_base64,
    "filebase64sha256": _file_base64_sha256,
    "fromBase64": _from_base64,
    "getOutput": _get_output,
    "join": _join,
    "kept": _constrained,
    "length": _length,
    "lookup": call_lookup,
    "max": _extreme("max"),
    "min": _extreme("min"),
    "notImplemented": _not_implemented,
    "organization": _of_context("Organization"),
    "project": _of_context("Project"),
    "pulumiResourceName": _of_resource("PulumiResourceName"),
    "pulumiResourceType": _of_resource("PulumiResourceType"),
    "range": _range,
    "readFile": _read_file,
    "recover": call_recover,
    "remoteArchive": _asset("NewRemoteArchive", gt.ARCHIVE_NATIVE),
    "remoteAsset": _asset("NewRemoteAsset", gt.ASSET_NATIVE),
    "rootDirectory": _of_context("RootDirectory"),
    "secret": _secret,
    "sha1": _sha1,
    "singleOrNone": _single_or_none,
    "split": _split,
    "stack": _of_context("Stack"),
    "stringAsset": _asset("NewStringAsset", gt.ASSET_NATIVE),
    "toBase64": _to_base64,
    "toJSON": call_to_json,
    CANONICAL_JSON.name: call_to_canonical_json,
    "try": call_try,
    "unsecret": _unsecret,
}
"""The translation of each built-in function to Go."""
