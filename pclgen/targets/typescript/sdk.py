"""The locations of classes, functions, enums and types in published SDKs (targets.md, Packages and modules; Entities).

Declarations become expressions and type names that refer to them through the imported packages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal

from pclgen.core.expr import Expr, Invoke, Literal
from pclgen.core.program import Node, Resource
from pclgen.core.walk import expressions_of, walk
from pclgen.targets.names import split_token, uppercase_first, without_file
from pclgen.targets.typescript import names
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.files import PULUMI, Imports
from pclgen.types.declarations import (
    Declaration,
    DeclarationKind,
    EnumDecl,
    EnumMember,
    FunctionDecl,
    Package,
    ResourceDecl,
    Shape,
)
from pclgen.types.model import EnumType


def _member(token: str) -> str:
    return token.rsplit(":", 1)[-1]


def _module(package: Package, token: str) -> str:
    """The path of the token's module inside the package, with dots."""
    return _module_path(package, package.module_of(token))


def _module_path(package: Package, canonical: str) -> str:
    renamed = package.language.get("nodejs", {}).get("moduleToPackage")
    override = renamed.get(canonical) if isinstance(renamed, dict) else None
    if isinstance(override, str):
        canonical = override
    return names.module_path(canonical)


def _path(*parts: str) -> str:
    return ".".join(part for part in parts if part)


def _reach(root: ts.Imported, path: str) -> ts.TsExpr:
    node: ts.TsExpr = root
    for name in path.split("."):
        node = ts.Member(node, name)
    return node


def _type(root: ts.Imported, *path: str) -> ts.TypeName:
    return ts.TypeName(_path(root.name, *path), (), root)


def _resource_path(declaration: ResourceDecl) -> str:
    if declaration.is_provider:
        return "Provider"
    name = uppercase_first(_member(declaration.token))
    if declaration.package.name == PULUMI:
        return name
    return _path(_module(declaration.package, declaration.token), name)


def resource_class(imports: Imports, declaration: ResourceDecl) -> ts.TsExpr:
    """The class of a resource."""
    return _reach(imports.package(declaration.package.name), _resource_path(declaration))


def resource_type(imports: Imports, declaration: ResourceDecl) -> ts.TypeName:
    """The class of a resource, as a type."""
    return _type(imports.package(declaration.package.name), _resource_path(declaration))


CLOSED_BY_HAND: Mapping[str, Mapping[str, Mapping[str, str]]] = {"aws": {"Provider": {"region": "Region"}}}
"""Closed types that SDKs declare by hand for inputs that are plain texts in the schema: by package and class, the inputs
and their types."""


def closed_type(imports: Imports, declaration: ResourceDecl, name: str) -> ts.TypeName | None:
    """The closed type of an input that is a text in the schema."""
    package = declaration.package.name
    if package not in CLOSED_BY_HAND:
        return None
    closed = CLOSED_BY_HAND[package].get(_resource_path(declaration), {}).get(name)
    return None if closed is None else _type(imports.package(package), closed)


def _unknown_path(token: str) -> tuple[str, str, str]:
    """Package, module path and name of a token without a schema."""
    if token.startswith("pulumi:providers:"):
        return _member(token), "", "Provider"
    package, module, name = split_token(token)
    return package, names.module_path(module), name


def unknown_packages(nodes: Sequence[Node], kinds: AbstractSet[type]) -> Iterator[str]:
    """The packages of resources and functions in `nodes` without a schema, which the file also imports.

    `kinds` are the classes of expressions in `nodes`.
    """
    for node in nodes:
        if isinstance(node, Resource) and node.declaration is None:
            yield _unknown_path(node.token)[0]
        for expr in expressions_of(node) if Invoke in kinds else ():
            for part in walk(expr):
                if type(part) is Invoke and part.function is None:
                    yield _unknown_path(part.token)[0]


def unknown_class(imports: Imports, token: str) -> ts.TsExpr:
    """Return the expected location of the class of a resource without a schema."""
    package, module, name = _unknown_path(token)
    return _reach(imports.package(package), _path(module, uppercase_first(name)))


def function(imports: Imports, declaration: FunctionDecl, *, output_form: bool) -> ts.TsExpr:
    """The function of an invoke, in the plain or the output form."""
    name = names.function_name(_member(declaration.token)) + ("Output" if output_form else "")
    path = _path(_module(declaration.package, declaration.token), name)
    return _reach(imports.package(declaration.package.name), path)


def unknown_function(imports: Imports, token: str, *, output_form: bool) -> ts.TsExpr:
    """Return the expected location of a function without a schema."""
    package, module, member = _unknown_path(token)
    name = names.function_name(member) + ("Output" if output_form else "")
    return _reach(imports.package(package), _path(module, name))


def _enum_path(declaration: EnumDecl) -> str:
    package = declaration.package
    name = uppercase_first(_member(declaration.token))
    # `mod/color:Color`: the file of the enum is not a module (targets.md, Enums and unions).
    module = without_file(package.module_of(declaration.token), name)
    return _path(_module_path(package, module), name)


def enum_type(imports: Imports, declaration: EnumDecl) -> ts.TypeName:
    """An enum as a type."""
    return _type(imports.package(declaration.package.name), _enum_path(declaration))


def enum_member(imports: Imports, declaration: EnumDecl, member: EnumMember) -> ts.TsExpr:
    """A member of an enum."""
    enum = uppercase_first(_member(declaration.token))
    name = names.enum_member(member.name or _value_text(member.value), enum)
    path = _path(_enum_path(declaration), name)
    return _reach(imports.package(declaration.package.name), path)


def is_enum_value(expr: Expr) -> bool:
    """Return whether `expr` is written as the value of an enum's member.

    Its schema comes from a Python SDK and lacks the member's name in TypeScript.
    """
    if not isinstance(expr, Literal) or not isinstance(expr.type, EnumType) or expr.value is None:
        return False
    member = declared_member(expr.type, expr.value)
    return member is not None and bool(member.python_name)


def declared_member(enum: EnumType, value: str | int | Decimal) -> EnumMember | None:
    """The member of an enum that has this value."""
    return enum.declaration.member(float(value) if isinstance(value, Decimal) else value)


def _value_text(value: str | float | bool) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def object_type(imports: Imports, declaration: Declaration, shape: Shape) -> ts.TsType | None:
    """A declared object as a type; None where the SDK has no name for it."""
    package = declaration.package
    if package is None:
        return None
    root = imports.package(package.name)
    member = _member(declaration.token)
    if declaration.kind is DeclarationKind.FUNCTION_RESULT:
        return _type(root, _function_result(package, declaration.token))
    if declaration.kind is DeclarationKind.OBJECT:
        side = "output" if shape is Shape.OUTPUT else "input"
        suffix = "" if shape is Shape.OUTPUT else "Args"
        name = uppercase_first(member) + (suffix if _is_suffixed(package) else "")
        return _type(root, "types", side, _module(package, declaration.token), name)
    return None


def _is_suffixed(package: Package) -> bool:
    """Return whether input types end in `Args` (targets.md, Entities: legacy packages drop it)."""
    return package.language.get("nodejs", {}).get("compatibility") not in ("kubernetes20", "tfbridge20")


def _function_result(package: Package, token: str) -> str:
    member = _member(token)
    module = _module(package, token)
    if "/" in member:
        # A method: `Foo/bar` has its result in the namespace of its class.
        owner, _, method = member.partition("/")
        return _path(module, uppercase_first(owner), uppercase_first(method) + "Result")
    return _path(module, uppercase_first(names.function_name(member)) + "Result")
