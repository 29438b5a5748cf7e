"""The nodes of a program in a pack: the fields of each class and their contents (docs/packs.md, Nodes).

`encode`, `decode` and the JSON Schema follow `FORMS`. A test compares `FORMS` with the classes, so that no field is missing.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Final

from msgspec import Struct

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.diagnostics import model as diagnostics
from pclgen.types.declarations import Field


class FieldKind(Enum):
    """The content of a field, or of each entry of a list. Null, false and empty values are omitted."""

    TEXT = "text"
    NAME = "name"
    """A text that is always written."""
    FLAG = "flag"
    VALUE = "value"
    """A constant: null, a bool, a text, an integer; `{"number": "1.5"}` for every other number."""
    TYPE = "type"
    """An index into `types`."""
    SYMBOL = "symbol"
    """An index into `symbols`."""
    PLACE = "place"
    """`[file, start, end]`: an index into `files` and two offsets, in code points."""
    FIELD = "field"
    """`[declaration, shape, name]`: a member of a declared object."""
    RESOURCE = "resource"
    """`[package, token]`."""
    FUNCTION = "provider function"
    BUILT_IN = "function"
    """The name of a built-in function, or of one of `functions`."""
    HOME = "pack of functions"
    """The name of one of `functionPacks`."""
    FILE = "file"
    """An index into `files`."""
    PACKAGE = "package"
    """An index into `packages`."""
    DECLARATION = "declaration"
    """An index into `declarations`."""
    COMPONENT = "component"
    """An index into `components`."""
    PROGRAM = "program"
    TYPES_FOLDER = "types folder"
    DEFINITION = "definition"
    EXPRESSION = "expression"
    MEMBERS = "members"
    """Expressions by name."""
    COMMENTS = "comments"
    ITEM = "item"
    INPUT = "input"
    OPTION = "option"
    RANGE = "range"
    NOTE = "note"
    RULE = "rule"
    """The constraint on values beyond their type: a JSON Schema with the keywords of `types.rules`."""
    SYMBOL_KIND = "symbol kind"
    RANGE_KIND = "range kind"
    SEVERITY = "severity"


K = FieldKind

WORDS: Final[Mapping[FieldKind, type[StrEnum]]] = {
    K.SYMBOL_KIND: core.SymbolKind,
    K.RANGE_KIND: prog.RangeKind,
    K.SEVERITY: diagnostics.Severity,
}
"""The enums whose values are the contents of these kinds."""

_OMITTED: Final[Mapping[FieldKind, object]] = {K.TEXT: "", K.FLAG: False, K.MEMBERS: {}, K.COMMENTS: core.NO_COMMENTS}
"""The kinds that a pack may omit, with the value of the field then."""


class Content(Struct, frozen=True):
    """The content of a field: one value of a kind, a list of them (`is_list`), or a value or null (`is_optional`)."""

    kind: FieldKind
    is_list: bool = False
    is_optional: bool = False

    @property
    def is_required(self) -> bool:
        """Whether a pack must have the field."""
        return not (self.is_list or self.is_optional or self.kind in _OMITTED)

    @property
    def is_written(self) -> bool:
        """Whether pclgen writes the field even if it is empty."""
        return self.is_required or self.kind is K.DEFINITION

    @property
    def absent(self) -> object:
        """The value of an omitted field."""
        return () if self.is_list else None if self.is_optional else _OMITTED[self.kind]


def _many(kind: FieldKind) -> Content:
    return Content(kind, is_list=True)


def _optional(kind: FieldKind) -> Content:
    return Content(kind, is_optional=True)


class NodeForm(Struct, frozen=True):
    """A class of nodes, its name in a pack (`kind`), and its fields."""

    cls: type[Struct]
    kind: str
    fields: tuple[tuple[str, str, Content], ...]
    """For each field, its name in the class, its name in the pack, and its content."""


_RENAMED: Final = {
    "span": "at", "name_span": "nameAt", "primary": "at", "declared_at": "at", "nodes": "definitions", "homes": "functions",
}  # fmt: skip  # many short entries a line


def _camel(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return _RENAMED.get(name) or first + "".join(part.capitalize() for part in rest)


def _form(cls: type[Struct], **fields: FieldKind | Content) -> NodeForm:
    contents = {name: Content(content) if isinstance(content, FieldKind) else content for name, content in fields.items()}
    return NodeForm(cls, cls.__name__, tuple((name, _camel(name), content) for name, content in contents.items()))


_TYPED: Final = {"type": K.TYPE, "span": K.PLACE}

EXPRESSIONS: Final = (
    _form(core.Literal, value=K.VALUE, **_TYPED, multiline=K.FLAG),
    _form(core.Ref, symbol=K.SYMBOL, **_TYPED),
    _form(core.Attr, source=K.EXPRESSION, name=K.TEXT, field=_optional(K.FIELD), **_TYPED, proved=K.FLAG),
    _form(core.Index, source=K.EXPRESSION, key=K.EXPRESSION, **_TYPED),
    _form(core.ListExpr, elements=_many(K.EXPRESSION), **_TYPED, comments=_many(K.COMMENTS), closing=_many(K.TEXT)),
    _form(core.ObjectExpr, items=_many(K.ITEM), **_TYPED, closing=_many(K.TEXT)),
    _form(core.Template, parts=_many(K.EXPRESSION), **_TYPED, multiline=K.FLAG),
    _form(core.Unary, operator=K.TEXT, operand=K.EXPRESSION, **_TYPED),
    _form(core.Binary, operator=K.TEXT, left=K.EXPRESSION, right=K.EXPRESSION, **_TYPED),
    _form(core.Conditional, condition=K.EXPRESSION, then=K.EXPRESSION, otherwise=K.EXPRESSION, **_TYPED),
    _form(
        core.For,
        collection=K.EXPRESSION,
        key=_optional(K.SYMBOL),
        value=K.SYMBOL,
        result_key=_optional(K.EXPRESSION),
        result=K.EXPRESSION,
        condition=_optional(K.EXPRESSION),
        group=K.FLAG,
        splat=K.FLAG,
        **_TYPED,
    ),
    _form(core.Call, function=K.BUILT_IN, args=_many(K.EXPRESSION), expand=K.FLAG, **_TYPED, failure=_optional(K.SYMBOL)),
    _form(
        core.Invoke,
        token=K.TEXT,
        function=_optional(K.FUNCTION),
        args=_optional(K.EXPRESSION),
        options=K.MEMBERS,
        output_form=K.FLAG,
        **_TYPED,
    ),
    _form(
        core.MethodCall,
        receiver=K.EXPRESSION,
        name=K.TEXT,
        method=K.FUNCTION,
        args=_optional(K.EXPRESSION),
        **_TYPED,
    ),
    _form(core.Convert, value=K.EXPRESSION, **_TYPED, unset=_optional(K.TEXT), narrowed=K.FLAG, hidden=K.FLAG),
    _form(core.PropertyPath, path=K.TEXT, **_TYPED),
)
"""Expressions. `Invalid` occurs only in programs with errors, `Apply` and `All` only in lowered ones, so they are never
packed."""

_BODY: Final = {"inputs": _many(K.INPUT), "options": _many(K.OPTION), "range": _optional(K.RANGE)}
_AROUND: Final[Mapping[str, FieldKind | Content]] = {
    "span": K.PLACE,
    "name_span": K.PLACE,
    "comments": K.COMMENTS,
    "closing": _many(K.TEXT),
}

DEFINITIONS: Final = (
    _form(
        prog.ConfigVariable,
        symbol=K.SYMBOL,
        logical_name=K.TEXT,
        type=K.TYPE,
        default=_optional(K.EXPRESSION),
        secret=K.FLAG,
        required=K.FLAG,
        description=K.TEXT,
        span=K.PLACE,
        comments=K.COMMENTS,
        place=K.TEXT,
        closing=_many(K.TEXT),
        plain_input=K.FLAG,
        rule=_optional(K.RULE),
    ),
    _form(prog.Local, symbol=K.SYMBOL, value=K.EXPRESSION, span=K.PLACE, comments=K.COMMENTS),
    _form(
        prog.Resource,
        symbol=K.SYMBOL,
        logical_name=K.TEXT,
        token=K.TEXT,
        declaration=_optional(K.RESOURCE),
        **_BODY,
        read_id=_optional(K.EXPRESSION),
        **_AROUND,
    ),
    _form(
        prog.ComponentUse,
        symbol=K.SYMBOL,
        logical_name=K.TEXT,
        component=_optional(K.COMPONENT),
        token=K.TEXT,
        **_BODY,
        **_AROUND,
        source=K.TEXT,
    ),
    _form(
        prog.Hook,
        symbol=K.SYMBOL,
        is_error_hook=K.FLAG,
        args=K.SYMBOL,
        command=K.EXPRESSION,
        on_dry_run=_optional(K.EXPRESSION),
        ignore_errors=_optional(K.EXPRESSION),
        span=K.PLACE,
        comments=K.COMMENTS,
        closing=_many(K.TEXT),
    ),
    _form(
        prog.OutputVariable,
        symbol=K.SYMBOL,
        logical_name=K.TEXT,
        type=K.TYPE,
        value=K.EXPRESSION,
        description=K.TEXT,
        span=K.PLACE,
        comments=K.COMMENTS,
        closing=_many(K.TEXT),
    ),
    _form(prog.PulumiSettings, required_version_range=_optional(K.EXPRESSION), span=K.PLACE, comments=K.COMMENTS),
)
"""The definitions of a program."""

COMMENTS: Final = _form(core.Comments, leading=_many(K.TEXT), trailing=_many(K.TEXT))
ITEM: Final = _form(
    core.ObjectItem,
    key=K.EXPRESSION,
    value=K.EXPRESSION,
    span=K.PLACE,
    field=_optional(K.FIELD),
    comments=K.COMMENTS,
    when=_optional(K.EXPRESSION),
)
INPUT: Final = _form(
    prog.Input, name=K.TEXT, field=_optional(K.FIELD), value=K.EXPRESSION, span=K.PLACE, comments=K.COMMENTS
)
OPTION: Final = _form(core.Option, name=K.TEXT, value=K.EXPRESSION, span=K.PLACE, comments=K.COMMENTS)
RANGE: Final = _form(
    prog.Range, kind=K.RANGE_KIND, value=K.EXPRESSION, key=_optional(K.SYMBOL), item=_optional(K.SYMBOL), span=K.PLACE
)
NOTE: Final = _form(diagnostics.Note, message=K.TEXT, span=_optional(K.PLACE))
DIAGNOSTIC: Final = _form(
    diagnostics.Diagnostic,
    code=K.TEXT,
    severity=K.SEVERITY,
    message=K.TEXT,
    primary=_optional(K.PLACE),
    label=K.TEXT,
    notes=_many(K.NOTE),
    help=_optional(K.TEXT),
)
SYMBOL: Final = _form(core.Symbol, name=K.NAME, kind=K.SYMBOL_KIND, type=K.TYPE, span=K.PLACE)
FIELD: Final = _form(
    Field,
    name=K.NAME,
    type=K.TYPE,
    required=K.FLAG,
    secret=K.FLAG,
    doc=K.TEXT,
    rule=_optional(K.RULE),
    declared_at=_optional(K.PLACE),
)
"""An input or output of a component, which no schema declares."""
TYPES_FOLDER: Final = _form(prog.TypesFolder, user=K.NAME, source=K.NAME, path=K.NAME, texts=_many(K.FILE))
PROGRAM: Final = _form(
    prog.Program,
    name=K.NAME,
    nodes=_many(K.DEFINITION),
    components=_many(K.COMPONENT),
    packages=_many(K.PACKAGE),
    homes=_many(K.HOME),
    header=_many(K.TEXT),
    footer=_many(K.TEXT),
    texts=_many(K.FILE),
    types_from=_many(K.TYPES_FOLDER),
)
COMPONENT: Final = _form(
    prog.Component,
    name=K.NAME,
    directory=K.NAME,
    path=K.NAME,
    program=K.PROGRAM,
    inputs=K.DECLARATION,
    value=K.DECLARATION,
)
PARTS_BY_KIND: Final[Mapping[FieldKind, NodeForm]] = {
    K.COMMENTS: COMMENTS,
    K.ITEM: ITEM,
    K.INPUT: INPUT,
    K.OPTION: OPTION,
    K.RANGE: RANGE,
    K.NOTE: NOTE,
    K.TYPES_FOLDER: TYPES_FOLDER,
    K.PROGRAM: PROGRAM,
}
PARTS: Final = (*PARTS_BY_KIND.values(), DIAGNOSTIC, SYMBOL, FIELD, COMPONENT)
"""Parts whose class follows from their place, so that a pack does not write their kind."""

FORMS: Final = (*EXPRESSIONS, *DEFINITIONS, *PARTS)
