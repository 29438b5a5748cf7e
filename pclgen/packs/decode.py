"""The rows and trees of a pack, decoded as a bound program (docs/packs.md).

Packs are untrusted: errors raise `PackError` with their position, and nothing is accepted unchecked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import partial
from typing import Any, Final, NoReturn, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core.expr import NO_COMMENTS, Expr, Symbol, SymbolKind
from pclgen.core.program import Component, Node, Program, TypesFolder
from pclgen.diagnostics.model import Diagnostic
from pclgen.packs.forms import (
    COMMENTS,
    DEFINITIONS,
    DIAGNOSTIC,
    EXPRESSIONS,
    INPUT,
    ITEM,
    NOTE,
    OPTION,
    RANGE,
    WORDS,
    FieldKind,
    NodeForm,
)
from pclgen.records import fields_with_defaults
from pclgen.source.text import SourceFile, Span
from pclgen.stdlib.constraints import KEPT
from pclgen.stdlib.model import BadArgumentError, Function, Home, Parameter, Spelling, Value
from pclgen.stdlib.packs import Functions
from pclgen.stdlib.registry import find
from pclgen.types import model as ty
from pclgen.types.declarations import (
    Declaration,
    DeclarationKind,
    EnumDecl,
    Field,
    FunctionDecl,
    Package,
    ResourceDecl,
    Shape,
)
from pclgen.types.rules import Rule, rule_fits
from pclgen.types.size import MAX_PARTS, parts_of

Json = Any
"""The result of `json`."""

MOST_NESTED: Final = 400
"""Maximum nesting of nodes; the text of a program allows about a hundred levels (language.md)."""

_PRIMITIVES: Final[Mapping[str, ty.Type]] = {
    primitive.kind.value: primitive
    for primitive in (
        *(ty.BOOL, ty.INT, ty.NUMBER, ty.STRING, ty.ID, ty.NONE, ty.DYNAMIC, ty.ASSET),
        *(ty.ARCHIVE, ty.PROPERTY, ty.HOOK, ty.ERROR_HOOK),
    )
}
_INTERNAL: Final = {KEPT.name: KEPT}
"""Functions that only binding may call."""
_OF_COMPONENTS: Final = (DeclarationKind.COMPONENT, DeclarationKind.COMPONENT_INPUTS)
_MOST_BITS: Final = 1024
_MOST_DIGITS: Final = 330
_E = TypeVar("_E", bound=StrEnum)


class PackError(Exception):
    """An invalid pack; `place` is the position, from the inside out."""

    def __init__(self, reason: str, *place: str | int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.place: list[str | int] = [*place]

    @property
    def pointer(self) -> str:
        """The position as a JSON pointer."""
        return "#" + "".join(f"/{part}" for part in reversed(self.place))


def fail(reason: str) -> NoReturn:
    """Raise the error of an invalid part."""
    raise PackError(reason)


class _Reader(Struct, frozen=True):
    """How to construct a class from a row.

    `members` maps keys of the pack to the name of the field, its decoder, and whether null means absent; `absent` has the
    values of absent fields by name; `required` are the mandatory keys, `keys` all allowed ones.
    """

    cls: type
    members: Mapping[str, tuple[str, Callable[[Json], Any], bool]]
    absent: Mapping[str, Any]
    required: tuple[str, ...]
    keys: frozenset[str]


_REQUIRED: Final = object()
_SHAPES: Final = {shape.value: shape for shape in Shape}


class Decoder:
    """Decodes one pack.

    `packages` are the entries of the pack's table; `user_functions` are the functions of the configuration.
    """

    def __init__(self, files: Sequence[SourceFile], packages: Sequence[Package], user_functions: Functions) -> None:
        self.files = files
        self.packages = packages
        self._user_functions = user_functions
        self.types: list[ty.Type] = []
        self.symbols: list[Symbol] = []
        self.declarations: list[Declaration] = []
        self.components: list[Component] = []
        self.functions: dict[str, Function] = {}
        self.homes: dict[str, Home] = {}
        self._depth = 0
        self._depths: list[int] = []  # the nesting of each type in `types`
        self._deepest = 0  # the deepest nesting among the types that the current row refers to
        nodes = self._nodes
        self._readers: Mapping[FieldKind, tuple[Callable[[Json], Any], Any]] = {
            FieldKind.TEXT: (text, ""),
            FieldKind.OPTIONAL_TEXT: (text, None),
            FieldKind.TEXTS: (texts, ()),
            FieldKind.FLAG: (flag, False),
            FieldKind.VALUE: (value, _REQUIRED),
            FieldKind.TYPE: (self.type, _REQUIRED),
            FieldKind.SYMBOL: (self.symbol, _REQUIRED),
            FieldKind.OPTIONAL_SYMBOL: (self.symbol, None),
            FieldKind.PLACE: (self.place, _REQUIRED),
            FieldKind.OPTIONAL_PLACE: (self.place, None),
            FieldKind.FIELD: (self._field, None),
            FieldKind.RESOURCE: (self._resource, None),
            FieldKind.FUNCTION: (self._provider_function, _REQUIRED),
            FieldKind.OPTIONAL_FUNCTION: (self._provider_function, None),
            FieldKind.BUILT_IN: (self._function, _REQUIRED),
            FieldKind.COMPONENT: (self._component_at, None),
            FieldKind.COMMENTS: (lambda data: self._part(self._comments, data), NO_COMMENTS),
            FieldKind.COMMENT_LIST: (nodes(lambda: self._comments), ()),
            FieldKind.EXPRESSION: (self.expression, _REQUIRED),
            FieldKind.OPTIONAL_EXPRESSION: (self.expression, None),
            FieldKind.EXPRESSIONS: (self._expressions, ()),
            FieldKind.MEMBERS: (self._members, {}),
            FieldKind.ITEMS: (nodes(lambda: self._item), ()),
            FieldKind.INPUTS: (nodes(lambda: self._input), ()),
            FieldKind.OPTIONS: (nodes(lambda: self._option), ()),
            FieldKind.RANGE: (lambda data: self._part(self._range, data), None),
            FieldKind.NOTES: (nodes(lambda: self._note), ()),
            FieldKind.RULE: (rule, None),
            **{kind: (partial(word, words), _REQUIRED) for kind, words in WORDS.items()},
        }
        self._comments, self._item, self._input, self._option, self._range, self._note, self._diagnostic = map(
            self._reader, (COMMENTS, ITEM, INPUT, OPTION, RANGE, NOTE, DIAGNOSTIC)
        )
        self._expression_readers = {form.kind: self._reader(form) for form in EXPRESSIONS}
        self._definition_readers = {form.kind: self._reader(form) for form in DEFINITIONS}

    def _reader(self, form: NodeForm) -> _Reader:
        defaults = fields_with_defaults(form.cls)
        rows = []
        for name, key, kind in form.fields:
            read, absent_value = self._readers[kind]
            assert absent_value is not _REQUIRED or name not in defaults, "an omitted member has one meaning"
            rows.append((key, name, read, absent_value))
        members = {key: (name, read, absent_value is not _REQUIRED) for key, name, read, absent_value in rows}
        absent = {name: absent_value for _, name, _, absent_value in rows if absent_value is not _REQUIRED}
        required = tuple([key for key, _, _, absent_value in rows if absent_value is _REQUIRED])
        return _Reader(form.cls, members, absent, required, frozenset(members) | {"kind"})

    # --- nodes ---------------------------------------------------------------------------------------------------------

    def expression(self, data: Json) -> Expr:
        """Decode an expression."""
        reader = self._expression_readers.get(_kind_of(data))
        if reader is None:
            fail(f"expected an expression, found `{_short(_kind_of(data))}`")
        self._depth += 1
        if self._depth > MOST_NESTED:
            fail(f"expressions are nested more than {MOST_NESTED} deep")
        decoded: Expr = self._part(reader, data)
        self._depth -= 1
        return decoded

    def definition(self, data: Json) -> Node:
        """Decode a node of a program."""
        reader = self._definition_readers.get(_kind_of(data))
        if reader is None:
            fail(f"expected a definition, found `{_short(_kind_of(data))}`")
        decoded: Node = self._part(reader, data)
        return decoded

    def program(self, data: Json) -> Program:
        """Decode a program, or the inside of a component."""
        keys = ("name", "definitions", "components", "packages", "functions", "header", "footer", "texts", "typesFrom")
        table = mapping(data, *keys)
        return Program(
            name=inside("name", text, table.get("name")),
            nodes=tuple(each("definitions", self.definition, table.get("definitions", []))),
            components=tuple(each("components", self._component_at, table.get("components", []))),
            packages=tuple(each("packages", self._package, table.get("packages", []))),
            homes=tuple(each("functions", self._home, table.get("functions", []))),
            header=inside("header", texts, table.get("header", [])),
            footer=inside("footer", texts, table.get("footer", [])),
            texts=tuple(each("texts", self._file_at, table.get("texts", []))),
            types_from=tuple(each("typesFrom", self._types_folder, table.get("typesFrom", []))),
        )

    def _types_folder(self, data: Json) -> TypesFolder:
        table = mapping(data, "user", "source", "path", "texts")
        return TypesFolder(
            user=inside("user", text, table.get("user")),
            source=inside("source", text, table.get("source")),
            path=inside("path", text, table.get("path")),
            texts=tuple(each("texts", self._file_at, table.get("texts", []))),
        )

    def component(self, data: Json) -> Component:
        """Decode a row of `components`, after those that it uses."""
        table = mapping(data, "name", "directory", "path", "program", "inputs", "value")
        return Component(
            name=inside("name", text, table.get("name")),
            directory=inside("directory", text, table.get("directory")),
            path=inside("path", text, table.get("path")),
            program=inside("program", self.program, table.get("program")),
            inputs=inside("inputs", self._declaration_at, table.get("inputs")),
            value=inside("value", self._declaration_at, table.get("value")),
        )

    def diagnostic(self, data: Json) -> Diagnostic:
        """Decode a diagnostic."""
        decoded: Diagnostic = self._part(self._diagnostic, data)
        return decoded

    def _part(self, reader: _Reader, data: Json) -> Any:
        if not isinstance(data, dict):
            fail("expected an object")
        if not data.keys() <= reader.keys:
            fail(f"unknown member `{_short(min(map(str, data.keys() - reader.keys)))}`")
        for key in reader.required:
            if key not in data:
                fail(f"`{key}` is missing")
        values = dict(reader.absent)
        key = ""
        try:
            for key, member in data.items():
                row = reader.members.get(key)
                if row is None or (member is None and row[2]):
                    continue
                values[row[0]] = row[1](member)
        except PackError as error:
            error.place.append(key)
            raise
        return reader.cls(**values)

    def _nodes(self, reader: Callable[[], _Reader]) -> Callable[[Json], tuple[Any, ...]]:
        return lambda data: tuple(listed(lambda part: self._part(reader(), part), data))

    def _expressions(self, data: Json) -> tuple[Expr, ...]:
        return tuple(listed(self.expression, data))

    def _members(self, data: Json) -> Mapping[str, Expr]:
        if not isinstance(data, dict):
            fail("expected an object")
        return {name: inside(name, self.expression, member) for name, member in data.items()}

    # --- table entries -------------------------------------------------------------------------------------------------

    def place(self, data: Json) -> Span:
        """Decode a span `[file, start, end]`."""
        # Spans are most of a pack: a `match` would take twice as long.
        if isinstance(data, list) and len(data) == 3 and type(data[0]) is type(data[1]) is type(data[2]) is int:
            file, start, end = data
            if 0 <= file < len(self.files):
                source = self.files[file]
                if 0 <= start <= end <= len(source.text):
                    return Span(source, start, end)
        fail("expected a place: [file, start, end]")

    def type(self, data: Json) -> ty.Type:
        """Decode an index into `types`."""
        decoded = entry(self.types, data, "type")
        self._deepest = max(self._deepest, self._depths[data])
        return decoded

    def symbol(self, data: Json) -> Symbol:
        """Decode an index into `symbols`."""
        return entry(self.symbols, data, "symbol")

    def _component_at(self, data: Json) -> Component:
        return entry(self.components, data, "component")

    def _file_at(self, data: Json) -> SourceFile:
        return entry(self.files, data, "file")

    def _declaration_at(self, data: Json) -> Declaration:
        return entry(self.declarations, data, "declaration")

    def _package(self, data: Json) -> Package:
        return entry(self.packages, data, "package")

    def _home(self, data: Json) -> Home:
        return self.homes.get(text(data)) or fail(f"there is no pack of functions `{_short(data)}`")

    def _function(self, data: Json) -> Function:
        name = text(data)
        function = find(name) or self.functions.get(name) or _INTERNAL.get(name)
        return function or fail(f"there is no function `{_short(name)}`")

    def _token(self, data: Json) -> tuple[Package, str]:
        if isinstance(data, list) and len(data) == 2 and isinstance(data[1], str):
            return self._package(data[0]), data[1]
        fail("expected a member of a package: [package, token]")

    def _resource(self, data: Json) -> ResourceDecl:
        package, token = self._token(data)
        resource = package.provider() if token == f"pulumi:providers:{package.name}" else package.resource(token)
        return resource or fail(f"the package has no resource `{_short(token)}`")

    def _provider_function(self, data: Json) -> FunctionDecl:
        package, token = self._token(data)
        return package.function(token) or fail(f"the package has no function `{_short(token)}`")

    def _field(self, data: Json) -> Field:
        if isinstance(data, list) and len(data) == 3 and isinstance(data[1], str) and isinstance(data[2], str):
            index, shape, name = data
            table = self._declaration_at(index).fields(_SHAPES.get(shape) or word(Shape, shape))
            return table.get(name) or fail(f"the declaration has no member `{_short(name)}`")
        fail("expected a member: [declaration, shape, name]")

    # --- rows ----------------------------------------------------------------------------------------------------------

    def add_symbol(self, data: Json) -> None:
        """Decode a row of `symbols`."""
        table = mapping(data, "name", "kind", "type", "at")
        self.symbols.append(
            Symbol(
                name=inside("name", text, table.get("name")),
                kind=inside("kind", partial(word, SymbolKind), table.get("kind")),
                type=inside("type", self.type, table.get("type")),
                span=inside("at", self.place, table.get("at")),
            )
        )

    def add_declaration(self, data: Json) -> None:
        """Decode a row of `declarations`: a member of a package, or the inputs or outputs of a component."""
        table = mapping(data, "kind", "package", "token", "fields")
        kind = inside("kind", partial(word, DeclarationKind), table.get("kind"))
        token = inside("token", text, table.get("token"))
        if "package" not in table:
            if kind not in _OF_COMPONENTS:
                fail(f"a declaration of the kind `{kind}` needs a package")
            rows = inside("fields", _list, table.get("fields"))
            self.declarations.append(Declaration(kind=kind, token=token, package=None, load=self._loader(rows)))
            return
        package = inside("package", self._package, table.get("package"))
        declaration = self._declared(package, kind, token)
        self.declarations.append(declaration or fail(f"the package has no {kind} `{_short(token)}`"))

    def _declared(self, package: Package, kind: DeclarationKind, token: str) -> Declaration | None:
        if kind is DeclarationKind.OBJECT:
            object_type = package.object_type(token)
            return None if isinstance(object_type, EnumDecl) else object_type
        if kind in (DeclarationKind.FUNCTION_INPUTS, DeclarationKind.FUNCTION_RESULT):
            function = package.function(token)
            if function is None or kind is DeclarationKind.FUNCTION_INPUTS:
                return function.inputs if function is not None else None
            return function.result.declaration if isinstance(function.result, ty.NominalType) else None
        resource = package.provider() if token == f"pulumi:providers:{package.name}" else package.resource(token)
        if resource is None:
            return None
        by_kind = {
            DeclarationKind.RESOURCE: resource.outputs,
            DeclarationKind.RESOURCE_INPUTS: resource.inputs,
            DeclarationKind.RESOURCE_STATE: resource.state,
        }
        return by_kind.get(kind)

    def _loader(self, rows: Sequence[Json]) -> Callable[[Shape], Mapping[str, Field]]:
        """Return a loader of a component's fields, whose types may be declared later."""
        loaded: dict[str, Field] = {}

        def load(shape: Shape) -> Mapping[str, Field]:
            if not loaded:
                loaded.update((field.name, field) for field in listed(self._own_field, list(rows)))
            return loaded

        return load

    def _own_field(self, data: Json) -> Field:
        table = mapping(data, "name", "type", "required", "secret", "doc", "at", "rule")
        return Field(
            name=inside("name", text, table.get("name")),
            type=inside("type", self.type, table.get("type")),
            required=inside("required", flag, table.get("required", False)),
            secret=inside("secret", flag, table.get("secret", False)),
            doc=inside("doc", text, table.get("doc", "")),
            declared_at=inside("at", self.place, table["at"]) if "at" in table else None,
            rule=inside("rule", rule, table["rule"]) if "rule" in table else None,
        )

    def add_home(self, name: str, files: Mapping[str, str]) -> None:
        """Add a pack of functions that the program calls."""
        self.homes[name] = Home(name=name, files=files)

    def add_function(self, data: Json) -> None:
        """Decode a function of a pack of functions.

        Its implementation is that of the configuration's function with the same name, if the program was packed with that
        function.
        """
        table = mapping(data, "name", "doc", "parameters", "spelled", "home")
        name = inside("name", text, table.get("name"))

        def parameter(parameter_row: Json) -> Parameter:
            row = mapping(parameter_row, "name", "doc", "type", "allowNull")
            return Parameter(
                name=text(row.get("name")),
                doc=text(row.get("doc")),
                type=self.type(row.get("type")),
                allow_null=flag(row.get("allowNull", False)),
            )

        def spelling(spelling_row: Json) -> Spelling:
            row = mapping(spelling_row, "name", "fails")
            return Spelling(name=text(row.get("name")), fails=flag(row.get("fails", False)))

        spellings = inside("spelled", lambda rows: mapping(rows, None), table.get("spelled"))
        function = Function(
            name=name,
            doc=inside("doc", text, table.get("doc")),
            result=lambda arguments: ty.DYNAMIC,
            parameters=tuple(each("parameters", parameter, table.get("parameters"))),
            spelled={language: inside("spelled", spelling, spelled_row) for language, spelled_row in spellings.items()},
            home=inside("home", self._home, table.get("home")),
        )
        self.functions[name] = replace(function, implementation=self._computed(function))

    def _computed(self, function: Function) -> Callable[..., Value]:
        """Return the implementation of a decoded function, or one that fails if it is not available."""
        configured = self._user_functions.by_name.get(function.name)
        pack = function.name.partition("::")[0]
        if pack in self._user_functions.refused:
            reason, hint = f"the code of `{function.name}` may not run", "--allow-functions allows it"
        elif configured is None or configured.implementation is None:
            reason = f"the pack does not contain the code of `{function.name}`"
            hint = f"name the functions `{pack}` in `[functions]` of pclgen.toml, or evaluate the program from its sources"
        elif _signature_of(configured) != _signature_of(function):
            reason = f"`{function.name}` of the configuration is not the function that the program was packed with"
            hint = "pack the program again, or restore the earlier functions"
        else:
            return configured.implementation

        def unavailable(*values: Value) -> NoReturn:
            raise BadArgumentError(0, reason, hint)

        return unavailable

    def add_type(self, data: Json) -> None:
        """Decode a row of `types`, after those that it refers to."""
        self._deepest = 0
        if isinstance(data, str):
            decoded = _PRIMITIVES.get(data) or fail(f"there is no type `{_short(data)}`")
        elif isinstance(data, dict) and data:
            decoded = self._composite(next(iter(data)), data)
        else:
            fail("expected a type")
        self._depths.append(self._deepest + 1)
        if self._deepest >= MOST_NESTED:
            fail(f"types are nested more than {MOST_NESTED} deep")
        if parts_of(decoded) > MAX_PARTS:
            fail(f"a value of it has more than {MAX_PARTS:,} parts")
        self.types.append(decoded)

    def _composite(self, kind: str, data: Mapping[str, Json]) -> ty.Type:
        content = data[kind]
        match kind:
            case "list":
                return ty.list_of(self.type(content))
            case "map":
                return ty.map_of(self.type(content))
            case "output":
                return ty.output_of(self.type(content))
            case "promise":
                return ty.promise_of(self.type(content))
            case "input":
                return ty.input_of(self.type(content))
            case "tuple":
                return ty.tuple_of(listed(self.type, content))
            case "object":
                members = {name: self.type(member) for name, member in mapping(content, None).items()}
                lacking = texts(data.get("lacking") or [])
                return ty.object_of(members, {name: members[name] for name in lacking if name in members})
            case "constant":
                constant = value(content)
                return ty.const_of(self.type(data.get("base")), fail("it is null") if constant is None else constant)
            case "enum":
                package, token = self._token(content)
                declaration = package.object_type(token)
                enum = declaration if isinstance(declaration, EnumDecl) else None
                return ty.enum_of(enum or fail(f"the package has no enum `{_short(token)}`"))
            case "declared":
                resource = self._resource(data["resource"]) if "resource" in data else None
                shape = word(Shape, data.get("shape"))
                return ty.nominal_of(self._declaration_at(content), shape, resource)
            case "union":
                return ty.same_union(listed(self.type, content), self._discriminator(data.get("discriminator")))
        fail(f"there is no type `{_short(kind)}`")

    def _discriminator(self, data: Json) -> ty.Discriminator | None:
        if data is None:
            return None
        table = mapping(data, "property", "mapping")

        def tagged(pair: Json) -> tuple[str, ty.Type]:
            match pair:
                case [str(tag), int(index)]:
                    return tag, self.type(index)
            fail("expected a pair: [tag, type]")

        return ty.Discriminator(text(table.get("property")), tuple(each("mapping", tagged, table.get("mapping"))))


