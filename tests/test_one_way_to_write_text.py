"""Each language has one function that writes each kind of text: strings, comments, names, files.

The tests search the sources of the targets for code that bypasses these functions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.support.corpus import ROOT

TARGETS: Final = ROOT / "pclgen" / "targets"
STRINGS: Final = frozenset({"python/quote.py", "typescript/literals.py", "go/quoting.py"})
"""Modules that put quotes around a text, or a backslash in it."""
JSON: Final = frozenset({"settings.py", "typescript/target.py"})
"""Modules that write project files, which are JSON or YAML."""
COMMENTS: Final = frozenset({"python/printer.py", "typescript/printing/expressions.py", "go/printing/expressions.py", "yaml/printer.py"})


def sources() -> Iterator[tuple[str, ast.Module]]:
    """The modules of the targets by path."""
    for path in sorted(TARGETS.rglob("*.py")):
        yield path.relative_to(TARGETS).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def holes(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """The line of each replacement field of an f-string, with the text before it and the text after it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            texts = [part.value if isinstance(part, ast.Constant) else None for part in node.values]
            for at, text in enumerate(texts):
                if text is None:
                    before = texts[at - 1] if at else ""
                    behind = texts[at + 1] if at + 1 < len(texts) else ""
                    yield node.lineno, str(before or ""), str(behind or "")


def calls(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The line and name of each call."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield node.lineno, ast.unparse(node.func)


def test_only_one_module_a_language_writes_strings() -> None:
    matches = [
        f"{path}:{line}"
        for path, tree in sources()
        if path not in STRINGS
        for line, before, behind in holes(tree)
        # ` "{name}"` is a word of a sentence.
        if before.endswith(('"', "'")) and before[-2:-1] != " " and behind[:1] == before[-1]
    ]
    assert matches == []


def test_only_project_files_are_json() -> None:
    modules = {path for path, tree in sources() for _, name in calls(tree) if name.endswith("json.dumps") or name == "repr"}
    numbers = {"python/printer.py", "typescript/literals.py", "go/operators.py", "yaml/fold.py"}
    assert modules - JSON <= numbers, "numbers are the only other reason"


def test_only_printers_write_comments() -> None:
    modules = {
        path
        for path, tree in sources()
        for _, before, _ in holes(tree)
        if before.rstrip().endswith(("//", "#")) and not before.rstrip().endswith(("://", "`#"))
    }
    assert modules <= COMMENTS
    used = {path for path, tree in sources() for _, name in calls(tree) if name == "comment_line"}
    assert used == COMMENTS


def test_lines_are_split_where_all_languages_split_them() -> None:
    for path, tree in sources():
        assert not any(name.endswith(".splitlines") for _, name in calls(tree)), path


def test_one_function_names_files() -> None:
    used = {path for path, tree in sources() for _, name in calls(tree) if name == "file_stem"}
    assert used == {"python/files.py", "typescript/files.py", "go/files.py"}
    # No other function derives a name from a directory.
    readers = {
        path
        for path, tree in sources()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr == "directory"
    }
    assert readers - used == {"go/context.py"}, "it names a position in the source"


def test_templates_quote_nothing() -> None:
    """Templates of source files write texts unchanged: no placeholder is in quotes or after a comment mark."""
    for path in sorted((ROOT / "templates").rglob("*.jinja")):
        if "helpers" not in path.parts:
            text = path.read_text(encoding="utf-8")
            assert not any(mark + "{{" in text for mark in ('"', "'", "`", "# ", "// ")), path


def test_the_folder_is_there() -> None:
    assert len(list(sources())) > 50 and isinstance(TARGETS, Path)
