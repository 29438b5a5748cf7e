"""Random programs of resources, references, conditionals, loops, ranges and functions, each from a number.

They also have splats, ranges over outputs, secrets, optionals, and functions whose result is not used.

The programs are PCL over the packages random, command and tls (schemas in `examples/schemas`).  The same number always makes
the same program.  Names end in the number, so that many programs fit into one file: `packed` combines them, since starting
and linking programs takes most of the time.

Every program is valid and runs to its end: indexes exist, keys exist or are guarded, counts are known.

Programs are of two sorts.  The `whole` ones have everything.  The others omit features that Go lacks so far: maps with
outputs as members are not looped over, indexed or named; optional outputs are used in simple places only; ids are always
part of a text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

TEXTS = ("a", "web", "x-1", "", "Grüße", 'say \\"hi\\"', "two\\nlines", "50%", "$${kept}", "it's", "back\\\\slash", "{}", "[1", "null")
KEYS = ("env", "team", "a b", "x.y", "naïve")


@dataclass(frozen=True, slots=True)
class Typed:
    """A value that an expression may use: its text, its type, and whether it may be null."""

    text: str
    type: str
    optional: bool = False


@dataclass(slots=True)
class Scope:
    """The values declared so far, and the names of loops around an expression."""

    values: list[Typed] = field(default_factory=list)
    depth: int = 0
    loops: int = 0

    def inside(self, *more: Typed) -> Scope:
        """The scope of a loop's body."""
        return Scope(values=[*self.values, *more], depth=self.depth, loops=self.loops + 1)


