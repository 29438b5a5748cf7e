"""Verification with the pinned environments of the tests.

Program directories become subjects, and reports of `pclgen.verify` on the SDKs of `toolchains`; unpublished Go packages are
generated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from pclgen import pipeline
from pclgen.choices import PLAIN_STYLE, CodeStyle, JsonText
from pclgen.diagnostics.formats import render
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram, load_program, program_in_memory
from pclgen.verify.comparison import Evaluations
from pclgen.verify.environments import UserEnvironments
from pclgen.verify.report import Level, Report
from pclgen.verify.subjects import Subject, make_keys
from pclgen.verify.verification import VerifyOptions, verify
from tests.support import earlier, toolchains
from tests.support.corpus import CORPUS
from tests.support.sdks.corpus import UNPUBLISHED
from tests.support.sdks.go import sdk_kit
from tests.support.waiting import PATIENCE

LANGUAGES = ("python", "typescript", "go")


@cache
def environments(*, unpublished: bool = False) -> UserEnvironments:
    """The pinned environments.  Raises `ToolError`."""
    module = toolchains.go().module
    if unpublished:
        module = sdk_kit([CORPUS / "schemas" / "real" / name for name in UNPUBLISHED]).module
    return UserEnvironments(python=toolchains.python().python, node_modules=toolchains.node().modules, go_module=module)


def subjects_of(
    paths: Sequence[Path], store: SchemaStore, languages: Sequence[str] = LANGUAGES
) -> list[Subject]:
    """The programs in these directories, generated."""
    return _subjects([load_program(str(path)) for path in paths], store, languages)


def subjects_in_memory(
    texts: Mapping[str, str],
    store: SchemaStore,
    languages: Sequence[str] = LANGUAGES,
    *,
    style: CodeStyle = PLAIN_STYLE,
) -> list[Subject]:
    """Programs of one file each, by name."""
    programs = {name: {"main.pp": text} for name, text in texts.items()}
    return programs_in_memory(programs, store, languages, style=style)


def programs_in_memory(
    programs: Mapping[str, Mapping[str, str]],
    store: SchemaStore,
    languages: Sequence[str] = LANGUAGES,
    *,
    style: CodeStyle = PLAIN_STYLE,
) -> list[Subject]:
    """Programs by name, each as texts by path: `main.pp`, and `web/main.pp` for the component `./web`."""
    loaded = [program_in_memory(name, files) for name, files in programs.items()]
    return _subjects(loaded, store, languages, style=style)


def configured(values: Mapping[str, Mapping[str, str]]) -> Callable[[Subject], Settings]:
    """The settings of each subject: the values of its configuration, by the subject's name."""

    def settings(subject: Subject) -> Settings:
        texts = values[subject.name].items()
        return Settings(config={f"{subject.name}:{key}": ConfigValue(text) for key, text in texts})

    return settings


def _subjects(
    programs: Sequence[LoadedProgram],
    store: SchemaStore,
    languages: Sequence[str],
    *,
    style: CodeStyle = PLAIN_STYLE,
) -> list[Subject]:
    subjects: list[Subject] = []
    for program, key in zip(programs, make_keys([program.name for program in programs]), strict=True):
        result = pipeline.generate(program, languages=languages, store=store, style=style)
        assert result.program is not None, render(result.diagnostics, "text", color=False, width=None)
        subjects.append(
            Subject(
                key=key,
                name=program.name,
                source=program,
                program=result.program,
                files=result.files,
                json_values=style.json is JsonText.NATURAL,
            )
        )
    return subjects


def verified(
    subjects: Sequence[Subject],
    settings: Callable[[Subject], Settings],
    *,
    tools: UserEnvironments,
    languages: Sequence[str] = LANGUAGES,
    levels: Sequence[Level] = ("run",),
) -> Report:
    """The report of a verification; two programs run at a time, unless they passed earlier."""
    options = VerifyOptions(
        languages=tuple(languages),
        levels=tuple(levels),
        evaluations=Evaluations(settings, timeout=PATIENCE),
        user_environments=tools,
        jobs=2,
        results=earlier.results(),
    )
    return verify(subjects, options)
