"""Diagnostics about the items of a program: declarations, resources, options, hooks and components.

    PCL02xx         blocks, labels and declarations
    PCL03(5-9)x     components
    PCL07xx         options and hooks

Each mistake has a function; callers pass facts and the tightest span. All wording is in this module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pclgen.diagnostics import habits
from pclgen.diagnostics.model import Diagnostic, Note, did_you_mean, error, listing, note, warning
from pclgen.source.load import OUTSIDE
from pclgen.source.text import Span

_FORMS: Mapping[str, str] = {
    "config": "config name type { … }",
    "output": "output name { value = … }",
    "resource": 'resource name "package:module:Type" { … }',
    "read": 'read name "package:module:Type" { id = … }',
    "component": 'component name "./folder" { … }',
    "hook": "hook resource name { command = […] }",
}


def _a(word: str) -> str:
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"


def already_declared(
    name: str, span: Span, first: Span | None, logical_hint: bool, *, mergeable: bool = False
) -> Diagnostic:
    """Two declarations of one name; `mergeable`: two blocks that have no other name."""
    return error(
        "PCL0201",
        f"`{name}` is already declared",
        span,
        "redeclared here",
        notes=[note("first declared here", first)] if first is not None else [],
        help=f'rename it, and add `__logicalName = "{name}"` to keep the name that Pulumi uses'
        if logical_hint
        else "merge the blocks"
        if mergeable
        else "rename one of them",
    )


def wrong_labels(block: str, expected: str, actual: int, span: Span) -> Diagnostic:
    """A block with too few or too many labels."""
    count = {0: "no label", 1: "one label"}.get(actual, f"{actual} labels")
    message = f"{_a(block)} block needs {expected}, found {count}"
    help_ = f"write {_FORMS[block]}" if block in _FORMS else None
    return error("PCL0202", message, span, f"expected {expected}", help=help_)


def unknown_block(kind: str, block_types: Sequence[str], span: Span, *, label: str | None = None) -> Diagnostic:
    """A block type that does not exist at top level; `label` is the last label of the block."""
    return error(
        "PCL0203",
        f"unknown block type `{kind}`",
        span,
        "not a PCL block",
        notes=[note(f"the block types are {listing(block_types)}")],
        help=habits.block_help(kind, label) or did_you_mean(kind, block_types),
    )


def unexpected_block(kind: str, inside: str, types: Sequence[str], span: Span, *, hint: str | None = None) -> Diagnostic:
    """A block that is not allowed here; `hint` is the correct form, if the caller knows it."""
    notes = [note(f"{_a(inside)} block can contain: {listing(types)}")] if types else []
    return error(
        "PCL0204",
        f"block `{kind}` is not allowed inside {_a(inside)} block",
        span,
        "not allowed here",
        notes=notes,
        help=hint or did_you_mean(kind, types) or f"write {kind} = {{ … }} to set a property",
    )


def duplicate_options(span: Span, first: Span) -> Diagnostic:
    """A second `options` block in one block."""
    return error(
        "PCL0205",
        "duplicate `options` block",
        span,
        "second block",
        notes=[note("first block here", first)],
        help="merge the blocks",
    )


def unknown_setting(name: str, block: str, attributes: Sequence[str], span: Span) -> Diagnostic:
    """An attribute that a block of fixed attributes does not have."""
    return error(
        "PCL0206",
        f"{_a(block)} block has no attribute `{name}`",
        span,
        "unknown attribute",
        notes=[note(f"its attributes are {listing(attributes)}")] if attributes else [],
        help=habits.setting_help(block, name) or did_you_mean(name, attributes),
    )


def missing_setting(name: str, block: str, why: str, span: Span) -> Diagnostic:
    """A required attribute of a fixed block is missing."""
    return error("PCL0207", f"{block} has no `{name}`", span, f"expected `{name}` in this block", help=why)


def not_literal(name: str, what: str, span: Span, *, because: str | None = None) -> Diagnostic:
    """An attribute that must be a plain literal."""
    return error(
        "PCL0208",
        f"`{name}` must be a plain {what}",
        span,
        f"expected a {what} literal",
        notes=[note(f"{because or 'pclgen needs it before the program runs'}, so it cannot be computed")],
    )


def unknown_hook_kind(kind: str, span: Span) -> Diagnostic:
    """`hook foo …` with a kind that does not exist."""
    return error(
        "PCL0209",
        f"unknown kind of hook `{kind}`: expected `resource` or `error`",
        span,
        "unknown kind of hook",
        help=did_you_mean(kind, ("resource", "error")),
    )


def bad_type_label(reason: str, span: Span, instead: str | None = None) -> Diagnostic:
    """A type label that does not parse; `instead` is the correct spelling."""
    return error(
        "PCL0210",
        f"malformed type: {reason}",
        span,
        reason,
        help=f"write {instead}"
        if instead is not None
        else 'types look like string, list(int), map(any) or "object({name = string, size = int})"',
    )


def unknown_type(name: str, types: Sequence[str], span: Span) -> Diagnostic:
    """A type name that does not exist."""
    return error(
        "PCL0211",
        f"unknown type `{name}`",
        span,
        "not a type",
        notes=[note(f"the types are {listing(types)}")],
        help=habits.type_help(name) or did_you_mean(name, types),
    )


def bad_constraint(reason: str, span: Span) -> Diagnostic:
    """A constraint of a type that cannot be used."""
    return error("PCL0217", f"invalid constraint: {reason}", span, reason)


def unknown_constraint(name: str, constraints: Sequence[str], span: Span) -> Diagnostic:
    """A word that is not a constraint of the type."""
    return error(
        "PCL0217",
        f"unknown constraint `{name}` for this type",
        span,
        "not a constraint here",
        notes=[note(f"its constraints are {listing(constraints)}" if constraints else "this type has no constraints")],
        help=did_you_mean(name, constraints),
    )


def circular_type(names: Sequence[str], places: Sequence[tuple[str, Span]], span: Span) -> Diagnostic:
    """A type that contains itself."""
    way = " -> ".join([*names, names[0]])
    notes = [note(f"`{name}` continues here", at) for name, at in places[:-1]]
    return error("PCL0218", f"recursive type `{names[0]}`: {way}", span, "back to the start", notes=notes)


def type_taken(name: str, span: Span) -> Diagnostic:
    """A type with the name of a built-in type."""
    return error("PCL0201", f"`{name}` is a built-in type", span, "already a type", help="rename it")


def broken_rule(
    message: str, span: Span, notes: Sequence[Note] = (), *, written: object = None, values: Sequence[str] = ()
) -> Diagnostic:
    """A known value that breaks the rule that applies to it; `message` is the message of the running program.

    `written` is the value, where the rule allows only some `values`.
    """
    similar = did_you_mean(written, values) if isinstance(written, str) and written not in values else None
    return error("PCL0219", message, span, "this value", notes=notes, help=similar)


def package_label_deprecated(span: Span) -> Diagnostic:
    """`package "name" { … }`."""
    return warning(
        "PCL0213",
        "the label of a package block is deprecated",
        span,
        "deprecated",
        help='set baseProviderName = "…" in the block',
    )


def bad_package_setting(name: str, expected: str, span: Span) -> Diagnostic:
    """A package block with an invalid version, URL or parameter."""
    return error("PCL0214", f"`{name}` of a package block must be {expected}", span, f"expected {expected}")


def package_twice(name: str, span: Span, first: Span) -> Diagnostic:
    """Two package blocks for one name that differ, or are in the same file."""
    return error(
        "PCL0215",
        f"duplicate `package` block for `{name}`",
        span,
        "second block",
        notes=[note("first block here", first)],
        help="keep one of the two blocks",
    )


def name_of_every_component(kind: str, name: str, span: Span) -> Diagnostic:
    """An input or output (`kind`) of a component with the name of a member of all components or of their arguments."""
    return error(
        "PCL0216",
        f"`{name}` is a reserved name for a component {kind}",
        span,
        "every component already has a member with this name",
        help=f"rename the {kind}, for example to `{name.strip('_')}Value`",
    )


# -- resources and components -----------------------------------------------------------------------------------------------

def unknown_option(name: str, options: Sequence[str], span: Span) -> Diagnostic:
    """A resource option that does not exist."""
    return error(
        "PCL0701",
        f"unknown resource option `{name}`",
        span,
        "not an option",
        notes=[note(f"the options are {listing(sorted(options), 30)}")],
        help=habits.option_help(name) or did_you_mean(name, options),
    )


def bad_option_value(name: str, expected: str, actual: str, span: Span, *, hint: str | None = None) -> Diagnostic:
    """An option value of the wrong form."""
    return error(
        "PCL0702",
        f"option `{name}` needs {expected}, found {actual}",
        span,
        f"expected {expected}",
        help=hint,
    )


def unknown_path(name: str, owner: str, properties: Sequence[str], span: Span) -> Diagnostic:
    """A property path that does not start at a property."""
    return error(
        "PCL0703", f"`{name}` is not a property of {owner}", span, "unknown property", help=did_you_mean(name, properties)
    )


def bad_path(span: Span) -> Diagnostic:
    """An expression that is not a property path."""
    return error(
        "PCL0704",
        "invalid property path",
        span,
        "expected a property path",
        help='write a path such as tags, rules[0].port, labels["a.b"], or "*" for all',
    )


def component_directory_missing(path: str, reason: str, span: Span, hint: str | None = None) -> Diagnostic:
    """A component source that is not a directory of PCL; `hint` names a likely replacement."""
    help_ = "move the component into the repository, or use `--allow-outside`" if reason == OUTSIDE else hint
    return error("PCL0705", f"the component directory `{path}` {reason}", span, reason, help=help_)


def unknown_component(name: str, folder: str, components: Sequence[str], span: Span) -> Diagnostic:
    """A component that a plugin does not have."""
    notes = [note(f"the components are {listing(components, 30)}")] if components else []
    message = f"the plugin in `{folder}` has no component `{name}`"
    return error("PCL0705", message, span, "unknown component", notes=notes, help=did_you_mean(name, components))


def no_yaml_plugin(folder: str, span: Span) -> Diagnostic:
    """A component source that is a plugin in another language than YAML."""
    help_ = 'use the token of a component: component name { token = "package:index:Type" }'
    return error("PCL0705", f"the plugin in `{folder}` is not in YAML", span, "not in YAML", help=help_)


def types_missing(path: str, reason: str, span: Span, hint: str | None = None) -> Diagnostic:
    """A label names the types of a folder that does not exist or is invalid."""
    help_ = "move the types into the repository, or use `--allow-outside`" if reason == OUTSIDE else hint
    return error("PCL0705", f"the directory `{path}` of this type {reason}", span, reason, help=help_)


def component_without_source(span: Span) -> Diagnostic:
    """A component with neither a source nor a token."""
    return error(
        "PCL0707",
        "a component without a source needs a token",
        span,
        "expected a source or a token",
        help='write component name "./directory" { … }, or token = "pkg:module:Type"',
    )


def unknown_hook_event(name: str, events: Sequence[str], span: Span) -> Diagnostic:
    """A key of `hooks` that is not an event."""
    return error(
        "PCL0708",
        f"`{name}` is not a hook event",
        span,
        "unknown event",
        notes=[note(f"the events are {listing(events)}")],
        help=did_you_mean(name, events),
    )


def wrong_hook(hook: str, event: str, expected: str, span: Span, *, declared: Span) -> Diagnostic:
    """A hook of the wrong kind for an event."""
    return error(
        "PCL0709",
        f"`{event}` needs a {expected} hook, and `{hook}` has another kind",
        span,
        "wrong kind of hook",
        notes=[note("declared here", declared)],
    )


def not_a_resource(option: str, expected: str, actual: str, span: Span) -> Diagnostic:
    """An option that requires a resource has another value."""
    is_text, provides = span.text.startswith('"'), option in ("provider", "providers")
    hint = "write the name of the resource, without quotes" if is_text else None
    if provides:
        package = span.text.strip('"') if is_text else "package"
        declaration = f'resource name "pulumi:providers:{package}" {{ … }} declares a provider'
        hint = f"{hint}: {declaration}" if is_text else declaration
    return error("PCL0711", f"option `{option}` needs {expected}, found {actual}", span, f"this is {actual}", help=hint)


def waits_for_parent(name: str, span: Span, parent: Span) -> Diagnostic:
    """`dependsOn` names the component that is also the parent."""
    return error(
        "PCL0712",
        f"a resource cannot depend on its parent `{name}`",
        span,
        "the parent of this resource",
        notes=[note("parent set here", parent)],
        help="remove it: Pulumi registers a component before its children",
    )


def policy_for_nothing(name: str, token: str, inputs: Sequence[str], span: Span) -> Diagnostic:
    """A policy checks an input that the type does not have."""
    return error(
        "PCL0713",
        f"policy rule for an unknown input `{name}` of {token}",
        span,
        "resource of this type",
        notes=[note(f"its inputs are {listing(sorted(inputs), 30)}")],
        help=did_you_mean(name, inputs),
    )
