"""Source files: main.go for the program, and a file per component (targets.md, Source files; Files and classes).

A plan becomes `tree.File`s by file name, with the names assigned in them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from pclgen.core.program import Component, ConfigVariable, Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.target import unsupported
from pclgen.plan.model import Plan, ProjectPlan
from pclgen.stdlib.model import Home
from pclgen.targets.assembly import go_beside
from pclgen.targets.go import build as make
from pclgen.targets.go import expressions
from pclgen.targets.go import tree as go
from pclgen.targets.go.components import component_declarations, component_fields
from pclgen.targets.go.context import Block, FileContext, Frame, Session
from pclgen.targets.go.declared import declare_structs, declare_types, struct_declaration, type_declarations
from pclgen.targets.go.decoded import Decoded
from pclgen.targets.go.gotypes import LocalStruct, Natives, ResourceNative
from pclgen.targets.go.helpers import BESIDE, CHECKS, is_checker, with_dependencies
from pclgen.targets.go.names import PREDECLARED, type_name
from pclgen.targets.go.naming import NameAssignment, assign_names
from pclgen.targets.go.nodes import Writer
from pclgen.targets.go.prune import prune
from pclgen.targets.go.sdk import sdk_of
from pclgen.targets.names import FileNames, NameTable, file_stem, lowercase_first
from pclgen.targets.packs import names_of

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
