"""What the page shows of a program, as JSON: its files, the generated code with the source maps, the diagnostics, the
dependency graph, the configuration and a run.

Places are offsets as editors in web pages count them (`Offsets`).  Files have labels: their paths from the program's folder.
No secret value is in the content, only the mark of one.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeAlias

from pclgen.core.configschema import config_schema
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.graph.drawing import to_svg
from pclgen.graph.export import groups_of
from pclgen.languages import LANGUAGES, TITLES
from pclgen.lsp.analysis import Analyses, Analysis, Problem
from pclgen.lsp.features.completion import Item, complete
from pclgen.lsp.features.yamlcompletion import complete_yaml
from pclgen.lsp.workspace import Document, Workspace
from pclgen.pipeline import evaluate_checked, generate_checked, given_for_run
from pclgen.records import dataclass
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
            widths = (0 if one + behind == "\r\n" else 1 + (one > "\uffff") for one, behind in pairs)
            self._starts = list(accumulate(widths, initial=0))

    def shown(self, offset: int) -> int:
        """An offset in code points, in the page's units."""
        return offset if self._starts is None else self._starts[min(offset, len(self._starts) - 1)]

    def read(self, units: int) -> int:
        """The offset in code points of a place in the page."""
        return units if self._starts is None else bisect_left(self._starts, units)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What runs are given besides what the page asks for: see `pipeline.given_for_run`."""

    config: Mapping[str, str]
    secrets: Mapping[str, str]
    stack: str
    organization: str
    stack_file: Path | None = None
    replay_file: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a page asks for: the texts of files by label, values of the configuration, and whether the run is a preview.

    Files without a text are those on disk.
    """

    files: Mapping[str, str] | None = None
    config: Mapping[str, str] | None = None
    preview: bool = False


class Viewed:
    """One program, as it is on disk or as a page has it."""

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

    def content(self, asked: Asked) -> dict[str, Json]:
        """What the page shows."""
        if asked.files is not None:
            self._take(asked.files)
        analysis = self._analyses.of_program(self.program)
        if isinstance(analysis, Problem):
            return {"name": self._folder.name, "problem": analysis.message, "hint": analysis.hint}
        return _Content(self, analysis).whole(asked, self._options)

    def completions(self, asked: Asked, label: str, units: int) -> list[Json]:
        """What may be typed at a place of a file."""
        if asked.files is not None:
            self._take(asked.files)
        analysis = self._analyses.of_program(self.program)
        tree = analysis.tree(self._path(label)) if isinstance(analysis, Analysis) else None
        if isinstance(analysis, Problem) or tree is None:
            return []
        offsets = Offsets(tree.source.text)
        completer = complete_yaml if is_yaml(tree.source.name) else complete
        found = completer(analysis, tree, min(offsets.read(units), len(tree.source.text)))
        return [_item(one, offsets) for one in sorted(found, key=lambda one: (one.rank, one.label))[:_MOST_ITEMS]]

    def label(self, name: str) -> str:
        """The label of a file of a program."""
        return Path(os.path.relpath(name, self._folder)).as_posix() if os.path.isabs(name) else name

    def text(self, name: str) -> str | None:
        """The text of a file of a program."""
        return self._workspace.text(Path(name))

    def _path(self, label: str) -> Path:
        return Path(os.path.normpath(self._folder / label))

    def _take(self, files: Mapping[str, str]) -> None:
        """Let exactly `files` be open: those that the program read before, and new ones in its own folder."""
        known = self._analyses.of_program(self.program)
        read = {Path(name) for name in known.read} if isinstance(known, Analysis) else set(self._workspace.documents)
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


