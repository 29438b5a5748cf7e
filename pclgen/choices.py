"""Build settings of a configuration: programs, languages, and strictness.

`schema.config` reads the tables of the file into `Building`. The `Choices` for one program are the general settings with the
overrides that name the program; later overrides win.

Programs are named by their path relative to the configuration, with `/` on every system.  A pattern names

    infra/web          that program; if it is no program, all programs below it
    infra/*            all programs directly below `infra`; `*` is any text without `/`, `?` one character
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
from msgspec.structs import asdict, replace

OUTPUT = "build/{path}/{language}"
"""The default pattern for output folders of a build."""

PLACEHOLDERS = ("path", "program", "language")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


class Action(StrEnum):
    """The treatment of generated files."""

    WRITE = "write"
    """Write them."""
    COMPARE = "compare"
    """List the files that would change."""
    DIFF = "diff"
    """Show the changes."""


class Strictness(StrEnum):
    """The severity of errors that a deployment might survive."""

    STRICT = "strict"
    """They are errors."""
    LENIENT = "lenient"
    """They are warnings."""


class RuntimeChecks(StrEnum):
    """The treatment of untyped values by generated code where their type matters."""

    NONE = "none"
    """Code uses the value unchecked, as the language does."""
    BLAME = "blame"
    """Code checks the value; an error names the position of the use and the origin of the value."""


class JsonText(StrEnum):
    """The form of the text of `toJSON` in generated code."""

    NATURAL = "natural"
    """The output of the encoder of the language: the same value in every language, not the same bytes."""
    CANONICAL = "canonical"
    """The same bytes in every language."""


class CodeStyle(Struct, frozen=True, kw_only=True):
    """Style choices for generated code."""

    runtime_checks: RuntimeChecks = RuntimeChecks.NONE
    json: JsonText = JsonText.NATURAL
    inline_helpers: bool = False
    """Helpers of any length stay in the file of the program, for a program that is shown as one text."""


PLAIN_STYLE: Final = CodeStyle()
"""The default style, as people write code."""


class Level(StrEnum):
    """The level of a warning.  Errors keep their level, since an invalid program has no output."""

    ERROR = "error"
    WARNING = "warning"
    OFF = "off"


class Choices(Struct, frozen=True, kw_only=True):
    """Compile settings of a program; None if unset."""

    languages: tuple[str, ...] | None = None
    project_files: bool | None = None
    copy_files: bool | None = None
    templates: Path | None = None
    strictness: Strictness | None = None
    runtime_checks: RuntimeChecks | None = None
    json: JsonText | None = None
    levels: Mapping[str, Level] = field(default_factory=dict)

    def over(self, other: Choices) -> Choices:
        """Return these choices, with `other` for unset values."""
        chosen = {name: value for name, value in asdict(self).items() if value is not None}
        return replace(other, **{**chosen, "levels": {**other.levels, **self.levels}})

    @property
    def style(self) -> CodeStyle:
        """The style, with defaults for unset values."""
        return CodeStyle(
            runtime_checks=self.runtime_checks or RuntimeChecks.NONE,
            json=self.json or JsonText.NATURAL,
        )


class Override(Struct, frozen=True, kw_only=True):
    """Settings of some programs only."""

    programs: tuple[str, ...]
    choices: Choices


class Building(Struct, frozen=True, kw_only=True):
    """Build settings of a configuration.

    `programs` is None if the configuration names no programs; `place` is the position of their names, for messages.
    """

    programs: tuple[str, ...] | None = None
    place: str = ""
    exclude: tuple[str, ...] = ()
    output: str | None = None
    choices: Choices = field(default_factory=Choices)
    overrides: tuple[Override, ...] = ()

    def of(self, label: str) -> Choices:
        """Return the compile settings of the program with the path `label`."""
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
    """Return whether `pattern` names the path `label` or a folder that contains it."""
    pattern = tidy(pattern)
    parts = label.split("/")
    return pattern == "." or any(matches(pattern, "/".join(parts[:end])) for end in range(1, len(parts) + 1))


def tidy(pattern: str) -> str:
    """A pattern or path without leading `./` and trailing `/`."""
    return re.sub(r"^(\./+)+", "", re.sub(r"/+", "/", pattern)).rstrip("/") or "."


@lru_cache(maxsize=1024)
def _regex(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a pattern.

    The text after a `*` matches at its first occurrence, without backtracking (`(?>`): otherwise a pattern with many `*`
    could take forever.
    """
    parts = pattern.split("/")
    rows: list[list[str]] = [[]]  # the parts between two `**`
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
    """Return the error in a pattern for output folders, and a fix; None for a valid pattern."""
    named = " and ".join(", ".join(f"{{{name}}}" for name in placeholders).rsplit(", ", 1))
    if not pattern:
        return "it must not be empty", "to write into the current directory, use `.`"
    for name in _PLACEHOLDER.findall(pattern):
        if name not in placeholders:
            return f"unknown placeholder `{{{name}}}` in `{pattern}`", f"there are {named}"
    if set(_PLACEHOLDER.sub("", pattern)) & {"{", "}"}:
        return f"unbalanced brace in `{pattern}`", f"placeholders are {named}"
    return None
