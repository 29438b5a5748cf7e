"""The option `version` of resources and invokes, as a wish for the version of a package (spec 9.3, hole 13.2.12).

Comes in: the files of a root program.  Goes out: the versions that are asked for, by package.  A project has one SDK of a
package, so one version serves all of it, components too: that of its `package` block or configuration; else the highest that
an option asks for and that is there; else the highest that is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pclgen.bind import expressions as ex
from pclgen.bind import references
from pclgen.schema.load import SchemaStore
from pclgen.schema.semver import parse_version
from pclgen.schema.sources import Wanted
from pclgen.schema.tokens import Token, parse_token
from pclgen.syntax import ast

_OPTION = "version"
_TYPED_BLOCKS = ("resource", "read")


def wanted_by_options(trees: Sequence[ast.File], store: SchemaStore, described: Iterable[str]) -> dict[str, Wanted]:
    """For each package that nothing else pins, the highest of the asked versions that is there."""
    asked: dict[str, list[str]] = {}
    for tree in trees:
        if _OPTION in tree.source.text:
            for package, version in _asked(tree.body):
                asked.setdefault(package, []).append(version)
    result: dict[str, Wanted] = {}
    for package in sorted(asked.keys() - set(described)):
        if store.is_pinned(package):
            continue
        present = {parse_version(version) for version in store.versions(package)}
        wanted = [parsed for text in asked[package] if (parsed := parse_version(text)) is not None]
        best = max((version for version in wanted if version in present), default=None)
        if best is not None:
            result[package] = Wanted(name=package, version=best.text, why="an option `version` of the program says so")
    return result


def _asked(body: ast.Body) -> Iterator[tuple[str, str]]:
    for item in body.items:
        if isinstance(item, ast.Attribute):
            yield from _in_invokes(item.value)
            continue
        labels = item.labels
        typed = item.type.text in _TYPED_BLOCKS and len(labels) == 2
        for inner in item.body.items:
            if isinstance(inner, ast.Attribute):
                yield from _in_invokes(inner.value)
            elif inner.type.text == "options" and typed:
                for option in inner.body.items:
                    if isinstance(option, ast.Attribute) and option.name.text == _OPTION:
                        yield from _pair(labels[1].text, option.value)


def _in_invokes(value: ast.Expr) -> Iterator[tuple[str, str]]:
    for call in references.calls(value, "invoke"):
        token = ex.static_text(call.args[0]) if len(call.args) > 2 else None
        options = call.args[2] if token is not None else None
        if token is None or not isinstance(options, ast.ObjectExpr):
            continue
        for item in options.items:
            if isinstance(item.key, ast.BareKey) and item.key.text == _OPTION:
                yield from _pair(token, item.value)


def _pair(token: str, value: ast.Expr) -> Iterator[tuple[str, str]]:
    parsed = parse_token(token)
    version = ex.static_text(value)
    if isinstance(parsed, Token) and version is not None:
        yield parsed.package, version
