"""YAML as a tree with the position of every node.

A `SourceFile` becomes a `YamlTree`, or a `YamlProblem` with the position of the error. Scalars are texts with the style
in which they were written; the reader interprets plain scalars (`yes`, `012`). As in `data`, nesting is bounded, and
aliases may not multiply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from pclgen.source.data import DataError, bounded_nodes
from pclgen.source.text import SourceFile, Span

if TYPE_CHECKING:
    from yaml import MarkedYAMLError, Node

_STRING: Final = "tag:yaml.org,2002:str"
_STYLES: Final = {'"': "double", "'": "single", "|": "literal", ">": "folded"}
_COMMENT: Final = re.compile(r"(?:^|(?<=[ \t]))#[^\n]*", re.MULTILINE)
_LINE_ENDS: Final = "\r\x85\u2028\u2029"


class YamlScalar(Struct, frozen=True, kw_only=True):
    """One value; `style` is `plain`, `single`, `double`, `literal` or `folded`, `tag` the tag in the source (`!!int`)."""

    text: str
    style: str
    span: Span
    tag: str | None = None


class YamlList(Struct, frozen=True, kw_only=True):
    """A sequence."""

    items: tuple[YamlNode, ...]
    span: Span


class YamlMap(Struct, frozen=True, kw_only=True):
    """A mapping, in the order of its keys; `<<` is resolved."""

    pairs: tuple[tuple[YamlScalar, YamlNode], ...]
    span: Span


YamlNode: TypeAlias = YamlScalar | YamlList | YamlMap


class YamlComment(Struct, frozen=True, kw_only=True):
    """`#text`, with whether it follows a value on its line."""

    text: str
    trailing: bool
    span: Span


class YamlTree(Struct, frozen=True, kw_only=True):
    """A document (None: it is empty) and the comments in it, in order."""

    top: YamlNode | None
    comments: tuple[YamlComment, ...]


class YamlProblem(ValueError):  # noqa: N818  # it is about a text of the user's, not an error of the caller
    """Text that is no YAML, or not supported here; `span` is the position, `hint` the next step."""

    def __init__(self, message: str, span: Span, hint: str | None = None) -> None:
        super().__init__(message)
        self.span = span
        self.hint = hint


def read_tree(source: SourceFile) -> YamlTree:
    """Return the tree of the only document in `source`.  Raises `YamlProblem`."""
    import yaml

    if any(end in source.text for end in _LINE_ENDS[1:]):
        at = min(place for end in _LINE_ENDS[1:] if (place := source.text.find(end)) >= 0)
        raise YamlProblem("the file holds a line end that editors do not show as one", source.span(at, at + 1))
    try:
        top = bounded_nodes(source.text)
    except yaml.MarkedYAMLError as error:
        raise _explained(error, source) from None
    except yaml.reader.ReaderError as error:
        at = source.text.find(chr(error.character)) if isinstance(error.character, int) else 0
        raise YamlProblem("a character that YAML does not allow", source.span(max(at, 0), max(at, 0) + 1)) from None
    except DataError as error:
        raise YamlProblem(str(error), source.span(0, 0)) from None
    except RecursionError:
        raise YamlProblem("it is nested too deeply", source.span(0, 0)) from None
    builder = _Builder(source)
    tree = None if top is None else builder.node(top)
    return YamlTree(top=tree, comments=tuple(builder.comments()))


def _explained(error: MarkedYAMLError, source: SourceFile) -> YamlProblem:
    """Return the problem in words that suggest a change; a rare problem keeps the library's words."""
    text, problem = source.text, error.problem or error.context or "it cannot be read"
    mark = error.problem_mark or error.context_mark
    at = min(mark.index, len(text)) if mark is not None else 0
    if "cannot start any token" in problem:
        is_tab = text[at : at + 1] == "\t"
        message = "a tab in the indentation" if is_tab else f"`{text[at : at + 1]}` cannot begin a value"
        return YamlProblem(message, source.span(at, at + 1), "indent with spaces" if is_tab else "put the value in quotes")
    if problem.startswith("found undefined alias"):
        name = re.compile(r"\*[^\s,\]}]*").match(text, at)
        message = f"the alias `{name[0] if name else '*'}` has no anchor"
        end = name.end() if name else at + 1
        return YamlProblem(message, source.span(at, end), "put the text in quotes if it is no alias")
    key = "unterminated" if problem == "found unexpected end of stream" else error.context or ""
    if error.context_mark is not None and key in _AT_THE_BEGINNING:
        begin = min(error.context_mark.index, len(text))
        message, hint = _AT_THE_BEGINNING[key]
        return YamlProblem(message, source.span(begin, begin + 1), hint)
    for words, (message, hint) in _PROBLEMS.items():
        if words in problem:
            return YamlProblem(message, source.span(at, at + 1), hint)
    return YamlProblem(problem, source.span(at, at + 1))


