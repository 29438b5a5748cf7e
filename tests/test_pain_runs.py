"""The behavior of the programs of `cases/pain`, run on the published SDKs of Python and TypeScript with mocks.

Compilers do not see a default that replaces `false`, values that a loop loses, or a text with the wrong escapes; running
does.  One table holds the expected behavior of every language.  Go has no mocks without a change of the program; its text is
checked in `test_pain_generated`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.support import toolchains
from tests.support.binding import SCHEMAS
from tests.support.generated import generate
from tests.support.rules import for_all
from tests.support.toolchains import run
from tests.test_pain_generated import PROGRAMS

SUPPORT = Path(__file__).parent / "support"
RUNNABLE = ("python", "typescript")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The expected result of a program with `config`: its exports, and the inputs of resources by name (at least these)."""

    config: Mapping[str, str] = field(default_factory=dict)
    exports: Mapping[str, object] = field(default_factory=dict)
    inputs: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The result of a program's run."""

    exports: Mapping[str, object]
    inputs: Mapping[str, Mapping[str, object]]
    error: str


USERS = '[{"name": "u", "tags": {"k": "v"}}, {"name": "u", "tags": {"l": "w", "a": "b"}}, {"name": "x", "tags": {}}]'
SHUFFLED = {"pets-0": {"prefix": "b"}, "pets-1": {"prefix": "a"}}
SCRIPT = '#!/bin/bash\necho `date` ${HOME} "x" \\n \'q\' """\nyes\n'

