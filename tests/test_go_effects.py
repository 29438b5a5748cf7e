"""Go keeps unread calls of package functions and methods for their side effects, whatever their names.

The names are those of pure functions and methods of the SDK.
"""

from __future__ import annotations

import json
from pathlib import Path

import pclgen
from pclgen.targets.names import title
from tests.support.corpus import needs_corpus
from tests.support.generated import REAL_SCHEMAS

NAMES = ("all", "allOf", "any", "anyOf", "toText", "toOutput", "sprintf", "string", "jsonText", "min")
METHODS = ("elem", "index", "mapIndex", "toStringOutput", "stack", "try", "encodeToString")


def test_functions_and_methods_of_any_name_are_asked(tmp_path: Path) -> None:
    result = {"properties": {"text": {"type": "string"}}, "required": ["text"]}
    receiver = {"properties": {"__self__": {"$ref": "#/resources/strings:index:Thing"}}, "required": ["__self__"]}
    functions = {f"strings:index:{name}": {"outputs": result} for name in NAMES}
    methods = {f"strings:index:Thing/{name}": {"inputs": receiver, "outputs": result} for name in METHODS}
    thing = {"methods": {name: f"strings:index:Thing/{name}" for name in METHODS}}
    package = {
        "name": "strings",
        "version": "1.0.0",
        "functions": functions | methods,
        "resources": {"strings:index:Thing": thing},
    }
    (tmp_path / "strings-1.0.0.json").write_text(json.dumps(package), encoding="utf-8")
    lines = [f'unused{at} = invoke("strings:index:{name}", {{}})' for at, name in enumerate(NAMES)]
    lines += ['resource thing "strings:index:Thing" {}']
    lines += [f'ignored{at} = call(thing, "{name}", {{}})' for at, name in enumerate(METHODS)]
    generated = pclgen.generate({"main.pp": "\n".join(lines)}, schemas=[tmp_path], languages=["go"])
    assert pclgen.render_diagnostics(generated.diagnostics) == ""
    text = next(text for path, text in generated.files["go"].items() if path.name == "main.go")
    assert [name for name in NAMES if f"strings.{title(name)}Output(ctx" not in text] == []
    assert [name for name in METHODS if f"thing.{title(name)}(ctx" not in text] == []


def main_of(text: str) -> str:
    """The Go code of a program without packages."""
    [program] = pclgen.generate({"main.pp": text}, schemas=[], languages=["go"], program_only=True).files["go"].values()
    return program


def test_settings_that_nobody_reads_are_read_only_where_they_may_be_wrong() -> None:
    text = """
config "text" "string" { nullable = true }
config "name" "string" { default = "x" }
config "count" "int" { default = 1 }
config "must" "string" {}
"""
    program = main_of(text)
    assert 'cfg.Try("' not in program
    assert '_, err := cfg.TryInt("count")\n\t\tif err != nil && !errors.Is(err, config.ErrMissingVar) {' in program
    assert 'cfg.Require("must")' in program


def test_a_member_is_read_once_where_a_condition_has_found_it() -> None:
    text = """
config f bool {}
x = { n = f ? null : 5, t = f ? "a" : null }
output o { value = x.n == null ? 0 : x.n + x.n }
output p { value = x.n != null && x.t != null ? "${x.t}${x.n}" : "none" }
"""
    program = main_of(text)
    assert program.count('x["n"].(*int)') == 2  # one per output
    assert program.count('x["t"].(*string)') == 1


def test_an_element_that_is_compared_with_null_is_read_as_it_may_be_past_the_end() -> None:
    text = """
config names "list(string)" { default = [] }
config tags "map(string)" { default = {} }
unused = try(names[0].uses, 1)
output o { value = names[2] == null ? 1 : 2 }
output p { value = tags["a"] == null ? 1 : 2 }
"""
    program = main_of(text)
    assert program.count("_ = ") == 1
    assert "\t\t_ = names[2]\n\t\tctx.Export" in program


@needs_corpus
def test_a_map_with_computed_keys_is_no_object_of_a_package() -> None:
    """The output, which uses the resource, has no diagnostic of its own."""
    text = """
config day string {}
policy = { "${day}" = "monday" }
resource c "digitalocean:index:KubernetesCluster" {
  region            = "nyc1"
  version           = "1"
  nodePool          = { name = "a", size = "s" }
  maintenancePolicy = policy
}
output name { value = c.name }
"""
    generated = pclgen.generate({"main.pp": text}, schemas=[REAL_SCHEMAS], languages=["go"])
    assert [(problem.code, str(problem.primary)) for problem in generated.diagnostics] == [("PCL0901", "main.pp:8:23")]
