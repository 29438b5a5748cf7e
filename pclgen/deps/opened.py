"""An opened package file: an archive of sources, or a pack of a component; and the packs that programs use by file name.

A pack (docs/packs.md) holds one program, the only component of its package, and the components that this program uses. Its
sources are bound against the schemas of the program that uses it, since a deployment has one version of each provider.
Package files are untrusted.

A program may name a pack in its own folder: `component web "./website.mupack.json"`. The path of a component in it is the
path of the file followed by the path inside: `website.mupack.json/parts/vpc`.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from pclgen.deps.archive import MANIFEST, SIZE_LIMIT, ArchiveError, path_problem, read_archive
from pclgen.deps.manifest import NAME, SELF, Manifest, ManifestError, read_manifest
from pclgen.packs.document import DocumentError, PackDocument, load
from pclgen.schema.ranges import Range, RangeError, parse_range, read_version
from pclgen.source.files import Located, is_inside, read_regular
from pclgen.source.load import OUTSIDE, PACK_SUFFIX, SUFFIX, LoadedProgram, RawFile

_Entry = TypeVar("_Entry")
_UNNAMED = "0.0.0"
"""The version of a pack without a version, which programs can use by its path."""
NO_PACKAGE = "it does not describe a package"
NAMES = "`[package]` has its name and version"


class Package(Struct, frozen=True, kw_only=True, eq=False):
    """The content of a package file.

    `files` are contents by path. In a pack, `uses` maps the folder of a component and the source of a use to the folder of
    the used component; an archive has None, since its components are found by their paths.
    """

    manifest: Manifest
    files: Mapping[str, bytes]
    uses: Mapping[tuple[str, str], str] | None = None

    def component(self, folder: str, text: str) -> str:
        """Return the folder of the component that the program in `folder` uses as `text`."""
        target = (self.uses or {}).get((folder, text))
        return target if target is not None else posixpath.normpath(posixpath.join(folder, text))

    def sources(self, folder: str) -> Mapping[str, bytes] | str:
        """Return the sources of the component in `folder` by path, sorted; or the reason why there are none."""
        prefix = "" if folder == SELF else f"{folder}/"
        names = sorted(name for name in self.files if name.startswith(prefix) and name.endswith(SUFFIX))
        sources = {name: self.files[name] for name in names if "/" not in name.removeprefix(prefix)}
        if not names:
            return "does not exist"
        return sources or "holds no .pp files"


def open_package(data: bytes) -> Package:
    """Return the package in `data`. Raises `ArchiveError`."""
    if data.lstrip()[:1] == b"{":
        return _of_pack(data)
    files = read_archive(data)
    if MANIFEST not in files:
        raise ArchiveError(f"it has no {MANIFEST}")
    try:
        manifest = read_manifest(files[MANIFEST])
    except ManifestError as error:
        raise ArchiveError(str(error), error.hint) from error
    if manifest.name is None:
        raise ArchiveError(NO_PACKAGE, NAMES)
    return Package(manifest=manifest, files=files)


# The rows of packs that assign source texts to components


class _Use(msgspec.Struct, frozen=True):
    kind: str
    source: str = ""
    component: int | None = None


class _Types(msgspec.Struct, frozen=True):
    user: str
    source: str
    path: str
    texts: list[int] = []  # msgspec copies defaults


class _Inside(msgspec.Struct, frozen=True, rename="camel"):
    definitions: list[_Use]
    texts: list[int] = []  # msgspec copies defaults
    types_from: list[_Types] = []  # msgspec copies defaults


class _Component(msgspec.Struct, frozen=True):
    path: str
    program: _Inside


class _Parts(Struct, frozen=True, kw_only=True, eq=False):
    """The program of a pack, its components, and their folders."""

    root: _Inside
    components: Sequence[_Component]
    folders: Sequence[str]


def _of_pack(data: bytes) -> Package:
    if len(data) > SIZE_LIMIT:
        raise ArchiveError(f"it has more than {SIZE_LIMIT >> 20} MB")
    try:
        document = load(data)
    except DocumentError as error:
        raise ArchiveError(f"it is no pack: {error.reason}") from error
    if document.program is None or document.lenient:
        raise ArchiveError("its program has mistakes unless it is read leniently")
    parts = _parts_of(document)
    files: dict[str, bytes] = {}
    uses: dict[tuple[str, str], str] = {}
    programs = [component.program for component in parts.components]
    for folder, inside in [(SELF, parts.root), *zip(parts.folders, programs, strict=True)]:
        if inside.definitions and not inside.texts:
            raise ArchiveError("an older pclgen wrote it, without the source files of each component", "pack it again")
        for path, text in _texts(document, folder, inside.texts):
            if path in files:
                raise ArchiveError(f"`{path}` is in it twice")
            files[path] = text
        for use in inside.definitions:
            if use.kind == "ComponentUse" and use.component is not None:
                uses[folder, use.source] = _entry(parts.folders, use.component)
    for inside in (parts.root, *programs):
        for types in inside.types_from:
            folder = _folder(types.path)
            uses[_folder(types.user), types.source] = folder
            files = {**dict(_texts(document, folder, types.texts)), **files}
    return Package(manifest=_manifest_of(document), files=files, uses=uses)


def _parts_of(document: PackDocument) -> _Parts:
    try:
        root = msgspec.convert(document.program, _Inside)
        components = msgspec.convert(document.components, list[_Component])
    except (msgspec.ValidationError, RecursionError) as error:
        raise ArchiveError(f"it is no pack: {str(error)[:200]}") from error
    folders = [_folder(component.path) for component in components]
    if len({SELF, *folders}) != len(folders) + 1:
        raise ArchiveError("two of its components have the same path")
    return _Parts(root=root, components=components, folders=folders)


def _folder(path: str) -> str:
    """Return the folder for the files of a component, which may lie beside the program: `__/shared/vpc` for
    `../shared/vpc`."""
    inner = posixpath.normpath("/".join("__" if part == ".." else part for part in path.split("/")))
    if inner != SELF and path_problem(inner):
        raise ArchiveError(f"`{path[:80]}` is no path of a component")
    return inner


def _texts(document: PackDocument, folder: str, indexes: Sequence[int]) -> Iterator[tuple[str, bytes]]:
    for index in indexes:
        file = _entry(document.files, index)
        name = posixpath.basename(file.name)
        if not name.endswith(SUFFIX):
            hint = "`pclgen fmt --from yaml` writes it as PCL"
            raise ArchiveError(f"`{file.name[:80]}` in it is not PCL, in which components are written", hint)
        path = posixpath.normpath(f"{folder}/{name}")
        if path_problem(path):
            raise ArchiveError(f"`{file.name[:80]}` in it is no name of a file")
        yield path, file.text.encode("utf-8", "replace")


def _entry(table: Sequence[_Entry], index: int) -> _Entry:
    if not 0 <= index < len(table):
        raise ArchiveError(f"it is no pack: there is no entry {index}")
    return table[index]


def _manifest_of(document: PackDocument) -> Manifest:
    about = document.about
    name = about.package or document.name
    if NAME.fullmatch(name) is None:
        hint = "pack it with `--package NAME@VERSION`; names look like network or web-server"
        raise ArchiveError(f"`{name[:80]}` is no name of a package", hint)
    version = read_version(about.version or _UNNAMED)
    if version is None:
        raise ArchiveError(f"`{about.version[:80]}` is not a version")
    return Manifest(
        name=name,
        version=version,
        description=about.description,
        license=about.license,
        exports={SELF: SELF},
        providers={dependency.name: _from(dependency.version) for dependency in document.dependencies if dependency.version},
    )


def _from(version: str) -> Range:
    """Return the range of provider versions that are compatible with `version`."""
    try:
        return parse_range(f"^{version.removeprefix('v')}")
    except RangeError as error:
        raise ArchiveError(f"`{version[:80]}` is not a version of a provider") from error


# -- packs by file name -----------------------------------------------------------------------------------------------------

def file_of(path: str) -> str | None:
    """Return the pack that the path of a component leads into; None for a component in a folder."""
    parts = path.split("/")
    end = next((at for at, part in enumerate(parts, start=1) if part.endswith(PACK_SUFFIX)), None)
    return "/".join(parts[:end]) if end is not None else None


class PackFiles:
    """The packs of one program, each read once."""

    def __init__(self, sources: LoadedProgram) -> None:
        self._sources = sources
        self._opened: dict[str, Package | str] = {}

    def located(self, file: str, directory: str, text: str) -> Located:
        """Return the component that `text` means in the component `directory` inside of the pack `file`."""
        opened = self._open(file)
        folder = directory.removeprefix(file).lstrip("/") or SELF
        inner = opened.component(folder, text) if isinstance(opened, Package) else text
        return Located(f"{file}/{inner}", posixpath.basename(inner))

    def read(self, file: str, path: str) -> tuple[RawFile, ...] | str:
        """Return the files of the component at `path` in the pack `file`, or the reason why there are none."""
        opened = self._open(file)
        if isinstance(opened, str):
            return opened
        sources = opened.sources(path.removeprefix(file).lstrip("/") or SELF)
        place = self.place(file)
        if isinstance(sources, str):
            return sources
        return tuple([RawFile(name=f"{file}/{name}", path=place, data=data) for name, data in sources.items()])

    def place(self, file: str) -> Path:
        """Return the path of a pack on disk."""
        return self._sources.root / file

    def _open(self, file: str) -> Package | str:
        if file not in self._opened:
            self._opened[file] = self._read(file)
        return self._opened[file]

    def _read(self, file: str) -> Package | str:
        if self._sources.directories is not None:
            return "does not exist"
        place = self.place(file)
        if not is_inside(place, self._sources.fence):
            return OUTSIDE
        try:
            return open_package(read_regular(place, most=SIZE_LIMIT))
        except FileNotFoundError:
            return "does not exist"
        except OSError as error:
            return f"cannot be read: {error.strerror or error}"
        except ArchiveError as error:
            return f"cannot be used: {error}"
