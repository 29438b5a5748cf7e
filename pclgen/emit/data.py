"""Files beside generated code.

A file that a program names must not replace a generated file or run as a part of the program; the result is the reason
for a refusal, or None.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Mapping
from pathlib import PurePosixPath

from pclgen.disk.journal import is_safe
from pclgen.emit.write import MANIFEST

_MODULES = frozenset({".py", ".pyc", ".so", ".pyd"})


def obstacle(language: str, path: PurePosixPath, generated: Mapping[PurePosixPath, str]) -> str | None:
    """Return why a file at `path` (relative to the output folder) cannot be beside `generated`; None if it can."""
    folded = _folded(path)
    for other in (*generated, PurePosixPath(MANIFEST)):
        taken = _folded(other)
        if folded == taken or folded in taken.parents or taken in folded.parents:
            return f"the project has a file of its own at `{other}`"
    if not is_safe(path):
        return "its name cannot be used in a project"
    match language:
        case "python" if (module := _module(path)) is not None and module in _imported(generated):
            return f"Python would import it in place of the module `{module}`"
        case "go" if path.suffix == ".go" and any(path.parent == other.parent for other in generated):
            return "Go would compile it as a part of the program"
        case "typescript" if "node_modules" in path.parts:
            return "Node would import it in place of an installed package"
        case _:
            return None


def _folded(path: PurePosixPath) -> PurePosixPath:
    """Return `path` as a case-insensitive file system sees it."""
    return PurePosixPath(str(path).casefold())


def _module(path: PurePosixPath) -> str | None:
    """The top module that Python finds in a file; a folder without a file `__init__` yields to installed modules."""
    top, *rest = path.parts
    is_module = PurePosixPath(top).suffix in _MODULES if not rest else rest[0].startswith("__init__.")
    return top.partition(".")[0] if is_module else None


def _imported(generated: Mapping[PurePosixPath, str]) -> frozenset[str]:
    """The names of modules that the files of a Python project, and the modules they import, may import."""
    names = set(sys.stdlib_module_names)
    for path, text in generated.items():
        if path.suffix != ".py":
            continue
        for node in ast.walk(ast.parse(text)):
            match node:
                case ast.Import(names=imports):
                    names.update(import_.name.partition(".")[0] for import_ in imports)
                case ast.ImportFrom(module=str() as module):
                    names.add(module.partition(".")[0])
    return frozenset(names)
