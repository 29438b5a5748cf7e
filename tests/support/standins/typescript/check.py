"""npm packages compared: what they export, and what they register.

Comes in: a folder with `node_modules`.  Goes out: lines and requests; equal ones are equal SDKs.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.support import toolchains
from tests.support.standins.schema import read_schema
from tests.support.standins.typescript import names
from tests.support.toolchains import run

_TOOL = Path(__file__).parent / "tool"


def offers(folder: Path, packages: Sequence[str]) -> dict[str, set[str]]:
    """What packages export, a line for each thing.  Raises `ToolError`."""
    tools = toolchains.node()
    environment = {"TOOLS": str(tools.modules.parent)}
    output = run([tools.node, _TOOL / "offers.cjs", folder, *packages], cwd=folder, env=environment)
    found: dict[str, Any] = json.loads(output)
    assert found["problems"] == []
    return {name: set(lines) for name, lines in found["offers"].items()}


def registrations(folder: Path, schema: Path, scratch: Path) -> dict[str, Any]:
    """What the resources of a package register, with all inputs, with none, and as existing ones.  Raises `ToolError`."""
    tools = toolchains.node()
    found = read_schema(schema)
    resources = [
        {
            "path": [*names.module_of(found, token), names.class_name(token)],
            "inputs": [p.name for p in resource.inputs],
        }
        for token, resource in found.resources.items()
    ]
    resources.append({"path": ["Provider"], "inputs": [p.name for p in found.provider.inputs]})
    listed = scratch / "resources.json"
    listed.write_text(json.dumps(resources), encoding="utf-8")
    package = names.package_name(found)
    output = run([tools.node, _TOOL / "registrations.cjs", folder, package, listed], cwd=scratch)
    requests: dict[str, Any] = json.loads(output.splitlines()[-1])  # warnings come first
    return requests


def link_core(folder: Path) -> None:
    """Let the packages in a folder's `node_modules` find Pulumi's own SDK.  Raises `ToolError`, `OSError`."""
    scope = folder / "node_modules" / "@pulumi"
    scope.mkdir(parents=True, exist_ok=True)
    if not (scope / "pulumi").exists():
        (scope / "pulumi").symlink_to(toolchains.node().modules / "@pulumi" / "pulumi")
