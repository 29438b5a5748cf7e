"""The content of the page as JSON: a program's files, generated code with source maps, diagnostics, dependency graph,
configuration and a run.

Positions are offsets as editors in web pages count them (`Offsets`). Files have labels: their paths from the program's
folder. Secret values are never included, only their mark.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from pclgen.core.configschema import config_schema
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.graph.drawing import to_svg
from pclgen.graph.export import groups_of
from pclgen.languages import LANGUAGES, TITLES
from pclgen.lsp.analyses import Analyses, Problem
from pclgen.lsp.analysis import Analysis
from pclgen.lsp.features.completion import Item
from pclgen.lsp.workspace import Document, Workspace
from pclgen.pipeline import evaluate_checked, generate_checked, inputs_for_run
from pclgen.results import GenerateResult
from pclgen.schema.discovery import Settings
from pclgen.source.load import SUFFIX, LoadError, is_yaml
from pclgen.source.text import Span
from pclgen.sourcemaps import SourceMap
from pclgen.trace.json import to_json
from pclgen.trace.model import Trace

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

_MOST_ITEMS = 200


class Offsets:
    """The offsets of a text as editors in web pages count them: in UTF-16 units, with every line break as one."""

    def __init__(self, text: str) -> None:
        self._starts: Sequence[int] | None = None
        if not text.isascii() or "\r" in text:
            pairs = zip(text, text[1:] + " ", strict=True)
            widths = (0 if character + behind == "\r\n" else 1 + (character > "\uffff") for character, behind in pairs)
            self._starts = list(accumulate(widths, initial=0))

    def shown(self, offset: int) -> int:
        """Convert an offset in code points to the page's units."""
        return offset if self._starts is None else self._starts[min(offset, len(self._starts) - 1)]

    def read(self, units: int) -> int:
        """Convert an offset of the page to code points."""
        return units if self._starts is None else bisect_left(self._starts, units)


class RunOptions(Struct, frozen=True, kw_only=True):
    """Settings of runs besides those of the page: see `pipeline.inputs_for_run`."""

    config: Mapping[str, str]
    secrets: Mapping[str, str]
    stack: str
    organization: str
    stack_file: Path | None = None
    replay_file: Path | None = None


class PageRequest(Struct, frozen=True, kw_only=True):
    """The request of a page: texts of files by label, values of the configuration, and whether the run is a preview.

    Files without a text are read from disk.
    """

    files: Mapping[str, str] | None = None
    config: Mapping[str, str] | None = None
    preview: bool = False


