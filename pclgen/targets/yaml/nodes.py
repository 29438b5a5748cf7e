"""The nodes of a program as members of the sections of a `Pulumi.yaml`.

`config`, `variables`, `resources` and `outputs` are each in the order of the source. A known range becomes its instances;
locals that only folding needs are omitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, assert_never

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.predicates import is_null
from pclgen.core.walk import parts_of, symbol_of, walk
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.source.text import SourceFile
from pclgen.targets.origins import node_origin
from pclgen.targets.yaml import tree
from pclgen.targets.yaml.fold import Folder, OutgrownFoldError, Pairs
from pclgen.targets.yaml.values import CHECKS, Writer, escaped, short_token
from pclgen.types import model as ty
from pclgen.types.show import show

_WORDS: Final[Mapping[ty.Type, str]] = {ty.STRING: "string", ty.INT: "integer", ty.BOOL: "boolean"}
"""The types of `config`, beside `object`; the default determines the types of numbers and lists."""
_OLD_WORDS: Final[Mapping[ty.Type, str]] = {ty.NUMBER: "Number", ty.STRING: "String", ty.INT: "Integer", ty.BOOL: "Boolean"}
"""The types of the older section `configuration`, where numbers and `List<…>` need no default."""
_CONSTANT: Final = frozenset(
    {
        "additionalSecretOutputs", "customTimeouts", "deleteBeforeReplace", "hideDiffs", "ignoreChanges", "import",
        "pluginDownloadURL", "replaceOnChanges", "retainOnDelete", "version",
    }
)  # fmt: skip  # a list of many short entries
"""Options whose values are constants."""
SECTIONS: Final = ("config", "configuration", "variables", "resources", "outputs")


class _Instance(Struct, frozen=True, kw_only=True):
    """One instance of a resource: its symbol, and the values of `range` in it."""

    symbol: core.Symbol
    suffix: str
    names: tuple[tuple[core.Symbol, core.Expr], ...] = ()


class _Placed(Struct, frozen=True, kw_only=True):
    """A member of a section, with its node."""

    node: prog.Node
    section: str
    member: tree.Member


def sections(program: prog.Program, bag: DiagnosticBag) -> dict[str, tuple[tree.Member, ...]]:
    """The members of each nonempty section."""
    translation = _Translation(bag)
    files: dict[SourceFile, int] = {}
    for node in program.nodes:
        files.setdefault(node.span.file, len(files))
    try:
        placed = list(translation.placed(program.nodes))
    except OutgrownFoldError:
        last = translation.current
        if last is not None:
            translation.writer.refuse("what is made here", last.span, why="it is too much to be written part by part")
        return {}
    placed.sort(key=lambda item: (files[item.node.span.file], item.node.span.start))
    members_by_section: dict[str, tuple[tree.Member, ...]] = {}
    for name in SECTIONS:
        members = [replace(item.member, origin=node_origin(item.node)) for item in placed if item.section == name]
        if name == "variables":
            members = [*members, *translation.writer.hoisted]
        if members:
            members_by_section[name] = tuple(members)
    return members_by_section


class _Translation:
    def __init__(self, bag: DiagnosticBag) -> None:
        self.bag = bag
        self.folder = Folder()
        self.writer = Writer(bag, self.folder.seen)
        self.left: tuple[str, ...] = ()
        """Comments of undeclared configuration, which move to the next member."""
        self.current: prog.Node | None = None

    def placed(self, nodes: Sequence[prog.Node]) -> Iterator[_Placed]:
        """Yield the members for each node."""
        self._name(nodes)
        self.writer.indexes = frozenset(_indexes(nodes))
        locals_: list[tuple[prog.Local, core.Expr]] = []
        for node in nodes:
            self._turn_to(node)
            if isinstance(node, prog.Local):
                value = self.folder.fold(node.value)
                self.folder.bindings[node.symbol] = value
                locals_.append((node, value))
            else:
                yield from map(self._with_left, self._node(node))
        yield from map(self._with_left, self._locals(locals_))

    def _with_left(self, placed: _Placed) -> _Placed:
        if not self.left:
            return placed
        comments = placed.member.comments
        comments = replace(comments, leading=(*self.left, *comments.leading))
        self.left = ()
        return replace(placed, member=replace(placed.member, comments=comments))

    def _name(self, nodes: Sequence[prog.Node]) -> None:
        """Choose keys: first the keys of configuration, which users know."""
        kinds = (core.SymbolKind.CONFIG, core.SymbolKind.RESOURCE, core.SymbolKind.LOCAL)
        for kind in kinds:
            for node in nodes:
                symbol = symbol_of(node)
                if symbol is None or symbol.kind is not kind:
                    continue
                if isinstance(node, prog.ConfigVariable):
                    self.writer.names[symbol] = node.logical_name
                    self.writer.taken.add(node.logical_name)
                elif not isinstance(node, prog.Resource):
                    self.writer.names[symbol] = self.writer.name(symbol.name)
                elif node.range is None:
                    self.writer.names[symbol] = self.writer.name(node.logical_name)

    def _turn_to(self, node: prog.Node) -> None:
        self.current = node
        self.writer.origin = node_origin(node)

    def _locals(self, locals_: Sequence[tuple[prog.Local, core.Expr]]) -> Iterator[_Placed]:
        """Variables in reverse order, since only later variables may use a variable."""
        for node, value in reversed(locals_):
            self._turn_to(node)
            diagnostics = DiagnosticBag()
            self.writer.bag = diagnostics
            hoisted = len(self.writer.hoisted)
            written = self.writer.value(value)
            self.writer.bag = self.bag
            if diagnostics.has_errors and node.symbol not in self.writer.used and not _may_fail_on_purpose(value):
                self.writer.forget(hoisted)
                continue
            self.bag.extend(diagnostics)
            if diagnostics.has_errors:
                self.writer.refused.add(node.symbol)
            member = tree.Member(self.writer.names[node.symbol], written, node.comments)
            yield _Placed(node=node, section="variables", member=member)

    def _node(self, node: prog.Node) -> Iterator[_Placed]:
        match node:
            case prog.ConfigVariable() if self._is_undeclared(node):
                self.left = (*self.left, *node.comments.leading, *node.comments.trailing, *node.closing)
            case prog.ConfigVariable():
                section = "config" if _old_word(node) is None else "configuration"
                yield _Placed(node=node, section=section, member=self._config(node))
            case prog.Resource():
                for member in self._resources(node):
                    yield _Placed(node=node, section="resources", member=member)
            case prog.OutputVariable():
                value = self.writer.value(self.folder.fold(node.value))
                member = tree.Member(node.logical_name, value, node.comments, value_origin=node)
                yield _Placed(node=node, section="outputs", member=member)
            case prog.ComponentUse():
                self.writer.refused.add(node.symbol)
                if node.component is None:
                    self.writer.refuse("a component without a source", node.name_span)
                else:
                    why = "a program of it has no components of its own"
                    self.writer.refuse(f"the component `{node.symbol.name}`", node.name_span, why=why)
            case prog.Hook():
                self.writer.refuse("a hook", node.span)
            case prog.PulumiSettings():
                self.writer.refuse("the version of Pulumi that a program needs", node.span)
            case prog.Local():
                raise AssertionError("locals are written at the end")
            case _:
                assert_never(node)

    # --- configuration -------------------------------------------------------------------------------------------------

    def _is_undeclared(self, node: prog.ConfigVariable) -> bool:
        """Return whether a value is used undeclared.

        All of the stack's configuration is in scope in Pulumi YAML, and project files do not declare settings of packages.
        """
        if node.default is not None or node.secret or not node.required:
            return False
        return bool(node.namespace) or node.symbol in self.writer.indexes

    def _config(self, node: prog.ConfigVariable) -> tree.Member:
        if ":" in node.logical_name:
            return self._package_setting(node)
        if node.logical_name == "pulumi":
            self.writer.refuse("configuration called `pulumi`", node.span, why="that name is reserved")
        word = None if node.symbol in self.writer.indexes else _old_word(node) or _word(node.type)
        parts = [] if word is None else [tree.Member("type", tree.Text(word))]
        if word is None and node.default is None:
            type_name = show(ty.without_none(ty.resolve(node.type)))
            why = "what has no default there is a scalar, an object, or a list of them"
            self.writer.refuse(f"configuration of the type `{type_name}`", node.span, why=why, hint="give it a default")
        elif node.default is None and not node.required:
            why = "what has no default there must be given"
            self.writer.refuse("configuration that may be missing", node.span, why=why, hint="give it a default")
        if node.secret:
            parts.append(tree.Member("secret", tree.Word("true")))
        if node.default is not None:
            default = self.folder.fold(node.default)
            if not _is_default(default):
                why = "defaults in it are constants, not null, and of lists those with elements that are no lists or objects"
                self.writer.refuse("this default", default.span, why=why, hint="write a constant")
            parts.append(tree.Member("default", self.writer.value(default)))
        # There is no member `description`: Pulumi YAML warns about it at each run, and the comments have it.
        return tree.Member(node.logical_name, tree.Mapping(tuple(parts), node.closing), node.comments)

    def _package_setting(self, node: prog.ConfigVariable) -> tree.Member:
        """A setting of a package: the project sets its value, which only a stack's file overrides."""
        default = self.folder.fold(node.default) if node.default is not None else None
        if default is None or node.secret or not _is_default(default):
            why = "a setting of a package is no secret, and has a value that is a constant or must be there"
            self.writer.refuse(f"the configuration `{node.logical_name}`", node.span, why=why)
        value = () if default is None else (tree.Member("value", self.writer.value(default)),)
        return tree.Member(node.logical_name, tree.Mapping(value, node.closing), node.comments)

    # --- resources -----------------------------------------------------------------------------------------------------

    def _resources(self, node: prog.Resource) -> Iterator[tree.Member]:
        for instance in self._instances(node):
            self.folder.bindings.update(instance.names)
            member = self._resource(node, instance)
            yield member
            node = replace(node, comments=core.NO_COMMENTS, closing=())  # print them only once

    def _instances(self, node: prog.Resource) -> Sequence[_Instance]:
        over = node.range
        if over is None:
            return (_Instance(symbol=node.symbol, suffix=""),)
        value = self.folder.fold(over.value)
        if over.kind is prog.RangeKind.BOOL:
            exists = self.folder.value_of(value)
            if isinstance(exists, bool):
                self.writer.names[node.symbol] = self.writer.name(node.logical_name)
                if not exists:
                    self.folder.bindings[node.symbol] = core.Literal(value=None, type=ty.DYNAMIC, span=over.span)
                return (_Instance(symbol=node.symbol, suffix=""),) if exists else ()
        pairs = self._pairs(over, value)
        if pairs is None:
            why = "how many there are is not known before the program runs"
            self.writer.refuse("this range", over.span, why=why, hint="range over constants")
            self.writer.refused.add(node.symbol)
            return ()
        instances = [self._instance(node, over, key, item) for key, item in pairs]
        self.folder.bindings[node.symbol] = _collection(node, over, instances)
        return instances

    def _pairs(self, over: prog.Range, value: core.Expr) -> Pairs | None:
        if over.kind is not prog.RangeKind.NUMBER:
            collection = self.folder.value_of(value)
            return () if collection is None else self.folder.pairs(value)
        count = self.folder.value_of(value)
        if count is None:
            return ()
        if isinstance(count, bool) or not isinstance(count, int):
            return None
        self.folder.grown(max(count, 0))
        numbers = [core.Literal(value=at, type=ty.INT, span=over.span) for at in range(count)]
        return [(number, number) for number in numbers]

    def _instance(self, node: prog.Resource, over: prog.Range, key: core.Expr, item: core.Expr) -> _Instance:
        self.folder.grown(1)
        suffix = f"-{self.folder.value_of(key)}"
        symbol = core.Symbol(
            name=f"{node.symbol.name}{suffix}", kind=core.SymbolKind.RESOURCE, type=ty.DYNAMIC, span=node.name_span
        )
        self.writer.names[symbol] = self.writer.name(f"{node.logical_name}{suffix}")
        names = [(over.key, key), (over.item, item)]
        return _Instance(symbol=symbol, suffix=suffix, names=tuple((a, b) for a, b in names if a is not None))

    def _resource(self, node: prog.Resource, instance: _Instance) -> tree.Member:
        key = self.writer.names[instance.symbol]
        parts = [tree.Member("type", tree.Text(escaped(short_token(node.token))))]
        if key != f"{node.logical_name}{instance.suffix}":
            parts.append(tree.Member("name", tree.Text(escaped(f"{node.logical_name}{instance.suffix}"))))
        inputs = [tree.Member(entry.name, self._value(entry.value), entry.comments, entry) for entry in node.inputs]
        if node.read_id is not None:
            inside = [tree.Member("id", self._value(node.read_id))]
            if inputs:
                inside.append(tree.Member("state", tree.Mapping(tuple(inputs))))
            parts.append(tree.Member("get", tree.Mapping(tuple(inside))))
        elif inputs:
            parts.append(tree.Member("properties", tree.Mapping(tuple(inputs))))
        options = tuple(self._options(node))
        if options:
            parts.append(tree.Member("options", tree.Mapping(options)))
        return tree.Member(key, tree.Mapping(tuple(parts), node.closing), node.comments)

    def _value(self, expr: core.Expr) -> tree.Yaml:
        return self.writer.value(self.folder.fold(expr))

    def _options(self, node: prog.Resource) -> Iterator[tree.Member]:
        for option in node.options:
            if option.name == "hooks":
                self.writer.refuse("a hook", option.span)
            elif option.name != "range":
                value = self.folder.fold(option.value)
                if option.name in _CONSTANT and not _is_constant(value):
                    why = "this option takes constants only"
                    self.writer.refuse(f"this value of `{option.name}`", option.span, why=why, hint="write a constant")
                if option.name == "dependsOn" and isinstance(value, core.ListExpr):
                    value = replace(value, elements=tuple(self._flat(value)))
                if option.name == "providers" and isinstance(value, core.ObjectExpr):  # Pulumi YAML has no form by package
                    elements = tuple(item.value for item in value.items)
                    value = core.ListExpr(elements=elements, type=value.type, span=value.span)
                yield tree.Member(option.name, self.writer.value(value), option.comments, option)


    def _flat(self, value: core.ListExpr) -> Iterator[core.Expr]:
        """The elements of a list, with nested lists and objects flattened."""
        for element in value.elements:
            seen = self.folder.seen(element)
            if isinstance(seen, core.ListExpr):
                yield from self._flat(seen)
            elif isinstance(seen, core.ObjectExpr):
                yield from self._flat(
                    core.ListExpr(elements=tuple(i.value for i in seen.items), type=seen.type, span=seen.span)
                )
            else:
                yield element


