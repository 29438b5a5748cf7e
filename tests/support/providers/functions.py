"""Functions and methods of the conformance providers (sections 2.3, 2.5, 2.7 of the document)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from pclgen.evaluate.models import FunctionRequest, ProviderFailureError
from pclgen.trace.model import Properties, PropertyValue, Secret
from tests.support.providers.resources import PARAMETERS, members, plain, text

Answer = Callable[[FunctionRequest], Properties]


def invoke(request: FunctionRequest, created: set[str]) -> Properties:
    """The answer of a function; `created` are the texts of the existing resources."""
    package, _, name = request.token.split(":")
    if package in PARAMETERS:
        value = PARAMETERS[package]
        if name == "greet":
            return {"greeting": f"{value}, {text(_needed(request, 'name'))}"}
        return {"output": text(_needed(request, "input")) + value}
    if request.token == "simple-invoke:index:getText":
        resource_text = text(_needed(request, "text"))
        if resource_text not in created:
            raise ProviderFailureError(f'no StringResource with text "{resource_text}" has been created')
        return {"result": f"{resource_text} world"}
    function = _FUNCTIONS.get(request.token)
    if function is None:
        raise ProviderFailureError(f"unknown function {request.token}")
    return function(request)


def _needed(request: FunctionRequest, name: str) -> PropertyValue:
    if name not in request.args:
        raise ProviderFailureError(f"missing {name}")
    return request.args[name]


def _world(request: FunctionRequest) -> Properties:
    return {"result": f"{text(_needed(request, 'value'))} world"}


def _several(request: FunctionRequest) -> Properties:
    first, second = text(_needed(request, "first")), plain(request.args.get("second"))
    return {"result": first if second is None else f"{first} {second}"}


def _secret_invoke(request: FunctionRequest) -> Properties:
    value = _needed(request, "value")
    response: PropertyValue = f"{text(value)} world"
    is_secret = plain(_needed(request, "secretResponse")) is True
    both = request.token.startswith("simple-invoke:")
    if is_secret or (both and isinstance(value, Secret)):
        response = Secret(response)
    return {"response": response, "secret": is_secret}


def _vowels(request: FunctionRequest) -> Properties:
    return {"thisCanBeAnything": tuple(byte in b"aeiou" for byte in text(_needed(request, "value")).encode())}


def _scalar_map(request: FunctionRequest) -> Properties:
    value = text(_needed(request, "value"))
    result: PropertyValue = {"value": f"{value} world"}
    return {"result": Secret(result) if value == "secret" else result}


def _config(request: FunctionRequest) -> Properties:
    name = plain(request.provider_inputs.get("name"))
    return {"text": f"{name if isinstance(name, str) else ''}: {text(_needed(request, 'text'))}"}


def _some_data(request: FunctionRequest) -> Properties:
    nested = plain(_needed(request, "nested"))
    assert isinstance(nested, tuple)
    return {"nested_output": ({"key": {"value": members(nested[0])["value"]}},)}


_FUNCTIONS: Mapping[str, Answer] = {
    "any-type-function:index:dynListToDyn": lambda r: {"result": {"resultProperty": "resultValue"}},
    "component:index:identity": lambda r: {"result": _needed(r, "input")},
    "config:index:getConfig": _config,
    "config-grpc:index:toSecret": lambda r: {name: Secret(plain(value)) for name, value in r.args.items()},
    "docs:index:fun": lambda r: {"out": not plain(_needed(r, "in"))},
    "index-mod:indexMine:concatWorld": _world,
    "index-mod:indexMine/nested:concatWorld": _world,
    "module-format:index_concatWorld:concatWorld": _world,
    "module-format:mod_concatWorld:concatWorld": _world,
    "module-format:mod/nested_concatWorld:concatWorld": _world,
    "multi-argument-invoke:index:multiArgumentInvoke": _several,
    "nestedobject:index:getValues": lambda r: {"results": _needed(r, "names")},
    "primitive:index:invoke": lambda r: r.args,
    "scalar-returns:index:invokeSecret": lambda r: {"return": Secret(len(text(_needed(r, "value")).encode()))},
    "scalar-returns:index:invokeArray": _vowels,
    "scalar-returns:index:invokeMap": _scalar_map,
    "simple-invoke:index:myInvoke": _world,
    "output-only-invoke:index:myInvoke": _world,
    "simple-invoke-with-scalar-return:index:myInvokeScalar": lambda r: {"result": True},
    "simple-invoke:index:unit": lambda r: {"result": "Hello world"},
    "output-only-invoke:index:unit": lambda r: {"result": "Hello world"},
    "simple-invoke:index:secretInvoke": _secret_invoke,
    "output-only-invoke:index:secretInvoke": _secret_invoke,
    "snake_names:cool_module:some_data": _some_data,
}


def call(request: FunctionRequest, dependencies: Mapping[str, tuple[str, ...]]) -> Properties:
    """The answer of a method; `dependencies` are those of its arguments, as the engine receives them."""
    own = plain(request.receiver_outputs.get("value"))
    name = request.token.rsplit("/", 1)[-1]
    match name:
        case "providerValue":
            return {"result": f"{plain(request.provider_inputs.get('value', ''))}{own}"}
        case "identity":
            return {"result": own}
        case "prefixed":
            return {"result": f"{text(_needed(request, 'prefix'))}{own}"}
        case "refs":
            return {"result": dict(dependencies)}
        case "plainValue":
            return {"res": 42}
        case "plainProvider":
            return {"res": request.receiver_outputs["innerProviderRef"]}
        case "nestedPlainProvider":
            return {"provider": request.receiver_outputs["innerProviderRef"], "value": 42}
        case "call":
            length = len(text(_needed(request, "input")).encode()) + len(text(request.receiver_outputs["text"]).encode())
            return {"output": length}
        case _:
            raise ProviderFailureError(f"unknown method {request.token}")
