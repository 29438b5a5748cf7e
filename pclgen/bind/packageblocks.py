"""`package` blocks: source and parameters of a package (language.md, Package blocks).

The version in a block selects the schema for all tokens of the package.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Sequence

from msgspec import Struct

from pclgen.bind import blocks
from pclgen.bind.context import Context
from pclgen.bind.literals import static_text
from pclgen.diagnostics import structure as say
from pclgen.schema.sources import BasePlugin, Requirement
from pclgen.source.text import Span
from pclgen.syntax import ast

_SEMVER = re.compile(
    r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?(\+[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?"
)
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
    settings = blocks.settings(cx, block, _SETTINGS, nested=("parameterization",))
    name = blocks.text_setting(cx, settings, "baseProviderName")
    if block.labels:
        cx.report(say.package_label_deprecated(block.labels[0].span))
        name = name or block.labels[0].text
    if not name:
        if "baseProviderName" not in settings:
            cx.report(say.missing_setting("baseProviderName", "package block", 'write baseProviderName = "…"', block.head))
        return None
    version = _version(cx, settings.get("baseProviderVersion"))
    url = blocks.text_setting(cx, settings, "baseProviderDownloadUrl") or ""
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
    settings = blocks.settings(cx, block, _PARAMETERS)
    for parameter in _PARAMETERS:
        if parameter not in settings:
            cx.report(say.missing_setting(parameter, "parameterization", f'write {parameter} = "…"', block.open_brace))
            return None
    name = blocks.text_setting(cx, settings, "name")
    version = _version(cx, settings["version"])
    value = blocks.text_setting(cx, settings, "value")
    if not name or value is None:
        if name == "":
            cx.report(say.bad_package_setting("name", "a name", settings["name"].value.span))
        return None
    try:
        base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        cx.report(say.bad_package_setting("value", "base64 text", settings["value"].value.span))
    return name, version, value
