"""Types and documentation of names, as hover texts and inlay hints.

A hover text has the type of a name in PCL's notation, and its documentation. Inlay hints are the types of locals and the
names of parameters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from pclgen.core import program as prog
from pclgen.core.expr import Attr, Invoke, Ref
from pclgen.core.program import ConfigVariable, Local, Node
from pclgen.lsp.analysis import Analysis, Definition, DefinitionKind, Occurrence
from pclgen.lsp.features.expected import enum_members, inputs_of, key_of, members_of, resource_of
from pclgen.source.text import Span
from pclgen.stdlib.model import parameter_at, signature
from pclgen.stdlib.options import RESOURCE_OPTIONS
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.syntax import ast
from pclgen.syntax.walk import Tree, path_to, walk
from pclgen.types.declarations import Field, FunctionDecl, ResourceDecl, Shape
from pclgen.types.model import DYNAMIC, ERROR, Type, resolve, without_none
from pclgen.types.show import show, show_value

_SHORTCODE = re.compile(r"\{\{%.*?%\}\}", re.DOTALL)
_EXAMPLES = re.compile(r"\{\{% examples %\}\}.*?\{\{% /examples %\}\}", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_LONGEST = 4000


class Hover(Struct, frozen=True, kw_only=True):
    """Markdown about the text at `span`."""

    span: Span
    text: str


def hover(analysis: Analysis, file: ast.File, offset: int) -> Hover | None:
    """Return the hover text at `offset`."""
    occurrence = analysis.names.at(file.source, offset)
    if occurrence is not None:
        return Hover(span=occurrence.span, text=_name(analysis, occurrence))
    path = path_to(file, offset)
    return _in_block(analysis, path) or _in_expression(analysis, path)


def _name(analysis: Analysis, occurrence: Occurrence) -> str:
    definition = occurrence.definition
    if definition.kind in (DefinitionKind.LOOP, DefinitionKind.RANGE):
        type_ = type_at(analysis, definition)
        return page(f"{definition.kind} {definition.name}" + (f": {show(type_)}" if type_ is not None else ""))
    if definition.kind is DefinitionKind.TYPE and isinstance(definition.item, ast.Block):
        return page(f'type "{definition.name}" {definition.item.labels[1].span.text}', doc=comment(definition.item))
    node = node_of(analysis, definition)
    return _node(definition, node)


def type_at(analysis: Analysis, definition: Definition) -> Type | None:
    """Return the type of a loop variable, from an occurrence that reads it."""
    for occurrence in analysis.names.all_of(definition):
        bound = analysis.expression(occurrence.span)
        if bound is not None:
            return bound.symbol.type if isinstance(bound, Ref) else bound.type
    return None


def node_of(analysis: Analysis, definition: Definition) -> prog.Node | None:
    """Return the bound node of a top-level declaration."""
    for node in analysis.nodes.get(definition.name, ()):
        if isinstance(node, prog.OutputVariable) is (definition.kind is DefinitionKind.OUTPUT):
            return node
    return None


def _node(definition: Definition, node: prog.Node | None) -> str:
    above = comment(definition.item)
    match node:
        case prog.ConfigVariable():
            words = ["secret"] if node.secret else []
            head = " ".join([*words, f"config {definition.name}: {show(node.type)}"])
            return page(head, doc=node.description or above)
        case prog.OutputVariable():
            return page(f"output {definition.name}: {show(node.type)}", doc=node.description or above)
        case prog.Local():
            return page(f"{definition.name}: {show(node.symbol.type)}", doc=above)
        case prog.Resource():
            declared = node.declaration
            head = f'resource {definition.name} "{node.token}"'
            doc = "\n\n".join(part for part in (above, declared.doc if declared is not None else "") if part)
            return page(head, doc=doc, deprecated=declared.deprecated if declared is not None else "")
        case prog.ComponentUse():
            return page(f'component {definition.name} "{node.source or node.token}"', doc=above)
        case _:
            return page(f"{definition.kind} {definition.name}", doc=above)


def _in_block(analysis: Analysis, path: Sequence[Tree]) -> Hover | None:
    """Return the hover text of a block's token, inputs or options."""
    match path:
        case [ast.Block() as block, ast.Label() as label]:
            resource = resource_of(analysis, block)
            return None if resource is None else Hover(span=label.span, text=resource_page(resource))
        case [ast.Block() as block, ast.Body(), ast.Attribute() as attribute, ast.Name() as name] if name is attribute.name:
            field = inputs_of(analysis, block).get(name.text)
            return None if field is None else Hover(span=name.span, text=field_page(field))
        case [ast.Block(), ast.Body(), ast.Block() as inner, ast.Body(), ast.Attribute() as attribute, ast.Name() as name]:
            option = RESOURCE_OPTIONS.get(name.text)
            if inner.type.text != "options" or name is not attribute.name or option is None:
                return None
            return Hover(span=name.span, text=page(f"option {name.text}", doc=option.doc))
        case _:
            return None


def _in_expression(analysis: Analysis, path: Sequence[Tree]) -> Hover | None:
    match path:
        case [*_, ast.GetAttr() as access, ast.Name() as name]:
            bound = analysis.expression(access.span)
            if isinstance(bound, Attr) and bound.field is not None:
                return Hover(span=name.span, text=field_page(bound.field, bound.type))
            return None if bound is None else Hover(span=name.span, text=page(f"{name.text}: {show(bound.type)}"))
        case [*_, ast.Call() as call, ast.Name() as name] if name is call.name:
            function = FUNCTIONS.get(name.text)
            if function is not None:
                return Hover(span=name.span, text=page(signature(function), doc=function.doc))
            return None
        case [*_, ast.ObjectExpr(), ast.ObjectItem(), ast.BareKey() | ast.ExprKey()]:
            return _key(analysis, path)
        case [*_, ast.ObjectExpr(), ast.ObjectItem(), ast.ExprKey(), ast.Template(), ast.TemplateText()]:
            return _key(analysis, path[:-2])
        case [*_, ast.Call() as call, ast.Template() as text, ast.TemplateText()] if call.args and call.args[0] is text:
            bound = analysis.expression(call.span)
            function_of = bound.function if isinstance(bound, Invoke) else None
            return None if function_of is None else Hover(span=text.span, text=function_page(function_of))
        case _:
            return None


