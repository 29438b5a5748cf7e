"""Snapshot tests with pytest: generated programs are stored as real files, and each program and language is a test.

Programs that the configuration names (`[[testing]]`) or that mark a test (`@pytest.mark.pclgen("templates/*")`) become test
items that compare with `__snapshots__/`, through syrupy.

pytest loads `plugin`; the other modules, syrupy and the compiler are loaded when the first such test runs.
`pip install 'pclgen[testing]'` installs the dependencies.
"""
