"""Configuration: values of config variables from the stack, and stack files.

The text of a configuration value becomes a value of its declared type, and a `Pulumi.<stack>.yaml` becomes `ConfigValue`s.
The text of a value follows spec A: strings unchanged, bools and numbers in their usual form, structures as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from pclgen.diagnostics import evaluation as say
from pclgen.evaluate.convert import convert
from pclgen.evaluate.faults import FaultError
from pclgen.evaluate.settings import ConfigValue
from pclgen.evaluate.values import Value
from pclgen.source.data import DataError, read_exact_json, read_yaml
from pclgen.source.files import SIDE_FILE, read_regular
from pclgen.source.text import SourceFile
from pclgen.source.yamltree import YamlMap, YamlProblem, read_tree
from pclgen.types import model as ty
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
