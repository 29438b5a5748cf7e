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

Languages = Annotated[
    list[str] | None,
    _about("The languages to generate. The default is all languages.", items=_LANGUAGES, minItems=1),
]
ProjectFiles = Annotated[bool | None, _about("Whether to write project files such as go.mod. The default is true.")]
CopyFiles = Annotated[bool | None, _about("Whether to copy the files of a program into its projects. The default is true.")]
Templates = Annotated[str | None, _about("A directory of templates that replace built-in templates of the same name.")]
StrictnessName = Annotated[
    str | None,
    _about(
        "`lenient` turns mistakes that a deployment might survive into warnings; `strict`.",
        enum=[*[member.value for member in Strictness], None],
    ),
]
RuntimeChecksName = Annotated[
    str | None,
    _about(
        "`blame` checks values of any type where they are used, and errors say where a value came from; `none`.",
        enum=[*[member.value for member in RuntimeChecks], None],
    ),
]
JsonTextName = Annotated[
    str | None,
    _about(
        "`canonical` gives texts of `toJSON` the same bytes in every language; `natural` uses the encoder of each.",
        enum=[*[member.value for member in JsonText], None],
    ),
]
Levels = Annotated[
    dict[str, Annotated[str, _each(enum=[level.value for level in Level])]],
    _about("The severity of warnings by code: `error`, `warning` or `off`. It does not affect errors.", **_LEVELS),
]
Pattern = Annotated[str, _each(**_INSIDE)]
Patterns = Annotated[list[str] | None, _about(f"The programs that `pclgen build` compiles: {_PATTERNS}.", items=_INSIDE)]
Exclude = Annotated[list[Pattern], _about("Patterns of programs and directories to exclude, as in `programs`.")]
Named = Annotated[list[Pattern], _about(f"The programs that the override affects: {_PATTERNS}.")]
Output = Annotated[
    str | None,
    _about(
        f"The folder for a program in a language, with {{path}}, {{program}} and {{language}}; `{OUTPUT}`.",
        pattern=rf"^([^{{}}]|\{{({_PLACEHOLDERS})\}})+$",
    ),
]
Schemas = Annotated[list[str], _about("Directories and files with package schemas.")]
Sources = Annotated[
    list[str] | None,
    _about("The sources of package schemas, in order: files, sdk, plugin, cli, loader.", items={"enum": [*SOURCES]}),
]
Folders = Annotated[list[str] | None, _about("Directories with Python SDKs: site-packages or virtual environments.")]
Loader = Annotated[str | None, _about("The address of a schema loader service on this machine, HOST:PORT.")]
TimeLimit = Annotated[float | None, _about("Time limit of plugins, services and the Pulumi CLI in seconds.", **_POSITIVE)]
FunctionPacks = Annotated[
    dict[str, Annotated[str, _each(pattern=r"^.+:[^\d\W]\w*$")]],
    _about(
        "Packs of functions by the name that programs call them by (`name::function(…)`): `module:NAME`, or"
        " `folder/file.py:NAME` below this file. Their code is run only with `--allow-functions`, or where"
        " PCLGEN_ALLOW_FUNCTIONS is set."
    ),
]
PolicyFiles = Annotated[list[str], _about("TOML or JSON files with rules for the inputs of resources (docs/policies.md).")]
CacheSize = Annotated[int | None, _about("Maximum size of the cache in megabytes.", **_POSITIVE)]
VerifyCacheSize = Annotated[
    int | None, _about("Megabytes that the environments and builds of `pclgen verify` may take.", **_POSITIVE)
]
Version = Annotated[str | None, _about("The version of the package. A `package` block of a program overrides it.")]
Language = Annotated[dict[str, dict[str, Any]], _about("Overrides of the SDK settings of the schema, by language.")]

VerifyLevel = Literal["format", "compile", "run"]
TestedPrograms = Annotated[
    tuple[str, ...], _about(f"The programs to test. The default is the programs of `pclgen build`: {_PATTERNS}.")
]
TestedLanguages = Annotated[
    tuple[str, ...] | None, _about("The languages to test. The default is the languages of the build.", items=_LANGUAGES)
]
Excluded = Annotated[tuple[str, ...], _about("Patterns of programs and directories to exclude.")]
RequiredLevel = Annotated[
    VerifyLevel | None, _about("The required result of `pclgen verify` for each program. The default is not to verify.")
]
WithDiagnostics = Annotated[
    bool, _about("Whether to compare diagnostics with a snapshot. Without it, a diagnostic fails the test.")
]
WithRegistrations = Annotated[bool, _about("Whether to compare the output of `pclgen evaluate` with a snapshot.")]
Values = Annotated[dict[str, str], _about("Configuration values of runs, by key.")]
Secrets = Annotated[dict[str, str], _about("Secret configuration values of runs, by key.")]
Replay = Annotated[str | None, _about("A JSON file with recorded responses of providers for runs.")]


