"""Names for single elements: the singular of the collection's name, the same in every language, and never a taken name."""

from __future__ import annotations

import re

import pytest

from pclgen import pipeline
from pclgen.core.plurals import plural, singular
from pclgen.source.load import program_in_memory
from tests.support.corpus import ROOT

LANGUAGES = ("python", "typescript", "go")
PET = 'random:index/randomPet:RandomPet'


@pytest.mark.parametrize(
    ("several", "single"),
    [
        ("boxes", "box"), ("addresses", "address"), ("webBoxes", "webBox"), ("web_addresses", "web_address"),
        ("availability-zones", "availability-zone"), ("publicIPs", "publicIP"), ("URLs", "URL"), ("Names", "Name"),
        ("policies", "policy"), ("keys", "key"), ("proxies", "proxy"), ("cookies", "cookie"), ("ties", "tie"),
        ("caches", "cache"), ("batches", "batch"), ("databases", "database"), ("responses", "response"), ("sizes", "size"),
        ("statuses", "status"), ("aliases", "alias"), ("children", "child"), ("allPeople", "allPerson"),
        ("indices", "index"), ("indexes", "index"), ("matrices", "matrix"), ("axes", "axis"), ("prefixes", "prefix"),
        ("ids", "id"), ("uses", "use"), ("data", None), ("dns", None), ("news", None), ("status", None), ("access", None),
        ("kubernetes", None), ("analysis", None), ("AWS", None), ("is", None), ("box", None), ("x1", None), ("", None),
    ],
)  # fmt: skip  # a table with many short entries a line
def test_singular_forms(several: str, single: str | None) -> None:
    assert singular(several) == single


@pytest.mark.parametrize("single", ["box", "policy", "key", "address", "name", "batch"])
def test_a_plural_has_its_singular(single: str) -> None:
    assert singular(plural(single)) == single


def program(names: str, more: str, use: str) -> str:
    ranged = f'resource pets "{PET}" {{\n  options {{\n    range = {names}\n  }}\n  prefix = "${{range.value}}!"\n}}\n'
    return f'{more}{ranged}output all {{\n  value = {use}\n}}\n'


LOOPS = {
    "python": re.compile(r"\bfor (?:\w+, )?(\w+) in"),
    "typescript": re.compile(r"for \(const \[\w+, (\w+)\] of|\.map\(\((\w+)\)"),
    "go": re.compile(r"for (?:\w+), (\w+) := range (?!slices)|(\w+) := \w+\[key\]"),
}


@pytest.mark.parametrize(
    ("names", "more", "expected"),
    [
        ("boxes", 'config boxes "list(string)" {\n}\n', "box"),
        ("addresses", 'config addresses "list(string)" {\n}\n', "address"),
        ("addresses", 'config addresses "map(string)" {\n}\n', "address"),
        ("regions", 'config regions "list(string)" {\n}\nconfig region string {\n}\n', "value"),
        ("regions", 'config regions "map(string)" {\n}\noutput region {\n  value = 1\n}\n', "value"),
        ("data", 'config data "list(string)" {\n}\n', "value"),
        ("people[0].children", 'config people "list(object({children = list(string)}))" {\n}\n', "child"),
    ],
)
def test_all_languages_call_one_the_same(names: str, more: str, expected: str) -> None:
    text = program(names, more, "1")
    result = pipeline.generate(
        program_in_memory("it", {"main.pp": text}), languages=LANGUAGES, schemas=[ROOT / "tests" / "schemas"]
    )
    assert result.ok, result.diagnostics
    for language in LANGUAGES:
        main = "\n".join(text for path, text in result.files[language].items() if path.suffix in (".py", ".ts", ".go"))
        main = main.partition("class ")[0]
        variables = [next(filter(None, groups)) for groups in map(_groups, LOOPS[language].finditer(main))]
        assert expected in variables, (language, variables)


def _groups(match: re.Match[str]) -> tuple[str | None, ...]:
    return match.groups()


@pytest.mark.parametrize(("splat", "expected"), [("pets[*].id", "pet"), ("webBoxes[*].id", "webBox"), ("many[*].id", "randomPet")])
def test_splats_call_one_the_same(splat: str, expected: str) -> None:
    name = splat.partition("[")[0]
    text = f'resource {name} "{PET}" {{\n  options {{\n    range = 2\n  }}\n}}\noutput all {{\n  value = {splat}\n}}\n'
    result = pipeline.generate(
        program_in_memory("it", {"main.pp": text}), languages=LANGUAGES, schemas=[ROOT / "tests" / "schemas"]
    )
    assert result.ok, result.diagnostics
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", expected).lower()
    assert f"[{snake}.id for {snake} in" in "".join(result.files["python"].values())
    assert f".map(({expected}) => {expected}.id)" in "".join(result.files["typescript"].values())
    assert f"for _, {expected} := range" in "".join(result.files["go"].values())
