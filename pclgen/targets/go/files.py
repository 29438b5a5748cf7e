"""Source files: main.go for the program, and a file per component (targets.md, Source files; Files and classes).

A plan becomes `tree.File`s by file name, with the names assigned in them.

Lowered `Component`s become declarations: a struct, its arguments, and a constructor (targets.md, Components; The class). If
some use passes an output for an input, the input is an `Input` (`pulumi.StringInput`). If the component inspects the input
and every use passes a plain value, the input is a plain Go value.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from pclgen.core.declared import declared
from pclgen.core.program import Component, ConfigVariable, Node, OutputVariable, Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.target import unsupported
from pclgen.plan.model import Plan, ProjectPlan
from pclgen.stdlib.model import Home
from pclgen.targets.assembly import go_beside, names_of
from pclgen.targets.go import build as make
from pclgen.targets.go import expressions, quoting
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.coerce import as_output, nothing
from pclgen.targets.go.context import Block, Decoded, FileContext, Frame, Session, Value
from pclgen.targets.go.gotypes import LocalStruct, Natives, ResourceNative
from pclgen.targets.go.helpers import BESIDE, CHECKS, is_checker, with_dependencies
from pclgen.targets.go.names import PREDECLARED, local_name, type_name
from pclgen.targets.go.naming import NameAssignment, assign_names
from pclgen.targets.go.nodes import Writer, comment_lines_of
from pclgen.targets.go.operators import declaration
from pclgen.targets.go.prune import prune
from pclgen.targets.go.sdk import field_names, sdk_of
from pclgen.targets.go.spelling import (
    declare_structs,
    declare_types,
    native_type,
    struct_declaration,
    type_declarations,
    type_expr,
    written,
)
from pclgen.targets.names import FileNames, NameTable, file_stem, lowercase_first
from pclgen.targets.origins import node_origin
from pclgen.types.declarations import Shape

MAIN = "main.go"
_PLATFORM = re.compile(
    r"_(test|aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows"
    r"|386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm)$"
)


class Project(Struct, frozen=True):
    """The files of a project with their assigned names, and the imported modules outside the SDKs."""

    files: Mapping[str, go.File]
    names: Mapping[str, NameAssignment]
    imports: frozenset[str]


def translate(plan: ProjectPlan, bag: DiagnosticBag, *, inline_helpers: bool = False) -> Project:
    """Return the Go files of a program and all its components; with `inline_helpers`, all helpers go into `main.go`."""
    for use in plan.waiting:
        construct = "a component whose options wait for an input from a cycle of components"
        why = "in Go a component is made when it is registered, and the others of the cycle wait for this one"
        hint = "make resources wait for it in place of the component"
        bag.add(unsupported(construct, "Go", use.name_span, why=why, hint=hint))
    program, components = plan.main.program, tuple(plan.components)
    natives = Natives()
    sdks = tuple(sdk_of(package) for package in program.packages)
    decoded = Decoded([node for p in (program, *(c.program for c in components)) for node in p.nodes])
    names_used = NameTable(PREDECLARED, separator="")
    session = Session(natives, expressions, names_used, decoded, sdks, late_inputs=plan.late)
    session.globals.reserve(*names_of(program, "go"))
    file_names = _file_names(components, program.homes)
    for component in components:
        name = _component_name(session, component)
        natives.components[component.value] = ResourceNative(component=component.value, name=name)
    structs = _declare_all(session, program, components)
    session.local_types.update(declare_types(session, components))
    for component in components:
        session.component_fields[component.value] = component_fields(session, plan.components[component])
    sources: dict[str, go.File] = {}
    for component in components:
        file = FileContext(session, directory=component.directory)
        declarations = component_declarations(file, component, plan.components[component], bag)
        # Above the package clause: gofmt would format a comment of the struct as documentation.
        sources[file_names[component]] = _file(file, declarations, component.program.header)
    file = FileContext(session)
    main = _main(file, plan.main, bag)
    types = type_declarations(file, list(session.local_types.values()))
    declarations = [*types, *(struct_declaration(file, s) for s in structs), main]
    helpers = _helpers(session, inline=inline_helpers)
    declarations += helpers.pop(None, [])
    sources |= {f"{name}.go": _file(FileContext(session), group, ()) for name, group in helpers.items()}
    files = {MAIN: _file(file, declarations, program.header), **dict(sorted(sources.items()))}
    session.globals.reserve(*with_dependencies(session.helpers))
    names = {path: assign_names(source_file, session.globals) for path, source_file in files.items()}
    return Project(files, names, frozenset(i.path for assignment in names.values() for i in assignment.imports))


def _component_name(session: Session, component: Component) -> str:
    name = session.globals.claim(type_name(component.name))
    session.globals.reserve(name + "Args", "New" + name, lowercase_first(name) + "Args")
    return name


def _file_names(components: Sequence[Component], homes: Sequence[Home]) -> dict[Component, str]:
    table = FileNames("main", CHECKS, BESIDE, *(home.name for home in homes))
    names: dict[Component, str] = {}
    for component in components:
        base = file_stem(component.directory)
        if _PLATFORM.search(base):
            base += "_component"
        names[component] = table.claim(base, f"{base}_component") + ".go"
    return names


def _declare_all(session: Session, program: Program, components: Sequence[Component]) -> list[LocalStruct]:
    structs: list[LocalStruct] = []
    for inside in (program, *(c.program for c in components)):
        for node in inside.nodes:
            if isinstance(node, ConfigVariable):
                structs += declare_structs(session, node.symbol.name, node.type, node.rule)
    return structs


def _main(file: FileContext, plan: Plan, bag: DiagnosticBag) -> go.Declaration:
    """`func main() { pulumi.Run(func(ctx *pulumi.Context) error { … }) }`."""
    b = Block(file, Frame(zeros=()))
    Writer(b, plan, bag).write_all()
    body = (*prune(b.statements), make.returns(make.NIL))
    context = go.Star(file.pulumi("Context"))
    run = make.call(file.pulumi("Run"), make.function(((make.CTX.variable, context),), (make.ERROR,), body))
    return go.FunctionDeclaration(name="main", body=(go.ExpressionStatement(expression=run),))


def _helpers(session: Session, *, inline: bool) -> dict[str | None, list[go.Declaration]]:
    """Return the helpers by file name; None is `main.go`."""
    used = with_dependencies(session.helpers)
    rest = [f"go/helpers/{name}.go.jinja" for name in used if not is_checker(name)]
    place = BESIDE if not inline and go_beside(rest) else None
    by_file: dict[str | None, list[go.Declaration]] = {}
    for name in used:
        by_file.setdefault(CHECKS if is_checker(name) else place, []).append(go.HelperDeclaration(name=name))
    return by_file


def _file(file: FileContext, declarations: list[go.Declaration], header: tuple[str, ...]) -> go.File:
    return go.File(declarations=tuple(declarations), header=header, own=file.own)


# -- components -------------------------------------------------------------------------------------------------------------

def component_fields(session: Session, plan: Plan) -> dict[str, gt.GoType]:
    """Return the types of a component's inputs, by logical name."""
    return {node.logical_name: _field_type(session, node, node.symbol not in plan.inspected) for node in plan.inputs}


