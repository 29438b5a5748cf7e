"""`GenerateProgram` and `GenerateProject`: one compilation each, by the same functions as `pclgen generate`.

Responses have diagnostics (`pulumirpc.codegen.Diagnostic`, which the CLI prints as `error: main.pp:1,1-9: summary; detail`)
and files; `Refused` is raised for an invalid request and for missing schemas.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.errors import REPORT_WITH_TRACEBACK, own_failure
from pclgen.host.languages import HostLanguage
from pclgen.protocol.rpc import Handler, Refused, Rpc
from pclgen.source.text import Position, SourceFile, Span

if TYPE_CHECKING:
    from pclgen.results import GenerateResult
    from pclgen.schema.load import SchemaStore
    from pclgen.source.load import LoadedProgram
    from pclgen.source.project import ProjectFile


_SERVICE = "/pulumirpc.LanguageRuntime"
_DIAGNOSTIC_OF_SOURCE = "PCL0313"
_DIAGNOSTICS_OF_SCHEMAS = frozenset({_DIAGNOSTIC_OF_SOURCE, "PCL0304", "PCL0305"})
"""Codes that are not errors of the program: a loader that does not answer, or not with a schema."""
_HANDLED = frozenset({"name", "description", "main", "runtime"})


class Generator(Struct, frozen=True, kw_only=True):
    """Handles requests for one language. Compilations run sequentially, since each uses the whole interpreter."""

    rpc: Rpc
    language: HostLanguage
    lock: Lock

    def handlers(self) -> Mapping[str, Handler]:
        """Return the methods that are handled here, by path."""
        return {
            f"{_SERVICE}/GenerateProgram": self._guarded(self.program),
            f"{_SERVICE}/GenerateProject": self._guarded(self.project),
        }

    def warm_up(self) -> None:
        """Load the compiler by compiling an empty program, so that the first request does not wait for it."""
        from pclgen.schema.load import SchemaStore
        from pclgen.source.load import program_in_memory

        self._compile(program_in_memory("nothing", {"main.pp": ""}), SchemaStore(()), strict=True)

    def program(self, request: Any) -> Any:
        """Generate sources from sources in memory, without project files."""
        from pclgen.source.load import LoadError, program_in_memory

        try:
            sources = program_in_memory("program", dict(request.source))
        except LoadError as error:
            raise Refused("INVALID_ARGUMENT", _sentence(error)) from None
        store = _store(Path(), request.loader_target, isolated=True)
        result = self._compile(sources, store, strict=request.strict, program_only=True)
        response = self._response("GenerateProgramResponse", result.diagnostics)
        for path, text in result.files.get(self.language.target, {}).items():
            response.source[str(path)] = text.encode("utf-8")
        return response

    def project(self, request: Any) -> Any:
        """Generate a project folder from a folder of sources."""
        from pclgen.emit.write import Output, WriteError, write_outputs

        source, target = _folders(request)
        sources = replace(_load(source), project=_project(request.project, self.language))
        local = _local(request.local_dependencies)
        store = _store(source, request.loader_target)
        result = self._compile(sources, store, strict=request.strict, local=local)
        if result.ok:
            files, data = result.files[self.language.target], result.data.get(self.language.target, {})
            if source.resolve() == target.resolve():
                data = {}  # they are already there, and belong to the user
            try:
                write_outputs([Output(folder=target, files=files, data=data)], force=True)
            except WriteError as error:
                raise Refused("FAILED_PRECONDITION", _sentence(error)) from None
        return self._response("GenerateProjectResponse", result.diagnostics)

    def _compile(
        self,
        sources: LoadedProgram,
        store: SchemaStore,
        *,
        strict: bool,
        program_only: bool = False,
        local: Mapping[str, str] | None = None,
    ) -> GenerateResult:
        from pclgen import pipeline

        with self.lock:
            result = pipeline.generate(
                sources,
                languages=[self.language.target],
                store=store,
                lenient=not strict,
                program_only=program_only,
                copy_files=not program_only,
                local=local,
            )
        _demand_schemas(result)
        return result

    def _response(self, name: str, diagnostics: Sequence[Diagnostic]) -> Any:
        from pclgen.host.generation import diagnostic_message

        messages = [diagnostic_message(self.rpc, diagnostic) for diagnostic in diagnostics]
        return self.rpc.message(f"pulumirpc.{name}", diagnostics=messages)

    def _guarded(self, handler: Handler) -> Callable[[Any], Any]:
        """Return a handler that turns an internal error into a response, without a traceback on the user's screen."""

        def answer(request: Any) -> Any:
            try:
                return handler(request)
            except Refused:
                raise
            except Exception as error:  # the last line of defense: a bug in pclgen must not look like a user's error
                if os.environ.get("PCLGEN_TRACEBACK"):
                    import traceback

                    traceback.print_exception(error)
                message = f"{own_failure(error)}; nothing was written; {REPORT_WITH_TRACEBACK}"
                raise Refused("INTERNAL", message) from error

        return answer


def _sentence(error: Exception) -> str:
    hint = getattr(error, "hint", None)
    return f"{error}; {hint}" if hint else str(error)


def _folders(request: Any) -> tuple[Path, Path]:
    for name in ("source_directory", "target_directory"):
        if not getattr(request, name) or "\0" in getattr(request, name):
            raise Refused("INVALID_ARGUMENT", f"GenerateProject: `{name}` must name a directory")
    source, target = Path(request.source_directory), Path(request.target_directory)
    if not source.is_dir():
        raise Refused("INVALID_ARGUMENT", f"GenerateProject: there is no directory `{source}` (source_directory)")
    return source, target


