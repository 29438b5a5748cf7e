"""The Go target, which translates a lowered program to the files of a project.

The files are `main.go`, a file for each component, and the project files `go.mod` and `.gitignore` (targets.md, Project
files). The values for the templates of these come from the program and the project's facts.

`CAPABILITIES` are those of Pulumi's Go SDK, for lowering (targets.md, Steps without apply): whether accessors, `Index` and
`MapIndex` exist for a type, and which conversions need no callback.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from msgspec import Struct

from pclgen.core.capabilities import Capabilities
from pclgen.core.program import Program
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.overlay import Overlay
from pclgen.plan.model import ProjectPlan
from pclgen.targets.assembly import NO_SOURCES, LanguageTarget, ProjectFiles, Sources, names_of
from pclgen.targets.base import Project
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go.files import translate
from pclgen.targets.go.naming import check_files
from pclgen.targets.go.printer import FileView, view_file
from pclgen.targets.go.quoting import quote
from pclgen.targets.go.sdk import CORE_MODULE, Home, property_name, sdk_of
from pclgen.targets.origins import Recorder
from pclgen.types import model as ty
from pclgen.types.declarations import Field, Package

# -- capabilities of the SDK ------------------------------------------------------------------------------------------------

class _Natives(gt.Natives):
    """Native types without those that a program declares, kept by the types, so that nothing keeps these."""

    def native(self, t: ty.Type) -> gt.Native:
        """Return the native type of the resolved `t`."""
        t = ty.resolve(t)
        native = t.memo.get("go native")
        if native is None:
            native = t.memo["go native"] = self._native(t)
        return native  # type: ignore[return-value]  # the memo holds what _native returned


_NATIVES = _Natives()


def can_lift(source: ty.Type, name: str | None, field: Field | None) -> bool:
    """Return whether an output of `source` has a method for the step: `.Foo()`, `.Index(…)`, `.MapIndex(…)`."""
    if source is ty.DYNAMIC or isinstance(ty.without_none(source), ty.ObjectType):
        return False
    native = gt.without_pointer(_NATIVES.native(source))
    if isinstance(native, gt.PackageStruct):
        return field is not None and gt.has_family(_NATIVES.native(field.type))
    if isinstance(native, gt.Slice | gt.Map):
        element = native.element
        return gt.has_family(native) and not isinstance(element, gt.ResourceNative | gt.AnyNative | gt.Pointer)
    return False


def converts_freely(source: ty.Type, target: ty.Type) -> bool:
    """Return whether an output of `source` can be used for `target` with at most a method call such as `.Elem()`."""
    have, want = _NATIVES.native(source), _NATIVES.native(target)
    if ty.is_optional(target) and not ty.is_optional(source) and isinstance(want, gt.Pointer):
        want = want.element
    if have == want:
        return not _changes_elements(source, target)
    if isinstance(have, gt.Pointer) and not isinstance(have.element, gt.PackageStruct):
        return converts_natives(have.element, gt.without_pointer(want))
    return converts_natives(have, want)


def _changes_elements(source: ty.Type, target: ty.Type) -> bool:
    """Return whether an element of a literal of unlike elements, a `[]any` in Go, has another type in `target`."""
    pending, seen = [(source, target)], set[tuple[ty.Type, ty.Type]]()  # types share components
    while pending:
        first, second = pending.pop()
        have, want = ty.without_none(ty.resolve(first)), ty.without_none(ty.resolve(second))
        if have is want or (have, want) in seen:
            continue
        seen.add((have, want))
        if isinstance(have, ty.TupleType) and isinstance(want, ty.TupleType):
            pending += zip(have.elements, want.elements, strict=False)
        elif _NATIVES.native(have) != _NATIVES.native(want):
            return True
    return False


def converts_natives(have: object, want: object) -> bool:
    """Like `converts_freely`, for native types."""
    if have == want:
        return True
    if have in (gt.ID, gt.URN) and want == gt.STRING:
        return True
    return isinstance(have, gt.EnumNative) and want == gt.enum_base(have)


CAPABILITIES = Capabilities(can_lift=can_lift, converts_freely=converts_freely, reads_stacks_as_texts=True)


# -- files ------------------------------------------------------------------------------------------------------------------

class GoTarget(LanguageTarget):
    """Go with the classic (non-generic) SDK."""

    name = "go"
    runtime = "go"
    capabilities = CAPABILITIES

    def member_name(self, name: str) -> str:
        """Return the name of the member in the SDKs."""
        return property_name(name)

    def sources(
        self, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None
    ) -> Sources:
        """Return `main.go`, and a file for each component."""
        program = plan.main.program
        translated = translate(plan, bag, inline_helpers=project.inline_helpers)
        if bag.has_errors:
            return NO_SOURCES
        check_files(translated.files, translated.names, names_of(program, self.name))
        files = {}
        for name, file in translated.files.items():
            path = project.folder / name
            view = view_file(name, file, translated.names[name], project.overlay, recorder=recorder)
            text = _source(view, project.overlay)
            files[path] = text if recorder is None else recorder.finish(path, text)
        return Sources(files=files, project_files=lambda: _project_files(program, project, translated.imports))


def _source(view: FileView, overlay: Overlay | None) -> str:
    from pclgen.emit.environment import render

    return render("go/file.go.jinja", overlay, file=view)


def _project_files(program: Program, project: Project, imports: frozenset[str]) -> ProjectFiles:
    name = module_name(project.name)
    module = {
        "module": name,
        "go_version": GO_VERSION,
        "requirements": requirements(program, imports),
        "replacements": replacements(program, imports, project.local),
    }
    return {"go.mod": module, ".gitignore": {"binary": name}}


TARGET = GoTarget()


# -- project files ----------------------------------------------------------------------------------------------------------

CORE_VERSION = "v3.230.0"
"""The oldest core SDK (of the tested versions) with everything that generated programs use.

