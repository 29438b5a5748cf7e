"""Built-in functions for values that may be missing, and computations that may fail: `lookup`, `try`, `can` and `recover`.

`lookup(members, key, default)` works on maps, and on objects, whose members may differ in type.

Calls of `try`, `can` and `recover` become calls of helpers with the arguments as functions, so that a helper can call the
next function if the previous function fails. Inside them, a missing key or index is an error (`Frame.checked`); plain Go
would continue with a zero value.
"""

from __future__ import annotations

from pclgen.core.eventuals import is_lacking
from pclgen.core.expr import Attr, Call, Expr, Literal, Ref
from pclgen.core.predicates import is_null, is_untyped_by_default
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.build import shortened
from pclgen.targets.go.coerce import as_output, coerce
from pclgen.targets.go.context import Block, Frame, Place, Value
from pclgen.targets.go.natives import alternative, member_of_map, member_or_nil, members_of_value
from pclgen.targets.go.spelling import native_type, natural_choice, natural_type, type_expr, zero_of
from pclgen.types.declarations import Shape
from pclgen.types.model import DYNAMIC, NONE, ObjectType, is_optional, resolve


def call_lookup(b: Block, e: Call, hint: str) -> Value:
    """Return the value of a key, or the default for a missing key."""
    source = b.reusable(b.plain_value(e.args[0], "members"), "members")
    if _finds_null(e):
        return Value(make.NIL, gt.plain(gt.NIL))
    native, may_point = source.type.native, False
    has_all = isinstance(native, gt.LocalStruct | gt.PackageStruct)
    if isinstance(native, gt.LocalStruct | gt.PackageStruct) or (isinstance(native, gt.Map) and native.members):
        result = _member(b, e, source, hint)
        if result is not None:
            return result
        may_point = _holds_pointers(b, native)
        source = as_map(b, source, Place(e.args[0].span, "members"))
        native = source.type.native
    if not isinstance(native, gt.Map):
        any_map = gt.plain(gt.Map(gt.ANY))
        source = Value(coerce(b, source, any_map, Place(e.args[0].span, "members")), any_map)
        if isinstance(native, gt.AnyNative):  # null becomes nil, which Go treats as an empty map
            place = b.file.place(e.args[0].span)
            b.fail_if(go.Binary(source.node, "==", make.NIL), f"{place}: expected a map or an object, found null")
        native = gt.Map(gt.ANY)
    key = b.into(e.args[1], gt.plain(gt.STRING), "key")
    if len(e.args) < 3:
        entry = b.attempt(hint, make.call(b.file.session.helper("entryOf"), source.node, key))
        return Value(entry, gt.plain(native.element))
    entry_node: go.Expr = go.Index(source.node, key)
    wider = _wider(b, e, native.element)
    if is_optional(resolve(e.args[2].type)):
        wider = gt.optional(native.element if wider is None else wider)
    if wider is not None:
        return _with_wider_default(
            b, e.args[2], Value(entry_node, gt.plain(native.element)), target=gt.plain(wider), hint=hint
        )
    of_pointers = may_point and isinstance(native.element, gt.AnyNative)
    if has_all and isinstance(native.element, gt.Pointer | gt.AnyNative):  # the map has each member, or nil for it
        held = b.declare(hint, _pointed_to(b, entry_node) if of_pointers else entry_node)
        return _with_default(b, e.args[2], Value(held, gt.plain(native.element)), go.Binary(held, "==", make.NIL))
    return _entry(b, e.args[2], Value(entry_node, gt.plain(native.element)), hint, of_pointers=of_pointers)


def _pointed_to(b: Block, value: go.Expr) -> go.Expr:
    """Return the value behind a pointer: a nil pointer in an `any` is not nil."""
    return make.call(b.file.session.helper("singleValue"), value)


def _entry(b: Block, default: Expr, entry: Value, hint: str, *, of_pointers: bool = False) -> Value:
    """Emit `value, ok := entry`, and the default if it is not ok."""
    held, ok = make.variable(hint), make.variable("ok")
    b.emit(make.define([held, ok], entry.node))
    if of_pointers:
        b.emit(make.assign(go.Name(held), _pointed_to(b, go.Name(held))))
    return _with_default(b, default, Value(go.Name(held), entry.type), make.negate(go.Name(ok)))


