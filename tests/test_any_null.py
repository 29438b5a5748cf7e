"""A null of type `any` where another type is expected: omitted for an optional input, an error for a required one."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pclgen.choices import CodeStyle, RuntimeChecks
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Status, Verdict
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
resource d "command:local:Command" {
  logging = free.enum
}
resource e "digitalocean:index:KubernetesCluster" {
  region            = "nyc1"
  version           = "1"
  nodePool          = { name = "a", size = "s", taints = free.objects }
  maintenancePolicy = free.object
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

TAINT = '{"key": "k", "value": "v", "effect": "NoSchedule"}'
OBJECTS = f'"enum": "stdout", "object": {{"day": "monday"}}, "objects": [{TAINT}]'
NO_OBJECTS = '"enum": null, "object": null, "objects": null'
GIVEN: Mapping[str, str] = {
    "all": f'{{"text": "t", "number": 2, "list": ["x"], "map": {{"k": "v"}}, "flag": true, {OBJECTS}}}',
    "nothing": f'{{"text": null, "number": null, "list": null, "map": null, "flag": null, {NO_OBJECTS}}}',
    "texts": f'{{"text": 5, "number": "2", "list": [], "map": {{}}, "flag": false, {OBJECTS}}}',
}


PASSWORD = 'resource r "random:index/randomPassword:RandomPassword" {{\n  length = {}\n}}'
NEEDED: Mapping[str, tuple[str, str]] = {
    "an int": (PASSWORD.format("free.x"), "main.pp:3:12: free.x is not set"),
    "an int of try": (PASSWORD.format("try(free.x, null)"), "main.pp:3:12: the value is not set"),
    "an int of a local": ("x = free.x\n" + PASSWORD.format("x"), "main.pp:4:12: x is not set"),
    "a text": (
        'resource r "digitalocean:index:KubernetesNodePool" {\n  clusterId = free.x\n  size = "s"\n}',
        "main.pp:3:15: free.x is not set",
    ),
    "an element of a list of texts": (
        'resource r "tls:index/certRequest:CertRequest" {\n  privateKeyPem = "k"\n  dnsNames = [free.x]\n}',
        "main.pp:4:15: free.x is not set",
    ),
    "a member of a map of texts": (
        'resource r "command:local:Command" {\n  environment = { a = free.x }\n}',
        "main.pp:3:23: free.x is not set",
    ),
    "an element of a loop": (
        'resource r "command:local:Command" {\n  environment = { for k, v in free.map : k => v }\n}',
        "main.pp:3:47: v is not set",
    ),
    "a condition": ("output o {\n  value = free.x ? 1 : 2\n}", "main.pp:3:11: free.x is not set"),
    "an operand": ("output o {\n  value = free.x + 1\n}", "main.pp:3:11: free.x is not set"),
    "a template": ('output o {\n  value = "a-${free.x}"\n}', "main.pp:3:16: free.x is not set"),
}
"""Programs with an input that requires a value, and the error for null."""

MAYBE = 'resource other "random:index/randomPassword:RandomPassword" {\n  length = 3\n}\n'
INSIDE: Mapping[str, tuple[str, str]] = {
    "a list of any": ('resource r "command:local:Command" {\n  triggers = [free.x, 1]\n}', ""),
    "a whole list of any": ('resource r "command:local:Command" {\n  triggers = free.list\n}', ""),
    "a loop over a list of any": ('resource r "command:local:Command" {\n  triggers = [for v in free.list : v]\n}', ""),
    "outputs": ("output o {\n  value = { a = free.x, b = free.map, c = [free.list] }\n}", ""),
    "JSON": ("output o {\n  value = toJSON([free.x, free.list, free.map])\n}", ""),
    "what an output turns out not to have": (
        MAYBE
        + """resource lookup "random:index/randomPassword:RandomPassword" {
  length   = 3
  minLower = lookup(other.keepers, "x", null)
}
resource attempt "command:local:Command" {
  create = try(other.keepers.x, null)
  update = try(other.keepers["x"], "d")
}
output o {
  value = [try(other.keepers.x, null), try(other.keepers.x, null) == null, lookup(other.keepers, "x", null) == null]
}""",
        "",
    ),
    "a whole list of texts": (
        'resource r "tls:index/certRequest:CertRequest" {\n  privateKeyPem = "k"\n  dnsNames = free.list\n}',
        "expected text, found <nil>",
    ),
    "a whole map of texts": (
        'resource r "command:local:Command" {\n  environment = free.map\n}',
        "expected text, found <nil>",
    ),
}
"""Lists and maps that contain null, and the error in Go where the SDK's types have no null."""


VALUES: Mapping[str, str] = {
    **{f"optional {name}": value for name, value in GIVEN.items()},
    **dict.fromkeys(
        [*NEEDED, *INSIDE, *(f"blamed {name}" for name in NEEDED)], '{"x": null, "list": ["a", null], "map": {"a": null, "b": "c"}}'
    ),
}
"""The value of `free`, by program; `blamed` programs are generated with runtime checks."""


Verdicts = Mapping[tuple[str, str, str], Verdict]


@pytest.fixture(scope="module")
def verdicts() -> Verdicts:
    """The verdicts on all programs, by program, language and level."""
    texts = {name: f"config free {{}}\n{text}\n" for name, (text, _) in {**NEEDED, **INSIDE}.items()}
    plain = {**texts, **{f"optional {name}": OPTIONAL for name in GIVEN}}
    blamed = {f"blamed {name}": texts[name] for name in NEEDED}
    store = SchemaStore([REAL_SCHEMAS])
    style = CodeStyle(runtime_checks=RuntimeChecks.BLAME)
    subjects = [*subjects_in_memory(plain, store), *subjects_in_memory(blamed, store, style=style)]

    def settings(subject: Subject) -> Settings:
        return Settings(config={f"{subject.name}:free": ConfigValue(VALUES[subject.name])})

    report = verified(subjects, settings, tools=environments(), levels=("compile", "run"))
    return {(report.names[verdict.key], verdict.language, verdict.level): verdict for verdict in report.verdicts}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", VALUES)
def test_types(verdicts: Verdicts, name: str, language: str) -> None:
    verdict = verdicts[name, language, "compile"]
    assert verdict.status is Status.PASSED, verdict


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", GIVEN)
def test_null_is_left_out_where_the_input_is_optional(verdicts: Verdicts, name: str, language: str) -> None:
    verdict = verdicts[f"optional {name}", language, "run"]
    assert verdict.status is Status.PASSED, verdict


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NEEDED)
def test_null_where_a_value_is_needed_fails_at_its_place(verdicts: Verdicts, name: str, language: str) -> None:
    """In each language, with runtime checks, and in the evaluator."""
    messages = verdicts[f"blamed {name}", language, "run"].messages
    words = NEEDED[name][1]
    _, _, problem = words.partition(": ")
    assert messages
    for message in messages:
        assert f"the evaluator fails: {problem}" in message and words in message, messages


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", NEEDED)
def test_null_where_a_value_is_needed_fails_without_checks(verdicts: Verdicts, name: str, language: str) -> None:
    messages = verdicts[name, language, "run"].messages
    assert messages and all("the evaluator fails" in message and "succeeds" not in message for message in messages), messages


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", INSIDE)
def test_null_inside_stays_or_fails_at_its_place(verdicts: Verdicts, name: str, language: str) -> None:
    verdict = verdicts[name, language, "run"]
    words = INSIDE[name][1] if language == "go" else ""
    if words:
        assert verdict.messages and all(words in message for message in verdict.messages), verdict.messages
    else:
        assert verdict.status is Status.PASSED, verdict.messages
