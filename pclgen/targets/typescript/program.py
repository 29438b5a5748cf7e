"""Programs and components as files: names first, then statements in order.

Comes in: a lowered program.  Goes out: `SourceFile`s with everything that the templates put down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import assert_never

from pclgen.core.declared import declared, holds_literals, inputs_read_wide
from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import (
    All,
    Attr,
    Binary,
    Conditional,
    Index,
    Invoke,
    ListExpr,
    Literal,
    MethodCall,
    ObjectExpr,
    Ref,
    Symbol,
    SymbolKind,
)
from pclgen.core.program import (
    Component,
    ComponentUse,
    ConfigVariable,
    Hook,
    Local,
    Node,
    OutputVariable,
    Program,
    PulumiSettings,
    Resource,
)
from pclgen.core.uniqueness import is_distinct
from pclgen.core.walk import expressions_of, walk
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.forms import Forms
from pclgen.plan.model import Declare, Defer, Plan, Resolve
from pclgen.records import dataclass
from pclgen.source.text import split_lines
from pclgen.targets.comments import all_said
from pclgen.targets.names import NameTable, lowercase_first, uppercase_first
from pclgen.targets.typescript import build, config, constants, hooks, names, resources, sdk
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.check import check_statements
from pclgen.targets.typescript.context import (
    HELPERS_OF,
    OTHER_HELPERS,
    Binding,
    Context,
    FileState,
    translate,
    translate_output,
)
from pclgen.targets.typescript.declared import Declaration, DeclaredTypes
from pclgen.targets.typescript.expressions import translate_node
from pclgen.targets.typescript.files import MAIN, Place, Places
from pclgen.targets.typescript.imports import Imports
from pclgen.targets.typescript.literals import quote
from pclgen.targets.typescript.printing.statements import (
    print_comment,
    print_doc_comment,
    print_statement,
    print_type_alias,
    print_type_member,
)
from pclgen.targets.typescript.types import plain_type
from pclgen.types.model import BOOL, MapType, is_optional, resolve


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """The text of a statement; `gap`: an empty line stands above it."""

    text: str
    gap: bool
    is_export: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedType:
    """A type that a component's arguments are made of: the `members` of an interface, or the whole `text` of an alias; `doc`
    is a comment above it, and may be empty."""

    name: str
    doc: str
    members: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentShape:
    """The named types, the interface and the class of a component, as lines."""

    name: str
    types: tuple[NamedType, ...]
    arguments: tuple[str, ...]
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """One file: what its template needs."""

    name: str
    template: str
    header: tuple[str, ...]
    imports: tuple[str, ...]
    helpers: tuple[str, ...]
    statements: tuple[Printed, ...]
    component: ComponentShape | None = None

    @property
    def path(self) -> str:
        """Where it goes, in the folder of the sources."""
        return f"{self.name}.ts"

    @property
    def follows(self) -> bool:
        """Whether something stands above the statements."""
        return bool(self.header or self.imports or self.helpers)

    @property
    def is_empty(self) -> bool:
        """Whether nothing makes the file a module."""
        return not self.imports and not any(s.is_export for s in self.statements)


_SUPER, _OUTPUTS, _FOOTER = -1, -2, -3
"""Groups of what stands at a place of its own in TypeScript: first, and last."""


@dataclass(frozen=True, slots=True)
class _Piece:
    """A statement with its group (of `plan.model`), which decides about empty lines.  `opens`: nothing of the
    same statement of the plan stands above it."""

    statement: ts.Statement
    group: int
    opens: bool = True
    tall: bool = False


def main_file(plan: Plan, bag: DiagnosticBag, places: Places, words: Forms) -> SourceText:
    """`index.ts`."""
    return _File(plan, bag, None, places=places).build(words)


def component_source(
    component: Component, plan: Plan, bag: DiagnosticBag, places: Places, *, late: AbstractSet[str], words: Forms
) -> SourceText:
    """The file of a component; it is registered without the inputs in `late`."""
    return _File(plan, bag, component, places=places, late=late).build(words)


class _File:
    """Builds one file."""

    def __init__(
        self,
        plan: Plan,
        bag: DiagnosticBag,
        component: Component | None,
        *,
        places: Places,
        late: AbstractSet[str] = frozenset(),
    ) -> None:
        program = plan.program
        self._plan = plan
        self._program = program
        self._component = component
        self._late = late
        own = [home.name for home in program.homes]
        imports = Imports(program.packages, sdk.unknown_packages(program.nodes), own)
        own = [places[use.component].class_name for use in program.nodes if isinstance(use, ComponentUse) and use.component]
        self._reserved = frozenset((*imports.reserved, *names.GLOBALS, *HELPER_NAMES, *own))
        table = NameTable(self._reserved, separator="")
        if component is not None:
            class_name = places[component].class_name
            table.reserve("name", "args", "opts", class_name, f"{class_name}Args")
        self._state = FileState(
            imports=imports,
            table=table,
            bag=bag,
            in_component=component is not None,
            translator=translate_node,
            places=places,
        )
        self._state.awaits = component is None and _waits(program)
        self._state.compared = frozenset(_compared(program))
        if component is not None:
            forms = {node.symbol: declared(node.type, node.rule) for node in plan.inputs}
            narrow = {symbol: form for symbol, form in forms.items() if holds_literals(form)}
            self._state.wide = inputs_read_wide(component.program) & narrow.keys()
            self._state.declared = {symbol: narrow[symbol] for symbol in narrow.keys() - self._state.wide}
        self._cx = Context(file=self._state)
        self._config = "config"
        self._has_config = False
        self._resolvers: dict[Symbol, str] = {}
        self._merged: dict[Symbol, OutputVariable] = {}

    # -- names --------------------------------------------------------------------------------------------------------

    def _allocate(self) -> None:
        """Outputs are exported under their own names, so that these come first; then the nodes, in order."""
        table = self._state.table
        if self._component is None and not self._state.awaits:
            self._merge_outputs()
            merged = {id(o) for o in self._merged.values()}
            outputs = [n for n in self._program.nodes if isinstance(n, OutputVariable) and id(n) not in merged]
            table.reserve(*(o.logical_name for o in outputs if self._is_exportable(o.logical_name)))
        for node in self._program.nodes:
            symbol = _symbol(node)
            if symbol is None or isinstance(node, OutputVariable):
                continue
            self._bind(node, symbol)
        if self._component is None and any(isinstance(n, ConfigVariable) for n in self._program.nodes):
            # What the program calls `config` keeps its name.
            self._config = table.claim("config", "pulumiConfig")

    def _bind(self, node: Node, symbol: Symbol) -> None:
        if isinstance(node, ConfigVariable) and self._component is not None and config.is_used_directly(node, self._state):
            argument = self._is_argument(node)
            self._state.bindings[symbol] = Binding(name="args", member=node.logical_name, input=argument)
            return
        output = self._merged.get(symbol)
        if output is not None:
            self._state.table.reserve(output.logical_name)
            self._state.bindings[symbol] = Binding(name=output.logical_name, input=self._is_argument(node))
            return
        base = names.variable(symbol.name)
        name = self._state.table.claim(base, *_other_names(node, base))
        self._state.bindings[symbol] = Binding(name=name, input=self._is_argument(node))

    def _is_argument(self, node: Node) -> bool:
        """A component's input that may be plain or an output: `args.size`, `args.size ?? 3`."""
        if self._component is None or not isinstance(node, ConfigVariable) or node.secret:
            return False
        return node.logical_name not in self._state.places[self._component].plain

    def _merge_outputs(self) -> None:
        """An output that is nothing but a variable of the same name is that variable, exported."""
        table = self._state.table
        for node in self._program.nodes:
            if not isinstance(node, OutputVariable) or not isinstance(node.value, Ref):
                continue
            symbol = node.value.symbol
            declared = symbol.kind in (SymbolKind.CONFIG, SymbolKind.LOCAL, SymbolKind.RESOURCE, SymbolKind.COMPONENT)
            fits = names.variable(symbol.name) == node.logical_name and names.is_exportable(node.logical_name)
            if declared and fits and symbol not in self._merged and not table.is_taken(node.logical_name):
                self._merged[symbol] = node

    # -- the file -----------------------------------------------------------------------------------------------------

    def build(self, words: Forms) -> SourceText:
        """Names, statements, then the imports that these need."""
        self._allocate()
        pieces: list[_Piece] = []
        if self._component is not None:
            pieces += self._super_call()
        for one in self._plan.statements:
            match one:
                case Declare():
                    pieces += self._node(one)
                case Defer():
                    pieces.append(_Piece(self._defer(one), one.group))
                case Resolve():
                    pieces.append(_Piece(self._resolve(one), one.group))
                case _:
                    assert_never(one)
        pieces += self._end(self._plan.outputs)
        if self._program.footer:
            pieces.append(_Piece(ts.Comment(self._program.footer), _FOOTER))
        return self._finish(pieces, words)

    def _finish(self, pieces: Sequence[_Piece], words: Forms) -> SourceText:
        component = self._component
        name = self._state.places[component].file if component is not None else MAIN
        if not self._state.bag.has_errors:
            check_statements(f"{name}.ts", [p.statement for p in pieces])
        shape = self._shape(component, words) if component is not None else None
        level = 2 if component is not None else 1 if self._state.awaits else 0
        printed = tuple(_print(pieces, level, words))
        template = "component" if component is not None else "program-async" if self._state.awaits else "program"
        return SourceText(
            name=name,
            template=f"typescript/{template}.ts.jinja",
            header=tuple(print_comment(self._program.header)),
            imports=tuple(self._state.imports.lines(words)),
            helpers=self._state.helper_files(),
            statements=printed,
            component=shape,
        )

    def _shape(self, component: Component, words: Forms) -> ComponentShape:
        place = self._state.places[component]
        taken = (*self._reserved, place.class_name, f"{place.class_name}Args")
        types = DeclaredTypes(self._cx.imports, NameTable(taken, separator=""))
        arguments = tuple(
            print_type_member(_argument_member(node, types, place), words) for node in self._plan.inputs
        )
        members = tuple(_output_member(node, self._cx, words) for node in self._plan.outputs)
        self._cx.imports.package("pulumi")
        named = tuple(_named_type(made, words) for made in types.declarations)
        return ComponentShape(name=place.class_name, types=named, arguments=arguments, members=members)

    def _node(self, one: Declare) -> list[_Piece]:
        node = one.node
        match node:
            case ConfigVariable():
                return self._config_variable(node, one.group)
            case Local():
                return self._commented(node, [self._local(node)], one.group)
            case Resource() | ComponentUse():
                return self._commented(node, resources.statements(node, self._cx), one.group)
            case Hook():
                return self._commented(node, [hooks.statement(node, self._cx)], one.group)
            case PulumiSettings():
                return self._commented(node, self._settings(node), one.group)
            case OutputVariable():
                return self._output(node, one.group)
            case _:
                assert_never(node)

    def _defer(self, statement: Defer) -> ts.Statement:
        """`const [x, resolveX] = pulumi.deferredOutput<T>()`."""
        symbol = statement.symbol
        name = self._state.table.claim(names.variable(symbol.name))
        resolver = self._state.table.claim(f"resolve{uppercase_first(name)}")
        self._state.bindings[symbol] = Binding(name=name)
        self._resolvers[symbol] = resolver
        types = (plain_type(self._cx.imports, statement.type),)
        made = ts.Call(self._cx.imports.pulumi("deferredOutput"), (), types)
        return ts.Declare(name, made, names=(name, resolver))

    def _resolve(self, statement: Resolve) -> ts.Statement:
        made = statement.value
        if isinstance(made, All) and isinstance(made.value, ObjectExpr) and isinstance(resolve(made.type), MapType):
            # `pulumi.output` of an object has just the members that are written, which no type of a map is.
            value: ts.TsExpr = self._cx.pulumi("all", translate(made.value, self._cx))
        else:
            value = translate_output(made, self._cx)
        return ts.Do(ts.Call(ts.Name(self._resolvers[statement.symbol]), (value,)))

    def _settings(self, node: PulumiSettings) -> list[ts.Statement]:
        if node.required_version_range is None:
            return []
        value = translate(node.required_version_range, self._cx)
        return [ts.Do(self._cx.pulumi("requirePulumiVersion", value))]

    def _config_variable(self, node: ConfigVariable, group: int) -> list[_Piece]:
        first: list[_Piece] = []
        if self._component is None:
            if not self._has_config:
                self._has_config = True
                opened = ts.New(self._cx.imports.pulumi("Config"), ())
                first.append(_Piece(ts.Declare(self._config, opened), group))
            made = config.statement(node, self._cx, self._config)
        else:
            found = config.argument(node, self._cx)
            if found is None:
                return []
            return [_Piece(found, group)]  # what is said of it stands at the member of the interface
        return [*first, *self._commented(node, [made], group)]

    def _local(self, node: Local) -> ts.Statement:
        cx = self._cx.with_null(isinstance(node.value, ListExpr | ObjectExpr))
        value = translate_output(node.value, cx) if is_eventual(node.symbol.type) else translate(node.value, cx)
        if is_distinct(node.value, self._state.distinct):
            self._state.distinct.add(node.symbol)
        annotation: ts.TsType | None = None
        if isinstance(node.value, ListExpr) and not node.value.elements:
            annotation = ts.TypeArray(ts.TypeName("any"))
        elif _says_too_little(node):
            annotation = plain_type(cx.imports, node.symbol.type)
        elif constants.is_constant(node.value, cx):
            if node.symbol not in self._state.compared:
                self._state.constants.add(node.symbol)
            elif resolve(node.symbol.type) is BOOL:
                # A declared `boolean` would be narrowed to what it is given.
                value = ts.As(value, ts.TypeName("boolean"))
            else:
                annotation = constants.wide_type(node.symbol.type)
        return ts.Declare(self._state.bindings[node.symbol].name, value, annotation)

    # -- comments and exports -----------------------------------------------------------------------------------------

    def _commented(self, node: Node, made: list[ts.Statement], group: int) -> list[_Piece]:
        """The statements of `node`, with its comments around them, exported when an output says so."""
        if not made:
            return []
        symbol = _symbol(node)
        output = self._merged.get(symbol) if symbol is not None else None
        comments = node.comments
        above = [*comments.leading]
        below: tuple[str, ...] = () if isinstance(node, Resource | ComponentUse) else getattr(node, "closing", ())
        if output is not None:
            above += output.comments.leading
            made = [replace(s, exported=True) if isinstance(s, ts.Declare) else s for s in made]
        pieces = [_Piece(s, group, opens=at == 0, tall=len(made) > 1) for at, s in enumerate(made)]
        first, last = made[0], made[-1]
        if above:
            first = ts.Commented(first, tuple(above))
        if len(made) == 1:
            last = first
        if comments.trailing or below:
            last = _behind(last, comments.trailing, below)
        pieces[0] = replace(pieces[0], statement=first)
        pieces[-1] = replace(pieces[-1], statement=last)
        return pieces

    def _output(self, node: OutputVariable, group: int) -> list[_Piece]:
        """An output where it stands; what the program returns comes at its end, and what a variable exports with that."""
        if self._component is not None:
            return [_Piece(self._member(node), group)]
        if self._state.awaits or any(merged is node for merged in self._merged.values()):
            return []
        return self._export(node, group)

    def _end(self, outputs: Sequence[OutputVariable]) -> list[_Piece]:
        """What all outputs are given out with."""
        if self._component is not None:
            return [_Piece(self._registered(outputs), _OUTPUTS)]
        return self._returned(outputs) if self._state.awaits else []

    def _export(self, node: OutputVariable, group: int) -> list[_Piece]:
        value = self._exported(node)
        name = node.logical_name
        if self._is_exportable(name):
            return self._commented(node, [ts.Declare(name, value, exported=True)], group)
        base = names.variable(name)
        local = self._state.table.claim(base if base != name else f"{base}Output")
        target = quote(name) if not names.is_property_name(name) else name
        declared = self._commented(node, [ts.Declare(local, value)], group)
        return [*declared, _Piece(ts.Export(local, target), group, opens=False)]

    def _is_exportable(self, name: str) -> bool:
        """Whether an output's variable may have its name: not that of a package, a helper or a component's class."""
        return names.is_exportable(name) and name not in self._reserved

    def _exported(self, node: OutputVariable) -> ts.TsExpr:
        """The value of an output."""
        return translate(node.value, self._null_context(node))

    def _null_context(self, node: OutputVariable) -> Context:
        """Nulls inside an output stay, as its reader sees them; one that is the whole value is nothing."""
        whole = Conditional | Ref | Attr | Index if self._component is None else Conditional | Ref | Attr | Index | Literal
        return self._cx.with_null(not isinstance(node.value, whole))

    def _returned(self, outputs: Sequence[OutputVariable]) -> list[_Piece]:
        properties = tuple(
            ts.Property(
                node.logical_name,
                self._exported(node),
                ts.Notes(node.comments.leading, node.comments.trailing),
            )
            for node in outputs
        )
        return [_Piece(ts.Return(ts.Object(properties, bool(properties))), _OUTPUTS)] if properties else []

    # -- components ---------------------------------------------------------------------------------------------------

    def _super_call(self) -> list[_Piece]:
        assert self._component is not None
        component = self._component
        args: ts.TsExpr = ts.Name("args")
        if self._late or not self._plan.inputs:
            kept = [node.logical_name for node in self._plan.inputs if node.logical_name not in self._late]
            args = ts.Object(tuple(ts.Property(name, ts.Member(ts.Name("args"), name)) for name in kept))
        token = ts.Text(component.token)
        made = ts.Call(ts.Name("super"), (token, ts.Name("name"), args, ts.Name("opts")))
        return [_Piece(ts.Do(made), _SUPER)]

    def _member(self, node: OutputVariable) -> ts.Statement:
        """`this.x = value;`."""
        value = translate_output(node.value, self._null_context(node))
        statement: ts.Statement = ts.Assign(ts.Member(ts.Name("this"), node.logical_name), value)
        if node.comments.leading:
            statement = ts.Commented(statement, node.comments.leading)
        if node.comments.trailing or node.closing:
            statement = _behind(statement, node.comments.trailing, node.closing)
        return statement

    def _registered(self, outputs: Sequence[OutputVariable]) -> ts.Statement:
        """`this.registerOutputs({ x: this.x });`."""
        names = [node.logical_name for node in outputs]
        given = tuple([ts.Property(name, ts.Member(ts.Name("this"), name)) for name in names])
        args = (ts.Object(given),) if given else ()
        return ts.Do(build.method(ts.Name("this"), "registerOutputs", *args))


