"""Conversions between types: code where the value changes, a cast where only the TypeScript type changes.

    Convert("24", int) over a config value      wholeNumber(lengthText)
    Convert(region, enum)                       region as digitalocean.Region
    Convert(tags, list(string)) of list(int)    ports.map((port) => String(port))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from pclgen.core import expr as core
from pclgen.core.eventuals import is_eventual, surely_output
from pclgen.core.origins import is_checked
from pclgen.targets.typescript import build, names
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import Context, is_input, path_of, pattern, translate, translate_output
from pclgen.targets.typescript.files import REQUIRE_VALUE, TEXT_OF_SCALAR
from pclgen.targets.typescript.types import fits, is_map_of_one_type, literal_type, members_of, plain_type, same_declaration
from pclgen.types import model as ty
from pclgen.types.convert import Conversion, element_type, is_resource, member_type, unify_elements
from pclgen.types.convert import conversion as conversion_between

STRUCTURES = ty.ListType | ty.MapType | ty.TupleType | ty.ObjectType | ty.NominalType
WHOLE_NUMBER = "wholeNumber"
TO_NUMBER = "toNumber"
TO_BOOLEAN = "toBoolean"


def conversion(cx: Context, expr: core.Convert) -> ts.TsExpr:
    """The value of `expr`; conversions of outputs are only casts here, as lowering puts all others inside applies."""
    value = translate(cx, expr.value)
    if is_checked(expr.value):
        return value
    source, target = ty.resolve(expr.value.type), ty.resolve(expr.type)
    if not is_eventual(expr.value.type):
        if expr.unset is not None:
            cx = cx.demanding(expr.unset)
        elif cx.is_promised(expr.value) or (expr.narrowed and not expr.hidden and _is_followed(cx, expr.value, value)):
            source = ty.without_none(source)  # TypeScript follows comparisons of names, and believes the published types
        return convert(cx, value, source, target)
    if ty.is_optional(source) and not ty.is_optional(target) and source is not ty.DYNAMIC and not cx.is_promised(expr.value):
        value = definite(translate_output(cx, expr.value), expr.value)
    return cast(cx, expr.value, value, plain_type(cx.imports, target)) if needs_cast(source, target) else value


def unconverted(value: core.Expr) -> core.Expr:
    """Return the value under conversions that TypeScript does not write."""
    while isinstance(value, core.Convert) and fits(ty.resolve(value.value.type), ty.resolve(value.type)):
        value = value.value
    return value


def choices(value: core.Expr) -> Iterator[core.Expr]:
    """Yield the values that conditionals, attempts and indexes of literals choose from."""
    match value:
        case core.Conditional():
            yield from choices(value.then)
            yield from choices(value.otherwise)
        case core.Call() if value.function.name == "try":
            for attempt in value.args:
                yield from choices(attempt)
        case core.Index() if (values := _literal_list(value.source)) is not None:
            for element in values.elements:
                yield from choices(element)
        case core.Index(source=core.ObjectExpr() as members):
            for item in members.items:
                yield from choices(item.value)
        case _:
            yield value


def _literal_list(value: core.Expr) -> core.ListExpr | None:
    """Return the list literal that TypeScript writes for `value`: a loop that passes on its elements is the literal."""
    if isinstance(value, core.For) and value.result_key is None and value.condition is None:
        is_same = isinstance(value.result, core.Ref) and value.result.symbol is value.value
        return _literal_list(value.collection) if is_same else None
    return value if isinstance(value, core.ListExpr) else None


def argument(cx: Context, expr: core.Expr) -> ts.TsExpr:
    """An argument, checked to be whole if necessary: functions of JavaScript accept a fraction for a whole number."""
    node = translate(cx, expr)
    is_number = isinstance(expr, core.Convert) and expr.type is ty.INT and ty.resolve(expr.value.type) is ty.NUMBER
    passed_on = node.value if isinstance(node, ts.NonNull) else node
    return ts.Call(ts.Helper(WHOLE_NUMBER), (node,)) if is_number and isinstance(passed_on, ts.Name | ts.Member) else node


def is_text_of_any(value: core.Expr) -> bool:
    """Return whether `value` may be the text of a value of type `any`: its methods have results of type `any`, too."""
    if isinstance(value, core.Call) and value.function.name == "join":
        return is_text_of_any(value.args[1])
    texts = (choice.value for choice in choices(value) if isinstance(choice, core.Convert))
    return any(ty.resolve(text.type) is ty.DYNAMIC for text in texts)


def have_no_common_type(values: Iterable[core.Expr], candidates: Iterable[core.Expr] = ()) -> bool:
    """Return whether no type of `candidates`, or else of `values`, is one that all `values` fit. Null fits any type."""
    types = _plain_types(values)
    return bool(types) and not any(all(fits(t, common) for t in types) for common in _plain_types(candidates) or types)


def chooses_unlike_outputs(value: core.Expr) -> bool:
    """Return whether a branch is an output and no such branch has a type that all branches fit.

    TypeScript looks only for the type of the output.
    """
    branches = tuple(choices(value))
    outputs = [branch for branch in branches if surely_output(branch)]
    types = (ty.without_none(ty.resolve(output.type)) for output in outputs)
    if len(branches) > 1 and any(isinstance(t, ty.ObjectType) and t.lacking for t in types):
        return True  # an element of unlike objects, which TypeScript gives each its own type
    return bool(outputs) and have_no_common_type(branches, outputs)


def _plain_types(values: Iterable[core.Expr]) -> AbstractSet[ty.Type]:
    return {ty.without_none(ty.resolve(unconverted(value).type)) for value in values} - {ty.NONE}


def chooses_unlike_maps(value: core.Expr) -> bool:
    """Return whether a plain map is chosen from maps and objects of which TypeScript infers no common element type."""
    if is_eventual(value.type) or not isinstance(ty.without_none(value.type), ty.MapType):
        return False
    elements = {element for choice in choices(value) if (element := _element_of_choice(choice)) is not None}
    return any(not fits(a, b) for a in elements for b in elements)


def chooses_unlike_literals(value: core.Expr) -> bool:
    """Return whether an object is chosen from literals of different members, all of one type: its type is that of a map."""
    if is_eventual(value.type) or not any(isinstance(unconverted(choice), core.ObjectExpr) for choice in choices(value)):
        return False
    t = ty.without_none(ty.resolve(value.type))
    return isinstance(t, ty.MapType) or (isinstance(t, ty.ObjectType) and is_map_of_one_type(t))


def chooses_unlike_lists(value: core.Expr) -> bool:
    """Return whether plain lists are chosen that hold different objects: TypeScript infers no common type for them."""
    return not is_eventual(value.type) and _are_unlike_lists(ty.resolve(value.type), tuple(choices(value)))


def _are_unlike_lists(common: ty.Type, values: Sequence[core.Expr]) -> bool:
    """Return whether `values`, of the common type `common`, are such lists, or objects with such lists in one member."""
    plain = ty.without_none(common)
    if isinstance(plain, ty.ListType | ty.TupleType):
        inferred = {t for value in values if isinstance(t := _inferred(value), ty.ListType | ty.TupleType)}
        return _holds_lacking(element_type(plain)) and any(not fits(a, b) for a in inferred for b in inferred)
    if not isinstance(plain, ty.ObjectType):
        return False
    members: dict[str, list[core.Expr]] = {}
    for value in map(unconverted, values):
        for item in value.items if isinstance(value, core.ObjectExpr) else ():
            if isinstance(item.key, core.Literal):
                members.setdefault(str(item.key.value), []).extend(choices(item.value))
    return any(_are_unlike_lists(ty.resolve(plain.members[name]), chosen) for name, chosen in members.items())


def _inferred(value: core.Expr) -> ty.Type:
    """Return the type that TypeScript infers for a list."""
    value = unconverted(value)
    if not isinstance(value, core.ListExpr):
        return ty.without_none(ty.resolve(value.type))
    return ty.list_of(unify_elements(map(_inferred, value.elements))) if value.elements else ty.NONE


def _holds_lacking(t: ty.Type) -> bool:
    """Return whether elements of a list, at any depth, may be objects that may lack members."""
    plain = ty.without_none(ty.resolve(t))
    while isinstance(plain, ty.ListType | ty.TupleType):
        plain = ty.without_none(ty.resolve(element_type(plain)))
    kinds = plain.members if isinstance(plain, ty.UnionType) else (plain,)
    return any(isinstance(kind, ty.ObjectType) and kind.lacking for kind in kinds)


def _element_of_choice(choice: core.Expr) -> ty.Type | None:
    """Return the type of the elements that TypeScript infers; None for null."""
    choice = unconverted(choice)
    if isinstance(choice, core.ObjectExpr) and choice.items:
        return member_type(unconverted(item.value).type for item in choice.items)
    plain = ty.without_none(ty.resolve(choice.type))
    return None if plain is ty.NONE else plain.element if isinstance(plain, ty.MapType) else _element(plain)


def _is_followed(cx: Context, expr: core.Expr, value: ts.TsExpr) -> bool:
    """Return whether TypeScript follows a condition that has shown `expr`, translated to `value`, not to be null."""
    if isinstance(value, ts.Member):
        return not value.optional and path_of(expr) in cx.present
    return isinstance(value, ts.Name) and not (isinstance(expr, core.Ref) and expr.symbol in cx.unseen)


def cast(cx: Context, expr: core.Expr, value: ts.TsExpr, target: ts.TsType) -> ts.As:
    """The `value` of `expr` as a `target`, or as an output of a `target`."""
    if not is_eventual(expr.type):
        return ts.As(value, target)
    wrapper = "Output" if surely_output(expr) and not is_input(cx, expr) else "Input"
    return ts.As(value, cx.imports.pulumi_type(wrapper, target))


def convert(cx: Context, value: ts.TsExpr, source: ty.Type, target: ty.Type) -> ts.TsExpr:
    """A resolved `value` of type `source` as a `target`."""
    if ty.is_optional(source) and source is not ty.DYNAMIC:
        if not ty.is_optional(target):
            there = _present(cx, value)
            # The only value of `NONE` is null, so the check for its presence is the full conversion.
            return there if source is ty.NONE else convert(cx, there, ty.without_none(source), target)
        return _convert_optional(cx, value, ty.without_none(source), ty.without_none(target))
    if source is ty.DYNAMIC and ty.without_none(target) in (ty.STRING, ty.ID):
        if cx.tried and not ty.is_optional(target):
            return ts.Call(ts.Helper("textOf", TEXT_OF_SCALAR), (value,))  # fails for a list, which has a text in JavaScript
        return ts.Call(ts.Member(value, "toString", ty.is_optional(target)), ())
    if cx.unset is not None and ty.loses_null(target, source):
        value = _present(cx, value)
    if source is ty.DYNAMIC and ty.without_none(target) in (ty.INT, ty.NUMBER):
        return ts.Call(ts.Helper(TO_NUMBER), (value,))
    target = ty.without_none(target)
    if source is ty.DYNAMIC and target is ty.BOOL:
        return ts.Call(ts.Helper(TO_BOOLEAN), (value,))
    passed_on = value.value if isinstance(value, ts.NonNull) else value
    if source is ty.NUMBER and target is ty.INT and not isinstance(passed_on, ts.Name | ts.Member):
        # A fraction in a forwarded value is visible to the user; in a computed value it would go unnoticed.
        return ts.Call(ts.Helper(WHOLE_NUMBER), (value,))
    if fits(source, target) and not _holds_null(source, target):
        return ts.As(value, plain_type(cx.imports, target)) if needs_cast(source, target) else value
    if isinstance(target, ty.EnumType | ty.ConstType):
        return ts.As(convert(cx, value, source, target.base), plain_type(cx.imports, target))
    if isinstance(target, ty.UnionType):
        return _to_union(cx, value, source, target)
    if isinstance(source, ty.UnionType) and isinstance(target, ty.ListType | ty.MapType | ty.ObjectType | ty.NominalType):
        return _of_one_kind(cx, value, source, target)
    if isinstance(target, ty.ListType):
        return _to_list(cx, value, source, target.element)
    if isinstance(target, ty.TupleType) and isinstance(source, ty.TupleType):
        return _to_tuple(cx, value, source, target)
    if isinstance(target, ty.MapType):
        return _to_map(cx, value, source, target.element)
    if isinstance(target, ty.ObjectType | ty.NominalType):
        return _to_object(cx, value, source, target)
    return _to_scalar(value, source, target)


def _present(cx: Context, value: ts.TsExpr) -> ts.TsExpr:
    """`value`, which is not null here: a helper or the program checks it."""
    if cx.unset is None:
        return ts.NonNull(value)
    return ts.Call(ts.Helper(REQUIRE_VALUE), (value, ts.Text(cx.unset)))


def _convert_optional(cx: Context, value: ts.TsExpr, source: ty.Type, target: ty.Type) -> ts.TsExpr:
    if fits(source, target):
        if not needs_cast(source, target):
            return value
        optional = build.union(plain_type(cx.imports, target), ts.TypeName(build.UNDEFINED))
        return ts.As(value, optional)
    if build.is_path(value):
        missing = ts.Binary("==", value, ts.Constant("null"))
        return ts.Conditional(missing, build.undefined(), convert(cx, value, source, target))
    item = _item()
    missing = ts.Binary("==", ts.Name(item), ts.Constant("null"))
    inner = ts.Conditional(missing, build.undefined(), convert(cx, ts.Name(item), source, target))
    return ts.Call(build.arrow([item], inner), (value,))


def _to_union(cx: Context, value: ts.TsExpr, source: ty.Type, target: ty.UnionType) -> ts.TsExpr:
    for member in target.members:
        if fits(source, member):
            return convert(cx, value, source, member)
    if isinstance(source, ty.UnionType) and build.is_path(value) and _has_structures(source, target):
        is_structure = ts.Binary("===", ts.Unary("typeof ", value), ts.Text("object"))
        return ts.Conditional(is_structure, value, text_of(value, ty.union_of(_scalars(source))))
    return convert(cx, value, source, target.members[0])


def _has_structures(source: ty.UnionType, target: ty.UnionType) -> bool:
    """Return whether some members of `source` are lists or objects of `target`, and the others become texts."""
    scalars = _scalars(source)
    structures = [member for member in source.members if member not in scalars]
    are_whole = bool(structures) and all(any(fits(value, member) for member in target.members) for value in structures)
    has_others = any(fits(scalar, member) for scalar in scalars if scalar is not ty.STRING for member in target.members)
    return are_whole and ty.STRING in target.members and not has_others


def _scalars(t: ty.UnionType) -> Sequence[ty.Type]:
    return [member for member in t.members if isinstance(member, ty.PrimitiveType | ty.ConstType | ty.EnumType)]


def _of_one_kind(cx: Context, value: ts.TsExpr, source: ty.UnionType, target: ty.Type) -> ts.TsExpr:
    """The member of `source` that can be a `target`; different object types count as one member."""
    if isinstance(target, ty.ObjectType | ty.NominalType) and all(
        isinstance(member, ty.ObjectType) for member in source.members
    ):
        return _to_object(cx, value, unify_elements(source.members), target)
    match_ = next((member for member in source.members if conversion_between(target, member) is not Conversion.NONE), None)
    if match_ is None or match_ is ty.DYNAMIC:
        return ts.As(value, ts.TypeName("any"))
    return convert(cx, ts.As(value, plain_type(cx.imports, match_)), match_, target)


def _to_scalar(value: ts.TsExpr, source: ty.Type, target: ty.Type) -> ts.TsExpr:
    base = source.base if isinstance(source, ty.EnumType | ty.ConstType) else source
    if target in (ty.STRING, ty.ID):
        return text_of(value, base)
    if target in (ty.INT, ty.NUMBER):
        if base in (ty.INT, ty.NUMBER):
            return value
        if target is ty.INT and base is ty.BOOL:
            value = ts.As(value, ts.TypeName("any"))  # which the helper refuses
        elif target is ty.INT and isinstance(base, ty.UnionType) and not {*base.members} <= {ty.INT, ty.NUMBER, ty.STRING}:
            value = ts.Call(ts.Helper(TO_NUMBER), (value,))
        return ts.Call(ts.Helper(WHOLE_NUMBER if target is ty.INT else TO_NUMBER), (value,))
    if target is ty.BOOL:
        return ts.Call(ts.Helper(TO_BOOLEAN), (value,))
    return value


def text_of(value: ts.TsExpr, source: ty.Type) -> ts.TsExpr:
    """The text of a plain `value`, without an exponent for a number. A list or an object has none."""
    if isinstance(source, ty.UnionType) and any(isinstance(member, STRUCTURES) for member in source.members):
        return ts.Call(ts.Helper("textOf", TEXT_OF_SCALAR), (value,))
    helper = ts.Helper("textOf") if may_have_exponent(source) else ts.Global("String")
    return ts.Call(helper, (value,))


def may_have_exponent(t: ty.Type) -> bool:
    """Return whether JavaScript may write a number with an exponent (`1e-7`)."""
    plain = ty.without_none(ty.resolve(t))
    return plain is ty.NUMBER or (isinstance(plain, ty.UnionType) and ty.NUMBER in plain.members)


def _item() -> ts.Variable:
    return ts.Variable(("item",))


def _element(source: ty.Type) -> ty.Type:
    if isinstance(source, ty.ListType | ty.MapType):
        return source.element
    if isinstance(source, ty.TupleType):
        return ty.union_of(source.elements)
    return ty.union_of(members_of(source).values())


def _to_list(cx: Context, value: ts.TsExpr, source: ty.Type, element: ty.Type) -> ts.TsExpr:
    if not isinstance(source, ty.ListType | ty.TupleType):
        return value
    item = _item()
    inner = convert(cx, ts.Name(item), _element(source), element)
    return build.method(value, "map", build.arrow([item], inner))


def _to_tuple(cx: Context, value: ts.TsExpr, source: ty.TupleType, target: ty.TupleType) -> ts.TsExpr:
    """Convert elements to one type by `map`, and to several types element by element."""
    element = element_type(target)
    if not isinstance(element, ty.UnionType):
        return _to_list(cx, value, source, element)
    if not build.is_path(value):
        item = ts.Name(_item())
        return ts.Call(build.arrow([item.variable], _to_tuple(cx, item, source, target)), (value,))
    pairs = enumerate(zip(source.elements, target.elements, strict=True))
    is_mixed = len({ty.resolve(have) for have in source.elements}) > 1
    elements: list[ts.TsExpr] = []
    for at, (have, want) in pairs:
        part = ts.Element(value, ts.Number(str(at)))
        elements.append(convert(cx, ts.As(part, literal_type(cx.imports, have)) if is_mixed else part, have, want))
    return ts.Array(tuple(elements))


def _to_map(cx: Context, value: ts.TsExpr, source: ty.Type, element: ty.Type) -> ts.TsExpr:
    key, item = ts.Variable(("key",)), _item()
    pair = ts.Array((ts.Name(key), convert(cx, ts.Name(item), _element(source), element)))
    pairs = ts.Arrow(pattern([key, item]), pair)
    return build.call("Object", "fromEntries", build.method(build.call("Object", "entries", value), "map", pairs))


def _to_object(cx: Context, value: ts.TsExpr, source: ty.Type, target: ty.ObjectType | ty.NominalType) -> ts.TsExpr:
    """The object with its converted members replaced."""
    have, targets = members_of(source), members_of(target)
    if is_resource(target) or isinstance(source, ty.MapType) or not have:
        return ts.As(value, plain_type(cx.imports, target))
    if not build.is_path(value):
        item = ts.Name(_item())
        inner = _to_object(cx, item, source, target)
        if inner is item:
            return value
        argument = ts.As(value, plain_type(cx.imports, source)) if _lacks_member(value, have) else value
        return ts.Call(build.arrow([item.variable], inner), (argument,))
    changed: list[ts.Property | ts.Spread] = [ts.Spread(value)]
    keeps_type = True
    for name, want in targets.items():
        if have.get(name) is ty.NONE:
            if want is not ty.NONE:
                changed.append(ts.Property(name, build.undefined()))
        elif name in have and (not fits(have[name], want) or needs_cast(have[name], want)):
            member = ts.Member(value, name)
            there = source.lacking.get(name) if isinstance(source, ty.ObjectType) else None
            entry = ts.Property(name, convert(cx, member, have[name] if there is None else there, want))
            changed.append(entry if there is None else _if_there(member, entry))
            keeps_type = keeps_type and there is None
    if len(changed) == 1:
        return value
    node = ts.Object(tuple(changed))
    return node if keeps_type else ts.As(node, plain_type(cx.imports, target))  # a spread adds its type to the member's


def _lacks_member(value: ts.TsExpr, members: Iterable[str]) -> bool:
    """Return whether a literal lacks one of the members of its type."""
    if not isinstance(value, ts.Object):
        return False
    written = {member.key if isinstance(member, ts.Property) else None for member in value.properties}
    return None not in written and not written.issuperset(members)


def _if_there(member: ts.TsExpr, entry: ts.Property) -> ts.Spread:
    """`...(item.tags === undefined ? {} : { … })`: an absent member stays absent."""
    is_missing = ts.Binary("===", member, build.undefined())
    return ts.Spread(ts.Conditional(is_missing, ts.Object(()), ts.Object((entry,))))


def _holds_null(source: ty.Type, target: ty.Type) -> bool:
    """Return whether an object has a null member, which is `undefined` in an object of a package."""
    return isinstance(source, ty.ObjectType) and isinstance(target, ty.NominalType) and ty.NONE in source.members.values()


def definite(node: ts.TsExpr, value: core.Expr) -> ts.TsExpr:
    """`output.apply((x) => x!)`: for TypeScript only; an empty value stays empty at run time."""
    if isinstance(node, ts.Call) and isinstance(node.callee, ts.Member) and node.callee.name == "apply":
        function = None if isinstance(value, core.Apply) and is_eventual(value.body.type) else node.args[0]
        if isinstance(function, ts.Arrow) and not isinstance(function.body, tuple):
            return ts.Call(node.callee, (ts.Arrow(function.parameters, ts.NonNull(function.body)),))
    there = ts.Variable((names.variable(value.name) if isinstance(value, core.Attr) else "value",))
    return build.method(node, "apply", build.arrow([there], ts.NonNull(ts.Name(there))))


def needs_cast(source: ty.Type, target: ty.Type) -> bool:
    """Return whether TypeScript refuses a valid value: a text in place of an enum member or a constant."""
    return _needs_cast(ty.without_none(ty.resolve(source)), ty.without_none(ty.resolve(target)), 0)


def _needs_cast(source: ty.Type, target: ty.Type, depth: int) -> bool:
    if source is target or target is ty.DYNAMIC or source is ty.DYNAMIC or depth > 6:
        return False
    if isinstance(source, ty.UnionType):
        return any(_needs_cast(m, target, depth) for m in source.members)
    if isinstance(target, ty.UnionType):
        members = [m for m in target.members if fits(source, m)]
        return bool(members) and all(_needs_cast(source, m, depth) for m in members)
    if isinstance(target, ty.EnumType):
        return not (isinstance(source, ty.EnumType) and source.declaration is target.declaration)
    if isinstance(target, ty.ConstType):
        return not isinstance(source, ty.ConstType)
    if isinstance(target, ty.ListType) and isinstance(source, ty.ListType | ty.TupleType):
        return _needs_cast(_element(source), target.element, depth + 1)
    if isinstance(target, ty.MapType) and isinstance(source, ty.MapType | ty.ObjectType | ty.NominalType):
        return _needs_cast(_element(source), target.element, depth + 1)
    if isinstance(target, ty.ObjectType | ty.NominalType) and isinstance(source, ty.ObjectType | ty.NominalType):
        if same_declaration(source, target) or is_resource(target):
            return False
        have = members_of(source)
        targets = members_of(target)
        return any(
            _needs_cast(ty.without_none(have[n]), ty.without_none(w), depth + 1) for n, w in targets.items() if n in have
        )
    return False
