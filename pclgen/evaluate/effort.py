"""Limits of a run: steps, parts of values, resources.

A run that exceeds the needs of any deployment ends with an `EvaluationError`: a few lines can require more work than
there is time for, or a value with more parts than fit into memory. (Names share their values, so that such a value
exists, and only traversing it would never end.) `try` does not catch this error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from pclgen.diagnostics import evaluation as say
from pclgen.evaluate.faults import EvaluationError
from pclgen.evaluate.values import Output, Value
from pclgen.source.text import Span
from pclgen.stdlib.values import MOST_PARTS, TooLargeError, need_parts, need_text

MOST_STEPS: Final = 5_000_000
"""Evaluations of expressions, and parts of sent values."""

MOST_RESOURCES: Final = 20_000
"""Registered resources and components."""

_TEXT_OF_A_PART: Final = 200  # characters that cost as much as a part: providers return texts of 100 MB
_SMALL: Final = 32  # parts that are counted as fast as their number is looked up
_GLANCE: Final = 16  # parts whose visit costs as much as one step


class Effort:
    """The remaining budget of one run."""

    def __init__(self) -> None:
        self.steps: int = MOST_STEPS
        self._resources = MOST_RESOURCES
        self._sizes: dict[int, tuple[Value, int]] = {}  # with the value, so that its id is not reused

    def step(self, span: Span, count: int = 1) -> None:
        """Count further steps."""
        self.steps -= count
        if self.steps < 0:
            raise EvaluationError(say.too_much(f"running this program takes more than {MOST_STEPS:,} steps", span))

    def look(self, values: Iterable[Value], span: Span) -> None:
        """Count all parts of `values`, which are about to be visited."""
        for value in values:
            if isinstance(value, list | dict | Output):
                self.step(span, self._bounded(value, span) // _GLANCE)

    def make(self, value: Value, span: Span) -> None:
        """Count the result of a function."""
        if isinstance(value, str):
            with self.sized(span):
                need_text(len(value))
        self.look((value,), span)

    @contextmanager
    def sized(self, span: Span) -> Iterator[None]:
        """Turn a `TooLargeError` inside the block into an `EvaluationError` at `span`."""
        try:
            yield
        except TooLargeError as problem:
            self.steps = 0
            raise EvaluationError(say.too_much(str(problem), span)) from None

    def send(self, value: Value, span: Span) -> None:
        """Count all parts of `value`, which are about to be copied."""
        self.step(span, self._bounded(value, span))

    def register(self, span: Span) -> None:
        """Count a resource or component."""
        self._resources -= 1
        if self._resources < 0:
            raise EvaluationError(say.too_much(f"this program has more than {MOST_RESOURCES:,} resources", span))

    def _bounded(self, value: Value, span: Span) -> int:
        size = self._size(value)
        with self.sized(span):
            need_parts(size)
        return size

    def _size(self, value: Value) -> int:
        """Return the number of parts of `value` at all levels, up to a number above the limit."""
        if isinstance(value, str):
            return 1 + len(value) // _TEXT_OF_A_PART
        if isinstance(value, Output):
            return 1 + self._size(value.value)
        if not isinstance(value, list | dict):
            return 1
        cached = self._sizes.get(id(value))
        if cached is not None:
            return cached[1]
        count = 1 if isinstance(value, list) else 1 + sum(len(key) // _TEXT_OF_A_PART for key in value)
        for part in value if isinstance(value, list) else value.values():
            count += self._size(part)
            if count > MOST_PARTS:
                break
        if count > _SMALL:
            self._sizes[id(value)] = (value, count)
        return count
