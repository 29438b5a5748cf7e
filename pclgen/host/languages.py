"""The languages for which pclgen has a host, and the hosts' programs in the plugin folder of the Pulumi CLI.

A language has a name in Pulumi, a name in pclgen, and a small program in the plugin folder; removing the hosts removes all
of it.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote

from msgspec import Struct

from pclgen.version import VERSION


class HostLanguage(Struct, frozen=True, kw_only=True):
    """A language: its runtime name in Pulumi.yaml, and its target name in pclgen."""

    runtime: str
    target: str

    @property
    def stock(self) -> str:
        """The file name of Pulumi's stock host."""
        return f"pulumi-language-{self.runtime}"

    @property
    def ours(self) -> str:
        """The file name of pclgen's host."""
        return f"pulumi-language-{self.plugin}"

    @property
    def plugin(self) -> str:
        """The name of pclgen's host among the CLI's plugins."""
        return f"pclgen-{self.runtime}"

    @property
    def variable(self) -> str:
        """The environment variable that names the stock host."""
        return f"PCLGEN_LANGUAGE_HOST_{self.runtime.upper()}"


HOST_LANGUAGES: Mapping[str, HostLanguage] = {
    "python": HostLanguage(runtime="python", target="python"),
    "nodejs": HostLanguage(runtime="nodejs", target="typescript"),
    "go": HostLanguage(runtime="go", target="go"),
}
"""The languages by runtime."""


# -- plugin folder ----------------------------------------------------------------------------------------------------------

_MARK = "# Written by `pclgen plugin install`."
_SCRIPT = """\
#!/bin/sh
{mark}
exec {python} -P -c 'from pclgen.host.launch import {runtime}; {runtime}()' "$@"
"""


def install(plugins: Path, languages: Sequence[HostLanguage]) -> list[Path]:
    """Install the hosts into the folder `plugins`, replacing other versions; return their programs.

    They run with the current Python. Raises `OSError`.
    """
    uninstall(plugins, languages)
    programs = []
    for language in languages:
        folder = plugins / f"language-{language.plugin}-v{VERSION}"
        folder.mkdir(parents=True, exist_ok=True)
        program = folder / language.ours
        text = _SCRIPT.format(mark=_MARK, python=quote(sys.executable), runtime=language.runtime)
        scratch = folder / f".{language.ours}.tmp"  # atomic: a CLI may run it at any moment
        scratch.write_text(text, encoding="utf-8")
        scratch.chmod(0o755)
        os.replace(scratch, program)
        programs.append(program)
    return programs


def uninstall(plugins: Path, languages: Sequence[HostLanguage]) -> list[Path]:
    """Remove the hosts that `install` created, of any version; return their folders. Raises `OSError`."""
    gone = []
    for language in languages:
        for folder in sorted(plugins.glob(f"language-{language.plugin}-v*")):
            if _is_ours(folder / language.ours):
                shutil.rmtree(folder)
                with suppress(OSError):  # the CLI's marker file beside it, which may not exist
                    os.remove(f"{folder}.lock")
                gone.append(folder)
    return gone


def _is_ours(program: Path) -> bool:
    try:
        return _MARK in program.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return False
