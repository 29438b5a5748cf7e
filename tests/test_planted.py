"""One mistake, one diagnostic, at its place: for every kind of mistake, in every program.

All our programs take part; every third program gets mistakes of one kind.  `python -m tests.planted --seed 7` plants more.
"""

from __future__ import annotations

import pytest

from tests.planted import fields, find
from tests.support.planted import KINDS

_PART = 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_single_error_is_reported_once_at_its_place(kind: str) -> None:
    turn = list(KINDS).index(kind)
    number, findings = find(kind, fields()[turn % _PART :: _PART], seed=1)
    assert number > 0
    assert [str(finding) for finding in findings] == []
