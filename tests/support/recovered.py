"""Recovered schemas compared with true schemas, property by property.

The members of a document, recovered from an SDK, are compared with the JSON of the true schema of the same version.  The
`Tally`s count the members of each kind, and the equal ones, and describe the differences.

References are compared by canonical token.  Differences that a program cannot observe count as equal: a reference to an
undefined type is the type beside it, and JSON is any value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import msgspec

from pclgen.schema.document import Document
from pclgen.schema.tokens import canonical_token, module_finder

Json = Any  # untyped JSON of schemas


@dataclass(slots=True)
class Tally:
    """Members of one kind: the number in either schema, and descriptions of the differing members."""

    total: int = 0
    different: list[str] = field(default_factory=list)

    @property
    def percent(self) -> float:
        """The percentage of equal members; 100 without members."""
        return 100.0 if not self.total else 100.0 * (self.total - len(self.different)) / self.total


class Comparison:
    """A true schema and a recovered document of one package."""

    def __init__(self, true: Json, recovered: Document) -> None:
        self._true = true
        self._members = recovered.members
        meta = true.get("meta") or {}
        self._module_of = module_finder(meta.get("moduleFormat", ""))
        self._known = {self._canonical(token) for token in true.get("types") or {}}

    def run(self) -> dict[str, Tally]:
        """Compare everything that a program can access."""
        tallies: dict[str, Tally] = {}
        for section in ("resources", "functions", "types"):
            tallies[f"{section}: tokens"] = self._tokens(section)
        for token, true in (self._true.get("resources") or {}).items():
            self._resource(token, true, msgspec.json.decode(self._members.resources[token]), tallies)
        if self._true.get("provider"):
            name, provider = f"provider {self._true['name']}", dict(self._true["provider"])
            # SDKs return only texts from a provider (language.md, Resources).
            shown = {n: p for n, p in (provider.get("properties") or {}).items() if p.get("type") == "string"}
            provider["properties"] = shown
            self._resource(name, provider, msgspec.json.decode(self._members.provider()), tallies)
        for token, true in (self._true.get("functions") or {}).items():
            recovered = msgspec.json.decode(self._members.functions[token])
            self._object("function inputs", token, true.get("inputs"), recovered.get("inputs"), tallies)
            self._object("function results", token, true.get("outputs"), recovered.get("outputs"), tallies)
        mine = {self._canonical(token): token for token in self._members.types}
        for token, true in (self._true.get("types") or {}).items():
            own = mine.get(self._canonical(token))
            if own is None:
                continue
            recovered = msgspec.json.decode(self._members.types[own])
            if "enum" in true:
                self._enum(token, true, recovered, tallies)
            else:
                self._object("object types", token, true, recovered, tallies)
        return tallies

    def reached(self) -> set[str]:
        """The canonical tokens of types that resources, functions and the provider reach."""
        types = {self._canonical(token): spec for token, spec in (self._true.get("types") or {}).items()}
        roots = [self._true.get("resources"), self._true.get("functions"), self._true.get("provider")]
        todo = [token for root in roots for token in self._types_in(root)]
        seen: set[str] = set()
        while todo:
            token = todo.pop()
            if token in types and token not in seen:
                seen.add(token)
                todo.extend(self._types_in(types[token]))
        return seen

    def _types_in(self, value: Json) -> Iterator[str]:
        if isinstance(value, dict):
            reference = unquote(value["$ref"]) if isinstance(value.get("$ref"), str) else ""
            if reference.startswith("#/types/"):
                yield self._canonical(reference.removeprefix("#/types/"))
            for part in value.values():
                yield from self._types_in(part)
        elif isinstance(value, list):
            for part in value:
                yield from self._types_in(part)

    def _tokens(self, section: str) -> Tally:
        true = {self._canonical(token) for token in self._true.get(section) or {}}
        recovered = {self._canonical(token) for token in getattr(self._members, section)}
        if section == "types":
            # An unreachable type leaves no trace in an SDK, and programs do not use a type of configuration alone.
            true &= self.reached()
            recovered &= true
        tally = Tally(total=len(true | recovered))
        tally.different = [f"{section}: {token}" for token in sorted(true ^ recovered)]
        return tally

    def _resource(self, token: str, true: Json, recovered: Json, tallies: dict[str, Tally]) -> None:
        def inputs(spec: Json) -> Json:
            return {"properties": spec.get("inputProperties"), "required": spec.get("requiredInputs")}

        self._object("resource inputs", token, inputs(true), inputs(recovered), tallies)
        self._object("resource outputs", token, true, recovered, tallies)
        self._object("resource state", token, true.get("stateInputs"), recovered.get("stateInputs"), tallies)
        for key, fact in (("aliases", _former), ("methods", dict), ("isComponent", bool), ("deprecationMessage", bool)):
            self._same(
                "resource facts", f"{token} {key}", fact(true.get(key) or ()), fact(recovered.get(key) or ()), tallies
            )

    def _object(self, kind: str, token: str, true: Json, recovered: Json, tallies: dict[str, Tally]) -> None:
        left, right = (true or {}).get("properties") or {}, (recovered or {}).get("properties") or {}
        needed, recovered_names = (true or {}).get("required") or (), (recovered or {}).get("required") or ()
        for name in sorted(left.keys() | right.keys()):
            place = f"{kind}: {token}.{name}"
            tally = tallies.setdefault(kind, Tally())
            tally.total += 1
            if name not in left or name not in right:
                tally.different.append(f"{place} is {'not in the SDK' if name in left else 'in the SDK only'}")
                continue
            expected = (self._type(left[name]), name in needed)
            actual = (self._type(right[name]), name in recovered_names)
            if expected != actual:
                tally.different.append(f"{place} is {expected}, recovered as {actual}")
            self._facts(kind, place, left[name], right[name], tallies)

    def _facts(self, kind: str, place: str, true: Json, recovered: Json, tallies: dict[str, Tally]) -> None:
        for key in ("const", "default", "replaceOnChanges"):
            if true.get(key) is not None or recovered.get(key) is not None:
                self._same(key, f"{place} {key}", true.get(key), recovered.get(key), tallies)
        if true.get("deprecationMessage") or recovered.get("deprecationMessage"):
            was, now = bool(true.get("deprecationMessage")), bool(recovered.get("deprecationMessage"))
            group = "deprecated arguments" if kind == "function inputs" else "deprecations"
            self._same(group, f"{place} deprecation", was, now, tallies)
        if true.get("secret") or recovered.get("secret"):
            group = "secrets of resources" if kind.startswith("resource") else "secrets elsewhere"
            self._same(group, f"{place} secret", bool(true.get("secret")), bool(recovered.get("secret")), tallies)

    def _enum(self, token: str, true: Json, recovered: Json, tallies: dict[str, Tally]) -> None:
        expected = (true["type"], [member["value"] for member in true["enum"]])
        actual = (recovered.get("type"), [member["value"] for member in recovered.get("enum", ())])
        self._same("enums: values", token, expected, actual, tallies)

    def _same(self, kind: str, place: str, expected: object, actual: object, tallies: dict[str, Tally]) -> None:
        tally = tallies.setdefault(kind, Tally())
        tally.total += 1
        if expected != actual:
            tally.different.append(f"{place} is {expected}, recovered as {actual}")

    def _canonical(self, token: str) -> str:
        return canonical_token(token, self._module_of)

    def _type(self, spec: Json) -> str:
        """A type expression as text."""
        plain = "plain " if spec.get("plain") else ""
        if "$ref" in spec:
            reference = unquote(spec["$ref"])
            if reference.startswith("#/types/"):
                token = self._canonical(reference.removeprefix("#/types/"))
                if token not in self._known:
                    return plain + str(spec.get("type", "pulumi.json#/Any"))
                return f"{plain}{token}"
            return plain + ("pulumi.json#/Any" if reference == "pulumi.json#/Json" else reference)
        if "oneOf" in spec:
            return plain + " | ".join(sorted({self._type(member) for member in spec["oneOf"]}))
        match spec.get("type"):
            case "array":
                return f"{plain}list({self._type(spec['items'])})"
            case "object":
                return f"{plain}map({self._type(spec.get('additionalProperties') or {'type': 'string'})})"
            case kind:
                return f"{plain}{kind}"


def _former(aliases: Collection[Mapping[str, str]]) -> list[str]:
    return [alias["type"] for alias in aliases if "type" in alias]


def merged(comparisons: Mapping[str, Mapping[str, Tally]]) -> dict[str, Tally]:
    """The combined tallies of several packages."""
    result: dict[str, Tally] = {}
    for tallies in comparisons.values():
        for kind, tally in tallies.items():
            whole = result.setdefault(kind, Tally())
            whole.total += tally.total
            whole.different += tally.different
    return result


def table(comparisons: Mapping[str, Mapping[str, Tally]], line: Callable[[str], None]) -> None:
    """Print the percentages: a row for each kind, for all packages together and for each package."""
    whole = merged(comparisons)
    line(f"{'':24}{'equal of all':>18}{'%':>9}  " + " ".join(f"{name:>13}" for name in comparisons))
    for kind in sorted(whole):
        tally = whole[kind]
        cells = " ".join(_cell(tallies.get(kind)) for tallies in comparisons.values())
        equal = f"{tally.total - len(tally.different)} of {tally.total}"
        line(f"{kind:24}{equal:>18}{tally.percent:9.2f}  {cells}")


def _cell(tally: Tally | None) -> str:
    return f"{tally.percent:13.2f}" if tally is not None and tally.total else f"{'-':>13}"
