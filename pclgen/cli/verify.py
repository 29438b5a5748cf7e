"""`pclgen verify`: check generated programs and compare their runs with the evaluator."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pclgen.cli.arguments import (
    Parser,
    add_checking_options,
    add_color_option,
    add_language_option,
    add_run_options,
    add_style_options,
    add_templates_option,
    chosen_languages,
    key_values,
    style_choices,
)
from pclgen.cli.console import Console, UsageError
from pclgen.cli.programs import failed, jobs_of, load_programs
from pclgen.cli.stores import Stores

if TYPE_CHECKING:
    from pclgen.verify.environments import UserEnvironments
    from pclgen.verify.verification import Item, Outcome, VerifyRequest

EXAMPLES = """\
examples:
  pclgen verify web                                    all languages, all levels
  pclgen verify web api --level compile --languages python,go
  pclgen verify web --hcl                              compare values with HashiCorp's HCL, too
  pclgen verify infra/*/ --jobs 4 --require            fail if something cannot be verified, as in CI
  pclgen verify web --config domain=example.com --replay answers.json
  pclgen verify web --python .venv/bin/python --node-modules node_modules

levels (each includes those before it):
  format   the generated text parses, and the language's formatter (black, prettier, gofmt) would not change it
  compile  it type-checks against the SDKs of its packages (pyright or mypy, tsc, go vet)
  run      it runs on the real SDKs, as an update and as a preview, and registers exactly what `pclgen evaluate` prints

SDKs are installed once, in the cache of pclgen (PCLGEN_TOOLCHAINS moves it), as the generated project files ask for them.
The cache takes at most 4 GB (`verify-cache-size` in the configuration); SDKs that were not used for longest go first.
Node and Go are those on the PATH. What is missing, or cannot be got (a registry that refuses, or has no such package), is
named and counted as not verified, never as failed. Standard error tells each step.
exit status: 0 nothing is wrong, 1 a program has errors or failed (with --require: or was not verified), 2 wrong use
"""

_SECONDS = 120.0


def run(argv: Sequence[str], console: Console) -> int:
    """Verify all programs named in `argv`."""
    args, console = _parser().begin(argv, console)
    languages = chosen_languages(args.languages)
    jobs, environments = jobs_of(args) or os.cpu_count() or 1, _environments(args.python, args.node_modules, args.go_module)
    if args.hcl and args.level != "run":
        raise UsageError(f"`--hcl` compares values, which `--level {args.level}` does not compute", "remove `--level`")
    if not args.timeout > 0:
        raise UsageError(f"`--timeout {args.timeout:g}`: it must be greater than 0")
    stores = Stores(args, console)
    programs = load_programs(args.paths, console, args)
    from pclgen.pipeline import inputs_for_run
    from pclgen.verify.verification import Item, VerifyRequest, verify_programs

    config, secrets = key_values(args.config, "--config"), key_values(args.config_secret, "--config-secret")
    items: list[Item] = [
        Item(
            program=program,
            store=stores.of(program),
            lenient=stores.lenient(program),
            overlay=stores.overlay(args.templates or stores.choices(program).templates),
            style=style_choices(args).over(stores.choices(program)).style,
            run_inputs=inputs_for_run(
                program,
                stack=args.stack,
                organization=args.organization,
                config=config,
                secrets=secrets,
                stack_file=args.config_file,
                replay_file=args.replay,
            ),
        )
        for program in programs
    ]
    request: VerifyRequest = VerifyRequest(
        languages=languages,
        level=args.level,
        environments=environments,
        jobs=jobs,
        keep=not args.no_cache,
        timeout=args.timeout,
        cache_limit=_cache_limit(
            [stores.project(loaded.surroundings).configuration.verify_cache_size for loaded in programs]
        ),
        hcl=args.hcl,
        tell=_progress(console, quiet=args.quiet),
    )
    outcome = verify_programs(items, request)
    stores.tell()
    return _reported(outcome, console, as_json=args.output_format == "json", require=args.require)


def _cache_limit(megabytes: Sequence[int | None]) -> int:
    """Return the size limit of SDKs and builds in bytes: the largest that a program's configuration sets."""
    from pclgen.verify.keeping import DEFAULT_LIMIT

    return max((size * 1_000_000 for size in megabytes if size is not None), default=DEFAULT_LIMIT)


def _reported(outcome: Outcome, console: Console, *, as_json: bool, require: bool) -> int:
    """Print everything; return the exit status."""
    from pclgen.verify.report import Status, to_json, to_text

    console.report(outcome.diagnostics, "text", stream=console.err)
    report = outcome.report
    if as_json:
        console.print_exactly(json.dumps(to_json(report), indent=2, ensure_ascii=False) + "\n")
    else:
        console.print(to_text(report, color=console.style(console.out).color))
    wrong = report.is_wrong or (require and report.count(Status.NOT_VERIFIED) > 0)
    return 1 if wrong else failed(outcome.diagnostics)


def _parser() -> Parser:
    parser = Parser(
        "verify",
        usage="PATH... [--level LEVEL] [--languages LANGUAGE] [--require] [options]",
        description="Generate programs into a scratch folder, and format, type-check and run the result in every language.",
        examples=EXAMPLES,
    )
    parser.operand("paths", metavar="PATH", nargs="+", about="a program directory, one .pp file, or - (standard input)")
    parser.option("--level", about="format, compile or run (default)", choices=("format", "compile", "run"), default="run")
    add_language_option(parser, "--languages")
    parser.option("--require", about="fail if something cannot be verified", action="store_true")
    about = "compare locals and outputs that need no resource with HashiCorp's HCL, too (needs Go)"
    parser.option("--hcl", about=about, action="store_true")
    parser.option("--jobs", "-j", metavar="N", about="number of programs to run at once (default: one per core)", type=int)
    parser.option("--timeout", metavar="SECONDS", about="time limit of a program", type=float, default=_SECONDS)
    add_run_options(parser)
    add_templates_option(parser)
    add_style_options(parser)
    parser.option("--python", metavar="FILE", about="use the SDKs of this interpreter", type=Path)
    parser.option("--node-modules", metavar="DIR", about="use the npm packages of this folder", type=Path)
    parser.option("--go-module", metavar="DIR", about="use the SDKs that the go.mod of this folder requires", type=Path)
    parser.option("--output-format", about="text (default) or json", choices=("text", "json"), default="text")
    parser.option("--quiet", "-q", about="do not tell the steps", action="store_true")
    add_color_option(parser)
    add_checking_options(parser)
    return parser


def _environments(python: Path | None, modules: Path | None, module: Path | None) -> UserEnvironments:
    """Return the environments that the user names. Raises `UsageError` for a missing environment."""
    from pclgen.verify.environments import UserEnvironments

    try:
        if python is not None and not python.is_file():
            raise UsageError(f"`--python {python}`: there is no such file", "name an interpreter, as in .venv/bin/python")
        if python is not None and not os.access(python, os.X_OK):
            raise UsageError(f"`--python {python}`: it cannot be run", "name an interpreter, as in .venv/bin/python")
        if modules is not None and not modules.is_dir():
            raise UsageError(f"`--node-modules {modules}`: there is no such folder", "npm install makes it")
        if module is not None and not (module / "go.mod").is_file():
            raise UsageError(f"`--go-module {module}`: there is no go.mod in it", "name the folder of a Go module")
        if module is not None:
            (module / "go.mod").read_bytes()
    except OSError as error:
        raise UsageError(f"`{error.filename}` cannot be read: {error.strerror}") from error
    return UserEnvironments(python=python, node_modules=modules, go_module=module)


def _progress(console: Console, *, quiet: bool) -> Callable[[str], None]:
    """Return a function that prints each step as it begins, also in logs: a step may take minutes."""
    if quiet:
        return lambda _: None
    return lambda text: console.say(f"{text} ...")
