"""Errors in a package schema, for its author: `pclgen schema check`.

Checked are unknown keys, dangling references, missing required properties, methods without a function, and every error
that a program using the member would get. Programs still compile against schemas with some of these, but lose a type or a
check.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Raw, Struct

from pclgen.diagnostics.suggest import suggestion
from pclgen.schema.document import Document, explain, read_document
from pclgen.schema.errors import SchemaError
from pclgen.schema.grammar import ReferenceKind, escaped, parse_reference
from pclgen.schema.package import open_package
from pclgen.types.declarations import Declaration, EnumDecl, FunctionDecl, Package, ResourceDecl, Shape

Json: TypeAlias = "Mapping[str, object]"
Section: TypeAlias = Literal["resources", "types", "functions"]
SECTIONS: Final[Sequence[Section]] = ("resources", "types", "functions")

_TOKEN: Final = re.compile(r"[^:/]*:[^:]*:[^/]*")
_TYPE: Final = frozenset({"type", "$ref", "items", "additionalProperties", "oneOf", "discriminator", "plain"})
_PROPERTY: Final = _TYPE | {
    "description", "const", "default", "defaultInfo", "deprecationMessage", "language", "secret", "replaceOnChanges",
    "willReplaceOnChanges",
}  # fmt: skip  # a table with many short entries a line
_OBJECT: Final = frozenset({"description", "properties", "required", "type", "plain", "language", "deprecationMessage",
                            "isOverlay", "overlaySupportedLanguages"})  # fmt: skip  # as above
_KEYS: Final[Mapping[str, frozenset[str]]] = {
    "package": frozenset({
        "$schema", "name", "displayName", "version", "description", "keywords", "homepage", "license", "attribution",
        "repository", "logoUrl", "pluginDownloadURL", "publisher", "namespace", "dependencies", "meta", "language", "config",
        "allowedPackageNames", "provider", "//", "resources", "types", "functions", "parameterization",
        "extensionParameterization",
    }),
    "resource": _OBJECT | {"inputProperties", "requiredInputs", "plainInputs", "stateInputs", "aliases", "isComponent",
                           "methods", "plainProperties"},
    "function": frozenset({"description", "inputs", "outputs", "returnType", "deprecationMessage", "language", "isOverlay",
                           "overlaySupportedLanguages", "multiArgumentInputs", "plain"}),
    "type": _OBJECT | {"enum"},
    "object": _OBJECT,
    "result": _OBJECT | _TYPE,  # an object, or any other type
    "enum value": frozenset({"name", "value", "description", "deprecationMessage"}),
    "property": _PROPERTY,
}  # fmt: skip  # as above
"""The known keys of each part of a schema."""


class Mistake(Struct, frozen=True, kw_only=True):
    """An error at a JSON pointer. `is_lost`: a program that uses the member loses a type or a check."""

    pointer: str
    message: str
    help: str | None = None
    is_lost: bool = True


def mistakes_in(data: bytes, *, where: str) -> tuple[Mistake, ...]:
    """Return all errors of a schema; if `read_document` rejects it, only that error."""
    document = read_document(data, where=where)
    if isinstance(document, str):
        return (Mistake(pointer="", message=document),)
    try:
        schema = json.loads(data)
    except (UnicodeDecodeError, RecursionError) as problem:  # in a member: these are read when they are used
        return (Mistake(pointer="", message=explain(problem)),)
    sections: dict[Section, Json] = {name: _table(schema.get(name)) for name in SECTIONS}
    mistakes = {mistake.pointer: mistake for mistake in _Linter(sections, document.header.name).run(schema)}
    for mistake in _unusable(document):
        mistakes.setdefault(mistake.pointer, mistake)
    return tuple(mistakes.values())


def lost_in_member(document: Document, section: Section, token: str) -> tuple[Mistake, ...]:
    """Return the losses of a program that uses a member of a schema, by the schema's token; other members are not read."""
    members = document.members
    sections: dict[Section, Mapping[str, Raw]] = dict(
        zip(SECTIONS, (members.resources, members.types, members.functions), strict=True)
    )
    raw = sections[section].get(token)
    if raw is None:  # the provider
        return ()
    try:
        member = _table(msgspec.json.decode(raw))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ()  # reported when the program uses it: `Document.decode` refuses it, too
    mistakes = _Linter(sections, document.header.name).member(section, token, member)
    return tuple(mistake for mistake in mistakes if mistake.is_lost)


