"""Did you mean?"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen.diagnostics.suggest import edit_distance, suggest


@pytest.mark.parametrize(
    ("name", "candidates", "expected"),
    [
        ("bucketname", ["bucket", "bucketName"], "bucketName"),
        ("bucket_name", ["bucketNames", "bucketName"], "bucketName"),
        ("instanceTypes", ["instanceClass", "instanceType"], "instanceType"),
        ("policies", ["police", "policy"], "policy"),
        ("nameBucket", ["bucketName", "bucket"], "bucketName"),
        ("resuorce", ["source", "resource", "read"], "resource"),
        ("aws:s3:Buckte", ["aws:s3:Bucket", "aws:s4:Bucket"], "aws:s3:Bucket"),
        ("teh", ["tea", "the"], "tea"),  # both at distance 1: the first in alphabetical order
        ("vers", ["versioning", "name"], "versioning"),
        ("ver", ["versioning", "verbose"], None),
        ("x", ["y", "z"], None),
        ("X", ["x", "y"], "x"),
        ("completely", ["different", "names"], None),
        ("same", ["same"], None),
        ("", ["a"], None),
        ("a", [], None),
    ],
)
def test_suggest(name: str, candidates: list[str], expected: str | None) -> None:
    assert suggest(name, candidates) == expected


@given(st.text(alphabet="abcAB_", max_size=8), st.lists(st.text(alphabet="abcAB_", max_size=8)))
def test_order_does_not_matter(name: str, candidates: list[str]) -> None:
    assert suggest(name, candidates) == suggest(name, candidates[::-1]) == suggest(name, sorted(candidates))


def slow_distance(first: str, second: str) -> int:
    """Optimal string alignment distance, straight from the definition."""
    table = {(i, 0): i for i in range(len(first) + 1)} | {(0, j): j for j in range(len(second) + 1)}
    for i in range(1, len(first) + 1):
        for j in range(1, len(second) + 1):
            same = first[i - 1] == second[j - 1]
            best = min(table[i - 1, j] + 1, table[i, j - 1] + 1, table[i - 1, j - 1] + (not same))
            if i > 1 and j > 1 and first[i - 1] == second[j - 2] and first[i - 2] == second[j - 1]:
                best = min(best, table[i - 2, j - 2] + 1)
            table[i, j] = best
    return table[len(first), len(second)]


@given(st.text(alphabet="abc", max_size=8), st.text(alphabet="abc", max_size=8), st.integers(0, 5))
def test_edit_distance_is_exact_within_its_limit(first: str, second: str, limit: int) -> None:
    exact = slow_distance(first, second)
    assert edit_distance(first, second, limit=limit) == (exact if exact <= limit else None)
