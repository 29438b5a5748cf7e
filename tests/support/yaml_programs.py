"""Programs in Pulumi YAML: one for each construct of its reference, beside the same program in PCL."""

from __future__ import annotations

from collections.abc import Mapping

SCHEMA = {
    "name": "acme",
    "version": "1.2.3",
    "provider": {"inputProperties": {"region": {"type": "string"}}},
    "resources": {
        "acme:index:Thing": {
            "inputProperties": {
                "name": {"type": "string"},
                "size": {"type": "integer"},
                "on": {"type": "boolean"},
                "ratio": {"type": "number"},
                "tags": {"type": "object", "additionalProperties": {"type": "string"}},
                "names": {"type": "array", "items": {"type": "string"}},
                "body": {"$ref": "pulumi.json#/Asset"},
                "files": {"$ref": "pulumi.json#/Archive"},
                "other": {"$ref": "pulumi.json#/Any"},
            },
            "properties": {"name": {"type": "string"}, "names": {"type": "array", "items": {"type": "string"}}},
            "required": ["name", "names"],
            "stateInputs": {"properties": {"name": {"type": "string"}}},
        }
    },
    "functions": {
        "acme:index:find": {
            "inputs": {"properties": {"name": {"type": "string"}}},
            "outputs": {"properties": {"found": {"type": "string"}, "many": {"type": "array", "items": {"type": "string"}}}},
        }
    },
}

