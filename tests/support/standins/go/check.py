"""Programs type-checked by Go's own checker against SDKs of which there are sources: stand-ins, and those of `tests.support.sdks`.

Comes in: schema files, and programs as {name: directory}.  Goes out: a `Kit` with the SDKs, kept in the folder of the
toolchains as long as neither the schemas nor this package change; {program: messages}; and what packages export.

The SDKs are checked from their sources, bodies included: compiling them would take minutes.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import subprocess
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support import toolchains
from tests.support.compilers import Messages, Programs
from tests.support.standins.go.module import write_sdks
from tests.support.standins.go.world import World
from tests.support.toolchains import ToolError, cache_folder, locked, run

_HERE = Path(__file__).parent
_READY = ".ready"


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """A Go module that requires the SDKs: published ones, and others instead of or beside them.

    The others are in its folder `go`; `compilers.check_go` takes it as its `stand_ins`, for a whole `go vet`.
    """

    module: Path


def published() -> Kit:
    """Only published SDKs.  Raises `ToolError`."""
    return Kit(module=toolchains.go().module)


def stand_in_kit(schemas: Collection[Path], *, only: Collection[str] | None = None) -> Kit:
    """The stand-ins of `schemas`, or of the packages of them that `only` names.  Raises `ToolError`."""
    digest = hashlib.sha256(repr(sorted(only or ())).encode())
    module = toolchains.go().module
    sources = [_HERE.parent / "schema.py", *sorted(_HERE.rglob("*.py"))]
    for path in [module / "go.mod", *sources, *sorted(schemas)]:
        digest.update(path.read_bytes())
    home = cache_folder() / f"standins-go-{digest.hexdigest()[:12]}"
    with locked("standins-go"):
        if not (home / _READY).exists():
            shutil.rmtree(home, ignore_errors=True)
            home.mkdir(parents=True)
            _write_kit(home, World(schemas), only)
            (home / _READY).touch()
    return Kit(module=home)


def _write_kit(home: Path, world: World, only: Collection[str] | None) -> None:
    pins = toolchains.go().module
    text = (pins / "go.mod").read_text(encoding="utf-8")
    sdk = re.search(r"github\.com/pulumi/pulumi/sdk/v3 (\S+)", text)
    language = re.search(r"^go \S+$", text, re.MULTILINE)
    assert sdk is not None and language is not None, "go.mod pins the Pulumi SDK and a version of Go"
    needs = f"{language[0]}\n\nrequire {sdk[0]}\n"
    for written in write_sdks(world, home / "go", only=only, needs=needs):
        path = written.module_path
        if f"\t{path} v" not in text:
            text += f"\nrequire {path} v{written.major if written.major > 1 else 0}.0.0\n"
        text += f"\nreplace {path} => ./go/{path}\n"
    (home / "go.mod").write_text(text, encoding="utf-8")
    shutil.copyfile(pins / "go.sum", home / "go.sum")


def check_types(programs: Programs, kit: Kit) -> Messages:
    """What Go's type checker says about each program; a message is `go: file:line:column: text`.  Raises `ToolError`."""
    messages: Messages = {name: [] for name in programs}
    owners: dict[Path, str] = {}
    for name, folder in sorted(programs.items()):
        found = {path.parent for path in folder.rglob("*.go")}
        messages[name] += [] if found else ["go: no file"]
        owners |= dict.fromkeys(sorted(found), name)
    imports = sorted({*_tool("imports", list(owners), "")})
    for line in _tool("types", list(owners), _places(kit, imports)):
        match = re.match(r"(.+?\.go):(.*)", line)
        if match is None:
            raise ToolError(f"the checker says: {line}")
        path = Path(match[1])
        messages[owners[path.parent]].append(f"go: {path.name}:{match[2]}")
    return messages


def output_of(main: Path, kit: Kit) -> list[str]:
    """The lines that a program prints when it runs, sorted; `main` is its only file.  Raises `ToolError`."""
    tools = toolchains.go()
    staged = kit.module / f"run-{main.parent.name}-{hashlib.sha256(main.read_bytes()).hexdigest()[:12]}"
    staged.mkdir(exist_ok=True)
    shutil.copyfile(main, staged / main.name)
    return sorted(run([tools.go, "run", f"./{staged.name}"], cwd=kit.module, env=tools.environment).splitlines())


def exported(packages: Sequence[str], kit: Kit) -> set[str]:
    """Each declaration that the packages export, as `import path: declaration`.  Raises `ToolError`."""
    return {*_tool("api", list(packages), _places(kit, packages))}


def _places(kit: Kit, packages: Sequence[str]) -> str:
    """Where `packages` are, with all that they import: stand-ins as sources, others compiled.

    A package that is not there is left out.
    """
    tools, root = toolchains.go(), kit.module / "go"
    sources = {path.parent.relative_to(root).as_posix(): path.parent for path in sorted(root.rglob("*.go"))}
    others = sorted({*packages, *_tool("imports", list(sources.values()), "")} - {*sources})
    command: list[str | Path] = [tools.go, "list", "-e", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"]
    listed = run([*command, *others], cwd=tools.module, env=tools.environment)
    # What the command says on the error stream stands among the lines; no such line has a tab and an absolute path.
    lines = [line for line in listed.splitlines() if re.match(r"\S+\t/", line)]
    return "\n".join([*lines, *(f"{path}\t{folder}" for path, folder in sources.items())])


def _tool(action: str, arguments: Sequence[str | Path], places: str) -> list[str]:
    """The lines that tool/main.go prints."""
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
    """The tool, built when it is not there."""
    source, tools = _HERE / "tool" / "main.go", toolchains.go()
    digest = hashlib.sha256(source.read_bytes()).hexdigest()[:12]
    built = cache_folder() / f"standins-go-tool-{digest}"
    with locked("standins-go"):
        if not built.exists():
            run([tools.go, "build", "-o", built, source], cwd=tools.module, env=tools.environment)
    return built
