"""What the translation of one project, file, function and block knows.

All modules that translate use it. A `Block` collects statements: what Go cannot write inside an expression (errors,
conditionals, loops) is emitted into the block before the statement that needs it, and the function around the block (its
`Frame`) knows how to leave on an error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Protocol

from msgspec import Struct, field

from pclgen.core.declared import Named
from pclgen.core.expr import Expr, Symbol
from pclgen.core.origins import place
from pclgen.source.text import Span
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.constants import Constant
from pclgen.targets.go.decoded import Decoded
from pclgen.targets.go.gotypes import NIL, GoType, LocalType, Natives, plain
from pclgen.targets.go.logic import present, shape
from pclgen.targets.go.modules import Home, identifier
from pclgen.targets.go.sdk import CORE_PATH, GoPackage
from pclgen.targets.names import NameTable
from pclgen.types.declarations import Declaration

CONFIG_PATH = CORE_PATH + "/config"
_MOST_MEMBERS = 2_000


class CannotWriteError(Exception):
    """Go has nothing to write a construct with; becomes one diagnostic at `span`."""

    def __init__(self, construct: str, span: Span, *, why: str | None = None) -> None:
        super().__init__(construct)
        self.construct = construct
        self.span = span
        self.why = why


class Place(Struct, frozen=True):
    """Where a value goes: the piece of source to point at when it cannot, and a name for variables it may need.

    `unset` is the failure when the value, or a part of it, is nil and must not be; None where that cannot be.
    """

    at: Span
    hint: str = "value"
    unset: str | None = None

    def named(self, hint: str) -> Place:
        """The same place, with another name for variables."""
        return Place(self.at, hint, self.unset)


class Value(Struct, frozen=True):
    """An expression and how it represents its value.

    `constant` is what it is when Go computes it while it compiles; `most` the greatest magnitude of a whole number: the
    whole numbers of a program are exact as doubles.
    """

    node: go.Expr
    type: GoType
    constant: Constant | None = None
    most: int = 2**53 - 1


class Forms(Protocol):
    """How expressions are written: the module `expressions`, which the modules by topic cannot import."""

    def natural(self, b: Block, e: Expr, hint: str, /) -> Value:
        """`e` as it comes."""

    def into(self, b: Block, e: Expr, want: GoType, hint: str, /) -> go.Expr:
        """`e` as a `want`."""

    def plain_value(self, b: Block, e: Expr, hint: str, /) -> Value:
        """`e`, which lowering has made plain, in the native type of its own type."""


class Session(Struct):
    """One project: what all its files share."""

    natives: Natives
    forms: Forms
    globals: NameTable
    decoded: Decoded = field(default_factory=lambda: Decoded(()))
    sdks: tuple[GoPackage, ...] = ()
    helpers: dict[str, None] = field(default_factory=dict)
    late_inputs: Mapping[Declaration, frozenset[str]] = field(default_factory=dict)  # see `graph.cycles`
    component_fields: dict[Declaration, dict[str, GoType]] = field(default_factory=dict)  # types of the inputs, by value
    local_types: dict[Named, LocalType] = field(default_factory=dict)
    _apart: Counter[Span] = field(default_factory=Counter)
    _packages: dict[str, go.Package] = field(default_factory=dict)

    def package(self, path: str) -> go.Package:
        """The Go package at `path`."""
        package = self._packages.get(path)
        if package is None:
            last = path.rsplit("/", 1)[-1]
            home = self.home_at(path)
            clause, preferred_name = (home.clause, home.name) if home is not None else (last, identifier(last))
            package = self._packages[path] = go.Package(path=path, clause=clause, preferred_name=preferred_name)
        return package

    def home_at(self, path: str) -> Home | None:
        """The Go package `path` when it is one of the packages' SDKs."""
        return next((home for sdk in self.sdks if (home := sdk.layout.home_at(path)) is not None), None)

    def take_apart(self, at: Span, members: int) -> None:
        """So many members are to be written one by one for the value at `at`.  Raises `CannotWriteError` when they are more
        than the program can have written: values that hold another twice, which holds another twice, double each time."""
        self._apart[at] += members
        if self._apart[at] > max(_MOST_MEMBERS, len(at.file.text)):
            why = "each of its members has to be converted, and it has too many"
            raise CannotWriteError("an object that holds others several times, in another form,", at, why=why)

    def helper(self, key: str) -> go.Helper:
        """The helper function `key` of `helpers`, which the project will then contain."""
        self.helpers[key] = None
        return go.Helper(key=key)


class FileContext(Struct):
    """One Go file."""

    session: Session
    bindings: dict[Symbol, Value] = field(default_factory=dict)
    own: dict[go.Variable, str] = field(default_factory=dict)  # see `tree.File`
    naturals: set[Symbol] = field(default_factory=set)  # numbers that are never negative
    distinct: set[Symbol] = field(default_factory=set)  # locals that are lists without equal elements
    directory: str = "."  # of the component, from the root program's

    def qualified(self, path: str, name: str) -> go.Qualified:
        """`name` of the Go package `path`."""
        return go.Qualified(package=self.session.package(path), name=name)

    def pulumi(self, name: str) -> go.Qualified:
        """`name` of the core SDK."""
        return self.qualified(CORE_PATH, name)

    def place(self, span: Span) -> str:
        """A place of the program as the file names it in messages."""
        return place(self.directory, span)


class Frame(Struct):
    """A Go function under construction."""

    zeros: tuple[go.Expr, ...]  # results before the error when the function fails
    fails: bool = False  # something in it returns an error
    component: go.Expr | None = None  # the component resource, inside a component's constructor
    checked: bool = False  # missing members are errors here (inside `try` and `can`)