def _field_type(session: Session, node: ConfigVariable, is_passed_on: bool) -> gt.GoType:
    native = session.natives.native(node.type)
    eventual = node.symbol.type.eventual and not node.plain_input
    if eventual or (is_passed_on and not node.plain_input and gt.has_family(native) and not _holds_objects(native)):
        return gt.input_(native if node.required else gt.optional(native))
    return gt.plain(native if node.required else gt.optional(native))


def _holds_objects(native: gt.Native) -> bool:
    if isinstance(native, gt.Slice | gt.Map | gt.Pointer):
        return _holds_objects(native.element) or (isinstance(native, gt.Map) and bool(native.members))
    return isinstance(native, gt.LocalStruct | gt.AnyNative)


def _holds_pointers(native: gt.Native) -> bool:
    """Return whether elements may be absent; the SDK has no types for such lists and maps."""
    return isinstance(native, gt.Slice | gt.Map) and isinstance(gt.innermost(native), gt.Pointer)


# ------------------------------------------------------------------------------------------------- declarations


def component_declarations(
    file: FileContext, component: Component, plan: Plan, bag: DiagnosticBag
) -> list[go.Declaration]:
    """Return the Go declarations of a component."""
    session = file.session
    name = session.natives.components[component.value].name
    arguments = _argument_types(file, component, name, plan.inputs) if plan.inputs else []
    return [*arguments, _struct(file, component, name), _constructor(file, component, plan, bag)]