def _signature_of(function: Function) -> tuple[object, ...]:
    """Return the facts that a pack records about a function: its parameters and its name in each language."""
    parameters = [(part.name, part.type, part.allow_null) for part in function.parameters]
    files = dict(function.home.files) if function.home is not None else {}
    return parameters, {language: part.name for language, part in function.spelled.items()}, files


# --- plain values ------------------------------------------------------------------------------------------------------

_T = TypeVar("_T")


def _kind_of(data: Json) -> str:
    kind = data.get("kind") if isinstance(data, dict) else data
    return kind if isinstance(kind, str) else type(kind).__name__


def text(data: Json) -> str:
    """Decode a string."""
    return data if isinstance(data, str) else fail("expected a text")


def flag(data: Json) -> bool:
    """Decode a bool."""
    return data if isinstance(data, bool) else fail("expected true or false")


def value(data: Json) -> bool | int | Decimal | str | None:
    """Decode a constant."""
    match data:
        case int() if data.bit_length() > _MOST_BITS:
            fail("the number is too large")
        case None | bool() | int() | str():
            return data
        case {"number": str(number)} if len(data) == 1:
            try:
                decimal = Decimal(number)
            except InvalidOperation:
                fail("expected a number")
            if not decimal.is_finite():
                fail("expected a number")
            # A double has at most about three hundred digits on either side of the point; generated literals must be finite.
            is_double = abs(decimal.adjusted()) <= _MOST_DIGITS and len(decimal.as_tuple().digits) <= _MOST_DIGITS
            return decimal if is_double else fail("the number is too large")
    fail("expected a constant")


