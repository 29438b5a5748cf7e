"""Schemas recovered from the source text of installed SDKs: members, laziness, identity, and files that are damaged."""

from __future__ import annotations

import ast
import json
import re
import tempfile
from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pclgen.schema.document import Document
from pclgen.schema.errors import BadSchema, SchemaError
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.recovery import conventions, layout
from pclgen.schema.recovery.annotations import AnnotationError, AnnotationReader
from pclgen.schema.recovery.folders import default_folders
from pclgen.schema.recovery.layout import snake
from pclgen.schema.recovery.members import parameter_docs, summary
from pclgen.schema.recovery.source import InstalledSource
from pclgen.schema.sources import BasePlugin, Requirement
from pclgen.targets.go.sdk import sdk_of
from pclgen.types.declarations import EnumDecl, Shape
from tests.support.schemas import token
from tests.support.sdk_text import STORE, install

BUCKET = "store:things/bucket:Bucket"
GET_BUCKETS = "store:things/getBuckets:getBuckets"
RULE = "store:things/rule:Rule"
Spec = dict[str, object]


def document(packages: Path, name: str = "store") -> Document:
    source = InstalledSource([packages])
    [candidate] = source.candidates(Requirement(name=name))
    read = source.read(candidate)
    assert isinstance(read, Document), read
    return read


@pytest.fixture
def store(tmp_path: Path) -> Document:
    install(tmp_path, STORE)
    return document(tmp_path)


def member(raw: msgspec.Raw) -> Spec:
    value = msgspec.json.decode(raw)
    assert isinstance(value, dict)
    return value


def at(value: object, *path: str) -> object:
    for key in path:
        assert isinstance(value, dict), path
        value = value[key]
    return value


# ------------------------------------------------------------------------------------------------------------- members


def test_tokens(store: Document) -> None:
    assert list(store.members.resources) == [BUCKET, "store:net/network:Network"]
    assert list(store.members.functions) == [GET_BUCKETS, "pulumi:providers:store/describe"]
    assert list(store.members.types) == [
        "store:things/getBucketsItem:getBucketsItem",
        RULE,
        "store:things/tier:Tier",
        "store:things/tree:Tree",
    ]


def test_header(tmp_path: Path) -> None:
    install(tmp_path, STORE, metadata="Project-URL: Repository, https://github.com/acme/pulumi-store\n")
    header = document(tmp_path).header
    assert (header.name, header.version) == ("store", "2.5.0")
    assert header.meta is not None
    assert header.meta.module_format == "(.*)(?:/[^/]*)"
    assert header.repository == "https://github.com/acme/pulumi-store"
    assert at(header.language, "go", "importBasePath") == "github.com/acme/pulumi-store/sdk/v2/go/store"
    assert at(header.language, "nodejs", "compatibility") == "tfbridge20"


@pytest.mark.parametrize(
    ("readme", "name"),
    [
        ("npm install @acme-labs/pulumi-store", "@acme-labs/pulumi-store"),
        ("Use npm:\n\n    npm install --save pulumi-store@2\n", "pulumi-store"),
        ("    yarn add @acme/store\n", "@acme/store"),
        ("npm install @pulumi/pulumi @acme/store\nnpm install @acme/store", "@acme/store"),
        ("npm install @pulumi/store", None),
        ("npm install @acme/storefront", None),
        ("npm install ../store", None),
        ("There is no package for Node.", None),
        ("", None),
    ],
)
def test_the_npm_package_is_the_one_of_the_readme(tmp_path: Path, readme: str, name: str | None) -> None:
    install(tmp_path, STORE, metadata=f"Version: 2.5.0\n\n# Store\n\n{readme}\n")
    nodejs = (document(tmp_path).header.language or {})["nodejs"]
    assert (nodejs or {}).get("packageName") == name


