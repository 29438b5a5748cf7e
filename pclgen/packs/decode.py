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

from pclgen.core.expr import Expr, Symbol
from pclgen.core.program import Component, Node
from pclgen.packs.forms import DEFINITIONS, EXPRESSIONS, FIELD, PARTS, PARTS_BY_KIND, WORDS, Content, FieldKind, NodeForm
from pclgen.records import fields_with_defaults
from pclgen.source.text import SourceFile, Span
from pclgen.stdlib.checks import KEPT
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
from pclgen.types.traverse import MAX_PARTS, parts_of

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
        self._kinds: Mapping[FieldKind, Callable[[Json], Any]] = {
            FieldKind.TEXT: text,
            FieldKind.NAME: text,
            FieldKind.FLAG: flag,
            FieldKind.VALUE: value,
            FieldKind.TYPE: self.type,
            FieldKind.SYMBOL: self.symbol,
            FieldKind.PLACE: self.place,
            FieldKind.FIELD: self._field,
            FieldKind.RESOURCE: self._resource,
            FieldKind.FUNCTION: self._provider_function,
            FieldKind.BUILT_IN: self._function,
            FieldKind.HOME: self._home,
            FieldKind.FILE: lambda data: entry(self.files, data, "file"),
            FieldKind.PACKAGE: self._package,
            FieldKind.DECLARATION: self._declaration_at,
            FieldKind.COMPONENT: lambda data: entry(self.components, data, "component"),
            FieldKind.DEFINITION: self._definition,
            FieldKind.EXPRESSION: self._expression,
            FieldKind.MEMBERS: self._members,
            FieldKind.RULE: rule,
            **{kind: partial(word, words) for kind, words in WORDS.items()},
            **{kind: partial(self.part, form) for kind, form in PARTS_BY_KIND.items()},
        }
        self._expressions = {form.kind: self._reader(form) for form in EXPRESSIONS}
        self._definitions = {form.kind: self._reader(form) for form in DEFINITIONS}
        self._parts = {form.kind: self._reader(form) for form in PARTS}

    def _reader(self, form: NodeForm) -> _Reader:
        defaults = fields_with_defaults(form.cls)
        members: dict[str, tuple[str, Callable[[Json], Any], bool]] = {}
        absent: dict[str, Any] = {}
        for name, key, content in form.fields:
            members[key] = (name, self._decoder(content), not content.is_required)
            if not content.is_required:
                absent[name] = content.absent
            assert not content.is_required or name not in defaults, "an omitted member has one meaning"
        required = tuple([key for _, key, content in form.fields if content.is_required])
        return _Reader(form.cls, members, absent, required, frozenset(members) | {"kind"})

    def _decoder(self, content: Content) -> Callable[[Json], Any]:
        read = self._kinds[content.kind]
        return (lambda data: tuple(listed(read, data))) if content.is_list else read

    # --- nodes ---------------------------------------------------------------------------------------------------------

    def part(self, form: NodeForm, data: Json) -> Any:
        """Decode a part whose class follows from its place."""
        return self._part(self._parts[form.kind], data)

    def _expression(self, data: Json) -> Expr:
        reader = self._expressions.get(_kind_of(data))
        if reader is None:
            fail(f"expected an expression, found `{_short(_kind_of(data))}`")
        self._depth += 1
        if self._depth > MOST_NESTED:
            fail(f"expressions are nested more than {MOST_NESTED} deep")
        decoded: Expr = self._part(reader, data)
        self._depth -= 1
        return decoded

    def _definition(self, data: Json) -> Node:
        reader = self._definitions.get(_kind_of(data))
        if reader is None:
            fail(f"expected a definition, found `{_short(_kind_of(data))}`")
        decoded: Node = self._part(reader, data)
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

    def _members(self, data: Json) -> Mapping[str, Expr]:
        if not isinstance(data, dict):
            fail("expected an object")
        return {name: inside(name, self._expression, member) for name, member in data.items()}

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
                loaded.update((field.name, field) for field in listed(partial(self.part, FIELD), list(rows)))
            return loaded

        return load

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
                lacking = listed(text, data.get("lacking") or [])
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
