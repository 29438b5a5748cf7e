"""Snapshot-testing with pytest: what programs become is kept as real files, and each program and language is a test.

Programs that the configuration names (`[[testing]]`) or that mark a test (`@pytest.mark.pclgen("templates/*")`) become test
items that compare with `__snapshots__/`, through syrupy.

`plugin` is what pytest loads; the other modules, syrupy and the compiler are loaded when the first such test runs.
`pip install 'pclgen[testing]'` brings what this needs.
"""
