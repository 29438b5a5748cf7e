"""Writing generated projects to disk, all or nothing, in allowed locations only.

Each `Output` is a folder and its files as text. A small `.pclgen.json` in the folder lists the written files with digests.
With it, a later run replaces its own files, deletes stale files, and refuses to overwrite files from elsewhere and
edited files, except with `force`.

Changes are computed while the folders are locked, and then made by one transaction (`pclgen.disk`): the next run repairs
everything that a killed process leaves behind.

Outputs must be below a folder named by a trusted person, after following links (`Places`). A pattern
(`build/{path}/{language}`) yields folders; links are resolved, and `WriteError` is raised for a folder outside of the
allowed location. A typed pattern is trusted up to its first placeholder; a pattern of a configuration, and the default,
stay in the repository. Names of programs, and links in a repository, are untrusted.

A file that a program names is copied beside the generated code. It must not replace a generated file or run as a part of the
program: `obstacle` returns the reason for a refusal, or None.
"""

from __future__ import annotations

import ast
import contextlib
import errno
import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath, PurePosixPath

from msgspec import Struct, field

from pclgen.disk import (
    STAGE,
    Changes,
    LockedError,
    UnsafePathError,
    commit,
    digest,
    digest_of,
    held,
    inside,
    is_safe,
    real,
)
from pclgen.errors import UserError
from pclgen.source.data import read_json
from pclgen.source.files import read_regular, repository_of

MANIFEST = ".pclgen.json"
MANIFEST_VERSION = 1


class WriteError(UserError):
    """Nothing was written; the text is the reason, `hint` the next step."""


class Output(Struct, frozen=True, kw_only=True):
    """Files to write: `files` maps paths relative to `folder` to their text, `data` maps them to files to copy.

    `owner` is the program for which a build writes the folder; an output without files deletes the folder.
    """

    folder: Path
    files: Mapping[PurePosixPath, str]
    data: Mapping[PurePosixPath, Path] = field(default_factory=dict)
    owner: Owner | None = None


class Owner(Struct, frozen=True, kw_only=True):
    """The program from which a folder was built, by its path below the configuration's folder `root`."""

    program: str
    root: Path


class Change(Struct, frozen=True, kw_only=True):
    """A file that writing would change: its content before (None: a new file) and after (None: it is deleted)."""

    path: Path
    before: bytes | None
    after: bytes | None


class Written(Struct, frozen=True, kw_only=True):
    """The result of writing a folder: the number of its files, and the changed and deleted files."""

    folder: Path
    total: int
    changed: tuple[PurePosixPath, ...]
    deleted: tuple[PurePosixPath, ...]


def write_outputs(outputs: Sequence[Output], *, force: bool = False) -> tuple[Written, ...]:
    """Write all `outputs`, or none. With `force`, files that pclgen did not write are overwritten too.

    Files with the right content are not touched. Raises `WriteError` for an unsafe path, for a file that would be lost, and
    for any error of the file system.
    """
    for output in outputs:
        if output.folder.exists() and not output.folder.is_dir():
            raise WriteError(f"`{output.folder}` is not a directory", "choose another place with `--out`")
    with _telling(), held([output.folder for output in outputs]):
        plans = _plans(outputs, force=force)
        commit([Changes(folder=plan.folder, files=plan.files()) for plan in plans])
    return tuple(
        Written(folder=p.folder, total=p.total, changed=tuple(sorted(p.changed)), deleted=tuple(sorted(p.stale)))
        for p in plans
    )


def foresee(outputs: Sequence[Output], *, force: bool = False) -> tuple[Change, ...]:
    """Return the changes that `write_outputs` would make, by path. Raises `WriteError` as it does."""
    with _telling():
        plans = _plans(outputs, force=force)
        changes = [
            Change(path=plan.folder / path, before=_bytes(plan.folder / path), after=data)
            for plan in plans
            for path, data in plan.files().items()
        ]
    return tuple(sorted(changes, key=lambda change: change.path))


