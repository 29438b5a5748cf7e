"""The lock file `pclgen.lock`: the chosen packages and their sources.

The file is JSON sorted by name, so that equal choices yield equal files, which can be reviewed and merged:

    {"version": 1,
     "wants": {"network": "^1.0.6"},
     "packages": [{"name": "network", "version": "1.0.6", "source": "index", "place": "https://example.org/packages",
                   "file": "network-1.0.6.tar.gz", "digest": "sha256:...", "exports": {"vpc": "vpc"}, ...}]}

`wants` are the dependencies of the project at that time. If they, or the dependencies of packages in folders, change, the
lock file is out of date.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import msgspec

from pclgen.deps.archive import path_problem
from pclgen.deps.manifest import DIGEST, NAME, SELF
from pclgen.disk import recover
from pclgen.schema.config import LOCK_FILE
from pclgen.schema.ranges import read_version
from pclgen.source.files import read_regular

SIZE_LIMIT = 16 << 20
_FORMAT = 1
_HINT = "take it from version control, or run `pclgen deps update`, which writes another one"

Wants: TypeAlias = Mapping[str, Mapping[str, str]]
Origin: TypeAlias = Literal["index", "path", "archive", "url"]


class LockError(Exception):
    """An unusable lock file; `hint` gives the next step."""

    def __init__(self, message: str, hint: str = _HINT) -> None:
        super().__init__(message)
        self.hint = hint


class Locked(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """One package of the lock file.

    `source` is the kind of `place`: an index (with its `file`), a folder or an archive on disk (relative to the lock
    file), or a URL. All but folders have the digest of the archive.
    """

    name: str
    version: str
    source: Origin
    place: str
    file: str = ""
    digest: str = ""
    exports: dict[str, str] = {}  # msgspec copies defaults
    dependencies: dict[str, str] = {}  # msgspec copies defaults
    providers: dict[str, str] = {}  # msgspec copies defaults

    @property
    def identity(self) -> str:
        """The name and version for messages and paths."""
        return f"{self.name}@{self.version}"

    @property
    def wants(self) -> Wants:
        """The dependencies of the package."""
        return {"dependencies": self.dependencies, "providers": self.providers}


class Lock(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The content of a lock file."""

    version: int = _FORMAT
    wants: dict[str, str] = {}  # msgspec copies defaults
    packages: list[Locked] = []  # msgspec copies defaults

    @property
    def by_name(self) -> Mapping[str, Locked]:
        """The packages by name; there is one version of each."""
        return {package.name: package for package in self.packages}


class _Head(msgspec.Struct):
    version: int


def read_lock(folder: Path) -> Lock | None:
    """Return the lock file in `folder`; None if it does not exist. Raises `LockError`."""
    recover(folder)
    path = folder / LOCK_FILE
    try:
        data = read_regular(path, most=SIZE_LIMIT)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise LockError(f"{LOCK_FILE} cannot be read: {error.strerror or error}") from error
    try:
        if msgspec.json.decode(data, type=_Head).version != _FORMAT:
            raise LockError(f"{LOCK_FILE} was written by another version of pclgen")
        lock = msgspec.json.decode(data, type=Lock)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise LockError(f"{LOCK_FILE} is no lock file of pclgen: {str(error)[:200]}") from error
    for reason in _problems(lock):
        raise LockError(f"{LOCK_FILE} is no lock file of pclgen: {reason}")
    return lock


def _problems(lock: Lock) -> Iterator[str]:
    """Yield the errors in a well-formed lock file, which may have been edited by hand or come from an untrusted source."""
    names = [package.name for package in lock.packages]
    if len(set(names)) != len(names):
        yield "it has a package twice"
    locked = set(names)
    for package in lock.packages:
        version = read_version(package.version)
        if NAME.fullmatch(package.name) is None or version is None or package.version.startswith("v"):
            yield f"`{package.identity[:80]}` is no package"
        if package.source != "path" and DIGEST.fullmatch(package.digest) is None:
            yield f"{package.identity} has no digest"
        if package.source == "index" and path_problem(package.file):
            yield f"the file of {package.identity} leads elsewhere"
        if any(folder != SELF and path_problem(folder) for folder in package.exports.values()):
            yield f"an export of {package.identity} leads elsewhere"
        if not locked.issuperset(package.dependencies):
            yield f"a dependency of {package.identity} is not in it"


def as_json(packages: Sequence[Locked]) -> str:
    """Return packages as JSON for other programs."""
    return msgspec.json.format(msgspec.json.encode(packages), indent=2).decode() + "\n"


def lock_bytes(wants: Mapping[str, str], packages: Sequence[Locked]) -> bytes:
    """Return the content of a lock file."""
    ordered = sorted(packages, key=lambda package: package.name)
    lock = Lock(wants={name: wants[name] for name in sorted(wants)}, packages=ordered)
    return msgspec.json.format(msgspec.json.encode(lock), indent=2) + b"\n"
