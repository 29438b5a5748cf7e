"""Diagnostics about expressions: their names, steps, loops and calls, and their values.

    PCL04xx    values and their types
    PCL05xx    names, steps and loops
    PCL06xx    calls
    PCL11xx    files that a program names
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pclgen.diagnostics import habits
from pclgen.diagnostics.model import Diagnostic, Fix, Note, Suggestion, did_you_mean, error, listing, note, warning
from pclgen.diagnostics.suggest import suggest
from pclgen.source.text import Span

# -- names, steps, loops and calls ------------------------------------------------------------------------------------------

UNKNOWN_VARIABLE: Final = "PCL0501"


def unknown_variable(
    name: str, variables: Sequence[str], span: Span, *, call: str | None = None, steps: Sequence[str] = ()
) -> Diagnostic:
    """A name that nothing declares.

    `call` is the call of the function of this name, if there is one; `steps` are the next two names, behind dots.
    """
    hint = habits.variable_help(name, steps, variables) or did_you_mean(name, variables)
    if hint is None:
        hint = f"call the function: {call}" if call is not None else habits.reference_help(name, steps)
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


def list_by_name(receiver: str, name: str, span: Span, *, is_ranged: bool) -> Diagnostic:
    """`xs.name` or `xs["name"]` on a list; `is_ranged`: the list is a ranged resource."""
    hint = f"use one element with [0].{name}, or all elements with [*].{name}"
    if span.text != name:
        ranged = f", or let the range be a map: range = {{ {span.text} = … }}" if is_ranged else ""
        hint = f"use the position of the element, such as [0]{ranged}"
    return error(
        "PCL0504",
        f"{receiver} has no attribute `{name}`",
        span,
        "list elements have indexes, not names",
        help=hint,
    )


def index_out_of_range(key: str, length: int | None, span: Span, *, source: str) -> Diagnostic:
    """An index outside a list of known length, or a negative or fractional one; `source` is the text of the list."""
    has_fraction = not key.removeprefix("-").isdecimal()
    message = f"index {key} is out of range for {length} elements"
    if length is None or has_fraction:
        message = f"{key} is not a list index"
    label = f"{key} has a fraction" if has_fraction else f"expected 0 to {length - 1}" if length else "no such element"
    is_name = source.replace(".", "").isidentifier()
    hint = f"element({source if is_name else '…'}, {key}) counts from the end" if key == "-1" and length != 0 else None
    return error("PCL0505", message, span, label, help=hint)


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


def swapped_arguments(function: str, first: Span, second: Span) -> Diagnostic:
    """Two arguments that fit in the other order only."""
    call = f"{function}({second.text}, {first.text})"
    is_short = "\n" not in call and len(call) <= 60
    hint = f"write {call}" if is_short else "write the second argument first"
    return bad_argument(function, "the arguments are in the wrong order", first.to(second), hint)


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


# -- values -----------------------------------------------------------------------------------------------------------------

def mismatch(expected: str, actual: str, span: Span, notes: Iterable[Note], *, hint: str | None) -> Diagnostic:
    """A value of the wrong type."""
    return error(
        "PCL0401",
        f"expected {expected}, found {actual}",
        span,
        f"this is {actual}",
        notes=notes,
        help=hint,
    )


def mismatch_inside(path: str, expected: str, actual: str | None, span: Span, *, notes: Iterable[Note] = ()) -> Diagnostic:
    """A value of the right type with a wrong part."""
    problem = f"expected {expected}" + (f", found {actual}" if actual is not None else ", found nothing")
    return error("PCL0401", f"{problem} at `{path}`", span, f"mismatch at {path}", notes=notes)


_SEVERAL: Final = {"property": "properties", "argument": "arguments"}


def unknown_property(
    name: str,
    owner: str,
    properties: Sequence[str],
    span: Span,
    *,
    notes: Iterable[Note] = (),
    hint: str | None = None,
    what: str = "property",
) -> Diagnostic:
    """An object member that its declaration does not have; `hint` is the correct form, if the caller knows it.

    `what` is the word for the members of `owner`: property or argument.
    """
    notes = list(notes)
    similar = suggest(name, properties)
    if similar is None and hint is None and properties:
        notes.append(note(f"its {_SEVERAL[what]} are {listing(sorted(properties))}"))
    return error(
        "PCL0402",
        f"{owner} has no {what} `{name}`",
        span,
        f"unknown {what}",
        notes=notes,
        help=hint or (Suggestion(name, similar) if similar is not None else None),
    )


def misspelt(unknown: Iterable[str], names: Sequence[str]) -> set[str]:
    """The members probably meant by `unknown` names: such a member is not missing but misspelled."""
    return {similar for name in unknown if (similar := suggest(name, names)) is not None}


def missing_property(
    names: Sequence[str], owner: str, span: Span, notes: Iterable[Note] = (), *, what: str = "property"
) -> Diagnostic:
    """Required members are missing; `what` is as for `unknown_property`."""
    quoted = ", ".join(f"`{name}`" for name in names)
    return error(
        "PCL0403",
        f"required {what if len(names) == 1 else _SEVERAL[what]} {quoted} of {owner} missing",
        span,
        f"missing {quoted}",
        notes=notes,
    )


def duplicate_key(name: str, span: Span, first: Span) -> Diagnostic:
    """A duplicate key in an object."""
    return error(
        "PCL0404",
        f"duplicate key `{name}`",
        span,
        "second key",
        notes=[note("first key here", first)],
        help="remove one of the two",
    )


def too_many_parts(limit: int, span: Span) -> Diagnostic:
    """A list or an object that contains others many times over."""
    return error(
        "PCL0417",
        f"value has more than {limit:,} elements",
        span,
        "including nested elements",
        help="use each value once, or read large data from a file",
    )


def not_a_member(value: str, enum: str, members: Sequence[str], span: Span, *, notes: Iterable[Note] = ()) -> Diagnostic:
    """A literal that is not a member of the enum."""
    return error(
        "PCL0405",
        f"{value} is not a value of {enum}",
        span,
        "not an allowed value",
        notes=[*notes, note(f"its values are {listing(members, 30)}")],
        help=did_you_mean(value.strip('"'), [m.strip('"') for m in members]),
    )


def bad_text(value: str, wants: str, span: Span, notes: Iterable[Note] = ()) -> Diagnostic:
    """A literal string that does not parse as a number or bool."""
    message = f"cannot convert {value} to {wants}"
    hint = habits.bool_help(value.strip('"')) if wants == "a bool" else None
    return error("PCL0406", message, span, f"expected {wants}", notes=notes, help=hint)


def bad_integer(value: str, reason: str, span: Span, notes: Iterable[Note] = ()) -> Diagnostic:
    """A number that is not an integer, or out of range."""
    return error("PCL0407", f"expected an int, but {value} {reason}", span, f"{value} {reason}", notes=notes)


def rounded_number(value: str, held: str, span: Span) -> Diagnostic:
    """PCL0423: a whole number that a double cannot represent; it would become `held`."""
    return error(
        "PCL0423",
        f"integer loses precision: {value} would become {held}",
        span,
        "too many digits for a number",
        help=f'write it as a string, "{value}"',
    )


def eventual_in_plain(span: Span, notes: Iterable[Note] = (), *, hint: str | None = None) -> Diagnostic:
    """An output where the value must be known before the program runs."""
    return error(
        "PCL0408",
        "this value must be known before deployment",
        span,
        "known only after deployment",
        notes=notes,
        help=hint or "use a config value, a local or a literal here",
    )


def wrong_constant(value: str, constant: str, span: Span, notes: Iterable[Note] = ()) -> Diagnostic:
    """A property with a fixed value has another value."""
    return error("PCL0409", f"expected the constant {constant}, found {value}", span, f"expected {constant}", notes=notes)


def computed_key(owner: str, span: Span) -> Diagnostic:
    """A key that is not a literal in an object of fixed members."""
    return error(
        "PCL0410",
        f"the keys of {owner} must be plain names",
        span,
        "computed key",
        notes=[note("pclgen checks each member against its type")],
    )


def null_for_required(expected: str, span: Span, notes: Iterable[Note] = ()) -> Diagnostic:
    """`null` where a value is required."""
    return error("PCL0411", f"expected {expected}, found null", span, "null is not allowed here", notes=notes)


def may_be_null(what: str, expected: str, span: Span, notes: Iterable[Note] = (), *, path: tuple[str, str]) -> Diagnostic:
    """A value that may be unset, where a value is needed; `path` is its text, and the text of the whole expression that
    begins with it."""
    tested, full_path = path
    return warning(
        "PCL0416",
        f"{what} may be null, but {expected} is required here",
        span,
        "the program fails if this is null",
        notes=notes,
        help=f"provide a fallback: try({full_path}, …), or {tested} == null ? … : {full_path}",
    )


def not_text(actual: str, span: Span, hint: str) -> Diagnostic:
    """A value without a text form inside a template."""
    return error("PCL0412", f"cannot insert {actual} into a string", span, f"this is {actual}", help=hint)


def dollar_name(written: str, meant: str, span: Span) -> Diagnostic:
    """`$name` in a string, where the program declares `name`."""
    return warning(
        "PCL0418",
        f"`{written}` is literal text, not the value of `{written[1:]}`",
        span,
        "no value is inserted here",
        help=f"did you mean {meant}?",
        fix=Fix(title=f"Replace with {meant}", span=span, text=meant),
    )


def bad_operand(operator: str, wants: str, actual: str, span: Span, *, hint: str | None) -> Diagnostic:
    """An operand of the wrong type."""
    return error("PCL0413", f"`{operator}` needs {wants}, found {actual}", span, f"this is {actual}", help=hint)


def condition_not_bool(actual: str, span: Span, hint: str | None) -> Diagnostic:
    """A condition that is not a bool."""
    return error("PCL0414", f"a condition must be a bool, found {actual}", span, f"this is {actual}", help=hint)


def bad_key(actual: str, span: Span) -> Diagnostic:
    """An object key or index of the wrong type."""
    return error("PCL0415", f"a key must be a string or a number, found {actual}", span, f"this is {actual}")


def deprecated(what: str, message: str, span: Span) -> Diagnostic:
    """Use of a deprecated member."""
    return warning("PCL0420", f"{what} is deprecated", span, "deprecated", notes=[note(message)] if message else [])


MISSING_FILE: Final = "PCL1101"


def missing_file(path: str, span: Span, reason: str) -> Diagnostic:
    """PCL1101: the program names a missing file."""
    return warning(
        MISSING_FILE,
        f"`{path}`: {reason}",
        span,
        "used here",
        help="correct the path: it is relative to the directory of the program",
    )


def file_not_copied(path: str, span: Span, reason: str) -> Diagnostic:
    """PCL1102: a file that the program names exists, but is not copied beside the generated program."""
    return warning(
        "PCL1102",
        f"`{path}` is not copied: {reason}",
        span,
        "used here",
        help="move it into the directory of the program, or copy it to each project yourself",
    )
