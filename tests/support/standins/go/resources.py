"""Resources, the provider, and their methods.

Comes in: declarations.  Goes out: Go declarations as text; constructors register with the engine.
"""

from __future__ import annotations

import json
from string import Template

from tests.support.standins.go import containers
from tests.support.standins.go.names import field_name, lower_first, title
from tests.support.standins.go.objects import accessors, plain_struct
from tests.support.standins.go.spelling import GoFile, scalar_stem
from tests.support.standins.reach import replaced_by
from tests.support.standins.schema import Enum, Function, Named, Properties, Property, Resource, Scalar, Several, Slot

_NEW = Template(
    """
func New${name}(ctx *pulumi.Context, name string, args *${name}Args, opts ...pulumi.ResourceOption) (*${name}, error) {
	if args == nil {
		${missing}
	}
${prepare}	opts = internal.PkgResourceDefaultOpts(opts)
	var resource ${name}
${package}	err = ctx.${register}("${token}", name, args, &resource${reference}, opts...)
	if err != nil {
		return nil, err
	}
	return &resource, nil
}
"""
)

_GET = Template(
    """
func Get${name}(ctx *pulumi.Context, name string, id pulumi.IDInput, state *${name}State, opts ...pulumi.ResourceOption) (*${name}, error) {
	var resource ${name}
${package}	err = ctx.${read}("${token}", name, id, state, &resource${reference}, opts...)
	if err != nil {
		return nil, err
	}
	return &resource, nil
}
"""
)

_ELEMENT = Template(
    """
func (${outer}) ElementType() reflect.Type {
	return reflect.TypeOf((*${inner})(nil)).Elem()
}
"""
)

_ACCESSOR = Template(
    """
func (o ${name}Output) ${field}() ${output} {
	return o.ApplyT(func(v *${name}) ${output} { return v.${field} }).(${output})
}
"""
)

_METHOD = Template(
    """
func (r *${name}) ${method}(ctx *pulumi.Context${parameter}) (${result}Output, error) {
${package}	out, err := ctx.${call}("${token}", ${argument}, ${result}Output{}, r${reference})
	if err != nil {
		return ${result}Output{}, err
	}
	return out.(${result}Output), nil
}
"""
)

_LIFTED_METHOD = Template(
    """
func (r *${name}) ${method}(ctx *pulumi.Context${parameter}) (${lifted}, error) {
${package}	out, err := ctx.${call}("${token}", ${argument}, ${result}Output{}, r${reference})
	if err != nil {
		return ${lifted}{}, err
	}
	return out.(${result}Output).${accessor}(), nil
}
"""
)

_VOID_METHOD = Template(
    """
func (r *${name}) ${method}(ctx *pulumi.Context${parameter}) error {
${package}	_, err := ctx.${call}("${token}", ${argument}, pulumi.AnyOutput{}, r${reference})
	return err
}
"""
)

_PLAIN_METHOD = Template(
    """
func (r *${name}) ${method}(ctx *pulumi.Context${parameter}) (o ${plain}, e error) {
${package}	out, err := ctx.${call}("${token}", ${argument}, ${result}Output{}, r${reference})
	if err != nil {
		return o, err
	}
	found, err := internals.UnsafeAwaitOutput(ctx.Context(), out)
	if err != nil {
		return o, err
	}
	if !found.Known || found.Secret {
		return o, errors.New("${token} returned no plain value")
	}
	return found.Value.(${result})${member}, nil
}
"""
)


def resource_text(file: GoFile, resource: Resource) -> str:
    """A resource with all that belongs to it."""
    name = file.sdk.resources[resource.token]
    text = _struct(file, name, resource) + _constructor(file, name, resource)
    if not (resource.provider or resource.component):
        text += _getter(file, name, resource)
    text += _argument_structs(file, name, "Args", resource.inputs)
    text += _forms(file, name, resource)
    for method, token in sorted(resource.methods.items()):
        text += _method(file, name, method, file.sdk.schema.functions[token])
    return text


def _shown_outputs(file: GoFile, resource: Resource) -> Properties:
    """The outputs that the struct has; a provider's are strings, all others go around as JSON texts."""
    if not resource.provider:
        return resource.outputs
    kinds = ((p, file.enum(p.slot.type) or p.slot.type) for p in resource.outputs)
    return tuple(p for p, of in kinds if isinstance(of, Scalar | Enum) and of.kind == "string")


