"""The function `kept`, which only the compiler calls: it checks a value against a constraint (language.md, Constraints)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache

from pclgen.stdlib.model import UNKNOWN, BadArgumentError, Function, Parameter, Value
from pclgen.types.model import STRING
from pclgen.types.rules import Rule, violation


@lru_cache(maxsize=1000)
def read_rule(text: str) -> Rule:
    """Return the rule that the third argument contains as JSON."""
    rule = json.loads(text)
    assert isinstance(rule, Mapping)
    return rule


def rule_text(rule: Rule) -> str:
    """Return a rule as JSON, for the third argument and for generated Go code."""
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
    doc="The value, if it satisfies the rule.",
    result=lambda arguments: arguments[0].type,
    parameters=(
        Parameter(name="value", doc="The value to check.", allow_null=True),
        Parameter(name="where", doc="The name of the value's position in messages.", type=STRING),
        Parameter(name="rule", doc="A JSON Schema with the keywords of `types.rules`.", type=STRING),
    ),
    implementation=_constrained,
    untyped=True,
)
