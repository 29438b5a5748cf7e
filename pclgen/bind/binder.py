"""The entry of binding: files in, a typed `Program` out.

The phases of one program: parse its files, declare its items, read its package blocks, order the items by the names they
refer to, bind each item after its dependencies, put the nodes back into source order.  A component directory is bound once,
as a separate program, whatever the number of its uses; its diagnostics point into its own files.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.bind import expressions, resources, variables
from pclgen.bind.awaited import Awaited, Early, awaited_functions
from pclgen.bind.comments import lines_of, settle, with_header_inside
from pclgen.bind.context import Context, PackageTable
from pclgen.bind.literals import refuse_rounded
from pclgen.bind.reading import component_in, has_guesses, plugin_of_files, read_sources, with_components, with_types
from pclgen.bind.requirements import read_package_blocks, wanted_by_options
from pclgen.bind.scope import (
    Aliases,
    Declarations,
    Item,
    ItemKind,
    Reference,
    Scope,
    SettingsEntry,
    block_names,
    declare,
    free_names,
    range_expression,
)
from pclgen.bind.typelabels import read_aliases
from pclgen.bind.variables import EventualInputs, eventual_inputs, is_own, is_taken_input, observed_inputs
from pclgen.core import program as prog
from pclgen.core.expr import Symbol, SymbolKind
from pclgen.diagnostics import structure as say
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.diagnostics.structure import name_of_every_component
from pclgen.graph.dependencies import cycles
from pclgen.graph.order import Edges, circular_groups, cycle_diagnostic, find_cycles, order, reference_graph
from pclgen.schema.errors import BadSchema, NotFound, SchemaError, report_error
from pclgen.schema.load import SchemaStore
from pclgen.source.files import PLUGIN, Located, located_in, plugin_of
from pclgen.source.text import SourceFile, Span
from pclgen.syntax import ast
from pclgen.types.declarations import Field
from pclgen.types.model import DYNAMIC, ERROR, input_shape, output_of, resolve
from pclgen.types.rules import enforced

if TYPE_CHECKING:
    from pclgen.pulumiyaml.components import Plugin

_WORD = re.compile(r"[^\W\d][\w-]*")
_MAIN = ("main.pp", "Main.yaml", "Main.yml", "Main.json")
"""Files whose first comment is the comment of the program."""
_NOWHERE = Span(SourceFile("", ""), 0, 0)

ComponentLoader: TypeAlias = Callable[[str], "Sequence[SourceFile] | str"]
"""Reads the `.pp` files of a directory given relative to the root program; a text gives the reason of a failure."""
Reader: TypeAlias = Callable[[Sequence[SourceFile], DiagnosticBag, bool], "list[ast.File]"]
"""Parses the files of one folder, leniently or not; an editor's reader reuses the trees of unchanged files."""
Locate: TypeAlias = Callable[[str, str, Span], "Located | Diagnostic"]
"""Locates a component: takes the directory of the program that uses it, the source as written, and its span."""