def test_inputs_of_a_resource(store: Document) -> None:
    bucket = member(store.members.resources[BUCKET])
    assert bucket["requiredInputs"] == ["owner"]
    assert bucket["inputProperties"] == {
        "kind": {"type": "string", "const": "Bucket"},
        "maxSize": {
            "type": "integer",
            "default": 10,
            "defaultInfo": {"environment": ["STORE_MAX", "STORE_LIMIT"]},
            "deprecationMessage": "Use a\nquota.",
        },
        "network": {"$ref": "#/resources/store:net%2Fnetwork:Network"},
        "owner": {"type": "string", "description": "Who owns it.", "replaceOnChanges": True},
        "password": {"type": "string", "secret": True},
        "retries": {"type": "integer", "plain": True},
        "rules": {"type": "array", "items": {"$ref": "#/types/store:things%2Frule:Rule"}, "replaceOnChanges": True},
        "tier": {"oneOf": [{"type": "string"}, {"$ref": "#/types/store:things%2Ftier:Tier"}]},
    }


def test_lists_of_texts_or_classes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table names the lists whose elements Python declares as texts although they may be classes; nothing else changes."""
    file = "things/bucket.py"
    texts = STORE[file].replace("Sequence[pulumi.Input['RuleArgs']]", "Sequence[pulumi.Input[_builtins.str]]")
    assert texts != STORE[file]
    install(tmp_path, {**STORE, file: texts})
    before = at(member(document(tmp_path).members.resources[BUCKET]), "inputProperties")
    table = {"store": {BUCKET: {"rules": "store:things/host:Host", "owner": "store:things/owner:Owner"}}}
    monkeypatch.setattr(conventions, "TEXTS_OR_CLASSES", table)
    after = at(member(document(tmp_path).members.resources[BUCKET]), "inputProperties")
    assert isinstance(before, dict) and isinstance(after, dict)
    assert before.pop("rules")["items"] == {"type": "string"}
    named = {"type": "string", "$ref": "#/types/store:things%2Fhost:Host"}
    assert after.pop("rules")["items"] == {"type": "string", "oneOf": [{"type": "string"}, named]}
    assert after == before


def test_outputs_of_a_resource(store: Document) -> None:
    bucket = member(store.members.resources[BUCKET])
    assert bucket["required"] == ["accessKey"]
    assert at(bucket, "properties", "accessKey") == {"type": "string", "secret": True}
    assert bucket["stateInputs"] == {"type": "object", "properties": {"owner": {"type": "string"}}}
    assert bucket["aliases"] == [{"type": "store:old/bucket:Bucket"}, {"type": "store:older/bucket:Bucket"}]
    assert bucket["description"] == "Keeps things."


def test_object_types(store: Document) -> None:
    assert member(store.members.types[RULE]) == {
        "type": "object",
        "description": "A rule.",
        "properties": {
            "name": {"type": "string", "description": "What it is called."},
            "tags": {"type": "object", "additionalProperties": {"type": "string"}},
            "tree": {"$ref": "#/types/store:things%2Ftree:Tree", "plain": True},
        },
        "required": ["name"],
    }
    tree = member(store.members.types["store:things/tree:Tree"])
    assert at(tree, "properties", "branches", "items", "$ref") == "#/types/store:things%2Ftree:Tree"
    assert at(tree, "properties", "content") == {"$ref": "pulumi.json#/Asset"}
    assert at(tree, "properties", "extra") == {"$ref": "pulumi.json#/Any"}


def test_enum(store: Document) -> None:
    assert member(store.members.types["store:things/tier:Tier"]) == {
        "type": "string",
        "description": "How fast it is.",
        "enum": [
            {"pythonName": "FAST_ONE", "value": "fast-one", "description": "The fast one."},
            {"pythonName": "SLOW", "value": "slow"},
        ],
    }


def test_function(store: Document) -> None:
    assert member(store.members.functions[GET_BUCKETS]) == {
        "description": "Finds buckets.",
        "deprecationMessage": "Ask for one.",
        "inputs": {
            "type": "object",
            "properties": {
                "namePrefix": {"type": "string", "description": "How their names begin.\nUpper case counts."},
                "owner": {"type": "string", "description": "Whose they are."},
            },
            "required": ["owner"],
        },
        "outputs": {
            "type": "object",
            "description": "A collection of values returned by getBuckets.",
            "properties": {
                "items": {"type": "array", "items": {"$ref": "#/types/store:things%2FgetBucketsItem:getBucketsItem"}},
                "note": {"type": "string"},
            },
            "required": ["items"],
        },
    }


def test_provider_and_its_method(store: Document) -> None:
    provider = member(store.members.provider())
    assert at(provider, "inputProperties", "token") == {"type": "string", "defaultInfo": {"environment": ["STORE_TOKEN"]}}
    assert provider["methods"] == {"describe": "pulumi:providers:store/describe"}
    method = member(store.members.functions["pulumi:providers:store/describe"])
    assert at(method, "inputs", "required") == ["__self__", "inFull"]
    assert at(method, "inputs", "properties", "__self__") == {"$ref": "#/provider"}
    assert at(method, "outputs", "properties") == {"text": {"type": "string"}}


def test_scalar_result_and_order_of_arguments(tmp_path: Path) -> None:
    build = """