class ViewedProgram:
    """One program, on disk or as edited in a page."""

    def __init__(self, program: Path, settings: Settings, environment: Mapping[str, str], options: RunOptions) -> None:
        self.program = program
        self._folder = program if program.is_dir() else program.parent
        self._workspace = Workspace()
        self._analyses = Analyses(self._workspace, settings, environment)
        self._options = options

    def reload(self) -> None:
        """Read everything from disk again."""
        self._take({})
        self._analyses.reload()

    def content(self, request: PageRequest) -> dict[str, Json]:
        """Return the content of the page."""
        if request.files is not None:
            self._take(request.files)
        analysis = self._analyses.of_program(self.program)
        if isinstance(analysis, Problem):
            return self._unreadable(analysis)
        return _Content(self, analysis).whole(request, self._options)

    def problems(self, request: PageRequest) -> dict[str, Json]:
        """Return the diagnostics of the program, without those of languages."""
        if request.files is not None:
            self._take(request.files)
        diagnostics = self._analyses.diagnostics(self.program)
        if isinstance(diagnostics, Problem):
            return self._unreadable(diagnostics)
        shown = _Places(self)
        return {"diagnostics": [shown.diagnostic(diagnostic) for diagnostic in diagnostics]}

    def completions(self, request: PageRequest, label: str, units: int) -> list[Json]:
        """Return completions at an offset of a file."""
        if request.files is not None:
            self._take(request.files)
        path = self._path(label)
        if path not in self._workspace.documents and path.as_posix() not in self._analyses.files(self.program):
            return []
        offsets = Offsets(self._workspace.text(path) or "")
        items = self._analyses.complete(path, offsets.read(units))
        return [_item(item, offsets) for item in sorted(items, key=lambda item: (item.rank, item.label))[:_MOST_ITEMS]]

    def _unreadable(self, problem: Problem) -> dict[str, Json]:
        return {"name": self._folder.name, "problem": problem.message, "hint": problem.hint}

    def label(self, name: str) -> str:
        """Return the label of a file of a program."""
        return Path(os.path.relpath(name, self._folder)).as_posix() if os.path.isabs(name) else name

    def text(self, name: str) -> str | None:
        """Return the text of a file of a program."""
        return self._workspace.text(Path(name))

    def _path(self, label: str) -> Path:
        return Path(os.path.normpath(self._folder / label))

    def _take(self, files: Mapping[str, str]) -> None:
        """Open exactly `files`: those that the program read before, and new ones in its own folder."""
        read = {Path(name) for name in self._analyses.files(self.program)} or set(self._workspace.documents)
        texts = {path: text for label, text in files.items() if (path := self._path(label)) in read or self._is_new(path)}
        for path in self._workspace.documents.keys() - texts.keys():
            self._workspace.close(path)
            self._analyses.changed(path)
        for path, text in texts.items():
            document = self._workspace.documents.get(path)
            if document is None or document.text != text:
                self._workspace.open(Document(uri=path.as_uri(), path=path, text=text, version=None))
                self._analyses.changed(path)

    def _is_new(self, path: Path) -> bool:
        return path.parent == self._folder == self.program and path.suffix == SUFFIX


class _Places:
    """Places of one version of a program, as a page counts them."""

    def __init__(self, viewed: ViewedProgram) -> None:
        self._viewed = viewed
        self._offsets = cache(lambda file: Offsets(file.text))

    def place(self, span: Span) -> list[Json]:
        """Return label, start and end."""
        offsets = self._offsets(span.file)
        return [self._viewed.label(span.file.name), offsets.shown(span.start), offsets.shown(span.end)]

    def diagnostic(self, diagnostic: Diagnostic) -> Json:
        """Return a diagnostic with its places."""
        notes: list[Json] = [
            {"message": note.message, "place": self.place(note.span) if note.span is not None else None}
            for note in diagnostic.notes
        ]
        data: dict[str, Json] = {
            "code": diagnostic.code,
            "severity": diagnostic.severity.value,
            "message": diagnostic.message,
            "notes": notes,
        }
        data["help"] = diagnostic.help
        data["place"] = None
        if diagnostic.primary is not None:
            at = diagnostic.primary.start_position
            data["place"] = self.place(diagnostic.primary)
            data["at"] = f"{self._viewed.label(diagnostic.primary.file.name)}:{at.line}:{at.column}"
        return data


