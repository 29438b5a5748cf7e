"""Resources, the provider, and their methods.

Comes in: declarations.  Goes out: Python as text; constructors register with the engine.
"""

from __future__ import annotations

from string import Template

from tests.support.standins.python import names
from tests.support.standins.python.objects import args_class, getter, result_class
from tests.support.standins.python.spelling import Spelling
from tests.support.standins.reach import replaced_by
from tests.support.standins.schema import Function, Named, Properties, Property, Resource, Scalar, Slot

_CLASS = Template(
    """

@pulumi.type_token("${token}")
class ${name}(pulumi.${base}):
    @overload
    def __init__(__self__, resource_name: str, opts: Optional[pulumi.ResourceOptions] = None${keywords}, __props__=None): ...
    @overload
    def __init__(__self__, resource_name: str, ${args}, opts: Optional[pulumi.ResourceOptions] = None): ...
    def __init__(__self__, resource_name: str, *args, **kwargs):
        resource_args, opts = _utilities.get_resource_args_opts(${args_class}, args, kwargs)
        if resource_args is not None:
            __self__._internal_init(resource_name, opts, **resource_args.__dict__)
        else:
            __self__._internal_init(resource_name, *args, **kwargs)

    def _internal_init(__self__, resource_name: str, opts: Optional[pulumi.ResourceOptions] = None${keywords}, __props__=None):
        opts = pulumi.ResourceOptions.merge(_utilities.get_resource_opts_defaults(), opts)
${existing}            if __props__ is not None:
                raise TypeError("__props__ needs opts.id")
            __props__ = ${args_class}.__new__(${args_class})
${fill}${merge}        super(${name}, __self__).__init__("${type}", resource_name, __props__, opts${more})
"""
)

_EXISTING = "        if opts.id is None:\n"
_NO_EXISTING = (
    "        if opts.id is not None:\n"
    '            raise ValueError("ComponentResource classes do not support opts.id")\n'
    "        else:\n"
)

_GET = Template(
    """
    @staticmethod
    def get(resource_name: str, id: pulumi.Input[str], opts: Optional[pulumi.ResourceOptions] = None${keywords}) -> "${name}":
        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(id=id))
        __props__ = ${state}.__new__(${state})
${fill}        return ${name}(resource_name, opts=opts, __props__=__props__)
"""
)


def resource_text(spelling: Spelling, resource: Resource) -> str:
    """A resource with the class of its arguments."""
    provider = resource.provider
    name = "Provider" if provider else names.class_name(resource.token)
    args = spelling.sdk.args_class(resource.token)
    base = "ProviderResource" if provider else "ComponentResource" if resource.component else "CustomResource"
    needed = any(p.required and p.const is None for p in resource.inputs)
    with_package = ", package_ref=_utilities.get_package()" if spelling.sdk.schema.parameter else ""
    outputs = tuple(p for p in resource.outputs if _is_attribute(spelling, resource, p))
    text = args_class(spelling, args, resource.inputs)
    state = f"_{name}State" if resource.state else args
    if resource.state and not resource.component:
        text += args_class(spelling, state, resource.state)
    text += _CLASS.substitute(
        token=resource.token,
        name=name,
        base=base,
        args_class=args,
        args=f"args: {args}" if needed else f"args: Optional[{args}] = None",
        keywords=_keywords(spelling, resource.inputs),
        existing=_NO_EXISTING if resource.component else _EXISTING,
        fill=_fill(spelling, resource, outputs),
        merge=_merges(spelling, resource),
        type=spelling.sdk.schema.name if provider else resource.token,
        more=(", remote=True" if resource.component else "") + with_package,
    )
    if not provider and not resource.component:
        keep = {p.name for p in resource.state}
        stored = "".join(_store(p.name, names.argument(p.name)) for p in resource.state)
        stored += "".join(_store(p.name, "None") for p in outputs if p.name not in keep)
        keywords = _keywords(spelling, resource.state)
        text += _GET.substitute(name=name, state=state, keywords=keywords, fill=stored.replace("            ", "        "))
    text += "".join(getter(p, f"pulumi.Output[{spelling.value(p, 'output')}]") for p in outputs)
    functions = spelling.sdk.schema.functions
    return text + "".join(_method(spelling, name, key, functions[token]) for key, token in resource.methods.items())


def _is_attribute(spelling: Spelling, resource: Resource, found: Property) -> bool:
    """The engine has these; of a provider's properties, it answers texts only."""
    return _is_text(spelling, found) if resource.provider else found.name not in ("id", "urn")


def _is_text(spelling: Spelling, found: Property) -> bool:
    """A string or an enumeration of strings: what the engine takes from a provider's program as it is."""
    element = found.slot.type
    if isinstance(element, Named):
        enum = spelling.world.home(element, spelling.sdk).schema.enums.get(element.token)
        return enum is not None and enum.kind == "string"
    return isinstance(element, Scalar) and element.kind == "string"


