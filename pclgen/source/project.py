"""The project file beside a program: the user's settings of the project that pclgen writes.

`Pulumi.yaml` may have a name, a description and `main`:

    name: shop                 the project's name, instead of the directory's name
    description: Our shop
    main: src                  the directory, inside the project, for the sources

Everything else in the file is Pulumi's, and is kept; `packages` is read by `schema.config`.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Container, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath

from msgspec import Struct, field

from pclgen.source.data import DataError, read_yaml
from pclgen.source.files import read_regular
from pclgen.source.text import one_line

PULUMI = "Pulumi.yaml"
_NAMES = (PULUMI, "Pulumi.yml")


_RESERVED = re.compile(r"pulumi(\..*)?\.ya?ml|\.pclgen.*|\.git[\s.]*", re.IGNORECASE)
"""Names in a project beside the sources that a folder may not take."""


_CONFIGURATION = frozenset({"config", "configuration"})
_DECIDED = frozenset(
    {"name", "runtime", "description", "main", "pulumi", "resources", "variables", "outputs", *_CONFIGURATION}
)
"""Members of a project file that its program, or its new language, decides."""


class ProjectError(Exception):
    """An invalid project file; the message is the reason."""


class ProjectFile(Struct, frozen=True, kw_only=True):
    """The content of a project file; "" for missing texts.

    `author`, `website` and `license` are for people.  `options` are those of the runtime, of a project that the Pulumi CLI
    converts.  `settings` are all other keys of Pulumi's: from the configuration, the settings of packages (`aws:region`).
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


def is_project_file(name: str) -> bool:
    """Return whether a file of this name is a project file."""
    return PurePosixPath(name).name in _NAMES


def read_project(directory: Path) -> ProjectFile:
    """Return the project file in `directory`; an empty one if it is missing.

    A file that is no YAML mapping counts as missing: Pulumi reports it at deployment.  Raises `ProjectError` for a `main`
    outside of the project.
    """
    try:
        text = read_regular(directory / PULUMI).decode("utf-8")
    except (OSError, ValueError):
        return NO_PROJECT
    return project_in(text)


def project_in(text: str) -> ProjectFile:
    """Return the project file with this text, as `read_project` does."""
    try:
        content = read_yaml(text, only_json=True)
    except DataError:
        return NO_PROJECT
    return project_of(content if isinstance(content, dict) else {})


def project_of(facts: Mapping[object, object]) -> ProjectFile:
    """Return the project file with these members.  Raises `ProjectError` for a `main` outside of the project."""
    texts = {str(key): _well_formed(value) for key, value in facts.items() if isinstance(value, str)}
    return ProjectFile(
        name=texts.get("name", ""),
        description=texts.get("description", ""),
        main=_inside(texts.get("main", "")),
        author=texts.get("author", ""),
        website=texts.get("website", ""),
        license=texts.get("license", ""),
        settings=_settings(facts),
    )


def settings_without(settings: Mapping[str, object], folders: Container[str]) -> Mapping[str, object]:
    """Return the settings of a project without the packages in `folders`."""
    packages = settings.get("packages")
    if not isinstance(packages, dict):
        return settings
    remaining = {name: entry for name, entry in packages.items() if _path(entry) not in folders}
    others = {key: value for key, value in settings.items() if key != "packages"}
    return {**others, "packages": remaining} if remaining else others


def _path(entry: object) -> str:
    """Return the normal path of a package of this machine; another text for other packages."""
    source = entry.get("source") if isinstance(entry, dict) else entry
    return posixpath.normpath(str(source))


def _settings(facts: Mapping[object, object]) -> Mapping[str, object]:
    """Return the members of a project file that neither the program nor its new language decides."""
    settings = {str(key): value for key, value in facts.items() if str(key).lower() not in _DECIDED}
    own = f"{facts.get('name')}:"
    sections = [facts[key] for key in facts if str(key).lower() in _CONFIGURATION]
    config = {
        str(key): _package_setting(value)
        for section in sections
        for key, value in (section.items() if isinstance(section, dict) else ())
        if ":" in str(key) and not str(key).startswith(own)
    }
    config = {key: value for key, value in config.items() if value != {}}
    return {**settings, "config": config} if config else settings


_DECLARING = frozenset({"type", "items", "default", "description", "secret", "value"})


def _package_setting(entry: object) -> object:
    """Return the setting of a package in the form for the Pulumi CLI: with a `value`, without a type and a default.

    {} without a value. Only the runtime of Pulumi YAML reads more, in the old section `configuration`.
    """
    if not isinstance(entry, dict) or not entry.keys() <= _DECLARING:
        return entry
    values = [entry[key] for key in ("value", "default") if key in entry]
    others = {key: entry[key] for key in ("description", "secret") if key in entry}
    return {"value": values[0], **others} if values else {}


def _well_formed(text: str) -> str:
    """Return `text` with pairs of surrogates, which YAML's escapes may produce, replaced by their characters."""
    return text if text.isascii() else text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _inside(main: str) -> str:
    place = PurePosixPath(main.replace("\\", "/"))
    if place.is_absolute() or PureWindowsPath(main).drive or ".." in place.parts or "\0" in main:
        raise ProjectError(f"`main` of {PULUMI} leads out of the project: {main!r}")
    if any(_RESERVED.fullmatch(part) for part in place.parts) or one_line(main) != main:
        raise ProjectError(f"`main` of {PULUMI} is the name of another file, or holds a control character: {main!r}")
    return "" if place == PurePosixPath() else str(place)
