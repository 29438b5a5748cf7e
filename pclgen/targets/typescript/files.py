"""Where a program's parts go: one file a component, beside the main file.

Comes in: components.  Goes out: file names (without the ending), unique in the project.
"""

from __future__ import annotations

from collections.abc import Iterator

from pclgen.core.program import Component, Program

MAIN = "index"


def component_file(component: Component) -> str:
    """The file of a component: its directory's name."""
    return component.directory if component.directory != MAIN else f"{MAIN}Component"


def all_components(program: Program) -> Iterator[Component]:
    """The components that a program uses, and those that these use, each once."""
    seen: set[str] = set()
    pending = list(reversed(program.components))
    while pending:
        component = pending.pop()
        if component.path not in seen:
            seen.add(component.path)
            yield component
            pending.extend(reversed(component.program.components))
