"""Generated SDKs for Python: entries of a search path."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from tests.support.sdks.generation import by_version, cached, write_sdks


def sdk_path(schemas: Sequence[Path], *, former: bool = False) -> list[Path]:
    """Return folders with the SDKs of `schemas`, one for each; a higher version comes first.

    With `former`, inputs have the types that generators wrote until the end of 2025, as in most published SDKs: an optional
    input accepts None, but not an output that may be None.  Raises `ToolError`.
    """
    home = cached("python", [Path(__file__), *schemas], lambda home: _write(home, sorted(schemas), former), variant=repr(former))
    return by_version(home)


def _write(home: Path, schemas: Sequence[Path], former: bool) -> None:
    scratch = home / "generated"
    scratch.mkdir()
    for folder in write_sdks(schemas, "python", scratch).values():
        for path in folder.rglob("*.py") if former else ():
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("pulumi.Input[Optional[", "Optional[pulumi.Input["), encoding="utf-8")
        _write_metadata(folder)
        shutil.move(folder, home / folder.name)
    shutil.rmtree(scratch)


def _write_metadata(folder: Path) -> None:
    """Write the metadata of an installation, in which SDKs look up their version."""
    project = next(path for name in ("setup.py", "pyproject.toml") if (path := folder / name).exists())
    version = re.search(r'^ *version = "(.+)"$', project.read_text(encoding="utf-8"), re.IGNORECASE | re.MULTILINE)
    assert version is not None, project
    package = next(path.parent.name for path in folder.glob("*/__init__.py"))
    metadata = folder / f"{package}-{version[1]}.dist-info" / "METADATA"
    metadata.parent.mkdir()
    metadata.write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version[1]}\n", encoding="utf-8")