def _load(source: Path) -> LoadedProgram:
    from pclgen.source.load import LoadError, load_program

    try:
        return load_program(os.path.join(source, ""), named_from=source)
    except LoadError as error:
        raise Refused("INVALID_ARGUMENT", _sentence(error)) from None


def _project(text: str, language: HostLanguage) -> ProjectFile:
    """Return the project that the CLI has read, with the settings that are only forwarded."""
    from pclgen.source.data import DataError, read_json
    from pclgen.source.project import ProjectError, project_of

    try:
        content = read_json(text or "{}")
        facts = project_of(content) if isinstance(content, dict) else None
    except DataError as error:
        raise Refused("INVALID_ARGUMENT", f"GenerateProject: `project` is not JSON: {error}") from None
    except ProjectError as error:
        raise Refused("INVALID_ARGUMENT", f"GenerateProject: {error}") from None
    if facts is None:
        raise Refused("INVALID_ARGUMENT", "GenerateProject: `project` must be a JSON object, as Pulumi.yaml has it")
    settings = {key: value for key, value in content.items() if key not in _HANDLED and value is not None}
    return replace(facts, options=_options(content.get("runtime"), language), settings=settings)


def _options(runtime: object, language: HostLanguage) -> Mapping[str, object]:
    """Return the options of the runtime; options of another language are ignored."""
    if isinstance(runtime, dict) and runtime.get("name") in (language.runtime, language.plugin):
        options = runtime.get("options")
        return options if isinstance(options, dict) else {}
    return {}


def _local(dependencies: Mapping[str, str]) -> Mapping[str, str]:
    from pclgen.source.text import one_line

    for name, path in dependencies.items():
        if not path or one_line(path) != path:
            raise Refused("INVALID_ARGUMENT", f"GenerateProject: the local dependency {name!r} has no path, but {path!r}")
    return dict(dependencies)


def _store(directory: Path, loader: str, *, isolated: bool = False) -> SchemaStore:
    """Return the schemas for a program in `directory`: those of the project, and those of the loader in the request."""
    from pclgen.schema.config import ConfigurationError, SourceKind
    from pclgen.schema.discovery import Settings, find_project, open_cache, open_store

    sources = (SourceKind.FILES, SourceKind.LOADER) if loader else None
    settings = Settings(sources=sources, loader=loader or None, isolated=isolated)
    try:
        project = find_project(directory, settings)
        return open_store(project, open_cache(project))
    except ConfigurationError as error:
        raise Refused("FAILED_PRECONDITION", _sentence(error)) from None


def _demand_schemas(result: GenerateResult) -> None:
    """Raise `Refused` if schemas are unavailable, whatever other diagnostics the program has."""
    from pclgen.diagnostics.model import Severity
    from pclgen.host.generation import diagnostic_line

    wrong = [d for d in result.diagnostics if d.severity is Severity.ERROR and d.code in _DIAGNOSTICS_OF_SCHEMAS]
    if wrong:
        of_source = any(d.code == _DIAGNOSTIC_OF_SOURCE for d in wrong)
        words = list(dict.fromkeys(diagnostic_line(d) for d in wrong))
        raise Refused("UNAVAILABLE" if of_source else "FAILED_PRECONDITION", "\n".join(words))


def diagnostic_message(rpc: Rpc, diagnostic: Diagnostic) -> Any:
    """Return the message for `diagnostic`, with 1-based lines and columns; the protocol has only errors and warnings."""
    values = rpc.enumeration("pulumirpc.codegen.DiagnosticSeverity")
    severity = "DIAG_ERROR" if diagnostic.severity is Severity.ERROR else "DIAG_WARNING"
    message = rpc.message(
        "pulumirpc.codegen.Diagnostic",
        severity=values[severity],
        summary=f"{diagnostic.message} [{diagnostic.code}]",
        detail=_detail(diagnostic),
    )
    if diagnostic.primary is not None:
        message.subject.CopyFrom(_range(rpc, diagnostic.primary))
    return message


def diagnostic_line(diagnostic: Diagnostic) -> str:
    """Return `diagnostic` as one line, for errors of calls, which are a single sentence."""
    place = f"{diagnostic.primary}: " if diagnostic.primary is not None else ""
    return "; ".join(part for part in (f"{place}{diagnostic.message} [{diagnostic.code}]", _detail(diagnostic)) if part)


def _detail(diagnostic: Diagnostic) -> str:
    notes = [f"{note.span}: {note.message}" if note.span is not None else note.message for note in diagnostic.notes]
    parts = [diagnostic.label, *notes, f"help: {diagnostic.help}" if diagnostic.help else ""]
    return "; ".join(part for part in parts if part)


def _range(rpc: Rpc, span: Span) -> Any:
    return rpc.message(
        "pulumirpc.codegen.Range",
        filename=span.file.name,
        start=_position(rpc, span.file, span.start_position),
        end=_position(rpc, span.file, span.end_position),
    )


def _position(rpc: Rpc, file: SourceFile, position: Position) -> Any:
    at = len(file.text[: position.offset].encode("utf-8", "surrogatepass"))
    return rpc.message("pulumirpc.codegen.Pos", line=position.line, column=position.column, byte=at)
