"""What a folder says about its docs, in `docs.toml`.

    languages = ["typescript", "python", "go"]    # which tabs, in which order
    fixture = "network"                           # for all snippets that name none
    externals = "hidden"                          # names that a snippet does not declare: their declarations are not shown

    [fixtures]                                    # PCL that snippets of this folder are compiled with, and that is not shown
    network = '''
    resource subnet "aws:ec2:Subnet" { ... }
    '''

Comes in: the folder of a document.  Goes out: the `DocsSettings` of the nearest `docs.toml` at or above it, in its
repository.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Final

from pclgen.diagnostics.suggest import suggest
from pclgen.docs.regions import LANGUAGES_OF_FENCES
from pclgen.records import dataclass
from pclgen.source.fence import fence_of, is_inside
from pclgen.source.files import SIDE_FILE, read_regular
from pclgen.source.load import LoadError

NAME: Final = "docs.toml"
ORDER: Final = ("typescript", "python", "go", "yaml", "pcl")
"""The tabs, in order, unless somebody says otherwise."""
OPTIONAL: Final = ("yaml",)
"""The tabs that a snippet need not have, unless somebody asks for them: some programs cannot be written so."""
_KEYS: Final = ("languages", "fixture", "fixtures", "externals")
EXTERNALS: Final = ("shown", "hidden")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocsSettings:
    """Which tabs in which order, and which may be left out; PCL texts by name that snippets may be compiled with; the name
    of the one for all; whether the declarations of names that a snippet lacks are shown."""

    languages: tuple[str, ...] = ORDER
    optional: tuple[str, ...] = OPTIONAL
    fixtures: Mapping[str, str] = field(default_factory=dict)
    fixture: str = ""
    externals: str = EXTERNALS[0]


def find_settings(folder: Path) -> DocsSettings:
    """What holds for the documents in `folder`.  Raises `LoadError`."""
    top = fence_of(folder)
    for place in (folder.absolute(), *folder.absolute().parents):
        if (place / NAME).exists():
            if not is_inside(place / NAME, top):
                raise LoadError(f"`{place / NAME}` is a link that leads out of the repository", "copy what it leads to")
            return _read(place / NAME)
        if top is None or place.resolve() == top.resolve():
            break
    return DocsSettings()


def languages_of(names: Sequence[object], place: str) -> tuple[str, ...]:
    """Languages of tabs by the names that people have for them.  Raises `LoadError`."""
    found: list[str] = []
    for name in names:
        language = LANGUAGES_OF_FENCES.get(name.strip().lower()) if isinstance(name, str) else None
        if language is None:
            raise LoadError(f"{place}: there is no language `{name}`", f"there are {', '.join(ORDER)}")
        found.append(language)
    return tuple(dict.fromkeys(found))


def _read(path: Path) -> DocsSettings:
    try:
        table = tomllib.loads(read_regular(path, most=SIDE_FILE).decode("utf-8"))
    except RecursionError:
        raise LoadError(f"cannot read `{path}`: it is nested too deep") from None
    except (OSError, ValueError) as error:
        raise LoadError(f"cannot read `{path}`: {error}") from error
    for key in table:
        if key not in _KEYS:
            similar = suggest(key, _KEYS)
            raise LoadError(f"`{path}`: unknown key `{key}`", f"did you mean `{similar}`?" if similar else None)
    languages, fixtures, fixture = table.get("languages", list(ORDER)), table.get("fixtures", {}), table.get("fixture", "")
    if not isinstance(languages, list) or not isinstance(fixture, str) or not isinstance(fixtures, dict):
        raise LoadError(f"`{path}`: expected a list `languages`, a text `fixture` and a table `fixtures`")
    if not all(isinstance(text, str) for text in fixtures.values()):
        raise LoadError(f"`{path}`: expected texts of PCL in `fixtures`")
    externals = table.get("externals", EXTERNALS[0])
    if externals not in EXTERNALS:
        raise LoadError(f"`{path}`: expected `externals` to be {' or '.join(EXTERNALS)}")
    optional = () if "languages" in table else OPTIONAL
    languages = languages_of(languages, f"`{path}`")
    return DocsSettings(languages=languages, optional=optional, fixtures=fixtures, fixture=fixture, externals=externals)
