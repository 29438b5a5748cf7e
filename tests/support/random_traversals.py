"""Random programs of traversals with colliding keys, and of unused functions of any name.

The programs are PCL over the packages random and std.  Names end in the number, so that many programs fit into one file.
Every program is valid and runs to its end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Final

_ANY: Final = {"$ref": "pulumi.json#/Any"}
_LIST: Final = {"type": "array", "items": _ANY}
_NUMBER: Final = {"type": "number"}
_TEXT: Final = {"type": "string"}
_FUNCTIONS: Final[Mapping[str, tuple[Mapping[str, object], Mapping[str, object], str]]] = {
    "abs": (_NUMBER, _NUMBER, "-3"),
    "alltrue": (_LIST, {"type": "boolean"}, "[true]"),
    "anytrue": (_LIST, {"type": "boolean"}, "[false, true]"),
    "sort": ({"type": "array", "items": _TEXT}, {"type": "array", "items": _TEXT}, '["b", TEXT]'),
    "title": (_TEXT, _TEXT, "TEXT"),
    "tolist": (_LIST, _LIST, "[TEXT, 1]"),
    "toset": (_LIST, _LIST, '["a", "a"]'),
    "upper": (_TEXT, _TEXT, "TEXT"),
}
"""Functions of std: input type, output type, argument.  Some names begin like the Go SDK's pure functions."""

STD: Final[Mapping[str, object]] = {
    "name": "std",
    "version": "2.3.2",
    "language": {
        "go": {"importBasePath": "github.com/pulumi/pulumi-std/sdk/v2/go/std", "respectSchemaVersion": True},
        "nodejs": {"respectSchemaVersion": True},
        "python": {"pyproject": {"enabled": True}, "respectSchemaVersion": True},
    },
    "functions": {
        f"std:index:{name}": {
            "inputs": {"properties": {"input": taken}, "required": ["input"]},
            "outputs": {"properties": {"result": returned}, "required": ["result"]},
        }
        for name, (taken, returned, _) in _FUNCTIONS.items()
    },
}
"""Their declarations in the schema of the published package."""

COLLIDING: Final = (
    '"x${length(k)}"',
    '"same"',
    '(length(v) > 1 ? "long" : "short")',
    '"${v}"',
    '"${length(k)}-${v == "1"}"',
)
"""Keys that are the same for several elements of a map of texts."""
_KEYS: Final = ("a", "b", "ab", "c", "x y", "ü", "B", "10", "9")
_TEXTS: Final = ("1", "2", "long text", "", "ü", "a-b")


class _Maker:
    def __init__(self, number: int) -> None:
        self._draw = Random(number)
        self._suffix = f"N{number}"
        self._count = 0
        self.blocks: list[str] = []
        self._maps: list[str] = []
        self._texts = ['"plain"']
        self._pets: list[str] = []

    def make(self) -> None:
        """Add sources, values derived from them, and functions between them."""
        self._pet()
        self._config()
        for _ in range(self._draw.randint(3, 6)):
            self._draw.choice((self._local, self._local, self._output, self._resource, self._ranged, self._unused))()
        self._unused()
        self._output()

    def _name(self, base: str) -> str:
        self._count += 1
        return f"{base}{self._count}{self._suffix}"

    def _pet(self) -> None:
        name = self._name("pet")
        self.blocks.append(f'resource "{name}" "random:index/randomPet:RandomPet" {{\n  length = 2\n}}\n')
        self._pets.append(f"{name}.id")
        self._texts.append(f'"${{{name}.id}}!"')

    def _config(self) -> None:
        name = self._name("given")
        self.blocks.append(f'config "{name}" "map(string)" {{\n  default = {self._literal()}\n}}\n')
        self._maps.append(name)

    def _literal(self) -> str:
        keys = self._draw.sample(_KEYS, self._draw.randint(2, 5))
        return "{ " + ", ".join(f'"{key}" = "{self._draw.choice(_TEXTS)}"' for key in keys) + " }"

    def _source(self) -> str:
        return self._draw.choice((*self._maps, self._literal()))

    def _traversal(self, *, is_plain: bool = False) -> str:
        """A map of texts, over a map of lists whose keys are the same for several elements of its source."""
        value = self._draw.choice(("v", '"${k}=${v}"', "k", *(() if is_plain else (f'"${{v}}-${{{self._later()}}}"',))))
        where = self._draw.choice(("", "", ' if v != "2"'))
        groups = f"{{ for k, v in {self._source()} : {self._draw.choice(COLLIDING)} => {value}...{where} }}"
        whole = self._draw.choice(('join(",", vs)', '"n${length(vs)}"', "vs[0]", '"${k}: ${vs[length(vs) - 1]}"'))
        return f"{{ for k, vs in {groups} : k => {whole} }}"

    def _later(self) -> str:
        return self._draw.choice(self._pets)

    def _local(self) -> None:
        name = self._name("table")
        self.blocks.append(f"{name} = {self._traversal(is_plain=True)}\n")
        self._maps.append(name)

    def _resource(self) -> None:
        name = self._name("kept")
        self.blocks.append(
            f'resource "{name}" "random:index/randomPet:RandomPet" {{\n  keepers = {self._traversal()}\n}}\n'
        )

    def _ranged(self) -> None:
        name = self._name("many")
        self.blocks.append(
            f'resource "{name}" "random:index/randomPet:RandomPet" {{\n  options {{\n'
            f"    range = {self._traversal(is_plain=True)}\n  }}\n"
            f'  prefix = "${{range.key}}:${{range.value}}"\n}}\n'
        )

    def _unused(self) -> None:
        """An unused function, once or in a loop, with known values or outputs."""
        function, (_, _, argument) = self._draw.choice(list(_FUNCTIONS.items()))
        input_value = argument.replace("TEXT", self._draw.choice(self._texts))
        called = f'invoke("std:index:{function}", {{ input = {input_value} }})'
        form = self._draw.choice(("{}", "{}.result", '[for word in ["a", "b"] : {}]', '{{ for k, v in {{ b = 1, a = 2 }} : k => {} }}'))
        self.blocks.append(f"{self._name('idle')} = {form.format(called)}\n")

    def _output(self) -> None:
        traversal = self._traversal()
        listed = f'join(";", [for k, v in {self._traversal(is_plain=True)} : "${{k}}:${{v}}"])'
        value = self._draw.choice((traversal, listed, f"length({self._traversal(is_plain=True)})"))
        self.blocks.append(f'output "{self._name("out")}" {{\n  value = {value}\n}}\n')


def program(number: int) -> str:
    """The program with this number."""
    maker = _Maker(number)
    maker.make()
    return "\n".join(maker.blocks)


def colliding(number: int) -> str:
    """A program with a map that has two elements of one key, which is an error at run time."""
    draw = Random(number)
    return (
        'resource "pet" "random:index/randomPet:RandomPet" {\n  length = 2\n}\n\n'
        f'config "given" "map(string)" {{\n  default = {{ b = "{draw.choice(("1", "2"))}", a = "3", cc = "1" }}\n}}\n\n'
        f'output "made" {{\n  value = {{ for k, v in given : "${{length({draw.choice("kv")})}}" => {draw.choice(("v", "k"))} }}\n}}\n'
    )


def packed(numbers: Sequence[int]) -> str:
    """The programs with these numbers, in one file."""
    return "\n".join(map(program, numbers))
