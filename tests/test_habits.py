"""Habits from Terraform and other languages: each mistake gets one error that shows the correct PCL."""

from __future__ import annotations

import pytest

from pclgen.diagnostics import habits
from pclgen.diagnostics.model import Severity
from tests.support.binding import bind_text, codes_and_positions

RESOURCE = 'resource r "probe:index:Thing" {{\n  {}\n}}\n'

CASES = [
    # blocks of Terraform
    ('variable "region" {\n  type = string\n}\n', "PCL0203", "1:1", "config region string { default = … }"),
    ("locals {\n  a = 1\n}\n", "PCL0203", "1:1", "`name = value` at the top of the file"),
    ('module "vpc" {\n  source = "./vpc"\n}\n', "PCL0203", "1:1", 'component vpc "./folder" { … }'),
    ('data "aws_ami" "ubuntu" {}\n', "PCL0203", "1:1", 'ubuntu = invoke("package:module:getThing", { … })'),
    ('provider "aws" {}\n', "PCL0203", "1:1", 'resource aws "pulumi:providers:aws" { … }'),
    ("terraform {}\n", "PCL0203", "1:1", "package blocks"),
    ("moved {}\n", "PCL0203", "1:1", 'aliases = [{ name = "old" }]'),
    ("import {}\n", "PCL0203", "1:1", 'options { import = "its id" }'),
    ("if true {\n}\n", "PCL0203", "1:1", "range = condition ? 1 : 0"),
    ("for x in [1] {\n}\n", "PCL0124", "1:10", "options { range = … }"),
    ("function double {}\n", "PCL0203", "1:1", 'component name "./folder" { … }'),
    (
        'resource "aws_db_instance" "web" {\n  x = 1\n}\n',
        "PCL0301",
        "1:28",
        'resource web "aws:module:DbInstance" { … }; `pclgen schema show aws` lists the types',
    ),
    ('resource r "aws_s3_bucket" {}\n', "PCL0301", "1:12", '"aws:module:S3Bucket"'),
    ('resource "probe:index:Thing" r {}\na = r.out\n', "PCL0301", "1:30", 'resource r "probe:index:Thing" { … }'),
    ('resource "probe_thing" "web" {}\n', "PCL0301", "1:24", 'resource web "probe:Thing" { … }'),
    ('resource r "probe_thing" {}\n', "PCL0301", "1:12", 'resource r "probe:Thing" { … }'),
    ('resource r "probe.Thing" {}\n', "PCL0301", "1:12", 'write "probe:Thing"'),
    ('resource r "prob.Thing" {}\n', "PCL0301", "1:12", "write `package:module:Member`"),
    ("output name = x\n", "PCL0126", "1:13", "output name { value = … }"),
    ("config name = 1\n", "PCL0126", "1:13", "config name { default = … }"),
    ("local name = 1\n", "PCL0126", "1:12", "name = …"),
    ("output o { x }\n", "PCL0125", "1:14", "value = …"),
    ("output o {\n  x\n}\n", "PCL0125", "2:4", "x = …"),
    ("output o string { x.y }\n", "PCL0125", "1:20", "value = …"),
    ("config o { x }\n", "PCL0125", "1:14", "x = …"),
    ('import "aws"\n', "PCL0125", "1:8", "remove import"),
    ("import aws\n", "PCL0125", "1:8", "remove import"),
    # inside of resources
    (RESOURCE.format('list { s = "a" }'), "PCL0204", "2:3", "list = [{ … }]"),
    (RESOURCE.format("out = range.value"), "PCL0501", "2:9", "options { range = … }"),
    ("a = range.key\n", "PCL0501", "1:5", "options { range = … }"),
    (RESOURCE.format("lifecycle {}"), "PCL0204", "2:3", "ignoreChanges"),
    (RESOURCE.format('dynamic "list" {}'), "PCL0204", "2:3", "list = [for x in xs : { … }]"),
    (RESOURCE.format('provisioner "local-exec" {}'), "PCL0204", "2:3", "command:local:Command"),
    (RESOURCE.format("timeouts {}"), "PCL0204", "2:3", 'customTimeouts = { create = "10m" }'),
    (RESOURCE.format("obj {}"), "PCL0204", "2:3", "obj = { … }"),
    (RESOURCE.format("count = 3"), "PCL0402", "2:3", "options { range = 3 }"),
    (RESOURCE.format("for_each = []"), "PCL0402", "2:3", "options { range = … }"),
    (RESOURCE.format("depends_on = []"), "PCL0402", "2:3", "options { dependsOn = [other] }"),
    (RESOURCE.format("protect = true"), "PCL0402", "2:3", "options { protect = … }"),
    (RESOURCE.format("options = { protect = true }"), "PCL0402", "2:3", "write options { … } without ="),
    # settings and outputs
    ("config a {\n  type = string\n}\n".replace("string", '"s"'), "PCL0206", "2:3", "config name string { … }"),
    ("output o {\n  value = 1\n  sensitive = true\n}\n", "PCL0206", "3:3", "secret(…)"),
    ("config a boolean {}\n", "PCL0211", "1:10", "write bool"),
    ("config a Integer {}\n", "PCL0211", "1:10", "write int"),
    ("config a dict {}\n", "PCL0211", "1:10", "write map(any)"),
    ("config a list {}\n", "PCL0210", "1:14", 'write "list(any)"'),
    ('config a "list<string>" {}\n', "PCL0210", "1:15", 'write "list(string)"'),
    ('config a "string[]" {}\n', "PCL0210", "1:17", 'write "list(string)"'),
    # names
    ("config region string {}\na = var.region\n", "PCL0501", "2:5", "write `region`"),
    ("b = 1\na = local.b\n", "PCL0501", "2:5", "write `b`"),
    ('a = "${module.vpc.id}"\n', "PCL0501", "1:8", "write `vpc`"),
    ("a = data.aws_ami.ubuntu.id\n", "PCL0501", "1:5", "invoke("),
    ("a = each.value\n", "PCL0501", "1:5", "range.value"),
    ("a = each.key\n", "PCL0501", "1:5", "range.key"),
    ("a = count.index\n", "PCL0501", "1:5", "range.value"),
    (RESOURCE.format("size = self.size"), "PCL0501", "2:10", "cannot refer to itself"),
    ('a = "${path.module}/x"\n', "PCL0501", "1:8", "cwd()"),
    ("a = terraform.workspace\n", "PCL0501", "1:5", "stack()"),
    (RESOURCE.format("size = 1") + "a = probe_thing.r.out\n", "PCL0501", "4:5", "write `r`"),
    ("a = random_pet.pet.id\n", "PCL0501", "1:5", "declare `pet`, and refer to it without its type: pet.id"),
    ("a = my_pets.id\n", "PCL0501", "1:5", ""),
    (RESOURCE.format("size = 1") + "a = data.probe_thing.r.out\n", "PCL0501", "4:5", "write `r` without a prefix"),
    ("a = cwd\n", "PCL0501", "1:5", "call the function: cwd()"),
    ("a = length\n", "PCL0501", "1:5", "call the function: length(…)"),
    ("a = None\n", "PCL0501", "1:5", "write null"),
    ("a = True\n", "PCL0501", "1:5", "write true"),
    # functions, operators, punctuation
    ('a = "\\${x}"\nx = 1\n', "PCL0104", "1:6", "remove the backslash; write $${ for a literal ${"),
    ('a = "it\\\'s"\n', "PCL0104", "1:8", "remove the backslash"),
    ('a = "\\d+"\n', "PCL0104", "1:6", "write \\\\d"),
    ('a = jsonencode("x")\n', "PCL0601", "1:5", "toJSON(…)"),
    ("a = toset([1])\n", "PCL0601", "1:5", "directly"),
    ('a = upper("x")\n', "PCL0601", "1:5", 'invoke("std:index:upper", { … }).result'),
    ('a = join(["a"], ",")\n', "PCL0604", "1:10", 'write join(",", ["a"])'),
    ("a = element(0, [1])\n", "PCL0604", "1:13", "write element([1], 0)"),
    ('a = split(["a"], ",")\n', "PCL0401", "1:11", ""),
    ("\u0430bc = 1\na = abc\n", "PCL0501", "2:5", "did you mean `\u0430bc`? `\u0430` is U+0430"),
    ("abc = 1\na = \u0430bc\n", "PCL0501", "2:5", "did you mean `abc`? `\u0430` is U+0430"),
    ("a = lenght([1])\n", "PCL0601", "1:5", "did you mean `length`?"),
    ('a = "x" + "y" + "z"\n', "PCL0413", "1:5", '"${a}${b}"'),
    ('b = 1\na = b + "-x"\n', "PCL0413", "2:9", '"${a}${b}"'),
    ('b = 1\na = "${b}-" + b\n', "PCL0413", "2:5", '"${a}${b}"'),
    ('b = "x"\na = b.upper()\n', "PCL0126", "2:12", 'invoke("std:index:upper", { … }).result'),
    ('b = "x"\noutput o { value = b.upper() }\n', "PCL0126", "2:27", 'invoke("std:index:upper", { … }).result'),
    ('a = ["x".toJSON()]\n', "PCL0126", "1:16", "write toJSON(…) for a function"),
    ("a = [1].map(x => x + 1)\n", "PCL0126", "1:12", "write [for x in xs : …]"),
    ("a = stack().apply(s => s)\n", "PCL0126", "1:18", "like any other value"),
    ("a = probe.getThing({})\n", "PCL0126", "1:19", 'write invoke("probe:index:getThing", { … })'),
    ("a = aws.ec2.getAmi({})\n", "PCL0126", "1:19", 'write invoke("aws:ec2:getAmi", { … })'),
    ("a = f().b.getAmi({})\n", "PCL0126", "1:17", 'call(x, "getAmi", { … })'),
    ("a = new Thing()\n", "PCL0126", "1:5", 'resource name "package:module:Type" { … }'),
    ("a = (x) => x\n", "PCL0114", "1:9", "write [for x in xs : …]"),
    ("a = element([1], x => x)\n", "PCL0116", "1:20", "write [for x in xs : …]"),
    ("b = [1]\na = b[0:1]\n", "PCL0126", "2:8", 'invoke("std:index:slice", { list = xs, from = 0, to = 1 }).result'),
    ("b = {}\na = { ...b, c = 1 }\n", "PCL0126", "2:7", 'invoke("std:index:merge", { input = [a, b] }).result'),
    ("b = {}\na = {\n  ...b\n}\n", "PCL0126", "3:3", 'invoke("std:index:merge"'),
    ("b = [1]\na = [...b, 2]\n", "PCL0126", "2:6", 'invoke("std:index:concat", { input = [a, b] }).result'),
    ("b = [1]\na = element(...b)\n", "PCL0126", "2:13", "write f(xs...)"),
    ("a = [1] + [2]\n", "PCL0413", "1:5", 'invoke("std:index:concat", { input = [a, b] }).result'),
    ("b = {}\na = b + { c = 1 }\n", "PCL0413", "2:5", 'invoke("std:index:merge", { input = [a, b] }).result'),
    ("a = 2 ** 3\n", "PCL0102", "1:7", 'invoke("std:index:pow", { base = x, exponent = y }).result'),
    ("export a = 3\n", "PCL0126", "1:10", "write a = … without a keyword"),
    ("export const a = 3\n", "PCL0126", "1:16", "write a = … without a keyword"),
    ("return 5\n", "PCL0125", "1:8", "output name { value = … }"),
    ("include [5]\n", "PCL0125", "1:9", "to set it write include = …"),
    ("return [5]\n", "PCL0125", "1:8", "output name { value = … }"),
    ("return length([5])\n", "PCL0124", "1:14", "output name { value = … }"),
    ("if (true) {\n}\n", "PCL0125", "1:4", "range = condition ? 1 : 0"),
    ("while (true) {\n}\n", "PCL0125", "1:7", "options { range = … }"),
    ('resource r = "probe:index:Thing" {\n}\n', "PCL0126", "1:12", "remove ="),
    ('component c = "./c" {\n}\n', "PCL0126", "1:13", "remove ="),
    ("resource r probe:index:Thing {\n}\n", "PCL0124", "1:17", 'in quotes: "probe:index:Thing"'),
    ("-- a comment\na = 1\n", "PCL0115", "1:1", "# or //"),
    ('n = "x"\na = f"{n}"\n', "PCL0114", "2:6", "no prefix"),
    ("a = [x for x in [1]]\n", "PCL0116", "1:8", "write [for x in list : value]"),
    ("config x list(string) { }\n", "PCL0124", "1:14", 'in quotes: "list(string)"'),
    ("config x map(object({ a = int })) { default = {} }\n", "PCL0124", "1:13", 'in quotes: "map(object({ a = int }))"'),
    ("resource my.thing \"probe:index:Thing\" {\n}\n", "PCL0124", "1:12", "letters, digits, _ and -"),
    # one mistake, one error
    ('a = "x" - "y"\n', "PCL0406", "1:5", ""),
    ("a = [1] < [2]\n", "PCL0413", "1:5", ""),
    ('a = invoke("probe:index:getThing", { nmae = "x" })\n', "PCL0402", "1:38", "did you mean `name`?"),
    ('resource r "probe:index:Strict" {\n  nmae = "a"\n}\n', "PCL0402", "2:3", "did you mean `name`?"),
    # how it is written
    ('resource "probe:index:Thing" {\n}\n', "PCL0202", "1:10", 'write resource name "package:module:Type" { … }'),
    (RESOURCE.format('options { dependsOn = ["x"] }'), "PCL0711", "2:26", "without quotes"),
    (RESOURCE.format('options { provider = "aws" }'), "PCL0711", "2:24", '"pulumi:providers:aws"'),
    (RESOURCE.format("options { prevent_destroy = true }"), "PCL0701", "2:13", "write protect = true"),
    (RESOURCE.format("options { create_before_destroy = true }"), "PCL0701", "2:13", "remove it"),
    (RESOURCE.format("options { for_each = [1] }") + "a = r[0].out\n", "PCL0701", "2:13", "write range = …, with range.key"),
    (RESOURCE.format("size = range.value\n  options { count = 2 }"), "PCL0701", "3:13", "write range = 3"),
    (RESOURCE.format("options { provider = p }") + 'resource p "probe:index:Thing" {}\n', "PCL0711", "2:24", "providers:package"),
    (RESOURCE.format('options { protect = "yes" }'), "PCL0406", "2:23", "write true"),
    (RESOURCE.format('names = "a"'), "PCL0401", "2:11", "write it in brackets"),
    (RESOURCE.format("list = { nothing = 1 }"), "PCL0401", "2:10", "write it in brackets"),
    ('package {\n  baseProviderName = "aws"\n  version = "1.0.0"\n}\n', "PCL0206", "3:3", "baseProviderVersion"),
    ('resource r "probe:index:Qqq" {}\n', "PCL0307", "1:12", "run `pclgen schema show probe` to list its members"),
]


