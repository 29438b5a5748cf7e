"""The judge itself: a Go program on HashiCorp's HCL and cty, built once for each content of its sources."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.judge.verdicts import FAILS, Answer, Value
from tests.support import toolchains

SOURCES = Path(__file__).parent / "go"


@cache
def judge() -> Path:
    """The program.  Raises `toolchains.ToolError` when it cannot be built."""
    files = sorted(SOURCES.iterdir())

    def build(home: Path) -> None:
        for file in files:
            shutil.copyfile(file, home / file.name)
        variables = toolchains.go_variables(mod="readonly")
        toolchains.run([toolchains.go_command(), "build", "-o", home / "judge", "."], cwd=home, env=variables)

    return toolchains.environment("judge", files, build) / "judge"


def judged(texts: Sequence[str], *, pcl: bool = False) -> list[Answer]:
    """What HCL makes of programs of one output each; with `pcl`, the rules in which PCL differs on purpose are PCL's."""
    command: list[str | Path] = [judge(), *(["--pcl"] if pcl else [])]
    done = subprocess.run(command, input=json.dumps(texts).encode(), stdout=subprocess.PIPE, check=True)
    return [_answer(found) for found in json.loads(done.stdout)]


def _answer(found: dict[str, object]) -> Answer:
    if "failure" in found:
        return Answer(FAILS, str(found["failure"]))
    values = found["values"]
    assert isinstance(values, dict)
    [value] = values.values()
    return Answer(Value(value))