def _key(analysis: Analysis, path: Sequence[Tree]) -> Hover | None:
    """Return the hover text of the object member whose key ends `path`."""
    value, item, key = path[-3:]
    if not isinstance(value, ast.ObjectExpr) or not isinstance(item, ast.ObjectItem) or key is not item.key:
        return None
    field = members_of(analysis, path, value).get(key_of(item) or "")
    return None if field is None else Hover(span=item.key.span, text=field_page(field))


def resource_page(resource: ResourceDecl) -> str:
    """Return the schema documentation of a resource type."""
    return page(f'resource "{resource.token}"', doc=resource.doc, deprecated=resource.deprecated)


def function_page(function: FunctionDecl) -> str:
    """Return the schema documentation of a function."""
    inputs = function.inputs.fields(Shape.PLAIN) if function.inputs is not None else {}
    parameters = ", ".join(f"{name}: {show(field.type)}" for name, field in inputs.items())
    result = f" -> {show(function.result)}" if function.result is not None else ""
    return page(f'invoke("{function.token}", {{{parameters}}}){result}', doc=function.doc, deprecated=function.deprecated)


def field_page(field: Field, type_: Type | None = None) -> str:
    """Return the schema documentation of a property."""
    words = [word for word, holds in (("required", field.required), ("secret", field.secret)) if holds]
    head = f"{field.name}: {show(without_none(resolve(field.type)) if type_ is None else type_)}"
    choices = [show_value(member.value) for member in enum_members(field.type)]
    facts = [f"*{', '.join(words)}*"] if words else []
    facts += [f"One of {', '.join(f'`{choice}`' for choice in choices[:30])}."] if choices else []
    facts += [f"Default: `{show_value(field.default)}`."] if field.default is not None else []
    return page(head, doc="\n\n".join([*facts, field.doc]), deprecated=field.deprecated)


def documentation(text: str) -> str:
    """Return the documentation of a schema without examples and shortcodes of the registry."""
    cleaned = _COMMENT.sub("", _SHORTCODE.sub("", _EXAMPLES.sub("", text))).strip()
    return cleaned if len(cleaned) <= _LONGEST else f"{cleaned[:_LONGEST]}…"


def code(text: str) -> str:
    """Return a fence with PCL."""
    ticks = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{ticks}pcl\n{text}\n{ticks}"


def page(head: str, *, deprecated: str = "", doc: str = "") -> str:
    """Return a declaration with its documentation."""
    warning = f"**Deprecated:** {documentation(deprecated)}" if deprecated else ""
    return "\n\n".join(part for part in (code(head), warning, documentation(doc)) if part)


def comment(item: ast.Item | None) -> str:
    """Return the comment above an item."""
    return "" if item is None else "\n".join(line for comment in item.leading for line in comment.lines)


# -- inlay hints ------------------------------------------------------------------------------------------------------------

_MOST = 40
"""Maximum length of a shown type."""


class Hint(Struct, frozen=True, kw_only=True):
    """`text` at an offset of the file; a parameter name precedes its argument, a type follows its name."""

    offset: int
    text: str
    is_parameter: bool = False


def hints(analysis: Analysis, file: ast.File, start: int, end: int) -> list[Hint]:
    """Return the hints of a file between two offsets, in source order.

    Literals have no hints, since their values are visible.
    """
    all_hints = [*_types(analysis, file), *_parameters(file)]
    return sorted((hint for hint in all_hints if start <= hint.offset <= end), key=lambda hint: hint.offset)


def _types(analysis: Analysis, file: ast.File) -> Iterator[Hint]:
    for item in file.body.items:
        match item:
            case ast.Attribute() if not _is_literal(item.value):
                yield from _type(analysis, item.name.text, item.name.span)
            case ast.Block() if item.type.text == "config" and len(item.labels) == 1:
                yield from _type(analysis, item.labels[0].text, item.labels[0].span)
            case _:
                pass


def _type(analysis: Analysis, name: str, span: Span) -> Iterator[Hint]:
    node: Node | None = next(iter(analysis.nodes.get(name, ())), None)
    type_ = node.symbol.type if isinstance(node, Local | ConfigVariable) else ERROR
    if resolve(type_) in (ERROR, DYNAMIC):
        return
    text = show(type_)
    yield Hint(offset=span.end, text=f": {text if len(text) <= _MOST else text[: _MOST - 1] + '…'}")


def _parameters(file: ast.File) -> Iterator[Hint]:
    for node in walk(file):
        function = FUNCTIONS.get(node.name.text) if isinstance(node, ast.Call) else None
        if function is None or not isinstance(node, ast.Call) or len(node.args) < 2:
            continue
        for index, argument in enumerate(node.args):
            parameter = parameter_at(function, index)
            if parameter is not None and parameter is not function.variadic and _is_literal(argument):
                yield Hint(offset=argument.span.start, text=f"{parameter.name}:", is_parameter=True)


def _is_literal(e: ast.Expr) -> bool:
    if isinstance(e, ast.Template):
        return all(isinstance(part, ast.TemplateText) for part in e.parts)
    return isinstance(e, ast.NumberLit | ast.BoolLit | ast.NullLit)
