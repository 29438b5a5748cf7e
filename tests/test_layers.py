"""Imports go one way.  The table is the architecture; this test checks every import of the package against it.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

import networkx

from tests.support.corpus import ROOT
from tests.support.rules import assert_followed

PACKAGE = ROOT / "pclgen"
LANGUAGES = ("python", "typescript", "go")

LAYERS: Mapping[str, frozenset[str]] = {
    "source": frozenset(),
    "widths": frozenset(),
    "layout": frozenset({"widths"}),
    "sourcemaps": frozenset({"source"}),
    "version": frozenset(),
    "languages": frozenset(),
    "choices": frozenset(),
    "reads": frozenset(),
    "records": frozenset(),
    "errors": frozenset(),
    "semver": frozenset(),
    "forks": frozenset(),
    "results": frozenset({"source", "diagnostics", "syntax", "core", "sourcemaps", "trace"}),
    "format": frozenset(),
    "disk": frozenset(),
    "diagnostics": frozenset({"source", "version", "choices", "widths"}),
    "syntax": frozenset({"source", "diagnostics", "layout"}),
    "types": frozenset({"source"}),
    "stdlib": frozenset({"source", "types"}),
    "functions": frozenset({"stdlib", "types"}),
    "protocol": frozenset(),
    "schema": frozenset({"types", "diagnostics", "source", "protocol", "disk", "languages", "choices", "reads", "stdlib", "semver"}),
    "deps": frozenset({"source", "diagnostics", "disk", "schema", "packs", "semver"}),
    "core": frozenset({"source", "types", "stdlib", "diagnostics"}),
    "pulumiyaml": frozenset({"source", "syntax", "diagnostics", "stdlib"}),
    "bind": frozenset({"source", "syntax", "pulumiyaml", "types", "schema", "core", "stdlib", "diagnostics", "graph", "semver"}),
    "packs": frozenset({"source", "types", "schema", "core", "stdlib", "diagnostics", "version"}),
    "graph": frozenset({"core", "types", "diagnostics", "source", "widths"}),
    "lower": frozenset({"source", "core", "types", "stdlib", "diagnostics", "graph"}),
    "plan": frozenset({"source", "core", "types", "graph"}),
    "emit": frozenset({"source", "diagnostics", "disk"}),
    "targets": frozenset(
        {
            "source", "core", "types", "stdlib", "diagnostics", "graph", "plan", "layout", "widths", "emit", "format", "reads",
            "languages", "sourcemaps",
        }
    ),
    "gomodule": frozenset({"schema", "targets", "types"}),
    "trace": frozenset({"source", "diagnostics"}),
    "evaluate": frozenset({"source", "core", "types", "stdlib", "diagnostics", "graph", "trace", "semver"}),
    "pipeline": frozenset(
        {
            "source", "diagnostics", "syntax", "pulumiyaml", "types", "stdlib", "schema", "core",
            "bind", "graph", "lower", "plan", "targets", "emit", "format", "version", "trace", "evaluate", "reads", "languages", "packs",
            "deps", "choices", "sourcemaps", "forks", "results",
        }
    ),
    "formatting": frozenset({"pipeline", "results", "bind", "pulumiyaml", "syntax", "source", "diagnostics"}),
    "build": frozenset(
        {"choices", "languages", "source", "diagnostics", "disk", "emit", "schema", "pipeline", "results", "version", "reads", "deps", "forks"}
    ),
    "verify": frozenset(
        {
            "disk", "pipeline", "results", "trace", "evaluate", "protocol", "core", "types", "source", "diagnostics", "emit", "schema",
            "version", "format", "choices", "sourcemaps", "bind", "syntax", "graph",
        }
    ),
    "docs": frozenset(
        {
            "choices", "pipeline", "build", "verify", "schema", "source", "diagnostics", "emit", "languages", "core", "types",
            "version", "evaluate", "forks", "formatting",
        }
    ),
    "host": frozenset({"pipeline", "results", "schema", "diagnostics", "source", "emit", "protocol", "version"}),
    "lsp": frozenset(
        {
            "sourcemaps", "results",
            "pipeline", "bind", "core", "syntax", "pulumiyaml", "types", "stdlib", "schema", "source", "diagnostics", "choices",
            "languages", "version",
        }
    ),
    "view": frozenset({"core", "diagnostics", "graph", "languages", "lsp", "pipeline", "results", "schema", "source", "sourcemaps", "trace"}),
    "cli": frozenset(
        {
            "view", "lsp", "host", "pipeline", "verify", "trace", "schema", "diagnostics", "source", "emit", "version", "languages", "choices",
            "build", "docs", "stdlib", "deps", "sourcemaps", "forks", "gomodule", "formatting", "results",
        }
    ),
    "testing": frozenset({"disk", "emit", "build", "choices", "languages", "pipeline", "results", "verify", "trace", "evaluate", "schema", "diagnostics", "source"}),
    "__main__": frozenset({"cli"}),
    "__init__": frozenset({"formatting", "sourcemaps", "choices", "emit", "languages", "pipeline", "results", "diagnostics", "source", "schema", "version", "evaluate", "trace", "verify"}),
}  # fmt: skip  # a table with many short entries per line
"""For each part of pclgen, the parts that it may import."""

FOREIGN: Mapping[str, frozenset[str]] = {
    "lark": frozenset({"syntax"}),
    "networkx": frozenset({"graph"}),
    "jinja2": frozenset({"emit"}),
    "black": frozenset({"format"}),
    "msgspec": frozenset({"schema", "build", "packs", "source", "deps", "view", "cli", "records"}),
    "resolvelib": frozenset({"deps"}),
    "yaml": frozenset({"source"}),
    "platformdirs": frozenset({"schema", "verify"}),
    "re2": frozenset({"evaluate"}),
    "grpc": frozenset({"protocol"}),
    "google": frozenset({"protocol"}),
    "pytest": frozenset({"testing"}),
    "syrupy": frozenset({"testing"}),
    "distributed": frozenset({"build"}),
    "watchfiles": frozenset({"build"}),
    "rich": frozenset({"cli"}),
    "shtab": frozenset({"cli"}),
    "pygls": frozenset({"lsp"}),
    "lsprotocol": frozenset({"lsp"}),
}
"""For each library, the parts that may import it."""

RECORDS: frozenset[str] = frozenset({"msgspec.Struct", "msgspec.field", "msgspec.structs"})
"""The names of msgspec that each part may import: records, without codecs."""

NARROW: Mapping[str, frozenset[str]] = {
    "cli": frozenset({"pclgen.source.load", "pclgen.source.text", "pclgen.emit.write", "pclgen.emit.overlay"}),
}
"""Of `source` and `emit`, the command line may use only these modules."""

SHORT: Mapping[str, str] = {
    "pclgen.core.expr": "core",
    "pclgen.core.program": "prog",
    "pclgen.targets.go.gotypes": "gt",
    "pclgen.trace.model": "tr",
    "pclgen.types.model": "ty",
}
"""Modules that are imported under a short name by files that use more than five of their names (docs/contributing/style.md)."""

OFFERED = ("pclgen/functions.py",)
"""Files that import names in order to offer them to users."""


def part_of(module: str) -> str:
    """The part of pclgen that `module` belongs to: `pclgen.bind.scope` to `bind`, `pclgen` to `__init__`."""
    return module.split(".")[1] if "." in module else "__init__"


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Every module that a file imports, anywhere in the file, with the line."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import():
                yield from ((node.lineno, name.name) for name in node.names)
            case ast.ImportFrom():
                assert node.level == 0, f"{path}:{node.lineno}: relative import"
                base = node.module or ""
                # `from pclgen.bind import scope` imports a module, `from pclgen.bind.scope import Scope` a name.
                names = [f"{base}.{name.name}" for name in node.names]
                yield from ((node.lineno, name if base == "msgspec" or is_module(name) else base) for name in names)
            case ast.Call(func=ast.Name(id="import_module"), args=[ast.Constant(value=str() as name)]):
                yield node.lineno, name


def is_module(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def files() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def complaints(path: Path) -> Iterator[str]:
    module = module_of(path)
    part = part_of(module)
    for line, name in imports(path):
        top = name.split(".")[0]
        where = f"{path.relative_to(ROOT)}:{line} imports {name}"
        if top == "pclgen":
            other = part_of(name)
            if other not in (part, "__init__", "records", "errors") and other not in LAYERS[part]:
                yield f"{where}: {part} may import only {sorted(LAYERS[part])}"
            if other == "__init__":
                yield f"{where}: import from the module that owns it"
            if other in ("source", "emit") and name not in NARROW.get(part, frozenset({name})):
                yield f"{where}: {part} may use only {sorted(NARROW[part])}"
            yield from sibling_languages(module, name, where)
        elif top in FOREIGN:
            if part not in FOREIGN[top] and name not in RECORDS:
                yield f"{where}: only {sorted(FOREIGN[top])} may"
        elif top not in sys.stdlib_module_names:
            yield f"{where}: not one of our dependencies"


def sibling_languages(module: str, name: str, where: str) -> Iterator[str]:
    """No target language imports another."""
    own, other = (words.split(".")[2:3] for words in (module, name) if words)
    if part_of(module) == part_of(name) == "targets" and own != other and {*own, *other} <= set(LANGUAGES) and own and other:
        yield f"{where}: a target must not import another target"


def long_lists(path: Path) -> Iterator[str]:
    """Imports of more than five names of a module that has a short name, and of such a module under another name."""
    names: Counter[str] = Counter()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names[str(node.module)] += len(node.names)
            for name in node.names:
                module, alias = f"{node.module}.{name.name}", name.asname or name.name
                if SHORT.get(module, alias) != alias:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}: {module} is `{SHORT[module]}`"
    yield from (f"{path.relative_to(ROOT)}: {module} is `{SHORT[module]}`" for module in SHORT if names[module] > 5)


def test_modules_with_many_names_have_a_short_name() -> None:
    paths = [path for folder in ("pclgen", "tests", "scripts") for path in sorted((ROOT / folder).rglob("*.py"))]
    rule = "a file that uses more than five names of a module in SHORT imports the module under its short name"
    checked = [path for path in paths if path.relative_to(ROOT).as_posix() not in OFFERED]
    assert_followed(rule, (place for path in checked for place in long_lists(path)))


def test_imports_follow_the_layers() -> None:
    assert_followed("imports follow LAYERS, FOREIGN and NARROW", (place for path in files() for place in complaints(path)))


def test_the_layers_of_the_architecture_go_one_way() -> None:
    rows = re.findall(r"^\| [a-z ]+ \| (`.+`) \|$", section_of_layers(), re.MULTILINE)
    layer_of = {part: layer for layer, row in enumerate(rows) for part in re.findall(r"`([a-z_]+)`", row)}
    assert set(layer_of) == set(LAYERS), "the table of layers in ARCHITECTURE.md has each part once"
    upwards = [(part, other) for part, others in LAYERS.items() for other in others if layer_of[other] > layer_of[part]]
    assert upwards == [], "a part imports only from its own layer and from those above it in the table"


def section_of_layers() -> str:
    text = (PACKAGE / "ARCHITECTURE.md").read_text(encoding="utf-8")
    return text.partition("### Layers\n")[2].partition("\n## ")[0]


def test_every_part_is_in_the_table() -> None:
    parts = {part_of(module_of(path)) for path in files()}
    assert parts - set(LAYERS) == set(), "say in LAYERS what the new part may import"


def test_the_layers_have_no_cycle() -> None:
    done: set[str] = set()
    waiting = dict(LAYERS)
    while waiting:
        ready = [part for part, needs in waiting.items() if needs <= done]
        assert ready, f"a cycle among {sorted(waiting)}"
        done.update(ready)
        for part in ready:
            del waiting[part]


def runs(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes of a file that run: all except those for type checkers."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.If(test=ast.Name(id="TYPE_CHECKING"), orelse=otherwise):
                waiting += otherwise
            case _:
                yield node
                waiting += ast.iter_child_nodes(node)


def cycles(sources: Mapping[str, str]) -> list[list[str]]:
    """Groups of modules, by name, that import each other at run time, at the top level or inside a function."""
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    for module, source in sources.items():
        for node in runs(ast.parse(source)):
            names: list[str] = []
            match node:
                case ast.Import():
                    names = [name.name for name in node.names]
                case ast.ImportFrom(module=str() as base):
                    names = [full if (full := f"{base}.{name.name}") in sources else base for name in node.names]
            graph.add_edges_from((module, name) for name in names if name in sources and name != module)
    groups = networkx.strongly_connected_components(graph)
    return sorted(sorted(group) for group in groups if len(group) > 1)


def test_no_modules_import_each_other() -> None:
    """Every module can be imported first, and read on its own."""
    assert cycles({module_of(path): path.read_text(encoding="utf-8") for path in files()}) == []


def test_a_cycle_would_be_found() -> None:
    typed = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from p import a\n"
    sources = {"p.a": "from p.b import x", "p.b": "def f() -> None:\n    from p import c\n", "p.c": "import p.a", "p.d": typed}
    assert cycles(sources) == [["p.a", "p.b", "p.c"]]
    assert cycles({"p.a": "from p.d import x", "p.d": typed}) == []


def test_a_wrong_import_would_be_found(tmp_path: Path) -> None:
    source = "import lark\nfrom pclgen.bind import scope\nimport requests\nimport os\nfrom pclgen.source.text import Span\n"
    culprit = PACKAGE / "types" / "unify.py"
    path = tmp_path / "culprit.py"
    path.write_text(source)
    modules = [name for _, name in imports(path)]
    assert modules == ["lark", "pclgen.bind.scope", "requests", "os", "pclgen.source.text"]
    assert part_of(module_of(culprit)) == "types"
    assert "bind" not in LAYERS["types"]
