"""`pclgen docs`: tabs are written and compared, and errors leave all files unchanged."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pclgen.cli import app
from tests.support.corpus import CORPUS, needs_corpus

START, END = "<!--Start PulumiCodeChooser -->", "<!--End PulumiCodeChooser -->"
PCL = "output answer {\n  value = 42\n}\n"
YAML = "outputs:\n  answer: 42\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PCLGEN_CACHE_DIR", str(tmp_path / "cache"))
    tmp_path.joinpath(".git").mkdir()
    return tmp_path


def docs(*words: str) -> int:
    return app.main(["docs", *words, "--jobs", "1"])


def test_build_writes_all_tabs_and_a_second_one_nothing(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = place / "guide.md"
    path.write_bytes(b"# A\r\n\r\n- one\r\n\r\n  ```pcl\r\n  output answer {\r\n    value = 42\r\n  }\r\n  ```\r\n")
    assert docs("check", "guide.md") == 1
    assert docs("build", "guide.md") == 0
    text = path.read_bytes().decode()
    assert "\n" not in text.replace("\r\n", "")
    assert text.startswith(f"# A\r\n\r\n- one\r\n\r\n  {START}\r\n  ```typescript\r\n")
    assert '  pulumi.export("answer", 42)\r\n' in text and "  export const answer = 42;\r\n" in text
    assert '  \t\tctx.Export("answer", pulumi.Int(42))\r\n' in text
    assert docs("check", "guide.md") == 0
    assert docs("build", "guide.md") == 0
    assert path.read_bytes().decode() == text
    assert "1 snippet in 1 file: 0 changed" in capsys.readouterr().err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_the_cache_keeps_its_size(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    monkeypatch.setenv("PCLGEN_TOOLCHAINS", str(place / "tools"))
    (place / "pclgen.toml").write_text("cache-size = 1\n")
    texts = [f'output answer {{\n  value = "{number}{"x" * 100_000}${{other}}"\n}}\n' for number in range(8)]
    (place / "guide.md").write_text("".join(f"```pcl\n{text}```\n\n" for text in texts))
    assert app.main(["docs", "build", "guide.md", "--jobs", jobs]) == 0
    capsys.readouterr()
    assert app.main(["cache", "info", "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    assert 100_000 < info["results"]["bytes"] + info["snippets"]["bytes"] <= 1_000_000
    assert app.main(["cache", "clean", "--json"]) == app.main(["cache", "info", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.split("\n}\n")[1] + "\n}")["snippets"] == {"files": 0, "bytes": 0}


def test_yaml_is_a_source_and_pcl_a_tab(place: Path) -> None:
    path = place / "guide.md"
    path.write_text(f"{START}\n```csharp\nvar a;\n```\n```yaml\n{YAML}```\n{END}\n")
    assert docs("build", ".", "--languages", "python,yaml,pcl") == 0
    text = path.read_text()
    assert text.index("```python") < text.index("```yaml") < text.index("```pcl")
    assert "```csharp\nvar a;\n```\n" in text and "output answer {\n  value = 42\n}" in text
    assert docs("check", ".", "--languages", "python,yaml,pcl") == 0
    # YAML is still the source
    path.write_text(text.replace("answer: 42", "answer: 43"))
    assert docs("check", ".", "--languages", "python,yaml,pcl") == 1
    assert docs("build", ".", "--languages", "python,yaml,pcl") == 0
    assert path.read_text() == text.replace("42", "43")


def test_missing_and_stale_tabs_are_reported_at_their_place(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = place / "guide.md"
    path.write_text(f"{START}\n```python\nimport pulumi\n\npulumi.export('answer', 42)\n```\n```pcl\n{PCL}```\n{END}\n")
    assert docs("check", "guide.md", "--languages", "go,python", "--output-format", "json") == 1
    diagnostics = json.loads(capsys.readouterr().out)["diagnostics"]
    assert [(diagnostic["code"], diagnostic["file"], diagnostic["start"]["line"]) for diagnostic in diagnostics] == [
        ("PCL1306", "guide.md", 7),
        ("PCL1307", "guide.md", 5),
    ]


def test_an_error_is_reported_at_its_place_and_nothing_is_written(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = place / "a.md", place / "b.md"
    good.write_text(f"```pcl\n{PCL}```\n")
    bad.write_text("> ```pcl\n> output a {\n>   value = upper(1, 2)\n> }\n> ```\n")
    before = (good.read_bytes(), bad.read_bytes())
    assert docs("build", ".", "--output-format", "json") == 1
    (diagnostic,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert (diagnostic["file"], diagnostic["start"]["line"]) == ("b.md", 3)
    assert (good.read_bytes(), bad.read_bytes()) == before
    assert docs("build", ".", "--keep-going") == 1
    assert START in good.read_text() and bad.read_bytes() == before[1]
    bad.write_text(f"{START}\n```pcl\n{PCL}```\n")
    assert docs("build", ".", "--keep-going") == 1
    assert END not in bad.read_text()


def test_names_that_a_fragment_does_not_declare(place: Path) -> None:
    path = place / "a.md"
    path.write_text('```pcl\nresource page "shop:index:Page" {\n  title = header.text\n  size = pageSize\n}\n```\n')
    schema = {
        "name": "shop",
        "version": "1.0.0",
        "resources": {"shop:index:Page": {"inputProperties": {"title": {"type": "string"}, "size": {"type": "integer"}}}},
    }
    place.joinpath("schemas").mkdir()
    place.joinpath("schemas/shop.json").write_text(json.dumps(schema))
    assert docs("build", "a.md", "--languages", "typescript,python,go") == 0
    text = path.read_text()
    assert 'const pageSize = config.requireNumber("pageSize");' in text
    assert "title: header.text" in text and "notImplemented" not in text


def test_hidden_lines_fixtures_skip_and_expected_errors(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = place / "a.md"
    path.write_text(
        '<!-- pclgen hidden\nbase = "b"\n-->\n\n```pcl\noutput a {\n  value = base\n}\n```\n'
        "\n```pcl fixture=net\noutput b {\n  value = cidr\n}\n```\n"
        "\n```pcl skip\nwhatever\n```\n\n```pcl expect-error=PCL0501\noutput c {\n  value = nobody\n}\n```\n"
    )
    place.joinpath("docs.toml").write_text(
        'languages = ["python"]\n[fixtures]\nnet = "cidr = \\"10.0.0.0/8\\"\\n# The end.\\n"\n'
    )
    assert docs("build", "a.md") == 1  # unknown names are declared: the last snippet has no error
    assert "PCL1308" in capsys.readouterr().err
    path.write_text(path.read_text().replace("value = nobody", "value = 1\n  value = 2").replace("PCL0501", "PCL0127"))
    assert docs("build", "a.md") == 0
    text = path.read_text()
    assert text.count("```python") == 2 and "whatever\n```\n" in text
    assert '```python\nimport pulumi\n\npulumi.export("a", base)\n```\n' in text
    assert '```python\nimport pulumi\n\npulumi.export("b", cidr)\n```\n' in text


def test_a_fixture_of_a_file_is_for_all_its_snippets(place: Path) -> None:
    path = place / "a.md"
    snippet = "```pcl\noutput a {\n  value = cidr\n}\n```\n"
    path.write_text(f'<!-- pclgen fixture\ncidr = "10.0.0.0/8"\n-->\n\n{snippet}\nWords.\n\n{snippet}')
    assert docs("build", "a.md", "--languages", "typescript,python,go") == 0
    text = path.read_text()
    assert text.count("cidr = ") == 1 and text.count('pulumi.export("a", cidr)') == 2 and text.count("cidr;\n") == 2
    assert docs("check", "a.md", "--languages", "typescript,python,go") == 0


@pytest.mark.parametrize("is_hidden", [False, True])
def test_declarations_of_names_that_a_fragment_lacks_are_shown_or_hidden(place: Path, is_hidden: bool) -> None:
    path = place / "a.md"
    path.write_text(f"```pcl{' externals=hidden' if is_hidden else ''}\noutput a {{\n  value = toBase64(amiId)\n}}\n```\n")
    assert docs("build", "a.md", "--languages", "typescript,python,go") == 0
    text = path.read_text()
    assert ('config.require("amiId")' in text) is not is_hidden
    assert ("pulumi.Config()" in text) is not is_hidden and ("config.New(" in text) is not is_hidden
    assert "Buffer.from(amiId)" in text and "ami_id.encode" in text and "[]byte(amiId)" in text
    assert docs("check", "a.md", "--languages", "typescript,python,go") == 0
    place.joinpath("docs.toml").write_text('externals = "hidden"\n')
    assert docs("check", "a.md", "--languages", "typescript,python,go") == int(not is_hidden)


EVERYTHING = (
    '<!-- pclgen hidden\nbase = "b"\n-->\n\n```pcl\noutput a {\n  value = "${base} ${amiId}"\n}\n```\n\n'
    '```pcl\nresource page "shop:index:Page" {\n  title = "t"\n}\n```\n\n'
    f"```yaml\n{YAML}```\n\n```pcl expect-error\noutput a {{\n  value = upper(1)\n}}\n```\n"
)


def shop(**properties: str) -> str:
    own = {name: {"type": kind} for name, kind in properties.items()}
    return json.dumps({"name": "shop", "version": "1.0.0", "resources": {"shop:index:Page": {"inputProperties": own}}})


def no_compiler(*args: object) -> None:
    raise AssertionError("something is compiled")


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_did_not_change_is_not_compiled_again(place: Path, monkeypatch: pytest.MonkeyPatch, jobs: str) -> None:
    path, schema = place / "a.md", place / "schemas" / "shop.json"
    schema.parent.mkdir()
    schema.write_text(shop(title="string", size="integer"))
    path.write_text(EVERYTHING)
    assert docs("build", "a.md") == 0
    monkeypatch.setattr("pclgen.build.compile._generate", no_compiler)
    monkeypatch.setattr("pclgen.formatting.convert_source", no_compiler)
    assert app.main(["docs", "check", "a.md", "--jobs", jobs]) == 0
    path.write_text("# Words\n\n" + path.read_text())
    assert app.main(["docs", "check", "a.md", "--jobs", jobs]) == 0
    schema.write_text(shop(title="boolean", size="integer"))
    assert app.main(["docs", "check", "a.md", "--jobs", jobs]) == 1
    path.write_text(path.read_text().replace('base = "b"', 'base = "c"'))
    schema.write_text(shop(title="string", size="integer"))
    assert app.main(["docs", "check", "a.md", "--jobs", jobs]) == 1


def schema_with(description: str, *, ensure_ascii: bool) -> str:
    resource = {
        "description": description,
        "inputProperties": {"description": {"type": "string", "description": "A é <b>."}},
    }
    return (
        json.dumps(
            {"name": "p", "description": "é", "resources": {"p:a/b:C~D": resource}}, indent=2, ensure_ascii=ensure_ascii
        )
        + "\n"
    )


@pytest.mark.parametrize("is_ascii", [True, False])
def test_descriptions_of_schemas_are_edited_where_they_stand(
    place: Path, is_ascii: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    text = schema_with(
        f"Über 😀\n\n{START}\n```python\nold\n```\n```java\nint é;\n```\n```yaml\n{YAML}```\n{END}\n", ensure_ascii=is_ascii
    )
    text = text.replace("Start P", "St\\u0061rt P")  # an unnecessary escape is kept, too
    path = place / "schema.json"
    path.write_text(text, encoding="utf-8")
    assert docs("check", "schema.json", "--languages", "python") == 1
    assert "schema.json#/resources/p:a~1b:C~0D/description:5:1" in capsys.readouterr().err
    assert docs("build", "schema.json", "--languages", "python") == 0
    output = path.read_text(encoding="utf-8")
    new = 'import pulumi\\n\\npulumi.export(\\"answer\\", 42)\\n'
    assert output == text.replace("```python\\nold\\n", f"```python\\n{new}")
    assert docs("check", "schema.json", "--languages", "python") == 0


def test_out_leaves_the_sources(place: Path) -> None:
    place.joinpath("docs/a").mkdir(parents=True)
    path = place / "docs" / "a" / "x.md"
    path.write_text(f"```pcl\n{PCL}```\n")
    assert docs("build", "docs", "--out", "site", "--languages", "go") == 0
    assert path.read_text() == f"```pcl\n{PCL}```\n"
    assert "ctx.Export" in place.joinpath("site/a/x.md").read_text()


def schema_of(text: str, name: str = "kit") -> str:
    return json.dumps({"name": name, "version": "1.0.0", "resources": {f"{name}:index:Box": {"description": text}}}, indent=2)


@pytest.mark.parametrize("path", ["kit.json", "."])
def test_examples_use_the_package_that_they_describe(place: Path, path: str) -> None:
    (place / "kit.json").write_text(schema_of('```pcl\nresource box "kit:index:Box" {}\n```\n'))
    assert docs("build", path, "--isolated", "--sources", "files") == 0
    assert "kit.Box(" in (place / "kit.json").read_text()


@pytest.mark.parametrize("command", ["build", "check", "coverage"])
def test_a_folder_may_hold_schemas(place: Path, capsys: pytest.CaptureFixture[str], command: str) -> None:
    """A folder stands for its Markdown files and schemas; other JSON is ignored."""
    folder = place / "docs"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.md").write_text(f"```pcl\n{PCL}```\n")
    (folder / "kit.json").write_text(schema_of(f"```pcl\n{PCL}```"))
    (folder / "deep" / "pot.json").write_text(schema_of(f"```pcl\n{PCL}```\n\n```yaml\n{YAML}```", "pot"))
    others = {"package.json": '{"name": "site", "types": "a.d.ts", "config": {}}', "tsconfig.json": '{"name": {}, // c\n}'}
    for name, text in {**others, "list.json": '["name", "types"]', "broken.json": '{"name": "types"'}.items():
        (folder / name).write_text(text)
    words = ["--languages", "python", "--jobs", "1", "--output-format", "json"]
    words += ["--level", "converted"] if command == "coverage" else []

    def run(*paths: str) -> tuple[int, str, dict[str, str]]:
        status = app.main(["docs", command, *paths, *words])
        texts = {path.name: path.read_text() for path in sorted(folder.rglob("*")) if path.is_file()}
        return status, capsys.readouterr().out, texts

    one_by_one = [str(Path("docs", name)) for name in ("a.md", "kit.json", "deep/pot.json")]
    files = {path: path.read_text() for path in folder.rglob("*") if path.is_file()}
    expected = run(*one_by_one)
    for path, text in files.items():
        path.write_text(text)
    assert run("docs") == expected
    assert sum(text.count("pulumi.export") for text in expected[2].values()) == (4 if command == "build" else 0)
    if command == "coverage":
        assert len(json.loads(expected[1])["rows"]) == 4


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("coverage", "empty"), "there is no Markdown file and no package schema below `empty`"),
        (("build", "nowhere"), "there is no file or directory"),
        (("build", "a.txt"), "neither a Markdown file nor a package schema"),
        (("build", "b.json"), "is no package schema"),
        (("check", "c.json"), "is not JSON"),
        (("check", "d.md"), "is not UTF-8"),
        (("check", ".", "--languages", "cobol"), "there is no language `cobol`"),
        (("chek",), "there is no command `docs chek`"),
    ],
)
def test_wrong_use(place: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], message: str) -> None:
    place.joinpath("empty").mkdir()
    place.joinpath("empty/package.json").write_text('{"name": "site", "types": "a.d.ts"}')
    place.joinpath("a.txt").write_text("a")
    place.joinpath("b.json").write_text("{}")
    place.joinpath("c.json").write_text("{")
    if "d.md" in words:
        place.joinpath("d.md").write_bytes(b"\xff")
    assert docs(*words) == 2
    assert message in capsys.readouterr().err


@needs_corpus
def test_only_tabs_of_a_schema_of_today_change(place: Path) -> None:
    """Two complete descriptions of real schemas: only the tabs that pclgen writes change."""
    corpus = CORPUS / "schemas" / "real"
    for name, member in (("tls-5.5.1", "tls:index/privateKey:PrivateKey"), ("command-1.2.1", "command:local:Command")):
        before = json.loads((corpus / f"{name}.json").read_text())["resources"][member]["description"].split("\n")
        differ_in_tabs(before, rewritten(place, corpus, "\n".join(before)).split("\n"))


@needs_corpus
@pytest.mark.parametrize("name", ["tls-5.5.1", "random-4.21.1"])
def test_only_tabs_of_whole_schemas_change(name: str, place: Path) -> None:
    """All descriptions of two real schemas, as `docs build schema.json` writes them: no other byte of the file changes."""
    corpus = CORPUS / "schemas" / "real"
    path = place / f"{name}.json"
    raw = (corpus / path.name).read_bytes()
    path.write_bytes(raw)
    words = ["--languages", "typescript,python,go", "--keep-going", "--lenient", "--schemas", str(corpus)]
    app.main(["docs", "build", path.name, *words])
    before, after = (dict(leaves(json.loads(text))) for text in (raw, path.read_bytes()))
    assert before.keys() == after.keys()
    changed = [place for place in before if before[place] != after[place]]
    assert len(changed) >= 3 and {place[-1] for place in changed} == {"description"}
    for key in changed:
        differ_in_tabs(str(before[key]).split("\n"), str(after[key]).split("\n"))
    outside, outside_after = (
        [line for line in text.split(b"\n") if b'"description"' not in line] for text in (raw, path.read_bytes())
    )
    assert outside == outside_after
    assert docs("build", path.name, *words) in (0, 1)
    assert dict(leaves(json.loads(path.read_bytes()))) == after, "a second time changes nothing"


def leaves(value: object, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """The values of a schema that are neither objects nor lists, by their path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*place, key))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            yield from leaves(inner, (*place, str(number)))
    else:
        yield place, value


