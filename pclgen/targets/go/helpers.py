"""Helper functions that a generated project contains on demand.

A helper lists its imports and the helpers it calls. Each helper is small, has the name of its template in
`templates/go/helpers`, and provides a function that the SDK lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from pclgen.targets.go.sdk import CORE_PATH

_INTERNALS = CORE_PATH + "/internals"


class Helper(Struct, frozen=True):
    """A helper function: the packages it imports, the helpers it calls."""

    imports: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


CHECKS = "checks"
"""The file that holds the helpers of `is_checker`."""


BESIDE = "helpers"
"""The file that holds the other helpers if there are many."""


def is_checker(name: str) -> bool:
    """Return whether a helper is too long to go below a program."""
    return name == "kept" or name.startswith("checked")


HELPERS: Mapping[str, Helper] = {
    "checked": Helper(
        ("fmt", "reflect", "strings"), ("checkedError", "checkedFit", "checkedScalar", "checkedStep", "checkedWords")
    ),
    "checkedError": Helper(("fmt", "strings")),
    "checkedFit": Helper(
        ("fmt", "reflect", "slices", "strings"), ("checkedKind", "checkedScalar", "checkedStep", "checkedWords")
    ),
    "checkedKind": Helper(("strings",)),
    "checkedScalar": Helper(("reflect", "slices", "strconv", "strings")),
    "checkedStep": Helper(("fmt", "regexp"), ("checkedScalar",)),
    "checkedWords": Helper(("reflect", "unicode/utf8"), ("checkedScalar",)),
    "decode": Helper(("encoding/json",)),
    "element": Helper(),
    "isEqual": Helper(("encoding/json", "reflect")),
    "kept": Helper(
        (
            *("encoding/json", "errors", "fmt", "maps", "math", "reflect", "regexp", "slices", "strconv", "strings"),
            "unicode/utf8",
        )
    ),
    "lengthOf": Helper(("reflect", "github.com/rivo/uniseg")),
    "listOf": Helper(needs=("decode",)),
    "mapOf": Helper(needs=("decode",)),
    "toBool": Helper(("fmt", "reflect", "strconv")),
    "toNumber": Helper(("encoding/json", "errors"), ("toText",)),
    "optionally": Helper(("reflect",)),
    "singleValue": Helper(("reflect",)),
    "toText": Helper(("fmt", "reflect", "strconv")),
    "traverse": Helper(("fmt", "reflect")),
    "traverseAny": Helper(("fmt", "reflect"), ("stepOfAny",)),
    "stepOfAny": Helper(("fmt", "reflect", "strconv")),
    "entryOf": Helper(("fmt",)),
    "entryOrNil": Helper(),
    "nonZero": Helper(("errors",)),
    "asPointer": Helper(),
    "product": Helper(("fmt", "math")),
    "itemAt": Helper(("fmt",)),
    "attempt": Helper(("fmt",)),
    "firstOf": Helper(needs=("attempt",)),
    "recoverOutput": Helper((CORE_PATH, _INTERNALS)),
    "singleOrNone": Helper(("fmt",)),
    "requireMembers": Helper(("fmt",)),
    "numbersFrom": Helper(),
    "entriesOf": Helper(("fmt", "maps", "slices")),
    "entriesWithin": Helper(("fmt", "reflect", "slices", "strings")),
    "toJSON": Helper(("encoding/json", "strings")),
    "jsonOutput": Helper((CORE_PATH,), ("toJSON",)),
    "propertiesOf": Helper(("reflect",), ("fieldProperties", "listProperties", "mapProperties", "singleValue")),
    "fieldProperties": Helper(("reflect",)),
    "listProperties": Helper(("reflect",)),
    "mapProperties": Helper(("reflect",)),
    "pointerTo": Helper(),
    "orNil": Helper(),
    "orNull": Helper((CORE_PATH,)),
    "boxed": Helper(("reflect",)),
    "listOfAny": Helper(("reflect",)),
    "mapOfAny": Helper(("reflect",)),
    "wholeNumber": Helper(("fmt",)),
    "notImplemented": Helper(("errors",)),
}


def with_dependencies(names: Iterable[str]) -> tuple[str, ...]:
    """Return `names` and the helpers that they call, sorted."""
    needed: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in needed:
            needed.add(name)
            todo.extend(HELPERS[name].needs)
    return tuple(sorted(needed))
