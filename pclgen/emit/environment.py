"""The jinja2 environment of all targets.

Comes in: nothing.  Goes out: `environment()`, which finds templates by `<target>/<file>.jinja` in the installed
package (`pclgen/templates`) or in a checkout (`templates` beside the package).  A template that uses an unknown
name fails at once instead of printing nothing.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import jinja2

_PACKAGE = Path(__file__).resolve().parents[1]
TEMPLATE_FOLDERS = (_PACKAGE / "templates", _PACKAGE.parent / "templates")


@cache
def environment() -> jinja2.Environment:
    """The one environment; templates are compiled once in a process."""
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATE_FOLDERS),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def render(template: str, **values: object) -> str:
    """The text that `template` (`python/program.py.jinja`) makes of `values`."""
    return environment().get_template(template).render(**values)