RUNS: Mapping[str, Expected] = {
    "l_list": Expected(inputs={"sh": {"inputs": ["a", "b"]}}),
    "l_cfglist": Expected(config={"names": '["x", "y"]'}, exports={"first": "x"}, inputs={"sh": {"inputs": ["x", "y"]}}),
    "l_map": Expected(exports={"o": {"a": "pet-id", "n": 1, "l": ["x"]}}),
    "l_nested": Expected(config={"e": "false"}, exports={"o": [], "p": "1"}),
    "l_secretcfg": Expected(config={"pw": "s3"}, exports={"o": "s3"}, inputs={"p": {"prefix": "s3"}}),
    "l_tmpl": Expected(exports={"o": ["pet-id", "lit"]}, inputs={"b": {"prefix": "pet-id-b"}}),
    "c_flat": Expected(exports={"id": "web-pet-id"}, inputs={"web-pet": {"prefix": "x-a"}}),
    "k_count": Expected(inputs={"p-0": {"prefix": "b"}, "p-1": {"prefix": "a"}}),
    "k_index": Expected(exports={"o": "b-p-id"}, inputs={"p": {"prefix": "b"}}),
    "k_opt": Expected(exports={"o": "b"}, inputs={"q": {"prefix": "b"}}),
    "n_json": Expected(exports={"o": {"a": "json-id", "b": 1}}),
    "o_component": Expected(
        exports={"kind": "large"}, inputs={"part-pet": {"prefix": "prd-x"}, "other-pet": {"prefix": "part-pet-id-x"}}
    ),
    "o_count": Expected(config={"many": "3"}, exports={"ids": ["some-0-id", "some-1-id", "some-2-id"]}),
    "o_enum": Expected(
        inputs={
            "literal": {"create": "true", "logging": "stdoutAndStderr"},
            "chosen": {"create": "true", "logging": "stderr"},
            "passed": {"create": "true", "logging": "stdoutAndStderr"},
        }
    ),
    "o_nested": Expected(
        config={"hosts": '[{"hostName": "h", "portNumber": 22}]'},
        exports={"camel": "2", "keys": {"MY_KEY": 1, "nestedMap": {"innerKey": "out"}}},
    ),
    "o_modules": Expected(inputs={"local": {"create": "hostname"}, "command": {"prefix": "out"}}),
    "o_policy": Expected(
        exports={
            "policy": {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Action": ["s3:*", "list:pet-id"],
                        "Resource": "pet-id/*",
                        "Count": 2,
                        "On": True,
                    }
                ],
            }
        }
    ),
    "r02_range_num": Expected(
        exports={"all": ["pets-0-id", "pets-1-id"], "first": "pets-0-id"},
        inputs={"pets-0": {"prefix": "p-0"}, "pets-1": {"prefix": "p-1"}},
    ),
    "r03_range_output": Expected(inputs=SHUFFLED),
    "r04_for": Expected(exports={"o": ["a-x", "b-x"], "mm": {"a": 0, "b": 1}}),
    "r05_for_resource": Expected(inputs={"sh": {"inputs": ["pets-0-id", "pets-1-id", "pets-2-id"]}}),
    "r06_ternary": Expected(
        config={"env": "tools"}, exports={"labels": {"isProd": "false", "tier": 1}, "t": "n"}, inputs={"a": {}}
    ),
    "r07_names": Expected(exports={"o": {"a": "json-id"}}, inputs={"ctx": {"prefix": "lambda-id"}}),
    "r09_config": Expected(
        config={
            "user": '{"path": "/p"}',
            "users": '{"a": {"name": "n"}}',
            "i": "4",
            "flag": "false",
            "n": "0",
            "text": "",
        },
        exports={"p": "/p", "u": {"a": {"name": "n"}}, "s": None, "ii": 4, "f": "off", "nn": 0, "t": ""},
    ),
    "r10_json": Expected(exports={"j": {"Version": "2012-10-17", "pw": "hush", "arr": [1, 2.5, True, None]}, "s": "hush"}),
    "r11_heredoc": Expected(
        config={"name": "x"},
        exports={"a": SCRIPT, "b": 'tick ` dollar ${x} pct %{y} quote " back \\ tab \t nl \n uni é'},
    ),
    "r12_templatefor": Expected(exports={"o": "a,b,"}),
    "r13_component": Expected(
        exports={"id": "web-inner-pet-id"},
        inputs={"web-pet": {"prefix": "x-p", "length": 2}, "many-1-pet": {"prefix": "x1-p", "length": 2}},
    ),
    "r14_try": Expected(config={"o": '{"a": "v"}'}, exports={"x": "v", "y": True}),
    "r19_dash": Expected(inputs={"my.pet/1": {}, "my_pet": {"prefix": "my.pet/1-id"}, "myPet": {"prefix": "my_pet-id"}}),
    "r21_fmt": Expected(exports={"a": "100% of pet-id %d %%", "b": {"k-%v-pet-id": 1}, "c": {"pet-id": 2}}),
    "r23_invoke": Expected(exports={"u": "ran pet-id", "l": "ran echo ABC"}),
    "r24_null": Expected(exports={"n": None, "o": [], "p": {}}, inputs={"sh": {"inputs": []}}),
    "r26_forcomplex": Expected(
        config={"users": USERS},
        exports={
            "a": {"u": {"l": "w", "a": "b"}},
            "b": {"u": [{"k": "v"}, {"l": "w", "a": "b"}], "x": [{}]},
            "c": [["k=v"], ["a=b", "l=w"], []],
        },
    ),
    "r27_order": Expected(exports={"o": "a-id"}, inputs={"a": {"prefix": "x"}}),
    "r30_splatnull": Expected(exports={"i": "pet-id", "j": "pet-id"}),
    "r32_mutation": Expected(
        exports={"a": "p-pet-id", "j": {"a": "pet-id"}, "c": 2}, inputs={"p2-0": {"prefix": "0"}, "p2-1": {"prefix": "1"}}
    ),
}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Outcome]]:
    """The result of each program, by language and name."""
    scratch = tmp_path_factory.mktemp("pain-runs")
    programs = {name: PROGRAMS[name] for name in RUNS}
    generated = generate(programs, scratch, schemas=[SCHEMAS], languages=RUNNABLE)
    assert generated.refused == {}
    node = toolchains.node()
    commands: dict[str, list[str | Path]] = {
        "python": [toolchains.python().python, SUPPORT / "python" / "run_generated.py"],
        "typescript": [node.node, SUPPORT / "node" / "run_generated.cjs", node.modules],
    }
    results: dict[str, dict[str, Outcome]] = {}
    for language, command in commands.items():
        cases = [
            {"folder": str(generated.folders[language][name]), "config": dict(item.config)} for name, item in RUNS.items()
        ]
        asked, output = scratch / f"{language}-cases.json", scratch / f"{language}-outcomes.json"
        asked.write_text(json.dumps(cases), encoding="utf-8")
        run([*command, asked, output], cwd=scratch)
        ran = [outcome(item) for item in json.loads(output.read_text(encoding="utf-8"))]
        results[language] = dict(zip(RUNS, ran, strict=True))
    return results


def outcome(answer: dict[str, Any]) -> Outcome:
    """Convert the answer of a runner, decoding JSON texts so that whitespace in them does not count."""
    return Outcome(
        exports={name: plain(value) for name, value in answer["exports"].items()},
        inputs={name: {key: plain(value) for key, value in inputs.items()} for _, name, inputs in answer["resources"]},
        error=answer["error"],
    )


def plain(value: object) -> object:
    """A value without the marks of secrets, with texts of JSON objects decoded."""
    if isinstance(value, str) and value.startswith("{"):
        return json.loads(value)
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        # A secret is an object with a mark of a fixed name and the value.
        if "4dabf18193072939515e22adb298388d" in value:
            return plain(value["value"])
        return {key: plain(item) for key, item in value.items()}
    return value


@for_all("language", RUNNABLE)
@pytest.mark.parametrize("name", RUNS)
def test_it_does_what_it_says(outcomes: dict[str, dict[str, Outcome]], name: str, language: str) -> None:
    actual, expected = outcomes[language][name], RUNS[name]
    assert actual.error == ""
    assert actual.exports == expected.exports
    assert {key: actual.inputs.get(key) for key in expected.inputs} == expected.inputs
