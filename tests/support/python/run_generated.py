"""Runs generated programs on the published SDKs with mocks: python run_generated.py CASES OUTCOMES

Each case is {"folder": path, "config": {key: value}}; each outcome {"resources": [[type, name, inputs]], "exports": {name:
value}, "error": text}.  A program runs in a process of its own: the SDK keeps its state in modules.
"""

from __future__ import annotations

import importlib
import json
import os
import runpy
import sys
import traceback
from pathlib import Path
from typing import Any

pulumi: Any = importlib.import_module("pulumi")  # installed for the programs, not for the type checker

STATES: dict[str, dict[str, Any]] = {
    "random:index/randomPet:RandomPet": {"separator": "-", "length": 2},
    "random:index/randomPassword:RandomPassword": {"result": "hush", "special": True},
    "random:index/randomShuffle:RandomShuffle": {"results": ["b", "a"]},
    "command:local:Command": {"stdout": "out", "stderr": "err"},
    "command:remote:Command": {"stdout": "out", "stderr": "err"},
}
"""Outputs of resources besides their inputs."""


def run(case: dict[str, Any]) -> dict[str, Any]:
    """Run the program of a case and return its outcome."""
    resources: list[tuple[str, str, dict[str, Any]]] = []
    exports: dict[str, Any] = {}
    values_of_exports: dict[str, Any] = {}

    class Mocks:
        def new_resource(self, args: Any) -> tuple[str | None, dict[str, Any]]:
            resources.append((args.typ, args.name, dict(args.inputs)))
            return f"{args.name}-id", {**STATES.get(args.typ, {}), **args.inputs}

        def call(self, args: Any) -> dict[str, Any]:
            return {**args.args, "stdout": f"ran {args.args.get('command')}", "stderr": ""}

    def program() -> object:
        sys.path.insert(0, case["folder"])
        runpy.run_path(str(Path(case["folder"]) / "__main__.py"), run_name="__main__")
        return pulumi.Output.all(*exports.values()).apply(lambda values: values_of_exports.update(zip(exports, values, strict=True)))

    os.chdir(case["folder"])
    pulumi.runtime.set_mocks(Mocks(), project="shop", stack="dev", preview=False)
    pulumi.runtime.set_all_config({f"shop:{key}": value for key, value in case["config"].items()})
    pulumi.export = lambda name, value: exports.update({name: value})
    error = ""
    try:
        pulumi.runtime.test(program)()
    except Exception:  # the final error is part of the outcome
        error = traceback.format_exc()
    return {"resources": resources, "exports": values_of_exports, "error": error}


def main(cases_path: str, outcomes_path: str) -> None:
    """Run all cases, one process each."""
    outcomes = []
    for case in json.loads(Path(cases_path).read_text(encoding="utf-8")):
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(reader)
            with os.fdopen(writer, "w") as stream:
                json.dump(run(case), stream, default=str)
            os._exit(0)
        os.close(writer)
        with os.fdopen(reader) as stream:
            text = stream.read()
        os.waitpid(child, 0)
        outcomes.append(json.loads(text) if text else {"resources": [], "exports": {}, "error": "crashed"})
    Path(outcomes_path).write_text(json.dumps(outcomes), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