def _unusable(document: Document) -> Iterator[Mistake]:
    """Yield the errors of members that programs cannot use."""

    def elsewhere(name: str, version: str) -> Package:
        raise SchemaError(package=name, path="", reason="", missing=(name, version))

    try:
        package = open_package(document, elsewhere).package
    except ValueError as error:
        yield Mistake(pointer="", message=str(error))
        return
    uses: list[Callable[[], object]] = [partial(_use_resource, package.provider)]
    uses += [partial(_use_resource, partial(package.resource, token)) for token in package.resource_tokens]
    uses += [partial(_use_function, partial(package.function, token)) for token in package.function_tokens]
    uses += [partial(_use_type, partial(package.object_type, token)) for token in package.type_tokens]
    for use in uses:
        try:
            use()
        except SchemaError as error:
            if error.missing is None:  # other packages are other schemas
                yield Mistake(pointer=_pointer(error.path), message=error.reason)


def _use_resource(get: Callable[[], ResourceDecl | None]) -> None:
    resource = get()
    if resource is not None:
        resource.inputs.fields(Shape.INPUT)
        resource.outputs.fields(Shape.OUTPUT)
        resource.state.fields(Shape.INPUT)
        resource.methods()


def _use_function(get: Callable[[], FunctionDecl | None]) -> None:
    function = get()
    if function is not None and function.inputs is not None:
        function.inputs.fields(Shape.INPUT)


def _use_type(get: Callable[[], Declaration | EnumDecl | None]) -> None:
    declaration = get()
    if isinstance(declaration, Declaration):
        declaration.fields(Shape.INPUT)
        declaration.fields(Shape.OUTPUT)


def _pointer(path: str) -> str:
    """Return a JSON pointer as the other errors write it: tokens may contain a slash."""
    section, _, rest = path.removeprefix("#/").partition("/")
    if section not in ("resources", "types", "functions") or not rest:
        return path.removeprefix("#")
    match = _TOKEN.match(rest)
    token = match[0] if match is not None else rest
    return f"/{section}/{escaped(token)}{rest[len(token) :]}"


