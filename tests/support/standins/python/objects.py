"""Enumerations, classes and dictionaries of arguments, classes of values.

Comes in: declarations.  Goes out: Python as text.
"""

from __future__ import annotations

from collections.abc import Iterable
from string import Template

from tests.support.standins.python import names
from tests.support.standins.python.spelling import Side, Spelling
from tests.support.standins.schema import Enum, Properties, Property

_ENUM_BASES = {"boolean": "int", "integer": "int", "number": "float", "string": "str"}

_GETTER = Template(
    """
    @_builtins.property
    @pulumi.getter${renamed}
    def ${name}(self) -> ${type}:
        return pulumi.get(self, "${name}")
"""
)

_SETTER = Template(
    """
    @${name}.setter
    def ${name}(self, value: ${type}):
        pulumi.set(self, "${name}", value)
"""
)


def ordered(properties: Properties) -> list[Property]:
    """The needed ones first, as parameters have them."""
    return sorted(properties, key=lambda found: not found.required)


def getter(found: Property, annotation: str) -> str:
    """A property of a class."""
    name = names.attribute(found.name)
    renamed = "" if name == found.name else f'(name="{found.name}")'
    return _GETTER.substitute(name=name, renamed=renamed, type=annotation)


def enum_text(enum: Enum) -> str:
    """An enumeration."""
    name = names.class_name(enum.token)
    lines = [f'\n\n@pulumi.type_token("{enum.token}")', f"class {name}(_builtins.{_ENUM_BASES[enum.kind]}, Enum):"]
    members = {names.enum_member(name, label, value): value for label, value in enum.members}
    return "\n".join([*lines, *(f"    {key} = {value!r}" for key, value in members.items())]) + "\n"


def fill(properties: Iterable[Property]) -> str:
    """The body that stores arguments: what is fixed, and what a missing one becomes."""
    properties = list(properties)
    fixed = {names.attribute(p.name): p.const for p in properties if p.const is not None}
    defaults = {names.attribute(p.name): p.default for p in properties if p.default is not None}
    lines = [f'        pulumi.set(__self__, "{key}", {value!r})\n' for key, value in fixed.items()]
    for key, default in defaults.items():
        lines.append(f"        if {key} is None:\n            {key} = {default!r}\n")
    for found in ordered(tuple(properties)):
        key = names.attribute(found.name)
        store = f'pulumi.set(__self__, "{key}", {key})\n'
        if key not in fixed:
            lines.append(f"        {store}" if found.required else f"        if {key} is not None:\n            {store}")
    return "".join(lines) or "        pass\n"


def signature(parameters: Iterable[str]) -> str:
    """Keyword parameters of a constructor."""
    found = list(parameters)
    return f"    def __init__(__self__{', *' if found else ''}{''.join(f', {p}' for p in found)}):\n"


def args_class(spelling: Spelling, name: str, properties: Properties, *, plain: bool = False) -> str:
    """A class of arguments."""
    parameters, members = [], []
    for found in ordered(properties):
        annotation = spelling.argument(found, "class", plain=plain)
        parameters.append(f"{names.attribute(found.name)}: {annotation}{'' if found.required else ' = None'}")
        setter = _SETTER.substitute(name=names.attribute(found.name), type=annotation)
        members.append(getter(found, annotation) + setter)
    head = f"\n\n@pulumi.input_type\nclass {name}:\n"
    return head + signature(parameters) + fill(properties) + "".join(members)


def args_dict(spelling: Spelling, name: str, properties: Properties, *, plain: bool = False) -> str:
    """A dictionary of arguments."""
    lines = [f"    {names.attribute(p.name)}: {spelling.entry(p, plain=plain)}\n" for p in ordered(properties)]
    return f"\n\nclass {name}(TypedDict):\n" + ("".join(lines) or "    pass\n")


def output_class(spelling: Spelling, name: str, properties: Properties, side: Side) -> str:
    """A class of values within others, which is a dictionary, too."""
    parameters, members = [], []
    for found in ordered(properties):
        annotation = spelling.value(found, side)
        parameters.append(f"{names.attribute(found.name)}: {annotation}{'' if found.required else ' = None'}")
        members.append(getter(found, annotation))
    head = f"\n\n@pulumi.output_type\nclass {name}(dict):\n"
    return head + signature(parameters) + fill(properties) + "".join(members)


def result_class(spelling: Spelling, name: str, properties: Properties, side: Side) -> str:
    """A class of what a function answers."""
    keys = [names.attribute(found.name) for found in properties]
    head = f"\n\n@pulumi.output_type\nclass {name}:\n"
    init = f"    def __init__(__self__{''.join(f', {key}=None' for key in keys)}):\n"
    body = "".join(f'        pulumi.set(__self__, "{key}", {key})\n' for key in keys) or "        pass\n"
    return head + init + body + "".join(getter(p, spelling.value(p, side)) for p in properties)
