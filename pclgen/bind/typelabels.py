"""Type labels: `string`, `list(map(int))`, `object({name = string})`, `'small' | 'large'`, `int(minimum=1)`, and the names
of `type` blocks (language.md, Configuration; Type aliases; Constraints).

Only the type language is accepted (the reference accepts the type of any expression).  Spans point into the program. The
tokens of a label become types with rules (`types.rules`); a `RuleError` explains an invalid token.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from msgspec import Struct
from msgspec.structs import replace

from pclgen.bind.comments import lines_of
from pclgen.bind.context import Context
from pclgen.bind.literals import static_text
from pclgen.bind.scope import Aliases, Labelled
from pclgen.core.expr import GAP
from pclgen.diagnostics import structure as say
from pclgen.diagnostics.model import Diagnostic
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types import model as ty
from pclgen.types.rules import (
    DESCRIPTION,
    ENUM,
    ITEMS,
    MEMBERS,
    PATTERN,
    TEXTS,
    TITLE,
    VALUES,
    Json,
    Rule,
    RuleError,
    check_agreement,
    check_word,
    constant,
    enforced,
    facets_of,
    size_of,
)
from pclgen.types.show import show
from pclgen.types.traverse import MAX_PARTS, parts_of

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


class Alternative(Struct, frozen=True):
    """One alternative of a union: a type or a literal."""

    label: Labelled | None = None
    literal: ty.ConstValue | None = None

    def labelled(self) -> Labelled:
        """Return the alternative as a separate type."""
        if self.label is not None:
            return self.label
        assert self.literal is not None
        return Labelled(_base(self.literal), {ENUM: [constant(self.literal)]})


def _literal_of(token: str) -> ty.ConstValue | None:
    """The value of a literal token: `'small'`, `3`, `true`; None for other tokens."""
    if token[:1] == "'" and len(token) > 1:
        return token[1:-1].replace("\\'", "'")
    if _NUMBER.fullmatch(token):
        number = Decimal(token)
        is_whole = number == number.to_integral_value() and abs(number) < 2**53
        return int(number) if is_whole else number
    return {"true": True, "false": False}.get(token)


def _rule_value(name: str, token: str) -> Json:
    """The value of a constraint.  Raises `RuleError`."""
    parsed = _literal_of(token)
    if name == PATTERN and not isinstance(parsed, str):
        raise RuleError(f"`{name}` is a text in single quotes, as in {name}='^[a-z]+$'")
    check_word(name, parsed)
    assert parsed is not None
    return constant(parsed)


def _base(constant_value: ty.ConstValue) -> ty.Type:
    if isinstance(constant_value, bool):
        return ty.BOOL
    return ty.STRING if isinstance(constant_value, str) else ty.INT if isinstance(constant_value, int) else ty.NUMBER


def _union_of(alternatives: Sequence[Alternative]) -> Labelled:
    """Return the union of `alternatives`; a rule lists the literals if all alternatives are literals."""
    listed: list[Json] = []
    types: list[ty.Type] = []
    rule: dict[str, Json] = {}
    labels = [alternative.labelled() for alternative in alternatives]
    for label in labels:
        types.append(label.type)
        literals = (label.rule or {}).get(ENUM)
        if isinstance(literals, list):
            listed += [literal_ for literal_ in literals if literal_ not in listed or isinstance(literal_, bool)]
            continue
        rule = _merged(rule, label.rule or {})
    open_types = [label.type for label in labels if ENUM not in (label.rule or {})]
    if ty.ERROR in types:
        return Labelled(ty.ERROR)
    if listed and not open_types:
        return Labelled(ty.union_of(types), {ENUM: listed})
    if listed:
        members = {m for t in open_types for m in (t.members if isinstance(t, ty.UnionType) else (t,))}
        if not all(isinstance(literal_, str) for literal_ in listed) or ty.STRING in members:
            raise RuleError("of literals only texts stand beside other types, and not beside string")
        rule = _merged(rule, {TEXTS: listed})
    return Labelled(ty.union_of(types), rule or None)


def _merged(rule: Mapping[str, Json], other: Mapping[str, Json]) -> dict[str, Json]:
    """Merge the rules of two alternatives; the union has neither name."""
    merged = {word: argument for word, argument in other.items() if word not in (TITLE, DESCRIPTION)}
    for word, argument in merged.items():
        if word in rule and rule[word] != argument:
            raise RuleError(f"two of the types say `{word}`")
    return {**rule, **merged}


_NAMED: Mapping[str, ty.Type] = {"any": ty.DYNAMIC, "string": ty.STRING, "number": ty.NUMBER, "int": ty.INT, "bool": ty.BOOL}
# As in the reference, elements of a configured set need not differ: a set is a list.
_WRAPPERS: Mapping[str, Callable[[ty.Type], ty.Type]] = {
    "list": ty.list_of,
    "set": ty.list_of,
    "map": ty.map_of,
    "optional": ty.optional_of,
}
_IN_ANGLES = re.compile(r"\s*<\s*(\w+)\s*>.*")
_BUILT_IN = (*_NAMED, *_WRAPPERS, "object", "tuple", "union")
_TOKEN = re.compile(
    r"""\s*(?:((?:\.{1,2}|[^\W\d][\w-]*)(?:/[\w.@-]+)+)|([^\W\d][\w-]*)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|([(){}\[\],=:|])|(\S))"""
)
_DEEPEST = 100
_MOST_WORDS = 2000


class _BadLabelError(Exception):
    """Stops parsing after a report of the label."""


class _Reader(Struct):
    """Recursive descent over the text of one label."""

    cx: Context
    span: Span  # the span of the label's text
    text: str
    at: int = 0
    deep: int = 0

    def peek(self) -> tuple[str, int, int]:
        """The next token with its start and end offsets; an empty token at the end of the text."""
        match = _TOKEN.match(self.text, self.at)
        if match is None:
            return "", len(self.text), len(self.text)
        index = match.lastindex or 0
        return match.group(index), match.start(index), match.end(index)

    def take(self) -> str:
        token, _, end = self.peek()
        self.at = end
        return token

    def place(self, start: int, end: int) -> Span:
        """The span of a range of the text; the span of the whole label if escapes shift offsets."""
        if len(self.text) != self.span.end - self.span.start:
            return self.span
        return Span(self.span.file, self.span.start + start, self.span.start + max(end, start))

    def fail(self, reason: str, instead: str | None = None) -> _BadLabelError:
        _, start, end = self.peek()
        self.cx.report(say.bad_type_label(reason, self.place(start, end), instead))
        return _BadLabelError()

    def accept(self, token: str) -> bool:
        """Take `token` if it is the next token; return whether it is."""
        if self.peek()[0] != token:
            return False
        self.take()
        return True

    def expect(self, token: str) -> None:
        if not self.accept(token):
            raise self.fail(f'"{token}" expected')

    def type(self) -> Labelled:
        """One type, or several types separated by `|`."""
        self.deep += 1
        if self.deep > _DEEPEST:
            raise self.fail(f"types are nested more than {_DEEPEST} deep")
        start = self.peek()[1]
        alternatives = [self.single()]
        while self.accept("|"):
            alternatives.append(self.single())
        self.deep -= 1
        return alternatives[0].labelled() if len(alternatives) == 1 else self.either(alternatives, start)

    def either(self, alternatives: Sequence[Alternative], start: int) -> Labelled:
        """The union of several types."""
        try:
            return _union_of(alternatives)
        except RuleError as problem:
            raise self.refuse(say.bad_constraint(str(problem), self.place(start, self.at))) from None

    def refuse(self, diagnostic: Diagnostic) -> _BadLabelError:
        self.cx.report(diagnostic)
        return _BadLabelError()

    def single(self) -> Alternative:
        token, start, end = self.peek()
        literal = _literal_of(token)
        if literal is not None:
            self.take()
            return Alternative(literal=literal)
        if "/" in token:
            self.take()
            return Alternative(self._elsewhere(token, self.place(start, end)))
        if not token or not (token[0].isalpha() or token[0] == "_"):
            raise self.fail("a type expected")
        self.take()
        if token in _NAMED:
            plain = Labelled(_NAMED[token])
            return Alternative(self._facets(plain, start) if self.accept("(") else plain)
        match token:
            case "union":
                return Alternative(self._union(start))
            case "object":
                return Alternative(self._object())
            case "tuple":
                return Alternative(self._tuple())
            case _ if token in _WRAPPERS:
                return Alternative(self._wrapped(token, start))
            case _:
                return Alternative(self._alias(token, self.cx.aliases, self.place(start, end)))

    def _wrapped(self, token: str, start: int) -> Labelled:
        if not self.accept("("):
            inside = _IN_ANGLES.fullmatch(self.text, self.at)
            raise self.fail('"(" expected', f'"{token}({inside[1] if inside is not None else "any"})"')
        inner = self.type()
        wrapped = _WRAPPERS[token](inner.type)
        if token == "optional":
            if self.accept(","):
                default = self.peek()[0]
                if default != ")":
                    where = f"value.x == null ? {default} : value.x where a member x is read"
                    raise self.fail("an optional member has no default", f"optional({show(inner.type)}), and {where}")
            self.expect(")")
            return Labelled(wrapped, inner.rule)
        rule = None if inner.rule is None else {VALUES if token == "map" else ITEMS: inner.rule}
        if self.accept(","):
            return self._facets(Labelled(wrapped, rule), start)
        self._close(")")
        return Labelled(wrapped, rule)

    def _facets(self, plain: Labelled, start: int) -> Labelled:
        """`minimum = 1, …)`: the constraints of a type, up to and including the closing parenthesis."""
        allowed, rule = facets_of(plain.type), dict(plain.rule or {})
        while self.peek()[0] != ")":
            name, at, end = self.peek()
            if name not in allowed:
                if not name or not (name[0].isalpha() or name[0] == "_"):
                    raise self.fail("a constraint expected")
                raise self.refuse(say.unknown_constraint(name, allowed, self.place(at, end)))
            if name in rule:
                raise self.refuse(say.bad_constraint(f"`{name}` is there twice", self.place(at, end)))
            self.take()
            self.expect("=")
            value, at, end = self.peek()
            self.take()
            try:
                rule[name] = _rule_value(name, value)
            except RuleError as problem:
                raise self.refuse(say.bad_constraint(str(problem), self.place(at, end))) from None
            if not self.accept(","):
                break
        self.expect(")")
        try:
            check_agreement(rule)
        except RuleError as problem:
            raise self.refuse(say.bad_constraint(str(problem), self.place(start, self.at))) from None
        return Labelled(plain.type, rule or None)

    def _union(self, start: int) -> Labelled:
        self.expect("(")
        alternatives = [self.single()]
        while self.accept(",") or self.accept("|"):
            if self.peek()[0] == ")":
                break
            alternatives.append(self.single())
        self.expect(")")
        return self.either(alternatives, start)

    def _elsewhere(self, token: str, span: Span) -> Labelled:
        """A type of another folder: `./types/Size`, `network/types/Size`."""
        source, _, name = token.rpartition("/")
        own = self.cx.aliases
        aliases = own.elsewhere(own.folder, source, span)
        if aliases is None:
            raise _BadLabelError
        return self._alias(name, aliases, span)

    def _alias(self, name: str, aliases: Aliases, span: Span) -> Labelled:
        block = aliases.blocks.get(name)
        if block is None:
            built_in = () if aliases is not self.cx.aliases else _BUILT_IN
            raise self.refuse(say.unknown_type(name, (*built_in, *aliases.blocks), span))
        label = aliases.labels.get(name)
        if label is not None:
            return label
        if any(name == under_way for under_way, _ in aliases.reading):
            trail = aliases.reading[[under_way for under_way, _ in aliases.reading].index(name) :]
            places = [(before, at) for (before, _), at in zip(trail, [*(at for _, at in trail[1:]), span], strict=True)]
            raise self.refuse(say.circular_type([name for name, _ in trail], places, span))
        if len(aliases.reading) >= _DEEPEST:
            raise self.fail(f"types are nested more than {_DEEPEST} deep")
        aliases.reading.append((name, span))
        label = _named(block, read_type_label(replace(self.cx, aliases=aliases), block.labels[1]))
        aliases.reading.pop()
        aliases.labels[name] = label
        return label

    def _close(self, token: str) -> None:
        self.accept(",")
        self.expect(token)

    def _object(self) -> Labelled:
        self.expect("(")
        self.expect("{")
        members: dict[str, ty.Type] = {}
        rules: dict[str, Rule] = {}
        while self.peek()[0] != "}":
            name = self.peek()[0]
            if not name or name in "(){}[],=:|":
                raise self.fail('a member name or "}" expected')
            self.take()
            if not (self.accept("=") or self.accept(":")):
                raise self.fail('"=" expected')
            inner = self.type()
            quoted = _literal_of(name) if name.startswith("'") else None
            name = quoted if isinstance(quoted, str) else name.strip('"')
            members[name] = inner.type
            if inner.rule is not None:
                rules[name] = inner.rule
            self.accept(",")
        self.expect("}")
        self._close(")")
        return Labelled(ty.object_of(members), {MEMBERS: rules} if rules else None)

    def _tuple(self) -> Labelled:
        self.expect("(")
        self.expect("[")
        elements: list[ty.Type] = []
        while self.peek()[0] != "]":
            _, start, _ = self.peek()
            inner = self.type()
            if enforced(inner.rule) is not None:
                raise self.refuse(say.bad_constraint("elements of a tuple take no constraints", self.place(start, self.at)))
            elements.append(inner.type)
            if not self.accept(","):
                break
        self.expect("]")
        self._close(")")
        return Labelled(ty.tuple_of(elements))


def read_type_label(cx: Context, label: ast.Label) -> Labelled:
    """Return the type and the rule of a label; the type is ERROR after a report."""
    span = label.span
    if label.quoted:
        span = Span(span.file, span.start + 1, span.end - 1)
    reader = _Reader(cx, span, label.text)
    try:
        result = reader.type()
        if reader.peek()[0]:
            element = label.text.removesuffix("[]")
            instead = f'"list({element})"' if element in _NAMED else None
            raise reader.fail("nothing more expected after the type", instead)
        if parts_of(result.type) > MAX_PARTS or (result.rule is not None and size_of(result.rule) > _MOST_WORDS):
            raise reader.fail("the type is too large")
    except _BadLabelError:
        return Labelled(ty.ERROR)
    return result


def _named(block: ast.Block, label: Labelled) -> Labelled:
    """The type of an alias. Its rule contains the first name of the type and its description."""
    if label.type is ty.ERROR or (label.rule is not None and TITLE in label.rule):
        return label
    description = _description(block)
    described = {DESCRIPTION: description} if description else {}
    return Labelled(label.type, {TITLE: block.labels[0].text, **described, **(label.rule or {})})


def _description(block: ast.Block) -> str:
    """The description of a type, or the comment above it."""
    for item in block.body.items:
        if isinstance(item, ast.Attribute) and item.name.text == DESCRIPTION:
            return static_text(item.value) or ""
    return "\n".join("" if line == GAP else line for line in lines_of(block.leading))


def read_aliases(cx: Context) -> None:
    """Read unused types, to report the errors in them."""
    for name, block in cx.aliases.blocks.items():
        if name in _BUILT_IN:
            cx.report(say.type_taken(name, block.labels[0].span))
        if name not in cx.aliases.labels:
            cx.aliases.reading.append((name, block.labels[0].span))
            cx.aliases.labels[name] = _named(block, read_type_label(cx, block.labels[1]))
            cx.aliases.reading.pop()
