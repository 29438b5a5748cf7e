"""Settings of the interpreter that compilations change while they run."""

from __future__ import annotations

import gc
import sys
from contextlib import ExitStack

from pclgen.pipeline import compiling


def test_compilations_that_overlap_restore_the_settings() -> None:
    """Compilations of several threads end in any order."""
    limit, collecting = sys.getrecursionlimit(), gc.isenabled()
    first, second = ExitStack(), ExitStack()
    first.enter_context(compiling())
    second.enter_context(compiling())
    first.close()
    assert sys.getrecursionlimit() > limit
    assert not gc.isenabled()
    second.close()
    assert (sys.getrecursionlimit(), gc.isenabled()) == (limit, collecting)