def join(second: Optional[str] = None, first: Optional[str] = None, opts=None) -> str:
    __args__ = dict()
    __args__['second'] = second
    __args__['first'] = first
    __ret__ = pulumi.runtime.invoke_single('store:things/join:join', __args__, opts=opts).value
    return __ret__
def join_output(second: pulumi.Input[Optional[str]] = None, first: pulumi.Input[Optional[str]] = None,
                opts=None) -> pulumi.Output[str]:
    __ret__ = pulumi.runtime.invoke_output_single('store:things/join:join', {}, opts=opts)
    return __ret__
"""
    install(tmp_path, {**STORE, "things/join.py": build})
    join = member(document(tmp_path).members.functions["store:things/join:join"])
    assert join["outputs"] == {"type": "string"}
    assert join["multiArgumentInputs"] == ["second", "first"]
    assert at(join, "inputs", "required") == ["first", "second"]


def test_packages_that_refer_to_each_other(tmp_path: Path) -> None:
    install(tmp_path, STORE)
    shop = """
import pulumi
import pulumi_store

__all__ = ['ShopArgs', 'Shop']

class ShopArgs:
    def __init__(__self__, *, bucket: Optional[pulumi.Input['pulumi_store.things.Bucket']] = None):
        pass

    @property
    @pulumi.getter
    def bucket(self) -> Optional[pulumi.Input['pulumi_store.things.Bucket']]: ...

    @property
    @pulumi.getter
    def rule(self) -> pulumi.Input['pulumi_store.things.RuleArgs']: ...

    @property
    @pulumi.getter
    def other(self) -> pulumi.Input['pulumi_absent.Thing']: ...


class Shop(pulumi.ComponentResource):
    def _internal_init(__self__, resource_name: str, opts=None):
        __props__ = ShopArgs.__new__(ShopArgs)
        super(Shop, __self__).__init__('shop:index:Shop', resource_name, __props__, opts, remote=True)
