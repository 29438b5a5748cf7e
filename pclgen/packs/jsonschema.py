"""The JSON Schema of packs, derived from `forms`; `scripts.reference` writes it to `docs/mupack.schema.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from pclgen.packs.document import FORMAT, VERSION
from pclgen.packs.forms import (
    DEFINITIONS,
    DIAGNOSTIC,
    EXPRESSIONS,
    FIELD,
    FORMS,
    PARTS,
    PARTS_BY_KIND,
    WORDS,
    Content,
    FieldKind,
    NodeForm,
)
from pclgen.types.declarations import DeclarationKind, Shape
from pclgen.types.model import Primitive
from pclgen.types.rules import COUNTS, OF_NUMBERS

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
