"""Differences between runs that are not defects of pclgen.

`comparable` normalizes traces, so that equivalent runs are equal; `LIMITS` explains differences that come from an SDK.
Any other difference fails a verification. Normalized are, in every trace:

* paths of the folder in which the program ran;
* settings of providers: an SDK that sends their JSON makes all of it secret, others a part;
* parents of aliases: Node states what the others leave to the engine;
* dependencies of null inputs: Python's and Node's SDKs omit them, with the input;
* providers of local components: Python also lists those that a component has from its parent.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, assert_never

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core.expr import Expr, For, Invoke, Ref, Symbol
from pclgen.core.program import Local, Program, Resource
from pclgen.core.walk import expressions_of, programs_of, walk
from pclgen.evaluate.models import holds_unknown
from pclgen.evaluate.std.patterns import NO_REGULAR_EXPRESSIONS
from pclgen.evaluate.wire import holds_secret
from pclgen.trace import model as tr
from pclgen.trace.compare import ABSENT, Absent, Difference
from pclgen.trace.normal import normal_properties, normalise, referred
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, Field, Shape

FOLDER: Final = "<program>"


def comparable(trace: tr.Trace, folder: Path) -> tr.Trace:
    """Return a normalized trace; `folder` is where the program ran."""
    writer = _Writer(str(folder))
    registrations = tuple(_whole_secrets(registration) for registration in trace.registrations)
    normalized = normalise(replace(trace, registrations=registrations))
    at_hand = _Providers(normalized.registrations)
    return replace(
        normalized,
        registrations=tuple(at_hand.listed(writer.registration(registration)) for registration in normalized.registrations),
        calls=(),
        outputs=writer.properties(normalized.outputs),
    )


class _Writer:
    def __init__(self, folder: str) -> None:
        self._folder = folder

    def registration(self, registration_: tr.Registration) -> tr.Registration:
        set_inputs = {name for name, value in registration_.inputs.items() if value is not None}
        dependencies = {name: on for name, on in registration_.property_dependencies.items() if name in set_inputs}
        of_null = {urn for name, on in registration_.property_dependencies.items() if name not in set_inputs for urn in on}
        dropped = of_null.difference(*dependencies.values())
        return replace(
            registration_,
            inputs=self.properties(registration_.inputs),
            dependencies=tuple(urn for urn in registration_.dependencies if urn not in dropped),
            property_dependencies=dependencies,
            outputs=self.properties(registration_.outputs),
            options=self._options(registration_),
        )

    def _options(self, registration: tr.Registration) -> tr.Options:
        aliases = tuple(_plain_alias(alias, registration.parent) for alias in registration.options.aliases)
        return replace(registration.options, aliases=aliases)

    def properties(self, properties: tr.Properties) -> tr.Properties:
        return {name: self.value(value) for name, value in properties.items() if value is not None}

    def value(self, value: tr.PropertyValue) -> tr.PropertyValue:
        match value:
            case str():
                return self._place(value)
            case tuple():
                return tuple(self.value(element) for element in value)
            case tr.Secret():
                return tr.Secret(self.value(value.value))
            case tr.Asset():
                return replace(
                    value,
                    text=None if value.text is None else self._place(value.text),
                    path=None if value.path is None else self._place(value.path),
                )
            case tr.Archive():
                members = value.members
                written = None if members is None else {name: self._blob(member) for name, member in members.items()}
                return replace(value, members=written, path=None if value.path is None else self._place(value.path))
            case None | bool() | int() | float() | tr.Unknown() | tr.ResourceRef() | tr.Bytes() | tr.Output():
                return value
            case Mapping():
                return self.properties(value)
            case _:
                assert_never(value)

    def _blob(self, blob: tr.Asset | tr.Archive) -> tr.Asset | tr.Archive:
        written = self.value(blob)
        assert isinstance(written, tr.Asset | tr.Archive)
        return written

    def _place(self, text: str) -> str:
        return text.replace(self._folder, FOLDER)


def _whole_secrets(registration: tr.Registration) -> tr.Registration:
    """Make a provider setting secret as a whole if it contains a secret."""
    if registration.kind is not tr.RegistrationKind.PROVIDER:
        return registration
    inputs = {name: tr.Secret(value) if holds_secret(value) else value for name, value in registration.inputs.items()}
    # `normalise` removes secrets inside of secrets.
    return replace(registration, inputs=normal_properties(inputs))


class _Providers:
    """The providers of components, including those of enclosing components."""

    def __init__(self, registrations: Sequence[tr.Registration]) -> None:
        self._by_urn = {registration.urn: registration for registration in registrations}
        self._of: dict[str, Mapping[str, str]] = {}

    def listed(self, registration: tr.Registration) -> tr.Registration:
        """Return a registration with all its providers, if it is a component."""
        component = registration.kind is tr.RegistrationKind.COMPONENT
        return replace(registration, providers=self._within(registration.urn)) if component else registration

    def _within(self, urn: str) -> Mapping[str, str]:
        registration = self._by_urn.get(urn)
        if registration is None:
            return {}
        if urn not in self._of:
            self._of[urn] = dict(sorted({**self._within(registration.parent), **registration.providers}.items()))
        return self._of[urn]


def _plain_alias(alias: tr.Alias, parent: str) -> tr.Alias:
    return replace(alias, parent="") if alias.parent == parent else alias


# -- limits --------------------------------------------------------------------------------------------------------------


class Circumstances(Struct, frozen=True, kw_only=True):
    """The context of a difference: the program, the mode, the evaluator's run and the registration in it, and the
    evaluator's run of the program as lowered for the language."""

    program: Program
    preview: bool
    evaluated: tr.Trace
    registration: tr.Registration | None
    lowered: Callable[[], tr.Trace]


