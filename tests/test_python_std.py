"""Results of `std` that the classes of Python's SDK refuse: generated programs read them in another way and get the same
value as TypeScript and the evaluator."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Status, to_text
from tests.support.corpus import needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.verified import environments, subjects_in_memory, verified

CALLS: Mapping[str, tuple[str, str]] = {
    "jsondecode": ('{ input = "[1, {}, null]" }', "json_loads"),
    "jsondecode of a text": ('{ input = "\\"a\\"" }', "json_loads"),
    "coalesce": ('{ input = ["", "b"] }', 'invoke_output("std:index:coalesce"'),
    "element": ('{ input = ["a", "b"], index = 3 }', "element("),
    "lookup": ('{ map = { a = "1" }, key = "a", default = "x" }', '.get("a", "x")'),
    "lookup of none": ('{ map = { a = "1" }, key = "b", default = 2 }', '.get("b", 2)'),
    "regex": ('{ pattern = "[a-z]+", string = "12ab3" }', 'invoke_output("std:index:regex"'),
    "regex of groups": ('{ pattern = "(\\\\d)(\\\\d)", string = "12ab3" }', 'invoke_output("std:index:regex"'),
    "map": ('{ args = ["a", 1, "b", 2] }', "std.map_output"),
    "merge": ('{ input = [{ a = "1" }, { b = "2" }] }', "std.merge_output"),
    "transpose": ('{ input = { a = ["1", "2"], b = ["2"] } }', "std.transpose_output"),
    "zipmap": ('{ keys = ["a", "b"], values = [1, "x"] }', "std.zipmap_output"),
}
OF_OUTPUTS = """
resource pet "random:index:RandomPet" {}
whole = invoke("std:index:jsondecode", { input = "[\\"${pet.id}\\", [1]]" })
output whole { value = whole }
output part { value = whole.result }
output element { value = invoke("std:index:element", { input = ["a", pet.id], index = 3 }).result }
output lookup { value = invoke("std:index:lookup", { map = { a = pet.id }, key = "a", default = "x" }).result }
output coalesce { value = invoke("std:index:coalesce", { input = ["", pet.id] }).result }
resource named "random:index:RandomPet" { prefix = whole.result[0] }
"""


def _call(name: str, args: str) -> str:
    return f'output o {{ value = invoke("std:index:{name.split()[0]}", {args}).result }}\n'


@needs_corpus
def test_values_are_those_of_the_evaluator() -> None:
    pytest.importorskip("re2")
    texts = {name.replace(" ", "-"): _call(name, args) for name, (args, _) in CALLS.items()} | {"of-outputs": OF_OUTPUTS}
    subjects = subjects_in_memory(texts, SchemaStore([REAL_SCHEMAS]), ("python", "typescript"))
    for subject, (name, (_, written)) in zip(subjects, CALLS.items(), strict=False):
        assert any(written in " ".join(text.split()).replace("( ", "(") for text in subject.files["python"].values()), name
    report = verified(
        subjects,
        lambda _: Settings(),
        tools=environments(),
        languages=("python", "typescript"),
        levels=("compile", "run"),
    )
    assert {verdict.status for verdict in report.verdicts} == {Status.PASSED}, to_text(report)
