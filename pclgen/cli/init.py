"""`pclgen init`: create a first configuration for the programs in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pclgen.choices import OUTPUT
from pclgen.cli.arguments import Parser
from pclgen.cli.console import Console, UsageError
from pclgen.cli.programs import count
from pclgen.emit.write import write_file
from pclgen.languages import LANGUAGES

EXAMPLES = """\
examples:
  pclgen init                       write pclgen.toml for the programs below this folder
  pclgen init infra                 in another folder
  pclgen init shop --example web-service
                                    write an example program with its schemas to shop/, and pclgen.toml beside it
  pclgen init --json-schema         print the JSON Schema of pclgen.toml, for editors

exit status: 0 written, 2 a configuration exists already, or wrong use
"""

EXAMPLE_PROGRAMS = ("pets", "web-service")
_PACKAGE = Path(__file__).resolve().parents[1]
_EXAMPLE_FOLDERS = (_PACKAGE / "examples", _PACKAGE.parent / "examples")
"""The examples in an installed package, or in a checkout."""

_MOST = 8
"""Maximum number of listed programs; more become patterns."""


def run(argv: Sequence[str], console: Console) -> int:
    """Write the configuration.  Raises `UsageError` if there is one already."""
    parser = Parser(
        "init",
        usage="[DIR] [--example NAME | --json-schema]",
        description="Write a commented pclgen.toml for the programs below a folder, or an example.",
        examples=EXAMPLES,
    )
    parser.operand("folder", metavar="DIR", nargs="?", type=Path, default=Path(), about="the folder (default: here)")
    parser.option(
        "--example",
        about=f"write an example program and the schemas that it needs: {', '.join(EXAMPLE_PROGRAMS)}",
        choices=EXAMPLE_PROGRAMS,
    )
    parser.option("--json-schema", about="print the JSON Schema of the file instead", action="store_true")
    args = parser.parse(argv)
    from pclgen.build.programs import find_programs
    from pclgen.schema.config import FILE, find_configuration
    from pclgen.schema.configfile import json_schema

    if args.json_schema:
        console.print_exactly(json_schema())
        return 0
    folder: Path = args.folder
    path = folder / FILE
    if args.example is not None:
        _write_example(args.example, folder)
    elif not folder.is_dir():
        raise UsageError(f"there is no directory `{folder}`", "name the folder that has the programs")
    present = find_configuration(folder).path
    if present is not None and present.parent == folder.absolute():
        raise UsageError(f"there is a configuration already: `{present}`", "edit it; see docs/reference/configuration.md")
    skipped = (folder / OUTPUT.partition("/")[0],)
    labels = [program.label for program in find_programs(folder, ["**"], skipped=skipped).present]
    write_file(path, _text(labels).encode("utf-8"))
    step = "`pclgen build` compiles them" if labels else "write one, or start with `pclgen init --example pets`"
    console.say(f"wrote {path}: {count(len(labels), 'program')}; {step}")
    return 0


def _write_example(name: str, folder: Path) -> None:
    """Write the program of an example and the schemas of all examples.  Raises `UsageError` if a file exists already."""
    source = next(path for path in _EXAMPLE_FOLDERS if path.is_dir())
    files = {folder / name / path.name: path for path in sorted((source / name).iterdir())}
    files |= {folder / "schemas" / path.name: path for path in sorted((source / "schemas").iterdir())}
    present = next((path for path in (folder / "pclgen.toml", *files) if path.exists()), None)
    if present is not None:
        raise UsageError(f"`{present}` exists already", "choose an empty folder: `pclgen init FOLDER --example NAME`")
    for target, path in files.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        write_file(target, path.read_bytes())


def _patterns(labels: Sequence[str]) -> list[str]:
    """Return the programs themselves, or patterns for the folders that contain most of them."""
    if not labels or not "".join(labels).isprintable():
        return ["**"]
    labels = [label.replace("\\", "?") for label in labels]  # patterns have no backslash: other systems would read it as `/`
    if len(labels) <= _MOST:
        return labels
    tops = list(dict.fromkeys(label.partition("/")[0] for label in labels))
    return [top if top in labels else f"{top}/**" for top in tops] if len(tops) <= _MOST else ["**"]


def _text(labels: Sequence[str]) -> str:
    programs = ", ".join(_quoted(pattern) for pattern in _patterns(labels))
    return f"""\
# The configuration of pclgen for everything below this folder.

# What `pclgen build` compiles: folders with .pp files, relative to this file. `*` is any name, `**` any number of folders;
# "snippets/*.pp" makes each file a program of its own.
programs = [{programs}]
# exclude = ["infra/old"]

languages = [{", ".join(_quoted(name) for name in LANGUAGES)}]

# One folder for each program in each language. {{path}} is the path of the program, {{program}} the last part of it.
output = "{OUTPUT}"

# Pulumi.yaml, go.mod, package.json, ... and the files that programs name.
project-files = true
copy-files = true

# Templates that lie over those of pclgen, file by file; `pclgen templates` lists them.
# templates = "house-style"

# "lenient" turns mistakes that a deployment might survive into warnings.
strictness = "strict"

# Where package schemas are looked for, beside the folder schemas/ and installed SDKs.
# schemas = ["vendor/schemas"]

# What becomes of warnings: "error", "warning" or "off". `pclgen explain` lists the codes.
# [levels]
# PCL0420 = "error"

# Packs of functions that programs may call, as acme::slug(…); their code is run only with --allow-functions.
# [functions]
# acme = "tools/functions.py:FUNCTIONS"

# What is different for some programs.
# [[overrides]]
# programs = ["infra/legacy/*"]
# strictness = "lenient"

# Which version of a package is used, unless a program says otherwise.
# [packages.aws]
# version = "7.48.0"
"""


def _quoted(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)
