"""The page that shows a program: its content as JSON, and the page as one self-contained HTML document.

The content is a program's files, generated code with source maps, diagnostics, dependency graph, configuration and a run.
Positions are offsets as editors in web pages count them (`Offsets`). Files have labels: their paths from the program's
folder. Secret values are never included, only their mark.

A page asks for the parts that it shows (`PARTS`). Each part of a version of the program is computed at most once.
"""

from __future__ import annotations

import hashlib
import json
import os
from base64 import b64encode
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from html import escape
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, TypeAlias

from msgspec import Struct

from pclgen.core.configuration import config_schema
from pclgen.core.program import Program
from pclgen.diagnostics.model import Diagnostic, Severity, has_errors
from pclgen.graph.export import STYLE, groups_of, to_svg
from pclgen.languages import LANGUAGES, TARGETS, TITLES
from pclgen.lsp.analyses import Analyses, Draft, Problem, is_large
from pclgen.lsp.analysis import Analysis
from pclgen.lsp.features.completion import Item
from pclgen.lsp.workspace import Document, Workspace
from pclgen.pipeline import evaluate_checked, generate_checked, inputs_for_run
from pclgen.results import GenerateResult
from pclgen.schema.discovery import Settings
from pclgen.source.load import SUFFIX, LoadError, is_yaml
from pclgen.source.text import SourceFile, Span
from pclgen.sourcemaps import SourceMap, SourceMapping
from pclgen.trace.json import to_json
from pclgen.trace.model import Trace
from pclgen.view.excerpts import Excerpts

# -- content ----------------------------------------------------------------------------------------------------------------

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

PARTS: Final = (*TARGETS, "graph", "run")
"""The parts of the content that a page can ask for: generated code by language, the dependency graph, a run."""

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
    """The request of a page: texts of files by label, values of the configuration, whether the run is a preview, and parts.

    Files without a text are read from disk.
    """

    files: Mapping[str, str] | None = None
    config: Mapping[str, str] | None = None
    preview: bool = False
    parts: Sequence[str] = PARTS


class ViewedProgram:
    """One program, on disk or as edited in a page."""

    def __init__(self, program: Path, settings: Settings, environment: Mapping[str, str], options: RunOptions) -> None:
        self.program = program
        self._folder = program if program.is_dir() else program.parent
        self._workspace = Workspace()
        self._analyses = Analyses(self._workspace, settings, environment)
        self._options = options
        self._newest: _Content | None = None
        self._version = 0
        self.label: Callable[[str], str] = cache(self._label)
        """Returns the label of a file of the program."""

    def reload(self) -> None:
        """Read everything from disk again."""
        self._open({})
        self._analyses.reload()

    def opened(self) -> dict[str, Json]:
        """Return the content for a new page: the program as it is on disk, without the parts if it is large."""
        self.reload()
        content = self.content(PageRequest(parts=()))
        return content if content.get("large", True) else self.content(PageRequest())

    def content(self, request: PageRequest) -> dict[str, Json]:
        """Return the content of the page, with the parts that it asks for."""
        if request.files is not None:
            self._open(request.files)
        analysis = self._analyses.of_program(self.program)
        if isinstance(analysis, Problem):
            return self._unreadable(analysis)
        if self._newest is None or self._newest.analysis is not analysis:
            self._version += 1
            self._newest = _Content(self, analysis, self._options, self._version)
        return self._newest.with_parts(request)

    def problems(self, request: PageRequest) -> dict[str, Json]:
        """Return the diagnostics of the program, without those of target languages, and the code of an edited item.

        The code is in the first language among the parts that the page asks for.
        """
        if request.files is not None:
            self._open(request.files)
        diagnostics = self._analyses.diagnostics(self.program)
        if isinstance(diagnostics, Problem):
            return self._unreadable(diagnostics)
        places = _Places(self)
        excerpt: Json = None
        language = next((name for name in request.parts if name in TARGETS), None)
        draft = self._analyses.draft(self.program)
        if language is not None and draft is not None and self._newest is not None and not has_errors(diagnostics):
            excerpt = self._newest.excerpt(draft, language)
        return {"diagnostics": [places.diagnostic(diagnostic) for diagnostic in diagnostics], "excerpt": excerpt}

    def completions(self, request: PageRequest, label: str, units: int) -> list[Json]:
        """Return completions at an offset of a file."""
        if request.files is not None:
            self._open(request.files)
        path = self._path(label)
        if path not in self._workspace.documents and path.as_posix() not in self._analyses.files(self.program):
            return []
        offsets = Offsets(self._workspace.text(path) or "")
        items = self._analyses.complete(path, offsets.read(units))
        return [_item(item, offsets) for item in sorted(items, key=lambda item: (item.rank, item.label))[:_MOST_ITEMS]]

    def _unreadable(self, problem: Problem) -> dict[str, Json]:
        return {"name": self._folder.name, "problem": problem.message, "hint": problem.hint}

    def _label(self, name: str) -> str:
        return Path(os.path.relpath(name, self._folder)).as_posix() if os.path.isabs(name) else name

    def text(self, name: str) -> str | None:
        """Return the text of a file of a program."""
        return self._workspace.text(Path(name))

    def _path(self, label: str) -> Path:
        return Path(os.path.normpath(self._folder / label))

    def _open(self, files: Mapping[str, str]) -> None:
        """Open `files` that the program has read, and new files in its folder; close all other files."""
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
    """Positions in one version of a program, as a page counts them."""

    def __init__(self, viewed: ViewedProgram) -> None:
        self._viewed = viewed
        self._offsets: dict[int, tuple[SourceFile, str, Offsets]] = {}

    def place(self, span: Span) -> list[Json]:
        """Return label, start and end."""
        file = span.file
        entry = self._offsets.get(id(file))
        if entry is None:
            entry = self._offsets[id(file)] = (file, self._viewed.label(file.name), Offsets(file.text))
        _, label, offsets = entry
        return [label, offsets.shown(span.start), offsets.shown(span.end)]

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


