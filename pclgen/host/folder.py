"""pclgen's hosts in the plugin folder of the Pulumi CLI.

Each language has a small program there; removing the hosts removes all of it.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote

from pclgen.host.languages import HostLanguage
from pclgen.version import VERSION

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
