"""The choice of a front end for a file: PCL or Pulumi YAML.  All later phases see PCL only."""

from __future__ import annotations

from collections.abc import Sequence

from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.load import is_yaml
from pclgen.source.text import SourceFile
from pclgen.syntax import ast
from pclgen.syntax.parse import parse_file


def read_sources(sources: Sequence[SourceFile], bag: DiagnosticBag, lenient: bool = False) -> list[ast.File]:
    """Return the trees of the files of one folder, in the order of their names; errors go to `bag`.

    A project file comes before the program in Pulumi YAML that it configures.
    """
    ordered = sorted(sources, key=lambda source: source.name)
    trees = [parse_file(source, bag) for source in ordered if not is_yaml(source.name)]
    yaml = [source for source in ordered if is_yaml(source.name)]
    if yaml:
        from pclgen.pulumiyaml.program import read_programs

        trees += read_programs(yaml, bag, lenient=lenient)
    return trees
