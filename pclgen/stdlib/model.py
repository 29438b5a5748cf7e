"""What a built-in function is: a specification in the manner of cty's `function.Spec` (seeds, cty functions).

Comes in: rows in the topic files of this package.  Goes out: read by `bind` (arity, argument types, result type, constant
folding), by `lower` (which arguments may stay eventual), by the targets (one spelling each) and by the evaluator.

A result rule sees the arguments as types *and known values* and answers the plain result type; making it eventual is
the caller's job, by `lifting` (spec 5.1, rule 6).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from pclgen.types.model import DYNAMIC, Type


class Unknown(StrEnum):
    """The value of an argument that is not a constant."""

    UNKNOWN = "unknown"


UNKNOWN = Unknown.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class Blob:
    """A known asset or archive: which constructor made it, and from what."""

    constructor: str
    source: object


Value: TypeAlias = object
"""A known value: None, bool, int, Decimal, str, list[Value], dict[str, Value], Blob; or UNKNOWN."""


class Lifting(StrEnum):
    """What happens to eventual arguments.

    LIFT: the call runs on resolved arguments and its result is eventual when one of them is.  OUTPUT: it takes its
    arguments as they are and always gives an output (`secret`).  KEEP: it takes them as they are and its result is
    eventual when one of them is (`toJSON`).  NEVER: the result is never eventual (`pulumiResourceName`).
    """

    LIFT = "lift"
    OUTPUT = "output"
    KEEP = "keep"
    NEVER = "never"


class BadArgumentError(Exception):
    """A result rule or implementation refuses argument `index` (0-based); `reason` is for the reader of a diagnostic."""

    def __init__(self, index: int, reason: str, hint: str | None = None) -> None:
        super().__init__(reason)
        self.index = index
        self.reason = reason
        self.hint = hint


@dataclass(frozen=True, slots=True, kw_only=True)
class Argument:
    """An argument as a result rule sees it: its resolved type, and its value when that is a constant."""

    type: Type
    value: Value = UNKNOWN
    eventual: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter.  `type` DYNAMIC takes anything; `lazy` arguments may fail without failing the call (`try`)."""

    name: str
    doc: str
    type: Type = DYNAMIC
    optional: bool = False
    allow_null: bool = False
    allow_unknown: bool = False
    lazy: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Function:
    """One built-in function.

    `implementation` is pure and takes known values (raising `BadArgumentError`); it is None where the answer depends on the
    deployment or on files (`impure` then says on what), so that it is never folded.
    """

    name: str
    doc: str
    result: Callable[[Sequence[Argument]], Type]
    parameters: tuple[Parameter, ...] = ()
    variadic: Parameter | None = None
    lifting: Lifting = Lifting.LIFT
    implementation: Callable[..., Value] | None = field(default=None, repr=False)
    impure: str = ""
    example: str = ""
