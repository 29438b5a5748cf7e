"""The options `version` and `pluginDownloadURL` of resources and invokes, as requests for a package (language.md, Versions).

A project has one SDK per package, so the whole project uses one version, components included: that of its `package` block
or configuration; else the highest requested version that a source has; else the highest version that a source has. Sources
that search for plugins receive the URL.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from pclgen.bind import references
from pclgen.bind.literals import static_text
from pclgen.schema.load import FoundPackage, SchemaStore
from pclgen.schema.sources import Requirement
from pclgen.schema.tokens import Token, parse_token
from pclgen.semver import Version, parse_version
from pclgen.syntax import ast

_VERSION = "version"
_URLS = ("pluginDownloadURL", "pluginDownloadUrl")
_TYPED_BLOCKS = ("resource", "read")


class _Requests(Struct):
    """The versions and URLs of one package in the options of a program."""

    versions: list[str] = field(default_factory=list)
    urls: list[str] = field(default_factory=list)


def wanted_by_options(trees: Sequence[ast.File], store: SchemaStore, described: Iterable[str]) -> dict[str, Requirement]:
    """The highest available requested version and the first plugin URL of each package without a `package` block.

    The version is omitted if the package is pinned.
    """
    requests: dict[str, _Requests] = {}
    for tree in trees:
        if any(option in tree.source.text for option in (_VERSION, *_URLS)):
            for package, option, text in package_options(tree.body.items):
                request = requests.setdefault(package, _Requests())
                (request.versions if option == _VERSION else request.urls).append(text)
    result: dict[str, Requirement] = {}
    for package in sorted(requests.keys() - set(described)):
        request = requests[package]
        version = _best(package, request.versions, store) if request.versions and not store.is_pinned(package) else None
        url = request.urls[0] if request.urls else ""
        if version is not None or url:
            why = "an option `version` of the program says so"
            result[package] = Requirement(name=package, version=version, download_url=url, why=why)
    return result


def _best(package: str, versions: Sequence[str], store: SchemaStore) -> str | None:
    """The highest available version of `versions`."""
    requested = sorted({parsed for text in versions if (parsed := parse_version(text)) is not None}, reverse=True)
    present = {parse_version(version) for version in store.versions(package)}
    if present:
        return next((version.text for version in requested if version in present), None)
    # Services cannot list versions, so each is requested.
    return next((version.text for version in requested if _is_available(package, version, store)), None)


def _is_available(package: str, version: Version, store: SchemaStore) -> bool:
    match = store.find(package, version.text)
    return isinstance(match, FoundPackage) and parse_version(match.package.version) == version


def package_options(items: Iterable[ast.Item]) -> Iterator[tuple[str, str, str]]:
    """The package, name and text of every such option with a literal value in top-level items."""
    for item in items:
        if isinstance(item, ast.Attribute):
            yield from _of_invokes(item.value)
            continue
        labels = item.labels
        typed = item.type.text in _TYPED_BLOCKS and len(labels) == 2
        for inner in item.body.items:
            if isinstance(inner, ast.Attribute):
                yield from _of_invokes(inner.value)
            elif inner.type.text == "options" and typed:
                for option in inner.body.items:
                    if isinstance(option, ast.Attribute):
                        yield from _option(labels[1].text, option.name.text, option.value)


def _of_invokes(value: ast.Expr) -> Iterator[tuple[str, str, str]]:
    for call in references.calls(value, "invoke"):
        token = static_text(call.args[0]) if len(call.args) > 2 else None
        options = call.args[2] if token is not None else None
        if token is None or not isinstance(options, ast.ObjectExpr):
            continue
        for item in options.items:
            if isinstance(item.key, ast.BareKey):
                yield from _option(token, item.key.text, item.value)


def _option(token: str, name: str, value: ast.Expr) -> Iterator[tuple[str, str, str]]:
    if name != _VERSION and name not in _URLS:
        return
    parsed = parse_token(token)
    text = static_text(value)
    if isinstance(parsed, Token) and text is not None:
        yield parsed.package, name, text
