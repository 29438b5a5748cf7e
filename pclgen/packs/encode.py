"""A bound program encoded as rows and trees of JSON (docs/packs.md).

Shared objects (types, symbols, declarations, files, packages, components) have a table each, in order of first use, and are
referred to by index.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from decimal import Decimal
from typing import Any, Final, TypeAlias, assert_never

from msgspec import Struct

from pclgen.packs.forms import DEFINITIONS, EXPRESSIONS, FORMS, PARTS_BY_KIND, Content, FieldKind
from pclgen.source.text import SourceFile, Span
from pclgen.stdlib.model import Function, Home
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, Field, FunctionDecl, Package, ResourceDecl, Shape

Json: TypeAlias = Any
"""The input of `json`."""

_BY_CLASS: Final = {form.cls: form for form in FORMS}
_TAGGED: Final = frozenset(form.cls for form in (*EXPRESSIONS, *DEFINITIONS))


class _Table:
    """Rows, one per object, in order of first use."""

    def __init__(self, row: Callable[[Any], Json]) -> None:
        self.rows: list[Json] = []
        self._row = row
        self._numbers: dict[int, int] = {}
        self._kept: list[Hashable] = []  # keeps objects alive, so that their `id` is not reused

    def index(self, entry: Hashable) -> int:
        """Return the index of the row of `entry`."""
        number = self._numbers.get(id(entry))
        if number is None:
            row = self._row(entry)  # rows that it refers to come first
            number = self._numbers[id(entry)] = len(self.rows)
            self.rows.append(row)
            self._kept.append(entry)
        return number

    def __contains__(self, entry: object) -> bool:
        return id(entry) in self._numbers


class Encoder:
    """Encodes one program and everything it requires. `name_of` returns the name of a file in the pack."""

    def __init__(self, name_of: Callable[[SourceFile], str]) -> None:
        self._name_of = name_of
        self._fields: dict[int, tuple[Declaration, Shape]] = {}
        self._searched: set[tuple[int, Shape]] = set()
        self._met: dict[int, Declaration] = {}
        self.functions: dict[str, Function] = {}
        self.homes: dict[str, Home] = {}
        self.packages: list[Package] = []
        self.files: _Table = _Table(self._file)
        self.types: _Table = _Table(self._type)
        self.symbols: _Table = _Table(self.node)
        self.declarations: _Table = _Table(self._declaration)
        self.components: _Table = _Table(self.node)
        self._encoders: Mapping[FieldKind, Callable[[Any], Json]] = {
            FieldKind.VALUE: value_of,
            FieldKind.TYPE: self.types.index,
            FieldKind.SYMBOL: self.symbols.index,
            FieldKind.PLACE: self._place,
            FieldKind.FIELD: self._field,
            FieldKind.RESOURCE: self._member,
            FieldKind.FUNCTION: self._member,
            FieldKind.BUILT_IN: self._function,
            FieldKind.HOME: self._home,
            FieldKind.FILE: self.files.index,
            FieldKind.PACKAGE: self.package,
            FieldKind.DECLARATION: self.declarations.index,
            FieldKind.COMPONENT: self.components.index,
            FieldKind.MEMBERS: lambda members: {name: self.node(value) for name, value in members.items()},
            FieldKind.RULE: _plain,
            **dict.fromkeys((FieldKind.EXPRESSION, FieldKind.DEFINITION, *PARTS_BY_KIND), self.node),
        }
        self._rows = {
            form.cls: [(name, key, self._encoder(content), content.is_written) for name, key, content in form.fields]
            for form in FORMS
        }

    def _encoder(self, content: Content) -> Callable[[Any], Json]:
        encode = self._encoders.get(content.kind, lambda value: value)
        if content.is_list:
            return lambda values: [encode(value) for value in values]
        return lambda value: None if value is None else encode(value)

    # --- nodes ---------------------------------------------------------------------------------------------------------

    def node(self, node: Struct) -> Json:
        """Encode a node of `forms.FORMS`."""
        form = _BY_CLASS[type(node)]
        row: dict[str, Json] = {"kind": form.kind} if form.cls in _TAGGED else {}
        if hasattr(node, "type"):
            self.types.index(node.type)  # before the members, whose types are parts of it
        for name, key, encode, is_written in self._rows[form.cls]:
            encoded = encode(getattr(node, name))
            if is_written or not _is_empty(encoded):
                row[key] = encoded
        return row

    def function(self, function: Function) -> Json:
        """Encode the facts that calls of a pack function need."""
        return {
            "name": function.name,
            "doc": function.doc,
            "parameters": [
                {
                    "name": parameter.name,
                    "doc": parameter.doc,
                    "type": self.types.index(parameter.type),
                    **({"allowNull": True} if parameter.allow_null else {}),
                }
                for parameter in function.parameters
            ],
            "spelled": {
                language: {"name": part.name, **({"fails": True} if part.fails else {})}
                for language, part in sorted(function.spelled.items())
            },
            "home": function.home.name if function.home is not None else "",
        }

    def package(self, package: Package) -> int:
        """The index of a package."""
        for index, other in enumerate(self.packages):
            if other is package:
                return index
        self.packages.append(package)
        return len(self.packages) - 1

    def _function(self, function: Function) -> Json:
        if function.home is not None:
            self.functions[function.name] = function
        return function.name

    def _home(self, home: Home) -> Json:
        self.homes[home.name] = home
        return home.name

    # --- places and names ----------------------------------------------------------------------------------------------

    def _file(self, file: SourceFile) -> Json:
        return {"name": self._name_of(file), "text": file.text}

    def _place(self, span: Span) -> Json:
        return [self.files.index(span.file), span.start, span.end]

    # --- types and declarations ----------------------------------------------------------------------------------------

    def _type(self, t: ty.Type) -> Json:
        index = self.types.index
        match t:
            case ty.PrimitiveType():
                return t.kind.value
            case ty.ConstType():
                return {"constant": value_of(t.value), "base": index(t.base)}
            case ty.EnumType():
                return {"enum": [self.package(t.declaration.package), t.declaration.token]}
            case ty.ListType():
                return {"list": index(t.element)}
            case ty.MapType():
                return {"map": index(t.element)}
            case ty.TupleType():
                return {"tuple": [index(element) for element in t.elements]}
            case ty.ObjectType():
                members = {name: index(t.lacking.get(name, member)) for name, member in t.members.items()}
                return {"object": members, "lacking": list(t.lacking)} if t.lacking else {"object": members}
            case ty.NominalType():
                row = {"declared": self.declarations.index(t.declaration), "shape": t.shape.value}
                return row if t.resource is None else {**row, "resource": self._member(t.resource)}
            case ty.UnionType():
                union: dict[str, Json] = {"union": [index(member) for member in t.members]}
                if t.discriminator is not None:
                    mapping = [[tag, index(member)] for tag, member in t.discriminator.mapping]
                    union["discriminator"] = {"property": t.discriminator.property, "mapping": mapping}
                return union
            case ty.OutputType():
                return {"output": index(t.element)}
            case ty.PromiseType():
                return {"promise": index(t.element)}
            case ty.InputType():
                return {"input": index(t.element)}
        assert_never(t)

    def _member(self, member: ResourceDecl | FunctionDecl) -> Json:
        if isinstance(member, ResourceDecl):
            self._meet(member.inputs, member.outputs, member.state)
        else:
            result = member.result.declaration if isinstance(member.result, ty.NominalType) else None
            self._meet(member.inputs, result)
        return [self.package(member.package), member.token]

    def _meet(self, *declarations: Declaration | None) -> None:
        """Record declarations whose fields may be referred to."""
        self._met.update({id(declaration): declaration for declaration in declarations if declaration is not None})

    def _declaration(self, declaration: Declaration) -> Json:
        self._meet(declaration)
        if declaration.package is not None:
            return {
                "kind": declaration.kind.value,
                "package": self.package(declaration.package),
                "token": declaration.token,
            }
        fields = [self.node(field) for field in declaration.fields(Shape.OUTPUT).values()]
        return {"kind": declaration.kind.value, "token": declaration.token, "fields": fields}

    def _field(self, field: Field) -> Json:
        owner = self._fields.get(id(field))
        if owner is None:
            self._look_for_fields()
            owner = self._fields[id(field)]
        declaration, shape = owner
        return [self.declarations.index(declaration), shape.value, field.name]

    def _look_for_fields(self) -> None:
        """Index the fields that were read of the declarations met so far."""
        for declaration in self._met.values():
            for shape in Shape:
                key = (id(declaration), shape)
                if key not in self._searched and declaration.is_read(shape):
                    self._searched.add(key)
                    for field in declaration.fields(shape).values():
                        self._fields.setdefault(id(field), (declaration, shape))


def _is_empty(data: Json) -> bool:
    return data is None or data is False or (isinstance(data, str | list | dict) and not data)


def _plain(part: object) -> Json:
    """Return a part of a rule as JSON."""
    match part:
        case Mapping():
            return {str(name): _plain(inner) for name, inner in part.items()}
        case list() | tuple():
            return [_plain(inner) for inner in part]
        case _:
            return part


def value_of(value: object) -> Json:
    """Encode a constant."""
    return {"number": str(value)} if isinstance(value, Decimal) else value
