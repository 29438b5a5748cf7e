"""What holds for every test: nothing of the machine gets into it.

Command lines that a test runs, in this process or in another, find schemas in files only, and keep their
indexes in a folder of the test run.  Tests of other sources say so themselves.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from pclgen.verify import keeping
from tests.support.plugin import BY_NAME
from tests.support.slow import is_slow

pytest_plugins = ["pytester", "tests.support.crashes", *BY_NAME]

# How fast the machine is at the moment is not what these tests are about, and the same tree has the same result each time:
# who looks for new examples sets PCLGEN_FRESH to a number.
settings.register_profile(
    "pclgen",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=not os.environ.get("PCLGEN_FRESH"),
)
settings.load_profile("pclgen")



@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what starts processes or searches at random, before `-m` selects."""
    known: dict[tuple[str, str], bool] = {}
    for item in items:
        key = (item.location[0], getattr(item, "originalname", item.name))
        if key not in known:
            known[key] = is_slow(item)
        if known[key]:
            item.add_marker("slow")


KEPT = 20_000_000_000
"""Bytes: all tests together use more SDKs than the programs of one user."""


@pytest.fixture(autouse=True, scope="session")
def kept_sdks() -> Iterator[None]:
    """Commands that a test runs in this process remove nothing that other tests need."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keeping, "DEFAULT_LIMIT", KEPT)
        yield


@pytest.fixture(autouse=True, scope="session")
def no_surroundings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Only files as sources of schemas, and a cache of the test run's own."""
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
