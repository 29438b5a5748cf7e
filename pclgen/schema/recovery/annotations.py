"""Annotations of an SDK as type expressions of a schema, and the names inside them as references.

An `Annotation` is the type in schema form and the number of `Optional`s around it.

    pulumi.Input[Optional[Sequence[pulumi.Input['PortArgs']]]]
        {"type": "array", "items": {"$ref": "#/types/docker:index%2FPort:Port"}}, optional

Types that an argument class does not wrap in `pulumi.Input` accept no eventual values: they are *plain*.

A dotted name in a file (`outputs.BucketWebsite`, `_meta.v1.ObjectMetaArgs`, `pulumi_aws.ec2.Vpc`) becomes the `$ref` of an
object type, an enum or a resource; the reverse gives the classes of an object type. Inside a module folder an object type
`T` is `TArgs` among the inputs, and `T` (or, for types that only functions use in packages of older conventions, `TResult`)
among the outputs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from pclgen.schema.recovery.layout import ENUMS, INPUTS, OUTPUTS, Layout, head, listed_names, names_of_enums

Spec = dict[str, object]
"""A piece of schema JSON."""

_PRIMITIVES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
_LITERALS = {str: "string", int: "integer", float: "number", bool: "boolean"}
_LISTS = frozenset({"Sequence", "List", "list"})
_MAPS = frozenset({"Mapping", "Dict", "dict"})
_WRAPPERS = frozenset({"Output", "Awaitable", "NotRequired"})
_ASSET, _ARCHIVE = "pulumi.json#/Asset", "pulumi.json#/Archive"
_DEEPEST = 40


class AnnotationError(Exception):
    """An annotation without an equivalent in schemas; the message quotes the annotation."""


class Annotation(Struct, frozen=True, kw_only=True):
    """A type in schema form.  `optional` counts the `Optional`s around it."""

    spec: Spec
    optional: int = 0
    is_input: bool = False


class AnnotationReader(Struct, frozen=True, kw_only=True):
    """Reads annotations of one file.

    `resolve` returns the `$ref` of a dotted name, or None. With `marks_plain`, types without an input wrapper are plain.
    """

    resolve: Callable[[str], str | None]
    marks_plain: bool = False

    def read(self, node: ast.expr) -> Annotation:
        """Return the type of an annotation. Raises `AnnotationError`."""
        return self._marked(self._read(node, 0))

    def _marked(self, annotation: Annotation) -> Annotation:
        if self.marks_plain and not annotation.is_input and annotation.spec.get("$ref") != ANY:
            return Annotation(spec={**annotation.spec, "plain": True}, optional=annotation.optional)
        return annotation

    def _read(self, node: ast.expr, depth: int) -> Annotation:
        if depth > _DEEPEST:
            raise AnnotationError("the annotation is nested too deeply")
        match node:
            case ast.Constant(value=str() as text):
                return self._read(_parsed(text), depth + 1)
            case ast.Constant(value=None):
                return Annotation(spec={"$ref": ANY}, optional=1)
            case ast.Name() | ast.Attribute():
                return Annotation(spec=self._named(dotted(node)))
            case ast.Subscript():
                return self._subscript(node, depth + 1)
            case ast.BinOp(op=ast.BitOr()):
                return self._union([node.left, node.right], depth + 1)
        raise AnnotationError(f"`{ast.unparse(node)}` is no type")

    def _subscript(self, node: ast.Subscript, depth: int) -> Annotation:
        name = dotted(node.value).rpartition(".")[2]
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name in _LISTS:
            return Annotation(spec={"type": "array", "items": self._element(parts[0], depth)})
        if name in _MAPS:
            return Annotation(spec={"type": "object", "additionalProperties": self._element(parts[-1], depth)})
        if name == "Union":
            return self._union(parts, depth)
        if name == "Literal":
            return Annotation(spec=_constant(node, parts))
        inner = self._read(parts[0], depth)
        if name == "Optional":
            return Annotation(spec=inner.spec, optional=inner.optional + 1, is_input=inner.is_input)
        if name in ("Input", "InputType"):
            # `Input` may enclose `Optional`, so an `Optional` inside of it counts, too.
            return Annotation(spec=inner.spec, optional=inner.optional, is_input=True)
        if name in _WRAPPERS:
            return inner
        raise AnnotationError(f"`{ast.unparse(node)}` is no type")

    def _element(self, node: ast.expr, depth: int) -> Spec:
        return self._marked(self._read(node, depth)).spec

    def _union(self, nodes: Sequence[ast.expr], depth: int) -> Annotation:
        members: list[Spec] = []
        optional = 0
        is_input = False
        for node in nodes:
            annotation = self._read(node, depth)
            optional += annotation.optional
            is_input = is_input or annotation.is_input
            # Classes and dicts of the same type, and the class of results, count once.
            if not (isinstance(node, ast.Constant) and node.value is None) and annotation.spec not in members:
                members.append(annotation.spec)
        if members and all(member.get("$ref") in (_ASSET, _ARCHIVE) for member in members):
            members = [{"$ref": _ASSET}] if {"$ref": _ASSET} in members else [{"$ref": _ARCHIVE}]
        if len(members) == 1:
            return Annotation(spec=members[0], optional=optional, is_input=is_input)
        return Annotation(spec={"oneOf": members}, optional=optional, is_input=is_input)

    def _named(self, name: str) -> Spec:
        last = name.rpartition(".")[2]
        if name in (last, f"_builtins.{last}", f"builtins.{last}") and last in _PRIMITIVES:
            return {"type": _PRIMITIVES[last]}
        if name in ("Any", "typing.Any"):
            return {"$ref": ANY}
        if name in ("pulumi.Asset", "pulumi.AssetOrArchive"):
            return {"$ref": _ASSET}
        if name == "pulumi.Archive":
            return {"$ref": _ARCHIVE}
        reference = self.resolve(name)
        return {"$ref": reference if reference is not None else ANY}


def _constant(node: ast.expr, parts: Sequence[ast.expr]) -> Spec:
    """Return the type of `Literal['v1']`, a constant; several literals of one type become that type."""
    values = [part.value for part in parts if isinstance(part, ast.Constant)]
    types = {_LITERALS.get(type(value)) for value in values}
    if len(values) != len(parts) or len(types) != 1 or None in types:
        raise AnnotationError(f"`{ast.unparse(node)}` is no type")
    spec: Spec = {"type": types.pop()}
    return {**spec, "const": values[0]} if len(values) == 1 else spec


def dotted(node: ast.expr) -> str:
    """Return `a.b.c` as text. Raises `AnnotationError` for other expressions."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return f"{dotted(node.value)}.{node.attr}"
    raise AnnotationError(f"`{ast.unparse(node)}` is no name")


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise AnnotationError(f"`{text[:80]}` is no type") from error