def _struct(file: GoFile, name: str, resource: Resource) -> str:
    state = "Provider" if resource.provider else "" if resource.component else "Custom"
    lines = [f"\tpulumi.{state}ResourceState\n\n"]
    for p in _shown_outputs(file, resource):
        kind = file.output(p.slot.type, optional=not p.required)
        lines.append(f'\t{field_name(p.name, name)} {kind} `pulumi:"{p.name}"`\n')
    return f"\ntype {name} struct {{\n{''.join(lines)}}}\n"


def _package_values(file: GoFile, failure: str) -> dict[str, str]:
    """How a registration names the package, which matters to parameterised ones only."""
    if not file.sdk.parameterized:
        return {"package": "\tvar err error\n", "reference": "", "infix": ""}
    code = f"\tref, err := internal.PkgGetPackageRef(ctx)\n\tif err != nil {{\n\t\treturn {failure}\n\t}}\n"
    return {"package": code, "reference": ", ref", "infix": "Package"}


def _constructor(file: GoFile, name: str, resource: Resource) -> str:
    required = [p for p in resource.inputs if p.required and p.const is None and p.default is None]
    missing = f"args = &{name}Args{{}}"
    if required:
        file.imports["errors"] = "errors"
        missing = 'return nil, errors.New("missing one or more required arguments")'
    prepare = "".join(_check(file, p) for p in required) + "".join(_preparation(file, p) for p in resource.inputs)
    secrets = [p.name for p in _shown_outputs(file, resource) if p.secret]
    replacing = replaced_by(file.sdk.schema, resource)
    for option, names in (("AdditionalSecretOutputs", secrets), ("ReplaceOnChanges", replacing)):
        listed = ", ".join(json.dumps(name) for name in names)
        prepare += f"\topts = append(opts, pulumi.{option}([]string{{{listed}}}))\n" if names else ""
    if resource.aliases:
        listed = ", ".join(f"{{Type: pulumi.String({json.dumps(token)})}}" for token in resource.aliases)
        prepare += f"\topts = append(opts, pulumi.Aliases([]pulumi.Alias{{{listed}}}))\n"
    values = _package_values(file, "nil, err")
    remote = "RemoteComponent" if resource.component else ""
    register = f"Register{values['infix']}{remote}Resource"
    return _NEW.substitute(values, name=name, missing=missing, prepare=prepare, token=resource.token, register=register)


def _check(file: GoFile, found: Property) -> str:
    """Refuse a required argument that was left out, where Go can tell."""
    slot = found.slot
    resource = isinstance(slot.type, Named) and slot.type.kind == "resource"
    if slot.plain and not isinstance(slot.type, Several) and not resource:
        return ""
    field = field_name(found.name)
    message = f"invalid value for required argument '{field}'"
    return f'\tif args.{field} == nil {{\n\t\treturn nil, errors.New("{message}")\n\t}}\n'


def _preparation(file: GoFile, found: Property) -> str:
    """Constants, defaults and secrets."""
    slot, field = found.slot, f"args.{field_name(found.name)}"
    if slot.plain:
        return ""
    text = ""
    value = found.default if found.const is None else found.const
    if value is not None:
        enum = file.enum(slot.type)
        simple = file.simple(slot.type)
        literal = json.dumps(value, ensure_ascii=False)
        if enum is not None and isinstance(slot.type, Named):
            set_value = f"\t\t{field} = {file.name(slot.type)}({literal})\n"
        elif isinstance(simple, Scalar):
            pointer = "" if found.required else "Ptr"
            set_value = f"\t\t{field} = pulumi.{scalar_stem(simple.kind)}{pointer}({literal})\n"
        else:
            set_value = f"\t\t{field} = pulumi.Any({literal})\n"
        condition = f"\tif {field} == nil {{\n" if found.const is None else "\t{\n"
        text += f"{condition}{set_value}\t}}\n"
    if found.secret:
        kind = file.input(slot.type, optional=not found.required)
        text += f"\tif {field} != nil {{\n\t\t{field} = pulumi.ToSecret({field}).({kind})\n\t}}\n"
    return text


def _getter(file: GoFile, name: str, resource: Resource) -> str:
    values = _package_values(file, "nil, err")
    text = _GET.substitute(values, name=name, token=resource.token, read=f"Read{values['infix']}Resource")
    return text + _argument_structs(file, name, "State", resource.state)


def _argument_structs(file: GoFile, name: str, suffix: str, properties: Properties) -> str:
    """What is passed in, and the values that it becomes."""
    inner, outer = f"{lower_first(name)}{suffix}", f"{name}{suffix}"
    lines = [f"\t{field_name(p.name)} {file.field(p.slot, optional=not p.required)}\n" for p in properties]
    text = plain_struct(file, inner, properties) + f"\ntype {outer} struct {{\n{''.join(lines)}}}\n"
    return text + _ELEMENT.substitute(outer=outer, inner=inner)