HELPER_NAMES = (*(name for names in HELPERS_OF.values() for name in names), *OTHER_HELPERS)


def _symbol(node: Node) -> Symbol | None:
    return None if isinstance(node, PulumiSettings) else node.symbol


def _other_names(node: Node, base: str) -> tuple[str, ...]:
    """What to call a variable whose own name is taken: by what it is."""
    match node:
        case Resource():
            kind = names.variable(node.token.rsplit(":", 1)[-1])
            if kind.lower().startswith(base.lower()) and len(kind) > len(base):
                return (lowercase_first(kind),)
            return (f"{base}Resource",) if kind.lower() == base.lower() else (base + uppercase_first(kind),)
        case ComponentUse():
            return (f"{base}Component",)
        case ConfigVariable():
            return (f"{base}Config",)
        case Hook():
            return (f"{base}Hook",)
        case _:
            return (f"{base}Value",)


def _waits(program: Program) -> bool:
    """Whether the program is an async function that returns its outputs.

    Some method gives its result by a promise, or a function is waited for; or an output has a name that the runtime takes
    for something else when a module exports it.
    """
    if any(isinstance(n, OutputVariable) and n.logical_name in ("default", "__esModule") for n in program.nodes):
        return True
    return any(
        (isinstance(part, Invoke) or (isinstance(part, MethodCall) and part.method.plain_result))
        and not is_eventual(part.type)
        for node in program.nodes
        for expr in expressions_of(node)
        for part in walk(expr)
    )


