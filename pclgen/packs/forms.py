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


class FieldKind(Enum):
    """The content of a field. Optional kinds may be null; null, false and empty values are omitted."""

    TEXT = "text"
    OPTIONAL_TEXT = "text?"
    TEXTS = "texts"
    FLAG = "flag"
    VALUE = "value"
    """A constant: null, a bool, a text, an integer; `{"number": "1.5"}` for every other number."""
    TYPE = "type"
    """An index into `types`."""
    SYMBOL = "symbol"
    """An index into `symbols`."""
    OPTIONAL_SYMBOL = "symbol?"
    PLACE = "place"
    """`[file, start, end]`: an index into `files` and two offsets, in code points."""
    OPTIONAL_PLACE = "place?"
    FIELD = "field?"
    """`[declaration, shape, name]`: a member of a declared object."""
    RESOURCE = "resource?"
    """`[package, token]`."""
    FUNCTION = "provider function"
    OPTIONAL_FUNCTION = "provider function?"
    BUILT_IN = "function"
    """The name of a built-in function, or of one of `functions`."""
    COMPONENT = "component?"
    """An index into `components`."""
    COMMENTS = "comments"
    COMMENT_LIST = "list of comments"
    EXPRESSION = "expression"
    OPTIONAL_EXPRESSION = "expression?"
    EXPRESSIONS = "expressions"
    MEMBERS = "members"
    """Expressions by name."""
    ITEMS = "items"
    INPUTS = "inputs"
    OPTIONS = "options"
    RANGE = "range?"
    NOTES = "notes"
    RULE = "rule?"
    """The constraint on values beyond their type: a JSON Schema with the keywords of `types.rules`."""
    RANGE_KIND = "range kind"
    SEVERITY = "severity"


WORDS: Final[Mapping[FieldKind, type[StrEnum]]] = {
    FieldKind.RANGE_KIND: prog.RangeKind,
    FieldKind.SEVERITY: diagnostics.Severity,
}
"""The enums whose values are the contents of these kinds."""


class NodeForm(Struct, frozen=True):
    """A class of nodes, its name in a pack (`kind`), and its fields."""

    cls: type[Struct]
    kind: str
    fields: tuple[tuple[str, str, FieldKind], ...]
    """For each field, its name in the class, its name in the pack, and the kind of its content."""


_RENAMED: Final = {"span": "at", "name_span": "nameAt", "primary": "at"}