class _Sources(Struct, eq=False):
    """Trees of the files that were read; parsing happens once, whatever the number of rounds."""

    load_component: ComponentLoader
    locate: Locate
    bag: DiagnosticBag
    lenient: bool = False
    directories: dict[str, Sequence[ast.File] | str | None] = field(default_factory=dict)
    read: Reader = read_sources
    plugins: dict[str, Plugin | str] = field(default_factory=dict)

    def trees(self, files: Sequence[SourceFile], bag: DiagnosticBag) -> list[ast.File]:
        """The trees of a program, with components of plugins as components."""
        return self._with_components(self.read(files, bag, self.lenient), ".")

    def _with_components(self, trees: Sequence[ast.File], path: str) -> list[ast.File]:
        def plugin_in(source: str) -> Plugin | None:
            plugin = self.plugin(posixpath.join(path, source))
            return None if isinstance(plugin, str) else plugin

        return with_components(trees, plugin_in)

    def plugin(self, folder: str) -> Plugin | str:
        """The plugin in a folder, or the reason why there is none; its errors are reported once."""
        folder = posixpath.normpath(folder)
        if folder not in self.plugins:
            files = self.load_component(posixpath.join(folder, PLUGIN))
            plugin = files if isinstance(files, str) else plugin_of_files(files, self.bag, lenient=self.lenient)
            self.plugins[folder] = plugin
        return self.plugins[folder]

    def parse(self, files: Sequence[SourceFile]) -> Sequence[ast.File] | None:
        """The trees of a program; None after syntax errors, since the meaning of a partial program is unclear."""
        own = DiagnosticBag()
        return self._settled(self.trees(files, own), own)

    def _settled(self, trees: Sequence[ast.File], own: DiagnosticBag) -> Sequence[ast.File] | None:
        self.bag.extend(own)
        return None if own.has_errors else [settle(tree) for tree in trees]

    def well_formed(self, files: Sequence[SourceFile]) -> tuple[list[ast.File], frozenset[str]] | None:
        """The trees of the files without syntax errors, and the words of the other files, which may declare these words.

        None if the other files may contain `package` blocks.
        """
        broken = {d.primary.file.name for d in self.bag if d.severity is Severity.ERROR and d.primary is not None}
        words = frozenset(word for file in files if file.name in broken for word in _WORD.findall(file.text))
        if "package" in words:
            return None
        own = DiagnosticBag()
        return self.trees([file for file in files if file.name not in broken], own), words

    def directory(self, path: str) -> Sequence[ast.File] | str | None:
        """The trees of a component directory, or the reason why there are none; None if it was reported."""
        if path not in self.directories:
            trees = self._component(path)
            self.directories[path] = trees or None
        return self.directories[path]

    def _component(self, path: str) -> Sequence[ast.File] | str | None:
        place, own = plugin_of(path), DiagnosticBag()
        if place is None:
            files = self.load_component(path)
            trees = files if isinstance(files, str) else self.read(files, own, self.lenient)
        else:
            plugin = self.plugin(place[0])
            trees = plugin if isinstance(plugin, str) else component_in(plugin, place[1], own, lenient=self.lenient)
        return trees if isinstance(trees, str) else self._settled(self._with_components(trees, path), own)


class _Session(Struct, eq=False):
    """State that the root program and its components share in one round of binding."""

    store: SchemaStore
    sources: _Sources
    bag: DiagnosticBag
    lenient: bool
    eventual_inputs: EventualInputs
    awaited: Awaited = frozenset()
    early: Early = field(default_factory=Early)
    components: dict[str, prog.Component | None] = field(default_factory=dict)
    reported: set[BadSchema | NotFound | str] = field(default_factory=set)
    aliases: dict[str, Aliases] = field(default_factory=dict)
    folders: dict[str, dict[str, prog.TypesFolder]] = field(default_factory=dict)
    """The folders whose types labels use, by the folder that names them and the text in the label."""

    def types_in(self, directory: str, types: Mapping[str, ast.Block]) -> Aliases:
        """The types of a folder, created on the first use."""
        aliases = Aliases(dict(types), folder=directory, elsewhere=self.types_of)
        return self.aliases.setdefault(directory, aliases)

    def types_of(self, directory: str, source: str, span: Span) -> Aliases | None:
        """The types of the folder that the files of `directory` call `source`; None after a report of a missing folder."""
        located = self.sources.locate(directory, source, span)
        if isinstance(located, Diagnostic):
            self.bag.add(located)
            return None
        trees = self.sources.directory(located.path)
        if trees is None or isinstance(trees, str):
            if trees is not None:
                self.bag.add(say.types_missing(source, trees, span, located.hint))
            return None
        texts = tuple([tree.source for tree in trees])
        folder = prog.TypesFolder(user=directory, source=source, path=located.path, texts=texts)
        self.folders.setdefault(directory, {})[source] = folder
        return self.aliases.get(located.path) or self.types_in(located.path, declare(trees, self.bag).types)

    def types_from(self, directory: str) -> tuple[prog.TypesFolder, ...]:
        """The folders whose types the labels in `directory` use, directly or indirectly, in a stable order."""
        folders: dict[str, Mapping[str, prog.TypesFolder]] = {}
        waiting = [directory]
        while waiting:
            user = waiting.pop()
            if user not in folders:
                folders[user] = self.folders.get(user, {})
                waiting += [folder.path for folder in folders[user].values()]
        return tuple([folders[user][source] for user in sorted(folders) for source in sorted(folders[user])])


