"""The stand-in SDKs for TypeScript are what the published SDKs are: the same exports, types and registrations."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import toolchains
from tests.support.corpus import needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.standins.typescript import names
from tests.support.standins.typescript.check import link_core, offers, registrations
from tests.support.standins.typescript.package import write_sdks
from tests.support.standins.typescript.spelling import World

PUBLISHED = {
    "random-4.21.1": True,
    "tls-5.5.1": True,
    "command-1.2.1": False,
    "github-6.15.0": True,
    "std-2.3.2": False,
}
"""Packages that npm holds in the very version of the schema, and whether their inputs take `undefined` within."""

NESTED_DEFAULTS = "ProvideDefaults("
"""What a stand-in does not have: the functions that fill in the defaults of nested objects, which no program calls."""


def _stand_in(package: str, folder: Path, *, modern: bool | None = None) -> Path:
    write_sdks(World([REAL_SCHEMAS / f"{package}.json"], modern=PUBLISHED[package] if modern is None else modern), folder)
    link_core(folder / package)
    return folder / package


@needs_corpus
@pytest.mark.parametrize("package", PUBLISHED)
def test_same_exports_as_published(package: str, tmp_path: Path) -> None:
    made = _stand_in(package, tmp_path)
    name = f"@pulumi/{package.partition('-')[0]}"
    real = {line for line in offers(toolchains.node().modules.parent, [name])[name] if NESTED_DEFAULTS not in line}
    assert len(real) > 180
    assert offers(made, [name])[name] ^ real == set()


@needs_corpus
@pytest.mark.parametrize("package", [name for name in PUBLISHED if name != "std-2.3.2"])
def test_same_registrations_as_published(package: str, tmp_path: Path) -> None:
    made = _stand_in(package, tmp_path)
    schema = REAL_SCHEMAS / f"{package}.json"
    real = registrations(toolchains.node().modules.parent, schema, tmp_path)
    found = registrations(made, schema, tmp_path)
    for requests in (real, found):
        for request in requests.values():
            if isinstance(request, dict):
                request.get("values", {}).pop("connection", None)  # has nested defaults
    assert found == real
    assert len(real) > 6


@needs_corpus
def test_a_difference_is_found(tmp_path: Path) -> None:
    """Another form of optional inputs, and a secret that is forgotten."""
    made = _stand_in("random-4.21.1", tmp_path)
    before = offers(made, ["@pulumi/random"])["@pulumi/random"]
    schema = REAL_SCHEMAS / "random-4.21.1.json"
    requests = registrations(made, schema, tmp_path)
    other = _stand_in("random-4.21.1", tmp_path / "other", modern=False)
    assert len(offers(other, ["@pulumi/random"])["@pulumi/random"] ^ before) > 100
    body = made / "node_modules" / "@pulumi" / "random" / "index.js"
    body.write_text(body.read_text().replace('"additionalSecretOutputs"', '"protect"'))
    changed = registrations(made, schema, tmp_path)
    different = {name for name, request in changed.items() if request != requests[name]}
    assert different == {f"{form} {name}" for form in ("full", "existing") for name in ("RandomPassword", "RandomBytes")}


def test_names() -> None:
    """Examples of the rules on names (targets.md, Spelling; Enum members), which the published SDKs above do not all
    show."""
    assert [names.camel(name) for name in ("HTTPGet", "GetABC", "ABC", "DoIt", "abc-def")] == [
        "httpget",
        "getABC",
        "abc",
        "doIt",
        "abcDef",
    ]
    assert [names.class_name(token) for token in ("a:b:some_resource", "a:b:someResource")] == [
        "Some_resource",
        "SomeResource",
    ]
    assert [names.identifier(part) for part in ("module", "lambda", "delete", "a-b")] == ["module_", "lambda", "delete_", "a_b"]
    members = (("RedOne", "r"), (None, "blue"), (None, "*"), (None, "It's"))
    assert [names.enum_member("Color", *member) for member in members] == ["RedOne", "Blue", "Asterisk", "It_s"]
