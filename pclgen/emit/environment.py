"""The jinja2 environment of all targets.

Templates are found by `<target>/<file>.jinja`: in the user's overlay first, then in the installed package
(`pclgen/templates`) or in a checkout (`templates` beside the package). A template that uses an unknown name fails
immediately; a failing user's template raises `TemplateFailureError`. Templates of users run in jinja2's sandbox: a
configuration may name them, and its author must not be able to run code here.
"""

from __future__ import annotations

import sys
import traceback
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final
from zlib import crc32

import jinja2
from jinja2.bccache import Bucket

from pclgen.emit.overlay import TEMPLATE_FOLDERS, Overlay, TemplateFailureError

OURS: Final = "pclgen"
"""The prefix by which a user's template includes the template it replaces: `{% include "pclgen/go/file.go.jinja" %}`."""
_MANNER: Final[dict[str, Any]] = {
    "undefined": jinja2.StrictUndefined,
    "trim_blocks": True,
    "lstrip_blocks": True,
    "keep_trailing_newline": True,
    "autoescape": False,
}


class CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """A cache of compiled templates in `__pycache__` below their folder; `PYTHONDONTWRITEBYTECODE` turns writing off.

    jinja2 recompiles a template when its source changes. The names of the files depend on the options in `_MANNER`.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder / "__pycache__"), f"%s-{crc32(repr(_MANNER).encode()):08x}.pyc")

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a compiled template if possible."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):  # the package may be installed where it cannot be written
                Path(self.directory).mkdir(exist_ok=True)
                super().dump_bytecode(bucket)


@cache
def environment(overlay: Overlay | None = None) -> jinja2.Environment:
    """Return the environment for an overlay; its templates are compiled once per process."""
    own = jinja2.FileSystemLoader(TEMPLATE_FOLDERS)
    if overlay is None:
        folder = next(folder for folder in TEMPLATE_FOLDERS if folder.is_dir())
        return jinja2.Environment(loader=own, bytecode_cache=CompiledTemplates(folder), **_MANNER)
    from pclgen.emit.sandbox import Sandbox

    texts = dict(overlay.files)
    # With a file name, lines of templates stand in tracebacks.
    laid_over = jinja2.FunctionLoader(lambda name: (texts[name], name, None) if name in texts else None)
    ours = jinja2.PrefixLoader({OURS: own})
    return Sandbox(loader=jinja2.ChoiceLoader([laid_over, own, ours]), **_MANNER)


def render(template: str, overlay: Overlay | None = None, **values: object) -> str:
    """Return the text of `template` (`python/program.py.jinja`) with `values`.

    Raises `TemplateFailureError` for a user's template; an error in our templates is a bug and propagates unchanged.
    """
    if overlay is None:
        return environment().get_template(template).render(**values)
    try:
        return environment(overlay).get_template(template).render(**values)
    except jinja2.TemplateSyntaxError as error:
        raise TemplateFailureError(error.name or template, error.lineno, error.message or "it is no template") from None
    except jinja2.TemplateNotFound as error:
        raise _failure(template, overlay, error, f"there is no template `{error.message}`") from None
    except Exception as error:  # what a template does can fail in any way that Python knows
        raise _failure(template, overlay, error, str(error) or type(error).__name__) from error


def _failure(template: str, overlay: Overlay, error: Exception, message: str) -> TemplateFailureError:
    """Return the failure of a template at run time, whose line is in jinja2's traceback."""
    names = {name for name, _ in overlay.files}
    places = [(frame.filename, frame.lineno or 1) for frame in traceback.extract_tb(error.__traceback__)]
    name, line = next(((name, line) for name, line in reversed(places) if name in names), (template, 1))
    return TemplateFailureError(name, line, message)
