"""Values of Pulumi YAML as expressions of PCL.

A mistake is reported to the bag and is `Missing` in the tree.

    "http://${bucket.endpoint}"    Template
    ${bucket.endpoint}             GetAttr
    {fn::toJSON: {a: 1}}           Call
    {a: 1}                         ObjectExpr

The functions `fn::name` are the built-in functions of PCL, and `invoke`, `select` and `stackReference`. A function with one
parameter takes its argument, a function with more takes a list of them.  `Fn::ToJSON`, the former name, is `fn::toJSON`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final

from msgspec import Struct, field

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pulumiyaml import forms
from pclgen.pulumiyaml.comments import Comments
from pclgen.pulumiyaml.forms import Access, Part, Step, parts_of, value_of
from pclgen.pulumiyaml.scope import Scope, is_identifier
from pclgen.source.text import Span
from pclgen.source.yamltree import YamlList, YamlMap, YamlNode, YamlScalar
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.syntax import ast

_PARAMETERS: Final[Mapping[str, tuple[tuple[str, ...], int, int | None]]] = {
    name: (
        (*(parameter.name for parameter in row.parameters), *([row.variadic.name] if row.variadic is not None else [])),
        sum(not parameter.optional for parameter in row.parameters),
        None if row.variadic is not None else len(row.parameters),
    )
    for name, row in FUNCTIONS.items()
}

NAMES: Final = frozenset({*FUNCTIONS, "invoke", "select", "stackReference"})
"""The names that `fn::` may call, apart from functions of packages."""

ALONE: Final = frozenset(name for name, (_, least, most) in _PARAMETERS.items() if least == most == 1)
"""Functions with a single argument, which needs no list."""

ARITY: Final[Mapping[str, tuple[int, int | None]]] = {
    "select": (2, 2),
    **{name: (least, most) for name, (_, least, most) in _PARAMETERS.items() if name not in ALONE},
}
"""Number of arguments of the other functions; None for any number."""

LISTED: Final[Mapping[str, tuple[str, ...]]] = {
    "select": ("index", "list"),
    **{name: names for name, (names, _, _) in _PARAMETERS.items()},
}
"""The names of their parameters."""

_FOLDED: Final[Mapping[str, str]] = {name.lower(): name for name in NAMES}


def canonical_name(written: str) -> str:
    """Return the name of a function in the case of `NAMES`, for a name in any case."""
    return _FOLDED.get(written.lower(), written)


PULUMI: Final = ("cwd", "organization", "project", "rootDirectory", "stack")
_HEREDOC: Final = ast.Heredoc(marker="EOT", flush=False)
"""A text in lines (`|`) is a heredoc in PCL, too."""
_CALL: Final = re.compile(r"\$\{(\w+)\((.*)\)\}")
INVOKE_KEYS: Final = ("function", "arguments", "options", "return")
INVOKE_OPTIONS: Final = ("parent", "provider", "version", "pluginDownloadURL", "dependsOn")


def _call_in(text: str) -> str | None:
    """Return how Pulumi YAML writes the call of a function in `${length(list)}`; None for other texts."""
    match = _CALL.fullmatch(text)
    name = canonical_name(match[1]) if match is not None else ""
    if match is None or name not in FUNCTIONS:
        return None
    if name in PULUMI:
        return f"${{pulumi.{name}}}"
    argument = f"${{{match[2]}}}" if match[2] else ""
    return f"fn::{name}: {argument}" if name in ALONE else f"fn::{name}: [{argument}]"


class _Invoke(Struct, frozen=True, kw_only=True):
    """A call of a function of a package; `at` is the span of its token."""

    token: str
    at: Span
    span: Span
    arguments: YamlNode | None
    options: YamlNode | None = None


class Reader(Struct, eq=False):
    """The translation of the values of one file."""

    bag: DiagnosticBag
    scope: Scope
    comments: Comments
    default_providers: Mapping[str, str] = field(default_factory=dict)
    """By package: the identifier of the provider for resources that name none."""
    without_default: bool = False
    """Whether default providers do not apply to the resource being read, because it is a provider."""
    stack_references: dict[str, tuple[str, Span]] = field(default_factory=dict)
    """By the name of a stack: the identifier of the reference to it that a function makes, and the function's position."""

    def value(self, node: YamlNode) -> ast.Expr:
        """Return the expression of any value: a text is an interpolation, a mapping with one key `fn::…` a call."""
        match node:
            case YamlScalar():
                return self._scalar(node)
            case YamlList():
                elements = [self._element(item) for item in node.items]
                return ast.TupleExpr(elements=tuple(elements), span=node.span, closing=self.comments.closing(node))
            case YamlMap():
                called = next((key for key, _ in node.pairs if key.text[:4].lower() == "fn::"), None)
                if called is None:
                    return self.members(node)
                if len(node.pairs) > 1:
                    expected, actual = "a mapping with this one key", f"one of {len(node.pairs)} keys"
                    self.bag.add(say.wrong_form(f"`{called.text}`", expected=expected, actual=actual, span=called.span))
                    return ast.Missing(span=node.span)
                call = self._function_call(called, node.pairs[0][1], node.span)
                self.comments.hold(node)
                return call

    def members(self, node: YamlMap) -> ast.ObjectExpr:
        """Return the object expression of a mapping that is no call."""
        items = tuple([self._item(key, value) for key, value in node.pairs])
        return ast.ObjectExpr(items=items, span=node.span, closing=self.comments.closing(node))

    def literal(self, value: bool | int | Decimal | str | None, span: Span) -> ast.Expr:
        """Return a literal."""
        match value:
            case None:
                return ast.NullLit(span=span)
            case bool():
                return ast.BoolLit(value=value, span=span)
            case str():
                parts = (ast.TemplateText(value=value, span=span),) if value else ()
                return ast.Template(parts=parts, span=span)
            case _ if value < 0:
                return ast.Unary(operator="-", operand=ast.NumberLit(value=-value, span=span), span=span)
            case _:
                return ast.NumberLit(value=value, span=span)

    def _element(self, item: YamlNode) -> ast.Element:
        leading = self.comments.before(item.span)
        value = self.value(item)
        return ast.Element(value=value, leading=leading, trailing=self.comments.after(item.span))

    def _item(self, key: YamlScalar, node: YamlNode, name: str | None = None) -> ast.ObjectItem:
        """Return a member of an object; `name` overrides the text of the key."""
        leading = self.comments.before(key.span)
        object_key: ast.ObjectKey
        if name is not None or is_identifier(key.text):
            object_key = ast.BareKey(text=name or key.text, span=key.span)
        else:
            text = self._scalar(key) if "$" in key.text else self.literal(key.text, key.span)
            object_key = ast.ExprKey(value=text, span=key.span)
        value = self.value(node)
        trailing = self.comments.after(node.span)
        return ast.ObjectItem(key=object_key, value=value, span=key.span.to(value.span), leading=leading, trailing=trailing)

    def _scalar(self, node: YamlScalar) -> ast.Expr:
        value = value_of(node)
        if not isinstance(value, str):
            return self.literal(value, node.span)
        parts = parts_of(node, self.bag)
        if parts is None:
            return ast.Missing(span=node.span)
        if len(parts) == 1 and isinstance(parts[0], Access):
            return self._access(parts[0])
        heredoc = _HEREDOC if node.style == "literal" and value.endswith("\n") else None
        return ast.Template(parts=tuple(self._part(part) for part in parts), span=node.span, heredoc=heredoc)

    def _part(self, part: Part) -> ast.TemplatePart:
        if isinstance(part, Access):
            return ast.Interpolation(value=self._access(part), span=part.span)
        return ast.TemplateText(value=part.value, span=part.span)

    def _access(self, access: Access) -> ast.Expr:
        steps = list(access.steps)
        name = str(access.root.key)
        expr: ast.Expr
        call = _call_in(access.span.text)
        if call is not None:
            self.bag.add(say.bad_access("`${ }` cannot call a function", access.span, f"write {call}"))
            return ast.Missing(span=access.span)
        if name == "pulumi" and name not in self.scope.declared:
            first = steps.pop(0) if steps else None
            if first is None or first.key not in PULUMI:
                ways = [f"pulumi.{key}" for key in PULUMI]
                written = f"`{access.span.text}`" if first is None else f"`pulumi.{first.key}`"
                self.bag.add(say.bad_access(f"{written} is no value", access.span, f"there are {', '.join(ways)}"))
                return ast.Missing(span=access.span)
            called = ast.Name(text=str(first.key), span=first.span)
            expr = ast.Call(name=called, args=(), expand=False, span=access.root.span.to(first.span))
        else:
            expr = self.scope.reference(name, access.root.span, bare=not steps)
        for step in steps:
            expr = self.step(expr, step)
        return expr

    def step(self, source: ast.Expr, step: Step) -> ast.Expr:
        span = source.span.to(step.span) if step.span.end >= source.span.end else step.span
        if step.dotted and is_identifier(str(step.key)):
            return ast.GetAttr(source=source, name=ast.Name(text=str(step.key), span=step.span), span=span)
        # `${list.0}` is an index, as `${list[0]}` is.
        key = int(step.key) if step.dotted and str(step.key).isdecimal() else step.key
        return ast.Index(source=source, key=self.literal(key, step.span), span=span)

    def _function_call(self, key: YamlScalar, argument: YamlNode, span: Span) -> ast.Expr:
        written = key.text[4:]
        if ":" in written:
            return self._invoke(_Invoke(token=written, at=key.span, span=span, arguments=argument))
        name = canonical_name(written)
        if name == "invoke":
            return self._long_invoke(argument, span)
        if name == "stackReference":
            return self._stack_output(key, argument, span)
        if name not in NAMES:
            self.bag.add(say.unknown_function(written, sorted(NAMES), key.span))
            return ast.Missing(span=span)
        if name in ALONE:
            return self._call(name, key.span, (self.value(argument),), span)
        least, most = ARITY[name]
        items = argument.items if isinstance(argument, YamlList) else None
        if items is None or len(items) < least or (most is not None and len(items) > most):
            expected = f"a list of {least}" if least == most else f"a list of at least {least}"
            actual = forms.kind(argument) if items is None else f"a list of {len(items)}"
            hint = f"write fn::{name}: [{', '.join(LISTED[name])}]"
            what = f"the argument of `fn::{name}`"
            self.bag.add(say.wrong_form(what, expected=expected, actual=actual, span=argument.span, hint=hint))
            return ast.Missing(span=span)
        args = tuple(self.value(item) for item in items)
        if name == "select":
            return ast.Index(source=args[1], key=args[0], span=span)
        return self._call(name, key.span, args, span)

    def _stack_output(self, key: YamlScalar, argument: YamlNode, span: Span) -> ast.Expr:
        """Return an output of another stack, with an implicit reference to that stack."""
        items = argument.items if isinstance(argument, YamlList) else ()
        if len(items) != 2:
            actual = f"a list of {len(items)}" if isinstance(argument, YamlList) else forms.kind(argument)
            what, hint = "the argument of `fn::stackReference`", "write fn::stackReference: [stack, output]"
            self.bag.add(say.wrong_form(what, expected="a list of 2", actual=actual, span=argument.span, hint=hint))
            return ast.Missing(span=span)
        stack = forms.text(items[0], "the stack", self.bag)
        if stack is None:
            return ast.Missing(span=span)
        if stack not in self.stack_references:
            name = self.scope.identifiers.add(f"stack reference {stack}")
            self.stack_references[stack] = name, items[0].span
        reference = ast.Variable(name=self.stack_references[stack][0], span=items[0].span)
        outputs = ast.GetAttr(source=reference, name=ast.Name(text="outputs", span=key.span), span=key.span)
        return ast.Index(source=outputs, key=self.value(items[1]), span=span)

    def _call(self, name: str, at: Span, args: tuple[ast.Expr, ...], span: Span) -> ast.Expr:
        return ast.Call(name=ast.Name(text=name, span=at), args=args, expand=False, span=span)

    def _long_invoke(self, node: YamlNode, span: Span) -> ast.Expr:
        mapping = forms.mapping(node, "the argument of `fn::invoke`", self.bag)
        if mapping is None:
            return ast.Missing(span=span)
        parts = forms.keys(mapping, "`fn::invoke`", INVOKE_KEYS, self.bag, quiet=True, required="function")
        if "function" not in parts:
            self.bag.add(say.missing_key("function", "`fn::invoke`", mapping.span))
            return ast.Missing(span=span)
        token = forms.text(parts["function"][1], "`function`", self.bag)
        if token is None:
            return ast.Missing(span=span)
        values = {name: value for name, (_, value) in parts.items()}
        at, options = values["function"].span, values.get("options")
        call = self._invoke(_Invoke(token=token, at=at, span=span, arguments=values.get("arguments"), options=options))
        member = values.get("return")
        name = None if member is None else forms.text(member, "`return`", self.bag)
        if name is None or member is None:
            return call
        return self.step(call, Step(key=name, dotted=True, span=member.span))

    def _invoke(self, invoke: _Invoke) -> ast.Expr:
        arguments = None if invoke.arguments is None else forms.mapping(invoke.arguments, "`arguments`", self.bag)
        members = ast.ObjectExpr(items=(), span=invoke.at) if arguments is None else self.members(arguments)
        args = [self.literal(invoke.token, invoke.at), members]
        items = list(self._invoke_options(invoke.options)) if invoke.options is not None else []
        default = self.default_provider(invoke.token)
        if default is not None and not any(isinstance(i.key, ast.BareKey) and i.key.text == "provider" for i in items):
            key = ast.BareKey(text="provider", span=invoke.at)
            items.append(ast.ObjectItem(key=key, value=ast.Variable(name=default, span=invoke.at), span=invoke.at))
        if items:
            at = invoke.at if invoke.options is None else invoke.options.span
            args.append(ast.ObjectExpr(items=tuple(items), span=at))
        return self._call("invoke", invoke.at, tuple(args), invoke.span)

    def default_provider(self, token: str) -> str | None:
        """Return the name of the default provider of the package of `token`."""
        return None if self.without_default else self.default_providers.get(token.partition(":")[0])

    def _invoke_options(self, node: YamlNode) -> Iterator[ast.ObjectItem]:
        options = forms.mapping(node, "`options`", self.bag)
        if options is not None:
            parts = forms.keys(options, "the options of `fn::invoke`", INVOKE_OPTIONS, self.bag)
            yield from (self._item(key, value, name) for name, (key, value) in parts.items())
