"""Programs that pclgen works with (Bazel, zsh, fish), for the tests that drive them.

Each function returns how to start a program, or None if neither the machine nor a registry has it.  The machine's own
program comes first (except for Bazel, whose versions differ too much); otherwise it is unpacked from a package into the
folder of `tests.support.toolchains`: nothing is installed in the system, and the tests themselves use no network.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from tests.support.toolchains import ToolError, cache_folder, locked, node_commands, run

BAZEL = "2.1.0"
"""The newest version that is complete in the npm registry: later packages load their binary from elsewhere."""
_BAZEL_PACKAGE = "@bazel/bazel-linux_x64"
_PACKAGES: Mapping[str, Sequence[str]] = {"zsh": ("zsh", "zsh-common"), "fish": ("fish", "fish-common", "libpcre2-32-0")}
_READY = ".ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """A shell: its binary, its environment, and the text that it has to read first."""

    binary: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    first: str = ""


@cache
def bazel() -> Path | None:
    """Bazel itself, a binary that includes its own Java."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return None
    home = cache_folder() / f"bazel-{BAZEL}"
    with locked(home.name):
        if not (home / _READY).exists():
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir(parents=True)
            node, npm = node_commands()
            command = [*npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", f"{_BAZEL_PACKAGE}@{BAZEL}"]
            run(command, cwd=home, env={"PATH": f"{node.parent}{os.pathsep}{os.environ['PATH']}"})
            (home / _READY).touch()
    return home / "node_modules" / _BAZEL_PACKAGE / f"bazel-{BAZEL}-linux-x86_64"


@cache
def shell(name: str) -> Shell | None:
    """The shell `bash`, `zsh` or `fish`."""
    command = shutil.which(name)
    if command is not None:
        return Shell(binary=Path(command))
    if name not in _PACKAGES or shutil.which("apt-get") is None or shutil.which("dpkg") is None:
        return None
    try:
        root = _unpacked(name)
    except ToolError:
        return None  # no Debian, or no access to its packages
    libraries = os.pathsep.join(str(folder) for folder in root.glob("usr/lib/*-linux-gnu"))
    environment = {"LD_LIBRARY_PATH": libraries}
    binary = next(path for path in (root / "bin" / name, root / "usr" / "bin" / name) if path.exists())
    if name == "zsh":
        modules = next(root.glob("usr/lib/*/zsh/*"))
        folders = sorted(place for place in (root / "usr/share/zsh/functions").rglob("*") if place.is_dir())
        functions = shlex.join(map(str, folders))
        return Shell(binary=binary, environment=environment, first=f"module_path=({shlex.quote(str(modules))}); fpath=({functions})\n")
    return Shell(binary=binary, environment=environment)


def _unpacked(name: str) -> Path:
    """The files of the packages of a shell.  Raises `ToolError`."""
    home = cache_folder() / f"debian-{name}"
    with locked(home.name):
        if not (home / _READY).exists():
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir(parents=True)
            try:
                run(["apt-get", "download", *_PACKAGES[name]], cwd=home)
            except ToolError:
                run(["apt-get", "update"], cwd=home)
                run(["apt-get", "download", *_PACKAGES[name]], cwd=home)
            for package in sorted(home.glob("*.deb")):
                run(["dpkg", "-x", package, home], cwd=home)
            # fish looks for both of its folders beside its binary.
            (home / "usr" / "etc").symlink_to("../etc")
            (home / _READY).touch()
    return home
