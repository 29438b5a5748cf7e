"""The pytest plugin: tests of the programs that a configuration names, the mark `pclgen`, the fixtures `pcl`, `pcl_store`
and `pcl_snapshots`.

Every pytest run in an environment with pclgen loads this module, so it imports nothing but pytest: only the tests that
use the other modules spend the time to load them, and only these report missing extras.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pclgen.schema.load import SchemaStore
    from pclgen.testing.program import PclProgram
    from pclgen.testing.snapshots import FileSnapshots

MARK = "pclgen"
FOLDER = "pclgen_snapshots"

_CONFIGURATIONS = ("pclgen.toml", "pyproject.toml")
_TABLE = b"testing]]"
"""The text that a configuration with tests of pclgen contains."""

_MARKER = (
    f"{MARK}(*programs, base='.', exclude=(), languages=None, project_files=None, verify=None,"
    " diagnostics=False, registrations=False, config={}, secrets={}, replay=None): a test of each program in each language;"
    " the fixture `pcl` is the program"
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option and the setting of this plugin."""
    group = parser.getgroup("pclgen")
    group.addoption(
        "--pclgen-require",
        action="store_true",
        help="programs that cannot be verified, since a tool is missing, fail",
    )
    parser.addini(
        FOLDER,
        "folder for the snapshots of all marked tests (default: `__snapshots__/<test module>` beside each test module)",
        default="",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Register the mark with pytest."""
    config.addinivalue_line("markers", _MARKER)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect a configuration with tests."""
    if file_path.name not in _CONFIGURATIONS or _TABLE not in file_path.read_bytes():
        return None
    from pclgen.testing.program import ConfiguredPrograms

    collector: pytest.Collector = ConfiguredPrograms.from_parent(parent, path=file_path)
    return collector


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Turn a marked test into one test for each program and each of its parts."""
    cases = getattr(metafunc.function, "pclgen_cases", None)  # of a configuration
    marks = list(metafunc.definition.iter_markers(MARK))
    if cases is None and not marks:
        return
    if cases is None:
        from pclgen.testing.cases import cases_of_marks

        shared = bool(metafunc.config.getini(FOLDER))
        cases = cases_of_marks(marks, metafunc.definition, leftovers=not shared)
    metafunc.parametrize("pcl", cases, ids=[case.name for case in cases], indirect=True)


@pytest.fixture
def pcl_snapshots(request: pytest.FixtureRequest) -> FileSnapshots:
    """Snapshots under real file names; `pytest --snapshot-update` accepts new snapshots and removes stale ones."""
    session = getattr(request.config, "_syrupy", None)  # not by its fixture, which is for snapshots of another form
    if session is None:
        pytest.fail("snapshots of pclgen need syrupy: pip install 'pclgen[testing]'", pytrace=False)
    from pclgen.testing.snapshots import FileSnapshots

    chosen = str(request.config.getini(FOLDER))
    folder = Path(request.path.parent, request.config.getoption("snapshot_dirname"))
    if request.path.name in _CONFIGURATIONS:
        root = folder
    elif chosen:
        root = request.config.rootpath / chosen
    else:
        root = folder / request.path.stem
    return FileSnapshots(root, session, request.node)


@pytest.fixture
def pcl_store(request: pytest.FixtureRequest) -> SchemaStore | None:
    """Return the store with the schemas of the programs.

    A test module may have a fixture of this name, which returns its own store; None selects the sources of the command
    line: configuration, `schemas/`, installed SDKs, plugins.
    """
    return None


@pytest.fixture
def pcl(request: pytest.FixtureRequest, pcl_store: SchemaStore | None, pcl_snapshots: FileSnapshots) -> PclProgram:
    """The program of a marked test in one of its parts; `pcl.check()` runs the checks of the mark."""
    from pclgen.testing.program import PclProgram

    case = getattr(request, "param", None)
    if case is None:
        pytest.fail("`pcl` is the program of a marked test: @pytest.mark.pclgen('templates/*')", pytrace=False)
    return PclProgram(case, pcl_snapshots, store=pcl_store, request=request)
