"""Cost limits of four programs of different shape in three languages, in calls, so that the clock does not matter.

The tests fail if a change traverses or copies more than before.  Lower a limit when the cost falls; raise it only for a
reason."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec
import pytest

from pclgen import pipeline
from pclgen.core import walk
from pclgen.schema.load import SchemaStore
from pclgen.source.load import load_program
from tests.benchmarks import synthetic
from tests.support.corpus import ROOT
from tests.support.counting import calls_to
from tests.support.files import write_files
from tests.test_layers import FOREIGN

LANGUAGES: Final = ("python", "typescript", "go")
COUNT: Final = 40
COUNTED: Final[Mapping[str, Callable[..., object]]] = {
    "children": walk.children,
    "rewrites": walk.rewrite,
    "replaces": msgspec.structs.replace,
}


def _wide() -> str:
    rules = "".join(f'    {{ port = {port}, source = "10.0.0.{port}", protocol = "tcp" }},\n' for port in range(5))
    tags = "".join(f'    tag{number} = "value-{number}"\n' for number in range(20))
    server = 'resource server{} "bench:index:Server" {{\n  name = "web"\n  size = 1\n  tags = {{\n{}  }}\n  rules = [\n{}  ]\n}}\n'
    return "".join(server.format(number, tags, rules) for number in range(COUNT // 2))


def _locals() -> str:
    texts = "".join(
        f'text{n} = enabled ? "a-${{prefix}}-{n}" : (length(prefix) > {n} ? prefix : server.address)\n'
        f'list{n} = [for name in names : "${{name}}-${{text{n}}}" if name != "{n}"]\n'
        for n in range(COUNT)
    )
    outputs = "".join(f"output value{n} {{\n  value = list{n}\n}}\n" for n in range(COUNT))
    config = 'config enabled bool {}\nconfig prefix string {}\nconfig names "list(string)" {}\n'
    return f'{config}resource server "bench:index:Server" {{\n  name = prefix\n  size = 1\n}}\n{texts}{outputs}'


def _component() -> str:
    return 'config name string {}\nresource server "bench:index:Server" {\n  name = name\n  size = 1\n}\n' + (
        'output address {\n  value = "${name}-${server.address}"\n}\n'
    )


def _components() -> str:
    uses = "".join(
        f'component part{n} "./part{n % 8}" {{\n  name = {f"part{n - 1}.address" if n else chr(34) + "x" + chr(34)}\n}}\n'
        for n in range(COUNT)
    )
    return f"{uses}output last {{\n  value = part{COUNT - 1}.address\n}}\n"


PROGRAMS: Final[Mapping[str, Mapping[str, str]]] = {
    "chain": {"main.pp": synthetic.resources(COUNT)},
    "wide": {"main.pp": _wide()},
    "locals and conditionals": {"main.pp": _locals()},
    "components": {"main.pp": _components(), **{f"part{n}/main.pp": _component() for n in range(8)}},
}
BUDGETS: Final[Mapping[str, Mapping[str, int]]] = {
    "chain": {"children": 6_600, "rewrites": 0, "replaces": 555, "calls": 318_000},
    "wide": {"children": 2_650, "rewrites": 0, "replaces": 157, "calls": 291_000},
    "locals and conditionals": {"children": 14_540, "rewrites": 256, "replaces": 1_445, "calls": 400_000},
    "components": {"children": 1_820, "rewrites": 0, "replaces": 850, "calls": 207_000},
}
"""About 5 % above the counts of Python 3.11; 15 % for `calls`, which include libraries and vary with versions of Python."""


@pytest.mark.parametrize("name", PROGRAMS)
def test_costs_no_more_than_its_budget(name: str, tmp_path: Path) -> None:
    write_files(tmp_path, PROGRAMS[name])
    schemas = synthetic.write_schema(tmp_path / "schema")

    def generate() -> None:
        result = pipeline.generate(load_program(str(tmp_path)), languages=LANGUAGES, store=SchemaStore([schemas]))
        assert result.ok, [diagnostic.message for diagnostic in result.diagnostics]

    generate()  # loading modules and templates and filling caches of types do not count
    counts = calls_to(COUNTED, generate)
    assert {key: count for key, count in counts.items() if count > BUDGETS[name][key]} == {}, counts


MODULES: Final = 352
"""Modules of pclgen that a program of five resources loads for three languages, and four more.

Raise it only for modules that such a program uses."""
LIBRARIES: Final = frozenset({"jinja2", "lark", "msgspec", "networkx"})
"""Libraries that such a program loads."""
NOT_LOADED: Final = frozenset(
    {
        "pclgen.bind.unread",
        "pclgen.build.model",
        "pclgen.cli.show",
        "pclgen.diagnostics.codes",
        "pclgen.diagnostics.render",
        "pclgen.diagnostics.order",
        "pclgen.diagnostics.dependencies",
        "pclgen.diagnostics.pulumiyaml",
        "pclgen.emit.sandbox",
        "pclgen.evaluate",
        "pclgen.packs",
        "pclgen.pulumiyaml",
        "pclgen.stdlib.graphemes",
        "pclgen.stdlib.packs",
        "pclgen.targets.yaml",
        "asyncio",
        "concurrent",
        "fractions",
        "jinja2.sandbox",
        "multiprocessing",
        "shlex",
        "sqlite3",
    }
)
"""Modules for errors, or for features that the program does not use."""


def test_a_small_program_loads_what_it_uses(tmp_path: Path) -> None:
    schemas = synthetic.write_schema(tmp_path / "schema")
    program = synthetic.write_program(tmp_path, "program", synthetic.resources(5))
    code = (
        "import json, sys\nbefore = {*sys.modules}\nfrom pclgen.cli.app import main\nstatus = main(sys.argv[1:])\n"
        "print(json.dumps(sorted({*sys.modules} - before)))\nsys.exit(status)"
    )
    options = ["--isolated", "--quiet", "--schemas", str(schemas), "--out", f"{tmp_path}/out/{{language}}"]
    command = [sys.executable, "-c", code, "generate", str(program), *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    loaded: list[str] = json.loads(done.stdout)
    assert NOT_LOADED & {*loaded} == frozenset()
    assert {name.partition(".")[0] for name in loaded} & {*FOREIGN} == LIBRARIES
    own = [name for name in loaded if name.partition(".")[0] == "pclgen"]
    assert len(own) <= MODULES, own
