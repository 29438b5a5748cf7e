"""Resources, reads and component uses: bodies, ranges and options (language.md, Resources; Components; Options)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pclgen.bind import literals, optionvalues
from pclgen.bind.coerce import fit, invalid
from pclgen.bind.collections import omitted_constants
from pclgen.bind.comments import comments_of, lines_of
from pclgen.bind.constraints import kept
from pclgen.bind.context import Context, Want
from pclgen.bind.literals import static_text
from pclgen.bind.loops import element_name
from pclgen.bind.scope import Item, ItemKind, RangeEntry
from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.diagnostics import expressions, habits, structure
from pclgen.diagnostics import packages as say_packages
from pclgen.diagnostics.model import Diagnostic, Note, note
from pclgen.schema.tokens import TokenError, parse_token
from pclgen.source.text import Span
from pclgen.stdlib.options import RESOURCE_OPTIONS, OptionForm
from pclgen.syntax import ast
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, DeclarationKind, Field, ResourceDecl, Shape
from pclgen.types.rules import Rule
from pclgen.types.show import with_article
from pclgen.types.traverse import iterates_in_some_cases, iteration


class _Body(Struct, frozen=True):
    """The parts of a resource-like block."""

    attributes: Mapping[str, ast.Attribute]
    options: ast.Block | None


def _split(cx: Context, block: ast.Block, declaration: ResourceDecl | None) -> _Body:
    """Split a body into attributes and the options block; reports other and duplicate blocks."""
    options: ast.Block | None = None
    for item in block.body.items:
        if not isinstance(item, ast.Block):
            continue
        if item.type.text != "options":
            cx.report(_unexpected_block(item, block, declaration))
        elif options is not None:
            cx.report(structure.duplicate_options(item.type.span, options.type.span))
        else:
            options = item
    return _Body(literals.attributes(block.body), options)


def _unexpected_block(inner: ast.Block, block: ast.Block, declaration: ResourceDecl | None) -> Diagnostic:
    name, last = inner.type.text, inner.labels[-1].text if inner.labels else None
    field = declaration.inputs.fields(Shape.INPUT).get(name) if declaration is not None else None
    hint = _as_property(name, field) if field is not None else habits.block_help(name, last, inner=True)
    return structure.unexpected_block(name, block.type.text, ("options",), inner.type.span, hint=hint)


def _as_property(name: str, field: Field) -> str:
    """The hint for a property that was written as a block."""
    several = isinstance(ty.without_none(ty.resolve(field.type)), ty.ListType)
    return f"to set a property write {name} = {'[{ … }]' if several else '{ … }'}"


def bind_range(cx: Context, block: ast.Block) -> prog.Range | None:
    """The range of a block with the symbols in scope in its body, or None."""
    options = next((i for i in block.body.items if isinstance(i, ast.Block) and i.type.text == "options"), None)
    named = literals.attributes(options.body) if options is not None else {}
    range_option = named.get("range")
    if range_option is None:
        unknown = [name for name in named if name not in RESOURCE_OPTIONS]
        misspelt = "range" in expressions.misspelt(unknown, tuple(RESOURCE_OPTIONS)) or {"count", "for_each"} & set(unknown)
        return _unknown_range(block.head) if misspelt and not cx.lenient else None
    value = cx.synth(range_option.value)
    if value.type is not ty.ERROR:
        range_ = _make_range(cx, value)
        if range_ is not None or cx.lenient:
            return range_
    return _unknown_range(range_option.value.span)


def _unknown_range(span: Span) -> prog.Range:
    """The replacement of a range that was reported, so that its uses are not reported again."""
    item = core.Symbol(name="value", kind=core.SymbolKind.RANGE_VALUE, type=ty.ERROR, span=span)
    key = core.Symbol(name="key", kind=core.SymbolKind.RANGE_KEY, type=ty.ERROR, span=span)
    return prog.Range(kind=prog.RangeKind.LIST, value=invalid(span), key=key, item=item, span=span)


def _make_range(cx: Context, value: core.Expr) -> prog.Range | None:
    """Bool, number, list or map, tested in this order (language.md, Ranges)."""
    plain = ty.without_none(ty.resolve(value.type))
    span = value.span
    if isinstance(plain, ty.ConstType):
        plain = plain.base
    if plain is ty.BOOL:
        return prog.Range(kind=prog.RangeKind.BOOL, value=value, key=None, item=None, span=span)
    if plain in (ty.INT, ty.NUMBER):
        if plain is ty.NUMBER:
            count_type = ty.optional_of(ty.INT) if ty.is_optional(ty.resolve(value.type)) else ty.INT
            value = fit(cx, value, Want(ty.input_of(count_type)))
        index = core.Symbol(name="index", kind=core.SymbolKind.RANGE_VALUE, type=ty.INT, span=span)
        return prog.Range(kind=prog.RangeKind.NUMBER, value=value, key=index, item=index, span=span)
    way = iteration(value.type)
    if way is None:
        hint = "use a number, a bool, a list or a map"
        in_some_cases = iterates_in_some_cases(plain)
        actual = with_article(plain)
        cx.report_softly(expressions.cannot_iterate(actual, span, "ranged over", hint, in_some_cases=in_some_cases))
        return None
    key = core.Symbol(name="key", kind=core.SymbolKind.RANGE_KEY, type=way.key, span=span)
    name = element_name(cx, value, way.element, "value")
    item = core.Symbol(name=name, kind=core.SymbolKind.RANGE_VALUE, type=way.element, span=span)
    cx.definitions[item] = value
    kind = prog.RangeKind.MAP if way.keyed else prog.RangeKind.LIST
    return prog.Range(kind=kind, value=value, key=key, item=item, span=span)


def ranged_type(single: ty.Type, range_: prog.Range | None) -> ty.Type:
    """The type of the variable of a ranged node (language.md, Ranges)."""
    if range_ is None:
        return single
    if single is ty.ERROR or range_.value.type is ty.ERROR:
        return ty.ERROR
    match range_.kind:
        case prog.RangeKind.BOOL:
            result = ty.optional_of(single)
        case prog.RangeKind.NUMBER | prog.RangeKind.LIST:
            result = ty.list_of(single)
        case prog.RangeKind.MAP:
            result = ty.map_of(single)
    return ty.output_of(result) if range_.value.type.eventual else result


def _ranged_scope(cx: Context, range_: prog.Range | None) -> Context:
    if range_ is None:
        return cx
    if range_.kind is prog.RangeKind.BOOL:
        return cx if range_.value.type.eventual else cx.where(range_.value, True)
    inner = cx.where_not_empty(range_.value)
    return inner.inside(cx.scope.with_names({"range": RangeEntry(range_.key, range_.item)}))


def bind_resource(cx: Context, item: Item) -> prog.Resource:
    """`resource name token { … }` or `read name token { … }`."""
    block = item.block
    assert block is not None
    label = block.labels[1]
    declaration = _declaration(cx, label, item)
    body = _split(cx, block, declaration)
    range_ = bind_range(cx, block)
    inner = _ranged_scope(cx, range_)
    inputs, read_id = _inputs(inner, block, body, declaration, item=item)
    properties = _path_properties(declaration)
    owner = label.text
    options = _options(cx, inner, body.options, owner, properties=properties)
    comments, closing = _around(block, _closing(block, body, options), inputs)
    return prog.Resource(
        symbol=_symbol(cx, item, declaration, range_),
        logical_name=literals.logical_name(cx, body.attributes, item.name),
        token=declaration.token if declaration is not None else label.text,
        declaration=declaration,
        inputs=inputs,
        options=options,
        range=range_,
        read_id=read_id,
        span=block.span,
        name_span=item.name_span,
        comments=comments,
        closing=closing,
    )


def _symbol(cx: Context, item: Item, declaration: ResourceDecl | None, range_: prog.Range | None) -> core.Symbol:
    single = _undeclared(cx)
    if declaration is not None:
        single = ty.nominal_of(declaration.outputs, Shape.OUTPUT, declaration)
    return core.Symbol(name=item.name, kind=core.SymbolKind.RESOURCE, type=ranged_type(single, range_), span=item.name_span)


def _undeclared(cx: Context) -> ty.Type:
    """The type of a resource whose declaration is missing; the missing declaration was reported."""
    return ty.DYNAMIC if cx.lenient else ty.ERROR


def _declaration(cx: Context, label: ast.Label, item: Item) -> ResourceDecl | None:
    assert item.block is not None
    is_malformed = isinstance(parse_token(label.text), TokenError)
    hint = habits.token_help(item.block.labels[0].text, label.text, cx.packages.nearest) if is_malformed else None
    token = cx.packages.token(label.text, label.span, hint=hint)
    if token is None:
        return None
    declaration = cx.packages.resource(token, label.span)
    if declaration is None:
        return None
    if item.kind is ItemKind.READ and (declaration.is_provider or declaration.is_component):
        kind = "provider" if declaration.is_provider else "component"
        cx.report(say_packages.not_readable(kind, label.span))
    if declaration.deprecated:
        cx.report(expressions.deprecated(label.text, declaration.deprecated, label.span))
    return declaration


def _path_properties(declaration: ResourceDecl | None) -> Mapping[str, ty.Type] | None:
    """Names that property paths may start with: inputs and outputs."""
    if declaration is None:
        return None
    outputs = {name: field.type for name, field in declaration.outputs.fields(Shape.OUTPUT).items()}
    inputs = {name: field.type for name, field in declaration.inputs.fields(Shape.INPUT).items()}
    return {**outputs, **inputs}


def _inputs(
    cx: Context, block: ast.Block, body: _Body, declaration: ResourceDecl | None, *, item: Item
) -> tuple[tuple[prog.Input, ...], core.Expr | None]:
    """The inputs of a resource, or the look-up state and the id of a read."""
    written = {name: a for name, a in body.attributes.items() if name != literals.LOGICAL_NAME}
    read_id: core.Expr | None = None
    if item.kind is ItemKind.READ:
        read_id = _read_id(cx, written.pop("id", None), block)
    if declaration is None:
        return _untyped_inputs(cx, written), read_id
    shape = declaration.state if item.kind is ItemKind.READ else declaration.inputs
    fields = {name: f for name, f in shape.fields(Shape.INPUT).items() if read_id is None or name != "id"}
    owner = block.labels[1].text
    return _checked_inputs(cx, block, written, fields, owner=owner), read_id


def _read_id(cx: Context, attribute: ast.Attribute | None, block: ast.Block) -> core.Expr:
    if attribute is None:
        cx.report(expressions.missing_property(["id"], "a read", block.open_brace))
        return core.Literal(value="", type=ty.ERROR, span=block.span)
    why = (note("`id` identifies the existing resource"),)
    return cx.check(attribute.value, Want(ty.input_of(ty.ID), why))


def _untyped_inputs(cx: Context, attributes: Mapping[str, ast.Attribute]) -> tuple[prog.Input, ...]:
    return tuple(
        [
            prog.Input(
                name=name,
                field=None,
                value=cx.synth(a.value),
                span=a.span,
                comments=comments_of(a.leading, a.trailing),
            )
            for name, a in attributes.items()
        ]
    )


def _checked_inputs(
    cx: Context, block: ast.Block, attributes: Mapping[str, ast.Attribute], fields: Mapping[str, Field], *, owner: str
) -> tuple[prog.Input, ...]:
    inputs: list[prog.Input] = []
    policies = _policies(cx, block, fields)
    for name, a in attributes.items():
        field = fields.get(name)
        if field is None:
            names = tuple(fields)
            hint = habits.property_help(name, RESOURCE_OPTIONS)
            cx.report_softly(expressions.unknown_property(name, owner, names, a.name.span, hint=hint))
            value = cx.synth(a.value)
        else:
            if field.deprecated:
                cx.report(expressions.deprecated(f"`{name}` of {owner}", field.deprecated, a.name.span))
            reason = _field_reason(name, owner, field)
            value = cx.check(a.value, Want(field.type, reason))
            where = f"{block.type.text} {block.labels[0].text}, input {name}"
            value = kept(cx, value, field.rule, where, because=reason, type_=field.type)
            value = kept(cx, value, policies.get(name), where, because=_OF_POLICY)
        comments = comments_of(a.leading, a.trailing)
        inputs.append(prog.Input(name=name, field=field, value=value, span=a.span, comments=comments))
    written = {*attributes, *(inner.type.text for inner in block.body.items if isinstance(inner, ast.Block))}
    meant = expressions.misspelt((name for name in attributes if name not in fields), tuple(fields))
    missing = [name for name, field in fields.items() if field.required and name not in written and name not in meant]
    if missing:
        places = [note(f"`{name}` is declared here", fields[name].declared_at) for name in missing]
        notes = [place for place in places if place.span is not None]
        cx.report_softly(expressions.missing_property(missing, owner, block.open_brace, notes=notes))
    place = block.open_brace
    for field, value in omitted_constants(cx, fields, written, place):
        inputs.append(prog.Input(name=field.name, field=field, value=value, span=place, comments=core.NO_COMMENTS))
    return tuple(inputs)


_OF_POLICY = (note("the policy of the project asks for it"),)


def _policies(cx: Context, block: ast.Block, fields: Mapping[str, Field]) -> Mapping[str, Rule]:
    """The policy rules for the inputs of a resource; reports rules for unknown inputs."""
    policy = cx.packages.store.policy
    if policy is None or block.type.text != "resource":
        return {}
    label = block.labels[1]
    rules = policy.of(label.text)
    unknown = next((name for name in rules if name not in fields), None)
    if unknown is not None:
        cx.report(structure.policy_for_nothing(unknown, label.text, tuple(fields), label.span))
    return rules


def _field_reason(name: str, owner: str, field: Field) -> tuple[Note, ...]:
    """The reason for an expected type: the declaration, with the first sentence of its documentation."""
    reason = f"`{name}` of {owner} is {with_article(ty.resolve(field.type))}"
    doc = first_sentence(field.doc)
    if doc:
        reason += f": {doc[:100].rstrip()}{'…' if len(doc) > 100 else ''}"
    return (note(reason, field.declared_at),)


def first_sentence(doc: str) -> str:
    """The first sentence of Markdown, which may span several lines."""
    if not doc:
        return ""
    text = " ".join(re.split(r"\n\s*\n", doc.strip(), maxsplit=1)[0].split())
    sentence = re.match(r".+?(?<!e\.g)(?<!i\.e)[.!?](?= [A-Z`]|$)", text)
    return sentence[0] if sentence else text


def _options(
    cx: Context,
    inner: Context,
    block: ast.Block | None,
    owner: str,
    *,
    properties: Mapping[str, ty.Type] | None,
) -> tuple[core.Option, ...]:
    """The checked options, without the range.  `range` is in scope unless the program defines that name."""
    if block is None:
        return ()
    place = cx if cx.scope.find("range") is not None else inner
    checked: list[core.Option] = []
    for item in block.body.items:
        if isinstance(item, ast.Block):
            cx.report(structure.unexpected_block(item.type.text, "options", (), item.type.span))
            continue
        name = item.name.text
        spec = RESOURCE_OPTIONS.get(name)
        if spec is None:
            cx.report(structure.unknown_option(name, tuple(RESOURCE_OPTIONS), item.name.span))
            continue
        if spec.form is OptionForm.RANGE:
            continue
        if spec.form is OptionForm.PATHS:
            value = optionvalues.check_paths(place, spec, item.value, owner, properties=properties)
        else:
            value = optionvalues.check_option(place, spec, item.value)
        if value is not None:
            comments = comments_of(item.leading, item.trailing)
            checked.append(core.Option(name=name, value=value, span=item.span, comments=comments))
    optionvalues.check_parent(cx, checked)
    above = (*lines_of(block.leading), *lines_of(block.header))
    if above and checked:
        first = checked[0]
        moved = core.Comments(leading=(*above, *first.comments.leading), trailing=first.comments.trailing)
        checked[0] = replace(first, comments=moved)
    return tuple(checked)


def _closing(block: ast.Block, body: _Body, options: tuple[core.Option, ...]) -> tuple[str, ...]:
    """The comments at the end of a body, including those of the name, the id, the range, and the end of `options`."""
    lines: list[str] = []
    no_inputs = {"read": "id", "component": "token" if len(block.labels) == 1 else ""}
    for name in (literals.LOGICAL_NAME, no_inputs.get(block.type.text, "")):
        lines.extend(_comments(body.attributes.get(name)))
    if body.options is not None:
        if not options:
            lines.extend((*lines_of(body.options.leading), *lines_of(body.options.header)))
        for item in body.options.body.items:
            if isinstance(item, ast.Attribute) and item.name.text == "range":
                lines.extend(_comments(item))
        lines.extend((*lines_of(body.options.body.closing), *lines_of(body.options.trailing)))
    lines.extend(lines_of(block.body.closing))
    return tuple(lines)


def _around(
    block: ast.Block, closing: tuple[str, ...], inputs: Sequence[prog.Input]
) -> tuple[core.Comments, tuple[str, ...]]:
    """The comments around a block and at the end of its inputs; without inputs, the latter move above the block."""
    comments = literals.block_comments(block)
    if inputs or not closing:
        return comments, closing
    return core.Comments(leading=(*comments.leading, *closing), trailing=comments.trailing), ()


def _comments(attribute: ast.Attribute | None) -> tuple[str, ...]:
    return (*lines_of(attribute.leading), *lines_of(attribute.trailing)) if attribute is not None else ()


def bind_component_use(
    cx: Context, item: Item, component: prog.Component | None, *, symbol: core.Symbol, range_: prog.Range | None
) -> prog.ComponentUse:
    """`component name source { … }`; `component` is None without a source, or after a report of its directory."""
    block = item.block
    assert block is not None
    body = _split(cx, block, None)
    inner = _ranged_scope(cx, range_)
    written = {name: a for name, a in body.attributes.items() if name != literals.LOGICAL_NAME}
    token = _component_token(cx, written, block)
    if component is None:
        inputs = _untyped_inputs(inner, written)
        properties = None
    else:
        fields = component.inputs.fields(Shape.INPUT)
        checked = _checked_inputs(inner, block, written, fields, owner=f"component {component.name}")
        # Lenient mode omits unknown inputs: unlike the schema of a resource, the source of a component is complete.
        inputs = tuple([input_ for input_ in checked if input_.field is not None])
        properties = {name: field.type for name, field in fields.items()}
    options = _options(cx, inner, body.options, f"component {item.name}", properties=properties)
    comments, closing = _around(block, _closing(block, body, options), inputs)
    return prog.ComponentUse(
        symbol=symbol,
        logical_name=literals.logical_name(cx, body.attributes, item.name),
        component=component,
        token=token,
        inputs=inputs,
        options=options,
        range=range_,
        span=block.span,
        name_span=item.name_span,
        comments=comments,
        closing=closing,
        source=block.labels[1].text if len(block.labels) > 1 else "",
    )


def _component_token(cx: Context, attributes: dict[str, ast.Attribute], block: ast.Block) -> str:
    """The type token of a sourceless component; reports a missing or misplaced token."""
    if len(block.labels) > 1:
        return ""
    attribute = attributes.pop("token", None)
    if attribute is None:
        cx.report(structure.component_without_source(block.head))
        return ""
    text = static_text(attribute.value)
    if not text:
        cx.report(structure.not_literal("token", "string", attribute.value.span))
        return ""
    return text


def component_symbol(cx: Context, item: Item, component: prog.Component | None, range_: prog.Range | None) -> core.Symbol:
    """The symbol of a component: its outputs, per item of its range."""
    single: ty.Type = ty.DYNAMIC  # without a source its outputs are unknown
    if component is not None:
        single = ty.nominal_of(component.value, Shape.OUTPUT)
    elif item.block is not None and len(item.block.labels) > 1:
        single = _undeclared(cx)
    return core.Symbol(name=item.name, kind=core.SymbolKind.COMPONENT, type=ranged_type(single, range_), span=item.name_span)


def component_declarations(name: str, inputs: Sequence[Field], outputs: Sequence[Field]) -> tuple[Declaration, Declaration]:
    """The shapes of a component for its users: its inputs and its value."""

    def make(kind: DeclarationKind, fields: Sequence[Field]) -> Declaration:
        table = {field.name: field for field in fields}
        return Declaration(kind=kind, token=name, package=None, load=lambda _: table)

    return make(DeclarationKind.COMPONENT_INPUTS, inputs), make(DeclarationKind.COMPONENT, outputs)
