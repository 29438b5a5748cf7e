"""What other build tools are told of a build: a manifest, and a depfile for it.

Comes in: a `Summary` whose results list their inputs and outputs (`Order.is_listed`).  Goes out: two texts, and files.

The manifest is JSON and the same for the same sources, whatever was built before.  The depfile names all that the manifest
depends on in the syntax that make and ninja read.  A failed build leaves a manifest that is older than everything, so that
no tool takes it for done.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from pclgen.build.compile import compiler_files, compiler_identity
from pclgen.build.inputs import shown
from pclgen.build.model import Result, Status, Summary
from pclgen.build.report import problem_of
from pclgen.diagnostics.machine import FORMAT_VERSION, diagnostic_of
from pclgen.emit.write import WriteError, write_file
from pclgen.source.files import read_regular
from pclgen.version import VERSION

_OWN_MANIFEST = re.compile(rb"""\s*\Z|\{\s*"format_version": \d+,\s*"pclgen": \{""")
_OWN_DEPFILE = re.compile(rb"\s*\Z|[^\n]+: (?:[^\n]+ \\\n  )*[^\n]+\n(?:\n[^\n]+:\n)+\Z")
_UNWRITABLE = re.compile(r"[\n\r;|]|\\#")
"""What make, or ninja, has no way to write in the name of a file."""


def check_places(manifest: Path, depfile: Path | None) -> None:
    """Raises `WriteError` when the two are one file, or when there is something that is none of them: a source, for example,
    would be lost."""
    if depfile is not None and os.path.realpath(depfile) == os.path.realpath(manifest):
        raise WriteError(f"the manifest and the depfile cannot both be `{manifest}`", "give one of them another name")
    for path, own, kind in ((manifest, _OWN_MANIFEST, "manifest"), (depfile, _OWN_DEPFILE, "depfile")):
        if path is not None and path.is_file() and not own.match(_bytes(path)):
            hint = "choose another place, or say --force"
            raise WriteError(f"will not overwrite `{path}`, which is no {kind} of pclgen", hint)


def _bytes(path: Path) -> bytes:
    try:
        return read_regular(path)
    except OSError as error:
        raise WriteError(f"cannot read `{path}`: {error.strerror or error}") from error


def write_manifest(summary: Summary, manifest: Path, depfile: Path | None, folders: Iterable[Path]) -> None:
    """Write the manifest, and the depfile if there is to be one; `folders` are those in which programs were looked for.
    Raises `WriteError`."""
    if depfile is not None:
        _write(depfile, depfile_of(summary, manifest, depfile, folders))
    _write(manifest, manifest_of(summary))
    # Last, and after all else that was touched: build tools compare times.
    if summary.count(Status.FAILED):
        os.utime(manifest, (0, 0))
    else:
        os.utime(manifest)


def manifest_of(summary: Summary) -> str:
    """The manifest."""
    document = {
        "format_version": FORMAT_VERSION,
        "pclgen": {"version": VERSION, "digest": compiler_identity()},
        "programs": [_program(result) for result in summary.results],
    }
    return json.dumps(document, indent=2) + "\n"


def depfile_of(summary: Summary, manifest: Path, depfile: Path, folders: Iterable[Path]) -> str:
    """One rule that says what `manifest` depends on, and an empty one for each of these files, so that make goes on when one
    is gone.  A folder in or below which the build itself writes is left out: it changes with every first build.  Raises
    `WriteError` for a name that the syntax has no way to write."""
    written = [path for result in summary.results for path in result.outputs]
    busy = {parent for path in (*written, shown(manifest), shown(depfile)) for parent in _above(path)}
    files = {path for result in summary.results for path, digest in result.inputs.items() if digest is not None}
    files |= {shown(path) for path in compiler_files()}
    listed = {path for result in summary.results for path in result.folders} | {shown(folder) for folder in folders}
    listed = {path for path in listed if os.path.realpath(path) not in busy}
    depends = [_escaped(path) for path in sorted(files | listed)]
    rule = f"{_escaped(shown(manifest))}: " + " \\\n  ".join(depends) + "\n"
    return rule + "".join(f"\n{path}:\n" for path in depends if "%" not in path)  # else make reads a pattern


def _above(path: str) -> list[str]:
    return [str(parent) for parent in PurePosixPath(os.path.realpath(path)).parents]


def _escaped(path: str) -> str:
    if _UNWRITABLE.search(path):
        raise WriteError(f"a depfile cannot name {path!r}", "rename it, or leave out `--depfile`")
    path = re.sub(r"(\\*)([ \t#])", lambda found: found[1] * 2 + "\\" + found[2], path)
    path = path.replace("$", "$$").replace(":", "\\:")
    return "./" + path if path.startswith("~") else path


def _program(result: Result) -> Mapping[str, object]:
    return {
        "program": result.label,
        "ok": result.status is not Status.FAILED,
        "problem": problem_of(result.problem),
        "inputs": result.inputs,
        "folders": result.folders,
        "outputs": result.outputs,
        "diagnostics": [diagnostic_of(item) for item in result.diagnostics],
    }


def _write(path: Path, text: str) -> None:
    write_file(path, text.encode("utf-8", "surrogateescape"))
