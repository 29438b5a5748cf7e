"""Packages that extend another package: programs import the extension's own module, whatever namespace its tokens are in."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import pclgen
from pclgen.schema.load import SchemaStore
from pclgen.schema.recovery.source import InstalledSource
from tests.support.schemas import Schema, write_schema
from tests.support.sdk_text import STORE, install

BASE: Schema = {
    "name": "shop",
    "version": "45.0.0",
    "resources": {"shop:index:Base": {"properties": {"value": {"type": "string"}}, "required": ["value"]}},
}
MADE = {"baseProvider": {"name": "shop", "version": "45.0.0"}, "parameter": "SGVsbG8="}

PROGRAM = """
package {
  baseProviderName    = "shop"
  baseProviderVersion = "45.0.0"
  parameterization {
    name    = "store"
    version = "2.5.0"
    value   = "SGVsbG8="
  }
}

resource bucket "NAME:things/bucket:Bucket" {
  owner = "me"
}

resource base "shop:index:Base" {}

output names {
  value = invoke("NAME:things/getBuckets:getBuckets", { owner = "me" }).items
}
"""


def from_files(folder: Path, namespace: str) -> SchemaStore:
    text = {"type": "string"}
    write_schema(
        folder,
        {
            "name": "store",
            "version": "2.5.0",
            "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
            "extensionParameterization": MADE,
            "resources": {f"{namespace}:things/bucket:Bucket": {"inputProperties": {"owner": text}}},
            "functions": {
                f"{namespace}:things/getBuckets:getBuckets": {
                    "inputs": {"properties": {"owner": text}},
                    "outputs": {"properties": {"items": {"type": "array", "items": text}}, "required": ["items"]},
                }
            },
        },
    )
    return SchemaStore([write_schema(folder, BASE).parent])


def from_sdks(folder: Path, namespace: str) -> SchemaStore:
    files = {
        name: re.sub("""(["'])store:""", rf"\1{namespace}:", text).replace('"pkg": "store"', f'"pkg": "{namespace}"')
        for name, text in STORE.items()
    }
    extension = {"name": "store", "version": "2.5.0", "value": "SGVsbG8="}
    install(folder, files, plugin={"name": "shop", "version": "45.0.0", "extensionParameterization": extension})
    return SchemaStore([write_schema(folder / "schemas", BASE).parent, InstalledSource([folder])])


@pytest.mark.parametrize("namespace", ["store", "shop"])
@pytest.mark.parametrize("source", [from_files, from_sdks])
def test_its_own_module_is_imported(tmp_path: Path, source: Callable[[Path, str], SchemaStore], namespace: str) -> None:
    result = pclgen.generate({"main.pp": PROGRAM.replace("NAME", namespace)}, store=source(tmp_path, namespace))
    assert [d.code for d in result.diagnostics if d.code != "PCL0420"] == []  # the SDK's function is deprecated
    texts = {path.name: text for files in result.files.values() for path, text in files.items()}
    python, typescript, go = texts["__main__.py"], texts["index.ts"], texts["main.go"]
    assert "import pulumi_shop as shop\nimport pulumi_store as store\n" in python
    assert "store.things.Bucket(" in python and "store.things.get_buckets_output(" in python and "shop.Base(" in python
    assert 'import * as shop from "@pulumi/shop";\nimport * as store from "@pulumi/store";\n' in typescript
    assert "new store.things.Bucket(" in typescript and "store.things.getBucketsOutput(" in typescript
    assert "new shop.Base(" in typescript
    assert re.search(r'^\t"\S+/store/things"$', go, re.MULTILINE) and re.search(r'^\t"\S+/go/shop"$', go, re.MULTILINE)
    assert "things.NewBucket(" in go and "things.GetBucketsOutput(" in go and "shop.NewBase(" in go
    assert {"pulumi-shop==45.0.0", "pulumi-store==2.5.0"} < {*texts["requirements.txt"].splitlines()}
    dependencies = json.loads(texts["package.json"])["dependencies"]
    assert (dependencies["@pulumi/shop"], dependencies["@pulumi/store"]) == ("45.0.0", "2.5.0")
    assert re.search(r"^\t\S+-store/\S+ v2\.5\.0$", texts["go.mod"], re.MULTILINE)


def test_what_neither_has_is_missed_in_the_package_that_is_named(tmp_path: Path) -> None:
    program = PROGRAM.replace("NAME", "shop").replace("shop:index:Base", "shop:index:Bas")
    [diagnostic] = pclgen.check({"main.pp": program}, store=from_files(tmp_path, "shop")).diagnostics
    assert "shop:Base" in pclgen.render_diagnostics([diagnostic])
