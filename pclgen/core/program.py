"""The typed program: the result of `bind` and the input of every later phase.

A `Program` contains its nodes in declaration order (language.md, Programs); `graph.order` computes the order of
definition before use.  A local component is a `Component` with its own program; each directory is bound once, whatever the
number of uses. All values are immutable: one bound program serves all targets.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from msgspec import Struct

from pclgen.core.expr import Comments, Expr, Option, Symbol
from pclgen.source.text import SourceFile, Span
from pclgen.stdlib.model import Home
from pclgen.types.declarations import Declaration, Field, Package, ResourceDecl
from pclgen.types.model import DYNAMIC, Type, is_optional, resolve, without_none
from pclgen.types.rules import Rule


class RangeKind(StrEnum):
    """The kind of value that a resource or component is repeated over (language.md, Ranges)."""

    BOOL = "bool"  # zero or one
    NUMBER = "number"
    LIST = "list"
    MAP = "map"


class Range(Struct, frozen=True, kw_only=True):
    """`options { range = value }`: `key` and `item` are the symbols of `range.key` and `range.value`.

    BOOL ranges have neither symbol, NUMBER ranges have the index in both.  `value` may be eventual.
    """

    kind: RangeKind
    value: Expr
    key: Symbol | None
    item: Symbol | None
    span: Span

    @property
    def is_untyped(self) -> bool:
        """Whether the kind of collection (list or map) is known only at run time."""
        return without_none(resolve(self.value.type)) is DYNAMIC

    @property
    def is_nullable(self) -> bool:
        """Whether the value may be null, which creates no resources."""
        plain = resolve(self.value.type)
        return plain is not DYNAMIC and is_optional(plain)


class Input(Struct, frozen=True, kw_only=True):
    """One attribute of a resource or component body; `field` is None for undeclared members (lenient mode)."""

    name: str
    field: Field | None
    value: Expr
    span: Span
    comments: Comments


class ConfigVariable(Struct, frozen=True, kw_only=True, eq=False):
    """`config name type { … }`.

    `type` is the declared type.  `place` is the position of the variable, as generated code names it (`main.pp:3:8`).  The
    symbol's type is `output(type)` if the value is secret, if its default is eventual, or if it is an input of a component
    and some use passes an output.  `required` tells whether the user must set it.  `plain_input` marks an input of a
    component that always receives plain values and that the component inspects, so that the component takes it plain.
    `rule` is the constraint on values beyond the type; a local of the same name (or the uses of a component) checks it.
    """

    symbol: Symbol
    logical_name: str
    type: Type
    default: Expr | None
    secret: bool
    required: bool
    description: str
    span: Span
    comments: Comments
    place: str
    closing: tuple[str, ...] = ()
    plain_input: bool = False
    rule: Rule | None = None

    @property
    def namespace(self) -> str:
        """The namespace of the setting in a stack: `aws` of `aws:region`; "" for the project's own settings."""
        return self.logical_name.rpartition(":")[0]

    @property
    def key(self) -> str:
        """The name of the setting: `region` of `aws:region`."""
        return self.logical_name.rpartition(":")[2]


class Local(Struct, frozen=True, kw_only=True, eq=False):
    """`name = value` at top level."""

    symbol: Symbol
    value: Expr
    span: Span
    comments: Comments


class Resource(Struct, frozen=True, kw_only=True, eq=False):
    """`resource name token { … }`, or `read` if `read_id` is set.

    `declaration` is None for untyped resources (lenient mode).  `token` is the schema's own spelling.
    """

    symbol: Symbol
    logical_name: str
    token: str
    declaration: ResourceDecl | None
    inputs: tuple[Input, ...]
    options: tuple[Option, ...]
    range: Range | None
    read_id: Expr | None
    span: Span
    name_span: Span
    comments: Comments
    closing: tuple[str, ...] = ()


class ComponentUse(Struct, frozen=True, kw_only=True, eq=False):
    """`component name source { … }`; `component` is None for the sourceless form, which then has a `token`.

    `source` is the second label as written; packs use it to find the component of a use.
    """

    symbol: Symbol
    logical_name: str
    component: Component | None
    token: str
    inputs: tuple[Input, ...]
    options: tuple[Option, ...]
    range: Range | None
    span: Span
    name_span: Span
    comments: Comments
    closing: tuple[str, ...] = ()
    source: str = ""

    @property
    def type_token(self) -> str:
        """The type token that it is registered with."""
        return self.token if self.component is None else self.component.token


class Hook(Struct, frozen=True, kw_only=True, eq=False):
    """`hook resource name { … }` or `hook error name { … }`; `args` is the symbol that `command` may use."""

    symbol: Symbol
    is_error_hook: bool
    args: Symbol
    command: Expr
    on_dry_run: Expr | None
    ignore_errors: Expr | None
    span: Span
    comments: Comments
    closing: tuple[str, ...] = ()


class OutputVariable(Struct, frozen=True, kw_only=True, eq=False):
    """`output name type { value = … }`; `type` is the declared type or the type of the value, without eventuals."""

    symbol: Symbol
    logical_name: str
    type: Type
    value: Expr
    description: str
    span: Span
    comments: Comments
    closing: tuple[str, ...] = ()


class PulumiSettings(Struct, frozen=True, kw_only=True, eq=False):
    """`pulumi { requiredVersionRange = … }`."""

    required_version_range: Expr | None
    span: Span
    comments: Comments


Node: TypeAlias = ConfigVariable | Local | Resource | ComponentUse | Hook | OutputVariable | PulumiSettings


class TypesFolder(Struct, frozen=True, kw_only=True):
    """A folder at `path` whose types labels in the folder `user` name by the text `source`."""

    user: str
    source: str
    path: str
    texts: tuple[SourceFile, ...]


class Program(Struct, frozen=True, kw_only=True, eq=False, weakref=True):
    """A bound program (or the inside of a component).

    `packages` are the packages that it and its components refer to, by name; `homes` are the packs of functions that these
    call.  `header` are comments above the first node that belong to no node; `footer` those after the last node.  `pack` is
    the file from which the bound program was read, if any; `texts` are its sources, `types_from` the folders whose types its
    labels use.
    """

    name: str
    nodes: tuple[Node, ...]
    components: tuple[Component, ...]  # directly used, each once, in order of first use
    packages: tuple[Package, ...]
    homes: tuple[Home, ...] = ()
    header: tuple[str, ...] = ()
    footer: tuple[str, ...] = ()
    pack: str = ""
    texts: tuple[SourceFile, ...] = ()
    types_from: tuple[TypesFolder, ...] = ()


class Component(Struct, frozen=True, kw_only=True, eq=False):
    """A component directory: `name` is the class name (language.md, Components), `directory` its last path element.

    `path` is its location relative to the root program (`/`-separated), which identifies a component.  `inputs` and `value`
    are the shapes for uses.
    """

    name: str
    directory: str
    path: str
    program: Program
    inputs: Declaration
    value: Declaration

    @property
    def token(self) -> str:
        """The type token of its uses."""
        return f"components:index:{self.name}"

    @property
    def input_names(self) -> tuple[str, ...]:
        """The logical names of the inputs, in order."""
        return tuple([node.logical_name for node in self.program.nodes if isinstance(node, ConfigVariable)])
