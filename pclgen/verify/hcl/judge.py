"""The judge: a Go program that evaluates PCL with HashiCorp's HCL and cty. Its sources lie in `go/`."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from pclgen.verify.hcl.answers import FAILS, Answer, Value

SOURCES: Final = Path(__file__).with_name("go")


class Judge(Struct, frozen=True):
    """The built program."""

    binary: Path

    def ask(self, texts: Sequence[str], *flags: str) -> list[Answer]:
        """Return HCL's answers to programs of one output each. Raises `OSError` and `subprocess.CalledProcessError`.

        `-rows`: the differences in docs/language.md (Differences from HCL) apply. The other flags choose between readings
        that they allow; `go/main.go` describes them.
        """
        command: list[str | Path] = [self.binary, *flags]
        ended = subprocess.run(command, input=json.dumps(texts).encode(), stdout=subprocess.PIPE, check=True)
        return [_answer(result) for result in json.loads(ended.stdout)]


def _answer(result: dict[str, object]) -> Answer:
    if "failure" in result:
        return Answer(FAILS, str(result["failure"]))
    values = result["values"]
    assert isinstance(values, dict)
    (value,) = values.values()
    return Answer(Value(value))
