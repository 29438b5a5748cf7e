"""`pclgen generate --dump-after`: print a program after a compiler pass, or list the passes."""

from __future__ import annotations

import argparse

from pclgen.cli.arguments import chosen_languages, style_choices
from pclgen.cli.console import Console, UsageError
from pclgen.cli.programs import failed, load_programs
from pclgen.cli.stores import Stores
from pclgen.diagnostics.suggest import suggestion

LIST = "list"


def dump(args: argparse.Namespace, console: Console) -> int:
    """Print the program after the pass in `args`; status 1 if it has errors. Raises `UsageError`."""
    from pclgen import pipeline

    passes = pipeline.passes()
    if args.dump_after == LIST:
        width = max(map(len, passes))
        for name, does in passes.items():
            console.print(f"{name:{width}}  {does}\n")
        return 0
    if args.dump_after not in passes:
        hint = suggestion(args.dump_after, passes, "`--dump-after list` names them all")
        raise UsageError(f"`--dump-after`: there is no pass `{args.dump_after}`", hint)
    if len(args.paths) != 1:
        raise UsageError("`--dump-after` prints one program", "name one, as in `pclgen generate web --dump-after order`")
    stores = Stores(args, console)
    [program] = load_programs(args.paths, console, args)
    outcome = pipeline.dump(
        program,
        after=args.dump_after,
        languages=chosen_languages(args.language),
        store=stores.of(program),
        lenient=stores.lenient(program),
        style=style_choices(args).over(stores.choices(program)).style,
    )
    stores.tell()
    console.report(outcome.diagnostics, args.output_format, stream=console.err)
    if outcome.text is not None:
        console.print_exactly(outcome.text)
    return failed(outcome.diagnostics)
