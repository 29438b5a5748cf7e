"""What programs are held to by pytest: the keywords of the mark `pclgen`.

Comes in: keywords.  Goes out: `Asked`, or a `ConfigurationError`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from pclgen.diagnostics.suggest import suggest
from pclgen.schema.config import ConfigurationError, in_words, unfit_choice, with_languages
from pclgen.schema.configfile import Asked


def read_asked(keywords: Mapping[str, Any]) -> Asked:
    """Return the keywords of a mark as a table. Raises `ConfigurationError` for an unknown keyword or a wrong value."""
    known = [name.replace("-", "_") for name in Asked.__struct_encode_fields__]
    for name in keywords.keys() - set(known):
        similar = suggest(name, known)
        hint = f"did you mean `{similar}`?" if similar is not None else f"there are {', '.join(known)}"
        raise ConfigurationError(f"unknown keyword `{name}`", hint)
    try:
        test_table = msgspec.convert({name.replace("_", "-"): value for name, value in keywords.items()}, Asked)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$.")
        name = where.rstrip("`").partition("[")[0].replace("-", "_")
        choice = unfit_choice(reason)
        if choice is not None:
            raise ConfigurationError(f"`{name}`: {choice[0]}", choice[1]) from error
        raise ConfigurationError(f"`{name}`: {in_words(reason)}") from error
    return with_languages(test_table, "`languages`: ")
