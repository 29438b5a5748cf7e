"""Generate the reference pages of the documentation: `python -m scripts.reference`; `--check` fails if one is stale.

Each page has one source: the parsers of the command line, the JSON Schema of the configuration, the explain pages, the
specifications of functions, the docstrings of the library, the forms of packs. The schema of the configuration is also in
the package, and the grammar of the editors gets the names of functions.
"""

from __future__ import annotations

import argparse
import inspect
import io
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import pclgen
from pclgen.cli.app import COMMANDS, command
from pclgen.cli.arguments import Parser, parser_of
from pclgen.cli.console import Console
from pclgen.diagnostics.codes import all_codes
from pclgen.packs import forms as packs
from pclgen.schema.configfile import SCHEMA_FILE, json_schema
from pclgen.stdlib.pages import page
from pclgen.stdlib.registry import FUNCTIONS, names

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SCHEMA = ROOT / "pclgen" / SCHEMA_FILE
GRAMMAR = ROOT / "editors" / "vscode" / "syntaxes" / "pcl.tmLanguage.json"
_BUILTINS = re.compile(r"(?<=\(\?:\()\w+(?:\|\w+)+(?=\)\|)")


def generate() -> dict[Path, str]:
    """Return the text of each generated file by its path."""
    pages: Mapping[str, Callable[[], str]] = {
        "mupack.schema.json": packs.json_schema,
        "functions.md": lambda: page(FUNCTIONS.values()),
        "reference/api.md": _api,
        "reference/cli.md": _command_line,
        "reference/configuration.md": _configuration,
        "reference/diagnostics.md": _diagnostics,
    }
    beside = {SCHEMA: json_schema(), GRAMMAR: _grammar()}
    return {**{DOCS / path: make() for path, make in pages.items()}, **beside}


def _grammar() -> str:
    """Return the grammar with the names of the built-in functions."""
    return _BUILTINS.sub("|".join(names()), GRAMMAR.read_text(encoding="utf-8"), count=1)


# -- command line --------------------------------------------------------------------------------------------------------


def _command_line() -> str:
    lines = ["# Command line", "", "`pclgen COMMAND --help` prints the same text in a terminal.", ""]
    for words, parser in _parsers():
        lines += [f"## pclgen {words}", "", parser.description or "", "", "```text"]
        usage, _, _ = parser.format_usage().removeprefix("usage: ").partition("\n\n")
        lines += [usage.strip(), "```", ""]
        lines += _arguments(parser)
        if parser.epilog:
            lines += ["```text", parser.epilog.strip(), "```", ""]
    return "\n".join(lines).rstrip() + "\n"


def _parsers() -> Iterator[tuple[str, Parser]]:
    console = Console(out=io.StringIO(), err=io.StringIO(), stdin=None)
    for name in COMMANDS:
        run, group = command(name)
        for words in [[word] for word in group] or [[]]:
            yield " ".join([name, *words]), parser_of(run, words, console)


def _arguments(parser: Parser) -> list[str]:
    """The tables of a command's arguments, one table per section of its help."""
    lines: list[str] = []
    for group in parser._action_groups:
        rows = [_row(action) for action in group._group_actions if action.dest != "help"]
        if rows:
            lines += [f"| {_TITLES.get(group.title or '', group.title)} | |", "|---|---|", *rows, ""]
    return lines


_TITLES = {"positional arguments": "argument", "options": "option"}


def _row(action: argparse.Action) -> str:
    names = ", ".join(f"`{name}`" for name in action.option_strings) or f"`{action.metavar}`"
    value = action.metavar if action.option_strings and action.nargs != 0 else None
    if value is None and action.option_strings and action.choices is not None:
        value = ", ".join(map(str, action.choices))
    return f"| {names}{f' `{value}`' if value else ''} | {_cell(action.help or '')} |"


def _cell(text: str) -> str:
    """Text in a cell of a Markdown table; words in angle brackets or braces stay as they are."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace("%%", "%")


# -- configuration -------------------------------------------------------------------------------------------------------

_CONFIGURATION = """\
# pclgen.toml

pclgen reads `pclgen.toml` beside the program or in the nearest folder above it, up to the root of the repository;
`[tool.pclgen]` in a `pyproject.toml` works, too. Command-line options override it, and so do `PCLGEN_SCHEMAS`,
`PCLGEN_SOURCES`, `PCLGEN_LOADER`, `PCLGEN_TIME_LIMIT`, `PCLGEN_CACHE_DIR` and `PCLGEN_NO_CACHE`. `--isolated` ignores it.

`pclgen init` writes a first file with comments. `pclgen init --json-schema` prints the JSON Schema for editors.

```toml
schemas = ["schemas", "vendor/shop.yaml"]   # directories and files
sources = ["files", "sdk"]                  # which schema sources, in which order
sdk-folders = [".venv"]
time-limit = 60                             # seconds
cache-size = 2000                           # megabytes

programs = ["infra/*", "snippets/*.pp"]     # folders and files, with *, ? and **
exclude = ["infra/old"]
languages = ["python", "go"]
output = "build/{path}/{language}"          # {path} of the program below this file; {program} is its last part
project-files = true                        # Pulumi.yaml, go.mod, ...
copy-files = true                           # files that programs name, as in readFile("./policy.json")
strictness = "strict"                       # or "lenient", as with --lenient
indexes = ["../packages"]                   # where packages of components are

[dependencies]
network = "^1.0.6"

[providers]                                 # version ranges of provider packages
aws = "^7.0"

[levels]                                    # of warnings: "error", "warning", "off"
PCL0420 = "off"

[[overrides]]                               # for some programs; later overrides win
programs = ["infra/legacy"]
strictness = "lenient"

[packages.aws]
version = "7.48.0"

[packages.aws.language.go]                  # for an SDK with an unusual name
importBasePath = "example.com/our/fork/sdk/go/aws"
```