def is_written(outputs: Sequence[Output]) -> bool:
    """Return whether all of `outputs` are already on disk with the right content, so that writing needs no lock."""
    with _telling():
        if any(os.path.lexists(output.folder / STAGE) for output in outputs):
            return False
        return all(_is_folder_written(output) for output in outputs)


def _is_folder_written(output: Output) -> bool:
    """Return whether the manifest and all files in it are there; then no file is stale either."""
    contents = _contents(output)
    if not contents:
        return not _plan(output, force=True).stale
    return _holds(output.folder, PurePosixPath(MANIFEST), _manifest(contents, output)) and all(
        _holds(output.folder, path, data) for path, data in contents.items()
    )


def _holds(folder: Path, path: PurePosixPath, data: bytes) -> bool:
    """Return whether the file at `path` is a regular file with this content."""
    place = os.path.join(folder, path)
    try:
        status = os.lstat(place)
        if not stat.S_ISREG(status.st_mode) or status.st_size != len(data):
            return False
        if len(path.parts) > 1:
            inside(folder, path)
        with open(place, "rb") as file:
            return file.read() == data
    except (FileNotFoundError, NotADirectoryError):
        return False


def owner_of(folder: Path) -> Owner | None:
    """Return the owner for which a build wrote `folder`; None for any other folder."""
    built = _read(folder).get("built")
    if not isinstance(built, dict) or not isinstance(built.get("program"), str) or not isinstance(built.get("root"), str):
        return None
    return Owner(program=built["program"], root=Path(os.path.normpath(folder / built["root"])))


def _bytes(path: Path) -> bytes | None:
    try:
        return read_regular(path)
    except FileNotFoundError:
        return None


def write_file(path: Path, data: bytes) -> None:
    """Write a file atomically, keeping the permissions of an existing file. Raises `WriteError`."""
    write_files({path: data})


def write_files(files: Mapping[Path, bytes]) -> None:
    """Write all files, or none, keeping the permissions of existing files. `files` is read one item at a time.
    Raises `WriteError`."""
    with _telling():
        folders: dict[Path, dict[PurePosixPath, Path]] = {}
        for path in files:
            target = real(path)
            folders.setdefault(target.parent, {})[PurePosixPath(target.name)] = path
        with held(list(folders)):
            commit([Changes(folder=folder, files=_Renamed(files, names)) for folder, names in folders.items()])


class _Renamed(Mapping[PurePosixPath, bytes]):
    """A part of a mapping, under other names."""

    def __init__(self, files: Mapping[Path, bytes], names: Mapping[PurePosixPath, Path]) -> None:
        self._files = files
        self._names = names

    def __getitem__(self, name: PurePosixPath) -> bytes:
        return self._files[self._names[name]]

    def __iter__(self) -> Iterator[PurePosixPath]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@contextlib.contextmanager
def _telling() -> Iterator[None]:
    """Turn errors of the file system into `WriteError`s."""
    try:
        yield
    except UnsafePathError as error:
        raise WriteError(f"will not write `{error.filename}`: {error.strerror}") from error
    except LockedError as error:
        hint = "wait for it to end, or choose another place with `--out`"
        raise WriteError(f"cannot write `{error.filename}`: {error.strerror}", hint) from error
    except OSError as error:
        raise WriteError(f"cannot write `{error.filename}`: {error.strerror or error}") from error


class _Plan(Struct, kw_only=True):
    """The changes of one folder, computed before any change is made."""

    folder: Path
    total: int
    contents: dict[PurePosixPath, bytes]
    changed: list[PurePosixPath] = field(default_factory=list)
    stale: list[PurePosixPath] = field(default_factory=list)
    conflicts: list[Path] = field(default_factory=list)

    def files(self) -> Mapping[PurePosixPath, bytes | None]:
        """Return the changes: new contents, None for deleted files."""
        return {path: self.contents.get(path) for path in (*self.changed, *self.stale)}


