"""What runs may differ in without a mistake of pclgen.

Comes in: traces and differences.  Goes out: traces in which what means the same is written the same (`comparable`), and for
a difference that comes from an SDK the `Limit` that explains it.  Both tables are complete: a difference that is in neither
fails a verification.

Written the same, in every trace:

* paths of the folder in which the program ran;
* texts that are JSON objects or lists: SDKs' encoders choose other spaces and orders of keys;
* the configuration of providers: some SDKs send values, others their JSON;
* properties that are null: some SDKs leave them out;
* parents of aliases: Node spells out what the others leave to the engine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, assert_never

from pclgen.trace.compare import Absent, Difference
from pclgen.trace.model import (
    Alias,
    Archive,
    Asset,
    Bytes,
    Options,
    Output,
    Properties,
    PropertyValue,
    Registration,
    RegistrationKind,
    ResourceRef,
    Secret,
    Trace,
    Unknown,
)
from pclgen.trace.normal import normalise

FOLDER: Final = "<program>"


def comparable(trace: Trace, folder: Path) -> Trace:
    """A trace in which what means the same is written the same; `folder` is where the program ran."""
    writer = _Writer(str(folder))
    found = normalise(trace)
    return replace(
        found,
        registrations=tuple(writer.registration(one) for one in found.registrations),
        calls=(),
        outputs=writer.properties(found.outputs),
    )


class _Writer:
    def __init__(self, folder: str) -> None:
        self._folder = folder

    def registration(self, found: Registration) -> Registration:
        inputs = found.inputs
        if found.kind is RegistrationKind.PROVIDER:
            inputs = {name: _decoded(value) for name, value in inputs.items()}
        return replace(
            found,
            inputs=self.properties(inputs),
            outputs=self.properties(found.outputs),
            options=self._options(found),
        )

    def _options(self, found: Registration) -> Options:
        aliases = tuple(_plain_alias(alias, found.parent) for alias in found.options.aliases)
        return replace(found.options, aliases=aliases)

    def properties(self, properties: Properties) -> Properties:
        return {name: self.value(value) for name, value in properties.items() if value is not None}

    def value(self, value: PropertyValue) -> PropertyValue:
        match value:
            case str():
                return self._text(value)
            case tuple():
                return tuple(self.value(element) for element in value)
            case Secret():
                return Secret(self.value(value.value))
            case Asset():
                return replace(
                    value,
                    text=None if value.text is None else self._text(value.text),
                    path=None if value.path is None else self._place(value.path),
                )
            case Archive():
                members = value.members
                written = None if members is None else {name: self._blob(member) for name, member in members.items()}
                return replace(value, members=written, path=None if value.path is None else self._place(value.path))
            case None | bool() | int() | float() | Unknown() | ResourceRef() | Bytes() | Output():
                return value
            case Mapping():
                return self.properties(value)
            case _:
                assert_never(value)

    def _blob(self, blob: Asset | Archive) -> Asset | Archive:
        written = self.value(blob)
        assert isinstance(written, Asset | Archive)
        return written

    def _place(self, text: str) -> str:
        return text.replace(self._folder, FOLDER)

    def _text(self, text: str) -> str:
        text = self._place(text)
        if text[:1] in ("{", "["):
            try:
                return json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
            except ValueError:
                return text
        return text


def _decoded(value: PropertyValue) -> PropertyValue:
    """The value of a provider's setting that may be its JSON."""
    if isinstance(value, Secret):
        return Secret(_decoded(value.value))
    if not isinstance(value, str):
        return value
    try:
        found = json.loads(value)
    except ValueError:
        return value
    return _frozen(found) if not isinstance(found, str) else value


def _frozen(data: object) -> PropertyValue:
    match data:
        case list():
            return tuple(_frozen(element) for element in data)
        case dict():
            return {str(key): _frozen(member) for key, member in data.items()}
        case bool() | int() | float() | str() | None:
            return data
        case _:
            return str(data)


def _plain_alias(alias: Alias, parent: str) -> Alias:
    return replace(alias, parent="") if alias.parent == parent else alias


# -- limits --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Something that an SDK does on its own.  `languages` are those in which it shows; `reason` is for users."""

    name: str
    languages: frozenset[str]
    reason: str
    matches: Callable[[Difference, Registration | None], bool]


def _component_input(found: Difference, registration: Registration | None) -> bool:
    component = registration is not None and registration.kind is RegistrationKind.COMPONENT and not registration.remote
    return component and found.path.startswith("inputs.") and isinstance(found.left, Absent | Unknown)


def _replace_with(found: Difference, registration: Registration | None) -> bool:
    if registration is None or found.path != "dependencies" or not isinstance(found.left, tuple):
        return False
    right = found.right if isinstance(found.right, tuple) else ()
    return set(right) == {*found.left, *registration.options.replace_with}


LIMITS: tuple[Limit, ...] = (
    Limit(
        name="component-defaults",
        languages=frozenset({"python"}),
        reason="a component of Python registers its inputs with their defaults",
        matches=_component_input,
    ),
    Limit(
        name="replace-with-dependency",
        languages=frozenset({"typescript"}),
        reason="Node's SDK makes what `replaceWith` names a dependency, too",
        matches=_replace_with,
    ),
)


def explanation(found: Difference, evaluated: Trace, language: str) -> Limit | None:
    """The limit that explains a difference between the evaluator's run (left) and that of a language."""
    registration = evaluated.registration(found.urn)
    return next((limit for limit in LIMITS if language in limit.languages and limit.matches(found, registration)), None)
