"""The published Go SDKs of packages: their Go packages and modules, and the names of their members.

A `Symbol` is an import path and a name. The SDK generator renames members that would collide with another name of the same
Go package (targets.md, Names that Go's SDKs change). Schemas do not record these renames, so this module derives them again,
per Go package and in the generator's order: resources, then types, then functions.

    getVpc beside the resource Vpc  ->  LookupVpc, LookupVpcArgs, LookupVpcOutput, LookupVpcResult

Each folder of the SDK of a `Package` has a `Home`: its import path, module and package name. Schemas specify the location of
an SDK in different ways; `RULES` lists them, and the first applicable rule wins. The results were compared with the
published modules, including SDKs that disagree with their own schema (`tests/test_go_modules.py` has the list).

    github.com/pulumi/pulumi-random/sdk/v4/go/random   in the module   github.com/pulumi/pulumi-random/sdk/v4
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from pclgen.reads import naming
from pclgen.targets.go.names import KEYWORDS
from pclgen.targets.names import (
    NameTable,
    expand_short_member,
    inside_go_identifier,
    lowercase_first,
    title,
    unhyphenate,
    uppercase_first,
)
from pclgen.types.declarations import EnumDecl, EnumMember, FunctionDecl, Package, ResourceDecl
from pclgen.types.model import NominalType, ObjectType, without_none

# -- packages and modules ---------------------------------------------------------------------------------------------------

_MAJOR = r"/v(?:[2-9]|[1-9]\d+)(?=/|$)"
_IMPORTABLE = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*")
"""Valid paths of Go modules."""

PLACEHOLDER = "example.com"
"""The host of modules whose schemas do not specify a location."""

_OWN_FOLDERS = frozenset({"github.com/pulumi/pulumi-azure-native-sdk"})
"""Roots of SDKs whose folders are separate modules although no setting says so (azure-native before version 2)."""

_OWN_ROOTS = frozenset({"github.com/pulumi/pulumi-docker-build/sdk/go/dockerbuild"})
"""Root packages that are modules themselves; the usual module is the parent folder."""

EXCEPTIONS = _OWN_FOLDERS | _OWN_ROOTS
"""The SDKs whose schemas do not specify their modules."""


class Home(Struct, frozen=True, kw_only=True):
    """A Go package: its import path, its module's path, the name in its package clause, and its preferred import name."""

    path: str
    module: str
    clause: str
    name: str


class Rule(Struct, frozen=True, kw_only=True):
    """A rule for locating an SDK from its schema: its condition, the root package, and the module of a folder."""

    means: str
    applies: Callable[[ModuleLayout], bool]
    base: Callable[[ModuleLayout], str]
    module: Callable[[ModuleLayout, str], str]


