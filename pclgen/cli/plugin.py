"""`pclgen plugin`: run or install pclgen as the language host behind `pulumi convert`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pclgen.cli.arguments import Parser
from pclgen.cli.console import Console, UsageError
from pclgen.languages import LANGUAGE_NAMES

if TYPE_CHECKING:
    from pclgen.host.languages import HostLanguage

EXAMPLES = """\
examples:
  pclgen plugin install                   then: pulumi convert --from pcl --language pclgen-go --out out
  pclgen plugin install python go         install some languages only
  pclgen plugin uninstall                 remove all of them
  pclgen plugin serve python              run one in the foreground, and print the variable that attaches a CLI

`install` writes to the plugins of PULUMI_HOME (~/.pulumi). pclgen forwards all requests but those that generate programs to
Pulumi's own language host: `pulumi-language-LANGUAGE` on PATH, or the program in PCLGEN_LANGUAGE_HOST_LANGUAGE.

exit status: 0 done, 2 wrong use
"""


def run(argv: Sequence[str], console: Console) -> int:
    """Serve, install or uninstall."""
    parser = Parser(
        "plugin",
        usage="serve LANGUAGE | install [LANGUAGE...] | uninstall [LANGUAGE...]",
        description="Let the Pulumi CLI generate programs with pclgen.",
        examples=EXAMPLES,
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