class Limit(Struct, frozen=True, kw_only=True):
    """A known deviation of an SDK. `languages` are those affected; `reason` is for users."""

    name: str
    languages: frozenset[str]
    reason: str
    explains: Callable[[Difference, Circumstances], bool]


def _replace_with(difference: Difference, context: Circumstances) -> bool:
    if context.registration is None or difference.path != "dependencies":
        return False
    left, right = dependencies_in(difference)
    return right == left.union(context.registration.options.replace_with)


def _provider_secrets(difference: Difference, context: Circumstances) -> bool:
    provider = context.registration is not None and context.registration.kind is tr.RegistrationKind.PROVIDER
    return provider and difference.path == "options.additionalSecretOutputs" and isinstance(difference.left, Absent)


def _references(difference: Difference, context: Circumstances) -> bool:
    """Explain missing dependencies that inputs refer to."""
    left, right = dependencies_in(difference)
    inputs = context.registration.inputs.values() if context.registration is not None else ()
    return right < left and left - right <= {urn for value in inputs for urn in referred(value)}


def dependencies_in(difference: Difference) -> tuple[set[str], set[str]]:
    """Return the URNs on both sides of a difference between dependencies; none for another difference."""
    if difference.path.partition(".")[0] not in ("dependencies", "propertyDependencies"):
        return set(), set()
    left, right = difference.left, difference.right
    assert isinstance(left, tuple) and isinstance(right, tuple), "`trace.compare` yields both lists"
    return set(map(str, left)), set(map(str, right))


def _nested_default(difference: Difference, context: Circumstances) -> bool:
    """Explain a missing member whose value is the default of the schema."""
    if not isinstance(difference.right, Absent):
        return False
    _, *steps = _STEPS.findall(difference.path)
    field = _input_at(difference, context) if len(steps) > 1 else None
    return field is not None and field.default is not None and field.default == difference.left


def _defaults_of_objects(difference: Difference, context: Circumstances) -> bool:
    """Explain an object that is unknown or secret as a whole, since a part is and the schema has defaults for it."""
    declared = _type_of_whole(difference, context)
    if not isinstance(declared, ty.NominalType) or difference.path.count(".") > 1:
        return False
    return _has_defaults(declared.declaration)


def _type_of_whole(difference: Difference, context: Circumstances) -> ty.Type | None:
    """Return the declared type of an input that is unknown or secret as a whole, since a part is; None for another one."""
    left, right = difference.left, difference.right
    if not isinstance(left, tuple | Mapping) or not isinstance(right, tr.Unknown | tr.Secret):
        return None
    field = _input_at(difference, context) if holds_unknown(left) or holds_secret(left) else None
    return None if field is None else ty.without_none(ty.resolve(field.type))


