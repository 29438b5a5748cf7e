"""The outside of packs: the facts that pclgen reads before the program (docs/packs.md).

A `….mupack.json` holds the program's name, the facts of its project, and the files that the program names. These files are
in a temporary folder until this process ends.
"""

from __future__ import annotations

import base64
import binascii
import shutil
import tempfile
from collections.abc import Mapping
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path, PurePosixPath

import msgspec

from pclgen.source.project import ProjectError, ProjectFile, project_of

MOST_BYTES = 64 << 20
"""Maximum size of a pack, in bytes."""


class DataFile(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A file that a program names: a text, or bytes in base 64."""

    path: str
    text: str | None = None
    base64: str | None = None


class Facts(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The project's facts from the project file."""

    name: str = ""
    description: str = ""
    main: str = ""


class _Envelope(msgspec.Struct):
    name: str
    project: Facts = msgspec.field(default_factory=Facts)
    data: list[DataFile] = []  # msgspec copies defaults


def outside_of(data: bytes, name: str) -> tuple[str, ProjectFile, Path]:
    """Return the name of the program in a pack, its project file, and a folder with the files that it names.

    For a file that is no pack, return only `name`; reading the program reports the problem.
    """
    if len(data) > MOST_BYTES:
        return name, ProjectFile(), _empty_folder()
    try:
        envelope = msgspec.json.decode(data, type=_Envelope)
        facts = envelope.project
        project = project_of({"name": facts.name, "description": facts.description, "main": facts.main})
        files = {path_of(file): content_of(file) for file in envelope.data}
        folder = _folder(files) if files else _empty_folder()
    except (msgspec.DecodeError, RecursionError, ValueError, ProjectError, OSError):
        return name, ProjectFile(), _empty_folder()
    return envelope.name, project, folder


def path_of(file: DataFile) -> PurePosixPath:
    """Return the path of a file, relative to the program. Raises `ValueError` for a path outside of the program."""
    path = PurePosixPath(file.path)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\\" in file.path or "\0" in file.path:
        raise ValueError(f"{file.path!r} is not the path of a file inside the program")
    return path


def content_of(file: DataFile) -> bytes:
    """Return the bytes of a file.  Raises `ValueError`."""
    if (file.text is None) == (file.base64 is None):
        raise ValueError("a file has either `text` or `base64`")
    if file.text is not None:
        return file.text.encode("utf-8")
    try:
        return base64.b64decode(file.base64 or "", validate=True)
    except binascii.Error as error:
        raise ValueError("`base64` is not base 64") from error


@cache
def _empty_folder() -> Path:
    """Return the empty folder that all packs without files share."""
    return _folder({})


def _folder(files: Mapping[PurePosixPath, bytes]) -> Path:
    """Return a folder of this process with `files`.  Raises `OSError` when a path would be a file and a folder."""
    folder = Path(tempfile.mkdtemp(prefix="pclgen-pack-"))
    # A worker of a build ends without the handlers of `atexit`, but with those of multiprocessing.
    Finalize(None, shutil.rmtree, (folder, True), exitpriority=0)
    for path, content in files.items():
        destination = folder / path
        destination.parent.mkdir(parents=True, exist_ok=True)
        destination.write_bytes(content)
    return folder
