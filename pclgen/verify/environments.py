"""Environments in which generated programs are checked and run: the SDKs that the programs themselves ask for.

Comes in: the generated project files (`requirements.txt`, `package.json`, `go.mod`).  Goes out: for each language an
environment that has the packages of all programs, or `Missing` with the reason.  Environments are kept in a folder of the
user's cache (`PCLGEN_TOOLCHAINS` moves it) and serve every later run whose packages are among theirs.  An environment that
the user has already (`Given`) is used as it is.

Python's is a virtual environment made by the interpreter that runs pclgen.  Node and Go are those on the PATH.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path, PurePosixPath
from typing import Final, TypeAlias

from pclgen.disk.lock import locked
from pclgen.records import dataclass
from pclgen.verify.downloads import is_out_of_reach, last_words, says_disk_is_full
from pclgen.verify.gocache import go_settings
from pclgen.verify.keeping import BEGUN, LIST, share_files, use

Needs: TypeAlias = Mapping[str, str]
"""Packages and the versions that are asked for, as the package manager writes them."""

_NODE_TOOLS: Final[Needs] = {"prettier": "^3", "pyright": "^1.1", "typescript": "^5.6.0"}
_NPM_RETRIES: Final = ("--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=10000")
"""npm would wait a minute for a registry that refuses."""
_INSTALL_TIMEOUT: Final = 1800.0
_REQUIREMENT: Final = re.compile(r"([A-Za-z0-9._-]+)\s*(.*)")
_GO_REQUIREMENT: Final = re.compile(r"^(?:require )?\s*(\S+\.\S+/\S+) (v\S+)", re.MULTILINE)
_GO_LANGUAGE: Final = re.compile(r"^go (\S+)$", re.MULTILINE)


def cache_folder() -> Path:
    """Where environments and results are kept: `PCLGEN_TOOLCHAINS`, or `pclgen/verify` in the user's cache."""
    chosen = os.environ.get("PCLGEN_TOOLCHAINS")
    if chosen:
        return Path(chosen).absolute() / "verify"
    from platformdirs import user_cache_path

    return user_cache_path("pclgen", appauthor=False) / "verify"


def _go_settings() -> dict[str, str]:
    return go_settings(cache_folder(), os.environ)