def _has_defaults(declaration: Declaration) -> bool:
    """Return whether the SDKs of Node and Go fill in objects of this type, at any depth outside of lists and maps."""
    waiting, seen = [declaration], set[str]()
    while waiting:
        for field in waiting.pop().fields(Shape.INPUT).values():
            if field.default is not None:
                return True
            inner = ty.without_none(ty.resolve(field.type))
            if isinstance(inner, ty.NominalType) and inner.declaration.token not in seen:
                seen.add(inner.declaration.token)
                waiting.append(inner.declaration)
    return False


def _values_of_enums(difference: Difference, context: Circumstances) -> bool:
    """Explain an input, a list or a map of an enum, that is unknown or secret as a whole, since an element is."""
    declared = _type_of_whole(difference, context)
    return isinstance(declared, ty.ListType | ty.MapType) and isinstance(ty.resolve(declared.element), ty.EnumType)


def _input_at(difference: Difference, context: Circumstances) -> Field | None:
    """Return the input, or the member of one, at the position of the difference."""
    package = next((entry for entry in context.program.packages if entry.name == difference.type.split(":")[0]), None)
    declaration = None if package is None else package.resource(difference.type)
    first, *steps = _STEPS.findall(difference.path)
    if declaration is None or first != "inputs" or not steps:
        return None
    fields = declaration.inputs.fields(Shape.INPUT)
    for step in steps[:-1]:
        if step.startswith("["):
            continue
        inner = fields.get(step)
        declared = None if inner is None else _declared(inner.type)
        if declared is None:
            return None
        fields = declared.fields(Shape.INPUT)
    return fields.get(steps[-1])


_STEPS: Final = re.compile(r"[\w-]+|\[\d+\]")


def _declared(t: ty.Type) -> Declaration | None:
    """Return the declaration of the objects in a value of this type."""
    match ty.without_none(ty.resolve(t)):
        case ty.NominalType() as nominal:
            return nominal.declaration
        case ty.ListType() | ty.MapType() as collection:
            return _declared(collection.element)
        case _:
            return None


def _before_a_loop(difference: Difference, context: Circumstances) -> bool:
    """Explain less knowledge in a program with loops, if the lowered program shows the same."""
    return has_loops(context.program) and _in_lowered(difference, context)


def _known_part(difference: Difference, context: Circumstances) -> bool:
    """Explain a difference in a preview if the lowered program, in which functions access members, shows the same."""
    return context.preview and isinstance(difference.right, tr.Unknown) and _in_lowered(difference, context)


def _in_lowered(difference: Difference, context: Circumstances) -> bool:
    lowered = context.lowered()
    left, right = difference.left, difference.right
    before, after = dependencies_in(difference)
    widened = isinstance(right, tr.Unknown) or right == tr.Secret(_plain(left)) or before < after
    return widened and _at(lowered, difference) == difference.right


def _plain(side: tr.PropertyValue | Absent) -> tr.PropertyValue:
    return None if isinstance(side, Absent) else side


def _at(trace: tr.Trace, difference: Difference) -> tr.PropertyValue | Absent:
    """Return the value of a run at the position of the difference."""
    registration = trace.registration(difference.urn)
    if registration is None:
        return ABSENT
    first, *steps = _STEPS.findall(difference.path)
    current: tr.PropertyValue | Absent
    match first:
        case "dependencies":
            return registration.dependencies
        case "propertyDependencies":
            return registration.property_dependencies.get(steps[0], ())
        case "inputs":
            current = registration.inputs
        case "outputs":
            current = trace.outputs if registration.kind is tr.RegistrationKind.STACK else registration.outputs
        case _:
            return ABSENT
    for step in steps:
        while isinstance(current, tr.Secret):
            current = current.value
        if isinstance(current, tuple) and step.startswith("["):
            current = current[int(step[1:-1])]
        elif isinstance(current, Mapping) and step in current:
            current = current[step]
        else:
            return ABSENT
    return current


def _held_back(difference: Difference, context: Circumstances) -> bool:
    """Explain less knowledge on one side, in a preview of a program that calls functions."""
    if not context.preview or not calls_functions(context.program):
        return False
    if isinstance(difference.right, tr.Unknown) or isinstance(difference.left, tr.Unknown):
        return True
    left, right = dependencies_in(difference)
    return left < right or right < left


