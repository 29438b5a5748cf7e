"""The programs of a configuration as tests: `pytest pclgen.toml`, or pytest in a folder that has one.

A configuration file with `[[testing]]` is a collector with a test for each program and part, as if that file
contained a marked test.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import ModuleType

import pytest

from pclgen.schema.config import ConfigurationError, find_configuration
from pclgen.source.load import LoadError
from pclgen.testing.cases import Case, cases_of_configuration, one_line_message
from pclgen.testing.program import PclProgram


class ConfiguredPrograms(pytest.Module):
    """A configuration file that replaces a test module."""

    def _getobj(self) -> ModuleType:
        """Make the test module, which pytest would otherwise import."""

        def program(pcl: PclProgram) -> None:
            pcl.check()

        module = ModuleType("pclgen_programs")
        cases = self._cases()
        if cases:
            # `__test__` makes a test of it whatever `python_functions` says; `plugin.pytest_generate_tests` reads the cases.
            vars(program).update(__test__=True, pclgen_cases=cases)
            vars(module).update(program=program)
        return module

    def _cases(self) -> Sequence[Case]:
        try:
            configuration = find_configuration(self.path.parent)
            is_own = configuration.path == self.path and configuration.testing
            return cases_of_configuration(configuration, self) if is_own else ()
        except (ConfigurationError, LoadError) as error:
            raise self.CollectError(one_line_message(error)) from None
