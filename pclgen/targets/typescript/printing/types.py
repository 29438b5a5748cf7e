"""Layout of types.

Types occur in declarations, type arguments and members of interfaces.
"""

from __future__ import annotations

from typing import assert_never

from pclgen.layout import HARDLINE, LINE, SOFTLINE, Doc, GroupId, align, concat, group, if_break, indent, join
from pclgen.targets.comments import without_gaps
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import constant, property_key, quote


class TypePrinter:
    """Prints types; `expanded` are the object types with one member per line."""

    def __init__(self, expanded: frozenset[object], spellings: ts.Spellings) -> None:
        self._expanded = expanded
        self._spellings = spellings

    def print(self, t: ts.TsType) -> Doc:
        """The document of `t`."""
        match t:
            case ts.TypeName():
                return concat(t.name, self.arguments(t.args))
            case ts.TypeVariable():
                return self._spellings[t.variable]
            case ts.TypeLiteral():
                return constant(t.value)
            case ts.TypeIndex():
                return f"{t.object.name}[{quote(t.member)}]"
            case ts.TypeArray():
                if isinstance(t.element, ts.TypeUnion):
                    return group("(", indent(SOFTLINE, group(self._alternatives(t.element))), SOFTLINE, ")[]")
                return concat(self.print(t.element), "[]")
            case ts.TypeTuple():
                elements = join(concat(",", LINE), (self.print(e) for e in t.elements))
                return group("[", indent(SOFTLINE, elements), if_break(","), SOFTLINE, "]")
            case ts.TypeUnion():
                return self._union(t)
            case ts.TypeObject():
                return self._object(t)
            case _:
                assert_never(t)

    def arguments(self, types: tuple[ts.TsType, ...]) -> Doc:
        """`<A, B>`; empty without types."""
        if not types:
            return ""
        if len(types) == 1 and _hugs(types[0]):
            return concat("<", self.print(types[0]), ">")
        printed = [group(self._alternatives(t)) if isinstance(t, ts.TypeUnion) else self.print(t) for t in types]
        return group("<", indent(SOFTLINE, join(concat(",", LINE), printed)), SOFTLINE, ">")

    def _union(self, t: ts.TypeUnion) -> Doc:
        if _is_optional_object(t):
            return self._alternatives(t)
        return group(indent(if_break(SOFTLINE), self._alternatives(t)))

    def _alternatives(self, t: ts.TypeUnion) -> Doc:
        """The members of a union, one per line where they do not fit: `| A` and `| B`; `{ … } | null` stays on its line."""
        if _is_optional_object(t):
            return join(" | ", map(self.print, t.members))
        members = [align(2, self.print(member)) for member in t.members]
        return concat(if_break("| "), join(concat(LINE, "| "), members))

    def alias(self, variable: ts.Variable, t: ts.TsType) -> Doc:
        """`Name = T`, which breaks after the `=` only where a union has one member per line."""
        name = self._spellings[variable]
        if isinstance(t, ts.TypeUnion):
            return group(name, " =", indent(LINE, self._alternatives(t)))
        return concat(name, " = ", self.print(t))

    def _object(self, t: ts.TypeObject) -> Doc:
        if not t.members:
            return "{}"
        members = join(concat(";", LINE), (self.member(m) for m in t.members))
        broken = t in self._expanded
        mark = None if broken else GroupId(t)
        return group("{", indent(LINE, members), if_break(";"), LINE, "}", should_break=broken, id=mark)

    def member(self, member: ts.TypeMember) -> Doc:
        """`name?: T`; the caller prints the description."""
        mark = "?: " if member.optional else ": "
        return concat(property_key(member.name), mark, self.print(member.type))


def doc_comment(lines: tuple[str, ...]) -> list[Doc]:
    """A `/** … */` comment and its line break; empty without lines."""
    if not lines:
        return []
    texts = [line.replace("*/", "*\u200b/").rstrip() for line in without_gaps(lines)]
    if len(texts) == 1:
        return [f"/** {texts[0]} */", HARDLINE]
    body: list[Doc] = ["/**", HARDLINE]
    for text in texts:
        body += [f" * {text}".rstrip(), HARDLINE]
    return [*body, " */", HARDLINE]


def _hugs(t: ts.TsType) -> bool:
    match t:
        case ts.TypeName():
            return not t.args
        case ts.TypeVariable() | ts.TypeObject():
            return True
        case ts.TypeUnion():
            return _is_optional_object(t)
        case _:
            return False


def _is_optional_object(t: ts.TypeUnion) -> bool:
    """Return whether the union is `{ … } | null`, which stays on one line; `undefined` does not count."""
    objects = [m for m in t.members if isinstance(m, ts.TypeObject)]
    return len(objects) == 1 and all(m in objects or (isinstance(m, ts.TypeName) and m.name == "null") for m in t.members)
