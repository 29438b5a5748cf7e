"""Project files, names of SDK entities, and names within a file."""

from __future__ import annotations

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.targets.base import Project
from pclgen.targets.python import names, packages, tree
from pclgen.targets.python.view import assign_names
from pclgen.types.declarations import Json, Package
from tests.support.python_target import python_files

PROGRAM = """
config region string {
  default = "eu: \\"west\\""
  description = "Where"
}
config count int {}
config token string { secret = true }
config names "list(string)" {}
config note string { nullable = true }
resource a "probe:index:Thing" {}
"""


def test_all_files_of_a_project() -> None:
    files = python_files(PROGRAM, project=Project(name="my shop", description="It: sells", main="src"))
    assert sorted(files) == ["Pulumi.yaml", "src/.gitignore", "src/__main__.py", "src/requirements.txt"]
    assert files["src/requirements.txt"] == "pulumi-probe==1.0.0\npulumi>=3.0.0,<4.0.0\n"
    assert files["Pulumi.yaml"] == (
        'name: my-shop\ndescription: "It: sells"\nruntime: python\nmain: src\nconfig:\n'
        '  region:\n    type: string\n    description: Where\n    default: "eu: \\"west\\""\n'
        "  count:\n    type: integer\n"
        "  token:\n    type: string\n    secret: true\n"
        "  names:\n    type: array\n    items:\n      type: string\n"
    )


@pytest.mark.parametrize(
    ("text", "oldest"),
    [
        ('resource a "probe:index:Thing" {}', "3.0.0"),
        ('resource a "probe:index:Thing" {}\noutput o { value = toJSON({ x = a.out }) }', "3.100.0"),
        (
            'hook resource h {\n  command = ["echo"]\n}\nresource a "probe:index:Thing" {\n'
            "  options {\n    hooks = { afterCreate = [h] }\n  }\n}",
            "3.182.0",
        ),
        ('resource a "probe:index:Thing" {\n  options {\n    hideDiffs = [out]\n  }\n}', "3.207.0"),
        ('pulumi {\n  requiredVersionRange = ">=3.1.0"\n}', "3.225.0"),
    ],
)
def test_the_core_sdk_has_what_is_used(text: str, oldest: str) -> None:
    files = python_files(text, project=Project(name="shop"))
    assert f"pulumi>={oldest},<4.0.0" in files["requirements.txt"].splitlines()


@pytest.mark.parametrize(
    ("semver", "version"),
    [
        ("4.21.1", "4.21.1"),
        ("3.0.0-alpha.1", "3.0.0a1"),
        ("3.0.0-beta.2+build.5", "3.0.0b2+build.5"),
        ("1.0.0-rc.1", "1.0.0rc1"),
        ("0.0.1-dev.1700000000", "0.0.1.dev1700000000"),
        ("3.0.0-alpha.1.internal+exp.sha.12345678", "3.0.0a1+exp.sha.12345678"),
    ],
)
def test_versions_are_those_of_pep_440(semver: str, version: str) -> None:
    assert packages.pep440(semver) == version


@pytest.mark.parametrize(
    ("enum", "member", "constant"),
    [
        ("Color", "RedOne", "RED_ONE"),
        ("Color", "blue", "BLUE"),
        ("Color", "*", "ASTERISK"),
        ("DatabaseSlug", "DB_1VPCU1GB", "D_B_1_VPCU1_GB"),
        ("Size", "8GB", "SIZE_8_GB"),
    ],
)
def test_enum_members(enum: str, member: str, constant: str) -> None:
    assert names.enum_member(enum, member) == constant


def package(name: str = "probe", *, namespace: str = "", **python: Json) -> Package:
    return Package(
        name=name,
        version="1.0.0",
        namespace=namespace,
        plugin_download_url="",
        repository="",
        module_format="(.*)",
        supports_pack=False,
        language={"python": python},
        parameterization=None,
        resource_tokens=(),
        type_tokens=(),
        function_tokens=(),
        module_of=lambda token: "" if token.split(":")[1] == "index" else token.split(":")[1],
        resource=lambda token: None,
        function=lambda token: None,
        object_type=lambda token: None,
        provider=lambda: pytest.fail("not asked"),
    )


