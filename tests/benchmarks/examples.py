"""Coverage of schema examples: `python -m tests.benchmarks.examples > docs/examples.md`.

It reads the schemas of the corpus and prints a table of their examples (converted, formatted, compiled, in each language)
and a list of all examples that do not compile, with the reason and the party at fault.  The SDKs are those of the tests; if
a registry lacks the version of a schema, it uses the nearest version.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pclgen.build.model import BuildContext
from pclgen.diagnostics.model import Severity
from pclgen.docs.convert import Answer
from pclgen.docs.covered import CoverageRequest, Row, cover
from pclgen.docs.work import DocsFile, DocsRequest, convert_docs
from pclgen.languages import LANGUAGES, TITLES
from pclgen.schema.config import SourceKind
from pclgen.schema.discovery import Settings, Shelf
from pclgen.verify.environments import UserEnvironments
from tests.support import toolchains
from tests.support.corpus import CORPUS
from tests.support.verified import environments

REAL = CORPUS / "schemas" / "real"
LEVELS = ("converted", "formatted", "compiled")
PINNED = ("azuread", "digitalocean", "docker", "github")
"""Providers whose Node SDK is not in the registry in the version of the schema: the SDK of the tests is used, as always for
Go."""
SDKS = {"TypeScript": "azuread 6.9.1, digitalocean 4.80.1, docker 5.2.0", "Go": "github 6.14.1, generated ones of azuread, docker and std"}
"""SDKs in other versions than the schemas."""

_NO_SDK = re.compile(r"cannot be (?:installed|got)|unknown field|Cannot find module '@pulumi/aws'")
"""Messages about a package, or a version of it, missing from the registry or from the environment of the tests."""

HEAD = """\
# Examples of published providers

Written by `python -m tests.benchmarks.examples`. The descriptions in the schemas below hold examples in Pulumi YAML. Each became
Python, TypeScript and Go (`pclgen docs`, `--lenient`). The formatters (black, prettier, gofmt) checked the output, and pyright,
tsc --strict and go vet compiled it against the SDKs of the provider and of aws, whose schema comes from its Python SDK.
{sdks}

Without `--lenient`, which turns mistakes of their authors into warnings, {strictly} are converted.
"""


def main() -> None:
    """Print the page."""
    paths = sorted(REAL.glob("*.json"))
    strictly = {answer.label: answer for path in paths for answer in answers(path, lenient=False)}
    rows: list[tuple[str, Row]] = []
    for path in paths:
        rows += [(path.stem, row) for row in covered(path)]
    passed = sum(not errors(answer) for answer in strictly.values())
    sdks = "; ".join(f"{text} ({language})" for language, text in SDKS.items())
    share = f"{passed} of {len(strictly)} ({passed / len(strictly):.1%})"
    print(HEAD.format(sdks=f"In other versions than the schemas: {sdks}.", strictly=share))
    table(rows)
    failures(rows, strictly)


def settings() -> Settings:
    """The schema settings: the corpus, and the SDKs of aws and kubernetes."""
    home = toolchains.python(toolchains.Sdks.INSTALLED).home / "venv"
    return Settings(schemas=(REAL,), sources=(SourceKind.FILES, SourceKind.SDK), sdk_folders=(home,), isolated=True)


def converted(path: Path, *, lenient: bool) -> tuple[DocsFile, ...]:
    """The examples of a schema."""
    context = BuildContext(root=Path(), settings=settings())
    return tuple(convert_docs(DocsRequest(paths=(str(path),), context=context, languages=LANGUAGES, lenient=lenient, jobs=1)))


def answers(path: Path, *, lenient: bool) -> Iterator[Answer]:
    """The answers to the examples of a schema."""
    for document in converted(path, lenient=lenient):
        yield from (entry.answer for entry in document.entries if entry.answer is not None)


def covered(path: Path) -> Sequence[Row]:
    """The coverage rows of the examples of a schema."""
    own = environments(unpublished=True)
    user_environments = UserEnvironments(
        node_modules=own.node_modules if path.name.startswith(PINNED) else None, go_module=own.go_module
    )
    request = CoverageRequest(
        level="compiled", shelf=Shelf(settings(), {}), jobs=1, lenient=True, environments=user_environments
    )
    return cover(converted(path, lenient=True), request).rows


def errors(answer: Answer) -> list[str]:
    """The errors in the text of an example."""
    return [
        f"{diagnostic.code}: {diagnostic.message}"
        for diagnostic in answer.diagnostics
        if diagnostic.severity is Severity.ERROR
    ]


def table(rows: Sequence[tuple[str, Row]]) -> None:
    """Counts, by schema and language."""
    print("| schema | examples | language | " + " | ".join(LEVELS) + " |")
    print("|---|---|---|---|---|---|")
    for schema in [*dict.fromkeys(name for name, _ in rows), ""]:
        for language in LANGUAGES:
            own = [row for name, row in rows if schema in (name, "") and row.language == language]
            counts = Counter(level for row in own for level in LEVELS if row.levels.get(level) == "passed")
            cells = " | ".join(f"{counts[level]} ({counts[level] / len(own):.1%})" for level in LEVELS) if own else ""
            print(f"| {schema or 'all'} | {len(own)} | {TITLES[language]} | {cells} |")
    for language in LANGUAGES:
        own = [row for _, row in rows if row.language == language]
        could = [row for row in own if not lacks_sdk(row)]
        done = sum(row.levels.get("compiled") == "passed" for row in could)
        share = f"{done} ({done / len(could):.1%})"
        print(f"| those whose SDKs can be had | {len(could)} | {TITLES[language]} | | | {share} |")
    print()


def lacks_sdk(row: Row) -> bool:
    """Whether an example does not compile because its SDK is missing."""
    return row.levels.get("compiled") != "passed" and _NO_SDK.search(" ".join(row.messages)) is not None


def failures(rows: Sequence[tuple[str, Row]], strictly: Mapping[str, Answer]) -> None:
    """Print the examples that do not compile: languages, reason, and the party at fault."""
    print("| example | not compiled in | fault | reason |")
    print("|---|---|---|---|")
    by_label: dict[str, list[Row]] = {}
    for _, row in rows:
        if row.levels.get("compiled") != "passed":
            by_label.setdefault(row.label, []).append(row)
    for label, failed in by_label.items():
        mistakes = errors(strictly[label]) if label in strictly else []
        reason = mistakes[0] if mistakes else (failed[0].messages or ("it does not say why",))[0]
        fault = fault_of(mistakes, failed)
        place = re.sub(r"^.*/", "", label.partition("#")[0]) + "#" + label.partition("#")[2]
        languages = ", ".join(TITLES[row.language] for row in failed)
        print(f"| `{place}` | {languages} | {fault} | {cell(reason)} |")


def fault_of(mistakes: Sequence[str], failed: Sequence[Row]) -> str:
    """The party at fault: the example if `pclgen check` rejects it, a missing package, or else pclgen or the SDK."""
    if any(mistake.startswith(("PCL0302", "PCL0306")) for mistake in mistakes):
        return "a package without a schema here"
    if mistakes:
        return "the example"
    return "no SDK here" if all(map(lacks_sdk, failed)) else "not settled"


def cell(text: str) -> str:
    """A text in a table."""
    return re.sub(r"\s+", " ", re.sub(r"https?://\S+", "…", text)).replace("|", "\\|")[:160]


if __name__ == "__main__":
    main()
