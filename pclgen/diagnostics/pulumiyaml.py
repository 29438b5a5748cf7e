"""Diagnostics about programs in Pulumi YAML: codes PCL12xx.

One function a mistake; callers pass facts and the tightest span.  The wording lives here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.diagnostics.make import did_you_mean, error, listing, note, warning
from pclgen.diagnostics.model import Diagnostic
from pclgen.source.text import Span


def not_yaml(message: str, span: Span) -> Diagnostic:
    """A text that is no YAML, or none that can be read."""
    return error("PCL1201", f"this is not YAML: {message}", span, "cannot be read")


def bad_access(message: str, span: Span, hint: str | None = None) -> Diagnostic:
    """`${…}` that does not name a value."""
    text = hint or 'write ${name}, ${name.member}, ${name["key"]} or ${name[0]}; for the characters ${ write $${'
    return error("PCL1202", message, span, "not a way to a value", help=text)


def unknown_function(name: str, known: Sequence[str], span: Span) -> Diagnostic:
    """`fn::name` that does not exist."""
    hint = did_you_mean(f"fn::{name}", [f"fn::{other}" for other in known])
    return error(
        "PCL1203",
        f"unknown function `fn::{name}`",
        span,
        "not a function of Pulumi YAML",
        notes=[note(f"there are {listing([f'fn::{other}' for other in known], 30)}, and fn::package:module:function")],
        help=hint,
    )


def wrong_form(what: str, *, wanted: str, found: str, span: Span, hint: str | None = None) -> Diagnostic:
    """A value of the wrong form: a list where a mapping belongs."""
    return error("PCL1204", f"{what} is {wanted}, this is {found}", span, f"{wanted} expected", help=hint)


def unknown_key(key: str, place: str, known: Sequence[str], span: Span, *, hint: str | None = None) -> Diagnostic:
    """A key that means nothing here."""
    return error(
        "PCL1205",
        f"unknown key `{key}` in {place}",
        span,
        "means nothing here",
        notes=[note(f"known are {listing(known, 30)}")],
        help=hint or did_you_mean(key, known),
    )


def missing_key(key: str, place: str, span: Span) -> Diagnostic:
    """A key that has to be there."""
    return error("PCL1206", f"{place} has no `{key}`", span, f"`{key}` is missing")


def declared_twice(name: str, span: Span, first: Span) -> Diagnostic:
    """One name for two things: configuration, variables and resources share their names."""
    return error(
        "PCL1207",
        f"`{name}` is already declared",
        span,
        "declared a second time here",
        notes=[note("first declared here", first)],
        help="configuration, variables and resources share one set of names: choose another",
    )


def not_of_the_program(key: str, span: Span) -> Diagnostic:
    """Configuration of a provider, which is no part of a program."""
    return warning(
        "PCL1208",
        f"`{key}` configures a provider, and is left out",
        span,
        "no part of the program",
        help="keep it in the project file, or in that of the stack",
    )


def unknown_type(name: str, span: Span) -> Diagnostic:
    """A type that no configuration can have."""
    known = ("string", "integer", "number", "boolean", "object", "array")
    return error(
        "PCL1209",
        f"unknown type `{name}`",
        span,
        "not a type of configuration",
        notes=[note(f"there are {listing(known)}; an array says what is in it: items: {{type: string}}")],
        help=did_you_mean(name, known),
    )


def other_case(written: str, name: str, span: Span) -> Diagnostic:
    """A key in another case than it has."""
    return warning(
        "PCL1210",
        f"the key `{written}` is written `{name}`",
        span,
        "read all the same",
        help=f"write {name}: a later version of Pulumi may not read it in another case",
    )


def repeated_key(written: str, name: str, span: Span, first: Span) -> Diagnostic:
    """A key that stands twice, in different cases."""
    return error(
        "PCL1201",
        f"this is not YAML: the key `{name}` stands here twice",
        span,
        f"`{written}` is `{name}`",
        notes=[note("the first is here", first)],
    )


def undeclared_configuration(name: str, span: Span) -> Diagnostic:
    """A name that nothing declares: the stack's configuration may have it."""
    return warning(
        "PCL1211",
        f"`{name}` is not declared: it is read from the stack's configuration",
        span,
        "nothing in the program has this name",
        help=f"declare it: config: {{{name}: {{type: string}}}}",
    )


def not_read(what: str, program: str, span: Span) -> Diagnostic:
    """A part of the program in a file that is not the program."""
    return warning(
        "PCL1212",
        f"{what} is not read: `{program}` holds the program",
        span,
        "not a part of the program",
        help=f"move it to `{program}`",
    )


def empty_program(span: Span) -> Diagnostic:
    """A program without variables, resources and outputs."""
    return warning(
        "PCL1213",
        "the program is empty: it has no resources, no variables and no outputs",
        span,
        "nothing is declared here",
        help="declare resources: or outputs:, or name the file that does",
    )


def output_is_no_variable(name: str, span: Span) -> Diagnostic:
    """A reference to an output of the stack."""
    return error(
        "PCL1214",
        f"`{name}` is an output, and outputs are not variables",
        span,
        "no variable, resource or configuration has this name",
        help=f"put the value under variables: and refer to that, in the output `{name}`, too",
    )


def unread_stack(message: str, span: Span) -> Diagnostic:
    """A stack's file that cannot be read."""
    return warning("PCL1212", f"the stack's configuration is not read: {message}", span, "cannot be read")


def resource_for_text(written: str, span: Span) -> Diagnostic:
    """A resource in the place of a text."""
    return warning(
        "PCL1215",
        f"`{written}` is a resource where a text is wanted: its id is taken",
        span,
        "the whole resource",
        help=f"write {written}.id",
    )
