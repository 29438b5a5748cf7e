"""Verification of the evaluator's values: those of a program that are pure are computed by HashiCorp's HCL, too.

Pure values are the locals, defaults of configuration, and outputs that need only each other and functions that HCL also has.
The defaults of configuration are used. Programs in Pulumi YAML, and those without a pure value, get no verdict.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from msgspec import Struct

from pclgen.bind.scope import free_names
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.evaluate.run import evaluate_program
from pclgen.evaluate.settings import Settings
from pclgen.graph.order import without_users
from pclgen.pipeline import bind
from pclgen.schema.load import SchemaStore
from pclgen.source.load import is_yaml, program_in_memory
from pclgen.source.text import SourceFile, Span, one_line
from pclgen.syntax import ast
from pclgen.syntax.parse import parse_file
from pclgen.syntax.walk import walk
from pclgen.verify.environments import InstallError, judge_environment
from pclgen.verify.hcl.judge import AGREEING, FAILS, REFUSED, Answer, Judge, Value, compare, judgements, plain
from pclgen.verify.report import Status, Verdict
from pclgen.verify.subjects import Subject

LANGUAGE: Final = "hcl"
NO_PACKAGES: Final = SchemaStore([])


def compare_with_hcl(subjects: Sequence[Subject]) -> Iterator[Verdict]:
    """Yield a verdict for each program with pure values."""
    programs = [(subject, pure) for subject in subjects if (pure := _pure_values(subject)).values]
    if not programs:
        return
    try:
        judge = Judge(judge_environment())
    except InstallError as error:
        for subject, _ in programs:
            yield _verdict(subject, Status.NOT_VERIFIED, str(error))
        return
    for subject, pure in programs:
        try:
            # Most programs agree as a whole. Where one does not, each value is judged alone: one that fails fails all.
            differing = _differences(pure, [pure.values], judge)
            if differing:
                differing = _differences(pure, [(value,) for value in pure.values], judge)
        except (OSError, subprocess.CalledProcessError) as error:
            yield _verdict(subject, Status.NOT_VERIFIED, f"the judge fails: {error}")
            continue
        yield _verdict(subject, Status.FAILED if differing else Status.PASSED, *differing)


def evaluate_pure(text: str) -> Answer:
    """Return the evaluator's answer to a program of one output without packages."""
    checked = bind(program_in_memory("pure", {"main.pp": text}), NO_PACKAGES)
    error = next((diagnostic for diagnostic in checked.diagnostics if diagnostic.severity is Severity.ERROR), None)
    if error is not None or checked.program is None:
        assert error is not None
        return refused(error)
    run = evaluate_program(checked.program, Settings(project="pure"))
    if run.trace.failed:
        return Answer(FAILS, next(entry.message for entry in run.diagnostics if entry.severity is Severity.ERROR))
    (value,) = run.trace.outputs.values()
    return Answer(Value(plain(value)))


def refused(error: Diagnostic) -> Answer:
    """Return the answer for a program with an error."""
    place = "" if error.primary is None else f" at {error.primary}"
    return Answer(REFUSED, f"{error.code}{place}: {error.message}")


def _pure_values(subject: Subject) -> PureValues:
    files = [file for file in subject.source.files if not is_yaml(file.name) and not subject.source.is_pack]
    texts = (SourceFile(file.name, file.data.decode("utf-8-sig")) for file in files)
    return pure_values([parse_file(text, DiagnosticBag()) for text in texts])


def _differences(pure: PureValues, groups: Sequence[Sequence[PureValue]], judge: Judge) -> list[str]:
    """Return a sentence for each value that differs; the values of a group are evaluated together."""
    texts = [pure.program(group) for group in groups]
    sentences: list[str] = []
    for group, text, judgement in zip(groups, texts, judgements(judge, texts), strict=True):
        evaluated = evaluate_pure(text)
        for number, value in enumerate(group):
            answer, member = evaluated.member(f"v{number}"), judgement.member(f"v{number}")
            if compare(member, answer, text) not in AGREEING:
                sentences.append(f"{value.span}: {value.label}: pclgen {_shown(answer)}, HCL {_shown(member.hcl)}")
    return sentences


