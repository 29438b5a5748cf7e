"""`pclgen schema add --ask-go-proxy`: the Go module of an SDK, from Go's module proxies.

The answer is written into the schema that is added, so that generating needs no network and gives the same `go.mod` on each
machine.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from urllib.parse import quote

from msgspec.structs import replace

from pclgen.schema.download import FetchError, NotFoundError, download
from pclgen.schema.fetch import Fetched, document_of, with_language
from pclgen.schema.package import open_package
from pclgen.targets.go.registry import candidates, go_version, published
from pclgen.types.declarations import Package

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
    return with_language(fetched, "go", candidate.settings)


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
