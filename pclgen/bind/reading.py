"""Which front end reads a file: PCL's own, or that of Pulumi YAML.

Comes in: a `SourceFile`.  Goes out: its `ast.File`; all that comes after knows one language only.
"""

from __future__ import annotations

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.load import is_yaml
from pclgen.source.text import SourceFile
from pclgen.syntax import ast
from pclgen.syntax.parse import parse_file


def read_source(source: SourceFile, bag: DiagnosticBag) -> ast.File:
    """The tree of a file, by what its name ends in; mistakes go to `bag`."""
    if is_yaml(source.name):
        from pclgen.pulumiyaml.program import read_program

        return read_program(source, bag)
    return parse_file(source, bag)
