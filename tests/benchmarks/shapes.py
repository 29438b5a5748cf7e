"""Programs, schemas and side files that grow: a long, wide or deep program per construct and per class of mistakes.

`SHAPES` is the table of all shapes. Each shape makes the files of a program of a given size, and has the size at which it
is measured first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

Json = dict[str, object]

TEXT: Final[Json] = {"type": "string"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Files:
    """A program on disk: its own files, those of the schema `big` if it has any, and the inputs of a run."""

    program: Mapping[str, str]
    schema: Json | None = None
    stack: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A program that grows: `make` builds it in any size, `size` is the first size measured.

    `deep`: it grows inwards.  Depth has a limit, and each level is indented, so that the text itself is quadratic.
    """

    name: str
    size: int
    make: Callable[[int], Files] = field(repr=False)
    deep: bool = False


def _program(text: str) -> Files:
    return Files(program={"main.pp": text})


def _output(value: str, name: str = "o") -> str:
    return f"output {name} {{\n  value = {value}\n}}\n"


def _rows(count: int, row: Callable[[int], str]) -> str:
    return "".join(row(index) for index in range(count))


def _written(row: Callable[[int], str], *, before: str = "", after: str = "") -> Callable[[int], Files]:
    """A program of n items."""
    return lambda n: _program(before + _rows(n, row) + after)


def _value(text: Callable[[int], str], *, before: str = "") -> Callable[[int], Files]:
    """One output with a value of size n."""
    return lambda n: _program(before + _output(text(n)))


def _nested(left: str, middle: str, right: str, *, before: str = "") -> Callable[[int], Files]:
    return _value(lambda n: left * n + middle + right * n, before=before)


def _joined(item: Callable[[int], str], *, left: str = "[", right: str = "]", before: str = "") -> Callable[[int], Files]:
    return _value(lambda n: left + ", ".join(item(index) for index in range(n)) + right, before=before)


_SERVER: Final = 'resource server%s "bench:index:Server" {\n  name = %s\n  size = 1\n%s}\n'
_ONE: Final = _SERVER % ("", '"x"', "")
_CONFIG: Final = "config x string {}\nconfig flag bool {}\nconfig items \"list(string)\" {}\nconfig table \"map(string)\" {}\n"


def _server(index: int | str, name: str = '"x"', more: str = "") -> str:
    return _SERVER % (index, name, more)


def _chain(row: str, first: str, *, before: str = "") -> Callable[[int], Files]:
    """Locals, each of which uses the previous local (`@`)."""

    def make(n: int) -> Files:
        rows = _rows(n, lambda index: f"a{index + 1} = {row.replace('@', f'a{index}')}\n")
        return _program(f"{before}a0 = {first}\n{rows}" + _output(f"a{n}"))

    return make


def _chosen_tags(n: int) -> Files:
    """Nested conditionals that choose a map of inputs."""
    rows = _rows(n, lambda index: f"a{index + 1} = flag ? a{index} : a{index}\n")
    tags = _server("s", more=f"  tags = a{n}\n")
    return _program(f"{_CONFIG}{_ONE}a0 = {{ o = server.image }}\n{rows}{tags}")


def _components(uses: int, *, text: str = "") -> Callable[[int], Files]:
    """Components, each of which uses the next component `uses` times."""

    def make(n: int) -> Files:
        program = {"main.pp": 'component c "./c0" {\n  x = "a"\n}\n' + _output("c.y")}
        for index in range(n):
            inner = "".join(f'component u{use} "../c{index + 1}" {{\n  x = x\n}}\n' for use in range(uses))
            program[f"c{index}/main.pp"] = f"config x string {{}}\n{inner}{text}" + _output("u0.y", "y")
        program[f"c{n}/main.pp"] = "config x string {}\n" + _output("x", "y")
        return Files(program=program)

    return make