def _with_default(b: Block, default: Expr, held: Value, condition: go.Expr) -> Value:
    """Assign the default to the variable `held` if `condition` holds."""
    assert isinstance(held.node, go.Name)
    missing = b.where(condition, True)
    missing.emit(make.assign(held.node, missing.into(default, held.type, held.node.variable.preferred_names[0])))
    b.emit(go.If(condition=condition, body=tuple(missing.statements)))
    return held


def _wider(b: Block, e: Call, element: gt.Native) -> gt.Native | None:
    """Return the result type if the elements do not have it; else None.

    The default has a fraction where they are integers, is unlike them or of unknown type, or is a map where they are
    objects.
    """
    if isinstance(element, gt.AnyNative):
        return None
    if is_untyped_by_default(e):
        return gt.ANY
    result = gt.without_pointer(b.file.session.natives.native(e.type))
    if isinstance(result, gt.AnyNative):
        return gt.ANY
    if isinstance(element, gt.Map) and element.members and isinstance(result, gt.Map) and not result.members:
        return result
    part: gt.Native = element
    container: gt.Native = result
    while isinstance(part, gt.Slice) and isinstance(container, gt.Slice):
        part, container = part.element, container.element
    if isinstance(part, gt.Map) and isinstance(container, gt.Map) and part.element != container.element:
        return result
    is_wider = isinstance(container, gt.AnyNative) and not isinstance(part, gt.AnyNative)
    return result if is_wider or (part == gt.INT and container == gt.FLOAT) else None


def _with_wider_default(b: Block, default: Expr, entry: Value, *, target: gt.GoType, hint: str) -> Value:
    """Return a variable of type `target` with `entry` of a map or a default that may be null or fractional."""
    if is_null(default) and not isinstance(target.native, gt.Pointer):
        return Value(entry.node, target)  # a missing entry is nil
    out = b.variable(hint, native_type(b.file, target.native))
    there = b.inner()
    member, ok = make.variable(hint), make.variable("ok")
    value = Value(go.Name(member), entry.type)
    there.emit(make.assign(out, coerce(there, value, target, Place(default.span, hint))))
    missing = b.inner()
    if not is_null(default):
        missing.emit(make.assign(out, missing.into(default, target, hint)))
    init = make.define([member, ok], entry.node)
    body, rest = tuple(there.statements), tuple(missing.statements)
    b.emit(go.If(init=init, condition=go.Name(ok), body=body, otherwise=rest))
    return Value(out, target)


# --------------------------------------------------------------------------------------------------- objects


def lacking_or(b: Block, e: Call) -> Value | None:
    """Return `try(rule.days, 5)` as a lookup if only the member may be missing; None otherwise."""
    first = e.args[0]
    if len(e.args) != 2 or not isinstance(first, Attr) or not _is_alone(first) or first.type.eventual:
        return None
    source, default = b.natural(first.source), e.args[1]
    native = source.type.native
    stored = dict(native.members).get(first.name) if isinstance(native, gt.Map) else None
    if not isinstance(native, gt.Map) or stored is None or not isinstance(default, Literal):
        return None
    if default.value is None and gt.optional(stored) == b.file.session.natives.native(e.type):
        return member_or_nil(b, source.node, native, first.name)
    if stored != b.file.session.natives.native(e.type):
        return None
    return _lacking_member(b, e, source, first.name)


def has_lacking(b: Block, e: Call) -> Value | None:
    """Return `can(rule.days)` as a lookup if only the member may be missing; None otherwise."""
    first = e.args[0]
    if not isinstance(first, Attr) or not _is_alone(first):
        return None
    source = b.natural(first.source)
    if not isinstance(source.type.native, gt.Map):
        return None
    ok = make.variable("ok")
    b.emit(make.define([None, ok], go.Index(source.node, go.Text(first.name))))
    return Value(go.Name(ok), gt.plain(gt.BOOL))


def _is_alone(step: Attr) -> bool:
    """Return whether `step` reads a member that a present, plain object may lack."""
    return isinstance(step.source, Ref) and isinstance(step.source.type, ObjectType) and is_lacking(step)


