"""The parts that many types share: inputs, outputs and containers.

Goes out: Go declarations as text.  `stem` is the type's Go name, `element` the plain Go type of its values.
"""

from __future__ import annotations

from string import Template

_INPUT = Template(
    """
type ${stem}Input interface {
	pulumi.Input

	To${stem}Output() ${stem}Output
	To${stem}OutputWithContext(context.Context) ${stem}Output
}
"""
)

_CONVERSIONS = Template(
    """
func (${receiver}) ElementType() reflect.Type {
	return reflect.TypeOf((*${element})(nil)).Elem()
}

func (i ${receiver}) To${stem}Output() ${stem}Output {
	return i.To${stem}OutputWithContext(context.Background())
}

func (i ${receiver}) To${stem}OutputWithContext(ctx context.Context) ${stem}Output {
	return pulumi.ToOutputWithContext(ctx, i).(${stem}Output)
}
"""
)

_OUTPUT = Template(
    """
type ${stem}Output struct{ *pulumi.OutputState }

func (${stem}Output) ElementType() reflect.Type {
	return reflect.TypeOf((*${element})(nil)).Elem()
}

func (o ${stem}Output) To${stem}Output() ${stem}Output { return o }

func (o ${stem}Output) To${stem}OutputWithContext(ctx context.Context) ${stem}Output { return o }

func init() { pulumi.RegisterOutputType(${stem}Output{}) }
"""
)

_INDEX = Template(
    """
func (o ${stem}Output) ${method}(${key} pulumi.${index}) ${item}Output {
	return pulumi.All(o, ${key}).ApplyT(func(vs []interface{}) ${element} {
		return vs[0].(${container})[vs[1].(${native})]
	}).(${item}Output)
}
"""
)

_FROM_VALUE = Template(
    """
func (o ${stem}Output) To${stem}PtrOutput() ${stem}PtrOutput {
	return o.To${stem}PtrOutputWithContext(context.Background())
}

func (o ${stem}Output) To${stem}PtrOutputWithContext(ctx context.Context) ${stem}PtrOutput {
	return o.ApplyTWithContext(ctx, func(_ context.Context, v ${stem}) *${stem} {
		return &v
	}).(${stem}PtrOutput)
}
"""
)

_ELEM = Template(
    """
func (o ${stem}PtrOutput) Elem() ${stem}Output {
	return o.ApplyT(func(v *${stem}) ${stem} {
		if v != nil {
			return *v
		}
		var ret ${stem}
		return ret
	}).(${stem}Output)
}
"""
)

_REGISTER_INPUT = Template(
    """
func init() { pulumi.RegisterInputType(reflect.TypeOf((*${stem}Input)(nil)).Elem(), ${value}) }
"""
)


def input_interface(stem: str) -> str:
    """`BarInput`."""
    return _INPUT.substitute(stem=stem)


def conversions(receiver: str, stem: str, element: str) -> str:
    """The methods that make `receiver` a `<stem>Input`."""
    return _CONVERSIONS.substitute(receiver=receiver, stem=stem, element=element)


def output_type(stem: str, element: str) -> str:
    """`BarOutput`, without accessors."""
    return _OUTPUT.substitute(stem=stem, element=element)


def registered_input(stem: str, value: str) -> str:
    """Tell the Pulumi SDK which value type stands for `<stem>Input`."""
    return _REGISTER_INPUT.substitute(stem=stem, value=value)


def pointer_output(stem: str) -> str:
    """`BarPtrOutput`, without accessors, and the way to it from `BarOutput`."""
    return _FROM_VALUE.substitute(stem=stem) + output_type(f"{stem}Ptr", f"*{stem}") + _ELEM.substitute(stem=stem)


def container(stem: str, suffix: str, element: str, *, inward: bool) -> str:
    """The form `suffix` (`Array`, `ArrayMap`, …) of a type: its output, and what is passed in when `inward`."""
    keyed = suffix.endswith("Map")
    inner = stem + (suffix.removesuffix("Map") if keyed else suffix.removesuffix("Array"))
    item = _nested(suffix.removesuffix("Map") if keyed else suffix.removesuffix("Array"), element)
    whole = ("map[string]" if keyed else "[]") + item
    full = stem + suffix
    text = ""
    if inward:
        text += input_interface(full) + f"\ntype {full} {'map[string]' if keyed else '[]'}{inner}Input\n"
        text += conversions(full, full, whole) + registered_input(full, f"{full}{{}}")
    text += output_type(full, whole)
    method, key, index, native = ("MapIndex", "k", "StringInput", "string") if keyed else ("Index", "i", "IntInput", "int")
    return text + _INDEX.substitute(
        stem=full, method=method, key=key, index=index, item=inner, element=item, container=whole, native=native
    )


def _nested(suffix: str, element: str) -> str:
    """The plain Go type of a form."""
    if not suffix:
        return element
    if suffix.endswith("Map"):
        return "map[string]" + _nested(suffix.removesuffix("Map"), element)
    return "[]" + _nested(suffix.removesuffix("Array"), element)