class _Place(Struct, frozen=True):
    """The location of a program: its directory, and the component uses that lead to it."""

    directory: str
    trail: tuple[tuple[str, Span], ...] = ()


def bind_program(
    name: str,
    files: Sequence[SourceFile],
    store: SchemaStore,
    bag: DiagnosticBag,
    *,
    load_component: ComponentLoader,
    locate: Locate = lambda directory, text, _: located_in(directory, text),
    lenient: bool = False,
    read: Reader = read_sources,
    partial: bool = False,
) -> Bound:
    """Bind a root program.  If `bag` has errors, the program is for editors only: it contains `Invalid` expressions.

    With `partial` the program includes the readable items of files with syntax errors, and the nodes of cycles.
    """
    sources = _Sources(load_component, locate, bag, lenient, read=read)
    trees = sources.parse(files)
    if trees is None or bag.has_errors:
        sound = sources.well_formed(files)
        if sound is not None and sound[0]:
            binding = Binding(_Session(store, sources, bag, lenient, {}), _Place("."), doubtful=sound[1])
            binding.run(name, sound[0])
        if partial:
            return Bound(_bound_partly(name, files, sources, store))
        return Bound(prog.Program(name=name, nodes=(), components=(), packages=()))
    inputs: EventualInputs = {}
    awaited: Awaited = frozenset()
    as_written = trees
    while True:
        round_bag = DiagnosticBag()  # only diagnostics of the last round count
        guessing = has_guesses(trees)
        session = _Session(store, sources, round_bag, lenient or guessing, inputs, awaited)
        binding = Binding(session, _Place("."))
        program = binding.run(name, trees)
        if guessing:
            trees = with_types(trees, program)
            continue
        waits = awaited | awaited_functions(program, session.early)
        if waits != awaited:
            awaited, inputs = waits, {}
            continue
        eventual = eventual_inputs(program)
        merged = {path: eventual.get(path, frozenset()) | inputs.get(path, frozenset()) for path in {*eventual, *inputs}}
        if bag.has_errors or round_bag.has_errors or merged == inputs:
            bag.extend(round_bag)
            refuse_rounded(program, bag)
            if binding.broken:
                return Bound(_bound_with_cycles(name, trees, sources, store) if partial else program)
            return Bound(program, binding if trees is as_written else None)
        inputs = merged


def _bound_partly(name: str, files: Sequence[SourceFile], sources: _Sources, store: SchemaStore) -> prog.Program:
    """The program of all items that could be read. Reports nothing, since an error may come from missing items."""
    trees = [settle(tree) for tree in sources.trees(files, DiagnosticBag())]
    return _bound_with_cycles(name, trees, sources, store)


def _bound_with_cycles(name: str, trees: Sequence[ast.File], sources: _Sources, store: SchemaStore) -> prog.Program:
    """The program with the nodes of invalid cycles, whose names have any type.  Reports nothing."""
    silent = DiagnosticBag()
    session = _Session(store, replace(sources, bag=silent), silent, sources.lenient, {})
    return Binding(session, _Place("."), keeps_cycles=True).run(name, trees)


class Bound(Struct, frozen=True):
    """A bound program, and the binding of its last round; None after syntax errors, cycles and guessed types."""

    program: prog.Program
    binding: Binding | None = None


_TypeOf: TypeAlias = tuple[str, Item]
_Vertex: TypeAlias = "Item | _TypeOf"