"""
    install(
        tmp_path,
        {"__init__.py": "", "shop.py": shop},
        folder="acme_shop",
        plugin={"name": "shop", "version": "1.0.0", "server": "https://example.com/plugins"},
    )
    recovered = document(tmp_path, "shop")
    assert recovered.header.namespace == "acme"
    assert recovered.header.plugin_download_url == "https://example.com/plugins"
    component = member(recovered.members.resources["shop:index:Shop"])
    assert component["isComponent"] is True
    assert component["inputProperties"] == {
        "bucket": {"$ref": "/store/v2.5.0/schema.json#/resources/store:things%2Fbucket:Bucket"},
        "other": {"$ref": "pulumi.json#/Any"},
        "rule": {"$ref": "/store/v2.5.0/schema.json#/types/store:things%2Frule:Rule"},
    }
    # The store follows the reference into the other SDK.
    loaded = SchemaStore([InstalledSource([tmp_path])]).find("shop")
    assert isinstance(loaded, FoundPackage)
    shop_type = loaded.resource(token("shop:index:Shop"))
    assert shop_type is not None
    assert "bucket" in shop_type.inputs.fields(Shape.INPUT)


def test_parameterized_package(tmp_path: Path) -> None:
    plugin = {
        "name": "terraform-provider",
        "version": "0.9.1",
        "parameterization": {"name": "store", "version": "2.5.0", "value": "eyJ9"},
    }
    install(tmp_path, STORE, plugin=plugin)
    header = document(tmp_path).header
    assert (header.name, header.version) == ("store", "2.5.0")
    assert header.parameterization is not None
    assert header.parameterization.parameter == "eyJ9"
    assert header.parameterization.base_provider.name == "terraform-provider"
    assert header.parameterization.base_provider.version == "0.9.1"


def test_extension(tmp_path: Path) -> None:
    """Its plugin file names the extended package, before its own name."""
    plugin = {
        "name": "shop",
        "version": "45.0.0",
        "extensionParameterization": {"name": "store", "version": "2.5.0", "value": "SGVsbG8="},
    }
    install(tmp_path, STORE, plugin=plugin)
    header = document(tmp_path).header
    assert (header.name, header.version, header.parameterization) == ("store", "2.5.0", None)
    assert header.extension_parameterization is not None
    assert header.extension_parameterization.parameter == "SGVsbG8="
    assert header.extension_parameterization.base_provider.name == "shop"


GO_PATHS: dict[str, tuple[Spec, str]] = {
    "azure-native 1": ({"name": "azure-native", "version": "1.104.0"}, "github.com/pulumi/pulumi-azure-native-sdk/things"),
    "azure-native 2": ({"name": "azure-native", "version": "2.0.0"}, "github.com/pulumi/pulumi-azure-native-sdk/things/v2"),
    "azure-native 3": ({"name": "azure-native", "version": "3.29.0"}, "github.com/pulumi/pulumi-azure-native-sdk/things/v3"),
    "std 2": ({"name": "std", "version": "2.2.0"}, "github.com/pulumi/pulumi-std/sdk/v2/go/std/things"),
    "command": ({"name": "command", "version": "1.2.1"}, "github.com/pulumi/pulumi-command/sdk/go/command/things"),
    "a Terraform provider": (
        {
            "name": "terraform-provider",
            "version": "0.9.1",
            "parameterization": {"name": "store", "version": "3.1.0", "value": "e30="},
        },
        "github.com/pulumi/pulumi-terraform-provider/sdks/go/store/v3/store/things",
    ),
    "an extension": (
        {"name": "shop", "extensionParameterization": {"name": "store", "version": "2.5.0", "value": "e30="}},
        "example.com/pulumi-store/sdk/go/v2/store/things",
    ),
}


@pytest.mark.parametrize("package", GO_PATHS)
def test_where_go_has_it(tmp_path: Path, package: str) -> None:
    """Python's SDK does not have the path; `test_go_modules.py` compares the results with modules that exist."""
    plugin, path = GO_PATHS[package]
    install(tmp_path, STORE, plugin=plugin)
    [name] = InstalledSource([tmp_path]).names()
    answer = SchemaStore([InstalledSource([tmp_path])]).find(name)
    assert isinstance(answer, FoundPackage)
    assert sdk_of(answer.package).home("x:things/bucket:Bucket").path == path


# ----------------------------------------------------------------------------------------------------------- as a source


def test_written_tokens_are_found(tmp_path: Path) -> None:
    install(tmp_path, STORE)
    package = SchemaStore([InstalledSource([tmp_path])]).find("store")
    assert isinstance(package, FoundPackage)
    for written in (BUCKET, "store:things:Bucket", "store:old/bucket:Bucket", "store:old:Bucket"):
        resource = package.resource(token(written))
        assert resource is not None, written
        assert resource.token == BUCKET
    assert package.resource(token("store:things:Bukket")) is None
    assert package.resources.nearest("store:things:Bukket") == "store:things:Bucket"
    tier = package.package.object_type("store:things/tier:Tier")
    assert isinstance(tier, EnumDecl)
    assert [m.python_name for m in tier.members] == ["FAST_ONE", "SLOW"]


def test_first_folder_is_preferred(tmp_path: Path) -> None:
    install(tmp_path / "a", STORE)
    install(tmp_path / "b", STORE, plugin={"version": "3.0.0"})
    source = InstalledSource([tmp_path / "absent", tmp_path / "a", tmp_path / "b"])
    assert source.names() == ["store"]
    assert [c.version for c in source.candidates(Requirement(name="store"))] == ["2.5.0", "3.0.0"]
    assert source.candidates(Requirement(name="other")) == []