def _argument_types(
    file: FileContext, component: Component, name: str, configs: Sequence[ConfigVariable]
) -> list[go.Declaration]:
    """Return `xArgs` (plain, with wire names), `XArgs` (filled in by callers) and the method that links them."""
    types = file.session.component_fields[component.value]
    inner, outer = [], []
    names = field_names(types)
    for node in configs:
        t = types[node.logical_name]
        field_name = names[node.logical_name]
        native = t.native if gt.has_family(t.native) or t.is_plain else gt.AnyNative()
        tag, origin = quoting.tag(pulumi=node.logical_name), node_origin(node)
        form = declared(node.type, node.rule)
        inner.append(go.StructField(name=field_name, type=written(file, native, form), tag=tag, origin=origin))
        type_ = written(file, t.native, form) if t.is_plain else type_expr(file, t)
        outer.append(go.StructField(name=field_name, type=type_, comments=comment_lines_of(node), origin=origin))
    plain_name = lowercase_first(name) + "Args"
    typed = make.call(go.Star(go.Declared(plain_name)), make.NIL)
    element = make.method(make.call(file.qualified("reflect", "TypeOf"), typed), "Elem")
    method = go.FunctionDeclaration(
        name="ElementType",
        receiver=go.Declared(name + "Args"),
        results=(file.qualified("reflect", "Type"),),
        body=(make.returns(element),),
    )
    return [
        go.StructDeclaration(name=plain_name, fields=tuple(inner)),
        go.StructDeclaration(
            name=name + "Args", fields=tuple(outer), comments=(f"{name}Args are the inputs of {name}.",)
        ),
        method,
    ]


def _output_types(file: FileContext, component: Component) -> dict[str, gt.GoType]:
    natives = file.session.natives
    return {name: gt.output(natives.native(f.type)) for name, f in component.value.fields(Shape.OUTPUT).items()}


def _struct(file: FileContext, component: Component, name: str) -> go.Declaration:
    state = go.StructField(name="", type=file.pulumi("ResourceState"))
    outputs = _output_types(file, component)
    names = field_names(outputs)
    nodes = [node for node in component.program.nodes if isinstance(node, OutputVariable)]
    origins = {node.logical_name: node_origin(node) for node in nodes}
    fields = [
        go.StructField(
            name=names[wire],
            type=type_expr(file, t),
            tag=quoting.tag(pulumi=wire),
            blank_before=index == 0,
            origin=origins.get(wire),
        )
        for index, (wire, t) in enumerate(outputs.items())
    ]
    return go.StructDeclaration(name=name, fields=(state, *fields))


# -------------------------------------------------------------------------------------------------- constructor


