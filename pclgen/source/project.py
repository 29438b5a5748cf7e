"""The project file beside a program: what a user says about the project that pclgen writes.

Comes in: the program's directory.  Goes out: name, description and `main` of its `Pulumi.yaml`, if it has one.

    name: shop                 the project's name, instead of that of the directory
    description: Our shop
    main: src                  the directory, inside the project, for the sources

Everything else in the file is Pulumi's; `packages` is read by `schema.config`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path, PurePosixPath, PureWindowsPath

from pclgen.records import dataclass
from pclgen.source.data import DataError, read_yaml
from pclgen.source.files import read_regular
from pclgen.source.text import one_line

PULUMI = "Pulumi.yaml"


_RESERVED = re.compile(r"pulumi(\..*)?\.ya?ml|\.pclgen.*|\.git[\s.]*", re.IGNORECASE)
"""What stands in a project beside the sources: no folder may take the place."""


class ProjectError(Exception):
    """A project file that cannot be followed; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectFile:
    """What a project file says; "" where it says nothing.

    `author`, `website` and `license` are for people.  `options` of the runtime, and the other `settings`, are those of a
    project that the Pulumi CLI hands over.
    """

    name: str = ""
    description: str = ""
    main: str = ""
    author: str = ""
    website: str = ""
    license: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    settings: Mapping[str, object] = field(default_factory=dict)


NO_PROJECT = ProjectFile()


def read_project(directory: Path) -> ProjectFile:
    """The project file in `directory`; an empty one when there is none.

    One that is no YAML mapping counts as none: whoever deploys is told by Pulumi.  Raises `ProjectError` for a `main` that
    leads out of the project.
    """
    try:
        text = read_regular(directory / PULUMI).decode("utf-8")
    except (OSError, ValueError):
        return NO_PROJECT
    try:
        content = read_yaml(text)
    except DataError:
        return NO_PROJECT
    return project_of(content if isinstance(content, dict) else {})


def project_of(facts: Mapping[object, object]) -> ProjectFile:
    """What the members of a project file say.  Raises `ProjectError` for a `main` that leads out of the project."""
    texts = {str(key): _well_formed(value) for key, value in facts.items() if isinstance(value, str)}
    return ProjectFile(
        name=texts.get("name", ""),
        description=texts.get("description", ""),
        main=_inside(texts.get("main", "")),
        author=texts.get("author", ""),
        website=texts.get("website", ""),
        license=texts.get("license", ""),
    )


def _well_formed(text: str) -> str:
    """`text` with pairs of surrogates, as YAML's escapes may give them, as the characters that they stand for."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _inside(main: str) -> str:
    place = PurePosixPath(main.replace("\\", "/"))
    if place.is_absolute() or PureWindowsPath(main).drive or ".." in place.parts or "\0" in main:
        raise ProjectError(f"`main` of {PULUMI} leads out of the project: {main!r}")
    if any(_RESERVED.fullmatch(part) for part in place.parts) or one_line(main) != main:
        raise ProjectError(f"`main` of {PULUMI} is the name of another file, or holds a control character: {main!r}")
    return "" if place == PurePosixPath() else str(place)
