"""The results of resource methods in SDKs.

With `liftSingleValueMethodReturns`, a language's SDK returns the only property of the object that the schema declares.
"""

from __future__ import annotations

from pclgen.types.declarations import FunctionDecl, Shape
from pclgen.types.model import NominalType


def lifted_result(method: FunctionDecl, language: str) -> str | None:
    """Return the only property of the result if the SDK of `language` (the name in schemas) returns its value."""
    if method.package is None or not isinstance(method.result, NominalType):
        return None
    if method.package.language.get(language, {}).get("liftSingleValueMethodReturns") is not True:
        return None
    members = list(method.result.declaration.fields(Shape.OUTPUT))
    return members[0] if len(members) == 1 else None
