"""The files that a program names: `readFile("./policy.json")`, `fileArchive("./site")`.

A path is known before the program runs if it consists only of texts, locals that are texts, defaults of configuration, and
the working directory of the program.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from pclgen.core import expr as core
from pclgen.core.program import ConfigVariable, Local, Program
from pclgen.core.walk import children, expressions_of, kinds_in, kinds_of, programs_of
from pclgen.source.text import Span

READERS = frozenset({"readFile", "filebase64", "filebase64sha256", "fileAsset"})
ARCHIVERS = frozenset({"fileArchive"})
_GUARDS = frozenset({"try", "can", "recover"})
_HERE = frozenset({"cwd", "rootDirectory"})
_LONGEST_PATH = 32_768  # no system opens a longer path; a template of its own result doubles it each time


class NamedFile(Struct, frozen=True, kw_only=True):
    """A path as written in the program, relative to its working directory; `span` is the span of the argument."""

    path: str
    span: Span
    may_be_folder: bool
    may_be_missing: bool  # configuration may replace it, or the program handles this: `try(readFile("./motd.txt"), "")`


def named_files(program: Program) -> tuple[NamedFile, ...]:
    """The files that `program` and its components name, in the order of the source."""
    programs = programs_of(program)
    return tuple(named for part in programs for named in _named(part))


def _named(program: Program) -> Iterator[NamedFile]:
    if core.Call not in kinds_in(program):
        return
    fixed: dict[core.Symbol, str] = {}
    texts_of_symbols: dict[core.Symbol, str] = {}  # fixed texts and defaults
    for node in program.nodes:
        match node:
            case Local(symbol=symbol, value=value) | ConfigVariable(symbol=symbol, default=value) if value is not None:
                for texts in (texts_of_symbols, fixed) if isinstance(node, Local) else (texts_of_symbols,):
                    text = _text(value, texts)
                    if text is not None:
                        texts[symbol] = text
            case _:
                pass
    for node in program.nodes:
        for whole in expressions_of(node):
            if core.Call not in kinds_of(whole):
                continue
            pending = [(whole, False)]
            while pending:
                expr, guarded = pending.pop()
                if isinstance(expr, core.Call):
                    name = expr.function.name
                    guarded = guarded or name in _GUARDS
                    path = _text(expr.args[0], texts_of_symbols) if name in READERS | ARCHIVERS and expr.args else None
                    if path is not None:
                        yield NamedFile(
                            path=path,
                            span=expr.args[0].span,
                            may_be_folder=name in ARCHIVERS,
                            may_be_missing=guarded or _text(expr.args[0], fixed) is None,
                        )
                pending += [(child, guarded) for child in reversed(children(expr))]


def _text(expr: core.Expr, texts_of_symbols: dict[core.Symbol, str]) -> str | None:
    match expr:
        case core.Literal(value=str() as text):
            return text
        case core.Ref(symbol=symbol):
            return texts_of_symbols.get(symbol)
        case core.Convert(value=value):
            return _text(value, texts_of_symbols)
        case core.Call(function=function) if function.name in _HERE:
            return "."
        case core.Template(parts=parts):
            texts = [_text(part, texts_of_symbols) for part in parts]
            fixed_texts = [text for text in texts if text is not None]
            if len(fixed_texts) < len(texts) or sum(map(len, fixed_texts)) > _LONGEST_PATH:
                return None
            return "".join(fixed_texts)
        case _:
            return None