Exports = Annotated[
    list[str] | dict[str, str] | None,
    _about("The directories that the package exports as components, as a list, or as a table with other names."),
]
Providers = Annotated[
    dict[str, str], _about("Version ranges of provider packages, by package.")
]
Indexes = Annotated[
    list[str], _about("Directories and URLs with an `index.json`, in search order.")
]


class ManifestTable(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True):
    """`[package]`: the metadata of a component package."""

    name: Annotated[str, _about("The name of the package.", pattern="^[A-Za-z][A-Za-z0-9_-]*$")]
    version: Annotated[str, _about("The semantic version of the package.")]
    description: Annotated[str, _about("A short description of the package.")] = ""
    license: Annotated[str, _about("The license as an SPDX expression.")] = ""
    exports: Exports = None


class DependencyTable(msgspec.Struct, forbid_unknown_fields=True, rename="kebab", frozen=True):
    """A dependency with a source."""

    version: Annotated[str, _about("The accepted version range.")] = ""
    path: Annotated[str, _about("The directory or archive of the package, relative to this file.")] = ""
    url: Annotated[str, _about("The URL of the archive.")] = ""
    digest: Annotated[str, _about("The digest of the archive: sha256: and 64 hexadecimal digits.")] = ""


Dependencies = Annotated[
    dict[str, str | DependencyTable],
    _about("Component packages by name, with their version ranges."),
]


class PackageTable(msgspec.Struct, forbid_unknown_fields=True, rename="kebab"):
    """`[packages.NAME]`: the settings of one package."""

    version: Version = None
    language: Language = {}  # msgspec copies defaults


class ChoicesTable(msgspec.Struct, forbid_unknown_fields=True, rename="kebab"):
    """How programs are compiled."""

    languages: Languages = None
    project_files: ProjectFiles = None
    copy_files: CopyFiles = None
    templates: Templates = None
    strictness: StrictnessName = None
    runtime_checks: RuntimeChecksName = None
    json: JsonTextName = None
    levels: Levels = {}  # msgspec copies defaults


class OverrideTable(ChoicesTable, forbid_unknown_fields=True, rename="kebab", kw_only=True):
    """`[[overrides]]`: settings of some programs. Later overrides take precedence."""

    programs: Named


class TestingTable(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True, rename="kebab"):
    """`[[testing]]`, and the keywords of the mark `pclgen`: programs to test with pytest, and their checks."""

    programs: TestedPrograms = ()
    exclude: Excluded = ()
    languages: TestedLanguages = None
    project_files: ProjectFiles = None
    verify: RequiredLevel = None
    diagnostics: WithDiagnostics = False
    registrations: WithRegistrations = False
    config: Values = {}  # msgspec copies defaults
    secrets: Secrets = {}  # msgspec copies defaults
    replay: Replay = None


class File(ChoicesTable, forbid_unknown_fields=True, rename="kebab"):
    """The configuration of pclgen: `pclgen.toml`, or `[tool.pclgen]` of a `pyproject.toml`."""

    programs: Patterns = None
    exclude: Exclude = []  # msgspec copies defaults
    output: Output = None
    overrides: list[OverrideTable] = []  # msgspec copies defaults
    schemas: Schemas = []  # msgspec copies defaults
    sources: Sources = None
    sdk_folders: Folders = None
    loader: Loader = None
    time_limit: TimeLimit = None
    cache_size: CacheSize = None
    verify_cache_size: VerifyCacheSize = None
    packages: dict[str, PackageTable] = {}  # msgspec copies defaults
    functions: FunctionPacks = {}  # msgspec copies defaults
    package: ManifestTable | None = None
    dependencies: Dependencies = {}  # msgspec copies defaults
    providers: Providers = {}  # msgspec copies defaults
    indexes: Indexes = []  # msgspec copies defaults
    policies: PolicyFiles = []  # msgspec copies defaults
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
