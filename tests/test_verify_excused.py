"""Runs that fail because an SDK misreads an answer prove nothing about the program."""

from __future__ import annotations

import pytest

from pclgen.trace import model as tr
from pclgen.verify.limits import excused

SAYS = "Error: Invalid asset encountered when unserializing resource property"
EMPTY = tr.Archive(members={"index.html": tr.Asset(text="")})
FULL = tr.Archive(members={"index.html": tr.Asset(text="x")})


def run(answer: tr.PropertyValue, *messages: str) -> tr.Trace:
    upload = tr.Registration(kind=tr.RegistrationKind.RESOURCE, type="kit:index:Upload", name="u", urn="u", outputs={"archive": answer})
    log = tuple([tr.LogEntry(severity="error", message=message) for message in messages])
    return tr.Trace(
        producer="python", project="p", stack="s", organization="o", preview=False, registrations=(upload,), log=log,
        failed=bool(messages),
    )  # fmt: skip  # as one reads it


@pytest.mark.parametrize("answer", [EMPTY, tr.Secret(EMPTY), (EMPTY,), {"a": EMPTY}], ids=["bare", "secret", "list", "map"])
@pytest.mark.parametrize("language", ["python", "typescript"])
def test_an_empty_asset_in_an_answer_excuses_the_sdk_that_cannot_read_it(answer: tr.PropertyValue, language: str) -> None:
    reason = excused(run(answer), run(answer, SAYS), language)
    assert reason is not None and reason.endswith("(empty-assets)")


STEP = "panic: runtime error: index out of range [0] with length 0"
PARTLY: tr.PropertyValue = {"nodes": tr.UNKNOWN, "size": "s"}


@pytest.mark.parametrize("answer", [PARTLY, tr.Secret(PARTLY), (PARTLY,), {"pool": PARTLY}], ids=["bare", "secret", "list", "map"])
def test_a_step_into_an_unknown_list_inside_of_an_answer_excuses_go(answer: tr.PropertyValue) -> None:
    reason = excused(run(answer), run(answer, STEP), "go")
    assert reason is not None and reason.endswith("(partly-unknown)")
    assert excused(run(answer), run(answer, STEP), "python") is None
    assert excused(run({"nodes": ()}), run({"nodes": ()}, STEP), "go") is None, "nothing is unknown"
    assert excused(run(tr.UNKNOWN), run(tr.UNKNOWN, STEP), "go") is None, "all of it is unknown, which the SDK can read"


def test_nothing_else_is_excused() -> None:
    assert excused(run(FULL), run(FULL, SAYS), "python") is None, "the text is not empty"
    assert excused(run(EMPTY), run(EMPTY, SAYS), "go") is None, "Go reads it"
    assert excused(run(EMPTY), run(EMPTY, "KeyError: 'a'"), "python") is None, "the program fails in another way"
    assert excused(run(EMPTY, SAYS), run(EMPTY, SAYS), "python") is None, "the evaluator fails, too"
    assert excused(run(EMPTY), run(EMPTY), "python") is None, "nothing fails"