def test_only_asked_files_are_parsed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, STORE)
    parsed: list[str] = []
    whole = layout.parse

    def record(source: str) -> ast.Module:
        tree = whole(source)
        parsed.extend(node.name for node in tree.body if isinstance(node, ast.ClassDef | ast.FunctionDef))
        return tree

    monkeypatch.setattr(layout, "parse", record)
    members = document(tmp_path).members
    assert BUCKET in members.resources
    assert len(members.types) == 4
    assert parsed == []
    member(members.resources["store:net/network:Network"])
    assert parsed == ["Network", "NetworkArgs"]
    member(members.types[RULE])
    assert parsed == ["Network", "NetworkArgs", "RuleArgs"]


def test_nothing_is_imported(tmp_path: Path) -> None:
    install(tmp_path, {**STORE, "__init__.py": STORE["__init__.py"] + "raise SystemExit('imported')\n"})
    assert member(document(tmp_path).members.resources[BUCKET])["requiredInputs"] == ["owner"]


def test_identity_changes_with_the_installation(tmp_path: Path) -> None:
    install(tmp_path, STORE)
    before = document(tmp_path).identity
    assert before == document(tmp_path).identity
    record = tmp_path / "pulumi_store-2.5.0.dist-info" / "RECORD"
    record.write_text(record.read_text() + "pulumi_store/new.py,,\n")
    changed = document(tmp_path).identity
    assert changed != before
    record.unlink()
    assert document(tmp_path).identity not in (before, changed)


@pytest.mark.parametrize(
    ("requirement", "command"),
    [
        (Requirement(name="aws"), "pip install pulumi-aws"),
        (Requirement(name="aws", version="v7.48.0"), "pip install pulumi-aws==7.48.0"),
        (Requirement(name="x", base=BasePlugin(name="terraform-provider")), None),
        (Requirement(name="x", download_url="https://example.com"), None),
    ],
)
def test_command_that_gets_it(requirement: Requirement, command: str | None) -> None:
    assert InstalledSource([]).command(requirement) == command


def test_default_folders(tmp_path: Path) -> None:
    project, active = tmp_path / "project", tmp_path / "active"
    for home in (project / ".venv", active):
        (home / "lib" / "python3.11" / "site-packages").mkdir(parents=True)
    folders = default_folders(project, {"VIRTUAL_ENV": str(active)})
    assert folders[:2] == (
        project / ".venv" / "lib" / "python3.11" / "site-packages",
        active / "lib" / "python3.11" / "site-packages",
    )
    assert Path(msgspec.__file__).parent.parent in folders
    assert default_folders(project / "infra" / "web", {})[0] == project / ".venv" / "lib" / "python3.11" / "site-packages"


# ------------------------------------------------------------------------------------------------------ damaged packages


def test_file_that_does_not_parse(tmp_path: Path) -> None:
    root = install(tmp_path, STORE)
    path = root / "things" / "bucket.py"
    path.write_text(path.read_text().replace("def _internal_init(__self__,", "def _internal_init(__self__ ,,"))
    members = document(tmp_path).members
    with pytest.raises(SchemaError) as caught:
        members.resources[BUCKET]
    assert caught.value.package == "store"
    assert caught.value.path == f"#/resources/{BUCKET}"
    assert str(path) in caught.value.reason
    assert "does not parse" in caught.value.reason
    assert member(members.types[RULE])["required"] == ["name"]


@pytest.mark.parametrize(
    ("name", "change", "reason"),
    [
        ("things/bucket.py", lambda t: t.replace("class BucketArgs:", "class OtherArgs:"), None),
        ("things/bucket.py", lambda t: t[: t.index("class Bucket(")], "there is no class `Bucket`"),
        ("things/bucket.py", lambda t: t.replace("-> pulumi.Output[_builtins.str]:", "-> pulumi.Output[1 + 2]:"), "`1 + 2` is no type"),
        ("things/bucket.py", lambda t: t.encode().replace(b"Who owns it.", b"\xff\xfe").decode("latin-1"), None),
    ],
)  # fmt: skip  # a row a line
def test_odd_member(tmp_path: Path, name: str, change: object, reason: str | None) -> None:
    root = install(tmp_path, STORE)
    path = root / name
    assert callable(change)
    path.write_text(change(path.read_text()), encoding="utf-8")
    members = document(tmp_path).members
    if reason is None:
        assert "properties" in member(members.resources[BUCKET])
    else:
        with pytest.raises(SchemaError) as caught:
            members.resources[BUCKET]
        assert reason in caught.value.reason


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    root = install(tmp_path, STORE)
    path = root / "things" / "bucket.py"
    path.write_bytes(path.read_bytes().replace(b"Who owns it.", b"\xff"))
    with pytest.raises(SchemaError, match="the text is not UTF-8"):
        document(tmp_path).members.resources[BUCKET]


