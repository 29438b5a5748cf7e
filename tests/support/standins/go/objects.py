"""Object types and enumerations: a plain struct or constants, what is passed in, and outputs with accessors.

Comes in: declarations with the forms that are used.  Goes out: Go declarations as text.
"""

from __future__ import annotations

import json
from string import Template

from tests.support.standins.go import containers
from tests.support.standins.go.names import accessor_name, field_name, lower_first, member_name, pointer_accessor_name
from tests.support.standins.go.spelling import GoFile, plain_scalar, scalar_stem
from tests.support.standins.go.usage import Forms
from tests.support.standins.schema import Enum, Properties

_POINTER_INPUT = Template(
    """
func (i ${stem}Args) To${stem}PtrOutput() ${stem}PtrOutput {
	return i.To${stem}PtrOutputWithContext(context.Background())
}

func (i ${stem}Args) To${stem}PtrOutputWithContext(ctx context.Context) ${stem}PtrOutput {
	return pulumi.ToOutputWithContext(ctx, i).(${stem}Output).To${stem}PtrOutputWithContext(ctx)
}

type ${small}PtrType ${stem}Args

func ${stem}Ptr(v *${stem}Args) ${stem}PtrInput { return (*${small}PtrType)(v) }
"""
)

_ACCESSOR = Template(
    """
func (o ${stem}Output) ${method}() ${output} {
	return o.ApplyT(func(v ${value}) ${plain} { return v.${field} }).(${output})
}
"""
)

_POINTER_ACCESSOR = Template(
    """
func (o ${stem}PtrOutput) ${method}() ${output} {
	return o.ApplyT(func(v *${stem}) ${plain} {
		if v == nil {
			return nil
		}
		return ${reference}v.${field}
	}).(${output})
}
"""
)

_ENUM_INPUT = Template(
    """
func (e ${enum}) To${enum}PtrOutput() ${enum}PtrOutput {
	return e.To${enum}PtrOutputWithContext(context.Background())
}

func (e ${enum}) To${enum}PtrOutputWithContext(ctx context.Context) ${enum}PtrOutput {
	return e.To${enum}OutputWithContext(ctx).To${enum}PtrOutputWithContext(ctx)
}

func (e ${enum}) To${base}Output() pulumi.${base}Output {
	return pulumi.ToOutput(pulumi.${base}(e)).(pulumi.${base}Output)
}

func (e ${enum}) To${base}OutputWithContext(ctx context.Context) pulumi.${base}Output {
	return pulumi.ToOutputWithContext(ctx, pulumi.${base}(e)).(pulumi.${base}Output)
}

func (e ${enum}) To${base}PtrOutput() pulumi.${base}PtrOutput {
	return pulumi.${base}(e).To${base}PtrOutputWithContext(context.Background())
}

func (e ${enum}) To${base}PtrOutputWithContext(ctx context.Context) pulumi.${base}PtrOutput {
	return pulumi.${base}(e).To${base}OutputWithContext(ctx).To${base}PtrOutputWithContext(ctx)
}

type ${small}Ptr ${native}

func ${enum}Ptr(v ${native}) ${enum}PtrInput { return (*${small}Ptr)(&v) }
"""
)

_ENUM_OUTPUT = Template(
    """
func (o ${enum}Output) To${base}Output() pulumi.${base}Output {
	return o.To${base}OutputWithContext(context.Background())
}

func (o ${enum}Output) To${base}OutputWithContext(ctx context.Context) pulumi.${base}Output {
	return o.ApplyTWithContext(ctx, func(_ context.Context, e ${enum}) ${native} {
		return ${native}(e)
	}).(pulumi.${base}Output)
}

func (o ${enum}Output) To${base}PtrOutput() pulumi.${base}PtrOutput {
	return o.To${base}PtrOutputWithContext(context.Background())
}

func (o ${enum}Output) To${base}PtrOutputWithContext(ctx context.Context) pulumi.${base}PtrOutput {
	return o.ApplyTWithContext(ctx, func(_ context.Context, e ${enum}) *${native} {
		v := ${native}(e)
		return &v
	}).(pulumi.${base}PtrOutput)
}

func (o ${enum}PtrOutput) To${base}PtrOutput() pulumi.${base}PtrOutput {
	return o.To${base}PtrOutputWithContext(context.Background())
}

func (o ${enum}PtrOutput) To${base}PtrOutputWithContext(ctx context.Context) pulumi.${base}PtrOutput {
	return o.ApplyTWithContext(ctx, func(_ context.Context, e *${enum}) *${native} {
		if e == nil {
			return nil
		}
		v := ${native}(*e)
		return &v
	}).(pulumi.${base}PtrOutput)
}
"""
)


