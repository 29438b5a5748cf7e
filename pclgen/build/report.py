"""Reports of a build: a summary line, the JSON document, and for other build tools a manifest and its depfile.

The manifest is JSON; the same sources yield the same text, independent of earlier builds. The depfile names
all dependencies of the manifest, in the syntax of make and ninja. A failed build dates its manifest back to the epoch, so
that tools build it again.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from pclgen.build.compile import compiler_files, compiler_identity
from pclgen.build.dependencies import display_path
from pclgen.build.model import Problem, Result, Status, Summary
from pclgen.choices import Action
from pclgen.diagnostics.machine import FORMAT_VERSION, diagnostic_of, document_of
from pclgen.emit.write import WriteError, write_file
from pclgen.source.files import read_regular
from pclgen.version import VERSION


def sentence(summary: Summary, action: Action) -> str:
    """One line: `built 12 programs: 3 generated, 8 unchanged, 1 failed, 2 folders removed`."""
    total = len(summary.results)
    verb = "built" if action is Action.WRITE else "looked at"
    words = {
        Status.GENERATED: "generated" if action is Action.WRITE else "would change",
        Status.UNCHANGED: "unchanged",
        Status.FAILED: "failed",
    }
    counts = [f"{number} {word}" for status, word in words.items() if (number := summary.count(status))]
    if summary.removed:
        folders = f"{len(summary.removed)} folder{'s' if len(summary.removed) != 1 else ''}"
        counts.append(f"{folders} removed" if action is Action.WRITE else f"{folders} would be removed")
    programs = f"{total} program{'s' if total != 1 else ''}"
    return f"{verb} {programs}: {', '.join(counts)}" if counts else f"{verb} {programs}"


def as_json(summary: Summary) -> str:
    """Return the document of `--output-format json`: that of other commands plus `programs`, `removed` and `summary`."""
    document = document_of(item for result in summary.results for item in result.diagnostics)
    document["programs"] = [_program(result) for result in summary.results]
    document["removed"] = [folder.as_posix() for folder in summary.removed]
    document["summary"] = {
        **{status.value: summary.count(status) for status in Status},
        "removed": len(summary.removed),
        "from_cache": sum(result.from_cache for result in summary.results),
    }
    return json.dumps(document, indent=2) + "\n"


def _program(result: Result) -> Mapping[str, object]:
    return {
        "program": result.label,
        "status": result.status.value,
        "problem": problem_of(result.problem),
        "written": list(result.written),
        "refused": list(result.refused),
        "changes": [{"path": change.path.as_posix(), "deleted": change.deleted} for change in result.changes],
        "from_cache": result.from_cache,
    }


def problem_of(problem: Problem | None) -> Mapping[str, object] | None:
    """Return a problem as plain data."""
    if problem is None:
        return None
    return {"message": problem.message, "help": problem.hint, "blame": problem.blame.value}


_OWN_MANIFEST = re.compile(rb"""\s*\Z|\{\s*"format_version": \d+,\s*"pclgen": \{""")
_OWN_DEPFILE = re.compile(rb"\s*\Z|[^\n]+: (?:[^\n]+ \\\n  )*[^\n]+\n(?:\n[^\n]+:\n)+\Z")
_UNWRITABLE = re.compile(r"[\n\r;|]|\\#")
"""Characters in a file name that neither make nor ninja can express."""


def check_places(manifest: Path, depfile: Path | None) -> None:
    """Raise `WriteError` if both are the same file, or if either exists but is another kind of file, such as a source."""
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
    """Write the manifest, and the depfile if requested; `folders` are those searched for programs. Raises `WriteError`."""
    if depfile is not None:
        _write(depfile, depfile_of(summary, manifest, depfile, folders))
    _write(manifest, manifest_of(summary))
    # Build tools compare times, so the manifest must be the newest file.
    if summary.count(Status.FAILED):
        os.utime(manifest, (0, 0))
    else:
        os.utime(manifest)


def manifest_of(summary: Summary) -> str:
    """Return the text of the manifest; the results of `summary` must list inputs and outputs (`BuildContext.is_listed`)."""
    document = {
        "format_version": FORMAT_VERSION,
        "pclgen": {"version": VERSION, "digest": compiler_identity()},
        "programs": [_described(result) for result in summary.results],
    }
    return json.dumps(document, indent=2) + "\n"


def depfile_of(summary: Summary, manifest: Path, depfile: Path, folders: Iterable[Path]) -> str:
    """Return a rule with the dependencies of `manifest`, and an empty rule for each: make then accepts deleted files.

    Folders that the build writes into, at any depth, are omitted, since every first build changes them. Raises
    `WriteError` for a name that the syntax cannot express.
    """
    written = [path for result in summary.results for path in result.outputs]
    busy = {parent for path in (*written, display_path(manifest), display_path(depfile)) for parent in _above(path)}
    files = {path for result in summary.results for path, digest in result.inputs.items() if digest is not None}
    files |= {display_path(path) for path in compiler_files()}
    listed = {path for result in summary.results for path in result.folders} | {display_path(folder) for folder in folders}
    listed = {path for path in listed if os.path.realpath(path) not in busy}
    depends = [_escaped(path) for path in sorted(files | listed)]
    rule = f"{_escaped(display_path(manifest))}: " + " \\\n  ".join(depends) + "\n"
    return rule + "".join(f"\n{path}:\n" for path in depends if "%" not in path)  # make would read a pattern


def _above(path: str) -> list[str]:
    return [str(parent) for parent in PurePosixPath(os.path.realpath(path)).parents]


def _escaped(path: str) -> str:
    if _UNWRITABLE.search(path):
        raise WriteError(f"a depfile cannot name {path!r}", "rename it, or omit `--depfile`")
    path = re.sub(r"(\\*)([ \t#])", lambda match: match[1] * 2 + "\\" + match[2], path)
    path = path.replace("$", "$$").replace(":", "\\:")
    return "./" + path if path.startswith("~") else path


def _described(result: Result) -> Mapping[str, object]:
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