def test_table_that_is_no_json(tmp_path: Path) -> None:
    root = install(tmp_path, STORE)
    path = root / "__init__.py"
    path.write_text(path.read_text().replace('"mod"', "mod"))
    source = InstalledSource([tmp_path])
    [candidate] = source.candidates(Requirement(name="store"))
    read = source.read(candidate)
    assert isinstance(read, BadSchema)
    assert "the table of resource classes" in read.reason


def test_plugin_file_that_is_no_json(tmp_path: Path) -> None:
    root = install(tmp_path, STORE)
    (root / "pulumi-plugin.json").write_text("{")
    recovered = document(tmp_path)
    assert (recovered.header.name, recovered.header.version) == ("store", "2.5.0")


def test_every_truncation_is_reported(tmp_path: Path) -> None:
    """For every truncation, a lookup gives a member or one `SchemaError`."""
    root = install(tmp_path, STORE)
    path = root / "things" / "bucket.py"
    whole = path.read_text()
    for end in range(0, len(whole), 211):
        path.write_text(whole[:end])
        members = document(tmp_path).members
        try:
            member(members.resources[BUCKET])
        except SchemaError as error:
            assert error.path == f"#/resources/{BUCKET}"


@settings(max_examples=30, deadline=None)
@given(
    name=st.sampled_from(sorted(STORE)),
    start=st.integers(0, 3000),
    length=st.integers(0, 60),
    inserted=st.sampled_from(["", "(", ")", '"""', "'", "\n", "\0", "class X:", "[", "Optional[", " "]),
)
@example(name="things/_enums.py", start=129, length=6, inserted="")  # a token without its package
def test_no_damage_escapes(name: str, start: int, length: int, inserted: str) -> None:
    """For any damage to a file, every member is there or gives a `SchemaError`; the package behaves likewise."""
    with tempfile.TemporaryDirectory() as folder:
        packages = Path(folder)
        path = install(packages, STORE) / name
        whole = path.read_text()
        path.write_text(whole[:start] + inserted + whole[start + length :])
        source = InstalledSource([packages])
        [candidate] = source.candidates(Requirement(name="store"))
        read = source.read(candidate)
        if isinstance(read, BadSchema):
            assert str(path) in read.reason
            return
        assert isinstance(read, Document)
        for section in (read.members.resources, read.members.functions, read.members.types):
            with suppress(SchemaError):
                for key in section:
                    with suppress(SchemaError):
                        assert isinstance(member(section[key]), dict)
        with suppress(SchemaError):
            read.members.provider()


# ---------------------------------------------------------------------------------------------------------------- pieces


@pytest.mark.parametrize(
    ("annotation", "spec", "optional"),
    [
        ("str", {"type": "string"}, 0),
        ("Optional[_builtins.bool]", {"type": "boolean"}, 1),
        ("Optional[pulumi.Input[float]]", {"type": "number"}, 1),
        ("pulumi.Input[Optional[int]]", {"type": "integer"}, 1),
        ("pulumi.Input[Optional[Optional[int]]]", {"type": "integer"}, 2),
        ("pulumi.Output[Sequence[str]]", {"type": "array", "items": {"type": "string"}}, 0),
        ("pulumi.Input[Optional[Literal['apps/v1']]]", {"type": "string", "const": "apps/v1"}, 1),
        ("Literal['a', 'b']", {"type": "string"}, 0),
        ("typing.Literal[2]", {"type": "integer", "const": 2}, 0),
        ("pulumi.Output[Literal[True]]", {"type": "boolean", "const": True}, 0),
        ("Optional[pulumi.InputType['X']]", {"$ref": "#/types/X"}, 1),
        ("Union['XArgs', 'XArgsDict', 'outputs.X']", {"$ref": "#/types/X"}, 0),
        ("Mapping[str, Any]", {"type": "object", "additionalProperties": {"$ref": "pulumi.json#/Any"}}, 0),
        ("Union[pulumi.Asset, pulumi.Archive]", {"$ref": "pulumi.json#/Asset"}, 0),
        ("pulumi.Archive", {"$ref": "pulumi.json#/Archive"}, 0),
        ("Union[str, int]", {"oneOf": [{"type": "string"}, {"type": "integer"}]}, 0),
        ("str | None", {"type": "string"}, 1),
    ],
)
def test_annotation(annotation: str, spec: Spec, optional: int) -> None:
    names = {"X": "#/types/X", "XArgs": "#/types/X", "XArgsDict": "#/types/X", "outputs.X": "#/types/X"}
    read = AnnotationReader(resolve=names.get).read(ast.parse(annotation, mode="eval").body)
    assert (read.spec, read.optional) == (spec, optional)


