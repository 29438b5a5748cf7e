"""What runs may differ in without a mistake of pclgen.

Comes in: traces and differences.  Goes out: traces in which what means the same is written the same (`comparable`), and for
a difference that comes from an SDK the `Limit` that explains it.  Both tables are complete: a difference that is in neither
fails a verification.

Written the same, in every trace:

* paths of the folder in which the program ran;
* settings of providers: an SDK that sends their JSON makes all of it secret, others a part;
* parents of aliases: Node spells out what the others leave to the engine;
* dependencies of inputs that turn out to be null: Python's and Node's SDKs leave them out, with the input;
* providers of local components: Python lists those that a component has from its parent, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, assert_never

from pclgen.core.expr import Expr, For, Invoke, Ref, Symbol
from pclgen.core.program import Local, Program, Resource
from pclgen.core.walk import components_of, expressions_of, walk
from pclgen.evaluate.models import holds_unknown
from pclgen.evaluate.std.patterns import NO_REGULAR_EXPRESSIONS
from pclgen.records import dataclass
from pclgen.trace.compare import ABSENT, Absent, Difference
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
from pclgen.trace.normal import normal_properties, normalise, referred
from pclgen.types.declarations import Declaration, Shape
from pclgen.types.model import ListType, MapType, NominalType, Type, resolve, without_none

FOLDER: Final = "<program>"


def comparable(trace: Trace, folder: Path) -> Trace:
    """A trace in which what means the same is written the same; `folder` is where the program ran."""
    writer = _Writer(str(folder))
    found = normalise(replace(trace, registrations=tuple(_whole_secrets(one) for one in trace.registrations)))
    at_hand = _Providers(found.registrations)
    return replace(
        found,
        registrations=tuple(at_hand.listed(writer.registration(one)) for one in found.registrations),
        calls=(),
        outputs=writer.properties(found.outputs),
    )


class _Writer:
    def __init__(self, folder: str) -> None:
        self._folder = folder

    def registration(self, found: Registration) -> Registration:
        given = {name for name, value in found.inputs.items() if value is not None}
        kept = {name: on for name, on in found.property_dependencies.items() if name in given}
        of_null = {urn for name, on in found.property_dependencies.items() if name not in given for urn in on}
        gone = of_null.difference(*kept.values())
        return replace(
            found,
            inputs=self.properties(found.inputs),
            dependencies=tuple(urn for urn in found.dependencies if urn not in gone),
            property_dependencies=kept,
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
                return self._place(value)
            case tuple():
                return tuple(self.value(element) for element in value)
            case Secret():
                return Secret(self.value(value.value))
            case Asset():
                return replace(
                    value,
                    text=None if value.text is None else self._place(value.text),
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


def _whole_secrets(found: Registration) -> Registration:
    """A provider whose settings with a secret inside are secret as a whole."""
    if found.kind is not RegistrationKind.PROVIDER:
        return found
    inputs = {name: Secret(value) if _holds_secret(value) else value for name, value in found.inputs.items()}
    # `normalise` takes secrets inside of secrets away.
    return replace(found, inputs=normal_properties(inputs))


def _holds_secret(value: PropertyValue) -> bool:
    match value:
        case Secret():
            return True
        case tuple():
            return any(_holds_secret(element) for element in value)
        case Mapping():
            return any(_holds_secret(member) for member in value.values())
        case _:
            return False


class _Providers:
    """The providers of components, with those of what is around them."""

    def __init__(self, registrations: Sequence[Registration]) -> None:
        self._by_urn = {found.urn: found for found in registrations}
        self._of: dict[str, Mapping[str, str]] = {}

    def listed(self, found: Registration) -> Registration:
        """A registration that lists all of them, if it is that of a component."""
        component = found.kind is RegistrationKind.COMPONENT
        return replace(found, providers=self._within(found.urn)) if component else found

    def _within(self, urn: str) -> Mapping[str, str]:
        found = self._by_urn.get(urn)
        if found is None:
            return {}
        if urn not in self._of:
            self._of[urn] = dict(sorted({**self._within(found.parent), **found.providers}.items()))
        return self._of[urn]


def _plain_alias(alias: Alias, parent: str) -> Alias:
    return replace(alias, parent="") if alias.parent == parent else alias


# -- limits --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What is known about a difference: the program, the mode, the evaluator's run and the registration in it, and the
    evaluator's run of the program as it was lowered for the language."""

    program: Program
    preview: bool
    evaluated: Trace
    registration: Registration | None
    lowered: Callable[[], Trace]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """Something that an SDK does on its own.  `languages` are those in which it shows; `reason` is for users."""

    name: str
    languages: frozenset[str]
    reason: str
    explains: Callable[[Difference, Circumstances], bool]


def _replace_with(found: Difference, context: Circumstances) -> bool:
    if context.registration is None or found.path != "dependencies" or not isinstance(found.left, tuple):
        return False
    right = found.right if isinstance(found.right, tuple) else ()
    return set(right) == {*found.left, *context.registration.options.replace_with}