def _keywords(spelling: Spelling, properties: Properties) -> str:
    texts = [spelling.argument(p, "both", needed=False) for p in properties]
    return "".join(f", {names.argument(p.name)}: {text} = None" for p, text in zip(properties, texts, strict=True))


def _store(name: str, value: str) -> str:
    return f'            __props__.__dict__["{names.attribute(name)}"] = {value}\n'


def _fill(spelling: Spelling, resource: Resource, outputs: Properties) -> str:
    """What is registered for each input; the outputs that are none are there, too, so that they get values."""
    lines = []
    for found in resource.inputs:
        key = names.argument(found.name)
        default = _default(found)
        if default:
            lines.append(f"            if {key} is None:\n                {key} = {default}\n")
        if found.required and found.const is None:
            lines.append(f"            if {key} is None and not opts.urn:\n")
            lines.append(f'                raise TypeError("Missing required property \'{key}\'")\n')
        value = repr(found.const) if found.const is not None else key
        as_json = resource.provider and not _is_text(spelling, found) and found.const is None
        if found.secret:
            value = f"None if {key} is None else pulumi.Output.secret({value})"
        if as_json:
            inner = f"pulumi.Output.secret({key})" if found.secret else f"pulumi.Output.from_input({key})"
            value = f"{inner}.apply(pulumi.runtime.to_json) if {key} is not None else None"
        lines.append(_store(found.name, value))
    given = {found.name for found in resource.inputs}
    return "".join([*lines, *(_store(p.name, "None") for p in outputs if p.name not in given)])


def _default(found: Property) -> str:
    kind = found.slot.type.kind if isinstance(found.slot.type, Scalar) else "string"
    suffix = {"boolean": "_bool", "integer": "_int", "number": "_float", "string": ""}[kind]
    listed = ", ".join(repr(name) for name in found.environment)
    parts = [f"_utilities.get_env{suffix}({listed})"] if listed else []
    if found.default is not None:
        # A missing variable and a wrong one are None; whatever else it says counts.
        parts = [f"_utilities.first({parts[0]}, {found.default!r})"] if parts else [repr(found.default)]
    return parts[0] if parts else ""


def _merges(spelling: Spelling, resource: Resource) -> str:
    """The options that every such resource has."""
    options = []
    if resource.aliases:
        aliases = ", ".join(f'pulumi.Alias(type_="{token}")' for token in resource.aliases)
        options.append(f"aliases=[{aliases}]")
    secrets = [p.name for p in resource.outputs if p.secret and _is_attribute(spelling, resource, p)]
    if secrets:
        options.append(f"additional_secret_outputs={secrets!r}")
    replacing = replaced_by(spelling.sdk.schema, resource)
    if replacing:
        options.append(f"replace_on_changes={replacing!r}")
    merge = "        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions({}))\n"
    return "".join(merge.format(option) for option in options)


def _method(spelling: Spelling, owner: str, key: str, function: Function) -> str:
    """A method; its results are classes within the resource's class."""
    name = names.attribute(key)
    given = tuple(p for p in function.inputs or () if p.name != "__self__")
    stem = names.upper_first(key)
    text, wanted, kind = "", "None", ""
    lifted = ""
    if isinstance(function.result, Slot):
        kind = wanted = spelling.of(function.result, "output")
    elif function.result is not None:
        kind, wanted = f"{owner}.{stem}Result", f"'{owner}.{stem}Result'"
        text = result_class(spelling, f"{stem}Result", function.result, "output").replace("\n", "\n    ").rstrip(" ")
        if len(function.result) == 1 and spelling.sdk.schema.language("python").get("liftSingleValueMethodReturns"):
            lifted = names.attribute(function.result[0].name)
            wanted = spelling.value(function.result[0], "output")
    star = ", *" if given else ""
    keywords = "".join(f", {_method_parameter(spelling, p)}" for p in sorted(given, key=lambda p: not p.required))
    returned = wanted if wanted == "None" or function.plain else f"pulumi.Output[{wanted}]"
    lines = [f"\n    def {name}(__self__{star}{keywords}) -> {returned}:", "        __args__: dict[str, Any] = {}"]
    lines.append('        __args__["__self__"] = __self__')
    lines += [f'        __args__["{p.name}"] = {names.attribute(p.name)}' for p in given]
    typ = ", typ=" + kind.replace("'", "") if isinstance(function.result, tuple) else ""
    package = ", package_ref=_utilities.get_package()" if spelling.sdk.schema.parameter else ""
    # The engine always answers an object; a result that is none is its only property.
    caller = "pulumi.runtime.call_single" if isinstance(function.result, Slot) else "pulumi.runtime.call"
    made = f'{caller}("{function.token}", __args__, res=__self__{typ}{package})'
    made = f"_utilities.plain({made})" if function.plain else made
    made = f"{made}.{lifted}" if lifted else made
    return text + "\n".join([*lines, f"        {'' if wanted == 'None' else 'return '}{made}"]) + "\n"


def _method_parameter(spelling: Spelling, found: Property) -> str:
    text = spelling.argument(found, "both")
    return f"{names.attribute(found.name)}: {text}{'' if found.required else ' = None'}"