def _called_early(difference: Difference, context: Circumstances) -> bool:
    """Explain, in a preview, a resource ranged over the result of a function that the evaluator does not know."""
    if not context.preview or difference.path or not isinstance(difference.left, Absent):
        return False
    names = {registration.name for registration in context.evaluated.registrations if registration.type == difference.type}
    programs = programs_of(context.program)
    return any(
        isinstance(node, Resource)
        and node.token == difference.type
        and node.range is not None
        and difference.name.startswith(f"{node.logical_name}-")
        and not any(name.startswith(f"{node.logical_name}-") for name in names)
        and _asks_a_function(node.range.value, program)
        for program in programs
        for node in program.nodes
    )


def _asks_a_function(value: Expr, program: Program) -> bool:
    """Return whether a value depends on the awaited result of a function, also through locals."""
    values = {node.symbol: node.value for node in program.nodes if isinstance(node, Local)}
    waiting, seen = [value], set[Symbol]()
    while waiting:
        for part in walk(waiting.pop()):
            if isinstance(part, Invoke) and part.type.eventual:
                return True
            if isinstance(part, Ref) and part.symbol in values and part.symbol not in seen:
                seen.add(part.symbol)
                waiting.append(values[part.symbol])
    return False


def _partly_unknown(difference: Difference, context: Circumstances) -> bool:
    """Explain, in a preview, values computed from a partly unknown list or map, which some SDKs treat as known."""
    if not context.preview or isinstance(difference.right, tr.Unknown):
        return False
    left, right = dependencies_in(difference)
    if not isinstance(difference.left, tr.Unknown) and not right < left:
        return False
    outputs = (value for registration in context.evaluated.registrations for value in registration.outputs.values())
    return any(holds_unknown(value) for value in outputs if isinstance(value, tuple | Mapping))


def _whole_resource(difference: Difference, context: Circumstances) -> bool:
    """Explain a stack output that is a resource: a reference on one side, its properties on the other."""
    left, right = difference.left, difference.right
    if not difference.path.startswith("outputs") or not isinstance(left, tr.ResourceRef) or not isinstance(right, Mapping):
        return False
    same_id = not isinstance(left.id, str) or right.get("id") == left.id
    return same_id and right.get("urn") == left.urn


def calls_functions(program: Program) -> bool:
    """Return whether a program or a component that it uses calls provider functions."""
    return _holds(program, Invoke)


def has_loops(program: Program) -> bool:
    """Return whether a program or a component that it uses has for-expressions, splats or loops in templates."""
    return _holds(program, For)


def _holds(program: Program, kind: type[Invoke] | type[For]) -> bool:
    programs = programs_of(program)
    expressions = (expr for program_ in programs for node in program_.nodes for expr in expressions_of(node))
    return any(isinstance(part, kind) for expr in expressions for part in walk(expr))


LIMITS: tuple[Limit, ...] = (
    Limit(
        name="nested-defaults",
        languages=frozenset({"python"}),
        reason="Python's SDK fills in the schema's defaults of nested objects for its own classes only, not for dicts",
        explains=_nested_default,
    ),
    Limit(
        name="defaults-in-lists",
        languages=frozenset({"typescript", "go"}),
        reason="the SDKs of Node and Go do not fill in the schema's defaults of objects in lists",
        explains=lambda difference, context: "[" in difference.path and _nested_default(difference, context),
    ),
    Limit(
        name="defaults-of-objects",
        languages=frozenset({"typescript", "go"}),
        reason="the SDKs of Node and Go fill in the schema's defaults of an object when all of it is known: if a member is"
        " unknown or secret, the whole is",
        explains=_defaults_of_objects,
    ),
    Limit(
        name="provider-secrets",
        languages=frozenset({"typescript"}),
        reason="Node's SDK lists secret settings of a provider as `additionalSecretOutputs`, as the others do not",
        explains=_provider_secrets,
    ),
    Limit(
        name="replace-with-dependency",
        languages=frozenset({"typescript"}),
        reason="Node's SDK makes what `replaceWith` names a dependency, too",
        explains=_replace_with,
    ),
    Limit(
        name="references-in-outputs",
        languages=frozenset({"go"}),
        reason="Go's SDK counts a resource among the dependencies only where it is passed itself, not as an output of"
        " another or to a component of a provider",
        explains=_references,
    ),
    Limit(
        name="resources-as-outputs",
        languages=frozenset({"python", "typescript"}),
        reason="the SDKs of Python and Node export the properties of a resource where Go's exports a reference to it",
        explains=_whole_resource,
    ),
    Limit(
        name="functions-held-back",
        languages=frozenset({"python", "typescript", "go"}),
        reason="in a preview, the SDKs of Python and Node do not call a function whose arguments come from resources that"
        " are not there yet, and forget on what its result depends; Go's calls it when the arguments are known",
        explains=_held_back,
    ),
    Limit(
        name="functions-called-early",
        languages=frozenset({"go"}),
        reason="in a preview, Go SDKs generated before 2026 call a function when the arguments are known, also where they"
        " come from resources that do not exist yet: they preview resources ranged over the result, which the others omit",
        explains=_called_early,
    ),
    Limit(
        name="partly-unknown",
        languages=frozenset({"go"}),
        reason="in a preview, Go's SDK takes a list or a map that is unknown in parts for known, with empty texts in it",
        explains=_partly_unknown,
    ),
    Limit(
        name="known-parts",
        languages=frozenset({"python", "typescript", "go"}),
        reason="in a preview, a function that takes known members of a list or an object does not run if another part is"
        " unknown; Go's SDK gives no access to the known members at all",
        explains=_known_part,
    ),
    Limit(
        name="values-of-enums",
        languages=frozenset({"go"}),
        reason="Go's SDK has lists and maps of an enum's values only: if an element is unknown or secret, the whole is",
        explains=_values_of_enums,
    ),
    Limit(
        name="loops-wait-first",
        languages=frozenset({"python", "typescript", "go"}),
        reason="generated code waits for what the body of a loop uses before it loops, also when there is nothing to loop"
        " over",
        explains=_before_a_loop,
    ),
)


