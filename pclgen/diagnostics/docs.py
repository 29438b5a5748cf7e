"""Diagnostics of docs mode: markers, fences and tabs in Markdown texts.

They are errors with codes PCL13xx.
"""

from __future__ import annotations

from pclgen.diagnostics.model import Diagnostic, error, note
from pclgen.source.text import Span


def marker_not_closed(marker: str, span: Span) -> Diagnostic:
    """PCL1301: a marker is opened and never closed."""
    help_line = "add the closing marker after the tabs"
    return error("PCL1301", f"unclosed marker `{marker}`", span, "opened here", help=help_line)


def marker_misplaced(marker: str, span: Span, reason: str, opener: Span | None = None) -> Diagnostic:
    """PCL1302: a marker stands where its kind is not allowed."""
    notes = (note("opened here", opener),) if opener is not None else ()
    return error("PCL1302", f"misplaced marker `{marker}`: {reason}", span, "this marker", notes=notes)


def fence_not_closed(span: Span) -> Diagnostic:
    """PCL1303: the fence of a snippet, or of one of its tabs, is never closed."""
    return error(
        "PCL1303",
        "unclosed code fence",
        span,
        "opened here",
        help="close it with the same characters and indentation",
    )


def two_tabs(language: str, span: Span, first: Span, *, is_source: bool) -> Diagnostic:
    """PCL1304: a region has two fences of one language."""
    what = "two sources" if is_source else f"two tabs of {language}"
    return error(
        "PCL1304",
        f"two `{language}` fences for the same tabs",
        span,
        what,
        notes=(note("the first one", first),),
        help="put each example between its own markers",
    )


def unknown_attribute(word: str, similar: str, span: Span) -> Diagnostic:
    """PCL1305: a word after the language of a fence resembles a known attribute."""
    return error("PCL1305", f"unknown fence attribute `{word}`", span, "at this fence", help=f"did you mean `{similar}`?")


def tab_missing(language: str, span: Span) -> Diagnostic:
    """PCL1306: a snippet lacks the tab of a required language."""
    return error("PCL1306", f"missing tab for {language}", span, "this snippet", help="run `pclgen docs build` to write it")


def tab_stale(language: str, span: Span, line: str) -> Diagnostic:
    """PCL1307: a tab differs from the conversion of its snippet."""
    return error(
        "PCL1307",
        f"outdated tab for {language}",
        span,
        f"expected `{line}`" if line else "expected no more lines",
        help="run `pclgen docs build` to update it; edit the source, not the tab",
    )


def no_such_error(expected: str, span: Span, actual: str) -> Diagnostic:
    """PCL1308: a snippet lacks the error that it should show."""
    return error(
        "PCL1308",
        f"expected the error {expected or 'of `expect-error`'}, found {actual}",
        span,
        "this snippet",
        help="fix the snippet or the attribute `expect-error`",
    )


def unknown_fixture(name: str, span: Span, fixtures: str) -> Diagnostic:
    """PCL1309: a fixture that does not exist."""
    return error("PCL1309", f"unknown fixture `{name}`", span, "used here", help=fixtures)


def name_taken(name: str, span: Span, *, is_number: bool) -> Diagnostic:
    """PCL1310: the name of a snippet is the name, or a possible name, of another snippet."""
    if is_number:
        help_line = "use a word: snippets without a name have numbers"
        return error("PCL1310", f"expected a name, found the number `{name}`", span, "used here", help=help_line)
    help_line = "give each snippet of a document a unique name"
    return error("PCL1310", f"duplicate snippet name `{name}`", span, "used here", help=help_line)