def _constructor(file: FileContext, component: Component, plan: Plan, bag: DiagnosticBag) -> go.Declaration:
    session = file.session
    name = session.natives.components[component.value].name
    b = Block(file, Frame(zeros=(make.NIL,), component=make.COMPONENT))
    fields = session.component_fields[component.value]
    if fields:
        empty = make.address(make.struct(go.Declared(name + "Args"), {}))
        condition = go.Binary(make.ARGS, "==", make.NIL)
        b.emit(go.If(condition=condition, body=(make.assign(make.ARGS, empty),)))
    b.emit(make.define([make.COMPONENT.variable], make.address(make.struct(go.Declared(name), {}))))
    token = go.Text(component.token)
    registered = _registered_arguments(session, component, name)
    common = (token, make.NAME, *registered, make.COMPONENT)
    register = "RegisterComponentResourceV2" if registered else "RegisterComponentResource"
    function = make.select(make.CTX, register)
    # The call is too long for the head of an `if`.
    b.attempt_unused(go.Call(function=function, arguments=(*common, make.OPTS), expand=True), has_value=False)
    b.emit(make.BLANK_LINE)
    writer = _ComponentWriter(b, component, plan, bag)
    writer.write_all()
    writer.register_outputs()
    b.emit(make.returns(make.COMPONENT, make.NIL))
    parameters = [
        go.Parameter(variable=make.CTX.variable, type=go.Star(file.pulumi("Context"))),
        go.Parameter(variable=make.NAME.variable, type=make.STRING),
    ]
    if fields:
        parameters.append(go.Parameter(variable=make.ARGS.variable, type=go.Star(go.Declared(name + "Args"))))
    parameters.append(go.Parameter(variable=make.OPTS.variable, type=file.pulumi("ResourceOption"), variadic=True))
    return go.FunctionDeclaration(
        name="New" + name,
        parameters=tuple(parameters),
        results=(go.Star(go.Declared(name)), make.ERROR),
        body=prune(b.statements),
        comments=(f"New{name} registers the component and the resources inside it.",),
    )


def _registered_arguments(session: Session, component: Component, name: str) -> tuple[go.Expr, ...]:
    """Return the arguments to register as inputs with the engine, without late inputs, for which it must not wait."""
    fields, late = session.component_fields[component.value], session.late_inputs.get(component.value, frozenset())
    names = field_names(fields)
    arguments = [names[field] for field in fields if field not in late]
    if late and arguments:
        members = {field: make.select(make.ARGS, field) for field in arguments}
        return (make.address(make.struct(go.Declared(name + "Args"), members)),)
    return (make.ARGS,) if arguments else ()


