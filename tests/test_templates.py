"""Template rendering: all statements come from templates, and a user's templates override pclgen's file by file.

The tests enforce the contract of docs/templates.md: the variables of each form, the refused templates, and the effect of a
platform team's own style (examples/house-style) on a program, compiled in all languages.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

import pclgen
from pclgen.cli import app
from pclgen.emit.forms import Form, forms, template_of
from pclgen.emit.overlay import OverlayError, read_overlay, template_names, template_text
from pclgen.languages import LANGUAGES
from pclgen.targets.go.printer import FORMS as GO
from pclgen.targets.python.view import FORMS as PYTHON
from pclgen.targets.typescript.target import FORMS as TYPESCRIPT
from tests.support import compilers
from tests.support.corpus import ROOT
from tests.support.files import write_files
from tests.support.generated import EXAMPLE_SCHEMAS, EXAMPLES

FORMS: Final[Mapping[str, tuple[Form, ...]]] = {"go": GO, "python": PYTHON, "typescript": TYPESCRIPT}
HOUSE: Final = EXAMPLES / "house-style"
LICENCE: Final = "Copyright Example Platform Team"
PROGRAM: Final = """
resource pet "random:index:RandomPet" {
}

output name {
  value = pet.id
}
"""


def made(folder: Path, templates: Mapping[str, str], program: str = PROGRAM) -> pclgen.GenerateResult:
    """Generate `program` with these templates over pclgen's own."""
    write_files(folder, templates)
    return pclgen.generate({"main.pp": program}, schemas=[EXAMPLE_SCHEMAS], templates=folder)


def text_of(result: pclgen.GenerateResult, language: str, name: str) -> str:
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    return next(text for path, text in result.files[language].items() if path.name == name)


class TestForms:
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_each_has_a_template_that_names_what_it_sees(self, language: str) -> None:
        names = {name for name in template_names() if name.startswith(f"{language}/statements/")}
        assert names == {template_of(language, form.name) for form in FORMS[language]}
        for form in FORMS[language]:
            text = template_text(template_of(language, form.name))
            comment, _, body = text.partition("#}\n")
            for seen in (*form.slots, *form.facts):
                assert f"`{seen}`" in comment, f"{language}/{form.name}: the comment does not tell of {seen}"
                # Its own template prints the whole statement: the type is for templates of users.
                assert f"s.{seen}" in body or (form.name, seen) == ("construct", "token")

    def test_an_unknown_name_is_an_error(self, tmp_path: Path) -> None:
        result = made(tmp_path, {"go/statements/do.jinja": "{{ s.nope }}\n"})
        assert [d.code for d in result.diagnostics] == ["PCL1401"]
        assert str(result.diagnostics[0].primary) == f"{tmp_path}/go/statements/do.jinja:1:1"
        assert result.files == {}

    @pytest.mark.parametrize(
        ("language", "name", "template", "line"),
        [
            ("python", "__main__.py", "house({{ s.construction }}, '{{ s.token[:6] }}')", 'pet = house(random.RandomPet("pet"), "random")'),
            ("typescript", "index.ts", "house({{ s.construction }})", 'const pet = house(new random.RandomPet("pet"));'),
            ("go", "main.go", "house({{ s.construction }})", 'pet, err := house(random.NewRandomPet(ctx, "pet", nil))'),
        ],
    )  # fmt: skip  # a row for each language
    def test_construction_in_a_users_words(self, language: str, name: str, template: str, line: str, tmp_path: Path) -> None:
        result = made(tmp_path, {f"{language}/statements/construct.jinja": template + "\n"})
        assert line in [text.strip() for text in text_of(result, language, name).splitlines()]

    def test_a_token_is_no_code_between_quotes(self, tmp_path: Path) -> None:
        part = tmp_path / "go" / "statements" / "construct.jinja"
        part.parent.mkdir(parents=True)
        part.write_text('house("{{ s.token }}", {{ s.construction }})\n')
        words = forms("go", GO, read_overlay(tmp_path))
        assert words.around("construct", "construction", ('a:b:C"), evil("\n',))[0] == 'house("a:b:C____evil___", '

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_every_construction_of_every_range(self, language: str, tmp_path: Path) -> None:
        program = (
            'config many "list(string)" {}\nresource a "random:index:RandomPet" {\n  options { range = 2 }\n}\n'
            'resource b "random:index:RandomPet" {\n  options { range = many }\n}\n'
            'resource c "random:index:RandomPet" {\n  options { range = { x = 1 } }\n}\n'
            'resource d "random:index:RandomPet" {\n  options { range = true }\n}\n'
        )
        result = made(tmp_path, {f"{language}/statements/construct.jinja": "house({{ s.construction }})\n"}, program)
        texts = "".join(result.files[language][path] for path in result.files[language])
        assert len(re.findall(r"house\(\s*(?:new )?random\.(?:New)?RandomPet\(", texts)) == 4

    @pytest.mark.parametrize("text", ["{{ s.call | upper }}\n", "{{ s.call | length }}{{ s.call[1:] }}\n"])
    def test_a_slot_is_put_down_as_it_is(self, text: str, tmp_path: Path) -> None:
        result = made(tmp_path, {"go/statements/do.jinja": text})
        assert "a slot was changed" in result.diagnostics[0].message

    @pytest.mark.parametrize("text", ["nothing\n", "{{ s.construction }}{{ s.construction }}\n"])
    @pytest.mark.parametrize("language", LANGUAGES)
    def test_a_construction_stands_once(self, text: str, language: str, tmp_path: Path) -> None:
        result = made(tmp_path, {f"{language}/statements/construct.jinja": text})
        assert "must occur exactly once" in result.diagnostics[0].message

    def test_several_lines_stand_as_deep_as_the_statement(self, tmp_path: Path) -> None:
        both = {f"{language}/statements/do.jinja": "begin()\n{{ s.call }}\n" for language in ("go", "python")}
        result = made(tmp_path, both)
        assert '\t\tbegin()\n\t\tctx.Export("name", pet.ID())\n' in text_of(result, "go", "main.go")
        assert '\nbegin()\npulumi.export("name", pet.id)\n' in text_of(result, "python", "__main__.py")


