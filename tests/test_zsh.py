"""Completion in a real zsh: its own completion system reads our script and completes like for a person who types a tab."""

from __future__ import annotations

import os
import pty
import shlex
import subprocess
import threading
from pathlib import Path

import pytest

from tests.support.borrowed import shell
from tests.support.waiting import comes_true
from tests.test_integrations import COMPLETIONS, script

_RECORD = """
compadd() {
    if [[ " ${@[1,(i)(-|--)]} " == *\\ -[OAD]\\ * ]]; then builtin compadd "$@"; return; fi
    local -a found
    builtin compadd -A found "$@"
    (( $#found )) && print -rl -- $found >> "$OFFERED"
    builtin compadd "$@"
}
tell() { : > "$DONE" }
zle -N tell
bindkey '^T' tell
bindkey '^I' list-choices
"""
"""The candidates of the completion system go to a file; a second key marks the end."""


def offered(folder: Path, line: str) -> list[str]:
    """The candidates of zsh at the end of a line."""
    zsh = shell("zsh")
    if zsh is None:
        pytest.skip("zsh is not on this machine, and it has no Debian packages")
    home = folder.parent / "home"
    home.mkdir()
    (home / "_pclgen").write_text(script("zsh"))
    start = f"{zsh.first}fpath=({shlex.quote(str(home))} $fpath)\nautoload -Uz compinit && compinit -D -u\n{_RECORD}"
    (home / ".zshrc").write_text(start)
    (home / "offered").touch()
    environ = {
        "PATH": os.environ["PATH"], "HOME": str(home), "ZDOTDIR": str(home), "TERM": "dumb", "LC_ALL": "C.UTF-8",
        "OFFERED": str(home / "offered"), "DONE": str(home / "done"), **zsh.environment,
    }  # fmt: skip  # a table
    ours, theirs = pty.openpty()
    command = [str(zsh.binary), "-o", "no_global_rcs", "-i"]
    with subprocess.Popen(command, cwd=folder, env=environ, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True) as process:
        os.close(theirs)
        threading.Thread(target=_drain, args=(ours,), daemon=True).start()
        os.write(ours, f"{line}\t\x14".encode())
        has_ended = comes_true(lambda: (home / "done").exists() or process.poll() is not None)
        process.kill()
    assert has_ended and (home / "done").exists()
    return sorted(set((home / "offered").read_text().splitlines()))


def _drain(terminal: int) -> None:
    try:
        while os.read(terminal, 4096):
            pass
    except OSError:
        pass  # the shell has ended


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        *COMPLETIONS,
        ("pclgen check w", ["web", "wish.pp"]),
        ("pclgen build --cache-dir ", ["web"]),
        ("pclgen generate --out w", []),
    ],
)
def test_zsh_completes(tmp_path: Path, line: str, expected: list[str]) -> None:
    folder = tmp_path / "here"
    (folder / "web").mkdir(parents=True)
    (folder / "wish.pp").touch()
    assert offered(folder, line) == expected
