"""What compilations change in a process: settings of the interpreter while they run, and nothing that stays."""

from __future__ import annotations

import gc
import sys
import weakref
from contextlib import ExitStack
from pathlib import Path

from pclgen import pipeline
from pclgen.pipeline import compiling
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram, load_program, program_in_memory
from pclgen.targets.go.sdk import sdk_of
from tests.support.binding import SCHEMAS
from tests.support.corpus import needs_corpus, program_directories
from tests.support.generated import LANGUAGES, REAL_SCHEMAS


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


PROGRAM = """
config mode string { default = "a" }
resource thing "probe:index:Thing" {
  en   = mode
  any  = { a = mode == "b" ? [1] : null }
  obj  = { inner = { s = "x" } }
  list = [for i in range(2) : { s = "s${i}", n = i }]
}
resource maybe "probe:index:Thing" {
  options { range = thing.flag }
}
output o { value = [thing.list[*].s, try(thing.obj.inner.s, 1), maybe == null ? "none" : maybe.out] }
"""


def schemas_outlive(source: LoadedProgram, schemas: Path) -> bool:
    """Whether something keeps the schemas of a compilation when it is over."""
    store = SchemaStore([schemas])
    pipeline.generate(source, languages=LANGUAGES, store=store)
    reference = weakref.ref(store)
    del store
    sdk_of.cache_clear()  # it keeps the packages that were used last
    gc.collect()
    return reference() is not None


def test_nothing_keeps_the_schemas_of_a_compilation() -> None:
    """A server compiles with many."""
    assert not schemas_outlive(program_in_memory("small", {"main.pp": PROGRAM}), SCHEMAS)


@needs_corpus
def test_nothing_keeps_the_schemas_of_field_programs() -> None:
    outliving = [folder.name for folder in program_directories("field") if schemas_outlive(load_program(str(folder)), REAL_SCHEMAS)]
    assert outliving == []
