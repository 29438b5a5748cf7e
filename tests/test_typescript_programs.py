"""Small programs in TypeScript: the generated code and the refused programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pclgen.stdlib.checks import KEPT
from pclgen.stdlib.encoding import CANONICAL_JSON
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.targets.base import Project
from pclgen.targets.typescript import stdlib
from pclgen.targets.typescript.files import ENTRY_OF_ANY, ENTRY_OR_ANY, HELPERS, REQUIRE_OWN_MEMBERS, TEXT_OF_SCALAR
from tests.support.typescript_target import typescript_files, typescript_result, typescript_text

TEMPLATES = Path(__file__).resolve().parents[1] / "templates" / "typescript"

THING = 'resource a "probe:index:Thing" {}\n'
ENTRY = """function entryOf<T>(members: Record<string, T>, key: string): T {
    if (!Object.hasOwn(members, key)) {
        throw new Error(`there is no ${JSON.stringify(key)} in the map`);
    }
    return members[key];
}

"""
MADE = 'const a = new probe.Thing("a");\n\n'

CASES = {
    "config": (
        'config flag bool { default = false }\nconfig n "map(string)" { nullable = true }\n'
        'config token string {\n  secret  = true\n  default = "t"\n}\nconfig d string { default = null }',
        "const config = new pulumi.Config();\n"
        'const flag = config.getBoolean("flag") ?? false;\n'
        'const n = config.getObject<Record<string, string>>("n");\n'
        'const token = config.getSecret("token") ?? pulumi.secret("t");\n'
        'const d = config.get("d");\n',
    ),
    "comments stay at what they are about": (
        '# above\nresource a "probe:index:Thing" {\n  # before out\n  out = "x" # behind\n  tags = {\n    # inner\n'
        '    a = "1"\n  }\n  # end\n}',
        '// above\nconst a = new probe.Thing("a", {\n    // before out\n    out: "x", // behind\n    tags: {\n'
        '        // inner\n        a: "1",\n    },\n    // end\n});\n',
    ),
    "reading": (
        'read a "probe:index:Thing" {\n  id = "i-1"\n}\noutput o { value = a.out }',
        'const a = probe.Thing.get("a", "i-1");\n\nexport const o = a.out;\n',
    ),
    "hooks": (
        'hook resource h { command = ["echo", args.name, "${args.newInputs.k}"] }\nhook error e { command = ["retry"] }\n'
        'resource a "probe:index:Thing" {\n  options {\n    hooks = { afterCreate = [h], onError = [e] }\n  }\n}',
        'const h = new pulumi.ResourceHook("h", (args) => {\n    childProcess.execFileSync("echo", [\n        args.name,\n'
        "        args.newInputs?.k.toString(),\n    ]);\n});\n\n"
        'const e = new pulumi.ErrorHook("e", () => {\n    try {\n        childProcess.execFileSync("retry");\n'
        "        return true;\n    } catch {\n        return false;\n    }\n});\n\n"
        'const a = new probe.Thing(\n    "a",\n    {},\n    { hooks: { afterCreate: [h], onError: [e] } },\n);\n',
    ),
    "names": (
        "a-b = 1\nclass = 2\nlet = 3\noutput o { value = [a-b, class, let] }",
        "const aB = 1;\nconst _class = 2;\nconst _let = 3;\n\nexport const o = [aB, _class, _let];\n",
    ),
    "a node makes room for an output": (
        THING + "output a { value = a.out }",
        'const aThing = new probe.Thing("a");\n\nexport const a = aThing.out;\n',
    ),
    "an output that is a variable exports it": (
        "config n int {}\noutput n { value = n }",
        'const config = new pulumi.Config();\nexport const n = config.requireNumber("n");\n',
    ),
    "outputs with names that no variable has": (
        'output "x-y" { value = 1 }\noutput package { value = 2 }',
        'const xY = 1;\nexport { xY as "x-y" };\nconst _package = 2;\nexport { _package as package };\n',
    ),
    "an output called default is returned": (
        THING + "output default { value = a.out }",
        'export = async () => {\n    const a = new probe.Thing("a");\n\n'
        "    return {\n        default: a.out,\n    };\n};\n",
    ),
    "enums": (
        'config m string {}\nresource a "probe:index:Thing" { en = "fast" }\nresource b "probe:index:Thing" { en = m }\n'
        'resource c "probe:index:Thing" { en = a.out }',
        'const config = new pulumi.Config();\nconst m = config.require("m");\n\n'
        'const a = new probe.Thing("a", { en: probe.Mode.Fast });\n'
        'const b = new probe.Thing("b", { en: m as probe.Mode });\n'
        'const c = new probe.Thing("c", { en: a.out as pulumi.Output<probe.Mode> });\n',
    ),
    "what may be missing": (
        THING + 'resource b "probe:index:Thing" { maybe = a.maybe }\noutput o { value = a.obj.inner.s }',
        MADE.replace("\n\n", "\n") + 'const b = new probe.Thing("b", { maybe: a.maybe.apply((maybe) => maybe!) });\n\n'
        "export const o = a.obj.apply((obj) => obj?.inner?.s);\n",
    ),
    "null is a value where any value is": (
        'resource a "probe:index:Thing" {\n  maybe = null\n  any   = { a = null, b = [null] }\n}',
        'const a = new probe.Thing("a", {\n    maybe: undefined,\n    any: { a: null, b: [null] },\n});\n',
    ),
    "resources that may not be there": (
        'config c bool {}\nresource a "probe:index:Thing" {\n  options { range = c }\n}\nresource b "probe:index:Thing" {\n'
        "  options { dependsOn = [a] }\n}\nresource d \"probe:index:Thing\" {\n  options { replaceWith = [a] }\n}\n"
        'resource e "probe:index:Thing" {\n  options { dependsOn = [b, a] }\n}\noutput o { value = a.out }',
        'const config = new pulumi.Config();\nconst c = config.requireBoolean("c");\n\n'
        'const a = c ? new probe.Thing("a") : undefined;\n'
        'const b = new probe.Thing("b", {}, { dependsOn: a });\n'
        'const d = new probe.Thing("d", {}, { replaceWith: a ? [a] : [] });\n'
        'const e = new probe.Thing("e", {}, { dependsOn: [b, ...(a ? [a] : [])] });\n\nexport const o = a?.out;\n',
    ),
    "a range over what may be missing is empty": (
        'config zones "map(string)" { nullable = true }\nconfig names "list(string)" { nullable = true }\n'
        'resource a "probe:index:Thing" {\n  options { range = zones }\n}\n'
        'resource b "probe:index:Thing" {\n  options { range = names }\n  out = range.value\n}',
        "const config = new pulumi.Config();\n"
        'const zones = config.getObject<Record<string, string>>("zones");\n'
        'const names = config.getObject<string[]>("names");\n\n'
        "const a: Record<string, probe.Thing> = {};\n"
        "for (const key of Object.keys(zones ?? {}).sort()) {\n"
        "    a[key] = new probe.Thing(`a-${key}`);\n}\n\n"
        "const b: probe.Thing[] = [];\nfor (const [i, name] of (names ?? []).entries()) {\n"
        "    b.push(new probe.Thing(`b-${i}`, { out: name }));\n}\n",
    ),
    "structures with outputs": (
        THING + 'local = [a.out, "x"]\noutput o { value = join(",", local) }',
        MADE + 'const local = [a.out, "x"];\n\n'
        'export const o = pulumi.output(local).apply((local) => local.join(","));\n',
    ),
    "branches of different kinds": (
        "config c bool {}\n" + THING + 'x = c ? a.out : "none"\noutput o { value = "${x}!" }',
        'const config = new pulumi.Config();\nconst c = config.requireBoolean("c");\n\n' + MADE
        + 'const x = pulumi.output(c ? a.out : "none");\n\nexport const o = pulumi.interpolate`${x}!`;\n',
    ),
    "constants that are compared": (
        'x = 1\ny = "a" == "b"\noutput o { value = [x == 2, y] }',
        'const x: number = 1;\nconst y = ("a" as string) === "b";\n\nexport const o = [x === 2, y];\n',
    ),
    "bools and texts that are narrowed by what is compared": (
        "on = true\noff = !on\nconfig env string {}\n"
        'output o { value = [on != off, env == "a" && env == "b", env == "a" ? 1 : env == "b" ? 2 : 3] }',
        'const config = new pulumi.Config();\nconst env = config.require("env");\n\n'
        "const on = true as boolean;\nconst off = !on;\n\n"
        'export const o = [\n    on !== off,\n    env === "a" && (env as string) === "b",\n'
        '    env === "a" ? 1 : env === "b" ? 2 : 3,\n];\n',
    ),
    "members that a condition has found": (
        "config f bool {}\nx = { n = f ? null : 5 }\n"
        "output o { value = x.n == null ? 0 : x.n + 1 }\n"
        "output p { value = x.n != null && x.n > 2 ? [for y in [1] : x.n + y] : [] }",
        'const config = new pulumi.Config();\nconst f = config.requireBoolean("f");\n\nconst x = { n: f ? null : 5 };\n\n'
        "export const o = x.n == null ? 0 : x.n + 1;\n"
        "export const p = x.n != null && x.n > 2 ? [1].map((y) => x.n! + y) : [];\n",
    ),
    "loops over nothing": (
        "output o { value = [[for x in [] : x.y], { for x in [] : x => x.y.z }] }",
        "export const o = [[], {}];\n",
    ),
    "lists and maps beside nothing": (
        'config l "list(string)" {}\nconfig m "map(int)" {}\noutput o { value = [l == [], {} != m] }',
        'const config = new pulumi.Config();\nconst l = config.requireObject<string[]>("l");\n'
        'const m = config.requireObject<Record<string, number>>("m");\n\n'
        "export const o = [l.length === 0, Object.keys(m).length !== 0];\n",
    ),
    "a program's own config": (
        'config region string {}\nconfig = region',
        'const pulumiConfig = new pulumi.Config();\nconst region = pulumiConfig.require("region");\n\nconst config = region;\n',
    ),
    "elements counted from the end": (
        'config l "list(string)" {}\noutput o { value = [element(l, -1), element(l, 3)] }',
        'const config = new pulumi.Config();\nconst l = config.requireObject<string[]>("l");\n\n'
        "export const o = [l[l.length - 1], l[3 % l.length]];\n",
    ),
    "computed members": (
        'config k string {}\nm = { a = "x" }\noutput o { value = [m[k], lookup(m, k, "d")] }',
        ENTRY + 'const config = new pulumi.Config();\nconst k = config.require("k");\n\nconst m = { a: "x" };\n\n'
        "export const o = [\n    entryOf(m as Record<string, string>, k),\n"
        '    Object.hasOwn(m, k) ? (m as Record<string, string>)[k] : "d",\n];\n',
    ),
    "the version of Pulumi": (
        'pulumi { requiredVersionRange = ">=3.1" }',
        'pulumi.requirePulumiVersion(">=3.1");\n',
    ),
    "parameters hide only what their body does not use": (
        'names = ["p"]\n' + THING + 'output o { value = [for n in a.names : "${n}${names[0]}"] }\n'
        "output p { value = length(a.names) }",
        'const names = ["p"];\n\n' + MADE + "export const o = a.names.apply((names2) =>\n"
        "    names2.map((n) => `${n}${names[0]}`),\n);\n\n"
        "export const p = a.names.apply((names) => names.length);\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_text(name: str) -> None:
    source, expected = CASES[name]
    assert typescript_text(source) == expected


def test_resources_that_a_range_made_are_the_list_to_depend_on() -> None:
    ranged = 'resource {} "probe:index:Thing" {{\n  options {{ range = {} }}\n}}\n'
    waiting = 'resource {} "probe:index:Thing" {{\n  options {{ dependsOn = {} }}\n}}\n'
    text = typescript_text(
        ranged.format("l", "2")
        + ranged.format("m", "{ x = 1 }")
        + waiting.format("b", "[l]")
        + waiting.format("c", "[m]")
        + waiting.format("d", "[b, l]")
    )
    assert 'const b = new probe.Thing("b", {}, { dependsOn: l });' in text
    assert 'const c = new probe.Thing("c", {}, { dependsOn: Object.values(m) });' in text
    assert 'const d = new probe.Thing("d", {}, { dependsOn: [b, ...l] });' in text


def test_imports_are_those_that_are_used() -> None:
    lines = typescript_files(THING + 'output o { value = sha1(readFile("f")) }')["index.ts"].splitlines()
    assert [line for line in lines if line.startswith("import ")] == [
        'import * as probe from "@pulumi/probe";',
        'import * as crypto from "crypto";',
        'import * as fs from "fs";',
    ]


def test_a_component_is_a_class_with_its_arguments() -> None:
    web = 'config label string { description = "What it says" }\nconfig size int { default = 3 }\n' \
        'resource t "probe:index:Thing" {\n  out = label\n  int = size\n}\noutput text { value = t.out }\n'
    files = typescript_files('component w "./web-server" { label = "x" }', components={"web-server": web})
    assert files["index.ts"] == (
        'import { WebServer } from "./web-server";\n\nconst w = new WebServer("w", { label: "x" });\n'
    )
    assert files["web-server.ts"] == (
        'import * as pulumi from "@pulumi/pulumi";\nimport * as probe from "@pulumi/probe";\n\n'
        "export interface WebServerArgs {\n    /** What it says */\n    label: pulumi.Input<string>;\n"
        "    size?: pulumi.Input<number>;\n}\n\n"
        "export class WebServer extends pulumi.ComponentResource {\n"
        "    public readonly text: pulumi.Output<string>;\n\n"
        "    constructor(\n        name: string,\n        args: WebServerArgs,\n"
        "        opts?: pulumi.ComponentResourceOptions,\n    ) {\n"
        '        super("components:index:WebServer", name, args, opts);\n\n'
        "        const size = args.size ?? 3;\n\n"
        "        const t = new probe.Thing(\n            `${name}-t`,\n            {\n                out: args.label,\n"
        "                int: size,\n            },\n            { parent: this },\n        );\n\n"
        "        this.text = t.out;\n\n        this.registerOutputs({ text: this.text });\n    }\n}\n"
    )


def test_a_whole_number_too_large_for_an_int_is_a_double() -> None:
    assert "const o = 1e300;" in typescript_files(f"output o {{ value = 1{'0' * 300} }}")["index.ts"]


def test_a_plain_method_inside_a_component_is_refused() -> None:
    body = THING + 'output n { value = call(a, "measure", {}) }'
    _, problems = typescript_result('component c "./c" {}', components={"c": body})
    assert [p.message for p in problems] == ['the method "measure" inside a component cannot be written in TypeScript']


def test_every_function_is_decided() -> None:
    assert set(stdlib.FUNCTIONS) == {function.name for function in (*FUNCTIONS.values(), CANONICAL_JSON, KEPT)}


def test_helpers_are_templates() -> None:
    templates = {p.name.removesuffix(".ts.jinja") for p in (TEMPLATES / "helpers").iterdir()}
    assert templates == {*HELPERS, REQUIRE_OWN_MEMBERS, ENTRY_OF_ANY, ENTRY_OR_ANY, TEXT_OF_SCALAR}


def test_project_files() -> None:
    size = 'config size int {\n  description = "How big: very"\n  default = 2\n}\n'
    text = size + "config key string { secret = true }\n" + THING
    files = typescript_files(text, project=Project(name="My Project", description='a "b"', main="src"))
    assert set(files) == {"Pulumi.yaml", "src/index.ts", "src/package.json", "src/tsconfig.json", "src/.gitignore"}
    assert files["Pulumi.yaml"] == (
        'name: My-Project\ndescription: "a \\"b\\""\nruntime: nodejs\nmain: src\nconfig:\n  size:\n    type: integer\n'
        '    description: "How big: very"\n    default: 2\n  key:\n    type: string\n    secret: true\n'
    )
    manifest = json.loads(files["src/package.json"])
    assert manifest["name"] == "my-project"
    assert manifest["dependencies"]["@pulumi/probe"] == "1.0.0"
    assert json.loads(files["src/tsconfig.json"])["files"] == ["index.ts"]