class Binding(Struct, eq=False):
    """The binding of one program."""

    session: _Session
    place: _Place
    declared: Declarations = field(default_factory=Declarations)
    scope: Scope = field(default_factory=Scope)
    nodes: dict[Item, tuple[prog.Node, ...]] = field(default_factory=dict)
    ranges: dict[Item, prog.Range | None] = field(default_factory=dict)
    uses: dict[Item, prog.Component | None] = field(default_factory=dict)
    read: set[Item] = field(default_factory=set)
    """Outputs that other items refer to; each is also a local."""
    header: tuple[str, ...] = ()
    broken: set[Item] = field(default_factory=set)
    """The items of cycles that are errors."""
    keeps_cycles: bool = False
    doubtful: frozenset[str] = frozenset()
    """Names that files with syntax errors may declare."""
    context: Context | None = None
    """The context of all items, from `run` on."""
    edges: Edges[Item] = field(default_factory=dict)
    """The items that each item refers to."""
    order: list[Item] = field(default_factory=list)
    """The items in binding order."""

    def run(self, name: str, trees: Sequence[ast.File]) -> prog.Program:
        bag = self.session.bag
        main = next((tree for tree in trees if posixpath.basename(tree.source.name) in _MAIN), next(iter(trees), None))
        if main is not None:
            self.header = lines_of(main.header)
            trees = [tree if tree is main else with_header_inside(tree) for tree in trees]
        self.declared = declare(trees, bag)
        table = PackageTable(self.session.store, bag, self.session.lenient, self.session.reported)
        lenient, awaited = self.session.lenient, self.session.awaited
        names = frozenset((*self.declared.definitions, *self.declared.outputs))
        cx = Context(bag, table, self.scope, expressions, lenient, self.place.directory, awaited=awaited, names=names)
        if not self.place.trail:
            cx = replace(cx, early=self.session.early)
        cx = replace(cx, aliases=self.session.types_in(self.place.directory, self.declared.types))
        read_aliases(cx)
        described = read_package_blocks(cx, self.declared.packages)
        if not self.place.trail:
            self.session.store = self.session.store.with_packages(wanted_by_options(trees, self.session.store, described))
        requests = {name: block.requirement() for name, block in described.items()}
        table.store = self.session.store.with_packages(requests) if requests else self.session.store
        self.context = cx
        self._bind_items(cx)
        return self._program(name, trees, table)

    def _bind_items(self, cx: Context) -> None:
        items = self.declared.items
        for item in items:
            self.hide(item)
        declared = {item.name for item in items}
        for name in sorted((self.doubtful - declared) | (self.declared.doubtful - self.declared.definitions.keys())):
            self.scope.names[name] = Symbol(name=name, kind=SymbolKind.LOCAL, type=ERROR, span=_NOWHERE)
        for item in items:
            if item.kind is ItemKind.COMPONENT:
                self._prepare_component(cx, item)
        edges = self.edges = {item: self.targets(item) for item in items}
        self.read = {target for targets in edges.values() for target, _ in targets if target.kind is ItemKind.OUTPUT}
        needs = reference_graph(*self._needs(edges))
        broken = self.broken
        graph = reference_graph(items, edges)
        for cycle in find_cycles(graph, _may_wait):
            cx.report(cycle_diagnostic(cycle, lambda item: item.name))
            broken.update(cycle.members, cycle.tangled)
        for ranges in find_cycles(needs, _is_no_range):
            cx.report(cycle_diagnostic(ranges, lambda vertex: _item_of(vertex).name))
            broken.update(_item_of(vertex) for vertex in (*ranges.members, *ranges.tangled))
        cyclic = [item for item in items if item in broken and self.keeps_cycles]
        for item in cyclic:
            self._expose(item, replace(variables.error_symbol(item, item.name_span), type=DYNAMIC))
        for vertex in order(needs, lambda source, target: False):
            if _item_of(vertex) in broken:
                continue
            if isinstance(vertex, tuple):
                self._bind_range(cx, vertex[1])
            else:
                self.order.append(vertex)
                self.bind_item(cx, vertex)
        for group in circular_groups(graph):
            if broken.isdisjoint(group):
                cx.bag.extend(cycles([node for item in group for node in self.nodes.get(item, ())]))
        for item in cyclic:
            self._bind_cyclic(cx, item)

    def _bind_cyclic(self, cx: Context, item: Item) -> None:
        """Bind an item of a cycle, to whose symbol the other items refer."""
        names = self.scope.outputs if item.kind is ItemKind.OUTPUT else self.scope.names
        symbol = names[item.name]
        if item.kind is ItemKind.COMPONENT:
            self._bind_range(cx, item)
            names[item.name] = symbol
        try:
            node = self._bind_node(cx, item)
        except SchemaError:
            return
        if node is not None and isinstance(symbol, Symbol) and not isinstance(node, prog.PulumiSettings):
            node = replace(node, symbol=symbol)
        self.nodes[item] = (node,) if node is not None else ()

    def nodes_of(self, items: Iterable[Item]) -> Iterator[prog.Node]:
        """The nodes of items, in their order."""
        return (node for item in items for node in self.nodes.get(item, ()))

    def hide(self, item: Item) -> None:
        """Give the name of an item its placeholder symbol, used until the item is bound, and after errors."""
        self._expose(item, variables.error_symbol(item, item.name_span))

    def _expose(self, item: Item, symbol: Symbol) -> None:
        if item.kind is ItemKind.SETTINGS:
            self.scope.names[item.name] = SettingsEntry()
        elif item.kind is ItemKind.OUTPUT:
            self.scope.outputs[item.name] = symbol
        else:
            self.scope.names[item.name] = symbol

    def targets(self, item: Item) -> list[tuple[Item, Span]]:
        """The items that an item refers to, with the spans of the references."""
        if item.attribute is not None:
            return self._targets(free_names(item.attribute.value))
        assert item.block is not None
        return self._targets(block_names(item.block, "range" in self.declared.definitions))

    def _targets(self, names: Sequence[Reference]) -> list[tuple[Item, Span]]:
        targets = [(self.declared.find(name), span) for name, span in names]
        return [(target, span) for target, span in targets if target is not None]

    def _needs(self, edges: Edges[Item]) -> tuple[Sequence[_Vertex], Edges[_Vertex]]:
        """The dependencies of binding each item.

        Users of a component need only its type, which its range decides; so components may refer to each other.
        """
        vertices: list[_Vertex] = []
        needs: dict[_Vertex, list[tuple[_Vertex, Span]]] = {}
        for item in self.declared.items:
            mine: list[tuple[_Vertex, Span]] = []
            if item.kind is ItemKind.COMPONENT and item.block is not None:
                type_of: _Vertex = ("type", item)
                ranged = range_expression(item.block)
                names = free_names(ranged) if ranged is not None else []
                needs[type_of] = [(self._needed(t), span) for t, span in self._targets(names)]
                vertices.append(type_of)
                mine.append((type_of, item.name_span))
            mine.extend((self._needed(target), span) for target, span in edges[item])
            needs[item] = mine
            vertices.append(item)
        return vertices, needs

    def _needed(self, item: Item) -> _Vertex:
        return ("type", item) if item.kind is ItemKind.COMPONENT else item

    def _bind_range(self, cx: Context, item: Item) -> None:
        assert item.block is not None
        self.ranges[item] = resources.bind_range(cx, item.block)
        component = self.uses.get(item)
        if component is not None or len(item.block.labels) == 1:
            self._expose(item, resources.component_symbol(cx, item, component, self.ranges[item]))

    def bind_item(self, cx: Context, item: Item) -> None:
        """Bind an item whose targets are bound, and add its nodes and its symbol to the tables."""
        try:
            node = self._bind_node(cx, item)
        except SchemaError as problem:
            # Members are read on first use, so an invalid member may raise anywhere below the node that uses it.
            place, token = _package_place(item)
            cx.report(report_error(problem, token, place))
            return
        if node is None:
            return
        if isinstance(node, prog.OutputVariable) and item in self.read:
            local, node = variables.with_local(node)
            self.nodes[item] = (local, node)
            self._expose(item, local.symbol)
            return
        rule = enforced(node.rule) if isinstance(node, prog.ConfigVariable) else None
        if isinstance(node, prog.ConfigVariable) and rule is not None and self.place.trail:
            cx.checked[node.symbol] = rule  # the uses of the component check the value
        elif isinstance(node, prog.ConfigVariable) and rule is not None:
            node, local = variables.with_check(cx, node, rule)
            self.nodes[item] = (node, local)
            self._expose(item, local.symbol)
            return
        self.nodes[item] = (node,)
        if not isinstance(node, prog.PulumiSettings | prog.ComponentUse):
            self._expose(item, node.symbol)

    def _bind_node(self, cx: Context, item: Item) -> prog.Node | None:
        match item.kind:
            case ItemKind.LOCAL:
                return variables.bind_local(cx, item)
            case ItemKind.CONFIG:
                names = self.session.eventual_inputs.get(self.place.directory, frozenset())
                return variables.bind_config(cx, item, eventual_inputs=names)
            case ItemKind.OUTPUT:
                return variables.bind_output(cx, item)
            case ItemKind.HOOK:
                return variables.bind_hook(cx, item)
            case ItemKind.SETTINGS:
                return variables.bind_settings(cx, item)
            case ItemKind.RESOURCE | ItemKind.READ:
                return resources.bind_resource(cx, item)
            case ItemKind.COMPONENT:
                return self._bind_use(cx, item)
            case ItemKind.PACKAGE | ItemKind.TYPE:
                raise AssertionError("blocks of packages and types are no items")

    def _bind_use(self, cx: Context, item: Item) -> prog.ComponentUse | None:
        symbol = self.scope.names.get(item.name)
        assert isinstance(symbol, Symbol)
        component = self.uses.get(item)
        return resources.bind_component_use(cx, item, component, symbol=symbol, range_=self.ranges.get(item))

    def _prepare_component(self, cx: Context, item: Item) -> None:
        """Bind the directory of a component before anything refers to it."""
        assert item.block is not None
        if len(item.block.labels) < 2:
            return
        label = item.block.labels[1]
        located = self.session.sources.locate(self.place.directory, label.text, label.span)
        if isinstance(located, Diagnostic):
            self.session.bag.add(located)
            self.uses[item] = None
            return
        component = self.uses[item] = self._component(located, label)
        for package in component.program.packages if component is not None else ():
            cx.packages.use(package)

    def _component(self, located: Located, label: ast.Label) -> prog.Component | None:
        session = self.session
        path = located.path
        if path in session.components:
            return session.components[path]
        cycle = self._cycle_to(path, label.span)
        if cycle:
            from pclgen.diagnostics.order import circular_components

            session.bag.add(circular_components(cycle))
            return None
        problem = self._plugin_problem(path, label.span)
        if problem is not None:
            session.bag.add(problem)
            session.components[path] = None
            return None
        trees = session.sources.directory(path)
        if trees is None or isinstance(trees, str):
            if trees is not None:
                session.bag.add(say.component_directory_missing(label.text, trees, label.span, located.hint))
            session.components[path] = None
            return None
        place = _Place(path, (*self.place.trail, (path, label.span)))
        binding = Binding(session, place)
        program = with_plain_inputs(binding.run(located.name, trees))
        _check_members(program, session.bag)
        component = None if binding.incomplete() else make_component(program, located.name, path)
        session.components[path] = component
        return component

    def _plugin_problem(self, path: str, span: Span) -> Diagnostic | None:
        """The reason why a path leads to no component of a plugin; None for paths of folders."""
        place = plugin_of(path)
        if place is None:
            return None
        folder, name = place
        plugin = self.session.sources.plugin(folder)
        if isinstance(plugin, str):
            return None  # the folder is missing, not the component
        if not plugin.is_yaml:
            return say.no_yaml_plugin(folder, span)
        if name in plugin.components or not plugin.is_whole:
            return None
        return say.unknown_component(name, folder, sorted(plugin.components), span)

    def incomplete(self) -> bool:
        """Return whether errors hide inputs or outputs, so that the names in a use cannot be checked."""
        surface = (item for item in self.declared.items if item.kind in (ItemKind.CONFIG, ItemKind.OUTPUT))
        return self.declared.incomplete or any(item not in self.nodes for item in surface)

    def _cycle_to(self, path: str, span: Span) -> list[tuple[str, str, Span]]:
        """The uses that lead from the directory `path` through this program back to `path`; empty without a cycle."""
        directories = [".", *(at for at, _ in self.place.trail)]
        if path not in directories:
            return []
        start = directories.index(path)
        steps = [(directories[i], at, use) for i, (at, use) in enumerate(self.place.trail) if i >= start]
        return [*steps, (self.place.directory, path, span)]

    def _program(self, name: str, trees: Sequence[ast.File], table: PackageTable) -> prog.Program:
        used = dict.fromkeys(c for c in self.uses.values() if c is not None)
        footer = [line for tree in trees for line in lines_of(tree.body.closing)]
        homes = {home.name: home for c in used for home in c.program.homes} | table.homes
        return prog.Program(
            name=name,
            nodes=tuple(self.nodes_of(self.declared.items)),
            components=tuple(used),
            packages=tuple([table.used[key] for key in sorted(table.used)]),
            homes=tuple([homes[key] for key in sorted(homes)]),
            header=self.header,
            footer=tuple(footer),
            texts=tuple([tree.source for tree in trees]),
            types_from=self.session.types_from(self.place.directory),
        )


