"""Compilations for other programs: JSON requests and answers, one per line (docs/serve.md).

One `Server` loads the compiler, schemas and configurations once, until a request says `reload`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from pclgen.build.compile import Compiled, Compiler, bug
from pclgen.build.model import Problem
from pclgen.build.plan import options_of
from pclgen.build.report import problem_of
from pclgen.choices import Choices, JsonText, RuntimeChecks, Strictness
from pclgen.diagnostics.machine import FORMAT_VERSION, diagnostic_of
from pclgen.diagnostics.model import Severity, with_levels
from pclgen.errors import UserError
from pclgen.languages import LANGUAGE_NAMES, TARGETS
from pclgen.schema.discovery import Settings
from pclgen.source.load import LoadedProgram, load_program, program_in_memory


class RequestError(UserError):
    """An invalid request; `hint` shows a valid one."""

    def __init__(self, message: str) -> None:
        hint = 'write {"path": "infra/web"} or {"files": {"main.pp": "..."}}; docs/serve.md tells all'
        super().__init__(message, hint)


class CompileRequest(msgspec.Struct, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """One compilation: of the program at `path`, or of texts by path. None means the value of the configuration."""

    id: Any = None
    path: str | None = None
    files: dict[str, str] | None = None
    name: str | None = None
    languages: list[str] | None = None
    lenient: bool | None = None
    project_files: bool | None = None
    copy_files: bool | None = None
    runtime_checks: RuntimeChecks | None = None
    json: JsonText | None = None
    allow_outside: bool = False
    reload: bool = False


_TIDY = 1000
"""Results stored before the cache is trimmed."""


class Server:
    """Answers requests in sequence."""

    def __init__(self, settings: Settings, environment: Mapping[str, str]) -> None:
        self._settings = settings
        self._environment = environment
        self._compiler = Compiler(settings, environment)
        self._kept = 0

    def lines(self, lines: Iterable[bytes]) -> Iterator[str]:
        """Yield an answer for each line that is not empty, in order."""
        try:
            for line in lines:
                if line.strip():
                    yield json.dumps(self.line(line)) + "\n"
                if self._kept >= _TIDY:
                    self.tidy()
        finally:
            self.tidy()

    def tidy(self) -> None:
        """Trim the cache to the configured size if results were stored."""
        if self._kept:
            self._kept = 0
            self._compiler.tidy(Path())

    def line(self, line: bytes) -> Mapping[str, object]:
        """Return the answer to one line. Never raises for an invalid line."""
        try:
            request = read_request(line)
        except RequestError as error:
            return _answer(None, problem=Problem(message=str(error), hint=error.hint))
        return self.answer(request)

    def answer(self, request: CompileRequest) -> Mapping[str, object]:
        """Return the answer to a request. Never raises for an invalid program."""
        try:
            if request.reload:
                self._compiler = Compiler(self._settings, self._environment)
            return self._compiled(request)
        except UserError as error:
            return _answer(request.id, problem=Problem(message=str(error), hint=error.hint))
        except Exception as error:  # A crash in one request must not stop the others.
            return _answer(request.id, problem=bug(error))

    def _compiled(self, request: CompileRequest) -> Mapping[str, object]:
        sources = _sources(request)
        choices = _choices_of(request).over(self._configured(sources))
        options = options_of(choices, allow_outside=request.allow_outside)
        compiled = self._compiler.compile_sources(sources, options)
        self._kept += not compiled.from_cache
        diagnostics = with_levels(compiled.diagnostics(), choices.levels)
        is_ok = compiled.result.ok and not any(item.severity is Severity.ERROR for item in diagnostics)
        documents = [diagnostic_of(item) for item in diagnostics]
        return _answer(request.id, compiled=compiled if is_ok else None, diagnostics=documents)

    def _configured(self, sources: LoadedProgram) -> Choices:
        configuration = self._compiler.configuration(sources)
        if configuration.path is None:
            return Choices()
        return configuration.building.of(Path(os.path.relpath(sources.root, configuration.path.parent)).as_posix())


def read_request(line: bytes) -> CompileRequest:
    """Return the request in a line.  Raises `RequestError`."""
    try:
        request = msgspec.json.decode(line, type=CompileRequest)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        text = str(error)
        first_letter = text[:1].lower() if text[1:2].islower() else text[:1]
        raise RequestError(f"not a request: {first_letter}{text[1:]}") from error
    level = [request.id]
    for _ in range(_DEEPEST):
        level = [inner for value in level for inner in _inside(value)]
    if level:
        raise RequestError(f"not a request: `id` is nested more than {_DEEPEST} levels deep")
    return request


_DEEPEST = 32
"""Maximum nesting of an `id`: JSON that can be decoded may be too deep to encode again."""


def _inside(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _sources(request: CompileRequest) -> LoadedProgram:
    if (request.path is None) == (request.files is None):
        raise RequestError("a request has either `path` or `files`")
    if request.files is not None:
        return program_in_memory(request.name or "program", request.files)
    if request.name is not None:
        raise RequestError("`name` is for `files`: a program at a `path` has its own")
    if request.path in ("", "-"):
        raise RequestError(f"`path` is `{request.path}`: standard input has the requests")
    return load_program(str(request.path), allow_outside=request.allow_outside)


def _choices_of(request: CompileRequest) -> Choices:
    unknown = [name for name in request.languages or () if name not in LANGUAGE_NAMES]
    if unknown:
        raise RequestError(f"there is no language `{unknown[0]}`; there are {', '.join(TARGETS)}")
    names = {LANGUAGE_NAMES[name] for name in request.languages or ()}
    strictness = {None: None, True: Strictness.LENIENT, False: Strictness.STRICT}[request.lenient]
    return Choices(
        languages=None if request.languages is None else tuple(target for target in TARGETS if target in names),
        project_files=request.project_files,
        copy_files=request.copy_files,
        strictness=strictness,
        runtime_checks=request.runtime_checks,
        json=request.json,
    )


def _answer(
    number: object, *, compiled: Compiled | None = None, diagnostics: object = (), problem: Problem | None = None
) -> Mapping[str, object]:
    return {
        "format_version": FORMAT_VERSION,
        "id": number,
        "ok": compiled is not None,
        "files": compiled.result.files if compiled is not None else {},
        "data": _data(compiled) if compiled is not None else {},
        "diagnostics": diagnostics,
        "problem": problem_of(problem),
    }


def _data(compiled: Compiled) -> Mapping[str, Mapping[str, str]]:
    return {
        language: {path: (compiled.root / own).as_posix() for path, own in files.items()}
        for language, files in compiled.result.data.items()
    }
