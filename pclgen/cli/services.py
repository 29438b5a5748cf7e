"""The commands that let other programs use pclgen: editors, the Pulumi CLI, and any other.

    pclgen lsp       the language server for editors
    pclgen plugin    pclgen as the language host behind `pulumi convert`
    pclgen serve     answers to compile requests on standard input, one per line
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from pclgen.cli.arguments import Parser
from pclgen.cli.console import Console, UsageError
from pclgen.cli.stores import Stores, add_source_options
from pclgen.languages import LANGUAGE_NAMES

if TYPE_CHECKING:
    from pclgen.host.languages import HostLanguage


# -- editors ----------------------------------------------------------------------------------------------------------------

_LSP_EXAMPLES = """\
examples:
  pclgen lsp                        on standard input and output, as editors start it
  pclgen lsp --tcp 127.0.0.1:9257   for an editor that connects
  pclgen lsp --schemas schemas      package schemas are in `schemas`

docs/guides/editors.md shows how to set up Neovim, Helix, Zed, Emacs and VS Code.

exit status: 0 the editor ended the session; 2 wrong use
"""


def run_lsp(argv: Sequence[str], console: Console) -> int:
    """Serve one editor until it ends the session.  Raises `UsageError`."""
    parser = Parser(
        "lsp", usage="[options]", description="Serve an editor with the language server protocol.", examples=_LSP_EXAMPLES
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


# -- the pulumi cli ---------------------------------------------------------------------------------------------------------

_PLUGIN_EXAMPLES = """\
examples:
  pclgen plugin install                   then: pulumi convert --from pcl --language pclgen-go --out out
  pclgen plugin install python go         install some languages only
  pclgen plugin uninstall                 remove all of them
  pclgen plugin serve python              run one in the foreground, and print the variable that attaches a CLI

`install` writes to the plugins of PULUMI_HOME (~/.pulumi). pclgen forwards all requests but those that generate programs to
Pulumi's own language host: `pulumi-language-LANGUAGE` on PATH, or the program in PCLGEN_LANGUAGE_HOST_LANGUAGE.

exit status: 0 done, 2 wrong use
"""


def run_plugin(argv: Sequence[str], console: Console) -> int:
    """Serve, install or uninstall."""
    parser = Parser(
        "plugin",
        usage="serve LANGUAGE | install [LANGUAGE...] | uninstall [LANGUAGE...]",
        description="Let the Pulumi CLI generate programs with pclgen.",
        examples=_PLUGIN_EXAMPLES,
    )
    whats = ("serve", "install", "uninstall")
    parser.operand("what", metavar="|".join(whats), choices=whats, about="what to do")
    parser.operand("languages", metavar="LANGUAGE", nargs="*", about="python, nodejs or go")
    args = parser.parse(argv)
    languages = _languages(args.languages)
    if args.what == "serve":
        if len(args.languages) != 1:
            raise UsageError("`pclgen plugin serve` serves one language", "say which: python, nodejs or go")
        return _serve(languages[0], console)
    return _change(args.what, languages, console)


def _languages(names: Sequence[str]) -> list[HostLanguage]:
    from pclgen.host.languages import HOST_LANGUAGES

    by_target = {language.target: language for language in HOST_LANGUAGES.values()}
    unknown = next((name for name in names if name not in LANGUAGE_NAMES), None)
    if unknown is not None:
        raise UsageError(f"there is no language `{unknown}`", f"there are {', '.join(HOST_LANGUAGES)}")
    return [by_target[LANGUAGE_NAMES[name]] for name in dict.fromkeys(names)] or list(HOST_LANGUAGES.values())


def _serve(language: HostLanguage, console: Console) -> int:
    from pclgen.host.launch import leave, serve

    def announce(port: int) -> None:
        console.print(
            f"serving {language.runtime}; stop it with Ctrl-C.  In another terminal:\n\n"
            f"  PULUMI_DEBUG_LANGUAGES={language.runtime}:{port} pulumi convert --from pcl --language {language.runtime}\n\n"
        )
        sys.stdout.flush()

    reason = serve(language, (), announce)
    if reason is not None:
        raise UsageError(f"cannot serve: {reason}")
    leave(0)
    return 0


def _change(action: str, languages: Sequence[HostLanguage], console: Console) -> int:
    from pclgen.host.languages import install, uninstall
    from pclgen.schema.plugins import plugin_folder

    plugins = plugin_folder(console.environ)
    if plugins is None:
        raise UsageError("there is no home directory", "name Pulumi's folder in PULUMI_HOME")
    if sys.platform == "win32":
        raise UsageError("Pulumi's folder takes only compiled programs on Windows", "put pclgen's scripts on PATH instead")
    try:
        done = install(plugins, languages) if action == "install" else uninstall(plugins, languages)
    except OSError as error:
        raise UsageError(f"cannot write to `{plugins}`: {error.strerror or error}") from None
    verb = "installed" if action == "install" else "removed"
    for path in done:
        console.say(f"{verb} {path}")
    if not done:
        console.say(f"pclgen is not installed in {plugins}")
    return 0


# -- requests ---------------------------------------------------------------------------------------------------------------

_SERVE_EXAMPLES = """\
examples:
  pclgen serve < requests.jsonl
  echo '{"path": "infra/web", "languages": ["go"]}' | pclgen serve
  echo '{"id": 1, "files": {"main.pp": "output x { value = 1 }"}}' | pclgen serve

Each line on standard input is a request in JSON; for each, one line with the answer comes on standard output: the files by
language, and the diagnostics.  docs/serve.md tells all.  It ends when standard input does.

exit status: 0 all lines were answered (errors of a program are in its answer), 2 wrong use
"""


def run_serve(argv: Sequence[str], console: Console) -> int:
    """Answer requests until the input ends."""
    about = "Answer compile requests from standard input."
    parser = Parser("serve", usage="[options]", description=about, examples=_SERVE_EXAMPLES)
    add_source_options(parser)
    args = parser.parse(argv)
    from pclgen.build.serve import Server

    if console.stdin is None:
        raise UsageError("standard input is not available here")
    server = Server(Stores(args, console).settings(), console.environ)
    for answer in server.lines(console.stdin):
        console.print_exactly(answer)
    return 0
