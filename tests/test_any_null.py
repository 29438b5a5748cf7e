"""A null of type any in places that want one type: left out where the input is optional, an error where it is required."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Status, to_text
from pclgen.verify.subjects import Subject
from tests.support.corpus import needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.verified import LANGUAGES, environments, subjects_in_memory, verified

pytestmark = needs_corpus

OPTIONAL = """
config free {}
resource a "command:local:Command" {
  create      = free.text
  update      = free.number
  assetPaths  = free.list
  environment = free.map
  triggers    = free.list
}
resource b "random:index/randomPassword:RandomPassword" {
  length  = 3
  special = free.flag
  minLower = free.number
}
resource c "digitalocean:index:KubernetesNodePool" {
  clusterId = "c"
  size      = "s"
  nodeCount = free.number
  autoScale = free.flag
  labels    = free.map
  tags      = free.list
}
"""

GIVEN: Mapping[str, str] = {
    "all": '{"text": "t", "number": 2, "list": ["x"], "map": {"k": "v"}, "flag": true}',
    "nothing": '{"text": null, "number": null, "list": null, "map": null, "flag": null}',
    "texts": '{"text": 5, "number": "2", "list": [], "map": {}, "flag": false}',
}

REQUIRED: Mapping[str, str] = {
    "a number": 'resource r "random:index/randomPassword:RandomPassword" {\n  length = free.x\n}',
    "a text": 'resource r "random:index/randomString:RandomString" {\n  length = 3\n  overrideSpecial = "x${free.x}"\n}',
    "a condition": 'output o {\n  value = free.x ? 1 : 2\n}',
    "an operand": "output o {\n  value = free.x + 1\n}",
}
"""Where null cannot be left out.  Go has no null there."""


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GIVEN)
def test_null_is_left_out_where_the_input_is_optional(name: str, language: str) -> None:
    subjects = subjects_in_memory({"program": OPTIONAL}, SchemaStore([REAL_SCHEMAS]), [language])

    def settings(subject: Subject) -> Settings:
        return Settings(config={"program:free": ConfigValue(GIVEN[name])})

    found = verified(subjects, settings, given=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in found.verdicts} == {Status.PASSED}, to_text(found)


@pytest.mark.parametrize("name", REQUIRED)
def test_go_does_not_take_null_for_zero(name: str) -> None:
    text = f"config free {{}}\n{REQUIRED[name]}\n"
    subjects = subjects_in_memory({"program": text}, SchemaStore([REAL_SCHEMAS]), ["go"])

    def settings(subject: Subject) -> Settings:
        return Settings(config={"program:free": ConfigValue('{"x": null}')})

    found = verified(subjects, settings, given=environments(), languages=["go"], levels=("run",))
    assert "the program fails" in to_text(found), to_text(found)
