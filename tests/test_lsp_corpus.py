"""Features of the language server over whole corpora, each program with its own schemas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from msgspec.structs import replace

from pclgen.bind.reading import read_sources
from pclgen.core.expr import Symbol
from pclgen.core.walk import expressions_of, references
from pclgen.diagnostics.model import DiagnosticBag, Severity
from pclgen.evaluate.run import evaluate_program
from pclgen.lsp.analysis import Analysis, Definition, DefinitionKind
from pclgen.lsp.features import places, symbols
from pclgen.lsp.features.completion import complete
from pclgen.lsp.features.hover import hints, hover
from pclgen.lsp.features.places import Edit, lenses
from pclgen.lsp.features.symbols import semantic_tokens
from pclgen.lsp.session import Session
from pclgen.lsp.workspace import Document
from pclgen.source.text import SourceFile, Span
from pclgen.syntax import ast
from pclgen.trace.json import dumps
from pclgen.trace.normal import normalise
from pclgen.verify.subjects import Subject
from tests.support.corpus import CORPUS, ROOT, SHARED, needs_corpus, program_directories
from tests.support.editing import session
from tests.support.field_runs import settings_of
from tests.support.rules import assert_followed, for_all
from tests.test_bind_corpus import RUNS

pytestmark = needs_corpus
REAL = CORPUS / "schemas" / "real"
YAML = ROOT / "tests" / "cases"


@dataclass(frozen=True)
class Case:
    """A program with its schemas."""

    file: Path
    schemas: tuple[Path, ...] = (REAL,)

    def __str__(self) -> str:
        return "-".join(self.file.parent.parts[-3:])


def cases() -> Iterator[Case]:
    """The programs beside the field programs."""
    for folder in program_directories("accepted-beyond-peer"):
        yield Case(folder / "main.pp")
    for file in sorted((SHARED / "spec" / "repro").glob("*/main.pp")):
        yield Case(file, (CORPUS / "schemas" / "codegen", REAL))
    for folder in program_directories("codegen"):
        yield Case(next(iter(sorted(folder.glob("*.pp")))), (CORPUS / "schemas" / "codegen",))
    for place, schemas, _ in RUNS:
        yield Case(sorted(place.glob("*.pp"))[0], tuple(CORPUS / "schemas" / "conformance" / name for name in schemas))


def yaml_cases() -> Iterator[Case]:
    """All programs in Pulumi YAML."""
    for folder in sorted((YAML / "yaml").iterdir()):
        file = next((folder / name for name in ("Main.yaml", "Pulumi.yaml") if (folder / name).is_file()), None)
        if file is not None:
            yield Case(file, (YAML / "yaml-schemas", REAL, CORPUS / "schemas" / "recovered"))


FIELD = [Case(folder / "main.pp") for folder in program_directories("field")]
BAD = [Case(folder / "main.pp") for folder in program_directories("bad")]
PCL = [*FIELD, *cases()]
IN_YAML = list(yaml_cases())


@cache
def shared(schemas: tuple[Path, ...]) -> Session:
    """The session for all programs with the same schemas."""
    return session(*schemas)


def analysis_of(case: Case) -> Analysis:
    analysis = shared(case.schemas).analyses.of(case.file)
    assert isinstance(analysis, Analysis)
    return analysis


def references_of(analysis: Analysis) -> Iterator[tuple[Symbol, Span]]:
    """The references that binding resolved to names of the program, as written in the source."""
    for node in analysis.program.nodes:
        for root in expressions_of(node):
            for symbol, span in references(root):
                if symbol.kind.value not in ("range.key", "range.value", "args", "error") and span.text == symbol.name:
                    yield symbol, span


def applied(text: str, edits: list[Edit]) -> str:
    for edit in sorted(edits, key=lambda edit: edit.span.start, reverse=True):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


def misses(case: Case) -> Iterator[str]:
    """References whose definition, which the server reads from the trees, is not the declaration that binding resolved."""
    analysis = analysis_of(case)
    for symbol, span in references_of(analysis):
        target = places.definition(analysis, analysis.files[span.file.name], span.start)
        at = target.span if target is not None else None
        is_inside = at is not None and symbol.span.start <= at.start <= at.end <= symbol.span.end
        if at is None or not is_inside or at.text.strip("\"'") != symbol.name:
            yield f"{case}: {span}: {symbol.name} leads to {at}"


def test_definition_answers_the_declaration_of_every_reference() -> None:
    assert_followed("definition answers the declaration", (miss for case in (*PCL, *IN_YAML) for miss in misses(case)))


def test_there_are_references() -> None:
    counts = [sum(len(list(references_of(analysis_of(case)))) for case in part) for part in (PCL, IN_YAML)]
    assert counts[0] > 500 and counts[1] > 150, counts


@for_all("case", FIELD)
def test_every_name_and_member_has_a_hover(case: Case) -> None:
    analysis = analysis_of(case)
    for tree in analysis.trees:
        for occurrence in analysis.names.occurrences[tree.source]:
            answer = hover(analysis, tree, occurrence.span.start)
            assert answer is not None and occurrence.definition.name in answer.text
        assert len(symbols.symbols(analysis, tree)) >= len(
            [definition for definition in analysis.names.top() if definition.span.file is tree.source]
        )
        symbols.folds(tree)


@for_all("case", [*FIELD, *BAD])
def test_colors_hints_and_selections(case: Case) -> None:
    analysis = analysis_of(case)
    for tree in analysis.trees:
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


@for_all("case", FIELD)
def test_every_input_is_offered_where_it_stands(case: Case) -> None:
    """Inputs and options of resources, inputs of components, attributes of configuration and outputs."""
    analysis = analysis_of(case)
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


@for_all("case", FIELD)
def test_every_reference_is_offered_where_it_stands(case: Case) -> None:
    analysis = analysis_of(case)
    for symbol, span in references_of(analysis):
        items = complete(analysis, analysis.files[span.file.name], span.end)
        assert symbol.name in {item.label for item in items}, span


def with_texts(case: Case, texts: dict[str, str]) -> Analysis:
    """The program after edits of its files."""
    own = shared(case.schemas)
    for name, text in texts.items():
        own.open(Document(uri=Path(name).as_uri(), path=Path(name), text=text, version=2))
    after = analysis_of(case)
    for name in texts:
        own.close(Path(name))
    return after


def useless_fixes(case: Case) -> Iterator[str]:
    """Fixes of a program that leave their diagnostic, or add another."""
    analysis = analysis_of(case)
    before = [(problem.code, problem.message) for problem in analysis.diagnostics]
    for diagnostic in analysis.diagnostics:
        fix, primary = diagnostic.fix, diagnostic.primary
        if fix is None or primary is None:
            continue
        text = applied(primary.file.text, [Edit(span=fix.span, text=fix.text)])
        left = [(problem.code, problem.message) for problem in with_texts(case, {primary.file.name: text}).diagnostics]
        same = (diagnostic.code, diagnostic.message)
        if left.count(same) >= before.count(same) or len(left) >= len(before):
            yield f"{case}: {primary}: {fix.title}: {left}"


def test_a_fix_removes_its_diagnostic() -> None:
    assert_followed("a fix removes its diagnostic", (fix for case in (*PCL, *BAD, *IN_YAML) for fix in useless_fixes(case)))


def test_there_are_fixes() -> None:
    assert sum(diagnostic.fix is not None for case in (*PCL, *IN_YAML) for diagnostic in analysis_of(case).diagnostics) > 3


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
        edits = places.rename(now, file, definition.span.start, f"renamed-{number}")
        assert edits
        for name, tree in now.files.items():
            texts[name] = applied(tree.source.text, [edit for edit in edits if edit.span.file.name == name])
    return texts


def every_name(analysis: Analysis) -> Iterator[Definition]:
    """All names except hooks: the engine identifies a hook only by its name in the program."""
    yield from (definition for definition in analysis.names.top() if definition.kind is not DefinitionKind.HOOK)
    yield from (loop for loop, _ in analysis.names.loops)


def run(analysis: Analysis) -> str:
    """A run as text, without positions, because new attributes move the code after them."""
    program = analysis.program
    subject = Subject(key="program", name=analysis.sources.name, source=analysis.sources, program=program, files={})
    trace = evaluate_program(program, settings_of(subject)).trace
    return re.sub(r'"(line|column)": \d+', "", dumps(normalise(trace)))


@for_all("case", PCL)
def test_a_program_with_other_names_is_the_same_program(case: Case) -> None:
    """Rename everything, including outputs and configuration: the program checks, and registers the same resources."""
    before = analysis_of(case)
    if errors_of(before):
        return  # renaming cannot cover a program with errors
    after = with_texts(case, renamed(before))
    assert errors_of(after) == []
    assert run(after) == run(before)


def errors_of(analysis: Analysis) -> list[str]:
    return [diagnostic.message for diagnostic in analysis.diagnostics if diagnostic.severity is Severity.ERROR]
