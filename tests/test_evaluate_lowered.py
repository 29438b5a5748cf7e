"""The effect of lowering on unknowns, secrets and dependencies.

Generated code may wait for more than the program needs, never for less.  An apply waits for all eventual values of its
region, including those of branches that are not taken (`lower.region`).  So the value of a lowered expression is known only
if that of the bound expression is, and then it is the same; it is secret if the bound expression is, and depends on at least
the same resources."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from pclgen.core.expr import Symbol
from pclgen.core.program import Local, Program
from pclgen.core.walk import symbol_of
from pclgen.diagnostics.model import DiagnosticBag, Severity
from pclgen.evaluate.faults import EvaluationError
from pclgen.evaluate.run import evaluate_program
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.evaluate.values import Meta, Output, ResourceValue, Value, all_of
from pclgen.lower.program import lower_program
from pclgen.stdlib.model import UNKNOWN
from pclgen.trace.compare import differences
from pclgen.trace.json import dumps, loads
from pclgen.trace.render import render_trace
from tests.support.binding import bind_text
from tests.support.evaluate import meant, strict, thing
from tests.support.lowering import CAPABILITIES
from tests.support.recursion import deep_recursion
from tests.test_lower_meaning import SETUP, _environment, _thing, expressions

Run = Callable[..., object]


@dataclass(frozen=True)
class World:
    """The unknown and the secret resources, by number."""

    unknown: frozenset[int]
    secret: frozenset[int]

    def made(self, number: int) -> ResourceValue:
        copied = thing(_thing(number).properties)
        copied.name = f"thing {number}"
        copied.properties = {
            name: self._marked(value, number, copied) for name, value in copied.properties.items() if isinstance(value, Output)
        }
        return copied

    def _marked(self, value: Output, number: int, resource: ResourceValue) -> Output:
        is_known = number not in self.unknown
        return Output(value.value if is_known else UNKNOWN, is_known, number in self.secret, frozenset((resource,)))

    def environment(self, program: Program, flag: bool) -> dict[Symbol, object]:
        env = _environment(program, flag)
        numbered = {"r": self.made(2), "q": self.made(3), "opt": self.made(4) if flag else None}
        things: list[Value] = [self.made(0), self.made(1)]
        numbered_all: dict[str, object] = {**numbered, "rs": things, "ev": Output(things)}
        symbols = [symbol_of(node) for node in program.nodes]
        return env | {s: numbered_all[s.name] for s in symbols if s is not None and s.name in numbered_all}


WORLDS = st.builds(World, st.frozensets(st.integers(0, 4)), st.frozensets(st.integers(0, 4)))


def outcome(program: Program, env: dict[Symbol, object], run: Run) -> tuple[Value, Meta] | None:
    """The value of the last local and its metadata; None if it fails."""
    subject: object = None
    for node in program.nodes:
        if isinstance(node, Local):
            try:
                env[node.symbol] = subject = run(node.value, env)
            except EvaluationError:
                return None
    plain, meta = all_of(subject)
    return None if meta.failure is not None else (plain, meta)


@pytest.mark.parametrize("target", sorted(CAPABILITIES))
@given(expression=expressions(), world=WORLDS, flag=st.booleans())
@example(expression="try(secret(rs[1].out), r.out)", world=World(frozenset({1}), frozenset()), flag=False)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_lowered_programs_wait_for_no_less(target: str, expression: str, world: World, flag: bool) -> None:
    program, diagnostics = bind_text(f"{SETUP}\nsubject = {expression}\n")
    assert [d.message for d in diagnostics if d.severity is Severity.ERROR] == []
    with deep_recursion():
        lowered = lower_program(program, CAPABILITIES[target], DiagnosticBag())
        env = world.environment(program, flag)
        before = outcome(program, dict(env), meant)
        after = outcome(lowered, dict(env), strict)
    if before is None or after is None:
        return  # test_lower_meaning covers the order of failures and unknown values
    if "can(" in expression and ("ev[" in expression or "secret(" in expression):
        return  # generated code checks only whether the output exists, the evaluator also its content
    if after[1].known:
        assert before[1].known
        assert after[0] == before[0]
    assert after[1].secret or not before[1].secret
    if after[1].known:  # code that waits for an unknown value does not run the code after it
        assert before[1].dependencies <= after[1].dependencies


@given(
    texts=st.lists(expressions(), min_size=1, max_size=3),
    preview=st.booleans(),
    names=st.lists(st.sampled_from(["out0", "a", ""]), max_size=3),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_any_program_runs_or_says_why(texts: list[str], preview: bool, names: list[str]) -> None:
    uses = "".join(f'resource x{i} "probe:index:Thing" {{\n  any = {text}\n}}\n' for i, text in enumerate(texts))
    outputs = "".join(f"output o{i} {{\n  value = {text}\n}}\n" for i, text in enumerate(texts))
    program, diagnostics = bind_text(SETUP + uses + outputs)
    assert [d.message for d in diagnostics if d.severity is Severity.ERROR] == []
    config = {"flag": "true", "names": json.dumps(names), "count": "1"}
    given_ = {f"test:{key}": ConfigValue(text) for key, text in config.items()}
    with deep_recursion():
        evaluation = evaluate_program(program, Settings(project="test", preview=preview, config=given_))
        assert loads(dumps(evaluation.trace)) == evaluation.trace
        assert not list(differences(evaluation.trace, evaluation.trace))
        assert render_trace(evaluation.trace)
    errors = [d for d in evaluation.diagnostics if d.severity is Severity.ERROR]
    assert bool(errors) == evaluation.trace.failed
    assert all(d.primary is not None for d in errors)