def _member(b: Block, e: Call, source: Value, hint: str) -> Value | None:
    """Return a member with a literal key directly; None if a lookup in a map is necessary."""
    key = e.args[1]
    if not isinstance(key, Literal) or not isinstance(key.value, str) or len(e.args) < 3:
        return None
    default, place = e.args[2], Place(e.span, hint)
    native, t = source.type.native, resolve(e.args[0].type)
    if isinstance(native, gt.Map):
        if key.value not in dict(native.members) or (isinstance(t, ObjectType) and key.value not in t.members):
            return b.natural(default, hint)
        if key.value in native.lacking and not _has_member(e, key.value):
            return _lacking_member(b, e, source, key.value)
        if key.value in native.missing:
            return _missing_member(b, e, source, key.value)
        return member_of_map(b, source.node, native, key.value)
    members = members_of_value(b, source, place)
    if key.value not in members:
        return b.natural(default, hint)
    member = members[key.value]
    if not member.type.is_plain or not gt.can_be_nil(member.type.native):
        return member
    held = b.declare(hint, member.node)
    if is_optional(resolve(default.type)):
        return Value(held, member.type)
    return _with_default(b, default, Value(held, member.type), go.Binary(held, "==", make.NIL))


def _has_member(e: Call, name: str) -> bool:
    """Return whether the object of a `lookup` has a member, which other elements of the same list may lack."""
    t = resolve(e.args[0].type)
    return isinstance(t, ObjectType) and name in t.members and name not in t.lacking


def _finds_null(e: Call) -> bool:
    """Return whether a `lookup` with a literal key finds a member that is always null."""
    key, t = e.args[1], resolve(e.args[0].type)
    if not isinstance(key, Literal) or not isinstance(t, ObjectType):
        return False
    name = str(key.value)
    return name not in t.lacking and t.members.get(name) is NONE


def _missing_member(b: Block, e: Call, source: Value, name: str) -> Value | None:
    """Return a member that may be null, which is a value, or not there.

    None if the elements of the map have a type, or if the member has another type than the result.
    """
    native = source.type.native
    assert isinstance(native, gt.Map)
    member, result = dict(native.members)[name], b.file.session.natives.native(e.type)
    is_asserted = isinstance(native.element, gt.AnyNative) and name not in dict(native.forms)
    if not is_asserted or not isinstance(member, gt.Pointer) or member != result:
        return None
    entry = go.Index(source.node, go.Text(name))
    held, ok = make.variable(name), make.variable("ok")
    b.emit(make.define([held, None], go.TypeAssertion(entry, native_type(b.file, member))))
    missing = b.where(make.negate(go.Name(ok)), True)
    missing.emit(make.assign(go.Name(held), missing.into(e.args[2], gt.plain(member), name)))
    init = make.define([None, ok], entry)
    b.emit(go.If(init=init, condition=make.negate(go.Name(ok)), body=tuple(missing.statements)))
    return Value(go.Name(held), gt.plain(member))


def _lacking_member(b: Block, e: Call, source: Value, name: str) -> Value | None:
    """Return a member that may be missing, or the default, which is the last argument; None for what may also be null."""
    native, default = source.type.native, e.args[-1]
    assert isinstance(native, gt.Map)
    stored = dict(native.forms).get(name, gt.plain(dict(native.members)[name]))
    if not stored.is_plain or name in native.missing or is_optional(resolve(default.type)):
        return None
    entry: go.Expr = go.Index(source.node, go.Text(name))
    wider = _wider(b, e, stored.native) if e.function.name == "lookup" else None
    if isinstance(wider, gt.AnyNative) and isinstance(native.element, gt.AnyNative):
        return _entry(b, default, Value(entry, gt.plain(native.element)), name)
    if stored.native != native.element:
        entry = go.TypeAssertion(entry, native_type(b.file, stored.native))
    if wider is not None:
        return _with_wider_default(b, default, Value(entry, stored), target=gt.plain(wider), hint=name)
    return _entry(b, default, Value(entry, stored), name)


def _holds_pointers(b: Block, native: gt.Map | gt.LocalStruct | gt.PackageStruct) -> bool:
    """Return whether a member of an object may be a pointer."""
    if isinstance(native, gt.PackageStruct):
        fields = native.declaration.fields(Shape.OUTPUT).values()
        return any(isinstance(b.file.session.natives.native(f.type), gt.Pointer) for f in fields)
    return any(isinstance(member, gt.Pointer) for _, member in native.members)


