"""A function that only the compiler calls: a value that satisfies the constraint of its place (language.md, Constraints)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache

from pclgen.stdlib.model import UNKNOWN, BadArgumentError, Function, Parameter, Value
from pclgen.types.model import STRING
from pclgen.types.rules import Rule, violation


@lru_cache(maxsize=1000)
def read_rule(text: str) -> Rule:
    """Return the rule in the third argument."""
    rule = json.loads(text)
    assert isinstance(rule, Mapping)
    return rule


def rule_text(rule: Rule) -> str:
    """Return a rule as the third argument and Go's programs hold it."""
    return json.dumps(rule, ensure_ascii=False, sort_keys=True)


def _holds_unknown(value: Value) -> bool:
    if isinstance(value, list):
        return any(map(_holds_unknown, value))
    return value is UNKNOWN or (isinstance(value, dict) and any(map(_holds_unknown, value.values())))


def _constrained(value: Value, where: str, text: str) -> Value:
    rule = read_rule(text)
    problem = None if _holds_unknown(value) else violation(value, rule, where, shown=not rule.get("hidden"))
    if problem is not None:
        raise BadArgumentError(0, problem)
    return value


KEPT = Function(
    name="kept",
    doc="The value, which keeps the rule of its place.",
    result=lambda arguments: arguments[0].type,
    parameters=(
        Parameter(name="value", doc="What is looked at.", allow_null=True),
        Parameter(name="where", doc="What messages call its place.", type=STRING),
        Parameter(name="rule", doc="A JSON Schema of the words of `types.rules`.", type=STRING),
    ),
    implementation=_constrained,
    untyped=True,
)
