"""Values of type `any` where a string is expected: strings, numbers and bools become strings, null stays null."""

from __future__ import annotations

import pytest

from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Status, to_text
from tests.support.corpus import needs_corpus
from tests.support.field_runs import settings_of
from tests.support.generated import REAL_SCHEMAS
from tests.support.verified import LANGUAGES, environments, subjects_in_memory, verified

pytestmark = needs_corpus

PROGRAM = """
config data any {
  default = { a = "x", b = 5, c = true, d = 2.50, e = null }
}
resource pet "random:index:RandomPet" {
  prefix = data.b
}
resource job "command:local:Command" {
  create      = data.c
  environment = { A = data.b, B = "b${data.b}", C = data.d }
  interpreter = [data.c, data.a]
  triggers    = [data]
}
number = data.b
output template {
  value = "x-${data.b}-${data.c}-${data.d}"
}
output local {
  value = "${number}!"
}
output joined {
  value = join(",", [data.a, data.b])
}
output separated {
  value = split("r", data.c)
}
output encoded {
  value = toBase64(data.b)
}
output looped {
  value = join(",", [for k in ["a"] : data.b])
}
output secret {
  value = toBase64(secret(data).b)
}
"""

NULL = """
resource job "command:local:Command" {
  update = data.e
}
"""

NULLS = PROGRAM.replace("number = data.b", NULL.replace("job", "nothing") + "number = data.b")


@pytest.mark.parametrize("language", LANGUAGES)
def test_any_value_as_a_text(language: str) -> None:
    text = PROGRAM if language == "go" else NULLS
    subjects = subjects_in_memory({"any": text}, SchemaStore([REAL_SCHEMAS]), [language])
    report = verified(subjects, settings_of, tools=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in report.verdicts} == {Status.PASSED}, to_text(report)