def plain_struct(file: GoFile, name: str, properties: Properties) -> str:
    """A struct of values."""
    return _struct(name, [(p.name, file.plain(p.slot.type, optional=not p.required)) for p in properties])


def input_struct(file: GoFile, name: str, properties: Properties) -> str:
    """A struct of what is passed in."""
    return _struct(name, [(p.name, file.field(p.slot, optional=not p.required)) for p in properties])


def _struct(name: str, fields: list[tuple[str, str]]) -> str:
    lines = [f'\t{field_name(wire)} {kind} `pulumi:"{wire}"`\n' for wire, kind in fields]
    return f"\ntype {name} struct {{\n{''.join(lines)}}}\n"


def accessors(file: GoFile, name: str, properties: Properties) -> str:
    """The methods of `<name>Output` that reach into the struct."""
    return "".join(
        _ACCESSOR.substitute(
            stem=name,
            method=accessor_name(p.name),
            output=file.output(p.slot.type, optional=not p.required),
            value=name,
            plain=file.plain(p.slot.type, optional=not p.required),
            field=field_name(p.name),
        )
        for p in properties
    )


def object_type(file: GoFile, name: str, properties: Properties, forms: Forms) -> str:
    """An object type in all its forms."""
    text = plain_struct(file, name, properties)
    small = lower_first(name)
    if forms.inputs:
        text += containers.input_interface(name) + input_struct(file, f"{name}Args", properties)
        text += containers.conversions(f"{name}Args", name, name) + containers.registered_input(name, f"{name}Args{{}}")
    if "Ptr" in forms.inputs:
        text += containers.input_interface(f"{name}Ptr") + _POINTER_INPUT.substitute(stem=name, small=small)
        text += containers.conversions(f"*{small}PtrType", f"{name}Ptr", f"*{name}")
        text += containers.registered_input(f"{name}Ptr", f"{name}Args{{}}")
    text += containers.output_type(name, name) + accessors(file, name, properties)
    if "Ptr" in forms.outputs:
        text += containers.pointer_output(name)
        for p in properties:
            text += _POINTER_ACCESSOR.substitute(
                stem=name,
                method=pointer_accessor_name(p.name),
                output=file.output(p.slot.type, optional=True),
                plain=file.plain(p.slot.type, optional=True),
                reference="&" if p.required and file.pointed(p.slot.type) else "",
                field=field_name(p.name),
            )
    return text + _containers(name, forms)


def _containers(name: str, forms: Forms) -> str:
    """The lists and maps of a type."""
    found = sorted(forms.outputs - {"", "Ptr"}, key=lambda suffix: (len(suffix), suffix))
    return "".join(containers.container(name, suffix, name, inward=suffix in forms.inputs) for suffix in found)


def enum_type(name: str, enum: Enum, forms: Forms) -> str:
    """An enumeration in all its forms."""
    native, base, small = plain_scalar(enum.kind), scalar_stem(enum.kind), lower_first(name)
    members = [
        f"\t{member_name(name, member, value)} = {name}({json.dumps(value, ensure_ascii=False)})\n"
        for member, value in enum.members
    ]
    text = f"\ntype {name} {native}\n\nconst (\n{''.join(members)})\n"
    if forms.inputs:
        values = {"enum": name, "native": native, "base": base, "small": small}
        some = f"{name}({json.dumps(enum.members[0][1])})"
        text += containers.input_interface(name) + containers.conversions(name, name, name)
        text += containers.input_interface(f"{name}Ptr") + _ENUM_INPUT.substitute(values)
        text += containers.conversions(f"*{small}Ptr", f"{name}Ptr", f"*{name}")
        text += containers.registered_input(name, some) + containers.registered_input(f"{name}Ptr", some)
        text += containers.output_type(name, name) + containers.pointer_output(name) + _ENUM_OUTPUT.substitute(values)
    return text + _containers(name, forms)