@pytest.mark.parametrize(
    ("sdk", "path", "alias"),
    [
        (package("azure-native"), "pulumi_azure_native", "azure_native"),
        (package("named", namespace="a-space"), "a_space_named", "named"),
        (package("other", packageName="third_party"), "third_party", "other"),
        (package("pulumi"), "pulumi", "pulumi"),
    ],
)
def test_modules_of_packages(sdk: Package, path: str, alias: str) -> None:
    module = packages.module_of(sdk)
    assert (module.path, module.alias) == (path, alias)


@pytest.mark.parametrize(
    ("sdk", "token", "name"),
    [
        (package(), "p:index:Thing", "X"),
        (package(), "p:lambda/Fn:Thing", "lambda_.fn.X"),
        (package(moduleNameOverrides={"apps.io/v1": "apps/v1"}), "p:apps.io/v1:Thing", "apps.v1.X"),
    ],
)
def test_modules_of_tokens(sdk: Package, token: str, name: str) -> None:
    assert packages.member(sdk, token, "X").name == name


def test_unknown_tokens_have_a_likely_place() -> None:
    unknown = packages.unknown_class("aws:s3/bucket:Bucket")
    assert (unknown.module.path, unknown.name) == ("pulumi_aws", "s3.Bucket")
    assert packages.unknown_function("aws:index/getX:getX", output_form=True).name == "get_x_output"


@pytest.mark.parametrize(
    ("inside", "style", "dicts"),
    [("probe", None, True), ("probe", "classes", False), ("other", None, False), ("other", "classes-and-dicts", True)],
)
def test_dicts_are_for_sdks_that_take_them(inside: str, style: str | None, dicts: bool) -> None:
    sdk = package(**({} if style is None else {"inputTypes": style}))
    assert packages.has_dict_types(sdk, inside=package(inside)) is dicts


WISHES = st.sampled_from(["len", "random", "a", "a_2", "value", "class"])


@given(st.lists(WISHES, max_size=8), st.lists(WISHES, max_size=3))
def test_names_of_a_file_never_meet(tops: list[str], bound: list[str]) -> None:
    """Names differ for a file's variables, the parameters of a lambda that uses them all, an import and a builtin."""
    module = tree.Module(path="pulumi_random", alias="random", group=tree.Group.THIRD_PARTY)
    variables = [tree.Variable(preferred_names=(preferred_name,)) for preferred_name in tops]
    parameters = tuple(tree.Variable(preferred_names=(preferred_name,)) for preferred_name in bound)
    used = tree.items([tree.name(v) for v in (*variables, *parameters)])
    body = tree.call(tree.Imported(module=module, name="X"), tree.builtin("len", used))
    statements = tuple(tree.Assign(target=v, value=tree.Constant(value=1)) for v in variables)
    last = tree.Do(value=tree.Lambda(parameters=parameters, body=body))
    spellings = assign_names(tree.File(path="x", header=(), statements=(*statements, last)))
    spelled = [*spellings.variables.values(), *spellings.modules.values()]
    assert len(set(spelled)) == len(spelled) == len(variables) + len(parameters) + 1
    assert not {"len", "class"} & set(spelled)


def test_a_lambda_may_shadow_what_it_does_not_use() -> None:
    outer, inner = tree.Variable(preferred_names=("x",)), tree.Variable(preferred_names=("x",))
    statements = (
        tree.Assign(target=outer, value=tree.Constant(value=1)),
        tree.Do(value=tree.Lambda(parameters=(inner,), body=tree.name(inner))),
    )
    spellings = assign_names(tree.File(path="x", header=(), statements=statements))
    assert spellings.variables[inner] == "x"


def test_program_only_leaves_the_project_out() -> None:
    assert list(python_files(PROGRAM)) == [str(PurePosixPath("__main__.py"))]
