"""Run the reference's SDK generators (`tests/support/sdkgen`)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from tests.support import toolchains
from tests.support.toolchains import environment, run

_VERSION = re.compile(r"-(?=\d+\.)")

Language: TypeAlias = Literal["python", "typescript", "go"]


def write_sdks(schemas: Sequence[Path], language: Language, folder: Path) -> dict[Path, Path]:
    """Write the SDKs of the packages of `schemas` and return their folders, `NAME-VERSION`, by schema.

    Raises `ToolError` if a schema is invalid or refers to a package without a schema.
    """
    printed = run([toolchains.sdkgen(), folder, language, *schemas], cwd=folder)
    return dict(zip(schemas, map(Path, printed.splitlines()), strict=True))


def cached(kind: str, sources: Sequence[Path], write: Callable[[Path], None], *, variant: str = "") -> Path:
    """The folder that `write` fills, cached by the generator, the contents of `sources`, and `variant`."""
    generator = toolchains.sdkgen().parent.name
    return environment(f"sdks-{kind}", sorted(sources, key=_content), write, variant=f"{generator} {variant}")


def _content(path: Path) -> tuple[str, bytes]:
    """The order of sources, which does not depend on where the clone lies."""
    return path.name, path.read_bytes()


def package_of(folder: Path) -> str:
    """The name of the package whose SDK is in `folder`."""
    return _VERSION.split(folder.name)[0]


def by_version(home: Path) -> list[Path]:
    """Return the folders `NAME-VERSION` in `home`; a higher version comes before a lower one."""
    return sorted((path for path in home.iterdir() if path.is_dir()), key=_version, reverse=True)


def _version(folder: Path) -> tuple[int, ...]:
    match = re.search(r"-(\d+)\.(\d+)\.(\d+)", folder.name)
    return tuple(int(part) for part in match.groups()) if match else ()
