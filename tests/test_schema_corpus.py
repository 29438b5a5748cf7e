"""Every schema of the corpus, every member of it, in every shape."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pclgen.schema.errors import SchemaError
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.tokens import Token, parse_token
from pclgen.types import model as ty
from pclgen.types.declarations import (
    Declaration,
    DeclarationKind,
    Field,
    FunctionDecl,
    Package,
    ResourceDecl,
    Shape,
)
from tests.support.corpus import CORPUS, needs_corpus
from tests.support.rules import for_all

SCHEMAS = CORPUS / "schemas"
FOLDERS = [SCHEMAS / kind for kind in ("conformance", "codegen", "real", "recovered")]
FILES = sorted(path for folder in FOLDERS if folder.is_dir() for path in folder.glob("*.json"))
BAD = {"bad-3.0.0.json": "unknown type `not a type`"}


def name_of(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


def opened(path: Path) -> FoundPackage:
    """The package in `path`, with access to all others."""
    own = SchemaStore([path])
    version = own.versions(own.names()[0])
    package = SchemaStore([path, *FOLDERS]).find(own.names()[0], version[0] if version else None)
    assert isinstance(package, FoundPackage), package
    assert package.path == path
    return package


def resources_of(package: Package) -> Iterator[ResourceDecl]:
    yield package.provider()
    for token in package.resource_tokens:
        resource = package.resource(token)
        assert resource is not None
        yield resource


def functions_of(package: Package) -> Iterator[FunctionDecl]:
    for token in package.function_tokens:
        function = package.function(token)
        assert function is not None
        yield function


def declarations_of(package: Package) -> Iterator[Declaration]:
    """All declarations with fields in a package."""
    for resource in resources_of(package):
        resource.methods()
        yield from (resource.inputs, resource.outputs, resource.state)
    for function in functions_of(package):
        if function.inputs is not None:
            yield function.inputs
        if isinstance(function.result, ty.NominalType):
            yield function.result.declaration
    for token in package.type_tokens:
        declared = package.object_type(token)
        assert declared is not None
        if isinstance(declared, Declaration):
            yield declared


def check_field(field: Field, declaration: Declaration, shape: Shape) -> None:
    where = (declaration.kind, declaration.token, shape, field.name)
    if shape is Shape.INPUT and declaration.kind is not DeclarationKind.RESOURCE:
        assert field.plain or isinstance(field.type, ty.InputType), where
    elif shape is Shape.OUTPUT and declaration.kind is DeclarationKind.RESOURCE:
        assert isinstance(field.type, ty.OutputType), where
    else:
        assert not field.type.eventual, where
    if ty.resolve(field.type) is not ty.DYNAMIC and (field.const is None or shape is Shape.OUTPUT):
        assert field.required == (not ty.is_optional(field.type)), where


@needs_corpus
@for_all("path", FILES, names=name_of)
def test_every_member_in_every_shape(path: Path) -> None:
    package = opened(path).package
    if path.name in BAD:
        with pytest.raises(SchemaError, match=BAD[path.name]):
            check_everything(package)
    else:
        check_everything(package)


def check_everything(package: Package) -> None:
    for declaration in declarations_of(package):
        for shape in Shape:
            for field in declaration.fields(shape).values():
                check_field(field, declaration, shape)


@needs_corpus
@for_all("path", FILES, names=name_of)
def test_every_token_is_found_as_users_write_it(path: Path) -> None:
    package = opened(path)
    for index, tokens in (
        (package.resources, package.package.resource_tokens),
        (package.functions, package.package.function_tokens),
    ):
        for token in tokens:
            assert index.find(token) == token
            short = index.spelling(token)
            assert isinstance(parse_token(short), Token)
            hit = index.find(short)
            assert hit is not None
            assert index.spelling(hit) == short, "another token of the same canonical form at most"


@needs_corpus
def test_the_bad_schema_is_reported_at_its_place() -> None:
    package = opened(SCHEMAS / "conformance" / "bad-3.0.0.json")
    resource = package.package.resource("bad:index:Resource")
    assert resource is not None
    with pytest.raises(SchemaError) as caught:
        resource.inputs.fields(Shape.INPUT)
    assert caught.value.path == "#/resources/bad:index:Resource/inputProperties/value/type"
