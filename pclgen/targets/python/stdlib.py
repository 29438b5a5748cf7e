"""The built-in functions: a table row per function (targets.md, Builtin functions).

Lowering has resolved the arguments. Every function of PCL has a row; a test checks that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from functools import reduce
from typing import TypeAlias

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual, surely_output
from pclgen.core.jsontext import Trait, traits
from pclgen.core.origins import is_checked
from pclgen.core.predicates import doubts, has_no_member, is_at_hand, is_untyped_by_default, may_lead_nowhere
from pclgen.stdlib.checks import CHECKED
from pclgen.stdlib.encoding import CANONICAL_JSON
from pclgen.stdlib.model import Home
from pclgen.targets.assembly import spelling_of
from pclgen.targets.python import conversions, enumtexts, modules, tree, valuetypes
from pclgen.targets.python.context import Context
from pclgen.targets.python.operators import sorted_items, without_list
from pclgen.targets.python.valuetypes import chooses_mixed_literals, definite, is_mapping, is_mixed_secret, is_untyped
from pclgen.targets.rules import rule_of, with_patterns
from pclgen.types import model as ty
from pclgen.types.rules import Json, for_python, number_text

Builder: TypeAlias = Callable[[Context, core.Call, Sequence[tree.Expr]], tree.Expr]


def lower_call(cx: Context, call: core.Call) -> tree.Expr:
    """A built-in function."""
    if call.function is CHECKED:
        return tree.call(tree.Helper(key="checked"), *[cx.lower(arg) for arg in call.args])
    if call.function.name in _LAZY:
        return _LAZY[call.function.name](cx, call, ())
    if call.function.home is not None:
        return _of_pack(cx, call, call.function.home)
    of_path = call.function.name in _OF_PATHS
    args = [enumtexts.exact(cx, arg) if of_path else cx.lower(arg) for arg in call.args]
    if call.function.name in _OF_PARTS:
        args[0] = definite(call.args[0], args[0])
    return FUNCTIONS[call.function.name](cx, call, args)


def _of_pack(cx: Context, call: core.Call, home: Home) -> tree.Expr:
    """A call of a pack's function, from the module beside the program."""
    function = tree.Imported(module=modules.own(home.name), name=spelling_of(call, "python").name)
    return tree.call(function, *(enumtexts.exact(cx, arg) for arg in call.args))


def _sdk(name: str) -> Builder:
    """`pulumi.name(arguments)`."""
    return lambda cx, call, args: tree.call(modules.pulumi(name), *args)


def _helper(key: str) -> Builder:
    """A call of a helper function that pclgen adds to the file."""
    return lambda cx, call, args: tree.call(tree.Helper(key=key), *args)


def _decode(value: tree.Expr) -> tree.Expr:
    return tree.method(value, "decode")


def _encode(value: tree.Expr) -> tree.Expr:
    return tree.method(value, "encode")


def _base64(data: tree.Expr) -> tree.Expr:
    return _decode(tree.call(tree.Imported(module=modules.BASE64, name="b64encode"), data))


def _path(path: tree.Expr) -> tree.Expr:
    return tree.call(tree.Imported(module=modules.PATHLIB, name="Path", direct=True), path)


def _bytes(path: tree.Expr) -> tree.Expr:
    return tree.method(_path(path), "read_bytes")


