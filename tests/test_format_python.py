"""The formatter of generated Python agrees with black, including for code laid out without it."""

from __future__ import annotations

import ast
from contextlib import suppress
from random import Random

import pytest
from black import format_str
from black.mode import Mode, TargetVersion

from pclgen.format.brackets import lay_out
from pclgen.format.python import format_python

BLACK = Mode(target_versions={TargetVersion.PY39}, line_length=88)

NAMES = ("a", "bucket", "pulumi.Output", "digitalocean.DropletArgs", "a_rather_long_name_of_something")
KEYS = ("name", "tags", "a_longer_keyword", "z")


def value(draw: Random, depth: int) -> str:
    """A random expression of names, texts, lists, dicts, calls, conditionals, comprehensions and, rarely, lambdas and operators."""
    kind = draw.random()
    if depth == 0 or kind < 0.3:
        text = "".join(draw.choice("abc {}()[],:'") for _ in range(draw.randint(0, 40)))
        return draw.choice([draw.choice(NAMES), f'"{text}"', str(draw.randint(0, 10**6)), "True"])
    count = draw.randint(1, 4)
    if kind < 0.45:
        return f"[{', '.join(value(draw, depth - 1) for _ in range(count))}]"
    if kind < 0.53:
        choice = f"{value(draw, depth - 1)} if {condition(draw, depth - 1)} else {value(draw, depth - 1)}"
        return draw.choice([choice, choice, f"({choice})"])
    if kind < 0.58:
        guard = draw.choice(["", f" if {condition(draw, depth - 1)}"])
        return f"[{value(draw, depth - 1)} for i in {value(draw, depth - 1)}{guard}]"
    if kind < 0.62:
        return f"{{k: {value(draw, depth - 1)} for k, v in sorted({value(draw, depth - 1)}.items())}}"
    if kind < 0.64:
        return f"{draw.choice(NAMES)}.apply(lambda x: {value(draw, depth - 1)})"
    if kind < 0.66:
        return f"{value(draw, depth - 1)} {draw.choice('+-*')} {value(draw, depth - 1)}"
    pairs = [(key, value(draw, depth - 1)) for key in draw.sample(KEYS, count)]
    if kind < 0.8:
        return "{" + ", ".join(f'"{key}": {part}' for key, part in pairs) + "}"
    positional = [value(draw, depth - 1) for _ in range(draw.randint(0, 2))]
    return f"{draw.choice(NAMES)}({', '.join([*positional, *(f'{key}={part}' for key, part in pairs)])})"


def program_value(draw: Random) -> str:
    """The first random expression that is Python."""
    while True:
        text = value(draw, 3)
        with suppress(SyntaxError):
            ast.parse(text)
            return text


def condition(draw: Random, depth: int) -> str:
    """A random condition."""
    name = draw.choice(NAMES)
    return draw.choice(["flag", f'{name} == "x"', f"{value(draw, max(depth, 0))} is not None", f"a and {name}", f"not {name}"])


@pytest.mark.parametrize("seed", range(0, 400, 20))
def test_the_result_is_that_of_black(seed: int) -> None:
    for number in range(seed, seed + 20):
        draw = Random(number)
        text = f"import pulumi\n\n{draw.choice(['', 'x = ', 'some_resource = '])}{program_value(draw)}\n"
        assert format_python(text) == format_str(text, mode=BLACK), text


LONG = "a_rather_long_name_of_something"


@pytest.mark.parametrize(
    "line",
    [
        f"x = {LONG}.{LONG} if {LONG} else {LONG}",
        f'x = {LONG}.{LONG}({LONG}) if {LONG} == "x" else None',
        f'x = f({LONG}, key={LONG}.{LONG}({LONG}) if {LONG} == "x" else {LONG}, z=1)',
        f'x = f({LONG}, {{"key": {LONG}.{LONG}({LONG}) if {LONG} == "x" else {LONG}, "z": 1}})',
        f'x = [{LONG}, {LONG}.{LONG}({LONG}) if {LONG} == "x" else {LONG}, 1]',
        f'x = [{LONG}.{LONG}({LONG}) if {LONG} == "x" else {LONG}]',
        f'x = f({LONG}.{LONG}({LONG}) if {LONG} == "x" else {LONG})',
        f'x = f(key=({LONG}.{LONG}({LONG}) if {LONG} == "x" else {LONG}))',
        f"x = [f({LONG}, key=a) for i in range({LONG}) if i]",
        f"x = [f({LONG}, key={LONG}, other={LONG}) for i in range({LONG})]",
        f"x = {{k: f({LONG}, key={LONG}, other={LONG}) for k, v in sorted({LONG}.items())}}",
        f"x = f(key=[{LONG} for {LONG} in [a, b, c] for d in {LONG} if d])",
    ],
)
def test_conditionals_and_comprehensions_are_laid_out_without_black(line: str) -> None:
    lines = lay_out(line)
    assert lines is not None
    assert "\n".join(lines) + "\n" == format_str(line, mode=BLACK)


def test_statements_in_blocks_comments_and_long_texts_are_left_to_black() -> None:
    long = ", ".join(f'"{word}"' for word in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota"))
    text = (
        f"class A:\n    def f(self):\n        x = call({long})\n        return [{long}]\n"
        f"y = call({long})  # why\nz = '''\nw = call({long})\n'''\n"
        f"v = [a for a in call({long}) if a]\nu = call({long}).apply(lambda a: a)\n"
    )
    assert format_python(text) == format_str(text, mode=BLACK)


def test_what_needs_more_than_brackets_is_refused() -> None:
    assert lay_out("x = call(" + "a + b, " * 20 + "lambda c: c)") is None
    assert lay_out("x = call(" + "alpha, " * 20 + "beta).other(1)") is None
