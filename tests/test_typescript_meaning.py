"""Random programs in TypeScript: they type-check, prettier keeps their layout, and Node computes the evaluator's values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from pclgen.core.program import Program
from tests.support.binding import SCHEMAS, bind_text
from tests.support.compilers import check_prettier, check_typescript
from tests.support.evaluate import Output, deeply
from tests.support.files import write_files
from tests.support.recursion import deep_recursion
from tests.support.sdks.typescript import sdk_path
from tests.support.typescript_target import Case, run_all, typescript_files
from tests.test_lower_meaning import SETUP, Expressions, _run_before, _thing

COUNT = 160


class Writer(Expressions):
    """Random expressions from a seed."""

    def __init__(self, random: Random) -> None:
        super().__init__(lambda _: 0)
        self._random = random

    def pick(self, choices: list[Callable[[], str]]) -> str:
        return self._random.choice(choices)()


def written(seed: int) -> list[str]:
    """Expressions of all kinds.

    Omitted: `toJSON`, which the evaluator spaces differently, and members that only one of two branches has: these are null
    in the evaluator, and missing in JavaScript.
    """
    random = Random(seed)
    programs: list[str] = []
    while len(programs) < COUNT:
        writer = Writer(random)
        make = random.choice([writer.text, writer.truth, writer.texts, writer.number])
        text = make(random.randint(1, 3), (), ())
        if "toJSON" not in text and "either" not in text:
            programs.append(text)
    return programs


@pytest.fixture(scope="module", autouse=True)
def nested_deeply() -> Iterator[None]:
    with deep_recursion():
        yield


@pytest.fixture(scope="module")
def files() -> dict[str, dict[str, str]]:
    """The generated files of each expression."""
    return {text: typescript_files(f"{SETUP}\noutput o {{ value = [{text}] }}\n") for text in written(1)}


def states() -> dict[str, dict[str, object]]:
    """The outputs of the evaluator's resources, by logical name."""
    numbers = {"r": 2, "q": 3, "rs-0": 0, "rs-1": 1, "opt": 4, "ev-0": 0, "ev-1": 1}
    return {
        name: {key: value.value for key, value in _thing(number).properties.items() if isinstance(value, Output)}
        for name, number in numbers.items()
    }


def bound(text: str) -> Program:
    return bind_text(f"{SETUP}\nsubject = {text}\n")[0]


def test_types_and_layout(files: dict[str, dict[str, str]], tmp_path: Path) -> None:
    programs = {f"p{at}": write_files(tmp_path / f"p{at}", texts) for at, texts in enumerate(files.values())}
    errors = check_typescript(programs, search=sdk_path(sorted(SCHEMAS.glob("probe-*.json")), former=True))
    layout = check_prettier(programs)
    assert {name: messages + layout[name] for name, messages in errors.items() if messages or layout[name]} == {}


@pytest.mark.parametrize("flag", [False, True])
def test_values(files: dict[str, dict[str, str]], flag: bool) -> None:
    config = {"flag": str(flag).lower(), "names": '["out0","out1","x"]', "count": "1"}
    outcomes = run_all([Case(files=texts, config=config, states=states()) for texts in files.values()])
    wrong: dict[str, tuple[object, object]] = {}
    failing = 0
    for text, outcome in zip(files, outcomes, strict=True):
        expected = _run_before(bound(text), flag)
        if expected == "fails":
            failing += 1  # JavaScript returns `undefined` for missing values
        elif outcome.error or outcome.exports["o"] != [deeply(expected)]:
            wrong[text] = (deeply(expected), outcome.error or outcome.exports["o"])
    assert wrong == {}
    assert failing < COUNT // 3
