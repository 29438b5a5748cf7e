"""Project files: `requirements.txt`, `.gitignore` (targets.md, Project files).

A program and the project's settings give values for the templates.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from pclgen.targets.base import Project
from pclgen.targets.python import modules, packages, tree
from pclgen.targets.python.walking import Node, roots, walk
from pclgen.types.declarations import Package

_OLDEST = "3.0.0"
_NEEDS: Mapping[str, str] = {
    "Output.json_dumps": "3.100.0",
    "deleted_with": "3.100.0",
    "get_organization": "3.100.0",
    "InvokeOutputOptions": "3.142.0",
    "deferred_output": "3.142.0",
    "ResourceHook": "3.182.0",
    "ResourceHookBinding": "3.182.0",
    "pulumi_resource_name": "3.182.0",
    "pulumi_resource_type": "3.182.0",
    "get_root_directory": "3.207.0",
    "hide_diffs": "3.207.0",
    "replace_with": "3.207.0",
    "ErrorHook": "3.225.0",
    "env_var_mappings": "3.225.0",
    "replacement_trigger": "3.225.0",
    "require_pulumi_version": "3.225.0",
    "recover": "3.272.0",
}
"""Names that newer versions of the core SDK added, and a version known to have each."""

_SEMVER = re.compile(r"(\d+(?:\.\d+)*)(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?")
_PRE_RELEASES: Mapping[str, str] = {"alpha": "a", "a": "a", "beta": "b", "b": "b", "rc": "rc", "dev": ".dev"}


def options(project: Project) -> Mapping[str, object]:
    """The options of the runtime: a local core SDK is installed into a virtual environment of the project."""
    return {"virtualenv": "venv", **project.options} if packages.PULUMI in project.local else project.options


def core_requirement(files: Iterable[tree.File]) -> str:
    """The requirement of the core SDK: a version that has all that `files` use."""
    nodes = (node for file in files for node in walk(roots(file)) if type(node) in _NAMING)
    used = {name for node in nodes for name in _names(node)}
    needed = [_NEEDS[name] for name in used if name in _NEEDS]
    oldest = max((_OLDEST, *needed), key=lambda version: [int(part) for part in version.split(".")])
    return f"pulumi>={oldest},<4.0.0"


_NAMING: Final = frozenset((tree.Imported, tree.Attribute, tree.Call))


def _names(expr: Node) -> Iterator[str]:
    """Yield the names of the core SDK that `expr` may use: its members, methods of outputs, options."""
    if type(expr) is tree.Imported:
        if expr.module == modules.PULUMI:
            yield expr.name
    elif type(expr) is tree.Attribute:
        if expr.name in ("recover", "pulumi_resource_name", "pulumi_resource_type"):
            yield expr.name
    elif type(expr) is tree.Call and isinstance(expr.function, tree.Imported) and expr.function.module == modules.PULUMI:
        yield from (argument.name for argument in expr.args)


def requirements(used: Sequence[Package], files: Iterable[tree.File], local: Mapping[str, str]) -> tuple[str, ...]:
    """The lines of `requirements.txt`: the exact versions of the schemas, or the paths of local SDKs."""
    lines = {local.get(packages.PULUMI) or core_requirement(files)}
    for package in used:
        if package.name in local:
            lines.add(local[package.name])
        elif package.name != packages.PULUMI:
            name = packages.module_of(package).path.replace("_", "-")  # on PyPI
            lines.add(f"{name}=={pep440(package.version)}" if package.version else name)
    return tuple(sorted(lines))


def pep440(version: str) -> str:
    """A semantic version in PEP 440 form: `3.0.0-alpha.1+sha.12` -> `3.0.0a1+sha.12`."""
    match = _SEMVER.fullmatch(version)
    if match is None:
        return version
    release, pre, build = match[1], match[2] or "", match[3] or ""
    words = re.findall(r"[A-Za-z]+|\d+", pre)
    suffix = ""
    for at, word in enumerate(words):
        kind = _PRE_RELEASES.get(word.lower())
        if kind is not None:
            number = words[at + 1] if at + 1 < len(words) and words[at + 1].isdigit() else "0"
            suffix = f"{kind}{number}"
            break
    return release + suffix + (f"+{build.replace('-', '.')}" if build else "")