class _Content:
    """One version of a program."""

    def __init__(self, viewed: ViewedProgram, analysis: Analysis) -> None:
        self._viewed = viewed
        self._analysis = analysis
        self._places = _Places(viewed)

    def whole(self, request: PageRequest, options: RunOptions) -> dict[str, Json]:
        analysis = self._analysis
        languages: dict[str, Json] = {}
        config: Json = None
        run: Json = None
        diagnostics = analysis.diagnostics
        if not any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics):
            result = self._generated(LANGUAGES, languages)
            diagnostics = tuple(dict.fromkeys([*diagnostics, *result.diagnostics]))
            # Many programs cannot be expressed in YAML; that is not an error.
            self._generated(["yaml"], languages)
            config = {"schema": config_schema(analysis.program), "values": dict(options.config)}
            run = self._run(request, options)
        return {
            "name": analysis.program.name,
            "files": list(self._files()),
            "languages": languages,
            "diagnostics": [self._places.diagnostic(diagnostic) for diagnostic in diagnostics],
            "graph": self._graph(),
            "config": config,
            "run": run,
        }

    def _files(self) -> Iterator[Json]:
        own = {tree.source.name for tree in self._analysis.trees}
        for name in sorted(self._analysis.bound.files, key=lambda name: (name not in own, self._viewed.label(name))):
            text = self._viewed.text(name)
            if text is not None:
                yield {"name": self._viewed.label(name), "text": text, "language": "yaml" if is_yaml(name) else "pcl"}

    def _generated(self, names: Sequence[str], languages: dict[str, Json]) -> GenerateResult:
        """Add the generated files in each language of `names`, or the reasons why there are none."""
        result = generate_checked(
            self._analysis.sources,
            self._analysis.program,
            languages=names,
            program_only=True,
            copy_files=False,
            style=self._analysis.choices.style,
            keep_going=True,
            source_maps=True,
        )
        places = self._places
        errors: list[Json] = [places.diagnostic(item) for item in result.diagnostics if item.severity is Severity.ERROR]
        for name in names:
            maps = result.source_maps.get(name, {})
            files: list[Json] = [
                {"name": path.as_posix(), "text": text, "mappings": self._mappings(maps.get(path))}
                for path, text in sorted(result.files.get(name, {}).items())
            ]
            languages[name] = {"title": TITLES[name], "files": files, "refused": [] if files else errors}
        return result

    def _mappings(self, source_map: SourceMap | None) -> list[Json]:
        """Return, for each mapping, start and end in the generated file, and the position in the program."""
        if source_map is None:
            return []
        shown, place = Offsets(source_map.file.text).shown, self._places.place
        return [
            [shown(mapping.generated.start), shown(mapping.generated.end), *place(mapping.origin.span)]
            for mapping in source_map.mappings
        ]

    def _graph(self) -> Json:
        program = self._analysis.program
        nodes: dict[str, Json] = {
            node_id: self._places.place(node.span) for group in groups_of(program) for node, node_id in group.ids.items()
        }
        return {"svg": to_svg(program, label=self._viewed.label, styled=False), "nodes": nodes}

    def _run(self, request: PageRequest, options: RunOptions) -> Json:
        inputs = inputs_for_run(
            self._analysis.sources,
            preview=request.preview,
            project=self._analysis.sources.project.name or None,
            stack=options.stack,
            organization=options.organization,
            config=options.config if request.config is None else request.config,
            secrets={key: text for key, text in options.secrets.items() if key not in (request.config or {})},
            stack_file=options.stack_file,
            replay_file=options.replay_file,
        )
        try:
            evaluation = evaluate_checked(self._analysis.program, inputs)
        except LoadError as error:
            return {"problem": str(error)}
        return None if evaluation.trace is None else self._shown(evaluation.trace)

    def _shown(self, trace: Trace) -> Json:
        """Return a run without secret values, with labels instead of file names."""
        trace_data = _without_secrets(to_json(trace))
        assert isinstance(trace_data, dict)
        for part in ("registrations", "calls", "log"):
            for entry in trace_data.get(part) or ():
                for place in [entry.get("place"), *entry.get("places", {}).values()]:
                    if place is not None:
                        place["file"] = self._viewed.label(place["file"])
        return trace_data


def _without_secrets(value: Json) -> Any:
    match value:
        case {"$secret": _} | {"$output": {"secret": True}}:
            return {"$secret": None}
        case dict():
            return {key: _without_secrets(member) for key, member in value.items()}
        case list():
            return [_without_secrets(element) for element in value]
        case _:
            return value


def _item(item: Item, offsets: Offsets) -> Json:
    return {
        "label": item.label,
        "kind": item.kind.value,
        "start": offsets.shown(item.start),
        "detail": item.detail,
        "doc": item.doc,
    }
