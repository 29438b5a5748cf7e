"""The settings of component packages in a `pclgen.toml`, of the project or of an untrusted package, and edits of them.

    [package]
    name = "network"
    version = "1.0.6"
    exports = ["vpc", "peering"]

    [dependencies]
    storage = "~1.5.2"                                     # from the indexes
    shared = { path = "../shared" }                        # a folder
    site = { url = "https://example.org/site-2.0.0.tar.gz", digest = "sha256:..." }

    [providers]
    aws = "^6.0"

An edit of a dependency preserves all other lines of the file.
"""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections.abc import Mapping
from enum import Enum, auto
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.deps.archive import path_problem
from pclgen.errors import UserError
from pclgen.schema.config import PYPROJECT, place_of
from pclgen.schema.configfile import DependencyTable, ManifestTable
from pclgen.schema.ranges import ANY_WITH_PRERELEASES, Range, RangeError, parse_range, read_version
from pclgen.semver import Version
from pclgen.source.text import SourceFile, Span

SIZE_LIMIT = 1 << 20
"""Maximum size of a manifest in bytes."""
MOST = 1_000
"""Maximum number of dependencies, of providers and of exports in a manifest."""

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}", re.ASCII)
DIGEST = re.compile(r"sha256:[0-9a-f]{64}")
_PROVIDER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,127}", re.ASCII)

SELF = "."
"""The name under which a package exports its own folder: programs use it by the name of the package alone."""


class ManifestError(UserError):
    """An invalid manifest: the reason, the keys of the setting, and a fix."""

    def __init__(self, message: str, keys: tuple[str, ...] = (), hint: str | None = None) -> None:
        super().__init__(message, hint)
        self.keys = keys


class Obstacle(Enum):
    """A reason why a dependency of a published package would not work for others."""

    FOLDER = auto()
    """Only a path locates it."""
    UNPINNED = auto()
    """It is at an address, without a digest."""


class Dependency(Struct, frozen=True, kw_only=True):
    """A dependency on another package.

    `path` and `url` are empty for a package from the indexes, `digest` if any digest is accepted. A relative `path` is
    relative to the manifest.
    """

    name: str
    range: Range
    path: str = ""
    url: str = ""
    digest: str = ""

    @property
    def shown(self) -> str:
        """The dependency in messages, without the name: `^1.0.6`, `^1 from ../storage`."""
        place = self.path or self.url
        return self._joined(f"from {place}" if place else "", f"with the digest {self.digest[:19]}…" if self.digest else "")

    @property
    def text(self) -> str:
        """The dependency in the lock file, without the name."""
        return self._joined(f"path:{self.path}" if self.path else "", f"url:{self.url}" if self.url else "", self.digest)

    def _joined(self, *sources: str) -> str:
        says = self.range.text if self.range.text != "*" or not any(sources) else ""
        return " ".join(part for part in (says, *sources) if part)

    @property
    def obstacle(self) -> Obstacle | None:
        """The reason why a published package must not have this dependency; None if it may."""
        if self.path and self.range.is_open:
            return Obstacle.FOLDER
        return Obstacle.UNPINNED if self.url and not self.digest else None


class Manifest(Struct, frozen=True, kw_only=True):
    """The content of a manifest.

    `name` and `version` are None without `[package]`; `exports` are folders by the name that dependents use.
    """

    name: str | None = None
    version: Version | None = None
    description: str = ""
    license: str = ""
    exports: Mapping[str, str] = field(default_factory=dict)
    dependencies: Mapping[str, Dependency] = field(default_factory=dict)
    providers: Mapping[str, Range] = field(default_factory=dict)
    indexes: tuple[str, ...] = ()

    @property
    def wants(self) -> Mapping[str, Mapping[str, str]]:
        """The dependencies as recorded in the lock file."""
        return {
            "dependencies": {name: self.dependencies[name].text for name in sorted(self.dependencies)},
            "providers": {name: self.providers[name].text for name in sorted(self.providers)},
        }


class Project(Struct, frozen=True, kw_only=True):
    """The manifest of this project with its text, for the positions of errors. Its paths are relative to `folder`."""

    folder: Path
    source: SourceFile
    manifest: Manifest

    def span(self, *keys: str) -> Span:
        """Return the span of a setting, or the beginning of the file."""
        return span_of(self.source, keys)