_INDENTATION: Final = (
    "the indentation fits nothing above",
    "indent the members of a mapping, or the items of a list, alike",
)
_NO_VALUE: Final = ("a `:` that begins no value", "put a text with a `:` in quotes, or correct the indentation")
_PROBLEMS: Final[Mapping[str, tuple[str, str]]] = {
    "found another document": ("the file holds several documents", "keep one program in a file"),
    "mapping values are not allowed": _NO_VALUE,
    "could not find expected ':'": ("missing `:` after a key", "write `key: value`, or correct the indentation above"),
    "did not find expected key": _INDENTATION,
    "expected <block end>": _INDENTATION,
    "did not find expected '-' indicator": _INDENTATION,
    "expected ',' or ']'": ("expected `,` or `]`", "close the list with `]`"),
    "expected ',' or '}'": ("expected `,` or `}`", "close the mapping with `}`"),
}
"""Parts of the two libraries' messages, with pclgen's message and hint for each."""
_AT_THE_BEGINNING: Final[Mapping[str, tuple[str, str]]] = {
    "while scanning an alias": ("`*` begins an alias, which needs a name", 'put the text in quotes: "*"'),
    "unterminated": ("unterminated string", "add the closing quote"),
    "while scanning an anchor": ("`&` begins an anchor, which needs a name", "put the text in quotes"),
}


class _Builder:
    def __init__(self, source: SourceFile) -> None:
        self.source = source
        self.scalars: list[tuple[int, int]] = []
        self.made: dict[int, YamlNode] = {}

    def node(self, node: Node) -> YamlNode:
        """Return the node; all aliases of a node share one result."""
        result = self.made.get(id(node))
        if result is None:
            result = self.made[id(node)] = self._node(node)
        return result

    def _node(self, node: Node) -> YamlNode:
        import yaml

        if isinstance(node, yaml.ScalarNode):
            return self._scalar(node)
        if isinstance(node, yaml.SequenceNode):
            items = tuple(self.node(item) for item in node.value)
            return YamlList(items=items, span=self._whole(node, items))
        assert isinstance(node, yaml.MappingNode)
        pairs = tuple(self._pairs(node))
        return YamlMap(pairs=pairs, span=self._whole(node, [part for pair in pairs for part in pair]))

    def _pairs(self, node: Any) -> Iterator[tuple[YamlScalar, YamlNode]]:
        pairs: dict[str, tuple[YamlScalar, YamlNode]] = {}
        merged: dict[str, tuple[YamlScalar, YamlNode]] = {}
        for key, value in node.value:
            name, content = self.node(key), self.node(value)
            if not isinstance(name, YamlScalar):
                raise YamlProblem("a key is a text", name.span)
            if name.text == "<<" and name.style == "plain":
                for part in content.items if isinstance(content, YamlList) else (content,):
                    if not isinstance(part, YamlMap):
                        raise YamlProblem("`<<` takes in the keys of a mapping", content.span)
                    for pair in part.pairs:
                        merged.setdefault(pair[0].text, pair)
            elif name.text in pairs:
                raise YamlProblem(f"the key `{name.text}` stands here twice", name.span)
            else:
                pairs[name.text] = name, content
        yield from (pair for text, pair in merged.items() if text not in pairs)
        yield from pairs.values()

    def _scalar(self, node: Any) -> YamlScalar:
        start, end = node.start_mark.index, node.end_mark.index
        style = _STYLES.get(node.style or "", "plain")
        text = self.source.text
        if style in ("literal", "folded"):
            # The mark is after the line ends that follow the text.
            end = start + len(text[start:end].rstrip())
            self.scalars.append((max(start, text.find("\n", start, end)), end))  # behind `|` there may be a comment
        else:
            self.scalars.append((start, end))
        written = text[start:end]
        tag = node.tag if written.startswith("!") or (node.tag != _STRING and style != "plain") else None
        return YamlScalar(text=node.value, style=style, span=self.source.span(start, end), tag=tag)

    def _whole(self, node: Any, parts: Sequence[YamlNode]) -> Span:
        start, end = node.start_mark.index, node.end_mark.index
        if not node.flow_style:
            # A block ends where the next block begins: its visible end is the end of its last part.
            end = max((part.span.end for part in parts if part.span.start >= start), default=start)
        return self.source.span(start, max(start, end))

    def comments(self) -> Iterator[YamlComment]:
        """Yield the comments: a `#` outside of all values begins a comment."""
        text, inside, index = self.source.text, sorted(self.scalars), 0
        for match in _COMMENT.finditer(text):
            at = match.start()
            while index < len(inside) and inside[index][1] <= at:
                index += 1
            if index < len(inside) and inside[index][0] < at:
                continue
            line = text.rfind("\n", 0, at) + 1
            written = match[0].rstrip("\r")
            span = self.source.span(at, at + len(written))
            yield YamlComment(text=written[1:], trailing=bool(text[line:at].strip()), span=span)
