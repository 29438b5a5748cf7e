"""The words of constraints and the literals in type labels: their values, and what goes together (language.md, Constraints).

The tokens of a label become types with their rules (`types.rules`); `RuleError` gives the reason why they do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal

from msgspec import Struct

from pclgen.bind.aliases import Labelled
from pclgen.types.model import BOOL, ERROR, INT, NUMBER, STRING, ConstValue, Type, UnionType, union_of
from pclgen.types.rules import DESCRIPTION, ENUM, PATTERN, TEXTS, TITLE, Json, RuleError, check_word, constant

_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


class Alternative(Struct, frozen=True):
    """What stands between two `|`: a type, or a literal."""

    label: Labelled | None = None
    literal: ConstValue | None = None

    def labelled(self) -> Labelled:
        """As a type of its own."""
        if self.label is not None:
            return self.label
        assert self.literal is not None
        return Labelled(_base(self.literal), {ENUM: [constant(self.literal)]})


def literal(token: str) -> ConstValue | None:
    """The literal that a token is: `'small'`, `3`, `true`; None for anything else."""
    if token[:1] == "'" and len(token) > 1:
        return token[1:-1].replace("\\'", "'")
    if _NUMBER.fullmatch(token):
        number = Decimal(token)
        whole = number == number.to_integral_value() and abs(number) < 2**53
        return int(number) if whole else number
    return {"true": True, "false": False}.get(token)


def value(name: str, token: str) -> Json:
    """The value of a constraint.  Raises `RuleError`."""
    found = literal(token)
    if name == PATTERN and not isinstance(found, str):
        raise RuleError(f"`{name}` is a text in single quotes, as in {name}='^[a-z]+$'")
    check_word(name, found)
    assert found is not None
    return constant(found)


def _base(found: ConstValue) -> Type:
    if isinstance(found, bool):
        return BOOL
    return STRING if isinstance(found, str) else INT if isinstance(found, int) else NUMBER


def union(alternatives: Sequence[Alternative]) -> Labelled:
    """The type of what is of one of several; where all are literals, a rule lists them."""
    listed: list[Json] = []
    types: list[Type] = []
    rule: dict[str, Json] = {}
    for one in alternatives:
        label = one.labelled()
        types.append(label.type)
        literals = (label.rule or {}).get(ENUM)
        if isinstance(literals, list):
            listed += [found for found in literals if found not in listed or isinstance(found, bool)]
            continue
        rule = _merged(rule, label.rule or {})
    open_types = [label.type for label in (one.labelled() for one in alternatives) if ENUM not in (label.rule or {})]
    if ERROR in types:
        return Labelled(ERROR)
    if listed and not open_types:
        return Labelled(union_of(types), {ENUM: listed})
    if listed:
        members = {m for t in open_types for m in (t.members if isinstance(t, UnionType) else (t,))}
        if not all(isinstance(found, str) for found in listed) or STRING in members:
            raise RuleError("of literals only texts stand beside other types, and not beside string")
        rule = _merged(rule, {TEXTS: listed})
    return Labelled(union_of(types), rule or None)


def _merged(rule: Mapping[str, Json], other: Mapping[str, Json]) -> dict[str, Json]:
    """What two alternatives ask together; the names of both are none of the union's."""
    wanted = {word: found for word, found in other.items() if word not in (TITLE, DESCRIPTION)}
    for word, found in wanted.items():
        if word in rule and rule[word] != found:
            raise RuleError(f"two of the types say `{word}`")
    return {**rule, **wanted}
