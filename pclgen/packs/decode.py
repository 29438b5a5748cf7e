"""The rows and trees of a pack as a bound program (docs/packs.md).

Comes in: data of strangers, and packages.  Goes out: programs and diagnostics as `bind` made them, or a `PackError` with the
place: nothing is taken for what it says it is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, fields, replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from functools import partial
from typing import Any, Final, NoReturn, TypeVar

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
    Form,
    Kind,
)
from pclgen.records import dataclass
from pclgen.source.text import SourceFile, Span
from pclgen.stdlib.constraints import KEPT
from pclgen.stdlib.model import BadArgumentError, Function, Home, Parameter, Spelling, Value
from pclgen.stdlib.packs import Functions
from pclgen.stdlib.registry import find
from pclgen.types import model as types
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
from pclgen.types.model import Discriminator, NominalType, Type
from pclgen.types.rules import Rule, rule_fits
from pclgen.types.size import MAX_PARTS, parts_of

Json = Any
"""What `json` reads."""

MOST_NESTED: Final = 400
"""How deep nodes may lie in each other: those of a program are at most a hundred deep in its text (language.md)."""

_PRIMITIVES: Final[Mapping[str, Type]] = {
    one.kind.value: one
    for one in (
        *(types.BOOL, types.INT, types.NUMBER, types.STRING, types.ID, types.NONE, types.DYNAMIC, types.ASSET),
        *(types.ARCHIVE, types.PROPERTY, types.HOOK, types.ERROR_HOOK),
    )
}
_INTERNAL: Final = {KEPT.name: KEPT}
"""Functions that binding calls and programs cannot."""
_OF_COMPONENTS: Final = (DeclarationKind.COMPONENT, DeclarationKind.COMPONENT_INPUTS)
_MOST_BITS: Final = 1024
_MOST_DIGITS: Final = 330
_E = TypeVar("_E", bound=StrEnum)


class PackError(Exception):
    """A pack that is not what it should be; `place` is where, from the inside out."""

    def __init__(self, reason: str, *place: str | int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.place: list[str | int] = [*place]

    @property
    def pointer(self) -> str:
        """Where it is, as a JSON pointer."""
        return "#" + "".join(f"/{part}" for part in reversed(self.place))


def fail(reason: str) -> NoReturn:
    """Raise the error of a part that is wrong."""
    raise PackError(reason)


@dataclass(frozen=True, slots=True)
class _Reader:
    """How a class is made from its fields.

    `given` says by key of the pack what the field is called, how its value is read, and whether null is nothing; `absent`
    what stands for nothing, by the names of fields; `required` are the keys that must be there, `keys` those that may.
    """

    cls: type
    given: Mapping[str, tuple[str, Callable[[Json], Any], bool]]
    absent: Mapping[str, Any]
    required: tuple[str, ...]
    keys: frozenset[str]


_REQUIRED: Final = object()
_SHAPES: Final = {shape.value: shape for shape in Shape}


class Decoder:
    """Decodes one pack.  `packages` are those of its table; `own` are the functions of users that can be computed here."""

    def __init__(self, files: Sequence[SourceFile], packages: Sequence[Package], own: Functions) -> None:
        self.files = files
        self.packages = packages
        self._own = own
        self.types: list[Type] = []
        self.symbols: list[Symbol] = []
        self.declarations: list[Declaration] = []
        self.components: list[Component] = []
        self.functions: dict[str, Function] = {}
        self.homes: dict[str, Home] = {}
        self._depth = 0
        self._depths: list[int] = []  # of the types
        self._deepest = 0  # of those that the row refers to that is being read
        nodes = self._nodes
        self._readers: Mapping[Kind, tuple[Callable[[Json], Any], Any]] = {
            Kind.TEXT: (text, ""),
            Kind.OPTIONAL_TEXT: (text, None),
            Kind.TEXTS: (texts, ()),
            Kind.FLAG: (flag, False),
            Kind.VALUE: (value, _REQUIRED),
            Kind.TYPE: (self.type, _REQUIRED),
            Kind.SYMBOL: (self.symbol, _REQUIRED),
            Kind.OPTIONAL_SYMBOL: (self.symbol, None),
            Kind.PLACE: (self.place, _REQUIRED),
            Kind.OPTIONAL_PLACE: (self.place, None),
            Kind.FIELD: (self._field, None),
            Kind.RESOURCE: (self._resource, None),
            Kind.FUNCTION: (self._provider_function, _REQUIRED),
            Kind.OPTIONAL_FUNCTION: (self._provider_function, None),
            Kind.BUILT_IN: (self._function, _REQUIRED),
            Kind.COMPONENT: (self._component_at, None),
            Kind.COMMENTS: (lambda found: self._part(self._comments, found), NO_COMMENTS),
            Kind.COMMENT_LIST: (nodes(lambda: self._comments), ()),
            Kind.EXPRESSION: (self.expression, _REQUIRED),
            Kind.OPTIONAL_EXPRESSION: (self.expression, None),
            Kind.EXPRESSIONS: (self._expressions, ()),
            Kind.MEMBERS: (self._members, {}),
            Kind.ITEMS: (nodes(lambda: self._item), ()),
            Kind.INPUTS: (nodes(lambda: self._input), ()),
            Kind.OPTIONS: (nodes(lambda: self._option), ()),
            Kind.RANGE: (lambda found: self._part(self._range, found), None),
            Kind.NOTES: (nodes(lambda: self._note), ()),
            Kind.RULE: (rule, None),
            **{kind: (partial(word, words), _REQUIRED) for kind, words in WORDS.items()},
        }
        self._comments, self._item, self._input, self._option, self._range, self._note, self._diagnostic = map(
            self._reader, (COMMENTS, ITEM, INPUT, OPTION, RANGE, NOTE, DIAGNOSTIC)
        )
        self._expression_readers = {form.kind: self._reader(form) for form in EXPRESSIONS}
        self._definition_readers = {form.kind: self._reader(form) for form in DEFINITIONS}

    def _reader(self, form: Form) -> _Reader:
        defaults = {field.name for field in fields(form.cls) if field.default is not MISSING}
        rows = []
        for name, key, kind in form.fields:
            read, nothing = self._readers[kind]
            assert nothing is not _REQUIRED or name not in defaults, "what is left out has one meaning"
            rows.append((key, name, read, nothing))
        given = {key: (name, read, nothing is not _REQUIRED) for key, name, read, nothing in rows}
        absent = {name: nothing for _, name, _, nothing in rows if nothing is not _REQUIRED}
        required = tuple([key for key, _, _, nothing in rows if nothing is _REQUIRED])
        return _Reader(form.cls, given, absent, required, frozenset(given) | {"kind"})

    # --- nodes ---------------------------------------------------------------------------------------------------------

    def expression(self, found: Json) -> Expr:
        """An expression."""
        reader = self._expression_readers.get(_kind_of(found))
        if reader is None:
            fail(f"expected an expression, found `{_short(_kind_of(found))}`")
        self._depth += 1
        if self._depth > MOST_NESTED:
            fail(f"expressions lie in each other more than {MOST_NESTED} deep")
        made: Expr = self._part(reader, found)
        self._depth -= 1
        return made

    def definition(self, found: Json) -> Node:
        """A node of a program."""
        reader = self._definition_readers.get(_kind_of(found))
        if reader is None:
            fail(f"expected a definition, found `{_short(_kind_of(found))}`")
        made: Node = self._part(reader, found)
        return made

    def program(self, found: Json) -> Program:
        """A program, or the inside of a component."""
        keys = ("name", "definitions", "components", "packages", "functions", "header", "footer", "texts", "typesFrom")
        table = mapping(found, *keys)
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

    def _types_folder(self, found: Json) -> TypesFolder:
        table = mapping(found, "user", "source", "path", "texts")
        return TypesFolder(
            user=inside("user", text, table.get("user")),
            source=inside("source", text, table.get("source")),
            path=inside("path", text, table.get("path")),
            texts=tuple(each("texts", self._file_at, table.get("texts", []))),
        )

    def component(self, found: Json) -> Component:
        """A row of `components`; those that it uses stand before it."""
        table = mapping(found, "name", "directory", "path", "program", "inputs", "value")
        return Component(
            name=inside("name", text, table.get("name")),
            directory=inside("directory", text, table.get("directory")),
            path=inside("path", text, table.get("path")),
            program=inside("program", self.program, table.get("program")),
            inputs=inside("inputs", self._declaration_at, table.get("inputs")),
            value=inside("value", self._declaration_at, table.get("value")),
        )

    def diagnostic(self, found: Json) -> Diagnostic:
        """A diagnostic."""
        made: Diagnostic = self._part(self._diagnostic, found)
        return made

    def _part(self, reader: _Reader, found: Json) -> Any:
        if not isinstance(found, dict):
            fail("expected an object")
        if not found.keys() <= reader.keys:
            fail(f"unknown member `{_short(min(map(str, found.keys() - reader.keys)))}`")
        for key in reader.required:
            if key not in found:
                fail(f"`{key}` is missing")
        made = dict(reader.absent)
        key = ""
        try:
            for key, given in found.items():
                row = reader.given.get(key)
                if row is None or (given is None and row[2]):
                    continue
                made[row[0]] = row[1](given)
        except PackError as error:
            error.place.append(key)
            raise
        return reader.cls(**made)

    def _nodes(self, reader: Callable[[], _Reader]) -> Callable[[Json], tuple[Any, ...]]:
        return lambda found: tuple(listed(lambda one: self._part(reader(), one), found))

    def _expressions(self, found: Json) -> tuple[Expr, ...]:
        return tuple(listed(self.expression, found))

    def _members(self, found: Json) -> Mapping[str, Expr]:
        if not isinstance(found, dict):
            fail("expected an object")
        return {name: inside(name, self.expression, one) for name, one in found.items()}

    # --- what tables hold ----------------------------------------------------------------------------------------------

    def place(self, found: Json) -> Span:
        """`[file, start, end]`."""
        # Most of what a pack holds: a pattern would cost twice as much.
        if isinstance(found, list) and len(found) == 3 and type(found[0]) is type(found[1]) is type(found[2]) is int:
            file, start, end = found
            if 0 <= file < len(self.files):
                source = self.files[file]
                if 0 <= start <= end <= len(source.text):
                    return Span(source, start, end)
        fail("expected a place: [file, start, end]")

    def type(self, found: Json) -> Type:
        """An index into `types`."""
        made = entry(self.types, found, "type")
        self._deepest = max(self._deepest, self._depths[found])
        return made

    def symbol(self, found: Json) -> Symbol:
        """An index into `symbols`."""
        return entry(self.symbols, found, "symbol")

    def _component_at(self, found: Json) -> Component:
        return entry(self.components, found, "component")

    def _file_at(self, found: Json) -> SourceFile:
        return entry(self.files, found, "file")

    def _declaration_at(self, found: Json) -> Declaration:
        return entry(self.declarations, found, "declaration")

    def _package(self, found: Json) -> Package:
        return entry(self.packages, found, "package")

    def _home(self, found: Json) -> Home:
        return self.homes.get(text(found)) or fail(f"there is no pack of functions `{_short(found)}`")

    def _function(self, found: Json) -> Function:
        name = text(found)
        known = find(name) or self.functions.get(name) or _INTERNAL.get(name)
        return known or fail(f"there is no function `{_short(name)}`")

    def _token(self, found: Json) -> tuple[Package, str]:
        if isinstance(found, list) and len(found) == 2 and isinstance(found[1], str):
            return self._package(found[0]), found[1]
        fail("expected a member of a package: [package, token]")

    def _resource(self, found: Json) -> ResourceDecl:
        package, token = self._token(found)
        made = package.provider() if token == f"pulumi:providers:{package.name}" else package.resource(token)
        return made or fail(f"the package has no resource `{_short(token)}`")

    def _provider_function(self, found: Json) -> FunctionDecl:
        package, token = self._token(found)
        return package.function(token) or fail(f"the package has no function `{_short(token)}`")

    def _field(self, found: Json) -> Field:
        if isinstance(found, list) and len(found) == 3 and isinstance(found[1], str) and isinstance(found[2], str):
            index, shape, name = found
            table = self._declaration_at(index).fields(_SHAPES.get(shape) or word(Shape, shape))
            return table.get(name) or fail(f"the declaration has no member `{_short(name)}`")
        fail("expected a member: [declaration, shape, name]")

    # --- rows ----------------------------------------------------------------------------------------------------------

    def add_symbol(self, found: Json) -> None:
        """A row of `symbols`."""
        table = mapping(found, "name", "kind", "type", "at")
        self.symbols.append(
            Symbol(
                name=inside("name", text, table.get("name")),
                kind=inside("kind", partial(word, SymbolKind), table.get("kind")),
                type=inside("type", self.type, table.get("type")),
                span=inside("at", self.place, table.get("at")),
            )
        )

    def add_declaration(self, found: Json) -> None:
        """A row of `declarations`: a member of a package, or what a component takes or gives."""
        table = mapping(found, "kind", "package", "token", "fields")
        kind = inside("kind", partial(word, DeclarationKind), table.get("kind"))
        token = inside("token", text, table.get("token"))
        if "package" not in table:
            if kind not in _OF_COMPONENTS:
                fail(f"a declaration of the kind `{kind}` is one of a package")
            rows = inside("fields", _list, table.get("fields"))
            self.declarations.append(Declaration(kind=kind, token=token, package=None, load=self._loader(rows)))
            return
        package = inside("package", self._package, table.get("package"))
        declaration = self._declared(package, kind, token)
        self.declarations.append(declaration or fail(f"the package has no {kind} `{_short(token)}`"))

    def _declared(self, package: Package, kind: DeclarationKind, token: str) -> Declaration | None:
        if kind is DeclarationKind.OBJECT:
            found = package.object_type(token)
            return None if isinstance(found, EnumDecl) else found
        if kind in (DeclarationKind.FUNCTION_INPUTS, DeclarationKind.FUNCTION_RESULT):
            function = package.function(token)
            if function is None or kind is DeclarationKind.FUNCTION_INPUTS:
                return function.inputs if function is not None else None
            return function.result.declaration if isinstance(function.result, NominalType) else None
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
        """Reads the fields of a component, whose types may be declared later."""
        made: dict[str, Field] = {}

        def load(shape: Shape) -> Mapping[str, Field]:
            if not made:
                made.update((field.name, field) for field in listed(self._own_field, list(rows)))
            return made

        return load

    def _own_field(self, found: Json) -> Field:
        table = mapping(found, "name", "type", "required", "secret", "doc", "at", "rule")
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
        """A pack of functions that the program calls."""
        self.homes[name] = Home(name=name, files=files)

    def add_function(self, found: Json) -> None:
        """A function of a pack of functions.  What it computes is not in here: it is what the function of that name computes
        in the configuration at hand, if that is the one that the program was packed with."""
        table = mapping(found, "name", "doc", "parameters", "spelled", "home")
        name = inside("name", text, table.get("name"))

        def parameter(one: Json) -> Parameter:
            row = mapping(one, "name", "doc", "type", "allowNull")
            return Parameter(
                name=text(row.get("name")),
                doc=text(row.get("doc")),
                type=self.type(row.get("type")),
                allow_null=flag(row.get("allowNull", False)),
            )

        def spelling(one: Json) -> Spelling:
            row = mapping(one, "name", "fails")
            return Spelling(name=text(row.get("name")), fails=flag(row.get("fails", False)))

        spelled = inside("spelled", lambda rows: mapping(rows, None), table.get("spelled"))
        made = Function(
            name=name,
            doc=inside("doc", text, table.get("doc")),
            result=lambda arguments: types.DYNAMIC,
            parameters=tuple(each("parameters", parameter, table.get("parameters"))),
            spelled={language: inside("spelled", spelling, one) for language, one in spelled.items()},
            home=inside("home", self._home, table.get("home")),
        )
        self.functions[name] = replace(made, implementation=self._computed(made))

    def _computed(self, made: Function) -> Callable[..., Value]:
        """What a function computes that was read; a refusal to compute it where that is not known here."""
        own = self._own.by_name.get(made.name)
        pack = made.name.partition("::")[0]
        if pack in self._own.refused:
            reason, hint = f"what `{made.name}` computes may not be run", "--allow-functions allows it"
        elif own is None or own.implementation is None:
            reason = f"what `{made.name}` computes is not in the pack"
            hint = f"name the functions `{pack}` in `[functions]` of pclgen.toml, or evaluate the program from its sources"
        elif _told(own) != _told(made):
            reason = f"`{made.name}` of the configuration is not the function that the program was packed with"
            hint = "pack the program again, or take the functions as they were"
        else:
            return own.implementation

        def lost(*values: Value) -> NoReturn:
            raise BadArgumentError(0, reason, hint)

        return lost

    def add_type(self, found: Json) -> None:
        """A row of `types`; those that it is made of stand before it."""
        self._deepest = 0
        if isinstance(found, str):
            made = _PRIMITIVES.get(found) or fail(f"there is no type `{_short(found)}`")
        elif isinstance(found, dict) and found:
            made = self._made(next(iter(found)), found)
        else:
            fail("expected a type")
        self._depths.append(self._deepest + 1)
        if self._deepest >= MOST_NESTED:
            fail(f"types lie in each other more than {MOST_NESTED} deep")
        if parts_of(made) > MAX_PARTS:
            fail(f"a value of it has more than {MAX_PARTS:,} parts")
        self.types.append(made)

    def _made(self, kind: str, found: Mapping[str, Json]) -> Type:
        given = found[kind]
        match kind:
            case "list":
                return types.list_of(self.type(given))
            case "map":
                return types.map_of(self.type(given))
            case "output":
                return types.output_of(self.type(given))
            case "promise":
                return types.promise_of(self.type(given))
            case "input":
                return types.input_of(self.type(given))
            case "tuple":
                return types.tuple_of(listed(self.type, given))
            case "object":
                members = {name: self.type(one) for name, one in mapping(given, None).items()}
                lacking = texts(found.get("lacking") or [])
                return types.object_of(members, {name: members[name] for name in lacking if name in members})
            case "constant":
                constant = value(given)
                return types.const_of(self.type(found.get("base")), fail("it is null") if constant is None else constant)
            case "enum":
                package, token = self._token(given)
                declaration = package.object_type(token)
                known = declaration if isinstance(declaration, EnumDecl) else None
                return types.enum_of(known or fail(f"the package has no enum `{_short(token)}`"))
            case "declared":
                resource = self._resource(found["resource"]) if "resource" in found else None
                shape = word(Shape, found.get("shape"))
                return types.nominal_of(self._declaration_at(given), shape, resource)
            case "union":
                return types.same_union(listed(self.type, given), self._discriminator(found.get("discriminator")))
        fail(f"there is no type `{_short(kind)}`")

    def _discriminator(self, found: Json) -> Discriminator | None:
        if found is None:
            return None
        table = mapping(found, "property", "mapping")

        def tagged(one: Json) -> tuple[str, Type]:
            match one:
                case [str(tag), int(index)]:
                    return tag, self.type(index)
            fail("expected a pair: [tag, type]")

        return Discriminator(text(table.get("property")), tuple(each("mapping", tagged, table.get("mapping"))))


def _told(function: Function) -> tuple[object, ...]:
    """What a pack tells of a function: what it takes, and what is called in each language."""
    parameters = [(one.name, one.type, one.allow_null) for one in function.parameters]
    files = dict(function.home.files) if function.home is not None else {}
    return parameters, {language: one.name for language, one in function.spelled.items()}, files


# --- plain values ------------------------------------------------------------------------------------------------------

_T = TypeVar("_T")


def _kind_of(found: Json) -> str:
    kind = found.get("kind") if isinstance(found, dict) else found
    return kind if isinstance(kind, str) else type(kind).__name__


def text(found: Json) -> str:
    """A text."""
    return found if isinstance(found, str) else fail("expected a text")


def flag(found: Json) -> bool:
    """True or false."""
    return found if isinstance(found, bool) else fail("expected true or false")


def value(found: Json) -> bool | int | Decimal | str | None:
    """A constant."""
    match found:
        case int() if found.bit_length() > _MOST_BITS:
            fail("the number is too large")
        case None | bool() | int() | str():
            return found
        case {"number": str(number)} if len(found) == 1:
            try:
                made = Decimal(number)
            except InvalidOperation:
                fail("expected a number")
            if not made.is_finite():
                fail("expected a number")
            # A double has three hundred digits before its point or behind it; what is written out must end.
            is_double = abs(made.adjusted()) <= _MOST_DIGITS and len(made.as_tuple().digits) <= _MOST_DIGITS
            return made if is_double else fail("the number is too large")
    fail("expected a constant")


def rule(found: Json) -> Rule:
    """What values keep beyond their type."""
    made = mapping(found, None)
    if not rule_fits(made):
        fail("expected constraints")
    return made


def word(words: type[_E], found: Json) -> _E:
    """One of some words."""
    try:
        return words(found)
    except ValueError:
        fail(f"expected one of {', '.join(words)}")


def texts(found: Json) -> tuple[str, ...]:
    """A list of texts."""
    return tuple(listed(text, found))


def mapping(found: Json, first: str | None, *others: str) -> Mapping[str, Json]:
    """An object with these members at the most; without any, with all that it has."""
    if not isinstance(found, dict):
        fail("expected an object")
    if first is not None and not found.keys() <= {first, *others}:
        fail(f"unknown member `{_short(min(found.keys() - {first, *others}))}`")
    return found


def _list(found: Json) -> list[Json]:
    return found if isinstance(found, list) else fail("expected a list")


def listed(read: Callable[[Json], _T], found: Json) -> list[_T]:
    """Each entry of a list."""
    made: list[_T] = []
    for index, one in enumerate(_list(found)):
        try:
            made.append(read(one))
        except PackError as error:
            error.place.append(index)
            raise
    return made


def each(key: str, read: Callable[[Json], _T], found: Json) -> list[_T]:
    """Each entry of the list that stands under `key`."""
    return inside(key, partial(listed, read), found)


def inside(key: str, read: Callable[[Json], _T], found: Json) -> _T:
    """What stands under `key`."""
    try:
        return read(found)
    except PackError as error:
        error.place.append(key)
        raise


def entry(table: Sequence[_T], found: Json, what: str) -> _T:
    """What stands at an index of a table."""
    if not isinstance(found, int) or isinstance(found, bool):
        fail(f"expected the index of a {what}")
    if not 0 <= found < len(table):
        fail(f"there is no {what} {_short(found)} here: there are {len(table)} before it")
    return table[found]


def _short(found: object) -> str:
    shown = str(found)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