def _forms(file: GoFile, name: str, resource: Resource) -> str:
    """The resource as an input, an output, and in containers."""
    text = containers.input_interface(name) + containers.conversions(f"*{name}", name, f"*{name}")
    text += containers.registered_input(name, f"&{name}{{}}") + containers.output_type(name, f"*{name}")
    for p in _shown_outputs(file, resource):
        output = file.output(p.slot.type, optional=not p.required)
        text += _ACCESSOR.substitute(name=name, field=field_name(p.name, name), output=output)
    if file.sdk.schema.go.get("generateResourceContainerTypes") and not resource.provider:
        for suffix in ("Array", "Map"):
            text += containers.container(name, suffix, f"*{name}", inward=True)
    return text


def _method(file: GoFile, name: str, method: str, function: Function) -> str:
    """A method; its arguments are a struct of inputs, its result an output, or a value when it is plain."""
    inputs = tuple(p for p in function.inputs or () if p.name != "__self__")
    stem = name + title(method)
    result = f"{stem}Result"
    text = ""
    if inputs:
        inner = f"{lower_first(stem)}Args"
        text += plain_struct(file, inner, inputs)
        lines = [f"\t{field_name(p.name)} {file.method_field(p.slot, optional=not p.required)}\n" for p in inputs]
        text += f"\ntype {stem}Args struct {{\n{''.join(lines)}}}\n" + _ELEMENT.substitute(outer=f"{stem}Args", inner=inner)
    single = isinstance(function.result, Slot)
    lifted = _lifted(file, function)
    if single or lifted is not None:
        result = lower_first(result)
    if function.result is not None:
        properties = _result_properties(function)
        text += plain_struct(file, result, properties) + _result_output(file, result, properties)
    infix = "Package" if file.sdk.parameterized else ""
    failure = "err" if function.result is None else "o, err" if function.plain else f"{result}Output{{}}, err"
    values = {
        **_package_values(file, failure),
        "name": name,
        "method": title(method),
        "parameter": f", args *{stem}Args" if inputs else "",
        "argument": "args" if inputs else "nil",
        "call": f"Call{infix}",
        "token": function.token,
        "result": result,
    }
    if not file.sdk.parameterized:
        values["package"] = ""
    return text + _method_body(file, function, values, lifted)


def _method_body(file: GoFile, function: Function, values: dict[str, str], lifted: Property | None) -> str:
    if function.result is None:
        return _VOID_METHOD.substitute(values)
    result = values["result"]
    if function.plain:
        file.imports["errors"] = "errors"
        file.imports["github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"] = "internals"
        if isinstance(function.result, Slot):
            return _PLAIN_METHOD.substitute(values, plain=file.plain(function.result.type), member=".Res")
        if lifted is not None:
            plain = file.plain(lifted.slot.type, optional=not lifted.required)
            return _PLAIN_METHOD.substitute(values, plain=plain, member=f".{field_name(lifted.name)}")
        return _PLAIN_METHOD.substitute(values, plain=result, member="")
    found = _result_properties(function)[0] if isinstance(function.result, Slot) else lifted
    if found is None:
        return _METHOD.substitute(values)
    output = file.output(found.slot.type, optional=not found.required)
    if file.sdk.parameterized:
        values["package"] = values["package"].replace(f"{result}Output{{}}", f"{output}{{}}")
    return _LIFTED_METHOD.substitute(values, lifted=output, accessor=field_name(found.name))


def _lifted(file: GoFile, function: Function) -> Property | None:
    """The only property of a result, where the schema wants it instead of the result."""
    result = function.result
    if isinstance(result, tuple) and len(result) == 1 and file.sdk.schema.go.get("liftSingleValueMethodReturns"):
        return result[0]
    return None


def _result_properties(function: Function) -> Properties:
    """The properties of a result; one that is no object comes from the engine as `res`."""
    if isinstance(function.result, Slot):
        return (Property(name="res", slot=function.result, required=True, secret=False, const=None, default=None),)
    return function.result or ()


def _result_output(file: GoFile, result: str, properties: Properties) -> str:
    element = _ELEMENT.substitute(outer=f"{result}Output", inner=result)
    text = f"\ntype {result}Output struct{{ *pulumi.OutputState }}\n{element}" + accessors(file, result, properties)
    return text + f"\nfunc init() {{ pulumi.RegisterOutputType({result}Output{{}}) }}\n"