# -- references -------------------------------------------------------------------------------------------------------------

ANY = "pulumi.json#/Any"
_IMPORT = re.compile(r"^from (\.+)(\w*(?:\.\w+)*) import (\w+)(?: as (\w+))?$", re.MULTILINE)
_SIDES = {"outputs": OUTPUTS, "_inputs": INPUTS, "inputs": INPUTS, "_enums": ENUMS, "enums": ENUMS}

Module = tuple[str, ...]


class TypeClasses(Struct, frozen=True, kw_only=True):
    """The classes of an object type: in the inputs and in the outputs of its module, "" where it has none."""

    module: Module
    inputs: str = ""
    outputs: str = ""
    enum: str = ""


class Names:
    """The types, enums and resources that the module folders of one SDK declare."""

    def __init__(self, layout: Layout, sibling: Callable[[str], Names | None]) -> None:
        self.layout = layout
        self._sibling = sibling
        self._imports: dict[Path, Mapping[str, tuple[Module, str]]] = {}
        self._declared: dict[Module, _Declared] = {}

    # ------------------------------------------------------------------------------------------------------ types

    @cached_property
    def types(self) -> Mapping[str, TypeClasses]:
        """All object types and enums, by token.  Reads the lists of names of all modules."""
        by_token: dict[str, TypeClasses] = {}
        for module, files in self.layout.modules.items():
            if not {INPUTS, OUTPUTS, ENUMS}.isdisjoint(files):
                for token, classes in self.declared(module).by_token.items():
                    by_token.setdefault(token, classes)
        return dict(sorted(by_token.items()))

    def type_classes(self, token: str) -> TypeClasses | None:
        """Return the classes of the type `token`; reads only the lists of names of its module."""
        module = token.split(":")[1] if token.count(":") == 2 else ""
        homes = {module, module.rpartition("/")[0]} if self.layout.is_bridged else {module}
        for home in sorted(homes):
            for folder in self.layout.folders_of(home):
                classes = self.declared(folder).by_token.get(token)
                if classes is not None:
                    return classes
        return self.types.get(token) if token.count(":") == 2 else None

    def declared(self, module: Module) -> _Declared:
        """Return the declarations in the files of a module folder."""
        declarations = self._declared.get(module)
        if declarations is None:
            declarations = self._declared[module] = _Declared(self.layout, module)
        return declarations

    # ------------------------------------------------------------------------------------------------- references

    def reference(self, dotted: str, file: Path) -> str | None:
        """Return the `$ref` for a name in `file`; None when the name belongs to no installed SDK."""
        parts = dotted.split(".")
        package, module, side, name = self._placed(parts, file)
        if package is not None:
            return package.external(module, side, name)
        return self._own(module, side, name)

    def external(self, module: Module, side: str, name: str) -> str | None:
        """The `$ref` by which other packages refer to a name of this one."""
        own = self._own(module, side, name)
        if own is None:
            return None
        installation = self.layout.installation
        return f"/{installation.name}/v{installation.version}/schema.json{own}"

    def _own(self, module: Module, side: str, name: str) -> str | None:
        if name == "Provider" and not module:
            return "#/provider"
        if side not in (INPUTS, OUTPUTS, ENUMS):
            resource = self.layout.classes.get((module, name))
            if resource is not None:
                return f"#/resources/{quote(resource, safe=':')}"
        token = self.declared(module).token(name, side)
        return f"#/types/{quote(token, safe=':')}" if token is not None else None

    def _placed(self, parts: list[str], file: Path) -> tuple[Names | None, Module, str, str]:
        """The package (None for this one), module folder, side and name of a dotted name."""
        *path, name = parts
        module: Module = file.parent.relative_to(self.layout.root).parts
        side = ""
        package: Names | None = None
        if path:
            first = path.pop(0)
            if first.startswith("pulumi_") or self._is_package(first, file):
                package, module = self._sibling(first), ()
                if package is None:
                    return None, (), "", ""
            else:
                module, side = self.imports(file).get(first, ((*module, first), ""))
        for part in path:
            if part in _SIDES:
                side = _SIDES[part]
            else:
                module = (*module, part)
        return package, module, side, name

    def _is_package(self, first: str, file: Path) -> bool:
        return re.search(rf"^import {re.escape(first)}$", head(file), re.MULTILINE) is not None

    def imports(self, file: Path) -> Mapping[str, tuple[Module, str]]:
        """Return the targets of the names that a file imports from its own package: a module folder, or one of its files."""
        imports = self._imports.get(file)
        if imports is None:
            imports = self._imports[file] = dict(self._imported(file))
        return imports

    def _imported(self, file: Path) -> Iterator[tuple[str, tuple[Module, str]]]:
        here: Module = file.parent.relative_to(self.layout.root).parts
        for dots, path, name, alias in _IMPORT.findall(head(file)):
            up = len(dots) - 1
            base: Module = (*here[: len(here) - up], *(part for part in path.split(".") if part))
            if name in _SIDES:
                yield alias or name, (base, _SIDES[name])
            elif not path:
                yield alias or name, ((*base, name), "")


