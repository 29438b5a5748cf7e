"""Functions: with values, and with outputs.

Comes in: declarations.  Goes out: Python as text; the functions invoke the engine.
"""

from __future__ import annotations

from tests.support.standins.python import names
from tests.support.standins.python.objects import result_class
from tests.support.standins.python.spelling import Spelling
from tests.support.standins.schema import Function, Property, Slot


def parameters(function: Function) -> list[Property]:
    """What may be given: in the order of the schema's list when they are positional."""
    found = {p.name: p for p in function.inputs or ()}
    return [found[name] for name in function.positional] if function.positional else list(found.values())


def function_text(spelling: Spelling, function: Function) -> str:
    """A function, its form with outputs, and the classes of its result."""
    name = names.function_name(function.token)
    stem = names.class_name(function.token)
    given = parameters(function)
    body = "".join(f'    __args__["{p.name}"] = {names.attribute(p.name)}\n' for p in given)
    body = f"    __args__: dict[str, Any] = {{}}\n{body}"
    options = "_utilities.get_invoke_opts_defaults(), opts"
    package = ", package_ref=_utilities.get_package()" if spelling.sdk.schema.parameter else ""
    plain = _signature(spelling, given, "opts: Optional[pulumi.InvokeOptions] = None", eventual=False)
    union = "opts: Optional[Union[pulumi.InvokeOptions, pulumi.InvokeOutputOptions]] = None"
    outputs = _signature(spelling, given, union, eventual=True)
    merge = f"    opts = pulumi.InvokeOptions.merge({options})\n"
    merge_outputs = f"    opts = pulumi.InvokeOutputOptions.merge({options})\n"
    if function.result is None:
        call = f'    pulumi.runtime.invoke("{function.token}", __args__, opts=opts{package})\n'
        return f"\n\ndef {name}({plain}) -> None:\n{body}{merge}{call}"
    if isinstance(function.result, Slot):
        annotation = spelling.of(function.result, "result")
        call = f'    return pulumi.runtime.invoke_single("{function.token}", __args__, opts=opts{package}).value\n'
        text = f"\n\ndef {name}({plain}) -> {annotation}:\n{body}{merge}{call}"
        call = call.replace("invoke_single(", "invoke_output_single(").replace(".value", "")
        return text + f"\n\ndef {name}_output({outputs}) -> pulumi.Output[{annotation}]:\n{body}{merge_outputs}{call}"
    result, awaitable = f"{stem}Result", f"Awaitable{stem}Result"
    keys = [names.attribute(p.name) for p in function.result]
    text = result_class(spelling, result, function.result, "result")
    text += f"\n\nclass {awaitable}({result}):\n    def __await__(self):\n        if False:\n            yield self\n"
    text += f"        return {result}({', '.join(f'{key}=self.{key}' for key in keys)})\n"
    call = f'    __ret__ = pulumi.runtime.invoke("{function.token}", __args__, opts=opts, typ={result}{package}).value\n'
    copies = ", ".join(f'{key}=pulumi.get(__ret__, "{key}")' for key in keys)
    text += f"\n\ndef {name}({plain}) -> {awaitable}:\n{body}{merge}{call}    return {awaitable}({copies})\n"
    call = f'    __ret__ = pulumi.runtime.invoke_output("{function.token}", __args__, opts=opts, typ={result}{package})\n'
    call += f"    return __ret__.apply(lambda __ret__: {result}({copies}))\n"
    return text + f"\n\ndef {name}_output({outputs}) -> pulumi.Output[{result}]:\n{body}{merge_outputs}{call}"


def _signature(spelling: Spelling, given: list[Property], options: str, *, eventual: bool) -> str:
    return ", ".join([*(_parameter(spelling, p, eventual=eventual) for p in given), options])


def _parameter(spelling: Spelling, found: Property, *, eventual: bool) -> str:
    """All may be left out as far as the signature says; the needed ones are checked by the engine only."""
    name = names.attribute(found.name)
    text = spelling.argument(found, "both", plain=True, needed=True)
    if not eventual:
        return f"{name}: Optional[{text}] = None"
    inner = text if found.required else f"Optional[{text}]"
    if text == inner == "Any":
        return f"{name}: Optional[Any] = None"
    if spelling.sdk.modern:
        return f"{name}: pulumi.Input[Optional[{inner}]] = None"
    return f"{name}: Optional[pulumi.Input[{inner}]] = None"