def _wide_component(n: int) -> Files:
    inputs = _rows(n, lambda index: f"config x{index} string {{}}\n" + _output(f"x{index}", f"y{index}"))
    arguments = _rows(n, lambda index: f'  x{index} = "a"\n')
    read = _rows(n, lambda index: _output(f"c.y{index}", f"o{index}"))
    return Files(program={"main.pp": f'component c "./c" {{\n{arguments}}}\n{read}', "c/main.pp": inputs})


def _many_components(n: int) -> Files:
    program = {f"c{index}/main.pp": "config x string {}\n" + _output("x", "y") for index in range(n)}
    program["main.pp"] = _rows(n, lambda index: f'component c{index} "./c{index}" {{\n  x = "a"\n}}\n')
    return Files(program=program)


def _used_often(n: int) -> Files:
    uses = _rows(n, lambda index: f'component u{index} "./c" {{\n  x = "a"\n}}\n')
    return Files(program={"main.pp": uses, "c/main.pp": "config x string {}\n" + _ONE + _output("server.address", "y")})


def _schema(n: int, *, types: Json | None = None, properties: Json | None = None, more: Json | None = None) -> Json:
    resource: Json = {"inputProperties": properties or {"a": TEXT}, "properties": properties or {"a": TEXT}}
    return {
        "name": "big",
        "version": "1.0.0",
        "types": types or {},
        "resources": {"big:index:Thing": {**resource, **(more or {})}},
        "language": {"nodejs": {"packageName": "@pulumi/big"}, "go": {"importBasePath": "example.com/big/sdk/go/big"}},
    }


_THING: Final = 'resource thing "big:index:Thing" {\n%s}\n'


def _object(properties: Json) -> Json:
    return {"type": "object", "properties": properties}


def _many_members(n: int) -> Files:
    schema = _schema(n, properties={f"member{index}": TEXT for index in range(n)})
    return Files(program={"main.pp": _THING % _rows(n, lambda index: f'  member{index} = "x"\n')}, schema=schema)


def _many_resources(n: int) -> Files:
    schema = _schema(n)
    spec = {"inputProperties": {"a": TEXT}, "properties": {"a": TEXT}}
    schema["resources"] = {f"big:index:Thing{index}": spec for index in range(n)}
    text = _rows(n, lambda index: f'resource t{index} "big:index:Thing{index}" {{\n  a = "x"\n}}\n')
    return Files(program={"main.pp": text}, schema=schema)


def _enum(n: int) -> Files:
    members = [{"name": f"Member{index}", "value": f"value-{index}"} for index in range(n)]
    types: Json = {"big:index:Kind": {"type": "string", "enum": members}}
    schema = _schema(n, types=types, properties={"kinds": {"type": "array", "items": {"$ref": "#/types/big:index:Kind"}}})
    listed = ", ".join(f'"value-{index}"' for index in range(n))
    return Files(program={"main.pp": _THING % f"  kinds = [{listed}]\n"}, schema=schema)


def _one_of(tagged: bool) -> Callable[[int], Files]:
    def make(n: int) -> Files:
        types: Json = {}
        for index in range(n):
            tag: Json = {"kind": {"type": "string", "const": f"k{index}"}} if tagged else {}
            types[f"big:index:Part{index}"] = {**_object({f"p{index}": TEXT, **tag}), "required": list(tag)}
        union: Json = {"oneOf": [{"$ref": f"#/types/big:index:Part{index}"} for index in range(n)]}
        if tagged:
            mapping = {f"k{index}": f"#/types/big:index:Part{index}" for index in range(n)}
            union["discriminator"] = {"propertyName": "kind", "mapping": mapping}
        schema = _schema(n, types=types, properties={"parts": {"type": "array", "items": union}})
        kind = 'kind = "k%d", ' if tagged else ""
        parts = "".join("    { " + (kind % index if kind else "") + f'p{index} = "x" }},\n' for index in range(min(n, 20)))
        return Files(program={"main.pp": _THING % f"  parts = [\n{parts}  ]\n" + _output("thing.parts")}, schema=schema)

    return make