class _Linter:
    """Checks members of the package `name`; `sections` are the targets of references, by token."""

    def __init__(self, sections: Mapping[Section, Mapping[str, object]], name: str) -> None:
        self._sections = sections
        self._name = name

    def run(self, whole: Json) -> Iterator[Mistake]:
        yield from self._keys(whole, "package", "")
        yield from self._properties(_table(_table(whole.get("config")).get("variables")), "/config/variables")
        provider = _table(whole.get("provider"))
        yield from self._resource(provider, "/provider")
        for section, bodies in self._sections.items():
            for token, body in bodies.items():
                yield from self.member(section, token, _table(body))

    def member(self, section: Section, token: str, body: Json) -> Iterator[Mistake]:
        """Return the mistakes in a member."""
        at = f"/{section}/{escaped(token)}"
        match section:
            case "resources":
                return self._resource(body, at)
            case "types":
                return self._type_definition(body, at)
            case "functions":
                return self._function(body, at)

    def _resource(self, body: Json, at: str) -> Iterator[Mistake]:
        yield from self._keys(body, "resource", at)
        yield from self._members(body, at, "properties", "required")
        yield from self._members(body, at, "inputProperties", "requiredInputs")
        yield from self._object(_table(body.get("stateInputs")), f"{at}/stateInputs")
        for name, token in _table(body.get("methods")).items():
            if isinstance(token, str) and token not in self._sections["functions"]:
                hint = suggestion(token, self._sections["functions"])
                yield Mistake(pointer=f"{at}/methods/{escaped(name)}", message=f"there is no function `{token}`", help=hint)

    def _function(self, body: Json, at: str) -> Iterator[Mistake]:
        yield from self._keys(body, "function", at)
        yield from self._object(_table(body.get("inputs")), f"{at}/inputs")
        result = _table(body.get("outputs"))
        yield from self._keys(result, "result", f"{at}/outputs")
        yield from self._members(result, f"{at}/outputs", "properties", "required")
        yield from self._types(result, f"{at}/outputs")

    def _type_definition(self, body: Json, at: str) -> Iterator[Mistake]:
        yield from self._keys(body, "type", at)
        yield from self._members(body, at, "properties", "required")
        for index, value in enumerate(_list(body.get("enum"))):
            yield from self._keys(_table(value), "enum value", f"{at}/enum/{index}")

    def _object(self, body: Json, at: str) -> Iterator[Mistake]:
        yield from self._keys(body, "object", at)
        yield from self._members(body, at, "properties", "required")

    def _members(self, body: Json, at: str, key: str, required: str) -> Iterator[Mistake]:
        properties = _table(body.get(key))
        yield from self._properties(properties, f"{at}/{key}")
        for index, name in enumerate(_list(body.get(required))):
            if name not in properties:
                yield _no_property(f"{at}/{required}/{index}", name, properties)

    def _properties(self, properties: Json, at: str) -> Iterator[Mistake]:
        for name, spec in properties.items():
            place = f"{at}/{escaped(name)}"
            yield from self._keys(_table(spec), "property", place)
            yield from self._types(_table(spec), place)

    def _types(self, spec: Json, at: str) -> Iterator[Mistake]:
        """Yield errors in the references of a type and of its parts."""
        pending: list[tuple[Json, str]] = [(spec, at)]
        while pending:
            part, place = pending.pop()
            if not part:
                continue
            reference = part.get("$ref")
            if isinstance(reference, str):
                yield from self._reference(reference, "type" in part, f"{place}/$ref")
            pending += [(_table(part.get(key)), f"{place}/{key}") for key in ("items", "additionalProperties")]
            pending += [
                (_table(alternative), f"{place}/oneOf/{index}") for index, alternative in enumerate(_list(part.get("oneOf")))
            ]
            for tag, target in _table(_table(part.get("discriminator")).get("mapping")).items():
                text = target if isinstance(target, str) and "#" in target else f"#/types/{target}"
                yield from self._reference(text, False, f"{place}/discriminator/mapping/{escaped(tag)}")

    def _reference(self, text: str, says_type: bool, at: str) -> Iterator[Mistake]:
        reference = parse_reference(text)
        if reference is None:
            yield Mistake(pointer=at, message=f"`{text}` is not a reference to a type or resource")
            return
        if reference.package not in ("", self._name) or reference.kind in (ReferenceKind.BUILTIN, ReferenceKind.PROVIDER):
            return
        members = self._sections["types" if reference.kind is ReferenceKind.TYPE else "resources"]
        if reference.token not in members and not says_type:  # with a type, the SDKs have the class, written by hand
            kind = "type" if reference.kind is ReferenceKind.TYPE else "resource"
            hint = suggestion(reference.token, members)
            yield Mistake(pointer=at, message=f"there is no {kind} `{reference.token}`; it counts as any", help=hint)

    def _keys(self, body: Json, kind: str, at: str) -> Iterator[Mistake]:
        keys = _KEYS[kind]
        for key in body:
            if key not in keys:
                hint = suggestion(key, sorted(keys))
                message = f"`{key}` means nothing in a {kind}"
                yield Mistake(pointer=f"{at}/{escaped(key)}", message=message, help=hint, is_lost=False)


def _no_property(pointer: str, name: object, properties: Json) -> Mistake:
    return Mistake(pointer=pointer, message=f"there is no property `{name}`", help=suggestion(str(name), properties))


def _table(value: object) -> Json:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else ()
