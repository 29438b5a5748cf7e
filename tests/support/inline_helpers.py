"""Functions that pclgen adds to generated files: which helpers a program has, their number of lines and of uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support.corpus import ROOT

SUFFIXES = {"python": ".py", "typescript": ".ts", "go": ".go"}
APART = frozenset({"_checks", "_helpers", "checks", "helpers"})
"""The names of files that contain only helpers."""

_DEFINITION = {
    "python": re.compile(r"^def (\w+)\("),
    "typescript": re.compile(r"^(?:export )?function (\w+)[<(]"),
    "go": re.compile(r"^func (\w+)[\[(]"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineHelpers:
    """The helpers of one program in one language: lines by name, uses by name, and the lines of the program."""

    lines: Mapping[str, int]
    uses: Mapping[str, int]
    program_lines: int

    @property
    def total(self) -> int:
        """The number of lines of all helpers."""
        return sum(self.lines.values())


@cache
def helper_names(language: str) -> frozenset[str]:
    """The names of the templates of helpers."""
    folder = ROOT / "templates" / language / "helpers"
    return frozenset(path.name.partition(".")[0] for path in folder.iterdir())


def inline_helpers(folder: Path, language: str, *, apart: bool = False) -> InlineHelpers:
    """Measure the generated program in `folder`; blank lines do not count, and files of helpers only if `apart`."""
    lines: dict[str, int] = {}
    uses: dict[str, int] = {}
    total = 0
    for path in sorted(folder.rglob(f"*{SUFFIXES[language]}")):
        if path.stem in APART and not apart:
            continue
        text = path.read_text(encoding="utf-8")
        total += sum(1 for line in text.splitlines() if line.strip())
        definitions = dict(_definitions(text, language))
        for name, body in definitions.items():
            lines[name] = max(lines.get(name, 0), len(body))
        rest = "\n".join(_without_helpers(text, language))
        for name in helper_names(language):
            count = len(re.findall(rf"\b{name}(?:<[^()]*>|\[[^()\]]*\])?\(", rest))
            uses[name] = uses.get(name, 0) + count
    return InlineHelpers(lines=lines, uses={name: n for name, n in uses.items() if n}, program_lines=total)


def _definitions(text: str, language: str) -> Iterator[tuple[str, list[str]]]:
    body: list[str] = []
    name = ""
    for line in text.splitlines():
        match = _DEFINITION[language].match(line)
        ended = match or (language == "python" and line.strip() and not line.startswith((" ", ")")))
        if name and ended:
            yield name, body
            name = ""
        if match and match[1] in helper_names(language):
            name, body = match[1], []
        if name and line.strip():
            body.append(line)
            if language != "python" and line == "}":
                yield name, body
                name = ""
    if name:
        yield name, body


def _without_helpers(text: str, language: str) -> Iterator[str]:
    inside = False
    for line in text.splitlines():
        match = _DEFINITION[language].match(line)
        if match:
            inside = match[1] in helper_names(language)
        elif inside and language == "python" and line.strip() and not line.startswith((" ", ")")):
            inside = False
        if not inside:
            yield line
        elif language != "python" and line == "}":
            inside = False