def _one_of_plain(n: int) -> Files:
    union: Json = {"oneOf": [{"type": "array", "items": TEXT}] * n + [TEXT]}
    schema = _schema(n, properties={"a": union})
    return Files(program={"main.pp": _THING % '  a = "x"\n'}, schema=schema)


def _aliases(n: int) -> Files:
    schema = _schema(n, more={"aliases": [{"type": f"big:index:Old{index}"} for index in range(n)]})
    return Files(program={"main.pp": _THING % '  a = "x"\n'}, schema=schema)


def _deep_types(n: int) -> Files:
    types: Json = {f"big:index:T{index}": _object({"t": {"$ref": f"#/types/big:index:T{index + 1}"}}) for index in range(n)}
    types[f"big:index:T{n}"] = _object({"t": TEXT})
    schema = _schema(n, types=types, properties={"t": {"$ref": "#/types/big:index:T0"}})
    deep = min(n, 80)
    return Files(program={"main.pp": _THING % f"  t = {'{ t = ' * deep}{{}}{' }' * deep}\n"}, schema=schema)


def _nested_schema(n: int) -> Files:
    kind: Json = TEXT
    for _ in range(min(n, 180)):
        kind = {"type": "array", "items": kind}
    return Files(program={"main.pp": _THING % "  a = []\n"}, schema=_schema(n, properties={"a": kind}))


def _documented(n: int) -> Files:
    schema = _schema(n, properties={f"m{index}": {**TEXT, "description": "word " * 50} for index in range(n)})
    return Files(program={"main.pp": _THING % '  m0 = "x"\n'}, schema=schema)


def _package_name(n: int) -> Files:
    schema = _schema(n)
    schema["keywords"] = ["word"] * n
    schema["description"] = "x" * n
    return Files(program={"main.pp": _THING % '  a = "x"\n'}, schema=schema)


def _settings(row: Callable[[int], str]) -> Callable[[int], Files]:
    return lambda n: Files(program={"main.pp": _ONE, "Pulumi.yaml": "name: web\nruntime: pcl\n" + _rows(n, row)})


def _stack(row: Callable[[int], str]) -> Callable[[int], Files]:
    return lambda n: Files(program={"main.pp": _CONFIG + _output("x")}, stack=f"config:\n{_rows(n, row)}")


def _several_files(n: int) -> Files:
    return Files(program={f"f{index}.pp": f"a{index} = {f'a{index - 1}' if index else 1}\n" for index in range(n)})


def _ranged(kind: str) -> Callable[[int], str]:
    return lambda index: _server(index, '"x"', f"  options {{\n    range = {kind}\n  }}\n")


_FAN: Final = _written(lambda index: _server(index, f'"${{server0.address}}-{index}"' if index else '"x"'))

