"""The functions that pclgen adds to files that use them: `templates/typescript/helpers` has their text.

References to helpers choose the templates that a file declares.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from pclgen.targets.typescript import tree as ts

JSON_OR_TEXT: Final = "jsonOrText"
REQUIRE_VALUE: Final = "requireValue"
REQUIRE_MEMBERS: Final = "requireMembers"
REQUIRE_OWN_MEMBERS: Final = "requireOwnMembers"
"""The form of `REQUIRE_MEMBERS` in a file that needs it for members of objects only, not for nested members."""

CHECKS: Final = "checks"
"""The file beside the program that holds the helpers of `CHECKERS`."""

CHECKERS: Final = frozenset({"checked", "kept"})
"""Helpers too long to stand above a program."""

BESIDE: Final = "helpers"
"""The file beside the program that holds the other helpers when they are many."""

HELPERS: Final = (
    *("can", "canRun", "checked", "element", "entriesOf", "entryOf", "entryOr", "firstOf"),
    *("fromUniqueEntries", "groupByKey", "isEqual", "itemAt", "kept", "lengthOf", "nonZero", "notImplemented"),
    *("singleOrNone", "sortedEntries", "textOf", "toBoolean", "toJson", "toNumber", "wholeNumber"),
    *(JSON_OR_TEXT, REQUIRE_MEMBERS, REQUIRE_VALUE),
)
"""The names of all helpers."""


ENTRY_OF_ANY: Final = "entryOfAny"
"""The form of `entryOf` in a file that also needs it for values of unknown type."""

ENTRY_OR_ANY: Final = "entryOrAny"
"""The form of `entryOr` in a file that also needs it for values of unknown type in an attempt."""

TEXT_OF_SCALAR: Final = "textOfScalar"
"""The form of `textOf` in a file that needs it for values that may be lists or objects, which have no text."""

_FORMS: Final = {
    REQUIRE_MEMBERS: REQUIRE_OWN_MEMBERS,
    ENTRY_OF_ANY: "entryOf",
    ENTRY_OR_ANY: "entryOr",
    TEXT_OF_SCALAR: "textOf",
}
"""Templates of helpers that extend another helper of the same name."""


def members_helper(paths: Sequence[str]) -> ts.Helper:
    """The helper that checks that a value is present at each of `paths` (of `types.objects`)."""
    is_own = all("/" not in path and "~" not in path for path in paths)
    return ts.Helper(REQUIRE_MEMBERS, REQUIRE_OWN_MEMBERS if is_own else "")


def is_checker(helper: ts.Helper) -> bool:
    """Return whether a helper is too long to stand above a program."""
    return helper.name in CHECKERS


def imported_helpers(helpers: Iterable[ts.Helper]) -> frozenset[ts.Imported]:
    """The imports of `helpers` from the files that hold them."""
    files = {helper.name: CHECKS if is_checker(helper) else BESIDE for helper in helpers}
    return frozenset(ts.Imported(ts.Module(f"./{file}", file), name) for name, file in files.items())


def templates_of(helpers: Iterable[ts.Helper]) -> tuple[str, ...]:
    """The templates of `helpers` in one file, sorted."""
    templates = {helper.form or helper.name for helper in helpers}
    twice = {narrow for wide, narrow in _FORMS.items() if wide in templates}
    return tuple(sorted(templates - twice))
