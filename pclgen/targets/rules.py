"""Constraints that the generated program checks at run time (language.md, Constraints), as the targets write them.

A call of `stdlib.checks.KEPT` holds the place's name for messages, and the rule as plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pclgen.core.expr import Call, Literal
from pclgen.stdlib.checks import KEPT, read_rule
from pclgen.types.rules import PATTERN, Json, Rule


def rule_of(call: Call) -> tuple[str, Rule]:
    """Return the place and the rule of a call."""
    assert call.function is KEPT
    texts = [arg.value for arg in call.args[1:] if isinstance(arg, Literal)]
    return str(texts[0]), read_rule(str(texts[1]))


def with_patterns(rule: Rule, spelled: Callable[[str], str]) -> Rule:
    """Return `rule`, at every depth, with `regex` wherever the language writes a pattern differently from the program."""
    rewritten: dict[str, Json] = {}
    for word, value in rule.items():
        rewritten[word] = with_patterns(value, spelled) if isinstance(value, Mapping) else value
        if word == PATTERN and isinstance(value, str) and spelled(value) != value:
            rewritten["regex"] = spelled(value)
    return rewritten
