"""Settings of every test: tests are isolated from the machine.

Command lines that a test runs, in this process or in another, find schemas in files only, and keep their indexes in a folder
of the test run.  Tests of other sources override this."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from pclgen.verify import keeping
from pclgen.verify.results import Results
from tests.support.plugin import BY_NAME
from tests.support.slow import is_slow

pytest_plugins = ["pytester", "tests.support.crashes", "tests.support.earlier", *BY_NAME]

# The speed of the machine must not matter, and the same source tree gives the same result each time:
# set PCLGEN_FRESH to a number to search for new examples.
settings.register_profile(
    "pclgen",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not os.environ.get("PCLGEN_FRESH"),
)
settings.load_profile("pclgen")



@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that start processes or search at random, before `-m` selects."""
    slow_tests: dict[tuple[str, str], bool] = {}
    for item in items:
        key = (item.location[0], getattr(item, "originalname", item.name))
        if key not in slow_tests:
            slow_tests[key] = is_slow(item)
        if slow_tests[key]:
            item.add_marker("slow")


def pytest_collection_finish() -> None:
    """Exclude the collected tests from searches for cycles.  Each search would walk their million objects; they stay anyway.

    With a smaller heap, Python searches more often, so that trees of compiled programs are freed and forks stay cheap.
    """
    gc.collect()
    gc.freeze()


KEPT = 20_000_000_000
"""A limit in bytes: all tests together use more SDKs than the programs of one user."""


@pytest.fixture(autouse=True, scope="session")
def kept_sdks() -> Iterator[None]:
    """Keep the SDKs that other tests need when a test runs a command in this process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keeping, "DEFAULT_LIMIT", KEPT)
        yield


@pytest.fixture
def no_earlier_results(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile and run programs again that passed in an earlier test run."""
    monkeypatch.setattr("tests.support.earlier.results", lambda: Results(None))


@pytest.fixture(autouse=True, scope="session")
def no_surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use only files as sources of schemas, and a cache for this test run."""
    ours = {"PCLGEN_SOURCES": "files", "PCLGEN_CACHE_DIR": str(tmp_path_factory.mktemp("cache", numbered=True))}
    before = {name: os.environ.get(name) for name in (*ours, "PCLGEN_LOADER", "PCLGEN_SCHEMAS", "PCLGEN_TIME_LIMIT")}
    for name in before:
        os.environ.pop(name, None)
    os.environ.update(ours)
    yield
    for name, value in before.items():
        os.environ.pop(name, None)
        if value is not None:
            os.environ[name] = value
