"""The formatter of generated Python is black: what is laid out without it comes out the same."""

from __future__ import annotations

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
    """A random expression of names, texts, lists, dicts and calls."""
    kind = draw.random()
    if depth == 0 or kind < 0.4:
        text = "".join(draw.choice("abc {}()[],:'") for _ in range(draw.randint(0, 40)))
        return draw.choice([draw.choice(NAMES), f'"{text}"', str(draw.randint(0, 10**6)), "True"])
    count = draw.randint(1, 4)
    if kind < 0.6:
        return f"[{', '.join(value(draw, depth - 1) for _ in range(count))}]"
    pairs = [(key, value(draw, depth - 1)) for key in draw.sample(KEYS, count)]
    if kind < 0.75:
        return "{" + ", ".join(f'"{key}": {part}' for key, part in pairs) + "}"
    positional = [value(draw, depth - 1) for _ in range(draw.randint(0, 2))]
    return f"{draw.choice(NAMES)}({', '.join([*positional, *(f'{key}={part}' for key, part in pairs)])})"


@pytest.mark.parametrize("seed", range(0, 400, 20))
def test_the_result_is_that_of_black(seed: int) -> None:
    for number in range(seed, seed + 20):
        draw = Random(number)
        text = f"import pulumi\n\n{draw.choice(['', 'x = ', 'some_resource = '])}{value(draw, 4)}\n"
        assert format_python(text) == format_str(text, mode=BLACK), text


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