"""


def _configuration() -> str:
    schema = json.loads(json_schema())
    lines: list[str] = []
    for name, definition in schema["$defs"].items():
        title = "Settings" if name == "File" else f"Table {name}"
        lines += [f"## {title}", "", definition.get("description", ""), "", "| setting | type | |", "|---|---|---|"]
        for key, member in definition.get("properties", {}).items():
            lines.append(f"| `{key}` | {_kind(member)} | {_cell(member.get('description', ''))} |")
        lines.append("")
    return _CONFIGURATION + "\n".join(lines).rstrip() + "\n"


def _kind(member: Mapping[str, Any]) -> str:
    """The type of a setting in a few words."""
    if "$ref" in member:
        return f"table {member['$ref'].rpartition('/')[2]}"
    if "enum" in member:
        return ", ".join(f"`{value}`" for value in member["enum"])
    if "anyOf" in member:
        return " or ".join(_kind(variant) for variant in member["anyOf"] if variant.get("type") != "null")
    if member.get("type") == "array":
        return f"array of {_kind(member.get('items', {}))}"
    if member.get("type") == "object" and isinstance(member.get("additionalProperties"), Mapping):
        return f"table of {_kind(member['additionalProperties'])}"
    return str(member.get("type", "any"))


# -- diagnostics ---------------------------------------------------------------------------------------------------------

_FENCES = {"pcl": "terraform", "schema": "json"}
"""The language that highlights the code of an explain page."""


def _diagnostics() -> str:
    lines = ["# Diagnostics", "", "`pclgen explain CODE` prints the same text in a terminal.", ""]
    folder = resources.files("pclgen") / "diagnostics" / "pages"
    for entry in all_codes():
        text = (folder / f"{entry.code}.md").read_text(encoding="utf-8")
        lines += [re.sub(r"^```(\w+).*$", _fence, text.strip(), flags=re.MULTILINE), ""]
    return re.sub(r"^# (PCL\d+)(.*)$", _heading, "\n".join(lines), flags=re.MULTILINE).rstrip() + "\n"



def _fence(match: re.Match[str]) -> str:
    """The head of a fence without the words for tests."""
    return f"```{_FENCES.get(match[1], match[1])}"


def _heading(match: re.Match[str]) -> str:
    """The heading of a code, whose anchor stays when its words change."""
    return f"## {match[1]}{match[2]} {{#{match[1].lower()}}}"


# -- library -------------------------------------------------------------------------------------------------------------


def _api() -> str:
    lines = ["# Python API", "", "```python", "import pclgen", "```", ""]
    for name in sorted(pclgen.__all__, key=str.lower):
        value = getattr(pclgen, name)
        lines += [f"## `{name}`", ""]
        if inspect.isfunction(value):
            lines += ["```python", f"{name}{_signature(value)}", "```", "", *_paragraphs(value)]
        elif inspect.isclass(value):
            lines += [*_paragraphs(value), *_members(value)]
        else:
            lines += [f"`{value!r}`", ""]
    return "\n".join(lines).rstrip() + "\n"


def _signature(function: Callable[..., object]) -> str:
    text = _without_modules(str(inspect.signature(function)).replace("'", ""))
    return re.sub(r", (?=\w+:|\*,)", ",\n    ", text)


def _without_modules(annotations: str) -> str:
    """`Properties` for `tr.Properties`: readers import the names from `pclgen`."""
    return re.sub(r"\b[a-z]\w*\.(?=[A-Z])", "", annotations)


def _paragraphs(value: object) -> list[str]:
    """The docstring of a function or class as Markdown."""
    text = inspect.getdoc(value) or ""
    return [re.sub(r"\n+$", "", text), ""]


def _members(value: type) -> list[str]:
    """The public fields, properties and methods that a class defines itself."""
    lines = []
    annotations = inspect.get_annotations(value)
    for name, annotation in annotations.items():
        if not name.startswith("_"):
            lines.append(f"- `{name}: {_without_modules(annotation)}`")
    for name, member in vars(value).items():
        if name.startswith("_") or name in annotations:
            continue
        if isinstance(member, property):
            lines.append(f"- `{name}`: {_summary(member)}")
        elif inspect.isfunction(member):
            lines.append(f"- `{name}{' '.join(_signature(member).split())}`: {_summary(member)}")
    return [*lines, ""] if lines else []


def _summary(member: object) -> str:
    return (inspect.getdoc(member) or "").partition("\n\n")[0].replace("\n", " ")


def main() -> int:
    """Write the pages, or compare them; return the exit status."""
    parser = argparse.ArgumentParser(description="Generate the reference pages of the documentation.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a page is stale")
    check = parser.parse_args().check
    stale = []
    for path, text in generate().items():
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(path.relative_to(ROOT))
            if not check:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
    print("\n".join(f"{'stale' if check else 'wrote'} {path}" for path in stale) or "all pages are up to date")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
