"""Written tokens: their parts, their canonical forms and the members that they resolve to."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.schema.tokens import (
    MemoryTable,
    Token,
    TokenError,
    TokenIndex,
    canonical_token,
    module_finder,
    parse_token,
)
from tests.support.schemas import open_schemas, token

BRIDGED = "(.*)(?:/[^/]*)"


def index_of(tokens: Collection[str], module_of: Callable[[str], str]) -> TokenIndex:
    return TokenIndex(MemoryTable(tokens, module_of), module_of)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("p:m:N", ("p", "m", "N")),
        ("p:s3/bucket:N", ("p", "s3/bucket", "N")),
        ("p:N", ("p", "index", "N")),
        ("p::N", ("p", "index", "N")),
    ],
)
def test_parts(text: str, parts: tuple[str, str, str]) -> None:
    parsed = token(text)
    assert (parsed.head, parsed.module, parsed.member) == parts
    assert parsed.package == parts[0]
    assert not parsed.is_provider


def test_provider_tokens_name_their_package() -> None:
    parsed = token("pulumi:providers:aws")
    assert parsed.is_provider
    assert parsed.package == "aws"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("bucket", "one part"),
        ("", "one part"),
        ("a:b:c:d", "4 parts"),
        (":m:N", "package name is empty"),
        ("p:m:", "member name is empty"),
        ("p:", "member name is empty"),
        ("p:m: N", "space"),
        ("p:m:N$", "its member name cannot contain `$`"),
        ("p:m:1N", "its member name cannot begin with `1`"),
        ("p:m:N\u0430", "its member name cannot contain `\u0430` (U+0430)"),
        ("p:m/n\u0430:N", "its module name cannot contain `\u0430` (U+0430)"),
        ("\u0440:m:N", "its package name cannot begin with `\u0440` (U+0440)"),
    ],
)
def test_what_is_no_token(text: str, reason: str) -> None:
    parsed = parse_token(text)
    assert isinstance(parsed, TokenError)
    assert reason in parsed.reason


@given(st.text(alphabet="ab:/ ", max_size=9))
def test_every_text_is_a_token_or_says_why_not(text: str) -> None:
    parsed = parse_token(text)
    if isinstance(parsed, Token):
        assert parsed.head
        assert parsed.module
        assert parsed.member
        assert text in (
            f"{parsed.head}:{parsed.module}:{parsed.member}",
            f"{parsed.head}:{parsed.member}",
            f"{parsed.head}::{parsed.member}",
        )
    else:
        assert parsed.reason


@pytest.mark.parametrize(
    ("module_format", "written", "module"),
    [
        ("", "t:a/b:C", "a/b"),
        ("", "t:index:C", ""),
        ("", "t:C", ""),
        ("", "t::C", ""),
        ("", "t:indexMine:C", "indexMine"),
        (BRIDGED, "t:index/res:Res", ""),
        (BRIDGED, "t:mod/sub:Thing", "mod"),
        (BRIDGED, "t:a/b/c:Thing", "a/b"),
        ("(?:x|(y))", "t:x:C", ""),
        ("[0-9]([a-z]+)", "t:zz1ab2cd:C", "ab"),
        ("", "pulumi:providers:aws", ""),
        ("", "pulumi:pulumi:StackReference", ""),
    ],
)
def test_modules(module_format: str, written: str, module: str) -> None:
    assert module_finder(module_format)(written) == module


# The table of language.md, Lookup.
@pytest.mark.parametrize(
    ("schema_token", "written"),
    [
        ("t:index/res:Res", ("t:index/res:Res", "t:index:Res", "t::Res", "t:Res")),
        ("t:mod/sub:Thing", ("t:mod/sub:Thing", "t:mod:Thing", "t:mod/other:Thing")),
    ],
)
def test_spellings_of_one_token(schema_token: str, written: tuple[str, ...]) -> None:
    index = index_of((schema_token,), module_finder(BRIDGED))
    assert {index.find(text) for text in written} == {schema_token}
    assert index.find("t:elsewhere/x:Res") is None
    assert index.find("t:mod:thing") is None


parts = st.sampled_from(["index", "ec2", "s3", "storage", "index/a", "s3/bucket", "storage/v1"])
members = st.sampled_from(["Bucket", "Res", "get", "bucket"])
schema_tokens = st.builds(lambda module, member: f"p:{module}:{member}", parts, members)
formats = st.sampled_from(["", "(.*)", BRIDGED, "([^/]*)"])


@given(formats, st.lists(schema_tokens, unique=True, min_size=1))
def test_every_token_is_found_by_itself_and_by_its_canonical_form(module_format: str, tokens: list[str]) -> None:
    module_of = module_finder(module_format)
    index = index_of(tuple(tokens), module_of)
    for text in tokens:
        assert index.find(text) == text
        canonical = canonical_token(text, module_of)
        hit = index.find(canonical)
        assert hit is not None
        # Verbatim spellings win; otherwise the member with the same canonical form.
        assert hit == canonical or canonical_token(hit, module_of) == canonical


@given(formats, st.lists(schema_tokens, unique=True, min_size=1))
def test_short_spellings_find_what_they_spell(module_format: str, tokens: list[str]) -> None:
    module_of = module_finder(module_format)
    index = index_of(tuple(tokens), module_of)
    for text in tokens:
        hit = index.find(index.spelling(text))
        assert hit is not None
        assert hit == index.spelling(text) or canonical_token(hit, module_of) == canonical_token(text, module_of)


@given(st.lists(schema_tokens, unique=True), st.text(alphabet="pB:/ucket ", max_size=12))
def test_nearest_is_one_of_the_spellings(tokens: list[str], written: str) -> None:
    index = index_of(tuple(tokens), module_finder(BRIDGED))
    near = index.nearest(written)
    assert near is None or near in index.spellings()


def test_nearest_tokens() -> None:
    tokens = ("p:s3/bucket:Bucket", "p:s3/bucketPolicy:BucketPolicy", "p:s3control/bucket:Bucket", "p:index/id:Id")
    index = index_of(tokens, module_finder(BRIDGED))
    assert index.nearest("p:s3/bucket:Buckett") == "p:s3:Bucket"
    assert index.nearest("p:s3:BucketPolcy") == "p:s3:BucketPolicy"
    assert index.nearest("p:s3cntrol:bucket") == "p:s3control:Bucket"
    assert index.nearest("p:ec2:BucketPolicy") == "p:s3:BucketPolicy"
    assert index.nearest("p:ID") == "p:Id"
    assert index.nearest("p:zzz:Qwertz") is None


def test_former_names_find_the_resource(tmp_path: Path) -> None:
    package = open_schemas(
        tmp_path,
        {
            "name": "p",
            "meta": {"moduleFormat": BRIDGED},
            "resources": {
                "p:s3/bucket:Bucket": {"aliases": [{"type": "p:s3/bucketV2:BucketV2"}, {"name": "x"}]},
                "p:lb/a:A": {"aliases": [{"type": "p:alb/x:X"}, {"type": "p:s3/bucket:Bucket"}]},
                "p:lb/b:B": {"aliases": [{"type": "p:alb/x:X"}, "p:alb/y:Y"]},
            },
        },
    )
    bucket = package.resource(token("p:s3:Bucket"))
    assert bucket is not None
    assert bucket.token == "p:s3/bucket:Bucket"
    assert package.resource(token("p:s3/bucketV2:BucketV2")) is bucket
    assert package.resource(token("p:s3:BucketV2")) is bucket
    assert package.resources.find_current("p:s3:BucketV2") is None
    assert bucket.aliases == ("p:s3/bucketV2:BucketV2",)
    y = package.resource(token("p:alb:Y"))
    assert y is not None
    assert y.token == "p:lb/b:B"
    assert package.resource(token("p:alb:X")) is None, "two resources had this name"


def test_providers_by_token(tmp_path: Path) -> None:
    package = open_schemas(tmp_path, {"name": "p", "provider": {"inputProperties": {"a": {"type": "string"}}}})
    provider = package.resource(token("pulumi:providers:p"))
    assert provider is package.package.provider()
    assert provider.is_provider
    assert provider.token == "pulumi:providers:p"
    assert package.resource(token("pulumi:providers:q")) is None