def _item_of(vertex: _Vertex) -> Item:
    return vertex[1] if isinstance(vertex, tuple) else vertex


def _is_no_range(source: _Vertex, target: _Vertex) -> bool:
    """Return whether an edge is not a dependency between the ranges of two components, which never waits."""
    return not (isinstance(source, tuple) and isinstance(target, tuple))


def _may_wait(source: Item, target: Item) -> bool:
    """Return whether both items are components with a source, as `graph.dependencies.waiting` does for nodes.

    Binding shows later whether a use needs more than outputs.
    """
    return all(
        item.kind is ItemKind.COMPONENT and item.block is not None and len(item.block.labels) > 1
        for item in (source, target)
    )


def _package_place(item: Item) -> tuple[Span, str]:
    """The span and the text for errors about the package of a node: its token, or its name."""
    if item.kind in (ItemKind.RESOURCE, ItemKind.READ) and item.block is not None:
        return item.block.labels[1].span, item.block.labels[1].text
    return item.name_span, item.name


def with_plain_inputs(program: prog.Program) -> prog.Program:
    """Mark the inputs that a component takes as plain values."""
    observed = observed_inputs(program)
    if not observed:
        return program

    def marked(node: prog.Node) -> prog.Node:
        if isinstance(node, prog.ConfigVariable) and node.symbol in observed and not node.symbol.type.eventual:
            return replace(node, plain_input=True)
        return node

    return replace(program, nodes=tuple([marked(node) for node in program.nodes]))


