"""Settings for the docs of a folder, in `docs.toml`.

    languages = ["typescript", "python", "go"]    # the tabs, in order
    fixture = "network"                           # of snippets that name no fixture
    externals = "hidden"                          # hide the declarations of names that a snippet does not declare

    [fixtures]                                    # hidden PCL, compiled with the snippets of this folder
    network = '''
    resource subnet "aws:ec2:Subnet" { ... }
    '''

The nearest `docs.toml` at or above the folder of a document, in its repository, applies.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from pclgen.diagnostics.suggest import suggestion
from pclgen.docs.regions import LANGUAGES_OF_FENCES
from pclgen.languages import LANGUAGES, TARGETS
from pclgen.source.files import SIDE_FILE, fence_of, is_inside, read_regular
from pclgen.source.load import LoadError

NAME: Final = "docs.toml"
ORDER: Final = ("typescript", "python", "go", "yaml", "pcl")
"""The default tabs, in order."""
OPTIONAL: Final = tuple(name for name in TARGETS if name not in LANGUAGES)
"""Tabs that may be missing unless requested explicitly, since some programs cannot be expressed in them."""
_KEYS: Final = ("languages", "fixture", "fixtures", "externals")
EXTERNALS: Final = ("shown", "hidden")


class DocsSettings(Struct, frozen=True, kw_only=True):
    """The settings of a folder.

    - `languages`: the tabs in order; `optional`: those that may be missing.
    - `fixtures`: PCL texts by name; `fixture`: the name of the default fixture.
    - `externals`: whether documents show the declarations that pclgen adds for undeclared names.
    """

    languages: tuple[str, ...] = ORDER
    optional: tuple[str, ...] = OPTIONAL
    fixtures: Mapping[str, str] = field(default_factory=dict)
    fixture: str = ""
    externals: str = EXTERNALS[0]


def find_settings(folder: Path) -> DocsSettings:
    """Return the settings for documents in `folder`. Raises `LoadError`."""
    top = fence_of(folder)
    for directory in (folder.absolute(), *folder.absolute().parents):
        if (directory / NAME).exists():
            if not is_inside(directory / NAME, top):
                raise LoadError(f"`{directory / NAME}` is a link that leads out of the repository", "copy its target")
            return _read(directory / NAME)
        if top is None or directory.resolve() == top.resolve():
            break
    return DocsSettings()


def languages_of(names: Sequence[object], place: str) -> tuple[str, ...]:
    """Return the languages with these common names. Raises `LoadError`."""
    languages: list[str] = []
    for name in names:
        language = LANGUAGES_OF_FENCES.get(name.strip().lower()) if isinstance(name, str) else None
        if language is None:
            raise LoadError(f"{place}: there is no language `{name}`", f"there are {', '.join(ORDER)}")
        languages.append(language)
    return tuple(dict.fromkeys(languages))


def _read(path: Path) -> DocsSettings:
    try:
        table = tomllib.loads(read_regular(path, most=SIDE_FILE).decode("utf-8"))
    except RecursionError:
        raise LoadError(f"cannot read `{path}`: it is nested too deep") from None
    except (OSError, ValueError) as error:
        raise LoadError(f"cannot read `{path}`: {error}") from error
    for key in table:
        if key not in _KEYS:
            raise LoadError(f"`{path}`: unknown key `{key}`", suggestion(key, _KEYS))
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
