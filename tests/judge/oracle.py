"""The judge (`pclgen.verify.hcl`), built once per content of its sources, with a Go that the tests may install."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from pclgen.verify.hcl.judge import SOURCES, Answer, Judge, judgements
from tests.judge.verdicts import Verdict
from tests.support import toolchains


@cache
def judge() -> Judge:
    """The program.  Raises `toolchains.ToolError` if the build fails."""
    files = sorted(SOURCES.iterdir())

    def build(home: Path) -> None:
        for file in files:
            shutil.copyfile(file, home / file.name)
        variables = toolchains.go_variables(mod="readonly")
        toolchains.run([toolchains.go_command(), "build", "-o", home / "judge", "."], cwd=home, env=variables)

    return Judge(toolchains.environment("judge", files, build) / "judge")


def judged(texts: Sequence[str], *flags: str) -> list[Answer]:
    """HCL's results for programs of one output each."""
    return judge().ask(texts, *flags)


def verdicts(texts: Sequence[str]) -> list[Verdict]:
    """The judge's verdicts on programs."""
    used = zip(judged(texts, "-rows", "-used"), judged(texts, "-rows", "-untyped", "-used"), strict=True)
    past = zip(judged(texts, "-rows", "-past"), judged(texts, "-rows", "-untyped", "-past"), strict=True)
    lenient = zip(judged(texts, "-rows", "-lenient"), judged(texts, "-rows", "-lenient", "-vague"), strict=True)
    lifted = judged(texts, "-rows", "-past", "-lifted")
    rows = zip(judgements(judge(), texts), used, past, lenient, lifted, strict=True)
    return [Verdict(judgement=row[0], used=row[1], past=row[2], lenient=row[3], lifted=row[4]) for row in rows]
