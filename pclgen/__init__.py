"""pclgen: from Pulumi Configuration Language (PCL) to Python, TypeScript and Go.

    import pclgen

    result = pclgen.generate("website", schemas=["schemas"], languages=["typescript"])
    for diagnostic in result.diagnostics:
        print(diagnostic.code, diagnostic.primary, diagnostic.message)
    for path, text in result.files["typescript"].items():
        print(path, len(text))

A program is a path (a directory of `.pp` files or one file), or texts by relative path for a program that lives in memory:
`{"main.pp": "…", "web/main.pp": "…"}`.  Nothing is kept between calls and nothing is written; to read the schemas of many
programs once, make a `SchemaStore` and pass it as `store`.

Schemas are looked for in `schemas` and nowhere else, so that a call gives the same on every machine.
`project_store("website")` makes the store that the command line would use for a program: its configuration, its own
`schemas/`, installed SDKs, plugins, the Pulumi CLI, with indexes kept in the platform's cache directory.

The compiler is imported when one of the functions is first called: importing this package costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from pclgen import version
from pclgen.languages import LANGUAGES, TARGETS

if TYPE_CHECKING:
    from pclgen.diagnostics.model import Diagnostic, Note, Severity
    from pclgen.emit.overlay import OverlayError
    from pclgen.evaluate.models import ProviderModel
    from pclgen.results import CheckResult, EvaluateResult, GenerateResult, TextResult
    from pclgen.schema.config import ConfigurationError
    from pclgen.schema.load import SchemaStore
    from pclgen.source.load import LoadedProgram, LoadError
    from pclgen.source.text import Position, Span
    from pclgen.sourcemaps import SourceMap, SourceMapping
    from pclgen.trace.model import Registration, Trace

Source: TypeAlias = str | Path | Mapping[str, str]
"""Where a program is: a path, or its texts by relative path."""

__version__ = version.VERSION

_ELSEWHERE = {
    "CheckResult": "pclgen.results",
    "ConfigurationError": "pclgen.schema.config",
    "Diagnostic": "pclgen.diagnostics.model",
    "EvaluateResult": "pclgen.results",
    "GenerateResult": "pclgen.results",
    "LoadError": "pclgen.source.load",
    "OverlayError": "pclgen.emit.overlay",
    "Note": "pclgen.diagnostics.model",
    "Position": "pclgen.source.text",
    "ProviderModel": "pclgen.evaluate.models",
    "Registration": "pclgen.trace.model",
    "SchemaStore": "pclgen.schema.load",
    "Severity": "pclgen.diagnostics.model",
    "SourceMap": "pclgen.sourcemaps",
    "SourceMapping": "pclgen.sourcemaps",
    "Span": "pclgen.source.text",
    "TextResult": "pclgen.results",
    "Trace": "pclgen.trace.model",
}


def __getattr__(name: str) -> Any:
    """The data types of the results, imported when they are asked for."""
    if name in _ELSEWHERE:
        from importlib import import_module

        return getattr(import_module(_ELSEWHERE[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _load(source: Source, name: str | None, allow_outside: bool) -> LoadedProgram:
    from pclgen.source.load import load_program, program_in_memory

    if isinstance(source, Mapping):
        return program_in_memory(name or "program", source)
    return load_program(str(source), allow_outside=allow_outside)


def check(
    source: Source,
    *,
    schemas: Sequence[str | Path] = (),
    store: SchemaStore | None = None,
    lenient: bool = False,
    name: str | None = None,
    allow_outside: bool = False,
) -> CheckResult:
    """Check a program against the schemas in the directories (or files) `schemas`.

    `name` is the name of a program that lives in memory; with `allow_outside` components may lie outside of the program's
    repository.  The result has the diagnostics, sorted by place, and the typed program when none of them is an error.
    Raises `LoadError` when the program cannot be read.
    """
    from pclgen import pipeline

    loaded = _load(source, name, allow_outside)
    return pipeline.check(loaded, schemas=[Path(s) for s in schemas], store=store, lenient=lenient)


def generate(
    source: Source,
    *,
    languages: Sequence[str] = LANGUAGES,
    schemas: Sequence[str | Path] = (),
    store: SchemaStore | None = None,
    lenient: bool = False,
    program_only: bool = False,
    copy_files: bool = True,
    templates: str | Path | None = None,
    runtime_checks: str = "none",
    json: str = "natural",
    name: str | None = None,
    allow_outside: bool = False,
    source_maps: bool = False,
) -> GenerateResult:
    """Check a program and turn it into the files of each of `languages`.

    `program_only` omits the project files.  The result has the diagnostics, and the texts by language and relative
    path when none of them is an error; with `copy_files` also, in `data`, the files that the program names and that belong
    beside the texts.  `templates` is a folder of templates that lie over those of pclgen.  `runtime_checks`
    is `none` or `blame`: with `blame`, generated code checks values of any type where they are used, and its errors say
    where a value came from.  `json` is `natural` or `canonical`: with `canonical`, the texts of `toJSON` have the same
    bytes in every language.  With `source_maps` the result has a `SourceMap` for each file of the program and of its
    components in Python, TypeScript and Go.  Raises `LoadError` when the program cannot be read, `OverlayError` when the
    templates cannot, `ValueError` for an unknown language or an unknown word in `runtime_checks` or `json`.
    """
    from pclgen import pipeline
    from pclgen.choices import CodeStyle, JsonText, RuntimeChecks
    from pclgen.emit.overlay import read_overlay

    for language in languages:
        if language not in TARGETS:
            raise ValueError(f"there is no language {language!r}; there are {', '.join(TARGETS)}")
    return pipeline.generate(
        _load(source, name, allow_outside),
        languages=languages,
        schemas=[Path(s) for s in schemas],
        store=store,
        lenient=lenient,
        program_only=program_only,
        copy_files=copy_files,
        overlay=None if templates is None else read_overlay(Path(templates)),
        style=CodeStyle(runtime_checks=RuntimeChecks(runtime_checks), json=JsonText(json)),
        source_maps=source_maps,
    )


def project_store(
    directory: str | Path = ".",
    *,
    schemas: Sequence[str | Path] = (),
    cache: bool = True,
    allow_functions: bool = False,
) -> SchemaStore:
    """The schemas that the command line finds for the programs in `directory`, `schemas` (directories or files) first.

    Without `cache` nothing is kept on disk; `allow_functions`: the code of packs of functions may be run.  The environment
    (`PCLGEN_*`) counts as it does for the command line.  Raises `ConfigurationError` when the configuration of the project
    cannot be used.
    """
    from pclgen.schema.discovery import Settings, find_project, open_cache, open_store

    places = tuple([Path(place) for place in schemas])
    settings = Settings(schemas=places, no_cache=not cache, allow_functions=allow_functions)
    project = find_project(Path(directory), settings)
    return open_store(project, open_cache(project))


def evaluate_program(
    source: Source,
    *,
    preview: bool = False,
    project: str | None = None,
    stack: str = "dev",
    organization: str = "organization",
    config: Mapping[str, str] | None = None,
    secrets: Mapping[str, str] | None = None,
    models: Mapping[str, ProviderModel] | None = None,
    replay_file: str | Path | None = None,
    schemas: Sequence[str | Path] = (),
    store: SchemaStore | None = None,
    lenient: bool = False,
    name: str | None = None,
    allow_outside: bool = False,
) -> EvaluateResult:
    """Check a program and run it, without any cloud: what would it register?

    `config` and `secrets` are configuration values by key.  `models` are provider models by package (objects with the
    methods of `ProviderModel`); without one, a resource answers its inputs, an id, and samples of its other outputs.
    `replay_file` is a JSON file of recorded answers.  The result has the diagnostics, and the trace of the run unless the
    program has errors; a run that fails has both a trace and an error.  Raises `LoadError` when the program cannot be read.
    """
    from pclgen import pipeline

    sources = _load(source, name, allow_outside)
    given = pipeline.given_for_run(
        sources,
        preview=preview,
        project=project,
        stack=stack,
        organization=organization,
        config=config,
        secrets=secrets,
        models=models,
        replay_file=None if replay_file is None else Path(replay_file),
    )
    return pipeline.evaluate(sources, given, schemas=[Path(s) for s in schemas], store=store, lenient=lenient)


def format_text(text: str, *, file: str = "main.pp") -> TextResult:
    """The canonical layout of PCL text; the result has no text when it does not parse.  `file` is for diagnostics.

    Raises `LoadError` for a text that no file can hold.
    """
    from pclgen import pipeline
    from pclgen.source.load import RawFile, encoded

    return pipeline.format_source(RawFile(name=file, path=None, data=encoded(file, text)))


def render_diagnostics(diagnostics: Sequence[Diagnostic], *, color: bool = False) -> str:
    """Diagnostics as the command line shows them."""
    from pclgen.diagnostics.render import render_text

    return render_text(diagnostics, color=color)


__all__ = [
    "LANGUAGES",
    "TARGETS",
    "CheckResult",
    "ConfigurationError",
    "Diagnostic",
    "EvaluateResult",
    "GenerateResult",
    "LoadError",
    "Note",
    "OverlayError",
    "Position",
    "ProviderModel",
    "Registration",
    "SchemaStore",
    "Severity",
    "Source",
    "SourceMap",
    "SourceMapping",
    "Span",
    "TextResult",
    "Trace",
    "__version__",
    "check",
    "evaluate_program",
    "format_text",
    "generate",
    "project_store",
    "render_diagnostics",
]
