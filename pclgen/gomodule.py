"""`pclgen schema add --ask-go-proxy`: the Go module of an SDK, from Go's module proxies.

Third-party schemas often have no Go settings, or settings that do not name the module. The usual layouts yield a few
candidates. The first candidate published in the package's version is the module, and the schema that is added gets the
settings that lead to it. So generating needs no network and gives the same `go.mod` on each machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from pclgen.schema.fetch import Fetched, FetchError, NotFoundError, document_of, download, with_go_settings
from pclgen.schema.package import open_package
from pclgen.targets.go.sdk import PLACEHOLDER, ModuleLayout
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


_USUAL_PROXIES = "https://proxy.golang.org,direct"
_LARGEST_ANSWER = 1_000_000
"""The size limit of what a proxy says of a version, in bytes."""


def with_go_module(fetched: Fetched, limit: float, tell: Callable[[str], None]) -> Fetched:
    """Return the schema with the settings that lead to the Go module of its SDK.

    `limit` is that of one question, in seconds. Raises `FetchError` if no proxy can be asked or has a module in the version
    of the schema.
    """
    proxies = _proxies()
    if not fetched.version:
        raise FetchError(f"{fetched.source}: the schema has no version to ask for", "name it: NAME@VERSION")
    package = replace(_package(fetched), version=fetched.version)

    def exists(module: str, version: str) -> bool:
        tell(f"asking for {module} {version} ...")
        return any(_answers(f"{proxy}/{_escaped(module)}/@v/{_escaped(version)}.info", limit) for proxy in proxies)

    candidate = published(package, exists)
    if candidate is None:
        modules = ", ".join(candidate.module for candidate in candidates(package)) or "the modules that the schema names"
        raise FetchError(
            f"no module of Go has {go_version(package)} of `{package.name}`: {modules}",
            "add the schema without `--ask-go-proxy`, or write `language.go.importBasePath` and `modulePath` into it",
        )
    tell(f"its Go module is {candidate.module}")
    if candidate.settings == package.language.get("go", {}):
        return fetched
    return with_go_settings(fetched, candidate.settings)


def _package(fetched: Fetched) -> Package:
    """Return the package of a schema, without its members."""

    def other(name: str, version: str) -> Package:
        raise FetchError(f"{fetched.source}: refers to package `{name}` {version}")

    try:
        return open_package(document_of(fetched), other).package
    except ValueError as error:
        raise FetchError(f"{fetched.source}: {error}") from error


def _proxies() -> Sequence[str]:
    """Return the addresses in GOPROXY. Raises `FetchError` without any."""
    text = os.environ.get("GOPROXY") or _USUAL_PROXIES
    proxies = [part.strip().rstrip("/") for part in re.split(r"[,|]", text)]
    addresses = [proxy for proxy in proxies if proxy.startswith(("https://", "http://"))]
    if not addresses:
        raise FetchError(f"GOPROXY is `{text}`, which names no proxy", f"set it to an address, like {_USUAL_PROXIES}")
    return addresses


def _answers(url: str, limit: float) -> bool:
    try:
        download(url, limit, _LARGEST_ANSWER, subject="answer")
    except NotFoundError:
        return False
    return True


def _escaped(text: str) -> str:
    """Return a path or version as Go's proxies want it: `!a` for each capital `A`."""
    return quote(re.sub(r"[A-Z]", lambda match: "!" + match[0].lower(), text), safe="/!.~+-_")
