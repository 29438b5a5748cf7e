"""Untrusted packs: each damaged, truncated, hostile or newer pack gives one clear error."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from pclgen import pipeline
from pclgen.cli import app
from pclgen.diagnostics.model import Diagnostic
from pclgen.packs.decode import MOST_NESTED
from pclgen.packs.document import VERSION
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram, load_program, program_in_memory
from tests.support.generated import EXAMPLE_SCHEMAS, LANGUAGES

PROGRAM: Final = """
config settings "object({ size = int, names = optional(list(string)) })" {
  default = { size = 2 }
}
resource pet "random:index/randomPet:RandomPet" {
  length  = settings.size
  keepers = { for n in ["a", "b"] : n => "${n} of ${settings.size}" }
  options {
    protect = settings.size > 1 ? true : false
  }
}
both = [pet.id, join("-", settings.names == null ? [] : settings.names)]
output text {
  value = join("-", both)
}
"""
Json = Any


def packed(text: str = PROGRAM) -> dict[str, Json]:
    """A pack, as JSON."""
    result = pipeline.pack(program_in_memory("web", {"main.pp": text}), store=SchemaStore([EXAMPLE_SCHEMAS]))
    assert result.data is not None, result.diagnostics
    pack: dict[str, Json] = json.loads(result.data)
    return pack


def sealed(pack: Json) -> bytes:
    """The bytes of a pack with a valid digest."""
    text = json.dumps({**pack, "digest": f"sha256:{'0' * 64}"}).encode()
    return text.replace(b"0" * 64, hashlib.sha256(text).hexdigest().encode(), 1)


def phases(folder: Path, data: bytes) -> Iterator[tuple[Diagnostic, ...]]:
    """The diagnostics of each phase for a pack."""
    (folder / "it.mupack.json").write_bytes(data)
    sources: LoadedProgram = load_program(str(folder / "it.mupack.json"))
    store = SchemaStore()
    yield pipeline.check(sources, store=store).diagnostics
    yield pipeline.generate(sources, languages=LANGUAGES, store=store).diagnostics
    yield pipeline.evaluate(sources, pipeline.inputs_for_run(sources), store=store).diagnostics
    yield pipeline.graph(sources, store=store).diagnostics


def refusal(folder: Path, data: bytes) -> str:
    """The message of the only error of an unreadable pack."""
    failures = [diagnostics for diagnostics in phases(folder, data) if diagnostics]
    assert all([diagnostic.code for diagnostic in diagnostics] == ["PCL1501"] for diagnostics in failures), failures
    return failures[0][0].message


def test_what_is_sealed_again_is_still_a_pack(tmp_path: Path) -> None:
    assert all(diagnostics == () for diagnostics in phases(tmp_path, sealed(packed())))


GOOD: Final = sealed(packed())
DAMAGED: Final[dict[str, tuple[bytes, str]]] = {
    "empty": (b"", "input data was truncated"),
    "cut": (GOOD[: len(GOOD) // 2], "input data was truncated"),
    "a byte": (GOOD.replace(b"data", b"dafa", 1).replace(b"settings", b"settinge", 1), "its digest is another"),
    "no digest": (GOOD.replace(b'"digest"', b'"digesT"', 1), "it has no digest"),
    "no JSON": (b"\x00\xff\xfe", "malformed"),
    "a list": (b"[]", "expected `object`"),
    "another format": (b'{"format": "zip"}', 'it does not say `"format": "mupack"`'),
    "version 0": (b'{"format": "mupack", "version": 0}', "there is no version 0"),
    "many parts": (b'{"format": "mupack", "version": 1, "types": [' + b"[]," * 1_500_001, "more than 3,000,000 parts"),
    "large": (b" " * (64 << 20) + b"{}", "more than 67,108,864 bytes"),
    "deep": (b'{"format": "mupack", "version": 1, "program": ' + b"[" * 200_000, "nested too deeply"),
    "a schema": (b'{"name": "aws", "version": "1.0.0"}', "expected `int`, got `str`"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_damaged_packs(name: str, tmp_path: Path) -> None:
    data, reason = DAMAGED[name]
    assert reason in refusal(tmp_path, data)


def test_newer_packs(tmp_path: Path) -> None:
    data = sealed({**packed(), "version": VERSION + 1, "edition": "pclgen 9.0.0", "more": {}})
    (error,) = {diagnostic.code: diagnostic for diagnostics in phases(tmp_path, data) for diagnostic in diagnostics}.values()
    assert error.code == "PCL1502"
    assert f"made by pclgen 9.0.0 in version {VERSION + 1} of the form; this is {VERSION}" in error.message


def test_packs_of_the_first_version(tmp_path: Path) -> None:
    """They do not record the file of a text, nor how a use of a component is written."""
    old = packed()
    del old["program"]["texts"]
    assert all(diagnostics == () for diagnostics in phases(tmp_path, sealed({**old, "version": 1})))


def at(pack: Json, *path: str | int) -> Json:
    for part in path:
        pack = pack[part]
    return pack


def set_at(*path: str | int, to: Json) -> Callable[[Json], None]:
    def change(pack: Json) -> None:
        at(pack, *path[:-1])[path[-1]] = to

    return change


def deep(pack: Json) -> None:
    value = at(pack, "program", "definitions", 3, "value")
    for _ in range(MOST_NESTED + 1):
        value = {"kind": "Unary", "operator": "-", "operand": value, "type": 0, "at": [0, 0, 0]}
    set_at("program", "definitions", 3, "value", to=value)(pack)


def deep_types(pack: Json) -> None:
    """Lists of lists, each of which is a row."""
    first = len(pack["types"])
    pack["types"] += [{"list": 0}] + [{"list": first + index} for index in range(MOST_NESTED)]


def large_types(pack: Json) -> None:
    """Pairs of pairs: each row has twice as many parts as the row before."""
    first = len(pack["types"])
    pack["types"] += [{"tuple": [0, 0]}] + [{"tuple": [first + index, first + index]} for index in range(30)]


RESOURCE: Final = ("program", "definitions", 1)
HOSTILE: Final[dict[str, tuple[Callable[[Json], None], str]]] = {
    "no program": (set_at("program", to=[]), "expected an object at #/program"),
    "an unknown member": (set_at(*RESOURCE, "color", to=1), "unknown member `color` at #/program/definitions/1"),
    "an unknown kind": (set_at(*RESOURCE, "kind", to="Import"), "expected a definition, found `Import`"),
    "no kind": (set_at("program", "definitions", 1, to=5), "expected a definition, found `int`"),
    "a type that is none": (set_at("types", 0, to="integer"), "there is no type `integer` at #/types/0"),
    "a type of itself": (set_at("types", 0, to={"list": 0}), "there is no type 0 here: there are 0 before it"),
    "an index too large": (set_at("symbols", 0, "type", to=10**30), "there is no type 1000000000000"),
    "an index below 0": (set_at("symbols", 0, "type", to=-1), "there is no type -1 here"),
    "true for an index": (set_at("symbols", 0, "type", to=True), "expected the index of a type"),
    "a place in no file": (set_at("symbols", 0, "at", to=[7, 0, 0]), "expected a place"),
    "a place behind the end": (set_at("symbols", 0, "at", to=[0, 0, 10**9]), "expected a place"),
    "a place from the end": (set_at("symbols", 0, "at", to=[0, 9, 3]), "expected a place"),
    "a member that is not carried": (
        set_at("packages", 0, "schema", "resources", "random:index/randomPet:RandomPet", to=None),
        "#/resources/random:index/randomPet:RandomPet",
    ),
    "a schema that is none": (set_at("packages", 0, "schema", to={"name": 5}), "at #/packages/0/schema"),
    "a name that is code": (set_at("packages", 0, "schema", "name", to="x;y"), "at #/packages/0/schema"),
    "a resource that is none": (set_at(*RESOURCE, "declaration", to=[0, "a:b:C"]), "the package has no resource `a:b:C`"),
    "a package that is none": (set_at(*RESOURCE, "declaration", to=[9, "a:b:C"]), "there is no package 9 here"),
    "deep types": (deep_types, f"types are nested more than {MOST_NESTED} deep"),
    "large types": (large_types, "a value of it has more than 100,000 parts"),
    "a number without an end": (
        set_at("program", "definitions", 3, "value", to={"kind": "Literal", "value": {"number": "1e999999999"}, "type": 0, "at": [0, 0, 0]}),
        "the number is too large at #/program/definitions/3/value/value",
    ),
    "a number of many digits": (
        set_at("program", "definitions", 3, "value", to={"kind": "Literal", "value": 10**400, "type": 0, "at": [0, 0, 0]}),
        "the number is too large at #/program/definitions/3/value/value",
    ),
    "deep": (deep, f"expressions are nested more than {MOST_NESTED} deep"),
    "a component of itself": (
        set_at(
            "components",
            to=[{"name": "A", "directory": "a", "path": "a", "program": {"name": "a", "components": [0]}, "inputs": 0, "value": 0}],
        ),
        "there is no component 0 here: there are 0 before it at #/components/0/program/components/0",
    ),
    "a file that leads away": (set_at("data", to=[{"path": "../../x", "text": ""}]), ""),
    "a function that is none": (
        lambda pack: set_at("program", "definitions", 3, "value", "function", to="os.system")(pack),
        "there is no function `os.system`",
    ),
    "no text for a text": (set_at("files", 0, "text", to=5), "expected `str`"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_packs(name: str, tmp_path: Path) -> None:
    change, reason = HOSTILE[name]
    pack = packed()
    change(pack)
    if reason:
        assert reason in refusal(tmp_path, sealed(pack))
    else:
        assert [*phases(tmp_path, sealed(pack))]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["it.mupack.json"]


def test_parts_that_contradict_each_other(tmp_path: Path) -> None:
    """Each part is valid by itself; the phases that trust the parts must not crash."""
    pack = packed()
    for definition in pack["program"]["definitions"]:
        for holder in (definition, *definition.get("inputs", ())):
            if isinstance(holder.get("value"), dict):
                holder["value"] = {"kind": "Literal", "value": None, "type": len(pack["types"]) - 1, "at": [0, 0, 0]}
    for diagnostics in phases(tmp_path, sealed(pack)):
        assert {diagnostic.code for diagnostic in diagnostics} <= {"PCL1501", "PCL1201", "PCL1202", "PCL0901"}


def places(value: Json, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Every place in a pack."""
    if path:
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


