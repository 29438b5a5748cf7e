"""The call hierarchy of components: a program calls each component that it uses."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from pclgen.core.program import ComponentUse
from pclgen.lsp.analysis import Analysis
from pclgen.lsp.features.places import use_of
from pclgen.lsp.names import DefinitionKind
from pclgen.source.text import SourceFile, Span
from pclgen.syntax import ast
from pclgen.syntax.walk import path_to


class Unit(Struct, frozen=True, kw_only=True):
    """A program or a component: the name of its folder, and its first file."""

    name: str
    source: SourceFile

    @property
    def folder(self) -> Path:
        """The directory of its files."""
        return Path(self.source.name).parent


class Call(Struct, frozen=True, kw_only=True):
    """The uses of a component in one program: `unit` is the other end, `spans` are the names of the uses."""

    unit: Unit
    spans: tuple[Span, ...]


def prepare(analysis: Analysis, file: ast.File, offset: int) -> Unit | None:
    """Return the component whose use or name is at `offset`; elsewhere, the program itself."""
    occurrence = analysis.names.at(file.source, offset)
    if occurrence is not None and occurrence.definition.kind is DefinitionKind.COMPONENT:
        item: object = occurrence.definition.item
    else:
        item = next(iter(path_to(file, offset)), None)
    use = use_of(analysis, item) if isinstance(item, ast.Block) else None
    return _called(use) if use is not None else _unit([tree.source for tree in analysis.trees])


def outgoing(analysis: Analysis) -> list[Call]:
    """Return the components that a program uses, in the order of their first use."""
    spans: dict[Path, list[Span]] = {}
    units: dict[Path, Unit] = {}
    for node in analysis.program.nodes:
        unit = _called(node) if isinstance(node, ComponentUse) else None
        if isinstance(node, ComponentUse) and unit is not None:
            units.setdefault(unit.folder, unit)
            spans.setdefault(unit.folder, []).append(node.name_span)
    return [Call(unit=unit, spans=tuple(spans[folder])) for folder, unit in units.items()]


def incoming(analyses: Iterable[Analysis], folder: Path) -> list[Call]:
    """Return the programs among `analyses` that use the component in `folder`."""
    callers: list[Call] = []
    for analysis in analyses:
        caller = _unit([tree.source for tree in analysis.trees])
        calls = (call for call in outgoing(analysis) if call.unit.folder == folder)
        callers += [Call(unit=caller, spans=call.spans) for call in calls if caller is not None]
    return callers


def _called(use: ComponentUse) -> Unit | None:
    return None if use.component is None else _unit(use.component.program.texts)


def _unit(sources: Iterable[SourceFile]) -> Unit | None:
    first = min(sources, key=lambda source: source.name, default=None)
    return None if first is None else Unit(name=Path(first.name).parent.name, source=first)
