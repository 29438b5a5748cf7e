"""Finding schemas: file names, versions, places, and files that are not schemas."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.diagnostics.model import Severity
from pclgen.schema.errors import BadSchema, NotFound, report_missing
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.sources import Requirement
from pclgen.semver import parse_version
from pclgen.source.text import SourceFile
from pclgen.types.declarations import Shape
from tests.support.schemas import open_schemas, token, write_schema

SPAN = SourceFile("main.pp", 'resource a "shop:index:Cart" {}').span(11, 28)


def found_package(store: SchemaStore, name: str, version: str | None = None) -> FoundPackage:
    answer = store.find(name, version)
    assert isinstance(answer, FoundPackage), answer
    return answer


def not_found(store: SchemaStore, name: str, version: str | None = None) -> NotFound:
    answer = store.find(name, version)
    assert isinstance(answer, NotFound), answer
    return answer


@pytest.mark.parametrize("file", ["shop-1.2.3.json", "shop-v1.2.3.json", "shop.json", "shop/schema.json"])
def test_file_names(tmp_path: Path, file: str) -> None:
    path = write_schema(tmp_path, {"name": "shop", "version": "1.2.3"}, file)
    answer = found_package(SchemaStore([tmp_path]), "shop")
    assert (answer.package.name, answer.package.version, answer.path) == ("shop", "1.2.3", path)


def test_a_file_may_be_named_itself(tmp_path: Path) -> None:
    path = write_schema(tmp_path, {"name": "shop", "version": "1.2.3"}, "anything.json")
    store = SchemaStore([path])
    assert found_package(store, "shop").package.version == "1.2.3"
    assert store.names() == ("shop",)
    assert not_found(store, "anything").names == ("shop",)


def test_names_with_hyphens_and_digits(tmp_path: Path) -> None:
    write_schema(tmp_path, {"name": "azure-native-v2", "version": "3.0.0-alpha.1+exp.5"})
    store = SchemaStore([tmp_path])
    assert store.names() == ("azure-native-v2",)
    assert store.versions("azure-native-v2") == ("3.0.0-alpha.1+exp.5",)
    assert found_package(store, "azure-native-v2", "3.0.0-alpha.1").package.version == "3.0.0-alpha.1+exp.5"


def test_the_highest_version_wins(tmp_path: Path) -> None:
    for version in ("1.9.0", "1.10.0", "1.10.0-rc.1", "0.99.0"):
        write_schema(tmp_path, {"name": "shop", "version": version})
    store = SchemaStore([tmp_path])
    assert found_package(store, "shop").package.version == "1.10.0"
    assert store.versions("shop") == ("0.99.0", "1.9.0", "1.10.0-rc.1", "1.10.0")


def test_a_version_may_be_asked_for(tmp_path: Path) -> None:
    write_schema(tmp_path, {"name": "shop", "version": "1.0.0"})
    write_schema(tmp_path, {"name": "shop", "version": "2.0.0"}, "shop.json")
    store = SchemaStore([tmp_path])
    assert found_package(store, "shop", "1.0.0").package.version == "1.0.0"
    assert found_package(store, "shop", "v2.0.0").package.version == "2.0.0"
    missing = not_found(store, "shop", "3.0.0")
    assert missing.versions == ("1.0.0", "2.0.0")
    assert missing.version == "3.0.0"


def test_a_schema_without_version_is_as_good_as_any(tmp_path: Path) -> None:
    write_schema(tmp_path, {"name": "shop"})
    store = SchemaStore([tmp_path])
    assert found_package(store, "shop", "3.0.0").package.version == ""
    write_schema(tmp_path, {"name": "shop", "version": "3.0.0"})
    assert found_package(SchemaStore([tmp_path]), "shop", "3.0.0").package.version == "3.0.0"


def test_pinned_versions(tmp_path: Path) -> None:
    for version in ("1.0.0", "2.0.0"):
        write_schema(tmp_path, {"name": "shop", "version": version})
    store = SchemaStore([tmp_path]).with_packages({"shop": Requirement(name="shop", version="1.0.0")})
    assert found_package(store, "shop").package.version == "1.0.0"
    assert found_package(store, "shop", "2.0.0").package.version == "2.0.0"


def test_earlier_places_win_between_equal_versions(tmp_path: Path) -> None:
    for place in ("one", "two"):
        write_schema(tmp_path / place, {"name": "shop", "version": "1.0.0", "namespace": place})
    assert found_package(SchemaStore([tmp_path / "two", tmp_path / "one"]), "shop").package.namespace == "two"


def test_the_file_name_gives_a_missing_version(tmp_path: Path) -> None:
    write_schema(tmp_path, {"name": "shop"}, "shop-1.2.3.json")
    assert found_package(SchemaStore([tmp_path]), "shop").package.version == "1.2.3"


def test_asking_twice_gives_the_same_package(tmp_path: Path) -> None:
    write_schema(tmp_path, {"name": "shop", "version": "1.0.0"})
    store = SchemaStore([tmp_path])
    assert store.find("shop") is store.find("shop", "1.0.0")
    assert SchemaStore([tmp_path]).find("shop") is not store.find("shop")


def test_not_found_says_where_and_what_else(tmp_path: Path) -> None:
    write_schema(tmp_path, {"name": "shop", "version": "1.0.0"})
    places = [tmp_path, tmp_path / "nowhere"]
    missing = not_found(SchemaStore(places), "shpo")
    assert missing.tried == tuple(str(place) for place in places)
    assert missing.names == ("shop",)
    diagnostic = report_missing(missing, SPAN)
    assert diagnostic.code == "PCL0302"
    assert diagnostic.help == "did you mean `shop`?"
    assert str(tmp_path / "nowhere") in diagnostic.notes[0].message
    assert report_missing(missing, SPAN, severity=Severity.WARNING).severity is Severity.WARNING


def test_a_missing_version_is_not_a_missing_package(tmp_path: Path) -> None:
    write_schema(tmp_path, {"name": "shop", "version": "1.0.0"})
    diagnostic = report_missing(not_found(SchemaStore([tmp_path]), "shop", "2.0.0"), SPAN)
    assert diagnostic.code == "PCL0303"
    assert diagnostic.notes[0].message == "found `1.0.0`"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "not valid JSON"),
        (b'{"name": "shop",', "not valid JSON"),
        (b'{"name": "shop", "resources": []}', "expected `object | null`, got `array` - at `$.resources`"),
        (b'{"version": "1.0.0"}', "missing required field `name`"),
        (b'{"name": ""}', "empty `name`"),
        (b'{"name": "store"}', "that of package `store`, not `shop`"),
        (b'{"name": "shop", "meta": {"moduleFormat": "("}}', "not a regular expression"),
        (b'{"name": "shop", "meta": {"moduleFormat": "a"}}', "has no group"),
        (b'{"name": "\xff"}', "UTF-8"),
        (b'{"name": "shop", "x": ' + b"[" * 100_000, "nested too deeply"),
    ],
)
def test_files_that_are_no_schemas(tmp_path: Path, content: bytes, reason: str) -> None:
    (tmp_path / "shop.json").write_bytes(content)
    answer = SchemaStore([tmp_path]).find("shop")
    assert isinstance(answer, BadSchema)
    assert reason in answer.reason
    diagnostic = report_missing(answer, SPAN)
    assert diagnostic.code == "PCL0304"
    assert str(tmp_path / "shop.json") in diagnostic.notes[0].message


def test_unreadable_files(tmp_path: Path) -> None:
    (tmp_path / "shop.json").mkdir()
    answer = SchemaStore([tmp_path]).find("shop")
    assert isinstance(answer, BadSchema)
    assert "cannot be read" in answer.reason


def test_a_byte_order_mark_is_no_mistake(tmp_path: Path) -> None:
    (tmp_path / "shop.json").write_bytes(b'\xef\xbb\xbf{"name": "shop"}')
    assert found_package(SchemaStore([tmp_path]), "shop").package.version == ""


def test_the_package_of_pulumi_is_always_there() -> None:
    store = SchemaStore([])
    answer = found_package(store, "pulumi")
    assert found_package(store, "pulumi", "3.0.0") is answer
    stash = answer.resource(token("pulumi:index:Stash"))
    assert stash is not None
    assert [answer.resource(token(t)) for t in ("pulumi::Stash", "pulumi:Stash")] == [stash, stash]
    reference = answer.resource(token("pulumi:pulumi:StackReference"))
    assert reference is not None
    assert list(reference.outputs.fields(Shape.OUTPUT)) == ["id", "urn", "name", "outputs", "secretOutputNames"]
    assert not reference.inputs.fields(Shape.INPUT)["name"].required
    assert stash.inputs.fields(Shape.INPUT)["input"].required


def test_threads_get_the_same_declarations(tmp_path: Path) -> None:
    resources = {f"shop:index:R{i}": {"properties": {"a": {"type": "string"}}} for i in range(50)}
    package = open_schemas(tmp_path, {"name": "shop", "resources": resources}).package
    with ThreadPoolExecutor(8) as pool:
        rounds = list(pool.map(lambda _: [package.resource(t) for t in resources], range(16)))
    assert all(r is first for row in rounds for r, first in zip(row, rounds[0], strict=True))


# The order of the example in the semver specification (rule 11), and some more around it.
ORDERED = [
    "0.9.9",
    "1.0.0-0",
    "1.0.0-2",
    "1.0.0-10",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0-beta.2",
    "1.0.0-beta.11",
    "1.0.0-rc.1",
    "1.0.0",
    "1.0.1",
    "1.10.0",
    "2.0.0",
]


def test_order_of_versions() -> None:
    versions = [parse_version(text) for text in ORDERED]
    for lower, higher in pairwise(versions):
        assert lower is not None
        assert higher is not None
        assert lower < higher
        assert lower != higher


def test_build_data_does_not_count() -> None:
    assert parse_version("1.0.0+a") == parse_version("v1.0.0+b")


@pytest.mark.parametrize("text", ["", "1", "1.2", "01.2.3", "1.2.3-", "1.2.3+", "1.2.3 ", "a.b.c", "1.2.3.4"])
def test_what_is_no_version(text: str) -> None:
    assert parse_version(text) is None


numbers = st.tuples(*[st.integers(0, 12)] * 3)
labels = st.lists(st.sampled_from(["0", "7", "10", "a", "b", "a-1"]), max_size=3)
versions = st.builds(lambda n, p: ".".join(map(str, n)) + (f"-{'.'.join(p)}" if p else ""), numbers, labels)


@given(st.lists(versions, min_size=2, max_size=6))
def test_versions_are_totally_ordered(texts: list[str]) -> None:
    parsed = [v for text in texts if (v := parse_version(text)) is not None]
    assert len(parsed) == len(texts)
    for lower, higher in pairwise(sorted(parsed)):
        assert (lower < higher) != (lower == higher)
        assert not higher < lower
