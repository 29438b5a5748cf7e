"""Members of a schema, recovered one by one, and the properties of their classes.

Each resource, function, method, object type or enum is recovered from its one or two classes, as a JSON value in schema
form.

A class of arguments, states, results or objects has `Property`s. Each has a name on the wire and, in schema form, a type, a
constant, a default and documentation, and may be required.

    @pulumi.getter(name="apiVersion")
    def api_version(self) -> Optional[pulumi.Input[str]]: ...
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct, field

from pclgen.schema.recovery.annotations import Annotation, AnnotationError, AnnotationReader, Names, Spec, TypeClasses
from pclgen.schema.recovery.conventions import texts_or_classes
from pclgen.schema.recovery.layout import ENUMS, INPUTS, OUTPUTS, PROVIDER, SourceError, find_class, find_function, read_text

SELF = "__self__"
_ENUM_BASES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}


class MemberReader:
    """Recovers the members of one SDK. Every method raises `SourceError` for unusable source text.

    With `empty_inputs`, functions without parameters take an argument without properties.
    """

    def __init__(self, names: Names, *, empty_inputs: bool = False) -> None:
        self._names = names
        self._empty_inputs = empty_inputs
        self._layout = names.layout

    # ------------------------------------------------------------------------------------------------- resources

    def resource(self, token: str) -> Spec:
        """Return an entry of `resources`."""
        return self._resource(token, self._layout.resource_file(token), self._layout.resources[token].name)

    def provider(self) -> Spec | None:
        """Return the provider resource; None if the package has none."""
        file = self._layout.root / PROVIDER
        if not file.is_file():
            return None
        return self._resource(f"pulumi:providers:{self._layout.installation.name}", file, "Provider")

    def _resource(self, token: str, file: Path, name: str) -> Spec:
        node = _need_class(file, name)
        with _about(file, name):
            body = method(node, "_internal_init") or initializer(node)
            facts = _Facts(body) if body is not None else _Facts(ast.Module(body=[], type_ignores=[]))
            arguments = _made_class(body) or f"{name}Args"
            getter = method(node, "get")
            state = _made_class(getter) if getter is not None else None
            outputs = self._properties(file, node, marks_plain=False)
            inputs = self._inputs(file, arguments, body)
            self._complete(token, inputs)
            for property_ in (*outputs, *inputs):
                if property_.wire in facts.secrets:
                    property_.spec["secret"] = True
                if property_.wire in facts.replacing:
                    property_.spec["replaceOnChanges"] = True
            spec = object_spec(outputs)
            spec["inputProperties"] = {p.wire: p.spec for p in inputs}
            spec["requiredInputs"] = [p.wire for p in inputs if p.required]
            if state is not None and state != arguments:
                state_properties = self._properties(file, _need_class(file, state), marks_plain=True)
                self._complete(token, state_properties)
                for property_ in state_properties:
                    if property_.wire in facts.secrets:
                        property_.spec["secret"] = True
                spec["stateInputs"] = {**object_spec(state_properties), "type": "object"}
            if facts.is_component:
                spec["isComponent"] = True
            if facts.aliases:
                spec["aliases"] = [{"type": former} for former in facts.aliases]
            methods = {called.rpartition("/")[2]: called for _, called in _methods(node)}
            if methods:
                spec["methods"] = methods
            _describe_resource(spec, node)
        return spec

    def _complete(self, token: str, properties: list[Property]) -> None:
        """Restore unions of list elements that Python types as plain strings."""
        classes = texts_or_classes(self._layout.installation.name, token)
        for property_ in properties:
            if property_.wire in classes and isinstance(element := property_.spec.get("items"), dict):
                named = {"type": "string", "$ref": f"#/types/{quote(classes[property_.wire], safe=':')}"}
                property_.spec["items"] = {**element, "oneOf": [{"type": "string"}, named]}

    def _inputs(self, file: Path, arguments: str, body: ast.FunctionDef | None) -> list[Property]:
        node = find_class(file, arguments)
        if node is None:
            return []
        properties = sorted(self._properties(file, node, marks_plain=True), key=lambda p: p.wire)
        if body is None:
            return properties
        values = values_of(body)
        for property_ in properties:
            # The class of the resource adds details of its arguments.
            if property_.python in values.constants:
                property_.spec.setdefault("const", values.constants[property_.python])
            for key, value in values.defaults.get(property_.python, {}).items():
                property_.spec.setdefault(key, value)
            if property_.python in values.secrets:
                property_.spec["secret"] = True
        return properties

    def _properties(self, file: Path, node: ast.ClassDef, *, marks_plain: bool) -> list[Property]:
        return properties_of(node, self._reader(file, marks_plain=marks_plain))

    def _reader(self, file: Path, *, marks_plain: bool) -> AnnotationReader:
        return AnnotationReader(resolve=partial(self._resolve, file), marks_plain=marks_plain)

    def _resolve(self, file: Path, name: str) -> str | None:
        return self._names.reference(name, file)

    # ------------------------------------------------------------------------------------- functions and methods

    def function(self, token: str) -> Spec:
        """Return an entry of `functions`."""
        methods = self._layout.methods
        if token in methods:
            return self._method(token, methods[token])
        file = self._layout.functions[token]
        text = read_text(file)
        match = re.search(rf"pulumi\.runtime\.invoke(?:_single)?\(\s*(?:tok=)?['\"]{re.escape(token)}['\"]", text)
        names = re.findall(r"^def (\w+)\(", text[: match.start()], re.MULTILINE) if match is not None else []
        if not names:
            raise SourceError(file, f"there is no function that calls `{token}`")
        plain = find_function(file, names[-1])
        eventual = find_function(file, f"{names[-1]}_output")
        if plain is None:
            raise SourceError(file, f"there is no function `{names[-1]}`")
        with _about(file, plain.name):
            spec = self._function(file, plain, eventual)
        member = token.rpartition(":")[2]
        if self._layout.is_bridged and member[:1].islower() and not member.startswith("get"):
            # Functions of a Terraform provider, unlike data sources, take their arguments one after the other.
            spec["multiArgumentInputs"] = list(dict(_wired(plain)).values())
        return spec

    def _function(self, file: Path, plain: ast.FunctionDef, eventual: ast.FunctionDef | None) -> Spec:
        reader = self._reader(file, marks_plain=False)
        counted = {a.arg: a.annotation for a in _all_parameters(eventual)} if eventual is not None else {}

        def is_required(name: str, _: Annotation) -> bool:
            # Python can omit every parameter; a required parameter has one `Optional` less in the second form.
            annotation = counted.get(name)
            return annotation is not None and reader.read(annotation).optional < 2

        spec = description_of(summary(ast.get_docstring(plain)), plain)
        inputs = list(_parameters(plain, reader, is_required))
        if inputs:
            spec["inputs"] = {**object_spec(inputs), "type": "object"}
        elif self._empty_inputs:
            spec["inputs"] = {"type": "object"}
        outputs = self._result(file, None, plain, eventual)
        return spec if outputs is None else {**spec, "outputs": outputs}

    def _result(
        self, file: Path, owner: ast.ClassDef | None, plain: ast.FunctionDef, eventual: ast.FunctionDef | None
    ) -> Spec | None:
        """Return `outputs`: the properties of the class in the call, or the returned type."""
        kind = _result_class(plain)
        name = kind.rpartition(".")[2] if kind is not None else None
        if name is not None:
            node = _nested(owner, name) if owner is not None else find_class(file, name)
            if node is not None:
                properties = self._properties(file, node, marks_plain=False)
                return {**object_spec(properties, summary(ast.get_docstring(node))), "type": "object"}
        returns = (eventual or plain).returns
        if returns is None or (isinstance(returns, ast.Constant) and returns.value is None):
            return None
        if "None" in ast.unparse(returns):
            return None
        return self._reader(file, marks_plain=False).read(returns).spec

    def _method(self, token: str, file: Path) -> Spec:
        for owner_name in re.findall(r"^class (\w+)", read_text(file), re.MULTILINE):
            if f"'{token}'" not in read_text(file):
                break
            owner = find_class(file, owner_name)
            for node, called in _methods(owner) if owner is not None else ():
                if called == token and owner is not None:
                    with _about(file, node.name):
                        return self._method_spec(file, owner, node)
        raise SourceError(file, f"there is no method that calls `{token}`")

    def _method_spec(self, file: Path, owner: ast.ClassDef, node: ast.FunctionDef) -> Spec:
        reader = self._reader(file, marks_plain=True)
        own = self._layout.classes.get((file.parent.relative_to(self._layout.root).parts, owner.name))
        reference = "#/provider" if own is None else f"#/resources/{own}"
        inputs = [Property(python=SELF, wire=SELF, spec={"$ref": reference}, required=True)]
        inputs += _parameters(node, reader, lambda _, annotation: annotation.optional == 0)
        spec = description_of(summary(ast.get_docstring(node)), node)
        spec["inputs"] = {**object_spec(inputs), "type": "object"}
        outputs = self._result(file, owner, node, None)
        return spec if outputs is None else {**spec, "outputs": outputs}

    # ------------------------------------------------------------------------------------------ types and enums

    def type(self, token: str) -> Spec:
        """Return an entry of `types`."""
        classes = self._names.type_classes(token)
        if classes is None:
            raise SourceError(self._layout.root, f"there is no type `{token}`")
        if classes.enum:
            return self._enum(classes)
        folder = self._layout.folder(classes.module)
        # Both sides have the same properties; the inputs have more information about their types.
        is_input = bool(classes.inputs)
        name = classes.inputs or classes.outputs
        file = folder / (INPUTS if is_input else OUTPUTS)
        node = _need_class(file, name)
        with _about(file, name):
            body = initializer(node)
            description = ast.get_docstring(node) or (ast.get_docstring(body) if body is not None else None)
            # Types that only functions take have no eventual values, and none of them is plain on purpose.  By the
            # newer conventions their names do not end in `Args`.
            is_plain = not _mentions_input(node) if self._layout.is_legacy else not name.endswith("Args")
            properties = self._properties(file, node, marks_plain=is_input and not is_plain)
            return {**object_spec(properties, summary(description)), "type": "object"}

    def _enum(self, classes: TypeClasses) -> Spec:
        file = self._layout.folder(classes.module) / ENUMS
        node = _need_class(file, classes.enum)
        with _about(file, classes.enum):
            bases = [ast.unparse(base).rpartition(".")[2] for base in node.bases]
            kind = next((_ENUM_BASES[base] for base in bases if base in _ENUM_BASES), "string")
            members: list[Spec] = []
            for statement in node.body:
                match statement:
                    case ast.Assign(targets=[ast.Name(id=name)], value=value):
                        members.append({"pythonName": name, "value": ast.literal_eval(value)})
                    case ast.Expr(value=ast.Constant(value=str() as doc)) if members:
                        members[-1].setdefault("description", doc.strip())
            spec: Spec = {"type": kind, "enum": members}
            description = ast.get_docstring(node)
            if description:
                spec["description"] = description
        return spec


def _parameters(
    function: ast.FunctionDef, reader: AnnotationReader, is_required: Callable[[str, Annotation], bool]
) -> Iterator[Property]:
    """Yield the parameters that a function or method passes to the provider, except itself."""
    wires, docs = dict(_wired(function)), parameter_docs(ast.get_docstring(function))
    for parameter in _all_parameters(function):
        wire = wires.get(parameter.arg)
        if wire is None or parameter.annotation is None or wire == SELF:
            continue
        annotation = reader.read(parameter.annotation)
        spec = dict(annotation.spec)
        if parameter.arg in docs:
            spec["description"] = docs[parameter.arg]
        yield Property(python=parameter.arg, wire=wire, spec=spec, required=is_required(parameter.arg, annotation))


@contextmanager
def _about(file: Path, name: str) -> Iterator[None]:
    """Turn exceptions of the block into a `SourceError` about a definition in a file."""
    try:
        yield
    except (AnnotationError, ValueError, SyntaxError, RecursionError, IndexError) as error:
        raise SourceError(file, f"`{name}`: {error}") from error


class _Facts:
    """Facts in the initializer of a resource beyond single properties: names on the wire."""

    def __init__(self, body: ast.AST) -> None:
        self.secrets: set[str] = set()
        self.replacing: set[str] = set()
        self.aliases: list[str] = []
        self.is_component = False
        for node in ast.walk(body):
            if not isinstance(node, ast.Call):
                continue
            for keyword in node.keywords:
                match keyword:
                    case ast.keyword(arg="additional_secret_outputs", value=ast.List(elts=names)):
                        self.secrets.update(text for text in map(text_of, names) if text is not None)
                    case ast.keyword(arg="replace_on_changes", value=ast.List(elts=names)):
                        # Of paths into a property only those that mean all of it.
                        texts = (text.removesuffix("[*]") for text in map(text_of, names) if text is not None)
                        self.replacing.update(text for text in texts if "." not in text)
                    case ast.keyword(arg="type_", value=ast.Constant(value=str() as former)):
                        self.aliases.append(former)
                    case ast.keyword(arg="remote", value=ast.Constant(value=True)):
                        self.is_component = True


def _describe_resource(spec: Spec, node: ast.ClassDef) -> None:
    initializers = [item for item in node.body if isinstance(item, ast.FunctionDef) and item.name == "__init__"]
    docs = (summary(ast.get_docstring(item)) for item in initializers)
    spec.update(description_of(next(filter(None, docs), None), node))


def _need_class(file: Path, name: str) -> ast.ClassDef:
    node = find_class(file, name)
    if node is None:
        raise SourceError(file, f"there is no class `{name}`")
    return node


def _made_class(function: ast.FunctionDef | None) -> str | None:
    """The `X` of `__props__ = X.__new__(X)`."""
    for node in ast.walk(function) if function is not None else ():
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="__new__")):
                return name
    return None


def _methods(node: ast.ClassDef) -> Iterator[tuple[ast.FunctionDef, str]]:
    """The functions of a class that call a method of the provider, with the token."""
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            for call in _runtime_calls(item, "call"):
                token = text_of(call.args[0]) if call.args else None
                if token is not None:
                    yield item, token


def _runtime_calls(function: ast.FunctionDef, name: str) -> Iterator[ast.Call]:
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="runtime"), attr=called)):
                if called.removesuffix("_single") in (name, f"{name}_output"):
                    yield node


def _result_class(function: ast.FunctionDef) -> str | None:
    """The class that an invoke or call names with `typ=`."""
    for call in (*_runtime_calls(function, "invoke"), *_runtime_calls(function, "call")):
        for keyword in call.keywords:
            if keyword.arg == "typ":
                return ast.unparse(keyword.value)
    return None


def _nested(owner: ast.ClassDef, name: str) -> ast.ClassDef | None:
    return next((item for item in owner.body if isinstance(item, ast.ClassDef) and item.name == name), None)


def _wired(function: ast.FunctionDef) -> Iterator[tuple[str, str]]:
    """Pairs of parameter and name on the wire, from `__args__['mostRecent'] = most_recent`."""
    for statement in function.body:
        match statement:
            case ast.Assign(
                targets=[ast.Subscript(value=ast.Name(id="__args__"), slice=ast.Constant(value=str() as wire))],
                value=ast.Name(id=name),
            ):
                yield name, wire


def _all_parameters(function: ast.FunctionDef) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def _mentions_input(node: ast.ClassDef) -> bool:
    return any(
        isinstance(part, ast.Attribute) and part.attr in ("Input", "InputType")
        for getter, _ in getters(node)
        if getter.returns is not None
        for part in ast.walk(getter.returns)
    )


# -- properties -------------------------------------------------------------------------------------------------------------

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
