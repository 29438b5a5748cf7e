"""Diagnostics about values and their types (codes PCL04xx), and about the files that a program names (codes PCL11xx)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pclgen.diagnostics import habits
from pclgen.diagnostics.make import Suggestion, did_you_mean, error, listing, note, warning
from pclgen.diagnostics.model import Diagnostic, Fix, Note
from pclgen.diagnostics.suggest import suggest
from pclgen.source.text import Span


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


def unknown_property(
    name: str, owner: str, properties: Sequence[str], span: Span, *, notes: Iterable[Note] = (), hint: str | None = None
) -> Diagnostic:
    """An object member that its declaration does not have; `hint` is the correct form, if the caller knows it."""
    notes = list(notes)
    similar = suggest(name, properties)
    if similar is None and hint is None and properties:
        notes.append(note(f"its properties are {listing(sorted(properties))}"))
    return error(
        "PCL0402",
        f"{owner} has no property `{name}`",
        span,
        "unknown property",
        notes=notes,
        help=hint or (Suggestion(name, similar) if similar is not None else None),
    )


def misspelt(unknown: Iterable[str], names: Sequence[str]) -> set[str]:
    """The members probably meant by `unknown` names: such a member is not missing but misspelled."""
    return {similar for name in unknown if (similar := suggest(name, names)) is not None}


def missing_property(names: Sequence[str], owner: str, span: Span, notes: Iterable[Note] = ()) -> Diagnostic:
    """Required members are missing."""
    quoted = ", ".join(f"`{name}`" for name in names)
    what = "required property" if len(names) == 1 else "required properties"
    return error(
        "PCL0403",
        f"{what} {quoted} of {owner} missing",
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
