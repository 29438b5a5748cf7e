"""Expressions as values of Pulumi YAML.

An expression without a YAML form is reported in the diagnostic bag.

    "v-${pet.id}"           v-${pet.id}
    toJSON({ a = 1 })       {fn::toJSON: {a: 1}}
    "v-${toBase64(pet.id)}" {fn::join: ["", [v-, {fn::toBase64: "${pet.id}"}]]}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Final

from pclgen.core import expr as core
from pclgen.core.walk import free_symbols
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.target import unsupported
from pclgen.source.numbers import decimal_text
from pclgen.source.text import Span
from pclgen.sourcemaps import Origin
from pclgen.targets.origins import member_of
from pclgen.targets.yaml import tree
from pclgen.targets.yaml.fold import name_of
from pclgen.types import model as ty
from pclgen.types.show import show

TITLE: Final = "Pulumi YAML"
NULL: Final = tree.Word("null")
_BARE: Final = re.compile(r'[^.\[\]{}$"\s]+')
_OPENS: Final = re.compile(r"\$(?=[${])")
_LONG: Final = re.compile(r"(?P<package>[^:/]+):(?P<module>[^:/]+)(?:/(?P<file>[^:/]+))?:(?P<name>[^:/]+)")
_SCALARS: Final = frozenset({ty.BOOL, ty.INT, ty.NUMBER})
_KINDS: Final[Mapping[ty.Type, str]] = {ty.BOOL: "bool", ty.INT: "number", ty.NUMBER: "number", ty.STRING: "string"}
CHECKS: Final = frozenset({"checked", "kept"})
"""The functions that stop a program if a value violates a constraint."""
_PULUMI: Final = frozenset({"cwd", "organization", "project", "rootDirectory", "stack"})
_HELD: Final[Mapping[type[core.Expr], tuple[str, str | None]]] = {
    core.For: ("a loop over a value that is not known yet", "list the elements, or loop over constants"),
    core.Conditional: ("a condition that is not known yet", "decide by constants, or write a component"),
    core.MethodCall: ("the call of a method", None),
}
_NOTHING_DECIDES: Final = "it has no operators, conditions or loops"


class Writer:
    """Writes the values of one program.

    `names` are the keys of its declarations; `seen` replaces a name by its value.
    """

    def __init__(self, bag: DiagnosticBag, seen: Callable[[core.Expr], core.Expr]) -> None:
        self.bag = bag
        self._seen = seen
        self.names: dict[core.Symbol, str] = {}
        self.taken: set[str] = {"pulumi"}
        self.used: set[core.Symbol] = set()
        self.hoisted: list[tree.Member] = []
        """Variables for values without a name in the program."""
        self.origin: Origin | None = None
        """The node for which such a variable is created."""
        self.texts: dict[str, str] = {}
        """The variables that hold numbers as texts, by the paths of the numbers."""
        self.indexes: frozenset[core.Symbol] = frozenset()
        """The configuration declared without a type, so that `fn::select` takes it."""
        self.refused: set[core.Symbol] = set()
        """Refused symbols, whose uses are not reported again."""

    def unknown(self, construct: str, expr: core.Expr, *, why: str | None = None, hint: str | None = None) -> tree.Yaml:
        """Report an expression, unless it uses a refused symbol."""
        if any(symbol in self.refused for symbol in free_symbols(expr)):
            return NULL
        return self.refuse(construct, expr.span, why=why, hint=hint)

    def refuse(self, construct: str, span: Span, *, why: str | None = None, hint: str | None = None) -> tree.Yaml:
        """Report a construct without a YAML form, and return a placeholder."""
        self.bag.add(unsupported(construct, TITLE, span, why=why, hint=hint))
        return NULL

    def name(self, preferred: str) -> str:
        """Return a unique key: `preferred`, if possible."""
        base = preferred if _BARE.fullmatch(preferred) else re.sub(r"\W+", "-", preferred).strip("-") or "value"
        spelling, number = base, 2
        while spelling in self.taken:
            spelling, number = f"{base}{number}", number + 1
        self.taken.add(spelling)
        return spelling

    def value(self, expr: core.Expr) -> tree.Yaml:
        """The YAML of any expression."""
        match expr:
            case core.Literal():
                return _literal(expr)
            case core.PropertyPath():
                return tree.Text(escaped(expr.path))
            case core.ListExpr():
                return self._list(expr)
            case core.ObjectExpr():
                return self._object(expr)
            case core.Template():
                return self._template(expr)
            case core.Convert():
                return self._converted(expr)
            case core.Invoke():
                return self._invoke(expr, None)
            case core.Attr(source=core.Invoke() as called):
                return self._invoke(called, expr.name)
        path = self.path(expr)
        if path is not None:
            return tree.Text(f"${{{path}}}")
        match expr:
            case core.Call():
                return self._call(expr)
            case core.Index():
                return self._select(expr)
            case _:
                construct, hint = _HELD.get(type(expr), ("an operator on a value that is not known yet", None))
                return self.unknown(construct, expr, why=_NOTHING_DECIDES, hint=hint)

    def _converted(self, expr: core.Convert) -> tree.Yaml:
        """A converted value: `fn::toJSON` writes numbers and bools as PCL does; other conversions are reported."""
        have, want = (ty.without_none(ty.resolve(t)) for t in (expr.value.type, expr.type))
        if isinstance(expr.value, core.Literal) or not _differ(have, want):
            return self.value(expr.value)
        if want is ty.STRING and have in _SCALARS:
            return _called("toJSON", self.value(expr.value))
        construct, why = f"`{show(have)}` as `{show(want)}`", "it cannot convert values that are not known yet"
        return self.unknown(construct, expr, why=why)

    def path(self, expr: core.Expr) -> str | None:
        """Return the path of `expr` in `${ }`; None if it has no path."""
        match expr:
            case core.Ref():
                self.used.add(expr.symbol)
                name = self.names.get(expr.symbol)
                return name if name is None or _BARE.fullmatch(name) else f"[{_quoted(name)}]"
            case core.Convert() if not _differ(
                ty.without_none(ty.resolve(expr.value.type)), ty.without_none(ty.resolve(expr.type))
            ):
                return self.path(expr.value)
            case core.Attr():
                source = self._source(expr.source)
                return None if source is None else f"{source}{_step(expr.name)}"
            case core.Index(key=core.Literal(value=int() | str() as key)):
                source = self._source(expr.source)
                return None if source is None else f"{source}{_step(key)}"
            case core.Call() if expr.function.name in _PULUMI:
                return f"pulumi.{expr.function.name}"
            case core.Call(args=(reference, core.Literal(value=str() as name))) if expr.function.name == "getOutput":
                source = self._source(reference)
                return None if source is None else f"{source}.outputs[{_quoted(name)}]"
            case _:
                return None

    def _source(self, expr: core.Expr) -> str | None:
        """Return the path of a step's operand; a call without a name gets a variable."""
        path = self.path(expr)
        if path is not None or not isinstance(expr, core.Invoke | core.Call):
            return path
        base = expr.token.rpartition(":")[2] if isinstance(expr, core.Invoke) else name_of(expr)
        if base is None:
            return None
        return self._hoist(base, self.value(expr))

    def _list(self, expr: core.ListExpr) -> tree.Yaml:
        comments = iter(expr.comments)
        items = []
        for element in expr.elements:
            element_comments = next(comments, None)
            value = self.value(element)
            items.append(tree.Item(value) if element_comments is None else tree.Item(value, element_comments))
        return tree.Sequence(tuple(items), expr.closing)

    def _object(self, expr: core.ObjectExpr) -> tree.Yaml:
        return tree.Mapping(tuple(self._members(expr.items)), expr.closing)

    def _members(self, items: tuple[core.ObjectItem, ...]) -> Iterator[tree.Member]:
        for item in items:
            if item.when is not None:
                construct, hint = _HELD[core.Conditional]
                self.unknown(construct, item.when, why=_NOTHING_DECIDES, hint=hint)
                continue
            key = item.key
            if isinstance(key, core.Literal) and key.value is not None:
                text = _literal(key).value
            else:
                written = tree.Text("") if isinstance(key, core.Literal) else self.value(key)
                if not isinstance(written, tree.Text) or not written.value:
                    self.unknown("a key that is not known yet", key, why="keys are texts, with references in them")
                    continue
                text = written.value
            if text[:4].lower() == "fn::":
                self.refuse(f"the key `{text}`", key.span, why="a key that begins with `fn::` calls a function")
            yield tree.Member(text, self.value(item.value), item.comments, member_of(item))

    def _template(self, expr: core.Template) -> tree.Yaml:
        """A text if every part has a path, else a `fn::join` of the parts."""
        written: list[str] = []
        hoisted = len(self.hoisted)
        for part in expr.parts:
            if isinstance(part, core.Literal):
                written.append(_literal(part).value)
                continue
            path = self.path(part)
            if path is None:
                self.forget(hoisted)
                return _join([self._text_of(part) for part in expr.parts])
            if written and written[-1].endswith("$"):
                written.append("$")
            written.append(f"${{{path if _is_correct(part, self.indexes) else self._number(path)}}}")
        if len(written) == 1:
            return self._text_of(expr.parts[0])
        return tree.Text("".join(written))

    def _number(self, path: str) -> str:
        """Return the name of a variable that holds the number at `path` as a text."""
        if path not in self.texts:
            words = [word for word in re.split(r"\W+", path) if word] or ["number"]
            preferred_name = words[0] + "".join(word[:1].upper() + word[1:] for word in words[1:] or ["text"])
            self.texts[path] = self._hoist(preferred_name, _called("toJSON", tree.Text(f"${{{path}}}")))
        return self.texts[path]

    def _hoist(self, preferred_name: str, value: tree.Yaml) -> str:
        name = self.name(preferred_name)
        self.hoisted.append(tree.Member(name, value, origin=self.origin))
        return name

    def forget(self, number: int) -> None:
        """Drop all variables after the first `number`."""
        dropped = {member.key for member in self.hoisted[number:]}
        del self.hoisted[number:]
        if dropped:
            self.texts = {path: name for path, name in self.texts.items() if name not in dropped}

    def _text_of(self, part: core.Expr) -> tree.Yaml:
        """A part of a template as a text."""
        is_text = isinstance(part, core.Literal) or ty.without_none(ty.resolve(part.type)) not in _SCALARS
        return self.value(part) if is_text else _called("toJSON", self.value(part))

    def _select(self, expr: core.Index) -> tree.Yaml:
        source: ty.Type = ty.without_none(ty.resolve(expr.source.type))
        if not isinstance(source, ty.ListType | ty.TupleType):
            return self.unknown("a key that is not known yet", expr)
        key = self._seen(expr.key)
        if isinstance(key, core.Ref) and key.symbol.kind is core.SymbolKind.CONFIG and key.symbol not in self.indexes:
            return self.unknown("an index of the configuration", expr, why="its `fn::select` does not accept them")
        return _called("select", _listed([self.value(expr.key), self.value(expr.source)]))

    def _call(self, expr: core.Call) -> tree.Yaml:
        name = name_of(expr)
        if expr.function.name in CHECKS:
            return self.unknown("a constraint on a value that is not known yet", expr)
        if name is None or expr.expand:
            may_fold = expr.function.implementation is not None
            hint = "call it with constant arguments" if may_fold else None
            return self.unknown(f"the function `{expr.function.name}`", expr, hint=hint)
        joined = self._seen(expr.args[1]) if name == "join" else None
        if isinstance(joined, core.Call) and joined.function.name == "split":
            return self.unknown("`join` of the result of `split`", expr, why="its `fn::join` does not accept that list")
        args = [self.value(arg) for arg in expr.args]
        takes_one = len(expr.function.parameters) == 1 and expr.function.variadic is None
        return _called(name, args[0] if takes_one else _listed(args))

    def _invoke(self, expr: core.Invoke, member: str | None) -> tree.Yaml:
        parts = [tree.Member("function", tree.Text(escaped(short_token(expr.token))))]
        if expr.args is not None:
            parts.append(tree.Member("arguments", self.value(expr.args)))
        if expr.options:
            renamed = {"pluginDownloadUrl": "pluginDownloadURL"}
            options = [tree.Member(renamed.get(name, name), self.value(option)) for name, option in expr.options.items()]
            parts.append(tree.Member("options", tree.Mapping(tuple(options))))
        if member is not None:
            parts.append(tree.Member("return", tree.Text(escaped(member))))
        return _called("invoke", tree.Mapping(tuple(parts)))


