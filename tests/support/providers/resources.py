"""Answers of the resources of the conformance providers (sections 1.4, 1.5, 2.1, 2.2, 2.4, 2.5 of the document).

`created` gives outputs and id of a new resource; an unlisted resource echoes its inputs and has the id `id`.
"""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Mapping

from pclgen.evaluate.models import CreateRequest, ProviderFailureError, ReadRequest, ResourceAnswer
from pclgen.trace import model as tr

PARAMETERS = {
    "subpackage": "HelloWorld",
    "hipackage": "HelloWorld",
    "byepackage": "GoodbyeWorld",
    "goodbye": "Goodbye",
    "myext": "Hello",
}
"""The parameter of each parameterized or extension package."""

_KNOWN_IDS = {
    "discriminated-union": "new-resource-id",
    "discriminated-union-many": "new-resource-id",
    "enum": "new-resource-id",
    "extenumref": "new-resource-id",
    "union": "new-resource-id",
    "config-enum": "id",
    "flaky": "id",
}
"""Packages whose ids a preview knows."""


def plain(value: tr.PropertyValue) -> tr.PropertyValue:
    """A value without its secret mark."""
    return plain(value.value) if isinstance(value, tr.Secret) else value


def text(value: tr.PropertyValue) -> str:
    """A known text."""
    plain_value = plain(value)
    if not isinstance(plain_value, str):
        raise ProviderFailureError("a value is not a string")
    return plain_value


def number(value: tr.PropertyValue) -> float:
    """A known number."""
    plain_value = plain(value)
    if isinstance(plain_value, bool) or not isinstance(plain_value, int | float):
        raise ProviderFailureError("a value is not a number")
    return plain_value


def members(value: tr.PropertyValue) -> tr.Properties:
    """A known object."""
    plain_value = plain(value)
    if not isinstance(plain_value, Mapping):
        raise ProviderFailureError("a value is not an object")
    return plain_value


def created(request: CreateRequest) -> ResourceAnswer:
    """The answer to a creation."""
    package = request.type.split(":")[0]
    formula = _FORMULAS.get(request.type)
    if package in PARAMETERS:
        formula = _parameterized
    outputs = request.inputs if formula is None else formula(request)
    return ResourceAnswer(id=_id(request, package), outputs=outputs)


def _id(request: CreateRequest, package: str) -> str | tr.Unknown:
    if request.type == "union:index:EnumOutput":
        return "enum-output-id"
    if request.type.startswith("pulumi:providers:"):
        return tr.UNKNOWN if request.deployment.preview else f"{request.name}-uuid"
    ids = _KNOWN_IDS.get(package)
    if ids is not None:
        return ids
    if request.deployment.preview:
        return tr.UNKNOWN
    match request.type:
        case "discriminated-union-marked-key:index:Example":
            return "new-resource-id"
        case "component:index:Custom" | "component-property-deps:index:Custom" | "plaincomponent:index:Custom":
            return f"id-{plain(request.inputs['value'])}"
        case "call:index:Custom" | "configurer:index:Custom":
            return f"id-{request.name}"
        case "primitive:index:Resource":
            plain_value = plain(request.inputs["string"])
            return plain_value if isinstance(plain_value, str) and plain_value else "id"
        case "config-grpc:index:ConfigFetcher":
            return "id0"
        case "read:index:Resource":
            return "created"
        case "pulumi:index:Stash":
            return "stash-uuid"
        case _:
            return "id"


def _parameterized(request: CreateRequest) -> tr.Properties:
    value = PARAMETERS[request.type.split(":")[0]]
    suffix = request.provider_inputs.get("text")
    return {"parameterValue": f"{value} {suffix}" if suffix else value}


def _repeated(request: CreateRequest) -> tr.PropertyValue:
    return "hello" * int(number(request.inputs["value"]))


def _output_resource(request: CreateRequest) -> tr.Properties:
    value = request.inputs["value"]
    if request.deployment.preview:
        if str(request.provider_inputs.get("elideUnknowns", "")).lower() in ("true", "1"):
            return {"value": value}
        return {"value": value, "output": tr.UNKNOWN, "secretOutput": tr.UNKNOWN}
    output = _repeated(request)
    return {"value": value, "output": output, "secretOutput": output}


def _output_complex(request: CreateRequest) -> tr.Properties:
    value = request.inputs["value"]
    names = ("outputArray", "outputMap", "outputObject")
    if request.deployment.preview:
        if str(request.provider_inputs.get("elideUnknowns", "")).lower() in ("true", "1"):
            return {"value": value}
        return {"value": value, **dict.fromkeys(names, tr.UNKNOWN)}
    output = _repeated(request)
    many = dict.fromkeys(("a", "d", "m", "t", "x", "z"), output)
    return {"value": value, "outputArray": (output,), "outputMap": many, "outputObject": {"output": output}}


def _marked_key(request: CreateRequest) -> tr.Properties:
    kind: tr.PropertyValue = tr.UNKNOWN if request.deployment.preview else tr.Secret("variant1")
    return {"unionIn": request.inputs["unionIn"], "unionOut": {"discriminantKind": kind, "field1": "hello"}}


