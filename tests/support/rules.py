"""Rules about many places, files or programs: one test per rule, which reports every violation."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import pytest

Case = TypeVar("Case")
Test = Callable[..., None]


def assert_followed(rule: str, broken: Iterable[str]) -> None:
    """Fail with the rule and one line for each of the places in `broken` (`file:line: problem`)."""
    places = list(broken)
    if places:
        pytest.fail("\n  ".join([f"{rule} ({len(places)} broken):", *places]), pytrace=False)


def for_all(argument: str, cases: Iterable[Case], *, names: Callable[[Case], str] = str) -> Callable[[Test], Test]:
    """Turn the test of one case into one test of all cases, whose failure lists the failing cases with their reasons.

    Like `pytest.mark.parametrize`, for a rule that a whole corpus follows.  Each case has its own folder in `tmp_path`, and
    its changes by `monkeypatch` end with it.
    """
    listed = list(cases)

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)

        @wraps(test)
        def of_all(**fixtures: Any) -> None:
            assert listed, "a rule over nothing always holds"
            assert_followed(test.__name__, _failures(fixtures))

        def _failures(fixtures: dict[str, Any]) -> Iterator[str]:
            for number, case in enumerate(listed):
                with pytest.MonkeyPatch.context() as patch:
                    try:
                        test(**{argument: case}, **_of_one_case(fixtures, number, patch))
                    except (Exception, pytest.fail.Exception) as error:  # the failure lists every case
                        yield f"{names(case)}: {type(error).__name__}: {error}"

        parameters = [parameter for name, parameter in signature.parameters.items() if name != argument]
        setattr(of_all, "__signature__", signature.replace(parameters=parameters))  # noqa: B010  # pytest reads it
        return of_all

    return decorate


def _of_one_case(fixtures: dict[str, Any], number: int, patch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The fixtures, with a folder and a `monkeypatch` for one case."""
    own = dict(fixtures)
    if "monkeypatch" in own:
        own["monkeypatch"] = patch
    if "tmp_path" in own:
        folder: Path = own["tmp_path"] / str(number)
        folder.mkdir()
        own["tmp_path"] = folder
    return own
