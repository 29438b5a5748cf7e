"""Programs of a test, on SDKs of the test's schemas: type-checked and run in every language.

One compiler run and one process per language serve all of them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.support import compilers, toolchains
from tests.support.files import write_files
from tests.support.recorded import Run
from tests.support.sdks.go import sdk_kit
from tests.support.sdks.gotypes import check_types
from tests.support.sdks.python import sdk_path as python_path
from tests.support.sdks.runs import Repeated, repeated, traces
from tests.support.sdks.typescript import sdk_path as typescript_path

Failures = dict[str, list[str]]


def write_schemas(schemas: Sequence[Mapping[str, Any]], folder: Path) -> list[Path]:
    """Write package schemas as files."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{schema['name']}-{schema['version']}.json" for schema in schemas]
    for path, schema in zip(paths, schemas, strict=True):
        path.write_text(json.dumps(schema), encoding="utf-8")
    return paths


def generated(programs: Mapping[str, str | Mapping[str, str]], language: str, schemas: Sequence[Path], root: Path) -> list[Repeated]:
    """Generate programs (a text, or texts by path) below `root`.  Raises `AssertionError` if one is rejected.

    The sources lie where only their text decides: the evaluator's traces, and so the keys of earlier results, have their places.
    """
    texts = {name: {"main.pp": program} if isinstance(program, str) else dict(program) for name, program in programs.items()}
    sources = toolchains.environment("trials", [], lambda home: _write(texts, home), variant=json.dumps(texts))
    runs = [_run(name, sources / _folder_of(name), schemas) for name in programs]
    return repeated(runs, language, schemas, root / "programs")


def _write(texts: Mapping[str, Mapping[str, str]], home: Path) -> None:
    for name, files in texts.items():
        write_files(home / _folder_of(name), files)


def _folder_of(name: str) -> str:
    return name.replace(" ", "-")


def type_failures(programs: Sequence[Repeated], language: str, schemas: Sequence[Path]) -> Failures:
    """The messages of the language's type checkers, by program; programs without any are omitted."""
    folders = {program.staged.folder.name: program.staged.folder for program in programs}
    names = {program.staged.folder.name: program.run.test for program in programs}
    match language:
        case "python":
            messages = compilers.check_python(folders, search=python_path(schemas, former=True))
        case "typescript":
            messages = compilers.check_typescript(folders, search=typescript_path(schemas, former=True))
        case _:
            messages = check_types(folders, sdk_kit(schemas))
    return {names[key]: lines for key, lines in messages.items() if lines}


def run_failures(programs: Sequence[Repeated], language: str, schemas: Sequence[Path], root: Path) -> Failures:
    """The differences from the evaluator in updates and previews, by program; programs that agree are omitted."""
    different: Failures = {}
    for traced in traces(programs, language, schemas, root / "programs"):
        comparison = traced.compared()
        if comparison.failures or comparison.differences:
            different[traced.repeated.run.test] = [*map(str, comparison.failures), *map(str, comparison.differences)]
    return different


def _run(name: str, folder: Path, schemas: Sequence[Path]) -> Run:
    return Run(
        test=name,
        index=0,
        folder=folder,
        main=".",
        project="site",
        config={},
        schemas=tuple(schemas),
        components=(),
        stacks={},
        snapshots={"pcl": {"snapshot": {"resources": []}, "update": {}}},
        options={},
        earlier={},
    )
