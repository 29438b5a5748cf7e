"""In every language, configuration comes first and outputs come last, whatever the order of the program."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pclgen
from tests.support.corpus import ROOT

SCHEMAS = [ROOT / "tests" / "schemas"]
PET = "random:index/randomPet:RandomPet"

PCL = {
    "size": "config size int {\n  default = 1\n}\n",
    "label": "config label string {\n  default = prefix\n}\n",
    "prefix": 'prefix = "${project()}-a"\n',
    "first": f'resource first "{PET}" {{\n  prefix = label\n}}\n',
    "second": f'resource second "{PET}" {{\n  length = size\n}}\n',
    "name": "output name {\n  value = first.id\n}\n",
    "seven": "output seven {\n  value = 7\n}\n",
}
"""The default of `label` depends on a local; `seven` has no dependencies."""

READ = {
    "python": r'config\.\w+\(\s*"(\w+)"',
    "typescript": r'config\.\w+(?:<\w+>)?\(\s*"(\w+)"',
    "go": r'(?:cfg\.\w+|config\.\w+)\((?:ctx, )?"(\w+)"',
}
MADE = {
    "python": r'random\.RandomPet\(\s*"(\w+)"',
    "typescript": r'new random\.RandomPet\(\s*"(\w+)"',
    "go": r'random\.NewRandomPet\(ctx, "(\w+)"',
}
SHOWN = {
    "python": r'pulumi\.export\(\s*"(\w+)"',
    "typescript": r"export const (\w+)",
    "go": r'ctx\.Export\("(\w+)"',
}


def _statements(text: str, language: str) -> list[str]:
    """The names of the variables, resources and outputs of a generated file, in order."""
    patterns = (READ[language], MADE[language], SHOWN[language])
    places = {match.start(): match[1] for pattern in patterns for match in re.finditer(pattern, text)}
    names = [places[start] for start in sorted(places)]
    return list(dict.fromkeys(names))


@pytest.mark.parametrize("language", ["python", "typescript", "go"])
@given(st.permutations(sorted(PCL)))
def test_configuration_is_first_and_outputs_are_last(language: str, names: Sequence[str]) -> None:
    program = {"main.pp": "\n".join(PCL[name] for name in names)}
    result = pclgen.generate(program, languages=[language], schemas=SCHEMAS, program_only=True)
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    (text,) = result.files[language].values()

    def in_source(*group: str) -> list[str]:
        return [name for name in names if name in group]

    size, label, prefix = (names.index(name) for name in ("size", "label", "prefix"))
    settings = ["size", "label"] if size < max(label, prefix) else ["label", "size"]
    assert _statements(text, language) == [*settings, *in_source("first", "second"), *in_source("name", "seven")]


YAML = """\
name: web
runtime: yaml
outputs:
  name: ${first.id}
resources:
  first:
    type: random:RandomPet
    properties:
      prefix: ${label}
configuration:
  label:
    type: string
"""


@pytest.mark.parametrize("language", ["python", "typescript", "go"])
def test_sections_of_pulumi_yaml_in_any_order(language: str) -> None:
    result = pclgen.generate({"Pulumi.yaml": YAML}, languages=[language], schemas=SCHEMAS, program_only=True)
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    (text,) = result.files[language].values()
    assert _statements(text, language) == ["label", "first", "name"]


COMPONENT = {
    "main.pp": 'component web "./web" {\n  label = "a"\n}\n',
    "web/main.pp": f'output name {{\n  value = pet.id\n}}\n\nresource pet "{PET}" {{\n  prefix = label\n}}\n\n'
    "config label string {\n}\n",
}


def test_outputs_of_a_component_are_last() -> None:
    result = pclgen.generate(COMPONENT, languages=["python"], schemas=SCHEMAS, program_only=True)
    (text,) = (text for path, text in result.files["python"].items() if path.name != "__main__.py")
    assert text.index("RandomPet(") < text.index("self.name =")
