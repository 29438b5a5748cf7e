"""pclgen: from Pulumi Configuration Language (PCL) to Python, TypeScript and Go.

    import pclgen

    result = pclgen.generate("website", schemas=["schemas"], languages=["typescript"])
    for diagnostic in result.diagnostics:
        print(diagnostic.code, diagnostic.primary, diagnostic.message)
    for path, text in result.files["typescript"].items():
        print(path, len(text))

A program is a path (a folder of `.pp` files or one file), or a mapping of relative paths to texts for a program in memory:
`{"main.pp": "…", "web/main.pp": "…"}`. Calls are independent of each other and write no files. To read schemas once for many
programs, create a `SchemaStore` and pass it as `store`.

By default, a call reads schemas from `schemas` only, so it has the same result on every machine.
`project_store("website")` returns the store that the command line uses for a program: its configuration, its own
`schemas/`, installed SDKs, plugins and the Pulumi CLI, with indexes in the platform's cache folder.

Importing this package is cheap: the first call of a function imports the compiler.
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
"""A program: its path, or its texts by relative path."""

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
    """Import a data type of the results when it is first used."""
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
    """Check a program against the schemas in the folders or files `schemas`.

    `name` is the name of a program in memory. With `allow_outside`, components may be outside of the program's
    repository. The result has the diagnostics, sorted by position, and the typed program unless there are errors. Raises
    `LoadError` if the program cannot be read.
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
    """Generate a program in each of `languages`.

    The result has the diagnostics and, unless there are errors, the texts by language and relative path. `program_only`
    omits the project files. With `copy_files`, `data` has the files that the program names and that belong beside the
    texts. `templates` is a folder of templates that replace those of pclgen. `runtime_checks` is `none` or `blame`: with
    `blame`, generated code checks values of any type where they are used, and its errors name the origin of a value.
    `json` is `natural` or `canonical`: with `canonical`, the texts of `toJSON` have the same bytes in every language.
    With `source_maps`, the result has a `SourceMap` for each file of the program and of its components. Raises
    `LoadError` if the program cannot be read, `OverlayError` if the templates cannot, and `ValueError` for an unknown
    language or an unknown value of `runtime_checks` or `json`.
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
    """Return the schema store that the command line uses for the programs in `directory`.

    The folders or files `schemas` come first. Without `cache`, nothing is stored on disk. With `allow_functions`, the
    code of function packs may run. Environment variables (`PCLGEN_*`) have the same effect as for the command line.
    Raises `ConfigurationError` if the configuration of the project is invalid.
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
    """Check a program and run it without a cloud.

    `config` and `secrets` are configuration values by key. `models` are provider models by package: objects with the
    methods of `ProviderModel`. Without a model, a resource has its inputs, an id, and samples of its other outputs.
    `replay_file` is a JSON file of recorded answers. The result has the diagnostics, and the trace of the run unless the
    program has errors; a run that fails has both a trace and an error. Raises `LoadError` if the program cannot be read.
    """
    from pclgen import pipeline

    sources = _load(source, name, allow_outside)
    inputs = pipeline.inputs_for_run(
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
    return pipeline.evaluate(sources, inputs, schemas=[Path(s) for s in schemas], store=store, lenient=lenient)


def format_text(text: str, *, file: str = "main.pp") -> TextResult:
    """Format PCL text; the result has no text if it does not parse. `file` is the file name in diagnostics.

    Raises `LoadError` if the text cannot be encoded as UTF-8.
    """
    from pclgen.formatting import format_source
    from pclgen.source.load import RawFile, encoded

    return format_source(RawFile(name=file, path=None, data=encoded(file, text)))


def render_diagnostics(diagnostics: Sequence[Diagnostic], *, color: bool = False) -> str:
    """Return diagnostics as the command line prints them."""
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
