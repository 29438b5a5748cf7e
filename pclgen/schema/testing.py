"""What programs are held to by pytest: the keywords of the mark `pclgen`.

Comes in: a table.  Goes out: `Asked`, or a `ConfigurationError`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from pclgen.diagnostics.suggest import suggest
from pclgen.schema.config import ConfigurationError


class Asked(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename="kebab"):
    """What is asked of some programs beside that they become what their snapshots show.

    `programs` and `exclude` are patterns (`templates/*`).  `verify` is the level of `pclgen verify`.  With `diagnostics` and
    `registrations` what `check` says and what `evaluate` registers are snapshots too; `config`, `secrets` and `replay` (a
    file of answers) are given to runs.
    """

    programs: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    languages: tuple[Literal["python", "typescript", "go"], ...] = ("python", "typescript", "go")
    project_files: bool = True
    verify: Literal["format", "compile", "run"] | None = None
    diagnostics: bool = False
    registrations: bool = False
    config: dict[str, str] = {}  # msgspec copies defaults
    secrets: dict[str, str] = {}  # msgspec copies defaults
    replay: str | None = None


def read_asked(keywords: Mapping[str, Any]) -> Asked:
    """The keywords of a mark.  Raises `ConfigurationError` for one that there is not, or whose value does not fit."""
    known = [name.replace("-", "_") for name in Asked.__struct_encode_fields__]
    for name in keywords.keys() - set(known):
        similar = suggest(name, known)
        hint = f"did you mean `{similar}`?" if similar is not None else f"there are {', '.join(known)}"
        raise ConfigurationError(f"unknown keyword `{name}`", hint)
    try:
        return msgspec.convert({name.replace("_", "-"): value for name, value in keywords.items()}, Asked)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$.")
        name = where.rstrip("`").partition("[")[0].replace("-", "_")
        raise ConfigurationError(f"`{name}`: {reason[:1].lower()}{reason[1:]}") from error
