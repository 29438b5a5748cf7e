"""Names that a Go SDK gives to what a schema declares: spec/targets.md 1.3 to 1.7.

Comes in: a `Schema`.  Goes out: an `Sdk`: module path, import paths, and the Go name of every resource, type and function
with the renames that clashes within one Go package force.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property

from tests.support.standins.schema import PROVIDER, Function, Resource, Schema, Slot

_RESERVED = {"ID", "URN", "GetProvider", "ElementType"}
_DIGITS = ("Zero", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine")


def upper_first(text: str) -> str:
    """`text` with its first letter in upper case."""
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    """`text` with its leading run of upper-case letters lowered, as private names are."""
    match = re.match(r"[^a-z]*", text)
    assert match is not None  # the pattern matches nothing, too
    return match[0].lower() + text[match.end() :]


def title(text: str) -> str:
    """The exported Go name of a schema name."""
    joined = re.sub(r"-(.?)", lambda match: match[1].upper(), upper_first(text.removeprefix("$")))
    return joined if re.match(r"[^\W\d]|_", joined) else f"_{joined}"


def field_name(name: str, resource: str = "") -> str:
    """The Go field of a property; of the resource with the Go name `resource`, if any."""
    found = title(name)
    taken = _RESERVED | ({f"To{resource}Output", f"To{resource}OutputWithContext"} if resource else set())
    return f"{found}_" if found in taken else found


def accessor_name(name: str) -> str:
    """The method of an object's output for a property."""
    return f"Get{field_name(name)}" if name.lower() in ("elementtype", "issecret") else field_name(name)


def pointer_accessor_name(name: str) -> str:
    """The method of an optional object's output for a property."""
    found = title(name)
    return f"{found}Prop" if found in ("IsSecret", "ElementType") else found


def member_name(enum: str, name: str | None, value: object) -> str:
    """The constant of a member of the enumeration with the Go name `enum`."""
    source = name or f"{value}"
    if source == "*":
        source = "Asterisk"
    elif len(source) == 1 and source.isdigit():
        source = _DIGITS[int(source)]
    source = upper_first(source.removeprefix("$"))
    source = re.sub(r"-(.)", lambda match: "_" + match[1].upper(), source)
    source = re.sub(r"_+", "_", re.sub(r"\W", "_", source))
    return enum + (f"_{source}" if "_" in source[1:] and not source.startswith("_") else source)


