"""What a run is given on the command line: the options that `evaluate` and `verify` share.

Comes in: a parser, and the values of its options.  Goes out: configuration by key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from pclgen.cli.arguments import Parser
from pclgen.cli.console import UsageError

_MANY: Mapping[str, object] = {"action": "append", "default": []}


def add_run_options(parser: Parser) -> None:
    """Configuration, names of the deployment, and answers of providers."""
    parser.option("--config", metavar="KEY=VALUE", about="a configuration value; repeatable", **_MANY)
    parser.option("--config-secret", metavar="KEY=VALUE", about="a secret configuration value; repeatable", **_MANY)
    parser.option(
        "--config-file", metavar="FILE", about="the configuration of a stack (Pulumi.<stack>.yaml)", type=Path
    )
    parser.option("--stack", metavar="NAME", about="name of the stack (default: dev)", default="dev")
    parser.option("--organization", metavar="NAME", about="name of the organization", default="organization")
    parser.option("--replay", metavar="FILE", about="JSON file with provider answers", type=Path)


def key_values(values: Sequence[str], option: str) -> Mapping[str, str]:
    """`key=value` arguments of `option`; the last one of a key counts.  Raises `UsageError`."""
    found: dict[str, str] = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not equals or not key:
            raise UsageError(f"expected KEY=VALUE after {option}, found `{value}`", f"write {option} region=eu-west-1")
        found[key] = text
    return found
