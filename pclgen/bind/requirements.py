"""The packages that a program requests: `package` blocks, and the options `version` and `pluginDownloadURL` (language.md,
Package blocks; Versions).

The version in a block selects the schema for all tokens of the package. A project has one SDK per package, so the whole
project uses one version, components included: that of its `package` block or configuration; else the highest version
requested by an option that a source has; else the highest version that a source has. Sources that search for plugins
receive the URL.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, field

from pclgen.bind import literals
from pclgen.bind.context import Context
from pclgen.bind.literals import static_text
from pclgen.bind.scope import calls
from pclgen.diagnostics import structure as say
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from pclgen.schema.sources import BasePlugin, Requirement
from pclgen.schema.tokens import Token, parse_token
from pclgen.semver import VERSION_PATTERN, Version, parse_version
from pclgen.source.text import Span
from pclgen.syntax import ast

_SEMVER = re.compile(VERSION_PATTERN, re.ASCII)
_SETTINGS = ("baseProviderName", "baseProviderVersion", "baseProviderDownloadUrl")
_PARAMETERS = ("name", "version", "value")


class PackageBlock(Struct, frozen=True):
    """The settings of a block. `name` is the name in tokens, `version` the version of the schema ("" if absent)."""

    name: str
    version: str
    base_name: str
    base_version: str
    download_url: str
    parameter: str

    def requirement(self) -> Requirement:
        """The request to the schema store."""
        base = BasePlugin(name=self.base_name, version=self.base_version, parameter=self.parameter)
        return Requirement(
            name=self.name,
            version=self.version or None,
            download_url=self.download_url,
            base=base if self.parameter or self.base_name != self.name else None,
            why="its `package` block says so",
        )


def read_package_blocks(cx: Context, package_blocks: Sequence[ast.Block]) -> dict[str, PackageBlock]:
    """Read the `package` blocks of a program, by the name of the package in tokens."""
    result: dict[str, PackageBlock] = {}
    places: dict[str, Span] = {}
    for block in package_blocks:
        described = _read(cx, block)
        if described is None:
            continue
        first = result.get(described.name)
        if first is None:
            result[described.name] = described
            places[described.name] = block.head
        elif first != described or places[described.name].file is block.head.file:
            cx.report(say.package_twice(described.name, block.head, places[described.name]))
    return result


def _read(cx: Context, block: ast.Block) -> PackageBlock | None:
    settings = literals.settings(cx, block, _SETTINGS, nested=("parameterization",))
    name = literals.text_setting(cx, settings, "baseProviderName")
    if block.labels:
        cx.report(say.package_label_deprecated(block.labels[0].span))
        name = name or block.labels[0].text
    if not name:
        if "baseProviderName" not in settings:
            cx.report(say.missing_setting("baseProviderName", "package block", 'write baseProviderName = "…"', block.head))
        return None
    version = _version(cx, settings.get("baseProviderVersion"))
    url = literals.text_setting(cx, settings, "baseProviderDownloadUrl") or ""
    if url and not re.match(r"[A-Za-z][A-Za-z0-9+.-]*:|/", url):
        span = settings["baseProviderDownloadUrl"].value.span
        cx.report(say.bad_package_setting("baseProviderDownloadUrl", "a URL", span))
    parameters = [i for i in block.body.items if isinstance(i, ast.Block) and i.type.text == "parameterization"]
    if not parameters:
        return PackageBlock(name, version, name, version, url, "")
    inner = _parameterization(cx, parameters[-1])
    if inner is None:
        return None
    return PackageBlock(inner[0], inner[1], name, version, url, inner[2])


def _version(cx: Context, attribute: ast.Attribute | None) -> str:
    if attribute is None:
        return ""
    text = static_text(attribute.value)
    if text is None or not _SEMVER.fullmatch(text):
        cx.report(say.bad_package_setting(attribute.name.text, 'a version such as "1.2.3"', attribute.value.span))
        return ""
    return text


def _parameterization(cx: Context, block: ast.Block) -> tuple[str, str, str] | None:
    settings = literals.settings(cx, block, _PARAMETERS)
    for parameter in _PARAMETERS:
        if parameter not in settings:
            cx.report(say.missing_setting(parameter, "parameterization", f'write {parameter} = "…"', block.open_brace))
            return None
    name = literals.text_setting(cx, settings, "name")
    version = _version(cx, settings["version"])
    value = literals.text_setting(cx, settings, "value")
    if not name or value is None:
        if name == "":
            cx.report(say.bad_package_setting("name", "a name", settings["name"].value.span))
        return None
    try:
        base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        cx.report(say.bad_package_setting("value", "base64 text", settings["value"].value.span))
    return name, version, value


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
    for call in calls(value, "invoke"):
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
