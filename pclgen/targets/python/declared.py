"""The declared types of the inputs of a component, and their aliases (targets.md, Declared types).

Labels (`core.declared`) become annotations, and the types that they name become statements.

    size: pulumi.Input[Size]            Size = Literal["small", "large"]
    rule: pulumi.Input[Rule]            class Rule(TypedDict): …
"""

from __future__ import annotations

from typing import assert_never

from pclgen.core.declared import Declared, ListOf, Literals, MapOf, Members, Named, Nullable, Plain, may_be_absent
from pclgen.core.expr import Comments
from pclgen.targets.names import uppercase_first
from pclgen.targets.python import modules, names, tree, valuetypes
from pclgen.types.model import is_optional, without_none


class DeclaredTypes:
    """The types of one file; `statements` declare the named types, each after the types that it refers to."""

    def __init__(self) -> None:
        self._variables: dict[Named, tree.Variable] = {}
        self.statements: list[tree.Statement] = []

    def annotation(self, form: Declared) -> tree.Expr:
        """The annotation of a plain value."""
        match form:
            case Plain() | Members():
                return valuetypes.annotation(form.type)
            case Literals():
                return _literals(form)
            case Nullable():
                return modules.optional(self.annotation(form.inner))
            case ListOf():
                return tree.index(modules.abstract("Sequence"), self.annotation(form.element))
            case MapOf():
                return tree.index(modules.abstract("Mapping"), tree.Builtin(name="str"), self.annotation(form.element))
            case Named():
                return tree.name(self._named(form))
            case _:
                assert_never(form)

    def _named(self, form: Named) -> tree.Variable:
        variable = self._variables.get(form)
        if variable is None:
            base = uppercase_first(names.variable(form.name))
            variable = tree.Variable(preferred_names=(base, f"{base}Type"))
            inner = form.form
            comments = Comments(leading=form.doc)
            if isinstance(inner, Members) and is_record(inner):
                self._record(variable, inner, comments)
            else:
                self.statements.append(tree.Assign(target=variable, value=self.annotation(inner), comments=comments))
            self._variables[form] = variable
        return variable

    def _record(self, name: tree.Variable, form: Members, comments: Comments) -> None:
        """Add the class of a record, with optional members in a subclass: older Pythons cannot mark a single member."""
        members = [(key, self.annotation(member), may_be_absent(member)) for key, member in form.members]
        required = tuple((key, annotation) for key, annotation, absent in members if not absent)
        optional = tuple((key, annotation) for key, annotation, absent in members if absent)
        base = modules.typing("TypedDict")
        if not optional or not required:
            self.statements.append(
                tree.Record(name=name, base=base, members=required or optional, total=bool(required), comments=comments)
            )
            return
        first = tree.Variable(preferred_names=(f"{name.preferred_names[0]}Required",))
        self.statements.append(tree.Record(name=first, base=base, members=required))
        record = tree.Record(name=name, base=tree.name(first), members=optional, total=False, comments=comments)
        self.statements.append(record)


def is_record(form: Members) -> bool:
    """Return whether a class can have these members: each name is an identifier with no other meaning in the class."""
    return bool(form.members) and all(_is_member(name) for name, _ in form.members)


def _is_member(name: str) -> bool:
    plain = name.isascii() and name.isidentifier() and name not in names.RESERVED
    return plain and not name.startswith("__") and not name[0].isupper() and name != modules.PULUMI.alias


def is_narrow(form: Declared) -> bool:
    """Return whether a value that is no literal needs a cast to the declared type."""
    match form:
        case Plain() | Members():
            return False
        case Literals():
            return _is_literal(form)
        case Nullable():
            return is_narrow(form.inner)
        case ListOf() | MapOf():
            return is_narrow(form.element)
        case Named():
            return is_record(form.form) if isinstance(form.form, Members) else is_narrow(form.form)
        case _:
            assert_never(form)


def _is_literal(form: Literals) -> bool:
    return all(isinstance(value, bool | int | str) for value in form.values)


def _literals(form: Literals) -> tree.Expr:
    if not _is_literal(form):
        return valuetypes.annotation(form.base)
    listed = tree.index(modules.typing("Literal"), *(tree.Constant(value=value) for value in form.values))
    if form.rest is None:
        return listed
    rest = valuetypes.annotation(without_none(form.rest) if is_optional(form.rest) else form.rest)
    return tree.index(modules.typing("Union"), listed, rest)
