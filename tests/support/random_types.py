"""Random programs over the types that labels can express, each from a number.

They have `type` blocks, literals, constraints, unions, annotated locals, components with such inputs (some forward them),
and functions of users.

The files of programs are valid for every language; each value satisfies the rule of its place, whatever is chosen at run
time, so that programs run to their end.  The same number always makes the same program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

PET = "random:index/randomPet:RandomPet"
WORDS = ("small", "large", "a b", "x.y", "it", "Grüße", "50%", "class", "1")
MEMBERS = ("port", "name", "kind", "from", "a_b", "Limit")


@dataclass(frozen=True, slots=True)
class Kind:
    """A type: its label, its structure, and literals of it (for scalars)."""

    label: str
    form: str  # text, number, bool, either, list, map, object
    values: tuple[str, ...] = ()
    inner: tuple[tuple[str, Kind, bool], ...] = ()  # member, its kind, whether it may be absent
    least: int = 0

    @property
    def element(self) -> Kind:
        """The kind of the elements of a list or a map."""
        return self.inner[0][1]


@dataclass(slots=True)
class Names:
    """The names that a block may refer to: values by the labels of their kinds, and which of them are outputs."""

    texts: dict[str, list[str]] = field(default_factory=dict)

    def add(self, kind: Kind, text: str) -> None:
        """Add `text` as a value of a kind."""
        self.texts.setdefault(kind.label, []).append(text)


class Maker:
    """Makes one program."""

    def __init__(self, number: int, *, functions: bool = False) -> None:
        self._random = Random(number)
        self._functions = functions
        self._suffix = f"N{number}"
        self._count = 0
        self._types: list[str] = []
        self._kinds: list[Kind] = []
        self._parts: dict[str, list[tuple[str, Kind, bool]]] = {}
        self.files: dict[str, str] = {}

    # -- types -----------------------------------------------------------------------------------------------------------

    def _name(self, base: str) -> str:
        self._count += 1
        return f"{base}{self._count}{self._suffix}"

    def _chance(self, percent: int) -> bool:
        return self._random.randrange(100) < percent

    def _literals(self, values: Sequence[str], quoted: bool) -> Kind:
        choices = self._random.sample(list(values), self._random.randint(1, min(4, len(values))))
        label = " | ".join(f"'{value}'" if quoted else value for value in choices)
        return Kind(label, "text" if quoted else "number", tuple(f'"{value}"' if quoted else value for value in choices))

    def _scalar(self) -> Kind:
        match self._random.randrange(8):
            case 0 | 1:
                return self._literals(WORDS, quoted=True)
            case 2:
                return self._literals(("1", "2", "3", "40"), quoted=False)
            case 3:
                low = self._random.randint(-3, 3)
                return Kind(f"int(minimum={low}, maximum={low + 9})", "number", tuple(str(low + n) for n in (0, 4, 9)))
            case 4:
                return Kind("string(minLength=1, pattern='^[a-z]')", "text", ('"abc"', '"x-1"', '"zz Top"'))
            case 5:
                literals = self._literals(WORDS, quoted=True)
                return Kind(f"{literals.label} | int", "either", (*literals.values, "7", "0"))
            case 6:
                return Kind("bool", "bool", ("true", "false"))
            case _:
                return Kind("string", "text", ('"plain"', '""'))

    def _kind(self, depth: int = 0) -> Kind:
        if self._kinds and self._chance(45):
            return self._random.choice(self._kinds)
        form = self._random.choice(("scalar", "scalar", "list", "map", "object")) if depth < 2 else "scalar"
        if form == "scalar":
            return self._scalar()
        if form == "object":
            names = self._random.sample(MEMBERS, self._random.randint(1, 3))
            members = [(name, self._kind(depth + 1), self._chance(30)) for name in names]
            inside = [f"{name} = {f'optional({kind.label})' if absent else kind.label}" for name, kind, absent in members]
            return Kind(f"object({{ {', '.join(inside)} }})", "object", inner=tuple(members))
        inner = self._kind(depth + 1)
        least = self._random.randint(0, 1)
        word = "minItems" if form == "list" else "minProperties"
        return Kind(f"{form}({inner.label}{f', {word}=1' if least else ''})", form, inner=(("", inner, False),), least=least)

    def _alias(self) -> None:
        kind = self._kind()
        name = self._name(self._random.choice(("Size", "port", "Rule", "Flags", "Record", "List")))
        description = '\n  description = "What it is."\n' if self._chance(40) else ""
        self._types.append(f'type "{name}" "{kind.label}" {{{description}}}')
        self._kinds.append(Kind(name, kind.form, kind.values, kind.inner, kind.least))

    # -- values ----------------------------------------------------------------------------------------------------------

    def _value(self, kind: Kind, names: Names, depth: int = 0) -> str:
        """An expression whose value is of `kind`."""
        candidates = names.texts.get(kind.label, [])
        if candidates and self._chance(45):
            return self._random.choice(candidates)
        if depth < 2 and self._chance(15):
            condition = self._condition(names)
            return f"({condition} ? {self._value(kind, names, depth + 1)} : {self._value(kind, names, depth + 1)})"
        match kind.form:
            case "list":
                return self._list(kind, names, depth)
            case "map":
                return self._map(kind, names, depth)
            case "object":
                members = [
                    f"{name} = {self._value(inner, names, depth + 1)}"
                    for name, inner, absent in kind.inner
                    if not absent or self._chance(60)
                ]
                return f"{{ {', '.join(members)} }}"
            case _:
                return self._function(kind) or self._random.choice(kind.values)

    def _function(self, kind: Kind) -> str:
        """A call of a user's function, where its result certainly satisfies the rule."""
        if not self._functions or self._chance(60):
            return ""
        if kind.label == "string":
            return f'kit::checked({self._random.choice(kind.values)})'
        return f"kit::negate({self._random.choice(kind.values)})" if kind.form == "bool" else ""

    def _list(self, kind: Kind, names: Names, depth: int) -> str:
        candidates = names.texts.get(kind.label, [])
        if candidates and self._chance(40):
            return f"[for part in {self._random.choice(candidates)} : part]"
        count = self._random.randint(kind.least, 2)
        return f"[{', '.join(self._value(kind.element, names, depth + 1) for _ in range(count))}]"

    def _map(self, kind: Kind, names: Names, depth: int) -> str:
        keys = self._random.sample(("a", "b c", "x.y"), self._random.randint(kind.least, 2))
        return f"{{ {', '.join(f'{chr(34)}{key}{chr(34)} = {self._value(kind.element, names, depth + 1)}' for key in keys)} }}"

    def _condition(self, names: Names) -> str:
        flags = names.texts.get("bool", [])
        if flags and self._chance(50):
            return self._random.choice(flags)
        return self._random.choice(("true", "false", '"a" == "b"', "1 < 2"))

    # -- what is done with values ----------------------------------------------------------------------------------------

    def _use(self, kind: Kind, text: str, depth: int = 0) -> str:
        """An expression over a value of `kind`."""
        shown = [text]
        if kind.form == "text":
            shown += [f'"<${{{text}}}>"', f'{text} == "tiny"', f'({text} != "small" ? 1 : 2)', f'[for t in [{text}, "q"] : "${{t}}"]']
        elif kind.form == "number":
            shown += [f'"${{{text}}}"', f"{text} + 1", f"{text} == 99", f"({text} > 3 ? {text} : 0)"]
        elif kind.form == "list":
            shown += [f"length({text})", f"[for n, v in {text} : {self._use(kind.element, 'v', 1) if depth == 0 else 'n'}]"]
            shown += [f"{text}[0]"] if kind.least else []
        elif kind.form == "map":
            inner = self._use(kind.element, "v", 1) if depth == 0 else "k"
            shown += [f"length({text})", f'{{ for k, v in {text} : "${{k}}!" => {inner} }}']
        elif kind.form == "object":
            there = [(name, inner) for name, inner, absent in kind.inner if not absent]
            if there:
                name, member = self._random.choice(there)
                shown += [self._use(member, f"{text}.{name}", depth + 1)] if depth < 2 else [f"{text}.{name}"]
        return self._random.choice(shown)

    # -- blocks ----------------------------------------------------------------------------------------------------------

    def _component(self) -> None:
        name = self._name("part")
        inputs: list[tuple[str, Kind, bool]] = []
        names, blocks = Names(), [*self._types]
        for _ in range(self._random.randint(1, 4)):
            kind, base = self._kind(), self._name(self._random.choice(("size", "rule", "all", "type", "name")))
            sort = self._random.choice(("given", "given", "default", "secret"))
            settings = {"given": "", "default": f"  default = {self._value(kind, Names(), 2)}\n", "secret": "  secret = true\n"}
            blocks.append(f'config "{base}" "{kind.label}" {{\n{settings[sort]}}}')
            inputs.append((base, kind, sort == "default"))
            if sort != "secret":
                names.add(kind, base)
        texts = [base for base, kind, _ in inputs if kind.form == "text"]
        prefix = self._random.choice(texts) if texts else '"p"'
        blocks.append(f'resource "pet" "{PET}" {{\n  prefix = {prefix}\n}}')
        if self._parts and self._chance(60):
            blocks.append(self._call("inner", names, "..", name))
            texts.append("inner.shown")
        members = [f"{base} = {self._use(kind, base)}" for base, kind, _ in inputs]
        blocks.append(f'output "shown" {{\n  value = {{ {", ".join(members)}, id = pet.prefix }}\n}}')
        self._parts[name] = inputs
        self.files[f"{name}/main.pp"] = "\n".join(blocks) + "\n"

    def _call(self, called: str, names: Names, place: str, without: str = "") -> str:
        part = self._random.choice([name for name in self._parts if name != without])
        arguments = [
            f"  {name} = {self._value(kind, names)}"
            for name, kind, optional in self._parts[part]
            if not optional or self._chance(60)
        ]
        return "\n".join([f'component "{called}" "{place}/{part}" {{', *arguments, "}"])

    def make(self) -> dict[str, str]:
        """Make the files."""
        for _ in range(self._random.randint(1, 4)):
            self._alias()
        for _ in range(self._random.randint(1, 3)):
            self._component()
        names, blocks, shown = Names(), [*self._types], []
        for _ in range(self._random.randint(1, 3)):
            kind, name = self._kind(), self._name("config")
            secret = "  secret = true\n" if self._chance(15) else ""
            blocks.append(f'config "{name}" "{kind.label}" {{\n{secret}  default = {self._value(kind, Names(), 2)}\n}}')
            names.add(kind, name)
            shown.append(self._use(kind, name))
        self._late(names, blocks)
        for _ in range(self._random.randint(0, 3)):
            kind, name = self._kind(), self._name("local")
            blocks.append(f'local "{name}" "{kind.label}" {{\n  value = {self._value(kind, names)}\n}}')
            names.add(kind, name)
            shown.append(self._use(kind, name))
        for _ in range(self._random.randint(1, 3)):
            name = self._name("made")
            blocks.append(self._call(name, names, "."))
            shown.append(f"{name}.shown")
        blocks += [f'output "{self._name("out")}" {{\n  value = {value}\n}}' for value in shown]
        self.files["main.pp"] = "\n".join(blocks) + "\n"
        return self.files

    def _late(self, names: Names, blocks: list[str]) -> None:
        """A resource whose outputs are of certain kinds."""
        texts = [kind for kind in self._kinds if kind.form == "text"]
        if texts and self._chance(70):
            kind, name = self._random.choice(texts), self._name("pet")
            blocks.append(f'resource "{name}" "{PET}" {{\n  prefix = {self._random.choice(kind.values)}\n}}')
            names.add(kind, f"(({name}.prefix == null) ? {kind.values[0]} : {name}.prefix)")


def files(number: int, *, functions: bool = False) -> dict[str, str]:
    """The files of the program with this number."""
    return Maker(number, functions=functions).make()


def packed(numbers: Sequence[int], *, functions: bool = False) -> dict[str, str]:
    """Combine several programs."""
    program: dict[str, str] = {}
    for number in numbers:
        part = files(number, functions=functions)
        program = {**program, **part, "main.pp": program.get("main.pp", "") + part["main.pp"]}
    return program


Make = Callable[[int], dict[str, str]]
