"""What the classes and functions do: JavaScript that registers with the engine.

Comes in: declarations of a schema.  Goes out: text for `.js` files.
"""

from __future__ import annotations

import json
from string import Template
from typing import Any

from tests.support.standins.reach import replaced_by
from tests.support.standins.schema import Enum, Function, Property, Resource, Scalar, Slot
from tests.support.standins.typescript import names
from tests.support.standins.typescript.declarations import attributes, is_text, lifts, positional
from tests.support.standins.typescript.spelling import Sdk, Spelling

UTILITIES = Template(
    """"use strict";
const pulumi = require("@pulumi/pulumi");

function getEnv(...names) {
    return names.map((name) => process.env[name]).find((value) => value);
}

function fromEnv(kind, names) {
    const text = getEnv(...names);
    if (text === undefined || kind === "string") {
        return text;
    }
    if (kind === "boolean") {
        return { 1: true, t: true, T: true, true: true, TRUE: true, True: true }[text]
            ?? { 0: false, f: false, F: false, false: false, FALSE: false, False: false }[text];
    }
    return Number.isNaN(parseFloat(text)) ? undefined : parseFloat(text);
}

function resourceOptsDefaults() {
    return ${defaults};
}
exports.resourceOptsDefaults = resourceOptsDefaults;

function input(found, value) {
    if (found.const !== undefined) {
        return found.const;
    }
    if (value === undefined || value === null) {
        value = (found.env && fromEnv(found.kind, found.env)) ?? found.default;
    }
    if (found.secret) {
        value = value === undefined ? undefined : pulumi.secret(value);
    }
    return found.json ? pulumi.output(value).apply(JSON.stringify) : value;
}

exports.prepare = function (kind, args, opts) {
    opts = opts || {};
    const inputs = {};
    for (const name of kind.outputs) {
        inputs[name] = undefined;
    }
    if (opts.id && kind.state) {
        for (const name of kind.state) {
            inputs[name] = args?.[name];
        }
    } else {
        for (const found of kind.inputs) {
            if (found.required && args?.[found.name] === undefined && !opts.urn) {
                throw new Error(`Missing required property '$${found.name}'`);
            }
            inputs[found.name] = input(found, args?.[found.name]);
        }
    }
    opts = pulumi.mergeOptions(resourceOptsDefaults(), opts);
    for (const extra of kind.options) {
        opts = pulumi.mergeOptions(opts, extra);
    }
    return [inputs, opts];
};

exports.isInstance = function (type, obj) {
    return obj !== undefined && obj !== null && obj["__pulumiType"] === type;
};

exports.plain = async function (output) {
    const value = await output.promise(true);
    if (!(await output.isKnown) || (await output.isSecret)) {
        throw new Error("a plain method answered what is no plain value");
    }
    return value;
};

exports.getConfig = function (config, kind, name, env, fallback) {
    const getters = { boolean: "getBoolean", integer: "getNumber", number: "getNumber", string: "get" };
    return config[getters[kind] ?? "getObject"](name) ?? fromEnv(kind, env) ?? fallback;
};
"""
)

_PACKAGE = Template(
    """
const { registerPackage } = require("@pulumi/pulumi/runtime/settings");

exports.getPackage = function () {
    return registerPackage(${args});
};
"""
)

_CLASS = Template(
    """
const ${name}Kind = ${kind};

class ${name} extends pulumi.${base} {
${get}    static isInstance(obj) {
        return utilities.isInstance(${tag}, obj);
    }
    constructor(name, args, opts) {
        const [inputs, options] = utilities.prepare(${name}Kind, args, opts);
        super(${type}, name, inputs, options${more});
    }
${methods}}
${name}.__pulumiType = ${type};
exports.${name} = ${name};
"""
)


def utilities(sdk: Sdk) -> str:
    """What the modules of a package share."""
    schema = sdk.schema
    defaults = {"version": schema.version, "pluginDownloadURL": schema.plugin_url}
    text = UTILITIES.substitute(defaults=json.dumps({key: value for key, value in defaults.items() if value}))
    if schema.parameter is None:
        return text
    args = {
        "baseProviderName": schema.parameter.base,
        "baseProviderVersion": schema.parameter.version,
        "baseProviderDownloadUrl": schema.plugin_url,
        "packageName": schema.name,
        "packageVersion": schema.version,
        "base64Parameter": schema.parameter.value,
        "extension": schema.parameter.extension,
    }
    return text + _PACKAGE.substitute(args=json.dumps(args))


