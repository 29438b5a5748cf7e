"""Environments in which generated programs are checked and run, with the SDKs that the programs require.

The packages are those of the generated project files (`requirements.txt`, `package.json`, `go.mod`). Environments are cached
(`PCLGEN_TOOLCHAINS` moves the folder) and serve every later run whose packages are among theirs. Environments of the user
(`UserEnvironments`) are used as they are.

Python's is a virtual environment of the interpreter that runs pclgen. Node and Go are those on the PATH.

Programs share an environment as long as their versions agree. If none can be made for all of them, the programs to blame get
none, and the others are tried again in smaller groups. An unreachable registry says nothing about a program, which is then
not verified rather than failed.
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
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import Final, Generic, TypeAlias, TypeVar

from msgspec import Struct, field

from pclgen.disk import locked
from pclgen.verify.hcl.judge import SOURCES
from pclgen.verify.keeping import BEGUN, LIST, share_files, use
from pclgen.verify.results import content_of

Packages: TypeAlias = Mapping[str, str]
"""Required packages and their versions, in the notation of the package manager."""

_NODE_TOOLS: Final[Packages] = {"prettier": "^3", "pyright": "^1.1", "typescript": "^5.6.0"}
_NPM_RETRIES: Final = ("--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=10000")
"""Without these options, npm waits a minute for a registry that refuses."""
_INSTALL_TIMEOUT: Final = 1800.0
_REQUIREMENT: Final = re.compile(r"([A-Za-z0-9._-]+)\s*(.*)")
_GO_REQUIREMENT: Final = re.compile(r"^(?:require )?\s*(\S+\.\S+/\S+) (v\S+)", re.MULTILINE)
_GO_LANGUAGE: Final = re.compile(r"^go (\S+)$", re.MULTILINE)


def cache_folder() -> Path:
    """Return the folder of environments and results: `PCLGEN_TOOLCHAINS`, or `pclgen/verify` in the user's cache."""
    chosen = os.environ.get("PCLGEN_TOOLCHAINS")
    if chosen:
        return Path(chosen).absolute() / "verify"
    from platformdirs import user_cache_path

    return user_cache_path("pclgen", appauthor=False) / "verify"