SHAPES: Final[Sequence[Shape]] = [
    # --- long: many items ----------------------------------------------------------------------------------------------
    Shape(name="locals", size=400, make=_written(lambda index: f'a{index} = "x"\n')),
    Shape(name="locals in a chain", size=200, make=_chain("@", "1")),
    Shape(name="locals in a chain of outputs", size=200, make=_chain('"${@}"', "server.address", before=_ONE)),
    Shape(name="locals that read an input twice", size=200, make=_chain('"${x}${x}"', "x", before=_CONFIG)),
    Shape(name="configuration variables", size=200, make=_written(lambda index: f"config c{index} string {{}}\n")),
    Shape(name="configuration with objects", size=100, make=_written(lambda index: f"config c{index} \"object({{ a = string, b = list(int) }})\" {{}}\n")),
    Shape(name="outputs", size=200, make=_written(lambda index: _output("server.address", f"o{index}"), before=_ONE)),
    Shape(name="resources", size=100, make=_written(_server)),
    Shape(name="resources in a chain", size=100, make=_written(lambda index: _server(index, f"server{index - 1}.address" if index else '"x"'))),
    Shape(name="resources that use the first", size=100, make=_FAN),
    Shape(name="resources that depend on all before", size=20, make=_written(lambda index: _server(index, '"x"', "  options {\n    dependsOn = [" + ", ".join(f"server{number}" for number in range(max(0, index - 3), index)) + "]\n  }\n"))),
    Shape(name="one resource that depends on many", size=60, make=lambda n: _program(_rows(n, _server) + _server("last", '"x"', "  options {\n    dependsOn = [" + ", ".join(f"server{number}" for number in range(n)) + "]\n  }\n"))),
    Shape(name="resources with a parent each", size=100, make=_written(lambda index: _server(index, '"x"', f"  options {{\n    parent = server{index - 1}\n  }}\n" if index else ""))),
    Shape(name="resources with aliases", size=60, make=_written(lambda index: _server(index, '"x"', '  options {\n    aliases = [{ name = "a" }, { name = "b" }]\n  }\n'))),
    Shape(name="resources with a range of a number", size=60, make=_written(_ranged("3"))),
    Shape(name="resources with a range of a list", size=60, make=_written(_ranged("items"), before=_CONFIG)),
    Shape(name="resources with a range of an output", size=40, make=_written(_ranged("server.rules"), before=_ONE)),
    Shape(name="hooks", size=60, make=_written(lambda index: f'hook resource h{index} {{\n  command = ["a"]\n}}\n')),
    Shape(name="functions", size=60, make=_written(lambda index: f'a{index} = toBase64(x)\n', before=_CONFIG)),
    Shape(name="program files", size=60, make=_several_files),
    # --- wide: one item with many parts ----------------------------------------------------------------------------------
    Shape(name="a list of texts", size=400, make=_joined(lambda index: f'"v{index}"')),
    Shape(name="a list of numbers", size=400, make=_joined(str)),
    Shape(name="a list of unlike objects", size=100, make=_joined(lambda index: f"{{ m{index} = {index} }}")),
    Shape(name="a list of unlike outputs", size=50, make=_joined(lambda index: f"{{ m{index} = server.address }}", before=_ONE)),
    Shape(name="a list of unlike lists", size=60, make=_joined(lambda index: "[" + "1, " * (index % 7) + '"x"]')),
    Shape(name="an object", size=400, make=_joined(lambda index: f"m{index} = {index}", left="{ ", right=" }")),
    Shape(name="an object of outputs", size=200, make=_joined(lambda index: f"m{index} = server.address", left="{ ", right=" }", before=_ONE)),
    Shape(name="an object as text", size=200, make=_joined(lambda index: f"m{index} = server.address", left="toJSON({ ", right=" })", before=_ONE)),
    Shape(name="rules of a resource", size=200, make=lambda n: _program(_server("", '"x"', "  rules = [\n" + "    { port = 1 },\n" * n + "  ]\n"))),
    Shape(name="tags of a resource", size=400, make=lambda n: _program(_server("", '"x"', "  tags = {\n" + _rows(n, lambda index: f'    t{index} = "x"\n') + "  }\n"))),
    Shape(name="a template of literals", size=400, make=_value(lambda n: '"' + "text ${1}" * n + '"')),
    Shape(name="a template of names", size=400, make=_value(lambda n: '"' + "text ${x}" * n + '"', before=_CONFIG)),
    Shape(name="a template of outputs", size=100, make=lambda n: _program(_rows(n, _server) + _output('"' + "".join(f"${{server{index}.address}}" for index in range(n)) + '"'))),
    Shape(name="a row of additions", size=100, make=_value(lambda n: " + ".join(["c"] * n), before="config c number {}\n")),
    Shape(name="a row of ands", size=100, make=_value(lambda n: " && ".join(["flag"] * n), before=_CONFIG)),
    Shape(name="a row of ands of outputs", size=100, make=_value(lambda n: " && ".join(["server.enabled"] * n), before=_ONE)),
    Shape(name="a row of comparisons", size=20, make=_value(lambda n: " == ".join(["flag"] * n), before=_CONFIG)),
    Shape(name="a row of not", size=20, make=_value(lambda n: "!" * n + "flag", before=_CONFIG)),
    Shape(name="a row of steps", size=20, make=_chain("@.a", "{" + " a = {" * 90 + " a = 1 " + "}" * 91)),
    Shape(name="a row of indexes", size=20, make=_value(lambda n: "x" + "[0]" * n, before="config x any {}\n"), deep=True),
    Shape(name="join of many texts", size=100, make=_joined(lambda index: "x", left='join(",", [', right="])", before=_CONFIG)),
    Shape(name="try of many values", size=40, make=_joined(lambda index: "server.address", left="try(", right=")", before=_ONE)),
    Shape(name="a splat over many", size=200, make=_value(lambda n: "[" + ", ".join(["{ a = 1 }"] * n) + "][*].a")),
    # --- deep ------------------------------------------------------------------------------------------------------------
    Shape(name="lists in lists", size=23, make=_nested("[", "1", "]"), deep=True),
    Shape(name="objects in objects", size=23, make=_nested("{ a = ", "1", " }"), deep=True),
    Shape(name="objects in objects of an output", size=23, make=_nested("{ a = ", "server.address", " }", before=_ONE), deep=True),
    Shape(name="brackets", size=23, make=_nested("(", "1", ")"), deep=True),
    Shape(name="conditionals", size=12, make=_nested("flag ? (", "1", ") : 2", before=_CONFIG), deep=True),
    Shape(name="conditionals in a condition", size=23, make=_nested("(", "flag", " ? flag : flag)", before=_CONFIG), deep=True),
    Shape(name="conditionals of outputs", size=12, make=_nested("server.enabled ? (", '"a"', ') : "b"', before=_ONE), deep=True),
    Shape(name="conditionals of unlike values", size=8, make=_nested("flag ? { a = (", "1", ") } : { b = 2 }", before=_CONFIG), deep=True),
    Shape(name="conditionals over locals", size=30, make=_chain("flag ? { p = @ } : { q = @ }", '"x"', before=_CONFIG), deep=True),
    Shape(name="conditionals over locals of unlike values", size=24, make=_chain("flag ? [@] : { q = @ }", '"x"', before=_CONFIG), deep=True),
    Shape(name="conditionals that choose a map of inputs", size=24, make=_chosen_tags),
    Shape(name="loops in loops", size=12, make=_nested("[for i in items : ", "x", "]", before=_CONFIG), deep=True),
    Shape(name="loops over loops", size=11, make=_nested("[for i in ", "items", " : i]", before=_CONFIG), deep=True),
    Shape(name="loops over outputs in loops", size=8, make=_nested("[for i in server.rules : ", "i.port", "]", before=_ONE), deep=True),
    Shape(name="try in try", size=11, make=_nested("try(", "server.address", ', "1")', before=_ONE), deep=True),
    Shape(name="try in the second of try", size=11, make=_nested("try(x, ", "x", ")", before=_CONFIG), deep=True),
    Shape(name="can in can", size=11, make=_nested("can(", "x", ")", before=_CONFIG), deep=True),
    Shape(name="calls in calls", size=11, make=_nested("toBase64(", "server.address", ")", before=_ONE), deep=True),
    Shape(name="toJSON in toJSON", size=11, make=_nested("toJSON([", "server.address", "])", before=_ONE), deep=True),
    Shape(name="toJSON twice in toJSON", size=10, make=_chain("toJSON([@, @])", "server.address", before=_ONE), deep=True),
    Shape(name="secrets in secrets", size=11, make=_nested("secret(", "x", ")", before=_CONFIG), deep=True),
    Shape(name="templates in templates", size=11, make=_nested('"a${', "x", '}"', before=_CONFIG), deep=True),
    Shape(name="brackets of operators", size=11, make=_nested("(1 + ", "c", ")", before="config c number {}\n"), deep=True),
    Shape(name="types in types", size=23, make=lambda n: _program(f"config c \"{'list(' * n}string{')' * n}\" {{}}\n" + _output("c")), deep=True),
    Shape(name="objects of optional types", size=11, make=lambda n: _program(f"config c \"{'object({ a = optional(' * n}string{') })' * n}\" {{}}\n" + _output("c")), deep=True),
    # --- doubling ----------------------------------------------------------------------------------------------------------
    Shape(name="locals that double a list", size=10, make=_chain("[@, @]", '"x"')),
    Shape(name="locals that double an output", size=10, make=_chain("[@, @]", "server.address", before=_ONE)),
    Shape(name="locals that double a text", size=10, make=_chain('"${@}${@}"', '"x"')),
    Shape(name="locals that double a text of an output", size=10, make=_chain('"${@}${@}"', "server.address", before=_ONE)),
    Shape(name="locals that double a conditional", size=10, make=_chain("flag ? [@] : [@, @]", "[]", before=_CONFIG), deep=True),
    Shape(name="locals that double an object", size=10, make=_chain("{ x = @, y = @ }", '"x"')),
    Shape(name="locals that double an object of outputs", size=10, make=_chain("{ x = @, y = @ }", "server.address", before=_ONE)),
    Shape(name="locals that double an object of objects", size=10, make=_chain("{ x = @, y = @ }", "secret(server.rules)", before=_ONE)),
    Shape(name="locals that double an optional object", size=10, make=_chain("try({ x = @, y = @ }, null)", "x", before=_CONFIG), deep=True),
    Shape(name="attempts in attempts at outputs", size=10, make=_nested("can(", "server[1].address", ")", before=_SERVER % ("", '"x"', "  options {\n    range = 3\n  }\n")), deep=True),
    Shape(name="locals that double a sum", size=10, make=_chain("@ + @", "c", before="config c number {}\n")),
    Shape(name="locals that double in loops", size=10, make=_chain("[for i in items : @]", "items", before=_CONFIG)),
    Shape(name="components in a chain", size=10, make=_components(1)),
    Shape(name="components that use the next twice", size=10, make=_components(2)),
    Shape(name="components that use the next twice, with a resource", size=10, make=_components(2, text=_ONE)),
    Shape(name="components side by side", size=10, make=_many_components),
    Shape(name="a component used often", size=20, make=_used_often),
    Shape(name="a component with many inputs", size=60, make=_wide_component),
    # --- text --------------------------------------------------------------------------------------------------------------
    Shape(name="a long text", size=50_000, make=_value(lambda n: '"' + "word " * (n // 5) + '"')),
    Shape(name="a text of escapes", size=20_000, make=_value(lambda n: '"' + "\\n" * (n // 2) + '"')),
    Shape(name="a text of wide characters", size=10_000, make=_value(lambda n: '"' + "\u4e2d" * n + '"')),
    Shape(name="a text of combining marks", size=10_000, make=_value(lambda n: '"e' + "\u0301" * n + '"')),
    Shape(name="a document", size=2_000, make=_value(lambda n: "<<EOT\n" + "some words\n" * n + "EOT\n")),
    Shape(name="a long name", size=10_000, make=lambda n: _program(f"{'a' * n} = 1\n" + _output("a" * n))),
    Shape(name="a long number", size=100, make=_value(lambda n: "1" * n)),
    Shape(name="comments", size=1_000, make=_written(lambda index: f"// word {index}\n", after="a = 1\n")),
    Shape(name="a comment of one line", size=100_000, make=lambda n: _program(f"# {'word ' * (n // 5)}\na = 1\n")),
    Shape(name="a comment of many lines", size=20_000, make=lambda n: _program("/*\n" + "word\n" * (n // 5) + "*/\na = 1\n")),
    Shape(name="blanks", size=100_000, make=lambda n: _program("a = 1" + " " * n + "\n" + "\n" * n)),
    Shape(name="the longest line", size=2_000, make=_joined(lambda index: f"{{ a = {index} }}")),
    # --- mistakes ----------------------------------------------------------------------------------------------------------
    Shape(name="unknown names", size=150, make=_written(lambda index: f"local{index} = valu{index}\n")),
    Shape(name="unknown names on one line", size=150, make=_joined(lambda index: f"unknown{index}")),
    Shape(name="unknown properties", size=150, make=lambda n: _program(_server("", '"x"', _rows(n, lambda index: f"  nam{index} = 1\n")))),
    Shape(name="unknown tokens", size=60, make=_written(lambda index: f'resource r{index} "bench:index:Serve{index}" {{\n}}\n')),
    Shape(name="unknown packages", size=60, make=_written(lambda index: f'resource r{index} "pack{index}:index:Serve" {{\n}}\n')),
    Shape(name="unknown functions", size=100, make=_written(lambda index: f"a{index} = lengt{index}(1)\n")),
    Shape(name="unlike types", size=100, make=_written(lambda index: _server(index, '"x"', '  enabled = "maybe"\n'))),
    Shape(name="names twice", size=150, make=_written(lambda index: "a = 1\n")),
    Shape(name="cycles", size=60, make=_written(lambda index: f"a{index} = b{index}\nb{index} = a{index}\n")),
    Shape(name="one large cycle", size=60, make=lambda n: _program(_rows(n, lambda index: f"a{index} = a{(index + 1) % n}\n"))),
    Shape(name="items of no grammar", size=100, make=_written(lambda index: f"resource a{index} = \n")),
    Shape(name="strange characters on one line", size=1_000, make=lambda n: _program("a = 1 " + "@" * n + "\n")),
    Shape(name="strange characters on lines", size=500, make=_written(lambda index: "@\n")),
    Shape(name="one mistake in a long line", size=100_000, make=_value(lambda n: 'unknown + "' + "x" * n + '"')),
    Shape(name="one mistake after marks", size=50_000, make=_value(lambda n: '"e' + "\u0301" * n + '" + unknown')),
    Shape(name="open brackets", size=500, make=lambda n: _program("a = " + "[" * n + "\n")),
    Shape(name="closed brackets", size=500, make=lambda n: _program("a = " + "]" * n + "\n")),
    Shape(name="open texts", size=200, make=_written(lambda index: f'a{index} = "x\n')),
    Shape(name="open comment", size=20_000, make=lambda n: _program("a = 1\n/*" + "x\n" * n)),
    Shape(name="words", size=1_000, make=lambda n: _program("word " * n + "\n")),
    Shape(name="unused names", size=200, make=_written(lambda index: f"unused{index} = missing\n")),
    # --- schemas and files beside the program ----------------------------------------------------------------------------------
    Shape(name="schema: many members", size=300, make=_many_members),
    Shape(name="schema: many resources", size=60, make=_many_resources),
    Shape(name="schema: enum values", size=200, make=_enum),
    Shape(name="schema: oneOf of objects", size=200, make=_one_of(False)),
    Shape(name="schema: oneOf with tags", size=200, make=_one_of(True)),
    Shape(name="schema: oneOf of one type", size=500, make=_one_of_plain),
    Shape(name="schema: aliases", size=500, make=_aliases),
    Shape(name="schema: types in types", size=100, make=_deep_types),
    Shape(name="schema: nested lists", size=40, make=_nested_schema),
    Shape(name="schema: descriptions", size=300, make=_documented),
    Shape(name="schema: long header", size=5_000, make=_package_name),
    Shape(name="Pulumi.yaml: long description", size=10_000, make=lambda n: Files(program={"main.pp": _ONE, "Pulumi.yaml": f"name: web\nruntime: pcl\ndescription: {'word ' * (n // 5)}\n"})),
    Shape(name="Pulumi.yaml: many keys", size=300, make=_settings(lambda index: f"key{index}: value\n")),
    Shape(name="stack file: many keys", size=300, make=_stack(lambda index: f"  web:key{index}: value\n")),
    Shape(name="stack file: long values", size=20, make=_stack(lambda index: f"  web:key{index}: {'word ' * 100}\n")),
]
