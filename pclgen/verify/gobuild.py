"""Go programs: one module with each program as a package, and one binary.

Linking takes most of the time, so it is done once for all programs: package `main` gets its own name and `main` becomes the
exported `Main`; the rest of the text is unchanged.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from pclgen.verify.environments import GoEnvironment, go_requirements, is_out_of_reach
from pclgen.verify.keeping import use_builds
from pclgen.verify.processes import TIMED_OUT, Ended, ToolError, run_program
from pclgen.verify.running import RETURNED
from pclgen.verify.subjects import Staged

_TIMEOUT: Final = 1800.0
_MAIN_PACKAGE: Final = re.compile(r"^package main$", re.MULTILINE)
_MAIN_FUNCTION: Final = re.compile(r"^func main\(\)", re.MULTILINE)
_MESSAGE: Final = re.compile(r"^(?:vet: )?(?:\./)?(?P<key>p_\w+_)/(?P<file>[^:\s]+):(?P<rest>\d+.*)$", re.MULTILINE)

_RETURN: Final = re.compile(r"(?<=\{\n)(\t+return (?:[\w.]+, )*)err$", re.MULTILINE)
_RETURNED_FILE: Final = "pclgen_returned.go"
_RETURNED: Final = f'''
import (
	"fmt"
	"os"
	"runtime"
	"sync"
)

var pclgenReturns sync.Mutex
var pclgenLast string

// pclgenReturned prints where a program returns an error, as a returned error has no stack.
func pclgenReturned(err error) error {{
	if err == nil {{
		return err
	}}
	pclgenReturns.Lock()
	defer pclgenReturns.Unlock()
	if text := err.Error(); text != pclgenLast {{
		pclgenLast = text
		fmt.Fprintln(os.Stderr, "{RETURNED}")
	}}
	_, file, line, _ := runtime.Caller(1)
	fmt.Fprintf(os.Stderr, "\\t%s:%d\\n", file, line)
	return err
}}
'''

Messages = Mapping[str, Sequence[str]]
"""Messages of a tool, by key of the program; programs without an entry are fine."""


class GoModule:
    """A folder with a module that has each program as a package."""

    def __init__(self, environment: GoEnvironment, programs: Sequence[Staged], folder: Path) -> None:
        """Write the module. Raises `OSError`."""
        self._environment = environment
        if "GOCACHE" in environment.variables:
            use_builds(Path(environment.variables["GOCACHE"]).parent)
        self._keys = [staged.subject.key for staged in programs]
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._name = _write_module(environment, folder)
        for staged in programs:
            _write_package(staged, folder)

    def vet(self) -> Messages:
        """Return the messages of Go's type checker and of `go vet`. Raises `ToolError`."""
        return self._until_good(lambda keys: ["vet", *(f"./{key}" for key in keys)])

    def build(self) -> tuple[Path, Messages]:
        """Return the binary with all programs that compile, and the messages of the compiler. Raises `ToolError`."""

        def command(keys: Sequence[str]) -> list[str]:
            (self._folder / "main.go").write_text(_main(self._name, keys), encoding="utf-8")
            # Linking without symbols takes half the time.
            return ["build", "-ldflags=-s -w", "-o", "programs", "."]

        messages = self._until_good(command)
        return self._folder / "programs", messages

    def _until_good(self, command: Callable[[Sequence[str]], list[str]]) -> Messages:
        """Run a Go command, and again without the programs that it reports, since it may stop at the first error."""
        messages: dict[str, list[str]] = {}
        while keys := [key for key in self._keys if key not in messages]:
            ended = self._run(command(keys))
            moved = _moved(self._environment, self._folder)
            if moved and len(keys) > 1:
                raise ToolError(f"what a program imports wants another version of {moved}")
            if ended.status == 0:
                if not moved:
                    _keep_sums(self._environment, self._folder)
                break
            # For failed programs, Go may have changed files of the module that affect the others.
            _write_module(self._environment, self._folder)
            messages |= _messages_in(ended)
        return messages

    def _run(self, arguments: Sequence[str]) -> Ended:
        """Run Go. Raises `ToolError`."""
        variables = {**os.environ, **self._environment.variables}
        try:
            line: list[str | Path] = [self._environment.go, *arguments]
            ended = run_program(line, folder=self._folder, environment=variables, timeout=_TIMEOUT)
        except OSError as error:
            raise ToolError(f"Go cannot be run: {error}", everywhere=True) from error
        if ended.status == TIMED_OUT:
            raise ToolError(f"Go did not end within {_TIMEOUT:g} seconds", everywhere=True)
        return ended


