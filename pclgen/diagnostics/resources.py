"""Diagnostics about resources, options, hooks and components: codes PCL03(5-9)x and PCL07xx."""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.diagnostics.make import did_you_mean, error, listing, note
from pclgen.diagnostics.model import Diagnostic
from pclgen.source.load import OUTSIDE
from pclgen.source.text import Span


def unknown_option(name: str, options: Sequence[str], span: Span) -> Diagnostic:
    """A resource option that does not exist."""
    return error(
        "PCL0701",
        f"unknown resource option `{name}`",
        span,
        "not an option",
        notes=[note(f"the options are {listing(sorted(options), 30)}")],
        help=did_you_mean(name, options),
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
    hint = None
    if span.text.startswith('"'):
        hint = "write the name of the resource, without quotes"
        if option in ("provider", "providers"):
            hint += f': resource name "pulumi:providers:{span.text.strip(chr(34))}" {{ … }} declares a provider'
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