@pytest.mark.parametrize(("text", "code", "place", "help_text"), CASES, ids=[case[0][:40] for case in CASES])
def test_one_error_that_helps(text: str, code: str, place: str, help_text: str) -> None:
    _, diagnostics = bind_text(text)
    assert codes_and_positions(diagnostics) == [(code, place)]
    assert help_text in (diagnostics[0].help or "")


RIGHT = """
config region string { default = "eu" }
config token string { secret = true }

xs = ["a", "b"]

thing = invoke("probe:index:getThing", { name = "x" })

resource aws "pulumi:providers:probe" {}

resource r "probe:index:Thing" {
  list = [for x in xs : { s = x, n = 1 }]
  options {
    aliases = [{ name = "old" }]
    import = "its id"
    protect = true
    ignoreChanges = [size]
    deleteBeforeReplace = true
    replaceOnChanges = [size]
    retainOnDelete = true
    customTimeouts = { create = "10m" }
    range = region == "eu" ? 1 : 0
  }
}

resource name "probe:index:Thing" {
  out = "${range.key} ${range.value}"
  options {
    range = xs
    dependsOn = [aws]
  }
}

resource counted "probe:index:Thing" {
  size = range.value
  options {
    range = 3
  }
}

output o {
  value = [cwd(), rootDirectory(), stack(), project(), organization(), null, secret(token), toJSON(1), toBase64("x"),
    fromBase64("eA=="), unsecret(token), element([["a"], 0]...), length(xs), "${xs[0]}", singleOrNone(["a"]), xs == null ? "b" : xs[0]]
}
"""


def test_what_the_helps_show_is_right() -> None:
    _, diagnostics = bind_text(RIGHT)
    assert [d.message for d in diagnostics if d.severity is Severity.ERROR] == []


def test_every_function_that_is_proposed_exists() -> None:
    """Errors for Terraform's functions name replacements that exist; no Terraform name among them is a PCL function."""
    from pclgen.stdlib.registry import names

    replaced = set(habits._FUNCTIONS) | set(habits._NO_NEED) | habits._STD
    assert replaced & set(names()) == set()
    called = {text.split("(")[0] for text in habits._FUNCTIONS.values() if text.endswith("(…)")}
    assert called <= set(names())
