"""Where a program's parts go: one file a component, beside the main file.

Comes in: components.  Goes out: file names (without the ending), unique in the project.
"""

from __future__ import annotations

from pclgen.core.program import Component

MAIN = "index"


def component_file(component: Component) -> str:
    """The file of a component: its directory's name."""
    return component.directory if component.directory != MAIN else f"{MAIN}Component"