CONSTRUCTS: Mapping[str, tuple[str, str]] = {
    "values": (
        "outputs: {a: 1, b: -2.50, c: true, d: ~, e: yes, f: '1', g: 0x1F, h: 0o17, i: 017, j: 1_000, k: .5, l: 1e3, m: ''}",
        'output a { value = 1 }\noutput b { value = -2.5 }\noutput c { value = true }\noutput d { value = null }\n'
        'output e { value = "yes" }\noutput f { value = "1" }\noutput g { value = 31 }\noutput h { value = 15 }\n'
        'output i { value = 15 }\noutput j { value = 1000 }\noutput k { value = 0.5 }\noutput l { value = 1000 }\n'
        'output m { value = "" }',
    ),
    "texts-of-several-lines": (
        "outputs:\n  a: |\n    one\n     two\n  b: >-\n    three\n    four\n",
        'output a { value = "one\\n two\\n" }\noutput b { value = "three four" }',
    ),
    "lists-and-objects": (
        "outputs: {a: [1, [x], {b.c: 2, d: 3}]}",
        'output a { value = [1, ["x"], { "b.c" = 2, d = 3 }] }',
    ),
    "anchors-and-merges": (
        "variables:\n  a: &a {x: 1, y: 2}\noutputs:\n  b: {<<: *a, y: 3}\n  c: *a\n",
        "a = { x = 1, y = 2 }\noutput b { value = { x = 1, y = 3 } }\noutput c { value = { x = 1, y = 2 } }",
    ),
    "ways-to-values": (
        'variables: {v: {a: [{"b c": 1, d: 2}]}}\n'
        'outputs: {a: "${v.a[0].d}", b: "${v[\\"a\\"][0][\\"b c\\"]}", c: "x${v.a[0].d}y", d: "$${v}", e: "${v.a.0.d}", '
        'f: "${[\\"v\\"].a[0].d}"}',
        'v = { a = [{ "b c" = 1, d = 2 }] }\noutput a { value = v.a[0].d }\noutput b { value = v["a"][0]["b c"] }\n'
        'output c { value = "x${v.a[0].d}y" }\noutput d { value = "$${v}" }\noutput e { value = v.a[0].d }\n'
        "output f { value = v.a[0].d }",
    ),
    "configuration": (
        "config:\n  a: {type: string, default: x}\n  b: {type: Number, default: 1}\n  c: {default: [1, 2]}\n  d: 5\n"
        "  e: {type: 'List<String>', default: [x]}\n  f: {type: array, items: {type: integer}, default: [3]}\n"
        "  g: {type: boolean, default: true, secret: true}\n  h: {value: x}\n"
        "outputs: {all: ['${a}', '${b}', '${c}', '${d}', '${e}', '${f}', '${g}', '${h}']}",
        'config a string { default = "x" }\nconfig b number { default = 1 }\nconfig c "list(int)" { default = [1, 2] }\n'
        'config d int { default = 5 }\nconfig e "list(string)" { default = ["x"] }\nconfig f "list(int)" { default = [3] }\n'
        'config g bool {\n  secret = true\n  default = true\n}\nconfig h string { default = "x" }\n'
        "output all { value = [a, b, c, d, e, f, g, h] }",
    ),
    "the-old-section": ("configuration: {a: {type: String, default: x}}\noutputs: {a: '${a}'}", 'config a string { default = "x" }\noutput a { value = a }'),
    "resources": (
        "resources:\n  my-thing:\n    type: acme:Thing\n    properties: {size: 3, on: true, ratio: 1.5, tags: {a.b: c}, names: [x]}\n"
        "  other.thing: {type: 'acme:index:Thing', name: given, properties: {name: '${my-thing.name}'}}\n"
        "outputs: {id: '${[\"other.thing\"].id}'}",
        'resource myThing "acme:Thing" {\n  __logicalName = "my-thing"\n  size = 3\n  on = true\n  ratio = 1.5\n'
        '  tags = { "a.b" = "c" }\n  names = ["x"]\n}\n'
        'resource otherThing "acme:index:Thing" {\n  __logicalName = "given"\n  name = myThing.name\n}\n'
        "output id { value = otherThing.id }",
    ),
    "names-that-meet": (
        "resources: {a-b: {type: 'acme:Thing'}, a.b: {type: 'acme:Thing'}, aB: {type: 'acme:Thing'}, '1': {type: 'acme:Thing'}}",
        'resource aB2 "acme:Thing" { __logicalName = "a-b" }\nresource aB3 "acme:Thing" { __logicalName = "a.b" }\n'
        'resource aB "acme:Thing" {}\nresource n1 "acme:Thing" { __logicalName = "1" }',
    ),
    "options": (
        "resources:\n  a: {type: 'acme:Thing'}\n  p: {type: 'pulumi:providers:acme', properties: {region: x}}\n"
        "  b:\n    type: acme:Thing\n    options:\n      parent: ${a}\n      provider: ${p}\n      dependsOn: ['${a}']\n"
        "      protect: true\n      ignoreChanges: [size, 'tags[\"a.b\"]']\n      additionalSecretOutputs: [name]\n"
        "      replaceOnChanges: [on]\n      retainOnDelete: true\n      deleteBeforeReplace: true\n      import: abc\n"
        "      aliases: [{name: old}, 'urn:pulumi:s::p::acme:index:Thing::older']\n      customTimeouts: {create: 5m}\n"
        "      version: 1.2.3\n      pluginDownloadURL: https://example.com\n      deletedWith: ${a}\n",
        'resource a "acme:Thing" {}\nresource p "pulumi:providers:acme" { region = "x" }\n'
        'resource b "acme:Thing" {\n  options {\n    parent = a\n    provider = p\n    dependsOn = [a]\n    protect = true\n'
        '    ignoreChanges = [size, tags["a.b"]]\n    additionalSecretOutputs = [name]\n    replaceOnChanges = [on]\n'
        '    retainOnDelete = true\n    deleteBeforeReplace = true\n    import = "abc"\n'
        '    aliases = [{ name = "old" }, "urn:pulumi:s::p::acme:index:Thing::older"]\n    customTimeouts = { create = "5m" }\n'
        '    version = "1.2.3"\n    pluginDownloadURL = "https://example.com"\n    deletedWith = a\n  }\n}',
    ),
    "one-resource-to-depend-on": (
        "resources: {a: {type: 'acme:Thing'}, b: {type: 'acme:Thing', options: {dependsOn: '${a}'}}}",
        'resource a "acme:Thing" {}\nresource b "acme:Thing" {\n  options { dependsOn = [a] }\n}',
    ),
    "default-providers": (
        "resources:\n  p: {type: 'pulumi:providers:acme', defaultProvider: true}\n  a: {type: 'acme:Thing'}\n"
        "  q: {type: 'pulumi:providers:acme'}\n  b: {type: 'acme:Thing', options: {provider: '${q}'}}\n"
        "outputs: {x: {fn::invoke: {function: 'acme:find', arguments: {name: y}, return: found}}}",
        'resource p "pulumi:providers:acme" {}\nresource a "acme:Thing" {\n  options { provider = p }\n}\n'
        'resource q "pulumi:providers:acme" {}\nresource b "acme:Thing" {\n  options { provider = q }\n}\n'
        'output x { value = invoke("acme:find", { name = "y" }, { provider = p }).found }',
    ),
    "reading": (
        "resources: {a: {type: 'acme:Thing', get: {id: abc, state: {name: x}}}}\noutputs: {n: '${a.name}'}",
        'read a "acme:Thing" {\n  id = "abc"\n  name = "x"\n}\noutput n { value = a.name }',
    ),
    "invokes": (
        "resources: {p: {type: 'pulumi:providers:acme'}}\n"
        "variables:\n  a: {fn::invoke: {function: 'acme:index:find', arguments: {name: x}}}\n"
        "  b: {Fn::Invoke: {Function: 'acme:find', Arguments: {name: x}, Return: many}}\n"
        "  c: {'fn::acme:find': {name: x}}\n"
        "  d: {fn::invoke: {function: 'acme:find', options: {provider: '${p}', version: 1.2.3}}}\n"
        "outputs: {all: ['${a.found}', '${b[0]}', '${c.many}', '${d}']}",
        'resource p "pulumi:providers:acme" {}\na = invoke("acme:index:find", { name = "x" })\n'
        'b = invoke("acme:find", { name = "x" }).many\nc = invoke("acme:find", { name = "x" })\n'
        'd = invoke("acme:find", {}, { provider = p, version = "1.2.3" })\n'
        "output all { value = [a.found, b[0], c.many, d] }",
    ),
    "functions": (
        "outputs:\n  a: {fn::join: ['-', [x, y]]}\n  b: {fn::split: [',', 'p,q']}\n  c: {fn::select: [1, [v1, v2]]}\n"
        "  d: {fn::toJSON: {k: [1, true]}}\n  e: {fn::toBase64: hello}\n  f: {fn::fromBase64: aGVsbG8=}\n"
        "  g: {fn::secret: s}\n  h: {Fn::ToJSON: [1]}\n  i: {fn::length: [a, b]}\n  j: {fn::lookup: [{a: b}, a, c]}\n"
        "  k: {fn::secret: {fn::toJSON: {a: 1}}}\n",
        'output a { value = join("-", ["x", "y"]) }\noutput b { value = split(",", "p,q") }\n'
        'output c { value = ["v1", "v2"][1] }\noutput d { value = toJSON({ k = [1, true] }) }\n'
        'output e { value = toBase64("hello") }\noutput f { value = fromBase64("aGVsbG8=") }\noutput g { value = secret("s") }\n'
        'output h { value = toJSON([1]) }\noutput i { value = length(["a", "b"]) }\n'
        'output j { value = lookup({ a = "b" }, "a", "c") }\noutput k { value = secret(toJSON({ a = 1 })) }',
    ),
    "assets": (
        "resources:\n  a:\n    type: acme:Thing\n    properties:\n      body: {fn::stringAsset: hi}\n"
        "      files: {fn::assetArchive: {one: {fn::stringAsset: x}, two: {fn::remoteArchive: 'https://example.com/a.zip'}}}\n"
        "  b:\n    type: acme:Thing\n    properties: {body: {fn::remoteAsset: 'https://example.com/a'}}\n",
        'resource a "acme:Thing" {\n  body = stringAsset("hi")\n'
        '  files = assetArchive({ one = stringAsset("x"), two = remoteArchive("https://example.com/a.zip") })\n}\n'
        'resource b "acme:Thing" { body = remoteAsset("https://example.com/a") }',
    ),
    "the-stack": (
        "outputs: {a: '${pulumi.stack}-${pulumi.project}', b: '${pulumi.organization}'}",
        'output a { value = "${stack()}-${project()}" }\noutput b { value = organization() }',
    ),
    "stack-references": (
        "resources: {r: {type: 'pulumi:pulumi:StackReference', properties: {name: o/p/s}}}\n"
        "outputs: {a: '${r.outputs[\"x\"]}', b: '${r.outputs.y}'}",
        'resource r "pulumi:pulumi:StackReference" { name = "o/p/s" }\noutput a { value = r.outputs["x"] }\n'
        "output b { value = r.outputs.y }",
    ),
    "json-is-yaml": ('{"outputs": {"a": "\\u00e9${b}"}, "variables": {"b": 1}}', 'b = 1\noutput a { value = "é${b}" }'),
    "what-a-project-says": (
        "name: shop\nruntime: {name: yaml}\ndescription: d\nmain: .\npulumi: {requiredVersion: '>=3'}\noutputs: {a: 1}",
        "output a { value = 1 }",
    ),
}  # fmt: skip  # each program on as few lines as its language needs
