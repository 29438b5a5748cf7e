"""Source files: main.go for the program, one file for each component (targets.md, Source files; Files and classes).

Comes in: a plan.  Goes out: `tree.File`s by name.

Names of imports are taken only where a file needs them, and which it needs is known only at the end: the program is
translated twice, the second time with the names that the first one used.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from pclgen.core.program import Component, ConfigVariable, Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.diagnostics.target import unsupported
from pclgen.plan.model import Plan, ProjectPlan
from pclgen.records import dataclass
from pclgen.stdlib.model import Home
from pclgen.targets.go import build as make
from pclgen.targets.go import expressions
from pclgen.targets.go import tree as go
from pclgen.targets.go.components import component_declarations, component_fields
from pclgen.targets.go.context import Block, FileContext, Imports, Session, main_frame, root_names
from pclgen.targets.go.declared import declare_types, type_declarations
from pclgen.targets.go.gotypes import LocalStruct, Natives
from pclgen.targets.go.helpers import HELPERS, with_dependencies
from pclgen.targets.go.names import PREDECLARED, type_name
from pclgen.targets.go.nodes import Writer
from pclgen.targets.go.prune import prune
from pclgen.targets.go.sdk import CORE_PATH, sdk_of
from pclgen.targets.go.structs import declare_structs, struct_declaration
from pclgen.targets.names import FileNames, NameTable, file_stem
from pclgen.targets.packs import names_of

MAIN = "main.go"
_PLATFORM = re.compile(
    r"_(test|aix|android|darwin|dragonfly|freebsd|illumos|ios|js|linux|netbsd|openbsd|plan9|solaris|wasip1|windows"
    r"|386|amd64|arm|arm64|loong64|mips|mips64|mips64le|mipsle|ppc64|ppc64le|riscv64|s390x|wasm)$"
)
_USUAL_IMPORTS = frozenset(
    (
        *("base64", "config", "errors", "exec", "fmt", "internals", "json", "maps", "math", "os", "pulumi", "reflect"),
        *("sha1", "sha256", "slices", "strconv", "strings", "uniseg"),
    )
)


@dataclass(frozen=True, slots=True)
class Project:
    """The files of a project, and the modules outside the SDKs that they import."""

    files: Mapping[str, go.File]
    imports: frozenset[str]
    helpers: tuple[str, ...]


def translate(plan: ProjectPlan, bag: DiagnosticBag) -> Project:
    """The Go files of a program and of all components below it."""
    for use in plan.waiting:
        construct = "a component whose options wait for an input from a circle of components"
        why = "in Go a component is made when it is registered, and the others of the circle wait for this one"
        bag.add(unsupported(construct, "Go", use.name_span, why=why, hint="let resources wait for it instead"))
    program = plan.main.program
    aliases = frozenset(_USUAL_IMPORTS | {sdk_of(p).root.name for p in program.packages})
    told = DiagnosticBag()
    globals_ = NameTable(PREDECLARED, separator="")
    first = _translate(plan, told, globals_, used={}, default=aliases, helpers=HELPERS)
    # Which packages and helpers a file uses is known only now.  Where that changes no name, the files are right already.
    used = {name: frozenset(_names_of(i) for i in file.imports) for name, file in first.files.items()}
    spared = aliases.difference(*used.values()) if len(used) == 1 else aliases
    spared |= set(HELPERS).difference(first.helpers)
    unforeseen = frozenset().union(*used.values()) - aliases
    if not (globals_.refused & spared or globals_.claimed & unforeseen):
        bag.extend(told)
        return first
    globals_ = NameTable(PREDECLARED, separator="")
    return _translate(plan, bag, globals_, used=used, default=aliases, helpers=first.helpers)


def _names_of(import_: go.Import) -> str:
    return import_.alias or import_.path.rsplit("/", 1)[-1]


def _translate(
    plan: ProjectPlan,
    bag: DiagnosticBag,
    globals_: NameTable,
    *,
    used: Mapping[str, frozenset[str]],
    default: frozenset[str],
    helpers: Collection[str],
) -> Project:
    program, components = plan.main.program, tuple(plan.components)
    natives = Natives()
    sdks = tuple(sdk_of(package) for package in program.packages)
    session = Session(natives, expressions, globals_, sdks, late_inputs=plan.late)
    session.globals.reserve(*helpers)
    session.globals.reserve(*names_of(program, "go"))
    names = _file_names(components, program.homes)
    for component in components:
        natives.declare_component(component.value, _component_name(session, component))
    structs = _declare_all(session, program, components)
    session.local_types.update(declare_types(session, components))
    for component in components:
        session.component_fields[component.value] = component_fields(session, plan.components[component])
    files: dict[str, go.File] = {}
    for component in components:
        name = names[component]
        file = FileContext(session, Imports())
        own = plan.components[component]
        declarations = component_declarations(file, component, own, bag, reserved=used.get(name, default))
        # Above the package clause: as the comment of the struct, gofmt would lay it out as documentation.
        files[name] = _file(file, declarations, component.program.header)
    file = FileContext(session, Imports())
    main = _main(file, plan.main, bag, used.get(MAIN, default))
    types = type_declarations(file, list(session.local_types.values()))
    declarations = [*types, *(struct_declaration(file, s) for s in structs), main, *_helpers(session)]
    result = {MAIN: _file(file, declarations, program.header, helpers=tuple(session.helpers))}
    result.update(sorted(files.items()))
    paths = frozenset(i.path for f in result.values() for i in f.imports)
    return Project(result, paths, with_dependencies(session.helpers))


def _component_name(session: Session, component: Component) -> str:
    name = session.globals.claim(type_name(component.name))
    session.globals.reserve(name + "Args", "New" + name, name[:1].lower() + name[1:] + "Args")
    return name


def _file_names(components: Sequence[Component], homes: Sequence[Home]) -> dict[Component, str]:
    table = FileNames("main", *(home.name for home in homes))
    names: dict[Component, str] = {}
    for component in components:
        base = file_stem(component.directory)
        if _PLATFORM.search(base):
            base += "_component"
        names[component] = table.claim(base, f"{base}_component") + ".go"
    return names


def _declare_all(session: Session, program: Program, components: Sequence[Component]) -> list[LocalStruct]:
    found: list[LocalStruct] = []
    for inside in (program, *(c.program for c in components)):
        for node in inside.nodes:
            if isinstance(node, ConfigVariable):
                found += declare_structs(session, node.symbol.name, node.type, node.rule)
    return found


def _main(file: FileContext, plan: Plan, bag: DiagnosticBag, reserved: frozenset[str]) -> go.Declaration:
    """`func main() { pulumi.Run(func(ctx *pulumi.Context) error { … }) }`."""
    b = Block(file, main_frame(), root_names(file.session, reserved))
    Writer(b, plan, bag).write_all()
    body = (*prune(b.statements), make.returns(make.NIL))
    context = make.star(file.pulumi("Context"))
    run = make.call(file.pulumi("Run"), make.function((("ctx", context),), (make.ERROR,), body))
    return go.FunctionDeclaration(name="main", body=(go.ExpressionStatement(expression=run),))


def _helpers(session: Session) -> list[go.Declaration]:
    return [go.HelperDeclaration(name=name) for name in with_dependencies(session.helpers)]


def _file(
    file: FileContext, declarations: list[go.Declaration], header: tuple[str, ...], helpers: tuple[str, ...] = ()
) -> go.File:
    """The file with the imports that its declarations use."""
    paths = {file.imports.taken[alias]: alias for alias in _aliases_in(tuple(declarations))}
    for helper in with_dependencies(helpers):
        for path in HELPERS[helper].imports:
            paths.setdefault(path, path.rsplit("/", 1)[-1])
    paths.setdefault(CORE_PATH, "pulumi")
    imports = []
    for path, alias in sorted(paths.items()):
        is_own = alias == file.session.package_name(path) and alias == _last(path)
        imports.append(go.Import(path=path, alias="" if is_own else alias))
    return go.File(imports=tuple(imports), declarations=tuple(declarations), header=header)


def _last(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def _aliases_in(declarations: tuple[go.Declaration, ...]) -> set[str]:
    """The packages that `declarations` name."""
    found: set[str] = set()
    pending: list[object] = [declarations]
    while pending:
        current = pending.pop()
        if isinstance(current, tuple):
            pending.extend(current)
        elif isinstance(current, go.Qualified):
            found.add(current.package)
        else:
            pending.extend([getattr(current, name) for name in go.parts(type(current))])
    return found
