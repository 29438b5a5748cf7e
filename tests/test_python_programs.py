"""Small programs in Python: the generated code."""

from __future__ import annotations

import pytest

from tests.support.python_target import python_files, python_text

CASES = {
    "a config value keeps an explicit false": (
        'config flag bool { default = false }\nconfig n "map(string)" { nullable = true }',
        'config = pulumi.Config()\nflag = config.get_bool("flag", False)\nn = config.get_object("n")\n',
    ),
    "a description is a comment": (
        'config port int {\n  description = "Where it listens"\n}',
        'config = pulumi.Config()\n\n# Where it listens\nport = config.require_int("port")\n',
    ),
    "objects are dicts with the keys of the SDK": (
        'resource a "probe:index:Thing" { obj = { s = "x", inner = { when = "now" } } }',
        'a = probe.Thing("a", obj={"s": "x", "inner": {"when": "now"}})\n',
    ),
    "members of a union are classes": (
        'resource a "probe:index:Thing" { shape = { form = "circle", radius = 2 } }',
        'a = probe.Thing("a", shape=probe.CircleArgs(form="circle", radius=2))\n',
    ),
    "a structural value becomes the object that is expected": (
        'local = { s = "y", n = 4 }\nresource b "probe:index:Thing" { obj = local }',
        'local = probe.ItemArgs(s="y", n=4)\n\nb = probe.Thing("b", obj=local)\n',
    ),
    "a structural value with another use stays one": (
        'local = { s = "y", n = 4 }\nresource b "probe:index:Thing" {\n  obj = local\n  label = local.s\n}',
        'local: dict[str, Any] = {"s": "y", "n": 4}\n\n'
        'b = probe.Thing("b", obj=probe.ItemArgs(s=local["s"], n=local["n"]), label=local["s"])\n',
    ),
    "enum members": (
        'resource a "probe:index:Thing" { en = "fast" }\nresource b "probe:index:Thing" { en = a.out }',
        'a = probe.Thing("a", en=probe.Mode.FAST)\nb = probe.Thing("b", en=a.out.apply(probe.Mode))\n',
    ),
    "templates over outputs are formats, equal references share a number": (
        'resource a "probe:index:Thing" {}\noutput o { value = "{${a.out}} ${a.flag} ${a.out}" }',
        'a = probe.Thing("a")\n\n'
        "pulumi.export(\n"
        '    "o",\n'
        '    pulumi.Output.format("{{{0}}} {1} {0}", a.out, pulumi.Output.json_dumps(a.flag)),\n'
        ")\n",
    ),
    "a function of one output is applied as it is": (
        'resource a "probe:index:Thing" {}\noutput o { value = length(a.names) }',
        'a = probe.Thing("a")\n\npulumi.export("o", a.names.apply(len))\n',
    ),
    "several outputs go through all": (
        'resource a "probe:index:Thing" {}\noutput o { value = join(a.out, ["x", a.id]) }',
        'a = probe.Thing("a")\n\n'
        "pulumi.export(\n"
        '    "o",\n'
        "    pulumi.Output.all(out=a.out, id=a.id).apply(\n"
        '        lambda args: args["out"].join(["x", args["id"]])\n'
        "    ),\n"
        ")\n",
    ),
    "what only one branch needs is not waited for": (
        'resource a "probe:index:Thing" {}\noutput o { value = a.int > 2 ? a.out : "small" }',
        'a = probe.Thing("a")\n\n'
        'pulumi.export("o", a.int.apply(lambda int_: a.out if int_ > 2 else "small"))\n',
    ),
    "null is compared with is": (
        'config a string { nullable = true }\noutput o { value = a != null ? a : "none" }',
        'config = pulumi.Config()\na = config.get("a")\n\npulumi.export("o", a if a is not None else "none")\n',
    ),
    "bools are not compared with bools": (
        "config a bool {}\noutput o { value = a == false ? true : false }",
        'config = pulumi.Config()\na = config.require_bool("a")\n\npulumi.export("o", not a)\n',
    ),
    "loops over maps are in the order of the keys": (
        'config m "map(string)" {}\noutput o { value = [for k, v in m : "${k}=${v}"] }',
        'config = pulumi.Config()\nm = config.require_object("m")\n\n'
        'pulumi.export("o", [f"{k}={v}" for k, v in sorted(m.items())])\n',
    ),
    "ranges are comprehensions": (
        'config names "list(string)" {}\nresource a "probe:index:Thing" {\n  options { range = names }\n'
        '  out = range.value\n}\nresource b "probe:index:Thing" {\n  options { range = { x = "1" } }\n  out = range.key\n}',
        'config = pulumi.Config()\nnames = config.require_object("names")\n\n'
        'a = [probe.Thing(f"a-{i}", out=name) for i, name in enumerate(names)]\n'
        'b = {key: probe.Thing(f"b-{key}", out=key) for key in sorted({"x": "1"})}\n',
    ),
    "a range that is known later is applied": (
        'resource a "probe:index:Thing" {}\nresource b "probe:index:Thing" {\n  options { range = a.names }\n'
        "  out = range.value\n}",
        'a = probe.Thing("a")\n\n'
        "b = a.names.apply(\n"
        '    lambda names: [probe.Thing(f"b-{i}", out=name) for i, name in enumerate(names)]\n'
        ")\n",
    ),
    "a resource that may be missing is passed as it is": (
        'config on bool {}\nresource a "probe:index:Thing" {\n  options { range = on }\n}\n'
        'resource b "probe:index:Thing" {\n  maybe = a.out\n  options { dependsOn = [a] }\n}',
        'config = pulumi.Config()\non = config.require_bool("on")\n\na = probe.Thing("a") if on else None\n\n'
        'b = probe.Thing(\n    "b",\n    maybe=a.out if a is not None else None,\n'
        "    opts=pulumi.ResourceOptions(depends_on=a),\n)\n",
    ),
    "a resource that may be missing alone in a list": (
        'config on bool {}\nresource a "probe:index:Thing" {\n  options { range = on }\n}\n'
        'resource b "probe:index:Thing" {\n  options { replaceWith = [a] }\n}',
        'config = pulumi.Config()\non = config.require_bool("on")\n\na = probe.Thing("a") if on else None\n\n'
        'b = probe.Thing(\n    "b", opts=pulumi.ResourceOptions(replace_with=[a] if a is not None else [])\n)\n',
    ),
    "resources that may be missing are spread": (
        'config on bool {}\nresource a "probe:index:Thing" {\n  options { range = on }\n}\nresource c "probe:index:Thing" {}\n'
        'resource b "probe:index:Thing" {\n  options { dependsOn = [c, a] }\n}',
        'config = pulumi.Config()\non = config.require_bool("on")\n\na = probe.Thing("a") if on else None\nc = probe.Thing("c")\n\n'
        'b = probe.Thing(\n    "b", opts=pulumi.ResourceOptions(depends_on=[c, *([a] if a is not None else [])])\n)\n',
    ),
    "no parent is not the parent of the resource": (
        'resource a "probe:index:Thing" {\n'
        '  options { aliases = [{ noParent = true }, { noParent = false, name = "x" }] }\n}',
        'a = probe.Thing(\n    "a",\n    opts=pulumi.ResourceOptions(\n'
        '        aliases=[pulumi.Alias(parent=None), pulumi.Alias(name="x")]\n    ),\n)\n',
    ),
    "names of Python and of the file are kept free": (
        'class = "c"\nlist = [1]\npulumi-x = 1\nresource probe "probe:index:Thing" { out = class }\n'
        "output o { value = [list, pulumi-x] }",
        'class_ = "c"\nlist_ = [1]\npulumi_x = 1\n\nprobe_thing = probe.Thing("probe", out=class_)\n\n'
        'pulumi.export("o", [list_, pulumi_x])\n',
    ),
    "positional functions": (
        'output o { value = invoke("probe:index:join", "a", "b").result }\n'
        'output p { value = invoke("probe:index:join", "a").result }',
        'pulumi.export("o", probe.join_output("a", "b").result)\npulumi.export("p", probe.join_output("a").result)\n',
    ),
    "an existing resource": (
        'read a "probe:index:Thing" { id = "x" }',
        'a = probe.Thing.get("a", "x")\n',
    ),
    "keys of a map need no values": (
        'config m "map(string)" {}\noutput x { value = [for k, v in m : k] }\n'
        'output y { value = [for k, v in m : k if k != "a"] }\noutput z { value = { for k, v in m : k => 1 } }',
        'config = pulumi.Config()\nm = config.require_object("m")\n\n'
        'pulumi.export("x", sorted(m))\npulumi.export("y", [k for k in sorted(m) if k != "a"])\n'
        'pulumi.export("z", {k: 1 for k in m})\n',
    ),
    "a key that may be absent is null": (
        'config o "object({ a = optional(string), b = optional(map(string)) })" {}\noutput x { value = [o.a, o.b] }',
        'config = pulumi.Config()\no = config.require_object("o")\n\npulumi.export("x", [o.get("a"), o.get("b")])\n',
    ),
    "one value has dicts or classes, not both": (
        'resource a "probe:index:Thing" {}\nresource b "probe:index:Strict" {\n  name = "x"\n'
        '  items = [{ s = "y" }]\n}\n'
        'resource c "probe:index:Strict" {\n  name = "x"\n  items = [for n in a.names : { s = n }]\n}',
        'a = probe.Thing("a")\nb = probe.Strict("b", name="x", items=[{"s": "y"}])\n\n'
        'c = probe.Strict(\n    "c",\n    name="x",\n'
        "    items=a.names.apply(lambda names: [probe.ItemArgs(s=n) for n in names]),\n)\n",
    ),
    "literals of several types are declared": (
        'a = [1, "x"]\nb = { k = [1, 2], l = [3] }\nc = {}\noutput o { value = [a, b, c] }',
        'a: list[Any] = [1, "x"]\nb = {"k": [1, 2], "l": [3]}\nc: dict[str, Any] = {}\n\npulumi.export("o", [a, b, c])\n',
    ),
    "function arguments take outputs at the top only": (
        'resource a "probe:index:Thing" {}\noutput o { value = invoke("probe:index:getThing", { name = a.out }).list[0] }',
        'a = probe.Thing("a")\n\npulumi.export("o", probe.get_thing_output(name=a.out).list[0])\n',
    ),
    "hooks are functions": (
        'hook resource h {\n  command = ["touch", args.name]\n  onDryRun = true\n}\n'
        'resource a "probe:index:Thing" {\n  options { hooks = { beforeCreate = [h] } }\n}',
        "def run_h(args: pulumi.ResourceHookArgs) -> None:\n"
        '    subprocess.run(["touch", args.name], check=True)\n\n\n'
        'h = pulumi.ResourceHook("h", run_h, opts=pulumi.ResourceHookOptions(on_dry_run=True))\n\n'
        'a = probe.Thing(\n    "a",\n'
        "    opts=pulumi.ResourceOptions(hooks=pulumi.ResourceHookBinding(before_create=[h])),\n)\n",
    ),
    "comments stay where they were": (
        "# First.\n\n# About a.\na = 1 # one\n\n"
        'resource b "probe:index:Thing" {\n  # the text\n  out = "x" # here\n  # the end\n}\n# Last.\n',
        # The imports follow the first comment.
        "# First.\n\n\n# About a.\na = 1  # one\n\n"
        'b = probe.Thing(\n    "b",\n    # the text\n    out="x",  # here\n    # the end\n)\n\n# Last.\n',
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_programs_read_well(case: str) -> None:
    source, expected = CASES[case]
    assert python_text(source) == expected


def test_imports_are_what_is_used_in_groups() -> None:
    files = python_files(
        'resource a "probe:index:Thing" {}\ncomponent w "./web" {}\noutput o { value = toJSON([sha1("x")]) }',
        components={"web": 'output x { value = "y" }'},
    )
    assert files["__main__.py"].startswith(
        "import hashlib\nimport json\n\nimport pulumi\nimport pulumi_probe as probe\n\nfrom web import Web\n\n"
    )
    assert files["web.py"].startswith("from typing import Optional\n\nimport pulumi\n\n\nclass Web(")


COMPONENT = """\
config name string { description = "Its name" }
config size int { default = 3 }
config tags "list(string)" { default = [] }
config note string { nullable = true }
resource t "probe:index:Thing" {
  out = name
  int = size
  names = tags
  maybe = note
}
resource idle "probe:index:Thing" {}
output out { value = t.out }
output count { value = 2 }
"""


def test_a_component_is_a_class_with_keywords() -> None:
    files = python_files(
        'resource r "probe:index:Thing" {}\ncomponent c "./my-part" {\n  name = r.out\n}\noutput o { value = c.out }',
        components={"my-part": COMPONENT},
    )
    assert 'c = MyPart("c", name=r.out)\n' in files["__main__.py"]
    assert (
        files["my_part.py"].partition("class ")[2]
        == """\
MyPart(pulumi.ComponentResource):
    out: pulumi.Output[str]
    count: pulumi.Output[int]

    def __init__(
        self,
        resource_name: str,
        *,
        # Its name
        name: pulumi.Input[str],
        size: Optional[pulumi.Input[int]] = None,
        tags: Optional[pulumi.Input[Sequence[str]]] = None,
        note: pulumi.Input[Optional[str]] = None,
        opts: Optional[pulumi.ResourceOptions] = None,
    ) -> None:
        super().__init__(
            "components:index:MyPart",
            resource_name,
            {"name": name, "size": size, "tags": tags, "note": note},
            opts,
        )

        size = 3 if size is None else size
        tags = [] if tags is None else tags

        t = probe.Thing(
            f"{resource_name}-t",
            out=name,
            int=size,
            names=tags,
            maybe=note,
            opts=pulumi.ResourceOptions(parent=self),
        )

        probe.Thing(f"{resource_name}-idle", opts=pulumi.ResourceOptions(parent=self))

        self.out = t.out
        self.count = pulumi.Output.from_input(2)

        self.register_outputs({"out": self.out, "count": self.count})
"""
    )


def test_arguments_of_a_function_without_a_schema_are_all_there() -> None:
    text = """k = "b"
r = invoke("nope:index:getThing", {
  # The a.
  a = 1 # one
})
s = invoke("nope:index:getThing", { "${k}" = 1 })
"""
    main = python_files(text, lenient=True)["__main__.py"]
    assert "r = nope.get_thing_output(\n    # The a.\n    a=1,  # one\n)\n" in main
    assert "s = nope.get_thing_output(**{k: 1})\n" in main


def test_component_files_hide_no_module_and_keep_apart() -> None:
    files = python_files(
        'component a "./json" {}\ncomponent b "./x/part" {}\ncomponent c "./y/part" {}',
        components={"json": "", "x/part": "", "y/part": ""},
    )
    assert sorted(files) == ["__main__.py", "json_component.py", "part.py", "y_part.py"]
    assert "from part import Part\nfrom y_part import Part as Part_2" in files["__main__.py"]


def test_parameters_keep_their_names_and_modules_give_way() -> None:
    part = (
        'config probe string {}\nconfig float number {}\nresource t "probe:index:Thing" {\n  out = probe\n  num = float\n}'
    )
    files = python_files('component c "./part" {\n  probe = "x"\n  float = 1\n}', components={"part": part})
    assert 'Part("c", probe="x", float_=1)' in files["__main__.py"]
    assert "import pulumi_probe\n" in files["part.py"]
    assert "pulumi_probe.Thing(" in files["part.py"]


def test_components_may_need_each_other() -> None:
    part = "config x string {}\noutput y { value = x }"
    files = python_files(
        'component a "./one" { x = b.y }\ncomponent b "./two" { x = a.y }', components={"one": part, "two": part}
    )
    assert (
        "a_x: pulumi.Output[str]\n"
        "resolve_a_x: Callable[[pulumi.Output[str]], None]\n"
        "a_x, resolve_a_x = pulumi.deferred_output()\n\n"
        'a = One("a", x=a_x)\n'
        'b = Two("b", x=a.y)\n\n'
        "resolve_a_x(b.y)\n"
    ) in files["__main__.py"]
