"""Diagnostics of running a program: failures that depend on values.

Their codes are PCL10xx. The evaluator adds a trail of notes: the path of evaluation to the failure.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.diagnostics.model import Diagnostic, Note, did_you_mean, error, listing, note, warning
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


def no_member(key: str, members: Sequence[str], span: Span) -> Diagnostic:
    """PCL1001: a map or object has no member `key`."""
    notes = (note(f"its members are {listing(sorted(members))}"),) if members else (note("it is empty"),)
    return error(
        "PCL1001",
        f'unknown member "{key}"',
        span,
        "no such member",
        notes=notes,
        help=did_you_mean(key, members) or "use `lookup(map, key, default)` for a fallback",
    )


def cannot_convert(expected: str, actual: str, span: Span) -> Diagnostic:
    """PCL1002: a value does not convert to the expected type; both are described in words."""
    return error("PCL1002", f"expected {expected}, found {actual}", span, "this value")


def misused(problem: str, span: Span, notes: Sequence[Note], *, missing: bool) -> Diagnostic:
    """PCL1002, or PCL1003 for null: a value of unknown type does not fit its use; `problem` is the message of generated
    code, `notes` show where the value entered the program."""
    help_ = "provide a fallback: `x == null ? default : x`" if missing else None
    code, label = ("PCL1003", "null") if missing else ("PCL1002", "this value")
    return error(code, problem, span, label, notes=notes, help=help_)


def blamed(failure: Diagnostic, problem: str, notes: Sequence[Note]) -> Diagnostic:
    """A failure of a step into a value of unknown type, with the message of generated code instead of its own."""
    return error(failure.code, problem, failure.primary, failure.label, notes=[*failure.notes, *notes], help=failure.help)


def null_value(what: str, span: Span) -> Diagnostic:
    """PCL1003: null where a value is needed; `what` describes the expected value."""
    return error(
        "PCL1003",
        f"expected {what}, found null",
        span,
        "null",
        help="provide a fallback: `x == null ? default : x`",
    )


def unset(problem: str, span: Span) -> Diagnostic:
    """PCL1003: null where a value is needed; `problem` is the message of generated code, prefixed with the location."""
    _, _, message = problem.partition(": ")
    return error("PCL1003", message, span, "null", help="provide a fallback: `x == null ? default : x`")


def function_failed(function: str, reason: str, span: Span, hint: str | None = None) -> Diagnostic:
    """PCL1004: a built-in function refuses an argument."""
    return error("PCL1004", f"`{function}` fails: {reason}", span, "", help=hint)


def bad_arithmetic(reason: str, span: Span) -> Diagnostic:
    """PCL1005: an operation that has no result, such as a division by zero."""
    return error("PCL1005", reason, span)


def too_much(reason: str, span: Span) -> Diagnostic:
    """PCL1016: a run does more work than any deployment needs."""
    return error("PCL1016", reason, span, "the limit is reached here")


def needs_itself(name: str, span: Span) -> Diagnostic:
    """PCL1006: the computation of a value needs the value itself."""
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


def unknown_config(key: str, variables: Sequence[str], span: Span) -> Diagnostic:
    """PCL1017: a stack sets a key that the program does not declare."""
    fact = f"its config variables are {listing(variables)}" if variables else "the program has no config variables"
    message = f"the program has no config variable `{key}`"
    return error("PCL1017", message, span, "never read", notes=(note(fact),), help=did_you_mean(key, variables))


def missing_in_stack(key: str, span: Span, declared: Span) -> Diagnostic:
    """PCL1007: a stack lacks a required key."""
    notes = (note("declared here, without a default", declared),)
    return error("PCL1007", f"config variable `{key}` has no value", span, notes=notes, help=f"pulumi config set {key} …")


def bad_stack_file(reason: str, span: Span) -> Diagnostic:
    """PCL1018: a file of a stack cannot be read."""
    return error("PCL1018", reason, span, "here")


def bad_config(key: str, reason: str, span: Span) -> Diagnostic:
    """PCL1008: the value of a config variable does not have its type."""
    return error("PCL1008", f"config variable `{key}`: {reason}", span, "declared here")


def provider_failed(what: str, reason: str, span: Span) -> Diagnostic:
    """PCL1009: a provider (its model) rejects a request; `what` is a resource or a function."""
    return error("PCL1009", f"{what}: {reason}", span, "the provider refuses")


def unknown_range(name: str, span: Span) -> Diagnostic:
    """PCL1010: the number of resources in a range is unknown in a preview."""
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
    """PCL1019: a value breaks the rule that applies to it; `message` is also that of the running program."""
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
    """PCL1015: two iterations of a comprehension yield the same key."""
    return error(
        "PCL1015",
        f'two elements have the key "{key}"',
        span,
        "duplicate key",
        help="give each element a unique key, or group equal keys in lists: `{ for … : key => value... }`",
    )
