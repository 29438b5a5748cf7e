"""Diagnostics of running a program: what fails only once values are known.

Their codes are PCL10xx. The evaluator adds a trail of notes: how evaluation came to the place.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.diagnostics.make import did_you_mean, error, listing, note, warning
from pclgen.diagnostics.model import Diagnostic, Note
from pclgen.source.text import Span


def no_element(index: object, length: int, span: Span) -> Diagnostic:
    """PCL1001: a list has no element at `index`."""
    elements = "1 element" if length == 1 else f"{length} elements"
    return error(
        "PCL1001",
        f"index {index} is out of range: the list has {elements}",
        span,
        "no such element",
        help="use `try(list[i], default)` for a fallback, or `element(list, i)` to wrap around; indexes start at 0",
    )


def no_member(key: str, known: Sequence[str], span: Span) -> Diagnostic:
    """PCL1001: a map or object has no member `key`."""
    notes = (note(f"its members are {listing(sorted(known))}"),) if known else (note("it is empty"),)
    return error(
        "PCL1001",
        f'unknown member "{key}"',
        span,
        "no such member",
        notes=notes,
        help=did_you_mean(key, known) or "use `lookup(map, key, default)` for a fallback",
    )


def cannot_convert(expected: str, actual: str, span: Span) -> Diagnostic:
    """PCL1002: a value does not convert to what is expected; both are described in words."""
    return error("PCL1002", f"expected {expected}, found {actual}", span, "this value")


def misused(problem: str, span: Span, notes: Sequence[Note], *, missing: bool) -> Diagnostic:
    """PCL1002, or PCL1003 for null: a value of no known type is not what its use needs; `problem` is what generated code
    says, `notes` tell where the value entered the program."""
    help_ = "provide a fallback: `x == null ? default : x`" if missing else None
    code, label = ("PCL1003", "null") if missing else ("PCL1002", "this value")
    return error(code, problem, span, label, notes=notes, help=help_)


def blamed(failure: Diagnostic, problem: str, notes: Sequence[Note]) -> Diagnostic:
    """A failure of a step into a value of no known type, with what generated code says in place of its message."""
    return error(failure.code, problem, failure.primary, failure.label, notes=[*failure.notes, *notes], help=failure.help)


def null_value(what: str, span: Span) -> Diagnostic:
    """PCL1003: null where a value is needed; `what` says for what."""
    return error(
        "PCL1003",
        f"expected {what}, found null",
        span,
        "null",
        help="provide a fallback: `x == null ? default : x`",
    )


def unset(problem: str, span: Span) -> Diagnostic:
    """PCL1003: null where a value is needed; `problem` is what generated code says, with the place in front."""
    _, _, message = problem.partition(": ")
    return error("PCL1003", message, span, "null", help="provide a fallback: `x == null ? default : x`")


def function_failed(function: str, reason: str, span: Span, hint: str | None = None) -> Diagnostic:
    """PCL1004: a built-in function refuses an argument."""
    return error("PCL1004", f"`{function}` fails: {reason}", span, "", help=hint)


def bad_arithmetic(reason: str, span: Span) -> Diagnostic:
    """PCL1005: an operation that has no result, such as a division by zero."""
    return error("PCL1005", reason, span)


def too_much(reason: str, span: Span) -> Diagnostic:
    """PCL1016: a run takes more than any deployment can need."""
    return error("PCL1016", reason, span, "the limit is reached here")


def needs_itself(name: str, span: Span) -> Diagnostic:
    """PCL1006: to compute a value it would have to be known already."""
    return error(
        "PCL1006",
        f"`{name}` depends on itself",
        span,
        "used here while it is computed",
        help="give one of the definitions in the cycle a value that does not use the others",
    )


def missing_config(key: str, span: Span, component: str = "") -> Diagnostic:
    """PCL1007: a config variable without default has no value."""
    if component:
        return error("PCL1007", f"component `{component}` has no value for `{key}`", span, "declared here")
    return error(
        "PCL1007", f"config variable `{key}` has no value", span, "declared here", help=f"run with --config {key}=…"
    )


def unknown_config(key: str, known: Sequence[str], span: Span) -> Diagnostic:
    """PCL1017: a stack sets what the program does not ask for."""
    fact = f"its config variables are {listing(known)}" if known else "the program has no config variables"
    message = f"the program has no config variable `{key}`"
    return error("PCL1017", message, span, "never read", notes=(note(fact),), help=did_you_mean(key, known))


def missing_in_stack(key: str, span: Span, declared: Span) -> Diagnostic:
    """PCL1007: a stack leaves out what it has to set."""
    notes = (note("declared here, without a default", declared),)
    return error("PCL1007", f"config variable `{key}` has no value", span, notes=notes, help=f"pulumi config set {key} …")


def bad_stack_file(reason: str, span: Span) -> Diagnostic:
    """PCL1018: a file of a stack cannot be read."""
    return error("PCL1018", reason, span, "here")


def bad_config(key: str, reason: str, span: Span) -> Diagnostic:
    """PCL1008: the value of a config variable is not of its type."""
    return error("PCL1008", f"config variable `{key}`: {reason}", span, "declared here")


def provider_failed(what: str, reason: str, span: Span) -> Diagnostic:
    """PCL1009: a provider (its model) refuses; `what` is a resource or a function."""
    return error("PCL1009", f"{what}: {reason}", span, "the provider refuses")


def unknown_range(name: str, span: Span) -> Diagnostic:
    """PCL1010: how often a resource is made is not known in a preview."""
    return warning(
        "PCL1010",
        f"the number of `{name}` resources is unknown in a preview",
        span,
        "known only after the update",
        notes=(note("the preview omits them, and values that depend on them are unknown"),),
    )


def not_implemented(message: str, span: Span) -> Diagnostic:
    """PCL1011: `notImplemented` is reached."""
    return error("PCL1011", f"not implemented: {message}", span, "written by a converter")


def rule_broken(message: str, span: Span) -> Diagnostic:
    """PCL1019: a value does not keep the rule of its place; `message` is what the running program says, too."""
    return error("PCL1019", message, span, "detected at run time")


def unreadable_file(path: str, reason: str, span: Span) -> Diagnostic:
    """PCL1012: a file that the program reads cannot be read."""
    return error("PCL1012", f'"{path}" {reason}', span, "read when the program runs")


def same_identity(token: str, name: str, span: Span, first: Span | None) -> Diagnostic:
    """PCL1013: two resources would have the same URN."""
    notes = () if first is None else (note("first declared here", first),)
    return error(
        "PCL1013",
        f'two resources of type {token} have the name "{name}"',
        span,
        "second resource",
        notes=notes,
        help="rename one of them, or set __logicalName",
    )


def wrong_version(required: str, actual: str, span: Span) -> Diagnostic:
    """PCL1014: the Pulumi version of the run is not in `requiredVersionRange`."""
    return error("PCL1014", f"the program requires Pulumi {required}, found {actual}", span, "required here")


def equal_keys(key: str, span: Span) -> Diagnostic:
    """PCL1015: two rounds of a comprehension give the same key."""
    return error(
        "PCL1015",
        f'two elements have the key "{key}"',
        span,
        "duplicate key",
        help="give each element a unique key, or group equal keys in lists: `{ for … : key => value... }`",
    )