class ModuleLayout:
    """The Go modules and packages of one SDK."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.settings: Mapping[str, object] = package.language.get("go") or {}
        self._homes: dict[str, Home] = {}
        self._by_path: dict[str, Home] = {}

    def text(self, key: str) -> str:
        """Return a text setting; "" if it is absent."""
        value = self.settings.get(key)
        return value if isinstance(value, str) else ""

    def table(self, key: str) -> Mapping[str, object]:
        """Return a table setting; an empty table if it is absent."""
        value = self.settings.get(key)
        return value if isinstance(value, dict) else {}

    @property
    def short_name(self) -> str:
        """The package's name as a Go package name."""
        return self.package.name.replace("-", "")

    @property
    def major(self) -> int:
        """The major version; 0 if the schema has no version."""
        match = re.match(r"v?(\d+)", self.package.version)
        return int(match[1]) if match else 0

    @property
    def suffix(self) -> str:
        """The suffix of module paths for this major version: `/v4`; "" for 0 and 1."""
        return f"/v{self.major}" if self.major > 1 else ""

    @cached_property
    def rule(self) -> Rule:
        """The rule that applies to this schema."""
        return next(rule for rule in RULES if rule.applies(self))

    @cached_property
    def base_path(self) -> str:
        """The import path of the root package."""
        return self.rule.base(self)

    def folder(self, token: str) -> str:
        """Return the folder of the Go package that contains `token`, relative to the root; "" for the root."""
        canonical = self.package.module_of(token)
        override = self.table("moduleToPackage").get(canonical)
        folder = (override if isinstance(override, str) else canonical).lower().strip("/")
        return posixpath.normpath(folder) if folder not in ("", ".") else ""

    def home(self, folder: str) -> Home:
        """Return the Go package in `folder`."""
        home = self._homes.get(folder)
        if home is None:
            path = self._path(folder)
            alias = self.table("packageImportAliases").get(path)
            name = alias if isinstance(alias, str) else self._name(folder)
            module = self.base_path if self.base_path in _OWN_ROOTS else self.rule.module(self, folder)
            home = Home(path=path, module=module, clause=self._clause(folder), name=name)
            self._homes[folder] = self._by_path[path] = home
        return home

    def home_at(self, path: str) -> Home | None:
        """Return the Go package with an import path that `home` has returned before; None for other paths."""
        return self._by_path.get(path)

    def _path(self, folder: str) -> str:
        if not folder:
            return self.base_path
        if self.text("importPathPattern"):
            # The first folder has the module: `compute/v20220301` is the folder `v20220301` of the module `compute/v2`.
            first, _, rest = folder.partition("/")
            return posixpath.join(self.filled_pattern(first), rest) if rest else self.filled_pattern(first)
        return posixpath.normpath(posixpath.join(self.base_path, folder))

    def filled_pattern(self, folder: str) -> str:
        """Return the path of a folder from `importPathPattern`."""
        pattern = self.text("importPathPattern") or "{baseImportPath}/{module}"
        return pattern.replace("{baseImportPath}", self.base_path).replace("{module}", folder)

    def _clause(self, folder: str) -> str:
        return (_last(folder) or self.text("rootPackageName") or _last(self.base_path)).replace("-", "")

    def _name(self, folder: str) -> str:
        if not folder:
            return identifier(self.text("rootPackageName") or _last(_without_major(self.base_path)))
        name = _last(folder)
        if re.fullmatch(r"v\d+", name):
            name = _last(posixpath.dirname(folder) or self.base_path).partition(".")[0]
        return identifier(name)

    def requirement(self, home: Home) -> str:
        """Return the version of the module of `home` for go.mod; it matches the schema's types.

        Return "" if go.mod cannot have this line and `go mod tidy` must find the version: the schema has no version, or its
        major version differs from the path's.
        """
        version = self.package.version.removeprefix("v").split("+", 1)[0]
        suffix = re.search(rf"{_MAJOR}$", home.module)
        fits = (suffix[0] if suffix else "") == self.suffix
        return f"v{version}" if version and fits else ""

    @property
    def is_packed(self) -> bool:
        """Whether the SDK has its go.mod beside its Go packages: `meta.supportPack`, or a parameterized package."""
        return self.package.supports_pack or self.package.parameterization is not None

    @property
    def default_module(self) -> str:
        """The module of an SDK if the schema does not specify it."""
        package = self.package
        root = f"{PLACEHOLDER}/pulumi-{package.name}"
        if package.namespace:
            root = f"github.com/{package.namespace}/pulumi-{package.name}"
        address = re.sub(r"^[a-z+]+://", "", package.repository).rstrip("/").removesuffix(".git")
        if _IMPORTABLE.fullmatch(address):
            root = address
        return root + ("/sdk/go" if self.is_packed else "/sdk") + self.suffix


def identifier(text: str) -> str:
    """Return `text` as a Go package name."""
    name = re.sub(r"\W", "", text, flags=re.ASCII) or "sdk"
    return f"{name}sdk" if name in KEYWORDS else f"_{name}" if name[0].isdigit() else name


def _last(path: str) -> str:
    return path.rpartition("/")[2]


def _without_major(path: str) -> str:
    return re.sub(rf"{_MAJOR}$", "", path)


def _up_to(pattern: str, path: str) -> str:
    match = re.match(rf".*?{pattern}", path)
    return match[0] if match else ""


def _stated_base(layout: ModuleLayout) -> str:
    return layout.text("importBasePath")


def _beside_module(layout: ModuleLayout) -> str:
    """Return the root package below a stated or default module, for schemas that do not specify its path."""
    module = layout.text("modulePath") or layout.default_module
    if not layout.is_packed:
        return f"{module}/go/{layout.short_name}"
    if layout.text("rootPackageName"):
        return module
    return f"{module}/{_last(_stated_base(layout)) or layout.short_name}"


