"""Which SDK declares what another one refers to.

Comes in: the SDKs that there are, and a reference.  Goes out: one of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from tests.support.standins.schema import Named, Schema


class HasSchema(Protocol):
    """An SDK of any language."""

    schema: Schema


_Sdk = TypeVar("_Sdk", bound=HasSchema)


def declaring(sdks: Sequence[_Sdk], named: Named, of: _Sdk) -> _Sdk:
    """The SDK that declares what `of` refers to: in the version that is named, else the last one of the package.

    Raises `KeyError` when it is not there.
    """
    if not named.package or named.package == of.schema.name:
        return of
    found = [sdk for sdk in sdks if sdk.schema.name == named.package]
    if not found:
        raise KeyError(f"{of.schema.name} refers to {named.package}, whose schema is not given")
    exact = [sdk for sdk in found if sdk.schema.version == named.version]
    return (exact or found)[-1]
