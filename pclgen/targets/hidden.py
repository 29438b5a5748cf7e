"""What of a generated file is not shown: the statements of nodes that come from hidden files.

A file in a language is rendered twice: as it is, and with a mark above each node. The answer is the lines of the file
without those of hidden nodes and without imports that only these need. So what is shown is a part of what is compiled, line
by line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import takewhile
from pathlib import PurePosixPath
from typing import Final

from pclgen.core.expr import Comments
from pclgen.plan.model import Declare, ProjectPlan
from pclgen.targets.base import BrokenTreeError

SHOWN: Final = "pclgen-shown-f3a1c5"
HIDDEN: Final = "pclgen-hidden-f3a1c5"
_MARK: Final = re.compile(rf"\s*(?:#|//) (?P<mark>{SHOWN}|{HIDDEN})")
_IMPORT: Final = re.compile(
    r"\s*(?:import \* as (?P<ts>\w+) from|import (?:[\w.]+ as )?(?P<python>\w+)$|"
    r"(?:(?P<alias>\w+) )?\"(?P<path>[\w./@~-]+)\"$)"
)
"""A line that imports one name: `import * as aws from "…";`, `import pulumi_aws as aws`, `"…/go/aws/ec2"`."""
_CONFIG: Final = re.compile(r"\s*(?:const )?(?P<name>\w+) :?= (?:new )?(?:\w+\.)?(?:Config|New)\((?:ctx, \"\")?\);?$")
"""The object that configuration is read from; it is made where the first variable is read."""
_EMPTY: Final = re.compile(r"^export \{\};$")
"""What makes a TypeScript file a module that would be none; a mark at its end may bring it."""
_RETURN: Final = re.compile(r"[ ]{4}return \{$")
"""Where the outputs of a TypeScript program that waits begin."""
_SECTION: Final = re.compile(r"(?:config|variables|resources|outputs):$")
"""What stands above the members of a kind in Pulumi YAML; it is shown when one of them is."""


def marked(plan: ProjectPlan, hidden: AbstractSet[str]) -> ProjectPlan:
    """`plan` with a mark above each node of the program: whether it comes from one of the files in `hidden`."""
    main = plan.main
    statements = tuple([_marked(one, hidden) if isinstance(one, Declare) else one for one in main.statements])
    nodes = tuple([one.node for one in statements if isinstance(one, Declare)])
    footer = main.program.footer
    if nodes and nodes[-1].span.file.name in hidden:
        footer = (SHOWN, *footer)
    program = replace(main.program, nodes=nodes, footer=footer)
    return replace(plan, main=replace(main, program=program, statements=statements))


def _marked(one: Declare, hidden: AbstractSet[str]) -> Declare:
    node = one.node
    mark = HIDDEN if node.span.file.name in hidden else SHOWN
    return replace(one, node=replace(node, comments=replace(node.comments, leading=(mark, *node.comments.leading))))


def marks_of(comments: Comments) -> tuple[str, ...]:
    """The mark above a node, if it has one: for what the node becomes in another place, too."""
    return tuple(line for line in comments.leading if line in (SHOWN, HIDDEN))


def without_hidden(files: Mapping[PurePosixPath, str], twins: Mapping[PurePosixPath, str]) -> Mapping[PurePosixPath, str]:
    """What is shown of `files`, by their `twins` with marks.  Raises `BrokenTreeError` where the two do not fit."""
    found: dict[PurePosixPath, str] = {}
    for path, text in files.items():
        is_yaml = path.suffix == ".yaml"
        shown = visible(text, twins[path], sections=is_yaml) if HIDDEN in twins[path] else text
        if shown is None:
            raise BrokenTreeError(f"what of `{path}` is hidden cannot be told from what is shown")
        found[path] = shown
    return found


def visible(text: str, twin: str, *, sections: bool = False) -> str | None:
    """The lines of `text` that are shown, by its `twin` with marks; None when the two are not the same but for marks.  With
    `sections` it is Pulumi YAML."""
    lines = text.split("\n")
    states = list(_states(twin))
    if sections:
        states = list(_with_sections(states))
    if states and _EMPTY.match(states[-1][0]) and not any(map(_EMPTY.match, lines)):
        del states[-1]
    if [line for line in lines if line.strip()] != [line for line, _ in states]:
        return None
    following = iter(states)
    places = [(line, next(following)[1] if line.strip() else None) for line in lines]
    body = "\n".join(line for line, state in places if state == SHOWN)
    shown: list[str] = []
    is_cut = False
    for line, state in places:
        name = _bound_by(line) if state != SHOWN else None
        is_used = name == "pulumi" or (name is not None and re.search(rf"(?<![\w.]){re.escape(name)}\.", body) is not None)
        match state:
            case None:
                last = shown[-1] if shown else ""
                keeps = not is_cut or (last.strip() != "" and not last.endswith(("{", "(")))
            case _ if state == HIDDEN:
                keeps = is_used and _CONFIG.match(line) is not None
            case _:
                keeps = is_used or name is None
        if keeps:
            shown.append(line)
            is_cut = is_cut and state is None
        elif state is not None:
            is_cut = True
    return "\n".join(shown).strip("\n") + "\n"


def _states(twin: str) -> Iterator[tuple[str, str]]:
    """The lines that are neither empty nor marks, with the mark that is above them, if any."""
    state = ""
    for line in twin.split("\n"):
        mark = _MARK.fullmatch(line)
        if mark is not None:
            state = mark["mark"]
            continue
        if state and _RETURN.match(line):
            state = SHOWN
        if line.strip():
            yield line, state


def _with_sections(states: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The lines with their marks, where those above a section's members have one of these."""
    for number, (line, state) in enumerate(states):
        if _SECTION.match(line):
            inside = takewhile(lambda one: not _SECTION.match(one[0]), states[number + 1 :])
            yield line, SHOWN if any(mark == SHOWN for _, mark in inside) else HIDDEN
        else:
            yield line, state


def _bound_by(line: str) -> str | None:
    """What a line that imports something, or makes the configuration, calls it; None for all others."""
    found = _IMPORT.match(line)
    if found is None:
        config = _CONFIG.match(line)
        return config["name"] if config is not None else None
    return found["ts"] or found["python"] or found["alias"] or _package(found["path"])


def _package(path: str) -> str:
    """The name of a Go package, by its path: the last part that is no version."""
    *_, last = [part for part in path.split("/") if not re.fullmatch(r"v\d+", part)] or [path]
    return last