def _camel(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return _RENAMED.get(name) or first + "".join(part.capitalize() for part in rest)


def _form(cls: type[Struct], **fields: FieldKind) -> NodeForm:
    return NodeForm(cls, cls.__name__, tuple((name, _camel(name), kind) for name, kind in fields.items()))


K = FieldKind
_TYPED: Final = {"type": K.TYPE, "span": K.PLACE}

EXPRESSIONS: Final = (
    _form(core.Literal, value=K.VALUE, **_TYPED, multiline=K.FLAG),
    _form(core.Ref, symbol=K.SYMBOL, **_TYPED),
    _form(core.Attr, source=K.EXPRESSION, name=K.TEXT, field=K.FIELD, **_TYPED, proved=K.FLAG),
    _form(core.Index, source=K.EXPRESSION, key=K.EXPRESSION, **_TYPED),
    _form(core.ListExpr, elements=K.EXPRESSIONS, **_TYPED, comments=K.COMMENT_LIST, closing=K.TEXTS),
    _form(core.ObjectExpr, items=K.ITEMS, **_TYPED, closing=K.TEXTS),
    _form(core.Template, parts=K.EXPRESSIONS, **_TYPED, multiline=K.FLAG),
    _form(core.Unary, operator=K.TEXT, operand=K.EXPRESSION, **_TYPED),
    _form(core.Binary, operator=K.TEXT, left=K.EXPRESSION, right=K.EXPRESSION, **_TYPED),
    _form(core.Conditional, condition=K.EXPRESSION, then=K.EXPRESSION, otherwise=K.EXPRESSION, **_TYPED),
    _form(
        core.For,
        collection=K.EXPRESSION,
        key=K.OPTIONAL_SYMBOL,
        value=K.SYMBOL,
        result_key=K.OPTIONAL_EXPRESSION,
        result=K.EXPRESSION,
        condition=K.OPTIONAL_EXPRESSION,
        group=K.FLAG,
        splat=K.FLAG,
        **_TYPED,
    ),
    _form(core.Call, function=K.BUILT_IN, args=K.EXPRESSIONS, expand=K.FLAG, **_TYPED, failure=K.OPTIONAL_SYMBOL),
    _form(
        core.Invoke,
        token=K.TEXT,
        function=K.OPTIONAL_FUNCTION,
        args=K.OPTIONAL_EXPRESSION,
        options=K.MEMBERS,
        output_form=K.FLAG,
        **_TYPED,
    ),
    _form(
        core.MethodCall,
        receiver=K.EXPRESSION,
        name=K.TEXT,
        method=K.FUNCTION,
        args=K.OPTIONAL_EXPRESSION,
        **_TYPED,
    ),
    _form(core.Convert, value=K.EXPRESSION, **_TYPED, unset=K.OPTIONAL_TEXT, narrowed=K.FLAG, hidden=K.FLAG),
    _form(core.PropertyPath, path=K.TEXT, **_TYPED),
)
"""Expressions. `Invalid` occurs only in programs with errors, `Apply` and `All` only in lowered ones, so they are never
packed."""

_BODY: Final = {
    "inputs": K.INPUTS,
    "options": K.OPTIONS,
    "range": K.RANGE,
}
_AROUND: Final = {"span": K.PLACE, "name_span": K.PLACE, "comments": K.COMMENTS, "closing": K.TEXTS}

DEFINITIONS: Final = (
    _form(
        prog.ConfigVariable,
        symbol=K.SYMBOL,
        logical_name=K.TEXT,
        type=K.TYPE,
        default=K.OPTIONAL_EXPRESSION,
        secret=K.FLAG,
        required=K.FLAG,
        description=K.TEXT,
        span=K.PLACE,
        comments=K.COMMENTS,
        place=K.TEXT,
        closing=K.TEXTS,
        plain_input=K.FLAG,
        rule=K.RULE,
    ),
    _form(prog.Local, symbol=K.SYMBOL, value=K.EXPRESSION, span=K.PLACE, comments=K.COMMENTS),
    _form(
        prog.Resource,
        symbol=K.SYMBOL,
        logical_name=K.TEXT,
        token=K.TEXT,
        declaration=K.RESOURCE,
        **_BODY,
        read_id=K.OPTIONAL_EXPRESSION,
        **_AROUND,
    ),
    _form(
        prog.ComponentUse,
        symbol=K.SYMBOL,
        logical_name=K.TEXT,
        component=K.COMPONENT,
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
        on_dry_run=K.OPTIONAL_EXPRESSION,
        ignore_errors=K.OPTIONAL_EXPRESSION,
        span=K.PLACE,
        comments=K.COMMENTS,
        closing=K.TEXTS,
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
        closing=K.TEXTS,
    ),
    _form(prog.PulumiSettings, required_version_range=K.OPTIONAL_EXPRESSION, span=K.PLACE, comments=K.COMMENTS),
)
"""The definitions of a program."""

COMMENTS: Final = _form(core.Comments, leading=K.TEXTS, trailing=K.TEXTS)
ITEM: Final = _form(
    core.ObjectItem,
    key=K.EXPRESSION,
    value=K.EXPRESSION,
    span=K.PLACE,
    field=K.FIELD,
    comments=K.COMMENTS,
    when=K.OPTIONAL_EXPRESSION,
)
INPUT: Final = _form(prog.Input, name=K.TEXT, field=K.FIELD, value=K.EXPRESSION, span=K.PLACE, comments=K.COMMENTS)
OPTION: Final = _form(core.Option, name=K.TEXT, value=K.EXPRESSION, span=K.PLACE, comments=K.COMMENTS)
RANGE: Final = _form(
    prog.Range, kind=K.RANGE_KIND, value=K.EXPRESSION, key=K.OPTIONAL_SYMBOL, item=K.OPTIONAL_SYMBOL, span=K.PLACE
)
NOTE: Final = _form(diagnostics.Note, message=K.TEXT, span=K.OPTIONAL_PLACE)
DIAGNOSTIC: Final = _form(
    diagnostics.Diagnostic,
    code=K.TEXT,
    severity=K.SEVERITY,
    message=K.TEXT,
    primary=K.OPTIONAL_PLACE,
    label=K.TEXT,
    notes=K.NOTES,
    help=K.OPTIONAL_TEXT,
)
PARTS: Final = (COMMENTS, ITEM, INPUT, OPTION, RANGE, NOTE, DIAGNOSTIC)
"""Nodes that occur in one kind of field only, so that a pack does not write their kind."""

FORMS: Final = (*EXPRESSIONS, *DEFINITIONS, *PARTS)
