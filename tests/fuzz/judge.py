"""The rules that every input must satisfy.

A finding is an undocumented exception, "pclgen itself failed", a second layout that differs from the first, or output that
its language cannot parse.  Generated TypeScript and Go go to a folder, to be parsed in batches (`printed`).
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from random import Random
from tempfile import TemporaryDirectory

import pclgen
from pclgen import formatting, pipeline
from pclgen.cli.app import main
from pclgen.core.program import ConfigVariable, Program
from pclgen.deps.archive import ArchiveError
from pclgen.deps.opened import open_package
from pclgen.diagnostics.formats import OUTPUT_FORMATS, render
from pclgen.diagnostics.model import Diagnostic, Severity
from pclgen.schema.load import SchemaStore
from pclgen.source.load import PACK_SUFFIX, LoadedProgram, LoadError, RawFile, is_yaml
from pclgen.types.show import show
from tests.fuzz.cases import Case, Kind, schema_files
from tests.fuzz.seeds import Program as Source
from tests.fuzz.seeds import loaded

LANGUAGES = ("python", "typescript", "go")
_PACKAGE = Path(pclgen.__file__).parent
# The package's own folder, since a clone may have the package's name, too.
_INTERNAL = re.compile(rf'File "{re.escape(str(_PACKAGE.parent))}/({_PACKAGE.name}/[^"]+)", line (\d+), in (\S+)')


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A fault: `what` is the same for all inputs that show the same fault, `detail` helps to find the cause."""

    what: str
    detail: str


def judge(case: Case, texts: Path) -> Iterator[Finding]:
    """The faults in pclgen's results for `case`; TypeScript and Go go to `texts`."""
    try:
        match case.kind:
            case Kind.SIDE:
                yield from _judge_commands(case)
            case Kind.PACK:
                yield from _judge_pack(case)
            case Kind.PROGRAM | Kind.SCHEMA:
                yield from _judge_program(case, texts)
    except Exception as error:  # the judge looks for any exception
        yield crashed(error)


def crashed(error: BaseException) -> Finding:
    """The finding for an exception."""
    text = "".join(traceback.format_exception(error, limit=-40))
    return Finding(what=f"{type(error).__name__} in {_place(text)}", detail=text)


def _place(text: str) -> str:
    """The innermost function of pclgen in a traceback."""
    frames = _INTERNAL.findall(text)
    return f"{frames[-1][0]}:{frames[-1][1]} {frames[-1][2]}" if frames else "?"


@cache
def _shared_store(schemas: tuple[Path, ...]) -> SchemaStore:
    return SchemaStore(schemas)


def _store(case: Case, folder: Path) -> SchemaStore:
    if not case.schemas:
        return _shared_store(case.program.schemas)
    for name, path in schema_files(case.program.schemas).items():
        if name in case.schemas:
            (folder / name).write_bytes(case.schemas[name])
        else:
            (folder / name).symlink_to(path)
    return SchemaStore([folder])


def _judge_program(case: Case, texts: Path) -> Iterator[Finding]:
    program = loaded(case.program)
    if case.kind is Kind.PROGRAM:
        for raw in program.files:
            yield from _judge_format(raw)
    with TemporaryDirectory(prefix="pclgen-fuzz-") as scratch:
        store = _store(case, Path(scratch))
        result = pipeline.generate(program, languages=LANGUAGES, store=store, lenient=case.lenient)
        yield from _judge_report(case, result.diagnostics)
        if result.program is None:
            return
        for language in LANGUAGES:
            for path, text in result.files[language].items():
                yield from _judge_text(path, text)
                if path.suffix in (".ts", ".go"):
                    _put(texts / f"{case.number}-{str(path).replace('/', '-')}", text)
        inputs = pipeline.inputs_for_run(program, preview=case.preview, config=_config(result.program, case.config))
        ran = pipeline.evaluate_checked(result.program, inputs, result.diagnostics)
        yield from _judge_report(case, ran.diagnostics)


def _judge_pack(case: Case) -> Iterator[Finding]:
    """An untrusted pack is a program, or one error; as a component it is a component, or has a reason why not."""
    assert case.pack is not None
    raw = RawFile(name=f"it{PACK_SUFFIX}", path=None, data=case.pack)
    program = LoadedProgram(name="it", root=Path(), files=(raw,))
    result = pipeline.generate(program, languages=LANGUAGES, store=SchemaStore(), lenient=case.lenient)
    yield from _judge_report(case, result.diagnostics)
    codes = sorted({diagnostic.code for diagnostic in result.diagnostics if diagnostic.code in ("PCL1501", "PCL1502")})
    if codes and sum(diagnostic.severity is Severity.ERROR for diagnostic in result.diagnostics) != 1:
        yield Finding(what=f"{codes[0]} and more", detail=render(result.diagnostics, "text"))
    if result.program is not None:
        inputs = pipeline.inputs_for_run(program, preview=case.preview, config=_config(result.program, case.config))
        ran = pipeline.evaluate_checked(result.program, inputs, result.diagnostics)
        yield from _judge_report(case, ran.diagnostics)
        yield from _judge_report(case, pipeline.graph(program, store=SchemaStore(), lenient=case.lenient).diagnostics)
    with contextlib.suppress(ArchiveError):
        opened = open_package(case.pack)
        using = {name: text for name, text in opened.files.items() if name.endswith(".pp")}
        files = {"main.pp": b'component it "./it" {\n}\n', **{f"it/{name}": text for name, text in using.items()}}
        pipeline.check(loaded(Source(files=files)), store=SchemaStore())


