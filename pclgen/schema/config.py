"""The configuration of a project.

The nearest `pclgen.toml`, or `[tool.pclgen]` of a `pyproject.toml`, in the directory of a program or above it, up to the
root of the repository, applies.

    schemas = ["schemas", "vendor/aws.json"]    # directories and files, relative to the configuration
    sources = ["files", "sdk", "plugin"]        # kinds of sources to use, in this order
    sdk-folders = [".venv/lib/python3.12/site-packages"]
    loader = "127.0.0.1:12345"                  # a schema loader service
    time-limit = 30                             # seconds for plugins, the Pulumi CLI, services and downloads
    cache-size = 2048                           # megabytes
    verify-cache-size = 8000                    # megabytes: environments and builds of `pclgen verify`

    policies = ["policy.toml"]                  # rules for the inputs of resources

    programs = ["infra/*"]                      # the programs of `pclgen build`; patterns of `pclgen.choices`
    exclude = ["infra/old"]
    languages = ["python", "go"]
    output = "build/{path}/{language}"          # also {program}
    project-files = true                        # Pulumi.yaml, go.mod, ...
    copy-files = true                           # the files that programs name
    strictness = "strict"                       # or "lenient"
    runtime-checks = "none"                     # or "blame"
    indexes = ["../packages"]                   # packages of components; see `pclgen.deps`

    [levels]                                    # of warnings: "error", "warning", "off"
    PCL0420 = "off"

    [[overrides]]                               # for some programs; later entries override earlier ones
    programs = ["infra/legacy"]
    languages = ["go"]
    strictness = "lenient"
    levels = {PCL0420 = "warning"}

    [[testing]]                                 # programs that pytest tests (`pclgen.testing`)
    programs = ["infra/*"]                      # else those above
    verify = "compile"

    [dependencies]
    network = "^1.0.6"

    [providers]
    aws = "^7.0"

    [packages.aws]
    version = "7.48.0"                          # used unless a program's `package` block says otherwise

    [functions]                                 # packs of functions: code, run only where that is allowed
    acme = "tools/functions.py:FUNCTIONS"       # acme::slug(…)

    [packages.aws.language.go]                  # overrides the SDK's names in the schema
    importBasePath = "example.org/fork/go/aws"

Versions and schema files in `packages` of a `Pulumi.yaml` apply, too, after those of the configuration.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.choices import Building, Choices, JsonText, Level, Override, RuntimeChecks, Strictness, pattern_problem
from pclgen.diagnostics.suggest import alternatives
from pclgen.errors import UserError
from pclgen.languages import LANGUAGE_NAMES, TARGETS
from pclgen.schema.configfile import (
    ChoicesTable,
    DependencyTable,
    File,
    ManifestTable,
    OverrideTable,
    PackageTable,
    TestingTable,
    VerifyLevel,
)
from pclgen.semver import parse_version
from pclgen.source.data import DataError, read_yaml
from pclgen.source.files import read_regular
from pclgen.source.project import PULUMI

if TYPE_CHECKING:
    from pclgen.types.declarations import Json

FILE = "pclgen.toml"
LOCK_FILE = "pclgen.lock"
"""The lock file of component packages (`pclgen.deps.lock`), beside the configuration."""
PACKAGING = ("package", "dependencies", "providers", "indexes")
"""The settings of component packages."""
PYPROJECT = "pyproject.toml"


class SourceKind(StrEnum):
    """Kinds of sources, in the default search order."""

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


class ConfigurationError(UserError):
    """An invalid configuration; the text begins with file, line and column, `hint` gives a fix."""


class Configuration(Struct, frozen=True, kw_only=True):
    """The settings in a project's files. Paths are absolute.

    `functions` are the files of function packs, and messages about them begin with `functions_place`. `policies` are
    files of `schema.policy`. `path` is the configuration file; `building` and `testing` are its settings for programs;
    `versions` are pinned versions with the position of the pin; `languages` is by package, then language, like `language`
    of a schema. `packaging` changes with the settings of component packages in the file and its lock file; "" without
    any. `origins` are packages whose schema only the Pulumi CLI can provide, with the arguments of `pulumi package
    get-schema`.
    """

    path: Path | None = None
    schemas: tuple[Path, ...] = ()
    sources: tuple[SourceKind, ...] | None = None
    sdk_folders: tuple[Path, ...] | None = None
    loader: str | None = None
    time_limit: float | None = None
    cache_size: int | None = None
    verify_cache_size: int | None = None
    building: Building = field(default_factory=Building)
    testing: tuple[TestingTable, ...] = ()
    versions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    functions: Mapping[str, str] = field(default_factory=dict)
    functions_place: str = ""
    policies: tuple[Path, ...] = ()
    languages: Mapping[str, Mapping[str, Mapping[str, Json]]] = field(default_factory=dict)
    packaging: str = ""
    origins: Mapping[str, str] = field(default_factory=dict)


_TABLES: Mapping[str | int, type[PackageTable | ManifestTable | DependencyTable | OverrideTable | TestingTable]] = {
    "packages": PackageTable,
    "package": ManifestTable,
    "dependencies": DependencyTable,
    "overrides": OverrideTable,
    "testing": TestingTable,
}


def find_configuration(directory: Path, configurations: dict[Path, Configuration | None] | None = None) -> Configuration:
    """Return the configuration of the programs in `directory`; `configurations` caches files by folder, for many programs.

    Raises `ConfigurationError`.
    """
    configurations = configurations if configurations is not None else {}
    configuration = Configuration()
    for folder in folders_above(directory):
        if folder not in configurations:
            configurations[folder] = _in_folder(folder)
        own = configurations[folder]
        if own is not None:
            configuration = own
            break
    return _with_pulumi_yaml(configuration, directory)


def folders_above(directory: Path) -> Iterator[Path]:
    """Yield `directory` and its parents, up to the root of the repository (or of the disk)."""
    start = directory.absolute()
    for folder in (start, *start.parents):
        yield folder
        if (folder / ".git").exists():
            return


def _in_folder(folder: Path) -> Configuration | None:
    path = folder / FILE
    text = _text(path)
    if text is not None:
        return _read(_Text(path=path, text=text), _toml(path, text), prefix="")
    path = folder / PYPROJECT
    text = _text(path)
    if text is None or "tool.pclgen" not in text:
        return None
    table = _toml(path, text).get("tool", {}).get("pclgen")
    return _read(_Text(path=path, text=text), table, prefix="tool.pclgen") if table is not None else None


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
        position = re.search(r"\(at line (\d+), column (\d+)\)", message)
        place = f":{position[1]}:{position[2]}" if position is not None else ""
        reason = message[: position.start()].strip() if position is not None else message
        raise ConfigurationError(f"{path}{place}: not valid TOML: {reason[:1].lower()}{reason[1:]}") from error


def _read(text: _Text, table: object, *, prefix: str) -> Configuration:
    path = text.path
    try:
        content = msgspec.convert(table, File)
    except msgspec.ValidationError as error:
        raise _complaint(text, str(error)) from error
    folder = path.parent
    for name, package in content.packages.items():
        if package.version is not None and parse_version(package.version) is None:
            place = text.at("packages", name, "version")
            raise ConfigurationError(f"{place}expected a version such as 1.2.3, found `{package.version}`")
    sizes = (("cache-size", content.cache_size), ("verify-cache-size", content.verify_cache_size))
    for key, value in (("time-limit", content.time_limit), *sizes):
        if value is not None and value <= 0:
            raise ConfigurationError(f"{text.at(key)}`{key}` must be greater than 0")
    if content.loader is not None and not _is_on_this_machine(content.loader):
        raise ConfigurationError(
            f"{text.at('loader')}`{content.loader}` is not on this machine",
            "a configuration may be untrusted and names loopback addresses only: use `--loader` or PCLGEN_LOADER",
        )
    label = f"{path.name}" + (f" [{prefix}]" if prefix else "")
    return Configuration(
        path=path,
        schemas=tuple([_schemas(folder, word, text.at("schemas")) for word in content.schemas]),
        sources=None if content.sources is None else source_kinds(content.sources, text.at("sources")),
        sdk_folders=None if content.sdk_folders is None else tuple([folder / word for word in content.sdk_folders]),
        loader=content.loader,
        time_limit=content.time_limit,
        cache_size=content.cache_size,
        verify_cache_size=content.verify_cache_size,
        building=_building(text, content),
        testing=tuple(
            with_languages(test_table, text.at("testing", number, "languages"))
            for number, test_table in enumerate(content.testing)
        ),
        versions={
            name: (package.version.removeprefix("v"), f"pinned in {label}")
            for name, package in content.packages.items()
            if package.version is not None
        },
        functions=_functions(text, content.functions),
        functions_place=f"{path}: " if content.functions else "",
        policies=tuple([folder / word for word in content.policies]),
        languages={name: package.language for name, package in content.packages.items() if package.language},
        packaging=_packaging(path, table),
    )


def _functions(text: _Text, places: Mapping[str, str]) -> Mapping[str, str]:
    for name, place in places.items():
        module, _, name_there = place.rpartition(":")
        is_module = module.endswith(".py") or all(part.isidentifier() for part in module.split("."))
        if not is_module or not name_there.isidentifier():
            hint = "write `module:NAME`, or `folder/file.py:NAME`"
            raise ConfigurationError(f"{text.at('functions', name)}`{place}` is no place of a pack of functions", hint)
    return places


def _packaging(path: Path, table: object) -> str:
    """Return a text that changes with the settings of component packages in `table` and the lock file; "" without any."""
    assert isinstance(table, dict)
    own = {key: table[key] for key in PACKAGING if table.get(key)}
    if not own:
        return ""
    try:
        locked = hashlib.sha256(read_regular(path.parent / LOCK_FILE)).hexdigest()
    except OSError:
        locked = ""
    return f"{json.dumps(own, sort_keys=True)} {locked}"


_W = TypeVar("_W", bound=StrEnum)


class _Text(Struct, frozen=True, kw_only=True):
    """The text of a configuration, for positions of errors."""

    path: Path
    text: str

    def at(self, *keys: str | int) -> str:
        """Return the prefix of a message about the setting with these keys; a number is the index of a table among
        `[[...]]`."""
        position = place_of(self.text, keys)
        if position is None:
            return f"{self.path}: "
        line = self.text.count("\n", 0, position[0]) + 1
        return f"{self.path}:{line}:{position[0] - self.text.rfind(chr(10), 0, position[0])}: "


def _building(text: _Text, content: File) -> Building:
    problem = pattern_problem(content.output) if content.output is not None else None
    if problem is not None:
        raise ConfigurationError(f"{text.at('output')}`output`: {problem[0]}", problem[1])
    return Building(
        programs=None if content.programs is None else _patterns(content.programs, text.at("programs")),
        place=text.at("programs") if content.programs is not None else "",
        exclude=_patterns(content.exclude, text.at("exclude")),
        output=content.output,
        choices=_choices(text, content, ()),
        overrides=tuple(
            Override(
                programs=_patterns(override.programs, text.at("overrides", number, "programs")),
                choices=_choices(text, override, ("overrides", number)),
            )
            for number, override in enumerate(content.overrides)
        ),
    )


def _patterns(words: Sequence[str], place: str) -> tuple[str, ...]:
    for word in words:
        if not word or word.startswith("/") or ".." in word.split("/") or "\\" in word:
            hint = "programs are named by their path below the configuration, as in `infra/web` or `infra/*`"
            raise ConfigurationError(f"{place}`{word}` names no program", hint)
    return tuple(words)


def _choices(text: _Text, content: ChoicesTable, keys: tuple[str | int, ...]) -> Choices:
    def chosen(words: type[_W], word: str | None, key: str) -> _W | None:
        return None if word is None else _one_of(words, word, text.at(*keys, key))

    languages = content.languages
    return Choices(
        languages=None if languages is None else _languages(languages, text.at(*keys, "languages")),
        project_files=content.project_files,
        copy_files=content.copy_files,
        templates=None if content.templates is None else _folder(text, content.templates, text.at(*keys, "templates")),
        strictness=chosen(Strictness, content.strictness, "strictness"),
        runtime_checks=chosen(RuntimeChecks, content.runtime_checks, "runtime-checks"),
        json=chosen(JsonText, content.json, "json"),
        levels={
            _code(code, text.at(*keys, "levels", code)): _one_of(Level, level, text.at(*keys, "levels", code))
            for code, level in content.levels.items()
        },
    )


def with_languages(test_table: TestingTable, place: str) -> TestingTable:
    """Return `test_table` with canonical languages, if it has any.

    Raises `ConfigurationError`, whose text begins with `place`.
    """
    if not test_table.languages:
        return test_table
    return msgspec.structs.replace(test_table, languages=_languages(test_table.languages, place))


def read_testing(keywords: Mapping[str, Any]) -> TestingTable:
    """Return the keywords of a mark as a table. Raises `ConfigurationError` for an unknown keyword or a wrong value."""
    names = [name.replace("-", "_") for name in TestingTable.__struct_encode_fields__]
    for name in keywords.keys() - set(names):
        raise ConfigurationError(f"unknown keyword `{name}`", alternatives(name, names))
    try:
        test_table = msgspec.convert({name.replace("_", "-"): value for name, value in keywords.items()}, TestingTable)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$.")
        name = where.rstrip("`").partition("[")[0].replace("-", "_")
        choice = unfit_choice(reason)
        if choice is not None:
            raise ConfigurationError(f"`{name}`: {choice[0]}", choice[1]) from error
        raise ConfigurationError(f"`{name}`: {in_words(reason)}") from error
    return with_languages(test_table, "`languages`: ")


def _languages(words: Sequence[str], place: str) -> tuple[str, ...]:
    for word in words:
        if word not in LANGUAGE_NAMES:
            raise ConfigurationError(f"{place}there is no language `{word}`", alternatives(word, TARGETS))
    if not words:
        raise ConfigurationError(f"{place}`languages` is empty", f"there are {', '.join(TARGETS)}")
    return tuple(language for language in TARGETS if language in {LANGUAGE_NAMES[word] for word in words})


def _code(word: str, place: str) -> str:
    from pclgen.diagnostics.codes import find_code, similar_code

    if find_code(word) != word:
        similar = find_code(word) or similar_code(word)
        hint = f"did you mean `{similar}`?" if similar is not None else "`pclgen explain` lists all"
        raise ConfigurationError(f"{place}there is no diagnostic `{word}`", hint)
    return word


def _one_of(words: type[_W], word: str, place: str) -> _W:
    try:
        return words(word)
    except ValueError:
        raise ConfigurationError(f"{place}`{word}` is none of the values", alternatives(word, list(words))) from None


def source_kinds(words: Sequence[str], place: str) -> tuple[SourceKind, ...]:
    """Return the kinds named by `words`; raises `ConfigurationError`, whose text begins with `place`."""
    kinds = [kind.value for kind in SourceKind]
    for word in words:
        if word not in kinds:
            raise ConfigurationError(f"{place}there is no kind of source `{word}`", alternatives(word, kinds))
    return tuple([SourceKind(word) for word in words])


def _is_on_this_machine(address: str) -> bool:
    host = address.rpartition(":")[0].strip("[]")
    if host == "localhost":
        return True
    # Loaded here: few configurations name a loader.
    from ipaddress import ip_address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def _schemas(folder: Path, word: str, place: str) -> Path:
    path = folder / word
    if not path.exists():
        raise ConfigurationError(f"{place}`{word}` does not exist", f"it is looked for in {folder}")
    return path


def _folder(text: _Text, word: str, place: str) -> Path:
    path = text.path.parent / word
    if not path.is_dir():
        raise ConfigurationError(f"{place}there is no folder `{word}`", f"it is looked for in {text.path.parent}")
    return path


def _complaint(text: _Text, message: str) -> ConfigurationError:
    """Return the error of a msgspec message, with the position in the file and a suggestion."""
    reason, _, where = message.partition(" - at `")
    where = where.rstrip("`").removeprefix("$").replace("[...]", "")
    keys = [int(number) if number else key for key, number in re.findall(r"([^.\[\]]+)|\[(\d+)\]", where)]
    unknown = re.search(r"unknown field `([^`]*)`", reason)
    if unknown is not None:
        keys_of_table = _TABLES.get(keys[0] if keys else "", File).__struct_encode_fields__
        hint = alternatives(unknown[1], keys_of_table)
        return ConfigurationError(f"{text.at(*keys, unknown[1])}unknown setting `{unknown[1]}`", hint)
    name = ".".join(key for key in keys if isinstance(key, str))
    choice = unfit_choice(reason)
    if choice is not None:
        return ConfigurationError(f"{text.at(*keys)}`{name}`: {choice[0]}", choice[1])
    return ConfigurationError(f"{text.at(*keys)}`{name}`: {in_words(reason)}" if name else f"{text.at()}{in_words(reason)}")


_KINDS: Mapping[str, str] = {
    "str": "a text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
}


def in_words(reason: str) -> str:
    """Return a msgspec message in the terms of TOML."""

    def kinds(match: re.Match[str]) -> str:
        words = [word for word in match[1].split(" | ") if word != "null"]
        return " or ".join(_KINDS[word] for word in words) if set(words) <= _KINDS.keys() else match[0]

    text = reason[:1].lower() + reason[1:].replace("missing required field", "without")
    return re.sub(r"`([^`]*)`", kinds, re.sub(r"^object\b", "a table", text))


_UNFIT = re.compile(r"Invalid enum value '(.*)'")


def unfit_choice(reason: str) -> tuple[str, str | None] | None:
    """Return message and hint for an invalid word; only the level of verification is checked by msgspec."""
    match = _UNFIT.fullmatch(reason)
    if match is None:
        return None
    return f"`{match[1]}` is none of the values", alternatives(match[1], get_args(VerifyLevel))


_HEADER = re.compile(r"^[ \t]*\[([^\]\n]*)\]", re.MULTILINE)
"""The header of a table."""


def place_of(text: str, keys: Sequence[str | int]) -> tuple[int, int] | None:
    """Return the position of the last of `keys`, if it can be found.

    Keys that msgspec omits (`[...]`) may lie between them, and numbers select one of several tables `[[...]]`.
    """
    words = [key for key in keys if isinstance(key, str)]
    if not words:
        return None
    last = re.escape(words[-1])
    number = next((key for key in keys if isinstance(key, int)), 0)
    start = 0
    if len(words) > 1:
        header = words[0] if isinstance(keys[1], int) else words[-2]
        headers = list(_HEADER.finditer(text))
        sections = [match for match in headers if _names(header, match[1])] or [h for h in headers if header in h[1]]
        start = sections[min(number, len(sections) - 1)].end() if sections else 0
    match = re.compile(rf"""^[ \t]*(?:[\w."'-]+\.)?["']?({last})["']?[ \t]*=""", re.MULTILINE).search(text, start)
    match = match or re.compile(rf"""[{{,][ \t]*["']?({last})["']?[ \t]*=""").search(text, start)
    match = match or re.compile(rf"""\[[^\[\]\n]*({last})""").search(text, start)
    return match.span(1) if match is not None else None


def _names(word: str, header: str) -> bool:
    """Return whether a table header contains `word` as a part: `[packages.aws]`, `[tool.pclgen.dependencies]`."""
    return word in [part.strip(" \t\"'") for part in re.split(r"[.\[\]]", header)]


_SCHEMA_FILES = frozenset((".json", ".yaml", ".yml"))


def _with_pulumi_yaml(configuration: Configuration, directory: Path) -> Configuration:
    """Add the settings of `packages` in the program's `Pulumi.yaml`: `aws: aws@7.48.0`, `shop: ./schemas/shop.json`.

    A folder with a `schema.json` means that file. Of all other sources only the name is used.
    """
    path = directory / PULUMI
    text = _text(path)
    if text is None or "packages:" not in text:
        return configuration
    try:
        content = read_yaml(text)
    except DataError:
        return configuration  # Pulumi's own file: Pulumi reports it at deployment
    packages = content.get("packages") if isinstance(content, dict) else None
    versions = dict(configuration.versions)
    schemas = list(configuration.schemas)
    origins: dict[str, str] = {}
    for key, entry in packages.items() if isinstance(packages, dict) else ():
        name = str(key)
        source, version, parameters = _package_entry(name, entry)
        files = [] if parameters else [directory / source, directory / source / "schema.json"]
        file = next((file for file in files if file.suffix in _SCHEMA_FILES and file.is_file()), None)
        if file is not None:
            schemas.append(file.absolute())
        elif source == name and not parameters:
            if parse_version(version) is not None:
                versions.setdefault(name, (version.removeprefix("v"), f"pinned in {PULUMI}"))
        elif source:
            import shlex

            label = f"{source}@{version}" if version else source
            origins[name] = shlex.join([label, *parameters])
    return replace(configuration, versions=versions, schemas=tuple(schemas), origins=origins)


def _package_entry(name: str, entry: object) -> tuple[str, str, list[str]]:
    """Return source, version and parameters of the entry `name` of `packages`; a version alone is that of the package
    itself."""
    if isinstance(entry, dict):
        parameters = entry.get("parameters")
        texts = [str(parameter) for parameter in parameters] if isinstance(parameters, list) else []
        return str(entry.get("source") or ""), str(entry.get("version") or ""), texts
    if not isinstance(entry, str):
        return "", "", []
    if parse_version(entry) is not None:
        return name, entry, []
    source, _, version = entry.partition("@")
    return source, version, []
