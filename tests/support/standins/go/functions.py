"""Functions: with values in and out, and with outputs.

Comes in: declarations.  Goes out: Go declarations as text; the functions invoke the engine.
"""

from __future__ import annotations

from string import Template

from tests.support.standins.go import containers
from tests.support.standins.go.names import field_name, lower_first
from tests.support.standins.go.objects import accessors, input_struct, plain_struct
from tests.support.standins.go.spelling import GoFile
from tests.support.standins.schema import Function, Properties, Property, Several, Slot

_PLAIN = Template(
    """
func ${name}(ctx *pulumi.Context${parameters}, opts ...pulumi.InvokeOption) (*${name}Result, error) {
	opts = internal.PkgInvokeDefaultOpts(opts)
${package}	var rv ${name}Result
	err = ctx.${invoke}("${token}", ${argument}, &rv${reference}, opts...)
	if err != nil {
		return nil, err
	}
	return &rv, nil
}
"""
)

# The engine always answers an object; a result that is none is its only property.
_PLAIN_SINGLE = Template(
    """
func ${name}(ctx *pulumi.Context${parameters}, opts ...pulumi.InvokeOption) (${returned}, error) {
	opts = internal.PkgInvokeDefaultOpts(opts)
	var none ${returned}
${package}	var rv map[string]${returned}
	err = ctx.${invoke}("${token}", ${argument}, &rv${reference}, opts...)
	if err != nil {
		return none, err
	}
	for _, found := range rv {
		return found, nil
	}
	return none, nil
}
"""
)

_VOID = Template(
    """
func ${name}(ctx *pulumi.Context${parameters}, opts ...pulumi.InvokeOption) error {
	opts = internal.PkgInvokeDefaultOpts(opts)
${package}	var rv struct{}
	return ctx.${invoke}("${token}", ${argument}, &rv${reference}, opts...)
}
"""
)

_OUTPUT = Template(
    """
func ${name}Output(ctx *pulumi.Context${parameters}, opts ...pulumi.InvokeOption) ${result} {
	return pulumi.ToOutputWithContext(ctx.Context(), ${argument}).
		ApplyT(func(v interface{}) (${result}, error) {
			options := pulumi.InvokeOutputOptions{InvokeOptions: internal.PkgInvokeDefaultOpts(opts)}
${package}			return ctx.InvokeOutput("${token}", ${value}, ${result}{}, options).(${result}), nil
		}).(${result})
}
"""
)

_OUTPUT_SINGLE = Template(
    """
func ${name}Output(ctx *pulumi.Context${parameters}, opts ...pulumi.InvokeOption) ${result} {
	return pulumi.ToOutputWithContext(ctx.Context(), ${argument}).
		ApplyT(func(v interface{}) (${result}, error) {
			options := pulumi.InvokeOutputOptions{InvokeOptions: internal.PkgInvokeDefaultOpts(opts)}
${package}			all := ctx.InvokeOutput("${token}", ${value}, ${whole}{}, options)
			return all.ApplyT(func(vs map[string]${plain}) ${plain} {
				for _, found := range vs {
					return found
				}
				var none ${plain}
				return none
			}).(${result}), nil
		}).(${result})
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


def function_text(file: GoFile, function: Function) -> str:
    """A function with its arguments and its result."""
    name = file.sdk.functions[function.token]
    inputs = function.inputs
    # Positional parameters are collected in structs of the same shape, that are nobody's business.
    args = lower_first(name) if function.positional else name
    text = ""
    if inputs is not None:
        text += plain_struct(file, f"{args}Args", inputs)
    if isinstance(function.result, tuple):
        text += plain_struct(file, f"{name}Result", function.result)
    text += _plain(file, name, args, function)
    if function.result is None or file.sdk.schema.go.get("disableFunctionOutputVersions"):
        return text
    if inputs is not None:
        text += input_struct(file, f"{args}OutputArgs", inputs)
        text += _ELEMENT.substitute(outer=f"{args}OutputArgs", inner=f"{args}Args")
    if isinstance(function.result, tuple):
        text += containers.output_type(f"{name}Result", f"{name}Result")
        text += accessors(file, f"{name}Result", function.result)
    return text + _output(file, name, args, function)


def _ordered(function: Function) -> Properties:
    """The inputs in the order of the positional parameters."""
    found = {p.name: p for p in function.inputs or ()}
    return tuple(found[name] for name in function.positional)


def _parameter(found: Property) -> str:
    name = lower_first(field_name(found.name))
    return f"{name}Arg" if name in ("ctx", "args", "opts") else name


def _collected(function: Function, struct: str) -> str:
    """The positional parameters as a struct."""
    return f"{struct}{{{', '.join(f'{field_name(p.name)}: {_parameter(p)}' for p in _ordered(function))}}}"


def _plain(file: GoFile, name: str, args: str, function: Function) -> str:
    parameters, argument = f", args *{name}Args", "args"
    if function.positional:
        kinds = [f"{_parameter(p)} {file.plain(p.slot.type, optional=not p.required)}" for p in _ordered(function)]
        parameters, argument = "".join(f", {kind}" for kind in kinds), "&" + _collected(function, f"{args}Args")
    elif function.inputs is None:
        parameters, argument = "", "nil"
    values = {"name": name, "token": function.token, "parameters": parameters, "argument": argument}
    values |= {"package": "\tvar err error\n", "invoke": "Invoke", "reference": ""}
    failure = "err" if function.result is None else "none, err" if isinstance(function.result, Slot) else "nil, err"
    if file.sdk.parameterized:
        values["package"] = f"\tref, err := internal.PkgGetPackageRef(ctx)\n\tif err != nil {{\n\t\treturn {failure}\n\t}}\n"
        values |= {"invoke": "InvokePackage", "reference": ", ref"}
    if function.result is None:
        return _VOID.substitute(values | ({} if file.sdk.parameterized else {"package": ""}))
    if isinstance(function.result, Slot):
        kind = file.plain(function.result.type)
        return _PLAIN_SINGLE.substitute(values, returned=kind)
    return _PLAIN.substitute(values)


def _output(file: GoFile, name: str, args: str, function: Function) -> str:
    parameters, argument = f", args {name}OutputArgs", "args"
    if function.positional:
        kinds = [f"{_parameter(p)} {file.field(p.slot, optional=not p.required)}" for p in _ordered(function)]
        parameters, argument = "".join(f", {kind}" for kind in kinds), _collected(function, f"{args}OutputArgs")
    elif function.inputs is None:
        parameters, argument = "", "0"
    result = f"{name}ResultOutput"
    if isinstance(function.result, Slot):
        result = file.output(function.result.type, optional=False)
    package = ""
    if file.sdk.parameterized:
        package = (
            f"\t\t\tref, err := internal.PkgGetPackageRef(ctx)\n\t\t\tif err != nil {{\n"
            f"\t\t\t\treturn {result}{{}}, err\n\t\t\t}}\n\t\t\toptions.PackageRef = ref\n"
        )
    value = "nil" if function.inputs is None else f"v.({args}Args)"
    values = {"name": name, "parameters": parameters, "argument": argument, "result": result, "package": package}
    values |= {"token": function.token, "value": value}
    if isinstance(function.result, Slot):
        whole = file.output(Several(of=function.result, keyed=True), optional=False)
        return _OUTPUT_SINGLE.substitute(values, whole=whole, plain=file.plain(function.result.type))
    return _OUTPUT.substitute(values)