def _read_file(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    return tree.method(_path(args[0]), "read_text", encoding=tree.text("utf-8"))


def _file_hash(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    digest = tree.call(tree.Imported(module=modules.HASHLIB, name="sha256"), _bytes(args[0]))
    return _base64(tree.method(digest, "digest"))


def _from_base64(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    return _decode(tree.call(tree.Imported(module=modules.BASE64, name="b64decode"), args[0]))


def _sha1(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    digest = tree.call(tree.Imported(module=modules.HASHLIB, name="sha1"), _encode(args[0]))
    return tree.method(digest, "hexdigest")


def _to_json(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    return tree.call(_json_encoder(call), args[0])


def _json_encoder(call: core.Call) -> tree.Expr:
    eventual = call.type.eventual
    return modules.pulumi("Output.json_dumps") if eventual else tree.Imported(module=modules.JSON, name="dumps")


def _canonical_json(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    """The encoder of Python with the right settings; a helper where floats may be inside."""
    found_traits = traits(call.args[0])
    if Trait.FLOAT in found_traits:
        helper = tree.Helper(key="to_json")
        if call.type.eventual:
            return tree.method(_later(cx, call.args[0], args[0]), "apply", helper)
        return tree.call(helper, args[0])
    settings: dict[str, tree.Expr] = {"separators": tree.Pair(first=tree.text(","), second=tree.text(":"))}
    if Trait.UNSORTED in found_traits:
        settings["sort_keys"] = tree.Constant(value=True)
    if Trait.TEXT in found_traits or Trait.WIDE in found_traits:
        settings["ensure_ascii"] = tree.Constant(value=False)
    return tree.call(_json_encoder(call), args[0], **settings)


def _may_be_plain(source: core.Expr) -> bool:
    """Return whether `source` chooses between outputs and plain values."""
    if isinstance(source, core.Index) and isinstance(source.source, core.ListExpr):
        return not all(map(surely_output, source.source.elements))
    return isinstance(source, core.Conditional)


def _later(cx: Context, source: core.Expr, value: tree.Expr) -> tree.Expr:
    is_output = is_eventual(source.type) and (surely_output(source) or not _may_be_plain(source))
    return cx.receiver(source) if is_output else modules.as_output(value)


def _secret(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    if is_mixed_secret(call):
        container = modules.output(valuetypes.container(call.args[0].type))
        return modules.cast(container, tree.call(modules.pulumi("Output.secret"), modules.for_any_place(args[0])))
    value = tree.call(modules.pulumi("Output.secret"), args[0])
    if not is_eventual(call.args[0].type) or is_untyped(cx, call.args[0]):
        return value
    # mypy does not solve the type variable of `secret` for an output, unless the context declares the type.
    return modules.cast(modules.output(valuetypes.annotation(call.type)), value)


def _unsecret(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    # It takes only outputs.
    value = args[0] if is_eventual(call.args[0].type) else modules.as_output(args[0])
    return tree.call(modules.pulumi("Output.unsecret"), value)


def _get_output(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    return tree.method(args[0], "get_output", args[1])


def _constrained(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    """A value that a helper checks; its constraint is a dict, with patterns in Python syntax."""
    where, rule = rule_of(call)
    read = as_tree(with_patterns(rule, for_python))
    return tree.call(tree.Helper(key="kept"), args[0], tree.text(where), read)


def as_tree(value: Json) -> tree.Expr:
    """Plain data as a Python literal."""
    match value:
        case Mapping():
            entries = [tree.Entry(key=tree.text(key), value=as_tree(member)) for key, member in value.items()]
            return tree.DictDisplay(entries=tuple(entries))
        case None | bool() | int() | str():
            return tree.Constant(value=value)
        case float():
            return tree.Constant(value=Decimal(number_text(value)))
        case _:
            return tree.ListDisplay(items=tuple([tree.Item(value=as_tree(element)) for element in value]))


def _resource_fact(attribute: str) -> Builder:
    return lambda cx, call, args: tree.Attribute(value=args[0], name=attribute)


def _element(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    """`xs[i]`, with the index modulo the length."""
    index, plain = call.args[1], ty.bare(call.args[0].type)
    if isinstance(index, core.Literal) and isinstance(index.value, int):
        if index.value == 0:
            return tree.index(args[0], args[1])
        if isinstance(plain, ty.TupleType) and plain.elements:
            return tree.index(args[0], tree.Constant(value=index.value % len(plain.elements)))
    return tree.call(tree.Helper(key="element"), *args)


def _entries(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    key, value = tree.Variable(preferred_names=("key",)), tree.Variable(preferred_names=("value",))
    plain = ty.bare(call.args[0].type)
    if plain is ty.DYNAMIC:
        pairs: tree.Expr = tree.call(tree.Helper(key="pairs"), args[0])
    elif is_mapping(plain):
        pairs = sorted_items(args[0])
    else:
        pairs = tree.builtin("enumerate", without_list(args[0]))
    entry = tree.DictDisplay(
        entries=(
            tree.Entry(key=tree.text("key"), value=tree.name(key)),
            tree.Entry(key=tree.text("value"), value=tree.name(value)),
        )
    )
    return tree.ListComprehension(element=entry, loop=tree.Loop(targets=(key, value), iterable=pairs))


def _length(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    if ty.bare(call.args[0].type) in (ty.STRING, ty.ID):
        return tree.call(tree.Helper(key="grapheme_length"), args[0])
    return tree.builtin("len", args[0])


def _lookup(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    if len(args) < 3:
        return tree.index(args[0], args[1])
    if has_no_member(call):
        return args[2]
    if isinstance(call.args[2], core.Literal) and call.args[2].value is None:
        if ty.resolve(call.type) is not ty.DYNAMIC and not ty.is_optional(call.type):
            return tree.index(args[0], args[1])  # the object has the member
        return tree.method(args[0], "get", args[1])
    members = modules.cast(modules.any_type(), args[0]) if chooses_mixed_literals(call.args[0]) else args[0]
    entry = tree.method(members, "get", *args[1:])
    # A checker takes `d.get(key, default)` for a value of `d` or None where `default` is `Any`.
    is_any = is_untyped_by_default(call) or (is_untyped(cx, call.args[2]) and not is_untyped(cx, call.args[0]))
    return modules.cast(modules.any_type(), entry) if is_any else entry


def _join(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    texts = args[1]
    if _may_hold_others(call.args[1]):
        texts = tree.builtin("map", conversions.TO_TEXT, texts)  # `join` takes only texts
    return tree.method(args[0], "join", texts)


def _may_hold_others(texts: core.Expr) -> bool:
    """Return whether elements of a list of texts may be other values, as the list has the type `any`."""
    if isinstance(texts, core.Conditional):
        return _may_hold_others(texts.then) or _may_hold_others(texts.otherwise)
    return isinstance(texts, core.Convert) and ty.resolve(texts.value.type) is ty.DYNAMIC and not is_checked(texts.value)


def _split(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    separator = call.args[0]
    if isinstance(separator, core.Literal) and separator.value == "":
        return tree.builtin("list", args[1])
    return tree.method(args[1], "split", args[0])


def _range(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    return tree.builtin("list", tree.builtin("range", *args))


def _extreme(function: str) -> Builder:
    """`min(a, b)`; a single value for one argument, the extreme of the list for `list...`."""

    def build(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
        if not call.expand:
            return args[0] if len(args) == 1 else tree.builtin(function, *args)
        spread = tree.Argument(name="*", value=args[-1])
        plain = tuple(tree.Argument(value=arg) for arg in args[:-1])
        if not plain:
            return tree.builtin(function, args[-1])
        return tree.Call(function=tree.Builtin(name=function), args=(*plain, spread))

    return build


def _try(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    paths = doubts(call)
    if paths is not None:
        return _first_present(cx, call.args, paths)
    return tree.call(tree.Helper(key="try_"), *(_delayed(cx, arg) for arg in call.args))


def _first_present(cx: Context, args: Sequence[core.Expr], paths: Sequence[Sequence[core.Attr]]) -> tree.Expr:
    """The first argument whose paths all exist.

    Examples are `rule.get("days", 0)` and `f"x{rule['days']}" if "days" in rule else ""`.
    """
    *attempts, default = args
    node = cx.lower(default)
    is_cheap = is_at_hand(default)
    for attempt, [path, *more] in zip(reversed(attempts), reversed(paths), strict=True):
        if is_cheap and path is attempt:
            fallback = () if isinstance(node, tree.Constant) and node.value is None else (node,)
            node = tree.method(_object(cx, path.source), "get", tree.text(path.name), *fallback)
        else:
            node = tree.IfElse(condition=_are_members(cx, [path, *more]), then=cx.lower(attempt), otherwise=node)
            is_cheap = False
    return node


def _are_members(cx: Context, paths: Sequence[core.Attr]) -> tree.Expr:
    """`"days" in rule and "name" in rule`."""
    tests: list[tree.Expr] = [
        tree.Binary(operator="in", left=tree.text(path.name), right=_object(cx, path.source)) for path in paths
    ]
    return reduce(lambda left, right: tree.Binary(operator="and", left=left, right=right), tests)


def _object(cx: Context, path: core.Expr) -> tree.Expr:
    """The object at an open path, or an empty object if there is none: `(item["spec"] or {})`."""
    value = cx.lower(path)
    if isinstance(path, core.Attr):
        value = tree.index(_object(cx, path.source), tree.text(path.name))
        if may_lead_nowhere(path):
            value = tree.method(_object(cx, path.source), "get", tree.text(path.name))
    if not may_lead_nowhere(path):
        return value
    return tree.Binary(operator="or", left=value, right=tree.DictDisplay(entries=()))


def _can(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    paths = doubts(call)
    if paths is not None:
        return _are_members(cx, paths[0])
    return tree.call(tree.Helper(key="can_"), _delayed(cx, call.args[0]))


def _delayed(cx: Context, arg: core.Expr) -> tree.Expr:
    return tree.Lambda(parameters=(), body=cx.attempting().lower(arg))


def _recover(cx: Context, call: core.Call, args: Sequence[tree.Expr]) -> tree.Expr:
    assert call.failure is not None, "recover names the failure"
    error = tree.Variable(preferred_names=("error",))
    with cx.written(call.failure, tree.builtin("str", tree.name(error))):
        body = cx.lower(call.args[1])
    handler = tree.Lambda(parameters=(error,), body=body)
    return tree.method(cx.receiver(call.args[0]), "recover", handler)


FUNCTIONS: Mapping[str, Builder] = {
    "element": _element,
    "entries": _entries,
    "fileArchive": _sdk("FileArchive"),
    "remoteArchive": _sdk("RemoteArchive"),
    "assetArchive": _sdk("AssetArchive"),
    "fileAsset": _sdk("FileAsset"),
    "stringAsset": _sdk("StringAsset"),
    "remoteAsset": _sdk("RemoteAsset"),
    "join": _join,
    "length": _length,
    "lookup": _lookup,
    "range": _range,
    "readFile": _read_file,
    "filebase64": lambda cx, call, args: _base64(_bytes(args[0])),
    "filebase64sha256": _file_hash,
    "secret": _secret,
    "unsecret": _unsecret,
    "sha1": _sha1,
    "split": _split,
    "toBase64": lambda cx, call, args: _base64(_encode(args[0])),
    "fromBase64": _from_base64,
    "toJSON": _to_json,
    CANONICAL_JSON.name: _canonical_json,
    "stack": _sdk("get_stack"),
    "project": _sdk("get_project"),
    "organization": _sdk("get_organization"),
    "cwd": lambda cx, call, args: tree.call(tree.Imported(module=modules.OS, name="getcwd")),
    "kept": _constrained,
    "notImplemented": _helper("not_implemented"),
    "singleOrNone": _helper("single_or_none"),
    "getOutput": _get_output,
    "rootDirectory": _sdk("get_root_directory"),
    "max": _extreme("max"),
    "min": _extreme("min"),
    "pulumiResourceType": _resource_fact("pulumi_resource_type"),
    "pulumiResourceName": _resource_fact("pulumi_resource_name"),
    "try": _try,
    "can": _can,
    "recover": _recover,
}

# `Path` takes a text as it is printed.
_OF_PATHS = frozenset({"readFile", "filebase64", "filebase64sha256"})

_OF_PARTS = frozenset({"element", "length", "lookup", "singleOrNone"})

# The builders of these evaluate their arguments lazily.
_LAZY: Mapping[str, Builder] = {name: FUNCTIONS[name] for name in ("try", "can", "recover")}
