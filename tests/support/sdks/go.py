"""Generated SDKs for Go."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.support import toolchains
from tests.support.sdks.generation import cached, package_of, write_sdks


@dataclass(frozen=True, slots=True, kw_only=True)
class Kit:
    """A Go module that requires the SDKs in its folder `go` and published SDKs.

    `compilers.check_go` takes the module as its `generated`, for a complete `go vet`; `gotypes.check_types` only checks
    types.
    """

    module: Path


def sdk_kit(schemas: Collection[Path], *, only: Collection[str] | None = None) -> Kit:
    """The SDKs of `schemas`, or of the packages of them that `only` names.  Raises `ToolError`."""
    sources = [Path(__file__), toolchains.go().module / "go.mod", *schemas]
    variant = repr(only and sorted(only))
    return Kit(module=cached("go", sources, lambda home: _write_kit(home, sorted(schemas), only), variant=variant))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Sdk:
    """An SDK: its folders by import path, the paths of its modules, and the path of the root package in its packages.

    The generator drops the dashes of a package's name in the folder, and keeps them in that path unless the schema declares
    it.
    """

    packages: Mapping[str, Path]
    modules: Sequence[str]
    declared: str


def _write_kit(home: Path, schemas: Sequence[Path], only: Collection[str] | None) -> None:
    pins = toolchains.go().module
    text = (pins / "go.mod").read_text(encoding="utf-8")
    pulumi = re.search(r"github\.com/pulumi/pulumi/sdk/v3 (\S+)", text)
    language = re.search(r"^go \S+$", text, re.MULTILINE)
    assert pulumi is not None and language is not None, "go.mod pins the Pulumi SDK and a version of Go"
    scratch = home / "generated"
    scratch.mkdir()
    folders = write_sdks(schemas, "go", scratch)
    sdks = [_sdk(path, folder) for path, folder in folders.items() if only is None or package_of(folder) in only]
    renamed = {sdk.declared: sdk.modules[0] for sdk in sdks if sdk.declared != sdk.modules[0]}
    for sdk in sdks:
        for path, folder in sdk.packages.items():
            (home / "go" / path).mkdir(parents=True)
            for source in folder.glob("*.go"):
                (home / "go" / path / source.name).write_text(_rename_imports(source, renamed), encoding="utf-8")
        for path in sdk.modules:
            manifest = f"module {path}\n\n{language[0]}\n\nrequire {pulumi[0]}\n"
            (home / "go" / path / "go.mod").write_text(manifest, encoding="utf-8")
            version = re.search(r"/v(\d+)$", path)
            text += f"\nrequire {path} v{version[1] if version else 0}.0.0\n\nreplace {path} => ./go/{path}\n"
    shutil.rmtree(scratch)
    (home / "go.mod").write_text(text, encoding="utf-8")
    shutil.copyfile(pins / "go.sum", home / "go.sum")


def _sdk(schema: Path, folder: Path) -> _Sdk:
    """The SDK in `folder`.  A schema may place its modules beside the root package, as azure-native does."""
    settings = (json.loads(schema.read_bytes()).get("language") or {}).get("go") or {}
    internal, pattern = settings.get("internalModuleName", "internal"), settings.get("importPathPattern")
    root = folder if any(folder.glob("*.go")) else next(path for path in folder.iterdir() if path.is_dir())
    texts = (path.read_text(encoding="utf-8") for path in sorted(root.rglob("*.go")))
    declared = next(match[1] for text in texts if (match := re.search(rf'^\t"(\S+)/{internal}"$', text, re.MULTILINE)))
    base = declared if root == folder else f"{declared.rpartition('/')[0]}/{root.name}"
    packages: dict[str, Path] = {}
    modules = [base]
    for path in sorted({source.parent for source in root.rglob("*.go")}):
        module = path.relative_to(root).as_posix()
        if pattern and module not in (".", internal):
            modules.append(pattern.replace("{baseImportPath}", base).replace("{module}", module))
            packages[modules[-1]] = path
        else:
            packages[base if module == "." else f"{base}/{module}"] = path
    return _Sdk(packages=packages, modules=modules, declared=declared)


def _rename_imports(path: Path, renamed: Mapping[str, str]) -> str:
    text = path.read_text(encoding="utf-8")
    for old, new in renamed.items():
        text = re.sub(rf'"{re.escape(old)}(?=[/"])', f'"{new}', text)
    return text
