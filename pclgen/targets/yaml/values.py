"""Expressions as values of Pulumi YAML.

Comes in: folded expressions.  Goes out: trees; what YAML has no form for goes to the bag.

    "v-${pet.id}"           v-${pet.id}
    toJSON({ a = 1 })       {fn::toJSON: {a: 1}}
    "v-${toBase64(pet.id)}" {fn::join: ["", [v-, {fn::toBase64: "${pet.id}"}]]}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Final

from pclgen.core.expr import (
    Attr,
    Call,
    Conditional,
    Convert,
    Expr,
    For,
    Index,
    Invoke,
    ListExpr,
    Literal,
    MethodCall,
    ObjectExpr,
    ObjectItem,
    PropertyPath,
    Ref,
    Symbol,
    Template,
)
from pclgen.core.walk import free_symbols
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.target import unsupported
from pclgen.source.numbers import decimal_text
from pclgen.source.text import Span
from pclgen.targets.yaml import tree
from pclgen.targets.yaml.fold import SPELLED
from pclgen.types.model import INT, NUMBER, STRING, ListType, TupleType, Type, resolve, without_none

TITLE: Final = "Pulumi YAML"
NULL: Final = tree.Word("null")
_BARE: Final = re.compile(r'[^.\[\]{}$"\s]+')
_LONG: Final = re.compile(r"(?P<package>[^:/]+):(?P<module>[^:/]+)(?:/(?P<file>[^:/]+))?:(?P<name>[^:/]+)")
CHECKS: Final = frozenset({"checked", "kept"})
"""What ends a program whose values are not what they have to be."""
_PULUMI: Final = frozenset({"cwd", "organization", "project", "rootDirectory", "stack"})
_HELD: Final[Mapping[type[Expr], tuple[str, str | None]]] = {
    For: ("a loop over what is not known yet", "write the elements down, or loop over constants"),
    Conditional: ("a condition that is not known yet", "decide by constants, or write a component"),
    MethodCall: ("the call of a method", None),
}


class Writer:
    """Writes the values of one program; `names` are the keys of what it declares, `fresh` makes another variable and gives
    its key."""

    def __init__(self, bag: DiagnosticBag) -> None:
        self.bag = bag
        self.names: dict[Symbol, str] = {}
        self.taken: set[str] = {"pulumi"}
        self.used: set[Symbol] = set()
        self.hoisted: list[tree.Member] = []
        self.refused: set[Symbol] = set()
        """What was refused: nothing is said of what uses it."""

    def unknown(self, construct: str, expr: Expr, *, why: str | None = None, hint: str | None = None) -> tree.Yaml:
        """Report an expression, unless something in it was refused already."""
        if any(symbol in self.refused for symbol in free_symbols(expr)):
            return NULL
        return self.refuse(construct, expr.span, why=why, hint=hint)

    def refuse(self, construct: str, span: Span, *, why: str | None = None, hint: str | None = None) -> tree.Yaml:
        """Report what has no form; the result stands for it."""
        self.bag.add(unsupported(construct, TITLE, span, why=why, hint=hint))
        return NULL

    def name(self, wanted: str) -> str:
        """A key that nothing else has, for what is to be called `wanted`."""
        base = wanted if _BARE.fullmatch(wanted) else re.sub(r"\W+", "-", wanted).strip("-") or "value"
        found, number = base, 2
        while found in self.taken:
            found, number = f"{base}{number}", number + 1
        self.taken.add(found)
        return found

    def value(self, expr: Expr) -> tree.Yaml:
        """Any value, where the reader knows what type it is to have."""
        match expr:
            case Literal():
                return _literal(expr)
            case PropertyPath():
                return tree.Text(escaped(expr.path))
            case ListExpr():
                return self._list(expr)
            case ObjectExpr():
                return self._object(expr)
            case Template():
                return self._template(expr)
            case Convert():
                return self.value(expr.value)
            case Invoke():
                return self._invoke(expr, None)
            case Attr(source=Invoke() as called):
                return self._invoke(called, expr.name)
        way = self.path(expr)
        if way is not None:
            return tree.Text(f"${{{way}}}")
        match expr:
            case Call():
                return self._call(expr)
            case Index():
                return self._select(expr)
            case _:
                what, hint = _HELD.get(type(expr), ("an operator on what is not known yet", None))
                return self.unknown(what, expr, why="it has no operators, conditions and loops", hint=hint)

    def untyped(self, expr: Expr) -> tree.Yaml:
        """A value in a place that wants no type: what converts it has to be written."""
        if not isinstance(expr, Convert):
            return self.value(expr)
        have, want = (without_none(resolve(t)) for t in (expr.value.type, expr.type))
        if want is STRING and have in (INT, NUMBER) and not isinstance(expr.value, Literal):
            return _join([self.value(expr.value)])
        if have is STRING and want in (INT, NUMBER):
            return self.refuse("a text as a number", expr.span, why="nothing here says that it is to be a number")
        return self.untyped(expr.value)

    def path(self, expr: Expr) -> str | None:
        """What stands in `${ }` for `expr`; None where that has no room for it."""
        match expr:
            case Ref():
                self.used.add(expr.symbol)
                known = self.names.get(expr.symbol)
                return known if known is None or _BARE.fullmatch(known) else f"[{_quoted(known)}]"
            case Convert():
                return self.path(expr.value)
            case Attr():
                source = self._source(expr.source)
                return None if source is None else f"{source}{_step(expr.name)}"
            case Index(key=Literal(value=int() | str() as key)):
                source = self._source(expr.source)
                return None if source is None else f"{source}{_step(key)}"
            case Call() if expr.function.name in _PULUMI:
                return f"pulumi.{expr.function.name}"
            case Call(args=(reference, Literal(value=str() as name))) if expr.function.name == "getOutput":
                source = self._source(reference)
                return None if source is None else f"{source}.outputs[{_quoted(name)}]"
            case _:
                return None

    def _source(self, expr: Expr) -> str | None:
        """What a step is taken from: what has no name gets a variable."""
        found = self.path(expr)
        if found is not None or not isinstance(expr, Invoke | Call):
            return found
        if isinstance(expr, Call) and expr.function.name not in SPELLED:
            return None
        base = expr.token.rpartition(":")[2] if isinstance(expr, Invoke) else expr.function.name
        name = self.name(base)
        self.hoisted.append(tree.Member(name, self.value(expr)))
        return name

    def _list(self, expr: ListExpr) -> tree.Yaml:
        comments = iter(expr.comments)
        items = []
        for element in expr.elements:
            about = next(comments, None)
            value = self.value(element)
            items.append(tree.Item(value) if about is None else tree.Item(value, about))
        return tree.Sequence(tuple(items), expr.closing)

    def _object(self, expr: ObjectExpr) -> tree.Yaml:
        return tree.Mapping(tuple(self._members(expr.items)), expr.closing)

    def _members(self, items: tuple[ObjectItem, ...]) -> Iterator[tree.Member]:
        for item in items:
            key = item.key
            if not isinstance(key, Literal) or key.value is None:
                self.refuse("a key that is not known yet", key.span)
                continue
            text = key.value if isinstance(key.value, str) else _literal(key).value
            if text[:4].lower() == "fn::":
                self.refuse(f"the key `{text}`", key.span, why="a key that begins with `fn::` calls a function")
            yield tree.Member(text, self.value(item.value), item.comments)

    def _template(self, expr: Template) -> tree.Yaml:
        """A text where every part has a way to it, else a list of parts that is joined."""
        written: list[str] = []
        for part in expr.parts:
            if isinstance(part, Literal):
                written.append(_literal(part).value)
                continue
            way = None if written and written[-1].endswith("$") else self.path(part)
            if way is None:
                return _join([self.value(one) for one in expr.parts])
            written.append(f"${{{way}}}")
        is_text = without_none(resolve(expr.parts[0].type)) is STRING
        if len(written) == 1 and not is_text:
            return _join([tree.Text(written[0])])
        return tree.Text("".join(written))

    def _select(self, expr: Index) -> tree.Yaml:
        source: Type = without_none(resolve(expr.source.type))
        if not isinstance(source, ListType | TupleType):
            return self.unknown("a key that is not known yet", expr)
        return _called("select", _listed([self.value(expr.key), self.value(expr.source)]))

    def _call(self, expr: Call) -> tree.Yaml:
        name = expr.function.name
        if name in CHECKS:
            return self.unknown("a constraint on what is not known yet", expr)
        if name not in SPELLED or expr.expand:
            may_fold = expr.function.implementation is not None
            hint = "it can be written where its arguments are constants" if may_fold else None
            return self.unknown(f"the function `{name}`", expr, hint=hint)
        args = [self.value(arg) for arg in expr.args]
        alone = len(expr.function.parameters) == 1 and expr.function.variadic is None
        return _called(name, args[0] if alone else _listed(args))

    def _invoke(self, expr: Invoke, member: str | None) -> tree.Yaml:
        parts = [tree.Member("function", tree.Text(escaped(short_token(expr.token))))]
        if expr.args is not None:
            parts.append(tree.Member("arguments", self.value(expr.args)))
        if expr.options:
            spelled = {"pluginDownloadUrl": "pluginDownloadURL"}
            options = [tree.Member(spelled.get(name, name), self.value(given)) for name, given in expr.options.items()]
            parts.append(tree.Member("options", tree.Mapping(tuple(options))))
        if member is not None:
            parts.append(tree.Member("return", tree.Text(escaped(member))))
        return _called("invoke", tree.Mapping(tuple(parts)))


def short_token(token: str) -> str:
    """A token as people write it: `random:RandomPet` for `random:index/randomPet:RandomPet`."""
    found = _LONG.fullmatch(token)
    if found is None or (found["file"] and found["file"] != found["name"][:1].lower() + found["name"][1:]):
        return token
    package, module, name = found.group("package", "module", "name")
    return f"{package}:{name}" if module == "index" else f"{package}:{module}:{name}"


def escaped(text: str) -> str:
    """`text` with nothing that opens a way to a value."""
    return text.replace("${", "$${")


def _literal(expr: Literal) -> tree.Text | tree.Word:
    match expr.value:
        case None:
            return NULL
        case bool():
            return tree.Word("true" if expr.value else "false")
        case str():
            return tree.Text(escaped(expr.value))
        case int() | Decimal():
            return tree.Word(decimal_text(expr.value))


def _called(name: str, argument: tree.Yaml) -> tree.Yaml:
    return tree.Mapping((tree.Member(f"fn::{name}", argument),))


def _listed(values: list[tree.Yaml]) -> tree.Yaml:
    return tree.Sequence(tuple(tree.Item(value) for value in values))


def _join(parts: list[tree.Yaml]) -> tree.Yaml:
    return _called("join", _listed([tree.Text(""), _listed(parts)]))


def _step(key: str | int) -> str:
    if isinstance(key, int):
        return f"[{key}]"
    return f".{key}" if _BARE.fullmatch(key) and not key.isdecimal() else f"[{_quoted(key)}]"


def _quoted(key: str) -> str:
    return '"' + key.replace("\\", "\\\\").replace('"', '\\"') + '"'
