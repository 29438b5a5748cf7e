"""The levels `format` and `compile`: messages of each language's own tools about generated programs.

All staged programs lie below one folder, so that one run of a tool serves all of them. Functions raise `ToolError` when a
tool fails for a reason that lies in no program.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from pclgen.format.python import is_formatted
from pclgen.verify.environments import GoEnvironment, NodeEnvironment, PythonEnvironment
from pclgen.verify.processes import TIMED_OUT, ToolError, run_program
from pclgen.verify.subjects import Staged

_TIMEOUT: Final = 900.0
_SUFFIXES: Final[Mapping[str, str]] = {"python": ".py", "typescript": ".ts", "go": ".go"}

Messages = dict[str, list[str]]


def sources(staged: Staged) -> list[Path]:
    """Return the generated source files, relative to the program's folder."""
    return sorted(Path(path) for path in staged.files if path.suffix == _SUFFIXES[staged.language])


# -- format --------------------------------------------------------------------------------------------------------------


def format_python(programs: Sequence[Staged]) -> Messages:
    """Check with Python's parser and black."""
    messages: Messages = {}
    for staged in programs:
        for path in sources(staged):
            text = (staged.folder / path).read_text(encoding="utf-8")
            try:
                compile(text, str(path), "exec")
                problems = [] if is_formatted(text) else [f"{path}: black would lay it out differently"]
            except (SyntaxError, ValueError) as error:
                problems = [f"{path}:{getattr(error, 'lineno', None) or 1}: {error}"]
            if problems:
                messages.setdefault(staged.subject.key, []).extend(problems)
    return messages


def format_typescript(programs: Sequence[Staged], environment: NodeEnvironment, root: Path) -> Messages:
    """Check with prettier, which also parses; four spaces, as in Pulumi's TypeScript."""
    script = environment.modules / "prettier" / "bin" / "prettier.cjs"
    if not script.exists():
        raise ToolError("prettier is not among the npm packages", everywhere=True)
    flags = ["--no-config", "--no-editorconfig", "--tab-width", "4", "--ignore-path", os.devnull, "--list-different"]
    files = [staged.folder.relative_to(root) / path for staged in programs for path in sources(staged)]
    printed = _run([environment.node, script, *flags, *files], root, ok=(0, 1, 2))
    messages: Messages = {}
    for line in printed.splitlines():
        broken = re.match(r"\[error\] (.+?\.ts): (.*)", line)
        place = broken[1] if broken else line.strip()
        if place.endswith(".ts"):
            key, file = _split(place)
            problem = broken[2] if broken else "prettier would lay it out differently"
            messages.setdefault(key, []).append(f"{file}: {problem}")
    return messages


def format_go(programs: Sequence[Staged], environment: GoEnvironment, root: Path) -> Messages:
    """Check with gofmt, which also parses."""
    files = [staged.folder.relative_to(root) / path for staged in programs for path in sources(staged)]
    printed = _run([environment.gofmt, "-l", *files], root, ok=(0, 2))
    messages: Messages = {}
    for line in printed.splitlines():
        place, _, rest = line.partition(".go:")
        key, file = _split(place if not rest else f"{place}.go")
        problem = f"{file}:{rest}" if rest else f"{file}: gofmt would lay it out differently"
        messages.setdefault(key, []).append(problem)
    return messages


# -- compile -------------------------------------------------------------------------------------------------------------


def compile_python(
    programs: Sequence[Staged], environment: PythonEnvironment, node: NodeEnvironment | None, root: Path
) -> Messages:
    """Check with pyright if npm has it, else with mypy."""
    script = node.modules / "pyright" / "index.js" if node is not None else None
    if node is not None and script is not None and script.exists():
        return _pyright(programs, environment, [node.node, script], root)
    return _mypy(programs, environment)


def _pyright(programs: Sequence[Staged], environment: PythonEnvironment, command: Sequence[Path], root: Path) -> Messages:
    config = {
        "include": [str(staged.folder.relative_to(root)) for staged in programs],
        "typeCheckingMode": "standard",
        "reportMissingModuleSource": "none",
        # Each program sees only its own modules.
        "executionEnvironments": [{"root": str(staged.folder.relative_to(root))} for staged in programs],
    }
    (root / "pyrightconfig.json").write_text(json.dumps(config), encoding="utf-8")
    printed = _run([*command, "-p", str(root), "--pythonpath", environment.python, "--outputjson"], root, ok=(0, 1))
    messages: Messages = {}
    for diagnostic in _json_of_pyright(printed)["generalDiagnostics"]:
        if diagnostic["severity"] == "error":
            key, file = _split(Path(diagnostic["file"]).relative_to(root.resolve()).as_posix())
            line = diagnostic["range"]["start"]["line"] + 1
            messages.setdefault(key, []).append(f"{file}:{line}: {' '.join(diagnostic['message'].split())}")
    return messages


