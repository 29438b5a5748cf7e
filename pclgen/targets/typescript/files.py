"""The files of a program: a file per component, beside the main file, and the helpers and the imports of a file.

Each component has a file (without the extension) and a class, unique in the project, and a set of plain arguments.

Helpers are the functions that pclgen adds to files that use them: `templates/typescript/helpers` has their text.
References to helpers choose the templates that a file declares.

`Imports` has the modules that one file may import; references use the names that packages and modules have in the file.
`import_lines` returns the lines for its actual imports: the core SDK, then the other packages by name, then the file's own
components.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final, TypeAlias

from msgspec import Struct

from pclgen.core.program import Component, Program
from pclgen.core.walk import components_of
from pclgen.emit.forms import Forms
from pclgen.targets.names import FileNames, NameTable, file_stem
from pclgen.targets.origins import BindingLine, Recorder
from pclgen.targets.typescript import names
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import quote
from pclgen.types.declarations import Package

MAIN = "index"


class Place(Struct, frozen=True):
    """The file of a component, the name of its class in all files, and the inputs (logical names) that take no outputs."""

    file: str
    class_name: str
    plain: AbstractSet[str]


Places: TypeAlias = Mapping[Component, Place]


def places_of(program: Program, plain: Mapping[Component, AbstractSet[str]]) -> Places:
    """A file named after the directory of each component, and a class that hides no name of the language."""
    files = FileNames(MAIN, CHECKS, BESIDE, *(home.name for home in program.homes))
    classes = NameTable(names.GLOBALS | names.RESERVED, separator="")
    result: dict[Component, Place] = {}
    for component in components_of(program):
        stem = file_stem(component.directory)
        candidates = (names.variable(component.name), f"{component.name}Component")
        name = classes.claim(*[name for name in candidates if not classes.is_taken(f"{name}Args")] or candidates[1:])
        classes.reserve(f"{name}Args")
        result[component] = Place(files.claim(stem, f"{stem}Component"), name, plain[component])
    return result


# -- helpers ----------------------------------------------------------------------------------------------------------------

JSON_OR_TEXT: Final = "jsonOrText"
REQUIRE_VALUE: Final = "requireValue"
REQUIRE_MEMBERS: Final = "requireMembers"
REQUIRE_OWN_MEMBERS: Final = "requireOwnMembers"
"""The form of `REQUIRE_MEMBERS` in a file that needs it for members of objects only, not for nested members."""

CHECKS: Final = "checks"
"""The file beside the program that holds the helpers of `CHECKERS`."""

CHECKERS: Final = frozenset({"checked", "kept"})
"""Helpers too long to stand above a program."""

BESIDE: Final = "helpers"
"""The file beside the program that holds the other helpers when they are many."""

HELPERS: Final = (
    *("can", "canRun", "checked", "element", "entriesOf", "entryOf", "entryOr", "firstOf"),
    *("fromUniqueEntries", "groupByKey", "isEqual", "itemAt", "kept", "lengthOf", "nonZero", "notImplemented"),
    *("singleOrNone", "sortedEntries", "textOf", "toBoolean", "toJson", "toNumber", "wholeNumber"),
    *(JSON_OR_TEXT, REQUIRE_MEMBERS, REQUIRE_VALUE),
)
"""The names of all helpers."""


ENTRY_OF_ANY: Final = "entryOfAny"
"""The form of `entryOf` in a file that also needs it for values of unknown type."""

ENTRY_OR_ANY: Final = "entryOrAny"
"""The form of `entryOr` in a file that also needs it for values of unknown type in an attempt."""

TEXT_OF_SCALAR: Final = "textOfScalar"
"""The form of `textOf` in a file that needs it for values that may be lists or objects, which have no text."""

_FORMS: Final = {
    REQUIRE_MEMBERS: REQUIRE_OWN_MEMBERS,
    ENTRY_OF_ANY: "entryOf",
    ENTRY_OR_ANY: "entryOr",
    TEXT_OF_SCALAR: "textOf",
}
"""Templates of helpers that extend another helper of the same name."""


def members_helper(paths: Sequence[str]) -> ts.Helper:
    """The helper that checks that a value is present at each of `paths` (of `types.traverse`)."""
    is_own = all("/" not in path and "~" not in path for path in paths)
    return ts.Helper(REQUIRE_MEMBERS, REQUIRE_OWN_MEMBERS if is_own else "")


def is_checker(helper: ts.Helper) -> bool:
    """Return whether a helper is too long to stand above a program."""
    return helper.name in CHECKERS


def imported_helpers(helpers: Iterable[ts.Helper]) -> frozenset[ts.Imported]:
    """The imports of `helpers` from the files that hold them."""
    files = {helper.name: CHECKS if is_checker(helper) else BESIDE for helper in helpers}
    return frozenset(ts.Imported(ts.Module(f"./{file}", file), name) for name, file in files.items())


def templates_of(helpers: Iterable[ts.Helper]) -> tuple[str, ...]:
    """The templates of `helpers` in one file, sorted."""
    templates = {helper.form or helper.name for helper in helpers}
    twice = {narrow for wide, narrow in _FORMS.items() if wide in templates}
    return tuple(sorted(templates - twice))


# -- imports ----------------------------------------------------------------------------------------------------------------

PULUMI = "pulumi"
CORE_MODULE = "@pulumi/pulumi"
NODE_MODULES: Mapping[str, str] = {"childProcess": "child_process", "crypto": "crypto", "fs": "fs"}

_NAMES_AND_FILE: Final = 60
"""The columns of a line of 80 that its words leave for names and for a file in quotes."""


def npm_name(package: Package) -> str:
    """The name of the package's SDK on npm."""
    if package.name == PULUMI:
        return CORE_MODULE
    override = package.language.get("nodejs", {}).get("packageName")
    if isinstance(override, str) and override:
        return override
    return f"@{package.namespace or 'pulumi'}/{package.name}"


