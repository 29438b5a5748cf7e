"""Random programs of pure values, each from a number.

A program has some sources (locals, configuration, secrets) with random values: scalars of all kinds, texts of numbers and
bools, null, nested lists and objects, members that only some elements have, empty collections. Its one output reads them.
The same number always makes the same program, and the names of a program end in its number, so that several fit into one
file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.judge.nodes import Node, node, text

KEYS = ("name", "days", "in", "size", "tags", "uses", "a b", "1")
WORDS = ("a", "web", "", "é", "a b", "5", "0.5", "-3", "true", "false", "null", "x-1", "50%")
NUMBERS = ("0", "1", "2", "3", "5", "-1", "-3", "0.5", "2.5", "10", "100", "1e-7", "1e21", "123456789", "9007199254740992")
SCALARS = ("number", "string", "bool")
UNKNOWN = object()
"""The sample of an expression whose value the generator does not know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One program: its declarations and its output, as trees."""

    number: int
    sources: tuple[Node, ...]
    output: Node

    @property
    def name(self) -> str:
        """The name of the output."""
        return f"out{self.number}"

    def __str__(self) -> str:
        return "\n".join([*map(str, self.sources), f"output {self.name} {{\n  value = {self.output}\n}}\n"])


@dataclass(frozen=True, slots=True)
class Name:
    """A name in scope, and a value that it may have."""

    text: str
    sample: object


@dataclass(slots=True)
class Maker:
    """Makes one program."""

    number: int
    random: Random = field(init=False)
    count: int = 0
    indexes: int = 0
    """The indexes of indexes around the current one: deeper ones need not end."""

    def __post_init__(self) -> None:
        self.random = Random(self.number)

    def case(self) -> Case:
        """The program."""
        sources: list[Node] = []
        scope: list[Name] = []
        for index in range(self.random.randint(1, 3)):
            name, sample = f"src{index}n{self.number}", self._sample(self.random.choice((1, 2, 2, 2, 3)), whole=index == 0)
            sources.append(self._source(name, sample))
            scope.append(Name(name, sample))
        if self._chance(25):
            name = f"mid{self.number}"
            sources.append(node(f"{name} = @", self._any(scope, 2)))
            scope.append(Name(name, UNKNOWN))
        return Case(number=self.number, sources=tuple(sources), output=self._any(scope, 3))

    def _chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def _pick(self, *options: Callable[[], Node]) -> Node:
        return self.random.choice(options)()

    # --- values --------------------------------------------------------------------------------------------------------

    def _scalar(self) -> object:
        match self.random.randrange(10):
            case 0 | 1 | 2:
                return _number(self.random.choice(NUMBERS))
            case 3 | 4 | 5 | 6:
                return self.random.choice(WORDS)
            case 7 | 8:
                return self._chance(50)
            case _:
                return None

    def _sample(self, depth: int, *, whole: bool = False) -> object:
        match self.random.randrange(2 if whole else 6):
            case 0 if depth:
                if self._chance(60):  # alike, but not quite
                    return [self._members(depth - 1) for _ in range(self.random.choice((1, 2, 2, 3)))]
                return [self._sample(depth - 1) for _ in range(self.random.choice((0, 1, 2, 3, 3)))]
            case 1 if depth:
                return self._members(depth - 1)
            case _:
                return self._scalar()

    def _members(self, depth: int) -> dict[str, object]:
        keys = self.random.sample(KEYS, self.random.choice((0, 1, 1, 1, 2, 2, 3)))
        if self._chance(70):
            keys = ["name", *(key for key in keys if key != "name")]
        return {key: self._sample(depth) for key in keys}

    def _source(self, name: str, sample: object) -> Node:
        value = literal(sample)
        match self.random.randrange(8):
            case 0 | 1 | 2:
                return node(f"{name} = @", value)
            case 3:
                return node(f"{name} = secret(@)", value)
            case 4 | 5:
                return node(f"config {name} any {{\n  default = @\n}}", value)
            case _:
                label = json.dumps(self._label(sample))
                return node(f"config {name} {label} {{\n  default = @\n}}", value)

    def _label(self, sample: object) -> str:
        """A type that the sample has exactly or nearly."""
        match sample:
            case bool():
                return self.random.choice(("bool", "bool", "string"))
            case int() | float():
                return self.random.choice(("number", "number", "string"))
            case str():
                return "string"
            case list() if sample and all(isinstance(element, dict) for element in sample):
                together = {key: value for element in sample if isinstance(element, dict) for key, value in element.items()}
                return f"list({self._object_label(together, sample)})"
            case list():
                return f"list({self._label(sample[0]) if sample and self._chance(50) else 'any'})"
            case dict() if not sample or self._chance(25):
                return f"map({self._label(next(iter(sample.values()), None))})"
            case dict():
                return self._object_label(sample, [sample])
            case _:
                return "any"

    def _object_label(self, members: dict[str, object], samples: Sequence[object]) -> str:
        parts: list[str] = []
        for key, value in members.items():
            if not key.isidentifier():
                return "map(any)"
            label = self._label(value)
            required = all(isinstance(sample, dict) and sample.get(key) is not None for sample in samples)
            parts.append(f"{key} = {label if required and self._chance(80) else f'optional({label})'}")
        return f"object({{{', '.join(parts)}}})"

    # --- expressions ---------------------------------------------------------------------------------------------------

    def _of(self, kind: str, scope: list[Name], depth: int) -> Node:
        """An expression that probably has a value of this kind."""
        if self._chance(4):
            return self._any(scope, depth - 1)
        if depth <= 0:
            return self._read(kind, scope) if self._chance(75) else literal(self._of_kind(kind))
        making = {
            "number": self._number,
            "string": self._string,
            "bool": self._bool,
            "list": self._list,
            "object": self._object,
        }
        match self.random.randrange(10):
            case 0 | 1 | 2:
                return self._read(kind, scope)
            case 3:
                return self._choice(kind, scope, depth)
            case 4:
                return self._guarded(kind, scope, depth)
            case _:
                return making[kind](scope, depth - 1)

    def _any(self, scope: list[Name], depth: int) -> Node:
        if self._chance(20):
            return self._read("any", scope)
        return self._of(self.random.choice((*SCALARS, "list", "list", "list", "object")), scope, depth)

    def _of_kind(self, kind: str) -> object:
        match kind:
            case "number":
                return _number(self.random.choice(NUMBERS))
            case "string":
                return self.random.choice(WORDS)
            case "bool":
                return self._chance(50)
            case "list":
                return self._listed(1)
            case "object":
                return self._members(1)
            case _:
                return self._scalar()

    def _listed(self, depth: int) -> list[object]:
        return [self._sample(depth) for _ in range(self.random.randrange(4))]

    def _read(self, kind: str, scope: list[Name]) -> Node:
        """A path from a name, to a value of the kind if possible."""
        paths = [self._path(scope) for _ in range(8)]
        fitting = [path for path, sample in paths if _fits(sample, kind)]
        if fitting and not self._chance(5):
            return fitting[0]
        return paths[0][0] if kind == "any" or self._chance(20) else literal(self._of_kind(kind))

    def _path(self, scope: list[Name]) -> tuple[Node, object]:
        start = self.random.choice(scope[-2:] if self._chance(50) else scope)
        path, sample = text(start.text), start.sample
        while self._chance(70):
            step = self._step(sample, scope)
            if step is None:
                break
            form, sample, *parts = step
            path = node(form, path, *parts)
        return path, sample

    def _step(self, sample: object, scope: list[Name]) -> tuple[str, object, *tuple[Node, ...]] | None:
        if sample is UNKNOWN:
            return ("@.name", UNKNOWN) if self._chance(50) else ("@[0]", UNKNOWN) if self._chance(50) else None
        if self._chance(6):
            key = self.random.choice(KEYS)
            return _member(key, self), None
        match sample:
            case list() if sample:
                index = self.random.randrange(len(sample) + (1 if self._chance(10) else 0))
                inner = sample[index] if index < len(sample) else None
                match self.random.randrange(6):
                    case 0:
                        return f'@["{index}"]', inner
                    case 1 if len(scope) > 1 and self.indexes < 10:
                        chosen = self.random.choice(sample)
                        self.indexes += 1
                        number = self._of("number", scope, 0)
                        self.indexes -= 1
                        return "@[@]", chosen, number
                    case 2:
                        return f"@[{index - len(sample)}]" if self._chance(20) else f"@[{index} + 0]", inner
                    case _:
                        return f"@[{index}]", inner
            case dict() if sample:
                key = self.random.choice(list(sample))
                return _member(key, self), sample[key]
            case _:
                return None

    def _choice(self, kind: str, scope: list[Name], depth: int) -> Node:
        condition = self._of("bool", scope, depth - 1)
        branches = [self._of(kind, scope, depth - 1) for _ in range(2)]
        if self._chance(15):
            branches[self.random.randrange(2)] = text("null")
        return node("(@ ? @ : @)", condition, *branches)

    def _guarded(self, kind: str, scope: list[Name], depth: int) -> Node:
        """An expression with `try`, `lookup`, `element` or similar."""
        fallback = self._of(kind, scope, 0)
        match self.random.randrange(6):
            case 0 | 1:
                return node("try(@, @)", self._wrong(scope), fallback)
            case 2:
                return node("try(@, @, @)", self._wrong(scope), self._wrong(scope), fallback)
            case 3:
                key = literal(self.random.choice(KEYS))
                return node("lookup(@, @, @)", self._of("object", scope, depth - 1), key, fallback)
            case 4:
                return node("element(@, @)", self._of("list", scope, depth - 1), self._of("number", scope, 0))
            case _:
                return node("singleOrNone(@)", self._of("list", scope, depth - 1))

    def _wrong(self, scope: list[Name]) -> Node:
        """An expression that often fails."""
        path, sample = self._path(scope)
        match self.random.randrange(5):
            case 0 | 1 | 2:
                return node(_member(self.random.choice(KEYS), self), path)
            case 3:
                step = self._step(sample, scope)
                return path if step is None else node(step[0], path, *step[2:])
            case _:
                return self._any(scope, 1)

    def _number(self, scope: list[Name], depth: int) -> Node:
        def part() -> Node:
            return self._of("number", scope, depth)

        return self._pick(
            lambda: node(f"(@ {self.random.choice('+-*/%')} @)", part(), part()),
            lambda: node("(-@)", part()),
            lambda: node("length(@)", self._of(self.random.choice(("list", "object", "string")), scope, depth)),
            lambda: node(f"{self.random.choice(('max', 'min'))}(@)", *self._some(part, 1, 3), joint=", "),
            lambda: node('"${@}"', part()),
        )

    def _string(self, scope: list[Name], depth: int) -> Node:
        return self._pick(
            lambda: self._template(scope, depth),
            lambda: self._template(scope, depth),
            lambda: node("join(@, @)", literal(self.random.choice(("", ",", "-"))), self._of("list", scope, depth)),
            lambda: node("toJSON(@)", self._any(scope, depth)),
        )

    def _template(self, scope: list[Name], depth: int) -> Node:
        def scalar(inner: list[Name]) -> Node:
            return self._of(self.random.choice(SCALARS), inner, min(depth, 1))

        pieces: list[Node] = []
        for _ in range(self.random.randint(1, 3)):
            match self.random.randrange(5):
                case 0:
                    pieces.append(node(self.random.choice(("-", " ", "v", "$${x}", "é")), fixed=True))
                case 1:
                    condition = self._of("bool", scope, depth)
                    pieces.append(node("%{ if @ }${@}%{ else }n%{ endif }", condition, scalar(scope), fixed=True))
                case 2:
                    collection, inner, names = self._loop(scope, depth)
                    pieces.append(
                        node(f"%{{ for {names} in @ }}${{@}};%{{ endfor }}", collection, scalar(inner), fixed=True)
                    )
                case _:
                    pieces.append(node("${@}", scalar(scope), fixed=True))
        return node('"=@"', *pieces, joint="")

    def _bool(self, scope: list[Name], depth: int) -> Node:
        def part() -> Node:
            return self._of("bool", scope, depth)

        def number() -> Node:
            return self._of("number", scope, depth)

        def either() -> Node:
            return self._of(self.random.choice((*SCALARS, "list", "object")), scope, depth)

        return self._pick(
            lambda: node("can(@)", self._wrong(scope)),
            lambda: node(f"(@ {self.random.choice(('==', '!='))} @)", either(), either()),
            lambda: node(f"(@ {self.random.choice(('==', '!='))} null)", self._read("any", scope)),
            lambda: node(f"(@ {self.random.choice(('<', '<=', '>', '>='))} @)", number(), number()),
            lambda: node(f"(@ {self.random.choice(('&&', '||'))} @)", part(), part()),
            lambda: node("!@", part()),
        )

    def _list(self, scope: list[Name], depth: int) -> Node:
        return self._pick(
            lambda: node("[@]", *self._some(lambda: self._any(scope, depth), 0, 3), joint=", "),
            lambda: self._for_list(scope, depth),
            lambda: self._for_list(scope, depth),
            lambda: self._splat(scope, depth),
            lambda: self._splat(scope, depth),
            lambda: node("range(@)", self._count(scope)) if self._chance(50) else text("range(1, 4)"),
            lambda: node('split(",", @)', self._of("string", scope, depth)),
            lambda: node("entries(@)", self._of("object", scope, depth)),
        )

    def _count(self, scope: list[Name]) -> Node:
        """A number of elements that every language can make."""
        return text(self.random.choice(("0", "1", "3", "2.5", "-1", '"2"'))) if self._chance(50) else node(
            "length(@)", self._of("list", scope, 0)
        )

    def _splat(self, scope: list[Name], depth: int) -> Node:
        source = self._read("any" if self._chance(25) else "list", scope)
        steps = "".join(f".{self.random.choice(KEYS[:6])}" for _ in range(self.random.choice((0, 1, 1, 1, 2))))
        if self._chance(30):
            return node(f"@.*{steps}", source)
        return node(f"@[*]{steps}{'[0]' if self._chance(10) else ''}", source)

    def _for_list(self, scope: list[Name], depth: int) -> Node:
        collection, inner, names = self._loop(scope, depth)
        result = self._any(inner, depth)
        if self._chance(30):
            return node(f"[for {names} in @ : @ if @]", collection, result, self._of("bool", inner, depth))
        return node(f"[for {names} in @ : @]", collection, result)

    def _object(self, scope: list[Name], depth: int) -> Node:
        if self._chance(40):
            members = [
                node(f"{json.dumps(key)} = @", self._any(scope, depth), fixed=True)
                for key in self.random.sample(KEYS, self.random.randrange(4))
            ]
            return node("{@}", *members, joint=", ")
        collection, inner, names = self._loop(scope, depth)
        key = self._of("string", inner, 0) if self._chance(70) else text(names.split(",")[0])
        group = "..." if self._chance(40) else ""
        if self._chance(25):
            condition = self._of("bool", inner, depth)
            return node(f"{{for {names} in @ : @ => @{group} if @}}", collection, key, self._any(inner, depth), condition)
        return node(f"{{for {names} in @ : @ => @{group}}}", collection, key, self._any(inner, depth))

    def _loop(self, scope: list[Name], depth: int) -> tuple[Node, list[Name], str]:
        """A collection, the scope of a loop body over it, and the variables."""
        self.count += 1
        item, key = f"x{self.count}", f"k{self.count}"
        pairs = [(path, sample) for path, sample in (self._path(scope) for _ in range(8)) if isinstance(sample, list | dict)]
        collection: Node
        inner: object = UNKNOWN
        if pairs and self._chance(85):
            collection, sample = pairs[0]
            values = list(sample.values()) if isinstance(sample, dict) else sample
            inner = self.random.choice(values) if values else None
            first: object = next(iter(sample), "name") if isinstance(sample, dict) else 0
        else:
            collection, first = self._of(self.random.choice(("list", "object")), scope, depth), UNKNOWN
        names = [Name(item, inner)]
        if self._chance(35):
            return collection, [*scope, Name(key, first), *names], f"{key}, {item}"
        return collection, [*scope, *names], item

    def _some(self, make: Callable[[], Node], least: int, most: int) -> list[Node]:
        return [make() for _ in range(self.random.randint(least, most))]


def _number(word: str) -> int | float:
    return float(word) if set(word) & set(".e") else int(word)


def _member(key: str, maker: Maker) -> str:
    return f"@.{key}" if key.isidentifier() and maker._chance(70) else f"@[{json.dumps(key)}]"


def _fits(sample: object, kind: str) -> bool:
    match sample:
        case bool():
            return kind in ("bool", "any")
        case int() | float():
            return kind in ("number", "any")
        case str():
            return kind in ("string", "any")
        case list():
            return kind in ("list", "any")
        case dict():
            return kind in ("object", "any")
        case _:
            return kind == "any"


def literal(value: object) -> Node:
    """A value as a PCL literal."""
    match value:
        case None:
            return text("null")
        case bool():
            return text("true" if value else "false")
        case int() | float():
            return text(repr(value))
        case str():
            return text(json.dumps(value, ensure_ascii=False))
        case list():
            return node("[@]", *map(literal, value), joint=", ")
        case dict():
            members = (
                node(f"{key if key.isidentifier() else json.dumps(key)} = @", literal(inner), fixed=True)
                for key, inner in value.items()
            )
            return node("{@}", *members, joint=", ")
        case _:
            raise AssertionError(value)


def case(number: int) -> Case:
    """The program with this number."""
    return Maker(number).case()
