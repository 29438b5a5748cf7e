"""Pulumi's conformance programs and the peer's own test programs, generated in TypeScript.

They type-check (tsc, strict) against SDKs that the reference generates, and prettier does not change them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.compilers import check_prettier, check_typescript
from tests.support.conformance import Outcome, generated, programs
from tests.support.corpus import needs_corpus
from tests.support.sdks.corpus import schemas_of
from tests.support.sdks.typescript import sdk_path

pytestmark = needs_corpus

WRONG: Mapping[str, str] = {
    "traverse-union-repro": "a list where the schema has a text: read leniently, the program keeps it as it is",
}
"""Programs with errors that cannot be fixed."""

LEAST = {"conformance": 203, "codegen": 14}
"""The number of programs that are generated and type-check; the numbers only grow."""

UNKNOWN = {
    "package.json": '{"name": "@pulumi/unknown", "version": "0.0.0", "types": "index.d.ts"}',
    "index.d.ts": """\
import * as pulumi from "@pulumi/pulumi";
declare class Anything extends pulumi.CustomResource {
    constructor(name: string, args?: any, opts?: pulumi.CustomResourceOptions);
    readonly [key: string]: any;
}
export declare class Provider extends pulumi.ProviderResource {
    constructor(name: string, args?: any, opts?: pulumi.ResourceOptions);
}
export { Anything as Main };
export declare function getDataOutput(args?: any, opts?: pulumi.InvokeOutputOptions): pulumi.Output<any>;
export declare namespace eks {
    export { Anything as Example };
    export function moduleValuesOutput(args?: any, opts?: pulumi.InvokeOutputOptions): pulumi.Output<any>;
}
""",
}
"""A possible content of the package that two programs use and that has no schema."""


@pytest.fixture(scope="module")
def outcome(tmp_path_factory: pytest.TempPathFactory) -> Outcome:
    return generated("typescript", tmp_path_factory.mktemp("conformance-typescript"), programs())


def test_all_are_generated(outcome: Outcome) -> None:
    assert outcome.refused == {}


@pytest.mark.parametrize("former", [True, False], ids=["optional inputs", "inputs of optionals"])
@pytest.mark.parametrize("kind", LEAST)
def test_all_type_check(outcome: Outcome, kind: str, former: bool, tmp_path: Path) -> None:
    unknown = tmp_path / "node_modules" / "@pulumi" / "unknown"
    unknown.mkdir(parents=True)
    for file, text in UNKNOWN.items():
        (unknown / file).write_text(text)
    messages = check_typescript(outcome.of(kind), search=[*sdk_path(schemas_of(kind), former=former), tmp_path])
    wrong = {name: lines for name, lines in messages.items() if lines}
    assert {name: lines for name, lines in wrong.items() if name not in WRONG} == {}
    assert len(messages) - len(wrong) >= LEAST[kind]


def test_prettier_changes_nothing(outcome: Outcome) -> None:
    flat = {name.replace("/", "-"): folder for name, folder in outcome.folders.items()}
    untidy = {name: lines for name, lines in check_prettier(flat).items() if lines}
    print(f"prettier leaves {len(flat) - len(untidy)} of {len(flat)} programs as they are")
    assert untidy == {}
