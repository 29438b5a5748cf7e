"""Where the types of a package are used: an SDK declares the form of a type that some place needs, and no other.

    inputs    where outputs may be given: arguments of resources and methods, state
    plain     where they may not: arguments of functions
    eventual  arguments of functions where they take outputs
    outputs   properties of resources, results of methods
    results   results of functions
    config    the settings of the provider
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, get_args

from tests.support.standins.schema import Named, OneOf, Properties, Resource, Schema, Several, Slot, Type

Place: TypeAlias = Literal["inputs", "plain", "eventual", "outputs", "results", "config"]


class Reach:
    """The tokens of types in each place."""

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self.tokens: dict[Place, set[str]] = {place: set() for place in get_args(Place)}
        for resource in (schema.provider, *schema.resources.values()):
            self._properties(resource.inputs, "inputs")
            self._properties(resource.state, "inputs")
            if not resource.provider:  # whose properties are texts as far as they are read
                self._properties(resource.outputs, "outputs")
        self._properties(schema.config, "config")
        for token, function in schema.functions.items():
            method = token in schema.methods
            self._properties(function.inputs or (), "inputs" if method else "plain")
            if not method and function.result is not None:
                self._properties(function.inputs or (), "eventual")
            place: Place = "outputs" if method else "results"
            if isinstance(function.result, Slot):
                self._slot(function.result, place)
            else:
                self._properties(function.result or (), place)

    def _properties(self, properties: Properties, place: Place) -> None:
        for found in properties:
            self._slot(found.slot, place)

    def _slot(self, slot: Slot, place: Place) -> None:
        self._type(slot.type, place)  # objects in plain inputs have inputs as members

    def _type(self, found: Type, place: Place) -> None:
        match found:
            case Several():
                self._slot(found.of, place)
            case OneOf():
                for member in found.members:
                    self._type(member, place)
            case Named(kind="type", package="") if found.token not in self.tokens[place]:
                self.tokens[place].add(found.token)
                self._properties(self._schema.objects.get(found.token, ()), place)
            case _:
                pass


def replaced_by(schema: Schema, resource: Resource) -> list[str]:
    """The paths of the properties whose change replaces the resource, as the option `replaceOnChanges` has them."""
    return list(_replacing(schema, resource.outputs, "", frozenset()))


def _replacing(schema: Schema, properties: Properties, path: str, seen: frozenset[str]) -> Iterator[str]:
    for found in properties:
        element: Type = found.slot.type
        steps = f"{path}{found.name}"
        if isinstance(element, Several):
            steps += ".*" if element.keyed else "[*]"
        while isinstance(element, Several):
            element = element.of.type
        if found.replaces:
            yield steps
        elif isinstance(element, Named) and element.token in schema.objects and element.token not in seen:
            yield from _replacing(schema, schema.objects[element.token], f"{steps}.", seen | {element.token})
