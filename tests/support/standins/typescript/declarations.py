"""Declarations of resources, functions, object types, enumerations and config: what tsc reads.

Comes in: declarations of a schema.  Goes out: text for `.d.ts` files.
"""

from __future__ import annotations

import json

from tests.support.standins.schema import Enum, Function, Named, Properties, Property, Resource, Scalar, Slot
from tests.support.standins.typescript import names
from tests.support.standins.typescript.spelling import Sdk, Side, Spelling


def interface(name: str, members: str) -> str:
    """An interface."""
    return f"export interface {name} {{{members} }}\n"


def object_type(spelling: Spelling, token: str, side: Side) -> str:
    """The interface of an object type."""
    properties = spelling.sdk.schema.objects[token]
    needed = spelling.sdk.required(token, properties, side)
    members = [_output_member(p, spelling, needed) if side == "output" else "" for p in properties]
    text = "".join(members) if side == "output" else spelling.members(properties, side, needed=needed)
    return interface(spelling.sdk.type_name(token, side), text)


def _output_member(found: Property, spelling: Spelling, needed: frozenset[str]) -> str:
    """Members of values within others are not read-only."""
    return f" {spelling.member(found, 'output', needed).removeprefix('readonly ')};"


def enum_type(enum: Enum) -> str:
    """An enumeration: an object of its members, and the type of these."""
    name = names.class_name(enum.token)
    members = {names.enum_member(name, label, value): json.dumps(value) for label, value in enum.members}
    body = " ".join(f"readonly {names.key(key)}: {value};" for key, value in members.items())
    return f"export declare const {name}: {{ {body} }};\nexport type {name} = (typeof {name})[keyof typeof {name}];\n"


def is_text(sdk: Sdk, spelling: Spelling, found: Property) -> bool:
    """Whether the engine takes a provider's setting as it is: a string, or an enumeration of strings."""
    element = found.slot.type
    if isinstance(element, Named):
        enum = spelling.world.home(element, sdk).schema.enums.get(element.token)
        return enum is not None and enum.kind == "string"
    return isinstance(element, Scalar) and element.kind == "string"


def attributes(spelling: Spelling, resource: Resource) -> Properties:
    """The outputs that are properties of the class."""
    if resource.provider:
        return tuple(p for p in resource.outputs if is_text(spelling.sdk, spelling, p))
    return tuple(p for p in resource.outputs if p.name not in ("id", "urn"))


def resource_type(spelling: Spelling, resource: Resource) -> str:
    """A class with the interfaces of its arguments."""
    name = "Provider" if resource.provider else names.class_name(resource.token)
    base = "ProviderResource" if resource.provider else "ComponentResource" if resource.component else "CustomResource"
    options = "pulumi.ResourceOptions" if resource.provider else f"pulumi.{base}Options"
    optional = "" if any(p.required for p in resource.inputs) else "?"
    lines = [f"static isInstance(obj: any): obj is {name};"]
    text = interface(f"{name}Args", spelling.members(resource.inputs, "input"))
    if not resource.provider and not resource.component:
        state = f"state?: {name}State, " if resource.state else ""
        head = "static get(name: string, id: pulumi.Input<pulumi.ID>, "
        lines.append(f"{head}{state}opts?: {options}): {name};")
        if resource.state:
            text += interface(f"{name}State", spelling.members(resource.state, "input"))
    outputs = attributes(spelling, resource)
    lines += [f"readonly {names.key(found.name)}: pulumi.Output<{spelling.value(found)}>;" for found in outputs]
    lines.append(f"constructor(name: string, args{optional}: {name}Args, opts?: {options});")
    functions = spelling.sdk.schema.functions
    inner = ""
    for key, token in resource.methods.items():
        line, extra = _method(spelling, name, key, functions[token])
        lines.append(line)
        inner += extra
    text += f"export declare class {name} extends pulumi.{base} {{\n    " + "\n    ".join(lines) + "\n}\n"
    return text + (f"export declare namespace {name} {{\n{inner}}}\n" if inner else "")


def _method(spelling: Spelling, owner: str, key: str, function: Function) -> tuple[str, str]:
    """The method, and what it adds to the namespace of its class."""
    stem = names.upper_first(key)
    given = tuple(p for p in function.inputs or () if p.name != "__self__")
    extra = parameter = ""
    if given:
        extra = interface(f"{stem}Args", spelling.members(given, "input"))
        parameter = f"args{'' if any(p.required for p in given) else '?'}: {owner}.{stem}Args"
    returned = "void"
    if isinstance(function.result, Slot):
        returned = spelling.bare(function.result.type, "output")
    elif function.result is not None:
        extra += interface(f"{stem}Result", spelling.members(function.result, "output"))
        returned = f"{owner}.{stem}Result"
        if lifts(spelling.sdk, function):
            returned = spelling.value(function.result[0])
    wrapped = f"{'Promise' if function.plain else 'pulumi.Output'}<{returned}>"
    return f"{names.key(key)}({parameter}): {'void' if function.result is None else wrapped};", extra


def lifts(sdk: Sdk, function: Function) -> bool:
    """Whether a method answers the only property of its result."""
    lift = sdk.schema.language("nodejs").get("liftSingleValueMethodReturns")
    return bool(lift) and isinstance(function.result, tuple) and len(function.result) == 1


def positional(function: Function) -> list[Property]:
    """The parameters of a function that takes them one by one."""
    found = {p.name: p for p in function.inputs or ()}
    return [found[name] for name in function.positional]


def function_type(spelling: Spelling, function: Function) -> str:
    """A function, its form with outputs, and the interfaces of its arguments and its result."""
    name = names.function_name(function.token)
    stem = names.upper_first(name)
    text, returned = "", "void"
    if isinstance(function.result, Slot):
        returned = spelling.bare(function.result.type, "output")
    elif function.result is not None:
        text, returned = interface(f"{stem}Result", spelling.members(function.result, "output")), f"{stem}Result"
    forms: list[tuple[str, Side, str]] = [("", "plain", "Promise")]
    forms += [("Output", "input", "pulumi.Output")] if function.result is not None else []
    for suffix, side, wrapper in forms:
        parameters = ""
        if function.positional:
            given = [(p, spelling.given(p, side, p.required)) for p in positional(function)]
            parameters = "".join(f"{p.name}{'' if p.required else '?'}: {kind}, " for p, kind in given)
        elif function.inputs or (function.inputs is not None and not suffix):
            optional = "" if any(p.required for p in function.inputs) else "?"
            parameters = f"args{optional}: {stem}{suffix}Args, "
            text += interface(f"{stem}{suffix}Args", spelling.members(function.inputs, side))
        text += f"export declare function {name}{suffix}({parameters}opts?: pulumi.Invoke{suffix}Options)"
        text += f": {wrapper}<{returned}>;\n"
    return text


def config_types(spelling: Spelling) -> str:
    """The settings, as they are read."""
    lines = []
    for found in spelling.sdk.schema.config:
        text = spelling.bare(found.slot.type, "output")
        known = found.default is not None or text == "any"
        lines.append(f"export declare const {found.name}: {text if known else f'{text} | undefined'};\n")
    return "".join(lines)