class Sdk:
    """The names of one package's SDK."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.resources: dict[str, str] = {}
        self.types: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        self._taken: dict[str, set[str]] = {}
        self._claim_all()

    # Paths

    @property
    def parameterized(self) -> bool:
        """Whether the package comes out of another one by a parameter."""
        raw = self.schema.raw
        return bool(raw.get("parameterization") or raw.get("extensionParameterization"))

    @cached_property
    def module_path(self) -> str:
        """The path that go.mod declares."""
        stated = self.schema.go.get("modulePath")
        if stated:
            return str(stated)
        if "importBasePath" in self.schema.go:
            return self._module_of_base()
        return self._default_module

    @property
    def _supports_pack(self) -> bool:
        return self.parameterized or bool((self.schema.raw.get("meta") or {}).get("supportPack"))

    @property
    def _default_module(self) -> str:
        raw, name = self.schema.raw, self.schema.name
        root = f"example.com/pulumi-{name}"
        if raw.get("repository"):
            root = re.sub(r"^\w+://", "", raw["repository"]).rstrip("/")
        elif raw.get("namespace"):
            root = f"github.com/{raw['namespace']}/pulumi-{name}"
        major = self.major
        return root + ("/sdk/go" if self._supports_pack else "/sdk") + (f"/v{major}" if major > 1 else "")

    @property
    def major(self) -> int:
        """The major version; 0 without a version."""
        return int(self.schema.version.partition(".")[0] or 0)

    def _module_of_base(self) -> str:
        base = self.base_path
        match = re.match(r".*?/v\d+(?=/|$)", base) or re.match(r".*?/sdk(?=/|$)", base)
        return match[0] if match else base

    @cached_property
    def base_path(self) -> str:
        """The import path of the root package."""
        stated = self.schema.go.get("importBasePath")
        if stated:
            return str(stated)
        short = self.schema.name.replace("-", "")
        return f"{self._default_module}/{short}" if self._supports_pack else f"{self._default_module}/go/{short}"

    def module_of(self, token: str) -> str:
        """The path of a token's Go package under the root; empty for the root."""
        if token.startswith(PROVIDER):
            return ""
        match = re.search(self.schema.module_format, token.split(":")[1])
        canonical = match[1] if match else ""
        canonical = "" if canonical == "index" else canonical
        return str((self.schema.go.get("moduleToPackage") or {}).get(canonical, canonical)).lower()

    def import_path(self, module: str) -> str:
        """The import path of a module."""
        if not module:
            return self.base_path
        pattern = str(self.schema.go.get("importPathPattern") or "{baseImportPath}/{module}")
        return pattern.replace("{baseImportPath}", self.base_path).replace("{module}", module)

    def package_name(self, module: str) -> str:
        """What the package clause of a module says."""
        root = self.schema.go.get("rootPackageName") or self.base_path.rpartition("/")[2]
        return (module.rpartition("/")[2] or str(root)).replace("-", "")

    def modules(self) -> list[str]:
        """The modules that hold anything, sorted; always with the root."""
        schema = self.schema
        tokens = [*schema.resources, *schema.objects, *schema.enums, *schema.functions]
        return sorted({"", *(self.module_of(token) for token in tokens if token not in schema.methods)})

    # Entities

    def _claim_all(self) -> None:
        schema = self.schema
        for resource in (schema.provider, *schema.resources.values()):
            self.resources[resource.token] = self._claim_resource(resource)
        for token in sorted([*schema.objects, *schema.enums]):
            plain = title(token.split(":")[2])
            suffixes = ("", "Enum") if token in schema.enums else ("", "Type", "Typ")
            options = [plain + suffix for suffix in suffixes]
            self.types[token] = self._claim(token, options, lambda n: [n, f"{n}Input", f"{n}Output"])
        for function in schema.functions.values():
            if function.token not in schema.methods:
                self.functions[function.token] = self._claim_function(function)

    def _claim_resource(self, resource: Resource) -> str:
        plain = "Provider" if resource.provider else title(resource.token.split(":")[2])

        def claims(name: str) -> list[str]:
            small = lower_first(name)
            names = [name, f"{name}Input", f"{name}Output", f"{name}Args", f"{small}Args", f"New{name}"]
            if not (resource.provider or resource.component):
                names += [f"{name}State", f"{small}State", f"Get{name}"]
            if self.schema.go.get("generateResourceContainerTypes") and not resource.provider:
                names += [f"{name}Array", f"{name}Map"]
            return names

        return self._claim(resource.token, [plain, f"{plain}Resource", f"{plain}Res"], claims)

    def _claim_function(self, function: Function) -> str:
        plain = title(function.token.split(":")[2])
        options = [plain]
        for old, new in (("New", "Create"), ("Get", "Lookup")):
            if plain.startswith(old):
                options.append(new + plain.removeprefix(old))

        def claims(name: str) -> list[str]:
            args = [f"{name}Args"] if function.inputs is not None and not function.positional else []
            struct = function.result is not None and not isinstance(function.result, Slot)
            return [name, *args, *([f"{name}Result"] if struct else [])]

        return self._claim(function.token, options, claims)

    def _claim(self, token: str, options: Iterable[str], claims: Callable[[str], list[str]]) -> str:
        """The first of `options` whose names are all free in the token's Go package; they are taken from now on."""
        taken = self._taken.setdefault(self.module_of(token), set())
        name = ""
        for name in options:
            if taken.isdisjoint(claims(name)):
                break
        taken.update(claims(name))
        return name