def _large_string(request: CreateRequest) -> tr.Properties:
    value = text(request.inputs["value"])
    return {"value": value * (104857600 // len(value.encode()))}


def _large_map(request: CreateRequest) -> tr.Properties:
    tree: tr.PropertyValue = {"value": request.inputs["value"]}
    for _ in range(int(number(request.inputs["depth"]))):
        tree = {"next": tree}
    return {"value": tree}


def _container(request: CreateRequest) -> tr.Properties:
    names = request.inputs.get("inputs")
    if not isinstance(names, tuple):
        return request.inputs
    details = tuple([{"key": name, "value": f"computed-{name}"} for name in names])
    return {**request.inputs, "details": details}


def _byte_source(request: CreateRequest) -> tr.Properties:
    data = b64decode(text(request.inputs["base64"]))
    try:
        content: tr.PropertyValue = data.decode()
    except UnicodeDecodeError:
        content = tr.Bytes(data)
    return {"base64": request.inputs["base64"], "bytes": content}


def _byte_sink(request: CreateRequest) -> tr.Properties:
    got, expected = plain(request.inputs["bytes"]), b64decode(text(request.inputs["expectBase64"]))
    data = got.data if isinstance(got, tr.Bytes) else text(got).encode()
    if data != expected:
        raise ProviderFailureError(f"bytes does not match expectBase64: got {data.hex()}, want {expected.hex()}")
    return request.inputs


def _camel_names(request: CreateRequest) -> tr.Properties:
    outputs = {"theOutput": request.inputs["theInput"]}
    if "resourceName" in request.inputs:
        outputs["resourceName"] = request.inputs["resourceName"]
    return outputs


def _docs(request: CreateRequest) -> tr.Properties:
    outputs = {"in": request.inputs["in"], "out": not plain(request.inputs["in"]), "data": {"state": "internal data"}}
    return outputs | {name: value for name, value in request.inputs.items() if name == "externalEnum"}


def _collections(request: CreateRequest) -> tr.Properties:
    sets = ((({"prop": "first"}, {"prop": "second"}),),)
    return {**request.inputs, "conditionSets": sets, "privateEndpoint": {"outer": {"inner": {"leaf": "deep"}}}}


def _snake_names(request: CreateRequest) -> tr.Properties:
    nested = members(request.inputs["nested"])
    return {"the_output": {"someKey": ({"nested_output": nested["nested_value"]},)}}


def _fail(request: CreateRequest) -> tr.Properties:
    raise ProviderFailureError("failed create")


_FORMULAS: Mapping[str, Callable[[CreateRequest], tr.Properties]] = {
    "output:index:Resource": _output_resource,
    "output:index:ComplexResource": _output_complex,
    "discriminated-union-marked-key:index:Example": _marked_key,
    "large:index:String": _large_string,
    "large:index:Map": _large_map,
    "nestedobject:index:Container": _container,
    "bytesource:index:Resource": _byte_source,
    "bytesink:index:Resource": _byte_sink,
    "camelNames:CoolModule:SomeResource": _camel_names,
    "docs:index:Resource": _docs,
    "nestedcollections:index:Foo": _collections,
    "snake_names:cool_module:some_resource": _snake_names,
    "kebab-names:kebab-module:someResource": lambda r: {
        "theOutput": {"nestedOutput": members(r.inputs["nested"])["nestedValue"]}
    },
    "config:index:Resource": lambda r: {"text": f": {text(r.inputs['text'])}"},
    "configurer:index:Custom": lambda r: {"value": r.inputs["value"], "config": r.provider_inputs.get("config", "")},
    "union:index:EnumOutput": lambda r: {**r.inputs, "type": "Block"},
    "extbase:index:Base": lambda r: {"baseValue": "base"},
    "flaky:index:FlakyCreate": lambda r: {},
    "sync:index:Block": lambda r: {},
    "fail_on_create:index:Resource": _fail,
    "pulumi:index:Stash": lambda r: {"input": r.inputs["input"], "output": r.inputs["input"]},
    **{
        f"{package}:index:StringResource": lambda r: {"text": "Goodbye"}
        for package in (
            "simple-invoke",
            "output-only-invoke",
            "simple-invoke-with-scalar-return",
            "multi-argument-invoke",
        )
    },
}

_INVENTED: Mapping[str, tr.Properties] = {
    "simple:index:Resource": {"value": True},
    "camelNames:CoolModule:SomeResource": {"theOutput": True},
    "keywords:index:SomeResource": {"builtins": "builtins", "lambda": "lambda", "property": "property"},
}
"""Outputs of existing resources of these types."""


def read(request: ReadRequest) -> ResourceAnswer:
    """The answer to a read."""
    if request.type == "read:index:Resource":
        if not isinstance(plain(request.inputs.get("lookup")), str):
            raise ProviderFailureError("lookup input is required and must be a string")
        return ResourceAnswer(id=request.id, outputs={"lookup": request.inputs["lookup"], "value": True})
    return ResourceAnswer(id=request.id, outputs=_INVENTED.get(request.type, request.inputs))


def imported(token: str) -> tr.Properties | None:
    """The outputs of an imported resource of this type."""
    return _INVENTED.get(token)