def _says_too_little(node: Local) -> bool:
    """Whether TypeScript would take a local for something else than it is."""
    if isinstance(node.value, ObjectExpr) and not node.value.items:
        return isinstance(node.symbol.type, MapType)
    return not node.symbol.type.eventual and constants.mixes_objects(node.value)


def _compared(program: Program) -> Iterator[Symbol]:
    """Locals that are compared with something."""
    for node in program.nodes:
        for expr in expressions_of(node):
            for part in walk(expr):
                if isinstance(part, Binary) and part.operator in ("==", "!="):
                    for side in (part.left, part.right):
                        if isinstance(side, Ref) and side.symbol.kind is SymbolKind.LOCAL:
                            yield side.symbol


def _behind(statement: ts.Statement, trailing: tuple[str, ...], below: tuple[str, ...]) -> ts.Statement:
    if isinstance(statement, ts.Commented):
        return replace(statement, behind=trailing, below=below)
    return ts.Commented(statement, (), trailing, below)


def _print(pieces: Iterable[_Piece], level: int, words: Forms) -> Iterator[Printed]:
    """Texts with their empty lines: short statements of one group stand together."""
    before: _Piece | None = None
    tall = False
    for piece in pieces:
        text = print_statement(piece.statement, words, level=level)
        is_tall = piece.tall or "\n" in text
        gap = before is not None and piece.opens and (tall or is_tall or before.group != piece.group)
        yield Printed(text=text, gap=gap, is_export=_is_export(piece.statement))
        tall = is_tall or (not piece.opens and tall)
        before = piece


