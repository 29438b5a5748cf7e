"""Features of the language server over whole corpora."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from msgspec.structs import replace

from pclgen.bind.reading import read_sources
from pclgen.core.walk import expressions_of, references
from pclgen.diagnostics.model import DiagnosticBag, Severity
from pclgen.evaluate.run import evaluate_program
from pclgen.lsp.analysis import Analysis
from pclgen.lsp.features import places, rename, symbols
from pclgen.lsp.features.completion import complete
from pclgen.lsp.features.hints import hints
from pclgen.lsp.features.hover import hover
from pclgen.lsp.features.places import lenses
from pclgen.lsp.features.rename import Edit
from pclgen.lsp.features.tokens import semantic_tokens
from pclgen.lsp.names import Definition, DefinitionKind
from pclgen.lsp.session import Session
from pclgen.lsp.workspace import Document
from pclgen.source.text import SourceFile, Span
from pclgen.syntax import ast
from pclgen.trace.json import dumps
from pclgen.trace.model import Trace
from pclgen.trace.normal import normalise
from pclgen.verify.subjects import Subject
from tests.support.corpus import CORPUS, needs_corpus, program_directories
from tests.support.editing import session
from tests.support.field_runs import settings_of

FIELD = program_directories("field")
REAL = CORPUS / "schemas" / "real"
_SHARED: list[Session] = []


def shared() -> Session:
    """The session for all programs, which reads the schemas once."""
    if not _SHARED:
        _SHARED.append(session(REAL))
    return _SHARED[0]


def analysis_of(folder: Path) -> Analysis:
    analysis = shared().analyses.of(folder / "main.pp")
    assert isinstance(analysis, Analysis)
    return analysis


def applied(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


@needs_corpus
@pytest.mark.parametrize("folder", FIELD, ids=lambda p: p.name)
def test_definition_answers_the_declaration_of_every_reference(folder: Path) -> None:
    """The server, which reads the trees, agrees with the references that binding resolved."""
    analysis = analysis_of(folder)
    checked = 0
    for node in analysis.program.nodes:
        for root in expressions_of(node):
            for symbol, span in references(root):
                file = analysis.files[span.file.name]
                if symbol.kind.value in ("range.key", "range.value", "args", "error") or span.text != symbol.name:
                    continue
                target = places.definition(analysis, file, span.start)
                assert target is not None and target.span is not None, span
                assert target.span.text == symbol.name
                assert symbol.span.start <= target.span.start <= target.span.end <= symbol.span.end, span
                checked += 1
    assert checked or not analysis.names.definitions


@needs_corpus
@pytest.mark.parametrize("folder", FIELD, ids=lambda p: p.name)
def test_every_name_and_member_has_a_hover(folder: Path) -> None:
    analysis = analysis_of(folder)
    for tree in analysis.trees:
        for occurrence in analysis.names.occurrences[tree.source]:
            answer = hover(analysis, tree, occurrence.span.start)
            assert answer is not None and occurrence.definition.name in answer.text
        assert len(symbols.symbols(analysis, tree)) >= len(
            [definition for definition in analysis.names.top() if definition.span.file is tree.source]
        )
        symbols.folds(tree)


@needs_corpus
@pytest.mark.parametrize("folder", [*FIELD, *program_directories("bad")], ids=lambda p: p.name)
def test_colors_hints_and_selections(folder: Path) -> None:
    analysis = shared().analyses.of(folder / "main.pp")
    for tree in analysis.trees if isinstance(analysis, Analysis) else ():
        assert isinstance(analysis, Analysis)
        tokens = semantic_tokens(analysis, tree)
        assert all(item.span.end <= following.span.start for item, following in pairwise(tokens))
        assert not any("\n" in token.span.text for token in tokens)
        assert {item.span.start for item in analysis.names.occurrences[tree.source]} <= {
            token.span.start for token in tokens
        }
        text = tree.source.text
        shown = hints(analysis, tree, 0, len(text))
        for hint in shown:
            assert text[hint.offset - 1].isalnum() or text[hint.offset - 1] in '_-"' or hint.is_parameter
        assert hints(analysis, tree, 1, 0) == []
        above = lenses(analysis, tree)
        declared = [item for item in analysis.names.top() if item.span.file is tree.source and item.kind is not DefinitionKind.OUTPUT]
        assert {lens.span: lens.text.split()[0] for lens in above} == {
            item.span: str(len([place for place in analysis.names.all_of(item) if not place.is_declaration]))
            for item in declared
        }
        for offset in range(0, len(text), 101):
            around = symbols.selections(tree, offset)
            assert all(outer.start <= inner.start <= inner.end <= outer.end for inner, outer in pairwise(around))
            assert around[-1].text == text


@needs_corpus
@pytest.mark.parametrize("folder", FIELD, ids=lambda p: p.name)
def test_every_input_is_offered_where_it_stands(folder: Path) -> None:
    """Inputs and options of resources, inputs of components, attributes of configuration and outputs."""
    analysis = analysis_of(folder)
    for tree in analysis.trees:
        for block in tree.body.items:
            for written in names_in(block) if isinstance(block, ast.Block) else ():
                items = complete(analysis, tree, written.end)
                assert written.text in {item.label for item in items}, written


def names_in(block: ast.Block) -> Iterator[Span]:
    """The names of the attributes and blocks in a block."""
    for item in block.body.items:
        if isinstance(item, ast.Attribute):
            yield item.name.span
        elif isinstance(item, ast.Block):
            yield item.type.span
            yield from names_in(item)


@needs_corpus
@pytest.mark.parametrize("folder", FIELD, ids=lambda p: p.name)
def test_every_reference_is_offered_where_it_stands(folder: Path) -> None:
    analysis = analysis_of(folder)
    for node in analysis.program.nodes:
        for root in expressions_of(node):
            for symbol, span in references(root):
                if span.text != symbol.name or symbol.kind.value in ("range.key", "range.value", "args", "error"):
                    continue
                items = complete(analysis, analysis.files[span.file.name], span.end)
                assert symbol.name in {item.label for item in items}, span


@needs_corpus
@pytest.mark.parametrize("folder", [*program_directories("bad"), *FIELD[:3]], ids=lambda p: p.name)
def test_a_fix_removes_its_diagnostic(folder: Path) -> None:
    analysis = analysis_of(folder)
    for diagnostic in analysis.diagnostics:
        if diagnostic.fix is None or diagnostic.primary is None:
            continue
        fix, path = diagnostic.fix, Path(diagnostic.primary.file.name)
        text = applied(diagnostic.primary.file.text, [Edit(span=fix.span, text=fix.text)])
        shared().open(Document(uri=path.as_uri(), path=path, text=text, version=2))
        after = analysis_of(folder)
        shared().close(path)
        left = [(problem.code, problem.message) for problem in after.diagnostics]
        assert (diagnostic.code, diagnostic.message) not in left
        assert len(left) < len(analysis.diagnostics)


def renamed(analysis: Analysis) -> dict[str, str]:
    """The texts of a program after renaming all of its names in sequence."""
    texts = {name: tree.source.text for name, tree in analysis.files.items()}
    for number in range(sum(1 for _ in every_name(analysis))):
        sources = [SourceFile(name, text) for name, text in texts.items()]
        trees = read_sources(sources, DiagnosticBag(), False)
        now = Analysis(
            sources=analysis.sources, store=analysis.store, bound=replace(analysis.bound, trees=tuple(trees)),
            choices=analysis.choices,
        )  # fmt: skip  # for readability
        definition = next((candidate for candidate in every_name(now) if not candidate.name.startswith("renamed")), None)
        if definition is None:
            break
        file = now.files[definition.span.file.name]
        edits = rename.rename(now, file, definition.span.start, f"renamed-{number}")
        assert edits
        for name, tree in now.files.items():
            texts[name] = applied(tree.source.text, [edit for edit in edits if edit.span.file.name == name])
    return texts


def every_name(analysis: Analysis) -> Iterator[Definition]:
    """All names except hooks: the engine identifies a hook only by its name in the program."""
    yield from (definition for definition in analysis.names.top() if definition.kind is not DefinitionKind.HOOK)
    yield from (loop for loop, _ in analysis.names.loops)


def run(analysis: Analysis) -> str:
    program = analysis.program
    subject = Subject(key="program", name=analysis.sources.name, source=analysis.sources, program=program, files={})
    return without_places(evaluate_program(program, settings_of(subject)).trace)


def without_places(trace: Trace) -> str:
    """A run as text, without positions, because new attributes move the code after them."""
    return re.sub(r'"(line|column)": \d+', "", dumps(normalise(trace)))


@needs_corpus
@pytest.mark.parametrize("folder", FIELD, ids=lambda p: p.name)
def test_a_program_with_other_names_is_the_same_program(folder: Path) -> None:
    """Rename everything, including outputs and configuration: the program checks, and registers the same resources."""
    before = analysis_of(folder)
    texts = renamed(before)
    for name, text in texts.items():
        shared().open(Document(uri=Path(name).as_uri(), path=Path(name), text=text, version=2))
    after = analysis_of(folder)
    for name in texts:
        shared().close(Path(name))
    assert [diagnostic.message for diagnostic in after.diagnostics if diagnostic.severity is Severity.ERROR] == []
    assert run(after) == run(before)