def resource_body(spelling: Spelling, resource: Resource) -> str:
    """A class that registers."""
    sdk = spelling.sdk
    name = "Provider" if resource.provider else names.class_name(resource.token)
    base = "ProviderResource" if resource.provider else "ComponentResource" if resource.component else "CustomResource"
    more = {"ProviderResource": ", false", "ComponentResource": ", true", "CustomResource": ", false"}[base]
    more = f"{more}, utilities.getPackage()" if sdk.schema.parameter else more if resource.component else ""
    state = [p.name for p in resource.state]
    get = f"    static get(name, id, {'state, ' if state else ''}opts) {{\n"
    get += f"        return new {name}(name, {'state' if state else 'undefined'}, {{ ...opts, id: id }});\n    }}\n"
    custom = base == "CustomResource"
    kind: dict[str, Any] = {
        "inputs": [_input(spelling, resource, p) for p in resource.inputs],
        "outputs": [p.name for p in attributes(spelling, resource)],
        "options": _options(spelling, resource),
    }
    kind |= {"state": state} if custom else {}
    return _CLASS.substitute(
        name=name,
        kind=json.dumps(kind),
        base=base,
        get=get if custom else "",
        tag=json.dumps(resource.token),
        type=json.dumps(sdk.schema.name if resource.provider else resource.token),
        more=more,
        methods="".join(_method(sdk, key, sdk.schema.functions[token]) for key, token in resource.methods.items()),
    )


def _input(spelling: Spelling, resource: Resource, found: Property) -> dict[str, Any]:
    """What is registered for an input."""
    marks: dict[str, Any] = {"name": found.name}
    if found.required and found.const is None:
        marks["required"] = True
    if found.const is not None:
        marks["const"] = found.const
    if found.default is not None:
        marks["default"] = found.default
    if found.environment:
        marks |= {"env": found.environment, "kind": found.slot.type.kind if isinstance(found.slot.type, Scalar) else ""}
    if found.secret:
        marks["secret"] = True
    if resource.provider and not is_text(spelling.sdk, spelling, found):
        marks["json"] = True
    return marks


def _options(spelling: Spelling, resource: Resource) -> list[dict[str, Any]]:
    """The options that every such resource has."""
    options: list[dict[str, Any]] = []
    if resource.aliases:
        options.append({"aliases": [{"type": token} for token in resource.aliases]})
    secrets = [p.name for p in attributes(spelling, resource) if p.secret]
    if secrets:
        options.append({"additionalSecretOutputs": secrets})
    replacing = replaced_by(spelling.sdk.schema, resource)
    if replacing:
        options.append({"replaceOnChanges": replacing})
    return options


def _method(sdk: Sdk, key: str, function: Function) -> str:
    given = [p.name for p in function.inputs or () if p.name != "__self__"]
    props = "".join(f", {json.dumps(name)}: args?.[{json.dumps(name)}]" for name in given)
    package = ", utilities.getPackage()" if sdk.schema.parameter else ""
    # The engine always answers an object; a result that is none is its only property.
    caller = "callSingle" if isinstance(function.result, Slot) else "call"
    made = f'pulumi.runtime.{caller}({json.dumps(function.token)}, {{ "__self__": this{props} }}, this{package})'
    made = f"utilities.plain({made})" if function.plain else made
    if lifts(sdk, function) and isinstance(function.result, tuple):
        made = f"{made}.{function.result[0].name}"
    returned = made if function.result is None else f"return {made}"
    return f"    {key}({'args' if given else ''}) {{\n        {returned};\n    }}\n"


def function_body(sdk: Sdk, function: Function) -> str:
    """A function and its form with outputs."""
    name = names.function_name(function.token)
    single = "Single" if isinstance(function.result, Slot) else ""
    package = ", utilities.getPackage()" if sdk.schema.parameter else ""
    parameters = eventual = "opts" if function.inputs is None else "args, opts"
    props = ", ".join(f"{json.dumps(p.name)}: args?.[{json.dumps(p.name)}]" for p in function.inputs or ())
    if function.positional:
        parameters = eventual = ", ".join(p.name for p in positional(function)) + ", opts"
        props = ", ".join(f"{json.dumps(p.name)}: {p.name}" for p in positional(function))
    elif not function.inputs:
        eventual = "opts"
    merged = "pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts || {})"
    text = ""
    for suffix, call, given in (("", f"invoke{single}", parameters), ("Output", f"invoke{single}Output", eventual)):
        if suffix and function.result is None:
            continue
        invoked = f"pulumi.runtime.{call}({json.dumps(function.token)}, {{ {props} }}, {merged}{package})"
        text += f"\nfunction {name}{suffix}({given}) {{\n    return {invoked};\n}}\n"
        text += f"exports.{name}{suffix} = {name}{suffix};\n"
    return text


def enum_body(enum: Enum) -> str:
    """An enumeration."""
    name = names.class_name(enum.token)
    members = {names.enum_member(name, label, value): value for label, value in enum.members}
    return f"exports.{name} = {json.dumps(members)};\n"


def config_body(sdk: Sdk) -> str:
    """The settings, read when they are asked for."""
    lines = [f"const config = new pulumi.Config({json.dumps(sdk.schema.name)});\n"]
    for found in sdk.schema.config:
        kind = found.slot.type.kind if isinstance(found.slot.type, Scalar) else "object"
        args = ", ".join(json.dumps(part) for part in (kind, found.name, list(found.environment), found.default))
        lines.append(f"Object.defineProperty(exports, {json.dumps(found.name)}, {{\n")
        lines.append(f"    get: () => utilities.getConfig(config, {args.replace(', null', ', undefined')}),\n")
        lines.append("    enumerable: true,\n});\n")
    return "".join(lines)
