"""The features of a target's SDK that lowering must know, as data and predicates.

Each target has one value (`targets.base.Target.capabilities`); `lower` reads it.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from pclgen.core.eventuals import PromiseRule, is_given, is_promised, nothing_promised, promises_outputs
from pclgen.core.expr import Attr, Convert, Expr, Index
from pclgen.types.declarations import Field
from pclgen.types.model import Type, resolve, without_none


class LiftRule(Protocol):
    """Returns whether the SDK can take a step on an output without an apply."""

    def __call__(self, source: Type, name: str | None, field: Field | None) -> bool:
        """`source` is the resolved type that the output carries (may be optional); `name` is the attribute, None for an
        index step."""
        ...


class Capabilities(Struct, frozen=True, kw_only=True):
    """The features of one target's SDK."""

    can_lift: LiftRule
    converts_freely: ConversionRule
    """Conversions that need no code in this target (so that they do not force an apply)."""
    interpolates: bool = True  # has a template helper over outputs
    json_over_outputs: bool = True  # has a JSON helper over outputs
    shapes_objects: bool = False  # package objects are written differently from untyped objects
    renames_members: bool = False  # members of objects have other names at run time than in the schema

    waits_by_itself: bool = False  # accepts outputs wherever it accepts values: nothing is made explicit

    trusts_stacks: bool = False  # outputs of other stacks used as texts are assumed to be texts
    reads_stacks_as_texts: bool = False  # has a function for outputs of other stacks that are texts

    checks_values: bool = False  # untyped values are checked at their uses

    promises: PromiseRule = nothing_promised

    def is_free(self, expr: Convert) -> bool:
        """Return whether a conversion of an output needs no code at run time."""
        carried = self._carried(expr.value)
        target = resolve(expr.type)
        if is_given(expr.value) and without_none(target) is target:
            return self.converts_freely(without_none(carried), target)
        there = expr.unset is None or is_promised(expr.value, promises_outputs)
        return there and self.converts_freely(carried, target)

    def lifts(self, step: Attr | Index) -> bool:
        """Return whether the SDK takes `step` on an output by itself."""
        if isinstance(step, Attr):
            return self.can_lift(self._carried(step.source), step.name, step.field)
        return self.can_lift(self._carried(step.source), None, None)

    def _carried(self, value: Expr) -> Type:
        """The resolved type of `value`, as the target's type checker sees it."""
        plain = resolve(value.type)
        return without_none(plain) if is_promised(value, self.promises) else plain


class ConversionRule(Protocol):
    """Returns whether a resolved value of type `source` already is a `target` in this language."""

    def __call__(self, source: Type, target: Type) -> bool: ...
