"""Type-check Go programs against generated SDKs.

Go's own checker reads the SDKs from their sources, bodies included: compiling them would take minutes.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from tests.support import toolchains
from tests.support.compilers import Messages, Programs
from tests.support.earlier import once
from tests.support.sdks.go import Kit
from tests.support.toolchains import ToolError, run


@once
def check_types(programs: Programs, kit: Kit) -> Messages:
    """The messages of Go's type checker by program, as `go: file:line:column: text`.  Raises `ToolError`."""
    messages: Messages = {name: [] for name in programs}
    owners: dict[Path, str] = {}
    for name, folder in sorted(programs.items()):
        folders = {path.parent for path in folder.rglob("*.go")}
        messages[name] += [] if folders else ["go: no file"]
        owners |= dict.fromkeys(sorted(folders), name)
    imports = sorted({*_tool("imports", list(owners), "")})
    for line in _tool("types", list(owners), _places(kit, imports)):
        match = re.match(r"(.+?\.go):(.*)", line)
        if match is None:
            raise ToolError(f"the checker says: {line}")
        path = Path(match[1])
        messages[owners[path.parent]].append(f"go: {path.name}:{match[2]}")
    return messages


def _places(kit: Kit, packages: Sequence[str]) -> str:
    """The locations of `packages` and all their imports: those of the kit as sources, others compiled.

    Missing packages are omitted.
    """
    tools, root = toolchains.go(), kit.module / "go"
    sources = {path.parent.relative_to(root).as_posix(): path.parent for path in sorted(root.rglob("*.go"))}
    others = sorted({*packages, *_tool("imports", list(sources.values()), "")} - {*sources})
    command: list[str | Path] = [tools.go, "list", "-e", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"]
    listed = run([*command, *others], cwd=tools.module, env=tools.environment)
    # The lines include the command's error stream, which never has a tab and an absolute path in a line.
    lines = [line for line in listed.splitlines() if re.match(r"\S+\t/", line)]
    return "\n".join([*lines, *(f"{path}\t{folder}" for path, folder in sources.items())])


def _tool(action: str, arguments: Sequence[str | Path], places: str) -> list[str]:
    """The lines that gotypes_tool/main.go prints."""
    done = subprocess.run(
        [_tool_path(), action, *map(str, arguments)],
        input=places,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        raise ToolError(f"the checker ended with status {done.returncode}: {done.stderr[-4000:]}")
    return done.stdout.splitlines()


def _tool_path() -> Path:
    source = Path(__file__).with_name("gotypes_tool") / "main.go"

    def build(home: Path) -> None:
        tools = toolchains.go()
        run([tools.go, "build", "-o", home / "program", source], cwd=tools.module, env=tools.environment)

    return toolchains.environment("gotypes", [source], build) / "program"
