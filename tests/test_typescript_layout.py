"""prettier leaves printed TypeScript unchanged: random trees, formatted again by prettier itself."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from pclgen.core.expr import NO_COMMENTS, Comments
from pclgen.emit.forms import forms
from pclgen.targets.typescript import build
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.printing.statements import print_statement
from pclgen.targets.typescript.target import FORMS
from tests.support import toolchains

SCRIPT = """
import fs from "node:fs";
const [, , prettierPath, input, output] = process.argv;
const prettier = await import(prettierPath);
const texts = JSON.parse(fs.readFileSync(input, "utf8"));
const found = [];
for (const text of texts) {
    try {
        found.push(await prettier.format(text, { parser: "typescript", tabWidth: 4 }));
    } catch (error) {
        found.push(String(error.message));
    }
}
fs.writeFileSync(output, JSON.stringify(found));
"""

NAMES = [
    "a",
    "web",
    "pulumi",
    "args",
    "listOfNames",
    "privateKeyPem",
    "nodeSize",
    "this",
    "random",
    "Object",
    "isProduction",
]
WORDS = [
    "x",
    "hello world",
    "s-1vcpu-1gb",
    "it's",
    'say "hi"',
    "",
    "https://www.example.com/some/long/path",
    "日本語🌍",
    "tab\t",
]
KEYS = [
    "name",
    "region",
    "image",
    "k",
    "dash-key",
    "a.b",
    "class",
    "description",
    "monitoring",
    "privateNetworking",
    "123",
    "ünï",
]
OWN = [*NAMES[:7], "v", "key", "value", "index", "x", "longVariableName", "i", "f"]
VARIABLES = {name: ts.Variable((name,)) for name in OWN}
SPELLINGS = {variable: name for name, variable in VARIABLES.items()}
LINES = "one\ntwo `x` ${y} \\n\n"


def formatted(texts: list[str], folder: Path) -> list[str]:
    """The output of prettier for each text."""
    node = toolchains.node()
    (folder / "format.mjs").write_text(SCRIPT, encoding="utf-8")
    (folder / "in.json").write_text(json.dumps(texts), encoding="utf-8")
    prettier = node.modules / "prettier" / "index.mjs"
    toolchains.run([node.node, "format.mjs", prettier, "in.json", "out.json"], cwd=folder)
    results: list[str] = json.loads((folder / "out.json").read_text(encoding="utf-8"))
    return results


@dataclass
class Maker:
    """Random trees of the kinds that programs contain."""

    random: Random

    def name(self) -> ts.TsExpr:
        name = self.random.choice(NAMES)
        return ts.Name(VARIABLES[name]) if name in VARIABLES else ts.Global(name)

    def text(self) -> ts.TsExpr:
        return ts.Text(self.random.choice(WORDS))

    def type(self, depth: int = 2) -> ts.TsType:
        kind = self.random.randrange(7) if depth > 0 else 0
        if kind < 3:
            return ts.TypeName(self.random.choice(["string", "number", "boolean", "any", "pulumi.Output"]))
        if kind == 3:
            return ts.TypeArray(self.type(depth - 1))
        if kind == 4:
            return ts.TypeName("Record", (ts.TypeName("string"), self.type(depth - 1)))
        if kind == 5:
            keys = self.random.sample(KEYS, self.random.randint(1, 3))
            return ts.TypeObject(tuple(ts.TypeMember(k, self.type(depth - 1), self.random.random() < 0.3) for k in keys))
        return ts.TypeName("pulumi.Input", (self.type(depth - 1),))

    def comments(self) -> Comments:
        rare = self.random.random
        leading = (" before", "", " it") if rare() < 0.02 else ()
        return Comments(leading=leading, trailing=(" behind",) if rare() < 0.02 else ())

    def object(self, depth: int, *, noted: bool = True) -> ts.TsExpr:
        keys = self.random.sample(KEYS, self.random.randint(0, 4))
        properties = tuple(
            ts.Property(
                k if self.random.random() < 0.95 else self.name(),
                self.expression(depth - 1),
                self.comments() if noted else NO_COMMENTS,
            )
            for k in keys
        )
        closing = (" end",) if noted and self.random.random() < 0.03 else ()
        return ts.Object(properties, self.random.random() < 0.2, closing)

    def array(self, depth: int) -> ts.TsExpr:
        if self.random.random() < 0.15:
            numbers = (ts.Number(str(self.random.randint(0, 99999))) for _ in range(self.random.randint(1, 20)))
            return ts.Array(tuple(numbers))
        count = self.random.randint(0, 4)
        spread = self.random.random() < 0.2
        elements = tuple(self.expression(depth - 1) for _ in range(count))
        return ts.Array(tuple(ts.Spread(e) if spread and not isinstance(e, ts.Arrow) else e for e in elements))

    def arrow(self, depth: int, *, block: bool = False) -> ts.TsExpr:
        count = self.random.randint(0, 3)
        parameters: tuple[ts.Parameter, ...] = tuple(
            ts.Parameter((VARIABLES[name],)) for name in self.random.sample(["v", "key", "value", "index"], count)
        )
        if count and self.random.random() < 0.3:
            mark = self.random.choice("[{")
            parameters = (ts.Parameter(tuple(VARIABLES[name] for name in self.random.sample(NAMES[:7], count)), mark),)
        if block:
            return ts.Arrow(parameters, tuple(self.statement(depth - 1) for _ in range(self.random.randint(1, 2))))
        body = self.expression(depth - 1)
        while isinstance(body, ts.Arrow):
            body = self.expression(depth - 1)
        return ts.Arrow(parameters, body)

    def receiver(self, depth: int) -> ts.TsExpr:
        kind = self.random.randrange(8) if depth > 0 else 0
        if kind < 3:
            if depth > 0 and self.random.random() < 0.1:
                condition = ts.Binary("===", self.name(), self.text())
                choice = ts.Conditional(condition, self.expression(depth - 1), self.expression(depth - 1))
                return ts.NonNull(choice) if self.random.random() < 0.1 else choice
            return self.name()
        if kind < 5:
            name = self.random.choice(["id", "name", "results", "ipv4Address", "urn", "dash-x"])
            return ts.Member(self.receiver(depth - 1), name, self.random.random() < 0.1)
        if kind == 5:
            key = ts.Number("3") if self.random.random() < 0.5 else self.expression(0)
            return ts.Element(self.receiver(depth - 1), key)
        if kind == 6:
            return self.call(depth - 1)
        name = self.random.choice(["apply", "map", "all", "sort", "filter"])
        return ts.Call(ts.Member(self.receiver(depth - 1), name), self.arguments(depth))

    def arguments(self, depth: int) -> tuple[ts.TsExpr, ...]:
        kind = self.random.random()
        if kind < 0.25:
            return (self.arrow(depth),)
        if kind < 0.3:
            hook = (self.text(), self.arrow(depth, block=True))
            return hook if self.random.random() < 0.5 else (*hook, self.object(depth))
        if kind < 0.4:
            return ()
        if kind < 0.6:
            return (self.text(), self.object(depth))
        if kind < 0.7:
            return (self.text(), self.object(depth), self.object(depth))
        if kind < 0.8:
            return (self.array(depth),)
        return tuple(self.expression(depth - 1) for _ in range(self.random.randint(1, 3)))

    def call(self, depth: int) -> ts.TsExpr:
        kind = self.random.randrange(3)
        if kind == 0:
            types = (self.type(1),) if self.random.random() < 0.1 else ()
            return ts.Call(self.name(), self.arguments(depth), types)
        if kind == 1:
            return ts.New(ts.Member(self.name(), "RandomPet"), self.arguments(depth))
        name = self.random.choice(["apply", "map", "join", "get"])
        return ts.Call(ts.Member(self.receiver(depth), name), self.arguments(depth))

    def template(self) -> ts.TsExpr:
        count = self.random.randint(0, 3)
        samples = ["", "-", "https://", "/path/to", "a\\b`$", "$", "{x} ${y}", "\nline two\n"]
        texts = tuple(self.random.choice(samples) for _ in range(count + 1))
        values = tuple(self.receiver(1) if self.random.random() < 0.8 else self.object(0, noted=False) for _ in range(count))
        tag = ts.Member(ts.Global("pulumi"), "interpolate") if self.random.random() < 0.5 else None
        return ts.Template(texts, values, tag, self.random.random() < 0.3)

    def binary(self, depth: int) -> ts.TsExpr:
        groups = [["+", "-", "*", "/", "%"], ["&&", "||"], ["===", "!=="], ["<", ">="], ["??"]]
        right = self.expression(depth - 1)
        while isinstance(right, ts.Binary):
            right = self.expression(depth - 1)
        return ts.Binary(self.random.choice(self.random.choice(groups)), self.expression(depth - 1), right)

    def expression(self, depth: int) -> ts.TsExpr:
        if depth <= 0:
            constant = ts.Constant(self.random.choice(["true", "false", "null"]))
            return self.random.choice([self.name(), self.text(), ts.Number("42"), constant, ts.Member(self.name(), "id")])
        kind = self.random.choices(range(14), [2, 3, 4, 3, 8, 6, 3, 3, 3, 2, 1, 0.5, 0.5, 0.3])[0]
        makers = (
            self.name,
            self.text,
            lambda: self.object(depth),
            lambda: self.array(depth),
            lambda: self.call(depth),
            lambda: self.receiver(depth),
            self.template,
            lambda: self.binary(depth),
            lambda: ts.Conditional(self.expression(depth - 1), self.expression(depth - 1), self.expression(depth - 1)),
            lambda: self.arrow(depth),
            lambda: ts.Unary(self.random.choice("!-"), self.operand(depth - 1)),
            lambda: ts.As(self.expression(depth - 1), self.type(1)),
            lambda: ts.NonNull(self.receiver(depth - 1)),
            lambda: ts.Text(LINES, True),
        )
        return makers[kind]()

    def operand(self, depth: int) -> ts.TsExpr:
        """The operand of a sign: programs have no literal objects there."""
        while isinstance(operand := self.expression(depth), ts.Object):
            pass
        return operand

    def statement(self, depth: int) -> ts.Statement:
        kind = self.random.random()
        if kind < 0.6:
            type_ = self.type() if self.random.random() < 0.15 else None
            variable = VARIABLES[self.random.choice(["x", "longVariableName", "web"])]
            return ts.Declare((variable,), self.expression(depth), type_)
        if kind < 0.7:
            return ts.Do(self.call(depth))
        if kind < 0.78:
            return ts.Assign(ts.Member(ts.Global("this"), "address"), self.expression(depth))
        body = (self.statement(max(depth - 1, 0)),)
        if kind < 0.9:
            return ts.Each((VARIABLES["key"], VARIABLES["value"]), self.expression(depth - 1), body)
        if kind < 0.95:
            return ts.Count(VARIABLES["i"], self.expression(depth - 1), body)
        comments = Comments(leading=(" above", "", " it"), trailing=(" behind",))
        return ts.Commented(build.declare(VARIABLES["x"], self.expression(depth)), comments)


OURS = forms("typescript", FORMS, None)


@pytest.mark.parametrize("seed", range(6))
def test_prettier_changes_nothing(seed: int, tmp_path: Path) -> None:
    maker = Maker(Random(seed))
    texts = [print_statement(maker.statement(1 + at % 4), OURS, SPELLINGS) + "\n" for at in range(400)]
    results = formatted(texts, tmp_path)
    changed = [(ours, theirs) for ours, theirs in zip(texts, results, strict=True) if ours != theirs]
    assert changed == []


def test_statements_know_how_deep_they_stand() -> None:
    """Text at a level is the text at level zero, indented, while it is narrow enough."""
    call = ts.Call(ts.Name(VARIABLES["f"]), (ts.Text("a" * 30), ts.Text("b" * 30)))
    statement = build.declare(VARIABLES["x"], call)
    assert "\n" not in print_statement(statement, OURS, SPELLINGS)
    assert print_statement(statement, OURS, SPELLINGS, level=2) == (
        'const x = f(\n            "' + "a" * 30 + '",\n            "' + "b" * 30 + '",\n        );'
    )