def _plans(outputs: Sequence[Output], *, force: bool) -> list[_Plan]:
    """Return the changes of all folders. Raises `WriteError` for files that would be lost."""
    plans = [_plan(output, force=force) for output in outputs]
    conflicts = [path for plan in plans for path in plan.conflicts]
    if conflicts:
        shown = ", ".join(f"`{path}`" for path in conflicts[:3])
        more = f" and {len(conflicts) - 3} more" if len(conflicts) > 3 else ""
        raise WriteError(
            f"will not overwrite {shown}{more}: not written by pclgen, or edited since",
            "write elsewhere with `--out`, or overwrite with `--force`",
        )
    return plans


def _plan(output: Output, *, force: bool) -> _Plan:
    folder = output.folder
    contents = _contents(output)
    written = _read_manifest(folder)
    plan = _Plan(folder=folder, total=len(contents), contents=contents)
    for path, data in contents.items():
        present = digest_of(_target(folder, path))
        if present == digest(data):
            continue
        if present is not None and not force and written.get(path) != present:
            plan.conflicts.append(folder / path)
        plan.changed.append(path)
    for path, former in written.items():
        # An edited file belongs to its editor: keep it.
        if path not in contents and digest_of(_target(folder, path)) == former:
            plan.stale.append(path)
    if not contents:
        if written:
            plan.stale.append(PurePosixPath(MANIFEST))
        return plan
    manifest = _manifest(contents, output)
    if digest_of(folder / MANIFEST) != digest(manifest):
        contents[PurePosixPath(MANIFEST)] = manifest
        plan.changed.append(PurePosixPath(MANIFEST))
    return plan


def _contents(output: Output) -> dict[PurePosixPath, bytes]:
    """Return the contents of the files. Raises `UnsafePathError`."""
    contents = {_safe(path): text.encode("utf-8") for path, text in output.files.items()}
    return contents | {_safe(path): source.read_bytes() for path, source in output.data.items()}


def _safe(path: PurePosixPath) -> PurePosixPath:
    """Return `path` if it stays below its folder and is not that of the manifest. Raises `UnsafePathError` otherwise."""
    if not is_safe(path) or str(path).casefold() == MANIFEST:
        raise UnsafePathError(errno.EPERM, "it lies outside the output folder or is reserved", str(path))
    return path


def _target(folder: Path, path: PurePosixPath) -> Path:
    """Return the location of `path` in `folder`. Raises `UnsafePathError`, and `WriteError` if it is a directory."""
    target = inside(folder, path)
    if target.is_dir():
        raise WriteError(f"cannot write `{target}`: it is a directory", "remove it, or choose another `--out`")
    return target


def _manifest(contents: Mapping[PurePosixPath, bytes], output: Output) -> bytes:
    document: dict[str, object] = {"format_version": MANIFEST_VERSION}
    if output.owner is not None:
        root = PurePath(os.path.relpath(output.owner.root, output.folder)).as_posix()
        document["built"] = {"program": output.owner.program, "root": root}
    document["files"] = {str(path): digest(data) for path, data in sorted(contents.items())}
    return (json.dumps(document, indent=2) + "\n").encode("utf-8")


