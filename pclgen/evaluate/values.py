"""The values of a running program, and the combinators over outputs.

A value is plain (`None`, bool, int, `Decimal`, str, list, dict, `Blob`, `Raw`), a resource (`ResourceValue`), or an
`Output`: a value from a deployment, which may be unknown, may be secret and depends on resources. Plain lists and dicts
may hold outputs. The value inside an output holds no outputs; if it has parts that are `UNKNOWN`, it is not known.

    apply(o, f)    f on the value of o: not run if o is unknown; secret if o or the result is; depends on both
    all_of(v)      a structure with outputs inside as one output: unknown, secret and dependent if any part is
    unwrap         done by both: an output never holds an output
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core.expr import Symbol
from pclgen.evaluate.faults import EvaluationError, FaultError
from pclgen.stdlib.model import UNKNOWN
from pclgen.trace.model import Registration

Value: TypeAlias = object
"""The value of an expression; see above."""


class Failure(Struct, frozen=True):
    """The reason why a value is missing; `recover` shows `text`."""

    text: str


class Pending(Struct):
    """A value that is computed at its first use."""

    compute: Callable[[], Value]
    value: Value = None
    done: bool = False

    def get(self) -> Value:
        """Return the value."""
        if not self.done:
            self.value = self.compute()
            self.done = True
        return self.value


class ResourceValue(Struct, eq=False):
    """A resource or component of the program.

    `properties` are its attributes: outputs for resources, values of any kind for local components (`Pending` until the
    component has run).  `children` are the resources registered with it as their parent.  `absent` is the value of
    attributes without an answer.
    """

    urn: str
    type: str
    name: str
    custom: bool
    remote: bool
    registration: Registration | None = None
    properties: dict[str, Value] = field(default_factory=dict)
    children: list[ResourceValue] = field(default_factory=list)
    parent: ResourceValue | None = None
    provider: str = ""
    providers: dict[str, ResourceValue] = field(default_factory=dict)
    absent: Value = None
    protect: bool | None = None
    failure: Failure | None = None

    def attribute(self, name: str) -> Value:
        """Return the attribute `name`."""
        value = self.properties.get(name, self.absent)
        return value.get() if isinstance(value, Pending) else value

    @property
    def id(self) -> Value:
        """The id: an output, or None for components."""
        return self.properties.get("id")


NOTHING: frozenset[ResourceValue] = frozenset()


class Output(Struct, frozen=True, eq=False):
    """An eventual value. `parts` is the original list or map that holds outputs, if there is one: it is forwarded as such,
    but a reader sees one output."""

    value: Value
    known: bool = True
    secret: bool = False
    dependencies: frozenset[ResourceValue] = NOTHING
    failure: Failure | None = None
    parts: Value = None


class Raw(Struct, frozen=True):
    """Bytes that are not text."""

    data: bytes


class HookRef(Struct, frozen=True):
    """A hook in the option `hooks`. `command` returns the command line for an `args` object."""

    name: str
    command: Callable[[dict[str, Value]], Value]
    on_dry_run: bool = False
    ignore_errors: bool = False


class Meta(Struct, frozen=True):
    """The metadata that a computation inherits from the outputs it uses."""

    known: bool = True
    secret: bool = False
    dependencies: frozenset[ResourceValue] = NOTHING
    failure: Failure | None = None

    def __or__(self, other: Meta | Output) -> Meta:
        """Return the union: unknown, secret and dependent if either is."""
        return Meta(
            known=self.known and other.known,
            secret=self.secret or other.secret,
            dependencies=self.dependencies | other.dependencies if other.dependencies else self.dependencies,
            failure=self.failure or other.failure,
        )

    @property
    def is_runnable(self) -> bool:
        """Whether callbacks run."""
        return self.known and self.failure is None

    def nothing(self) -> Output:
        """Return the output of a computation that did not run."""
        return Output(UNKNOWN, False, self.secret, self.dependencies, self.failure)


PLAIN = Meta()


def meta_of(output: Output) -> Meta:
    """Return the metadata of an output."""
    return Meta(output.known, output.secret, output.dependencies, output.failure)


def holds_output(value: Value) -> bool:
    """Return whether `value` is an output or a structure that holds one; attributes of resources do not count."""
    if isinstance(value, Output):
        return True
    if isinstance(value, list):
        return any(holds_output(element) for element in value)
    return isinstance(value, dict) and any(holds_output(member) for member in value.values())


def holds_unknown(value: Value) -> bool:
    """Return whether some part of a plain value is `UNKNOWN`."""
    if isinstance(value, list):
        return any(holds_unknown(element) for element in value)
    if isinstance(value, dict):
        return any(holds_unknown(member) for member in value.values())
    return value is UNKNOWN


def all_of(value: Value) -> tuple[Value, Meta]:
    """Return `value` with every output in it replaced by its value, and the joint metadata of these outputs."""
    parts: list[Output] = []
    plain = _resolved(value, parts)
    return plain, together(parts)


def _resolved(value: Value, parts: list[Output]) -> Value:
    if isinstance(value, Output):
        parts.append(value)
        return value.value
    if isinstance(value, list) and holds_output(value):
        return [_resolved(element, parts) for element in value]
    if isinstance(value, dict) and holds_output(value):
        return {key: _resolved(member, parts) for key, member in value.items()}
    return value


def together(parts: Sequence[Output]) -> Meta:
    """Return the joint metadata of outputs; one union, so that the cost is linear in their number."""
    if len(parts) <= 1:
        return meta_of(parts[0]) if parts else PLAIN
    return Meta(
        known=all(part.known for part in parts),
        secret=any(part.secret for part in parts),
        dependencies=NOTHING.union(*(part.dependencies for part in parts)),
        failure=next((part.failure for part in parts if part.failure is not None), None),
    )


def as_output(value: Value, meta: Meta = PLAIN) -> Output:
    """Return `value` as one output, with `meta` added (unwraps an output)."""
    plain, own = all_of(value)
    both = meta | own
    return Output(plain, both.known, both.secret, both.dependencies, both.failure)


def in_parts(value: Value) -> Value:
    """Return a list or a map that holds outputs as one output that is forwarded in its original form."""
    return replace(as_output(value), parts=value) if holds_output(value) and not isinstance(value, Output) else value


def lift(values: Sequence[Value], run: Callable[..., Value]) -> Value:
    """Apply `run` to the values; if any of them is or holds an output, return an output: `all` and then `apply`."""
    if not any(holds_output(value) for value in values):
        return run(*values)
    return apply(values, run)


def apply(values: Iterable[Value], run: Callable[..., Value]) -> Output:
    """Apply `all` to the values and `run` to the results; the callback runs only if all of them are known."""
    parts: list[Output] = []
    plain = [_resolved(value, parts) for value in values]
    meta = together(parts)
    if not meta.is_runnable:
        return meta.nothing()
    try:
        return as_output(run(*plain), meta)
    except (EvaluationError, FaultError) as problem:
        problem.meta = meta if problem.meta is None else meta | problem.meta
        raise


def marked_secret(value: Value) -> Output:
    """Return `value` as a secret output."""
    return replace(as_output(value), secret=True)


class Environment:
    """The values of names in a scope and its enclosing scopes."""

    __slots__ = ("_outer", "_values", "attempted")

    def __init__(self, values: Mapping[Symbol, Value], outer: Environment | None = None, *, attempted: bool = False) -> None:
        self._values = values
        self._outer = outer
        self.attempted: bool = attempted
        """Whether `try` or `can` sees failures here."""

    def find(self, symbol: Symbol) -> tuple[bool, Value]:
        """Return whether `symbol` is bound, and its value."""
        scope: Environment | None = self
        while scope is not None:
            if symbol in scope._values:
                return True, scope._values[symbol]
            scope = scope._outer
        return False, None

    def inside(self, values: Mapping[Symbol, Value]) -> Environment:
        """Return an inner scope with more names."""
        return Environment(values, self, attempted=self.attempted)

    def attempting(self) -> Environment:
        """Return the same scope inside of an attempt."""
        return self if self.attempted else Environment({}, self, attempted=True)


EMPTY = Environment({})
