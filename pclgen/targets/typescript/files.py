"""Where a program's parts go: one file a component, beside the main file, and what its class is called.

Comes in: a program.  Goes out: the place of each component: file (without the ending) and class, unique in the project.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

from pclgen.core.program import Component, Program
from pclgen.core.walk import components_of
from pclgen.targets.names import FileNames, NameTable, file_stem
from pclgen.targets.typescript import names

MAIN = "index"


@dataclass(frozen=True, slots=True)
class Place:
    """The file of a component, and the name of its class there and wherever it is imported."""

    file: str
    class_name: str


Places: TypeAlias = Mapping[Component, Place]


def places_of(program: Program) -> Places:
    """A file named after the directory of each component, and a class that hides no name of the language."""
    files = FileNames(MAIN)
    classes = NameTable(names.GLOBALS | names.RESERVED, separator="")
    result: dict[Component, Place] = {}
    for component in components_of(program):
        stem = file_stem(component.directory)
        name = classes.claim(names.variable(component.name), f"{component.name}Component")
        classes.reserve(f"{name}Args")
        result[component] = Place(files.claim(stem, f"{stem}Component"), name)
    return result
