"""Inputs and outputs of components: which inputs are eventual, and the names that outputs must not have.

The first round of binding treats all inputs of components as plain. If a use passes an output, the input becomes an output
inside the component, and the program is bound again, until nothing changes (each round adds inputs; nested components need
one round per level). Inputs that are always plain stay plain: a range over such an input becomes a loop.

    component web "./web" { domain = site.domain }      ->  inside ./web, domain: output(string)

Every component class inherits members from Pulumi's SDK, which outputs must not replace; `tests/test_component_names.py`
checks the table of them against the SDKs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.walk import expressions_of, programs_of, walk

OWN: Final[Mapping[str, tuple[str, ...]]] = {
    "python": (
        "get_provider", "pulumi_resource_name", "pulumi_resource_type", "register_outputs", "translate_input_property",
        "translate_output_property", "urn",
    ),
    "typescript": ("constructor", "getData", "getProvider", "initialize", "registerOutputs", "urn"),
    "go": ("GetProvider", "PulumiResourceName", "PulumiResourceType", "ResourceState", "URN"),
}  # fmt: skip  # many short entries a line
"""Public members, by language."""

HIDDEN: Final = (
    "aliases", "childResources", "data", "doNotCapture", "getProviders", "inputs", "name", "plugin_download_url",
    "pluginDownloadURL", "prov", "protect", "provider", "providers", "pulumiType", "registered", "remote", "transformations",
    "type", "version",
)  # fmt: skip  # many short entries a line
"""Members with leading underscores, listed without them."""


def _plain(name: str) -> str:
    """Return a key that is equal for all spellings of a name: `getProvider`, `get_provider`, `GetProvider`."""
    return name.replace("_", "").replace("-", "").lower()


OBJECT: Final = (
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
)  # fmt: skip  # many short entries a line
"""Members of every JavaScript object; TypeScript does not accept that an input with such a name is omitted."""

_OWN: Final = frozenset(_plain(name) for names in OWN.values() for name in names)
_HIDDEN: Final = frozenset(map(_plain, HIDDEN))


def is_own(name: str) -> bool:
    """Return whether an output called `name` would replace an inherited member of every component."""
    if _is_special(name):
        return True
    return _plain(name) in (_HIDDEN if name.startswith("_") else _OWN)


def is_taken_input(name: str) -> bool:
    """Return whether an input called `name` would be mistaken for a member of every object."""
    return name in OBJECT or _is_special(name)


def _is_special(name: str) -> bool:
    """Return whether `name` has a meaning in Python, JavaScript or Go: `__init__`, `__proto__`, `_`."""
    return (name.startswith("__") and name.endswith("__")) or not name.strip("_")


EventualInputs = Mapping[str, frozenset[str]]
"""Logical names of the eventual inputs, by the path of the component."""


def eventual_inputs(program: prog.Program) -> EventualInputs:
    """The inputs that receive an eventual value in `program` or in its components."""
    by_path: dict[str, set[str]] = {}
    for place in programs_of(program):
        for node in place.nodes:
            if isinstance(node, prog.ComponentUse) and node.component is not None:
                names = {input_.name for input_ in node.inputs if input_.value.type.eventual}
                by_path.setdefault(node.component.path, set()).update(names)
    return {path: frozenset(names) for path, names in by_path.items() if names}


def observed_inputs(program: prog.Program) -> frozenset[core.Symbol]:
    """The config variables of a component that its expressions inspect and do not only forward.

    A component that forwards a value to a plain input needs the plain value, too.
    """
    symbols = {node.symbol for node in program.nodes if isinstance(node, prog.ConfigVariable)}
    seen: set[core.Symbol] = set()
    for node in program.nodes:
        passed: list[core.Expr] = []
        match node:
            case prog.Resource():
                passed = [input_.value for input_ in node.inputs]
            case prog.ComponentUse(component=prog.Component() as component):
                plain = {
                    n.logical_name for n in component.program.nodes if isinstance(n, prog.ConfigVariable) and n.plain_input
                }
                passed = [input_.value for input_ in node.inputs if input_.name not in plain]
            case prog.OutputVariable() | prog.Local():
                passed = [node.value]
            case _:
                pass
        forwarded = {id(ref) for value in passed for ref in _forwarded(value)}
        for expr in expressions_of(node):
            seen.update(_observed(expr, forwarded) & symbols)
    return frozenset(seen)


def _forwarded(value: core.Expr) -> Iterator[core.Expr]:
    """The references in positions that only forward a value: the value itself, elements, members, branches."""
    match value:
        case core.Ref():
            yield value
        case core.ListExpr():
            for element in value.elements:
                yield from _forwarded(element)
        case core.ObjectExpr():
            for item in value.items:
                yield from _forwarded(item.value)
        case core.Conditional():
            yield from _forwarded(value.then)
            yield from _forwarded(value.otherwise)
        case _:
            return


def _observed(expr: core.Expr, forwarded: set[int]) -> set[core.Symbol]:
    return {node.symbol for node in walk(expr) if isinstance(node, core.Ref) and id(node) not in forwarded}