def _messages_in(ended: Ended) -> dict[str, list[str]]:
    """Return Go's messages about programs. Raises `ToolError` without any, or if Go could not get a dependency."""
    messages: dict[str, list[str]] = {}
    for match in _MESSAGE.finditer(ended.printed):
        messages.setdefault(match["key"], []).append(f"{match['file']}:{match['rest']}")
    if not messages:
        raise ToolError(_reason(ended))
    beyond = {key: next((line for line in lines if is_out_of_reach(line)), None) for key, lines in messages.items()}
    unknown = {key: line for key, line in beyond.items() if line is not None}
    if unknown:
        raise ToolError(f"what the program imports cannot be got: {next(iter(unknown.values()))}", keys=unknown)
    return messages


def _write_module(environment: GoEnvironment, folder: Path) -> str:
    """Write go.mod and go.sum of the environment, and return the name of the module."""
    text = (environment.module / "go.mod").read_text(encoding="utf-8")
    # Folders in replace directives are relative to the environment.
    text = re.sub(r"=> (\.{1,2}/)", lambda match: f"=> {environment.module}/{match[1]}", text)
    (folder / "go.mod").write_text(text, encoding="utf-8")
    sums = environment.module / "go.sum"
    if sums.exists():
        shutil.copyfile(sums, folder / "go.sum")
    match = re.search(r"^module (\S+)$", text, re.MULTILINE)
    return match[1] if match else "pclgen-verify"


def _moved(environment: GoEnvironment, folder: Path) -> str:
    """Return a module for which Go chose another version than the environment has, because a program imports more of it."""
    have = go_requirements((environment.module / "go.mod").read_text(encoding="utf-8"))
    chosen = go_requirements((folder / "go.mod").read_text(encoding="utf-8"))
    return next((path for path, version in have.items() if chosen.get(path, version) != version), "")


def _keep_sums(environment: GoEnvironment, folder: Path) -> None:
    """Store checksums and requirements that Go resolved in the environment, for the next run."""
    for name in ("go.sum", "go.mod"):
        stored, updated = environment.module / name, folder / name
        if environment.ours and updated.exists() and not (stored.exists() and stored.read_bytes() == updated.read_bytes()):
            scratch = environment.module / f"{name}.{os.getpid()}"
            shutil.copyfile(updated, scratch)
            scratch.replace(stored)


def _write_package(staged: Staged, folder: Path) -> None:
    package = folder / staged.subject.key
    package.mkdir(exist_ok=True)
    for path, text in staged.files.items():
        if path.suffix == ".go":
            source = _MAIN_PACKAGE.sub(f"package {staged.subject.key}", text, count=1)
            source = _MAIN_FUNCTION.sub("func Main()", source, count=1)
            source = _RETURN.sub(r"\1pclgenReturned(err)", source)
            (package / path.name).write_text(source, encoding="utf-8", newline="")
    (package / _RETURNED_FILE).write_text(f"package {staged.subject.key}\n{_RETURNED}", encoding="utf-8", newline="")


def _main(module: str, keys: Sequence[str]) -> str:
    imports = "".join(f'\t"{module}/{key}"\n' for key in keys)
    cases = "".join(f'\tcase "{key}":\n\t\t{key}.Main()\n' for key in keys)
    return (
        f'package main\n\nimport (\n\t"os"\n\n{imports})\n\nfunc main() {{\n\tswitch os.Args[1] {{\n{cases}'
        "\tdefault:\n\t\tos.Exit(3)\n\t}\n}\n"
    )


def _reason(ended: Ended) -> str:
    lines = [line.strip() for line in ended.printed.splitlines() if line.strip() and not line.startswith("#")]
    return "; ".join(lines[:4]) or f"Go ended with status {ended.status}"
