"""Small programs against the `probe` package as TypeScript, for tests: their text, and their effects in Node.

They run on the real `@pulumi/pulumi` with its mocks; the SDK of `probe` is made from its schema.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.lower.program import lower_program
from pclgen.plan.build import plan_project
from pclgen.targets.base import Project
from pclgen.targets.typescript.target import TYPESCRIPT
from tests.support import toolchains
from tests.support.binding import SCHEMAS, bind_text

RUNNER = Path(__file__).parent / "node" / "run_programs.cjs"


def typescript_result(
    text: str,
    *,
    components: Mapping[str, str] | None = None,
    project: Project | None = None,
    canonical_json: bool = False,
) -> tuple[dict[str, str], list[Diagnostic]]:
    """The generated files by path, and the errors of the target; `text` must be free of others."""
    program, diagnostics = bind_text(text, components=components)
    assert [d.message for d in diagnostics if d.severity is Severity.ERROR] == []
    bag = DiagnosticBag()
    lowered = lower_program(program, TYPESCRIPT.capabilities, bag, canonical_json=canonical_json)
    files = TYPESCRIPT.render(plan_project(lowered), project or Project(name="test", program_only=True), bag)
    return {str(path): content for path, content in files.items()}, list(bag)


def typescript_files(
    text: str,
    *,
    components: Mapping[str, str] | None = None,
    project: Project | None = None,
    canonical_json: bool = False,
) -> dict[str, str]:
    """The generated files by path."""
    files, problems = typescript_result(text, components=components, project=project, canonical_json=canonical_json)
    assert [d.message for d in problems] == []
    return files


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
    """Run the programs in one process, and return their effects."""
    node = toolchains.node()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "cases.json").write_text(json.dumps([asdict(case) for case in cases]), encoding="utf-8")
        schema = next(SCHEMAS.glob("probe-*.json"))
        toolchains.run([node.node, RUNNER, node.modules, schema, "cases.json", "outcomes.json"], cwd=home)
        outcomes = json.loads((home / "outcomes.json").read_text(encoding="utf-8"))
    return [
        Outcome(
            resources=[(r["type"], r["name"], r["inputs"]) for r in outcome["resources"]],
            exports=outcome["exports"],
            secrets=frozenset(outcome["secrets"]),
            error=outcome["error"],
        )
        for outcome in outcomes
    ]
