"""mypy checks each program of a run separately when npm has no pyright."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from pclgen import pipeline
from pclgen.source.load import program_in_memory
from pclgen.verify.checking import compile_python
from pclgen.verify.environments import PythonEnvironment
from pclgen.verify.subjects import Staged, Subject
from tests.support import toolchains


def staged(root: Path, key: str, text: str) -> Staged:
    source = program_in_memory(key, {"main.pp": ""})
    program = pipeline.generate(source, languages=["python"]).program
    assert program is not None
    file = root / key / "__main__.py"
    file.parent.mkdir()
    file.write_text(text)
    os.utime(file, (1_000_000_000, 1_000_000_000))
    files = {"python": {PurePosixPath("__main__.py"): text}}
    subject = Subject(key=key, name=key, source=source, program=program, files=files)
    return Staged(subject=subject, language="python", folder=file.parent)


def test_programs_of_the_same_size_and_time_differ(tmp_path: Path) -> None:
    """Both modules are named `__main__`; mypy's cache compares their paths, sizes and seconds before their content."""
    texts = {"right": "x: int = 10\n", "wrong": "x: int = ''\n", "right_too": "x: int = 20\n"}
    programs = [staged(tmp_path, key, text) for key, text in texts.items()]
    environment = PythonEnvironment(python=toolchains.python().python, identity="")
    messages = compile_python(programs, environment, None, tmp_path)
    assert list(messages) == ["wrong"]
    assert messages["wrong"][0].startswith("__main__.py:1: Incompatible types in assignment")