def as_map(b: Block, source: Value, place: Place, element: gt.Native | None = None) -> Value:
    """Return the members of an object as a map of `element`; if it is None, of their common type, else of `any`."""
    native = source.type.native
    if isinstance(native, gt.Map):
        return Value(source.node, gt.plain(gt.Map(native.element)))
    members = members_of_value(b, source, place)
    if element is None:
        kinds = {gt.without_pointer(member.type.native) for member in members.values()}
        element = kinds.pop() if len(kinds) == 1 else gt.ANY
        if any(isinstance(member.type.native, gt.Pointer) for member in members.values()):
            element = gt.optional(element)
    result = gt.plain(gt.Map(element))
    entries = {name: coerce(b, member, gt.plain(element), place.named(name)) for name, member in members.items()}
    return Value(make.mapping(native_type(b.file, result.native), entries), result)


# -- failure ----------------------------------------------------------------------------------------------------------------

def _computation(b: Block, e: Expr, want: gt.GoType, hint: str) -> go.Expr:
    """`func() (T, error) { return e, nil }`."""
    inner = b.function(Frame(zeros=(zero_of(b.file, want),), checked=True))
    node = alternative(inner, e, want, hint)
    inner.emit(make.returns(node, make.NIL))
    return make.function((), (type_expr(b.file, want), make.ERROR), shortened(inner.statements))


def call_try(b: Block, e: Call, hint: str) -> Value:
    """Return `try(a, b, …)`: the first argument that evaluates without an error."""
    looked_up = lacking_or(b, e)
    if looked_up is not None:
        return looked_up
    want = natural_choice(b, e.type, e.args)
    # In a literal of unknown type, a null list stays nil; to the SDK, a typed nil list is an empty list.
    into = gt.plain(gt.DECODED) if want == gt.plain(gt.ANY) and resolve(e.type) is DYNAMIC else want
    computations = [_computation(b, a, into, hint) for a in e.args]
    node = b.attempt(hint, make.call(b.file.session.helper("firstOf"), *computations))
    return Value(node, want)


def call_can(b: Block, e: Call, hint: str) -> Value:
    """Return `can(a)`: whether the argument evaluates without an error."""
    lacking = has_lacking(b, e)
    if lacking is not None:
        return lacking
    argument = e.args[0]
    want = natural_type(b, argument.type)
    if not argument.type.eventual and want.native != gt.ANY:
        want = gt.plain(want.native)
    computation = _computation(b, argument, want, hint)
    err = make.variable(f"{hint}Err")
    call = make.call(b.file.session.helper("attempt"), computation)
    b.emit(make.define([None, err], call))
    return Value(go.Binary(go.Name(err), "==", make.NIL), gt.plain(gt.BOOL))


def call_recover(b: Block, e: Call, hint: str) -> Value:
    """Return `recover(value, recovery)`: the output, or the recovery if the output fails."""
    value = as_output(b, b.natural(e.args[0], hint))
    into = natural_type(b, e.type)
    if value.type.native != into.native or value.type.erased != into.erased:
        value = Value(b.into(e.args[0], into, hint), into)
    inner = b.function(Frame(zeros=(make.NIL,)))
    failure = make.variable("failure")
    if e.failure is not None:
        inner.bind(e.failure, Value(go.Name(failure), gt.plain(gt.STRING)))
    recovery = inner.into(e.args[1], into, "recovery")
    inner.emit(make.returns(recovery))
    handle = make.function(((failure, make.STRING),), (b.file.pulumi("Output"),), shortened(inner.statements))
    call = make.call(b.file.session.helper("recoverOutput"), make.CTX, value.node, handle)
    return Value(_typed(b, call, into), into)


def _typed(b: Block, node: go.Expr, into: gt.GoType) -> go.Expr:
    """Return an untyped output, which resolves to the content of `into`, as a typed output."""
    if into == gt.output(gt.ANY) or into.erased:
        return make.call(b.file.pulumi("Any"), node)
    content = type_expr(b.file, gt.plain(into.native))
    parameter = make.variable("v")
    body = (make.returns(go.TypeAssertion(go.Name(parameter), content)),)
    callback = make.function(((parameter, make.ANY),), (content,), body)
    return go.TypeAssertion(make.method(node, "ApplyT", callback), type_expr(b.file, into))
