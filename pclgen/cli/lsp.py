"""`pclgen lsp`: the language server for editors."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from pclgen.cli.arguments import Parser
from pclgen.cli.console import Console, UsageError
from pclgen.cli.stores import Stores, add_source_options

EXAMPLES = """\
examples:
  pclgen lsp                        on standard input and output, as editors start it
  pclgen lsp --tcp 127.0.0.1:9257   for an editor that connects
  pclgen lsp --schemas schemas      package schemas are in `schemas`

docs/guides/editors.md shows how to set up Neovim, Helix, Zed, Emacs and VS Code.

exit status: 0 the editor ended the session; 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Serve one editor until it ends the session.  Raises `UsageError`."""
    parser = Parser(
        "lsp", usage="[options]", description="Serve an editor with the language server protocol.", examples=EXAMPLES
    )
    parser.option("--stdio", about="use standard input and output (the default)", action="store_true")
    parser.option("--tcp", metavar="HOST:PORT", about="listen at this address for one editor")
    add_source_options(parser)
    args = parser.parse(argv)
    if args.stdio and args.tcp is not None:
        raise UsageError("`--stdio` and `--tcp` exclude each other")
    address = _address(args.tcp) if args.tcp is not None else None
    settings = Stores(args, console).settings()
    if find_spec("pygls") is None:
        raise UsageError("`pclgen lsp` needs packages that are not installed", "pip install 'pclgen[lsp]'")
    from pclgen.lsp.server import serve

    serve(settings, console.environ, address=address)
    return 0


def _address(text: str) -> tuple[str, int]:
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise UsageError(f"`--tcp {text}`: expected HOST:PORT", "for example `--tcp 127.0.0.1:9257`")
    return host.strip("[]") or "127.0.0.1", int(port)
