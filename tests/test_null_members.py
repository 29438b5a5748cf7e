"""Members of input maps that are null at run time: every language omits them, as the evaluator does."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

import pclgen
from pclgen import pipeline
from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.verify.report import Status, to_text
from pclgen.verify.subjects import Subject
from tests.support.corpus import needs_corpus
from tests.support.generated import REAL_SCHEMAS
from tests.support.providing import AbsentModel
from tests.support.verified import LANGUAGES, configured, environments, programs_in_memory, subjects_in_memory, verified

SOURCES = """
config anonymous bool { default = true }
config named bool { default = false }
config owner string { nullable = true }
config other string { default = "them" }
config token string {
  secret   = true
  nullable = true
}
config size int { nullable = true }
config spec "object({ name = optional(string), on = optional(bool) })" { default = {} }
resource pet "random:index/randomPet:RandomPet" {}
resource pw "random:index/randomPassword:RandomPassword" { length = 8 }
names  = ["a", "b"]
tags   = { Name = "web", Owner = owner, Size = size }
late   = { Name = pet.id, Owner = owner }
chosen = anonymous ? { a = owner, b = "b" } : { a = "a", b = null }
prefixes = { for name in names : name => pet.prefix }
mapped = { for name in names : name => name == other ? null : name }
"""

NESTED = """
component site "./web" {
  tags  = { Name = "web", Owner = anonymous ? null : owner }
  rules = [{ labels = { a = owner, b = "x" } }]
}
resource pool "digitalocean:index:KubernetesCluster" {
  region   = "nyc1"
  version  = "1"
  nodePool = { name = "n", size = "s", labels = { a = owner, n = anonymous ? null : 15 } }
}
component sites "./web" {
  options { range = names }
  rules = [for name in names : { labels = { a = owner, name = name == range.value ? null : name } }]
}
resource maybe "command:local:Command" {
  options { range = anonymous }
  create      = "x"
  environment = { OWNER = named ? null : owner, N = owner == null ? null : owner }
}
resource after "command:local:Command" {
  create      = "y"
  environment = { I = maybe.create, S = owner == null ? null : secret("x-${owner}") }
}
"""

WEB = """
config tags "map(string)" { default = {} }
config rules "list(object({ labels = map(string) }))" { default = [] }
resource pet "random:index/randomPet:RandomPet" { keepers = tags }
resource pets "random:index/randomPet:RandomPet" {
  keepers = { Name = pet.id, Length = length(rules) == 1 ? null : "1", Labels = try(rules[0].labels["a"], null) }
}
output all { value = rules }
"""

MEMBERS: Mapping[str, str] = {
    "null in the first branch": '{ Name = "web", Owner = anonymous ? null : other }',
    "null in the second branch": '{ Name = "web", Owner = anonymous ? other : null }',
    "null in both branches": '{ Name = "web", Owner = anonymous ? null : null }',
    "the only member": "{ Owner = anonymous ? null : other }",
    "in parentheses": '{ Name = "web", Owner = (anonymous ? null : (named ? other : null)) }',
    "a condition that is negated": '{ Owner = !anonymous ? null : other, Other = owner == null ? null : "x-${owner}" }',
    "configuration": '{ Name = "web", Owner = owner }',
    "configuration as a text": '{ Name = "web", Size = size, Half = size == null ? null : size / 2 }',
    "members of configuration": "{ Name = spec.name, On = spec.on }",
    "configuration in a branch": '{ Owner = anonymous ? owner : "none", Both = anonymous ? owner : spec.name }',
    "the other branch": '{ Owner = anonymous ? "none" : owner }',
    "an attempt": '{ Name = try(owner, "none"), On = try(spec.on, null), Text = try("x-${spec.name}", null) }',
    "the result of a function": '{ Name = "web", Owner = lookup({ them = "they" }, other, null), One = singleOrNone([]) }',
    "a local": "tags",
    "a local with outputs": "late",
    "outputs in the branches": "{ Name = pet.id, Id = anonymous ? null : pet.id, Other = named ? null : pet.id }",
    "a condition that is an output": '{ Name = pet.id, Id = pet.id == "x" ? null : "y", Other = pet.id != "x" ? null : "z" }',
    "the results of a loop": "{ for name in names : name => name == other ? null : name }",
    "some results of a loop": '{ for name in names : name => name == "b" ? owner : name if name != other }',
    "a map that a loop makes": "mapped",
    "a conditional of maps": "anonymous ? { a = owner } : { a = null, b = other }",
    "a local conditional of maps": "chosen",
    "no map": "anonymous ? null : { a = owner }",
    "a function of a package": '{ Name = "web", Key = anonymous ? null : invoke("tls:index/getPublicKey:getPublicKey", {}).id }',
    "a secret": "{ Name = pet.id, Token = token }",
    "members that only a schema lets be null": '{ Name = "web", Prefix = pet.prefix }',
    "a map of what only a schema lets be null": "prefixes",
    "a computed key": '{ Name = "web", (other) = owner }',
}


def program() -> str:
    """A program with one resource per row."""
    resources = (
        f'resource row{at} "random:index/randomPet:RandomPet" {{\n  keepers = {value}\n}}\n'
        for at, value in enumerate(MEMBERS.values())
    )
    return SOURCES + "".join(resources) + NESTED


FILES = {"main.pp": program(), "web/main.pp": WEB}

CONFIGURED: Mapping[str, Mapping[str, str]] = {
    "without values": {},
    "with values": {
        "anonymous": "false",
        "named": "true",
        "owner": "me",
        "other": "b",
        "size": "4",
        "token": "t0ken",
        "spec": '{"name": "n", "on": true}',
    },
    "with some": {"named": "true", "owner": "me", "other": "a"},
}


@needs_corpus
def test_nothing_to_report() -> None:
    assert pclgen.check(FILES, schemas=[REAL_SCHEMAS]).diagnostics == ()


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
def test_members_that_are_null_are_omitted(language: str) -> None:
    texts = dict.fromkeys(CONFIGURED, FILES)
    subjects = programs_in_memory(texts, SchemaStore([REAL_SCHEMAS]), [language])
    results = verified(subjects, configured(CONFIGURED), tools=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in results.verdicts} == {Status.PASSED}, to_text(results)


BY_SCHEMA: Mapping[str, str] = {
    "a map that a loop makes": "prefixes",
    "a map that a loop over resources makes": "made",
    "a loop over such a map": "{ for k, v in made : k => v }",
    "a loop over such a map with a condition": '{ for k, v in made : "x${k}" => v if k != "b" }',
    "a loop over a list": '{ for k, v in listed : "k${k}" => v }',
    "an element of a list": '{ Name = "web", First = listed[0] }',
    "an object": "held",
    "a member of an object": '{ Name = "web", Prefix = held.prefix }',
    "a choice of maps": "anonymous ? made : prefixes",
    "a choice of a map and an object": "anonymous ? held : made",
    "a local that is a choice": "either",
    "an output with a name": '{ Name = "web", Prefix = prefix, Other = prefix }',
    "the result of a conditional": '{ Name = "web", Prefix = picked, Other = picked }',
}
"""Maps whose values only a schema lets be null; the outputs do not stand in the map itself."""


@needs_corpus
@pytest.mark.parametrize("language", LANGUAGES)
def test_members_that_a_schema_lets_be_null_are_omitted(language: str) -> None:
    sources = """
