"""The context of a translation: project, file, function and block.

All translating modules use it. A `Block` collects statements. Constructs that Go cannot write inside an expression (errors,
conditionals, loops) are emitted into the block before the statement that needs them. The `Frame` of a block is the function
around it, with the results to return on an error.

A project knows which values of unknown type have Go's types for decoded JSON, `map[string]any` and `[]any` (`Decoded`).
Values decoded by the SDK and `encoding/json` have these types at every depth. A value from the program itself may have a
narrower type (`[]string`), and a step into it needs reflection.

    parsed.size                                  parsed.(map[string]any)["size"]
    [["a"], free][0][0]                          traverse(…)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct, field

from pclgen.core import expr as core
from pclgen.core.declared import Named
from pclgen.core.expr import Expr, Symbol
from pclgen.core.origins import definitions_of, place
from pclgen.core.predicates import is_null
from pclgen.core.program import ConfigVariable, Node
from pclgen.source.text import Span
from pclgen.stdlib.model import Derivation
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.build import Constant, present, shape
from pclgen.targets.go.gotypes import GoType, LocalType, Natives
from pclgen.targets.go.sdk import CORE_PATH, GoPackage, Home, identifier
from pclgen.targets.names import NameTable
from pclgen.types.declarations import Declaration

CONFIG_PATH = CORE_PATH + "/config"
_MOST_MEMBERS = 2_000


class CannotWriteError(Exception):
    """Go has no equivalent for a construct; reported as one diagnostic at `span`."""

    def __init__(self, construct: str, span: Span, *, why: str | None = None) -> None:
        super().__init__(construct)
        self.construct = construct
        self.span = span
        self.why = why


class MissingNameError(CannotWriteError):
    """A name whose declaration cannot be written, which is reported there only."""


class Place(Struct, frozen=True):
    """The destination of a value: the span for errors, and a name for temporary variables.

    `unset` is the failure for a value, or a part of it, that is nil but must not be; None if that cannot happen.
    """

    at: Span
    hint: str = "value"
    unset: str | None = None

    def named(self, hint: str) -> Place:
        """Return this place with another name for variables."""
        return Place(self.at, hint, self.unset)


class Value(Struct, frozen=True):
    """An expression and the representation of its value.

    `constant` is the value if Go computes it at compile time. `most` is the greatest magnitude of an integer: a program's
    integers are exact as doubles.
    """

    node: go.Expr
    type: GoType
    constant: Constant | None = None
    most: int = 2**53 - 1


class Forms(Protocol):
    """The translation of expressions: an interface to the module `expressions`, which topic modules cannot import."""

    def natural(self, b: Block, e: Expr, hint: str, /) -> Value:
        """Return `e` in its natural representation."""

    def into(self, b: Block, e: Expr, want: GoType, hint: str, /) -> go.Expr:
        """Return `e` as a `want`."""

    def plain_value(self, b: Block, e: Expr, hint: str, /) -> Value:
        """Return `e`, which lowering has made plain, in the native type of its type."""


class Session(Struct):
    """The state that all files of a project share."""

    natives: Natives
    forms: Forms
    globals: NameTable
    decoded: Decoded = field(default_factory=lambda: Decoded(()))
    sdks: tuple[GoPackage, ...] = ()
    helpers: dict[str, None] = field(default_factory=dict)
    late_inputs: Mapping[Declaration, frozenset[str]] = field(default_factory=dict)  # see `graph.dependencies`
    component_fields: dict[Declaration, dict[str, GoType]] = field(default_factory=dict)  # types of the inputs, by value
    local_types: dict[Named, LocalType] = field(default_factory=dict)
    _apart: Counter[Span] = field(default_factory=Counter)
    _packages: dict[str, go.Package] = field(default_factory=dict)

    def package(self, path: str) -> go.Package:
        """Return the Go package at `path`."""
        package = self._packages.get(path)
        if package is None:
            last = path.rsplit("/", 1)[-1]
            home = self.home_at(path)
            clause, preferred_name = (home.clause, home.name) if home is not None else (last, identifier(last))
            package = self._packages[path] = go.Package(path=path, clause=clause, preferred_name=preferred_name)
        return package

    def home_at(self, path: str) -> Home | None:
        """Return the Go package `path` if it belongs to an SDK of the program's packages."""
        return next((home for sdk in self.sdks if (home := sdk.layout.home_at(path)) is not None), None)

    def take_apart(self, at: Span, members: int) -> None:
        """Count `members` of the value at `at` that are written individually.

        Raises `CannotWriteError` for more members than the program could contain: if each value contains the next value
        twice, the number doubles at each level.
        """
        self._apart[at] += members
        if self._apart[at] > max(_MOST_MEMBERS, len(at.file.text)):
            why = "each of its members has to be converted, and it has too many"
            raise CannotWriteError("an object that holds others several times, in another form,", at, why=why)

    def helper(self, key: str) -> go.Helper:
        """Return the helper function `key` of `helpers` and add it to the project."""
        self.helpers[key] = None
        return go.Helper(key=key)