def _is_export(statement: ts.Statement) -> bool:
    match statement:
        case ts.Commented():
            return _is_export(statement.statement)
        case ts.Declare():
            return statement.exported
        case _:
            return isinstance(statement, ts.Export)


def _argument_member(node: ConfigVariable, types: DeclaredTypes, place: Place) -> ts.TypeMember:
    form = declared(node.type, node.rule)
    return ts.TypeMember(
        node.logical_name,
        types.plain(form) if node.logical_name in place.plain else types.argument(form),
        optional=not node.required or is_optional(node.type),
        doc=all_said(node),
    )


def _named_type(made: Declaration, words: Forms) -> NamedType:
    """An object's type is an interface, any other an alias."""
    doc = print_doc_comment(made.doc)
    if isinstance(made.type, ts.TypeObject) and made.type.members:
        members = tuple(print_type_member(member, words) for member in made.type.members)
        return NamedType(name=made.name, doc=doc, members=members, text="")
    return NamedType(name=made.name, doc=doc, members=(), text=print_type_alias(made.name, made.type, words))


def _output_member(node: OutputVariable, cx: Context, words: Forms) -> str:
    """`public readonly address: pulumi.Output<string>;`."""
    resolved = resolve(node.value.type)
    member = ts.TypeMember(
        node.logical_name,
        cx.imports.pulumi_type("Output", plain_type(cx.imports, resolved)),
        doc=tuple(split_lines(node.description)),
    )
    return print_type_member(member, words, readonly=True)

