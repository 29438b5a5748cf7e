"""Go SDKs made from schemas: what a generated program may name of a package that no registry holds.

Comes in: loaded packages.  Goes out: `go/<module path>/…` in a stand-in folder (see `compilers`): declarations that type-check
as those of the published SDKs do (targets 1.4, 1.5, 6.7), with bodies that register resources and call functions, so that
programs can also be run with mocks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from pclgen.targets.go.gotypes import (
    AnyNative,
    EnumNative,
    Map,
    Native,
    Natives,
    Pointer,
    ResourceNative,
    Scalar,
    Slice,
    Struct,
    family,
    struct_symbol,
)
from pclgen.targets.go.sdk import CORE_MODULE, CORE_PATH, GoPackage, accessor_name, enum_constant, property_name, sdk_of
from pclgen.types.declarations import Declaration, EnumDecl, Field, FunctionDecl, Package, ResourceDecl, Shape
from pclgen.types.model import InputType

_NATIVES = Natives()
_BASES = {"string": "string", "integer": "int", "number": "float64", "boolean": "bool"}
_WRAPPERS = {"string": "String", "integer": "Int", "number": "Float64", "boolean": "Bool"}


def write_stand_ins(packages: Iterable[Package], folder: Path) -> None:
    """Write the SDKs of `packages` below `folder`."""
    for package in packages:
        sdk = sdk_of(package)
        root = folder / "go" / sdk.module_path
        root.mkdir(parents=True, exist_ok=True)
        (root / "go.mod").write_text(f"module {sdk.module_path}\n\ngo 1.24\n\nrequire {CORE_MODULE} v3.0.0\n")
        for path, text in _Writer(sdk).files().items():
            place = root / path.removeprefix(sdk.module_path).strip("/")
            place.mkdir(parents=True, exist_ok=True)
            (place / "sdk.go").write_text(text)


@dataclass
class _File:
    """One Go package."""

    path: str
    body: list[str] = field(default_factory=list)
    imports: dict[str, str] = field(default_factory=dict)  # path -> alias
    done: set[str] = field(default_factory=set)

    def text(self, name: str) -> str:
        specs = "".join(f'\t{alias} "{path}"\n' for path, alias in sorted(self.imports.items()))
        body = "\n".join(self.body)
        used = 'var _ = reflect.TypeOf\nvar _ context.Context\nvar _ pulumi.Input\n'
        core = f'\t"context"\n\t"reflect"\n\t"{CORE_PATH}"\n'
        return f"package {name}\n\nimport (\n{core}{specs})\n\n{used}\n{body}\n"


class _Writer:
    def __init__(self, sdk: GoPackage) -> None:
        self.sdk = sdk
        self.package = sdk.package
        self._files: dict[str, _File] = {}

    def files(self) -> dict[str, str]:
        package = self.package
        self._file(self.sdk.base_path)
        for token in package.type_tokens:
            declaration = package.object_type(token)
            if isinstance(declaration, EnumDecl):
                self._enum(declaration)
            elif declaration is not None:
                self._object(declaration)
        for token in package.resource_tokens:
            resource = package.resource(token)
            if resource is not None:
                self._resource(resource)
        self._resource(package.provider())
        for token in package.function_tokens:
            function = package.function(token)
            if function is not None and not function.is_method:
                self._function(function)
        return {path: file.text(self.sdk.package_name(path)) for path, file in self._files.items()}

    def _file(self, path: str) -> _File:
        return self._files.setdefault(path, _File(path))

    # ------------------------------------------------------------------------------------------- type names

    def _qualified(self, file: _File, path: str, name: str) -> str:
        if path == file.path:
            return name
        if path == CORE_PATH:
            return f"pulumi.{name}"
        alias = file.imports.setdefault(path, f"i{len(file.imports)}")
        return f"{alias}.{name}"

    def _plain(self, file: _File, native: Native, suffix: str = "") -> str:
        match native:
            case Scalar():
                names = {"String": "string", "Int": "int", "Float64": "float64", "Bool": "bool"}
                return names.get(native.kind) or f"pulumi.{native.kind}"
            case EnumNative():
                symbol = sdk_of(native.declaration.package).type(native.declaration.token)
                return self._qualified(file, symbol.path, symbol.name)
            case Struct():
                symbol = struct_symbol(native.declaration)
                return self._qualified(file, symbol.path, symbol.name + suffix)
            case ResourceNative():
                assert native.declaration is not None
                symbol = sdk_of(native.declaration.package).resource(native.declaration)
                return "*" + self._qualified(file, symbol.path, symbol.name)
            case Pointer():
                return "*" + self._plain(file, native.element, suffix)
            case Slice():
                return "[]" + self._plain(file, native.element, suffix)
            case Map():
                return "map[string]" + self._plain(file, native.element, suffix)
            case _:
                return "any"

    def _static(self, file: _File, native: Native, kind: str) -> str:
        found = family(native)
        if found is None:
            return "pulumi.AnyOutput" if kind == "Output" else "pulumi.Input"
        if isinstance(native, AnyNative):
            return "pulumi.AnyOutput" if kind == "Output" else "pulumi.Input"
        self._ensure(native)
        return self._qualified(file, found.path, found.base + kind)

    def _ensure(self, native: Native) -> None:
        """Declare the container types of an SDK when something names them."""
        found = family(native)
        if found is None or found.path == CORE_PATH or found.path not in self._files:
            return
        if isinstance(native, Slice | Map):
            self._container(native)

    # ------------------------------------------------------------------------------------------------ families

    def _outputs(self, file: _File, base: str, plain: str, methods: str) -> None:
        file.body.append(
            f"type {base}Output struct{{ *pulumi.OutputState }}\n"
            f"func ({base}Output) ElementType() reflect.Type {{ return reflect.TypeOf((*{plain})(nil)).Elem() }}\n"
            f"func (o {base}Output) To{base}Output() {base}Output {{ return o }}\n"
            f"func (o {base}Output) To{base}OutputWithContext(context.Context) {base}Output {{ return o }}\n"
            f"{methods}\n"
            f"func init() {{ pulumi.RegisterOutputType({base}Output{{}}) }}\n"
        )

    def _input(self, file: _File, base: str) -> None:
        file.body.append(
            f"type {base}Input interface {{\n\tpulumi.Input\n\tTo{base}Output() {base}Output\n"
            f"\tTo{base}OutputWithContext(context.Context) {base}Output\n}}\n"
        )

    def _convert(self, file: _File, receiver: str, base: str) -> None:
        file.body.append(
            f"func (i {receiver}) To{base}Output() {base}Output {{ return pulumi.ToOutput(i).({base}Output) }}\n"
            f"func (i {receiver}) To{base}OutputWithContext(context.Context) {base}Output {{ return i.To{base}Output() }}\n"
        )

    def _pointer_family(self, file: _File, base: str, plain: str, methods: str) -> None:
        elem = (
            f"func (o {base}PtrOutput) Elem() {base}Output {{\n\treturn o.ApplyT(func(v *{plain}) {plain} {{\n"
            f"\t\tif v != nil {{\n\t\t\treturn *v\n\t\t}}\n\t\tvar r {plain}\n\t\treturn r\n\t}}).({base}Output)\n}}\n"
        )
        self._outputs(file, base + "Ptr", "*" + plain, elem + methods)
        self._input(file, base + "Ptr")
        file.body.append(
            f"func (o {base}Output) To{base}PtrOutput() {base}PtrOutput {{\n"
            f"\treturn o.ApplyT(func(v {plain}) *{plain} {{ return &v }}).({base}PtrOutput)\n}}\n"
            f"func (o {base}Output) To{base}PtrOutputWithContext(context.Context) {base}PtrOutput {{ return o.To{base}PtrOutput() }}\n"
        )

    def _container(self, native: Slice | Map) -> None:
        found = family(native)
        inner = family(native.element)
        assert found is not None and inner is not None
        file = self._file(found.path)
        if found.base in file.done:
            return
        file.done.add(found.base)
        self._ensure(native.element)
        plain, element = self._plain(file, native), self._plain(file, native.element)
        element_output = self._qualified(file, inner.path, inner.base + "Output")
        if isinstance(native, Slice):
            literal = f"type {found.base} []{inner.base}Input\n"
            step = (
                f"func (o {found.base}Output) Index(i pulumi.IntInput) {element_output} {{\n"
                f"\treturn pulumi.All(o, i).ApplyT(func(vs []any) {element} {{\n"
                f"\t\treturn vs[0].({plain})[vs[1].(int)]\n\t}}).({element_output})\n}}\n"
            )
        else:
            literal = f"type {found.base} map[string]{inner.base}Input\n"
            step = (
                f"func (o {found.base}Output) MapIndex(k pulumi.StringInput) {element_output} {{\n"
                f"\treturn pulumi.All(o, k).ApplyT(func(vs []any) {element} {{\n"
                f"\t\treturn vs[0].({plain})[vs[1].(string)]\n\t}}).({element_output})\n}}\n"
            )
        file.body.append(
            literal
            + f"func ({found.base}) ElementType() reflect.Type {{ return reflect.TypeOf((*{plain})(nil)).Elem() }}\n"
        )
        self._input(file, found.base)
        self._outputs(file, found.base, plain, step)
        self._convert(file, found.base, found.base)

    # ------------------------------------------------------------------------------------------------ members

    def _native(self, f: Field) -> Native:
        return _NATIVES.native(f.type)

    def _plain_struct(self, file: _File, name: str, fields: dict[str, Field]) -> None:
        rows = "".join(f'\t{property_name(n)} {self._plain(file, self._native(f))} `pulumi:"{n}"`\n' for n, f in fields.items())
        file.body.append(f"type {name} struct {{\n{rows}}}\n")

    def _args_struct(self, file: _File, name: str, plain: str, fields: dict[str, Field]) -> None:
        rows = ""
        for n, f in fields.items():
            native = self._native(f)
            own = self._static(file, native, "Input") if isinstance(f.type, InputType) else self._plain(file, native, "Args")
            rows += f'\t{property_name(n)} {own} `pulumi:"{n}"`\n'
        file.body.append(
            f"type {name} struct {{\n{rows}}}\n"
            f"func ({name}) ElementType() reflect.Type {{ return reflect.TypeOf((*{plain})(nil)).Elem() }}\n"
        )

    def _accessors(self, file: _File, base: str, plain: str, fields: dict[str, Field], *, pointer: bool) -> str:
        lines = []
        receiver = base + ("PtrOutput" if pointer else "Output")
        parameter = "*" + plain if pointer else plain
        for n, f in fields.items():
            native = self._native(f)
            target, selected = native, f"v.{property_name(n)}"
            if pointer:
                wrapped = Pointer(native) if isinstance(native, Scalar | EnumNative | Struct) else native
                if wrapped != native:
                    target, selected = wrapped, f"&v.{property_name(n)}"
            result = self._plain(file, target)
            guard = "\t\tif v == nil {\n\t\t\treturn nil\n\t\t}\n" if pointer else ""
            out = self._static(file, target, "Output")
            lines.append(
                f"func (o {receiver}) {accessor_name(n, pointer=pointer)}() {out} {{\n"
                f"\treturn o.ApplyT(func(v {parameter}) {result} {{\n{guard}\t\treturn {selected}\n\t}}).({out})\n}}\n"
            )
        return "".join(lines)

    # --------------------------------------------------------------------------------------------------- members

    def _enum(self, declaration: EnumDecl) -> None:
        symbol = self.sdk.type(declaration.token)
        file, name = self._file(symbol.path), symbol.name
        base, wrapper = _BASES[declaration.base], _WRAPPERS[declaration.base]
        file.body.append(f"type {name} {base}\n")
        for member in declaration.members:
            value = f'"{_escaped(str(member.value))}"' if declaration.base == "string" else str(member.value).lower()
            file.body.append(f"const {enum_constant(name, member)} {name} = {value}\n")
        file.body.append(
            f"func ({name}) ElementType() reflect.Type {{ return reflect.TypeOf((*{name})(nil)).Elem() }}\n"
        )
        to_base = (
            f"func (o {name}Output) To{wrapper}Output() pulumi.{wrapper}Output {{\n"
            f"\treturn o.ApplyT(func(e {name}) {base} {{ return {base}(e) }}).(pulumi.{wrapper}Output)\n}}\n"
        )
        to_pointer = (
            f"func (o {name}PtrOutput) To{wrapper}PtrOutput() pulumi.{wrapper}PtrOutput {{\n"
            f"\treturn o.ApplyT(func(e *{name}) *{base} {{\n\t\tif e == nil {{\n\t\t\treturn nil\n\t\t}}\n\t\tv := {base}(*e)\n"
            f"\t\treturn &v\n\t}}).(pulumi.{wrapper}PtrOutput)\n}}\n"
        )
        self._input(file, name)
        self._outputs(file, name, name, to_base)
        self._pointer_family(file, name, name, to_pointer)
        self._convert(file, name, name)
        file.body.append(
            f"func (e {name}) To{name}PtrOutput() {name}PtrOutput {{ return e.To{name}Output().To{name}PtrOutput() }}\n"
            f"func (e {name}) To{name}PtrOutputWithContext(context.Context) {name}PtrOutput {{ return e.To{name}PtrOutput() }}\n"
        )

    def _object(self, declaration: Declaration) -> None:
        symbol = self.sdk.type(declaration.token)
        file, name = self._file(symbol.path), symbol.name
        fields = dict(declaration.fields(Shape.OUTPUT))
        self._plain_struct(file, name, fields)
        self._args_struct(file, name + "Args", name, dict(declaration.fields(Shape.INPUT)))
        self._input(file, name)
        self._outputs(file, name, name, self._accessors(file, name, name, fields, pointer=False))
        self._pointer_family(file, name, name, self._accessors(file, name, name, fields, pointer=True))
        self._convert(file, name + "Args", name)
        file.body.append(
            f"func (i {name}Args) To{name}PtrOutput() {name}PtrOutput {{ return i.To{name}Output().To{name}PtrOutput() }}\n"
            f"func (i {name}Args) To{name}PtrOutputWithContext(context.Context) {name}PtrOutput {{ return i.To{name}PtrOutput() }}\n"
        )

    def _resource(self, declaration: ResourceDecl) -> None:
        symbol = self.sdk.resource(declaration)
        file, name = self._file(symbol.path), symbol.name
        state = "ProviderResourceState" if declaration.is_provider else "CustomResourceState"
        if declaration.is_component:
            state = "ResourceState"
        outputs = {n: f for n, f in declaration.outputs.fields(Shape.OUTPUT).items() if n not in ("id", "urn")}
        rows = "".join(
            f'\t{property_name(n)} {self._static(file, _unwrapped(f), "Output")} `pulumi:"{n}"`\n' for n, f in outputs.items()
        )
        file.body.append(f"type {name} struct {{\n\tpulumi.{state}\n{rows}}}\n")
        inner = name[:1].lower() + name[1:]
        inputs = dict(declaration.inputs.fields(Shape.INPUT))
        self._plain_struct(file, inner + "Args", inputs)
        self._args_struct(file, name + "Args", inner + "Args", inputs)
        remote = ", remote" if False else ""
        register = "RegisterRemoteComponentResource" if declaration.is_component else "RegisterResource"
        file.body.append(
            f"func New{name}(ctx *pulumi.Context, name string, args *{name}Args, opts ...pulumi.ResourceOption) (*{name}, error) {{\n"
            f"\tif args == nil {{\n\t\targs = &{name}Args{{}}\n\t}}\n\tvar resource {name}\n"
            f'\terr := ctx.{register}("{declaration.token}", name, args, &resource{remote}, opts...)\n'
            f"\tif err != nil {{\n\t\treturn nil, err\n\t}}\n\treturn &resource, nil\n}}\n"
        )
        if state == "CustomResourceState":
            self._getter(file, name, inner, declaration)
        self._resource_family(file, name, outputs)
        for method, function in declaration.methods().items():
            self._method(file, name, method, function)

    def _getter(self, file: _File, name: str, inner: str, declaration: ResourceDecl) -> None:
        fields = dict(declaration.state.fields(Shape.INPUT))
        self._plain_struct(file, inner + "State", fields)
        self._args_struct(file, name + "State", inner + "State", fields)
        file.body.append(
            f"func Get{name}(ctx *pulumi.Context, name string, id pulumi.IDInput, state *{name}State, "
            f"opts ...pulumi.ResourceOption) (*{name}, error) {{\n\tvar resource {name}\n"
            f'\terr := ctx.ReadResource("{declaration.token}", name, id, state, &resource, opts...)\n'
            f"\tif err != nil {{\n\t\treturn nil, err\n\t}}\n\treturn &resource, nil\n}}\n"
        )

    def _resource_family(self, file: _File, name: str, outputs: dict[str, Field]) -> None:
        accessors = []
        for n, f in outputs.items():
            out = self._static(file, _unwrapped(f), "Output")
            accessors.append(
                f"func (o {name}Output) {accessor_name(n, pointer=False)}() {out} {{\n"
                f"\treturn o.ApplyT(func(v *{name}) {out} {{ return v.{property_name(n)} }}).({out})\n}}\n"
            )
        file.body.append(f"func (*{name}) ElementType() reflect.Type {{ return reflect.TypeOf((**{name})(nil)).Elem() }}\n")
        self._input(file, name)
        self._outputs(file, name, "*" + name, "".join(accessors))
        self._convert(file, "*" + name, name)

    def _parameters(self, file: _File, inputs: Declaration, order: tuple[str, ...], shape: Shape) -> str:
        fields = inputs.fields(shape)
        rows = []
        for n in order:
            native = self._native(fields[n])
            own = self._static(file, native, "Input") if shape is Shape.INPUT else self._plain(file, native)
            rows.append(f"{n}_ {own}")
        return "".join(f", {row}" for row in rows)

    def _result(self, file: _File, name: str, function: FunctionDecl) -> Native:
        """The result type, declaring its struct."""
        assert function.result is not None
        native = _NATIVES.native(function.result)
        if isinstance(native, Struct):
            fields = dict(native.declaration.fields(Shape.OUTPUT))
            result = f"{name}Result"
            if struct_symbol(native.declaration).name == result and result not in file.done:
                file.done.add(result)
                self._plain_struct(file, result, fields)
                self._outputs(file, result, result, self._accessors(file, result, result, fields, pointer=False))
        return native

    def _function(self, function: FunctionDecl) -> None:
        symbol = self.sdk.function(function)
        file, name = self._file(symbol.path), symbol.name
        parameters, call = "", "nil"
        output_parameters = ""
        if function.multi_argument and function.inputs is not None:
            parameters = self._parameters(file, function.inputs, function.multi_argument, Shape.PLAIN)
            output_parameters = self._parameters(file, function.inputs, function.multi_argument, Shape.INPUT)
        elif function.inputs is not None:
            self._plain_struct(file, name + "Args", dict(function.inputs.fields(Shape.PLAIN)))
            self._args_struct(file, name + "OutputArgs", name + "Args", dict(function.inputs.fields(Shape.INPUT)))
            parameters, call = f", args *{name}Args", "args"
            output_parameters = f", args {name}OutputArgs"
        if function.result is None:
            file.body.append(
                f"func {name}(ctx *pulumi.Context{parameters}, opts ...pulumi.InvokeOption) error {{\n"
                f'\tvar result struct{{}}\n\treturn ctx.Invoke("{function.token}", {call}, &result, opts...)\n}}\n'
            )
            return
        native = self._result(file, name, function)
        plain = self._plain(file, native)
        returned = "*" + plain if isinstance(native, Struct) else plain
        deref = "&result" if isinstance(native, Struct) else "result"
        zero = "nil" if isinstance(native, Struct) else "result"
        file.body.append(
            f"func {name}(ctx *pulumi.Context{parameters}, opts ...pulumi.InvokeOption) ({returned}, error) {{\n"
            f"\tvar result {plain}\n"
            f'\tif err := ctx.Invoke("{function.token}", {call}, &result, opts...); err != nil {{\n\t\treturn {zero}, err\n\t}}\n'
            f"\treturn {deref}, nil\n}}\n"
        )
        out = self._static(file, native, "Output")
        arguments = "args" if output_parameters.startswith(", args ") else "nil"
        file.body.append(
            f"func {name}Output(ctx *pulumi.Context{output_parameters}, opts ...pulumi.InvokeOption) {out} {{\n"
            f"\treturn pulumi.Any({arguments}).ApplyT(func(v any) ({plain}, error) {{\n\t\tvar result {plain}\n"
            f'\t\treturn result, ctx.Invoke("{function.token}", v, &result, opts...)\n\t}}).({out})\n}}\n'
        )

    def _method(self, file: _File, owner: str, method: str, function: FunctionDecl) -> None:
        name = owner + property_name(method)
        parameters = ""
        if function.inputs is not None:
            self._plain_struct(file, name[:1].lower() + name[1:] + "Args", dict(function.inputs.fields(Shape.PLAIN)))
            shape = Shape.PLAIN if function.plain_result else Shape.INPUT
            inner = name[:1].lower() + name[1:] + "Args"
            self._args_struct(file, name + "Args", inner, dict(function.inputs.fields(shape)))
            parameters = f", args *{name}Args"
        go_name = property_name(method)
        if function.result is None:
            file.body.append(f"func (r *{owner}) {go_name}(ctx *pulumi.Context{parameters}) error {{ return nil }}\n")
            return
        native = self._result(file, name, function)
        if self.sdk.lifts_single_returns and isinstance(native, Struct):
            fields = list(native.declaration.fields(Shape.OUTPUT).values())
            native = self._native(fields[0]) if len(fields) == 1 else native
        returned = self._plain(file, native) if function.plain_result else self._static(file, native, "Output")
        file.body.append(
            f"func (r *{owner}) {go_name}(ctx *pulumi.Context{parameters}) (o {returned}, e error) {{ return }}\n"
        )


def _unwrapped(f: Field) -> Native:
    return _NATIVES.native(f.type)


def _escaped(text: str) -> str:
    return re.sub(r'(["\\])', r"\\\1", text).replace("\n", "\\n")


def packages_of(programs: Iterable[object]) -> Iterator[Package]:
    """The packages of bound programs, each once."""
    seen: set[tuple[str, str]] = set()
    for program in programs:
        for package in program.packages:  # type: ignore[attr-defined]  # a core Program
            key = (package.name, package.version)
            if package.name != "pulumi" and key not in seen:
                seen.add(key)
                yield package