def _provider_secrets(found: Difference, context: Circumstances) -> bool:
    provider = context.registration is not None and context.registration.kind is RegistrationKind.PROVIDER
    return provider and found.path == "options.additionalSecretOutputs" and isinstance(found.left, Absent)


def _references(found: Difference, context: Circumstances) -> bool:
    """All that is missing is what inputs refer to."""
    if context.registration is None or found.path.partition(".")[0] not in ("dependencies", "propertyDependencies"):
        return False
    left, right = (set(side) if isinstance(side, tuple) else set() for side in (found.left, found.right))
    inputs = context.registration.inputs.values()
    return right < left and left - right <= {urn for value in inputs for urn in referred(value)}


def _nested_default(found: Difference, context: Circumstances) -> bool:
    """A member that is missing has the value that the schema gives to it."""
    if not isinstance(found.right, Absent) or not found.path.startswith("inputs."):
        return False
    package = next((one for one in context.program.packages if one.name == found.type.split(":")[0]), None)
    declaration = None if package is None else package.resource(found.type)
    _, *steps = _STEPS.findall(found.path)
    if declaration is None or len(steps) < 2:
        return False
    fields = declaration.inputs.fields(Shape.INPUT)
    for step in steps[:-1]:
        if step.startswith("["):
            continue
        inner = fields.get(step)
        declared = None if inner is None else _declared(inner.type)
        if declared is None:
            return False
        fields = declared.fields(Shape.INPUT)
    field = fields.get(steps[-1])
    return field is not None and field.default is not None and field.default == found.left


_STEPS: Final = re.compile(r"[\w-]+|\[\d+\]")


def _declared(t: Type) -> Declaration | None:
    """The declaration of the objects that a value of this type is made of."""
    match without_none(resolve(t)):
        case NominalType() as nominal:
            return nominal.declaration
        case ListType() | MapType() as collection:
            return _declared(collection.element)
        case _:
            return None


def _before_a_loop(found: Difference, context: Circumstances) -> bool:
    """In a program with loops, the lowered program shows the same, and it is only that less is known."""
    return has_loops(context.program) and _in_lowered(found, context)


def _known_part(found: Difference, context: Circumstances) -> bool:
    """In a preview, the lowered program shows the same, in which members are taken by a function."""
    return context.preview and isinstance(found.right, Unknown) and _in_lowered(found, context)


def _in_lowered(found: Difference, context: Circumstances) -> bool:
    lowered = context.lowered()
    widened = isinstance(found.right, Unknown) or found.right == Secret(_plain(found.left)) or _more(found)
    return widened and _at(lowered, found) == found.right


def _plain(side: PropertyValue | Absent) -> PropertyValue:
    return None if isinstance(side, Absent) else side


def _more(found: Difference) -> bool:
    dependencies = found.path == "dependencies" or found.path.startswith("propertyDependencies.")
    left, right = found.left, found.right
    return dependencies and isinstance(left, tuple) and isinstance(right, tuple) and set(left) < set(right)


def _less(found: Difference) -> bool:
    dependencies = found.path == "dependencies" or found.path.startswith("propertyDependencies.")
    left, right = found.left, found.right
    return dependencies and isinstance(left, tuple) and isinstance(right, tuple) and set(right) < set(left)


def _at(trace: Trace, found: Difference) -> PropertyValue | Absent:
    """What a run has where the difference is."""
    registration = trace.registration(found.urn)
    if registration is None:
        return ABSENT
    first, *steps = _STEPS.findall(found.path)
    current: PropertyValue | Absent
    match first:
        case "dependencies":
            return registration.dependencies
        case "propertyDependencies":
            return registration.property_dependencies.get(steps[0], ())
        case "inputs":
            current = registration.inputs
        case "outputs":
            current = trace.outputs if registration.kind is RegistrationKind.STACK else registration.outputs
        case _:
            return ABSENT
    for step in steps:
        while isinstance(current, Secret):
            current = current.value
        if isinstance(current, tuple) and step.startswith("["):
            current = current[int(step[1:-1])]
        elif isinstance(current, Mapping) and step in current:
            current = current[step]
        else:
            return ABSENT
    return current


def _held_back(found: Difference, context: Circumstances) -> bool:
    """One side knows less, in a preview of a program that calls functions."""
    if not context.preview or not calls_functions(context.program):
        return False
    if isinstance(found.right, Unknown) or isinstance(found.left, Unknown):
        return True
    dependencies = found.path == "dependencies" or found.path.startswith("propertyDependencies.")
    left, right = found.left, found.right
    sets = isinstance(left, tuple) and isinstance(right, tuple) and (set(left) < set(right) or set(right) < set(left))
    return dependencies and sets