def _put(place: Path, text: str) -> None:
    """Write a file atomically."""
    hidden = place.with_name(f"{place.name}.part")
    hidden.write_bytes(text.encode())
    hidden.rename(place)


def _judge_format(raw: RawFile) -> Iterator[Finding]:
    """Formatting is idempotent."""
    first = (formatting.convert_source if is_yaml(raw.name) else formatting.format_source)(raw)
    if first.text is not None:
        again = formatting.format_source(RawFile(name="main.pp", path=None, data=first.text.encode()))
        if again.text is None:
            yield Finding(what="fmt writes what it cannot read", detail=render(again.diagnostics, "text"))
        elif again.text != first.text:
            yield Finding(what="fmt changes its own layout", detail=_difference(first.text, again.text))


def _difference(first: str, second: str) -> str:
    pairs = zip(first.split("\n"), second.split("\n"), strict=False)
    return next((f"{a!r}\n{b!r}" for a, b in pairs if a != b), "the last lines")


def _judge_report(case: Case, diagnostics: Sequence[Diagnostic]) -> Iterator[Finding]:
    """Diagnostics can be rendered, in a format that varies with the case, and cannot control a terminal."""
    shown = render(diagnostics, OUTPUT_FORMATS[case.number % len(OUTPUT_FORMATS)])
    control = re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", shown)
    if control is not None:
        yield Finding(what=f"a report with {control[0]!r}", detail=shown[max(0, control.start() - 200) :][:400])


def _judge_text(path: PurePosixPath, text: str) -> Iterator[Finding]:
    """Files that the running Python can parse."""
    try:
        match path.suffix:
            case ".py":
                ast.parse(text)
            case ".json":
                json.loads(text)
            case ".yaml":
                import yaml

                yaml.safe_load(text)
            case _:
                text.encode()
    except Exception as error:  # each parser raises its own class
        where = re.sub(r"\d+", "n", str(error).partition("\n")[0])[:80]
        yield Finding(what=f"{path.name} is not {path.suffix}: {where}", detail=f"{error}\n{_around(text, error)}")


def _around(text: str, error: Exception) -> str:
    line = getattr(error, "lineno", None) or 1
    return "\n".join(text.splitlines()[max(0, line - 6) : line + 3])[:3000]


_SAMPLES = {"string": "text", "int": "3", "number": "2.5", "bool": "true"}


def _config(program: Program, mutated: str | None) -> dict[str, str]:
    """A value for each variable, so that runs get past the configuration."""
    values = {}
    for node in program.nodes:
        if isinstance(node, ConfigVariable):
            kind = show(node.type)
            sample = _SAMPLES.get(kind) or ('["a"]' if kind.startswith(("list", "set")) else "{}")
            values[node.logical_name] = mutated if mutated is not None else sample
    return values


def _judge_commands(case: Case) -> Iterator[Finding]:
    """The command line over a folder with the mutated files."""
    with TemporaryDirectory(prefix="pclgen-fuzz-") as scratch:
        folder = Path(scratch) / "program"
        for name, data in {**case.program.files, **case.side}.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        out = Path(scratch) / "out"
        if case.manifest is not None:
            (out / "python").mkdir(parents=True)
            (out / "python" / ".pclgen.json").write_bytes(case.manifest)
        usual = [str(folder), "--no-cache", "--sources", "files"]
        for place in case.program.schemas:
            usual += ["--schemas", str(place)]
        files = [("--config-file", "stack.yaml"), ("--replay", "replay.json")]
        run_options = [part for option, name in files if name in case.side for part in (option, str(folder / name))]
        run_options += [] if case.config is None else ["--config", f"name={case.config}"]
        language = Random(case.number).choice(LANGUAGES)
        yield from _judge_command(["check", *usual])
        yield from _judge_command(["generate", *usual, "--out", str(out / "python"), "-l", language])
        yield from _judge_command(["evaluate", *usual, *run_options])
        for path in sorted(out.rglob("*")):
            if path.is_file() and path.name != ".pclgen.json":
                yield from _judge_text(PurePosixPath(path), path.read_text(encoding="utf-8"))


def _judge_command(arguments: Sequence[str]) -> Iterator[Finding]:
    os.environ["PCLGEN_TRACEBACK"] = "1"
    printed, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(errors):
        status = main(arguments)
    if status not in (0, 1, 2):
        text = errors.getvalue()
        last = [line for line in text.splitlines() if re.match(r"[\w.]+(?:: |$)", line)]
        kind = last[0].partition(":")[0] if last else "?"
        yield Finding(what=f"exit {status}: {kind} in {_place(text)}", detail=f"{' '.join(arguments)}\n{text}")


__all__ = ["Finding", "LoadError", "crashed", "judge"]
