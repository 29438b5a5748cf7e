"""One input: a program, and the mutations of it.

A `Case` depends only on the seeds and on the number of the input.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from random import Random

import yaml

from tests.fuzz.mutate import Json, mutate_bytes, mutate_numbers, mutate_program, mutate_text, mutate_tree
from tests.fuzz.seeds import Program, Seed

_SMALL = 200 << 10


class Kind(StrEnum):
    """The mutated part of an input."""

    PROGRAM = "program"
    SCHEMA = "schema"
    SIDE = "side file"
    PACK = "pack"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An input.

    `schemas` are texts by file name that replace the program's own schemas; `side` are files beside the program; `manifest`
    is that of the output folder, `config` a configuration value for every variable, `pack` the program as one file, (mostly)
    with the digest that it has after the mutation.
    """

    number: int
    seed: str
    kind: Kind
    program: Program
    preview: bool = False
    lenient: bool = False
    schemas: Mapping[str, bytes] = field(default_factory=dict)
    side: Mapping[str, bytes] = field(default_factory=dict)
    manifest: bytes | None = None
    config: str | None = None
    pack: bytes | None = None


def make_case(corpus: Sequence[Seed], seed: int, number: int) -> Case:
    """Input `number` of `seed`."""
    rng = Random(f"{seed}:{number}")
    chosen = rng.choice(corpus)
    kind = rng.choices((Kind.PROGRAM, Kind.SCHEMA, Kind.SIDE, Kind.PACK), (60, 15, 15, 10))[0]
    preview, lenient = rng.random() < 0.3, rng.random() < 0.2
    program = chosen.program
    schemas: Mapping[str, bytes] = {}
    side: Mapping[str, bytes] = {}
    if kind is Kind.SCHEMA:
        schemas = _mutated_schemas(chosen, rng)
    if kind is Kind.SIDE:
        side = _mutated_side(rng)
    pack = _mutated_pack(chosen, rng) if kind is Kind.PACK else None
    if kind is Kind.PROGRAM or (kind is Kind.SCHEMA and not schemas) or (kind is Kind.PACK and pack is None):
        kind, program = Kind.PROGRAM, _mutated_program(chosen, rng.choice(corpus), rng)
    return Case(
        number=number,
        seed=chosen.name,
        kind=kind,
        program=program,
        preview=preview,
        lenient=lenient,
        schemas=schemas,
        side={name: text for name, text in side.items() if name != "manifest"},
        manifest=side.get("manifest"),
        pack=pack,
        config=mutate_text(rng.choice(_CONFIG), _CONFIG, rng).decode(errors="replace") if rng.random() < 0.2 else None,
    )


def _mutated_program(seed: Seed, other: Seed, rng: Random) -> Program:
    program = seed.program
    if program.is_yaml:
        text = program.files["Pulumi.yaml"].decode()
        return Program(files={"Pulumi.yaml": mutate_text(text, [text], rng)}, schemas=program.schemas)
    sources = [name for name in program.files if name.endswith(".pp")]
    donors = [text for name, text in other.program.files.items() if name.endswith(".pp")] or [b""]
    if not sources:
        return program
    name = rng.choice(sources)
    return Program(
        files={**program.files, name: mutate_program(program.files[name], donors, rng)}, schemas=program.schemas
    )


def _mutated_pack(seed: Seed, rng: Random) -> bytes | None:
    """The mutated pack of a program; None if the program cannot be packed."""
    whole = seed.pack
    if whole is None:
        return None
    kind = rng.random()
    if kind < 0.1:
        return mutate_bytes(whole, [whole], rng)
    tree = json.loads(whole)
    tree = mutate_tree(tree, rng) if kind < 0.5 else mutate_numbers(tree, rng)
    if not isinstance(tree, dict):
        return json.dumps(tree).encode()
    text = json.dumps({**tree, "digest": f"sha256:{'0' * 64}"}).encode(errors="replace")
    return text.replace(b"0" * 64, hashlib.sha256(text).hexdigest().encode(), 1) if kind < 0.98 else text


