"""The case helpers agree with the published SDKs; a name table never assigns a name twice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.targets import names
from pclgen.targets.go.names import local_name
from pclgen.targets.names import NameTable


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ipv4Address", "ipv4_address"),
        ("HTTPServer", "http_server"),
        ("IPs", "ips"),
        ("allowedIPsList", "allowed_ips_list"),
        ("SHA256Hash", "sha256_hash"),
        ("b64Url", "b64_url"),
        ("oauth2PermissionScopes", "oauth2_permission_scopes"),
        ("openXJsonSerDe", "open_x_json_ser_de"),
        ("GetPublicIPs", "get_public_i_ps"),
        ("DoIt", "do_it"),
        ("GB-INTEL", "g_b_intel"),
        ("DB_1VPCU1GB", "d_b_1_vpcu1_gb"),
        ("web-server-1", "web_server_1"),
        ("kebab_Case", "kebab_case"),
        ("1st", "_1st"),
        ("größe", "größe"),
        ("", "_"),
    ],
)
def test_snake_case_is_that_of_the_python_sdks(name: str, expected: str) -> None:
    assert names.snake(name) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [("HTTPGet", "httpget"), ("GetABC", "getABC"), ("ABC", "abc"), ("abc-def", "abcDef"), ("DoIt", "doIt")],
)
def test_camel_case_lowers_the_leading_run(name: str, expected: str) -> None:
    assert names.camel(name) == expected


@pytest.mark.parametrize(("name", "expected"), [("$id", "Id"), ("a-b", "AB"), ("9x", "_9x"), ("élan", "Élan")])
def test_title_is_the_exported_go_form(name: str, expected: str) -> None:
    assert names.title(name) == expected


@given(st.text())
def test_snake_case_is_always_an_identifier(name: str) -> None:
    assert names.snake(name).isidentifier()


def test_the_second_choice_is_taken_before_numbers() -> None:
    table = NameTable({"random"})
    assert table.claim("random", "random_pet") == "random_pet"
    assert table.claim("random", "random_pet") == "random_2"


def test_a_number_is_kept_apart_from_a_digit() -> None:
    table = NameTable(separator="")
    assert [table.claim(name) for name in ("web", "web", "web1", "web1")] == ["web", "web2", "web1", "web1_2"]


def test_a_number_needs_no_second_underscore() -> None:
    table = NameTable(reserved=("self_",))
    assert [table.claim("self_"), table.claim("self_")] == ["self_2", "self_3"]


def test_a_child_does_not_shadow_its_parents() -> None:
    table = NameTable()
    table.claim("value")
    child = table.child({"self"})
    assert child.claim("value") == "value_2"
    assert child.claim("self") == "self_2"
    assert table.child().claim("value") == "value_2"
    assert not table.is_taken("value_2")


@given(st.lists(st.sampled_from(["a", "a_2", "a2", "b", "a_2_2"]), max_size=30), st.sampled_from(["", "_"]))
def test_no_name_is_handed_out_twice(preferred: list[str], separator: str) -> None:
    table = NameTable(separator=separator)
    got = [table.claim(name) for name in preferred]
    assert len(set(got)) == len(got)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("my-res", "myRes"),
        ("app_json", "appJSON"),
        ("DATA_json", "dataJSON"),
        ("Action", "action"),
        ("VPCId", "vpcId"),
        ("HTTPServer", "httpServer"),
        ("ID", "id"),
        ("type", "type_"),
        ("2tier", "_2tier"),
        ("_", "value"),
    ],
)
def test_a_local_of_go_begins_in_lower_case(name: str, expected: str) -> None:
    assert local_name(name) == expected
