"""The settings of a configuration file with their types and descriptions.

`schema.config` reads `pclgen.toml` into these structures; `pclgen/pclgen.schema.json`, the JSON Schema for editors, is
derived from them (a test compares it).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from pclgen.choices import OUTPUT, PLACEHOLDERS, JsonText, Level, RuntimeChecks, Strictness
from pclgen.languages import LANGUAGE_NAMES

SOURCES = ("files", "sdk", "plugin", "cli", "loader")
"""The kinds of sources of schemas, by their names in a configuration."""
SCHEMA_FILE = "pclgen.schema.json"
"""The file in the package `pclgen` that holds the JSON Schema."""


def _about(text: str, **keywords: object) -> Meta:
    return Meta(description=text, extra_json_schema=dict(keywords) or None)


def _each(**keywords: object) -> Meta:
    """Return the constraints on each value of a table, where msgspec would ignore a keyword of the table."""
    return Meta(extra_json_schema=dict(keywords))


_LEVELS = {"propertyNames": {"pattern": "^PCL[0-9]{4}$"}}
_LANGUAGES = {"enum": [*LANGUAGE_NAMES]}
_POSITIVE = {"exclusiveMinimum": 0}
_INSIDE = {"pattern": r"^(?!/)(?!(.*/)?\.\.(/|$))[^\\]+$"}
_PLACEHOLDERS = "|".join(PLACEHOLDERS)
_PATTERNS = "paths below this file; `*`, `?` and `**` match names, a folder matches all programs below it"

ProjectFiles = Annotated[bool | None, _about("Whether to write project files such as go.mod. The default is true.")]
Pattern = Annotated[str, _each(**_INSIDE)]

VerifyLevel = Literal["format", "compile", "run"]


class ManifestTable(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True):
    """`[package]`: the metadata of a component package."""

    name: Annotated[str, _about("The name of the package.", pattern="^[A-Za-z][A-Za-z0-9_-]*$")]
    version: Annotated[str, _about("The semantic version of the package.")]
    description: Annotated[str, _about("A short description of the package.")] = ""
    license: Annotated[str, _about("The license as an SPDX expression.")] = ""
    exports: Annotated[
        list[str] | dict[str, str] | None,
        _about("The directories that the package exports as components, as a list, or as a table with other names."),
    ] = None


class DependencyTable(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True):
    """A dependency with a source."""

    version: Annotated[str, _about("The accepted version range.")] = ""
    path: Annotated[str, _about("The directory or archive of the package, relative to this file.")] = ""
    url: Annotated[str, _about("The URL of the archive.")] = ""
    digest: Annotated[str, _about("The digest of the archive: sha256: and 64 hexadecimal digits.")] = ""


class PackageTable(msgspec.Struct, forbid_unknown_fields=True, rename="kebab"):
    """`[packages.NAME]`: the settings of one package."""

    version: Annotated[
        str | None, _about("The version of the package. A `package` block of a program overrides it.")
    ] = None
    language: Annotated[
        dict[str, dict[str, Any]], _about("Overrides of the SDK settings of the schema, by language.")
    ] = {}  # msgspec copies defaults


class ChoicesTable(msgspec.Struct, forbid_unknown_fields=True, rename="kebab"):
    """How programs are compiled."""

    languages: Annotated[
        list[str] | None,
        _about("The languages to generate. The default is all languages.", items=_LANGUAGES, minItems=1),
    ] = None
    project_files: ProjectFiles = None
    copy_files: Annotated[
        bool | None, _about("Whether to copy the files of a program into its projects. The default is true.")
    ] = None
    templates: Annotated[
        str | None, _about("A directory of templates that replace built-in templates of the same name.")
    ] = None
    strictness: Annotated[
        str | None,
        _about(
            "`lenient` turns mistakes that a deployment might survive into warnings; `strict`.",
            enum=[*[member.value for member in Strictness], None],
        ),
    ] = None
    runtime_checks: Annotated[
        str | None,
        _about(
            "`blame` checks values of any type where they are used, and errors say where a value came from; `none`.",
            enum=[*[member.value for member in RuntimeChecks], None],
        ),
    ] = None
    json: Annotated[
        str | None,
        _about(
            "`canonical` gives texts of `toJSON` the same bytes in every language; `natural` uses the encoder of each.",
            enum=[*[member.value for member in JsonText], None],
        ),
    ] = None
    levels: Annotated[
        dict[str, Annotated[str, _each(enum=[level.value for level in Level])]],
        _about("The severity of warnings by code: `error`, `warning` or `off`. It does not affect errors.", **_LEVELS),
    ] = {}  # msgspec copies defaults


class OverrideTable(ChoicesTable, forbid_unknown_fields=True, rename="kebab", kw_only=True):
    """`[[overrides]]`: settings of some programs. Later overrides take precedence."""

    programs: Annotated[
        list[Pattern], _about(f"The programs that the override affects: {_PATTERNS}.")
    ]


class TestingTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename="kebab"):
    """`[[testing]]`, and the keywords of the mark `pclgen`: programs to test with pytest, and their checks."""

    programs: Annotated[
        tuple[str, ...], _about(f"The programs to test. The default is the programs of `pclgen build`: {_PATTERNS}.")
    ] = ()
    exclude: Annotated[tuple[str, ...], _about("Patterns of programs and directories to exclude.")] = ()
    languages: Annotated[
        tuple[str, ...] | None, _about("The languages to test. The default is the languages of the build.", items=_LANGUAGES)
    ] = None
    project_files: ProjectFiles = None
    verify: Annotated[
        VerifyLevel | None, _about("The required result of `pclgen verify` for each program. The default is not to verify.")
    ] = None
    diagnostics: Annotated[
        bool, _about("Whether to compare diagnostics with a snapshot. Without it, a diagnostic fails the test.")
    ] = False
    registrations: Annotated[bool, _about("Whether to compare the output of `pclgen evaluate` with a snapshot.")] = False
    config: Annotated[dict[str, str], _about("Configuration values of runs, by key.")] = {}  # msgspec copies defaults
    secrets: Annotated[
        dict[str, str], _about("Secret configuration values of runs, by key.")
    ] = {}  # msgspec copies defaults
    replay: Annotated[str | None, _about("A JSON file with recorded responses of providers for runs.")] = None


class File(ChoicesTable, forbid_unknown_fields=True, rename="kebab"):
    """The configuration of pclgen: `pclgen.toml`, or `[tool.pclgen]` of a `pyproject.toml`."""

    programs: Annotated[
        list[str] | None, _about(f"The programs that `pclgen build` compiles: {_PATTERNS}.", items=_INSIDE)
    ] = None
    exclude: Annotated[
        list[Pattern], _about("Patterns of programs and directories to exclude, as in `programs`.")
    ] = []  # msgspec copies defaults
    output: Annotated[
        str | None,
        _about(
            f"The folder for a program in a language, with {{path}}, {{program}} and {{language}}; `{OUTPUT}`.",
            pattern=rf"^([^{{}}]|\{{({_PLACEHOLDERS})\}})+$",
        ),
    ] = None
    overrides: list[OverrideTable] = []  # msgspec copies defaults
    schemas: Annotated[list[str], _about("Directories and files with package schemas.")] = []  # msgspec copies defaults
    sources: Annotated[
        list[str] | None,
        _about("The sources of package schemas, in order: files, sdk, plugin, cli, loader.", items={"enum": [*SOURCES]}),
    ] = None
    sdk_folders: Annotated[
        list[str] | None, _about("Directories with Python SDKs: site-packages or virtual environments.")
    ] = None
    loader: Annotated[str | None, _about("The address of a schema loader service on this machine, HOST:PORT.")] = None
    time_limit: Annotated[
        float | None, _about("Time limit of plugins, services and the Pulumi CLI in seconds.", **_POSITIVE)
    ] = None
    cache_size: Annotated[int | None, _about("Maximum size of the cache in megabytes.", **_POSITIVE)] = None
    verify_cache_size: Annotated[
        int | None, _about("Megabytes that the environments and builds of `pclgen verify` may take.", **_POSITIVE)
    ] = None
    packages: dict[str, PackageTable] = {}  # msgspec copies defaults
    functions: Annotated[
        dict[str, Annotated[str, _each(pattern=r"^.+:[^\d\W]\w*$")]],
        _about(
            "Packs of functions by the name that programs call them by (`name::function(…)`): `module:NAME`, or"
            " `folder/file.py:NAME` below this file. Their code is run only with `--allow-functions`, or where"
            " PCLGEN_ALLOW_FUNCTIONS is set."
        ),
    ] = {}  # msgspec copies defaults
    package: ManifestTable | None = None
    dependencies: Annotated[
        dict[str, str | DependencyTable],
        _about("Component packages by name, with their version ranges."),
    ] = {}  # msgspec copies defaults
    providers: Annotated[
        dict[str, str], _about("Version ranges of provider packages, by package.")
    ] = {}  # msgspec copies defaults
    indexes: Annotated[
        list[str], _about("Directories and URLs with an `index.json`, in search order.")
    ] = []  # msgspec copies defaults
    policies: Annotated[
        list[str], _about("TOML or JSON files with rules for the inputs of resources (docs/policies.md).")
    ] = []  # msgspec copies defaults
    testing: list[TestingTable] = []  # msgspec copies defaults


def json_schema() -> str:
    """The JSON Schema of a configuration file."""
    (schema,), definitions = msgspec.json.schema_components([File], ref_template="#/$defs/{name}")
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "pclgen.toml",
        **schema,
        "$defs": definitions,
    }
    return msgspec.json.format(msgspec.json.encode(document), indent=2).decode() + "\n"
