"""What a Python SDK offers, read from its sources: to compare a stand-in with the published one.

Comes in: the folder of a package.  Goes out: one line for every class, member, parameter and type, and for each fact of a
registration (token, secret outputs, what is required, …); equal sets of lines are equal SDKs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_LEFT_OUT = ("_utilities.py", "vars.py")


def offered(package: Path) -> set[str]:
    """The lines of a package.  Raises `OSError`, `SyntaxError`."""
    lines: set[str] = set()
    for path in sorted(package.rglob("*.py")):
        if path.name in _LEFT_OUT:
            continue
        folder = path.parent.relative_to(package).as_posix()
        place = folder if folder != "." else ""
        if path.name == "outputs.py":
            place = f"{place}/outputs"
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            lines.update(f"{place}: {line}" for line in _definition(node, package.name))
    config = package / "config" / "vars.py"
    if config.exists():
        for found in ast.walk(ast.parse(config.read_text(encoding="utf-8"))):
            if isinstance(found, ast.FunctionDef):
                lines.add(f"config: {found.name} -> {ast.unparse(found.returns) if found.returns else ''}")
    return lines


def _definition(node: ast.stmt, package: str) -> Iterator[str]:
    match node:
        case ast.ClassDef(name=name):
            bases = ", ".join(ast.unparse(base) for base in node.bases)
            decorators = [ast.unparse(found) for found in node.decorator_list]
            yield f"class {name}({bases}) {decorators}"
            for item in node.body:
                yield from (f"{name}.{line}" for line in _member(item, package))
        case ast.FunctionDef(name=name) if not name.startswith("_"):
            yield from _function(node, package)
            yield f"{name} calls {_called(node)}"


def _member(node: ast.stmt, package: str) -> Iterator[str]:
    match node:
        case ast.AnnAssign():
            yield f"{ast.unparse(node.target)}: {_annotation(node.annotation, package)}"
        case ast.Assign():
            yield ast.unparse(node)
        case ast.ClassDef():
            yield from _definition(node, package)
        case ast.FunctionDef(name="_internal_init"):
            yield from _registration(node)
        case ast.FunctionDef(name="__await__" | "__getitem__" | "_DictClass__key_warning"):
            pass
        case ast.FunctionDef(name=name) if not name.endswith("__key_warning") and not _is_dict_get(node):
            kinds = [ast.unparse(found) for found in node.decorator_list if "deprecated" not in ast.unparse(found)]
            if name != "__init__" or any(kind == "overload" for kind in kinds) or "kwargs" not in ast.unparse(node.args):
                yield from (f"{kinds} {line}" for line in _function(node, package))


def _is_dict_get(node: ast.FunctionDef) -> bool:
    return node.name == "get" and ast.unparse(node.args).startswith("self, key")


def _function(node: ast.FunctionDef, package: str) -> Iterator[str]:
    args = node.args
    for found in [*args.posonlyargs, *args.args, *args.kwonlyargs]:
        if found.arg not in ("self", "__self__"):
            annotation = _annotation(found.annotation, package) if found.annotation else ""
            yield f"{node.name}({found.arg}: {annotation})"
    order = [found.arg for found in [*args.args, *args.kwonlyargs]]
    returns = _annotation(node.returns, package) if node.returns else ""
    yield f"{node.name}{order} -> {returns}"


def _annotation(node: ast.expr, package: str) -> str:
    """A type by the full names of what it refers to, without quotes."""
    text = ast.unparse(node)
    text = re.sub(r"'([\w.\[\], ]+)'", r"\1", text) if not text.startswith("Literal") else text
    # Modules of the same package have other names in each file.
    return re.sub(rf"\b(?:{package}\.|_(?:root_)?(?=[a-z]\w*\.))(?!builtins)", "", text)


def _registration(node: ast.FunctionDef) -> Iterator[str]:
    """What the constructor does with the engine."""
    for found in ast.walk(node):
        match found:
            case ast.Call(func=ast.Attribute(attr="__init__")):
                yield f"registers {ast.unparse(found)}"
            case ast.Call(func=ast.Attribute(attr="ResourceOptions"), keywords=[ast.keyword(arg=arg, value=value)]):
                yield f"option {arg} {ast.unparse(value)}"
            case ast.Assign(targets=[ast.Subscript()], value=value) if "__props__" in ast.unparse(found):
                yield f"prop {ast.unparse(found)}" if _is_simple(value) else f"prop {ast.unparse(found.targets[0])}: computed"
            case ast.Raise() if "Missing required" in ast.unparse(found):
                yield ast.unparse(found)


def _is_simple(value: ast.expr) -> bool:
    """A name, a constant or a secret; how other values are made may differ."""
    return isinstance(value, ast.Name | ast.Constant) or (ast.unparse(value).endswith(")") and "secret(" in ast.unparse(value))


def _called(node: ast.FunctionDef) -> str:
    """The token that a function invokes, and its arguments."""
    text = ast.unparse(node)
    token = re.search(r"pulumi\.runtime\.\w+\('([^']+)'", text)
    given = sorted(re.findall(r"__args__.(.\w+.). = \w+", text))
    return f"{token[1] if token else ''} {given}"
