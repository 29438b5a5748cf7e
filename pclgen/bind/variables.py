"""Config variables, locals, outputs, hooks and the settings block; the inputs and outputs of components.

See language.md, Local variables; Configuration; Outputs; The settings block; Hooks.

The config variables of a component are its inputs. The first round of binding treats all of them as plain. If a use passes
an output, the input becomes an output inside the component, and the program is bound again, until nothing changes (each
round adds inputs; nested components need one round per level). Inputs that are always plain stay plain: a range over such an
input becomes a loop.

    component web "./web" { domain = site.domain }      ->  inside ./web, domain: output(string)

Every component class inherits members from Pulumi's SDK, which outputs must not replace; `tests/test_component_names.py`
checks the table of them against the SDKs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from pclgen.bind import literals
from pclgen.bind.coerce import fit
from pclgen.bind.comments import comments_of, lines_of
from pclgen.bind.constraints import checked_later, kept
from pclgen.bind.context import Context, Want, because
from pclgen.bind.literals import bare
from pclgen.bind.scope import Item, Labelled
from pclgen.bind.typelabels import read_type_label
from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.core.eventuals import holds_eventual
from pclgen.core.program import ConfigVariable, Hook, Local, OutputVariable, PulumiSettings
from pclgen.core.walk import expressions_of, programs_of, walk
from pclgen.diagnostics import structure as say
from pclgen.diagnostics.model import note
from pclgen.source.text import Span
from pclgen.syntax import ast
from pclgen.types import model as ty
from pclgen.types.rules import Rule, enforced
from pclgen.types.show import with_article

_CONFIG_SETTINGS = ("default", "description", "nullable", "secret", literals.LOGICAL_NAME)
_LOCAL_SETTINGS = ("value", "description")
_OUTPUT_SETTINGS = ("value", "description", literals.LOGICAL_NAME)
_HOOK_SETTINGS = ("command", "onDryRun", "ignoreErrors")


def bind_local(cx: Context, item: Item) -> Local:
    """`name = value`."""
    attribute = item.attribute
    if attribute is None:
        return _bind_local_block(cx, item)
    value = cx.synth(attribute.value)
    symbol = core.Symbol(name=item.name, kind=core.SymbolKind.LOCAL, type=ty.without_const(value.type), span=item.name_span)
    cx.definitions[symbol] = value
    comments = comments_of(attribute.leading, attribute.trailing)
    return Local(symbol=symbol, value=value, span=attribute.span, comments=comments)


def _bind_local_block(cx: Context, item: Item) -> Local:
    """`local name type { value = … }`."""
    block = item.block
    assert block is not None
    settings = literals.settings(cx, block, _LOCAL_SETTINGS)
    declared = _label(cx, block)
    value = _block_value(cx, item, settings, declared)
    literals.text_setting(cx, settings, "description")
    type_ = ty.without_const(value.type)
    if declared is not None and value.type is not ty.ERROR and not holds_eventual(value.type):
        type_ = ty.output_of(declared.type) if value.type.eventual else declared.type
    symbol = core.Symbol(name=item.name, kind=core.SymbolKind.LOCAL, type=type_, span=item.name_span)
    cx.definitions[symbol] = value
    rule = enforced(declared.rule) if declared is not None else None
    if rule is not None:
        cx.checked[symbol] = rule
    closing = _inner_comments(block)
    comments = literals.block_comments(block)
    comments = replace(comments, leading=(*comments.leading, *closing)) if closing else comments
    return Local(symbol=symbol, value=value, span=block.span, comments=comments)


def _block_value(cx: Context, item: Item, settings: Mapping[str, ast.Attribute], declared: Labelled | None) -> core.Expr:
    """The value of a local or an output, checked against the type label of the block if there is one."""
    block = item.block
    assert block is not None
    where, setting = f"{block.type.text} {item.name}", settings.get("value")
    if setting is None:
        cx.report(say.missing_setting("value", where, "write value = … inside the block", block.open_brace))
        return core.Literal(value=None, type=ty.ERROR, span=block.span)
    if declared is None:
        return cx.synth(setting.value)
    because_ = (note(f"the type is declared here: {with_article(declared.type)}", block.labels[1].span),)
    expected = ty.optional_of(declared.type) if block.type.text == "output" else declared.type
    value = cx.check(setting.value, Want(ty.input_shape(expected), because_))
    return kept(cx, value, declared.rule, where, because=because_, type_=declared.type)


def _label(cx: Context, block: ast.Block) -> Labelled | None:
    return read_type_label(cx, block.labels[1]) if len(block.labels) > 1 else None


def with_check(cx: Context, config: ConfigVariable, rule: Rule) -> tuple[ConfigVariable, Local]:
    """Split a config variable with a rule into the unchecked variable and a local with the checked value."""
    read = replace(config.symbol, name=f"given-{config.symbol.name}")
    value = checked_later(core.Ref(symbol=read, type=read.type, span=read.span), rule, f"config {config.logical_name}")
    symbol = replace(config.symbol, kind=core.SymbolKind.LOCAL)
    cx.checked[symbol] = rule
    return replace(config, symbol=read), Local(symbol=symbol, value=value, span=config.span, comments=core.NO_COMMENTS)


def bind_config(cx: Context, item: Item, *, eventual_inputs: frozenset[str] = frozenset()) -> ConfigVariable:
    """`config name type { … }`; `eventual_inputs` are the inputs for which uses of this component pass outputs."""
    block = item.block
    assert block is not None
    settings = literals.settings(cx, block, _CONFIG_SETTINGS)
    label = _label(cx, block)
    declared, rule = (label.type, label.rule) if label is not None else (None, None)
    type_ = declared if declared is not None else ty.DYNAMIC
    default: core.Expr | None = None
    default_setting = settings.get("default")
    if default_setting is not None:
        if isinstance(bare(default_setting.value), ast.NullLit):
            type_ = ty.optional_of(type_)
        reason = note(f"the type is declared here: {with_article(type_)}", block.labels[1].span) if declared else None
        want = Want(ty.input_of(type_), (reason,) if reason is not None else ())
        default = cx.check(default_setting.value, want)
        default = kept(cx, default, rule, f"config {item.name}", because=want.because, type_=type_)
    nullable = literals.bool_setting(cx, settings, "nullable")
    if nullable and default_setting is None:
        type_ = ty.optional_of(type_)
    secret = literals.bool_setting(cx, settings, "secret")
    logical_name = literals.logical_name(cx, settings, item.name)
    eventual = secret or (default is not None and default.type.eventual) or logical_name in eventual_inputs
    symbol = core.Symbol(
        name=item.name,
        kind=core.SymbolKind.CONFIG,
        type=ty.output_of(type_) if eventual else type_,
        span=item.name_span,
    )
    return ConfigVariable(
        symbol=symbol,
        logical_name=logical_name,
        type=type_,
        default=default,
        secret=secret,
        required=default_setting is None and not nullable and not ty.is_optional(type_),
        description=literals.text_setting(cx, settings, "description") or "",
        span=block.span,
        comments=literals.block_comments(block),
        place=cx.place(item.name_span),
        closing=_inner_comments(block),
        rule=rule,
    )


def _inner_comments(block: ast.Block) -> tuple[str, ...]:
    """Comments inside a block whose attributes become one statement."""
    lines: list[str] = []
    for item in block.body.items:
        lines.extend(lines_of(item.leading))
        lines.extend(lines_of(item.trailing))
    lines.extend(lines_of(block.body.closing))
    return tuple(lines)


def bind_output(cx: Context, item: Item) -> OutputVariable:
    """`output name type { value = … }`."""
    block = item.block
    assert block is not None
    settings = literals.settings(cx, block, _OUTPUT_SETTINGS)
    label = _label(cx, block)
    value = _block_value(cx, item, settings, label)
    type_ = label.type if label is not None else ty.resolve(value.type)
    symbol = core.Symbol(name=item.name, kind=core.SymbolKind.OUTPUT, type=value.type, span=item.name_span)
    return OutputVariable(
        symbol=symbol,
        logical_name=literals.logical_name(cx, settings, item.name),
        type=type_,
        value=value,
        description=literals.text_setting(cx, settings, "description") or "",
        span=block.span,
        comments=literals.block_comments(block),
        closing=_inner_comments(block),
    )


def with_local(output: OutputVariable) -> tuple[Local, OutputVariable]:
    """Split an output that other nodes refer to into a local with its value and an output of that local."""
    symbol = replace(output.symbol, kind=core.SymbolKind.LOCAL, type=ty.without_const(output.value.type))
    local = Local(symbol=symbol, value=output.value, span=output.span, comments=output.comments)
    value = core.Ref(symbol=symbol, type=symbol.type, span=output.value.span)
    return local, replace(output, value=value, comments=core.NO_COMMENTS)


def bind_hook(cx: Context, item: Item) -> Hook | None:
    """`hook resource name { … }` or `hook error name { … }`; None after a report of a wrong kind."""
    block = item.block
    assert block is not None
    kind = block.labels[0]
    if kind.text not in ("resource", "error"):
        cx.report(say.unknown_hook_kind(kind.text, kind.span))
        return None
    is_error = kind.text == "error"
    names = ("command",) if is_error else _HOOK_SETTINGS
    settings = literals.settings(cx, block, names)
    args = core.Symbol(name="args", kind=core.SymbolKind.HOOK_ARGS, type=_hook_args(is_error), span=block.span)
    command = settings.get("command")
    if command is None:
        cx.report(say.missing_setting("command", f"hook {item.name}", 'write command = ["program", …]', block.open_brace))
        value: core.Expr = core.Literal(value=None, type=ty.ERROR, span=block.span)
    else:
        inner = cx.inside(cx.scope.with_names({"args": args}))
        why = because("the command of a hook is a list of strings")
        value = inner.check(command.value, Want(ty.input_of(ty.list_of(ty.input_of(ty.STRING))), why))
    symbol = core.Symbol(
        name=item.name, kind=core.SymbolKind.HOOK, type=ty.ERROR_HOOK if is_error else ty.HOOK, span=item.name_span
    )
    return Hook(
        symbol=symbol,
        is_error_hook=is_error,
        args=args,
        command=value,
        on_dry_run=_flag(cx, settings.get("onDryRun")),
        ignore_errors=_flag(cx, settings.get("ignoreErrors")),
        span=block.span,
        comments=literals.block_comments(block),
        closing=_inner_comments(block),
    )


def _flag(cx: Context, attribute: ast.Attribute | None) -> core.Expr | None:
    if attribute is None:
        return None
    return cx.check(attribute.value, Want(ty.BOOL, because(f"`{attribute.name.text}` is a bool")))


def _hook_args(is_error: bool) -> ty.Type:
    """The type of the arguments of a hook (language.md, Hooks)."""
    state = ty.map_of(ty.DYNAMIC)
    members: dict[str, ty.Type] = {"urn": ty.STRING, "id": ty.ID, "name": ty.STRING, "type": ty.STRING}
    members.update(newInputs=state, oldInputs=state, oldOutputs=state)
    if not is_error:
        members["newOutputs"] = state
    return ty.object_of(members)


def bind_settings(cx: Context, item: Item) -> PulumiSettings:
    """`pulumi { requiredVersionRange = … }`."""
    block = item.block
    assert block is not None
    settings = literals.settings(cx, block, ("requiredVersionRange",))
    version_range = settings.get("requiredVersionRange")
    value = None
    if version_range is not None:
        why = because("`requiredVersionRange` is a string")
        value = fit(cx, cx.synth(version_range.value), Want(ty.input_of(ty.STRING), why))
    return PulumiSettings(required_version_range=value, span=block.span, comments=literals.block_comments(block))


def error_symbol(item: Item, span: Span) -> core.Symbol:
    """The symbol of a name whose node is not yet bound, or cannot be bound."""
    return core.Symbol(name=item.name, kind=core.SymbolKind.LOCAL, type=ty.ERROR, span=span)


# -- inputs and outputs of components ---------------------------------------------------------------------------------------

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
