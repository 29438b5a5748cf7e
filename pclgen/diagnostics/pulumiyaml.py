"""Diagnostics about programs in Pulumi YAML: codes PCL12xx.

Each mistake has a function; callers pass facts and the tightest span. All wording is in this module.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.diagnostics.model import Diagnostic, Suggestion, did_you_mean, error, listing, note, warning
from pclgen.source.text import Span


def not_yaml(message: str, span: Span, hint: str | None = None) -> Diagnostic:
    """A text that is not valid YAML, or cannot be read."""
    return error("PCL1201", f"invalid YAML: {message}", span, "invalid", help=hint)


def bad_access(message: str, span: Span, hint: str | None = None) -> Diagnostic:
    """`${…}` that does not name a value."""
    text = hint or 'write ${name}, ${name.member}, ${name["key"]} or ${name[0]}; write $${ for literal ${'
    return error("PCL1202", message, span, "invalid reference", help=text)


def unknown_function(name: str, names: Sequence[str], span: Span) -> Diagnostic:
    """`fn::name` that does not exist."""
    functions = [f"fn::{other}" for other in names]
    hint = did_you_mean(f"fn::{name}", functions)
    return error(
        "PCL1203",
        f"unknown function `fn::{name}`",
        span,
        "not a function of Pulumi YAML",
        notes=[note(f"the functions are {listing(functions, 30)}, and fn::package:module:function")],
        help=hint,
    )


def wrong_form(what: str, *, expected: str, actual: str, span: Span, hint: str | None = None) -> Diagnostic:
    """A value of the wrong form: a list where a mapping belongs."""
    return error("PCL1204", f"{what} must be {expected}, found {actual}", span, f"expected {expected}", help=hint)


def unknown_key(key: str, place: str, keys: Sequence[str], span: Span, *, hint: str | None = None) -> Diagnostic:
    """A key that is not allowed here."""
    return error(
        "PCL1205",
        f"unknown key `{key}` in {place}",
        span,
        "unknown key",
        notes=[note(f"the keys are {listing(keys, 30)}")],
        help=hint or did_you_mean(key, keys),
    )


def missing_key(key: str, place: str, span: Span, *, written: str | None = None) -> Diagnostic:
    """A required key is missing, or misspelled as `written`."""
    if written is None:
        return error("PCL1206", f"{place} has no `{key}`", span, f"`{key}` is missing")
    return error("PCL1206", f"{place} has no `{key}`", span, "unknown key", help=Suggestion(written, key))


def declared_twice(name: str, span: Span, first: Span) -> Diagnostic:
    """A duplicate name: configuration, variables and resources share a namespace."""
    return error(
        "PCL1207",
        f"`{name}` is already declared",
        span,
        "redeclared here",
        notes=[note("first declared here", first)],
        help="rename it: configuration, variables and resources share one namespace",
    )


def not_of_the_program(key: str, span: Span) -> Diagnostic:
    """Configuration of a provider, which is not part of a program."""
    return warning(
        "PCL1208",
        f"`{key}` configures a provider and is omitted",
        span,
        "not part of the program",
        help="keep it in the project file or in the stack file",
    )


def unknown_type(name: str, span: Span) -> Diagnostic:
    """A type that configuration cannot have."""
    types = ("string", "integer", "number", "boolean", "object", "array")
    return error(
        "PCL1209",
        f"unknown type `{name}`",
        span,
        "not a config type",
        notes=[note(f"the types are {listing(types)}; an array declares its elements: items: {{type: string}}")],
        help=did_you_mean(name, types),
    )


def other_case(written: str, name: str, span: Span) -> Diagnostic:
    """A key in the wrong letter case."""
    return warning(
        "PCL1210",
        f"the key `{written}` should be `{name}`",
        span,
        "accepted, but not camel case",
        help=f"write {name}: later versions of Pulumi may reject other cases",
    )


def repeated_key(written: str, name: str, span: Span, first: Span) -> Diagnostic:
    """A key that occurs twice, in different letter cases."""
    return error(
        "PCL1201",
        f"invalid YAML: duplicate key `{name}`",
        span,
        f"`{written}` is `{name}`",
        notes=[note("first key here", first)],
    )


def undeclared_configuration(name: str, span: Span) -> Diagnostic:
    """An undeclared name: the stack's configuration may have it."""
    return warning(
        "PCL1211",
        f"undeclared variable `{name}`: pclgen reads it from the stack configuration",
        span,
        "not declared in the program",
        help=f"declare it: config: {{{name}: {{type: string}}}}",
    )


def not_read(what: str, program: str, span: Span) -> Diagnostic:
    """A part of the program in a file that is not the program."""
    return warning(
        "PCL1212",
        f"{what} is ignored: `{program}` contains the program",
        span,
        "not part of the program",
        help=f"move it to `{program}`",
    )


def empty_program(span: Span) -> Diagnostic:
    """A program without variables, resources and outputs."""
    return warning(
        "PCL1213",
        "the program is empty: it has no resources, no variables and no outputs",
        span,
        "no declarations",
        help="declare resources: or outputs:, or compile another file",
    )


def output_is_no_variable(name: str, span: Span) -> Diagnostic:
    """A reference to an output of the stack."""
    return error(
        "PCL1214",
        f"`{name}` is an output, and a program cannot refer to its outputs",
        span,
        "not a variable, resource or config variable",
        help=f"put the value under variables: and use that variable here and in the output `{name}`",
    )


def unread_stack(message: str, span: Span, hint: str | None = None) -> Diagnostic:
    """A stack's file that cannot be read."""
    return warning("PCL1212", f"the stack configuration is ignored: {message}", span, "invalid", help=hint)


def resource_for_text(written: str, span: Span) -> Diagnostic:
    """A resource where a string is expected."""
    return warning(
        "PCL1215",
        f"`{written}` is a resource, but a string is expected: pclgen uses its ID",
        span,
        "a resource",
        help=f"write {written}.id",
    )


def component_twice(name: str, span: Span, first: Span) -> Diagnostic:
    """Two components of a plugin with the same name."""
    return error(
        "PCL1207",
        f"the component `{name}` is already declared",
        span,
        "redeclared here",
        notes=[note("first declared here", first)],
        help="rename it: all files of a plugin share one namespace",
    )