VALUES: Final[tuple[Json, ...]] = (None, True, -1, 0, 1, 3, 10**20, 1.5, "", "x", "any", [], [0, 0, 0], {}, {"kind": "Literal"}, {"number": "nan"})


@pytest.mark.parametrize("seed", range(24))
def test_random_changes(seed: int, tmp_path: Path) -> None:
    """A changed pack is refused or is another program: pclgen never fails, and reports at most one error for the pack."""
    chance = random.Random(seed)
    pack = packed()
    candidates = [path for path in places(pack) if path[0] not in ("digest", "format", "version", "edition")]
    for _ in range(12):
        changed = json.loads(json.dumps(pack))
        for _ in range(chance.choice((1, 1, 2, 5))):
            path = chance.choice(candidates)
            try:
                others = [at(changed, *other) for other in chance.sample(candidates, 2)]
                set_at(*path, to=chance.choice((*VALUES, *others)))(changed)
            except (KeyError, IndexError, TypeError):
                continue  # an earlier change has removed the place
        try:
            data = sealed(changed)
        except (ValueError, RecursionError):
            continue  # a change has put a part inside itself
        for diagnostics in phases(tmp_path, data):
            assert sum(diagnostic.code in ("PCL1501", "PCL1502") for diagnostic in diagnostics) <= 1


def test_the_command_line_tells_it(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("it.mupack.json").write_bytes(GOOD[:-40])
    assert app.main(["generate", "it.mupack.json"]) == 1
    errors = capsys.readouterr().err
    assert "error[PCL1501]: `it.mupack.json` is not a valid pack" in errors
    assert not Path("build").exists()