@pytest.mark.parametrize(
    "annotation", ["1", "f()", "'not a type'", "[str]", "Deque[str]", "Literal['a', 1]", "Literal[x]", "Optional[" * 60 + "str" + "]" * 60]
)
def test_annotation_that_is_none(annotation: str) -> None:
    with pytest.raises(AnnotationError):
        AnnotationReader(resolve=lambda name: None).read(ast.parse(annotation, mode="eval").body)


def test_plain_values() -> None:
    reader = AnnotationReader(resolve=lambda name: None, marks_plain=True)

    def read(annotation: str) -> Spec:
        return reader.read(ast.parse(annotation, mode="eval").body).spec

    assert read("Optional[str]") == {"type": "string", "plain": True}
    assert read("pulumi.Input[str]") == {"type": "string"}
    assert read("pulumi.Input[Sequence[str]]") == {"type": "array", "items": {"type": "string", "plain": True}}
    assert read("Optional[Any]") == {"$ref": "pulumi.json#/Any"}


@pytest.mark.parametrize(
    ("name", "file"),
    [("RandomPassword", "random_password"), ("S3Object", "s3_object"), ("VpcV2", "vpc_v2"), ("HTTPRoute", "http_route")],
)
def test_file_names(name: str, file: str) -> None:
    assert snake(name) == file


def test_documentation_in_parts() -> None:
    doc = (
        "What it does.\n\n:param str name: Its name.\n       On two lines.\n:param Mapping[str, str] tags: More: see there."
    )
    assert summary(doc) == "What it does."
    assert parameter_docs(doc) == {"name": "Its name.\nOn two lines.", "tags": "More: see there."}
    assert summary(":param str name: Its name.") == ""


def test_definition_with_text_at_the_margin(tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text('class A:\n    """\n@odd\nclass B:\n    """\n    x = 1\n\n\nclass C:\n    y = 2\n')
    node = layout.find_class(path, "A")
    assert node is not None
    assert [type(item).__name__ for item in node.body] == ["Expr", "Assign"]
    assert layout.find_class(path, "D") is None
    assert json.dumps(layout.listed_names(path)) == "[]"


def test_enums_from_before_they_named_their_tokens(tmp_path: Path) -> None:
    """A wheel of the bridge has its enums in the modules of their folders, as TypeScript and Go import them."""
    files = {name: re.sub(r"@pulumi\.type_token\([^)]*\)\n", "", content) for name, content in STORE.items()}
    install(tmp_path, files)
    tokens = set(document(tmp_path).members.types)
    [enum] = {spelling for spelling in tokens if spelling.endswith(":Tier")}
    assert enum == "store:things/Tier:Tier"
    bucket = member(document(tmp_path).members.resources[BUCKET])
    assert "store:things%2FTier:Tier" in json.dumps(bucket)


def test_an_sdk_from_before_there_was_a_plugin_file(tmp_path: Path) -> None:
    root = install(tmp_path, {**STORE, "_utilities.py": ""})
    (root / "pulumi-plugin.json").unlink()
    [candidate] = InstalledSource([tmp_path]).candidates(Requirement(name="store"))
    assert candidate.version == "2.5.0"
    assert BUCKET in document(tmp_path).members.resources
    # A folder that only looks like an SDK is not an SDK.
    install(tmp_path, {"__init__.py": "import pulumi", "_utilities.py": ""}, folder="pulumi_other")
    (tmp_path / "pulumi_other" / "pulumi-plugin.json").unlink()
    assert InstalledSource([tmp_path]).names() == ["store"]
