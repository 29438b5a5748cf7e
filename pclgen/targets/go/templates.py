"""Text templates: fmt.Sprintf over plain parts, pulumi.Sprintf over outputs; outputs of other stacks as texts and numbers.

A `Template` is a string or a `StringOutput`. An optional output is printed through `.Elem()` (its pointer would print as an
address). Potentially large numbers are formatted, because `%v` would print an exponent. The helper `toText` converts a
dynamic value, including null, to text.

The SDK has functions for outputs of other stacks that are used as texts or numbers:

    network.GetStringOutput(pulumi.String("vpcId"))

They fail for an output of another type; `getOutput` alone accepts any type.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pclgen.core import expr as core
from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import as_output, coerce, lift
from pclgen.targets.go.context import Block, Place, Value
from pclgen.targets.go.natives import format_scalar
from pclgen.targets.go.spelling import type_expr

_METHODS: Mapping[gt.Native, str] = {gt.STRING: "GetStringOutput", gt.FLOAT: "GetFloat64Output"}


def stack_output(b: Block, e: core.Expr, native: gt.Native) -> Value | None:
    """Return `getOutput(reference, name)` as a text or a number; None for other expressions."""
    if not isinstance(e, core.Call) or e.function.name != "getOutput" or native not in _METHODS:
        return None
    reference = b.natural(e.args[0], "reference")
    name = b.into(e.args[1], gt.GoType(gt.STRING, gt.Form.INPUT), "name")
    return Value(make.method(reference.node, _METHODS[native], name), gt.output(native))


def converted_stack_output(b: Block, e: core.Apply) -> Value | None:
    """Return an apply that only converts an output of another stack; None for other applies."""
    if len(e.args) != 1 or not isinstance(e.body, core.Convert) or not isinstance(e.body.value, core.Ref):
        return None
    if e.body.value.symbol is not e.parameters[0]:
        return None
    return stack_output(b, e.args[0], gt.without_pointer(b.file.session.natives.native(e.body.type)))


def natural_template(b: Block, e: core.Template) -> Value:
    """Return a template as a string, or as a `StringOutput` if a part is deferred."""
    parts = [_part(b, p) for p in e.parts]
    values = [p for p in parts if isinstance(p, Value)]
    if all(v.type.is_plain for v in values):
        return Value(_plain(b, parts, multiline=e.multiline), gt.plain(gt.STRING))
    return Value(_over_outputs(b, parts, e), gt.output(gt.STRING))


def template_into(b: Block, e: core.Template, want: gt.GoType, hint: str) -> go.Expr:
    """Return a template as a `want`; `pulumi.Sprintf` formats plain text for an input directly."""
    value = natural_template(b, e)
    is_format = isinstance(value.node, go.Call) and _is_sprintf(value.node.function)
    is_text = gt.without_pointer(want.native) == gt.STRING or (want.native == gt.ANY and want.form is gt.Form.INPUT)
    if value.type.is_plain and want.form in (gt.Form.INPUT, gt.Form.OUTPUT) and is_text and is_format:
        assert isinstance(value.node, go.Call)
        value = Value(make.call(b.file.pulumi("Sprintf"), *value.node.arguments), gt.output(gt.STRING))
    return coerce(b, value, want, Place(e.span, hint))


def _is_sprintf(function: go.Expr) -> bool:
    return isinstance(function, go.Qualified) and (function.package.path, function.name) == ("fmt", "Sprintf")


def _part(b: Block, e: core.Expr) -> str | Value:
    if isinstance(e, core.Literal) and isinstance(e.value, str):
        return e.value
    value = stack_output(b, e, gt.STRING) or b.natural(e, "part")
    if (
        isinstance(e, core.Literal)
        and value.type.native in (gt.INT, gt.FLOAT, gt.BOOL)
        and isinstance(value.node, go.Number | go.Builtin)
    ):
        node = value.node
        return node.text.removesuffix(".0") if isinstance(node, go.Number) else node.name
    return value


def _plain(b: Block, parts: list[str | Value], *, multiline: bool) -> go.Expr:
    texts = [p if isinstance(p, str) else _scalar(b, p) for p in parts if p]
    if len(texts) == 1 and isinstance(texts[0], Value):
        return format_scalar(b, texts[0])
    if all(isinstance(p, str) for p in texts):
        return go.Text("".join(p for p in texts if isinstance(p, str)), multiline=multiline)
    if len(texts) == 2 and not multiline:
        sides = [go.Text(p) if isinstance(p, str) else p for p in texts]
        nodes = [s if isinstance(s, go.Text) else s.node for s in sides]
        if all(isinstance(s, go.Text) or s.type.native == gt.STRING for s in sides):
            return go.Binary(nodes[0], "+", nodes[1])
    arguments = [format_scalar(b, p) if p.type.native == gt.FLOAT else p.node for p in texts if isinstance(p, Value)]
    return make.call(b.file.qualified("fmt", "Sprintf"), go.Text(_format(texts), multiline=multiline), *arguments)


def _format(parts: Sequence[str | Value]) -> str:
    return "".join(p.replace("%", "%%") if isinstance(p, str) else _verb(p) for p in parts)


def _scalar(b: Block, value: Value) -> Value:
    """Return a plain part without pointers; a dynamic value is converted to text at run time."""
    if isinstance(value.type.native, gt.Pointer):
        return Value(go.Star(value.node), gt.plain(value.type.native.element))
    if isinstance(value.type.native, gt.AnyNative):
        return Value(b.attempt("text", make.call(b.file.session.helper("toText"), value.node)), gt.plain(gt.STRING))
    return value


def _verb(value: Value) -> str:
    native = value.type.native
    if isinstance(native, gt.EnumNative):
        native = gt.enum_base(native)
    if native in (gt.STRING, gt.ID, gt.URN, gt.FLOAT):
        return "%s"
    if native == gt.INT:
        return "%d"
    return "%t"


def _over_outputs(b: Block, parts: list[str | Value], e: core.Template) -> go.Expr:
    printable = [p if isinstance(p, str) else _printable(b, p) for p in parts]
    values = [p for p in printable if isinstance(p, Value)]
    form = _format(printable)
    if form == "%s":
        return coerce(b, values[0], gt.output(gt.STRING), Place(e.span, "text"))
    return make.call(b.file.pulumi("Sprintf"), go.Text(form, multiline=e.multiline), *(value.node for value in values))


def _printable(b: Block, value: Value) -> Value:
    """Return a part that prints as in PCL."""
    if value.type.is_plain:
        value = _scalar(b, value)
        return Value(format_scalar(b, value), gt.plain(gt.STRING)) if value.type.native == gt.FLOAT else value
    operand = as_output(b, value) if value.type.form is not gt.Form.INPUT or value.type.native == gt.FLOAT else value
    native = operand.type.native
    if isinstance(native, gt.Pointer) and not operand.type.erased:
        operand = Value(make.method(as_output(b, operand).node, "Elem"), gt.output(native.element))
        native = native.element
    if isinstance(native, gt.AnyNative):
        applied = make.method(as_output(b, operand).node, "ApplyT", b.file.session.helper("toText"))
        return Value(go.TypeAssertion(applied, type_expr(b.file, gt.output(gt.STRING))), gt.output(gt.STRING))
    if native == gt.FLOAT:
        return lift(b, operand, gt.STRING, lambda inner, v: format_scalar(inner, v), hint="number")
    return operand