config anonymous bool { default = true }
names = ["a", "b"]
resource pet "random:index/randomPet:RandomPet" {}
resource pets "random:index/randomPet:RandomPet" {
  options { range = names }
}
prefixes = { for name in names : name => pet.prefix }
made     = { for k, p in pets : names[k] => p.prefix }
listed   = [for p in pets : p.prefix]
held     = { name = pet.id, prefix = pet.prefix }
either   = anonymous ? made : prefixes
prefix   = pet.prefix
picked   = anonymous ? pet.prefix : pet.id
"""
    text = sources + "".join(
        f'resource row{at} "random:index/randomPet:RandomPet" {{\n  keepers = {value}\n}}\n'
        for at, value in enumerate(BY_SCHEMA.values())
    )
    subjects = subjects_in_memory({"set": text, "absent": text}, SchemaStore([REAL_SCHEMAS]), [language])

    def settings(subject: Subject) -> Settings:
        return Settings(default_model=AbsentModel(subject.program.packages)) if subject.name == "absent" else Settings()

    results = verified(subjects, settings, tools=environments(), languages=[language], levels=("compile", "run"))
    assert {verdict.status for verdict in results.verdicts} == {Status.PASSED}, to_text(results)


CONSTANT = """
config other string { default = "x" }
resource pet "random:index/randomPet:RandomPet" {
  keepers = { Name = "web", Owner = true ? null : "x", Other = 1 == 1 ? "y" : null }
}
"""


@needs_corpus
def test_pulumi_yaml_has_members_that_constants_decide() -> None:
    files = _generated(CONSTANT, "yaml")
    assert "Owner" not in files and "        Name: web\n        Other: \"y\"\n" in files


@needs_corpus
def test_pulumi_yaml_refuses_members_that_only_a_run_decides() -> None:
    text = CONSTANT.replace("1 == 1", 'other == "x"')
    result = pipeline.generate(
        program_in_memory("null", {"main.pp": text}), languages=["yaml"], store=SchemaStore([REAL_SCHEMAS])
    )
    assert [(d.code, str(d.primary)) for d in result.diagnostics] == [("PCL0901", "main.pp:4:64")]


@needs_corpus
def test_lenient_programs_omit_them_too() -> None:
    text = SOURCES + 'resource r "random:index/randomPet:RandomPet" { keepers = { Owner = anonymous ? null : missing } }\n'
    assert "...(anonymous ? {} : { Owner:" in " ".join(_generated(text, "typescript", lenient=True).split())


def _generated(text: str, language: str, *, lenient: bool = False) -> str:
    program = program_in_memory("null", {"main.pp": text})
    result = pipeline.generate(program, languages=[language], store=SchemaStore([REAL_SCHEMAS]), lenient=lenient)
    return "\n".join(content for content in result.files[language].values() if isinstance(content, str))