@cache
def schema_files(places: tuple[Path, ...]) -> Mapping[str, Path]:
    """The schema files in folders, by name, with one version of each."""
    files = [file for place in places for file in (sorted(place.glob("*.json")) if place.is_dir() else [place])]
    return {file.name: file for file in files}


@cache
def _read(path: Path) -> tuple[bytes, Json]:
    text = path.read_bytes()
    return text, json.loads(text)


def _mutated_schemas(seed: Seed, rng: Random) -> Mapping[str, bytes]:
    """A mutated schema of the program; empty if it has no small schema."""
    files = schema_files(seed.program.schemas)
    text = b"\n".join(seed.program.files.values()).decode(errors="replace")
    usable = [
        name
        for name, path in files.items()
        if path.stat().st_size <= _SMALL and name.partition("-")[0].removesuffix(".json") in text
    ]
    if not usable:
        return {}
    name = rng.choice(usable)
    data, tree = _read(files[name])
    if rng.random() < 0.1:
        return {name: mutate_bytes(data, [data], rng)}
    return {name: json.dumps(mutate_tree(tree, rng), ensure_ascii=rng.random() < 0.5).encode(errors="replace")}


_PULUMI_YAML: Json = {
    "name": "shop",
    "runtime": "pcl",
    "description": "Our shop",
    "main": "src",
    "packages": {"random": "random@4.21.1", "probe": {"source": "probe", "version": "1.0.0", "parameters": ["x"]}},
    "config": {"region": {"type": "string", "default": "eu"}},
}
_STACK: Json = {"config": {"shop:region": "eu", "count": 3, "flag": True, "list": [1, {"a": None}], "key": {"secure": "AAA"}}}
_REPLAY: Json = {
    "resources": {"probe:index:Thing::thing": {"id": "i-1", "outputs": {"out": "x", "list": [1, {"$secret": "s"}]}}},
    "functions": [{"token": "probe:index:getThing", "args": {"name": "a"}, "answer": {"name": "b"}}],
    "stacks": {"organization/network/prod": {"vpcId": "vpc-1", "key": {"$secret": "x"}}},
}
_MANIFEST: Json = {"version": 1, "files": {"__main__.py": "0" * 64, "Pulumi.yaml": "1" * 64}}
_TOML = """schemas = ["schemas"]
sources = ["files"]
time-limit = 3
cache-size = 2048

[packages.probe]
version = "1.0.0"

[packages.probe.language.python]
packageName = "pulumi_probe"
"""
_CONFIG = ("eu-west-1", "3", "true", '["a", {"b": null}]', '{"a": [1, 2.5]}', "1e400")


def _mutated_side(rng: Random) -> Mapping[str, bytes]:
    """One mutated file, sometimes two."""
    files: dict[str, bytes] = {}
    for name in rng.sample(("Pulumi.yaml", "pclgen.toml", "stack.yaml", "replay.json", "manifest"), rng.choice((1, 1, 2))):
        if name == "pclgen.toml":
            files[name] = mutate_text(_TOML, [_TOML], rng)
            continue
        tree = {"Pulumi.yaml": _PULUMI_YAML, "stack.yaml": _STACK, "replay.json": _REPLAY, "manifest": _MANIFEST}[name]
        kind = rng.random()
        mutated = mutate_tree(tree, rng) if kind < 0.6 else tree
        yaml_wanted = name.endswith(".yaml") and rng.random() < 0.7
        text = yaml.safe_dump(mutated, allow_unicode=True) if yaml_wanted else json.dumps(mutated, indent=1)
        files[name] = text.encode(errors="replace") if kind < 0.6 else mutate_text(text, [text], rng)
        if rng.random() < 0.03:
            files[name] = b"[" * 100_000
    return files
