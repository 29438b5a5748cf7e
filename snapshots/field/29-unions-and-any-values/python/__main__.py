import json
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NoReturn, Optional

import pulumi
import pulumi_command as command
import pulumi_digitalocean as digitalocean
import pulumi_std as std


def checked(
    value: Any,
    path: Sequence[Any],
    kind: str,
    used: str,
    origin: str,
    secret: bool = False,
) -> Any:
    """The value at the end of a path of what has no type, as the kind that its use needs."""

    def fail(at: str, problem: str) -> ValueError:
        source, _, entered = origin.rpartition(" (")
        return ValueError(
            f"{used}{at} {problem}"
            + (f"; it came from {source}{at} ({entered}" if origin else "")
        )

    def step_text(key: Any) -> str:
        if isinstance(key, str):
            return (
                f".{key}"
                if re.fullmatch("[A-Za-z_][A-Za-z0-9_-]*", key)
                else f'["{key}"]'
            )
        return (
            "[?]"
            if isinstance(key, bool) or not isinstance(key, (int, float))
            else f"[{number_text(key)}]"
        )

    def number_text(number: Any) -> str:
        return f"{Decimal(repr(number)).normalize():f}"

    def describe(found: Any) -> str:
        if found is None or isinstance(found, bool):
            return (
                "null" if found is None else "a bool" if secret else str(found).lower()
            )
        if isinstance(found, (int, float)):
            return "a number" if secret else f"the number {number_text(found)}"
        if isinstance(found, str):
            return "a string" if secret or len(found) > 40 else f'the string "{found}"'
        return (
            "a list"
            if isinstance(found, list)
            else "an object" if isinstance(found, dict) else "a value"
        )

    def scalar(found: Any, wanted: str) -> Any:
        if wanted.startswith("one of "):
            text = scalar(found, "string")
            return text if text in wanted[7:].split("|") else None
        if isinstance(found, bool):
            return (
                found
                if wanted == "bool"
                else str(found).lower() if wanted == "string" else None
            )
        if isinstance(found, str) and wanted in ("string", "bool"):
            return (
                found
                if wanted == "string"
                else {"true": True, "false": False}.get(found)
            )
        if isinstance(found, str) and wanted == "int":
            return int(found) if re.fullmatch("[+-]?[0-9]+", found) else None
        if isinstance(found, str):
            decimal = r"\s*[+-]?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?\s*"
            found = (
                float(found)
                if re.fullmatch(decimal, found) and abs(float(found)) < float("inf")
                else None
            )
        if not isinstance(found, (int, float)) or wanted not in (
            "string",
            "int",
            "number",
        ):
            return None
        if wanted == "string":
            return number_text(found)
        return (
            int(found) if found == int(found) else found if wanted == "number" else None
        )

    def words(wanted: str) -> str:
        if wanted.startswith("either("):
            *first, last = map(words, wanted[7:-1].split(","))
            return f"{', '.join(first)} or {last}"
        if wanted.startswith("one of "):
            return "one of " + ", ".join(
                f'"{member}"' for member in wanted[7:].split("|")
            )
        if wanted.startswith(("list(", "map(")):
            return "a list" if wanted.startswith("list(") else "an object"
        large = {"collection": "a list or a map", "sized": "a string, a list or a map"}
        return large.get(
            wanted, f"an {wanted}" if wanted in ("int", "object") else f"a {wanted}"
        )

    def kinds(found: Any) -> Sequence[str]:
        if isinstance(found, (int, float)) and not isinstance(found, bool):
            return ("number", "int") if found % 1 == 0 else ("number",)
        return (
            type(found).__name__.replace("str", "string").replace("dict", "object"),
        )

    def fit(found: Any, wanted: str, at: str) -> Any:
        if wanted == "any" or wanted in ("object", "list") and wanted in kinds(found):
            return found
        if wanted.startswith("either("):
            members = wanted[7:-1].split(",")
            if any(member in kinds(found) for member in members):
                return found
            result = next(
                (
                    made
                    for member in members
                    if (made := scalar(found, member)) is not None
                ),
                None,
            )
            if result is not None:
                return result
        if wanted.startswith("list(") and isinstance(found, list):
            return [
                None if v is None else fit(v, wanted[5:-1], f"{at}[{i}]")
                for i, v in enumerate(found)
            ]
        if wanted.startswith("map(") and isinstance(found, dict):
            return {
                k: None if v is None else fit(v, wanted[4:-1], at + step_text(k))
                for k, v in sorted(found.items())
            }
        if (
            isinstance(found, (dict, list))
            and wanted in ("collection", "sized")
            or isinstance(found, str)
            and wanted == "sized"
        ):
            return found
        result = scalar(found, wanted)
        if result is not None:
            return result
        if found is None:
            raise fail(at, "is not set")
        raise fail(at, f"must be {words(wanted)}, and is {describe(found)}")

    at = ""
    for key in path:
        is_position = isinstance(key, (int, float)) and not isinstance(key, bool)
        if isinstance(value, dict):
            name = number_text(key) if is_position else key
            if name not in value:
                raise fail(at, f'has no member "{name}"')
            value = value[name]
        elif isinstance(value, list):
            if not is_position or key != int(key) or not 0 <= key < len(value):
                elements = "1 element" if len(value) == 1 else f"{len(value)} elements"
                raise fail(at, f"has {elements}, and none at {step_text(key)}")
            value = value[int(key)]
        elif value is None:
            raise fail(at, "is not set")
        else:
            raise fail(
                at,
                f"must be {'an object' if isinstance(key, str) else 'a list'}, and is {describe(value)}",
            )
        at += step_text(key)
    if kind.endswith("?"):
        return None if value is None else fit(value, kind[:-1], at)
    return fit(value, kind, at)


def json_or_text(text: Optional[str], default: Any = None) -> Any:
    """What a text of the configuration stands for: the value of JSON, or else itself."""

    def refuse(word: str) -> NoReturn:
        raise ValueError(word)

    if text is None:
        return default
    try:
        return json.loads(text, parse_constant=refuse)
    except ValueError:
        return text


config = pulumi.Config()
region = config.get("region", "sfo3")
anything = json_or_text(config.require("anything"))

pools = ["s-1vcpu-2gb", "custom-slug"]

node = [
    digitalocean.Droplet(
        f"node-{i}", image="ubuntu-24-04-x64", size=pool, region=region
    )
    for i, pool in enumerate(pools)
]

volume = digitalocean.Volume(
    "volume",
    region=node[0].region,
    size=50,
    initial_filesystem_type=(
        digitalocean.FileSystemType.XFS
        if region == "sfo3"
        else digitalocean.FileSystemType.EXT4
    ),
)

run = command.local.Command(
    "run",
    create="echo hi",
    triggers=[
        1,
        "two",
        True,
        None,
        [volume.id, 4],
        {"key": node[1].name, "deep": {"flag": False}},
        volume.size,
    ],
)

stash = pulumi.Stash(
    "stash",
    input={"list": [1, "a", volume.id], "object": {"nested": anything}, "text": "x"},
)

decoded = std.jsondecode_output(input='{"a":{"b":[1,2]}}').result

pulumi.export(
    "viaAny",
    checked(
        anything,
        ["some", "path"],
        "any?",
        "main.pp:48:11: anything",
        "config anything (main.pp:5:8)",
    ),
)

pulumi.export("decoded", decoded)
pulumi.export("stashed", stash.output)