def _base_with_major(layout: ModuleLayout) -> str:
    """Return the stated path with the major version.

    Go finds major versions from 2 on only below a folder of that name. The schema's path may lack it (std 2.2.0), although
    the published SDK has it.
    """
    base = _stated_base(layout)
    sdk = _up_to(r"/sdk(?=/|$)", base)
    if layout.is_packed or not layout.suffix or not sdk or re.search(_MAJOR, base):
        return base
    return sdk + layout.suffix + base.removeprefix(sdk)


def _module_of_base(layout: ModuleLayout, folder: str) -> str:
    base = layout.base_path
    parent = base if layout.text("rootPackageName") else posixpath.dirname(base)
    if layout.is_packed and not (layout.suffix and f"{layout.suffix}/" in f"{parent}/"):
        return parent
    return _up_to(_MAJOR, base) or _up_to(r"/sdk(?=/|$)", base) or base


def _module_of_folder(layout: ModuleLayout, folder: str) -> str:
    return layout.filled_pattern(folder.partition("/")[0]) if folder else layout.base_path


RULES: tuple[Rule, ...] = (
    Rule(
        means="`modulePath`: the module; packed SDKs have only the last folder of `importBasePath` below it",
        applies=lambda layout: bool(layout.text("modulePath")),
        base=lambda layout: (not layout.is_packed and _stated_base(layout)) or _beside_module(layout),
        module=lambda layout, folder: layout.text("modulePath"),
    ),
    Rule(
        means="`importPathPattern`: each folder is a module of its own, and so is the root package",
        applies=lambda layout: bool(layout.text("importPathPattern")) or layout.text("importBasePath") in _OWN_FOLDERS,
        base=lambda layout: _stated_base(layout) or _beside_module(layout),
        module=_module_of_folder,
    ),
    Rule(
        means="`importBasePath`: the module ends at the major version, else at `/sdk`; packed SDKs: the folder above",
        applies=lambda layout: bool(layout.text("importBasePath")),
        base=_base_with_major,
        module=_module_of_base,
    ),
    Rule(
        means="nothing: the address of the sources, or the namespace, and the usual folders",
        applies=lambda layout: True,
        base=_beside_module,
        module=lambda layout, folder: layout.default_module,
    ),
)


# -- members ----------------------------------------------------------------------------------------------------------------

CORE_MODULE = "github.com/pulumi/pulumi/sdk/v3"
CORE_PATH = CORE_MODULE + "/go/pulumi"

_Condition: TypeAlias = Callable[[], bool]
_Kind: TypeAlias = Literal["resource", "type", "function"]
_Tokens: TypeAlias = tuple[list[str], list[str], list[str]]
"""The tokens of resources, types and functions."""

_NO_CONTAINERS_NAMES = frozenset({"ID", "URN", "GetProvider", "ElementType"})


class Symbol(Struct, frozen=True):
    """An exported name: `path` is the import path of its Go package."""

    path: str
    name: str


@lru_cache(maxsize=4096)
def property_name(name: str) -> str:
    """Return the name of the struct field, and accessor, of the property `name` (targets.md, Property names)."""
    text = title(name)
    if not text[:1].isupper():
        text = "X" + text.lstrip("_")  # a name without an initial capital is hidden from the SDK
    return text + "_" if text in _NO_CONTAINERS_NAMES else text


def field_names(members: Iterable[str]) -> Mapping[str, str]:
    """Return the struct field names of a component's members, unique even for `a-b` and `aB`."""
    return _field_names(tuple(members))


@lru_cache(maxsize=256)
def _field_names(members: tuple[str, ...]) -> Mapping[str, str]:
    table = NameTable()
    return {name: table.claim(property_name(name)) for name in members}


def accessor_name(name: str, *, pointer: bool) -> str:
    """Return the method of `XOutput` (or `XPtrOutput`) that reads the property `name` (targets.md, Property names)."""
    text = property_name(name)
    bare = text.rstrip("_").lower()
    if bare in ("elementtype", "issecret"):
        return title(name) + "Prop" if pointer else "Get" + text
    return text


def member_of_token(token: str) -> str:
    """Return the last part of a token: `aws:s3/bucket:Bucket` -> `Bucket`."""
    return token.rsplit(":", 1)[-1]


