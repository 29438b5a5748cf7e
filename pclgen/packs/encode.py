"""A bound program encoded as rows and trees of JSON (docs/packs.md).

Shared objects (types, symbols, declarations, files, packages, components) have a table each, in order of first use, and are
referred to by index.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, TypeAlias, assert_never

from msgspec import Struct

from pclgen.core.expr import Symbol
from pclgen.core.program import Component, Program, TypesFolder
from pclgen.diagnostics.model import Diagnostic
from pclgen.packs.forms import DEFINITIONS, EXPRESSIONS, FORMS, FieldKind
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
        self.symbols: _Table = _Table(self._symbol)
        self.declarations: _Table = _Table(self._declaration)
        self.components: _Table = _Table(self._component)
        self._encoders: Mapping[FieldKind, Callable[[Any], Json]] = {
            FieldKind.TEXT: _same,
            FieldKind.OPTIONAL_TEXT: _same,
            FieldKind.TEXTS: list,
            FieldKind.FLAG: _same,
            FieldKind.VALUE: value_of,
            FieldKind.TYPE: self.types.index,
            FieldKind.SYMBOL: self.symbols.index,
            FieldKind.OPTIONAL_SYMBOL: self._optionally(self.symbols.index),
            FieldKind.PLACE: self._place,
            FieldKind.OPTIONAL_PLACE: self._optionally(self._place),
            FieldKind.FIELD: self._optionally(self._field),
            FieldKind.RESOURCE: self._optionally(self._member),
            FieldKind.FUNCTION: self._member,
            FieldKind.OPTIONAL_FUNCTION: self._optionally(self._member),
            FieldKind.BUILT_IN: self._function,
            FieldKind.COMPONENT: self._optionally(self.components.index),
            FieldKind.COMMENTS: self._comments,
            FieldKind.COMMENT_LIST: self._comment_list,
            FieldKind.EXPRESSION: self.node,
            FieldKind.OPTIONAL_EXPRESSION: self._optionally(self.node),
            FieldKind.EXPRESSIONS: self._nodes,
            FieldKind.MEMBERS: lambda members: {name: self.node(value) for name, value in members.items()},
            FieldKind.ITEMS: self._nodes,
            FieldKind.INPUTS: self._nodes,
            FieldKind.OPTIONS: self._nodes,
            FieldKind.RANGE: self._optionally(self.node),
            FieldKind.NOTES: self._nodes,
            FieldKind.RULE: self._optionally(_plain),
            FieldKind.RANGE_KIND: _same,
            FieldKind.SEVERITY: _same,
        }

    # --- nodes ---------------------------------------------------------------------------------------------------------

    def node(self, node: Struct) -> Json:
        """Encode a node of `forms.FORMS`."""
        form = _BY_CLASS[type(node)]
        row: dict[str, Json] = {"kind": form.kind} if form.cls in _TAGGED else {}
        if hasattr(node, "type"):
            self.types.index(node.type)  # before the members, whose types are parts of it
        for name, key, kind in form.fields:
            encoded = self._encoders[kind](getattr(node, name))
            if kind is FieldKind.VALUE or not _is_empty(encoded):
                row[key] = encoded
        return row

    def program(self, program: Program) -> Json:
        """Encode a program, or the inside of a component."""
        for home in program.homes:
            self.homes[home.name] = home
        row: dict[str, Json] = {
            "name": program.name,
            "definitions": self._nodes(program.nodes),
            "components": [self.components.index(component) for component in program.components],
            "packages": [self.package(package) for package in program.packages],
            "functions": [home.name for home in program.homes],
            "header": list(program.header),
            "footer": list(program.footer),
            "texts": [self.files.index(file) for file in program.texts],
            "typesFrom": [self._types_folder(folder) for folder in program.types_from],
        }
        return {key: value for key, value in row.items() if value or key in ("name", "definitions")}

    def _types_folder(self, folder: TypesFolder) -> Json:
        texts = [self.files.index(file) for file in folder.texts]
        return {"user": folder.user, "source": folder.source, "path": folder.path, "texts": texts}

    def diagnostics(self, diagnostics: Sequence[Diagnostic]) -> Json:
        """Encode diagnostics in order."""
        return self._nodes(diagnostics)

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

    def _nodes(self, nodes: Sequence[Struct]) -> list[Json]:
        return [self.node(node) for node in nodes]

    def _comments(self, comments: Any) -> Json:
        return self.node(comments) if comments.leading or comments.trailing else None

    def _comment_list(self, entries: Sequence[Any]) -> Json:
        return [self.node(comments) for comments in entries]

    @staticmethod
    def _optionally(encode: Callable[[Any], Json]) -> Callable[[Any], Json]:
        return lambda value: None if value is None else encode(value)

    def _function(self, function: Function) -> Json:
        if function.home is not None:
            self.functions[function.name] = function
        return function.name

    # --- places and names ----------------------------------------------------------------------------------------------

    def _file(self, file: SourceFile) -> Json:
        return {"name": self._name_of(file), "text": file.text}

    def _place(self, span: Span) -> Json:
        return [self.files.index(span.file), span.start, span.end]

    def _symbol(self, symbol: Symbol) -> Json:
        row = {"name": symbol.name, "kind": symbol.kind.value, "type": self.types.index(symbol.type)}
        return {**row, "at": self._place(symbol.span)}

    def _component(self, component: Component) -> Json:
        return {
            "name": component.name,
            "directory": component.directory,
            "path": component.path,
            "program": self.program(component.program),
            "inputs": self.declarations.index(component.inputs),
            "value": self.declarations.index(component.value),
        }

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
        fields = [self._own_field(field) for field in declaration.fields(Shape.OUTPUT).values()]
        return {"kind": declaration.kind.value, "token": declaration.token, "fields": fields}

    def _own_field(self, field: Field) -> Json:
        """Encode a field of a component, which no schema declares."""
        row: dict[str, Json] = {"name": field.name, "type": self.types.index(field.type)}
        row |= {"required": True} if field.required else {}
        row |= {"secret": True} if field.secret else {}
        row |= {"doc": field.doc} if field.doc else {}
        row |= {"rule": _plain(field.rule)} if field.rule is not None else {}
        return row | ({"at": self._place(field.declared_at)} if field.declared_at is not None else {})

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


def _same(value: Json) -> Json:
    return value
