"""The target languages: a row for each, and tables by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple


class Language(NamedTuple):
    """A target language: its `name` on the command line, `title` in sentences, suffix of source files and mark of comments.

    `short` is an abbreviation. Documents also use the names `fences`, and people the names `others`. `is_complete`: every
    program can be written in it. This is no struct, since `pclgen --version` loads no library.
    """

    name: str
    title: str
    suffix: str
    comment: str
    short: str = ""
    fences: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    is_complete: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """The names in documents."""
        return (self.name, *((self.short,) if self.short else ()), *self.fences)


ROWS: Final = (
    Language(name="python", title="Python", suffix=".py", comment="#", short="py", others=("python3",)),
    Language(
        name="typescript",
        title="TypeScript",
        suffix=".ts",
        comment="//",
        short="ts",
        others=("node", "nodejs", "javascript", "js"),
    ),
    Language(name="go", title="Go", suffix=".go", comment="//", fences=("golang",)),
    Language(name="yaml", title="YAML", suffix=".yaml", comment="#", fences=("yml",), is_complete=False),
)
"""The targets, in the order in which they are generated."""

LANGUAGES: Final = tuple(row.name for row in ROWS if row.is_complete)
"""The languages in which every program can be written: the default."""

TARGETS: Final = tuple(row.name for row in ROWS)
"""All that a program can be turned into. Those beside `LANGUAGES` cannot express many programs: on request only."""

TITLES: Final[Mapping[str, str]] = {row.name: row.title for row in ROWS}
"""The names of targets in sentences."""

LANGUAGE_NAMES: Final[Mapping[str, str]] = {
    **{name: name for name in TARGETS},
    **{name: row.name for row in ROWS for name in (*row.names, *row.others)},
}
"""Every name that people have for a language, with ours."""
