"""Failed runs: the line of the generated program and the part of the source program that it comes from."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
from msgspec.structs import replace

from pclgen import pipeline
from pclgen.evaluate.settings import Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.sourcemaps import SourceMap
from pclgen.verify.report import Status, Verdict
from pclgen.verify.running import RETURNED, Place, places_in, places_in_stack, with_generated_lines
from pclgen.verify.subjects import Staged, Subject
from pclgen.verify.verification import with_places
from tests.support.verified import LANGUAGES, environments, subjects_in_memory, verified

pytestmark = pytest.mark.usefixtures("no_earlier_results")

MAIN = {"python": "__main__.py", "typescript": "index.ts", "go": "main.go"}

PROGRAM = """\
config items "list(string)" {
  default = ["a"]
}

config at int {
  default = 7
}

output found {
  value = items[at]
}
"""
"""It fails in a helper function, which comes from no part of the program; an output calls the helper."""
GOOD = PROGRAM.replace("default = 7", "default = 0")


def maps_of(text: str) -> Mapping[str, Mapping[PurePosixPath, SourceMap]]:
    program = program_in_memory("failing", {"main.pp": text})
    return pipeline.generate(program, languages=LANGUAGES, store=SchemaStore([]), source_maps=True).source_maps


def failed_run(subject: Subject, language: str, text: str) -> list[str]:
    """The end of the messages about the runs of a program: its own lines, and the place below them."""
    [verdict] = verified([subject], lambda _: Settings(), tools=environments(), languages=[language]).verdicts
    assert verdict.status is Status.FAILED
    update, preview = (
        [line for line in message.split("\n") if line.startswith(("  at ", "  from "))]
        for message in with_places(verdict, maps_of(text)).messages
    )
    assert update == preview
    return update


def line_with(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize("language", ["python", "typescript"])
def test_a_failed_run_names_the_program(language: str) -> None:
    [subject] = subjects_in_memory({"failing": PROGRAM}, SchemaStore([]), [language])
    [helper, use, place] = failed_run(subject, language, PROGRAM)
    text = subject.files[language][PurePosixPath(MAIN[language])]
    number = line_with(text, "pulumi.export(" if language == "python" else "export const found")
    assert use == f"  at {MAIN[language]}:{number}: {text.splitlines()[number - 1].strip()}"
    assert place == "  from main.pp:9:1: output `found`"
    assert helper.startswith(f"  at {MAIN[language]}:") and ("raise " in helper or "throw " in helper)


def test_the_worker_of_a_failed_program_runs_the_next_one(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[Sequence[str]] = []
    popen = subprocess.Popen

    def noted(command: Sequence[str], *arguments: Any, **options: Any) -> Any:
        started.extend([command] if any("node_worker" in str(part) for part in command) else [])
        return popen(command, *arguments, **options)

    monkeypatch.setattr("pclgen.verify.processes.subprocess.Popen", noted)
    programs = {"a": PROGRAM, "b": GOOD, "c": PROGRAM, "d": GOOD, "e": PROGRAM}
    subjects = subjects_in_memory(programs, SchemaStore([]))
    report = verified(subjects, lambda _: Settings(), tools=environments(), languages=["typescript"])
    statuses = {verdict.key: verdict.status for verdict in report.verdicts}
    assert [statuses[s.key] is Status.PASSED for s in subjects] == [text is GOOD for text in programs.values()]
    assert 1 <= len(started) <= 2, "one for each job"


def test_a_panic_in_go_names_the_program() -> None:
    [subject] = subjects_in_memory({"failing": GOOD}, SchemaStore([]), ["go"])
    main = PurePosixPath("main.go")
    text = subject.files["go"][main]
    panicking = text.replace("ctx.Export(", 'panic("no"); ctx.Export(')
    assert text != panicking
    files = {"go": {**subject.files["go"], main: panicking}}
    number = line_with(panicking, "panic(")
    first, *_, place = failed_run(replace(subject, files=files), "go", GOOD)
    assert first == f"  at main.go:{number}: {panicking.splitlines()[number - 1].strip()}"
    assert place == "  from main.pp:9:1: output `found`"


def test_an_error_that_go_returns_names_the_program() -> None:
    [subject] = subjects_in_memory({"failing": PROGRAM}, SchemaStore([]), ["go"])
    text = subject.files["go"][PurePosixPath("main.go")]
    number = line_with(text, "found, err := itemAt") + 2
    assert failed_run(subject, "go", PROGRAM) == [f"  at main.go:{number}: return err", "  from main.pp:9:1: output `found`"]


STACKS = {
    "python": """\
Traceback (most recent call last):
  File "/other/__main__.py", line 1, in <module>
    run()
  File "/scratch/p_k_/__main__.py", line 1, in <module>
    fail()
  File "/scratch/p_k_/web.py", line 2, in fail
    raise ValueError
  File "/scratch/p_k_/absent.py", line 9, in fail
ValueError
""",
    "typescript": """\
Error: no
    at Object.readFileSync (node:fs:448:20)
    at fail (/scratch/p_k_/web.ts:2:5)
    at /scratch/p_k_/web.ts:2:5
    at async /scratch/p_k_/index.ts:1:22
    at load (/other/index.ts:1:1)
""",
    "go": """\
panic: no

goroutine 1 [running]:
example/p_k_.fail(0x1)
\t/module/p_k_/web.go:2 +0x1d
example/p_k_.Main()
\t/module/p_k_/main.go:1 +0x2f
main.main()
\t/module/main.go:1 +0x2f
""",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_lines_of_the_program_in_stacks(language: str) -> None:
    [subject] = subjects_in_memory({"k": PROGRAM}, SchemaStore([]), [language])
    main = MAIN[language]
    web = f"web{PurePosixPath(main).suffix}"
    files = {language: {PurePosixPath(main): "first\nsecond", PurePosixPath(web): "third\n\tfourth"}}
    staged = Staged(subject=replace(subject, files=files), language=language, folder=Path("/scratch/p_k_"))
    places = places_in_stack(staged, STACKS[language])
    assert places == (Place(PurePosixPath(web), 2), Place(PurePosixPath(main), 1))
    message = with_generated_lines("it fails:\n  at first: no\n", places, staged)
    assert message.endswith(f"\n  at {web}:2: fourth\n  at {main}:1: first")
    assert places_in(message) == places
    assert places_in(message + "\nbehind") == ()
    assert places_in_stack(staged, "it failed") == ()


def test_errors_that_go_returned_and_handled_earlier_are_no_places() -> None:
    [subject] = subjects_in_memory({"k": PROGRAM}, SchemaStore([]), ["go"])
    staged = Staged(subject=subject, language="go", folder=Path("/scratch/p_k_"))
    printed = f"{RETURNED}\n\t/module/p_k_/main.go:3\n{RETURNED}\n\t/module/p_k_/main.go:9\n\t/module/p_k_/main.go:7\nerror: no\n"
    main = PurePosixPath("main.go")
    assert places_in_stack(staged, printed) == (Place(main, 9), Place(main, 7))


def test_failures_without_a_stack_name_no_place() -> None:
    verdict = Verdict(key="k", language="go", level="run", status=Status.FAILED, messages=("update: the program fails: no",))
    assert with_places(verdict, maps_of(PROGRAM)) == verdict
