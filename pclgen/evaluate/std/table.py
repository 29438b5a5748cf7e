"""All functions of `std` that are computed, and the reasons why the others are not.

compute("std:index:upper", {"input": "abc"})  ->  {"result": "ABC"}
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pclgen.evaluate.std.arguments import Arguments, StdFailureError, StdFunction, Work, bare
from pclgen.evaluate.std.arithmetic import NETWORKS, NUMBERS, TIMES
from pclgen.evaluate.std.patterns import PATTERNS
from pclgen.evaluate.std.sequences import MAPS, SEQUENCES
from pclgen.evaluate.std.texts import ENCODINGS, FORMATS, TEXTS
from pclgen.stdlib.values import TooLargeError
from pclgen.trace.model import Properties

FUNCTIONS: Final[Mapping[str, StdFunction]] = {
    f"std:index:{name}": function
    for functions in (ENCODINGS, FORMATS, MAPS, NETWORKS, NUMBERS, PATTERNS, SEQUENCES, TEXTS, TIMES)
    for name, function in functions.items()
}
"""The functions by token."""

_FILES: Final = "reads files of the machine on which the provider runs"
_KEY_OR_CHANCE: Final = "its result depends on chance, on the time or on a secret key"

LEFT_OUT: Final[Mapping[str, str]] = {
    "std:index:base64gzip": "the compressed bytes depend on the compressor",
    "std:index:matchkeys": "the schema does not have its keys",
    **dict.fromkeys((f"std:index:{name}" for name in ("bcrypt", "rsadecrypt", "timestamp", "uuid")), _KEY_OR_CHANCE),
    **dict.fromkeys(
        (
            f"std:index:{name}"
            for name in (
                "abspath",
                "file",
                "filebase64",
                "filebase64sha256",
                "filebase64sha512",
                "fileexists",
                "filemd5",
                "filesha1",
                "filesha256",
                "filesha512",
                "pathexpand",
            )
        ),
        _FILES,
    ),
}
"""Functions that are not computed, so that their answers are samples as those of any other package, and the reasons."""


def compute(token: str, args: Properties, work: Work | None = None) -> Properties | None:
    """Return the answer of a function; None for a function that is not computed. `work` is the budget of all calls of a run.
    Raises `StdFailureError`."""
    function = FUNCTIONS.get(token)
    if function is None:
        return None
    try:
        return {"result": function(Arguments({name: bare(value) for name, value in args.items()}, work or Work()))}
    except TooLargeError as problem:
        raise StdFailureError(str(problem)) from None
