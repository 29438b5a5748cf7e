"""The command line as a process, with the real compiler and real pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.support.corpus import ROOT
from tests.support.waiting import PATIENCE


def start(*argv: str, cwd: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "pclgen", *argv]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, cwd=cwd, env=environ, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def run(*argv: str, cwd: Path, stdin: bytes = b"") -> tuple[int, str, str]:
    with start(*argv, cwd=cwd) as process:
        out, err = process.communicate(stdin, timeout=PATIENCE)
    return process.returncode, out.decode(), err.decode()


def shell(script: str, *, cwd: Path) -> subprocess.CompletedProcess[bytes]:
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(["sh", "-c", script], cwd=cwd, env=environ, capture_output=True, check=False, timeout=PATIENCE)


def test_a_closed_reader_is_no_error_message(tmp_path: Path) -> None:
    with start("explain", cwd=tmp_path) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


def test_the_process_ends_early_but_runs_what_libraries_left_for_the_end(tmp_path: Path) -> None:
    left = "import atexit, sys, pclgen.__main__ as it; atexit.register(print, 'left'); sys.argv = ['pclgen', 'unknown']; "
    for waiting in ("", "import threading; threading.Thread(target=input).start(); "):
        command = [sys.executable, "-c", f"{left}{waiting}it.main()"]
        environ = {**os.environ, "PYTHONPATH": str(ROOT)}
        process = subprocess.run(command, cwd=tmp_path, env=environ, input="\n", capture_output=True, text=True, timeout=PATIENCE)
        assert (process.returncode, process.stdout) == (2, "left\n")
        assert "unknown" in process.stderr


def test_check_of_a_real_program(tmp_path: Path) -> None:
    (tmp_path / "main.pp").write_text('config region string {\n}\n\ngreeting = "hello ${regoin}"\n')
    status, out, err = run("check", ".", cwd=tmp_path)
    assert (status, out) == (1, "")
    assert err == (
        "error[PCL0501]: unknown variable `regoin`\n"
        " --> main.pp:4:21\n"
        "  |\n"
        '4 | greeting = "hello ${regoin}"\n'
        "  |                     ^^^^^^ not declared\n"
        "  |\n"
        "  = help: did you mean `region`?\n"
        "\n"
        "1 error\n"
    )
    status, out, err = run("check", "-", "--output-format", "json", cwd=tmp_path, stdin=b"x = y\n")
    assert (status, err) == (1, "")
    assert json.loads(out)["diagnostics"][0]["file"] == "<stdin>"


def test_nothing_is_written_for_a_wrong_program(tmp_path: Path) -> None:
    (tmp_path / "main.pp").write_text("x = y\n")
    assert run("generate", "main.pp", cwd=tmp_path)[0] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["main.pp"]


def test_any_bytes_give_an_answer(tmp_path: Path) -> None:
    for number, data in enumerate((b"", b"\xff\xfe", b"\x00" * 10, b"{" * 200, b'"${' * 50, "é = \u2028".encode())):
        (tmp_path / f"{number}.pp").write_bytes(data)
    for path in sorted(tmp_path.iterdir()):
        status, _, err = run("check", path.name, cwd=tmp_path)
        assert status in (0, 1), err
        assert "Traceback" not in err


def test_a_full_disk_behind_standard_output(tmp_path: Path) -> None:
    """No traceback and no mention of a bug, whether the output is small (it fails at the end) or large."""
    for arguments in ("--help", "explain", "explain PCL0101"):
        script = f"exec {sys.executable} -m pclgen {arguments} > /dev/full"
        done = shell(script, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (2, b"error: cannot write to standard output: No space left on device\n")


def test_closed_streams(tmp_path: Path) -> None:
    (tmp_path / "main.pp").write_text("x = 1\n")
    assert shell(f"exec {sys.executable} -m pclgen check . <&- >&- 2>&-", cwd=tmp_path).returncode == 0


def test_a_program_through_a_pipe(tmp_path: Path) -> None:
    status, out, err = run("generate", "-", "-l", "go", "--out", "-", cwd=tmp_path, stdin=b"output x {\n  value = 1\n}\n")
    assert (status, err) == (0, "")
    assert out.startswith("package main\n") and 'ctx.Export("x", pulumi.Int(1))' in out
    status, out, err = run("generate", "-", "-l", "go", "--out", "-", cwd=tmp_path, stdin=b"x = y\n")
    assert (status, out) == (1, "") and "PCL0501" in err
    assert list(tmp_path.iterdir()) == []


def test_standard_output_takes_one_file(tmp_path: Path) -> None:
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "main.pp").write_text("output x {\n  value = 1\n}\n")
    (tmp_path / "main.pp").write_text('component part "./part" {}\n')
    for arguments, message in (
        (["main.pp"], "prints one language"),
        (["main.pp", "part", "-l", "go"], "prints one program"),
        (["main.pp", "-l", "go", "--output-format", "json"], "would both print"),
        ([".", "-l", "go"], "the program becomes `main.go`, `part.go`"),
    ):
        status, out, err = run("generate", *arguments, "--out", "-", cwd=tmp_path)
        assert (status, out) == (2, ""), err
        assert message in err


def test_wrong_use_prints_a_message_and_no_traceback(tmp_path: Path) -> None:
    for arguments, messages in (
        (["check", ".", "--output-format", "jsn"], ["`--output-format` cannot be `jsn`", "did you mean `--output-format json`?"]),
        (["check", ".", "--output-format", "xx"], ["there are text, json, github, sarif"]),
        (["check", ".", "--format", "json"], ["did you mean `--output-format`?"]),
        (["generate", ".", "-l"], ["a value is missing after `--language`"]),
        (["check"], ["`pclgen check` needs PATH"]),
        (["check", ".", "--quiet=yes"], ["`--quiet/-q` takes no value"]),
        (["build", "--jobs", "1.5"], ["`--jobs 1.5`: expected a whole number"]),
        (["check", ".", "--time-limit", "soon"], ["`--time-limit soon`: expected a number"]),
        (["completion", "bsh"], ["`SHELL` cannot be `bsh`", "did you mean `bash`?"]),
    ):
        status, out, err = run(*arguments, cwd=tmp_path)
        assert (status, out) == (2, "")
        assert [text for text in messages if text not in err] == []


def test_fmt_check_for_other_tools(tmp_path: Path) -> None:
    (tmp_path / "a.pp").write_text("x = 1\n\ny  =  2\n")
    (tmp_path / "b.pp").write_text("x = 1\n")
    status, out, err = run("fmt", ".", "--check", "--output-format", "github", cwd=tmp_path)
    assert (status, err) == (1, "")
    assert out == (
        "::error file=a.pp,line=3,col=1,endLine=3,endColumn=8,title=PCL0130::file is not formatted"
        "%0Ahelp: run `pclgen fmt a.pp`\n"
    )
    (tmp_path / "a.pp").write_text("x = 1\ny = 2")
    out = run("fmt", ".", "--check", "--output-format", "json", cwd=tmp_path)[1]
    assert [diagnostic["start"]["line"] for diagnostic in json.loads(out)["diagnostics"]] == [2]
    assert json.loads(run("fmt", ".", "--output-format", "json", cwd=tmp_path)[1])["diagnostics"] == []
    assert run("fmt", ".", "--check", cwd=tmp_path) == (0, "", "0 files would be formatted, 2 already fine\n")
