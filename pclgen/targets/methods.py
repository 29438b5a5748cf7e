"""Methods of resources: what SDKs make of their results.

The SDK of a language may give one property in place of the object that the schema declares (`liftSingleValueMethodReturns`).
"""

from __future__ import annotations

from pclgen.types.declarations import FunctionDecl, Shape
from pclgen.types.model import NominalType


def lifted_result(method: FunctionDecl, language: str) -> str | None:
    """The only property of the result, when the SDK of `language` (as schemas name it) answers with its value."""
    if method.package is None or not isinstance(method.result, NominalType):
        return None
    if method.package.language.get(language, {}).get("liftSingleValueMethodReturns") is not True:
        return None
    members = list(method.result.declaration.fields(Shape.OUTPUT))
    return members[0] if len(members) == 1 else None