def explanation(difference: Difference, context: Circumstances, language: str) -> Limit | None:
    """Return the limit that explains a difference between the run of the evaluator (left) and of a language."""
    return next((limit for limit in LIMITS if language in limit.languages and limit.explains(difference, context)), None)


# -- runs that say nothing -----------------------------------------------------------------------------------------------


class Unreadable(Struct, frozen=True, kw_only=True):
    """An answer of the engine that an SDK cannot read, or reads as another answer, so that programs with that answer fail.

    `languages` are those affected; `says` matches their error message; `holds` detects the answer in the evaluator's run.
    """

    name: str
    languages: frozenset[str]
    reason: str
    says: re.Pattern[str]
    holds: Callable[[tr.PropertyValue], bool]


def _empty_asset(value: tr.PropertyValue) -> bool:
    """Return whether a value contains an asset with an empty text."""
    assets = (part for part in tr.parts_of(value) if isinstance(part, tr.Asset))
    return any(not (asset.text or asset.path or asset.uri) for asset in assets)


def _unknown_inside(value: tr.PropertyValue) -> bool:
    """Return whether a list or an object has unknown parts; in the normal form, no secret is unknown."""
    return holds_unknown(value) and not isinstance(value, tr.Unknown)


UNREADABLE: tuple[Unreadable, ...] = (
    Unreadable(
        name="empty-assets",
        languages=frozenset({"python", "typescript"}),
        reason="the SDKs of Python and Node cannot read an asset with an empty text in the answer of a provider",
        says=re.compile("Invalid asset encountered"),
        holds=_empty_asset,
    ),
    Unreadable(
        name="partly-unknown",
        languages=frozenset({"go"}),
        reason="in a preview, Go's SDK takes an unknown list inside of a known object for an empty one, and a step into it"
        " fails",
        says=re.compile(r"index out of range \[\d+\] with length 0"),
        holds=_unknown_inside,
    ),
)


def excused(expected: tr.Trace, run: tr.Trace, language: str) -> str | None:
    """Return why a failed run says nothing about the program: a library is missing on this machine, or the SDK cannot
    read an answer. None if the failure counts."""
    if expected.failed and NO_REGULAR_EXPRESSIONS in reason_of(expected):
        return reason_of(expected)
    if expected.failed or not run.failed:
        return None
    answers = [value for registration in expected.registrations for value in registration.outputs.values()]
    reasons = [entry.message for entry in run.log if entry.severity == "error"]
    for limit in UNREADABLE:
        matches = any(limit.says.search(reason) for reason in reasons)
        if matches and language in limit.languages and any(limit.holds(value) for value in answers):
            return f"{limit.reason} ({limit.name})"
    return None


def reason_of(run: tr.Trace) -> str:
    """Return why a run failed: its first error."""
    reasons = [entry.message for entry in run.log if entry.severity == "error"]
    return reasons[0] if reasons else "it does not say why"
