"""Configuration: values of config variables from the stack, and stack files, read and checked.

The text of a configuration value becomes a value of its declared type, and a `Pulumi.<stack>.yaml` becomes `ConfigValue`s.
The text of a value follows spec A: strings unchanged, bools and numbers in their usual form, structures as JSON.

A stack file can also be checked before there is a deployment. Problems in its `config` section have spans: an undeclared
key, a value of another type, a missing required key. Encrypted values count as set, but are not checked; settings of other
packages (`aws:region`) do not belong to the program.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec.structs import replace

from pclgen.core.program import ConfigVariable, Program
from pclgen.diagnostics import evaluation as say
from pclgen.diagnostics.model import Diagnostic, note
from pclgen.diagnostics.structure import broken_rule
from pclgen.evaluate.faults import FaultError
from pclgen.evaluate.operations import convert
from pclgen.evaluate.settings import ConfigValue
from pclgen.evaluate.values import Value
from pclgen.source.data import DataError, read_exact_json, read_yaml
from pclgen.source.files import SIDE_FILE, read_regular
from pclgen.source.text import SourceFile, Span
from pclgen.source.yamltree import YamlMap, YamlNode, YamlProblem, YamlScalar, read_tree
from pclgen.types import model as ty
from pclgen.types.rules import violation
from pclgen.types.show import with_article


class StackFileError(Exception):
    """A stack file is invalid; the message says why."""


def parse_value(text: str, declared: ty.Type) -> Value:
    """Parse configuration text as a value of the declared type. Raises `FaultError` for other text."""
    target = ty.without_none(declared)
    while isinstance(target, ty.OutputType | ty.ConstType | ty.EnumType):
        target = target.element if isinstance(target, ty.OutputType) else target.base
    if target in (ty.STRING, ty.ID):
        return text
    if target in (ty.BOOL, ty.INT, ty.NUMBER):
        return convert(text.strip(), target)
    try:
        data = read_exact_json(text)
    except DataError:
        if target is ty.DYNAMIC or isinstance(target, ty.UnionType):
            return text
        raise FaultError(
            lambda span: say.cannot_convert(f"the JSON of {with_article(target)}", "other text", span)
        ) from None
    return convert(data, target)


def read_stack_file(path: Path, project: str) -> Mapping[str, ConfigValue]:
    """The `config` section of a stack file, by full key; keys without a project belong to `project`.

    Encrypted values are refused, since there is no key to decrypt them. Raises `StackFileError`.
    """
    try:
        text = read_regular(path, most=SIDE_FILE).decode("utf-8")
        data = read_yaml(text)
    except OSError as problem:
        raise StackFileError(f"cannot be read: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise StackFileError("is not UTF-8 text") from None
    except DataError as problem:
        raise StackFileError(f"is not YAML: {problem}") from None
    section = data.get("config", {}) if isinstance(data, dict) else None
    if not isinstance(section, dict):
        raise StackFileError("has no `config` section of keys and values")
    lines = _lines(SourceFile(path.name, text))
    return {
        _full_key(str(key), project): replace(stack_value(str(key), value), place=lines.get(str(key), ""))
        for key, value in section.items()
    }


def _lines(source: SourceFile) -> Mapping[str, str]:
    """The positions of the keys in the `config` section: `Pulumi.prod.yaml:7`."""
    try:
        top = read_tree(source).top
    except YamlProblem:
        return {}
    pairs = top.pairs if isinstance(top, YamlMap) else ()
    section = next((value for key, value in pairs if key.text == "config"), None)
    entries = section.pairs if isinstance(section, YamlMap) else ()
    return {key.text: f"{source.name}:{key.span.start_position.line}" for key, _ in entries}


def _full_key(key: str, project: str) -> str:
    return key if ":" in key else f"{project}:{key}"


def stack_value(key: str, value: object) -> ConfigValue:
    """Return a value of a stack file as a configuration value. Raises `StackFileError` for an encrypted value."""
    if isinstance(value, dict) and set(value) == {"secure"}:
        raise StackFileError(f"`{key}` is encrypted: give its value with --config-secret {key}=…")
    if isinstance(value, str):
        return ConfigValue(value)
    if isinstance(value, bool):
        return ConfigValue("true" if value else "false")
    return ConfigValue(json.dumps(value, ensure_ascii=False, default=str))


# -- checks of stack files --------------------------------------------------------------------------------------------------

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
