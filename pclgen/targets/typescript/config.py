"""Config variables: getters of the SDK in the main program, arguments in components (targets.md, Configuration; The class).

    config size int { default = 2 }      const size = config.getNumber("size") ?? 2;

Arguments have declared types, some with aliases (targets.md, Declared types). Labels (`core.declared`) become type trees,
and declarations of the names in them: interfaces for objects, aliases for other types.

    size?: pulumi.Input<Size>;           export type Size = "small" | "large";
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from msgspec import Struct

from pclgen.core.declared import (
    Declared,
    ListOf,
    Literals,
    MapOf,
    Members,
    Named,
    Nullable,
    Plain,
    is_compound,
    may_be_absent,
)
from pclgen.core.eventuals import is_eventual
from pclgen.core.expr import ListExpr, ObjectExpr
from pclgen.core.predicates import is_null
from pclgen.core.program import ConfigVariable
from pclgen.targets.names import uppercase_first
from pclgen.targets.typescript import build, names
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.context import ARGUMENTS, Context, FileState, translate
from pclgen.targets.typescript.files import JSON_OR_TEXT, Imports, members_helper
from pclgen.targets.typescript.types import ANY, TypeWriter, input_type, plain_type, written_type
from pclgen.types import model as ty
from pclgen.types.model import is_optional, without_none
from pclgen.types.traverse import holds_inner_map, required_paths

_GETTERS: Mapping[ty.Type, str] = {ty.STRING: "", ty.ID: "", ty.BOOL: "Boolean", ty.INT: "Number", ty.NUMBER: "Number"}


def variable(namespace: str) -> ts.Variable:
    """The variable of the object that reads the settings of `namespace`: `config`, `awsConfig`."""
    if not namespace:
        return ts.Variable(("config", "pulumiConfig"), yields=True)
    name = names.variable(namespace)
    return ts.Variable((f"{name}Config", f"{name}Settings"), yields=True)


def statement(cx: Context, node: ConfigVariable, config: ts.Variable) -> ts.Statement:
    """The declaration of a config variable of the main program."""
    default = None if is_null(node.default) else node.default
    required = default is None and node.required and not ty.is_optional(node.type)
    value = _getter(cx, node, config, required=required)
    if default is not None:
        value = ts.Binary("??", value, _default(cx, node))
    if is_eventual(node.symbol.type) and (not node.secret or (default is None and not required)):
        value = cx.output(value)
    return build.declare(cx.variable(node.symbol), value)


def _getter(cx: Context, node: ConfigVariable, config: ts.Variable, *, required: bool) -> ts.TsExpr:
    plain = ty.without_none(node.type)
    mixed = ty.may_be_text_or_more(plain)
    kind = "" if mixed else _GETTERS.get(plain, "Object")
    types: tuple[ts.TsType, ...] = (_declared_type(cx, node),) if kind == "Object" else ()
    more: tuple[ts.TsExpr, ...] = ()
    name = ("require" if required else "get") + ("Secret" if node.secret else "") + kind
    read = ts.Call(ts.Member(ts.Name(config), name), (ts.Text(node.key),), types)
    paths = required_paths(node.type)
    if mixed:
        helper = ts.Helper(JSON_OR_TEXT)
        declared_type = _declared_type(cx, node)
        may_lack = not required and not node.secret and plain is not ty.DYNAMIC
        types = (build.union(declared_type, ts.TypeName(build.UNDEFINED)) if may_lack else declared_type,)
    elif paths:
        helper, types = members_helper(paths), ()
        more = (ts.Text(f"{node.place}: {node.logical_name}"), *map(ts.Text, paths))
    else:
        return read
    if not node.secret:
        return ts.Call(helper, (read, *more), types)
    loaded = ts.Variable(("value",))
    check = ts.Call(helper, (ts.Name(loaded), *more), types)
    return ts.Call(ts.Member(read, "apply", not required), (build.arrow([loaded], check),))


def _declared_type(cx: Context, node: ConfigVariable) -> ts.TsType:
    """The type of configured values, including the nulls inside the default."""
    default = () if node.default is None else (node.default,)
    return written_type(cx.imports, ty.without_none(node.type), default, declared=True)


def _default(cx: Context, node: ConfigVariable) -> ts.TsExpr:
    assert node.default is not None
    cx.file.defaults[node.symbol] = node.default
    written = isinstance(node.default, ListExpr | ObjectExpr)
    value = translate(cx.with_null(written), node.default)  # as `_declared_type` has it
    if not node.secret:
        return value
    # For an output of a literal, TypeScript infers a narrower type, and the union with the other output has no methods.
    plain = ty.without_none(node.type)
    types = (_declared_type(cx, node),) if written and plain is not ty.DYNAMIC else ()
    return ts.Call(cx.imports.pulumi("secret"), (value,), types)


def is_used_directly(file: FileState, node: ConfigVariable) -> bool:
    """Return whether a component uses the argument directly: `args.size`, without a variable."""
    return (node.default is None or is_null(node.default)) and not node.secret and node.symbol not in file.wide


def argument(cx: Context, node: ConfigVariable) -> ts.Statement | None:
    """The variable for an argument of a component; None for an argument that is used directly.

    An argument needs a variable if it has a default, is secret or has a narrower declared type than the component reads.
    """
    if is_used_directly(cx.file, node):
        return None
    value: ts.TsExpr = ts.Member(ts.Name(ARGUMENTS), node.logical_name)
    if node.default is not None and not is_null(node.default):
        value = ts.Binary("??", value, translate(cx, node.default))
    # A literal for a nested map has its own type, which does not fit an output of the declared type.
    mixed = isinstance(node.default, ListExpr | ObjectExpr) and holds_inner_map(node.type)
    if node.secret:
        types = (input_type(cx.imports, node.type),) if mixed else ()
        value = ts.Call(cx.imports.pulumi("secret"), (value,), types)
    is_wide = node.symbol in cx.file.wide or (mixed and not node.secret)
    return build.declare(cx.variable(node.symbol), value, _wide_type(cx, node) if is_wide else None)


def _wide_type(cx: Context, node: ConfigVariable) -> ts.TsType:
    """The type of an argument that the component reads without its literal types."""
    if node.secret:
        return cx.imports.pulumi_type("Output", plain_type(cx.imports, node.type, declared=True))
    if not cx.file.bindings[node.symbol].input:
        return plain_type(cx.imports, node.type, declared=True)
    type_ = input_type(cx.imports, node.type)
    is_there = node.required or (node.default is not None and not is_null(node.default))
    return type_ if is_there else build.union(type_, ts.TypeName("undefined"))


# -- declared types ---------------------------------------------------------------------------------------------------------

class Declaration(Struct, frozen=True):
    """A named type, with its documentation."""

    variable: ts.Variable
    type: ts.TsType
    doc: tuple[str, ...]


class DeclaredTypes:
    """The types of one file; `declarations` has the named types, each after the types that it refers to."""

    def __init__(self, imports: Imports) -> None:
        self._imports = imports
        self._variables: dict[tuple[Named, bool], ts.Variable] = {}
        self._plain = TypeWriter(imports, tuples=True)
        self._inputs = TypeWriter(imports, inputs=True, tuples=True)
        self.declarations: list[Declaration] = []

    def plain(self, form: Declared) -> ts.TsType:
        """The type of a plain value that is present."""
        return self._of(_present(form), inputs=False)

    def argument(self, form: Declared) -> ts.TsType:
        """The type of an argument that may be an output."""
        return self._wrapped(_present(form), inputs=True)

    def _wrapped(self, form: Declared, *, inputs: bool) -> ts.TsType:
        if not inputs:
            return self._of(form, inputs=False)
        type_ = self._of(form, inputs=True)
        if isinstance(type_, ts.TypeName) and type_.name == ANY:
            return type_
        return self._imports.pulumi_type("Input", type_)

    def _of(self, form: Declared, *, inputs: bool) -> ts.TsType:
        match form:
            case Plain():
                return (self._inputs if inputs else self._plain).of(form.type)
            case Literals():
                return self._literals(form, self._inputs if inputs else self._plain)
            case Nullable():
                return build.union(self._of(form.inner, inputs=inputs), ts.TypeName("undefined"))
            case ListOf():
                return ts.TypeArray(self._wrapped(form.element, inputs=inputs))
            case MapOf():
                return ts.TypeName("Record", (ts.TypeName("string"), self._wrapped(form.element, inputs=inputs)))
            case Members():
                return ts.TypeObject(tuple(self._member(name, member, inputs) for name, member in form.members))
            case Named():
                return self._named(form, inputs and is_compound(form))
            case _:
                assert_never(form)

    def _literals(self, form: Literals, writer: TypeWriter) -> ts.TsType:
        members: list[ts.TsType] = [ts.TypeLiteral(value) for value in form.values]
        if form.rest is not None:
            rest = writer.of(form.rest)
            members += rest.members if isinstance(rest, ts.TypeUnion) else (rest,)
        return members[0] if len(members) == 1 else build.union(*members)

    def _member(self, name: str, form: Declared, inputs: bool) -> ts.TypeMember:
        return ts.TypeMember(name, self._wrapped(_present(form), inputs=inputs), may_be_absent(form))

    def _named(self, form: Named, inputs: bool) -> ts.TypeVariable:
        """The name of an alias; the same type with outputs inside has a separate alias."""
        variable = self._variables.get((form, inputs))
        if variable is None:
            type_ = self._of(form.form, inputs=inputs)
            base = uppercase_first(names.variable(form.name))
            preferred_names = (f"{base}Args", f"{base}Input") if inputs else (base, f"{base}Type")
            variable = self._variables[form, inputs] = ts.Variable(preferred_names)
            self.declarations.append(Declaration(variable, type_, form.doc))
        return ts.TypeVariable(variable)


def _present(form: Declared) -> Declared:
    """A type without null: the member itself is marked as optional."""
    if isinstance(form, Nullable):
        return form.inner
    return Plain(without_none(form.type)) if isinstance(form, Plain) and is_optional(form.type) else form