def _shown(answer: Answer) -> str:
    if isinstance(answer.result, Value):
        return f"has {json.dumps(answer.result.json, ensure_ascii=False)}"
    return f"fails ({one_line(answer.message)})"


def _verdict(subject: Subject, status: Status, *messages: str) -> Verdict:
    return Verdict(key=subject.key, language=LANGUAGE, level="run", status=status, messages=messages)


# -- pure values ------------------------------------------------------------------------------------------------------------

JUDGED_FUNCTIONS: Final = frozenset(
    {"try", "can", "element", "join", "split", "max", "min", "range", "toJSON", "lookup", "length", "entries"}
    | {"singleOrNone", "toBase64", "secret", "unsecret"}
)
"""The functions of the judge (`go/functions.go`)."""


class PureValue(Struct, frozen=True):
    """A pure value: its name in messages, its span, an expression for it, and the declarations that this needs directly."""

    label: str
    span: Span
    expression: str
    needed: tuple[str, ...]


class PureValues(Struct, frozen=True):
    """The pure values of a program, and its pure declarations by name.

    A declaration has its text, and the names of the declarations that it needs directly.
    """

    values: tuple[PureValue, ...]
    declarations: Mapping[str, tuple[str, tuple[str, ...]]]

    def needed_by(self, values: Iterable[PureValue]) -> list[str]:
        """Return the texts of all declarations that `values` need."""
        waiting = [name for value in values for name in value.needed]
        texts: dict[str, str] = {}
        while waiting:
            name = waiting.pop()
            if name not in texts:
                texts[name], needed = self.declarations[name]
                waiting += needed
        return list(texts.values())

    def program(self, values: Iterable[PureValue]) -> str:
        """Return a program whose only output is an object that has `values` as its members `v0`, `v1`, ..."""
        members = [f"v{number} = {value.expression}" for number, value in enumerate(values)]
        return "\n".join([*self.needed_by(values), "output o {", "value = {", *members, "}", "}", ""])


def pure_values(files: Iterable[ast.File]) -> PureValues:
    """Return the pure values of the files of one program."""
    declarations: dict[str, tuple[str, tuple[str, ...]]] = {}
    candidates: list[PureValue] = []
    impure: list[str] = []
    for item in (item for file in files for item in file.body.items):
        match item:
            case ast.Attribute(name=ast.Name(text=name), value=value):
                label = f"local `{name}`"
            case ast.Block(type=ast.Name(text="config"), labels=(ast.Label(text=name), *_)) if (
                # HCL has `optional` for members of objects only.
                (default := _attribute(item, "default")) is not None and "(optional(" not in item.head.text
            ):
                label, value = f"configuration `{name}`", default
            case ast.Block(type=ast.Name(text="output"), labels=(ast.Label(text=name), *_)) if (
                (result := _attribute(item, "value")) is not None and _is_judged(result)
            ):
                candidates.append(PureValue(f"output `{name}`", item.span, result.span.text, _names(result)))
                continue
            case _:
                continue
        declarations[name] = item.span.text, _names(value)
        candidates.append(PureValue(label, item.span, name, (name,)))
        impure += [] if _is_judged(value) else [name]
    pure = without_users({name: needed for name, (_, needed) in declarations.items()}, impure)
    return PureValues(
        values=tuple(value for value in candidates if pure.issuperset(value.needed)),
        declarations={name: declarations[name] for name in declarations if name in pure},
    )


def _attribute(block: ast.Block, name: str) -> ast.Expr | None:
    attributes = (item for item in block.body.items if isinstance(item, ast.Attribute))
    return next((attribute.value for attribute in attributes if attribute.name.text == name), None)


def _names(expression: ast.Expr) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name, _ in free_names(expression)))


def _is_judged(expression: ast.Expr) -> bool:
    return {node.name.text for node in walk(expression) if isinstance(node, ast.Call)} <= JUDGED_FUNCTIONS