`go mod tidy` selects a later version if another SDK requires it.
"""

GO_VERSION = "1.25.8"
"""The version that the `go.mod` of that core SDK requires, which is also the minimum for programs."""

PULUMI = "pulumi"
_WORD = re.compile(r"[A-Za-z0-9._/~+@%=-]+")
_OTHER_MODULES = {"github.com/rivo/uniseg": "v0.4.7"}


class Requirement(Struct, frozen=True):
    """A line of `go.mod`."""

    path: str
    version: str


def requirements(program: Program, imports: Collection[str]) -> tuple[Requirement, ...]:
    """Return the modules of a project, with the exact versions of the schemas, sorted by path."""
    versions = {CORE_MODULE: CORE_VERSION}
    for package in program.packages:
        layout = sdk_of(package).layout
        versions |= {home.module: version for home in _homes(package, imports) if (version := layout.requirement(home))}
    versions |= {path: version for path, version in _OTHER_MODULES.items() if path in imports}
    return tuple(Requirement(path, version) for path, version in sorted(versions.items()))


def replacements(program: Program, imports: Collection[str], local: Mapping[str, str]) -> tuple[Requirement, ...]:
    """Return the modules of a project that come from local folders, with the path in place of a version."""
    places = {CORE_MODULE: local[PULUMI]} if PULUMI in local else {}
    for package in program.packages:
        if package.name in local:
            places |= {home.module: local[package.name] for home in _homes(package, imports)}
    return tuple(Requirement(path, _quoted(place)) for path, place in sorted(places.items()))


def _homes(package: Package, imports: Collection[str]) -> list[Home]:
    layout = sdk_of(package).layout
    return [home for path in imports if (home := layout.home_at(path)) is not None]


def _quoted(path: str) -> str:
    """Return a path as a word of go.mod."""
    return path if _WORD.fullmatch(path) else quote(path)


def module_name(name: str) -> str:
    """Return the module path of a project: its name, restricted to characters valid in go.mod."""
    text = re.sub(r"[^A-Za-z0-9._~-]+", "-", name).strip("-.")
    return text or "program"
