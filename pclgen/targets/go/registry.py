"""The module of a package's SDK in Go's registry, for schemas that do not specify it.

Third-party schemas often have no Go settings, or settings that do not name the module. The usual layouts yield a few
candidates. The first candidate published in the package's version is the module, and the schema gets the settings that
lead to it. The caller provides the registry lookup.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from pclgen.targets.go.modules import PLACEHOLDER, ModuleLayout
from pclgen.types.declarations import Package

_LEAST_PARTS = 3
"""The number of parts in the shortest module path: host, owner and repository."""


class Candidate(Struct, frozen=True, kw_only=True):
    """A module that may contain the SDK of a package, and the settings `language.go` that lead to it."""

    module: str
    settings: Mapping[str, object]


def published(package: Package, exists: Callable[[str, str], bool]) -> Candidate | None:
    """Return the first candidate for which `exists` (module, version) is true in the package's version, or None."""
    version = go_version(package)
    return next((candidate for candidate in candidates(package) if exists(candidate.module, version)), None)


def go_version(package: Package) -> str:
    """Return the version of a package in Go's format, with a `v`."""
    return "v" + package.version.removeprefix("v").split("+", 1)[0]


def candidates(package: Package) -> Iterator[Candidate]:
    """Yield the modules that may contain the SDK, the schema's module first, each once."""
    layout = ModuleLayout(package)
    if layout.text("importPathPattern"):
        return  # each folder is a module that the schema specifies
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
    """Yield modules and root packages: the parents of the known folder, then the usual folders in repositories."""
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
