"""Options of resources.

The mapping `options` becomes a block `options` of PCL. A single resource may replace a list of resources.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from pclgen.diagnostics import pulumiyaml as say
from pclgen.pulumiyaml import forms
from pclgen.pulumiyaml.expressions import Reader
from pclgen.source.text import Span
from pclgen.source.yamltree import YamlNode, YamlScalar
from pclgen.syntax import ast

_RESOURCES: Final = frozenset({"dependsOn", "replaceWith"})
OPTIONS: Final = (
    "additionalSecretOutputs", "aliases", "customTimeouts", "deleteBeforeReplace", "deletedWith", "dependsOn",
    "envVarMappings", "hideDiffs", "hooks", "ignoreChanges", "import", "parent", "pluginDownloadURL", "protect", "provider",
    "providers", "replaceOnChanges", "replaceWith", "replacementTrigger", "retainOnDelete", "version",
)  # fmt: skip  # a list of many short entries
"""The options of a resource, sorted."""
_ELSEWHERE: Final[Mapping[str, str]] = MappingProxyType(
    {"id": "to read a resource that exists, write get: with id: in it", "range": "Pulumi YAML has no loops"}
)


def options_block(reader: Reader, options: tuple[YamlScalar, YamlNode] | None, token: str, at: Span) -> ast.Block | None:
    """Return the block of the options of a resource, or None without options."""
    items = list(_items(reader, options[1])) if options is not None else []
    default = None if any(item.name.text in ("provider", "providers") for item in items) else reader.default_provider(token)
    if default is not None:
        value = ast.Variable(name=default, span=at)
        items.append(ast.Attribute(name=ast.Name(text="provider", span=at), value=value, span=at))
    if not items:
        return None
    head, span = (at, at) if options is None else (options[0].span, options[1].span)
    return ast.Block(
        type=ast.Name(text="options", span=head),
        labels=(),
        body=ast.Body(items=tuple(items), span=span),
        span=head.to(span) if span.end >= head.end else head,
        head=head,
        open_brace=head.tail(),
    )


def _items(reader: Reader, node: YamlNode) -> Iterator[ast.Attribute]:
    options = forms.mapping(node, "`options`", reader.bag)
    for key, value in options.pairs if options is not None else ():
        name = forms.canonical_key(key.text, OPTIONS)
        if name is None:
            hint = _ELSEWHERE.get(key.text)
            reader.bag.add(say.unknown_key(key.text, "the options of a resource", OPTIONS, key.span, hint=hint))
            continue
        forms.note_case(key, name, reader.bag)
        leading = reader.comments.before(key.span)
        expr = reader.value(value)
        if name in _RESOURCES and isinstance(value, YamlScalar):
            expr = ast.TupleExpr(elements=(ast.Element(value=expr),), span=value.span)
        yield ast.Attribute(
            name=ast.Name(text=name, span=key.span),
            value=expr,
            span=key.span.to(expr.span) if expr.span.end >= key.span.end else key.span,
            leading=leading,
            trailing=reader.comments.after(value.span),
        )

