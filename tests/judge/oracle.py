"""The judge itself: a Go program on HashiCorp's HCL and cty, built once for each content of its sources."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tests.judge.verdicts import FAILS, Answer, Value, Verdict
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


def judged(texts: Sequence[str], *flags: str) -> list[Answer]:
    """What HCL makes of programs of one output each.

    With the flag `-rows`, PCL's own rules hold where it differs on purpose; with `-strict`, too, a program fails that has a part
    that cannot be evaluated, although it is not (a branch that is not taken, the body of a loop over nothing); with `-untyped`
    nothing is converted because of its type, as PCL does where types are not known, and a text is no index of a list, but with
    `-indexed`: the list may be one of known type whose elements are not; with `-used` a local that nothing uses is not evaluated;
    with `-collections` the branches of a conditional are lists and maps, as what a loop makes is, whatever its length; with
    `-past` an element past the end of a list is null, but in `try` and `can`; with `-misfits` `try` skips null only, not what does
    not fit, with `-nulls` not null either; with `-lenient` an index of `element` may have more than 32 bits,
    and a default of `lookup` that is not needed is not evaluated; with `-past` and `-lifted` a computed index
    past the end of a list finds null, too; with `-vague` scalars in a branch become text only where it is
    known before the program runs that the other one has text.
    """
    command: list[str | Path] = [judge(), *flags]
    done = subprocess.run(command, input=json.dumps(texts).encode(), stdout=subprocess.PIPE, check=True)
    return [_answer(found) for found in json.loads(done.stdout)]


def verdicts(texts: Sequence[str]) -> list[Verdict]:
    """The judge's verdicts on programs."""
    rows = judged(texts, "-rows"), judged(texts, "-rows", "-strict")
    untyped = zip(judged(texts, "-rows", "-untyped"), judged(texts, "-rows", "-untyped", "-indexed"), strict=True)
    used = zip(judged(texts, "-rows", "-used"), judged(texts, "-rows", "-untyped", "-used"), strict=True)
    past = zip(judged(texts, "-rows", "-past"), judged(texts, "-rows", "-untyped", "-past"), strict=True)
    others = (judged(texts, "-rows", flag) for flag in ("-collections", "-misfits", "-nulls", "-lenient", "-vague"))
    lifted = judged(texts, "-rows", "-past", "-lifted")
    return [Verdict(*answers) for answers in zip(judged(texts), *rows, untyped, used, past, *others, lifted, strict=True)]


def _answer(found: dict[str, object]) -> Answer:
    if "failure" in found:
        return Answer(FAILS, str(found["failure"]))
    values = found["values"]
    assert isinstance(values, dict)
    [value] = values.values()
    return Answer(Value(value))
