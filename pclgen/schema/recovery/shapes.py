"""Properties of the classes in an SDK.

A class of arguments, states, results or objects has `Property`s. Each has a name on the wire and, in schema form, a type, a
constant, a default and documentation, and may be required.

    @pulumi.getter(name="apiVersion")
    def api_version(self) -> Optional[pulumi.Input[str]]: ...
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from msgspec import Struct, field

from pclgen.schema.recovery.annotations import AnnotationReader, Spec


class Property(Struct, frozen=True, kw_only=True):
    """A property: its name in Python and on the wire, and its schema."""

    python: str
    wire: str
    spec: Spec
    required: bool


class Values(Struct, kw_only=True):
    """The constants, defaults and secrets of properties in the body of an initializer, by Python name."""

    constants: dict[str, object] = field(default_factory=dict)
    defaults: dict[str, Spec] = field(default_factory=dict)
    secrets: set[str] = field(default_factory=set)


def properties_of(node: ast.ClassDef, reader: AnnotationReader) -> list[Property]:
    """Return the properties of a class, one for each getter. Raises `AnnotationError`."""
    body = initializer(node)
    values = values_of(body) if body is not None else Values()
    properties: list[Property] = []
    for getter, wire in getters(node):
        if getter.returns is None:
            continue
        annotation = reader.read(getter.returns)
        spec = dict(annotation.spec)
        name = getter.name
        if name in values.constants:
            spec["const"] = values.constants[name]
        spec.update(values.defaults.get(name, {}))
        spec.update(description_of(ast.get_docstring(getter), getter))
        # The getter decides: a parameter may have a default and still be required.
        properties.append(Property(python=name, wire=wire, spec=spec, required=annotation.optional == 0))
    return properties


def object_spec(properties: Iterable[Property], description: str = "") -> Spec:
    """Return the `properties` and `required` of a schema, sorted by name as in published schemas."""
    ordered = sorted(properties, key=lambda p: p.wire)
    spec: Spec = {"properties": {p.wire: p.spec for p in ordered}}
    required = [p.wire for p in ordered if p.required]
    if required:
        spec["required"] = required
    if description:
        spec["description"] = description
    return spec


def getters(node: ast.ClassDef) -> Iterator[tuple[ast.FunctionDef, str]]:
    """The getters of a class with their names on the wire."""
    for item in node.body:
        if not isinstance(item, ast.FunctionDef):
            continue
        for decorator in item.decorator_list:
            match decorator:
                case ast.Attribute(attr="getter"):
                    yield item, item.name
                case ast.Call(func=ast.Attribute(attr="getter")):
                    names = [k.value for k in decorator.keywords if k.arg == "name"] + list(decorator.args)
                    wire = text_of(names[0]) if names else None
                    yield item, wire if wire is not None else item.name


def initializer(node: ast.ClassDef) -> ast.FunctionDef | None:
    """Return the last `__init__` of a class: those before it are overloads."""
    return method(node, "__init__")


def method(node: ast.ClassDef, name: str) -> ast.FunctionDef | None:
    """The last function `name` of a class."""
    definitions = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == name]
    return definitions[-1] if definitions else None


def description_of(doc: str | None, node: ast.FunctionDef | ast.ClassDef) -> Spec:
    """Return the documentation `doc` and the deprecation message of a definition, as far as it has them."""
    spec: Spec = {"description": doc} if doc else {}
    message = _deprecation(node)
    return spec if message is None else {**spec, "deprecationMessage": message}


def _deprecation(node: ast.FunctionDef | ast.ClassDef) -> str | None:
    """The message of a decorator `deprecated`, or of a warning in the body; None without either."""
    for decorator in node.decorator_list:
        if isinstance(decorator, ast.Call) and _called(decorator) == "deprecated" and decorator.args:
            return text_of(decorator.args[0])
    for statement in node.body:
        match statement:
            case ast.Expr(value=ast.Call(args=[first, *_]) as call) if _called(call) == "warn":
                text = text_of(first)
                if text is not None:
                    _, marker, message = text.partition(" is deprecated: ")
                    return message if marker else text
    return None


def summary(doc: str | None) -> str:
    """The documentation of a class or function without the list of its parameters."""
    if doc is None:
        return ""
    at = doc.find("\n:param ")
    text = doc if at < 0 else doc[:at]
    return "" if text.startswith(":param ") else text.strip()


def parameter_docs(doc: str | None) -> Mapping[str, str]:
    """The documentation of parameters, by name: `:param pulumi.Input[str] name: ...`."""
    docs: dict[str, str] = {}
    for part in ("\n" + (doc or "")).split("\n:param ")[1:]:
        signature, colon, text = _split_parameter(part)
        if colon:
            lines = text.strip("\n").split("\n")
            docs[signature.split()[-1]] = "\n".join(line.strip() if n else line for n, line in enumerate(lines)).strip()
    return docs


def _split_parameter(part: str) -> tuple[str, str, str]:
    """Split `Mapping[str, str] tags: The tags` at the colon after the name; types contain no colon."""
    signature, colon, text = part.partition(":")
    return signature, colon if signature.strip() else "", text


# ------------------------------------------------------------------------------------------------------- initializers


def values_of(function: ast.FunctionDef) -> Values:
    """Return the constants, defaults and secrets of properties in an initializer."""
    values = Values()
    for statement in _flat(function.body):
        match statement:
            case ast.If(
                test=ast.Compare(left=ast.Name(id=name), ops=[ast.Is()], comparators=[ast.Constant(value=None)]),
                body=[ast.Assign(targets=[ast.Name(id=target)], value=value)],
            ) if name == target:
                default = _default(value)
                if default:
                    values.defaults[name] = default
            case ast.Expr(value=ast.Call(args=[ast.Name(), ast.Constant(value=str() as name), value]) as call):
                if _called(call) == "set":
                    _constant(values, name, value)
            case ast.Assign(targets=[ast.Subscript(slice=ast.Constant(value=str() as name))], value=value):
                _constant(values, name, value)
                if any(isinstance(n, ast.Call) and _called(n) == "secret" for n in ast.walk(value)):
                    values.secrets.add(name)
    return values


def _flat(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for statement in statements:
        yield statement
        if isinstance(statement, ast.If):
            yield from _flat(statement.body)


def _constant(values: Values, name: str, value: ast.expr) -> None:
    if isinstance(value, ast.Constant) and isinstance(value.value, str | bool | int | float):
        values.constants[name] = value.value


def _default(value: ast.expr) -> Spec:
    """Return `default` and `defaultInfo` of an assigned default: a literal, a look-up in the environment, or both."""
    match value:
        case ast.BoolOp(op=ast.Or(), values=parts):
            spec: Spec = {}
            for part in parts:
                spec.update(_default(part))
            return spec
        case ast.Call() if _called(value).startswith("get_env"):
            names = [text for text in map(text_of, value.args) if text is not None]
            return {"defaultInfo": {"environment": names}} if names else {}
        case ast.Constant(value=str() | bool() | int() | float() as literal):
            return {"default": literal}
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return {"default": -number}
    return {}


def _called(call: ast.Call) -> str:
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def text_of(node: ast.expr) -> str | None:
    """The value of a text literal."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
