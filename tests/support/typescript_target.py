"""Small programs against the `probe` package as TypeScript, for tests: their text, and their effects in Node.

They run on the real `@pulumi/pulumi` with its mocks; the SDK of `probe` is made from its schema.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from pclgen.targets.typescript.target import TARGET
from tests.support import earlier, toolchains
from tests.support.binding import SCHEMAS
from tests.support.earlier import Json
from tests.support.rendering import render, render_files

RUNNER = Path(__file__).parent / "node" / "run_programs.cjs"
_SCHEMA = next(SCHEMAS.glob("probe-*.json"))
typescript_result = partial(render, TARGET)
typescript_files = partial(render_files, TARGET)


def typescript_text(text: str) -> str:
    """`index.ts` without its imports."""
    lines = typescript_files(text)["index.ts"].splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("import ")).strip("\n") + "\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A program to run: its files, its config, and the outputs of resources by logical name."""

    files: Mapping[str, str]
    config: Mapping[str, str]
    states: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The effects of a program: registered resources (type, name, inputs) in order, exports, secret exports, its error."""

    resources: Sequence[tuple[str, str, dict[str, object]]]
    exports: Mapping[str, object]
    secrets: frozenset[str]
    error: str


def typescript_case(
    text: str,
    *,
    config: Mapping[str, str] | None = None,
    components: Mapping[str, str] | None = None,
    canonical_json: bool = False,
) -> Case:
    """A program to run, from PCL."""
    return Case(files=typescript_files(text, components=components, canonical_json=canonical_json), config=config or {})


def run_all(cases: Sequence[Case]) -> list[Outcome]:
    """The outcome of each case; those that ran in an earlier test run do not run again."""
    return [
        Outcome(
            resources=[(r["type"], r["name"], r["inputs"]) for r in outcome["resources"]],
            exports=outcome["exports"],
            secrets=frozenset(outcome["secrets"]),
            error=outcome["error"],
        )
        for outcome in earlier.each(cases, _run_new, Path(__file__), RUNNER, _SCHEMA)
    ]


def _run_new(cases: Sequence[Case]) -> list[Json]:
    node = toolchains.node()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "cases.json").write_text(json.dumps([asdict(case) for case in cases]), encoding="utf-8")
        toolchains.run([node.node, RUNNER, node.modules, _SCHEMA, "cases.json", "outcomes.json"], cwd=home)
        outcomes: list[Json] = json.loads((home / "outcomes.json").read_text(encoding="utf-8"))
    return outcomes