def _shown_mappings(
    mappings: Iterable[SourceMapping], shown: Callable[[int], int], place: Callable[[Span], list[Json]]
) -> list[Json]:
    """Return, for each mapping, start and end in the generated file, and the position in the program."""
    return [
        [shown(mapping.generated.start), shown(mapping.generated.end), *place(mapping.origin.span)] for mapping in mappings
    ]


class _Content:
    """The content of one version of a program."""

    def __init__(self, viewed: ViewedProgram, analysis: Analysis, options: RunOptions, version: int) -> None:
        self.analysis = analysis
        self._version = version
        self._viewed = viewed
        self._options = options
        self._places = _Places(viewed)
        self._language: Callable[[str], Json] = cache(self._shown_language)
        self._results: dict[str, GenerateResult] = {}
        self._excerpts = Excerpts(analysis.program, self._generate)
        self._last_run: tuple[PageRequest, Json] | None = None

    def with_parts(self, request: PageRequest) -> dict[str, Json]:
        """Return the content with the parts that a page asks for; a program with errors has no code and no run."""
        compiles = self._basis["config"] is not None
        languages: dict[str, Json] = {
            name: self._language(name) for name in TARGETS if compiles and name in request.parts
        }
        return {
            **self._basis,
            "languages": languages,
            "graph": self._graph if "graph" in request.parts else None,
            "run": self._run(request) if compiles and "run" in request.parts else None,
        }

    @cached_property
    def _basis(self) -> Mapping[str, Json]:
        analysis = self.analysis
        config: Json = None
        if not has_errors(analysis.diagnostics):
            config = {"schema": config_schema(analysis.program), "values": dict(self._options.config)}
        return {
            "name": analysis.program.name,
            "version": self._version,
            "large": is_large(analysis),
            "files": list(self._files()),
            "titles": dict(TITLES),
            "diagnostics": [self._places.diagnostic(diagnostic) for diagnostic in analysis.diagnostics],
            "config": config,
        }

    def _files(self) -> Iterator[Json]:
        sources = {tree.source.name for tree in self.analysis.trees}
        for name in sorted(self.analysis.bound.files, key=lambda name: (name not in sources, self._viewed.label(name))):
            text = self._viewed.text(name)
            if text is not None:
                yield {"name": self._viewed.label(name), "text": text, "language": "yaml" if is_yaml(name) else "pcl"}

    def _generate(self, program: Program, language: str) -> GenerateResult:
        analysis = self.analysis
        return generate_checked(
            analysis.sources,
            program,
            languages=[language],
            program_only=True,
            copy_files=False,
            style=analysis.choices.style,
            keep_going=True,
            source_maps=True,
        )

    def _shown_language(self, name: str) -> Json:
        """Return the generated files in one language, or the reasons why there are none, and further problems."""
        analysis = self.analysis
        result = self._results[name] = self._generate(analysis.program, name)
        maps = result.source_maps.get(name, {})
        files: list[Json] = [
            {"name": path.as_posix(), "text": text, "mappings": self._mappings(maps.get(path))}
            for path, text in sorted(result.files.get(name, {}).items())
        ]
        shown = self._places.diagnostic
        refused = [] if files else [shown(item) for item in result.diagnostics if item.severity is Severity.ERROR]
        # Many programs cannot be expressed in YAML; that is not a problem of the program.
        further = result.diagnostics if name in LANGUAGES else ()
        reported = set(analysis.diagnostics)
        return {"files": files, "refused": refused, "problems": [shown(item) for item in further if item not in reported]}

    def _mappings(self, source_map: SourceMap | None) -> list[Json]:
        if source_map is None:
            return []
        return _shown_mappings(source_map.mappings, Offsets(source_map.file.text).shown, self._places.place)

    def excerpt(self, draft: Draft, language: str) -> Json:
        """Return the changed code in this version, if the edit changes only the code of the edited item.

        None if the whole program must be generated.
        """
        result = self._results.get(language)
        if draft.base is not self.analysis or result is None:
            return None
        excerpt = self._excerpts.of(draft, language, result.source_maps.get(language, {}))
        if excerpt is None:
            return None
        edit, (before, after) = draft.edit, (excerpt.before, excerpt.after)
        old, new = Offsets(before.file.text).shown, Offsets(after.file.text).shown
        places = _Places(self._viewed)

        def place(span: Span) -> list[Json]:
            return places.place(Span(edit.after, span.start, span.end))

        end = Span(edit.after, 0, edit.item.span.end + edit.shift)
        return {
            "language": language,
            "version": self._version,
            "file": before.path.as_posix(),
            "start": old(before.start),
            "end": old(before.end),
            "text": after.text,
            "mappings": _shown_mappings(after.mappings, lambda offset: new(offset) - new(after.start), place),
            "item": places.place(edit.item.span),
            "itemEnd": places.place(end)[2],
        }

    @cached_property
    def _graph(self) -> Json:
        program = self.analysis.program
        nodes: dict[str, Json] = {
            node_id: self._places.place(node.span) for group in groups_of(program) for node, node_id in group.ids.items()
        }
        return {"svg": to_svg(program, label=self._viewed.label, styled=False), "nodes": nodes}

    def _run(self, request: PageRequest) -> Json:
        values = PageRequest(config=request.config, preview=request.preview)
        if self._last_run is None or self._last_run[0] != values:
            self._last_run = (values, self._evaluated(values))
        return self._last_run[1]

    def _evaluated(self, request: PageRequest) -> Json:
        options, sources = self._options, self.analysis.sources
        inputs = inputs_for_run(
            sources,
            preview=request.preview,
            project=sources.project.name or None,
            stack=options.stack,
            organization=options.organization,
            config=options.config if request.config is None else request.config,
            secrets={key: text for key, text in options.secrets.items() if key not in (request.config or {})},
            stack_file=options.stack_file,
            replay_file=options.replay_file,
        )
        try:
            evaluation = evaluate_checked(self.analysis.program, inputs)
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


