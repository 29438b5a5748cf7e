"""Differences between two runs.

Traces are normalized first (`trace.normal`); registrations are matched by URN, so their order of arrival does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct

from pclgen.trace import model as tr
from pclgen.trace.normal import normalise


class Absent(Struct, frozen=True):
    """The value of a property that one side lacks."""


ABSENT = Absent()

Side: TypeAlias = "tr.PropertyValue | Absent"


class Difference(Struct, frozen=True, kw_only=True):
    """One difference.

    `urn`, `type` and `name` identify the registration (the stack's for stack outputs). `path` is the position in it:
    `inputs.tags["env"]`, `options.protect`, `dependencies`, `outputs.url`; empty if one side lacks the registration.
    `place` is its position in the PCL source, if one of the traces has it.
    """

    urn: str
    type: str
    name: str
    path: str
    left: Side
    right: Side
    reason: str
    place: tr.SourcePlace | None = None

    @property
    def property(self) -> str:
        """The top-level input or output that differs; empty for other differences."""
        for prefix in ("inputs.", "outputs."):
            if self.path.startswith(prefix):
                return self.path.removeprefix(prefix).split(".")[0].split("[")[0]
        return ""


class Aspects(Struct, frozen=True, kw_only=True):
    """The aspects to compare besides types, parents and inputs.

    `resource_outputs`: answers of providers; they follow from the inputs if both runs have the same provider models.
    `component_inputs`: those of local components, which SDKs need not send. `ids`: those that providers returned.
    `json_values`: compare JSON texts by value, otherwise by their bytes.
    """

    resource_outputs: bool = False
    component_inputs: bool = True
    ids: bool = False
    json_values: bool = True


DEFAULT_ASPECTS = Aspects()


def differences(left: tr.Trace, right: tr.Trace, aspects: Aspects = DEFAULT_ASPECTS) -> Iterator[Difference]:
    """Yield all differences: registrations in the order of `left`, then those only in `right`, then stack outputs."""
    left = normalise(left, json_values=aspects.json_values)
    right = normalise(right, json_values=aspects.json_values)
    by_urn: dict[str, list[tr.Registration]] = {}
    for registration in right.registrations:
        by_urn.setdefault(registration.urn, []).append(registration)
    for registration in left.registrations:
        unmatched = by_urn.get(registration.urn)
        if not unmatched:
            yield _lone(registration, "is registered on the left only", on_left=True)
            continue
        yield from _in_registration(registration, unmatched.pop(0), aspects)
    for registration in right.registrations:
        if any(rest is registration for rest in by_urn.get(registration.urn, ())):
            yield _lone(registration, "is registered on the right only", on_left=False)
    yield from _in_stack_outputs(left, right)
    if left.failed != right.failed:
        reason = (
            "the left run fails, the right one does not" if left.failed else "the right run fails, the left one does not"
        )
        yield Difference(urn="", type="", name="", path="failed", left=left.failed, right=right.failed, reason=reason)


def _lone(registration: tr.Registration, reason: str, *, on_left: bool) -> Difference:
    sides: tuple[Side, Side] = (registration.type, ABSENT) if on_left else (ABSENT, registration.type)
    return Difference(
        urn=registration.urn,
        type=registration.type,
        name=registration.name,
        path="",
        left=sides[0],
        right=sides[1],
        reason=reason,
        place=registration.place,
    )


def _in_stack_outputs(left: tr.Trace, right: tr.Trace) -> Iterator[Difference]:
    stack = next(
        (registration for registration in left.registrations if registration.kind is tr.RegistrationKind.STACK), None
    )
    for path, left_value, right_value, reason in _in_members(left.outputs, right.outputs, "outputs"):
        yield Difference(
            urn=stack.urn if stack is not None else "",
            type=stack.type if stack is not None else "",
            name=stack.name if stack is not None else "",
            path=path,
            left=left_value,
            right=right_value,
            reason=reason,
            place=_place_of(stack, path) if stack is not None else None,
        )


_RawDifference: TypeAlias = tuple[str, Side, Side, str]
"""Path, left, right, reason."""


def _in_registration(left: tr.Registration, right: tr.Registration, aspects: Aspects) -> Iterator[Difference]:
    for path, left_value, right_value, reason in _parts(left, right, aspects):
        yield Difference(
            urn=left.urn,
            type=left.type,
            name=left.name,
            path=path,
            left=left_value,
            right=right_value,
            reason=reason,
            place=_place_of(left, path) or _place_of(right, path),
        )


def _parts(left: tr.Registration, right: tr.Registration, aspects: Aspects) -> Iterator[_RawDifference]:
    for name in ("kind", "parent", "custom", "remote", "provider"):
        left_value, right_value = getattr(left, name), getattr(right, name)
        if left_value != right_value:
            yield name, _shown(left_value), _shown(right_value), "differs"
    if left.kind is tr.RegistrationKind.READ and left.id != right.id:
        yield "id", left.id, right.id, "another object is read"
    elif aspects.ids and left.id != right.id:
        yield "id", left.id, right.id, "differs"
    yield from _in_members(left.providers, right.providers, "providers")
    component = left.kind in (tr.RegistrationKind.COMPONENT, tr.RegistrationKind.STACK)
    if aspects.component_inputs or not component or left.remote:
        yield from _in_members(left.inputs, right.inputs, "inputs")
        yield from _in_sets(left.dependencies, right.dependencies, "dependencies")
        yield from _in_property_dependencies(left, right)
    yield from _in_options(left.options, right.options)
    if left.kind is not tr.RegistrationKind.STACK and (aspects.resource_outputs or (component and not left.remote)):
        yield from _in_members(left.outputs, right.outputs, "outputs")


def _shown(value: object) -> Side:
    return value if isinstance(value, bool) else str(value)


def _in_property_dependencies(left: tr.Registration, right: tr.Registration) -> Iterator[_RawDifference]:
    for name in sorted({*left.property_dependencies, *right.property_dependencies}):
        left_urns = left.property_dependencies.get(name, ())
        right_urns = right.property_dependencies.get(name, ())
        yield from _in_sets(left_urns, right_urns, _join("propertyDependencies", name))


def _in_sets(left: Sequence[str], right: Sequence[str], path: str) -> Iterator[_RawDifference]:
    missing = [urn for urn in left if urn not in right]
    added = [urn for urn in right if urn not in left]
    if missing or added:
        parts = [f"the right lacks {urn}" for urn in missing] + [f"the right adds {urn}" for urn in added]
        yield path, tuple(left), tuple(right), "; ".join(parts)


def _in_options(left: tr.Options, right: tr.Options) -> Iterator[_RawDifference]:
    for name in tr.Options.__struct_fields__:
        left_value, right_value = getattr(left, name), getattr(right, name)
        path = f"options.{_camel(name)}"
        match name:
            case "replacement_trigger":
                yield from _in_values(left_value, right_value, path)
            case "aliases":
                if left_value != right_value:
                    yield path, tuple(map(str, left_value)), tuple(map(str, right_value)), "differs"
            case "custom_timeouts" | "env_var_mappings" | "hooks":
                yield from _in_members(left_value, right_value, path)
            case _:
                if _without_default(left_value) != _without_default(right_value):
                    yield path, _option_side(left_value), _option_side(right_value), "differs"


def _without_default(value: object) -> object:
    """Return the value of an option, or None for its default: False, an empty text or an empty list."""
    return None if value in (False, "", ()) else value


def _option_side(value: tr.PropertyValue) -> Side:
    return ABSENT if _without_default(value) is None else value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


# --- values ------------------------------------------------------------------------------------------------------------


def _in_members(
    left: Mapping[str, tr.PropertyValue], right: Mapping[str, tr.PropertyValue], path: str
) -> Iterator[_RawDifference]:
    for name in sorted({*left, *right}):
        place = _join(path, name)
        if name not in right:
            yield place, left[name], ABSENT, "the right does not have it"
        elif name not in left:
            yield place, ABSENT, right[name], "the left does not have it"
        else:
            yield from _in_values(left[name], right[name], place)


def _in_values(left: tr.PropertyValue, right: tr.PropertyValue, path: str) -> Iterator[_RawDifference]:
    if isinstance(left, tr.Secret) and isinstance(right, tr.Secret):
        yield from _in_values(left.value, right.value, path)
    elif isinstance(left, tuple) and isinstance(right, tuple) and len(left) == len(right):
        for index, (left_item, right_item) in enumerate(zip(left, right, strict=True)):
            yield from _in_values(left_item, right_item, f"{path}[{index}]")
    elif isinstance(left, Mapping) and isinstance(right, Mapping):
        yield from _in_members(left, right, path)
    elif left != right or isinstance(left, bool) != isinstance(right, bool):
        yield path, left, right, _reason(left, right)


def _reason(left: tr.PropertyValue, right: tr.PropertyValue) -> str:
    for value, other_value, side in ((left, right, "left"), (right, left, "right")):
        if isinstance(value, tr.Secret) and value.value == other_value:
            return f"secret on the {side} only"
    for value, side in ((left, "left"), (right, "right")):
        if isinstance(value, tr.Unknown):
            return f"unknown on the {side} only"
    left_kind, right_kind = kind_of(left), kind_of(right)
    if left_kind != right_kind:
        return f"{left_kind} on the left, {right_kind} on the right"
    if isinstance(left, tuple) and isinstance(right, tuple):
        return f"{len(left)} elements on the left, {len(right)} on the right"
    return "differs"


def kind_of(value: tr.PropertyValue) -> str:
    """Return the kind of a value in words."""
    match value:
        case None:
            return "null"
        case bool():
            return "a bool"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case tuple():
            return "a list"
        case tr.Secret():
            return "a secret"
        case tr.Asset():
            return "an asset"
        case tr.Archive():
            return "an archive"
        case Mapping():
            return "an object"
        case _:
            return type(value).__name__


def _join(path: str, name: str) -> str:
    plain = name.replace("_", "a").replace("-", "a").isalnum()
    return f"{path}.{name}" if plain else f'{path}["{name}"]'


def _place_of(registration: tr.Registration, path: str) -> tr.SourcePlace | None:
    for prefix in ("inputs.", "outputs.", "propertyDependencies.", "options."):
        if path.startswith(prefix):
            rest = path.removeprefix(prefix)
            name = rest.split(".")[0].split("[")[0]
            return registration.places.get(name, registration.place)
    return registration.place
