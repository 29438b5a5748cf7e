"""Programs and components as files: names first, then statements in order.

A lowered program becomes `SourceText`s with all values that the templates print.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.declared import Declared, declared, holds_literals, inputs_read_wide
from pclgen.core.eventuals import is_eventual, is_lazy
from pclgen.core.predicates import is_distinct
from pclgen.core.walk import expressions_of, kinds_in, symbol_of
from pclgen.core.walk import walk as walk_core
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.forms import Forms
from pclgen.plan.model import Declare, Defer, Plan, Resolve, Statement
from pclgen.source.text import split_lines
from pclgen.sourcemaps import Origin
from pclgen.targets.assembly import go_beside
from pclgen.targets.comments import all_comments, with_closing
from pclgen.targets.names import uppercase_first
from pclgen.targets.origins import BindingLine, Mark, Recorder, node_origin, origin_of
from pclgen.targets.typescript import build, config, names, operators, resources, sdk
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.config import Declaration, DeclaredTypes
from pclgen.targets.typescript.context import (
    ARGUMENTS,
    NAME,
    OPTIONS,
    Binding,
    Context,
    FileState,
    translate,
    translate_output,
)
from pclgen.targets.typescript.expressions import translate_node
from pclgen.targets.typescript.files import (
    BESIDE,
    CHECKS,
    HELPERS,
    MAIN,
    PULUMI,
    Imports,
    Place,
    Places,
    import_lines,
    imported_helpers,
    is_checker,
    templates_of,
)
from pclgen.targets.typescript.literals import is_identifier, quote
from pclgen.targets.typescript.names import assign_names
from pclgen.targets.typescript.printing.statements import (
    print_comment,
    print_doc_comment,
    print_statement,
    print_type_alias,
    print_type_member,
)
from pclgen.targets.typescript.steps import ANY_RECORD, chooses_unlike_objects
from pclgen.targets.typescript.tree import imports_of, imports_of_type, is_exported, walk
from pclgen.targets.typescript.types import labelled_type, literal_type, plain_type, structure_type
from pclgen.types import model as ty


class Printed(Struct, frozen=True, kw_only=True):
    """The text of a statement; `gap`: an empty line precedes it."""

    text: str
    gap: bool
    is_export: bool


class NamedType(Struct, frozen=True, kw_only=True):
    """A named type in a component's arguments.

    It has the `members` of an interface, or the full `text` of an alias; `doc` is a comment above it, and may be empty.
    """

    name: str
    doc: str
    members: tuple[str, ...]
    text: str


class ComponentShape(Struct, frozen=True, kw_only=True):
    """The named types, the interface and the class of a component, as lines."""

    name: str
    types: tuple[NamedType, ...]
    arguments: tuple[str, ...]
    members: tuple[str, ...]


class SourceText(Struct, frozen=True, kw_only=True):
    """One file: the input of its template."""

    name: str
    template: str
    header: tuple[str, ...] = ()
    imports: tuple[str, ...] = ()
    helpers: tuple[str, ...] = ()
    statements: tuple[Printed, ...] = ()
    component: ComponentShape | None = None
    exported: tuple[str, ...] = ()  # the helpers that other files import

    @property
    def path(self) -> str:
        """The path in the folder of the sources."""
        return f"{self.name}.ts"

    @property
    def follows(self) -> bool:
        """Whether imports or declarations precede the statements."""
        return bool(self.header or self.imports or self.helpers)

    @property
    def is_empty(self) -> bool:
        """Whether the file has no import or export, so that it is not a module."""
        return not self.imports and not any(s.is_export for s in self.statements)


class Draft(Struct, frozen=True, kw_only=True):
    """A file without its imports and helpers, its imports besides helpers, and the helpers that it uses."""

    text: SourceText
    imports: frozenset[ts.Imported]
    helpers: frozenset[ts.Helper]


def complete(drafts: Sequence[Draft], words: Forms, recorder: Recorder | None, *, inline: bool) -> list[SourceText]:
    """The finished files, and the files of helpers that they import; with `inline` they import only checks."""
    used = frozenset(helper for draft in drafts for helper in draft.helpers)
    checkers = frozenset(filter(is_checker, used))
    inline = inline or not go_beside(f"typescript/helpers/{name}.ts.jinja" for name in templates_of(used - checkers))
    files: list[SourceText] = []
    for draft in drafts:
        own = {helper for helper in draft.helpers if inline and not is_checker(helper)}
        imports = draft.imports | imported_helpers(draft.helpers - own)
        files.append(replace(draft.text, imports=tuple(import_lines(imports, words, recorder)), helpers=templates_of(own)))
    files += [_helper_file(CHECKS, checkers)] if checkers else []
    files += [_helper_file(BESIDE, used - checkers)] if not inline else []
    return files


def _helper_file(name: str, helpers: AbstractSet[ts.Helper]) -> SourceText:
    return SourceText(
        name=name,
        template=f"typescript/{name}.ts.jinja",
        helpers=templates_of(helpers),
        exported=tuple(sorted({helper.name for helper in helpers})),
    )


_SUPER, _OUTPUTS, _FOOTER = -1, -2, -3
"""Groups of statements with a fixed place in TypeScript: first (`_SUPER`), and last."""


class _Signature(Struct, frozen=True):
    """The public interface of a component: the named types, and the arguments and members with their origins."""

    types: tuple[Declaration, ...]
    arguments: tuple[tuple[ts.TypeMember, Origin], ...]
    members: tuple[tuple[ts.TypeMember, Origin], ...]

    def imports(self) -> Iterator[ts.Imported]:
        """The imports."""
        types = [*(typed.type for typed in self.types), *(member.type for member, _ in (*self.arguments, *self.members))]
        yield from (imported for typed in types for imported in imports_of_type(typed))


class _Piece(Struct, frozen=True):
    """A statement with its group (of `plan.model`), which decides about empty lines.

    `opens`: it is the first for its statement of the plan.  `reader` is the object that it creates to read configuration.
    `marks` are the origins of other statements, for source maps.
    """

    statement: ts.Statement
    group: int
    opens: bool = True
    tall: bool = False
    reader: ts.Variable | None = None
    marks: tuple[Mark, ...] = ()


class FileBuilder:
    """Builds the file of `component`, which is registered without the inputs in `late`; without a component, `index.ts`."""

    def __init__(
        self,
        plan: Plan,
        bag: DiagnosticBag,
        component: prog.Component | None = None,
        *,
        places: Places,
        late: AbstractSet[str] = frozenset(),
        recorder: Recorder | None,
    ) -> None:
        program = plan.program
        self._recorder = recorder
        self._plan = plan
        self._program = program
        self._component = component
        self._late = late
        own = [home.name for home in program.homes]
        kinds = kinds_in(program)
        imports = Imports(program.packages, sdk.unknown_packages(program.nodes, kinds), own)
        uses = [
            places[use.component].class_name for use in program.nodes if isinstance(use, prog.ComponentUse) and use.component
        ]
        self._reserved = frozenset((*imports.reserved, *names.GLOBALS, *HELPERS, *uses))
        narrow: dict[core.Symbol, Declared] = {}
        wide: AbstractSet[core.Symbol] = frozenset()
        if component is not None:
            class_name = places[component].class_name
            self._reserved |= {class_name, f"{class_name}Args"}
            forms = {node.symbol: declared(node.type, node.rule) for node in plan.inputs}
            narrow = {symbol: form for symbol, form in forms.items() if holds_literals(form)}
            wide = inputs_read_wide(component.program) & narrow.keys()
        self._state = FileState(
            imports=imports,
            bag=bag,
            in_component=component is not None,
            translator=translate_node,
            places=places,
            declared={symbol: narrow[symbol] for symbol in narrow.keys() - wide},
            wide=wide,
        )
        self._awaits = component is None and _waits(program, kinds)
        self._compared = frozenset(_compared(program) if core.Binary in kinds else ())
        self._cx = Context(file=self._state)
        self._configs: dict[str, ts.Variable] = {}
        self._resolvers: dict[core.Symbol, ts.Variable] = {}
        self._merged: dict[core.Symbol, prog.OutputVariable] = {}

    # -- variables ----------------------------------------------------------------------------------------------------

    def _bind_nodes(self) -> None:
        """Bind a variable for every node that needs a variable."""
        for statement in self._plan.statements:
            symbol = symbol_of(statement.node) if isinstance(statement, Declare) else None
            if isinstance(statement, Declare) and symbol is not None and not isinstance(statement.node, prog.OutputVariable):
                self._state.bindings[symbol] = self._binding(statement, symbol)
        if self._component is None and not self._awaits:
            self._merge_outputs()

    def _binding(self, statement: Declare, symbol: core.Symbol) -> Binding:
        node, is_input = statement.node, False
        if self._component is not None and isinstance(node, prog.ConfigVariable):
            # It may be plain or an output: `args.size`, `args.size ?? 3`.
            is_input = not node.secret and node.logical_name not in self._state.places[self._component].plain
            if config.is_used_directly(self._state, node):
                member = node.logical_name
                return Binding(variable=ARGUMENTS, build=lambda args: ts.Member(ts.Name(args), member), input=is_input)
        preferred_names = (names.variable(symbol.name), names.variable(statement.fallback_name))
        return Binding(variable=ts.Variable(preferred_names), input=is_input)

    def _merge_outputs(self) -> None:
        """Merge each output with its variable: an output that is only a variable of the same name becomes its export."""
        for node in self._program.nodes:
            if not isinstance(node, prog.OutputVariable) or not isinstance(node.value, core.Ref):
                continue
            symbol = node.value.symbol
            is_variable = symbol in self._state.bindings and symbol.kind is not core.SymbolKind.HOOK
            if is_variable and names.variable(symbol.name) == node.logical_name and self._is_exportable(node.logical_name):
                self._merged.setdefault(symbol, node)

    # -- the file -----------------------------------------------------------------------------------------------------

    def build(self, words: Forms) -> Draft:
        """Build the statements, then their names and imports."""
        self._bind_nodes()
        pieces: list[_Piece] = []
        if self._component is not None:
            pieces += self._super_call()
        for statement in self._plan.statements:
            added = self._statement(statement)
            if self._recorder is not None:
                marks = self._origins_of(statement)
                added = [replace(piece, marks=marks) for piece in added]
            pieces += added
        pieces += self._end(self._plan.outputs)
        if self._program.footer:
            pieces.append(_Piece(ts.Comment(self._program.footer), _FOOTER))
        return self._finish(pieces, words)

    def _statement(self, statement: Statement) -> list[_Piece]:
        match statement:
            case Declare():
                return self._node(statement)
            case Defer():
                return [_Piece(self._defer(statement), statement.group)]
            case Resolve():
                return [_Piece(self._resolve(statement), statement.group)]
        assert_never(statement)

    def _origins_of(self, statement: Statement) -> tuple[Mark, ...]:
        """The node of a statement, then the output that exports it."""
        symbol = symbol_of(statement.node) if isinstance(statement, Declare) else None
        merged = self._merged.get(symbol) if symbol is not None else None
        return (origin_of(statement),) if merged is None else (origin_of(statement), merged, node_origin(merged))

    def _finish(self, pieces: Sequence[_Piece], words: Forms) -> Draft:
        component = self._component
        name = self._state.places[component].file if component is not None else MAIN
        statements = [piece.statement for piece in pieces]
        parameters = (NAME, ARGUMENTS, OPTIONS) if component is not None else ()
        signature = self._signature(component) if component is not None else None
        spellings = assign_names(
            statements,
            imported=self._state.imports.reserved,
            taken=self._reserved,
            parameters=parameters,
            types=[declaration.variable for declaration in signature.types] if signature is not None else (),
            checks="" if self._state.bag.has_errors else f"{name}.ts",
        )
        nodes = tuple(walk(statements))
        helpers = frozenset(node for node in nodes if type(node) is ts.Helper)
        used = frozenset(imports_of(nodes))
        if signature is not None:
            used |= {self._cx.imports.package(PULUMI), *signature.imports()}  # the SDK has the base class
        template = "component" if component is not None else "program-async" if self._awaits else "program"
        text = SourceText(
            name=name,
            template=f"typescript/{template}.ts.jinja",
            header=tuple(print_comment(self._program.header)),
            statements=tuple(self._printed(pieces, words, spellings)),
            component=self._shape(component, signature, words, spellings) if component and signature else None,
        )
        return Draft(text=text, imports=used, helpers=helpers)

    def _printed(self, pieces: Sequence[_Piece], words: Forms, spellings: ts.Spellings) -> Iterator[Printed]:
        """Texts with their empty lines: no empty line separates short statements of one group."""
        level = 2 if self._component is not None else 1 if self._awaits else 0
        before: _Piece | None = None
        tall = False
        for piece in pieces:
            text = print_statement(piece.statement, words, spellings, level=level, recorder=self._recorder)
            is_tall = piece.tall or "\n" in text
            gap = before is not None and piece.opens and (tall or is_tall or before.group != piece.group)
            marks = piece.marks if piece.reader is None else (BindingLine((spellings[piece.reader],)),)
            yield Printed(text=self._marked(text, *marks), gap=gap, is_export=is_exported(piece.statement))
            tall = is_tall or (not piece.opens and tall)
            before = piece

    def _marked(self, text: str, *marks: Mark) -> str:
        return text if self._recorder is None else self._recorder.around(text, *marks)

    def _signature(self, component: prog.Component) -> _Signature:
        place = self._state.places[component]
        types = DeclaredTypes(self._cx.imports)
        arguments = [(_argument_member(node, types, place), node_origin(node)) for node in self._plan.inputs]
        members = [(_output_member(self._cx, node), node_origin(node)) for node in self._plan.outputs]
        return _Signature(tuple(types.declarations), tuple(arguments), tuple(members))

    def _shape(
        self, component: prog.Component, signature: _Signature, words: Forms, spellings: ts.Spellings
    ) -> ComponentShape:
        arguments = [self._marked(print_type_member(m, words, spellings), origin) for m, origin in signature.arguments]
        members = [
            self._marked(print_type_member(m, words, spellings, readonly=True), origin) for m, origin in signature.members
        ]
        return ComponentShape(
            name=self._state.places[component].class_name,
            types=tuple([_named_type(declaration, words, spellings) for declaration in signature.types]),
            arguments=tuple(arguments),
            members=tuple(members),
        )

    def _node(self, declare: Declare) -> list[_Piece]:
        node = declare.node
        match node:
            case prog.ConfigVariable():
                return self._config_variable(node, declare.group)
            case prog.Local():
                return self._commented(node, [self._local(node)], declare.group)
            case prog.Resource() | prog.ComponentUse():
                return self._commented(node, resources.statements(self._cx, node), declare.group)
            case prog.Hook():
                return self._commented(node, [resources.statement(self._cx, node)], declare.group)
            case prog.PulumiSettings():
                return self._commented(node, self._settings(node), declare.group)
            case prog.OutputVariable():
                return self._output(node, declare.group)
            case _:
                assert_never(node)

    def _defer(self, statement: Defer) -> ts.Statement:
        """`const [x, resolveX] = pulumi.deferredOutput<T>()`."""
        name = names.variable(statement.symbol.name)
        deferred = self._cx.bind_to(statement.symbol, ts.Variable((name,), yields=True))
        resolver = ts.Variable((f"resolve{uppercase_first(name)}",), yields=True)
        self._resolvers[statement.symbol] = resolver
        types = (plain_type(self._cx.imports, statement.type),)
        call = ts.Call(self._cx.imports.pulumi("deferredOutput"), (), types)
        return ts.Declare((deferred, resolver), call)

    def _resolve(self, statement: Resolve) -> ts.Statement:
        value = self._as_map(statement.value, translate_output(self._cx, statement.value))
        return ts.Do(ts.Call(ts.Name(self._resolvers[statement.symbol]), (value,)))

    def _settings(self, node: prog.PulumiSettings) -> list[ts.Statement]:
        if node.required_version_range is None:
            return []
        value = translate(self._cx, node.required_version_range)
        return [ts.Do(self._cx.pulumi("requirePulumiVersion", value))]

    def _config_variable(self, node: prog.ConfigVariable, group: int) -> list[_Piece]:
        if self._component is not None:
            argument = config.argument(self._cx, node)
            # The member of the interface has its description.
            return [] if argument is None else [_Piece(argument, group)]
        first: list[_Piece] = []
        namespace, reader = node.namespace, self._configs.get(node.namespace)
        if reader is None:
            reader = self._configs[namespace] = config.variable(namespace)
            opened = ts.New(self._cx.imports.pulumi("Config"), (ts.Text(namespace),) if namespace else ())
            first.append(_Piece(build.declare(reader, opened), group, reader=reader))
        return [*first, *self._commented(node, [config.statement(self._cx, node, reader)], group)]

    def _local(self, node: prog.Local) -> ts.Statement:
        cx = self._cx.with_null(isinstance(node.value, core.ListExpr | core.ObjectExpr))
        value = translate_output(cx, node.value) if is_eventual(node.symbol.type) else translate(cx, node.value)
        if is_distinct(node.value, self._state.distinct):
            self._state.distinct.add(node.symbol)
        annotation: ts.TsType | None = None
        if isinstance(value, ts.Array) and not value.elements:
            annotation = ts.TypeArray(ts.TypeName("any"))
        elif isinstance(value, ts.Object) and not value.properties and isinstance(node.value, core.For):
            annotation = ANY_RECORD
        elif _says_too_little(node):
            present = ty.without_none(node.symbol.type)
            annotation = structure_type(cx.imports, node.value) if present.eventual else literal_type(cx.imports, present)
            if ty.is_optional(node.symbol.type):
                annotation = build.union(annotation, ts.TypeName(build.UNDEFINED))
        elif _omits_members(node.value):
            annotation = labelled_type(cx.imports, node.symbol.type, node.value)
        elif operators.is_constant(cx, node.value):
            if node.symbol not in self._compared:
                self._state.constants.add(node.symbol)
            else:
                wide: ts.TsType = operators.wide_type(node.symbol.type)
                if ty.is_optional(ty.resolve(node.symbol.type)):
                    wide = build.union(wide, ts.TypeName(build.UNDEFINED))
                if ty.without_none(ty.resolve(node.symbol.type)) is ty.BOOL:
                    value = ts.As(value, wide)  # TypeScript would narrow a declared `boolean` to its initial value
                else:
                    annotation = wide
        return build.declare(self._cx.variable(node.symbol), value, annotation)

    # -- comments and exports -----------------------------------------------------------------------------------------

    def _commented(self, node: prog.Node, statements: list[ts.Statement], group: int) -> list[_Piece]:
        """The statements of `node`, with its comments around them, exported if an output is merged with it."""
        if not statements:
            return []
        symbol = symbol_of(node)
        output = self._merged.get(symbol) if symbol is not None else None
        closing: tuple[str, ...] = (
            () if isinstance(node, prog.Resource | prog.ComponentUse) else getattr(node, "closing", ())
        )
        comments = with_closing(node.comments, closing)
        above = [*comments.leading]
        if output is not None:
            above += output.comments.leading
            statements = [replace(s, exported=True) if isinstance(s, ts.Declare) else s for s in statements]
        last = len(statements) - 1
        for at, statement in enumerate(statements):
            before, behind = tuple(above) if at == 0 else (), comments.trailing if at == last else ()
            if before or behind:
                statements[at] = ts.Commented(statement, core.Comments(leading=before, trailing=behind))
        return [_Piece(s, group, opens=at == 0, tall=last > 0) for at, s in enumerate(statements)]

    def _output(self, node: prog.OutputVariable, group: int) -> list[_Piece]:
        """An output at its place in the program; empty if the end of the program returns it or its variable exports it."""
        if self._component is not None:
            return self._commented(node, [self._member(node)], group)
        if self._awaits or any(merged is node for merged in self._merged.values()):
            return []
        return self._export(node, group)

    def _end(self, outputs: Sequence[prog.OutputVariable]) -> list[_Piece]:
        """Return the final statements: the registration or the return of all outputs."""
        if self._component is not None:
            return [_Piece(self._registered(outputs), _OUTPUTS)]
        return self._returned(outputs) if self._awaits else []

    def _export(self, node: prog.OutputVariable, group: int) -> list[_Piece]:
        value = translate(self._null_context(node), node.value)
        name = node.logical_name
        if self._is_exportable(name):
            declared = ts.Declare((ts.Variable((name,)),), value, exported=True, origin=node)
            return self._commented(node, [declared], group)
        base = names.variable(name)
        local = ts.Variable((base if base != name else f"{base}Output",), yields=True)
        target = name if is_identifier(name) else quote(name)
        pieces = self._commented(node, [ts.Declare((local,), value, origin=node)], group)
        return [*pieces, _Piece(ts.Export(local, target), group, opens=False)]

    def _is_exportable(self, name: str) -> bool:
        """Return whether an output's variable may have its name: a package, helper or component's class may not have it."""
        return names.is_exportable(name) and name not in self._reserved

    def _null_context(self, node: prog.OutputVariable) -> Context:
        """The context for an output: its reader sees nulls inside it, but an output that is null itself is undefined."""
        may_be_null = isinstance(node.value, core.Conditional | core.Ref | core.Attr | core.Index)
        is_member = self._component is not None and isinstance(node.value, core.Literal)
        return self._cx.with_null(not may_be_null and not is_member)

    def _returned(self, outputs: Sequence[prog.OutputVariable]) -> list[_Piece]:
        properties = tuple(
            ts.Property(
                node.logical_name,
                translate(self._null_context(node), node.value),
                node.comments,
                node_origin(node),
                node,
            )
            for node in outputs
        )
        return [_Piece(ts.Return(ts.Object(properties, bool(properties))), _OUTPUTS)] if properties else []

    # -- components ---------------------------------------------------------------------------------------------------

    def _super_call(self) -> list[_Piece]:
        assert self._component is not None
        component = self._component
        args: ts.TsExpr = ts.Name(ARGUMENTS)
        if self._late or not self._plan.inputs:
            argument_names = [node.logical_name for node in self._plan.inputs if node.logical_name not in self._late]
            args = ts.Object(tuple(ts.Property(name, ts.Member(ts.Name(ARGUMENTS), name)) for name in argument_names))
        token = ts.Text(component.token)
        call = ts.Call(ts.Global("super"), (token, ts.Name(NAME), args, ts.Name(OPTIONS)))
        return [_Piece(ts.Do(call), _SUPER)]

    def _member(self, node: prog.OutputVariable) -> ts.Statement:
        """`this.x = value;`."""
        value = self._as_map(node.value, translate_output(self._null_context(node), node.value))
        return ts.Assign(ts.Member(ts.Global("this"), node.logical_name), value, node)

    def _as_map(self, value: core.Expr, output: ts.TsExpr) -> ts.TsExpr:
        """Return the output of a map: `pulumi.output` of an object literal has a type with its members, not a map type."""
        wrapper = self._cx.imports.pulumi("output")
        if not isinstance(output, ts.Call) or len(output.args) != 1 or not build.is_same_path(output.callee, wrapper):
            return output
        if not isinstance(ty.resolve(value.type), ty.MapType) or not _has_object(value):
            return output
        return self._cx.pulumi("all", *output.args)

    def _registered(self, outputs: Sequence[prog.OutputVariable]) -> ts.Statement:
        """`this.registerOutputs({ x: this.x });`."""
        properties = tuple([ts.Property(o.logical_name, ts.Member(ts.Global("this"), o.logical_name)) for o in outputs])
        args = (ts.Object(properties),) if properties else ()
        return ts.Do(build.method(ts.Global("this"), "registerOutputs", *args))


def _has_object(value: core.Expr) -> bool:
    """Return whether a map may be an object with members of its own."""
    match value:
        case core.All() | core.Convert():
            return _has_object(value.value)
        case core.Conditional():
            return _has_object(value.then) or _has_object(value.otherwise)
        case _:
            return isinstance(value, core.ObjectExpr) or isinstance(ty.resolve(value.type), ty.ObjectType)


def _waits(program: prog.Program, kinds: AbstractSet[type]) -> bool:
    """Return whether the program is an async function that returns its outputs.

    It is if a method returns a promise, a function is awaited, or an output has a name that is special to the runtime as an
    export of a module.
    """
    if any(isinstance(n, prog.OutputVariable) and n.logical_name in ("default", "__esModule") for n in program.nodes):
        return True
    return not kinds.isdisjoint((core.Invoke, core.MethodCall)) and any(
        (type(part) is core.Invoke or (type(part) is core.MethodCall and part.method.plain_result))
        and not is_eventual(part.type)
        for node in program.nodes
        for expr in expressions_of(node)
        for part in walk_core(expr)
    )


def _says_too_little(node: prog.Local) -> bool:
    """Return whether TypeScript would infer a wrong type for a local: an empty map, or mixed objects."""
    if isinstance(node.value, core.ObjectExpr) and not node.value.items:
        return isinstance(node.symbol.type, ty.MapType)
    if isinstance(ty.without_none(ty.resolve(node.symbol.type)), ty.ObjectType) and chooses_unlike_objects(node.value):
        return True
    return not node.symbol.type.eventual and operators.mixes_objects(node.value)


def _omits_members(value: core.Expr) -> bool:
    """Return whether the objects in `value` omit optional members of their types, which TypeScript would not infer.

    A type label adds members to the types of literals.  TypeScript gives the literals of a list or a conditional the members
    of all.
    """
    parts = list(walk_core(value))
    members = {id(part): _keys(part) for part in parts if isinstance(part, core.ObjectExpr)}
    for part in parts:
        if isinstance(part, core.Conditional | core.ListExpr):
            literals = list(_literals(part))
            known = set().union(*(members[id(literal)] for literal in literals))
            members.update((id(literal), known) for literal in literals)

    def omits(have: core.Expr, want: ty.Type) -> bool:
        t = ty.without_none(ty.resolve(want))
        if isinstance(have, core.ObjectExpr) and isinstance(t, ty.ObjectType):
            return not members[id(have)].issuperset(t.members)
        return have.type is not want and _lacks_members(have.type, want)

    return any(omits(have, part.type) for part in parts for have in _converted(part))


def _keys(literal: core.ObjectExpr) -> set[object]:
    return {item.key.value if isinstance(item.key, core.Literal) else None for item in literal.items}


def _literals(value: core.Expr) -> Iterator[core.ObjectExpr]:
    """Yield the object literals that `value` is, chooses between, or lists."""
    match value:
        case core.ObjectExpr():
            yield value
        case core.Convert():
            yield from _literals(value.value)
        case core.Conditional():
            yield from chain(_literals(value.then), _literals(value.otherwise))
        case core.ListExpr():
            yield from chain.from_iterable(map(_literals, value.elements))
        case _:
            pass


def _converted(part: core.Expr) -> Sequence[core.Expr]:
    """Return the values that are written for `part`, if these may have another type than `part`."""
    if not isinstance(part, core.Convert):
        return (part,) if isinstance(part, core.ObjectExpr) else ()
    return part.value.args if isinstance(part.value, core.Call) and is_lazy(part.value) else (part.value,)


def _lacks_members(have: ty.Type, want: ty.Type) -> bool:
    """Return whether an object in a `have` lacks members that the same object in a `want` has."""
    have, want = ty.without_none(ty.resolve(have)), ty.without_none(ty.resolve(want))
    if isinstance(have, ty.ObjectType) and isinstance(want, ty.ObjectType):
        return any(
            name not in have.members or _lacks_members(have.members[name], member) for name, member in want.members.items()
        )
    if not isinstance(want, ty.ListType | ty.MapType):
        return False
    return any(_lacks_members(part, want.element) for part in _parts(have))


def _parts(t: ty.Type) -> Iterable[ty.Type]:
    """Return the types of the elements or members of a `t`."""
    match t:
        case ty.ObjectType():
            return t.members.values()
        case ty.TupleType():
            return t.elements
        case ty.ListType() | ty.MapType():
            return (t.element,)
        case _:
            return ()


def _compared(program: prog.Program) -> Iterator[core.Symbol]:
    """Locals that are operands of a comparison."""
    for node in program.nodes:
        for expr in expressions_of(node):
            for part in walk_core(expr):
                if type(part) is core.Binary and part.operator in ("==", "!="):
                    for side in (part.left, part.right):
                        if isinstance(side, core.Ref) and side.symbol.kind is core.SymbolKind.LOCAL:
                            yield side.symbol


def _argument_member(node: prog.ConfigVariable, types: DeclaredTypes, place: Place) -> ts.TypeMember:
    form = declared(node.type, node.rule)
    return ts.TypeMember(
        node.logical_name,
        types.plain(form) if node.logical_name in place.plain else types.argument(form),
        optional=not node.required or ty.is_optional(node.type),
        doc=all_comments(node),
    )


def _named_type(declaration: Declaration, words: Forms, spellings: ts.Spellings) -> NamedType:
    """The view of a named type: an interface for an object's type, an alias for any other type."""
    name, doc = spellings[declaration.variable], print_doc_comment(declaration.doc)
    if isinstance(declaration.type, ts.TypeObject) and declaration.type.members:
        members = tuple(print_type_member(member, words, spellings) for member in declaration.type.members)
        return NamedType(name=name, doc=doc, members=members, text="")
    text = print_type_alias(declaration.variable, declaration.type, words, spellings)
    return NamedType(name=name, doc=doc, members=(), text=text)


def _output_member(cx: Context, node: prog.OutputVariable) -> ts.TypeMember:
    """`public readonly address: pulumi.Output<string>;`."""
    resolved = ty.resolve(node.value.type)
    return ts.TypeMember(
        node.logical_name,
        cx.imports.pulumi_type("Output", plain_type(cx.imports, resolved)),
        doc=tuple(split_lines(node.description)),
    )
