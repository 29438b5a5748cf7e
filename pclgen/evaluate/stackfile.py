"""The configuration of a stack, checked before there is a deployment.

Problems in the `config` section of a `Pulumi.<stack>.yaml` have spans: an undeclared key, a value of another type, a
missing required key. Encrypted values count as set, but are not checked; settings of other packages (`aws:region`) do not
belong to the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from pclgen.core.program import ConfigVariable, Program
from pclgen.diagnostics import evaluation as say
from pclgen.diagnostics.make import note
from pclgen.diagnostics.model import Diagnostic
from pclgen.diagnostics.structure import broken_rule
from pclgen.evaluate.config import StackFileError, parse_value, stack_value
from pclgen.evaluate.faults import FaultError
from pclgen.source.data import DataError, read_yaml
from pclgen.source.text import SourceFile, Span
from pclgen.source.yamltree import YamlMap, YamlNode, YamlProblem, YamlScalar, read_tree
from pclgen.types.rules import violation

_CONFIG = "config"


def check_stack_file(program: Program, project: str, source: SourceFile) -> Iterator[Diagnostic]:
    """Yield the errors in the configuration of the stack in `source`, in the order of its keys; then missing keys. Keys
    without a project belong to `project`."""
    variables = {node.logical_name: node for node in program.nodes if isinstance(node, ConfigVariable)}
    try:
        top = read_tree(source).top
        values = _section(read_yaml(source.text))
    except YamlProblem as problem:
        yield say.bad_stack_file(f"this is no YAML: {problem}", problem.span)
        return
    except DataError as problem:
        yield say.bad_stack_file(f"this is no YAML: {problem}", source.span(0, 0))
        return
    section = _entry(top, _CONFIG)
    if section is not None and not isinstance(section, YamlMap):
        yield say.bad_stack_file("`config` has no keys and values", section.span)
        return
    present: set[str] = set()
    for key, value in section.pairs if section is not None else ():
        name = _name(key.text, project, variables)
        if name is None:
            continue
        if name not in variables:
            yield say.unknown_config(name, sorted(variables), key.span)
            continue
        present.add(name)
        # YAML reads a key such as `yes` as a bool, so the value comes from the text.
        written = value.text if isinstance(value, YamlScalar) else None
        yield from _wrong_value(variables[name], values.get(key.text, written), value.span)
    for name, node in variables.items():
        if node.required and name not in present:
            place = section.span if section is not None else source.span(0, 0)
            yield say.missing_in_stack(name, Span(place.file, place.start, place.start), node.symbol.span)


def _section(data: object) -> Mapping[str, object]:
    section = data.get(_CONFIG) if isinstance(data, dict) else None
    return {str(key): value for key, value in section.items()} if isinstance(section, dict) else {}


def _entry(node: YamlNode | None, name: str) -> YamlNode | None:
    pairs = node.pairs if isinstance(node, YamlMap) else ()
    return next((value for key, value in pairs if key.text == name), None)


def _name(key: str, project: str, variables: Mapping[str, ConfigVariable]) -> str | None:
    """The variable of a key; None for settings of other packages."""
    if key in variables or ":" not in key:
        return key
    owner, _, name = key.partition(":")
    return name if owner == project else None


def _wrong_value(node: ConfigVariable, value: object, span: Span) -> Iterator[Diagnostic]:
    try:
        text = stack_value(node.logical_name, value).text
    except StackFileError:
        return  # it is encrypted
    try:
        parsed = parse_value(text, node.type)
        where = f"config {node.logical_name}"
        broken = None if node.rule is None else violation(parsed, node.rule, where, shown=not node.secret)
        if broken is not None:
            declared = note("the type is declared here", node.symbol.span)
            yield broken_rule(broken, span, (declared,))
    except FaultError as fault:
        reason = fault.make(span).message
        declared = note("the type is declared here", node.symbol.span)
        yield replace(say.bad_config(node.logical_name, reason, span), label="this value", notes=(declared,))