def _mypy(programs: Sequence[Staged], environment: PythonEnvironment) -> Messages:
    """Run mypy once per program, since modules of two programs may have the same name."""
    messages: Messages = {}
    flags = ["--check-untyped-defs", "--no-error-summary", "--no-color-output", "--hide-error-context", "--config-file="]
    for staged in programs:
        cache = staged.folder.parent / ".mypy_cache"
        # mypy's cache treats files with the same path, size and second as unchanged.
        files = [staged.folder / source for source in sources(staged)]
        command: list[str | Path] = [environment.python, "-m", "mypy", *flags, "--cache-dir", cache, *files]
        printed = _run(command, staged.folder, ok=(0, 1))
        problems = [f"{m[1]}: {m[2]}" for m in re.finditer(r"^(.+?\.py:\d+): error: (.*)$", printed, re.MULTILINE)]
        if "No module named mypy" in printed:
            raise ToolError("neither pyright nor mypy is installed", everywhere=True)
        if problems:
            messages[staged.subject.key] = problems
    return messages


def compile_typescript(programs: Sequence[Staged], environment: NodeEnvironment, root: Path) -> Messages:
    """Check with tsc and the options of the generated tsconfig.json.

    While any file has a syntax error, tsc reports nothing else: such programs are removed, and the rest is checked again.
    """
    script = environment.modules / "typescript" / "bin" / "tsc"
    if not script.exists():
        raise ToolError("TypeScript is not among the npm packages", everywhere=True)
    messages: Messages = {}
    waiting = list(programs)
    while waiting:
        written = json.loads((waiting[0].folder / "tsconfig.json").read_text(encoding="utf-8"))
        options = {**written["compilerOptions"], "noEmit": True}
        files = [str(staged.folder.relative_to(root) / path) for staged in waiting for path in sources(staged)]
        (root / "tsconfig.json").write_text(json.dumps({"compilerOptions": options, "files": files}), encoding="utf-8")
        command: list[str | Path] = [environment.node, "--max-old-space-size=6000", script, "-p", root, "--pretty", "false"]
        printed = _run(command, root, ok=(0, 1, 2))
        reported = _typescript_messages(printed)
        broken = {key for key, lines in reported.items() if any(re.search(r" error TS1[0-6]\d\d:", line) for line in lines)}
        messages |= {key: lines for key, lines in reported.items() if not broken or key in broken}
        waiting = [staged for staged in waiting if broken and staged.subject.key not in broken]
    return messages


def _typescript_messages(printed: str) -> Messages:
    messages: Messages = {}
    key = ""
    for line in printed.splitlines():
        match = re.match(r"(\S+\.ts)\((\d+),(\d+)\): (.*)", line)
        if match is not None:
            key, file = _split(match[1])
            messages.setdefault(key, []).append(f"{file}:{match[2]}:{match[3]}: {match[4]}")
        elif line.startswith(" ") and key:
            messages[key][-1] += " " + line.strip()
        elif line.strip():
            raise ToolError(f"tsc says: {line.strip()}")
    return messages


# -- tools ---------------------------------------------------------------------------------------------------------------


def _split(path: str) -> tuple[str, str]:
    """Return program and file of `key/file`."""
    key, _, file = path.partition("/")
    return key, file


def _run(command: Sequence[str | Path], folder: Path, *, ok: tuple[int, ...]) -> str:
    try:
        ended = run_program(command, folder=folder, environment={**os.environ, "NO_COLOR": "1"}, timeout=_TIMEOUT)
    except OSError as error:
        raise ToolError(f"{Path(command[0]).name} cannot be run: {error}", everywhere=True) from error
    if ended.status == TIMED_OUT:
        raise ToolError(f"{Path(command[0]).name} did not end within {_TIMEOUT:g} seconds", everywhere=True)
    if ended.status not in ok:
        last = [line for line in ended.printed.splitlines() if line.strip()][-1:]
        raise ToolError(f"{Path(command[0]).name} ended with status {ended.status}: {' '.join(last)}")
    return ended.printed


def _json_of_pyright(printed: str) -> dict[str, Any]:
    """Return the JSON object in the output of pyright, ignoring text before it."""
    start = printed.find("{")
    if start < 0:
        raise ToolError(f"pyright says: {printed.strip()[:200]}")
    document: dict[str, Any] = json.loads(printed[start:])
    return document