class FileContext(Struct):
    """One Go file."""

    session: Session
    bindings: dict[Symbol, Value] = field(default_factory=dict)
    own: dict[go.Variable, str] = field(default_factory=dict)  # see `tree.File`
    naturals: set[Symbol] = field(default_factory=set)  # numbers that are never negative
    distinct: set[Symbol] = field(default_factory=set)  # locals with lists of distinct elements
    directory: str = "."  # directory of the component, relative to the root program's

    def qualified(self, path: str, name: str) -> go.Qualified:
        """`name` of the Go package `path`."""
        return go.Qualified(package=self.session.package(path), name=name)

    def pulumi(self, name: str) -> go.Qualified:
        """`name` of the core SDK."""
        return self.qualified(CORE_PATH, name)

    def sorted_keys(self, map_: go.Expr) -> go.Expr:
        """`slices.Sorted(maps.Keys(map))`."""
        return make.call(self.qualified("slices", "Sorted"), make.call(self.qualified("maps", "Keys"), map_))

    def place(self, span: Span) -> str:
        """Return the position of `span` for messages of this file."""
        return place(self.directory, span)


class Frame(Struct):
    """A Go function under construction."""

    zeros: tuple[go.Expr, ...]  # results before the error when the function fails
    fails: bool = False  # the body returns an error
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
        """Return `e` in its natural representation; `hint` names temporary variables."""
        return self.file.session.forms.natural(self, e, hint)

    def into(self, e: Expr, want: GoType, hint: str = "value") -> go.Expr:
        """Return `e` as a `want`."""
        return self.file.session.forms.into(self, e, want, hint)

    def plain_value(self, e: Expr, hint: str = "value") -> Value:
        """Return `e`, which lowering has made plain, in the native type of its type."""
        return self.file.session.forms.plain_value(self, e, hint)

    # ---------------------------------------------------------------------------------------------- scopes

    def inner(self) -> Block:
        """Return a nested block of the same function."""
        return Block(self.file, self.frame, self)

    def where(self, condition: go.Expr, holds: bool) -> Block:
        """Return a nested block that runs if `condition` equals `holds`."""
        block = self.inner()
        block._present = frozenset(present(condition, holds))
        return block

    def rule_out(self, condition: go.Expr) -> None:
        """Record that later statements of the block run only if `condition` is false."""
        self._present |= frozenset(present(condition, False))

    def knows(self, node: go.Expr) -> bool:
        """Return whether an enclosing condition proves that `node` is not nil."""
        block: Block | None = self
        while block is not None:
            if block._present and shape(node) in block._present:
                return True
            block = block._parent
        return False

    def keep_member(self, element: go.Expr, variable: go.Variable) -> None:
        """Record that `variable` holds the object member that `element` reads."""
        self._members[shape(element)] = variable

    def present_member(self, element: go.Expr) -> go.Name | None:
        """Return the variable of the member that `element` reads, if an enclosing condition proves that it is not nil."""
        block: Block | None = self
        while block is not None:
            variable = block._members.get(shape(element))
            if variable is not None and self.knows(go.Name(variable)):
                return go.Name(variable)
            block = block._parent
        return None

    def function(self, frame: Frame) -> Block:
        """Return the body of a new function literal inside this block."""
        return Block(self.file, frame)

    def bind(self, symbol: Symbol, value: Value) -> None:
        """Bind `symbol` to `value`."""
        self.file.bindings[symbol] = value

    # ------------------------------------------------------------------------------------------ statements

    def emit(self, *statements: go.Statement) -> None:
        """Add statements."""
        self.statements.extend(statements)

    def declare(self, hint: str, value: go.Expr) -> go.Name:
        """Emit `variable := value` with a new variable, preferably named `hint`."""
        variable = make.variable(hint)
        self.emit(make.define([variable], value))
        return go.Name(variable)

    def variable(self, hint: str, type_: go.Expr, value: go.Expr | None = None) -> go.Name:
        """Emit `var variable type` with a new variable, preferably named `hint`."""
        variable = make.variable(hint)
        self.emit(go.VariableStatement(variable=variable, type=type_, value=value))
        return go.Name(variable)

    def emit_loop(
        self, body: Block, collection: go.Expr, key: go.Variable | None, value: go.Variable | None = None
    ) -> None:
        """Emit `for key, value := range collection` with the statements of `body`."""
        self.emit(go.ForRange(key=key, value=value, collection=collection, body=tuple(body.statements)))

    def emit_if(self, condition: go.Expr, then: Block, otherwise: Block | None = None) -> None:
        """Emit `if condition` with the statements of `then` and `otherwise`."""
        rest = tuple(otherwise.statements) if otherwise is not None else ()
        self.emit(go.If(condition=condition, body=tuple(then.statements), otherwise=rest))

    def unless_nil(self, tested: go.Expr, type_: go.Expr, hint: str, value: Callable[[Block], go.Expr]) -> go.Name:
        """Emit `var variable type`, and the assignment of `value` if `tested` is not nil."""
        out = self.variable(hint, type_)
        there = self.inner()
        there.emit(make.assign(out, value(there)))
        self.emit_if(go.Binary(tested, "!=", make.NIL), there)
        return out

    def reusable(self, value: Value, hint: str) -> Value:
        """Return `value` as an expression that can be repeated."""
        if make.is_simple(value.node):
            return value
        return Value(self.declare(hint, value.node), value.type)

    @property
    def err_declared(self) -> bool:
        """Whether `err` is declared here in this function."""
        return self._err_declared or (self._parent is not None and self._parent.err_declared)

    def mark_err_declared(self) -> None:
        """Record that `err` is declared in this block."""
        self._err_declared = True

    def attempt(self, hint: str, call: go.Expr) -> go.Name:
        """Emit `variable, err := call` and the return on failure."""
        variable = make.variable(hint)
        self.emit(make.define([variable, make.ERR.variable], call))
        self._err_declared = True
        self.emit(self.leave_on_error())
        return go.Name(variable)

    def attempt_unused(self, call: go.Expr, *, has_value: bool = True) -> None:
        """Emit `_, err = call`, or `err = call` for a call without a value, and the return on failure."""
        targets = (make.BLANK, make.ERR) if has_value else (make.ERR,)
        self.emit(go.Assign(targets=targets, values=(call,), operator="=" if self.err_declared else ":="))
        self._err_declared = True
        self.emit(self.leave_on_error())

    def attempt_error(self, call: go.Expr) -> None:
        """`if err := call; err != nil { return err }`."""
        self.emit(self.leave_on_error(init=make.define([make.ERR.variable], call)))

    def fail_if(self, condition: go.Expr, message: str) -> None:
        """`if condition { return …, errors.New(message) }`."""
        failure = make.call(self.file.qualified("errors", "New"), go.Text(message))
        self.emit(go.If(condition=condition, body=(self.leave(failure),)))

    def leave_on_error(self, init: go.Statement | None = None) -> go.If:
        """`if err != nil { return …, err }`."""
        condition = go.Binary(make.ERR, "!=", make.NIL)
        return go.If(condition=condition, body=(self.leave(make.ERR),), init=init)

    def leave(self, error: go.Expr) -> go.Return:
        """Return from the function with `error`."""
        self.frame.fails = True
        return make.returns(*self.frame.zeros, error)


