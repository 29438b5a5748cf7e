"""Diagnostics about the order of definitions: cycles (PCL0801 to PCL0849).

Each cycle is one `Diagnostic`, with names as the program writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pclgen.diagnostics.model import Diagnostic, Note, error, note
from pclgen.source.text import Span

_NAMES_SHOWN = 8

CYCLE: Final = "PCL0801"


def circular_reference(edges: Sequence[tuple[str, str, Span]], *, tangled: Sequence[str] = ()) -> Diagnostic:
    """Definitions that need each other: `edges` are (source, target, span) around the cycle.

    `tangled` names further definitions that cannot be ordered for the same reason.
    """
    first = edges[0][2]
    if len(edges) == 1:
        name = edges[0][0]
        return error(
            CYCLE,
            f"`{name}` depends on itself",
            first,
            "refers to its own definition",
            notes=_cyclic_note(tangled),
            help=f"refer to another value, or rename one of the two definitions of `{name}`",
        )
    notes = [note(f"`{who}` refers to `{whom}` here", span) for who, whom, span in edges[1:]]
    return error(
        CYCLE,
        f"{_names([who for who, _, _ in edges])} refer to each other in a cycle",
        first,
        f"`{edges[0][0]}` refers to `{edges[0][1]}` here",
        notes=(*notes, *_cyclic_note(tangled)),
        help="remove one of these references",
    )


def circular_components(edges: Sequence[tuple[str, str, Span]]) -> Diagnostic:
    """Component directories that use each other: `edges` are (directory, used directory, span) around the cycle."""
    first = edges[0][2]
    if len(edges) == 1:
        message = f"the component in `{edges[0][0]}` uses itself"
    else:
        message = f"the components in {_names([who for who, _, _ in edges])} use each other in a cycle"
    notes = [note(f"`{who}` uses `{whom}` here", span) for who, whom, span in edges[1:]]
    help_ = "move the shared part into a separate component"
    return error("PCL0802", message, first, f"uses `{edges[0][1]}`", notes=notes, help=help_)


def _cyclic_note(tangled: Sequence[str]) -> tuple[Note, ...]:
    if not tangled:
        return ()
    verb = "is" if len(tangled) == 1 else "are"
    return (note(f"{_names(tangled)} {verb} part of other cycles with these"),)


def _names(names: Sequence[str]) -> str:
    quoted = [f"`{name}`" for name in names[:_NAMES_SHOWN]]
    if len(names) > _NAMES_SHOWN:
        return f"{', '.join(quoted)} and {len(names) - _NAMES_SHOWN} more"
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
