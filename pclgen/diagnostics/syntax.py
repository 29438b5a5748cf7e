"""Diagnostics about the text itself: codes PCL01xx.

Each mistake has a function; callers pass facts and the tightest span. All wording is in this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final
from unicodedata import category, east_asian_width, normalize

from pclgen.diagnostics import habits
from pclgen.diagnostics.model import Diagnostic, Note, error, note
from pclgen.source.text import CONTROL, SourceFile, Span

_QUOTED_HELP = 'use double quotes: "…"'
_LOST_QUOTE_HELP = 'the opening " of this string is missing: add it where the text begins'
_BAD_CHARACTERS = {
    ";": "remove it: lines need no separator",
    "'": _QUOTED_HELP,
    "`": _QUOTED_HELP,
    **dict.fromkeys("“”„‟‘’‚‛«»‹›", _QUOTED_HELP),
    "&": "use && for a logical and",
    "|": "use || for a logical or",
    "**": habits.std_help("pow", "base = x, exponent = y"),
    "::": "remove the spaces around `::`",
    "~": "use ~ only directly inside ${ } or %{ }",
    "^": "PCL has no operator ^",
    "$": "use ${ } only in strings; elsewhere write the name alone",
    "…": "write ...",
    "–": "this is a dash: use - for a minus sign",
    "—": "this is a dash: use - for a minus sign",
    "−": "this is a typographic minus sign: use -",
    "×": "use * to multiply",
    "÷": "use / to divide",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
    "→": "write =>",
    "⇒": "write =>",
    "\u00a0": "this is a no-break space: use a plain space",
    "\ufeff": 'a byte-order mark is allowed only at the start of a file; in a string write "\\uFEFF"',
}


def invalid_utf8(span: Span, byte: int, offset: int) -> Diagnostic:
    """A byte that is not part of UTF-8 text; `offset` counts bytes from the start of the file."""
    return error(
        "PCL0101",
        f"the file is not UTF-8: invalid byte 0x{byte:02X} at byte {offset}",
        span,
        "cannot be decoded",
        help="save the file as UTF-8",
    )


def bad_character(span: Span, text: str, *, lost_quote: bool = False) -> Diagnostic:
    """A character that is not part of the language, or not allowed here.

    With `lost_quote`, a string without a start ends after it.
    """
    shown = text if text.isprintable() else f"U+{ord(text[0]):04X}"
    return error(
        "PCL0102",
        f'"{shown}" is not allowed here',
        span,
        "allowed only in a string" if lost_quote else "not part of the language",
        help=(
            _LOST_QUOTE_HELP
            if lost_quote
            else _BAD_CHARACTERS.get(text) or _BAD_CHARACTERS.get(text[:1]) or _unicode_help(text[0])
        ),
    )


def _unicode_help(character: str) -> str | None:
    """Help for a character of a class: control characters, full-width forms, other spaces, invisible characters."""
    if CONTROL.match(character):
        return f'in a string write "\\u{ord(character):04X}"'
    plain = normalize("NFKC", character)
    if plain == " ":
        return "use a plain space"
    if east_asian_width(character) == "F" and plain.isascii():
        return _BAD_CHARACTERS.get(plain) or f"this is a full-width character: write {plain}"
    return "remove this invisible character" if category(character) == "Cf" else None


def unterminated_string(
    span: Span, *, several_lines: bool = False, after_word: bool = False, wrong_quote: str | None = None
) -> Diagnostic:
    """A quoted string that is not closed on its line; with `several_lines` it seems to end on a later line.

    With `after_word`, its quote directly follows a word, and may be the end of a string without a start. `wrong_quote` is a
    typographic quote that seems to close it.
    """
    return error(
        "PCL0103",
        "unterminated string",
        span,
        'missing closing "',
        help=(
            "use a heredoc for several lines: write the text between <<EOT and a line EOT"
            if several_lines
            else f'this string ends with the typographic quote {wrong_quote}: write "'
            if wrong_quote is not None
            else 'if this " ends a string, add the opening " where the text begins'
            if after_word
            else 'add a closing ", or write \\n for a line break'
        ),
    )


def bad_escape(span: Span) -> Diagnostic:
    r"""`\q`, or a `\u` that names no character."""
    written = span.text
    number = len(written) > 2
    digits = {"u": 4, "U": 8}.get(written[1:2], 0)
    if len(written) < digits + 2 and digits:
        return error(
            "PCL0104",
            f"`{written[:2]}` needs {digits} hexadecimal digits",
            span,
            f"{digits} digits expected",
            help=rf"write \\{written[1:]} for a literal backslash",
        )
    return error(
        "PCL0104",
        f'"{written}" is not a character' if number else f'unknown escape "{written}"',
        span,
        "not a Unicode character" if number else "unknown escape",
        notes=[note(r"the escapes are \n \r \t \" \\ \uHHHH \UHHHHHHHH")],
        help=None if number else _escape_help(written[1:]),
    )


def _escape_help(character: str) -> str:
    match character:
        case "$" | "%":
            return f"remove the backslash; write {character}{character}{{ for a literal {character}{{"
        case "'" | "`" | "/":
            return "remove the backslash"
        case _:
            return rf"write \\{character} for a literal backslash"


def bad_number(span: Span) -> Diagnostic:
    """`1.2.3`, `1.`, `0x1f`."""
    return error(
        "PCL0105",
        f"malformed number `{span.text}`",
        span,
        "not a number",
        notes=[note("numbers are decimal, with an optional fraction `.5` and exponent `e3`")],
        help=f"write 0{span.text}"
        if span.text.startswith(".")
        else f'write "{span.text}" for a string; names begin with a letter',
    )


def number_too_large(span: Span) -> Diagnostic:
    """`1e309`."""
    return error(
        "PCL0132",
        "number too large",
        span,
        "larger than any target supports",
        notes=[note("numbers are doubles: the largest is about 1.8e308")],
        help="put it in quotes if it is a string",
    )


def unclosed_comment(span: Span) -> Diagnostic:
    """`/*` without `*/`."""
    return error("PCL0106", "unterminated block comment", span, "missing `*/`", help="end the comment with */")


def unterminated_heredoc(span: Span, marker: str, almost: Span | None) -> Diagnostic:
    """A heredoc without its end marker; `almost` is a line similar to the marker, with more text or another spelling."""
    return error(
        "PCL0107",
        f"missing heredoc end marker `{marker}`",
        span,
        f"no line contains only {marker}",
        notes=[note(f"this line contains more than {marker}", almost)] if almost is not None else [],
        help=f"write {marker} on its own line and continue on the next line",
    )


def bad_heredoc(span: Span) -> Diagnostic:
    """`<<` without a marker, or with text after the marker."""
    return error(
        "PCL0107",
        "expected a marker word and a line break after `<<`",
        span,
        "expected a marker word and a line break",
        help="write <<EOT and start the text on the next line",
    )


def never_closed(span: Span, what: str, closing: str, noticed: Note | None = None) -> Diagnostic:
    """A bracket that is never closed: the span is that of the opening bracket, `noticed` shows where this was detected."""
    return error(
        "PCL0108",
        f'unclosed {what}: missing "{closing}"',
        span,
        f'no matching "{closing}"',
        notes=[noticed] if noticed is not None else [],
    )


def extra_closing(span: Span, bracket: str) -> Diagnostic:
    """A closing bracket without an opening bracket."""
    return error("PCL0109", f'unexpected "{bracket}"', span, "no matching opening bracket", help="remove it")


def wrong_closing(span: Span, expected: str, actual: str, opener: Span) -> Diagnostic:
    """`(1]`."""
    return error(
        "PCL0109",
        f'expected "{expected}", found "{actual}"',
        span,
        f'"{expected}" expected',
        notes=[note("opened here", opener)],
    )


def too_deep(span: Span, limit: int) -> Diagnostic:
    """Brackets, operators or conditionals nested above the limit."""
    return error(
        "PCL0110",
        f"nesting too deep: more than {limit} levels",
        span,
        "one level too many",
        help="assign the inner part to a name: inner = …",
    )


def too_long_row(span: Span, limit: int) -> Diagnostic:
    """A longer chain of operands than compilers can read."""
    return error(
        "PCL0110",
        f"too many operands: more than {limit}",
        span,
        "one operand too many",
        help="assign the first part to a name: first = …",
    )


def unclosed_directive(span: Span, word: str) -> Diagnostic:
    """`%{ if }` without `%{ endif }`."""
    return error(
        "PCL0111",
        f"`%{{ {word} }}` without `%{{ end{word} }}`",
        span,
        "not closed in this template",
        help=f"add %{{ end{word} }}",
    )


def unmatched_directive(span: Span, word: str, opened: Span | None) -> Diagnostic:
    """`%{ else }`, `%{ endif }` or `%{ endfor }` without its opening directive."""
    wants = "for" if word == "endfor" else "if"
    notes = [note("the open directive is here", opened)] if opened is not None else []
    return error("PCL0111", f"`%{{ {word} }}` without `%{{ {wants} }}`", span, "no matching directive", notes=notes)


def unknown_directive(span: Span, word: str) -> Diagnostic:
    """`%{ loop }`."""
    return error(
        "PCL0112",
        f"unknown directive `{word}`" if word else "expected a directive after `%{`",
        span,
        "expected if, else, endif, for or endfor",
        help="use ${ … } for a value, and %%{ for literal text",
    )


def missing_value(span: Span, after: str, *, goes_on: bool) -> Diagnostic:
    """A missing expression; with `goes_on` it seems to be on the next line."""
    notes = [note("an expression ends with its line; use ( ) to continue on the next line")] if goes_on else []
    return error("PCL0113", f"missing value after `{after}`", span, "value expected", notes=notes)


def object_expected(span: Span) -> Diagnostic:
    """Keys and values on separate lines, without the `{` of their object before them."""
    return error("PCL0113", "missing `{` before the keys below", span, "`{` expected", help="add { here")


def opening_expected(span: Span, bracket: str) -> Diagnostic:
    """The elements of a list or the arguments of a call on separate lines, without the bracket before them."""
    what = {"[": "elements", "(": "arguments"}[bracket]
    message = f"missing `{bracket}` before the {what} below"
    return error("PCL0113", message, span, f"`{bracket}` expected", help=f"add {bracket} here")


def new_line_expected(span: Span, what: str, help_text: str | None = None) -> Diagnostic:
    """Text after an attribute or block on its line."""
    return error(
        "PCL0114",
        f"missing line break after {what}",
        span,
        "expected on a new line",
        help=help_text or "put it on its own line",
    )


def item_expected(span: Span, actual: str, help_text: str | None = None) -> Diagnostic:
    """Text that begins neither an attribute nor a block."""
    return error(
        "PCL0115",
        f"expected an attribute or a block, found {actual}",
        span,
        "expected `name = value` or `name { … }`",
        help=help_text,
    )


def separator_expected(span: Span, where: str, separator: str, help_text: str | None = None) -> Diagnostic:
    """Two elements, arguments or items without a separator."""
    return error("PCL0116", f"missing {separator} between {where}", span, f"expected {separator}", help=help_text)


def key_sign_expected(span: Span, key: str, help_text: str | None = None) -> Diagnostic:
    """An object key without `=`."""
    message = f"missing `=` after the key `{key.strip()}`"
    return error("PCL0117", message, span, "expected `=` and a value", help=help_text)


def bad_for(span: Span, expected: str, where: str) -> Diagnostic:
    """A malformed `for`."""
    form = {
        "list": "[for x in list : value]",
        "object": "{ for k, v in map : key => value }",
        "template": "%{ for x in list }…%{ endfor }",
    }[where]
    return error(
        "PCL0118",
        f"{expected} in {'list' if where == 'list' else where} for-expression",
        span,
        expected,
        notes=[note(f"the form is `{form}`")],
    )


def missing_branch(span: Span) -> Diagnostic:
    """`c ? a` without `: b`."""
    return error(
        "PCL0119", "missing `:` and the alternative of a conditional", span, "expected `:`", help="write `c ? a : b`"
    )


def extra_in_template(span: Span, opener: Span) -> Diagnostic:
    """More than one expression in `${ }`."""
    return error("PCL0120", 'expected "}" after the expression', span, 'expected "}"', notes=[note("opened here", opener)])


def template_label(span: Span) -> Diagnostic:
    """`resource "a${b}" …`."""
    return error(
        "PCL0121",
        "a label cannot contain ${ } or %{ }",
        span,
        "expected plain text",
        help="set `__logicalName` to compute the name that Pulumi uses",
    )


def bad_legacy_index(span: Span) -> Diagnostic:
    """`a.0.1`."""
    steps = "".join(f"[{part}]" for part in span.text.split(".") if part)
    return error("PCL0122", f"`.{span.text}` is a decimal number", span, "expected an index", help=f"write {steps}")


def nested_splat(span: Span) -> Diagnostic:
    """`a.*.b.*`."""
    return error("PCL0123", "a second `.*` is not allowed", span, "nested splat", help="write [*] for both")


def brace_expected(span: Span, head: str, help_text: str | None = None) -> Diagnostic:
    """A block head without `{` on its line."""
    return error(
        "PCL0124",
        f"expected `{{` on the line of `{head}`",
        span,
        "expected `{`",
        help=help_text or "write the opening brace on the line of the block type and labels",
    )


def one_line_block(span: Span, message: str) -> Diagnostic:
    """A one-line block with more than one attribute, or without its end."""
    return error("PCL0124", message, span, "not allowed in a one-line block", help="put each attribute on its own line")


def method_call(span: Span, name: str, receiver: Sequence[str]) -> Diagnostic:
    """`x.upper()`; `receiver` has the names before its dot, and is empty for other expressions."""
    return error(
        "PCL0126",
        f"`(` cannot follow `{name}`: values have no methods",
        span,
        "unexpected",
        help=habits.method_help(name, receiver),
    )


SLICE_HELP: Final = habits.std_help("slice", "list = xs, from = 0, to = 1")


def spread_help(opener: str) -> str:
    """Help for `...x` directly inside the bracket `opener`."""
    if opener == "LPAR":
        return "write f(xs...) to pass the elements of a list as arguments"
    return habits.joined_help(keyed=opener == "LBRACE")


def after_name(span: Span, name: str, help_text: str | None = None) -> Diagnostic:
    """A name that begins neither an attribute nor a block."""
    return error("PCL0125", f"expected `=` or `{{` after `{name}`", span, "expected `=` or `{`", help=help_text)


def unexpected(span: Span, actual: str, expected: Sequence[str], help_text: str | None = None) -> Diagnostic:
    """Any other unexpected text."""
    message = f"expected {' or '.join(expected)}, found {actual}" if expected else f"unexpected {actual}"
    label = f"expected {' or '.join(expected)}" if expected else "unexpected"
    return error("PCL0126", message, span, label, help=help_text)


def set_twice(name: str, span: Span, first: Span) -> Diagnostic:
    """A duplicate attribute in a block."""
    return error(
        "PCL0127",
        f"duplicate attribute `{name}`",
        span,
        "set again here",
        notes=[note("first set here", first)],
        help="remove one of the two",
    )


def foreign(span: Span, written: str, instead: str) -> Diagnostic:
    """`a and b`, `a === b`, `a ?? b`."""
    return error(
        "PCL0128",
        f"expected {instead}, found `{written}`",
        span,
        "not a PCL operator",
        help=f"write {instead.strip('`')}",
    )


def sign_in_value(span: Span, help_text: str) -> Diagnostic:
    """`a = b = c`."""
    return error("PCL0129", "unexpected `=` in an expression", span, "not allowed in an expression", help=help_text)


def named_argument(span: Span, name: str) -> Diagnostic:
    """`f(a = 1)`."""
    return error(
        "PCL0129",
        "function arguments have no names",
        span,
        "expected a value",
        help=f"remove `{name} =`, or pass an object: {{ {name} = … }}",
    )


def not_formatted(name: str, old: str, new: str) -> Diagnostic:
    """A file that `fmt --check` would change from its `old` to its `new` text; reported at the first changed line."""
    start = end = 0
    for before, after in zip_longest(old.splitlines(keepends=True), new.splitlines(keepends=True), fillvalue=""):
        end = start + len(before.rstrip("\r\n"))
        if before != after:
            break
        start += len(before)
    span = SourceFile(name, old).span(start, max(start, end))
    return error("PCL0130", "file is not formatted", span, "would change from here", help=f"run `pclgen fmt {name}`")


def block_in_object(span: Span, name: str) -> Diagnostic:
    """A block inside `{ }` of a value."""
    return error(
        "PCL0117",
        f"missing `=` after the key `{name}`",
        span,
        "expected `=`: this is an object, not a block",
        help=f"write {name} = {{",
    )
