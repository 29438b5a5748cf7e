"""`pclgen templates`: list the templates that an overlay can replace, or print one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pclgen.cli.arguments import Parser, add_color_option
from pclgen.cli.console import Console, UsageError
from pclgen.diagnostics.suggest import suggestion
from pclgen.emit.overlay import template_names, template_text

EXAMPLES = """\
examples:
  pclgen templates                                          list the templates and their purposes
  pclgen templates python/statements/construct.jinja        print pclgen's template, as a starting point
  pclgen generate web --templates house                     use the templates in `house` instead of pclgen's

docs/templates.md describes the variables of templates, and which of them are stable across versions.
"""

_COMMENT = re.compile(r"\{# (.*?) #\}")


def run(argv: Sequence[str], console: Console) -> int:
    """List the templates, or print the template in `argv`.  Raises `UsageError` for an unknown template."""
    args = _parser().parse(argv)
    names = template_names()
    if args.name is None:
        width = max(map(len, names))
        for name in names:
            comment = _COMMENT.match(template_text(name))
            console.print(f"{name:<{width}}  {comment[1] if comment is not None else ''}".rstrip() + "\n")
        return 0
    if args.name not in names:
        hint = suggestion(args.name, names, "`pclgen templates` lists all")
        raise UsageError(f"pclgen has no template `{args.name}`", hint)
    console.print_exactly(template_text(args.name))
    return 0


def _parser() -> Parser:
    parser = Parser(
        "templates",
        usage="[NAME]",
        description="List the templates of generated code, or print one.",
        examples=EXAMPLES,
    )
    parser.operand("name", metavar="NAME", nargs="?", about="for example go/file.go.jinja (default: list all templates)")
    add_color_option(parser)
    return parser