class InstallError(Exception):
    """An environment cannot be made; the text is a sentence for the user.  `out_of_reach`: a registry could not be asked;
    `everywhere`: other packages would not help."""

    def __init__(self, reason: str, *, out_of_reach: bool = False, everywhere: bool = False) -> None:
        super().__init__(reason)
        self.out_of_reach = out_of_reach
        self.everywhere = everywhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Environments that the user has: a Python interpreter, a `node_modules` folder, a folder with a go.mod."""

    python: Path | None = None
    node_modules: Path | None = None
    go_module: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """What a language lacks on this machine; `reason` is a sentence.

    With `everywhere` no set of packages would do better; with `out_of_reach` a registry could not be asked.
    """

    reason: str
    everywhere: bool = False
    out_of_reach: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PythonEnvironment:
    """An interpreter with the SDKs; `identity` changes when the packages do."""

    python: Path
    identity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeEnvironment:
    """Node, and a `node_modules` folder with the SDKs and TypeScript."""

    node: Path
    modules: Path
    identity: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GoEnvironment:
    """Go, and a folder whose go.mod requires the SDKs; `variables` are set for every call of Go.  A folder that is not
    `ours` is never written to."""

    go: Path
    module: Path
    identity: str
    ours: bool = False
    variables: Mapping[str, str] = field(default_factory=_go_settings)

    @property
    def gofmt(self) -> Path:
        """The formatter that came with this Go."""
        beside = self.go.resolve().with_name("gofmt")
        return beside if beside.exists() else Path(shutil.which("gofmt") or "gofmt")


# -- Python --------------------------------------------------------------------------------------------------------------


def python_needs(files: Mapping[PurePosixPath, str]) -> Needs:
    """What `requirements.txt` asks for."""
    text = files.get(PurePosixPath("requirements.txt"), "")
    matches = (_REQUIREMENT.fullmatch(line.strip()) for line in text.splitlines() if not line.startswith("#"))
    return {match[1].lower().replace("_", "-"): match[2] for match in matches if match}


def python_environment(needs: Needs, given: Path | None) -> PythonEnvironment | Missing:
    """A virtual environment with the packages, mypy included."""
    if given is not None:
        python = given.absolute()
        packages = sorted(path.name for path in python.parent.parent.glob("lib/python*/site-packages/*.dist-info"))
        return PythonEnvironment(python=python, identity=_digest(str(python), *packages))

    def install(home: Path) -> None:
        _run([sys.executable, "-m", "venv", home / "venv"], cwd=home)
        python = home / "venv" / _BIN / "python"
        # Without a lower bound, pip falls back to ancient releases of the SDK when other packages need a new protobuf.
        wanted = [f"{package}{version}" for package, version in sorted(needs.items())] + ["pulumi>=3.200", "mypy"]
        # Python compiles the modules that are imported, when they are; the others are most of an SDK.
        flags = ["--quiet", "--disable-pip-version-check", "--no-compile"]
        _run([python, "-m", "pip", "install", *flags, *wanted], cwd=home)

    home = _kept(f"python{sys.version_info[0]}.{sys.version_info[1]}", needs, install)
    if isinstance(home, Missing):
        return home
    return PythonEnvironment(python=home / "venv" / _BIN / "python", identity=home.name)


_BIN: Final = "Scripts" if os.name == "nt" else "bin"


# -- Node ----------------------------------------------------------------------------------------------------------------


def node_needs(files: Mapping[PurePosixPath, str]) -> Needs:
    """What `package.json` asks for."""
    manifest = json.loads(files.get(PurePosixPath("package.json"), "{}"))
    return {**manifest.get("devDependencies", {}), **manifest.get("dependencies", {})}


def node_environment(needs: Needs, given: Path | None) -> NodeEnvironment | Missing:
    """A folder of npm packages, prettier and pyright included."""
    node = shutil.which("node")
    if node is None:
        return Missing(reason="Node is not installed: there is no `node` on the PATH", everywhere=True)
    if given is not None:
        lock = given / ".package-lock.json"
        content = lock.read_text(encoding="utf-8") if lock.exists() else ""
        return NodeEnvironment(node=Path(node), modules=given.absolute(), identity=_digest(str(given.absolute()), content))
    npm = shutil.which("npm")
    if npm is None:
        return Missing(reason="npm is not installed: there is no `npm` on the PATH", everywhere=True)

    def install(home: Path) -> None:
        manifest = {"private": True, "dependencies": {**_NODE_TOOLS, **needs}}
        (home / "package.json").write_text(json.dumps(manifest, indent=4), encoding="utf-8")
        _run([npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", *_NPM_RETRIES], cwd=home)

    home = _kept("node", needs, install)
    if isinstance(home, Missing):
        return home
    return NodeEnvironment(node=Path(node), modules=home / "node_modules", identity=home.name)


# -- Go ------------------------------------------------------------------------------------------------------------------


def go_needs(files: Mapping[PurePosixPath, str]) -> Needs:
    """What `go.mod` asks for, and under the name `go` the version of the language."""
    text = files.get(PurePosixPath("go.mod"), "")
    language = _GO_LANGUAGE.search(text)
    return {**go_requirements(text), **({"go": language[1]} if language else {})}


def go_requirements(text: str) -> Needs:
    """The modules that a go.mod requires, and their versions."""
    return dict(_GO_REQUIREMENT.findall(text))


def go_environment(needs: Needs, given: Path | None) -> GoEnvironment | Missing:
    """A module that requires the packages, all of which are there; what these need is fetched when a program is compiled."""
    go = shutil.which("go")
    if go is None:
        return Missing(reason="Go is not installed: there is no `go` on the PATH", everywhere=True)
    if given is not None:
        identity = _digest(str(given.absolute()), (given / "go.mod").read_text(encoding="utf-8"))
        return GoEnvironment(go=Path(go), module=given.absolute(), identity=identity)

    def install(home: Path) -> None:
        lines = [f"\t{path} {version}" for path, version in sorted(needs.items()) if path != "go"]
        text = "\n".join(["module pclgen-verify", "", f"go {needs.get('go', '1.22')}", "", "require (", *lines, ")", ""])
        (home / "go.mod").write_text(text, encoding="utf-8")
        if lines:
            _run([go, "mod", "download"], cwd=home, variables=_go_settings())

    home = _kept("gomod", needs, install)
    if isinstance(home, Missing):
        return home
    return GoEnvironment(go=Path(go), module=home, identity=home.name, ours=True)


# -- keeping -------------------------------------------------------------------------------------------------------------


def _kept(kind: str, needs: Needs, install: Callable[[Path], None]) -> Path | Missing:
    """The folder of an environment that has the packages: one that is there, or a new one made by `install`."""
    root = cache_folder()
    found = _search(root, kind, needs)
    if found is not None:
        return found
    digest = _digest(*(f"{package} {version}" for package, version in sorted(needs.items())))
    home = root / f"{kind}-{digest}"
    try:
        root.mkdir(parents=True, exist_ok=True)
        # Made beside its place and moved there when it is whole: another run may be making the same one.
        scratch = Path(tempfile.mkdtemp(prefix=f"{BEGUN}{kind}-", dir=root))
    except OSError as error:
        return Missing(reason=f"the folder for environments cannot be used: {error}", everywhere=True)
    try:
        _remove_dead(root, but=scratch)
        with locked(scratch):  # as long as this process lives
            install(scratch)
            share_files(scratch, root)
            (scratch / LIST).write_text(json.dumps(dict(sorted(needs.items())), indent=2), encoding="utf-8")
            with suppress(OSError):  # somebody else was first, with the same content
                scratch.rename(home)
        use(home / LIST)
        return home
    except InstallError as error:
        return Missing(reason=str(error), out_of_reach=error.out_of_reach, everywhere=error.everywhere)
    except OSError as error:
        return Missing(reason=f"the environment cannot be made: {error}", everywhere=True)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _remove_dead(root: Path, *, but: Path) -> None:
    """Remove what processes that were killed had begun to make: nobody holds the lock of it any more."""
    for path in root.glob(f"{BEGUN}*"):
        if path != but:
            with suppress(OSError), locked(path, patience=0):  # an OSError: it is being made, or is gone by now
                shutil.rmtree(path, ignore_errors=True)


def _search(root: Path, kind: str, needs: Needs) -> Path | None:
    """The smallest environment that has the packages."""
    fitting: list[tuple[int, Path]] = []
    for path in sorted(root.glob(f"{kind}-*/{LIST}")):
        with suppress(OSError):  # another process removes it
            have = json.loads(path.read_text(encoding="utf-8"))
            if all(have.get(package) == version for package, version in needs.items()):
                fitting.append((len(have), path.parent))
    return next((home for _, home in sorted(fitting) if use(home / LIST)), None)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def _run(command: Sequence[str | Path], *, cwd: Path, variables: Mapping[str, str] | None = None) -> None:
    """Run an installer, with `variables` in its environment.  Raises `InstallError` with what it said last."""
    try:
        done = subprocess.run(
            [str(part) for part in command],
            cwd=cwd,
            env={**os.environ, **(variables or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
            errors="replace",
            timeout=_INSTALL_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        reason = f"the packages cannot be installed: that was not done within {_INSTALL_TIMEOUT:g} seconds"
        raise InstallError(reason, out_of_reach=True) from error
    except OSError as error:
        raise InstallError(f"the packages cannot be installed: {error}") from error
    if done.returncode != 0:
        raise InstallError(
            f"the packages cannot be installed: {last_words(done.stdout.splitlines())}",
            out_of_reach=is_out_of_reach(done.stdout),
            everywhere=says_disk_is_full(done.stdout),
        )