# -- document ---------------------------------------------------------------------------------------------------------------

_SCRIPT: Final = "page.js"
"""Built from `editors/view`; `page.css` is part of that source."""


def policy(content: dict[str, Json], *, live: bool) -> str:
    """Return the content security policy of `page(content)`: its own script and style; requests only if it is `live`.

    The editor creates style sheets at runtime, which therefore need a nonce rather than a hash. The nonce of a page on
    disk is not secret, but its data cannot become markup, so nothing can use it.
    """
    script = b64encode(hashlib.sha256(_part(_SCRIPT).encode()).digest()).decode("ascii")
    sources = f"script-src 'sha256-{script}'; style-src 'nonce-{_nonce(content)}'; img-src data:"
    rest = "; connect-src 'self'" if live else ""
    return f"default-src 'none'; {sources}{rest}; base-uri 'none'; form-action 'none'"


def page(content: dict[str, Json], *, live: bool) -> str:
    """Return the document that shows `content`; a `live` one sends edits to its server."""
    nonce = _nonce(content)
    # Inside of a script element, only these characters can end the element or begin a comment.
    data = json.dumps({"live": live, "content": content}, ensure_ascii=False).replace("<", "\\u003c").replace(">", "\\u003e")
    title = escape(f"{content['name']} - pclgen")
    return f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy(content, live=live))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<link rel="icon" href="data:,">
<style nonce="{nonce}">
{STYLE}
{_part("page.css")}</style>
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
<script type="application/json" id="data" data-nonce="{nonce}">{data}</script>
<script type="module">{_part(_SCRIPT)}</script>
</body>
</html>
"""


def _nonce(content: dict[str, Json]) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]


@cache
def _part(name: str) -> str:
    return files("pclgen.view").joinpath(name).read_text(encoding="utf-8")
