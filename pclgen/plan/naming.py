"""Fallback names of variables, for names that are taken: the name with the kind of its node, the same in all languages.

    resource random "random:index/randomPet:RandomPet"      randomPet
    resource web "aws:s3/bucket:Bucket"                     webBucket
    config size int                                         sizeConfig
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pclgen.core import program as prog
from pclgen.core.walk import symbol_of

_WORDS: Final[Mapping[type, str]] = {
    prog.ComponentUse: "Component",
    prog.ConfigVariable: "Config",
    prog.Hook: "Hook",
    prog.Local: "Value",
    prog.OutputVariable: "Value",
}


def fallback_name(node: prog.Node) -> str:
    """Return the name of the variable of `node` where its own is taken, in camel case; empty if `node` has no variable."""
    symbol = symbol_of(node)
    if symbol is None:
        return ""
    name = symbol.name
    if not isinstance(node, prog.Resource):
        return name + _WORDS[type(node)]
    kind = node.token.rpartition(":")[2]
    if kind.lower() == name.lower():
        return f"{name}Resource"
    if kind.lower().startswith(name.lower()) and not kind[len(name)].islower():
        return kind[:1].lower() + kind[1:]
    return name + kind[:1].upper() + kind[1:]