# -- decoded values ---------------------------------------------------------------------------------------------------------

class Decoded(Struct):
    """Finds decoded values in the lowered nodes of a program and its components."""

    nodes: Sequence[Node]
    _values: dict[core.Symbol, core.Expr] = field(default_factory=dict)
    _known: dict[core.Symbol, bool] = field(default_factory=dict)

    def holds(self, expr: core.Expr) -> bool:
        """Return whether `expr` is certainly a decoded value."""
        match expr:
            case core.Attr() | core.Index():
                source = expr.source
                return (isinstance(source, core.Ref) and source.symbol.kind is core.SymbolKind.RESOURCE) or self.holds(
                    source
                )
            case core.Ref():
                return self._symbol(expr.symbol)
            case core.Invoke() | core.MethodCall():
                return True
            case core.Call():
                if expr.function.name == "getOutput":
                    return True
                derives = expr.function.derives
                if not derives.forwards or derives is Derivation.ENTRIES:
                    return False
                return all(self.holds(arg) for arg in _passed_on(expr))
            case core.Convert() | core.All():
                return self.holds(expr.value)
            case core.Apply():
                return self.holds(expr.body)
            case core.Conditional():
                return self.holds(expr.then) and self.holds(expr.otherwise)
            case core.For():
                return self.holds(expr.result)
            case core.Literal():
                return expr.value is None
            case _:
                return False

    def _symbol(self, symbol: core.Symbol) -> bool:
        if not self._values:
            self._read()
        holds = self._known.get(symbol)
        if holds is None:
            self._known[symbol] = False
            value = self._values.get(symbol)
            holds = self._known[symbol] = value is not None and self.holds(value)
        return holds

    def _read(self) -> None:
        self._values.update(definitions_of(self.nodes))
        for node in self.nodes:
            if isinstance(node, ConfigVariable):
                self._known[node.symbol] = node.default is None or is_null(node.default)


def _passed_on(call: core.Call) -> Sequence[core.Expr]:
    return call.args if call.function.name in ("try", "recover") else call.args[:1]
