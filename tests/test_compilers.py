"""The checkers of generated programs find errors, attribute them to the right program, and leave the others alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import compilers
from tests.support.compilers import Messages, Programs
from tests.support.files import write_files

pytestmark = pytest.mark.usefixtures("no_earlier_results")

GOOD_PYTHON = (
    'import pulumi\nimport pulumi_random as random\n\npet = random.RandomPet("pet", length=2)\npulumi.export("id", pet.id)\n'
)
GOOD_TYPESCRIPT = """\
import * as random from "@pulumi/random";

const pet = new random.RandomPet("pet", { length: 2 });
export const id = pet.id;
"""
GOOD_GO = """\
package main

import (
	"github.com/pulumi/pulumi-random/sdk/v4/go/random"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		pet, err := random.NewRandomPet(ctx, "pet", &random.RandomPetArgs{
			Length: pulumi.Int(2),
		})
		if err != nil {
			return err
		}
		ctx.Export("id", pet.ID())
		return nil
	})
}
"""


def write(root: Path, programs: dict[str, dict[str, str]]) -> Programs:
    for name, files in programs.items():
        write_files(root / name, files)
    return {name: root / name for name in programs}


def outline(messages: Messages) -> dict[str, list[str]]:
    """The tools and positions of the messages, without the tools' wording."""
    return {name: sorted({":".join(m.split(":")[:2]) for m in lines}) for name, lines in messages.items()}


def test_python(tmp_path: Path) -> None:
    programs = write(
        tmp_path,
        {
            "good": {"__main__.py": GOOD_PYTHON},
            "other": {"__main__.py": GOOD_PYTHON},
            "wrong": {"__main__.py": GOOD_PYTHON.replace("length=2", 'length="two"')},
            "broken": {"__main__.py": "def (:\n"},
            "split": {"__main__.py": "import part\n\nx: int = part.Y\n", "part.py": 'Y = "text"\n'},
            "empty": {},
        },
    )
    messages = compilers.check_python(programs)
    assert not messages["good"] and not messages["other"]
    assert outline(messages)["wrong"] == ["mypy: __main__.py", "pyright: __main__.py"]
    assert "python: __main__.py" in outline(messages)["broken"]
    assert outline(messages)["split"] == ["mypy: __main__.py", "pyright: __main__.py"]
    assert messages["empty"] == ["python: no file"]


def test_typescript(tmp_path: Path) -> None:
    programs = write(
        tmp_path,
        {
            "good": {"index.ts": GOOD_TYPESCRIPT},
            "wrong": {"index.ts": GOOD_TYPESCRIPT.replace("length: 2", 'length: "two"')},
            "broken": {"index.ts": "const = 1;\n"},
            "empty": {},
        },
    )
    messages = compilers.check_typescript(programs)
    assert not messages["good"]
    assert len(messages["wrong"]) == 1 and messages["wrong"][0].startswith("tsc: index.ts(3,43): error TS2322")
    assert messages["broken"] and messages["broken"][0].startswith("tsc: index.ts(1,7): error TS1134")
    assert messages["empty"] == ["tsc: no file"]


def test_go(tmp_path: Path) -> None:
    programs = write(
        tmp_path,
        {
            "good": {"main.go": GOOD_GO},
            "wrong": {"main.go": GOOD_GO.replace("pulumi.Int(2)", 'pulumi.String("two")')},
            "unused": {"main.go": GOOD_GO.replace('ctx.Export("id", pet.ID())', "")},
            "broken": {"main.go": "package main\n\nfunc (\n"},
            "absent": {"main.go": GOOD_GO.replace("pulumi-random/sdk/v4", "pulumi-nothing/sdk/v4")},
            "empty": {},
        },
    )
    messages = compilers.check_go(programs)
    assert not messages["good"]
    assert len(messages["wrong"]) == 1 and "main.go:11:12" in messages["wrong"][0]
    assert len(messages["unused"]) == 1 and "declared and not used: pet" in messages["unused"][0]
    assert "main.go:3" in messages["broken"][0]
    assert messages["absent"]  # the message depends on the modules in the cache
    assert messages["empty"] == ["go: no file"]


def test_formatters(tmp_path: Path) -> None:
    python = {"good": {"__main__.py": GOOD_PYTHON}, "ugly": {"a/b.py": "x  = 1\n"}, "broken": {"b.py": "def (:\n"}}
    typescript = {
        "good": {"i.ts": GOOD_TYPESCRIPT},
        "ugly": {"a/b.ts": "const  x = 1\n"},
        "broken": {"b.ts": "const = 1;\n"},
    }
    go = {"good": {"m.go": GOOD_GO}, "ugly": {"a/b.go": "package a\n\n\n\nvar X  = 1\n"}, "broken": {"b.go": "package (\n"}}
    black = compilers.check_black(write(tmp_path / "python", python))
    assert black == {"broken": ["black: b.py: error: cannot parse"], "good": [], "ugly": ["black: a/b.py: would reformat"]}
    prettier = compilers.check_prettier(write(tmp_path / "typescript", typescript))
    assert outline(prettier) == {"broken": ["prettier: b.ts"], "good": [], "ugly": ["prettier: a/b.ts"]}
    gofmt = compilers.check_gofmt(write(tmp_path / "go", go))
    assert outline(gofmt) == {"broken": ["gofmt: b.go"], "good": [], "ugly": ["gofmt: a/b.go"]}


def test_generated_sdks_are_used(tmp_path: Path) -> None:
    """SDKs that are in no registry are found beside the published SDKs, and use these."""
    module = "github.com/pulumi/pulumi-made/sdk/v2"
    sdks = {
        "python/pulumi_made/__init__.py": "import pulumi\n\n\nclass Thing(pulumi.CustomResource): ...\n",
        "python/pulumi_made/py.typed": "",
        "node_modules/@pulumi/made/index.d.ts": 'import * as pulumi from "@pulumi/pulumi";\n'
        "export declare function make(value: pulumi.Input<string>): pulumi.Output<string>;\n",
        "node_modules/@pulumi/made/package.json": '{"name": "@pulumi/made", "version": "2.0.0", "types": "index.d.ts"}',
        f"go/{module}/go.mod": f"module {module}\n\ngo 1.24\n\nrequire github.com/pulumi/pulumi/sdk/v3 v3.263.0\n",
        f"go/{module}/go/made/made.go": 'package made\n\nimport "github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n\n'
        "func Make(value pulumi.StringInput) pulumi.StringOutput { return value.ToStringOutput() }\n",
    }
    folder = write(tmp_path, {"sdks": sdks})["sdks"]
    ts = 'import * as made from "@pulumi/made";\n\nexport const x = made.make({});\n'
    go = (
        f'package main\n\nimport (\n\t"{module}/go/made"\n\n\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"\n)\n\n'
        "func main() {\n\tmade.Make(pulumi.Int(1))\n}\n"
    )
    programs = write(
        tmp_path,
        {"p": {"__main__.py": 'import pulumi_made\n\npulumi_made.Thing(1, 2, "three")\n', "index.ts": ts, "main.go": go}},
    )
    python = compilers.check_python(programs, search=[folder / "python"])["p"]
    assert python and all("incompatible type" in m or "cannot be assigned" in m for m in python)
    assert "TS2345" in compilers.check_typescript(programs, search=[folder])["p"][0]
    assert "StringInput" in compilers.check_go(programs, generated=folder)["p"][0]
