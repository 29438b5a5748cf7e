"""The entry of the command line: finds the command, runs it, turns every outcome into an exit status.

Comes in: the arguments.  Goes out: the status.

    0    done, nothing wrong (warnings do not count)
    1    the program has errors, or `fmt --check` found a file to format
    2    wrong use: unknown option, missing file, output that would overwrite somebody's work or cannot be written
    3    pclgen itself failed; nothing was written
    130  interrupted (Ctrl-C);  141  the reader of the output went away

`--version` and `--help` answer before anything else is imported.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from pclgen.version import VERSION

if TYPE_CHECKING:
    from pclgen.cli.console import Console

OK = 0
HAS_ERRORS = 1
WRONG_USAGE = 2
INTERNAL_ERROR = 3
INTERRUPTED = 130
PIPE_CLOSED = 141
_FULL = (errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT)
_REFUSED = (*_FULL, errno.EACCES, errno.EPERM, errno.EROFS, errno.ELOOP, errno.ENAMETOOLONG)  # by the file system

COMMANDS: Mapping[str, str] = {
    "init": "write a first configuration for the programs below a folder",
    "build": "compile all programs of a project",
    "generate": "turn programs into Python, TypeScript and Go projects",
    "check": "find the mistakes in programs",
    "verify": "check, compile and run what is generated, and compare",
    "docs": "write the examples of docs and schemas in every language",
    "serve": "compile what is asked for on standard input, in JSON",
    "fmt": "lay out .pp files in the one canonical way",
    "evaluate": "run a program without any cloud: what it registers",
    "graph": "draw what depends on what in a program",
    "pack": "put a program, with all that it needs, into one file",
    "config": "describe the configuration of a program",
    "schema": "look around in package schemas, and keep a project's own",
    "deps": "choose, fetch and publish packages of components",
    "plugin": "let the Pulumi CLI generate with pclgen",
    "templates": "list the templates that shape what is generated",
    "cache": "tell how much is kept between runs, and remove it",
    "functions": "describe the functions that programs can call",
    "explain": "explain a diagnostic code",
    "completion": "print what a shell needs to complete all this",
}

HELP = f"""\
usage: pclgen COMMAND ...

pclgen compiles Pulumi Configuration Language (PCL, files ending in .pp) to Python, TypeScript and Go.

commands:
{"".join(f"  {name:<10} {about}" + chr(10) for name, about in COMMANDS.items())}
  --version  print the version
  --help     print this; `pclgen COMMAND --help` tells more about a command

examples:
  pclgen generate examples/web-service --schemas examples/schemas
  pclgen check infra/*/ --schemas schemas
  pclgen fmt . --check
  pclgen explain PCL0101

A program is a directory with .pp files, one .pp file, or `-` for standard input.
Exit status: 0 fine, 1 errors in a program, 2 wrong use, 3 a bug in pclgen.
"""


class Command(Protocol):
    """What the module of a command provides."""

    def run(self, argv: Sequence[str], console: Console) -> int:
        """Do it; return the exit status.  Raises `UsageError`, `LoadError` or `WriteError`."""
        ...


def main(argv: Sequence[str]) -> int:
    """Run the command line with `argv` (without the program's name); return the exit status."""
    _open_missing_streams()
    try:
        status = _dispatch(argv)
        sys.stdout.flush()
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except OSError as error:
        _drop_output()
        print(f"error: cannot write to standard output: {error.strerror or error}", file=sys.stderr)
        return WRONG_USAGE
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    return status


def _open_missing_streams() -> None:
    """Stand-ins for standard streams that the caller has closed, which Python has as None."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # for the life of the process


def _drop_output() -> None:
    """Forget what waits to be written: Python would complain once more when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _cannot_write(error: Exception) -> bool:
    """Whether a standard stream took no more; files have a name, and messages of their own."""
    return isinstance(error, OSError) and error.filename is None and error.errno in _FULL


def _dispatch(argv: Sequence[str]) -> int:
    if not argv:
        sys.stderr.write(HELP)
        return WRONG_USAGE
    first, rest = argv[0], argv[1:]
    if first in ("--version", "-V"):
        print(f"pclgen {VERSION}")
        return OK
    if first in ("--help", "-h") or (first == "help" and not rest):
        sys.stdout.write(HELP)
        return OK
    if first == "help":
        first, rest = rest[0], ["--help"]
    return _run(first, rest)


def _run(name: str, argv: Sequence[str]) -> int:
    from pclgen.cli.console import Console, UsageError
    from pclgen.emit.write import WriteError
    from pclgen.source.load import LoadError

    console = Console(out=sys.stdout, err=sys.stderr, stdin=getattr(sys.stdin, "buffer", None))
    try:
        if name not in COMMANDS:
            raise _unknown_command(name)
        return cast(Command, import_module(f"pclgen.cli.{name}")).run(argv, console)
    except (UsageError, LoadError, WriteError) as error:
        console.complain(str(error), error.hint)
        return WRONG_USAGE
    except SystemExit as request:
        # argparse leaves this way after `--help`.
        return request.code if isinstance(request.code, int) else OK
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:  # The last line of defence: a bug of ours must not look like one of the user's.
        if _cannot_write(error):
            raise
        if isinstance(error, OSError) and error.filename is not None and error.errno in _REFUSED:
            console.complain(f"cannot use `{os.fsdecode(error.filename)}`: {error.strerror}", None)
            return WRONG_USAGE
        return _internal_error(console, error)


def _unknown_command(name: str) -> Exception:
    from pclgen.cli.console import UsageError
    from pclgen.diagnostics.suggest import suggest

    if name.endswith(".pp") or os.path.isdir(name):
        return UsageError(f"`{name}` is not a command", f"to compile it, type `pclgen generate {name}`")
    similar = suggest(name, COMMANDS)
    hint = f"did you mean `{similar}`?" if similar else f"the commands are {', '.join(COMMANDS)}; see `pclgen --help`"
    return UsageError(f"there is no command `{name}`", hint)


def _internal_error(console: Console, error: Exception) -> int:
    if os.environ.get("PCLGEN_TRACEBACK"):
        import traceback

        traceback.print_exception(error, file=console.err)
    from pclgen.diagnostics.bugs import REPORT_WITH_TRACEBACK, own_failure

    console.complain(f"{own_failure(error)}; nothing was written", REPORT_WITH_TRACEBACK)
    return INTERNAL_ERROR