def go_settings(folder: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables for each call of Go; the build cache lies in `folder`.

    Packages of programs are large (30 MB for one command) and Go itself removes nothing for five days, so builds do not use
    the user's build cache, unless `GOCACHE` is set; `keeping` limits its size. `-trimpath` omits paths from compiled
    packages, so that a program compiled in another folder is found in the cache.
    """
    settings = {"GOWORK": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod -trimpath"}
    if not environ.get("GOCACHE"):
        settings["GOCACHE"] = str(folder / "go-build")
    return settings


def _go_settings() -> dict[str, str]:
    return go_settings(cache_folder(), os.environ)


class InstallError(Exception):
    """An environment cannot be made; the text is a sentence for the user.

    `out_of_reach`: a registry is unreachable; `everywhere`: other packages would not help.
    """

    def __init__(self, reason: str, *, out_of_reach: bool = False, everywhere: bool = False) -> None:
        super().__init__(reason)
        self.out_of_reach = out_of_reach
        self.everywhere = everywhere


class UserEnvironments(Struct, frozen=True, kw_only=True):
    """Environments of the user: a Python interpreter, a `node_modules` folder, a folder with a go.mod."""

    python: Path | None = None
    node_modules: Path | None = None
    go_module: Path | None = None


class PythonEnvironment(Struct, frozen=True, kw_only=True):
    """An interpreter with the SDKs; `identity` changes with its packages."""

    python: Path
    identity: str


class NodeEnvironment(Struct, frozen=True, kw_only=True):
    """Node, and a `node_modules` folder with the SDKs and TypeScript."""

    node: Path
    modules: Path
    identity: str


class GoEnvironment(Struct, frozen=True, kw_only=True):
    """Go, and a folder whose go.mod requires the SDKs; `variables` are set for every call of Go. Only a folder that is
    `ours` is ever written."""

    go: Path
    module: Path
    identity: str
    ours: bool = False
    variables: Mapping[str, str] = field(default_factory=_go_settings)

    @property
    def gofmt(self) -> Path:
        """The formatter of this Go installation."""
        beside = self.go.resolve().with_name("gofmt")
        return beside if beside.exists() else Path(shutil.which("gofmt") or "gofmt")


# -- Python --------------------------------------------------------------------------------------------------------------


def python_packages(files: Mapping[PurePosixPath, str]) -> Packages:
    """Return the packages in `requirements.txt`."""
    text = files.get(PurePosixPath("requirements.txt"), "")
    matches = (_REQUIREMENT.fullmatch(line.strip()) for line in text.splitlines() if not line.startswith("#"))
    return {match[1].lower().replace("_", "-"): match[2] for match in matches if match}


def python_environment(packages: Packages, interpreter: Path | None) -> PythonEnvironment:
    """Return a virtual environment with the packages and mypy. Raises `InstallError`."""
    if interpreter is not None:
        python = interpreter.absolute()
        installed = sorted(path.name for path in python.parent.parent.glob("lib/python*/site-packages/*.dist-info"))
        return PythonEnvironment(python=python, identity=_digest(str(python), *installed))

    def install(home: Path) -> None:
        _run([sys.executable, "-m", "venv", home / "venv"], cwd=home)
        python = home / "venv" / _BIN / "python"
        # Without a lower bound, pip selects ancient releases of the SDK when other packages require a new protobuf.
        requirements = [f"{package}{version}" for package, version in sorted(packages.items())] + ["pulumi>=3.200", "mypy"]
        # Python compiles modules when they are imported; most modules of an SDK never are.
        flags = ["--quiet", "--disable-pip-version-check", "--no-compile"]
        _run([python, "-m", "pip", "install", *flags, *requirements], cwd=home)

    home = _cached(f"python{sys.version_info[0]}.{sys.version_info[1]}", packages, install, "pass `--python`")
    return PythonEnvironment(python=home / "venv" / _BIN / "python", identity=home.name)


_OTHERWISE: Final = "install it, or choose other `--languages`"
_BIN: Final = "Scripts" if os.name == "nt" else "bin"


# -- Node ----------------------------------------------------------------------------------------------------------------


def node_packages(files: Mapping[PurePosixPath, str]) -> Packages:
    """Return the packages in `package.json`."""
    manifest = json.loads(files.get(PurePosixPath("package.json"), "{}"))
    return {**manifest.get("devDependencies", {}), **manifest.get("dependencies", {})}


def node_environment(packages: Packages, modules_folder: Path | None) -> NodeEnvironment:
    """Return a folder of npm packages, including prettier and pyright. Raises `InstallError`."""
    node = shutil.which("node")
    if node is None:
        raise InstallError(f"Node is not installed: there is no `node` on the PATH; {_OTHERWISE}", everywhere=True)
    if modules_folder is not None:
        lock = modules_folder / ".package-lock.json"
        content = lock.read_text(encoding="utf-8") if lock.exists() else ""
        folder = modules_folder.absolute()
        return NodeEnvironment(node=Path(node), modules=folder, identity=_digest(str(folder), content))
    npm = shutil.which("npm")
    if npm is None:
        reason = "npm is not installed: there is no `npm` on the PATH; install it, or pass `--node-modules`"
        raise InstallError(reason, everywhere=True)

    def install(home: Path) -> None:
        manifest = {"private": True, "dependencies": {**_NODE_TOOLS, **packages}}
        (home / "package.json").write_text(json.dumps(manifest, indent=4), encoding="utf-8")
        _run([npm, "install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", *_NPM_RETRIES], cwd=home)

    home = _cached("node", packages, install, "pass `--node-modules`")
    return NodeEnvironment(node=Path(node), modules=home / "node_modules", identity=home.name)


# -- Go ------------------------------------------------------------------------------------------------------------------


def go_packages(files: Mapping[PurePosixPath, str]) -> Packages:
    """Return the modules in `go.mod`, and the language version under the name `go`."""
    text = files.get(PurePosixPath("go.mod"), "")
    language = _GO_LANGUAGE.search(text)
    return {**go_requirements(text), **({"go": language[1]} if language else {})}


def go_requirements(text: str) -> Packages:
    """Return the modules that a go.mod requires, and their versions."""
    return dict(_GO_REQUIREMENT.findall(text))


def go_environment(packages: Packages, module_folder: Path | None) -> GoEnvironment:
    """Return a module that requires the packages, which are downloaded; their dependencies are downloaded when a program
    compiles. Raises `InstallError`."""
    go = shutil.which("go")
    if go is None:
        raise InstallError(f"Go is not installed: there is no `go` on the PATH; {_OTHERWISE}", everywhere=True)
    if module_folder is not None:
        identity = _digest(str(module_folder.absolute()), (module_folder / "go.mod").read_text(encoding="utf-8"))
        return GoEnvironment(go=Path(go), module=module_folder.absolute(), identity=identity)

    def install(home: Path) -> None:
        lines = [f"\t{path} {version}" for path, version in sorted(packages.items()) if path != "go"]
        text = "\n".join(["module pclgen-verify", "", f"go {packages.get('go', '1.22')}", "", "require (", *lines, ")", ""])
        (home / "go.mod").write_text(text, encoding="utf-8")
        if lines:
            _run([go, "mod", "download"], cwd=home, variables=_go_settings())

    home = _cached("gomod", packages, install, "pass `--go-module`")
    return GoEnvironment(go=Path(go), module=home, identity=home.name, ours=True)


# -- the judge -----------------------------------------------------------------------------------------------------------


def judge_environment() -> Path:
    """Return the program that evaluates PCL with HashiCorp's HCL (`verify.hcl.judge`), built with the Go on the PATH.

    Raises `InstallError`.
    """
    go = shutil.which("go")
    if go is None:
        reason = "Go is not installed: there is no `go` on the PATH; install it, or remove `--hcl`"
        raise InstallError(reason, everywhere=True)

    def install(home: Path) -> None:
        for file in SOURCES.iterdir():
            shutil.copyfile(file, home / file.name)
        _run([go, "build", "-o", "judge", "."], cwd=home, variables=_go_settings())

    return _cached("hcl", {"judge": content_of([SOURCES])}, install, "remove `--hcl`") / "judge"


# -- keeping -------------------------------------------------------------------------------------------------------------


def _cached(kind: str, packages: Packages, install: Callable[[Path], None], otherwise: str) -> Path:
    """Return the folder of an environment with the packages: an existing one, or a new one made by `install`.

    `otherwise` is the advice if a registry is out of reach. Raises `InstallError`.
    """
    root = cache_folder()
    existing = _find(root, kind, packages)
    if existing is not None:
        return existing
    digest = _digest(*(f"{package} {version}" for package, version in sorted(packages.items())))
    home = root / f"{kind}-{digest}"
    try:
        root.mkdir(parents=True, exist_ok=True)
        # Make it under another name and move it when it is complete: a concurrent run may be making the same one.
        scratch = Path(tempfile.mkdtemp(prefix=f"{BEGUN}{kind}-", dir=root))
    except OSError as error:
        raise InstallError(f"the folder for environments cannot be used: {error}", everywhere=True) from error
    try:
        _remove_dead(root, but=scratch)
        with locked(scratch):  # as long as this process lives
            install(scratch)
            share_files(scratch, root)
            (scratch / LIST).write_text(json.dumps(dict(sorted(packages.items())), indent=2), encoding="utf-8")
            with suppress(OSError):  # another process was first, with the same content
                scratch.rename(home)
        use(home / LIST)
        return home
    except InstallError as error:
        step = f"; check the network and the proxy, or {otherwise}" if error.out_of_reach else ""
        raise InstallError(f"{error}{step}", out_of_reach=error.out_of_reach, everywhere=error.everywhere) from error
    except OSError as error:
        raise InstallError(f"the environment cannot be made: {error}", everywhere=True) from error
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _remove_dead(root: Path, *, but: Path) -> None:
    """Remove unfinished folders of killed processes, whose locks are free."""
    for path in root.glob(f"{BEGUN}*"):
        if path != but:
            with suppress(OSError), locked(path, patience=0):  # an OSError: it is being made, or is gone by now
                shutil.rmtree(path, ignore_errors=True)


def _find(root: Path, kind: str, packages: Packages) -> Path | None:
    """Return the smallest environment that has the packages."""
    fitting: list[tuple[int, Path]] = []
    for path in sorted(root.glob(f"{kind}-*/{LIST}")):
        with suppress(OSError):  # another process removes it
            have = json.loads(path.read_text(encoding="utf-8"))
            if all(have.get(package) == version for package, version in packages.items()):
                fitting.append((len(have), path.parent))
    return next((home for _, home in sorted(fitting) if use(home / LIST)), None)


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]


def _run(command: Sequence[str | Path], *, cwd: Path, variables: Mapping[str, str] | None = None) -> None:
    """Run an installer, with `variables` in its environment. Raises `InstallError` with its last message."""
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


_E = TypeVar("_E")


class Share(Struct, Generic[_E], frozen=True, kw_only=True):
    """Programs (by key) and their shared environment."""

    keys: Sequence[str]
    environment: _E | InstallError


def group(packages: Mapping[str, Packages]) -> list[tuple[list[str], Packages]]:
    """Group programs (by key) that can share an environment: no package in two versions. Return each group with its
    packages."""
    groups: list[tuple[list[str], dict[str, str]]] = []
    for key, required in packages.items():
        for keys, have in groups:
            if all(have.get(package, version) == version for package, version in required.items()):
                keys.append(key)
                have.update(required)
                break
        else:
            groups.append(([key], dict(required)))
    return [(keys, have) for keys, have in groups]


def shared(packages: Mapping[str, Packages], make: Callable[[Packages], _E]) -> list[Share[_E]]:
    """Return environments for all programs, as few as possible; `make` raises `InstallError`."""
    shares: list[Share[_E]] = []
    waiting = group(packages)
    while waiting:
        keys, union = waiting.pop(0)
        try:
            shares.append(Share(keys=keys, environment=make(union)))
        except InstallError as error:
            given_up, *smaller_groups = _parts({key: packages[key] for key in keys}, error)
            if given_up:
                shares.append(Share(keys=given_up, environment=error))
            waiting[:0] = [group_ for part in smaller_groups for group_ in group({key: packages[key] for key in part})]
    return shares


def _parts(packages: Mapping[str, Packages], error: InstallError) -> list[list[str]]:
    """Return the programs that get no environment, then smaller groups to try again."""
    keys = list(packages)
    blamed = [key for key in keys if named(packages[key], str(error))]
    blameless = [key for key in keys if key not in blamed]
    if error.everywhere or all(packages[key] == packages[keys[0]] for key in keys):
        return [keys]
    if error.out_of_reach:  # trying again would take the registry's time limit each time
        return [blamed, blameless] if blamed and blameless else [keys]
    if blamed and blameless:
        return [[], blamed, blameless]
    first = [key for key in keys if packages[key] == packages[keys[0]]]
    apart = [key for key in keys if key not in first]
    half = len(apart) // 2
    return [[], first + apart[:half], apart[half:]]


# -- messages of package managers -------------------------------------------------------------------------------------------

_UNREACHED: Final = re.compile(
    r"connection (?:was )?(?:refused|reset|broken|aborted|timed out)|timed? ?out\b|no such host|name resolution"
    r"|name or service not known|network is unreachable|no route to host|TLS handshake|certificate|cannot connect to proxy"
    r"|\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)\b"
    # Only 404 and 410 mean that a package does not exist; other refusals say nothing about it.
    r"|\breading \S+: (?!404|410)\d{3} |\b(?:401|403|407|429|5\d\d) (?:Unauthorized|Forbidden|Proxy Auth|Too Many|Internal"
    r"|Bad Gateway|Service Un|Gateway Time)",
    re.IGNORECASE,
)
_FULL: Final = re.compile(
    r"no space left on device|\b(?:ENOSPC|EDQUOT)\b|disk quota exceeded|not enough space", re.IGNORECASE
)
_PIP_RETRIES: Final = re.compile(r"^WARNING: Retrying .*>: |[')]*: /simple/\S*$")
_NPM_ERROR: Final = re.compile(r"^npm (?:error|ERR!) ?(?:(?:code|syscall|errno) \S+$|\d{3}(?: |$))?")


def is_out_of_reach(text: str) -> bool:
    """Return whether a tool reports that a registry is unreachable or denies access."""
    return _UNREACHED.search(text) is not None


def says_disk_is_full(text: str) -> bool:
    """Return whether a tool reports a full disk or an exceeded quota."""
    return _FULL.search(text) is not None


def last_words(lines: Iterable[str]) -> str:
    """Return the relevant output of an installer.

    In order of preference: lines about a full disk, the first line about an unreachable registry, the first lines with
    `error`, the last line.
    """
    words = [line.strip() for line in lines if line.strip()]
    full = [line for line in words if says_disk_is_full(line)][:1]
    unreached = [_PIP_RETRIES.sub("", _NPM_ERROR.sub("", line)) for line in words if is_out_of_reach(line)]
    errors = [_NPM_ERROR.sub("", line) for line in words if re.match(r"(?i)(npm )?err", line)]
    relevant = full or [line for line in unreached if " " in line][:1] or [line for line in errors if line][:3] or words[-1:]
    return "; ".join(relevant) or "it says nothing"


def named(packages: Mapping[str, str], text: str) -> bool:
    """Return whether `text` contains the name of one of these packages as a word."""
    return any(re.search(rf"(?<![\w@/.-]){re.escape(name)}(?![\w/-])", text) for name in packages)
