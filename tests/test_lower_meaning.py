"""Lowering keeps the meaning: random programs have the same values before and after, on every kind of target."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pclgen.core.check import check_lowered
from pclgen.core.expr import Symbol
from pclgen.core.pretty import pretty
from pclgen.core.program import Local, Program
from pclgen.core.walk import symbol_of
from pclgen.diagnostics.model import DiagnosticBag, Severity
from pclgen.lower.program import lower_program
from tests.support.binding import bind_text
from tests.support.evaluate import EvaluationError, Output, ResourceValue, deeply, failures, meant, strict, thing
from tests.support.lowering import CAPABILITIES
from tests.support.recursion import deep_recursion

SETUP = """
config flag bool {}
config names "list(string)" {}
config count int {}
resource r "probe:index:Thing" {}
resource q "probe:index:Thing" {}
resource rs "probe:index:Thing" {
  options { range = 2 }
}
resource opt "probe:index:Thing" {
  options { range = flag }
}
resource ev "probe:index:Thing" {
  options { range = r.names }
}
obj = { a = r.out, b = "q", l = [r.out, "z"], n = r.int, t = rs[0] }
mixed = flag ? r.out : "plain"
either = flag ? { p = r.out, s = 1 } : { q = [q.out, "y"], s = count }
outs = [for p in rs : p.out]
"""


def _thing(number: int) -> ResourceValue:
    items = [{"s": f"s{number}{i}", "n": i, "inner": {"s": "in", "when": None}, "tags": ["t"]} for i in range(number)]
    values = {
        "id": f"id{number}",
        "out": f"out{number}",
        "int": number,
        "flag": number % 2 == 0,
        "list": items,
        "names": [f"n{i}" for i in range(number)],
        "tags": {f"out{i}": f"tag{i}" for i in range(number)},
        "obj": {"s": "os", "n": number, "inner": {"s": "i", "when": "w"}, "tags": ["a", "b"]},
        "maybe": None if number % 2 else "some",
    }
    return thing({name: Output(value) for name, value in values.items()})


def _environment(program: Program, flag: bool) -> dict[Symbol, object]:
    things = [_thing(0), _thing(1)]
    values: dict[str, object] = {
        "flag": flag,
        "names": ["out0", "out1", "x"],
        "count": 1,
        "r": _thing(2),
        "q": _thing(3),
        "rs": things,
        "opt": _thing(4) if flag else None,
        "ev": Output(things),
    }
    symbols = [symbol_of(node) for node in program.nodes]
    return {s: values[s.name] for s in symbols if s is not None and s.name in values}


class Expressions:
    """Write random PCL expressions of a type; loop variables are listed by the type of their values."""

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        self._draw = draw
        self._count = 0
        self._inside_lazy = False

    def pick(self, choices: list[Callable[[], str]]) -> str:
        return choices[self._draw(st.integers(0, len(choices) - 1))]()

    def name(self) -> str:
        self._count += 1
        return f"v{self._count}"

    def lazy(self, write: Callable[[], str], instead: str) -> str:
        """A call of `try` or `can`; inside another call, `instead`: nested calls have special rules (`lower.failures`)."""
        if self._inside_lazy:
            return instead
        self._inside_lazy = True
        text = write()
        self._inside_lazy = False
        return text

    def text(self, depth: int, things: tuple[str, ...], texts: tuple[str, ...]) -> str:
        leaves: list[Callable[[], str]] = [lambda: '"k"', lambda: "obj.b", lambda: "mixed", lambda: "obj.a"]
        leaves += [lambda: 'try(either.p, "no p")'] * (not self._inside_lazy)
        leaves += [partial(str, text) for text in texts]
        leaves += [lambda: f"{self.thing(depth, things, texts)}.out"] * 3
        if depth == 0:
            return self.pick(leaves)
        d = depth - 1
        more: list[Callable[[], str]] = [
            lambda: f'"<${{{self.text(d, things, texts)}}}|${{{self.text(d, things, texts)}}}>"',
            lambda: f'"%{{ for z in {self.texts(d, things, texts)} }}${{z}},%{{ endfor }}"',
            lambda: f"({self.truth(d, things, texts)} ? {self.text(d, things, texts)} : {self.text(d, things, texts)})",
            lambda: f'join("+", {self.texts(d, things, texts)})',
            lambda: f"({self.texts(d, things, texts)})[{self.number(d, things, texts)}]",
            lambda: self.lazy(lambda: f'try({self.text(d, things, texts)}, "t")', "r.out"),
            lambda: self.lazy(lambda: f"try({self.text(d, things, texts)}, {self.text(d, things, texts)})", "q.out"),
            lambda: f"secret({self.text(d, things, texts)})",
            lambda: f"toJSON({{ m = {self.text(d, things, texts)}, n = {self.number(d, things, texts)} }})",
            lambda: f"{self.thing(d, things, texts)}.list[{self.number(d, things, texts)}].s",
            lambda: f"{self.thing(d, things, texts)}.obj.inner.s",
            lambda: f"{self.thing(d, things, texts)}.tags[{self.text(d, things, texts)}]",
            lambda: f'"w${{opt != null ? opt.out : {self.text(d, things, texts)}}}"',
            lambda: f"recover({self.thing(d, things, texts)}.out, {self.text(d, things, texts)})",
        ]
        return self.pick(leaves[-1:] + more * 2)

    def number(self, depth: int, things: tuple[str, ...], texts: tuple[str, ...]) -> str:
        leaves: list[Callable[[], str]] = [lambda: "0", lambda: "1", lambda: "count", lambda: "r.int", lambda: "obj.n"]
        if depth == 0:
            return self.pick(leaves)
        d = depth - 1
        return self.pick(
            [
                *leaves,
                lambda: f"({self.number(d, things, texts)} + {self.number(d, things, texts)})",
                lambda: f"length({self.texts(d, things, texts)})",
                lambda: f"({self.truth(d, things, texts)} ? {self.number(d, things, texts)} : 2)",
                lambda: f"{self.thing(d, things, texts)}.int",
            ]
        )

    def truth(self, depth: int, things: tuple[str, ...], texts: tuple[str, ...]) -> str:
        if depth == 0:
            return self.pick([lambda: "flag", lambda: "r.flag", lambda: "true"])
        d = depth - 1
        return self.pick(
            [
                lambda: f"({self.text(d, things, texts)} == {self.text(d, things, texts)})",
                lambda: f"({self.number(d, things, texts)} > {self.number(d, things, texts)})",
                lambda: f"({self.truth(d, things, texts)} && {self.truth(d, things, texts)})",
                lambda: f"({self.truth(d, things, texts)} || !{self.truth(d, things, texts)})",
                lambda: self.lazy(lambda: f"can({self.text(d, things, texts)})", "q.flag"),
                lambda: f"{self.thing(d, things, texts)}.flag",
            ]
        )

    def texts(self, depth: int, things: tuple[str, ...], texts: tuple[str, ...]) -> str:
        leaves: list[Callable[[], str]] = [lambda: "names", lambda: "outs", lambda: "obj.l", lambda: "q.names"]
        if depth == 0:
            return self.pick([*leaves, lambda: "rs[*].out", lambda: "ev[*].out"])
        d = depth - 1
        return self.pick(
            [
                *leaves,
                lambda: f"[{self.text(d, things, texts)}, {self.text(d, things, texts)}]",
                lambda: f"{self.thing(d, things, texts)}.list[*].s",
                lambda: self._over_things(d, things, texts),
                lambda: self._over_texts(d, things, texts),
                lambda: f"({self.truth(d, things, texts)} ? {self.texts(d, things, texts)} : names)",
                lambda: self._keyed(d, things, texts),
            ]
        )

    def _over_things(self, depth: int, things: tuple[str, ...], texts: tuple[str, ...]) -> str:
        name = self.name()
        source = self.pick([lambda: "rs", lambda: "rs", lambda: "ev"])
        inner = (*things, name, name)
        test = self.pick([lambda: "", lambda: f" if {self.truth(depth, inner, texts)}"])
        return f"[for {name} in {source} : {self.text(depth, inner, texts)}{test}]"

    def _over_texts(self, depth: int, things: tuple[str, ...], texts: tuple[str, ...]) -> str:
        name = self.name()
        inner = (*texts, name, name)
        test = self.pick([lambda: "", lambda: f" if {self.truth(depth, things, inner)}"])
        source = self.texts(depth, things, texts)
        return f"[for {name} in {source} : {self.text(depth, things, inner)}{test}]"

    def _keyed(self, depth: int, things: tuple[str, ...], texts: tuple[str, ...]) -> str:
        name, other = self.name(), self.name()
        inner = (*things, name)
        mapping = f"{{for {name} in rs : {self.text(depth, inner, texts)} => {self.text(depth, inner, texts)}}}"
        return f"[for {other} in {mapping} : {other}]"

    def thing(self, depth: int, things: tuple[str, ...], texts: tuple[str, ...]) -> str:
        fixed: list[Callable[[], str]] = [lambda: "r", lambda: "q", lambda: "rs[1]", lambda: "ev[0]", lambda: "obj.t"]
        fixed += [partial(str, thing) for thing in things]
        if depth == 0:
            return self.pick(fixed)
        return self.pick([*fixed, lambda: f"rs[{self.number(depth - 1, things, texts)}]"])


@st.composite
def expressions(draw: Callable[[st.SearchStrategy[int]], int]) -> str:
    writer = Expressions(draw)
    depth = draw(st.integers(1, 4))
    make = [writer.text, writer.truth, writer.texts, writer.number][draw(st.integers(0, 3))]
    return make(depth, (), ())


def _run_before(program: Program, flag: bool) -> object:
    env = _environment(program, flag)
    for node in program.nodes:
        if isinstance(node, Local):
            try:
                env[node.symbol] = meant(node.value, env)
            except EvaluationError:
                assert node.symbol.name == "subject"
                return "fails"
    subject = symbol_of(program.nodes[-1])
    assert subject is not None
    return deeply(env[subject])


def _run_after(program: Program, flag: bool) -> object:
    env = _environment(program, flag)
    subject: object = None
    for node in program.nodes:
        if isinstance(node, Local):
            try:
                env[node.symbol] = subject = strict(node.value, env)
            except EvaluationError:
                assert node.symbol.name == "subject"
                return "fails"
    try:
        return deeply(subject)
    except EvaluationError:
        return "fails"


@pytest.mark.parametrize("target", sorted(CAPABILITIES))
@given(expression=expressions(), flag=st.booleans())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
def test_lowered_programs_mean_the_same(target: str, expression: str, flag: bool) -> None:
    program, diagnostics = bind_text(f"{SETUP}\nsubject = {expression}\n")
    assert [d.message for d in diagnostics if d.severity is Severity.ERROR] == []
    with deep_recursion():
        lowered = lower_program(program, CAPABILITIES[target], DiagnosticBag())
        assert check_lowered(lowered, CAPABILITIES[target]) == []
        subject = lowered.nodes[-1]
        assert isinstance(subject, Local)
        failures.clear()
        before, after = _run_before(program, flag), _run_after(lowered, flag)
        if before == "fails" and failures:
            return  # the deployment fails, even if the output is no longer in the value
        assert after == before, pretty(subject.value)
