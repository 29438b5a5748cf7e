"""`pclgen serve`: answer compile requests on standard input, one per line."""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.cli.arguments import Parser
from pclgen.cli.console import Console, UsageError
from pclgen.cli.stores import Stores, add_source_options

EXAMPLES = """\
examples:
  pclgen serve < requests.jsonl
  echo '{"path": "infra/web", "languages": ["go"]}' | pclgen serve
  echo '{"id": 1, "files": {"main.pp": "output x { value = 1 }"}}' | pclgen serve

Each line on standard input is a request in JSON; for each, one line with the answer comes on standard output: the files by
language, and the diagnostics.  docs/serve.md tells all.  It ends when standard input does.

exit status: 0 all lines were answered (errors of a program are in its answer), 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Answer requests until the input ends."""
    about = "Compile what is asked for on standard input."
    parser = Parser("serve", usage="[options]", description=about, examples=EXAMPLES)
    add_source_options(parser)
    args = parser.parse(argv)
    from pclgen.build.serve import Server

    if console.stdin is None:
        raise UsageError("standard input is not available here")
    server = Server(Stores(args, console).settings(), console.environ)
    for answer in server.lines(console.stdin):
        console.print_exactly(answer)
    return 0
