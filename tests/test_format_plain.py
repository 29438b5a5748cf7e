"""Black would not change the code that skips it: random lines and files, and all Python of the snapshots."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from black import format_str
from black.mode import Mode, TargetVersion
from black.parsing import InvalidInput
from hypothesis import example, given
from hypothesis import strategies as st

from pclgen.format.python import is_plain, is_settled

ROOT = Path(__file__).resolve().parents[1]
BLACK = Mode(target_versions={TargetVersion.PY39}, line_length=88)
PIECES = (
    *("a", "b.c", "x = ", "x: int = ", "name=", "f(", "[", "{", "(", ")", "]", "}", ", ", ",", ": ", ":", "*", "**", "."),
    *('"t"', "'t'", "'a\"b'", '"a\'b"', '"\\""', '"\\n"', 'f"{a}"', 'F"t"', 'u"t"', 'b"t"', 'r"\\d"', '"""t"""', '""', "''"),
    *("1", "-1", "1.5", "1E5", "0XF", "1_0", "1.", ".5", "1j", "True", "None", "print", "exec", "not", " not ", " if ", " for "),
    *(" and ", " or ", "(a) and (", " in ", " not in ", " is ", " is not ", " if a else ", " for a in ", "lambda a, b: ", "a[0]", ").b"),
    *(" ", "=", "==", " == ", "+", " + ", "-", "lambda: ", "await ", "return ", "del ", "in", "is", ";", "\\", "#", "# c", "é"),
)
LINES = (
    *("", "", "import a", "import a.b as c", "from a import b, c as d", "from a import (b)", "x = f(1)", 'f("t")', "# a comment"),
    *("#comment", "#!shebang", "# fmt: off", "# trailing ", "#", '"""doc"""', "def f():", "    pass", "@a", "class A: pass"),
    *("x = (1)", "x=1", "if x: pass", "async def f(): ...", "_pclgen_0_", "pass", "#  two", "# type: ignore", "é = 1"),
)


def formatted(text: str) -> str | None:
    """`text` as formatted by black; None if black rejects it."""
    try:
        return format_str(text, mode=BLACK)
    except (InvalidInput, ValueError):
        return None


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join))
@example('x = f("a", {"b": -1}, c=[d.e, "f"])')
@example("x = f('{\"a\": 1}')")
def test_black_leaves_plain_lines_as_they_are(line: str) -> None:
    black = formatted(line + "\n") if is_plain(line, 88) else None
    assert black is None or black == line + "\n"


@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=9))
@example(["import a", "# a comment", "x = f(1)"])
@example(["import a", "", "", "", "x = f(1)"])
def test_black_leaves_settled_files_as_they_are(lines: list[str]) -> None:
    text = "\n".join(lines) + "\n"
    assert not is_settled(lines, 88) or formatted(text) == text


def test_what_is_no_python_is_left_to_black() -> None:
    assert not is_settled(["x = f(]"], 88)


@pytest.mark.parametrize(
    "line",
    [
        'pet = random.RandomPet("pet", length=2)',
        'pulumi.export("name", pet.id)',
        'config.require("domain")',
        'tags = {"team": "web", "sizes": [1, -2.5], "on": True}',
        'url = pulumi.Output.format("http://{0}/", record.fqdn)',
        "zone = zones.names[0]",
        'size = "large" if stage == "prod" else "small"',
        "half = not no and (yes or parity) and answer / 2 >= 42",
        'names = [f"n-{i}" for i, zone in enumerate(zones) if zone not in skipped]',
        'text = Path("user-data.sh").read_text(encoding="utf-8")',
        "counts: list[int] = []",
        "doubled = length.apply(lambda length: length * 2)",
    ],
)
def test_what_programs_are_made_of_is_plain(line: str) -> None:
    assert is_plain(line, 88)


def test_it_is_said_of_files_that_black_has_formatted_only() -> None:
    files = sorted((ROOT / "snapshots").rglob("*.py"))
    texts = {path: path.read_text() for path in files}
    settled = [path for path, text in texts.items() if is_settled(text[:-1].split("\n"), 88)]
    assert settled
    for path in settled:
        assert formatted(texts[path]) == texts[path], path


def test_a_plain_program_is_made_without_black(tmp_path: Path) -> None:
    (tmp_path / "main.pp").write_text('config domain string {\n}\n\noutput url {\n  value = domain\n}\n')
    code = (
        "import sys\n"
        "from pclgen.__main__ import main\n"
        "status = main()\n"
        "assert 'black' not in sys.modules\n"
        "sys.exit(status)\n"
    )
    command = (sys.executable, "-c", code, "generate", str(tmp_path), "--isolated", "--out", str(tmp_path / "out"), "-l", "python")
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "domain" in (tmp_path / "out" / "__main__.py").read_text()
