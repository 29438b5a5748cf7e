"""The Go packages of an SDK: import paths, modules, and package names.

Each folder of the SDK of a `Package` has a `Home`. Schemas specify the location of an SDK in different ways; `RULES` lists
them, and the first applicable rule wins. The results were compared with the published modules, including SDKs that
disagree with their own schema (`tests/test_go_modules.py` has the list).

    github.com/pulumi/pulumi-random/sdk/v4/go/random   in the module   github.com/pulumi/pulumi-random/sdk/v4
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Mapping
from functools import cached_property

from msgspec import Struct

from pclgen.targets.go.names import KEYWORDS
from pclgen.types.declarations import Package

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
