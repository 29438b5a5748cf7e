"""Untrusted docs: whatever a document contains, no text of its author is lost, and no file outside is read."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from pclgen import docs
from pclgen.cli import app
from pclgen.docs.markdown import blocks
from pclgen.docs.regions import read_document
from pclgen.source.load import LoadError
from pclgen.source.text import SourceFile
from tests.support.counting import calls_of

PCL: Final = "output a {\n  value = 1\n}\n"


def chooser(*choosables: str) -> str:
    inner = "\n".join(choosables)
    return f'{{{{< chooser language "python,pcl" >}}}}\n{inner}\n{{{{< /chooser >}}}}\n'


def choosable(languages: str, *fences: str) -> str:
    return f"{{{{% choosable language {languages} %}}}}\n" + "".join(fences) + "{{% /choosable %}}"


def test_a_source_that_shares_its_choosable_is_not_lost() -> None:
    text = chooser(choosable("pcl,python", f"```pcl\n{PCL}```\n", "```python\nold\n```\n"))
    built = docs.build_text(text)
    assert built.text == text
    assert [diagnostic.code for diagnostic in built.diagnostics] == ["PCL1302"]
    assert "each needs a choosable of its own" in built.diagnostics[0].message


def test_choosables_of_others_may_hold_what_they_like() -> None:
    text = chooser(choosable("python,go", "```python\nold\n```\n", "```go\nold\n```\n"))
    built = docs.build_text(text)
    assert (built.text, built.diagnostics) == (text, ())


@pytest.mark.parametrize("names", [("one", "one"), ("", "2"), ("1", "")])
def test_snippets_of_one_name_do_not_get_the_code_of_each_other(names: tuple[str, str]) -> None:
    fences = [f"```pcl{f' name={name}' if name else ''}\noutput a {{\n  value = {at}\n}}\n```\n" for at, name in enumerate(names)]
    text = "\n".join(fences)
    built = docs.build_text(text)
    assert built.text == text
    assert [diagnostic.code for diagnostic in built.diagnostics] == ["PCL1310"]


def test_a_description_that_is_there_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "schema.json"
    path.write_text('{"name": "a", "provider": {"description": "x", "description": "```pcl\\noutput a {\\n value = 1\\n}\\n```"}}')
    before = path.read_bytes()
    assert app.main(["docs", "build", str(path)]) == 2
    assert "has `/provider/description` twice" in capsys.readouterr().err
    assert path.read_bytes() == before


def test_settings_that_are_nested_too_deep(tmp_path: Path) -> None:
    (tmp_path / "docs.toml").write_text("a = " + "[" * 100_000 + "]" * 100_000)
    (tmp_path / "a.md").write_text(f"```pcl\n{PCL}```\n")
    with pytest.raises(LoadError, match="nested too deep"):
        docs.build([tmp_path / "a.md"])


def test_settings_that_lie_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "secret.toml").write_text("password = 1\n")
    (tmp_path / "repository" / ".git").mkdir(parents=True)
    (tmp_path / "repository" / "docs.toml").symlink_to(tmp_path / "secret.toml")
    (tmp_path / "repository" / "a.md").write_text(f"```pcl\n{PCL}```\n")
    with pytest.raises(LoadError, match="leads out of the repository") as raised:
        docs.build([tmp_path / "repository" / "a.md"])
    assert "password" not in str(raised.value)


def test_hidden_lines_are_near_their_fence() -> None:
    hidden = "<!-- pclgen hidden\nx = 1\n-->\n"
    near = read_document(SourceFile("a.md", f"{hidden}\n```pcl\n{PCL}```\n"))
    far = read_document(SourceFile("a.md", f"{hidden}{chr(10) * 5000}```pcl\n{PCL}```\n"))
    assert ["".join(snippet.hidden) for snippet in (*near.snippets, *far.snippets)] == ["x = 1\n", ""]


def test_lists_in_lists_cost_no_more_with_each_line() -> None:
    def cost(size: int) -> int:
        text = "- " * size + "\n" + "  \n" * size + "\n"
        return calls_of(lambda: list(blocks(text)))

    assert cost(4000) < 3 * cost(2000)
