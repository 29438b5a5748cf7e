"""The files of a program: a file per component, beside the main file, and the name of its class.

Each component has a file (without the extension) and a class, unique in the project, and a set of plain arguments.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TypeAlias

from msgspec import Struct

from pclgen.core.program import Component, Program
from pclgen.core.walk import components_of
from pclgen.targets.names import FileNames, NameTable, file_stem
from pclgen.targets.typescript import names
from pclgen.targets.typescript.helpers import BESIDE, CHECKS

MAIN = "index"


class Place(Struct, frozen=True):
    """The file of a component, the name of its class in all files, and the inputs (logical names) that take no outputs."""

    file: str
    class_name: str
    plain: AbstractSet[str]


Places: TypeAlias = Mapping[Component, Place]


def places_of(program: Program, plain: Mapping[Component, AbstractSet[str]]) -> Places:
    """A file named after the directory of each component, and a class that hides no name of the language."""
    files = FileNames(MAIN, CHECKS, BESIDE, *(home.name for home in program.homes))
    classes = NameTable(names.GLOBALS | names.RESERVED, separator="")
    result: dict[Component, Place] = {}
    for component in components_of(program):
        stem = file_stem(component.directory)
        candidates = (names.variable(component.name), f"{component.name}Component")
        name = classes.claim(*[name for name in candidates if not classes.is_taken(f"{name}Args")] or candidates[1:])
        classes.reserve(f"{name}Args")
        result[component] = Place(files.claim(stem, f"{stem}Component"), name, plain[component])
    return result
