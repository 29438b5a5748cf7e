"""Type expressions of schemas as types: every feature of the metaschema, in three shapes."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path

import pytest

from pclgen.schema.errors import SchemaError
from pclgen.schema.package import FoundPackage
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, EnumDecl, Field, Shape
from tests.support.schemas import Schema, open_schemas, token

STR: Schema = {"type": "string"}
TYPES: Schema = {
    "p:index:Point": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
    "p:index:Tree": {"properties": {"label": STR, "children": {"type": "array", "items": {"$ref": "#/types/p:index:Tree"}}}},
    "p:index:Colour": {
        "type": "string",
        "enum": [
            {"name": "Red", "value": "red", "description": "like blood", "deprecationMessage": "old"},
            {"value": "blue"},
        ],
    },
    "p:index:Level": {"type": "integer", "enum": [{"value": 1}, {"value": 2}]},
    "p:index:Cat": {
        "type": "object",
        "properties": {"kind": {"type": "string", "const": "cat"}, "lives": {"type": "integer"}},
        "required": ["kind"],
    },
    "p:index:Dog": {
        "type": "object",
        "properties": {"kind": {"type": "string", "const": "dog"}},
        "required": ["kind"],
    },
}
POINT: Schema = {"$ref": "#/types/p:index:Point"}


def package_with(directory: Path, spec: Schema, *, required: bool = True) -> FoundPackage:
    """A package whose resource R has `spec` as input, output and state property `p`, and whose function f takes it."""
    names = ["p"] if required else []
    return open_schemas(
        directory,
        {
            "name": "p",
            "resources": {
                "p:index:R": {
                    "inputProperties": {"p": spec},
                    "requiredInputs": names,
                    "properties": {"p": spec},
                    "required": names,
                    "stateInputs": {"properties": {"p": spec}, "required": names},
                }
            },
            "functions": {"p:index:f": {"inputs": {"properties": {"p": spec}, "required": names}}},
            "types": TYPES,
        },
    )


def fields_in(package: FoundPackage) -> Mapping[str, Field]:
    """Property `p` as resource input, plain function input, and resource output."""
    resource = package.resource(token("p:R"))
    function = package.function(token("p:f"))
    assert resource is not None
    assert function is not None
    assert function.inputs is not None
    return {
        "input": resource.inputs.fields(Shape.INPUT)["p"],
        "plain": function.inputs.fields(Shape.PLAIN)["p"],
        "output": resource.outputs.fields(Shape.OUTPUT)["p"],
    }


def types_in(package: FoundPackage) -> tuple[ty.Type, ty.Type, ty.Type]:
    """The types of `p`: as input, plain, and as output."""
    fields = fields_in(package)
    return fields["input"].type, fields["plain"].type, fields["output"].type


def declared(package: FoundPackage, name: str) -> Declaration:
    declaration = package.package.object_type(f"p:index:{name}")
    assert isinstance(declaration, Declaration)
    return declaration


def enumerated(package: FoundPackage, name: str) -> EnumDecl:
    declaration = package.package.object_type(f"p:index:{name}")
    assert isinstance(declaration, EnumDecl)
    return declaration


@pytest.mark.parametrize(
    ("spec", "plain"),
    [
        ({"type": "boolean"}, ty.BOOL),
        ({"type": "integer"}, ty.INT),
        ({"type": "number"}, ty.NUMBER),
        ({"type": "string"}, ty.STRING),
        ({"$ref": "pulumi.json#/Any"}, ty.DYNAMIC),
        ({"$ref": "pulumi.json#/Json"}, ty.DYNAMIC),
        ({"$ref": "pulumi.json#/Asset"}, ty.ASSET),
        ({"$ref": "pulumi.json#/Archive"}, ty.ARCHIVE),
        ({"$ref": "#/types/p:index:Handwritten", "type": "string"}, ty.STRING),
        ({"$ref": "#/types/p:index:Handwritten"}, ty.DYNAMIC),
        ({"oneOf": [{"type": "string"}, {"type": "integer"}]}, ty.union_of((ty.STRING, ty.INT))),
        ({"oneOf": [{"type": "string"}], "type": "string"}, ty.STRING),
        ({"oneOf": [{"type": "string"}, {"$ref": "pulumi.json#/Any"}]}, ty.DYNAMIC),
    ],
)
def test_types_without_parts(tmp_path: Path, spec: Schema, plain: ty.Type) -> None:
    assert types_in(package_with(tmp_path, spec)) == (ty.input_of(plain), plain, ty.output_of(plain))


@pytest.mark.parametrize(
    ("spec", "argument", "plain"),
    [
        ({"type": "array", "items": STR}, ty.list_of(ty.input_of(ty.STRING)), ty.list_of(ty.STRING)),
        ({"type": "object"}, ty.map_of(ty.input_of(ty.STRING)), ty.map_of(ty.STRING)),
        (
            {"type": "object", "additionalProperties": {"type": "array", "items": {"type": "number"}}},
            ty.map_of(ty.input_of(ty.list_of(ty.input_of(ty.NUMBER)))),
            ty.map_of(ty.list_of(ty.NUMBER)),
        ),
        (
            {"oneOf": [STR, {"type": "array", "items": STR}]},
            ty.union_of((ty.STRING, ty.list_of(ty.input_of(ty.STRING)))),
            ty.union_of((ty.STRING, ty.list_of(ty.STRING))),
        ),
        # `plain` ends the wrapping below it, and only there.
        ({"type": "array", "items": {"type": "string", "plain": True}}, ty.list_of(ty.STRING), ty.list_of(ty.STRING)),
    ],
)
def test_inputs_are_wrapped_at_every_depth(tmp_path: Path, spec: Schema, argument: ty.Type, plain: ty.Type) -> None:
    assert types_in(package_with(tmp_path, spec)) == (ty.input_of(argument), plain, ty.output_of(plain))


def test_plain_properties_are_not_eventual_but_members_of_their_objects_may_be(tmp_path: Path) -> None:
    spec: Schema = {"type": "array", "items": POINT, "plain": True}
    package = package_with(tmp_path, spec)
    point = declared(package, "Point")
    argument = ty.list_of(ty.input_of(ty.nominal_of(point, Shape.INPUT)))
    output = ty.output_of(ty.list_of(ty.nominal_of(point, Shape.OUTPUT)))
    assert types_in(package) == (argument, ty.list_of(ty.nominal_of(point, Shape.PLAIN)), output)
    assert fields_in(package)["input"].plain


def test_elements_of_plain_lists_and_maps_are_plain_only_when_they_say_so(tmp_path: Path) -> None:
    texts: Schema = {"type": "array", "items": STR}
    spec: Schema = {"type": "object", "additionalProperties": texts, "plain": True}
    assert types_in(package_with(tmp_path / "a", spec))[0] == ty.map_of(ty.input_of(ty.list_of(ty.input_of(ty.STRING))))
    spec["additionalProperties"] = {**texts, "plain": True}
    assert types_in(package_with(tmp_path / "b", spec))[0] == ty.map_of(ty.list_of(ty.input_of(ty.STRING)))


def test_optional_properties(tmp_path: Path) -> None:
    package = package_with(tmp_path, STR, required=False)
    none = ty.optional_of(ty.STRING)
    assert types_in(package) == (ty.input_of(none), none, ty.output_of(none))
    assert not any(field.required for field in fields_in(package).values())


def test_object_types_have_three_shapes(tmp_path: Path) -> None:
    package = package_with(tmp_path, POINT)
    point = declared(package, "Point")
    assert types_in(package) == (
        ty.input_of(ty.nominal_of(point, Shape.INPUT)),
        ty.nominal_of(point, Shape.PLAIN),
        ty.output_of(ty.nominal_of(point, Shape.OUTPUT)),
    )
    assert {shape: point.fields(shape)["x"].type for shape in Shape} == {
        Shape.INPUT: ty.input_of(ty.INT),
        Shape.PLAIN: ty.INT,
        Shape.OUTPUT: ty.INT,
    }


def test_recursive_types(tmp_path: Path) -> None:
    package = package_with(tmp_path, {"$ref": "#/types/p:index:Tree"})
    tree = declared(package, "Tree")
    children = tree.fields(Shape.INPUT)["children"].type
    assert children is ty.input_of(ty.optional_of(ty.list_of(ty.input_of(ty.nominal_of(tree, Shape.INPUT)))))
    assert package.package.object_type("p:index:Tree") is tree
    assert tree.fields(Shape.INPUT) is tree.fields(Shape.INPUT)


def test_enums(tmp_path: Path) -> None:
    package = package_with(tmp_path, {"$ref": "#/types/p:index:Colour", "type": "string"})
    colour = enumerated(package, "Colour")
    red, blue = colour.members
    assert (red.name, red.value, red.doc, red.deprecated) == ("Red", "red", "like blood", "old")
    assert (blue.name, blue.value) == ("", "blue")
    assert types_in(package) == (
        ty.input_of(ty.enum_of(colour)),
        ty.enum_of(colour),
        ty.output_of(ty.enum_of(colour)),
    )
    level = enumerated(package, "Level")
    assert level.base == "integer"
    assert level.member(1) is level.members[0]
    assert level.member(True) is None


def test_relaxed_enums(tmp_path: Path) -> None:
    spec: Schema = {"oneOf": [STR, {"$ref": "#/types/p:index:Colour"}]}
    package = package_with(tmp_path, spec)
    plain = ty.union_of((ty.STRING, ty.enum_of(enumerated(package, "Colour"))))
    assert types_in(package) == (ty.input_of(plain), plain, ty.output_of(plain))


@pytest.mark.parametrize("prefix", ["#/types/p:index:", "p:index:"])
def test_discriminated_unions(tmp_path: Path, prefix: str) -> None:
    package = package_with(
        tmp_path,
        {
            "oneOf": [{"$ref": "#/types/p:index:Cat"}, {"$ref": "#/types/p:index:Dog"}],
            "discriminator": {
                "propertyName": "kind",
                "mapping": {"cat": f"{prefix}Cat", "dog": f"{prefix}Dog"},
            },
        },
    )
    for t, shape in zip(types_in(package)[:2], (Shape.INPUT, Shape.PLAIN), strict=True):
        union = t if isinstance(t, ty.UnionType) else getattr(t, "element", None)
        assert isinstance(union, ty.UnionType)
        assert union.discriminator is not None
        assert union.discriminator.property == "kind"
        assert union.discriminator.mapping == (
            ("cat", ty.nominal_of(declared(package, "Cat"), shape)),
            ("dog", ty.nominal_of(declared(package, "Dog"), shape)),
        )
        assert set(union.members) == {member for _, member in union.discriminator.mapping}


def test_constants_in_arguments(tmp_path: Path) -> None:
    cat = declared(package_with(tmp_path, STR), "Cat")
    argument = cat.fields(Shape.INPUT)["kind"]
    assert argument.type is ty.input_of(ty.const_of(ty.STRING, "cat"))
    assert not argument.required, "binding writes it"
    assert argument.const == "cat"
    assert cat.fields(Shape.PLAIN)["kind"].type is ty.const_of(ty.STRING, "cat")
    returned = cat.fields(Shape.OUTPUT)["kind"]
    assert (returned.type, returned.required) == (ty.STRING, True)


@pytest.mark.parametrize(
    ("kind", "value", "const"),
    [
        ("boolean", False, ty.const_of(ty.BOOL, False)),
        ("integer", 0, ty.const_of(ty.INT, 0)),
        ("integer", 2.0, ty.const_of(ty.INT, 2)),
        ("number", 0.1, ty.const_of(ty.NUMBER, Decimal("0.1"))),
        ("number", 3, ty.const_of(ty.NUMBER, Decimal(3))),
        ("string", "", ty.const_of(ty.STRING, "")),
    ],
)
def test_constants_of_all_types(tmp_path: Path, kind: str, value: object, const: ty.Type) -> None:
    fields = fields_in(package_with(tmp_path, {"type": kind, "const": value}))
    assert fields["plain"].type is const
    assert fields["output"].required


@pytest.mark.parametrize(
    "spec",
    [
        {"type": "string", "const": 1},
        {"type": "boolean", "const": "true"},
        {"type": "integer", "const": True},
        {"type": "integer", "const": 1.5},
        {"type": "object", "const": {}},
    ],
)
def test_constants_of_another_type(tmp_path: Path, spec: Schema) -> None:
    with pytest.raises(SchemaError, match="a constant must be") as caught:
        fields_in(package_with(tmp_path, spec))
    assert caught.value.path == "#/resources/p:index:R/inputProperties/p/const"


def test_what_is_said_about_a_property(tmp_path: Path) -> None:
    field = fields_in(
        package_with(
            tmp_path,
            {
                "type": "string",
                "description": "the zone",
                "deprecationMessage": "use region",
                "secret": True,
                "default": "z1",
                "defaultInfo": {"environment": ["ZONE"], "language": {}},
                "willReplaceOnChanges": True,
                "language": {"csharp": {"name": "TheZone"}, "go": None},
            },
        )
    )["input"]
    assert (field.doc, field.deprecated, field.default) == ("the zone", "use region", "z1")
    assert field.secret
    assert field.replace_on_changes
    assert not field.plain
    assert field.language == {"csharp": {"name": "TheZone"}}


def test_marks_for_languages_are_not_shown(tmp_path: Path) -> None:
    """Converters repeat each name in a text once per language; readers see it once, wherever the text is."""
    marked = 'Use <span pulumi-lang-go="`A`" pulumi-lang-python="`a`">`a`</span> or <span\n>`b`</span>, 1 <span> 2'
    plain = "Use `a` or <span\n>`b`</span>, 1 <span> 2"
    texts: Schema = {"description": marked, "deprecationMessage": marked}
    package = package_with(tmp_path, {"type": "string", **texts})
    assert [(f.doc, f.deprecated) for f in fields_in(package).values()] == [(plain, plain)] * len(fields_in(package))
    resource = open_schemas(tmp_path / "r", {"name": "p", "resources": {"p:index:R": texts}}).resource(token("p:R"))
    assert resource is not None
    assert (resource.doc, resource.deprecated) == (plain, plain)


def test_references_to_resources(tmp_path: Path) -> None:
    package = package_with(tmp_path, {"$ref": "#/resources/p:index:R"})
    resource = package.resource(token("p:R"))
    assert resource is not None
    value = ty.nominal_of(resource.outputs, Shape.OUTPUT, resource)
    assert types_in(package) == (ty.input_of(value), value, ty.output_of(value))
    assert isinstance(value, ty.NominalType)
    assert value.resource is resource


@pytest.mark.parametrize("ref", ["#/provider", "#/resources/pulumi:providers:p"])
def test_references_to_the_provider(tmp_path: Path, ref: str) -> None:
    package = package_with(tmp_path, {"$ref": ref})
    provider = package.package.provider()
    assert types_in(package)[1] is ty.nominal_of(provider.outputs, Shape.OUTPUT, provider)


OTHER: Schema = {
    "name": "other",
    "version": "2.1.0",
    "resources": {"other:m/thing:Thing": {}},
    "types": {"other:m/Opts:Opts": {"type": "object", "properties": {"a": STR}}},
}


@pytest.mark.parametrize("version", ["2.1.0", "2.0.0", "1.0.0"])
def test_references_to_other_packages(tmp_path: Path, version: str) -> None:
    prefix = f"/other/v{version}/schema.json#"
    package = open_schemas(
        tmp_path,
        {
            "name": "p",
            "resources": {
                "p:index:R": {
                    "inputProperties": {
                        "opts": {"$ref": f"{prefix}/types/other:m%2FOpts:Opts"},
                        "thing": {"$ref": f"{prefix}/resources/other:m%2fthing:Thing"},
                        "provider": {"$ref": f"{prefix}/provider"},
                    },
                    "requiredInputs": ["opts", "thing", "provider"],
                }
            },
        },
        OTHER,
    )
    resource = package.resource(token("p:R"))
    assert resource is not None
    fields = resource.inputs.fields(Shape.INPUT)
    kinds: dict[str, str] = {}
    for name, field in fields.items():
        t = getattr(field.type, "element", None)
        assert isinstance(t, ty.NominalType)
        assert t.declaration.package is not None
        assert (t.declaration.package.name, t.declaration.package.version) == ("other", "2.1.0")
        kinds[name] = t.declaration.token
    assert kinds == {
        "opts": "other:m/Opts:Opts",
        "thing": "other:m/thing:Thing",
        "provider": "pulumi:providers:other",
    }


def test_a_reference_takes_another_major_version_only_when_it_must(tmp_path: Path) -> None:
    ref = "/other/v1.0.0/schema.json#/resources/other:m%2Fthing:Thing"
    schema: Schema = {"name": "p", "resources": {"p:index:R": {"inputProperties": {"thing": {"$ref": ref}}}}}
    opened = open_schemas(tmp_path, schema, OTHER, {**OTHER, "version": "1.0.0"})
    resource = opened.resource(token("p:R"))
    assert resource is not None
    t = resource.inputs.fields(Shape.PLAIN)["thing"].type
    assert isinstance(t, ty.UnionType)
    packages = [m.declaration.package for m in t.members if isinstance(m, ty.NominalType)]
    assert [package.version for package in packages if package is not None] == ["1.0.0"]


def test_references_to_packages_without_schema(tmp_path: Path) -> None:
    package = package_with(tmp_path, {"$ref": "/other/v2.1.0/schema.json#/types/other:m:Opts"})
    with pytest.raises(SchemaError, match="no schema here") as caught:
        fields_in(package)
    assert caught.value.missing == ("other", "2.1.0")
    assert caught.value.path == "#/resources/p:index:R/inputProperties/p/$ref"
    assert caught.value.package == "p"


@pytest.mark.parametrize(
    ("spec", "place", "reason"),
    [
        ({"type": "not a type"}, "/type", "unknown type `not a type`"),
        ({}, "", "the type is missing"),
        ({"type": "array"}, "", "needs `items`"),
        ({"type": "array", "items": {"type": "x"}}, "/items/type", "unknown type `x`"),
        ({"type": "object", "additionalProperties": {}}, "/additionalProperties", "the type is missing"),
        ({"oneOf": []}, "/oneOf", "lists no types"),
        ({"oneOf": [STR, {"type": "x"}]}, "/oneOf/1/type", "unknown type `x`"),
        ({"$ref": "nonsense"}, "/$ref", "is not a reference"),
        ({"$ref": "#/functions/p:index:f"}, "/$ref", "is not a reference"),
        ({"$ref": "pulumi.json#/Nothing"}, "/$ref", "unknown built-in type"),
        ({"$ref": "#/resources/p:index:Nothing"}, "/$ref", "there is no resource"),
        ({"type": 1}, "", "expected `str`, got `int`"),
        ({"type": "string", "secret": "yes"}, "", "expected `bool`, got `str`"),
    ],
)
def test_errors_have_a_place(tmp_path: Path, spec: Schema, place: str, reason: str) -> None:
    package = package_with(tmp_path, spec)
    resource = package.resource(token("p:R"))
    assert resource is not None
    with pytest.raises(SchemaError) as caught:
        resource.inputs.fields(Shape.INPUT)
    assert caught.value.path == f"#/resources/p:index:R/inputProperties/p{place}"
    assert reason in caught.value.reason
    with pytest.raises(SchemaError):
        resource.inputs.fields(Shape.INPUT)
