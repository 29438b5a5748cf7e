"""The declared types of the inputs of a component, and their aliases (targets.md, Declared types).

Labels (`core.declared`) become type trees, and declarations of the names in them: interfaces for objects, aliases for
other types.

    size?: pulumi.Input<Size>;          export type Size = "small" | "large";
"""

from __future__ import annotations

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
from pclgen.targets.names import uppercase_first
from pclgen.targets.typescript import build, names
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.imports import Imports
from pclgen.targets.typescript.types import ANY, TypeWriter
from pclgen.types.model import is_optional, without_none


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
