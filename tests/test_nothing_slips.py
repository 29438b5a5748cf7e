"""Every (function, language), (option, language) and (node kind, language) pair is decided.

A pair is rendered, lowered away before the language sees it, or refused with a diagnostic at its location.  The tables here
hold the decision, and a small program per pair checks it; a function, option or node kind that the tables lack fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.walk import expressions_of, walk
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.languages import LANGUAGES
from pclgen.lower.program import lower_program
from pclgen.pipeline import bind
from pclgen.plan.build import plan_project
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from pclgen.stdlib.options import INVOKE_OPTIONS, RESOURCE_OPTIONS
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.targets.base import Project, target
from tests.support.binding import SCHEMAS, bind_text
from tests.support.corpus import ROOT
from tests.support.rules import for_all

SETUP = """
config settings {}
config tags "map(string)" {}
config zones "list(string)" {}
resource network "pulumi:pulumi:StackReference" { name = "acme/network/prod" }
resource bucket "probe:index:Thing" {}
resource prov "pulumi:providers:probe" {}
hook resource notify { command = ["echo", "done"] }
"""
COMPONENT = """
config out string { default = "o" }
config tags "map(string)" { default = {} }
resource inner "probe:index:Thing" {
  out  = out
  tags = tags
}
output made { value = inner.out }
"""

OTHER_EXAMPLES = {
    "recover": 'recover(bucket.out, "no bucket: ${error}")',
    "singleOrNone": "singleOrNone(zones)",
    "unsecret": "unsecret(bucket.out)",
}
"""Calls of functions whose own example uses another package."""

OPTION_VALUES: Mapping[str, str] = {
    "additionalSecretOutputs": "[out]",
    "aliases": '[{ name = "old", noParent = true }, "urn:pulumi:a::b::c:d:E::f"]',
    "customTimeouts": '{ create = "5m" }',
    "deleteBeforeReplace": "true",
    "deletedWith": "bucket",
    "dependsOn": "[bucket]",
    "envVarMappings": '{ A = "B" }',
    "hideDiffs": "[out]",
    "hooks": "{ afterCreate = [notify] }",
    "ignoreChanges": '[out, tags["a.b"]]',
    "import": '"id"',
    "parent": "bucket",
    "pluginDownloadURL": '"https://example.com"',
    "protect": "true",
    "provider": "prov",
    "providers": "[prov]",
    "range": "2",
    "replaceOnChanges": "[out]",
    "replaceWith": "[bucket]",
    "replacementTrigger": "bucket.out",
    "retainOnDelete": "true",
    "version": '"1.2.3"',
}
INVOKE_VALUES: Mapping[str, str] = {
    "dependsOn": "[bucket]",
    "parent": "bucket",
    "pluginDownloadUrl": '"https://example.com"',
    "provider": "prov",
    "version": '"1.2.3"',
}

REFUSED: frozenset[tuple[str, str]] = frozenset()
"""Pairs (language, function or option) that the language cannot express."""

ABSENT = "absent"
RENDERED = "rendered"
KINDS: Mapping[type, str] = {
    core.Literal: RENDERED,
    core.Ref: RENDERED,
    core.Attr: RENDERED,
    core.Index: RENDERED,
    core.ListExpr: RENDERED,
    core.ObjectExpr: RENDERED,
    core.Template: RENDERED,
    core.Unary: RENDERED,
    core.Binary: RENDERED,
    core.Conditional: RENDERED,
    core.For: RENDERED,
    core.Call: RENDERED,
    core.Invoke: RENDERED,
    core.MethodCall: RENDERED,
    core.Convert: RENDERED,
    core.PropertyPath: RENDERED,
    core.Apply: RENDERED,
    core.All: RENDERED,
    # Represents a reported error: strict programs with an error are never lowered.
    core.Invalid: ABSENT,
    prog.ConfigVariable: RENDERED,
    prog.Local: RENDERED,
    prog.Resource: RENDERED,
    prog.ComponentUse: RENDERED,
    prog.Hook: RENDERED,
    prog.OutputVariable: RENDERED,
    prog.PulumiSettings: RENDERED,
}
"""The decision for each kind of node; the same for all languages, as they share one lowering."""


def problems(text: str, language: str) -> list[Diagnostic]:
    """The diagnostics of a language for a program that binds."""
    program, diagnostics = bind_text(text, components={"part": COMPONENT})
    assert [d.message for d in diagnostics if d.severity is Severity.ERROR] == []
    bag = DiagnosticBag()
    backend = target(language)
    files = backend.render(
        plan_project(lower_program(program, backend.capabilities, bag)), Project(name="test", program_only=True), bag
    )
    assert list(bag) or all(files.values())
    return list(bag)


def judge(text: str, language: str, name: str) -> None:
    """Check that the pair is rendered, or refused with a location, as in the table."""
    diagnostics = problems(text, language)
    if (language, name) in REFUSED:
        assert [(d.code, d.primary is not None) for d in diagnostics] == [("PCL0901", True)]
    else:
        assert [d.message for d in diagnostics] == []


def test_the_tables_are_complete() -> None:
    assert OPTION_VALUES.keys() == RESOURCE_OPTIONS.keys()
    assert INVOKE_VALUES.keys() == INVOKE_OPTIONS.keys()
    assert KINDS.keys() == {*get_args(core.Expr), *get_args(prog.Node)}
    assert {name for _, name in REFUSED} <= {*FUNCTIONS, *RESOURCE_OPTIONS, *INVOKE_OPTIONS}


@pytest.mark.parametrize("language", LANGUAGES)
@for_all("name", FUNCTIONS)
def test_functions(name: str, language: str) -> None:
    example = OTHER_EXAMPLES.get(name, FUNCTIONS[name].example)
    judge(f"{SETUP}output o {{ value = {example} }}\n", language, name)


@pytest.mark.parametrize("language", LANGUAGES)
@for_all("name", RESOURCE_OPTIONS)
def test_options_of_resources(name: str, language: str) -> None:
    body = f"{{\n  options {{ {name} = {OPTION_VALUES[name]} }}\n}}\n"
    token = "pulumi:providers:probe" if name == "envVarMappings" else "probe:index:Thing"
    judge(f'{SETUP}resource subject "{token}" {body}', language, name)


@pytest.mark.parametrize("language", LANGUAGES)
@for_all("name", sorted(RESOURCE_OPTIONS.keys() - {"envVarMappings"}))
def test_options_of_components(name: str, language: str) -> None:
    judge(f'{SETUP}component subject "./part" {{\n  options {{ {name} = {OPTION_VALUES[name]} }}\n}}\n', language, name)


@pytest.mark.parametrize("language", LANGUAGES)
@for_all("name", INVOKE_OPTIONS)
def test_options_of_invokes(name: str, language: str) -> None:
    options = f"{{ {name} = {INVOKE_VALUES[name]} }}"
    judge(f'{SETUP}output o {{ value = invoke("probe:index:getThing", {{ name = "n" }}, {options}) }}\n', language, name)


def kinds_of(program: prog.Program) -> Iterator[type]:
    """The kinds of nodes and expressions of a program and of its components."""
    for node in program.nodes:
        yield type(node)
        for expression in expressions_of(node):
            yield from map(type, walk(expression))
        if isinstance(node, prog.ComponentUse) and node.component is not None:
            yield from kinds_of(node.component.program)


@cache
def node_kinds(language: str) -> frozenset[type]:
    """The kinds of nodes that a language receives, over all small programs of the tests."""
    kinds: set[type] = set()
    store = SchemaStore([SCHEMAS])
    folders = [ROOT / "tests" / "cases" / area for area in ("programs", "pain")]
    cases: list[Path] = [case for folder in folders for case in sorted(folder.iterdir())]
    for case in cases:
        checked = bind(load_program(str(case)), store)
        if checked.program is None:
            continue
        kinds |= set(kinds_of(lower_program(checked.program, target(language).capabilities, DiagnosticBag())))
    return frozenset(kinds)


@pytest.mark.parametrize("language", LANGUAGES)
def test_node_kinds(language: str) -> None:
    """A program with a reviewed snapshot shows each rendered kind; no other kind reaches a language."""
    assert node_kinds(language) == {kind for kind, decision in KINDS.items() if decision == RENDERED}
