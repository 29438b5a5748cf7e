"""`pclgen cache`: show or clean the cache."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from pclgen.cli.arguments import Parser
from pclgen.cli.console import Console, UsageError
from pclgen.cli.programs import count

EXAMPLES = """\
examples:
  pclgen cache info            where it is, and how much is kept
  pclgen cache info --json     for programs
  pclgen cache clean           remove everything; the next build compiles all again

Results of `pclgen build`, `serve` and `docs` (with what docs found out about snippets), indexes of large schemas and
archives of packages are kept.  `cache-size` in the configuration bounds the results, and the indexes; `pclgen deps
install` has archives here again.  `pclgen verify` keeps environments with SDKs, builds of Go programs and results of
runs, 4 GB at most (`verify-cache-size` in the configuration); what is in use is not removed.

exit status: 0 done, 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Show or clean the cache."""
    parser = Parser("cache", usage="info|clean [options]", description="What is kept between runs.", examples=EXAMPLES)
    parser.operand("what", metavar="info|clean", choices=("info", "clean"), about="tell, or remove everything")
    parser.option("--cache-dir", metavar="DIR", about="the cache's directory (also PCLGEN_CACHE_DIR)", type=Path)
    parser.option("--json", about="print JSON", action="store_true")
    args = parser.parse(argv)
    from pclgen.build.cache import cache_usage, clean
    from pclgen.schema.cache import default_directory
    from pclgen.verify import keeping
    from pclgen.verify.environments import cache_folder

    root: Path = args.cache_dir or default_directory(console.environ)
    if root.exists() and not root.is_dir():
        raise UsageError(f"`{root}` is not a directory")
    usage = [(entry.kind, entry.files, entry.size) for entry in (clean(root) if args.what == "clean" else cache_usage(root))]
    folder = args.cache_dir / "verify" if args.cache_dir else cache_folder()
    held = keeping.clean(folder) if args.what == "clean" else keeping.disk_usage(folder)
    usage += [(f"verify-{entry.kind}", entry.files, entry.size) for entry in held]
    if args.json:
        kinds = {kind: {"files": files, "bytes": size} for kind, files, size in usage}
        console.print_exactly(json.dumps({"directory": str(root), **kinds}, indent=2) + "\n")
        return 0
    verb = "removed from" if args.what == "clean" else "kept in"
    console.print_line(f"{verb} {root}")
    for kind, files, size in usage:
        console.print(f"  {kind:19} {count(files, 'file'):>12}  {size / 1e6:10.1f} MB\n")
    return 0
