"""The entry point of the command line: runs a command and turns every outcome into an exit status.

    0    success (warnings do not count)
    1    the program has errors, or `fmt --check` found a file to format
    2    wrong use: unknown option, missing file, output that cannot be written or would overwrite other files
    3    pclgen itself failed; nothing was written
    130  interrupted (Ctrl-C);  141  the reader of the output closed it

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

GROUPS: Mapping[str, Mapping[str, str]] = {
    "everyday": {
        "init": "write pclgen.toml for the programs below a folder, or an example",
        "check": "report the errors in programs",
        "generate": "compile programs to Python, TypeScript and Go projects",
        "build": "compile all programs of a project",
        "fmt": "format .pp files",
    },
    "proof": {
        "evaluate": "run a program without a cloud and print its resources",
        "verify": "format, type-check and run the generated programs, and compare them",
    },
    "publish": {
        "docs": "write the examples of Markdown files and schemas in every language",
        "pack": "bundle a program and everything it needs into one file",
        "deps": "choose, fetch and publish packages of components",
    },
    "explore": {
        "schema": "inspect package schemas and vendor them",
        "view": "show a program, its generated code and a run of it on a page",
        "graph": "draw the dependencies of a program",
        "functions": "describe the functions that programs can call",
        "config": "describe and check the configuration of a program",
        "explain": "explain a diagnostic code",
    },
    "integrate": {
        "plugin": "make the Pulumi CLI generate with pclgen",
        "lsp": "serve editors: diagnostics, completion, hover, rename",
        "serve": "answer compilation requests in JSON on standard input",
        "completion": "print a shell completion script",
        "cache": "show or clean the cache",
        "templates": "list the templates that shape the generated code",
    },
}
"""The commands by purpose, with a one-line description each."""

COMMANDS: Mapping[str, str] = {name: about for group in GROUPS.values() for name, about in group.items()}

SHARED: Mapping[str, str] = {
    **dict.fromkeys(("functions", "explain", "templates"), "reference"),
    **dict.fromkeys(("lsp", "plugin", "serve"), "services"),
    **dict.fromkeys(("view", "graph"), "show"),
}
"""The modules with several commands, in functions `run_<command>`; any other command is `run` in the module of its name."""


def _help() -> str:
    groups = "\n".join(
        f"{title}:\n" + "".join(f"  {name:<10} {about}\n" for name, about in commands.items())
        for title, commands in GROUPS.items()
    )
    return f"""\
usage: pclgen COMMAND ...

Compile Pulumi programs in PCL (.pp files) or Pulumi YAML to Python, TypeScript and Go.

{groups}
options:
  --version  print the version
  --help     print this help; `pclgen COMMAND --help` describes a command

examples:
  pclgen init shop --example web-service
  pclgen generate examples/web-service --schemas examples/schemas
  pclgen check infra/*/ --schemas schemas
  pclgen explain PCL0101

A program is a folder with .pp files, one .pp file, a Pulumi YAML file, or `-` for standard input.
Exit status: 0 success, 1 errors in a program, 2 wrong use, 3 a bug in pclgen.
"""


HELP = _help()


class Command(Protocol):
    """A command: a function that runs it."""

    def __call__(self, argv: Sequence[str], console: Console) -> int:
        """Run the command; return the exit status. Raises `UserError`."""
        ...


def command(name: str) -> tuple[Command, Mapping[str, object]]:
    """Import the module of a command; return the command and its subcommands by name."""
    module = import_module(f"pclgen.cli.{SHARED.get(name, name)}")
    return cast(Command, getattr(module, f"run_{name}" if name in SHARED else "run")), getattr(module, "COMMANDS", {})


def main(argv: Sequence[str]) -> int:
    """Run the command line with `argv` (without the program's name); return the exit status."""
    _open_missing_streams()
    try:
        status = _dispatch(argv)
        if not sys.stdout.closed:  # the language server closes it after its editor has exited
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
    """Replace standard streams that the caller has closed, which are None in Python."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  # for the life of the process


def _drop_output() -> None:
    """Discard buffered output, so that Python does not report it again when it flushes at exit."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _cannot_write(error: Exception) -> bool:
    """Return whether a standard stream failed; failures of files have a name and their own messages."""
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
    from pclgen.cli.console import Console
    from pclgen.errors import UserError

    console = Console(out=sys.stdout, err=sys.stderr, stdin=getattr(sys.stdin, "buffer", None))
    try:
        if name not in COMMANDS:
            raise _unknown_command(name)
        run, _ = command(name)
        return run(argv, console)
    except UserError as error:
        console.complain(str(error), error.hint)
        return WRONG_USAGE
    except SystemExit as request:
        # argparse exits this way after `--help`.
        return request.code if isinstance(request.code, int) else OK
    except (BrokenPipeError, KeyboardInterrupt):
        raise
    except Exception as error:  # The last line of defense: a bug of pclgen must not look like an error of the user.
        if _cannot_write(error):
            raise
        if isinstance(error, OSError) and error.filename is not None and error.errno in _REFUSED:
            console.complain(f"cannot use `{os.fsdecode(error.filename)}`: {error.strerror}", None)
            return WRONG_USAGE
        return _internal_error(console, error)


def _unknown_command(name: str) -> Exception:
    from pclgen.cli.console import UsageError
    from pclgen.diagnostics.suggest import suggestion

    if name.endswith(".pp") or os.path.isdir(name):
        return UsageError(f"`{name}` is not a command", f"to compile it, type `pclgen generate {name}`")
    hint = suggestion(name, COMMANDS, f"the commands are {', '.join(COMMANDS)}; see `pclgen --help`")
    return UsageError(f"there is no command `{name}`", hint)


def _internal_error(console: Console, error: Exception) -> int:
    if os.environ.get("PCLGEN_TRACEBACK"):
        import traceback

        traceback.print_exception(error, file=console.err)
    from pclgen.errors import REPORT_WITH_TRACEBACK, own_failure

    console.complain(f"{own_failure(error)}; nothing was written", REPORT_WITH_TRACEBACK)
    return INTERNAL_ERROR
