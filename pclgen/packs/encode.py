"""A bound program as rows and trees of JSON (docs/packs.md).

Comes in: programs, diagnostics, and what they refer to.  Goes out: plain data; what is shared (types, symbols, declarations,
files, packages, components) has a table each, in the order in which it was met, and is referred to by its index.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Final, TypeAlias, assert_never

from pclgen.core.expr import Symbol
from pclgen.core.program import Component, Program, TypesFolder
from pclgen.diagnostics.model import Diagnostic
from pclgen.packs.forms import DEFINITIONS, EXPRESSIONS, FORMS, Kind
from pclgen.source.text import SourceFile, Span
from pclgen.stdlib.model import Function, Home
from pclgen.types.declarations import Declaration, Field, FunctionDecl, Package, ResourceDecl, Shape
from pclgen.types.model import (
    ConstType,
    EnumType,
    InputType,
    ListType,
    MapType,
    NominalType,
    ObjectType,
    OutputType,
    PrimitiveType,
    PromiseType,
    TupleType,
    Type,
    UnionType,
)

Json: TypeAlias = Any
"""What `json` writes."""

_BY_CLASS: Final = {form.cls: form for form in FORMS}
_TAGGED: Final = frozenset(form.cls for form in (*EXPRESSIONS, *DEFINITIONS))


class _Table:
    """Rows, each for one object, in the order in which they were met."""

    def __init__(self, row: Callable[[Any], Json]) -> None:
        self.rows: list[Json] = []
        self._row = row
        self._known: dict[int, int] = {}
        self._kept: list[Hashable] = []  # so that no other object gets the identity of one that is gone

    def index(self, entry: Hashable) -> int:
        """The index of the row of `entry`."""
        found = self._known.get(id(entry))
        if found is None:
            row = self._row(entry)  # rows of what it refers to come first
            found = self._known[id(entry)] = len(self.rows)
            self.rows.append(row)
            self._kept.append(entry)
        return found

    def __contains__(self, entry: object) -> bool:
        return id(entry) in self._known


class Encoder:
    """Encodes one program and what it needs.  `name_of` says what a file is called in the pack."""

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
        self._encoders: Mapping[Kind, Callable[[Any], Json]] = {
            Kind.TEXT: _same,
            Kind.OPTIONAL_TEXT: _same,
            Kind.TEXTS: list,
            Kind.FLAG: _same,
            Kind.VALUE: value_of,
            Kind.TYPE: self.types.index,
            Kind.SYMBOL: self.symbols.index,
            Kind.OPTIONAL_SYMBOL: self._optionally(self.symbols.index),
            Kind.PLACE: self._place,
            Kind.OPTIONAL_PLACE: self._optionally(self._place),
            Kind.FIELD: self._optionally(self._field),
            Kind.RESOURCE: self._optionally(self._member),
            Kind.FUNCTION: self._member,
            Kind.OPTIONAL_FUNCTION: self._optionally(self._member),
            Kind.BUILT_IN: self._function,
            Kind.COMPONENT: self._optionally(self.components.index),
            Kind.COMMENTS: self._comments,
            Kind.COMMENT_LIST: self._comment_list,
            Kind.EXPRESSION: self.node,
            Kind.OPTIONAL_EXPRESSION: self._optionally(self.node),
            Kind.EXPRESSIONS: self._nodes,
            Kind.MEMBERS: lambda members: {name: self.node(value) for name, value in members.items()},
            Kind.ITEMS: self._nodes,
            Kind.INPUTS: self._nodes,
            Kind.OPTIONS: self._nodes,
            Kind.RANGE: self._optionally(self.node),
            Kind.NOTES: self._nodes,
            Kind.RULE: self._optionally(_plain),
            Kind.RANGE_KIND: _same,
            Kind.SEVERITY: _same,
        }

    # --- nodes ---------------------------------------------------------------------------------------------------------

    def node(self, node: object) -> Json:
        """A node of `forms.FORMS`."""
        form = _BY_CLASS[type(node)]
        made: dict[str, Json] = {"kind": form.kind} if form.cls in _TAGGED else {}
        if hasattr(node, "type"):
            self.types.index(node.type)  # before the members, which are those of the type
        for name, key, kind in form.fields:
            found = self._encoders[kind](getattr(node, name))
            if kind is Kind.VALUE or not _is_empty(found):
                made[key] = found
        return made

    def program(self, program: Program) -> Json:
        """A program, or the inside of a component."""
        for home in program.homes:
            self.homes[home.name] = home
        made: dict[str, Json] = {
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
        return {key: found for key, found in made.items() if found or key in ("name", "definitions")}

    def _types_folder(self, folder: TypesFolder) -> Json:
        texts = [self.files.index(file) for file in folder.texts]
        return {"user": folder.user, "source": folder.source, "path": folder.path, "texts": texts}

    def diagnostics(self, diagnostics: Sequence[Diagnostic]) -> Json:
        """Diagnostics, in their order."""
        return self._nodes(diagnostics)

    def function(self, function: Function) -> Json:
        """What calls of a function of a pack need to know of it."""
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
                language: {"name": one.name, **({"fails": True} if one.fails else {})}
                for language, one in sorted(function.spelled.items())
            },
            "home": function.home.name if function.home is not None else "",
        }

    def package(self, package: Package) -> int:
        """The index of a package."""
        for index, known in enumerate(self.packages):
            if known is package:
                return index
        self.packages.append(package)
        return len(self.packages) - 1

    def _nodes(self, nodes: Sequence[object]) -> list[Json]:
        return [self.node(node) for node in nodes]

    def _comments(self, comments: Any) -> Json:
        return self.node(comments) if comments.leading or comments.trailing else None

    def _comment_list(self, found: Sequence[Any]) -> Json:
        return [self.node(comments) for comments in found]

    @staticmethod
    def _optionally(encode: Callable[[Any], Json]) -> Callable[[Any], Json]:
        return lambda found: None if found is None else encode(found)

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
        made = {"name": symbol.name, "kind": symbol.kind.value, "type": self.types.index(symbol.type)}
        return {**made, "at": self._place(symbol.span)}

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

    def _type(self, t: Type) -> Json:
        index = self.types.index
        match t:
            case PrimitiveType():
                return t.kind.value
            case ConstType():
                return {"constant": value_of(t.value), "base": index(t.base)}
            case EnumType():
                return {"enum": [self.package(t.declaration.package), t.declaration.token]}
            case ListType():
                return {"list": index(t.element)}
            case MapType():
                return {"map": index(t.element)}
            case TupleType():
                return {"tuple": [index(element) for element in t.elements]}
            case ObjectType():
                members = {name: index(t.lacking.get(name, member)) for name, member in t.members.items()}
                return {"object": members, "lacking": list(t.lacking)} if t.lacking else {"object": members}
            case NominalType():
                found = {"declared": self.declarations.index(t.declaration), "shape": t.shape.value}
                return found if t.resource is None else {**found, "resource": self._member(t.resource)}
            case UnionType():
                union: dict[str, Json] = {"union": [index(member) for member in t.members]}
                if t.discriminator is not None:
                    mapping = [[tag, index(member)] for tag, member in t.discriminator.mapping]
                    union["discriminator"] = {"property": t.discriminator.property, "mapping": mapping}
                return union
            case OutputType():
                return {"output": index(t.element)}
            case PromiseType():
                return {"promise": index(t.element)}
            case InputType():
                return {"input": index(t.element)}
        assert_never(t)

    def _member(self, member: ResourceDecl | FunctionDecl) -> Json:
        if isinstance(member, ResourceDecl):
            self._meet(member.inputs, member.outputs, member.state)
        else:
            result = member.result.declaration if isinstance(member.result, NominalType) else None
            self._meet(member.inputs, result)
        return [self.package(member.package), member.token]

    def _meet(self, *declarations: Declaration | None) -> None:
        """What fields may be of."""
        self._met.update({id(one): one for one in declarations if one is not None})

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
        """A field of a component, which no schema declares."""
        made: dict[str, Json] = {"name": field.name, "type": self.types.index(field.type)}
        made |= {"required": True} if field.required else {}
        made |= {"secret": True} if field.secret else {}
        made |= {"doc": field.doc} if field.doc else {}
        made |= {"rule": _plain(field.rule)} if field.rule is not None else {}
        return made | ({"at": self._place(field.declared_at)} if field.declared_at is not None else {})

    def _field(self, field: Field) -> Json:
        found = self._fields.get(id(field))
        if found is None:
            self._look_for_fields()
            found = self._fields[id(field)]
        declaration, shape = found
        return [self.declarations.index(declaration), shape.value, field.name]

    def _look_for_fields(self) -> None:
        """Learn what the fields are that somebody has looked at of the declarations met so far."""
        for declaration in self._met.values():
            for shape in Shape:
                key = (id(declaration), shape)
                if key not in self._searched and declaration.is_read(shape):
                    self._searched.add(key)
                    for field in declaration.fields(shape).values():
                        self._fields.setdefault(id(field), (declaration, shape))


def _is_empty(found: Json) -> bool:
    return found is None or found is False or (isinstance(found, str | list | dict) and not found)


def _plain(part: object) -> Json:
    """A part of a rule as JSON has it."""
    match part:
        case Mapping():
            return {str(name): _plain(inner) for name, inner in part.items()}
        case list() | tuple():
            return [_plain(inner) for inner in part]
        case _:
            return part


def value_of(value: object) -> Json:
    """A constant."""
    return {"number": str(value)} if isinstance(value, Decimal) else value


def _same(value: Json) -> Json:
    return value
