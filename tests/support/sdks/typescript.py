"""Generated SDKs for TypeScript, compiled: folders with `node_modules`."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from tests.support import toolchains
from tests.support.compilers import link_modules
from tests.support.sdks.generation import by_version, cached, write_sdks

_OPTIONAL_INPUT = re.compile(r"^( +\S+\?: pulumi\.Input<.+) \| undefined>;$", re.MULTILINE)

_OPTIONS = {
    "target": "ES2022", "module": "commonjs", "moduleResolution": "node", "types": ["node"], "strict": True,
    "declaration": True, "stripInternal": True, "skipLibCheck": True,
}


def sdk_path(schemas: Sequence[Path], *, former: bool = False) -> list[Path]:
    """Return folders with the SDKs of `schemas`, one for each; a higher version comes first.

    With `former`, inputs have the types that generators wrote until the end of 2025, as in most published SDKs: an optional
    input accepts undefined, but not an output that may be undefined.  Raises `ToolError`.
    """
    home = cached("typescript", [Path(__file__), *schemas], lambda home: _write(home, sorted(schemas), former), variant=repr(former))
    return by_version(home)


def _write(home: Path, schemas: Sequence[Path], former: bool) -> None:
    scratch = home / "generated"
    scratch.mkdir()
    packages: list[Path] = []
    for folder in write_sdks(schemas, "typescript", scratch).values():
        name = json.loads((folder / "package.json").read_bytes())["name"]
        packages.append(home / folder.name / "node_modules" / name)
        shutil.move(folder, packages[-1])
        for path in packages[-1].rglob("*.ts") if former else ():
            path.write_text(_OPTIONAL_INPUT.sub(r"\1>;", path.read_text(encoding="utf-8")), encoding="utf-8")
    shutil.rmtree(scratch)
    _compile(home, packages)


def _compile(home: Path, packages: Sequence[Path]) -> None:
    """Compile all packages in one run, with Pulumi's own SDK and copies of each other."""
    tools = toolchains.node()
    shared = home / "node_modules"
    link_modules(shared, tools.modules, by_version(home))
    config = {"compilerOptions": _OPTIONS, "include": [f"{package.relative_to(home)}/**/*.ts" for package in packages], "exclude": []}
    (home / "tsconfig.json").write_text(json.dumps(config), encoding="utf-8")
    # Errors do not stop the compilation: the handwritten parts of packages are missing.
    toolchains.run([tools.node, tools.modules / "typescript" / "bin" / "tsc", "-p", "."], cwd=home, ok=(0, 2))
    shutil.rmtree(shared)
    for package in packages:
        for path in package.rglob("*.ts"):
            if not path.name.endswith(".d.ts"):
                path.unlink()