def _word(t: ty.Type) -> str | None:
    """The name of a type of configuration; None if it has no name."""
    plain = ty.without_none(ty.resolve(t))
    return _WORDS.get(plain) or ("object" if isinstance(plain, ty.MapType | ty.ObjectType) else None)


def _old_word(node: prog.ConfigVariable) -> str | None:
    """The type of configuration that only the section `configuration` declares without a default."""
    if node.default is not None or node.namespace:
        return None
    plain = ty.without_none(ty.resolve(node.type))
    if isinstance(plain, ty.ListType):
        element = ty.without_none(ty.resolve(plain.element))
        word = "Object" if isinstance(element, ty.MapType | ty.ObjectType) else _OLD_WORDS.get(element)
        return None if word is None else f"List<{word}>"
    return _OLD_WORDS[ty.NUMBER] if plain is ty.NUMBER else None


def _indexes(nodes: Sequence[prog.Node]) -> Iterator[core.Symbol]:
    """The configuration used as an index of a list: for `fn::select` it must have no type, which makes it a number."""
    for expr in parts_of(nodes):
        match expr:
            case core.Index(key=core.Ref(symbol=core.Symbol(kind=core.SymbolKind.CONFIG) as symbol)):
                yield symbol
            case _:
                pass


def _collection(node: prog.Resource, over: prog.Range, instances: Sequence[_Instance]) -> core.Expr:
    """The value of a ranged resource: a list or an object of its instances."""
    refs = [core.Ref(symbol=instance.symbol, type=ty.DYNAMIC, span=over.span) for instance in instances]
    if over.kind is not prog.RangeKind.MAP:
        return core.ListExpr(elements=tuple(refs), type=node.symbol.type, span=over.span)
    items = [
        core.ObjectItem(
            key=core.Literal(value=instance.suffix[1:], type=ty.STRING, span=over.span), value=ref, span=over.span
        )
        for instance, ref in zip(instances, refs, strict=True)
    ]
    return core.ObjectExpr(items=tuple(items), type=node.symbol.type, span=over.span)


def _may_fail_on_purpose(value: core.Expr) -> bool:
    """Return whether a local has a check, which makes it necessary even if unused."""
    return any(isinstance(part, core.Call) and part.function.name in CHECKS for part in walk(value))


def _is_default(expr: core.Expr) -> bool:
    if isinstance(expr, core.ListExpr):
        return bool(expr.elements) and all(isinstance(e, core.Literal) and e.value is not None for e in expr.elements)
    return _is_constant(expr) and not (is_null(expr))


def _is_constant(expr: core.Expr) -> bool:
    match expr:
        case core.Literal() | core.PropertyPath():
            return True
        case core.ListExpr():
            return all(_is_constant(element) for element in expr.elements)
        case core.ObjectExpr():
            return all(_is_constant(item.key) and _is_constant(item.value) for item in expr.items)
        case _:
            return False
