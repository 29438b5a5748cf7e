"""Policies: rules over schemas, checked by the compiler or by the running program (docs/policies.md)."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from pclgen.cli import app
from pclgen.diagnostics.model import Severity
from pclgen.evaluate.settings import ConfigValue
from pclgen.schema.load import SchemaStore
from pclgen.schema.policy import PolicyError, read_policy
from tests.support import binding
from tests.support.evaluation import evaluate
from tests.support.everywhere import Program, run_everywhere

POLICY = """
["probe:index:Thing".properties.label]
pattern = "^acme-"

["probe:index/thing:Thing".properties.int]
maximum = 10

["probe:Thing".properties.names]
maxItems = 2
items = { enum = ["a", "b"] }
"""

KNOWN = {
    'label = "x"': 'resource site, input label: must match ^acme-, and is "x"',
    "int = 12": "resource site, input int: must be at most 10, and is 12",
    'names = ["a", "c"]': 'resource site, input names[1]: must be one of "a", "b", and is "c"',
}


@pytest.fixture
def policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Apply the policy to the programs that the tests bind."""
    path = tmp_path / "policy.toml"
    path.write_text(POLICY, encoding="utf-8")
    monkeypatch.setattr(binding, "SchemaStore", partial(SchemaStore, policy=read_policy([path])))


@pytest.mark.parametrize("line", KNOWN)
@pytest.mark.usefixtures("policy")
def test_known_values_are_checked_where_they_stand(line: str) -> None:
    _, diagnostics = binding.bind_text(f'resource site "probe:index:Thing" {{\n  {line}\n}}\n')
    [diagnostic] = diagnostics
    assert (diagnostic.code, diagnostic.message, diagnostic.severity) == ("PCL0219", KNOWN[line], Severity.ERROR)
    assert diagnostic.primary is not None
    assert diagnostic.primary.start_position.line == 2
    _, diagnostics = binding.bind_text(f'resource site "probe:index:Thing" {{\n  {line}\n}}\n', lenient=True)
    assert [d.severity for d in diagnostics] == [Severity.WARNING]


@pytest.mark.usefixtures("policy")
def test_the_running_program_says_the_same() -> None:
    text = 'config c {type} {{\n}}\nresource site "probe:index:Thing" {{\n  {name} = c\n}}\n'
    runs = {
        KNOWN['label = "x"']: Program(text.format(type="string", name="label"), {"c": "x"}),
        KNOWN["int = 12"]: Program(text.format(type="int", name="int"), {"c": "12"}),
        KNOWN['names = ["a", "c"]']: Program(text.format(type='"list(string)"', name="names"), {"c": '["a", "c"]'}),
        "": Program(text.format(type="string", name="label"), {"c": "acme-x"}),
    }
    errors = {key: outcome.error for key, outcome in run_everywhere(runs).items()}
    for says, program in runs.items():
        result = evaluate(program.text, config={key: ConfigValue(value) for key, value in program.config.items()})
        errors["evaluator", says] = "".join(d.message for d in result.diagnostics if d.severity is Severity.ERROR)
    assert [(key, error) for key, error in errors.items() if not (key[1] in error if key[1] else error == "")] == []


@pytest.mark.usefixtures("policy")
def test_the_message_does_not_show_a_value_known_only_at_run_time() -> None:
    text = 'resource a "probe:index:Thing" {\n}\nresource site "probe:index:Thing" {\n  label = a.out\n}\n'
    result = evaluate(text, outputs={"a": {"out": "hunter2"}})
    [message] = [d.message for d in result.diagnostics if d.severity is Severity.ERROR]
    assert message == "resource site, input label: must match ^acme-"


def test_a_rule_for_an_input_that_there_is_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "policy.toml"
    path.write_text('["probe:index:Thing".properties.lable]\npattern = "^a"\n', encoding="utf-8")
    monkeypatch.setattr(binding, "SchemaStore", partial(SchemaStore, policy=read_policy([path])))
    _, diagnostics = binding.bind_text('resource site "probe:index:Thing" {\n}\n')
    [diagnostic] = diagnostics
    assert (diagnostic.code, diagnostic.help) == ("PCL0713", "did you mean `label`?")


BROKEN = {
    "[": "not valid TOML",
    "x = 1": "`x` is no type",
    '["a:b:C"]\nx = 1': "may have `properties` only",
    '["a:b:C".properties]\nx = 1': "`x` is a table of constraints",
    '["a:b:C".properties.x]\npatern = "a"': "policy.toml:2:1: `patern` is no constraint",
    '["a:b:C".properties.x]\npattern = "(?=a)"': "cannot be used in every language",
    '["a:b:C".properties.x]\nmaximum = true': "is a number",
    '["a:b:C".properties.x]\nmaximum = nan': "is a number",
    '["a:b:C".properties.x]\nminLength = 3\nmaxLength = 2': "no value has",
    '["a:b:C".properties.x]\nenum = []': "is a list",
    '["a:b/c:C".properties.x]\nmaximum = 1\n["a:b:C".properties.x]\nmaximum = 2': "has a rule already",
    '["a:b:C".properties.x' + ".items" * 40 + "]\nmaximum = 1": "a table of constraints",
}


@pytest.mark.parametrize("text", BROKEN)
def test_policies_that_cannot_be_used(text: str, tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PolicyError) as caught:
        read_policy([path])
    assert BROKEN[text] in str(caught.value)


def test_policies_are_named_by_the_configuration_or_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("web").mkdir()
    Path("web/main.pp").write_text('resource site "probe:index:Thing" {\n  label = "x"\n}\n', encoding="utf-8")
    Path("policy.toml").write_text(POLICY, encoding="utf-8")
    options = ["--schemas", str(binding.SCHEMAS), "--no-cache"]
    assert app.main(["check", "web", *options]) == 0
    capsys.readouterr()
    assert app.main(["check", "web", *options, "--policy", "policy.toml"]) == 1
    assert KNOWN['label = "x"'] in capsys.readouterr().err
    Path("pclgen.toml").write_text('policies = ["policy.toml"]\n', encoding="utf-8")
    assert app.main(["check", "web", *options]) == 1
    assert app.main(["check", "web", *options, "--isolated"]) == 0
    Path("policy.toml").write_text("[", encoding="utf-8")
    capsys.readouterr()
    assert app.main(["check", "web", *options]) == 2
    assert "policy.toml" in capsys.readouterr().err
    Path("policy.toml").unlink()
    assert app.main(["check", "web", *options]) == 2


def test_a_build_sees_that_a_policy_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("web").mkdir()
    Path("web/main.pp").write_text('resource site "probe:index:Thing" {\n  label = "x"\n}\n', encoding="utf-8")
    Path("pclgen.toml").write_text('policies = ["policy.toml"]\nprograms = ["web"]\n', encoding="utf-8")
    Path("policy.toml").write_text("", encoding="utf-8")
    options = ["build", "--schemas", str(binding.SCHEMAS), "--cache-dir", str(tmp_path / "cache"), "-l", "python"]
    assert app.main(options) == 0
    assert app.main(options) == 0
    Path("policy.toml").write_text(POLICY, encoding="utf-8")
    assert app.main(options) == 1
