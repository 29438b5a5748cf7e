"""Go types as expressions in a file.

A type expression registers its imports. This module also has zero values and constants.
"""

from __future__ import annotations

from typing import assert_never

from pclgen.targets.go import build as make
from pclgen.targets.go import gotypes as gt
from pclgen.targets.go import tree as go
from pclgen.targets.go.context import FileContext
from pclgen.targets.go.sdk import Symbol, member_of_token, sdk_of
from pclgen.types.declarations import ResourceDecl

_SCALAR_NAMES = {gt.Kind.STRING: "string", gt.Kind.INT: "int", gt.Kind.FLOAT: "float64", gt.Kind.BOOL: "bool"}


def symbol_expr(file: FileContext, symbol: Symbol, suffix: str = "") -> go.Qualified:
    """Return a name of an SDK."""
    return file.qualified(symbol.path, symbol.name + suffix)


def native_type(file: FileContext, native: gt.Native, *, arguments: bool = False) -> go.Expr:
    """Return the native type; `arguments` writes structs as inside input-shaped structs."""
    match native:
        case gt.Scalar():
            name = _SCALAR_NAMES.get(native.kind)
            return go.Builtin(name=name) if name is not None else file.pulumi(native.kind)
        case gt.AnyNative() | gt.Nil():
            return make.ANY
        case gt.EnumNative():
            return symbol_expr(file, sdk_of(native.declaration.package).type(native.declaration.token))
        case gt.PackageStruct():
            return symbol_expr(file, gt.struct_symbol(native.declaration), "Args" if arguments else "")
        case gt.LocalStruct():
            return go.Declared(native.name)
        case gt.ResourceNative():
            return _resource_type(file, native)
        case gt.Pointer():
            return go.Star(native_type(file, native.element, arguments=arguments))
        case gt.Single():
            return native_type(file, native.element, arguments=arguments)
        case gt.Held():
            return type_expr(file, native.type)
        case gt.Slice():
            return go.SliceType(element=native_type(file, native.element, arguments=arguments))
        case gt.Map():
            return go.MapType(element=native_type(file, native.element, arguments=arguments))
        case _:
            assert_never(native)


def _resource_type(file: FileContext, native: gt.ResourceNative) -> go.Expr:
    if native.name:
        return go.Star(go.Declared(native.name))
    if native.declaration is None:
        return file.pulumi(native.interface)
    return go.Star(resource_symbol(file, native.declaration))


def resource_symbol(file: FileContext, declaration: ResourceDecl, prefix: str = "", suffix: str = "") -> go.Expr:
    """Return the struct type of a package's resource, or another name of the SDK that derives from it."""
    if declaration.package.name == "pulumi":
        return file.pulumi(prefix + member_of_token(declaration.token) + suffix)
    symbol = sdk_of(declaration.package).resource(declaration)
    return file.qualified(symbol.path, prefix + symbol.name + suffix)


def type_expr(file: FileContext, t: gt.GoType) -> go.Expr:
    """Return the static type of values of `t`."""
    if t.form is gt.Form.PLAIN:
        return native_type(file, t.native, arguments=t.arguments)
    type_family = gt.family(t.native)
    if t.form is gt.Form.OUTPUT:
        if type_family is None or t.erased:
            return file.pulumi("AnyOutput")
        return file.qualified(type_family.path, (type_family.name or "Any") + "Output")
    if type_family is None:
        return file.pulumi("Input")
    return file.qualified(type_family.path, type_family.name + ("Input" if t.form is gt.Form.INPUT else ""))


def base_name(native: gt.Native) -> str:
    """Return the base name of conversion methods such as `ToStringArrayOutput`: `StringArray` for a list of texts."""
    type_family = gt.family(native)
    return type_family.name if type_family is not None else ""


def zero(file: FileContext, native: gt.Native) -> go.Expr:
    """Return the zero value of a native type."""
    match native:
        case gt.Single():
            return zero(file, native.element)
        case gt.EnumNative():
            return zero(file, gt.enum_base(native))
        case gt.PackageStruct() | gt.LocalStruct():
            return make.struct(native_type(file, native), {})
        case gt.Scalar() if native not in gt.ASSETS:
            return make.FALSE if native == gt.BOOL else make.number(0) if native in gt.NUMBERS else go.Text("")
        case _:
            return make.NIL


def zero_of(file: FileContext, t: gt.GoType) -> go.Expr:
    """Return the zero value of a type in any form."""
    if t.form is gt.Form.PLAIN:
        return zero(file, t.native)
    if t.form is gt.Form.OUTPUT:
        return make.struct(type_expr(file, t), {})
    return make.NIL
