"""Completions, and the signatures of calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from pclgen.bind.reading import read_sources
from pclgen.core.program import Resource
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.lsp.analysis import Analysis
from pclgen.lsp.features import completion
from pclgen.lsp.features.completion import complete, signature_at
from pclgen.lsp.session import Session, generated
from pclgen.source.text import SourceFile
from pclgen.types.declarations import Shape
from tests.support.corpus import CORPUS, needs_corpus, program_directories
from tests.support.editing import session, viewed

PET = 'resource pet "random:index/randomPet:RandomPet" {\n  length = 2\n}\n'


def offered(text: str, folder: Path) -> list[str]:
    view, at = viewed(folder, text)
    items = complete(view.analysis, view.file, at)
    return [item.label for item in sorted(items, key=lambda item: (item.rank, item.label))]


@pytest.mark.parametrize(
    ("text", "expected", "not_expected"),
    [
        ("¦", ["config", "resource", "component", "output"], ["length"]),
        ("res¦", ["resource"], []),
        (PET + "\nout¦\n", ["output"], []),
        ('resource pet "¦', ["random:"], []),
        ('resource pet "random:¦" {\n}\n', ["random:RandomPet"], ["random:"]),
        ('resource pet "random:index/randomPet:RandomPet" {\n  ¦\n}\n', ["length", "prefix", "options"], ["config"]),
        ('resource pet "random:index/randomPet:RandomPet" {\n  length = 2\n  pre¦\n}\n', ["prefix"], ["length"]),
        ('resource pet "random:index/randomPet:RandomPet" {\n  options {\n    pro¦\n  }\n}\n', ["protect"], ["length"]),
        (PET + "output x { value = pet.¦ }\n", ["id", "length", "urn"], ["pet"]),
        (PET + "output x {\n  value = pet.le¦\n}\n", ["length"], []),
        (PET + "output x {\n  value = ¦\n}\n", ["pet", "length", "join"], []),
        ("a = {b = {c = 1}}\nd = a.b.¦\n", ["c"], ["b"]),
        ("a = [for item in [1, 2] : it¦]\n", ["item"], []),
        ('a = 1\nb = "${¦}"\n', ["a"], []),
        ("config size int {\n  def¦\n}\n", ["default", "nullable"], []),
        ("a = (\nb = 2\nc = ¦\n", ["b"], []),
    ],
)
def test_what_fits_is_offered(text: str, expected: list[str], not_expected: list[str], tmp_path: Path) -> None:
    labels = offered(text, tmp_path)
    assert set(expected) <= set(labels), labels
    assert set(labels).isdisjoint(not_expected)


def test_required_inputs_come_first(tmp_path: Path) -> None:
    text = 'resource record "digitalocean:index/dnsRecord:DnsRecord" {\n  ¦\n}\n'
    assert offered(text, tmp_path)[:3] == ["domain", "type", "value"]


def test_values_of_enums_are_offered(tmp_path: Path) -> None:
    text = 'resource box "digitalocean:index:Droplet" {\n  size = "¦"\n}\n'
    assert "s-1vcpu-1gb" in offered(text, tmp_path)
    assert '"s-1vcpu-1gb"' in offered(text.replace('"¦"', "¦"), tmp_path)


@needs_corpus
@pytest.mark.parametrize("folder", program_directories("field")[4:12], ids=lambda p: p.name)
def test_every_input_is_offered_where_it_stands(folder: Path) -> None:
    session_ = _SESSIONS.setdefault("real", session(CORPUS / "schemas" / "real"))
    analysis = session_.analyses.of(folder / "main.pp")
    assert isinstance(analysis, Analysis)
    for node in analysis.program.nodes:
        if not isinstance(node, Resource):
            continue
        for argument in node.inputs[:2]:
            file = analysis.files[argument.span.file.name]
            labels = [item.label for item in complete(analysis, file, argument.span.start)]
            # The input itself follows the cursor, and completion treats it as present.
            others = set(node.declaration.inputs.fields(Shape.INPUT)) if node.declaration is not None else set()
            assert others - {sibling.name for sibling in node.inputs} <= set(labels), argument.span


_SESSIONS: dict[str, Session] = {}


@pytest.mark.parametrize(
    ("text", "label", "active"),
    [
        ("a = join(¦)\n", "join(", 0),
        ('a = join("-", ¦)\n', "join(", 1),
        ('a = join("-", ["a"]¦)\n', "join(", 1),
        ('a = split("-", join("-", ¦\n', "join(", 1),
        ('output a {\n  value = join("-", ¦\n}\nb = 1\n', "join(", 1),
        ('output a {\n  value = split("-", join(¦\n  description = "b"\n}\n', "join(", 0),
    ],
)
def test_a_call_shows_its_parameters(text: str, label: str, active: int, tmp_path: Path) -> None:
    view, at = viewed(tmp_path, text)
    signature = signature_at(view.file, at)
    assert signature is not None and signature.label.startswith(label)
    assert signature.active == active


def test_what_is_no_call_has_no_signature(tmp_path: Path) -> None:
    view, at = viewed(tmp_path, "a = 1¦\nb = nothing(2)\n")
    assert signature_at(view.file, at) is None


def test_a_program_is_shown_in_a_language(tmp_path: Path) -> None:
    view, _ = viewed(tmp_path, PET)
    result = generated(view.analysis, "go")
    assert [path for path, _ in result.files] == ["main.go"] and "random.NewRandomPet" in result.files[0][1]
    view, _ = viewed(tmp_path, "a = b\n")
    assert generated(view.analysis, "go").files == () and generated(view.analysis, "go").messages


def test_completion_parses_only_what_is_around_the_cursor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Completion costs no more in a long program, and still knows the names and types of the rest."""
    parsed: list[str] = []

    def counted(files: list[SourceFile], bag: DiagnosticBag, lenient: bool) -> object:
        parsed.extend(file.text for file in files)
        return read_sources(files, bag, lenient)

    others = "".join(f'a{number} = {{ member{number} = "😀" }}\n' for number in range(50))
    view, at = viewed(tmp_path, f"{others}\noutput x {{\n  value = a7.¦\n}}\n\n{others.replace('a', 'b')}")
    monkeypatch.setattr(completion, "read_sources", counted)
    items = complete(view.analysis, view.file, at)
    assert [item.label for item in items] == ["member7"]
    assert parsed and all(text.split() == ["output", "x", "{", "value", "=", f"a7.{completion._CURSOR}", "}"] for text in parsed)
    parsed.clear()
    view, at = viewed(tmp_path, f"{others}\noutput x {{\n  value = join(¦)\n}}\n\n{others.replace('a', 'b')}")
    parsed.clear()
    assert signature_at(view.file, at) is not None
    assert parsed and all(text.split()[:5] == ["output", "x", "{", "value", "="] for text in parsed)