class _Content:
    """One version of a program."""

    def __init__(self, viewed: Viewed, analysis: Analysis) -> None:
        self._viewed = viewed
        self._analysis = analysis
        self._offsets = cache(lambda file: Offsets(file.text))

    def whole(self, asked: Asked, options: RunOptions) -> dict[str, Json]:
        analysis = self._analysis
        languages: dict[str, Json] = {}
        config: Json = None
        run: Json = None
        diagnostics = analysis.diagnostics
        if not any(one.severity is Severity.ERROR for one in diagnostics):
            result = self._generated(LANGUAGES, languages)
            diagnostics = tuple(dict.fromkeys([*diagnostics, *result.diagnostics]))
            # Many programs cannot be written in YAML: that is no problem of theirs.
            self._generated(["yaml"], languages)
            config = {"schema": config_schema(analysis.program), "values": dict(options.config)}
            run = self._run(asked, options)
        return {
            "name": analysis.program.name,
            "files": list(self._files()),
            "languages": languages,
            "diagnostics": [self._diagnostic(one) for one in diagnostics],
            "graph": self._graph(),
            "config": config,
            "run": run,
        }

    def _files(self) -> Iterator[Json]:
        own = {tree.source.name for tree in self._analysis.trees}
        for name in sorted(self._analysis.read, key=lambda name: (name not in own, self._viewed.label(name))):
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
        errors: list[Json] = [self._diagnostic(one) for one in result.diagnostics if one.severity is Severity.ERROR]
        for name in names:
            maps = result.source_maps.get(name, {})
            files: list[Json] = [
                {"name": path.as_posix(), "text": text, "mappings": self._mappings(maps.get(path))}
                for path, text in sorted(result.files.get(name, {}).items())
            ]
            languages[name] = {"title": TITLES[name], "files": files, "refused": [] if files else errors}
        return result

    def _mappings(self, found: SourceMap | None) -> list[Json]:
        """Start and end in the generated file, and the place in the program, for each mapping."""
        if found is None:
            return []
        offsets = Offsets(found.file.text)
        return [
            [offsets.shown(one.generated.start), offsets.shown(one.generated.end), *self._place(one.origin.span)]
            for one in found.mappings
        ]

    def _place(self, span: Span) -> list[Json]:
        """Label, start and end."""
        offsets = self._offsets(span.file)
        return [self._viewed.label(span.file.name), offsets.shown(span.start), offsets.shown(span.end)]

    def _diagnostic(self, one: Diagnostic) -> Json:
        notes: list[Json] = [
            {"message": note.message, "place": self._place(note.span) if note.span is not None else None}
            for note in one.notes
        ]
        found: dict[str, Json] = {"code": one.code, "severity": one.severity.value, "message": one.message, "notes": notes}
        found["help"] = one.help
        found["place"] = None
        if one.primary is not None:
            at = one.primary.start_position
            found["place"] = self._place(one.primary)
            found["at"] = f"{self._viewed.label(one.primary.file.name)}:{at.line}:{at.column}"
        return found

    def _graph(self) -> Json:
        program = self._analysis.program
        nodes: dict[str, Json] = {
            node_id: self._place(node.span) for group in groups_of(program) for node, node_id in group.ids.items()
        }
        return {"svg": to_svg(program, label=self._viewed.label, styled=False), "nodes": nodes}

    def _run(self, asked: Asked, options: RunOptions) -> Json:
        given = given_for_run(
            self._analysis.sources,
            preview=asked.preview,
            project=self._analysis.sources.project.name or None,
            stack=options.stack,
            organization=options.organization,
            config=options.config if asked.config is None else asked.config,
            secrets={key: text for key, text in options.secrets.items() if key not in (asked.config or {})},
            stack_file=options.stack_file,
            replay_file=options.replay_file,
        )
        try:
            found = evaluate_checked(self._analysis.program, given)
        except LoadError as error:
            return {"problem": str(error)}
        return None if found.trace is None else self._shown(found.trace)

    def _shown(self, trace: Trace) -> Json:
        """A run without secret values, with labels in place of the names of files."""
        found = _without_secrets(to_json(trace))
        assert isinstance(found, dict)
        for part in ("registrations", "calls", "log"):
            for entry in found.get(part) or ():
                for place in [entry.get("place"), *entry.get("places", {}).values()]:
                    if place is not None:
                        place["file"] = self._viewed.label(place["file"])
        return found


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


def _item(one: Item, offsets: Offsets) -> Json:
    return {
        "label": one.label,
        "kind": one.kind.value,
        "start": offsets.shown(one.start),
        "detail": one.detail,
        "doc": one.doc,
    }
