"""The answers of generated programs.

Programs are pooled: `TOGETHER` programs for which the evaluator has a value share one generated program. A pool that is
not generated, does not compile or does not run to its end is halved until the failing programs are alone.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from pclgen import pipeline
from pclgen.choices import CodeStyle, JsonText
from pclgen.diagnostics.model import Severity
from pclgen.evaluate.models import EchoModel, Models
from pclgen.evaluate.settings import Settings
from pclgen.protocol.rpc import Missing as NoRpc
from pclgen.protocol.rpc import load
from pclgen.source.load import program_in_memory
from pclgen.trace import json as trace_json
from pclgen.trace.model import Trace
from pclgen.verify.checking import compile_python, compile_typescript
from pclgen.verify.environments import (
    go_environment,
    node_environment,
    python_environment,
)
from pclgen.verify.gobuild import GoModule
from pclgen.verify.hcl.judge import plain
from pclgen.verify.hcl.verification import NO_PACKAGES, refused
from pclgen.verify.launch import GoRunner, Runner, link_modules, node_runner, python_runner
from pclgen.verify.results import key_of
from pclgen.verify.running import Launch, Pool, run_staged, was_stopped
from pclgen.verify.subjects import Staged, Subject, stage
from tests.judge.programs import Case
from tests.judge.verdicts import BROKEN, FAILS, REFUSED, Answer, Value
from tests.support import earlier
from tests.support.verified import environments
from tests.support.waiting import PATIENCE

TOGETHER = 16
"""The number of programs in one generated program."""


@dataclass(frozen=True, slots=True)
class _Group:
    """Programs that share a generated program, and its name."""

    key: str
    cases: tuple[Case, ...]

    @property
    def halves(self) -> tuple[tuple[Case, ...], ...]:
        middle = len(self.cases) // 2
        return self.cases[:middle], self.cases[middle:]


def answers_of(
    language: str, cases: Sequence[Case], evaluated: Sequence[Answer], *, together: int = TOGETHER, types: bool = True
) -> list[Answer]:
    """The answer of each program in a language; `evaluated` are the evaluator's answers.

    Programs that `check` rejects are not generated, nor are programs that need too much memory.
    Without `types`, the type checkers of Python and TypeScript, which take most of the time, do not run.
    """
    by_index: dict[int, Answer] = {}
    pooled: list[Case] = []
    alone: list[Case] = []
    for index, (case, answer) in enumerate(zip(cases, evaluated, strict=True)):
        if answer.result == REFUSED or "too long to be evaluated" in answer.message:
            by_index[index] = answer
        elif isinstance(answer.result, Value):
            pooled.append(case)
        else:
            alone.append(case)
    positions = {id(case): index for index, case in enumerate(cases)}
    waiting = [tuple(pooled[at : at + together]) for at in range(0, len(pooled), together)] + [(case,) for case in alone]
    while waiting:
        groups = [_Group(f"p_group{number}_", members) for number, members in enumerate(waiting)]
        waiting = []
        for group, answers in zip(groups, _round(language, groups, types), strict=True):
            if isinstance(answers, Mapping):
                by_index |= {positions[id(case)]: answers[case.name] for case in group.cases}
            elif len(group.cases) == 1:
                by_index[positions[id(group.cases[0])]] = answers
            else:
                waiting += group.halves
    return [by_index[index] for index in range(len(cases))]


def _round(language: str, groups: Sequence[_Group], types: bool) -> list[Mapping[str, Answer] | Answer]:
    """The answers of each group, or its failure."""
    results: dict[str, Mapping[str, Answer] | Answer] = {}
    with tempfile.TemporaryDirectory(prefix="pclgen-judge-") as scratch, ExitStack() as stack:
        root = Path(scratch).resolve() / language
        root.mkdir()
        staged: list[Staged] = []
        keys: dict[str, str] = {}
        for group in groups:
            subject = _generated(group, language)
            if isinstance(subject, Answer):
                results[group.key] = subject
                continue
            keys[group.key] = _content_key(subject, language, types)
            stored = earlier.results().get(keys[group.key])
            if stored is not None:
                results[group.key] = _answers(trace_json.loads(stored))
            else:
                staged.append(stage(subject, language, root))
        broken, make = _compiled(language, staged, root, types)
        for key, messages in broken.items():
            results[key] = Answer(BROKEN, messages[0])
        good = [program for program in staged if program.subject.key not in broken]
        pool = Pool(make)
        stack.callback(pool.close)
        with ThreadPoolExecutor(max_workers=2) as threads:
            for program, trace in zip(good, threads.map(lambda program: _run(program, pool, root), good), strict=True):
                results[program.subject.key] = _answers(trace)
                if not was_stopped(trace):
                    earlier.results().put(keys[program.subject.key], trace_json.dumps(trace))
    return [results[group.key] for group in groups]


def _generated(group: _Group, language: str) -> Subject | Answer:
    source = program_in_memory(group.key, {"main.pp": "\n".join(map(str, group.cases))})
    result = pipeline.generate(source, languages=[language], store=NO_PACKAGES, style=CodeStyle(json=JsonText.CANONICAL))
    errors = [diagnostic for diagnostic in result.diagnostics if diagnostic.severity is Severity.ERROR]
    if errors or result.program is None:
        return refused(errors[0])
    return Subject(key=group.key, name=group.key, source=source, program=result.program, files=result.files)


def _compiled(
    language: str, staged: Sequence[Staged], root: Path, types: bool
) -> tuple[Mapping[str, Sequence[str]], Callable[[], Runner]]:
    """The type checker's messages by program, and a factory of runners for the other programs."""
    user_environments = environments()
    node = node_environment({}, user_environments.node_modules)
    if not staged:
        return {}, lambda: GoRunner(root)
    match language:
        case "python":
            python = python_environment({}, user_environments.python)
            return compile_python(staged, python, node, root) if types else {}, lambda: python_runner(python)
        case "typescript":
            link_modules(node, root)
            return compile_typescript(staged, node, root) if types else {}, lambda: node_runner(node)
        case _:
            go = go_environment({}, user_environments.go_module)
            binary, messages = GoModule(go, staged, root.parent / "module").build()
            return messages, lambda: GoRunner(binary)


def _content_key(subject: Subject, language: str, types: bool) -> str:
    texts = [part for path, text in sorted(subject.files[language].items()) for part in (str(path), text)]
    return key_of("answers", language, str(types), earlier.checking(__file__), *texts)


def _run(staged: Staged, pool: Pool, logs: Path) -> Trace:
    rpc = load()
    assert not isinstance(rpc, NoRpc)
    settings = Settings(project="judged")
    runner = pool.take()
    try:
        models = Models(EchoModel(()), {})
        return run_staged(Launch(rpc=rpc, models=models, logs=logs, timeout=PATIENCE), runner, staged, settings)
    finally:
        pool.give(runner)


def _answers(trace: Trace) -> Mapping[str, Answer] | Answer:
    if trace.failed:
        return Answer(FAILS, next(entry.message for entry in trace.log if entry.severity == "error"))
    return _Outputs({name: Answer(Value(plain(value))) for name, value in trace.outputs.items()})


class _Outputs(dict[str, Answer]):
    """The values of outputs; an output that was not sent is null."""

    def __missing__(self, name: str) -> Answer:
        return Answer(Value(None))