def enum_constant(type_name: str, member: EnumMember) -> str:
    """Return the Go constant of an enum member (targets.md, Enum members)."""
    source = member.name or (str(member.value).lower() if isinstance(member.value, bool) else str(member.value))
    text = uppercase_first(expand_short_member(source).removeprefix("$"))
    text = re.sub(r"-(.?)", lambda m: "_" + m[1].upper(), text)
    text = "".join(c if inside_go_identifier(c) else "_" for c in text)
    if text[:1].isdigit():
        text = "_" + text
    text = re.sub("_+", "_", text)
    if "_" in text[1:] and not text.startswith("_"):
        text = "_" + text
    return type_name + text


@lru_cache(maxsize=64)
def sdk_of(package: Package) -> GoPackage:
    """Return the names and layout of the Go SDK of `package`, computed once for each `Package` object."""
    return GoPackage(package)


class GoPackage:
    """The Go SDK of one package."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self._modules: dict[str, _Names] = {}
        self._symbols: dict[tuple[_Kind, str], Symbol] = {}
        self.layout: ModuleLayout = ModuleLayout(package)

    @property
    def has_containers(self) -> bool:
        """Whether resources have `RArray`, `RMap` and their outputs."""
        return self.layout.settings.get("generateResourceContainerTypes") is True

    @property
    def has_output_functions(self) -> bool:
        """Whether functions have an Output form."""
        return self.layout.settings.get("disableFunctionOutputVersions") is not True

    @property
    def lifts_single_returns(self) -> bool:
        """Whether methods with one result property return that property."""
        return self.layout.settings.get("liftSingleValueMethodReturns") is True

    def home(self, token: str) -> Home:
        """Return the Go package that contains `token`."""
        return self.layout.home(self.layout.folder(token))

    @property
    def root(self) -> Home:
        """The root package, which contains the provider."""
        return self.layout.home("")

    # ---------------------------------------------------------------------------------------------- members

    def _names(self, token: str) -> _Names:
        folder = self.layout.folder(token)
        names = self._modules.get(folder)
        if names is None:
            tokens = self._tokens_by_folder.get(folder, ([], [], []))
            names = self._modules[folder] = _Names(self, tokens, with_provider=not folder)
        return names

    @cached_property
    def _tokens_by_folder(self) -> Mapping[str, _Tokens]:
        """Resources, types and functions by folder.

        A package can have ten thousand of them, so one pass covers all tokens and computes the folder of each module once.
        """
        by_module: dict[str, _Tokens] = {}
        result: dict[str, _Tokens] = {}
        package, module_of = self.package, self.package.module_of
        for position, tokens in enumerate((package.resource_tokens, package.type_tokens, package.function_tokens)):
            for token in tokens:
                module = module_of(token)
                in_module = by_module.get(module)
                if in_module is None:
                    in_module = by_module[module] = result.setdefault(self.layout.folder(token), ([], [], []))
                in_module[position].append(token)
        return result

    def resource(self, declaration: ResourceDecl) -> Symbol:
        """Return the type of a resource; the names of constructor, getter, arguments and state derive from it."""
        return Symbol(self.root.path, "Provider") if declaration.is_provider else self._symbol("resource", declaration.token)

    def type(self, token: str) -> Symbol:
        """Return the name of an object type or an enum."""
        return self._symbol("type", token)

    def function(self, declaration: FunctionDecl) -> Symbol:
        """Return the plain form of a function; the names of its Output form, arguments and result derive from it."""
        return self._symbol("function", declaration.token)

    def _symbol(self, kind: _Kind, token: str) -> Symbol:
        symbol = self._symbols.get((kind, token))
        if symbol is None:
            name = self._names(token).by_token.get((kind, token)) or title(member_of_token(token))
            symbol = self._symbols[kind, token] = Symbol(self.home(token).path, name)
        return symbol

    def enum_member(self, declaration: EnumDecl, member: EnumMember) -> Symbol:
        """Return the constant of an enum member."""
        symbol = self.type(declaration.token)
        return Symbol(symbol.path, enum_constant(symbol.name, member))


class _Names:
    """The names that one Go package claims, and their owners (targets.md, Names that Go's SDKs change).

    A claim may depend on the declaration of a member (does the function have inputs?). That is read only if another
    member has the same name.
    """

    def __init__(self, sdk: GoPackage, tokens: _Tokens, *, with_provider: bool) -> None:
        self._package = sdk.package
        self._has_containers = sdk.has_containers
        self._claims: dict[str, list[_Condition]] = {}
        self._resource_by_name: dict[str, str] = {}
        self.by_token: dict[tuple[_Kind, str], str] = {}
        """The names of the members, by kind and token."""
        if with_provider:
            self._claim(_always("Provider", "ProviderInput", "ProviderOutput", "ProviderArgs", "providerArgs"))
            self._claim(_always("NewProvider"))
        resources, types, functions = tokens
        with naming():
            for token in resources:
                self._add_resource(token)
            for token in types:
                self._add_type(token)
            for token in functions:
                self._add_function(token)

    def _claim(self, names: Iterable[tuple[str, _Condition]]) -> None:
        for name, condition in names:
            self._claims.setdefault(name, []).append(condition)

    def _is_free(self, names: Iterable[tuple[str, _Condition]]) -> bool:
        return not any(self._is_claimed(name) and condition() for name, condition in names)

    def _is_claimed(self, name: str) -> bool:
        if any(condition() for condition in self._claims.get(name, ())):
            return True
        return self._is_method_name(name)

    def _is_method_name(self, name: str) -> bool:
        """Return whether `name` is `RMArgs` or `RMResult` of a method `M` of some resource `R`."""
        if not name.endswith(("Args", "Result")):
            return False
        for end in range(1, len(name)):
            token = self._resource_by_name.get(name[:end])
            declaration = self._package.resource(token) if token is not None else None
            if declaration is None:
                continue
            for method, function in declaration.methods().items():
                stem = name[:end] + title(method)
                if name == stem + "Args" and function.inputs is not None:
                    return True
                if name == stem + "Result" and has_object_result(function):
                    return True
        return False

    def _add_resource(self, token: str) -> None:
        base = title(member_of_token(token))
        for name in (base, base + "Resource", base + "Res"):
            claims = self._resource_claims(token, name)
            if self._is_free(claims):
                break
        self._claim(claims)
        self.by_token["resource", token] = name
        self._resource_by_name[name] = token

    def _resource_claims(self, token: str, name: str) -> list[tuple[str, _Condition]]:
        claims = _always(name, name + "Input", name + "Output", name + "Args", lowercase_first(name) + "Args", "New" + name)
        if self._has_containers:
            claims += _always(name + "Array", name + "Map")

        def is_custom() -> bool:
            declaration = self._package.resource(token)
            return declaration is None or not (declaration.is_component or declaration.is_provider)

        return claims + [(n, is_custom) for n in (name + "State", lowercase_first(name) + "State", "Get" + name)]

    def _add_type(self, token: str) -> None:
        base = title(member_of_token(token))
        if ("resource", token) in self.by_token:
            self.by_token["type", token] = base + "Type"
            self._claim(_always(base + "Type", base + "TypeInput", base + "TypeOutput"))
            return

        def claims_of(name: str) -> list[tuple[str, _Condition]]:
            return _always(name, name + "Input", name + "Output")

        name = base
        if not self._is_free(claims_of(base)):
            is_enum = isinstance(self._package.object_type(token), EnumDecl)
            for suffix in ("Enum",) if is_enum else ("Type", "Typ"):
                name = base + suffix
                if self._is_free(claims_of(name)):
                    break
        self._claim(claims_of(name))
        self.by_token["type", token] = name

    def _add_function(self, token: str) -> None:
        base = title(member_of_token(token))
        claims = self._function_claims(token, base)
        name = base
        if not self._is_free(claims):
            if base.startswith("New"):
                name = "Create" + base.removeprefix("New")
            elif base.startswith("Get"):
                name = "Lookup" + base.removeprefix("Get")
            claims = self._function_claims(token, name)
        self._claim(claims)
        self.by_token["function", token] = name

    def _function_claims(self, token: str, name: str) -> list[tuple[str, _Condition]]:
        def takes_arguments() -> bool:
            function = self._package.function(token)
            return function is not None and function.inputs is not None and not function.multi_argument

        def gives_object() -> bool:
            function = self._package.function(token)
            return function is not None and has_object_result(function)

        return [*_always(name), (name + "Args", takes_arguments), (name + "Result", gives_object)]


def _always(*names: str) -> list[tuple[str, _Condition]]:
    return [(name, lambda: True) for name in names]


def has_object_result(function: FunctionDecl) -> bool:
    """Return whether `function` returns an object, which has its own struct."""
    return function.result is not None and isinstance(without_none(function.result), NominalType | ObjectType)


def method_name(name: str) -> str:
    """Return the Go method of a schema method."""
    return title(unhyphenate(name))