class Block:
    """A list of statements."""

    def __init__(self, file: FileContext, frame: Frame, parent: Block | None = None) -> None:
        self.file = file
        self.frame = frame
        self.statements: list[go.Statement] = []
        self._parent = parent
        self._err_declared = False
        self._present: frozenset[object] = frozenset()
        self._members: dict[object, go.Variable] = {}

    # ----------------------------------------------------------------------------------------- expressions

    def natural(self, e: Expr, hint: str = "value") -> Value:
        """`e` as it comes; `hint` names variables that it may need."""
        return self.file.session.forms.natural(self, e, hint)

    def into(self, e: Expr, want: GoType, hint: str = "value") -> go.Expr:
        """`e` as a `want`."""
        return self.file.session.forms.into(self, e, want, hint)

    def plain_value(self, e: Expr, hint: str = "value") -> Value:
        """`e`, which lowering has made plain, in the native type of its own type."""
        return self.file.session.forms.plain_value(self, e, hint)

    # ---------------------------------------------------------------------------------------------- scopes

    def inner(self) -> Block:
        """A block of the same function inside this one."""
        return Block(self.file, self.frame, self)

    def where(self, condition: go.Expr, holds: bool) -> Block:
        """The block that is entered when `condition` holds, or does not."""
        block = self.inner()
        block._present = frozenset(present(condition, holds))
        return block

    def learn(self, condition: go.Expr, holds: bool) -> None:
        """What comes after this in the block is reached only when `condition` holds, or does not."""
        self._present |= frozenset(present(condition, holds))

    def knows(self, node: go.Expr) -> bool:
        """Return whether a condition around has shown that `node` is not nil."""
        block: Block | None = self
        while block is not None:
            if block._present and shape(node) in block._present:
                return True
            block = block._parent
        return False

    def keep_member(self, element: go.Expr, variable: go.Variable) -> None:
        """`variable` has been declared with the member of an object that `element` reads."""
        self._members[shape(element)] = variable

    def present_member(self, element: go.Expr) -> go.Name | None:
        """The variable that has the member, where a condition around has shown that it is not nil."""
        block: Block | None = self
        while block is not None:
            variable = block._members.get(shape(element))
            if variable is not None and self.knows(make.name(variable)):
                return make.name(variable)
            block = block._parent
        return None

    def function(self, frame: Frame) -> Block:
        """The body of a function literal written inside this block."""
        return Block(self.file, frame)

    def bind(self, symbol: Symbol, value: Value) -> None:
        """From now on `symbol` is `value`."""
        self.file.bindings[symbol] = value

    def bound(self) -> Iterator[Symbol]:
        """All symbols with a value."""
        yield from self.file.bindings

    # ------------------------------------------------------------------------------------------ statements

    def emit(self, *statements: go.Statement) -> None:
        """Add statements."""
        self.statements.extend(statements)

    def declare(self, hint: str, value: go.Expr) -> go.Name:
        """`variable := value` with a new variable that is called like `hint`."""
        variable = make.variable(hint)
        self.emit(make.define([variable], value))
        return make.name(variable)

    def variable(self, hint: str, type_: go.Expr, value: go.Expr | None = None) -> go.Name:
        """`var variable type` with a new variable that is called like `hint`."""
        variable = make.variable(hint)
        self.emit(go.VariableStatement(variable=variable, type=type_, value=value))
        return make.name(variable)

    def reusable(self, value: Value, hint: str) -> Value:
        """`value` as an expression that may be written twice."""
        if make.is_simple(value.node):
            return value
        return Value(self.declare(hint, value.node), value.type)

    @property
    def err_declared(self) -> bool:
        """Whether `err` is a variable of this function here."""
        return self._err_declared or (self._parent is not None and self._parent.err_declared)

    def mark_err_declared(self) -> None:
        """`err` has been declared in this block."""
        self._err_declared = True

    def attempt(self, hint: str, call: go.Expr) -> go.Name:
        """`variable, err := call` and the way out when it fails."""
        variable = make.variable(hint)
        self.emit(make.define([variable, make.ERR.variable], call))
        self._err_declared = True
        self.emit(self.leave_on_error())
        return make.name(variable)

    def attempt_unused(self, call: go.Expr) -> None:
        """`_, err = call` and the way out when it fails."""
        targets = (make.BLANK, make.ERR)
        operator = "=" if self.err_declared else ":="
        if operator == ":=":
            self._err_declared = True
        self.emit(go.Assign(targets=targets, values=(call,), operator=operator), self.leave_on_error())

    def attempt_error(self, call: go.Expr) -> None:
        """`if err := call; err != nil { return err }`."""
        self.emit(self.leave_on_error(init=make.define([make.ERR.variable], call)))

    def attempt_alone(self, call: go.Expr) -> None:
        """`err = call` as a statement of its own, for calls that are too long for the head of an `if`."""
        self.emit(go.Assign(targets=(make.ERR,), values=(call,), operator="=" if self.err_declared else ":="))
        self._err_declared = True
        self.emit(self.leave_on_error())

    def leave_on_error(self, init: go.Statement | None = None) -> go.If:
        """`if err != nil { return …, err }`."""
        condition = make.binary(make.ERR, "!=", make.NIL)
        return go.If(condition=condition, body=(self.leave(make.ERR),), init=init)

    def leave(self, error: go.Expr) -> go.Return:
        """Return from the function with `error`."""
        self.frame.fails = True
        return make.returns(*self.frame.zeros, error)


def main_frame() -> Frame:
    """The function given to pulumi.Run."""
    return Frame(zeros=())


def component_frame() -> Frame:
    """The constructor of a component."""
    return Frame(zeros=(make.NIL,), component=make.COMPONENT)


NOTHING = Value(make.NIL, plain(NIL))