def rule(data: Json) -> Rule:
    """Decode constraints on values beyond their type."""
    keywords = mapping(data, None)
    if not rule_fits(keywords):
        fail("expected constraints")
    return keywords


def word(words: type[_E], data: Json) -> _E:
    """Decode a member of an enum."""
    try:
        return words(data)
    except ValueError:
        fail(f"expected one of {', '.join(words)}")


def texts(data: Json) -> tuple[str, ...]:
    """Decode a list of strings."""
    return tuple(listed(text, data))


def mapping(data: Json, first: str | None, *others: str) -> Mapping[str, Json]:
    """Decode an object whose members are among these; if `first` is None, all members are allowed."""
    if not isinstance(data, dict):
        fail("expected an object")
    if first is not None and not data.keys() <= {first, *others}:
        fail(f"unknown member `{_short(min(data.keys() - {first, *others}))}`")
    return data


def _list(data: Json) -> list[Json]:
    return data if isinstance(data, list) else fail("expected a list")


def listed(read: Callable[[Json], _T], data: Json) -> list[_T]:
    """Decode each entry of a list."""
    entries: list[_T] = []
    for index, entry_data in enumerate(_list(data)):
        try:
            entries.append(read(entry_data))
        except PackError as error:
            error.place.append(index)
            raise
    return entries


def each(key: str, read: Callable[[Json], _T], data: Json) -> list[_T]:
    """Decode each entry of the list under `key`."""
    return inside(key, partial(listed, read), data)


def inside(key: str, read: Callable[[Json], _T], data: Json) -> _T:
    """Decode the value under `key`."""
    try:
        return read(data)
    except PackError as error:
        error.place.append(key)
        raise


def entry(table: Sequence[_T], data: Json, name: str) -> _T:
    """Return the entry of a table at an index."""
    if not isinstance(data, int) or isinstance(data, bool):
        fail(f"expected the index of a {name}")
    if not 0 <= data < len(table):
        fail(f"there is no {name} {_short(data)} here: there are {len(table)} before it")
    return table[data]


def _short(data: object) -> str:
    shown = str(data)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
