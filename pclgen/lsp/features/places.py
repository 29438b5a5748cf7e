"""Declarations and uses of names, the renaming of declarations, and the call hierarchy of components.

A rename changes only the program's text: where the engine, a stack's configuration or the users of a component identify
an item by its name, the item gets a `__logicalName` with the old one.

In the hierarchy, a program calls each component that it uses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from pclgen.core.expr import Attr, Ref
from pclgen.core.program import Component, ComponentUse, ConfigVariable, OutputVariable, Program
from pclgen.lsp.analysis import Analysis, Definition, DefinitionKind, Occurrence
from pclgen.source.files import DataFileError, Finder
from pclgen.source.text import SourceFile, Span
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.syntax import ast
from pclgen.syntax.walk import Tree, path_to, walk
from pclgen.types.show import show_value


class Target(Struct, frozen=True, kw_only=True):
    """The location of a declaration: a span in a program, or a file; `origin` is the span pointed at."""

    origin: Span
    span: Span | None = None
    file: Path | None = None


def definition(analysis: Analysis, file: ast.File, offset: int) -> Target | None:
    """Return the declaration of the name at `offset`, including inputs and outputs of components and files on disk."""
    occurrence = analysis.names.at(file.source, offset)
    if occurrence is not None:
        return Target(origin=occurrence.span, span=occurrence.definition.span)
    path = path_to(file, offset)
    return _component_member(analysis, path) or _file(analysis, path)


def references(analysis: Analysis, file: ast.File, offset: int) -> list[Occurrence]:
    """Return all occurrences of the name at `offset`."""
    occurrence = analysis.names.at(file.source, offset)
    return [] if occurrence is None else analysis.names.all_of(occurrence.definition)


def use_of(analysis: Analysis, block: ast.Block) -> ComponentUse | None:
    """Return the bound component use of a block."""
    if block.type.text != "component" or not block.labels:
        return None
    name = block.labels[0].text
    uses = (node for node in analysis.program.nodes if isinstance(node, ComponentUse))
    return next((node for node in uses if node.symbol.name == name), None)


def _component_member(analysis: Analysis, path: list[Tree]) -> Target | None:
    match path:
        case [ast.Block() as block, ast.Label() as label] if len(block.labels) > 1 and label is block.labels[1]:
            use = use_of(analysis, block)
            start = None if use is None or use.component is None else _start(use.component.program)
            return None if start is None else Target(origin=label.span, span=start)
        case [ast.Block() as block, ast.Body(), ast.Attribute() as attribute, ast.Name() as name] if name is attribute.name:
            use = use_of(analysis, block)
            span = None if use is None or use.component is None else _input(use.component, name.text)
            return None if span is None else Target(origin=name.span, span=span)
        case [*_, ast.GetAttr() as access, ast.Name() as name]:
            component = _component_of(analysis, access)
            span = None if component is None else _output(component, name.text)
            return None if span is None else Target(origin=name.span, span=span)
        case _:
            return None


def _component_of(analysis: Analysis, access: ast.GetAttr) -> Component | None:
    """Return the component whose output an access reads."""
    bound = analysis.expression(access.span)
    source = bound.source if isinstance(bound, Attr) else None
    while source is not None and not isinstance(source, Ref):
        source = getattr(source, "source", None)
    for node in analysis.program.nodes:
        if isinstance(node, ComponentUse) and source is not None and node.symbol is source.symbol:
            return node.component
    return None


def _start(program: Program) -> Span | None:
    return program.texts[0].span(0, 0) if program.texts else next((node.span.head() for node in program.nodes), None)


def _input(component: Component, name: str) -> Span | None:
    nodes = (node for node in component.program.nodes if isinstance(node, ConfigVariable))
    return next((node.symbol.span for node in nodes if node.logical_name == name), None)


def _output(component: Component, name: str) -> Span | None:
    nodes = (node for node in component.program.nodes if isinstance(node, OutputVariable))
    return next((node.symbol.span for node in nodes if node.logical_name == name), None)


def _file(analysis: Analysis, path: list[Tree]) -> Target | None:
    """Return the file in a constant argument of functions such as `readFile`."""
    calls = [node for node in path if isinstance(node, ast.Call)]
    texts = [node for node in path if isinstance(node, ast.Template)]
    if not calls or not texts or not names_file(calls[-1]) or texts[-1] is not calls[-1].args[0]:
        return None
    file = file_of(analysis, texts[-1])
    return None if file is None else Target(origin=texts[-1].span, file=file)


def links(analysis: Analysis, file: ast.File) -> list[Target]:
    """Return the files that a file refers to: arguments of functions, and the first file of each component."""
    targets: list[Target | None] = []
    for node in walk(file):
        if isinstance(node, ast.Call) and names_file(node) and isinstance(node.args[0], ast.Template):
            path = file_of(analysis, node.args[0])
            targets.append(None if path is None else Target(origin=node.args[0].span, file=path))
        elif isinstance(node, ast.Block) and node.type.text == "component" and len(node.labels) > 1:
            targets.append(_component_member(analysis, [node, node.labels[1]]))
    return [target for target in targets if target is not None]


def names_file(call: ast.Call) -> bool:
    """Return whether the first argument of a call is a file path."""
    function = FUNCTIONS.get(call.name.text)
    first = function.parameters[0].name if function is not None and function.parameters else ""
    return bool(call.args) and first == "path"


def file_of(analysis: Analysis, text: ast.Template) -> Path | None:
    """Return the file beside the program with a constant name."""
    match text.parts:
        case [ast.TemplateText() as part]:
            pass
        case _:
            return None
    try:
        files = Finder(root=analysis.sources.root).find(part.value, may_be_folder=False)
    except DataFileError:
        return None
    return files[0].source if files else None


class Lens(Struct, frozen=True):
    """A line of text above the name at `span`."""

    span: Span
    text: str


def lenses(analysis: Analysis, file: ast.File) -> list[Lens]:
    """Return reference counts of top-level declarations, in source order; outputs have none, since nothing reads them."""
    occurrences = (use for own in analysis.names.occurrences.values() for use in own if not use.is_declaration)
    counts = Counter(use.definition for use in occurrences)
    top = (name for name in analysis.names.top() if name.span.file is file.source and name.kind is not DefinitionKind.OUTPUT)
    return [Lens(name.span, _references(counts[name])) for name in sorted(top, key=lambda name: name.span.start)]


def _references(count: int) -> str:
    return f"{count} reference{'' if count == 1 else 's'}"


# -- call hierarchy ---------------------------------------------------------------------------------------------------------

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


# -- renaming ---------------------------------------------------------------------------------------------------------------

_NAME = re.compile(r"[^\W\d][\w-]*")
LOGICAL_NAME = "__logicalName"
_RESERVED = frozenset({"args", "error", "false", "for", "if", "in", "null", "pulumi", "range", "true"})
_LOGICAL = frozenset({DefinitionKind.CONFIG, DefinitionKind.RESOURCE, DefinitionKind.COMPONENT, DefinitionKind.OUTPUT})


class RenameError(Exception):
    """A name cannot be changed as requested."""


class Edit(Struct, frozen=True, kw_only=True):
    """A replacement of `span` by `text`."""

    span: Span
    text: str


def renamed_at(analysis: Analysis, file: ast.File, offset: int) -> Occurrence | None:
    """Return the name at `offset`, if it can be changed."""
    occurrence = analysis.names.at(file.source, offset)
    if occurrence is None:
        return None
    definition = occurrence.definition
    is_fixed = definition.kind is DefinitionKind.RANGE or occurrence.span.text != definition.name
    return None if is_fixed else occurrence


def rename(analysis: Analysis, file: ast.File, offset: int, name: str) -> list[Edit]:
    """Return the edits that rename the name at `offset`. Raises `RenameError`."""
    occurrence = renamed_at(analysis, file, offset)
    if occurrence is None:
        raise RenameError("there is no name here that can be changed")
    definition = occurrence.definition
    if name == definition.name:
        return []
    _check_new_name(analysis, definition, name)
    edits = [Edit(span=use.span, text=name) for use in analysis.names.all_of(definition)]
    item = definition.item
    if isinstance(item, ast.Block) and definition.kind in _LOGICAL and not _has_logical_name(item):
        edits += _logical_name(item, definition.name)
    return sorted(edits, key=lambda edit: (edit.span.file.name, edit.span.start))


def _check_new_name(analysis: Analysis, definition: Definition, name: str) -> None:
    """Raise `RenameError` if `name` is invalid or already in use."""
    if _NAME.fullmatch(name) is None:
        raise RenameError(f"`{name}` is not a name: write letters, digits, `_` and `-`, and begin with a letter or `_`")
    if name in _RESERVED:
        raise RenameError(f"`{name}` has a special meaning in PCL")
    names = analysis.names
    if definition.kind is DefinitionKind.TYPE:
        taken = name in names.types or name in _TYPE_WORDS
    else:
        loops = {loop.name for loop, _ in names.loops}
        taken = name in names.definitions or name in names.outputs or name in loops or name in names.unknown
    if taken:
        raise RenameError(f"`{name}` is already in use in this program")


_TYPE_WORDS = frozenset(
    {"any", "string", "number", "int", "bool", "list", "set", "map", "optional", "object", "tuple", "union", "true", "false"}
)


def _has_logical_name(block: ast.Block) -> bool:
    return any(isinstance(item, ast.Attribute) and item.name.text == LOGICAL_NAME for item in block.body.items)


def _logical_name(block: ast.Block, old: str) -> list[Edit]:
    """Return an attribute with the old name, on a separate line."""
    start = block.open_brace.end
    line = f"\n  {LOGICAL_NAME} = {show_value(old)}"
    if "\n" in Span(block.span.file, start, block.span.end).text:
        return [Edit(span=Span(block.span.file, start, start), text=line)]
    end = block.span.end - 1
    inside = Span(block.span.file, start, end).text.strip()
    return [Edit(span=Span(block.span.file, start, end), text=f"{line}\n  {inside}\n" if inside else f"{line}\n")]
