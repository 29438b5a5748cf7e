"""Every name that generated code or a target language uses, in every position where a program may use it.

Each place has all names once: place `(at + turn) % places` of program `turn` takes the name at position `at`, so that a few
programs, checked in one run of each compiler, have every name in every place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from pclgen import pipeline
from pclgen.bind.variables import OWN, is_own, is_taken_input
from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.targets.go.helpers import HELPERS as GO_HELPERS
from pclgen.targets.python.modules import HELPERS as PYTHON_HELPERS
from pclgen.targets.typescript.files import HELPERS as TYPESCRIPT_HELPERS
from pclgen.verify.report import Report, Status, to_text
from tests.support.corpus import ROOT
from tests.support.verified import LANGUAGES, environments, programs_in_memory, verified

PRINTED = """
    config cfg pulumiConfig pulumi_config pulumi random random2 name args opts options self cls err ctx ok key value item values
    index i result found fs crypto childProcess output apply all interpolate secret urn id resource_name resource
"""
"""Names that the printers declare, import or call."""

LANGUAGE = """
    default class function import export new this super typeof var let const enum await yield async static package interface
    undefined NaN Object Array Math JSON Promise String Number Set Error Buffer process require module exports console globalThis
    type func chan go map string int bool len append nil print main init fmt os errors json maps slices strings sync any error
    list dict str None True False lambda def is not and with pass raise global del cast typing Any Callable sorted range_ print_
    constructor prototype toString hasOwnProperty arguments eval __proto__ __esModule __dirname __filename __name __init__ _ __ a-b
"""
"""Keywords, and names in the scope of every program of a language."""

_ALL = (
    *(*PRINTED.split(), *LANGUAGE.split()),
    *(name for names in OWN.values() for name in names),
    *(*TYPESCRIPT_HELPERS, *PYTHON_HELPERS, *GO_HELPERS),
)
NAMES: Sequence[str] = tuple({name.replace("_", "").lower() or name: name for name in reversed(_ALL)}.values())
"""The names, without any two that a language writes alike."""

PLACES: Mapping[str, str] = {
    "config": 'config "{0}" "list(string)" {{\n  default = ["a"]\n}}\noutput "config-{0}" {{\n  value = element({0}, -2)\n}}\n',
    "local": '{0} = ["x", "y"]\noutput "local-{0}" {{\n  value = {0} == ["x"]\n}}\n',
    "resource": 'resource "{0}" "random:index/randomPet:RandomPet" {{}}\noutput "id-{0}" {{\n  value = "${{{0}.id}}!"\n}}\n',
    "ranged": (
        'resource "{0}" "random:index/randomPet:RandomPet" {{\n  options {{\n    range = ["p"]\n  }}\n  prefix = range.value\n}}\n'
        'output "ids-{0}" {{\n  value = {0}[*].id\n}}\n'
    ),
    "output": 'output "{0}" {{\n  value = pets.prefix\n}}\n',
    "loop": 'output "loop-{0}" {{\n  value = [for {0} in words : "${{{0}}}-${{pets.id}}"]\n}}\n',
    "keyed": 'output "keyed-{0}" {{\n  value = {{ for {0} in words : {0} => [{0}] == [element(words, -3)] }}\n}}\n',
    "use": 'component "{0}" "./part" {{\n  size = 1\n}}\noutput "use-{0}" {{\n  value = {0}.answer\n}}\n',
}
"""The code of a program for a name in each place."""

COMMON = """
config "words" "list(string)" {
  default = ["w"]
}

resource "pets" "random:index/randomPet:RandomPet" {}
"""

PART = 'config "size" "int" {}\noutput "answer" {\n  value = size + 1\n}\n'

INSIDE: Mapping[str, str] = {
    "input": 'config "{0}" "string" {{\n  default = "d"\n}}\noutput "input-{0}" {{\n  value = {0}\n}}\n',
    "output": 'output "{0}" {{\n  value = pets.id\n}}\n',
    "local": '{0} = "${{pets.id}}!"\noutput "local-{0}" {{\n  value = {0}\n}}\n',
    "resource": 'resource "{0}" "random:index/randomPet:RandomPet" {{}}\noutput "of-{0}" {{\n  value = {0}.id\n}}\n',
}
"""The code of a component for a name in each place."""


def _turned(places: Mapping[str, str], turn: int, refused: Mapping[str, frozenset[str]]) -> str:
    kinds = list(places)
    parts = []
    for at, name in enumerate(NAMES):
        kind = kinds[(at + turn) % len(kinds)]
        if name not in refused.get(kind, frozenset()):
            parts.append(places[kind].format(name))
    return "\n".join(parts)


def programs() -> dict[str, dict[str, str]]:
    """All programs, by name."""
    sources: dict[str, dict[str, str]] = {}
    for turn in range(len(PLACES)):
        sources[f"names-{turn}"] = {"main.pp": COMMON + _turned(PLACES, turn, {}), "part/main.pp": PART}
    own = {"output": frozenset(filter(is_own, NAMES)), "input": frozenset(filter(is_taken_input, NAMES))}
    for turn in range(len(INSIDE)):
        component = COMMON.partition("\n\n")[2] + _turned(INSIDE, turn, own)
        sources[f"inside-{turn}"] = {"main.pp": 'component "part" "./part" {}\n', "part/main.pp": component}
    return sources


def test_names_in_every_place_in_all_languages() -> None:
    store = SchemaStore([ROOT / "examples" / "schemas"])
    subjects = programs_in_memory(programs(), store, LANGUAGES)
    report = verified(subjects, lambda subject: Settings(stack="dev"), tools=environments(), levels=("compile",))
    failed = tuple(verdict for verdict in report.verdicts if verdict.status is not Status.PASSED)
    assert not failed, to_text(Report(verdicts=failed, names=report.names))


UNKNOWN = """\
resource acme "acme:index:Shop" {}
resource other "pulumi:providers:other" {}
things = invoke("things:index:getThing", { name = acme.id })
output o {
  value = [acme.id, things.result]
}
"""
"""Variables with the names of the packages that their values come from; no schema has these packages."""


def test_packages_that_no_schema_knows_have_names_of_their_own() -> None:
    sources = program_in_memory("web", {"main.pp": UNKNOWN})
    result = pipeline.generate(sources, languages=LANGUAGES, store=SchemaStore(()), lenient=True, program_only=True)
    assert result.ok, [str(diagnostic) for diagnostic in result.diagnostics]
    text = result.files["typescript"][PurePosixPath("index.ts")]
    declared = re.findall(r"^(?:import \* as|const) (\w+)", text, re.MULTILINE)
    assert len(set(declared)) == len(declared) and {"acme", "other", "things"} <= set(declared)