class _Declared:
    """The object types and enums of one module folder."""

    def __init__(self, layout: Layout, module: Module) -> None:
        folder = layout.folder(module)
        self._layout = layout
        self._module = module
        listed = frozenset(listed_names(folder / INPUTS))
        # `XDict` is the same type as `X`.
        self.inputs: frozenset[str] = frozenset(
            n for n in listed if n.removesuffix("Dict") == n or n.removesuffix("Dict") not in listed
        )
        self.outputs: frozenset[str] = frozenset(listed_names(folder / OUTPUTS))
        self.enums: Mapping[str, str] = names_of_enums(folder / ENUMS)

    @cached_property
    def by_token(self) -> Mapping[str, TypeClasses]:
        """All type classes by token."""
        return dict(self._types())

    def _types(self) -> Iterator[tuple[str, TypeClasses]]:
        for name in self.enums:
            yield self._enum_token(name), TypeClasses(module=self._module, enum=name)
        stems: dict[str, tuple[str, str]] = {}
        for name in sorted(self.inputs):
            # Sorted, `X` (the form without eventual values) comes before `XArgs`, which has more information.
            stems[name.removesuffix("Args")] = (name, "")
        for name in sorted(self.outputs):
            stem = self._output_stem(name)
            stems[stem] = (stems.get(stem, ("", ""))[0], name)
        for stem, (inputs, outputs) in stems.items():
            yield self._type_token(stem), TypeClasses(module=self._module, inputs=inputs, outputs=outputs)

    def token(self, name: str, side: str) -> str | None:
        """Return the token of the type with this name on a side ("" when only the name can tell)."""
        if side in ("", ENUMS, INPUTS) and name in self.enums:
            return self._enum_token(name)
        if side != OUTPUTS:
            for spelling in (name, name.removesuffix("Dict")):
                if spelling in self.inputs:
                    return self._type_token(spelling.removesuffix("Args"))
        if name in self.outputs:
            return self._type_token(self._output_stem(name))
        return self._enum_token(name) if name in self.enums else None

    def _output_stem(self, name: str) -> str:
        """`GetAmiFilterResult` becomes `GetAmiFilter`."""
        stem = name.removesuffix("Result")
        if stem == name or not self._layout.is_legacy:
            return name
        if self._is_of_function(stem) or stem in self.outputs or f"{stem}Args" in self.inputs:
            return stem
        return name

    def _is_of_function(self, stem: str) -> bool:
        """Return whether a type is named after a function, such as `GetAmiFilter`."""
        return stem.startswith("Get") or _begins_with(stem, self._layout.function_names)

    def _enum_token(self, name: str) -> str:
        token = self.enums.get(name, "")
        if token.count(":") == 2:
            return token
        # Before enums named their tokens, the bridge's enums had tokens like its other types.
        package, module = self._layout.installation.name, self._layout.schema_module(self._module)
        if self._layout.is_bridged and module != "index":
            return f"{package}:{module}/{name}:{name}"
        return f"{package}:{module}:{name}"

    def _type_token(self, stem: str) -> str:
        layout = self._layout
        package, module = layout.installation.name, layout.schema_module(self._module)
        if not layout.is_bridged:
            return f"{package}:{module}:{stem}"
        lowered = stem[:1].lower() + stem[1:]
        # Types that the bridge makes are named after the resource or function that has them; others were added by hand.
        is_prefixed = _begins_with(stem, layout.class_names)
        if stem.startswith("Get") or module == "config" or (not is_prefixed and self._is_of_function(stem)):
            return f"{package}:{module}/{lowered}:{lowered}"
        return f"{package}:{module}/{stem if is_prefixed else lowered}:{stem}"


def _begins_with(stem: str, names: frozenset[str]) -> bool:
    """Return whether `stem` is one of `names`, or one with more words after it."""
    return stem in names or any(stem[:end] in names for end in range(1, len(stem)) if not stem[end].islower())