class Imports:
    """The modules that one file may import, and their names in it, independent of its actual imports."""

    def __init__(
        self, packages: Iterable[Package], unknown: Iterable[str] = (), own: Iterable[str] = ()
    ) -> None:
        """Allow imports of `packages`, of packages named `unknown` (without a schema), and of the files `own` beside it."""
        table = NameTable(reserved=(PULUMI, *NODE_MODULES), separator="")
        sources = {
            **{package.name: npm_name(package) for package in packages},
            **{name: f"@pulumi/{name}" for name in unknown},
            **{f"./{name}": f"./{name}" for name in own},
        }
        aliases = {name: table.claim(names.alias(name.removeprefix("./"))) for name in sources if name != PULUMI}
        self._modules: Mapping[str, ts.Module] = {
            PULUMI: ts.Module(CORE_MODULE, PULUMI),
            **{name: ts.Module(sources[name], alias) for name, alias in aliases.items()},
        }

    @property
    def reserved(self) -> tuple[str, ...]:
        """Every name that the file may import, used or not."""
        return (*(module.alias for module in self._modules.values()), *NODE_MODULES)

    def package(self, name: str) -> ts.Imported:
        """The package called `name`, which the file may import."""
        return ts.Imported(self._modules[name])

    def own(self, file: str) -> ts.Imported:
        """All exports of a file beside this file, which the file may import."""
        return self.package(f"./{file}")

    def pulumi(self, *path: str) -> ts.TsExpr:
        """`pulumi.a.b` of the core SDK."""
        node: ts.TsExpr = self.package(PULUMI)
        for name in path:
            node = ts.Member(node, name)
        return node

    def pulumi_type(self, name: str, *args: ts.TsType) -> ts.TypeName:
        """`pulumi.Name<…>` as a type."""
        return ts.TypeName(f"{PULUMI}.{name}", args, self.package(PULUMI))

    def node(self, name: str) -> ts.Imported:
        """A module of Node: `fs`, `crypto`, `childProcess`."""
        return ts.Imported(ts.Module(NODE_MODULES[name], name))

    def component(self, class_name: str, file: str) -> ts.Imported:
        """The class of a component of this project, in `file` (without its extension)."""
        return ts.Imported(ts.Module(f"./{file}"), class_name)

    def argument_type(self, class_name: str, file: str, name: str) -> ts.TsType:
        """The type of an argument of such a class: `WebArgs["size"]`."""
        return ts.TypeIndex(ts.Imported(ts.Module(f"./{file}"), f"{class_name}Args"), name)


def import_lines(imports: AbstractSet[ts.Imported], words: Forms, recorder: Recorder | None) -> list[str]:
    """Return the lines of `imports`, in order."""

    def marked(line: str, binding: BindingLine) -> str:
        return line if recorder is None else recorder.around(line, binding)

    modules = sorted({item.module for item in imports if not item.member}, key=lambda m: (_rank(m), m.alias))
    texts = [words.text("import", {"name": m.alias, "module": quote(m.source)}) for m in modules]
    lines = [marked(text, BindingLine((m.alias,))) for m, text in zip(modules, texts, strict=True)]
    for source in sorted({item.module.source for item in imports if item.member}):
        own = sorted(item.member for item in imports if item.member and item.module.source == source)
        members = ", ".join(own)
        line = words.text("import-component", {"name": members, "module": quote(source)})
        # Formatters break a long line with several names, but not with a single name.
        if len(own) > 1 and len(members) + len(quote(source)) - len("./") > _NAMES_AND_FILE:
            rows = "".join(f"    {name},\n" for name in own)
            line = line.replace(f"{{ {members} }}", f"{{\n{rows}}}")
        lines.append(marked(line, BindingLine(tuple(own), are_sources=False)))
    return lines


def _rank(module: ts.Module) -> int:
    """The sort key: the core SDK, other packages, modules of Node, the project's own files."""
    if module.alias == PULUMI:
        return 0
    if module.source.startswith("./"):
        return 3
    return 2 if module.alias in NODE_MODULES else 1
