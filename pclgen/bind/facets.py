"""The constraints and literals in type labels: their values and valid combinations (language.md, Constraints).

The tokens of a label become types with rules (`types.rules`). A `RuleError` explains an invalid token.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from msgspec import Struct

from pclgen.bind.aliases import Labelled
from pclgen.types import model as ty
from pclgen.types.rules import DESCRIPTION, ENUM, PATTERN, TEXTS, TITLE, Json, RuleError, check_word, constant

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


class Alternative(Struct, frozen=True):
    """One alternative of a union: a type or a literal."""

    label: Labelled | None = None
    literal: ty.ConstValue | None = None

    def labelled(self) -> Labelled:
        """Return the alternative as a separate type."""
        if self.label is not None:
            return self.label
        assert self.literal is not None
        return Labelled(_base(self.literal), {ENUM: [constant(self.literal)]})


def literal(token: str) -> ty.ConstValue | None:
    """The value of a literal token: `'small'`, `3`, `true`; None for other tokens."""
    if token[:1] == "'" and len(token) > 1:
        return token[1:-1].replace("\\'", "'")
    if _NUMBER.fullmatch(token):
        number = Decimal(token)
        is_whole = number == number.to_integral_value() and abs(number) < 2**53
        return int(number) if is_whole else number
    return {"true": True, "false": False}.get(token)


def value(name: str, token: str) -> Json:
    """The value of a constraint.  Raises `RuleError`."""
    parsed = literal(token)
    if name == PATTERN and not isinstance(parsed, str):
        raise RuleError(f"`{name}` is a text in single quotes, as in {name}='^[a-z]+$'")
    check_word(name, parsed)
    assert parsed is not None
    return constant(parsed)


def _base(constant_value: ty.ConstValue) -> ty.Type:
    if isinstance(constant_value, bool):
        return ty.BOOL
    return ty.STRING if isinstance(constant_value, str) else ty.INT if isinstance(constant_value, int) else ty.NUMBER


def union(alternatives: Sequence[Alternative]) -> Labelled:
    """Return the union of `alternatives`; a rule lists the literals if all alternatives are literals."""
    listed: list[Json] = []
    types: list[ty.Type] = []
    rule: dict[str, Json] = {}
    labels = [alternative.labelled() for alternative in alternatives]
    for label in labels:
        types.append(label.type)
        literals = (label.rule or {}).get(ENUM)
        if isinstance(literals, list):
            listed += [literal_ for literal_ in literals if literal_ not in listed or isinstance(literal_, bool)]
            continue
        rule = _merged(rule, label.rule or {})
    open_types = [label.type for label in labels if ENUM not in (label.rule or {})]
    if ty.ERROR in types:
        return Labelled(ty.ERROR)
    if listed and not open_types:
        return Labelled(ty.union_of(types), {ENUM: listed})
    if listed:
        members = {m for t in open_types for m in (t.members if isinstance(t, ty.UnionType) else (t,))}
        if not all(isinstance(literal_, str) for literal_ in listed) or ty.STRING in members:
            raise RuleError("of literals only texts stand beside other types, and not beside string")
        rule = _merged(rule, {TEXTS: listed})
    return Labelled(ty.union_of(types), rule or None)


def _merged(rule: Mapping[str, Json], other: Mapping[str, Json]) -> dict[str, Json]:
    """Merge the rules of two alternatives; the union has neither name."""
    merged = {word: argument for word, argument in other.items() if word not in (TITLE, DESCRIPTION)}
    for word, argument in merged.items():
        if word in rule and rule[word] != argument:
            raise RuleError(f"two of the types say `{word}`")
    return {**rule, **merged}
