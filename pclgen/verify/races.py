"""What a run may lack because of a race in an SDK: such a run says nothing and is made again.

Comes in: the evaluator's run and a recorded one, both in the form of `limits.comparable`.  Goes out: whether a race can have
made the difference.  A mistake of pclgen shows in every run; a race does not, so no mistake hides behind a second one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pclgen.trace.compare import DEFAULT_ASPECTS, Difference, differences
from pclgen.trace.model import RegistrationKind, Trace

RUNS: Final = 5
"""How often a run is made at most.  A race is lost once in some hundred runs on a busy machine."""


def may_have_raced(expected: Trace, recorded: Trace, language: str) -> bool:
    """Whether a run lacks children of local components among dependencies.

    Whoever depends on a local component depends on what is in it.  Go's SDK adds a child to its parent in the goroutine
    that registers the child (`Context.getOpts`, sdk/go/pulumi/context.go), which may start after the goroutine that asks for
    the children.
    """
    if language != "go" or expected.failed or recorded.failed:
        return False
    parents = {found.urn: found.parent for found in expected.registrations}
    local = {
        found.urn
        for found in expected.registrations
        if found.kind is RegistrationKind.COMPONENT and not found.remote
    }
    return any(
        not local.isdisjoint(_ancestors(urn, parents))
        for difference in differences(expected, recorded, DEFAULT_ASPECTS)
        for urn in _missing(difference)
    )


def _missing(found: Difference) -> set[str]:
    """The dependencies that only the evaluator's run has."""
    if found.path.partition(".")[0] not in ("dependencies", "propertyDependencies"):
        return set()
    left, right = ({str(urn) for urn in side} if isinstance(side, tuple) else set() for side in (found.left, found.right))
    return left - right


def _ancestors(urn: str, parents: dict[str, str]) -> Iterator[str]:
    while parent := parents.get(urn, ""):
        yield parent
        urn = parent