def span_of(source: SourceFile, keys: tuple[str, ...]) -> Span:
    """Return the span of the setting with these keys in the text of a manifest."""
    span = place_of(source.text, keys) if keys else None
    return source.span(*span) if span is not None else source.span(0, 0)


class _Content(msgspec.Struct):
    """The tables that concern dependents; they ignore the rest of a configuration."""

    package: ManifestTable | None = None
    dependencies: dict[str, str | DependencyTable] = {}  # msgspec copies defaults
    providers: dict[str, str] = {}  # msgspec copies defaults
    indexes: list[str] = []  # msgspec copies defaults


def read_manifest(data: bytes, *, file: str = "pclgen.toml") -> Manifest:
    """Return the manifest in the bytes of `file`; in a `pyproject.toml` it is the table `tool.pclgen`. Raises
    `ManifestError`."""
    if len(data) > SIZE_LIMIT:
        raise ManifestError(f"it has more than {SIZE_LIMIT >> 20} MB")
    try:
        table: Any = tomllib.loads(data.decode("utf-8-sig"))
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise ManifestError(f"not valid TOML: {str(error)[:200]}") from error
    if file == PYPROJECT:
        tool = table.get("tool")
        table = tool.get("pclgen", {}) if isinstance(tool, dict) else {}
    try:
        content = msgspec.convert(table, _Content)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `")
        keys = tuple(re.findall(r"[\w-]+", where.removeprefix("$")))
        raise ManifestError(f"`{'.'.join(keys)}`: {reason[:1].lower()}{reason[1:]}", keys) from error
    for key in ("dependencies", "providers"):
        if len(getattr(content, key)) > MOST:
            raise ManifestError(f"`{key}` names more than {MOST:,} packages", (key,))
    return _described(content.package, content)


def _described(package: ManifestTable | None, content: _Content) -> Manifest:
    manifest = Manifest(
        dependencies={name: _dependency(name, entry) for name, entry in content.dependencies.items()},
        providers={name: _provider(name, text) for name, text in content.providers.items()},
        indexes=tuple(content.indexes),
    )
    if package is None:
        return manifest
    _demand_name(package.name, ("package", "name"))
    version = read_version(package.version)
    if version is None or package.version.startswith("v"):
        hint = "versions have three numbers: 1.2.3"
        raise ManifestError(f"`{package.version[:80]}` is not a version", ("package", "version"), hint)
    return replace(
        manifest,
        name=package.name,
        version=version,
        description=package.description,
        license=package.license,
        exports=_exports(package),
    )


def _demand_name(name: str, keys: tuple[str, ...]) -> None:
    if NAME.fullmatch(name) is None:
        raise ManifestError(f"`{name[:80]}` is no name of a package", keys, "names look like network or web-server")


def _exports(package: ManifestTable) -> Mapping[str, str]:
    exports = package.exports
    if exports is None:
        return {SELF: SELF}
    if len(exports) > MOST:
        raise ManifestError(f"it exports more than {MOST:,} components", ("package", "exports"))
    table = {folder: folder for folder in exports} if isinstance(exports, list) else exports
    folders: dict[str, str] = {}
    for name, folder in table.items():
        problem = path_problem(folder) if posixpath.normpath(folder) != SELF else None
        if problem is not None:
            raise ManifestError(f"the export `{folder[:80]}` {problem}", ("package", "exports"))
        folders[posixpath.normpath(name)] = posixpath.normpath(folder)
    return folders


def _dependency(name: str, entry: str | DependencyTable) -> Dependency:
    keys = ("dependencies", name)
    _demand_name(name, keys)
    if isinstance(entry, str):
        if entry.startswith("sha256:"):
            return Dependency(name=name, range=ANY_WITH_PRERELEASES, digest=_digest(entry, keys))
        return Dependency(name=name, range=_range(entry, keys))
    if entry.path and entry.url:
        raise ManifestError(f"`{name}` has both a path and a url", keys, "keep one of them")
    if entry.url and not entry.url.startswith(("https://", "http://")):
        hint = "an address begins with https://; for a file write `path`"
        raise ManifestError(f"`{entry.url[:80]}` is no address", keys, hint)
    if not (entry.version or entry.path or entry.url or entry.digest):
        raise ManifestError(f"the entry `{name}` is empty", keys, f'write {name} = "^1.0.0", or a `path` or `url`')
    return Dependency(
        name=name,
        range=_range(entry.version, keys) if entry.version else ANY_WITH_PRERELEASES,
        path=_path(entry.path, keys),
        url=entry.url,
        digest=_digest(entry.digest, keys) if entry.digest else "",
    )


def _path(path: str, keys: tuple[str, ...]) -> str:
    if "\\" in path or not path.isprintable():
        raise ManifestError(f"`{path[:80]}` is no path", keys, "paths are written with `/` on every system")
    return posixpath.normpath(path) if path else ""


def _range(text: str, keys: tuple[str, ...]) -> Range:
    try:
        return parse_range(text)
    except RangeError as error:
        raise ManifestError(str(error), keys, error.hint) from error


def _provider(name: str, text: str) -> Range:
    if _PROVIDER.fullmatch(name) is None:
        raise ManifestError(f"`{name[:80]}` is no name of a provider package", ("providers", name), "names look like aws")
    return _range(text, ("providers", name))


def _digest(text: str, keys: tuple[str, ...]) -> str:
    if DIGEST.fullmatch(text) is None:
        raise ManifestError(f"`{text[:80]}` is no digest", keys, "write sha256: and 64 hexadecimal digits, in small letters")
    return text


_TABLE = re.compile(r"^[ \t]*\[(?P<name>[^\[\]\n]*)\][ \t]*(?:#[^\n]*)?$", re.MULTILINE)


class EditError(Exception):
    """The text cannot be edited; the message shows the edit to make by hand."""


def entry(*, version: str = "", path: str = "", url: str = "", digest: str = "") -> str:
    """Return the TOML value of a dependency."""
    if version and not (path or url or digest):
        return json.dumps(version, ensure_ascii=False)
    fields = {"version": version, "path": path, "url": url, "digest": digest}
    written = [f"{key} = {json.dumps(value, ensure_ascii=False)}" for key, value in fields.items() if value]
    return f"{{ {', '.join(written)} }}"


def with_dependency(text: str, name: str, written: str, *, prefix: str = "") -> str:
    """Return `text` with the dependency `name`: an existing entry is replaced, a new one ends its table.

    `prefix` is the table of pclgen in a `pyproject.toml`. Raises `EditError`.
    """
    assert NAME.fullmatch(name) is not None
    table = f"{prefix}.dependencies" if prefix else "dependencies"
    line = f"{name} = {written}"
    header = next((match for match in _TABLE.finditer(text) if match["name"].replace(" ", "") == table), None)
    if header is None:
        gap = "" if not text else "\n" if text.endswith("\n") else "\n\n"
        edited = f"{text}{gap}[{table}]\n{line}\n"
    else:
        following = _TABLE.search(text, header.end())
        array = re.compile(r"^[ \t]*\[\[", re.MULTILINE).search(text, header.end())
        end = min([match.start() for match in (following, array) if match is not None], default=len(text))
        body = text[header.end() : end]
        existing = re.compile(rf"^[ \t]*\"?{re.escape(name)}\"?[ \t]*=[^\n]*$", re.MULTILINE).search(body)
        if existing is not None:
            body = f"{body[: existing.start()]}{line}{body[existing.end() :]}"
        else:
            head = body.rstrip()
            rest = body[len(head) :].removeprefix("\n")
            body = f"{head}\n{line}\n{rest}"
        edited = text[: header.end()] + body + text[end:]
    if not _says(edited, table, name, written):
        raise EditError(f"write it yourself, in [{table}]: {line}")
    return edited


def _says(text: str, table: str, name: str, written: str) -> bool:
    """Return whether the edited text parses and defines the dependency as `written`."""
    try:
        value = tomllib.loads(text)
        for part in table.split("."):
            value = value[part]
        return bool(value[name] == tomllib.loads(f"x = {written}")["x"])
    except (tomllib.TOMLDecodeError, KeyError, TypeError, RecursionError):
        return False
