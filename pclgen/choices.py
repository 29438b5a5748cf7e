"""What a configuration says about building: which programs, into which languages, and how strictly.

`schema.config` reads the tables of the file. They become `Building`, and `Choices` for one program: what holds for all, with
the overrides that name the program, later ones over earlier ones.

Programs are named by their path relative to the configuration, with `/` on every system.  A pattern names

    infra/web          that program; without a program there, all below it
    infra/*            all programs right below `infra`; `*` is any text without `/`, `?` one character
    infra/**           all programs below `infra`, at any depth
    snippets/*.pp      each of these files as a program of its own
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Final

from msgspec import Struct, field

OUTPUT = "build/{path}/{language}"
"""Where a build writes unless the configuration says otherwise."""

PLACEHOLDERS = ("path", "program", "language")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


class Action(StrEnum):
    """What to do with generated files."""

    WRITE = "write"
    """Write it."""
    COMPARE = "compare"
    """List the files that would change."""
    DIFF = "diff"
    """Show how they would change."""


class Strictness(StrEnum):
    """What becomes of mistakes that a deployment might survive."""

    STRICT = "strict"
    """They are errors."""
    LENIENT = "lenient"
    """They are warnings."""


class RuntimeChecks(StrEnum):
    """What generated code does with a value of no known type where its type matters."""

    NONE = "none"
    """It takes the value as the language does."""
    BLAME = "blame"
    """It checks the value, and an error names the place of the use and where the value came from."""


class JsonText(StrEnum):
    """How generated code writes the text of `toJSON`."""

    NATURAL = "natural"
    """As people do, with the encoder of the language: the same value in every language, not the same bytes."""
    CANONICAL = "canonical"
    """With the same bytes in every language."""


class CodeStyle(Struct, frozen=True, kw_only=True):
    """What generated code looks like where there is a choice."""

    runtime_checks: RuntimeChecks = RuntimeChecks.NONE
    json: JsonText = JsonText.NATURAL
    inline_helpers: bool = False
    """Helpers stay in the file of the program, however long they are: for a program that is shown as one text."""


PLAIN_STYLE: Final = CodeStyle()
"""What people write."""


class Level(StrEnum):
    """What becomes of a warning.  An error stays one: there is nothing to generate."""

    ERROR = "error"
    WARNING = "warning"
    OFF = "off"


class Choices(Struct, frozen=True, kw_only=True):
    """How a program is compiled; None where nobody said."""

    languages: tuple[str, ...] | None = None
    project_files: bool | None = None
    copy_files: bool | None = None
    templates: Path | None = None
    strictness: Strictness | None = None
    runtime_checks: RuntimeChecks | None = None
    json: JsonText | None = None
    levels: Mapping[str, Level] = field(default_factory=dict)

    def over(self, other: Choices) -> Choices:
        """These, and where they say nothing, `other`."""
        return Choices(
            languages=self.languages if self.languages is not None else other.languages,
            project_files=self.project_files if self.project_files is not None else other.project_files,
            copy_files=self.copy_files if self.copy_files is not None else other.copy_files,
            templates=self.templates if self.templates is not None else other.templates,
            strictness=self.strictness if self.strictness is not None else other.strictness,
            runtime_checks=self.runtime_checks if self.runtime_checks is not None else other.runtime_checks,
            json=self.json if self.json is not None else other.json,
            levels={**other.levels, **self.levels},
        )

    @property
    def style(self) -> CodeStyle:
        """The style, with defaults where nobody said."""
        return CodeStyle(
            runtime_checks=self.runtime_checks or RuntimeChecks.NONE,
            json=self.json or JsonText.NATURAL,
        )


class Override(Struct, frozen=True, kw_only=True):
    """What holds for some programs only."""

    programs: tuple[str, ...]
    choices: Choices


class Building(Struct, frozen=True, kw_only=True):
    """What a configuration says about building.  Without `programs` it names none; `place` is where they are named, as
    messages begin with it."""

    programs: tuple[str, ...] | None = None
    place: str = ""
    exclude: tuple[str, ...] = ()
    output: str | None = None
    choices: Choices = field(default_factory=Choices)
    overrides: tuple[Override, ...] = ()

    def of(self, label: str) -> Choices:
        """Return how the program with the path `label` is compiled."""
        choices = self.choices
        for override in self.overrides:
            if any(is_named(pattern, label) for pattern in override.programs):
                choices = override.choices.over(choices)
        return choices


def is_glob(pattern: str) -> bool:
    """Return whether a pattern may name more than one path."""
    return "*" in pattern or "?" in pattern


def matches(pattern: str, label: str) -> bool:
    """Return whether `pattern` names the path `label` itself."""
    return _regex(tidy(pattern)).fullmatch(label) is not None


def is_named(pattern: str, label: str) -> bool:
    """Return whether `pattern` names the path `label` or a folder that it lies in."""
    pattern = tidy(pattern)
    parts = label.split("/")
    return pattern == "." or any(matches(pattern, "/".join(parts[:end])) for end in range(1, len(parts) + 1))


def tidy(pattern: str) -> str:
    """A pattern or path without `./` in front and `/` at the end."""
    return re.sub(r"^(\./+)+", "", re.sub(r"/+", "/", pattern)).rstrip("/") or "."


@lru_cache(maxsize=1024)
def _regex(pattern: str) -> re.Pattern[str]:
    """What stands behind a `*` is taken where it is first found, once and for all (`(?>`): with each way to share a path out
    among many `*` tried, a pattern could take for ever."""
    parts = pattern.split("/")
    rows: list[list[str]] = [[]]  # between `**` and `**`
    for part in [*parts, "*"] if parts[-1] == "**" else parts:
        if part != "**":
            rows[-1].append(_part(part))
        elif rows[-1] or len(rows) == 1:
            rows.append([])
    *first, last = rows
    text = "".join(part + "/" for part in first[0]) if first else ""
    text += "".join(f"(?>{_FOLDERS}?{'/'.join(row)}/)" for row in first[1:])
    return re.compile(f"{text}{_FOLDERS if first else ''}{'/'.join(last)}", re.DOTALL)


_FOLDERS = "(?:[^/]+/)*"


def _part(part: str) -> str:
    first, *texts = [re.escape(text).replace(r"\?", "[^/]") for text in part.split("*")]
    return first + "".join(f"(?>[^/]*?{text})" for text in texts[:-1]) + (f"[^/]*{texts[-1]}" if texts else "")


def pattern_problem(pattern: str, placeholders: Sequence[str] = PLACEHOLDERS) -> tuple[str, str] | None:
    """Return what is wrong in a pattern for output folders, and what to write; None when nothing is."""
    named = " and ".join(", ".join(f"{{{name}}}" for name in placeholders).rsplit(", ", 1))
    if not pattern:
        return "it must not be empty", "to write into the current directory, use `.`"
    for name in _PLACEHOLDER.findall(pattern):
        if name not in placeholders:
            return f"unknown placeholder `{{{name}}}` in `{pattern}`", f"there are {named}"
    if set(_PLACEHOLDER.sub("", pattern)) & {"{", "}"}:
        return f"unbalanced brace in `{pattern}`", f"placeholders are {named}"
    return None
