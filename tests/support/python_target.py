"""Small programs against the `probe` package as Python, for tests."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from pclgen.targets.python.target import TARGET
from tests.support.fake_pulumi import Record, run
from tests.support.rendering import render_files

python_files = partial(render_files, TARGET)


def python_text(text: str) -> str:
    """`__main__.py` without its imports."""
    lines = python_files(text)["__main__.py"].splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("import ", "from "))).strip("\n") + "\n"


def python_run(
    text: str,
    *,
    config: Mapping[str, str] | None = None,
    components: Mapping[str, str] | None = None,
    canonical_json: bool = False,
) -> Record:
    """Run the generated program and return its effects."""
    return run(python_files(text, components=components, canonical_json=canonical_json), config)
