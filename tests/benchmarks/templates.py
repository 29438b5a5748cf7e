"""Measure the share of templates in generated text: `python -m tests.benchmarks.templates [PROGRAM...]`.

The share is the characters from templates (of files and of statements) among all characters of the generated sources and
project files (of the examples, unless programs are named); the rest are expressions, names, comments and layout.  The figure
is for people who change templates: they cannot change the rest there.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2.runtime import Macro

import pclgen
from pclgen.emit import environment, forms
from pclgen.languages import LANGUAGES
from tests.support.generated import EXAMPLE_SCHEMAS, example_programs


class FromMacro(str):
    """The text that a macro printed, whose inserted values are already counted."""

    __slots__ = ()


class Counting:
    """Counts the characters of templates while programs are generated."""

    def __init__(self) -> None:
        self.from_forms = 0
        self.inserted = 0

    def start(self) -> None:
        """Make the environment and the statement templates report the text that they print."""
        jinja = environment.environment()
        parts = forms.Forms.parts

        def counted(
            own: forms.Forms, name: str, filled: tuple[str, ...] = (), facts: tuple[str, ...] = ()
        ) -> forms.Parts:
            pieces = parts(own, name, filled, facts)
            self.from_forms += sum(map(len, pieces[::2]))
            return pieces

        def finalize(value: object) -> object:
            self.inserted += 0 if isinstance(value, FromMacro) else len(str(value))
            return value

        def invoked(macro: Macro, *args: Any) -> str:
            return FromMacro(invoke(macro, *args))

        jinja.finalize = finalize
        invoke = Macro._invoke
        Macro._invoke = invoked  # type: ignore[method-assign,assignment]  # for this process only
        forms.Forms.parts = counted  # type: ignore[method-assign,assignment]  # for this process only


def shares(programs: Sequence[Path], schemas: Path) -> dict[str, float]:
    """The share of each language, from 0 to 1."""
    from_templates: Counter[str] = Counter()
    total: Counter[str] = Counter()
    counting = Counting()
    counting.start()
    store = pclgen.SchemaStore([schemas])
    for program in programs:
        for language in LANGUAGES:
            counting.from_forms = counting.inserted = 0
            files = pclgen.generate(program, store=store, languages=[language]).files.get(language, {})
            size = sum(map(len, files.values()))
            total[language] += size
            from_templates[language] += min(size, size - counting.inserted + counting.from_forms)
    return {language: from_templates[language] / total[language] for language in LANGUAGES if total[language]}


def main(arguments: Sequence[str]) -> int:
    """Print a line for each language."""
    programs = [Path(argument) for argument in arguments] or list(example_programs().values())
    for language, share in shares(programs, EXAMPLE_SCHEMAS).items():
        print(f"{language:<12} {100 * share:5.1f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
