"""Signature help: the parameters of the call around an offset."""

from __future__ import annotations

from msgspec import Struct

from pclgen.lsp.features.completion import patched, window_around
from pclgen.source.text import SourceFile
from pclgen.stdlib.calling import parameter_at, signature
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.syntax import ast
from pclgen.syntax.walk import path_to
from pclgen.types.show import show

_PATCHES = [argument + closing for closing in ("", ")", "))") for argument in ("completion__", ", completion__", "")]
"""Texts that may complete a call at the cursor: a name for a missing argument, and the ends of open calls."""


class Signature(Struct, frozen=True, kw_only=True):
    """The signature of a call: `parameters` with their documentation; `active` is the one at the cursor."""

    label: str
    doc: str
    parameters: tuple[tuple[str, str], ...]
    active: int | None


def signature_at(file: ast.File, offset: int) -> Signature | None:
    """Return the signature of the innermost call of a built-in function around `offset` of a parsed file."""
    # An item with an open call may end before the cursor.
    start = max((item.span.start for item in file.body.items if item.span.start < offset), default=0)
    return signature_between(file.source, (start, window_around(file, offset)[1]), offset)


def signature_between(source: SourceFile, window: tuple[int, int], offset: int) -> Signature | None:
    """Return the signature at `offset` of a text; `window` is the part of it that is parsed."""
    if "(" not in source.text[window[0] : offset]:
        return None
    for patch in _PATCHES:
        tree = patched(source, window, (offset, offset), patch)
        calls = [node for node in path_to(tree, offset) if isinstance(node, ast.Call) and node.name.span.end < offset]
        if calls:
            return _signature(calls[-1], offset)
    return None


def _signature(call: ast.Call, offset: int) -> Signature | None:
    function = FUNCTIONS.get(call.name.text)
    if function is None:
        return None
    position = sum(argument.span.end < offset for argument in call.args)
    taken = [*function.parameters, *([function.variadic] if function.variadic is not None else [])]
    at = parameter_at(function, position)
    return Signature(
        label=signature(function),
        doc=function.doc,
        parameters=tuple([(parameter.name, f"{show(parameter.type)}: {parameter.doc}") for parameter in taken]),
        active=taken.index(at) if at in taken else None,
    )