def differ_in_tabs(before: list[str], after: list[str]) -> None:
    """Check that only the lines of tabs that pclgen writes differ."""
    languages = fence_of_each_line(before)
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    changed = {languages[at] for tag, i, j, _, _ in matcher.get_opcodes() if tag != "equal" for at in range(i, j)}
    assert changed <= {"typescript", "python", "go"}, changed
    for language in ("csharp", "java", "yaml", "", "sh"):
        kept = [line for line, own in zip(before, languages, strict=True) if own == language]
        assert [line for line, own in zip(after, fence_of_each_line(after), strict=True) if own == language] == kept


def rewritten(place: Path, corpus: Path, text: str) -> str:
    path = place / "one.md"
    path.write_text(text)
    app.main(["docs", "build", "one.md", "--languages", "typescript,python,go", "--keep-going", "--schemas", str(corpus)])
    return path.read_text()


def fence_of_each_line(lines: list[str]) -> list[str]:
    fences: list[str] = []
    inside = ""
    for line in lines:
        if line.startswith("```"):
            inside = "" if inside else line[3:].strip() or "text"
            fences.append("")
        else:
            fences.append(inside)
    return fences


def test_names_of_yaml_that_are_not_declared(place: Path) -> None:
    path = place / "a.md"
    path.write_text('```yaml\noutputs:\n  a: ${["my-vpc"].id}\n  b: ${amiId}\n```\n')
    assert docs("build", "a.md", "--languages", "python") == 0
    assert 'json_or_text(config.require("my-vpc"))' in path.read_text()


def test_yaml_is_a_tab_of_pcl_where_it_can_be(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = place / "guide.md"
    chosen = "output size {\n  value = wanted ? 1 : 2\n}\n"
    path.write_text(f"{START}\n```pcl\n{PCL}```\n{END}\n\n{START}\n```pcl\n{chosen}```\n{END}\n")
    assert docs("build", ".") == 0
    text = path.read_text()
    assert text.count("```yaml") == 1 and "```yaml\nname: docs\nruntime: yaml\noutputs:\n  answer: 42\n```" in text
    assert text.count("```python") == 2
    assert docs("check", ".") == 0
    assert docs("build", ".") == 0
    assert path.read_text() == text
    # PCL is still the source
    path.write_text(text.replace("value = 42", "value = 43"))
    assert docs("check", ".") == 1
    assert docs("build", ".") == 0
    assert path.read_text() == text.replace("42", "43")
    capsys.readouterr()
    # a requested language is written, or an error is reported
    place.joinpath("docs.toml").write_text('languages = ["python", "yaml"]\n')
    assert docs("check", ".") == 1
    stderr = capsys.readouterr().err
    assert "PCL0901" in stderr and "cannot be written in Pulumi YAML" in stderr
