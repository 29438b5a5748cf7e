"""Small programs against the `probe` package as Go, for tests: their text, and their effects when they run.

All cases of a call become packages of one Go program, so that there is one link; it runs them with the SDK's mocks.
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from pclgen.targets.go.target import TARGET
from tests.support import earlier, toolchains
from tests.support.corpus import ROOT
from tests.support.earlier import Json
from tests.support.rendering import render_files
from tests.support.sdks.go import Kit, sdk_kit
from tests.support.toolchains import run
from tests.support.waiting import PATIENCE

_HARNESS = Path(__file__).with_name("go_run") / "harness.go"
_PROBE = sorted((ROOT / "tests" / "schemas").glob("*.json"))
go_files = partial(render_files, TARGET)


@dataclass(frozen=True, slots=True)
class Case:
    """A generated program, and the config values to run it with."""

    files: Mapping[str, str]
    config: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The effects of a program: exports, names of secret exports, resources by name with their inputs, the final error."""

    exports: Mapping[str, object]
    secrets: frozenset[str]
    resources: Mapping[str, Mapping[str, object]]
    error: str


def kit() -> Kit:
    """The SDK of the test package."""
    return sdk_kit(_PROBE, only=["probe"])


def run_all(cases: Sequence[Case]) -> list[Outcome]:
    """The outcome of each case; those that ran in an earlier test run do not run again."""
    return [_outcome(result) for result in earlier.each(cases, _run_new, Path(__file__), _HARNESS, *_PROBE)]


def _run_new(cases: Sequence[Case]) -> list[Json]:
    with tempfile.TemporaryDirectory(prefix="pclgen-go-run-") as scratch:
        stage = Path(scratch)
        module = kit().module
        text = (module / "go.mod").read_text(encoding="utf-8").replace("=> ./go/", f"=> {module}/go/")
        (stage / "go.mod").write_text(re.sub(r"^module \S+", "module cases", text, flags=re.M), encoding="utf-8")
        (stage / "go.sum").write_bytes((module / "go.sum").read_bytes())
        (stage / "harness").mkdir()
        (stage / "harness" / "harness.go").write_bytes(_HARNESS.read_bytes())
        for number, case in enumerate(cases):
            _write_case(stage, f"case{number}", case)
        names = [f"case{number}" for number in range(len(cases))]
        imports = "".join(f'\t"cases/{name}"\n' for name in names)
        calls = "".join(f"\t{name}.Main()\n" for name in names)
        (stage / "main.go").write_text(f"package main\n\nimport (\n{imports})\n\nfunc main() {{\n{calls}}}\n")
        tools = toolchains.go()
        run([tools.go, "build", "-ldflags=-s -w", "-o", "cases", "."], cwd=stage, env=tools.environment)
        configs = json.dumps({name: dict(case.config) for name, case in zip(names, cases, strict=True)})
        done = subprocess.run(
            [stage / "cases"], input=configs, capture_output=True, encoding="utf-8", cwd=stage, check=False, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stderr[-4000:]
        results = json.loads(done.stdout)
        return [results[name] for name in names]


def _write_case(stage: Path, name: str, case: Case) -> None:
    (stage / name).mkdir()
    for path, text in case.files.items():
        text = text.replace("package main\n", f"package {name}\n", 1)
        if path == "main.go":
            text = text.replace("func main() {\n\tpulumi.Run(", f'func Main() {{\n\tharness.Run("{name}", ', 1)
            text = text.replace("import (\n", 'import (\n\t"cases/harness"\n', 1)
        (stage / name / path).write_text(text, encoding="utf-8")


def _outcome(result: Json) -> Outcome:
    return Outcome(result["exports"], frozenset(result["secrets"] or ()), result["resources"], result.get("error", ""))
