"""A process that crashes while it runs tests leaves the reason in the output."""

from __future__ import annotations

import pytest

DIES = """
import faulthandler, os, signal

def test_killed():
    os.kill(os.getpid(), signal.SIGKILL)

def test_left():
    os._exit(3)

def test_crashed():
    faulthandler._sigsegv()
"""


def test_what_a_process_died_of_is_printed(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(DIES)
    run = pytester.runpytest_subprocess("-n", "1", "-p", "tests.support.crashes")
    run.assert_outcomes(failed=3)
    for line in ("ended with the signal SIGKILL", "ended with exit status 3", "ended with the signal SIGSEGV", "in test_crashed"):
        run.stdout.fnmatch_lines([f"*{line}"])  # pytest-xdist decides in which order they run
