"""The nodes of a program in a pack: the fields of each class and their contents (docs/packs.md, Nodes).

`encode`, `decode` and the JSON Schema follow `FORMS`. A test compares `FORMS` with the classes, so that no field is missing.
`scripts.reference` writes the JSON Schema to `docs/mupack.schema.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum
from typing import Any, Final

from msgspec import Struct

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.diagnostics import model as diagnostics
from pclgen.packs.document import FORMAT, VERSION
from pclgen.types.declarations import DeclarationKind, Field, Shape
from pclgen.types.model import Primitive
from pclgen.types.rules import COUNTS, OF_NUMBERS


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


# -- the JSON schema --------------------------------------------------------------------------------------------------------

Json = dict[str, Any]

_TEXT: Final[Json] = {"type": "string"}
_TEXTS: Final[Json] = {"type": "array", "items": _TEXT}
_FLAG: Final[Json] = {"type": "boolean"}
_INDEX: Final[Json] = {"type": "integer", "minimum": 0}


def _refer(name: str) -> Json:
    return {"$ref": f"#/$defs/{name}"}


def _list(of: Json) -> Json:
    return {"type": "array", "items": of}


def _tuple(*parts: Json) -> Json:
    return {"type": "array", "prefixItems": list(parts), "items": False, "minItems": len(parts)}


def _object(required: Sequence[str] = (), about: str = "", /, **properties: Json) -> Json:
    schema: Json = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = list(required)
    return {"description": about, **schema} if about else schema


def _index(table: str) -> Json:
    return {**_INDEX, "description": f"An index into `{table}`."}


_KINDS: Final[Mapping[FieldKind, Json]] = {
    FieldKind.TEXT: _TEXT,
    FieldKind.NAME: _TEXT,
    FieldKind.FLAG: _FLAG,
    FieldKind.VALUE: _refer("Value"),
    FieldKind.TYPE: _index("types"),
    FieldKind.SYMBOL: _index("symbols"),
    FieldKind.PLACE: _refer("Place"),
    FieldKind.FIELD: _refer("Member"),
    FieldKind.RESOURCE: _refer("Token"),
    FieldKind.FUNCTION: _refer("Token"),
    FieldKind.BUILT_IN: _TEXT,
    FieldKind.HOME: _TEXT,
    FieldKind.FILE: _index("files"),
    FieldKind.PACKAGE: _index("packages"),
    FieldKind.DECLARATION: _index("declarations"),
    FieldKind.COMPONENT: _index("components"),
    FieldKind.DEFINITION: _refer("Definition"),
    FieldKind.EXPRESSION: _refer("Expression"),
    FieldKind.MEMBERS: {"type": "object", "additionalProperties": _refer("Expression")},
    FieldKind.RULE: _refer("Rule"),
    **{kind: {"enum": [word.value for word in words]} for kind, words in WORDS.items()},
    **{kind: _refer(form.kind) for kind, form in PARTS_BY_KIND.items()},
}


def _node(form: NodeForm) -> Json:
    about = (form.cls.__doc__ or "").partition("\n")[0].replace("``", "`")
    tag = {} if form in PARTS else {"kind": {"const": form.kind}}
    required = [*tag, *(key for _, key, content in form.fields if content.is_written)]
    return _object(required, about, **tag, **{key: _content(content) for _, key, content in form.fields})


def _content(content: Content) -> Json:
    return _list(_KINDS[content.kind]) if content.is_list else _KINDS[content.kind]


def _types() -> Json:
    declared = _object(
        ("declared", "shape"),
        declared=_index("declarations"),
        shape={"enum": [shape.value for shape in Shape]},
        resource=_refer("Token"),
    )
    tagged = _object(("property", "mapping"), property=_TEXT, mapping=_list(_tuple(_TEXT, _index("types"))))
    index = _index("types")
    return {
        "description": "A type; its components precede it.",
        "oneOf": [
            {"enum": [kind.value for kind in Primitive if kind is not Primitive.ERROR]},
            *(_object((name,), **{name: index}) for name in ("list", "map", "output", "promise", "input")),
            _object(("tuple",), tuple=_list(index)),
            _object(("object",), object={"type": "object", "additionalProperties": index}, lacking=_list(_TEXT)),
            _object(("constant", "base"), constant=_refer("Value"), base=index),
            _object(("enum",), enum=_refer("Token")),
            declared,
            _object(("union",), union=_list(index), discriminator=tagged),
        ],
    }


def _rule() -> Json:
    words: Json = {word: {"type": "number"} for word in OF_NUMBERS}
    words |= dict.fromkeys(COUNTS, _INDEX)
    values = _list({"type": ["boolean", "number", "string"]})
    words |= {"title": _TEXT, "description": _TEXT}
    words |= {"pattern": _TEXT, "uniqueItems": _FLAG, "hidden": _FLAG, "enum": values, "texts": values}
    words |= {"items": _refer("Rule"), "additionalProperties": _refer("Rule")}
    words["properties"] = {"type": "object", "additionalProperties": _refer("Rule")}
    return _object((), "What values keep beyond their type, with the words of JSON Schema.", **words)


def _definitions() -> Json:
    parameter = _object(("name", "doc", "type"), name=_TEXT, doc=_TEXT, type=_index("types"), allowNull=_FLAG)
    spelling = _object(("name",), name=_TEXT, fails=_FLAG)
    return {
        "Value": {
            "description": "A constant; a number that is no integer is a text in decimal.",
            "oneOf": [{"type": ["null", "boolean", "string", "integer"]}, _object(("number",), number=_TEXT)],
        },
        "Place": {
            "description": "A file, and where in its text, in code points: [file, start, end].",
            **_tuple(_index("files"), _INDEX, _INDEX),
        },
        "Token": {"description": "A member of a package: [package, token].", **_tuple(_index("packages"), _TEXT)},
        "Member": {
            "description": "A member of a declared object: [declaration, shape, name].",
            **_tuple(_index("declarations"), {"enum": [shape.value for shape in Shape]}, _TEXT),
        },
        "Rule": _rule(),
        "Type": _types(),
        "Declaration": {
            "description": "A member of a package, or, with fields, what a component takes or gives.",
            **_object(
                ("kind", "token"),
                kind={"enum": [kind.value for kind in DeclarationKind]},
                package=_index("packages"),
                token=_TEXT,
                fields=_list(_refer(FIELD.kind)),
            ),
        },
        "Function": _object(
            ("name", "doc", "parameters", "spelled", "home"),
            name=_TEXT,
            doc=_TEXT,
            parameters=_list(parameter),
            spelled={"type": "object", "additionalProperties": spelling},
            home={**_TEXT, "description": "Its pack of functions."},
        ),
        "Expression": {"oneOf": [_refer(form.kind) for form in EXPRESSIONS]},
        "Definition": {"oneOf": [_refer(form.kind) for form in DEFINITIONS]},
        **{form.kind: _node(form) for form in FORMS},
    }


def json_schema() -> str:
    """Return the JSON Schema of a pack."""
    result: Json = {
        "format": {"const": FORMAT},
        "version": {"type": "integer", "minimum": 1, "maximum": VERSION},
        "digest": {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"},
        "edition": {**_TEXT, "description": "What made it."},
        "name": _TEXT,
        "about": _object(description=_TEXT, author=_TEXT, website=_TEXT, license=_TEXT, package=_TEXT, version=_TEXT),
        "project": _object(name=_TEXT, description=_TEXT, main=_TEXT),
        "lenient": _FLAG,
        "dependencies": _list(_object(("name",), name=_TEXT, version=_TEXT, pluginDownloadURL=_TEXT)),
        "files": _list(_object(("name", "text"), name=_TEXT, text=_TEXT)),
        "data": _list(_object(("path",), path=_TEXT, text=_TEXT, base64=_TEXT)),
        "packages": _list(
            _object(
                ("schema",),
                schema={"type": ["object", "null"], "description": "A Pulumi package schema; members not needed are null."},
                refers={"type": "object", "additionalProperties": _index("packages")},
            )
        ),
        "functionPacks": _list(
            _object(("name", "files"), name=_TEXT, files={"type": "object", "additionalProperties": _TEXT})
        ),
        "functions": _list(_refer("Function")),
        "declarations": _list(_refer("Declaration")),
        "types": _list(_refer("Type")),
        "symbols": _list(_refer("Symbol")),
        "components": _list(_refer("Component")),
        "program": {"oneOf": [{"type": "null"}, _refer("Program")]},
        "diagnostics": _list(_refer(DIAGNOSTIC.kind)),
        "strictly": _list(_refer(DIAGNOSTIC.kind)),
    }
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "MuPack",
        "description": "A Pulumi program that was bound, with all that it was bound against (docs/packs.md).",
        **_object(list(result), **result),
        "$defs": _definitions(),
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"
