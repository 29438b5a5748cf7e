"""The visible lines of a generated file: the lines that do not come from hidden files of the program.

The source map gives the lines of each node. Lines from no node, such as the frame of the main function, stay; an import
stays if a visible line uses it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath

from pclgen.source.text import SourceFile
from pclgen.sourcemaps import SourceMap
from pclgen.targets.base import BrokenTreeError
from pclgen.targets.origins import BindingLine, Place, Recorder


def visible_files(
    files: Mapping[PurePosixPath, str], recorder: Recorder, hidden: AbstractSet[str]
) -> Mapping[PurePosixPath, str]:
    """Return `files` without the lines from source files named in `hidden`; `recorder` has the places of `files`.

    Raises `BrokenTreeError` for a file whose places are unknown.
    """
    if recorder.lost:
        raise BrokenTreeError(f"the hidden lines of {', '.join(map(str, sorted(recorder.lost)))} are not known")
    result = dict(files)
    for path, source_map in recorder.maps.items():
        if any(mapping.origin.span.file.name in hidden for mapping in source_map.mappings):
            result[path] = _visible(source_map, recorder.frames[path], hidden)
    return result


def _visible(source_map: SourceMap, frames: Sequence[Place], hidden: AbstractSet[str]) -> str:
    lines = source_map.file.text.split("\n")
    states = _states(source_map, hidden, len(lines))
    bindings: dict[int, BindingLine] = {}
    for frame in frames:
        first, last = _rows(source_map.file, frame.start, frame.end)
        if isinstance(frame.origin, BindingLine):
            bindings.update(dict.fromkeys(range(first, last + 1), frame.origin))
        elif not any(state is not False for state in states[first + 1 : last + 1]):
            states[first] = False
    body = "\n".join([line for row, line in enumerate(lines) if states[row] is not False and row not in bindings])
    for row, binding in bindings.items():
        behind = r"\." if binding.are_sources else r"\b"
        names = "|".join(map(re.escape, binding.names))
        states[row] = re.search(rf"(?<![\w.\"'])(?:{names}){behind}", body) is not None
    return _joined(lines, states)


def _states(source_map: SourceMap, hidden: AbstractSet[str], size: int) -> list[bool | None]:
    """Return whether each line comes from a visible node; None for a line from no node.

    A line from two nodes, such as a variable that is also an output, is visible if either node is.
    """
    states: list[bool | None] = [None] * size
    for mapping in source_map.mappings:
        if mapping.origin.kind == "member":  # a part of a statement, perhaps the value of a variable from another file
            continue
        is_visible = mapping.origin.span.file.name not in hidden
        first, last = _rows(source_map.file, mapping.generated.start, mapping.generated.end)
        for row in range(first, last + 1):
            states[row] = is_visible or states[row] is True
    return states


def _rows(file: SourceFile, start: int, end: int) -> tuple[int, int]:
    return file.position(start).line - 1, file.position(end).line - 1


def _joined(lines: Sequence[str], states: Sequence[bool | None]) -> str:
    """Return the visible lines; at most one empty line replaces hidden lines between them."""
    shown: list[str] = []
    is_cut = False
    for line, state in zip(lines, states, strict=True):
        if line.strip():
            is_kept = state is not False
        else:
            last = shown[-1] if shown else ""
            is_kept = not is_cut or (last.strip() != "" and not last.endswith(("{", "(")))
        if is_kept:
            shown.append(line)
            is_cut = is_cut and not line.strip()
        elif line.strip():
            is_cut = True
    return "\n".join(shown).strip("\n") + "\n"
