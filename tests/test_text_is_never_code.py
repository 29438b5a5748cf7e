"""A text never becomes generated code, whatever its characters and its position in a program or a schema.

Each position is a way to write a text into a program.  Characters of all kinds and some two hundred beginnings of code
go through every position, each followed by a marker.  All accepted programs are generated, and all outputs are parsed at
once.  Refused programs have a diagnostic.  `tests/support/hostile.py` has the payloads and readers.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final, TypeAlias

import pytest

import pclgen
from tests.support.hostile import CALL, CHARACTERS, MARK, TROUBLE, Files, faults, quoted

Texts: TypeAlias = Mapping[str, str]
Position: TypeAlias = Callable[[Sequence[str]], Texts]

SCHEMA: Final[Mapping[str, Any]] = {
    "name": "shop",
    "version": "1.2.3",
    "resources": {
        "shop:index:Server": {
            "inputProperties": {
                "size": {"type": "string"},
                "tags": {"type": "object", "additionalProperties": {"type": "string"}},
                "list": {"type": "array", "items": {"type": "string"}},
            },
            "properties": {"size": {"type": "string"}},
        }
    },
    "functions": {
        "shop:index:find": {
            "inputs": {"properties": {"name": {"type": "string"}}},
            "outputs": {"properties": {"id": {"type": "string"}}},
        }
    },
}
WEB: Final = 'resource web "shop:index:Server" {\n'


def all_in_one(payloads: Sequence[str]) -> list[str]:
    """The payloads, and a text of all characters with the marker after each."""
    return [*payloads, "".join(f"{c}{CALL}" for c in CHARACTERS)]


def line(text: str) -> str:
    """A payload on one line of PCL."""
    return text.replace("\n", " ")


def block(text: str) -> str:
    """A payload inside a block comment."""
    return text.replace("*/", "* /").removesuffix("*")


def each(form: str, payloads: Iterable[str]) -> str:
    """`form` for each payload, with `@` replaced by it and `#N` by a number."""
    return "".join(form.replace("#N", str(at)).replace("@", payload) for at, payload in enumerate(payloads))


def heredoc(text: str) -> str:
    """A payload as the text of a heredoc."""
    return text.replace("${", "$${").replace("%{", "%%{").replace("\n", "\n ")


def main(text: str) -> Texts:
    return {"main.pp": text}


def string(form: str) -> Position:
    """A position for quoted texts."""
    return lambda texts: main(each(form, map(quoted, all_in_one(texts))))


def escaped(form: str) -> Position:
    """A position for quoted texts whose every character is an escape."""

    def escape(text: str) -> str:
        return '"' + "".join(f"\\U{ord(c):08X}" for c in text) + '"'

    return lambda texts: main(each(form, map(escape, all_in_one(["\x00" + CALL, "\x1b" + CALL, "\ufeff" + CALL, *texts]))))


def comment(form: str) -> Position:
    """A position for line comments."""
    return lambda texts: main(each(form, map(line, all_in_one(texts))))


def comments_of_blocks(form: str) -> Position:
    """A position for block comments."""
    return lambda texts: main(each(form, map(block, all_in_one(texts))))


FREE: Final[Mapping[str, Position]] = {
    "comment at the top": comment("# @\n"),
    "comment of a local": comment("# @\na#N = 1\n"),
    "comment behind a local": comment("a#N = 1 // @\n"),
    "comment in a list": comment("a#N = [ # @\n  1, # @\n  # @\n]\n"),
    "comment in an object": comment("a#N = { # @\n  b = 1 # @\n  # @\n}\n"),
    "comment in a call": comment("a#N = max(1, # @\n  2)\n"),
    "comment in a template": comment('a#N = "${ # @\n 1 }"\n'),
    "comment in a resource": comment('resource r#N "shop:index:Server" { # @\n  # @\n  size = "a" # @\n  # @\n}\n'),
    "comment in options": comment(WEB.replace("web", "r#N") + "  options { # @\n    # @\n    protect = true # @\n    # @\n  }\n}\n"),
    "comment in a config": comment("config c#N string { # @\n  # @\n  default = \"a\" # @\n  # @\n}\n"),
    "comment in an output": comment("output o#N { # @\n  # @\n  value = 1 # @\n  # @\n}\n"),
    "comment at the end": comment("a#N = 1\n# @\n"),
    "block comment of a local": comments_of_blocks("/* @ */\na#N = 1\n"),
    "block comment in an expression": comments_of_blocks("a#N = [1, /* @ */ 2 /* @ */]\n"),
    "block comment of a resource": comments_of_blocks('/** @\n * @\n */\nresource r#N "shop:index:Server" {\n}\n'),
    "string": string("a#N = @\n"),
    "string of escapes": escaped("a#N = @\noutput o#N {\n  value = a#N\n}\n"),
    "string in a list": string("a#N = [@, @]\n"),
    "string in an object": string("a#N = { b = @ }\n"),
    "key of an object": string("a#N = { @ = 1 }\n"),
    "key of a map": string(WEB.replace("web", "r#N") + "  tags = { @ = @ }\n}\n"),
    "key in brackets": string("a#N = { @ = 1 }\nb#N = a#N[@]\n"),
    "template": lambda texts: main(
        each('n#N = 1\na#N = "@${n#N}@"\n', [quoted(text)[1:-1] for text in all_in_one(texts)])
    ),
    "template of outputs": lambda texts: main(
        WEB + "}\n" + each('output o#N {\n  value = "@${web.size}@"\n}\n', [quoted(t)[1:-1] for t in all_in_one(texts)])
    ),
    "heredoc": lambda texts: main(each("a#N = <<EOT\n @\nEOT\n", map(heredoc, all_in_one(texts)))),
    "heredoc with a mark": lambda texts: main(
        WEB + "}\n" + each("n#N = 1\na#N = <<-EOT\n  @${n#N}@\n  ${web.size} @\n  EOT\n", map(heredoc, all_in_one(texts)))
    ),
    "condition": string("config c#N string {}\na#N = c#N == @ ? @ : @\n"),
    "argument of a function": string("a#N = split(@, @)\nb#N = toJSON({ c = @ })\nd#N = secret(@)\n"),
    "argument of an invoke": string('a#N = invoke("shop:index:find", { name = @ }).id\n'),
    "path of an asset": string(WEB.replace("web", "r#N") + "  size = @\n}\nb#N = fileAsset(@)\n"),
    "input of a resource": string(WEB.replace("web", "r#N") + "  size = @\n  list = [@]\n}\n"),
    "name of an alias": string(WEB.replace("web", "r#N") + "  options {\n    aliases = [{ name = @ }]\n  }\n}\n"),
    "id to import": string(WEB.replace("web", "r#N") + "  options {\n    import = @\n  }\n}\n"),
    "address of a plugin": string(WEB.replace("web", "r#N") + "  options {\n    pluginDownloadURL = @\n  }\n}\n"),
    "property path": string(WEB.replace("web", "r#N") + "  options {\n    ignoreChanges = [tags[@]]\n  }\n}\n"),
    "command of a hook": string("hook resource h#N {\n  command = [@, @]\n}\n"),
    "default of a config": string("config c#N string {\n  default = @\n}\n"),
    "default of a list config": string("config c#N \"list(string)\" {\n  default = [@]\n}\nconfig d#N \"map(string)\" {\n  default = { @ = @ }\n}\n"),
    "description of a config": string("config c#N string {\n  description = @\n}\n"),
    "description of a config, escaped": escaped("config c#N string {\n  description = @\n}\n"),
    "description of an output": string("output o#N {\n  value = 1\n  description = @\n}\n"),
    "description of an output, escaped": escaped("output o#N {\n  value = 1\n  description = @\n}\n"),
    "description in a component": lambda texts: {
        "main.pp": each('component c#N "./c#N" {\n  in = 1\n}\n', texts),
        **{
            f"c{at}/main.pp": f"# {line(text)}\nconfig in int {{\n  description = {quoted(text)}\n}}\n"
            f"output out {{\n  value = in\n  description = {quoted(text)} # {line(text)}\n}}\n# {line(text)}\n"
            for at, text in enumerate(all_in_one(texts)[: len(texts)])
        },
    },
}
"""Positions that accept any text."""

NAMES: Final[Mapping[str, str]] = {
    "logical name of a config": "config c#N string {\n  __logicalName = @\n}\n",
    "logical name of an output": "output o#N {\n  __logicalName = @\n  value = 1\n}\n",
    "logical name of a resource": WEB.replace("web", "r#N") + "  __logicalName = @\n}\n",
    "label of a config": "config @ string {\n}\n",
    "label of an output": "output @ {\n  value = 1\n}\n",
    "label of a resource": 'resource @ "shop:index:Server" {\n}\n',
    "label of a hook": 'hook resource @ {\n  command = ["a"]\n}\n',
    "token of a component": "component c#N {\n  token = @\n}\n",
    "version of a resource": WEB.replace("web", "r#N") + "  options {\n    version = @\n  }\n}\n",
    "type of an alias": WEB.replace("web", "r#N") + "  options {\n    aliases = [{ type = @ }]\n  }\n}\n",
}
"""Names, which may be any text."""

REFUSED: Final[Mapping[str, str]] = {
    "timeout": WEB.replace("web", "r#N") + "  options {\n    customTimeouts = { create = @ }\n  }\n}\n",
    "token of a resource": "resource r#N @ {\n}\n",
    "token of a provider": 'resource r#N "pulumi:providers:@@" {\n}\n',
    "token of an invoke": "a#N = invoke(@, {})\n",
    "package in a token": 'resource r#N "@@:index:Server" {\n}\n',
    "module in a token": 'resource r#N "shop:@@:Server" {\n}\n',
    "version of a package": 'package {\n  baseProviderName = "shop"\n  baseProviderVersion = @\n}\n',
}
"""Names that become code, and must match a grammar, also in lenient mode."""

PLACES_IN_A_COMPONENT: Final = (
    'component c0 "./c" {\n}\noutput o {\n  value = c0[@]\n}\n',
    "config w string {\n  __logicalName = @\n  default = \"a\"\n}\noutput v {\n  __logicalName = @\n  value = w\n}\n",
)
FACTS: Final = ("name", "description", "main")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> pclgen.SchemaStore:
    """The schema of the programs."""
    folder = tmp_path_factory.mktemp("schemas")
    (folder / "shop.json").write_text(json.dumps(SCHEMA))
    return pclgen.SchemaStore([folder])


def generated(texts: Texts, store: pclgen.SchemaStore, *, name: str = "program") -> Mapping[str, Files]:
    """The files of a valid program."""
    result = pclgen.generate(texts, store=store, name=name)
    assert [d.message for d in result.diagnostics if d.severity == pclgen.Severity.ERROR] == []
    return result.files


def test_there_are_enough_positions_and_payloads() -> None:
    assert len(FREE) + len(NAMES) + len(REFUSED) >= 50
    assert len(TROUBLE) >= 200
    assert len(CHARACTERS) > 2000
    assert all(MARK in text for text in TROUBLE)


def test_the_readers_see_code() -> None:
    """Each reader detects the code that it looks for."""
    path = PurePosixPath
    bad = {
        "python": {path("__main__.py"): f"# x\r{CALL}\n", path("requirements.txt"): "a\n--index-url=x\n"},
        "typescript": {path("index.ts"): f"// x\u2028{CALL}\n", path("package.json"): '{"scripts": {}, "dependencies": {}}'},
        "go": {path("main.go"): f"package main\n\nvar x = {CALL}\n", path("go.mod"): "module x\nreplace a => b\n"},
    }
    settings = {"go": {path("Pulumi.yaml"): "name: x\nplugins: {}\n", path("x.go"): "package main\n// \x01"}}
    with pytest.raises(AssertionError):
        faults({"settings": settings})
    del settings["go"][path("x.go")]
    directive = {"go": {path("main.go"): "//go:build x\npackage main\n"}, "python": {path("x.py"): "import a.Q9.b as Q9\n"}}
    result = faults({"bad": bad, "settings": settings, "directive": directive})
    assert len(result["bad"]) >= 6 and result["settings"] and len(result["directive"]) == 2


def test_texts(store: pclgen.SchemaStore) -> None:
    """Positions that accept any text: one program for each, with all payloads."""
    projects = {name: generated(position(TROUBLE), store) for name, position in FREE.items()}
    assert faults(projects) == {}


def test_names(store: pclgen.SchemaStore) -> None:
    """Names of things in a program: every hundredth character, and all beginnings of code."""
    texts = [f"x{text}" for text in TROUBLE] + [f"x{c}{CALL}" for c in CHARACTERS if not c.isalnum()][::5]
    texts = list({unicodedata.normalize("NFC", text): None for text in texts})
    projects = {name: generated(main(each(form, map(quoted, texts))), store) for name, form in NAMES.items()}
    assert faults(projects) == {}


def test_names_that_become_code_are_held_to_a_grammar(store: pclgen.SchemaStore) -> None:
    for name, form in REFUSED.items():
        for payload in TROUBLE:
            text = quoted(payload)
            source = form.replace("#N", "0").replace("@@", text[1:-1]).replace("@", text)
            diagnostics = pclgen.check({"main.pp": source}, store=store, lenient=True).diagnostics
            assert any(d.severity == pclgen.Severity.ERROR for d in diagnostics), (name, payload)


def test_directories_of_components(store: pclgen.SchemaStore) -> None:
    """A directory becomes a class, a file and a token; each directory has its own program, and another program has all."""
    directories = [f"d{text.replace('/', '')}" for text in TROUBLE]
    directories += [f"x{CHARACTERS[at : at + 60].replace('/', '')}{CALL}" for at in range(0, len(CHARACTERS), 60)]
    directories = list(dict.fromkeys(directories))
    inside = "config n int {\n}\noutput out {\n  value = n\n}\n"
    uses = each("component c#N @ {\n  n = 1\n}\noutput o#N {\n  value = c#N.out\n}\n", [quoted(f"./{d}") for d in directories])
    everything = {"main.pp": uses, **{f"{directory}/main.pp": inside for directory in directories}}
    files = generated(everything, store)
    for language, own in files.items():
        assert len({str(path).casefold() for path in own}) == len(own) > len(directories), language
        assert all(path.stem.isidentifier() or language != "python" for path in own if path.suffix == ".py")
        assert all(not set(str(path)) & set('\\/:*?"<>|\n\r\t') for path in own)
    assert faults({"components": files}) == {}


def test_inputs_and_outputs_of_components(store: pclgen.SchemaStore) -> None:
    projects = {}
    for payload in TROUBLE:
        use, inside = (form.replace("@", quoted(f"x{payload}")) for form in PLACES_IN_A_COMPONENT)
        projects[payload] = generated({"main.pp": use, "c/main.pp": inside}, store)
    assert faults(projects) == {}


def test_texts_of_schemas(tmp_path: Path) -> None:
    """Values and names of enum members, constants, tags of unions and documentation."""
    values = list(dict.fromkeys([*TROUBLE, *(f"{c}{CALL}" for c in CHARACTERS[::12])]))
    properties: dict[str, Any] = {
        f"p{at}": {"$ref": f"#/types/shop:index:E{at}", "description": text, "deprecationMessage": text}
        for at, text in enumerate(values)
    }
    properties |= {f"c{at}": {"type": "string", "const": text} for at, text in enumerate(values)}
    content = {
        "name": "shop",
        "version": "1.2.3",
        "description": values[0],
        "resources": {"shop:index:Server": {"inputProperties": properties, "description": "\n".join(values)}},
        "types": {
            f"shop:index:E{at}": {
                "type": "string",
                "description": text,
                "enum": [{"value": text, "name": text, "description": text}, {"value": f"v{text}"}],
            }
            for at, text in enumerate(values)
        },
    }
    (tmp_path / "shop.json").write_text(json.dumps(content))
    members = each("  p#N = @\n", map(quoted, values)) + each("  c#N = @\n", map(quoted, values))
    unnamed = each("  p#N = @\n", [quoted(f"v{text}") for text in values])
    source = f"{WEB}{members}}}\n{WEB.replace('web', 'other')}{unnamed}}}\n"
    texts = unicodedata.normalize("NFC", source)
    result = pclgen.generate(main(texts), schemas=[tmp_path])
    wrong = {d.primary.start_position.line for d in result.diagnostics if d.severity == pclgen.Severity.ERROR and d.primary}
    lines = [line for at, line in enumerate(texts.split("\n"), 1) if at not in wrong]
    assert len(wrong) < 20, "only texts that are not in the form NFC are other texts in a program"
    assert faults({"schema": generated(main("\n".join(lines)), pclgen.SchemaStore([tmp_path]))}) == {}


def test_facts_of_the_project(tmp_path: Path, store: pclgen.SchemaStore) -> None:
    """Names of programs and the other settings of `Pulumi.yaml`."""
    projects = {f"program {text}": generated(main("a = 1\n"), store, name=text) for text in TROUBLE}
    for at, text in enumerate(TROUBLE):
        folder = tmp_path / str(at)
        folder.mkdir()
        (folder / "main.pp").write_text("a = 1\n")
        (folder / "Pulumi.yaml").write_text(json.dumps({"name": text, "description": text}))
        projects[f"settings {text}"] = pclgen.generate(folder, store=store).files
    assert all(projects.values())
    assert faults(projects) == {}
