"""Which forms of a type an SDK has: `BarPtr…` where a Bar is optional somewhere, `BarArray…` where there is a list of Bars.

Comes in: the declarations of a package.  Goes out: the suffixes that each object type and enumeration needs, for what is
passed in and for what comes out.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.support.standins.go.names import Sdk
from tests.support.standins.schema import Named, OneOf, Properties, Several, Slot, Type


@dataclass(slots=True)
class Forms:
    """Suffixes by side: "" for the type itself, "Ptr", "Array", "ArrayMap" (a map of arrays), …"""

    inputs: set[str] = field(default_factory=set)
    outputs: set[str] = field(default_factory=set)


class Usage:
    """The forms of one package's types."""

    def __init__(self, sdk: Sdk) -> None:
        schema = sdk.schema
        self._objects = schema.objects
        self.forms: dict[str, Forms] = {token: Forms() for token in sdk.types}
        self._seen: set[tuple[str, bool, bool]] = set()
        for resource in (schema.provider, *schema.resources.values()):
            self._properties(resource.inputs, inward=True)
            self._properties(resource.state, inward=True)
            self._properties(resource.outputs, inward=False)
        for function in schema.functions.values():
            self._properties(function.inputs or (), inward=True)
            if isinstance(function.result, Slot):
                self._mark(function.result.type, optional=False, inward=False)
            else:
                self._properties(function.result or (), inward=False)
        if schema.go.get("generateExtraInputTypes"):
            for forms in self.forms.values():
                forms.inputs |= {"", *forms.outputs}
        for forms in self.forms.values():
            forms.outputs |= {"", *forms.inputs}

    def _properties(self, properties: Properties, *, inward: bool, optional: bool = False) -> None:
        for found in properties:
            self._mark(found.slot.type, optional=optional or not found.required, inward=inward)

    def _mark(self, of: Type, *, optional: bool, inward: bool) -> None:
        chain: list[str] = []
        while isinstance(of, Several):
            chain.insert(0, "Map" if of.keyed else "Array")
            of = of.of.type
        if isinstance(of, OneOf):
            for member in of.members:
                self._mark(member, optional=False, inward=inward)
        if not (isinstance(of, Named) and of.kind == "type" and of.token in self.forms and not of.package):
            return
        forms = self.forms[of.token]
        side = forms.inputs if inward else forms.outputs
        pointer = optional and not chain
        side.update({"", *("".join(chain[: end + 1]) for end in range(len(chain)))})
        if pointer:
            side.add("Ptr")
        if (of.token, inward, pointer) not in self._seen:
            self._seen.add((of.token, inward, pointer))
            self._properties(self._objects.get(of.token, ()), inward=inward, optional=pointer)