class Maker:
    """Makes one program."""

    def __init__(self, number: int, *, whole: bool = False, compares: bool = False) -> None:
        self._random = Random(number)
        self._whole = whole
        self._compares = compares
        self._suffix = f"N{number}"
        self._count = 0
        self._blocks: list[str] = []
        self._scope = Scope()
        self._resources: list[str] = []
        self._ranged = ""
        self._lists: list[str] = []  # outputs that are non-empty lists of unknown length

    def program(self) -> str:
        """The text."""
        for _ in range(self._random.randint(0, 2)):
            self._config()
        statements: Sequence[Callable[[], None]] = (
            *(self._local, self._pet, self._password, self._command, self._key, self._shuffle, self._function),
        )
        for _ in range(self._random.randint(3, 7)):
            self._random.choice(statements)()
        for _ in range(self._random.randint(1, 3)):
            self._output()
        return "\n".join(self._blocks)

    def comparisons(self) -> str:
        """The text of a program that compares configuration, constants, and values that depend on them."""
        for _ in range(self._random.randint(1, 4)):
            self._config()
        self._scope.values = [k for k in self._scope.values if not k.optional]
        for _ in range(2):
            self._local()
        for _ in range(4):
            self._blocks.append(f'output "{self._name("same")}" {{\n  value = {self._comparison(self._scope)}\n}}\n')
        self._blocks.append(f'output "{self._name("keyed")}" {{\n  value = {self._map(self._scope)}\n}}\n')
        return "\n".join(self._blocks)

    def _name(self, base: str) -> str:
        self._count += 1
        return f"{base}{self._count}{self._suffix}"

    def _chance(self, percent: int) -> bool:
        return self._random.randrange(100) < percent

    # -- blocks ----------------------------------------------------------------------------------------------------------

    def _config(self) -> None:
        kind = self._random.choice(("string", "int", "bool", "list(string)", "map(string)", "nullable", "secret"))
        name = self._name("setting")
        if kind == "nullable":
            self._blocks.append(f'config "{name}" "string" {{\n  nullable = true\n}}\n')
            self._scope.values.append(Typed(name, "string", optional=True))
            return
        declared = "string" if kind == "secret" else kind
        secret = "  secret  = true\n" if kind == "secret" else ""
        self._blocks.append(f'config "{name}" "{declared}" {{\n{secret}  default = {self._literal(declared)}\n}}\n')
        self._scope.values.append(Typed(name, declared))

    def _local(self) -> None:
        kinds = ("string", "int", "bool", "list(string)", *(("map(string)",) if self._whole else ()))
        kind = self._random.choice(kinds)
        # Any expression could use the name of an optional output.
        scope = self._scope if self._whole else Scope(values=self._scope.values, depth=1)
        name, value = self._name("value"), self._expression(kind, scope)
        self._blocks.append(f"{name} = {value}\n")
        self._scope.values.append(Typed(name, kind))

    def _pet(self) -> None:
        name = self._name("pet")
        inputs = [("length", "int"), ("prefix", "string"), ("separator", "string"), ("keepers", "map(string)")]
        self._resource(name, "random:index/randomPet:RandomPet", inputs, [])
        self._describe(name, [("id", "string", False), ("prefix", "string", True), ("keepers", "map(string)", True)])

    def _password(self) -> None:
        name = self._name("password")
        inputs = [("special", "bool"), ("minLower", "int"), ("overrideSpecial", "string"), ("keepers", "map(string)")]
        self._resource(name, "random:index/randomPassword:RandomPassword", inputs, [f"length = {self._expression('int')}"])
        members = [("result", "string", False), ("special", "bool", True), ("length", "int", False)]
        self._describe(name, [*members, ("id", "string", False)])

    def _command(self) -> None:
        name = self._name("command")
        inputs = [
            ("create", "string"),
            ("stdin", "string"),
            ("environment", "map(string)"),
            ("interpreter", "list(string)"),
            ("triggers", "list(string)"),
        ]
        fixed = ['logging = "stdout"'] if self._chance(30) else []
        self._resource(name, "command:local:Command", inputs, fixed)
        members = [("stdout", "string", False), ("stderr", "string", False), ("create", "string", True)]
        self._describe(name, [*members, ("interpreter", "list(string)", True), ("environment", "map(string)", True)])

    def _key(self) -> None:
        name = self._name("key")
        fixed = [f'algorithm = {self._random.choice(("RSA", "ECDSA", "ED25519"))!r}'.replace("'", '"')]
        self._resource(name, "tls:index/privateKey:PrivateKey", [("rsaBits", "int")], fixed)
        members = [("publicKeyOpenssh", "string", False), ("privateKeyPem", "string", False)]
        self._describe(name, [*members, ("rsaBits", "int", False)])

    def _shuffle(self) -> None:
        name = self._name("shuffle")
        fixed = [f"inputs = {self._expression('list(string)')}"]
        self._resource(name, "random:index/randomShuffle:RandomShuffle", [("resultCount", "int")], fixed)
        if not self._ranged:
            self._lists.append(f"{name}.results")
            self._scope.values.append(Typed(f"{name}.results", "list(string)"))

    def _function(self) -> None:
        """A function whose answer is used completely, partly or not at all."""
        name = self._name("answer")
        called = f'invoke("command:local:run", {{ command = {self._expression("string")} }})'
        match self._random.randrange(4):
            case 0:
                self._blocks.append(f"{name} = {called}\n")
            case 1:
                self._blocks.append(f"{name} = {called}.stdout\n")
            case 2:
                self._blocks.append(f"{name} = {called}\n")
                self._scope.values.append(Typed(f"{name}.stdout", "string"))
            case _:
                loop = f"x{self._scope.loops}"
                looped = f'invoke("command:local:run", {{ command = {loop} }})'
                self._blocks.append(f"{name} = [for {loop} in {self._literal('list(string)')} : {looped}]\n")
                self._scope.values.append(Typed(f"{name}[*].stdout", "list(string)"))

    def _resource(self, name: str, token: str, inputs: Sequence[tuple[str, str]], fixed: Sequence[str]) -> None:
        """One or several resources with a random selection of inputs."""
        later = ("later",) if self._lists else ()
        self._ranged = self._random.choice(("", "", "", "count", "list", "map", *later))
        options = self._options()
        scope = self._scope
        match self._ranged:
            case "count":
                options.append("range = 2")
                scope = scope.inside(Typed("range.value", "int"))
            case "list":
                options.append('range = ["p", "q"]')
                scope = scope.inside(Typed("range.value", "string"))
            case "later":
                options.append(f"range = {self._random.choice(self._lists)}")
                scope = scope.inside(Typed("range.value", "string"))
            case "map":
                options.append('range = { k = "v", l = "w" }')
                scope = scope.inside(Typed("range.key", "string"), Typed("range.value", "string"))
        assignments = [f"{key} = {self._expression(kind, scope)}" for key, kind in inputs if self._chance(55)]
        body = [*([f"options {{\n{_indented(options)}\n}}"] if options else []), *fixed, *assignments]
        self._blocks.append(f'resource "{name}" "{token}" {{\n{_indented(body)}\n}}\n')
        self._resources.append(name)

    def _options(self) -> list[str]:
        options: list[str] = []
        if self._resources and self._chance(20):
            options.append(f"dependsOn = [{self._random.choice(self._resources)}]")
        if self._chance(10):
            options.append(f"protect = {self._random.choice(('true', 'false'))}")
        if self._chance(8):
            options.append("retainOnDelete = true")
        if self._chance(8):
            options.append('customTimeouts = { create = "5m" }')
        return options

    def _describe(self, name: str, members: Sequence[tuple[str, str, bool]]) -> None:
        """Declare the usable values of a resource, which may have several instances."""
        values = self._scope.values
        match self._ranged:
            case "":
                values += [Typed(f"{name}.{member}", kind, optional) for member, kind, optional in members]
            case "map":
                values += [Typed(f'{name}["k"].{member}', kind, optional) for member, kind, optional in members]
            case "later":
                texts = [member for member, kind, optional in members if kind == "string" and not optional and member != "id"]
                values += [Typed(f"{name}[*].{member}", "list(string)") for member in texts]
            case _:
                values += [Typed(f"{name}[1].{member}", kind, optional) for member, kind, optional in members]
                plain = [(member, kind) for member, kind, optional in members if not optional]
                texts = [member for member, kind in plain if kind == "string" and (self._whole or member != "id")]
                values += [Typed(f"{name}[*].{member}", "list(string)") for member in texts]

    def _output(self) -> None:
        kind = self._random.choice(("string", "int", "bool", "list(string)", "map(string)", "object"))
        value = self._object() if kind == "object" else self._expression(kind)
        self._blocks.append(f'output "{self._name("out")}" {{\n  value = {value}\n}}\n')

    def _object(self) -> str:
        members = {"text": "string", "count": "int", "names": "list(string)", "on": "bool"}
        chosen = [f"{key} = {self._expression(kind)}" for key, kind in members.items() if self._chance(60)]
        return f"{{ {', '.join(['fixed = 1', *chosen])} }}"

    # -- expressions -----------------------------------------------------------------------------------------------------

    def _literal(self, kind: str) -> str:
        choose = self._random.choice
        match kind:
            case "string":
                return f'"{choose(TEXTS)}"'
            case "int":
                return str(self._random.randint(0, 40))
            case "bool":
                return choose(("true", "false"))
            case "list(string)":
                return "[" + ", ".join(self._literal("string") for _ in range(self._random.randint(1, 3))) + "]"
            case _:
                keys = self._random.sample(KEYS, self._random.randint(1, 3))
                return "{ " + ", ".join(f'"{key}" = {self._literal("string")}' for key in keys) + " }"

    def _expression(self, kind: str, scope: Scope | None = None) -> str:
        """An expression of a type."""
        scope = scope or self._scope
        if scope.depth >= 3:
            return self._reference(kind, scope) or self._literal(kind)
        deeper = Scope(values=scope.values, depth=scope.depth + 1, loops=scope.loops)
        makers = {
            "string": self._string,
            "int": self._int,
            "bool": self._bool,
            "list(string)": self._list,
            "map(string)": self._map,
        }
        roll = self._random.randrange(100)
        if roll < 30:
            return self._reference(kind, deeper) or self._literal(kind)
        if roll < 42:
            return self._literal(kind)
        if roll < 52 and kind != "map(string)":
            condition = self._expression("bool", deeper)
            return f"({condition} ? {self._expression(kind, deeper)} : {self._expression(kind, deeper)})"
        return makers[kind](deeper)

    def _reference(self, kind: str, scope: Scope) -> str | None:
        """A declared value; a nullable value is guarded."""
        simple = self._whole or scope.depth <= 1
        fitting = [value for value in scope.values if value.type == kind and (simple or not value.optional)]
        if not fitting:
            return None
        reference = self._random.choice(fitting)
        if reference.text.endswith(".id") and not self._whole:
            return f'"id ${{{reference.text}}}"'
        if reference.optional:
            return f"({reference.text} == null ? {self._literal(kind)} : {reference.text})"
        return reference.text

    def _string(self, scope: Scope) -> str:
        match self._random.randrange(8):
            case 0 | 1 | 2:
                first, second = self._expression("string", scope), self._expression(self._random.choice(("string", "int", "bool")), scope)
                return f'"{self._random.choice(TEXTS)}${{{first}}}-${{{second}}}"'
            case 3:
                return f'join("{self._random.choice((",", " ", "::"))}", {self._expression("list(string)", scope)})'
            case 4:
                return f"secret({self._expression('string', scope)})"
            case 5:
                return f'lookup({self._source(scope)}, "env", {self._literal("string")})'
            case 6:
                return f"{self._random.choice(('toBase64', 'sha1'))}({self._expression('string', scope)})"
            case _:
                return f"element({self._expression('list(string)', scope)}, 0)"

    def _int(self, scope: Scope) -> str:
        match self._random.randrange(4):
            case 0:
                counted = self._random.choice(("list(string)", "map(string)", "string"))
                source = self._source(scope) if counted == "map(string)" else self._expression(counted, scope)
                return f"length({source})"
            case 1:
                operator = self._random.choice(("+", "-", "*"))
                return f"({self._expression('int', scope)} {operator} {self._expression('int', scope)})"
            case 2:
                return f"({self._expression('int', scope)} % 7)"
            case _:
                return self._literal("int")

    def _comparison(self, scope: Scope) -> str:
        """Compare lists, maps, bools and constants, negated or not, beside conditions on the same values."""
        operator = self._random.choice(("==", "!="))
        match self._random.randrange(7):
            case 0:
                return f"({self._expression('list(string)', scope)} {operator} {self._expression('list(string)', scope)})"
            case 1:
                return f"({self._expression('list(string)', scope)} {operator} [])"
            case 2:
                return f"({self._literal('map(string)')} {operator} {self._literal('map(string)')})"
            case 3:
                return f"(!{self._literal('bool')} {operator} {self._expression('bool', scope)})"
            case 4:
                return f"([{self._expression('int', scope)}] {operator} [-{self._random.randint(1, 3)}])"
            case 5:
                operand = self._values("bool", scope)
                return f"({operand} ? {operand} {operator} {self._literal('bool')} : !{operand} {operator} {operand})"
            case _:
                operand = self._values("string", scope)
                first, second = self._literal("string"), self._literal("string")
                return f"({operand} == {first} ? {operand} {operator} {second} : {operand} {operator} {first})"

    def _values(self, kind: str, scope: Scope) -> str:
        """A name if there is any, otherwise a constant."""
        names = [k.text for k in scope.values if k.type == kind and not k.optional]
        return self._random.choice(names) if names else self._literal(kind)

    def _bool(self, scope: Scope) -> str:
        if self._compares:
            return self._comparison(scope) if self._chance(40) else self._values("bool", scope)
        match self._random.randrange(5):
            case 0:
                return f"({self._expression('int', scope)} {self._random.choice(('<', '>=', '=='))} {self._expression('int', scope)})"
            case 1:
                return f"({self._expression('string', scope)} == {self._expression('string', scope)})"
            case 2:
                return f"!{self._expression('bool', scope)}"
            case 3:
                operator = self._random.choice(("&&", "||"))
                return f"({self._expression('bool', scope)} {operator} {self._expression('bool', scope)})"
            case _:
                return self._literal("bool")

    def _list(self, scope: Scope) -> str:
        loop = f"x{scope.loops}"
        match self._random.randrange(5):
            case 0:
                inner = scope.inside(Typed(loop, "string"))
                return f"[for {loop} in {self._expression('list(string)', scope)} : {self._expression('string', inner)}]"
            case 1:
                key = f"k{scope.loops}"
                inner = scope.inside(Typed(loop, "string"), Typed(key, "string"))
                return f"[for {key}, {loop} in {self._source(scope)} : {self._expression('string', inner)}]"
            case 2:
                objects = ", ".join(f"{{ name = {self._expression('string', scope)}, n = {i} }}" for i in range(2))
                return f"[{objects}][*].name"
            case 3:
                return f'split(",", {self._expression("string", scope)})'
            case _:
                elements = [self._expression("string", scope) for _ in range(self._random.randint(1, 3))]
                return f"[{', '.join(elements)}]"

    def _source(self, scope: Scope) -> str:
        """A map to loop over or to index."""
        if self._whole:
            return self._expression("map(string)", scope)
        plain = [value.text for value in scope.values if value.type == "map(string)" and "." not in value.text]
        return self._random.choice([*plain, self._literal("map(string)")])

    def _map(self, scope: Scope) -> str:
        loop, key = f"x{scope.loops}", f"k{scope.loops}"
        if self._compares and self._chance(30):
            inner = scope.inside(Typed(loop, "string"))
            result = self._expression("string", inner)
            return f'{{ for {key}, {loop} in ["p", {self._literal("string")}] : "${{{loop}}}-${{{key}}}" => {result} }}'
        match self._random.randrange(3):
            case 0:
                inner = scope.inside(Typed(loop, "string"), Typed(key, "string"))
                return f"{{ for {key}, {loop} in {self._source(scope)} : {key} => {self._expression('string', inner)} }}"
            case _:
                keys = self._random.sample(KEYS, self._random.randint(1, 3))
                members = [f'"{name}" = {self._expression("string", scope)}' for name in keys]
                return f"{{ {', '.join(members)} }}"


def _indented(lines: Sequence[str]) -> str:
    return "\n".join(f"  {line}" for text in lines for line in text.splitlines())


def program(number: int, *, whole: bool = False, compares: bool = False) -> str:
    """The program with this number; with `compares`, only equalities and computed keys."""
    maker = Maker(number, whole=whole, compares=compares)
    return maker.comparisons() if compares else maker.program()


def packed(numbers: Sequence[int], *, whole: bool = False, compares: bool = False) -> str:
    """The programs with these numbers, in one file."""
    return "\n".join(program(number, whole=whole, compares=compares) for number in numbers)
