"""The configuration of a project: where its schemas are and which versions it wants.

Comes in: the directory of a program.  Goes out: `Configuration`, from the nearest `pclgen.toml`, or `[tool.pclgen]` of a
`pyproject.toml`, in that directory or above it, up to the root of the repository.

    schemas = ["schemas", "vendor/aws.json"]    # directories and files, relative to the configuration
    sources = ["files", "sdk", "plugin"]        # which kinds of sources to use, in this order
    sdk-folders = [".venv/lib/python3.12/site-packages"]
    loader = "127.0.0.1:12345"                  # a schema loader service
    time-limit = 30                             # seconds for plugins, the Pulumi CLI, services and downloads
    cache-size = 2048                           # megabytes

    [packages.aws]
    version = "7.48.0"                          # used unless a program's `package` block says otherwise

    [packages.aws.language.go]                  # over what the schema says of the SDK's names
    importBasePath = "example.org/fork/go/aws"

The versions and schema files that `packages` of a `Pulumi.yaml` names count too, after those of the configuration.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pclgen.diagnostics.suggest import suggest
from pclgen.schema.semver import parse_version
from pclgen.source.data import DataError, read_yaml
from pclgen.source.files import read_regular
from pclgen.source.project import PULUMI

if TYPE_CHECKING:
    from pclgen.types.declarations import Json

FILE = "pclgen.toml"
PYPROJECT = "pyproject.toml"


class SourceKind(StrEnum):
    """Kinds of sources, in the order in which they are asked unless the configuration says otherwise."""

    FILES = "files"
    """Directories and files of the command line, the configuration and the project."""
    SDK = "sdk"
    """Installed Python SDKs."""
    PLUGIN = "plugin"
    """Provider plugins on this machine."""
    CLI = "cli"
    """The Pulumi CLI."""
    LOADER = "loader"
    """A schema loader service."""


class ConfigurationError(Exception):
    """A configuration that cannot be used; the text begins with file, line and column, `hint` says what to write."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """What a project's files say.  Paths are absolute.

    `path` is the file it was read from; `versions` are pinned versions with where that stands; `languages` is by
    package, then language, as `language` of a schema.
    """

    path: Path | None = None
    schemas: tuple[Path, ...] = ()
    sources: tuple[SourceKind, ...] | None = None
    sdk_folders: tuple[Path, ...] | None = None
    loader: str | None = None
    time_limit: float | None = None
    cache_size: int | None = None
    versions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    languages: Mapping[str, Mapping[str, Mapping[str, Json]]] = field(default_factory=dict)


class _Package(msgspec.Struct, forbid_unknown_fields=True, rename="kebab"):
    version: str | None = None
    language: dict[str, dict[str, Any]] = {}  # msgspec copies defaults


class _File(msgspec.Struct, forbid_unknown_fields=True, rename="kebab"):
    schemas: list[str] = []  # msgspec copies defaults
    sources: list[str] | None = None
    sdk_folders: list[str] | None = None
    loader: str | None = None
    time_limit: float | None = None
    cache_size: int | None = None
    packages: dict[str, _Package] = {}  # msgspec copies defaults


def find_configuration(directory: Path) -> Configuration:
    """The configuration that counts for the programs in `directory`.  Raises `ConfigurationError`."""
    found = Configuration()
    for folder in folders_above(directory):
        own = _in_folder(folder)
        if own is not None:
            found = own
            break
    return _with_pulumi_yaml(found, directory)


def folders_above(directory: Path) -> Iterator[Path]:
    """`directory` and those above it, up to the root of the repository (or of the disk)."""
    start = directory.absolute()
    for folder in (start, *start.parents):
        yield folder
        if (folder / ".git").exists():
            return


def _in_folder(folder: Path) -> Configuration | None:
    path = folder / FILE
    text = _text(path)
    if text is not None:
        return _read(path, text, _toml(path, text), prefix="")
    path = folder / PYPROJECT
    text = _text(path)
    if text is None or "tool.pclgen" not in text:
        return None
    table = _toml(path, text).get("tool", {}).get("pclgen")
    return _read(path, text, table, prefix="tool.pclgen") if table is not None else None


def _text(path: Path) -> str | None:
    try:
        return read_regular(path).decode("utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise ConfigurationError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path}: the text is not UTF-8") from error


def _toml(path: Path, text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        message = str(error)
        found = re.search(r"\(at line (\d+), column (\d+)\)", message)
        place = f":{found[1]}:{found[2]}" if found is not None else ""
        reason = message[: found.start()].strip() if found is not None else message
        raise ConfigurationError(f"{path}{place}: not valid TOML: {reason[:1].lower()}{reason[1:]}") from error


def _read(path: Path, text: str, table: object, *, prefix: str) -> Configuration:
    try:
        content = msgspec.convert(table, _File)
    except msgspec.ValidationError as error:
        raise _complaint(path, text, str(error)) from error
    folder = path.parent
    for name, package in content.packages.items():
        if package.version is not None and parse_version(package.version) is None:
            place = _place(text, ["packages", name, "version"])
            raise ConfigurationError(f"{path}{place}: expected a version such as 1.2.3, found `{package.version}`")
    for key, value in (("time-limit", content.time_limit), ("cache-size", content.cache_size)):
        if value is not None and value <= 0:
            raise ConfigurationError(f"{path}{_place(text, [key])}: `{key}` must be greater than 0")
    sources = None
    if content.sources is not None:
        sources = tuple([_kind(word, f"{path}{_place(text, ['sources'])}: ") for word in content.sources])
    label = f"{path.name}" + (f" [{prefix}]" if prefix else "")
    return Configuration(
        path=path,
        schemas=tuple([_schemas(folder, word, f"{path}{_place(text, ['schemas'])}: ") for word in content.schemas]),
        sources=sources,
        sdk_folders=None if content.sdk_folders is None else tuple([folder / word for word in content.sdk_folders]),
        loader=content.loader,
        time_limit=content.time_limit,
        cache_size=content.cache_size,
        versions={
            name: (package.version.removeprefix("v"), f"pinned in {label}")
            for name, package in content.packages.items()
            if package.version is not None
        },
        languages={name: package.language for name, package in content.packages.items() if package.language},
    )


def source_kinds(words: Sequence[str], place: str) -> tuple[SourceKind, ...]:
    """The kinds that `words` name; raises `ConfigurationError`, whose text begins with `place`."""
    return tuple([_kind(word, place) for word in words])


def _kind(word: str, place: str) -> SourceKind:
    try:
        return SourceKind(word)
    except ValueError:
        known = [kind.value for kind in SourceKind]
        similar = suggest(word, known)
        hint = f"did you mean `{similar}`?" if similar is not None else f"there are {', '.join(known)}"
        raise ConfigurationError(f"{place}there is no kind of source `{word}`", hint) from None


def _schemas(folder: Path, word: str, place: str) -> Path:
    path = folder / word
    if not path.exists():
        raise ConfigurationError(f"{place}`{word}` does not exist", f"it is looked for in {folder}")
    return path


def _complaint(path: Path, text: str, message: str) -> ConfigurationError:
    """The message of msgspec, with the place in the file and what may be meant."""
    reason, _, where = message.partition(" - at `")
    keys = [key for key in re.split(r"\.|\[[^\]]*\]", where.rstrip("`").removeprefix("$")) if key]
    unknown = re.search(r"unknown field `([^`]*)`", reason)
    if unknown is not None:
        struct = _Package if keys[:1] == ["packages"] else _File
        known = list(struct.__struct_encode_fields__)
        similar = suggest(unknown[1], known)
        hint = f"did you mean `{similar}`?" if similar is not None else f"there are {', '.join(known)}"
        place = _place(text, [*keys, unknown[1]])
        return ConfigurationError(f"{path}{place}: unknown setting `{unknown[1]}`", hint)
    name = ".".join(keys)
    said = f"{reason[:1].lower()}{reason[1:]}".replace("`str`", "a text").replace("`object`", "a table")
    return ConfigurationError(f"{path}{_place(text, keys)}: `{name}`: {said}" if name else f"{path}: {said}")


def _place(text: str, keys: Sequence[str]) -> str:
    """`:line:column` of the setting with these keys, as far as it can be found; keys that msgspec leaves out (`[...]`) may
    stand between them."""
    if not keys:
        return ""
    last = re.escape(keys[-1])
    header = re.escape(keys[-2]) if len(keys) > 1 else ""
    start = 0
    if header:
        section = re.search(rf"^\s*\[[^\]\n]*{header}[^\]\n]*\]", text, re.MULTILINE)
        start = section.end() if section is not None else 0
    found = re.compile(rf"""^[ \t]*(?:[\w."'-]+\.)?["']?({last})["']?[ \t]*=""", re.MULTILINE).search(text, start)
    found = found or re.compile(rf"""\[[^\]\n]*({last})""").search(text, start)
    if found is None:
        return ""
    line = text.count("\n", 0, found.start(1)) + 1
    column = found.start(1) - (text.rfind("\n", 0, found.start(1)) + 1) + 1
    return f":{line}:{column}"


def _with_pulumi_yaml(found: Configuration, directory: Path) -> Configuration:
    """What `packages` of the program's `Pulumi.yaml` adds: `aws: aws@7.48.0`, `shop: ./schemas/shop.json`."""
    path = directory / PULUMI
    text = _text(path)
    if text is None or "packages:" not in text:
        return found
    try:
        content = read_yaml(text)
    except DataError:
        return found  # Pulumi's own file: whoever deploys is told by Pulumi
    packages = content.get("packages") if isinstance(content, dict) else None
    versions = dict(found.versions)
    schemas = list(found.schemas)
    for name, entry in packages.items() if isinstance(packages, dict) else ():
        source, version = _package_entry(entry)
        if source.endswith((".json", ".yaml", ".yml")):
            if (directory / source).is_file():
                schemas.append((directory / source).absolute())
        elif source == name and parse_version(version) is not None:
            versions.setdefault(str(name), (version.removeprefix("v"), f"pinned in {PULUMI}"))
    return replace(found, versions=versions, schemas=tuple(schemas))


def _package_entry(entry: object) -> tuple[str, str]:
    """Source and version of an entry of `packages`; parameterized ones have neither for us."""
    if isinstance(entry, str):
        source, _, version = entry.partition("@")
        return source, version
    if isinstance(entry, dict) and not entry.get("parameters"):
        return str(entry.get("source") or ""), str(entry.get("version") or "")
    return "", ""
