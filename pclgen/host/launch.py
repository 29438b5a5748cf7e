"""The programs `pulumi-language-pclgen-python`, `-nodejs` and `-go`, as the Pulumi CLI starts them.

They take the arguments that the CLI passes to the stock host, print the port, and serve.
"""

from __future__ import annotations

import sys

from pclgen.host.languages import HOST_LANGUAGES, HostLanguage
from pclgen.host.serve import leave, serve


def _launch(language: HostLanguage) -> None:
    reason = serve(language, sys.argv[1:], _announce)
    if reason is not None:
        print(f"error: {language.ours} cannot run: {reason}", file=sys.stderr)
    leave(1 if reason is not None else 0)


def _announce(port: int) -> None:
    print(port, flush=True)


def python() -> None:
    """The host for Python."""
    _launch(HOST_LANGUAGES["python"])


def nodejs() -> None:
    """The host for TypeScript."""
    _launch(HOST_LANGUAGES["nodejs"])


def go() -> None:
    """The host for Go."""
    _launch(HOST_LANGUAGES["go"])