class _ComponentWriter(Writer):
    """Writes the inside of a component: config variables are its arguments, outputs its fields."""

    _reads_config = False

    def __init__(self, b: Block, component: Component, plan: Plan, bag: DiagnosticBag) -> None:
        super().__init__(b, plan, bag)
        self.component = component
        self.fields = b.file.session.component_fields[component.value]
        self.outputs = _output_types(b.file, component)

    def comment_lines(self, node: Node) -> tuple[str, ...]:
        """Return the comments above the statements of `node`; comments of an input are at its field."""
        return () if isinstance(node, ConfigVariable) else super().comment_lines(node)

    def write(self, node: Node, *, is_used: bool) -> None:
        """Write one node; `is_used`: other nodes refer to it."""
        if isinstance(node, ConfigVariable):
            self._input(node)
        elif isinstance(node, OutputVariable):
            self._set_output(node)
        else:
            super().write(node, is_used=is_used)

    def _input(self, node: ConfigVariable) -> None:
        b = self.b
        t = self.fields[node.logical_name]
        name = local_name(node.symbol.name)
        argument: go.Expr = make.select(make.ARGS, field_names(self.fields)[node.logical_name])
        value = Value(argument, t)
        if t.is_plain:
            b.bind(node.symbol, self._plain_input(node, value, name))
            return
        if node.required:
            b.fail_if(go.Binary(argument, "==", make.NIL), f'missing required argument "{node.logical_name}"')
        else:
            value = Value(self._defaulted(node, argument, t, name), t)
        b.bind(node.symbol, self._finished(node, value, name))

    def _finished(self, node: ConfigVariable, value: Value, name: str) -> Value:
        """Return an input with objects decoded into their structs and secrets marked."""
        b = self.b
        native = value.type.native
        if node.secret:
            # The argument for an optional input may have the non-optional type; `ToSecret` keeps the type.
            eventual = as_output(b, value)
            marked = make.call(b.file.pulumi("ToSecret"), eventual.node)
            value = Value(go.TypeAssertion(marked, type_expr(b.file, eventual.type)), eventual.type)
        if not isinstance(native, gt.AnyNative) and (_holds_objects(native) or _holds_pointers(native)):
            decode = go.Index(b.file.session.helper("decode"), native_type(b.file, native))
            wrapped = make.call(b.file.pulumi("ToOutput"), value.node)
            result = gt.output(native)
            value = Value(go.TypeAssertion(make.method(wrapped, "ApplyT", decode), type_expr(b.file, result)), result)
        if make.is_simple(value.node):
            return value
        return Value(b.declare(name, value.node), value.type)

    def _plain_input(self, node: ConfigVariable, value: Value, name: str) -> Value:
        b = self.b
        native = b.file.session.natives.native(node.type)
        if node.required or node.default is None:
            return value
        if not isinstance(value.type.native, gt.Pointer) and not gt.can_be_nil(value.type.native):
            return value
        defaulting = b.inner()
        default = defaulting.into(node.default, gt.plain(native), name)
        target = make.variable(name)
        is_pointer = isinstance(value.type.native, gt.Pointer) and not isinstance(native, gt.Pointer)
        argument = go.Star(value.node) if is_pointer else value.node
        condition = go.Binary(value.node, "!=", make.NIL)
        otherwise: tuple[go.Statement, ...] = ()
        if defaulting.statements or (default is make.NIL):
            b.emit(go.VariableStatement(variable=target, type=native_type(b.file, native)))
            otherwise = (*defaulting.statements, make.assign(go.Name(target), default))
        else:
            b.emit(declaration(b, target, gt.plain(native), default))
        b.emit(go.If(condition=condition, body=(make.assign(go.Name(target), argument),), otherwise=otherwise))
        return Value(go.Name(target), gt.plain(native))

    def _defaulted(self, node: ConfigVariable, argument: go.Expr, t: gt.GoType, name: str) -> go.Expr:
        """Return an optional input; if it is missing, the result is its default, or an input that resolves to null."""
        b = self.b
        target = b.declare(name, argument)
        inner = b.inner()
        default = inner.into(node.default, t, name) if node.default is not None else make.NIL
        if default is make.NIL and isinstance(t.native, gt.Pointer | gt.Slice | gt.Map) and gt.has_family(t.native):
            default = nothing(b, gt.output(t.native))
        elif default is make.NIL:
            default = make.call(b.file.pulumi("Any"), make.NIL)
        inner.emit(make.assign(target, default))
        b.emit_if(go.Binary(target, "==", make.NIL), inner)
        return target

    # ---------------------------------------------------------------------------------------------- outputs

    def _set_output(self, node: OutputVariable) -> None:
        b = self.b
        into = self.outputs.get(node.logical_name)
        if into is None:
            return
        value = b.into(node.value, into, node.symbol.name)
        if value is make.NIL:
            value = as_output(b, Value(make.NIL, gt.plain(into.native))).node
        target = make.select(make.COMPONENT, field_names(self.outputs)[node.logical_name])
        b.emit(go.Assign(targets=(target,), values=(value,), origin=node))

    def register_outputs(self) -> None:
        """Register the outputs with the engine."""
        b = self.b
        names = field_names(self.outputs)
        members = {name: make.select(make.COMPONENT, field) for name, field in names.items()}
        outputs = make.mapping(b.file.pulumi("Map"), members)
        b.emit(make.BLANK_LINE)
        b.attempt_error(make.method(make.CTX, "RegisterResourceOutputs", make.COMPONENT, outputs))
