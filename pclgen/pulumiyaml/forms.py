"""The forms of nodes: what a section, a key, a call may look like, told where it does not.

Comes in: nodes.  Goes out: the same nodes with their type known, or None after a mistake, which goes to the bag.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pclgen.diagnostics import pulumiyaml as say
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pulumiyaml.scalars import value_of
from pclgen.source.yamltree import YamlList, YamlMap, YamlNode, YamlScalar


def kind(node: YamlNode) -> str:
    """What `node` is, for people."""
    match node:
        case YamlMap():
            return "a mapping"
        case YamlList():
            return "a list"
        case YamlScalar():
            kinds = {"NoneType": "empty", "bool": "true or false", "str": "a text"}
            return kinds.get(type(value_of(node)).__name__, "a number")


def mapping(node: YamlNode, what: str, bag: DiagnosticBag) -> YamlMap | None:
    """`node` as a mapping; an empty value is an empty one."""
    if isinstance(node, YamlMap):
        return node
    if isinstance(node, YamlScalar) and value_of(node) is None:
        return YamlMap(pairs=(), span=node.span)
    bag.add(say.wrong_form(what, wanted="a mapping", found=kind(node), span=node.span))
    return None


def text(node: YamlNode, what: str, bag: DiagnosticBag) -> str | None:
    """`node` as a text that is known, without `${ }`."""
    if isinstance(node, YamlScalar) and value_of(node) is not None:
        return node.text
    bag.add(say.wrong_form(what, wanted="a text", found=kind(node), span=node.span))
    return None


def keys(
    node: YamlMap, place: str, known: Sequence[str], bag: DiagnosticBag, *, folded: bool = False
) -> Mapping[str, tuple[YamlScalar, YamlNode]]:
    """The values of the keys in `known`, with the keys; all others are mistakes.  With `folded` case means nothing."""
    spelled = {name.lower() if folded else name: name for name in known}
    found: dict[str, tuple[YamlScalar, YamlNode]] = {}
    for key, value in node.pairs:
        name = spelled.get(key.text.lower() if folded else key.text)
        if name is None:
            bag.add(say.unknown_key(key.text, place, known, key.span))
        else:
            found.setdefault(name, (key, value))
    return found
