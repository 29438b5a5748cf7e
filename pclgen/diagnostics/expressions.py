"""Diagnostics about names, steps, loops and calls: codes PCL05xx and PCL06xx."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pclgen.diagnostics import habits
from pclgen.diagnostics.make import did_you_mean, error, listing, note, warning
from pclgen.diagnostics.model import Diagnostic
from pclgen.source.text import Span

UNKNOWN_VARIABLE: Final = "PCL0501"


def unknown_variable(
    name: str, variables: Sequence[str], functions: Sequence[str], span: Span, *, step: str | None = None
) -> Diagnostic:
    """A name that nothing declares; `step` is the name behind the dot that follows it."""
    hint = habits.variable_help(name, step, variables) or did_you_mean(name, variables)
    if hint is None and name in functions:
        hint = f"call the function: {name}(…)"
    return error(UNKNOWN_VARIABLE, f"unknown variable `{name}`", span, "not declared", help=hint)


def unknown_attribute(name: str, receiver: str, attributes: Sequence[str], span: Span) -> Diagnostic:
    """A step to a member that does not exist."""
    hint = did_you_mean(name, attributes)
    notes = [note(f"its attributes are {listing(sorted(attributes))}")] if hint is None and attributes else []
    return error("PCL0502", f"{receiver} has no attribute `{name}`", span, "unknown attribute", notes=notes, help=hint)


def missing_in_some(name: str, span: Span, path: str) -> Diagnostic:
    """A step to a member that some elements of a list, or some branches of a conditional, lack; `path` is the whole step."""
    is_short = "\n" not in path and len(path) <= 60
    attempt = f"try({path}, null)" if is_short and path[:1].isidentifier() else f"[for item in … : try(item.{name}, null)]"
    hint = f"provide a fallback: {attempt}"
    return error("PCL0502", f"not every object here has `{name}`", span, "missing in some of them", help=hint)


def no_attempt_works(span: Span) -> Diagnostic:
    """A `try` whose arguments all fail."""
    return warning("PCL0512", "no argument of `try` can be evaluated", span, "this fails when the program runs")


def cannot_step(receiver: str, step: str, span: Span) -> Diagnostic:
    """A step into a value without members or elements."""
    return error("PCL0503", f"{receiver} has no attribute {step}", span, f"{receiver} has no attributes")


def list_by_name(receiver: str, name: str, span: Span) -> Diagnostic:
    """`xs.name` on a list."""
    return error(
        "PCL0504",
        f"{receiver} has no attribute `{name}`",
        span,
        "list elements have indexes, not names",
        help=f"use one element with [0].{name}, or all elements with [*].{name}",
    )


def index_out_of_range(key: str, length: int | None, span: Span) -> Diagnostic:
    """An index outside a list of known length, or a negative or fractional one."""
    message = f"index {key} is out of range for {length} elements" if length is not None else f"{key} is not a list index"
    label = f"expected 0 to {length - 1}" if length else "no such element"
    return error("PCL0505", message, span, label)


def splat_of_map(name: str, tail: str, span: Span) -> Diagnostic:
    """`[*]` over resources that are ranged over a map."""
    hint = f"write [for key, each in {name} : each{tail}]" if name else "use a for expression"
    return error("PCL0511", "`[*]` cannot iterate over a map of resources", span, "expected a list", help=hint)


def cannot_iterate(actual: str, span: Span, place: str, hint: str | None, *, in_some_cases: bool) -> Diagnostic:
    """A loop over a value without elements; `in_some_cases`: the value is a list or a map in some cases."""
    message = f"{actual} cannot be {place}"
    if in_some_cases:
        return error("PCL0513", message, span, "expected a list in all cases, or a map in all cases", help=hint)
    return error("PCL0506", message, span, "expected a list or a map", help=hint)


def other_case(written: str, name: str, span: Span) -> Diagnostic:
    """A member found only by ignoring letter case."""
    return warning("PCL0507", f"`{written}` is declared as `{name}`", span, help=f"write {name}")


def null_step(span: Span, source: str) -> Diagnostic:
    """A step into null: into `null` itself, or into a `source` that a condition determines to be null."""
    hint = None if source == "null" else "read it where the condition says that it is not null"
    label = "this value is always null" if source == "null" else f"`{source}` is null here"
    return error("PCL0508", "null has no attributes", span, label, help=hint)


def same_loop_variables(name: str, span: Span) -> Diagnostic:
    """`for x, x in …`."""
    return error("PCL0509", f"duplicate loop variable `{name}`", span, "second variable", help="rename one of them")


def settings_not_a_value(name: str, span: Span) -> Diagnostic:
    """The name of the settings block in an expression."""
    return error("PCL0510", f"`{name}` is the settings block, not a value", span, "expected a value")


def unknown_function(name: str, functions: Sequence[str], span: Span) -> Diagnostic:
    """A call of a function that does not exist."""
    return error(
        "PCL0601",
        f"unknown function `{name}`",
        span,
        "not a built-in function",
        help=habits.function_help(name) or did_you_mean(name, functions) or "use invoke(…) to call a function of a package",
    )


def refused_function(name: str, span: Span) -> Diagnostic:
    """A call of a function of a pack whose code must not run."""
    return error(
        "PCL0601",
        f"`{name}` belongs to a function pack, and function packs are disabled",
        span,
        "not available",
        help="if you trust the pack, use `--allow-functions` or set PCLGEN_ALLOW_FUNCTIONS=1",
    )


def too_few_arguments(function: str, missing: str, signature: str, span: Span) -> Diagnostic:
    """A required argument is missing; `span` is the closing parenthesis."""
    return error(
        "PCL0602",
        f"missing argument `{missing}` of `{function}`",
        span,
        f"expected {missing}",
        notes=[note(f"the signature is {signature}")],
    )


def too_many_arguments(function: str, most: int, signature: str, span: Span) -> Diagnostic:
    """More arguments than parameters."""
    takes = {0: "no argument", 1: "one argument"}.get(most, f"{most} arguments")
    notes = [note(f"the signature is {signature}")]
    return error("PCL0603", f"`{function}` takes {takes}", span, "unexpected argument", notes=notes)


def bad_argument(function: str, reason: str, span: Span, hint: str | None, *, in_some_cases: bool = False) -> Diagnostic:
    """An argument that the function refuses, or that it takes in some cases only."""
    return error("PCL0513" if in_some_cases else "PCL0604", f"{function}: {reason}", span, reason, help=hint)


def arguments_in_an_object(function: str, form: str, span: Span) -> Diagnostic:
    """An object of arguments for a function that takes them one by one."""
    return bad_argument(function, "expected separate arguments, not an object", span, f"write {form}")


def invoke_token_not_literal(span: Span) -> Diagnostic:
    """`invoke` or `call` with a computed name."""
    return error("PCL0605", "the name of the function must be a plain string", span, "expected a string literal")


def bad_receiver(actual: str, span: Span, hint: str | None) -> Diagnostic:
    """`call` on a value other than a single resource."""
    return error("PCL0606", f"`call` needs a resource, found {actual}", span, f"this is {actual}", help=hint)


def expand_not_list(actual: str, span: Span) -> Diagnostic:
    """`f(x...)` where x is no list."""
    return error("PCL0609", f"`...` can expand only a list, found {actual}", span, f"this is {actual}")


def unknown_invoke_option(name: str, options: Sequence[str], span: Span) -> Diagnostic:
    """An option that invoke does not have."""
    return error(
        "PCL0610",
        f"`invoke` has no option `{name}`",
        span,
        "unknown option",
        notes=[note(f"its options are {listing(options)}")],
        help=did_you_mean(name, options),
    )


def options_not_object(span: Span) -> Diagnostic:
    """Options of an invoke that are not an object literal."""
    return error("PCL0611", "the options of invoke must be written as an object, { … }", span, "expected an object")