def _is_correct(part: core.Expr, untyped: frozenset[core.Symbol]) -> bool:
    """Return whether Pulumi YAML writes `part` of a text as PCL does.

    Pulumi YAML writes numbers as `1e+06`, except integers of the configuration with a declared type.
    """
    is_configured = isinstance(part, core.Ref) and part.symbol.kind is core.SymbolKind.CONFIG and part.symbol not in untyped
    is_integer = is_configured and ty.without_none(ty.resolve(part.type)) is ty.INT
    return is_integer or ty.without_none(ty.resolve(part.type)) not in (ty.INT, ty.NUMBER)


def _differ(have: ty.Type, want: ty.Type) -> bool:
    """Return whether a value of type `have` needs a conversion to be a `want`."""
    match have, want:
        case (ty.ListType(element=left), ty.ListType(element=right)) | (ty.MapType(element=left), ty.MapType(element=right)):
            return _differ(ty.without_none(ty.resolve(left)), ty.without_none(ty.resolve(right)))
        case _:
            return _KINDS.get(have, have) != _KINDS.get(want, want) and have in _KINDS and want in _KINDS


def short_token(token: str) -> str:
    """The short form of a token: `random:RandomPet` for `random:index/randomPet:RandomPet`."""
    match_ = _LONG.fullmatch(token)
    if match_ is None or (match_["file"] and match_["file"] != match_["name"][:1].lower() + match_["name"][1:]):
        return token
    package, module, name = match_.group("package", "module", "name")
    return f"{package}:{name}" if module == "index" else f"{package}:{module}:{name}"


def escaped(text: str) -> str:
    """`text` with each `${` escaped, so that it opens no reference; `$$` is a dollar."""
    return _OPENS.sub("$$", text)


def _literal(expr: core.Literal) -> tree.Text | tree.Word:
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
