"""Packages as declarations: resources, functions, methods, providers, and how little is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from pclgen.schema.errors import SchemaError, report_error
from pclgen.source.text import SourceFile
from pclgen.types import model as ty
from pclgen.types.declarations import DeclarationKind, EnumDecl, Shape
from tests.support.corpus import CORPUS, needs_corpus
from tests.support.schemas import Schema, open_schemas, token

STR: Schema = {"type": "string"}


def test_what_a_package_says_of_itself(tmp_path: Path) -> None:
    package = open_schemas(
        tmp_path,
        {
            "name": "p",
            "version": "1.2.3",
            "namespace": "acme",
            "pluginDownloadURL": "https://example.org/p",
            "repository": "https://example.org/repo",
            "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
            "language": {"go": {"importBasePath": "example.org/p/sdk"}, "python": None},
            "resources": {"p:b:B": {}, "p:a/x:A": {}},
            "functions": {"p:b:f": {}},
            "types": {"p:b:T": {"type": "object"}},
        },
    ).package
    assert (package.name, package.version, package.namespace) == ("p", "1.2.3", "acme")
    assert package.plugin_download_url == "https://example.org/p"
    assert package.repository == "https://example.org/repo"
    assert package.language == {"go": {"importBasePath": "example.org/p/sdk"}}
    assert package.parameterization is None
    assert tuple(package.resource_tokens) == ("p:b:B", "p:a/x:A")
    assert tuple(package.function_tokens) == ("p:b:f",)
    assert tuple(package.type_tokens) == ("p:b:T",)
    assert package.module_of("p:a/x:A") == "a"
    assert package.module_of("p:b:B") == ""


@pytest.mark.parametrize(("key", "extension"), [("parameterization", False), ("extensionParameterization", True)])
def test_parameterization(tmp_path: Path, key: str, extension: bool) -> None:
    base = {"name": "terraform-provider", "version": "0.8.1", "pluginDownloadURL": "https://example.org"}
    package = open_schemas(tmp_path, {"name": "p", key: {"baseProvider": base, "parameter": "SGk="}}).package
    parameters = package.parameterization
    assert parameters is not None
    assert (parameters.base_name, parameters.base_version, parameters.parameter) == ("terraform-provider", "0.8.1", "SGk=")
    assert parameters.extension is extension


def test_shapes_of_a_resource(tmp_path: Path) -> None:
    opened = open_schemas(
        tmp_path,
        {
            "name": "p",
            "resources": {
                "p:index:R": {
                    "description": "a thing",
                    "deprecationMessage": "use S",
                    "inputProperties": {"size": {"type": "integer"}, "name": STR},
                    "requiredInputs": ["name"],
                    "properties": {"size": {"type": "integer"}, "name": STR},
                    "required": ["name"],
                    "stateInputs": {"properties": {"size": {"type": "integer"}}},
                }
            },
        },
    )
    resource = opened.resource(token("p:R"))
    assert resource is not None
    assert (resource.doc, resource.deprecated) == ("a thing", "use S")
    assert (resource.is_component, resource.is_provider) == (False, False)
    inputs = resource.inputs.fields(Shape.INPUT)
    assert {name: (f.type, f.required) for name, f in inputs.items()} == {
        "size": (ty.input_of(ty.optional_of(ty.INT)), False),
        "name": (ty.input_of(ty.STRING), True),
    }
    outputs = resource.outputs.fields(Shape.OUTPUT)
    assert {name: f.type for name, f in outputs.items()} == {
        "id": ty.output_of(ty.ID),
        "urn": ty.output_of(ty.STRING),
        "size": ty.output_of(ty.optional_of(ty.INT)),
        "name": ty.output_of(ty.STRING),
    }
    state = resource.state.fields(Shape.INPUT)
    assert {name: (f.type, f.required) for name, f in state.items()} == {
        "id": (ty.input_of(ty.STRING), True),
        "size": (ty.input_of(ty.optional_of(ty.INT)), False),
    }
    kinds = [d.kind for d in (resource.inputs, resource.outputs, resource.state)]
    assert kinds == [
        DeclarationKind.RESOURCE_INPUTS,
        DeclarationKind.RESOURCE,
        DeclarationKind.RESOURCE_STATE,
    ]


def test_components_have_no_id(tmp_path: Path) -> None:
    opened = open_schemas(tmp_path, {"name": "p", "resources": {"p:index:C": {"isComponent": True}}})
    component = opened.resource(token("p:C"))
    assert component is not None
    assert component.is_component
    assert list(component.outputs.fields(Shape.OUTPUT)) == ["urn"]


def test_a_property_may_hide_the_id(tmp_path: Path) -> None:
    resources = {"p:index:R": {"properties": {"id": {"type": "integer"}}, "required": ["id"]}}
    opened = open_schemas(tmp_path, {"name": "p", "resources": resources})
    resource = opened.resource(token("p:R"))
    assert resource is not None
    assert resource.outputs.fields(Shape.OUTPUT)["id"].type is ty.output_of(ty.INT)


def test_providers_give_back_text_only(tmp_path: Path) -> None:
    properties = {
        "region": STR,
        "mode": {"$ref": "#/types/p:index:Mode"},
        "retries": {"type": "integer"},
        "tags": {"type": "object"},
    }
    opened = open_schemas(
        tmp_path,
        {
            "name": "p",
            "provider": {"inputProperties": properties, "properties": properties, "required": ["region"]},
            "types": {"p:index:Mode": {"type": "string", "enum": [{"value": "fast"}]}},
        },
    )
    provider = opened.package.provider()
    assert list(provider.inputs.fields(Shape.INPUT)) == ["region", "mode", "retries", "tags"]
    assert list(provider.outputs.fields(Shape.OUTPUT)) == ["id", "urn", "region", "mode"]
    mode = opened.package.object_type("p:index:Mode")
    assert isinstance(mode, EnumDecl)
    assert provider.outputs.fields(Shape.OUTPUT)["mode"].type is ty.output_of(ty.optional_of(ty.enum_of(mode)))


def test_every_package_has_a_provider(tmp_path: Path) -> None:
    provider = open_schemas(tmp_path, {"name": "p", "provider": None}).package.provider()
    assert provider.is_provider
    assert provider.inputs.fields(Shape.INPUT) == {}


FUNCTIONS: Schema = {
    "p:index:object": {
        "description": "gives an object",
        "deprecationMessage": "gone soon",
        "inputs": {"properties": {"a": STR, "b": STR}, "required": ["a"]},
        "outputs": {"type": "object", "properties": {"r": STR, "o": STR}, "required": ["r"]},
    },
    "p:index:nothing": {},
    "p:index:empty": {"inputs": {"type": "object"}, "outputs": {"type": "object"}},
    "p:index:scalar": {"outputs": {"type": "integer"}},
    "p:index:list": {"outputs": {"type": "array", "items": STR}},
    "p:index:map": {"outputs": {"type": "object", "additionalProperties": {"type": "integer"}}},
    "p:index:resource": {"outputs": {"$ref": "#/resources/p:index:R", "plain": True}},
    "p:index:many": {
        "inputs": {"properties": {"a": STR, "b": STR}, "required": ["b"]},
        "multiArgumentInputs": ["b", "a"],
    },
    "p:index:R/greet": {
        "inputs": {
            "properties": {"__self__": {"$ref": "#/resources/p:index:R"}, "name": STR},
            "required": ["__self__", "name"],
        },
        "outputs": {"properties": {"text": STR}, "required": ["text"]},
    },
    "p:index:R/ping": {"inputs": {"properties": {"__self__": {"$ref": "#/resources/p:index:R"}}}},
}
METHODS: Schema = {"greet": "p:index:R/greet", "ping": "p:index:R/ping"}


def test_functions(tmp_path: Path) -> None:
    schema: Schema = {"name": "p", "functions": FUNCTIONS, "resources": {"p:index:R": {"methods": METHODS}}}
    opened = open_schemas(tmp_path, schema)

    whole = opened.function(token("p:object"))
    assert whole is not None
    assert whole.inputs is not None
    assert (whole.doc, whole.deprecated) == ("gives an object", "gone soon")
    assert whole.inputs.kind is DeclarationKind.FUNCTION_INPUTS
    assert whole.inputs.fields(Shape.PLAIN)["a"].type is ty.STRING
    assert whole.inputs.fields(Shape.INPUT)["b"].type is ty.input_of(ty.optional_of(ty.STRING))
    result = whole.result
    assert isinstance(result, ty.NominalType)
    assert result.declaration.kind is DeclarationKind.FUNCTION_RESULT
    assert result.shape is Shape.OUTPUT
    assert {n: f.type for n, f in result.declaration.fields(Shape.OUTPUT).items()} == {
        "r": ty.STRING,
        "o": ty.optional_of(ty.STRING),
    }
    assert not whole.is_method
    assert not whole.plain_result

    results = {}
    for name in ("nothing", "empty", "scalar", "list", "map", "resource"):
        function = opened.function(token(f"p:{name}"))
        assert function is not None
        results[name] = (function.inputs is not None, function.result, function.plain_result)
    resource = opened.resource(token("p:R"))
    assert resource is not None
    assert results["nothing"] == (False, None, False)
    assert results["empty"][0]
    assert isinstance(results["empty"][1], ty.NominalType)
    assert results["scalar"] == (False, ty.INT, False)
    assert results["list"] == (False, ty.list_of(ty.STRING), False)
    assert results["resource"] == (False, ty.nominal_of(resource.outputs, Shape.OUTPUT, resource), True)

    many = opened.function(token("p:many"))
    assert many is not None
    assert many.multi_argument == ("b", "a")


def test_methods(tmp_path: Path) -> None:
    schema: Schema = {"name": "p", "functions": FUNCTIONS, "resources": {"p:index:R": {"methods": METHODS}}}
    opened = open_schemas(tmp_path, schema)
    resource = opened.resource(token("p:R"))
    assert resource is not None
    methods = resource.methods()
    assert list(methods) == ["greet", "ping"]
    greet = methods["greet"]
    assert greet.is_method
    assert greet.inputs is not None
    assert list(greet.inputs.fields(Shape.INPUT)) == ["name"]
    assert methods["ping"].inputs is None
    assert resource.methods() is methods
    assert opened.function(token("p:index:R/greet")) is greet


@pytest.mark.parametrize(
    ("resource", "reason"),
    [
        ({"methods": {"m": "p:index:nothing"}}, "takes no `__self__`"),
        ({"methods": {"m": "p:index:unheard"}}, "there is no function"),
    ],
)
def test_bad_methods(tmp_path: Path, resource: Schema, reason: str) -> None:
    opened = open_schemas(tmp_path, {"name": "p", "functions": FUNCTIONS, "resources": {"p:index:R": resource}})
    declared = opened.resource(token("p:R"))
    assert declared is not None
    with pytest.raises(SchemaError, match=reason) as caught:
        declared.methods()
    assert caught.value.path == "#/resources/p:index:R/methods/m"


@pytest.mark.parametrize(
    ("section", "member", "path", "reason"),
    [
        ("types", {"type": "string"}, "/type", "an object or an enum"),
        ("types", {"type": "array", "enum": []}, "/type", "an enum is of"),
        ("types", {"type": "string", "enum": [{"value": 1}]}, "/enum/0/value", "not of type string"),
        ("types", {"type": "integer", "enum": [{"value": True}]}, "/enum/0/value", "not of type integer"),
        ("resources", {"properties": []}, "", "got `array`"),
        ("resources", 1, "", "got `int`"),
        ("functions", {"inputs": 1}, "", "got `int`"),
        ("functions", {"outputs": {"type": "x"}}, "/outputs/type", "unknown type `x`"),
        ("functions", {"multiArgumentInputs": ["a"]}, "/multiArgumentInputs", "not among the inputs"),
    ],
)
def test_members_that_cannot_be_read(tmp_path: Path, section: str, member: object, path: str, reason: str) -> None:
    package = open_schemas(tmp_path, {"name": "p", section: {"p:index:M": member}}).package
    read = {"types": package.object_type, "resources": package.resource, "functions": package.function}
    with pytest.raises(SchemaError) as caught:
        read[section]("p:index:M")
    assert caught.value.path == f"#/{section}/p:index:M{path}"
    assert reason in caught.value.reason
    span = SourceFile("main.pp", "p:index:M").span(0, 9)
    diagnostic = report_error(caught.value, "p:index:M", span)
    assert diagnostic.code == "PCL0305"
    assert diagnostic.notes[0].message.startswith(caught.value.path)


def test_missing_packages_have_their_own_diagnostic() -> None:
    error = SchemaError(package="p", path="#/x", reason="r", missing=("other", "1.0.0"))
    diagnostic = report_error(error, "p:index:M", SourceFile("main.pp", "p:index:M").span(0, 9))
    assert diagnostic.code == "PCL0306"
    assert "`pclgen schema add other@1.0.0 --from FILE`" in str(diagnostic.help)


def test_nothing_is_read_that_is_not_touched(tmp_path: Path) -> None:
    properties = {f"p{i}": {"$ref": "#/types/p:index:T"} for i in range(5)}
    opened = open_schemas(
        tmp_path,
        {
            "name": "p",
            "resources": {f"p:index:R{i}": {"inputProperties": properties} for i in range(100)},
            "types": {"p:index:T": {"properties": {"t": {"$ref": "#/types/p:index:U"}}}, "p:index:U": {}},
        },
    )
    assert opened.document.decoded == 0
    resource = opened.resource(token("p:R7"))
    assert opened.document.decoded == 1
    assert opened.resource(token("p:index:R7")) is resource
    assert resource is not None
    assert opened.document.decoded == 1
    resource.inputs.fields(Shape.INPUT)
    assert opened.document.decoded == 1 + 5 + 1, "the resource, its properties, and the head of T; nothing of U"
    resource.inputs.fields(Shape.INPUT)
    assert opened.document.decoded == 7


@needs_corpus
def test_one_resource_of_aws_costs_one_resource_of_aws() -> None:
    from pclgen.schema.load import SchemaStore
    from pclgen.schema.package import FoundPackage

    opened = SchemaStore([CORPUS / "schemas" / "recovered"]).find("aws")
    assert isinstance(opened, FoundPackage)
    bucket = opened.resource(token("aws:s3:Bucket"))
    assert bucket is not None
    inputs, outputs = bucket.inputs.fields(Shape.INPUT), bucket.outputs.fields(Shape.OUTPUT)
    referenced = 20
    assert opened.document.decoded <= 1 + len(inputs) + len(outputs) + referenced
