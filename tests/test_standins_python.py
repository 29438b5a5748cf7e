"""The stand-in SDKs for Python are what the published SDKs are: the same names, types, parameters and registrations."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import toolchains
from tests.support.corpus import needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.standins.python import names
from tests.support.standins.python.package import write_sdks
from tests.support.standins.python.published import offered
from tests.support.standins.python.spelling import World

PUBLISHED = {
    "random-4.21.1": True,
    "tls-5.5.1": True,
    "command-1.2.1": False,
    "digitalocean-4.76.0": True,
    "azuread-6.10.0": True,
    "github-6.15.0": True,
    "docker-5.1.0": True,
    "std-2.3.2": False,
}
"""Packages whose SDKs are published in the very version of the schema, and whether they have the optional in `Input`."""


def _offers(folder: Path) -> set[str]:
    return offered(folder)


@needs_corpus
@pytest.mark.parametrize("package", PUBLISHED)
def test_same_as_published(package: str, tmp_path: Path) -> None:
    write_sdks(World([REAL_SCHEMAS / f"{package}.json"], modern=PUBLISHED[package]), tmp_path)
    name = f"pulumi_{package.partition('-')[0]}"
    real = _offers(next(toolchains.python().home.glob("venv/lib/python*/site-packages")) / name)
    assert len(real) > 500
    assert _offers(tmp_path / package / name) ^ real == set()


@needs_corpus
def test_a_difference_is_found(tmp_path: Path) -> None:
    write_sdks(World([REAL_SCHEMAS / "random-4.21.1.json"]), tmp_path)
    package = tmp_path / "random-4.21.1" / "pulumi_random"
    before = _offers(package)
    text = (package / "_resources.py").read_text()
    for old, new in (
        ("additional_secret_outputs=['bcryptHash', 'result']", "additional_secret_outputs=['result']"),
        ("length: pulumi.Input[_builtins.int]", "length: pulumi.Input[_builtins.str]"),
        ('"random:index/randomPet:RandomPet"', '"random:index:RandomPet"'),
    ):
        assert old in text
        (package / "_resources.py").write_text(text.replace(old, new))
        assert len(_offers(package) ^ before) >= 2


def test_names() -> None:
    """Examples of the rules on names (targets.md, Packages and modules; Enum members), which the published SDKs above do
    not all show."""
    examples = ("HTTPServer", "IPs", "publicIPs", "SHA256Hash", "DB_1VPCU1GB", "some-name", "x509Cert", "1st")
    assert [names.words(name) for name in examples] == [
        "http_server",
        "ips",
        "public_ips",
        "sha256_hash",
        "d_b_1_vpcu1_gb",
        "some_name",
        "x509_cert",
        "_1st",
    ]
    assert [names.attribute(name) for name in ("class", "print", "resourceName")] == ["class_", "print_", "resource_name"]
    assert names.argument("resourceName") == "resource_name_"
    members = (("RedOne", "r"), (None, "blue"), (None, "*"), (None, 1))
    assert [names.enum_member("Color", *member) for member in members] == ["RED_ONE", "BLUE", "ASTERISK", "ONE"]