def _read(folder: Path) -> Mapping[str, object]:
    """Return the manifest of the last run; empty without a manifest, or if it cannot be parsed."""
    try:
        document = read_json(read_regular(folder / MANIFEST).decode("utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):  # `DataError` is a `ValueError`
        return {}
    if not isinstance(document, dict) or document.get("format_version") != MANIFEST_VERSION:
        return {}
    return document


def _read_manifest(folder: Path) -> dict[PurePosixPath, str]:
    """Files and digests of the last run."""
    files = _read(folder).get("files")
    if not isinstance(files, dict):
        return {}
    digests: dict[PurePosixPath, str] = {}
    for name, text in files.items():
        with contextlib.suppress(UnsafePathError):
            digests[_safe(PurePosixPath(name))] = str(text)
    return digests


# -- allowed locations ------------------------------------------------------------------------------------------------------

def start_of(pattern: str) -> str:
    """Return the folder that contains all outputs of `pattern`, as far as it is literal."""
    literal = pattern.partition("{")[0]
    return literal if "{" not in pattern else os.path.dirname(literal)


class Places(Struct):
    """The real locations of folders; outputs must be in `bound` (None: anywhere)."""

    bound: Path | None
    _parents: dict[Path, str] = field(default_factory=dict)

    def of(self, folder: Path) -> Path:
        """Return the real path of `folder`. Raises `WriteError` if it is out of bounds."""
        # A cycle of links stays unchanged; writing fails with the reason.
        if folder.name in ("", "..") or os.path.islink(folder):
            place = Path(os.path.realpath(folder))
        else:
            parent = self._parents.get(folder.parent)
            if parent is None:
                parent = self._parents[folder.parent] = os.path.realpath(folder.parent)
            place = Path(parent, folder.name)
        if self.bound is not None and not place.is_relative_to(self.bound):
            raise WriteError(
                f"will not write to `{folder}`: it lies outside of `{self.bound}`, or a link leads out",
                "name the folder with `--out`, or say `--allow-outside`",
            )
        return place


def places_of(pattern: str, root: Path, *, is_typed: bool, allow_outside: bool) -> Places:
    """Return the locations for outputs of `pattern`, relative to `root`; `is_typed`: from the command line."""
    if allow_outside:
        return Places(None)
    if not is_typed:
        return Places(repository_of(root))
    start = start_of(pattern)
    bound = Path(os.path.realpath(root / start))
    for _ in range(pattern[len(start) :].split("/").count("..")):
        bound = bound.parent
    return Places(bound)


# -- files beside generated code --------------------------------------------------------------------------------------------

_MODULES = frozenset({".py", ".pyc", ".so", ".pyd"})


def obstacle(language: str, path: PurePosixPath, generated: Mapping[PurePosixPath, str]) -> str | None:
    """Return why a file at `path` (relative to the output folder) cannot be beside `generated`; None if it can."""
    folded = _folded(path)
    for other in (*generated, PurePosixPath(MANIFEST)):
        taken = _folded(other)
        if folded == taken or folded in taken.parents or taken in folded.parents:
            return f"the project has a file of its own at `{other}`"
    if not is_safe(path):
        return "its name cannot be used in a project"
    match language:
        case "python" if (module := _module(path)) is not None and module in _imported(generated):
            return f"Python would import it in place of the module `{module}`"
        case "go" if path.suffix == ".go" and any(path.parent == other.parent for other in generated):
            return "Go would compile it as a part of the program"
        case "typescript" if "node_modules" in path.parts:
            return "Node would import it in place of an installed package"
        case _:
            return None


def _folded(path: PurePosixPath) -> PurePosixPath:
    """Return `path` as a case-insensitive file system sees it."""
    return PurePosixPath(str(path).casefold())


def _module(path: PurePosixPath) -> str | None:
    """The top module that Python finds in a file; a folder without a file `__init__` yields to installed modules."""
    top, *rest = path.parts
    is_module = PurePosixPath(top).suffix in _MODULES if not rest else rest[0].startswith("__init__.")
    return top.partition(".")[0] if is_module else None


def _imported(generated: Mapping[PurePosixPath, str]) -> frozenset[str]:
    """The names of modules that the files of a Python project, and the modules they import, may import."""
    names = set(sys.stdlib_module_names)
    for path, text in generated.items():
        if path.suffix != ".py":
            continue
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Import(names=imports):
                    names.update(import_.name.partition(".")[0] for import_ in imports)
                case ast.ImportFrom(module=str() as module):
                    names.add(module.partition(".")[0])
    return frozenset(names)