class TestFailures:
    @pytest.mark.parametrize(
        ("text", "line", "part"),
        [
            ("{% if %}", 1, "Expected an expression"),
            ("\n{{ file.header | nofilter }}", 2, "nofilter"),
            ("a\nb\n{{ file.nope }}", 3, "has no attribute"),
            ("{% include 'house/missing.jinja' %}", 1, "there is no template `house/missing.jinja`"),
            ("{{ 'a' * 10000000000 }}", 1, "is for numbers up to"),
            ("{{ file.__class__.__mro__ }}", 1, "unsafe"),
            ("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", 1, "recursion"),
            ("{% for i in range(10000000000) %}x{% endfor %}", 1, "Range too big"),
            ("\n{{ file.header.x() }}", 2, "has no attribute"),
        ],
    )
    def test_the_message_has_the_line(self, text: str, line: int, part: str, tmp_path: Path) -> None:
        result = made(tmp_path, {"typescript/program.ts.jinja": text})
        (diagnostic,) = result.diagnostics
        assert (diagnostic.code, result.files) == ("PCL1401", {})
        assert str(diagnostic.primary).startswith(f"{tmp_path}/typescript/program.ts.jinja:{line}:")
        assert part in diagnostic.message

    def test_a_failure_in_a_part_is_reported_there(self, tmp_path: Path) -> None:
        templates = {"go/file.go.jinja": "{% include 'house/part.jinja' %}", "house/part.jinja": "\n\n{{ nope }}"}
        (diagnostic,) = made(tmp_path, templates).diagnostics
        assert str(diagnostic.primary).startswith(f"{tmp_path}/house/part.jinja:3:")

    def test_python_that_is_none(self, tmp_path: Path) -> None:
        (diagnostic,) = made(tmp_path, {"python/statements/do.jinja": "((( {{ s.call }}\n"}).diagnostics
        assert "makes no Python of __main__.py" in diagnostic.message

    @pytest.mark.parametrize(
        ("name", "text", "part", "hint"),
        [
            ("python/statments/do.jinja", b"x", "no template `python/statments/do.jinja`", "python/statements/do.jinja"),
            ("go/file.go.jinja", b"\xff", "no UTF-8 text", ""),
            ("go/file.go.jinja", b"a\nb\x00c", "file.go.jinja:2: a control character", ""),
            ("house/big.jinja", b"x" * (1 << 20) + b"y", "more than", ""),
            ("house/readme.txt", b"x", "there are no templates", "pclgen templates"),
        ],
    )
    def test_folders_that_cannot_be_used(self, name: str, text: bytes, part: str, hint: str, tmp_path: Path) -> None:
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_bytes(text)
        with pytest.raises(OverlayError, match=re.escape(part)) as raised:
            read_overlay(tmp_path)
        assert hint in (raised.value.hint or "")

    def test_a_link_that_leads_out(self, tmp_path: Path) -> None:
        (tmp_path / "secret.txt").write_text("hush")
        (tmp_path / "templates").mkdir()
        (tmp_path / "templates" / "house.jinja").symlink_to(tmp_path / "secret.txt")
        with pytest.raises(OverlayError, match="leads out"):
            read_overlay(tmp_path / "templates")

    def test_a_folder_that_is_not_there(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        (tmp_path / "main.pp").write_text(PROGRAM)
        assert app.main(["generate", str(tmp_path), "--templates", str(tmp_path / "none")]) == 2
        assert "cannot read the templates" in capsys.readouterr().err


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    out = tmp_path_factory.mktemp("house")
    pattern = f"{out}/{{language}}"
    command = ["generate", str(HOUSE / "infra"), "--templates", str(HOUSE / "templates"), "--out", pattern]
    assert app.main([*command, "--schemas", str(EXAMPLE_SCHEMAS), "--program-only", "--quiet"]) == 0
    return {language: out / language for language in LANGUAGES}


class TestHouseStyle:
    def test_every_file_begins_with_the_license(self, folders: Mapping[str, Path]) -> None:
        for folder in folders.values():
            files = [path for path in folder.iterdir() if path.suffix in (".py", ".ts", ".go")]
            assert len(files) == 2
            assert all(LICENCE in path.read_text(encoding="utf-8").splitlines()[0] for path in files)

    def test_every_resource_passes_through_the_factory(self, folders: Mapping[str, Path]) -> None:
        for folder in folders.values():
            text = "".join(path.read_text(encoding="utf-8") for path in folder.iterdir() if not path.name.startswith("."))
            calls = re.findall(r"made\(\s*(?:new )?[\w.]*(RandomPassword|RandomPet|Label)\(", text)
            assert sorted(calls) == ["Label", "RandomPassword", "RandomPet"]

    def test_it_compiles(self, folders: Mapping[str, Path]) -> None:
        assert compilers.check_python({"house": folders["python"]}) == {"house": []}
        assert compilers.check_typescript({"house": folders["typescript"]}) == {"house": []}
        assert compilers.check_go({"house": folders["go"]}) == {"house": []}

    def test_verify_looks_at_what_the_templates_make(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "main.pp").write_text("output a {\n  value = 1\n}\n")
        (tmp_path / "pclgen.toml").write_text('templates = "house"\n')
        part = tmp_path / "house" / "python" / "statements" / "do.jinja"
        part.parent.mkdir(parents=True)
        part.write_text("nowhere({{ s.call }})\n")
        monkeypatch.chdir(tmp_path)
        assert app.main(["verify", ".", "--level", "compile", "--languages", "python", "--quiet"]) == 1
        assert "nowhere" in capsys.readouterr().out

    def test_snapshots_are_of_what_the_templates_make(self, pytester: pytest.Pytester) -> None:
        pytester.makefile(".pp", **{"web/main": "output a {\n  value = 1\n}\n"})
        pytester.makefile(".toml", pclgen='programs = ["web"]\nlanguages = ["go"]\ntemplates = "house"\n[[testing]]\n')
        part = pytester.path / "house" / "go" / "statements" / "do.jinja"
        part.parent.mkdir(parents=True)
        part.write_text("/* house */ {{ s.call }}\n")
        pytester.runpytest_inprocess("--snapshot-update")
        (snapshot,) = pytester.path.rglob("__snapshots__/**/main.go")
        assert "/* house */" in snapshot.read_text()

    def test_a_build_takes_it_from_the_configuration(
        self, folders: Mapping[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(HOUSE)
        listing = tmp_path / "manifest.json"
        out = ["--out", f"{tmp_path}/out/{{language}}", "--manifest", str(listing), "--program-only", "--quiet"]
        assert app.main(["build", *out]) == 0
        for language, folder in folders.items():
            for path in folder.iterdir():
                if not path.name.startswith("."):
                    assert (tmp_path / "out" / language / path.name).read_text() == path.read_text()
        inputs = json.dumps(json.loads(listing.read_text()))
        assert "templates/go/statements/construct.jinja" in inputs
        assert "templates/house/license.jinja" in inputs

    def test_a_build_is_made_again_when_a_template_changes(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "web").mkdir()
        (tmp_path / "web" / "main.pp").write_text("output a {\n  value = 1\n}\n")
        (tmp_path / "pclgen.toml").write_text('templates = "house"\noutput = "out/{language}"\nprograms = ["web"]\n')
        part = tmp_path / "house" / "go" / "statements" / "do.jinja"
        part.parent.mkdir(parents=True)
        monkeypatch.chdir(tmp_path)
        for mark in ("one", "two"):
            part.write_text(f"/* {mark} */ {{{{ s.call }}}}\n")
            assert app.main(["build", "--quiet"]) == 0
            assert f"/* {mark} */" in (tmp_path / "out" / "go" / "main.go").read_text()


class TestCommand:
    def test_the_list_tells_what_each_is_for(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert app.main(["templates"]) == 0
        lines = [line.partition(" ") for line in capsys.readouterr().out.splitlines()]
        descriptions = {name: about.strip() for name, _, about in lines}
        assert list(descriptions) == list(template_names())
        assert [name for name, about in descriptions.items() if not about and "/helpers/" not in name] == []

    def test_one_is_printed_as_it_is(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert app.main(["templates", "go/file.go.jinja"]) == 0
        assert capsys.readouterr().out == (ROOT / "templates" / "go" / "file.go.jinja").read_text()

    def test_an_unknown_one(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert app.main(["templates", "go/fil.go.jinja"]) == 2
        assert "did you mean `go/file.go.jinja`?" in capsys.readouterr().err


class TestNoStatementIsWrittenElsewhere:
    WORDS = re.compile(
        r"\s*(?:export |const |let |class |def |for |return\b|import |from |func |var |type |if |defer |with |else\b|\} else|"
        r"interface |package )"
    )
    EXPRESSIONS: Final = {
        "go/names.py": {"else", "return"},  # reserved words
        "python/printer.py": {" if ", " else ", "for "},  # conditional expressions and comprehensions
        "typescript/printing/statements.py": {"let "},  # the head of a loop, which has a layout
    }
    """Texts that expression printers write."""
    NAMES: Final = frozenset(form.name for table in FORMS.values() for form in table)

    def constants(self, path: Path) -> Iterator[str]:
        """The strings of a module, except docstrings."""
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {
            id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
                yield node.value

    def test_text_of_statements_stands_in_templates_only(self) -> None:
        targets = ROOT / "pclgen" / "targets"
        texts: dict[str, set[str]] = {}
        for path in sorted(targets.rglob("*.py")):
            for text in self.constants(path):
                if self.WORDS.match(text) and (text not in self.NAMES or path.name == "names.py"):
                    texts.setdefault(path.relative_to(targets).as_posix(), set()).add(text)
        assert texts == self.EXPRESSIONS
