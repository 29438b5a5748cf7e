"""Scopes of generated code: the names of its variables, and a final check of their declarations and uses.

The module `outline` of a language defines which nodes of its tree open scopes, declare names and read names. From these,
the function `outline` builds the scope tree of a file, `Naming` chooses the names of its variables, and `check` inspects the
result before any file is written. A `BrokenTreeError` means a bug in the target.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct, field

from pclgen.records import annotations_of
from pclgen.targets.base import BrokenTreeError
from pclgen.targets.names import NameTable

_Node = TypeVar("_Node")


class Variable(Struct, frozen=True, eq=False):
    """A variable that a file binds; `preferred_names` are possible names, best first.

    `yields`: pclgen added the variable, and the program's own names take precedence over its name. `fixed`: the variable
    always has its first preferred name, like `err` in Go.
    """

    preferred_names: tuple[str, ...]
    yields: bool = False
    fixed: bool = False


class Name(Struct, frozen=True, eq=False):
    """A use of a variable."""

    variable: Variable


class Declaration(Struct, frozen=True, eq=False):
    """Variables that a block declares; with `renews`, some of them may already exist, but not all (`:=` in Go)."""

    variables: tuple[Variable, ...]
    renews: bool = False


class Write(Struct, frozen=True, eq=False):
    """An assignment to a variable, which does not read the variable."""

    variable: Variable


class Problem(Struct, frozen=True, eq=False):
    """Another error that the language would report."""

    text: str


class Scope(Struct, eq=False):
    """The parts of a block, a loop or a function in order: declarations, uses, inner scopes.

    A function body runs later and need not read its parameters. Variables of a scope with `may_hide` may shadow outer names
    that the scope does not use.
    """

    parts: list[object]
    parameters: tuple[Variable, ...] = ()
    is_function: bool = False
    may_hide: bool = False

    def variables(self) -> Iterator[Variable]:
        """Yield the variables of the scope, without those of inner scopes."""
        yield from self.parameters
        for part in self.parts:
            if type(part) is Declaration:
                yield from part.variables

    def all_variables(self) -> Iterator[Variable]:
        """Yield the variables of the scope and of all inner scopes."""
        yield from self.variables()
        for part in self.walk():
            if type(part) is Scope:
                yield from part.variables()

    def walk(self) -> Iterator[object]:
        """Yield the parts of the scope and of all inner scopes, in order."""
        pending = [*reversed(self.parts)]
        while pending:
            part = pending.pop()
            yield part
            if type(part) is Scope:
                pending.extend(reversed(part.parts))


Spelling: TypeAlias = Callable[[object], str]
"""A function that returns the name in a use of anything but a variable: an import, a helper, a predeclared name."""

Readers: TypeAlias = Mapping[type, Callable[[Any], Iterable[Any]]]
"""Functions that return the children of a node, by node class."""


@cache
def names_of_parts(cls: type, leaves: frozenset[str]) -> tuple[str, ...]:
    """Return the fields of a class that hold nodes or tuples of nodes: their annotations are not `leaves`."""
    return tuple(n for n, text in annotations_of(cls).items() if text not in leaves) if issubclass(cls, Struct) else ()


class PartReaders(dict[type, Callable[[Any], Iterable[Any]]]):
    """Functions that return the parts of a node, by node class: its fields without the `leaves`, unless `own` has another.

    A part may be a tuple of nodes, or a value without parts.
    """

    def __init__(self, leaves: frozenset[str], own: Readers | None = None) -> None:
        super().__init__(own or {})
        self._leaves = leaves

    def __missing__(self, kind: type) -> Callable[[Any], Iterable[Any]]:
        names = names_of_parts(kind, self._leaves)
        if len(names) > 1:
            self[kind] = attrgetter(*names)
        else:
            self[kind] = (lambda node: (getattr(node, names[0]),)) if names else _no_parts
        return self[kind]


def _no_parts(_: object) -> tuple[object, ...]:
    return ()


_PARTS: frozenset[type] = frozenset((Name, Declaration, Write, Problem))


def outline(root: Scope, steps: Readers, mentions: AbstractSet[type]) -> Scope:
    """Replace the nodes in `root` by parts of scopes; return `root`.

    `steps` return the children of a node in order: nodes, tuples of nodes, parts of scopes, scopes of nodes. Nodes of the
    classes `mentions` use names other than variables.
    """
    leaves = _PARTS | mentions
    scopes = [root]
    while scopes:
        scope = scopes.pop()
        pending = [*reversed(scope.parts)]
        scope.parts = []
        while pending:
            node = pending.pop()
            kind = type(node)
            if kind in leaves:
                scope.parts.append(node)
            elif kind is Scope:
                scope.parts.append(node)
                scopes.append(node)  # type: ignore[arg-type]  # `kind` is its class
            else:
                inside = node if kind is tuple else steps[kind](node)
                if inside:
                    pending.extend(reversed([*inside]))  # type: ignore[misc]  # a tuple, or the children of a node
    return root


def walk(nodes: Iterable[_Node], parts: Readers) -> Iterator[_Node]:
    """Yield `nodes` and all their descendants, each node before its children; of tuples only their elements."""
    pending = [*nodes]
    while pending:
        node = pending.pop()
        if isinstance(node, tuple):
            pending.extend(node)
        elif isinstance(node, Struct):
            yield node
            pending.extend(parts[type(node)](node))


class Naming:
    """Chooses names for variables: in each scope, distinct from all outer names or from the outer names that it uses.

    With `hoists`, all variables of a block get names before those of inner scopes; otherwise naming follows the order of the
    file. `spellings` may contain some of the names in advance. Only scopes with `may_hide` need the `spelling` of uses.
    """

    def __init__(self, outer: NameTable, spelling: Spelling = str, *, hoists: bool) -> None:
        self.spellings: dict[Variable, str] = {}
        self.later: set[str] = set()
        """Assigned names whose declarations come later."""
        self._outer = outer
        self._spelling = spelling
        self._hoists = hoists

    def assign(self, scope: Scope, table: NameTable) -> None:
        """Name the variables of `scope`, in `table`, and those of its inner scopes."""
        if self._hoists:
            self._claim(sorted(scope.variables(), key=lambda variable: variable.yields), table)
        else:
            self._claim(scope.parameters, table)
        for part in scope.parts:
            if type(part) is Declaration:
                self._claim(part.variables, table)
            elif type(part) is Scope:
                self.assign(part, self._outer.child(self._used(part)) if part.may_hide else table.child())

    def _claim(self, variables: Iterable[Variable], table: NameTable) -> None:
        for variable in variables:
            if variable in self.spellings:
                self.later.discard(self.spellings[variable])
                continue
            # If the declaration of `region` comes later, `regionValue` reads better than `region2`.
            names = [f"{name}Value" if name in self.later else name for name in variable.preferred_names]
            self.spellings[variable] = table.claim(*names)

    def _used(self, scope: Scope) -> set[str]:
        """Return the outer names that `scope` uses."""
        used: set[str] = set()
        for part in scope.walk():
            if type(part) is Name or type(part) is Write:
                if part.variable in self.spellings:
                    used.add(self.spellings[part.variable])
            elif type(part) not in _NO_USES:
                used.add(self._spelling(part))
        return used


_NO_USES: frozenset[type] = frozenset((Scope, Declaration, Problem))


class _Block(Struct, eq=False):
    """The variables of a scope so far by name, the variables that are not declared yet, and the names that were read."""

    scope: Scope
    outer: _Block | None
    names: dict[str, Variable] = field(default_factory=dict)
    waiting: set[Variable] = field(default_factory=set)
    read: set[str] = field(default_factory=set)


class Rules(Struct, frozen=True, kw_only=True):
    """A language's rules for variables, applied to the file `path`.

    `hoists`: a variable exists from the start of its block, so functions may read variables declared below them.
    `reads_all`: an unread variable is an error.
    """

    path: str
    is_name: Callable[[str], bool]
    hoists: bool
    reads_all: bool = False


def check(scope: Scope, spellings: Mapping[Variable, str], spelling: Spelling, rules: Rules) -> None:
    """Raise `BrokenTreeError` if a variable of a file is undeclared, declared twice, hidden or read too early."""
    try:
        _Check(spellings, spelling, rules).block(_Block(scope, None))
    except BrokenTreeError as error:
        raise BrokenTreeError(f"{rules.path}: {error}") from None


class _Check(Struct, frozen=True):
    spellings: Mapping[Variable, str]
    spelling: Spelling
    rules: Rules

    def block(self, block: _Block) -> None:
        self._declare(block.scope.parameters, block)
        block.read.update(block.names)
        if self.rules.hoists:
            variables = tuple(block.scope.variables())[len(block.scope.parameters) :]
            self._declare(variables, block)
            block.waiting.update(variables)
        for part in block.scope.parts:
            if type(part) is Name:
                self._home(part.variable, block).read.add(self._spelled(part.variable))
            elif type(part) is Declaration:
                self._declaration(part, block)
            elif type(part) is Scope:
                self.block(_Block(part, block))
            elif type(part) is Write:
                self._home(part.variable, block)
            elif type(part) is Problem:
                raise BrokenTreeError(part.text)
            else:
                name = self.spelling(part)
                if _around(name, block) is not None:
                    raise BrokenTreeError(f"the variable {name} hides what is used here")
        for name in block.names if self.rules.reads_all else ():
            if name not in block.read:
                raise BrokenTreeError(f"nothing reads the variable {name}")

    def _declaration(self, declaration: Declaration, block: _Block) -> None:
        variables = declaration.variables
        if declaration.renews:
            variables = tuple(v for v in variables if block.names.get(self._spelled(v)) is not v)
            if not variables:
                names = ", ".join(map(self._spelled, declaration.variables))
                raise BrokenTreeError(f"{names or '_'} := declares nothing new")
        if self.rules.hoists:
            block.waiting.difference_update(variables)
        else:
            self._declare(variables, block)

    def _declare(self, variables: Iterable[Variable], block: _Block) -> None:
        for variable in variables:
            name = self._spelled(variable)
            if not self.rules.is_name(name):
                raise BrokenTreeError(f"{name!r} is no name for a variable")
            if name in block.names:
                raise BrokenTreeError(f"{name} is declared twice")
            block.names[name] = variable

    def _spelled(self, variable: Variable) -> str:
        name = self.spellings.get(variable)
        if name is None:
            raise BrokenTreeError(f"nothing declares {variable.preferred_names[0]}")
        return name

    def _home(self, variable: Variable, block: _Block) -> _Block:
        """Return the block that declares `variable`; raise `BrokenTreeError` if it has no value here."""
        name = self._spelled(variable)
        home = _around(name, block)
        if home is None:
            raise BrokenTreeError(f"nothing declares {name} where it is used")
        if home.names[name] is not variable:
            raise BrokenTreeError(f"the variable {name} hides what is used here")
        if variable in home.waiting and not _runs_later(block, home):
            raise BrokenTreeError(f"{name} is read above its declaration")
        return home


def _around(name: str, block: _Block | None) -> _Block | None:
    """Return the innermost block that has a variable named `name`, or None."""
    while block is not None and name not in block.names:
        block = block.outer
    return block


def _runs_later(inner: _Block, outer: _Block) -> bool:
    """Return whether a function lies between `inner` and the enclosing block `outer`."""
    block: _Block | None = inner
    while block is not None and block is not outer:
        if block.scope.is_function:
            return True
        block = block.outer
    return False
