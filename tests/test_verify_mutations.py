"""Manual changes of generated Go are caught, with a message that names the resource and the property."""

from __future__ import annotations

import json
from pathlib import PurePosixPath

import pytest
from msgspec.structs import replace

from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.verify.report import Report, Status, to_json, to_text
from pclgen.verify.subjects import Subject
from tests.support.corpus import ROOT
from tests.support.verified import environments, subjects_in_memory, verified

PROGRAM = """
config "token" "string" {
  secret = true
}

resource "pet" "random:index/randomPet:RandomPet" {
  length    = 2
  separator = "-"
}

resource "run" "command:local:Command" {
  create = "deploy ${pet.id}"
  environment = {
    TOKEN = token
  }
}

resource "after" "command:local:Command" {
  create = "echo done"
  options {
    dependsOn = [run]
  }
}

output "stdout" {
  value = run.stdout
}
"""

MAIN = PurePosixPath("main.go")

MUTATIONS = {
    "untouched": ("", "", None),
    "input altered": ("Length:    pulumi.Int(2)", "Length:    pulumi.Int(3)", ("pet", "length", "differs")),
    "secret dropped": ("cfg.RequireSecret(", "cfg.Require(", ("run", "environment", "secret in evaluator only")),
    "dependency removed": (
        ", pulumi.DependsOn([]pulumi.Resource{run})",
        "",
        ("after", "dependencies", "go lacks urn:pulumi:dev::shop::command:local:Command::run"),
    ),
    "output renamed": ('ctx.Export("stdout"', 'ctx.Export("stdOut"', ("shop-dev", "stdOut", "evaluator does not have it")),
}


def settings_of(subject: Subject) -> Settings:
    """The token is also a secret of the stack, as set by `pulumi config set --secret`; the program must mark it itself."""
    return Settings(stack="dev", config={"shop:token": ConfigValue("t0ken")})


@pytest.fixture(scope="module")
def report() -> Report:
    """All mutations as programs of one verification."""
    store = SchemaStore([ROOT / "examples" / "schemas"])
    (subject,) = subjects_in_memory({"shop": PROGRAM}, store, ["go"])
    changed = []
    for number, (name, (old, new, _)) in enumerate(MUTATIONS.items()):
        text = subject.files["go"][MAIN]
        assert old in text, f"{name}: {text}"
        mutated = text.replace(old, new)
        if name == "secret dropped":
            # The former output is a text now.
            mutated = mutated.replace('"TOKEN": token', '"TOKEN": pulumi.String(token)')
        files = {"go": {**subject.files["go"], MAIN: mutated}}
        changed.append(replace(subject, key=f"p_m{number}_", files=files))
    return verified(changed, settings_of, tools=environments(), languages=["go"])


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_change_by_hand_is_caught(report: Report, name: str) -> None:
    number = list(MUTATIONS).index(name)
    (verdict,) = report.of(f"p_m{number}_")
    expected = MUTATIONS[name][2]
    if expected is None:
        assert verdict.status is Status.PASSED, to_text(report)
        return
    resource, property_, reason = expected
    assert verdict.status is Status.FAILED
    differences = {difference.mode: difference.difference for difference in verdict.differences}
    assert differences["update"].name == resource
    assert property_ in differences["update"].path
    shown = to_text(Report(verdicts=(verdict,), names={verdict.key: "shop"}))
    assert resource in shown and property_ in shown and reason in shown, shown
    # Resources that only the changed program has are not in the source.
    assert ("main.pp:" in shown) == (name != "output renamed")


def test_the_report_as_json(report: Report) -> None:
    data = to_json(report)
    assert data["summary"] == {"passed": 1, "failed": len(MUTATIONS) - 1, "not_verified": 0, "not_generated": 0}
    text = json.dumps(data["programs"])
    assert '"name": "pet", "path": "inputs.length", "reason": "differs"' in text
    assert '"evaluator": 2, "program": 3' in text