def _check_members(program: prog.Program, bag: DiagnosticBag) -> None:
    """Check the names of a component's inputs and outputs, which become members of classes in every language."""
    for node in program.nodes:
        if isinstance(node, prog.OutputVariable) and is_own(node.logical_name):
            bag.add(name_of_every_component("output", node.logical_name, node.symbol.span))
        if isinstance(node, prog.ConfigVariable) and is_taken_input(node.logical_name):
            bag.add(name_of_every_component("input", node.logical_name, node.symbol.span))


def make_component(program: prog.Program, directory: str, path: str) -> prog.Component:
    """Make the component of a bound directory: its config variables are the inputs, its outputs the value."""
    inputs = [_input_field(node) for node in program.nodes if isinstance(node, prog.ConfigVariable)]
    outputs = [_output_field(node) for node in program.nodes if isinstance(node, prog.OutputVariable)]
    name = class_name(directory)
    accepted, value = resources.component_declarations(name, inputs, outputs)
    return prog.Component(name=name, directory=directory, path=path, program=program, inputs=accepted, value=value)


def _input_field(node: prog.ConfigVariable) -> Field:
    return Field(
        name=node.logical_name,
        type=input_shape(node.type),
        required=node.required,
        secret=node.secret,
        doc=node.description,
        declared_at=node.symbol.span,
        rule=node.rule,
    )


def _output_field(node: prog.OutputVariable) -> Field:
    return Field(name=node.logical_name, type=output_of(resolve(node.type)), required=True, doc=node.description)


def class_name(directory: str) -> str:
    """The class of a component directory: `another-component` is `AnotherComponent` (language.md, Components).

    The result is a valid name in every language: characters other than letters and digits separate words.
    """
    words = "".join([c if is_name_part(c) else " " for c in unicodedata.normalize("NFKC", directory)]).split()
    name = "".join([word[:1].upper() + word[1:] for word in words])
    return name if name[:1].isalpha() else f"Component{name}"


def is_name_part(c: str) -> bool:
    """Return whether every language accepts `c` in a name; `_` separates words."""
    return c.isalnum() and f"a{c}".isidentifier() and unicodedata.normalize("NFKC", c) == c
