"""The functions of packs in a target: their names and their files.

The files go beside the program's files. A function without a spelling in a language is a diagnostic.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pclgen.core.expr import Call
from pclgen.core.program import Program
from pclgen.core.walk import parts_of, programs_of
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.target import unsupported
from pclgen.languages import TITLES
from pclgen.stdlib.model import ENDINGS, Home, Spelling


def spelling_of(call: Call, language: str) -> Spelling:
    """Return the spelling of a pack function, after `check_spellings` reported no problem."""
    return call.function.spelled[language]


def file_of(home: Home, language: str) -> str:
    """Return the file name of a pack in a language."""
    return f"{home.name}{ENDINGS[language]}"


def files_of(program: Program, language: str) -> Mapping[str, str]:
    """Return the files of all packs that `program` and its components call, by name."""
    if not program.homes:
        return {}
    called = {call.function.home.name: call.function.home for call in _calls(program) if call.function.home is not None}
    return {file_of(home, language): home.files[language] for _, home in sorted(called.items())}


def names_of(program: Program, language: str) -> frozenset[str]:
    """Return the names in `language` of the pack functions that `program` and its components call."""
    return frozenset(call.function.spelled[language].name for call in _calls(program) if language in call.function.spelled)


def check_spellings(program: Program, language: str, bag: DiagnosticBag) -> None:
    """Report each call of a pack function without a spelling in `language`."""
    for call in _calls(program):
        if language not in call.function.spelled:
            name = call.function.name
            hint = f"its pack says what it is called in {TITLES[language]}, in `spelled`"
            bag.add(unsupported(f"the function `{name}`", TITLES[language], call.span, hint=hint))


def _calls(program: Program) -> Iterator[Call]:
    """Yield the calls of pack functions in `program` and its components."""
    for body in programs_of(program) if program.homes else ():
        for part in parts_of(body.nodes):
            if isinstance(part, Call) and part.function.home is not None:
                yield part