def _called_early(found: Difference, context: Circumstances) -> bool:
    """In a preview, one of the resources that are ranged over what a function answers; the evaluator has none of them."""
    if not context.preview or found.path or not isinstance(found.left, Absent):
        return False
    known = {one.name for one in context.evaluated.registrations if one.type == found.type}
    programs = (context.program, *(component.program for component in components_of(context.program)))
    return any(
        isinstance(node, Resource)
        and node.token == found.type
        and node.range is not None
        and found.name.startswith(f"{node.logical_name}-")
        and not any(name.startswith(f"{node.logical_name}-") for name in known)
        and _asks_a_function(node.range.value, program)
        for program in programs
        for node in program.nodes
    )


def _asks_a_function(value: Expr, program: Program) -> bool:
    """Whether a value has an answer of a function in it that is waited for, perhaps by way of locals."""
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


def _partly_unknown(found: Difference, context: Circumstances) -> bool:
    """In a preview, a resource answers a list or a map that is unknown in parts: what comes of an unknown part is known, and
    does not depend on the resource if it is null."""
    if not context.preview or isinstance(found.right, Unknown):
        return False
    if not isinstance(found.left, Unknown) and not _less(found):
        return False
    outputs = (value for one in context.evaluated.registrations for value in one.outputs.values())
    return any(holds_unknown(value) for value in outputs if isinstance(value, tuple | Mapping))


def _whole_resource(found: Difference, context: Circumstances) -> bool:
    """An output of the stack is a resource: a reference on one side, and on the other its properties."""
    left, right = found.left, found.right
    if not found.path.startswith("outputs") or not isinstance(left, ResourceRef) or not isinstance(right, Mapping):
        return False
    same_id = not isinstance(left.id, str) or right.get("id") == left.id
    return same_id and right.get("urn") == left.urn


def calls_functions(program: Program) -> bool:
    """Whether a program or a component that it uses calls provider functions."""
    return _holds(program, Invoke)


def has_loops(program: Program) -> bool:
    """Whether a program or a component that it uses has for-expressions, splats or loops in templates."""
    return _holds(program, For)


def _holds(program: Program, kind: type[Invoke] | type[For]) -> bool:
    programs = (program, *(component.program for component in components_of(program)))
    expressions = (expr for one in programs for node in one.nodes for expr in expressions_of(node))
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
        explains=lambda found, context: "[" in found.path and _nested_default(found, context),
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
        reason="in a preview, Go's SDK calls a function when the arguments are known, also where they come from resources"
        " that are not there yet: it previews resources ranged over the result, which the others leave out",
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
        name="loops-wait-first",
        languages=frozenset({"python", "typescript", "go"}),
        reason="generated code waits for what the body of a loop uses before it loops, also when there is nothing to loop"
        " over",
        explains=_before_a_loop,
    ),
)


def explanation(found: Difference, context: Circumstances, language: str) -> Limit | None:
    """The limit that explains a difference between the evaluator's run (left) and that of a language."""
    return next((limit for limit in LIMITS if language in limit.languages and limit.explains(found, context)), None)


# -- runs that say nothing -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """An answer of the engine that an SDK cannot read: every program fails that gets one.

    `languages` are those whose SDKs cannot; `says` is what they say then; `holds` finds the answer in the evaluator's run.
    """

    name: str
    languages: frozenset[str]
    reason: str
    says: re.Pattern[str]
    holds: Callable[[PropertyValue], bool]


def _empty_asset(value: PropertyValue) -> bool:
    """Whether a value holds an asset with an empty text."""
    match value:
        case Asset():
            return not (value.text or value.path or value.uri)
        case Archive():
            return any(_empty_asset(member) for member in (value.members or {}).values())
        case Secret():
            return _empty_asset(value.value)
        case tuple():
            return any(_empty_asset(element) for element in value)
        case Mapping():
            return any(_empty_asset(member) for member in value.values())
        case _:
            return False


UNREADABLE: tuple[Unreadable, ...] = (
    Unreadable(
        name="empty-assets",
        languages=frozenset({"python", "typescript"}),
        reason="the SDKs of Python and Node cannot read an asset with an empty text in the answer of a provider",
        says=re.compile("Invalid asset encountered"),
        holds=_empty_asset,
    ),
)


def excused(expected: Trace, run: Trace, language: str) -> str | None:
    """Why a run that fails says nothing about the program: this machine lacks a library, or the SDK cannot read an answer
    that the program gets.  None when it does say something."""
    if expected.failed and NO_REGULAR_EXPRESSIONS in reason_of(expected):
        return reason_of(expected)
    if expected.failed or not run.failed:
        return None
    answers = [value for one in expected.registrations for value in one.outputs.values()]
    reasons = [entry.message for entry in run.log if entry.severity == "error"]
    for limit in UNREADABLE:
        said = any(limit.says.search(reason) for reason in reasons)
        if said and language in limit.languages and any(limit.holds(value) for value in answers):
            return f"{limit.reason} ({limit.name})"
    return None


def reason_of(run: Trace) -> str:
    """Why a run failed: its first error."""
    reasons = [entry.message for entry in run.log if entry.severity == "error"]
    return reasons[0] if reasons else "it does not say why"
