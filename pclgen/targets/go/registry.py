"""Which module of Go's registry holds the SDK of a package, where its schema does not say so.

Schemas of third parties often have no setting for Go, or one that does not name the module. The usual layouts give a few
possible modules; the first that is published in the package's version is the module, and the schema is given the settings
that lead to it. Whoever calls decides how the registry is asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pclgen.targets.go.modules import PLACEHOLDER, ModuleLayout
from pclgen.types.declarations import Package

_LEAST_PARTS = 3
"""The parts of the shortest path of a module: host, owner and repository."""


class Candidate(Struct, frozen=True, kw_only=True):
    """A module that may hold the SDK of a package, and the settings `language.go` that lead to it."""

    module: str
    settings: Mapping[str, object]


def published(package: Package, exists: Callable[[str, str], bool]) -> Candidate | None:
    """Return the first usual module that `exists` (module, version) in the package's version; None without one."""
    version = go_version(package)
    return next((candidate for candidate in candidates(package) if exists(candidate.module, version)), None)


def go_version(package: Package) -> str:
    """Return the version of a package as Go writes it, with a `v`."""
    return "v" + package.version.removeprefix("v").split("+", 1)[0]


def candidates(package: Package) -> Iterator[Candidate]:
    """Return the modules in which the SDK may be, the one of the schema first, each once."""
    layout = ModuleLayout(package)
    if layout.text("importPathPattern"):
        return  # each folder is a module, and the schema says which
    own = layout.home("").module
    seen: set[str] = set()
    for module, base in ((own, layout.base_path), *_usual(layout)):
        if module in seen or module.startswith(f"{PLACEHOLDER}/") or _major(module) != layout.suffix:
            continue
        seen.add(module)
        settings = layout.settings if module == own else _settings(layout, module, base)
        root = ModuleLayout(replace(package, language={**package.language, "go": settings})).home("")
        if root.module == module and (module == own or root.path == base):
            yield Candidate(module=module, settings=settings)


def _settings(layout: ModuleLayout, module: str, base: str) -> Mapping[str, object]:
    """Return the settings of a package whose root package is at `base` in `module`."""
    name = {"rootPackageName": layout.short_name} if module == base else {}
    return {**layout.settings, "importBasePath": base, "modulePath": module, **name}


def _usual(layout: ModuleLayout) -> Iterator[tuple[str, str]]:
    """Return modules and root packages: the folders above the known one, then the usual places in repositories."""
    parts = layout.base_path.split("/")
    for end in range(len(parts), _LEAST_PARTS - 1, -1):
        yield "/".join(parts[:end]), layout.base_path
    name, suffix = layout.short_name, layout.suffix
    repository = re.split(r"/sdk(?=/|$)", layout.default_module)[0]
    for root in dict.fromkeys((repository, f"github.com/pulumi/pulumi-{layout.package.name}")):
        yield f"{root}/sdk{suffix}", f"{root}/sdk{suffix}/go/{name}"
        yield f"{root}/sdk/go/{name}{suffix}", f"{root}/sdk/go/{name}{suffix}"
        yield f"{root}/sdk/go{suffix}", f"{root}/sdk/go{suffix}/{name}"


def _major(module: str) -> str:
    match = re.search(r"/v\d+$", module)
    return match[0] if match else ""
