"""The dependencies of bound programs, and their drawings."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from itertools import combinations
from xml.etree import ElementTree

import pytest
from msgspec.structs import force_setattr

from pclgen.core.program import Program
from pclgen.core.walk import symbol_of
from pclgen.diagnostics.model import DiagnosticBag, Severity
from pclgen.graph.dependencies import dependency_graph, node_name, order_nodes
from pclgen.graph.export import Box, groups_of, layout, to_dot, to_html, to_json, to_mermaid, to_svg
from pclgen.languages import LANGUAGES
from pclgen.pipeline import generate
from pclgen.pipeline import graph as draw
from pclgen.source.load import program_in_memory
from tests.support.binding import SCHEMAS, bind_text
from tests.support.corpus import ROOT

EXAMPLES = ROOT / "examples"
SVG = "{http://www.w3.org/2000/svg}"

WEB = """
config size int {}
resource inner "probe:index:Thing" {
  size = size
}
output name {
  value = inner.out
}
"""


def bound(text: str, components: dict[str, str] | None = None) -> Program:
    program, diagnostics = bind_text(text, components=components)
    assert [d.message for d in diagnostics if d.severity is Severity.ERROR] == []
    return program


def needs(text: str) -> dict[str, list[str]]:
    """Map each node to the names it refers to, in the order of its references."""
    graph = dependency_graph(bound(text).nodes)
    return {node_name(node): [node_name(target) for target in graph.successors(node)] for node in graph}


def names_in_order(program: Program) -> list[str]:
    bag = DiagnosticBag()
    ordered = order_nodes(program.nodes, bag)
    assert len(bag) == 0
    return [node_name(node) for node in ordered]


def test_references_anywhere_in_a_node_count() -> None:
    dependencies = needs(
        """
        r = "x"
        resource t "probe:index:Thing" {
          label = "${r}-1"
          tags  = { (r) = r }
          options {
            range     = length(names)
            protect   = flag
            dependsOn = [u]
          }
        }
        resource u "probe:index:Thing" {}
        config names "list(string)" {}
        config flag bool {}
        """
    )
    assert sorted(dependencies["t"]) == ["flag", "names", "r", "u"]


def test_loop_variables_and_functions_are_not_nodes() -> None:
    dependencies = needs('item = "a"\nlength = [for item in ["b"] : item]\nn = length(["x"])\n')
    assert dependencies == {"item": [], "length": [], "n": []}


def test_property_paths_are_not_references() -> None:
    dependencies = needs('label = "l"\nresource t "probe:index:Thing" {\n  options { ignoreChanges = [label] }\n}\n')
    assert dependencies["t"] == []


def test_definitions_come_before_uses_and_source_order_stays_otherwise() -> None:
    program = bound('c = "${a}${b}"\na = "1"\nd = "2"\nb = d\n')
    assert names_in_order(program) == ["a", "d", "b", "c"]


def test_components_may_need_each_other() -> None:
    part = 'config v any {}\noutput w {\n  value = v\n}\n'
    text = 'component a "./p" {\n  v = b.w\n}\ncomponent b "./p" {\n  v = a.w\n}\nz = b.w\n'
    program = bound(text, {"./p": part, "p": part})
    assert names_in_order(program) == ["a", "b", "z"]


def test_an_edge_knows_the_place_of_its_first_reference() -> None:
    program = bound('a = "1"\nb = "${a}${a}"\nc = "x"\n')
    graph = dependency_graph(program.nodes)
    assert sorted(node_name(node) for node in graph) == ["a", "b", "c"]
    ((source, target, data),) = graph.edges(data=True)
    assert (node_name(source), node_name(target)) == ("b", "a")
    assert data["span"].start_position.line == 2


SITE = """
resource site "probe:index:Thing" {
  label = "x"
}
component web "./web" {
  size = site.int
}
component second "./web" {
  size = 2
}
output text {
  value = web.name
}
"""


def site() -> Program:
    return bound(SITE, {"./web": WEB, "web": WEB})


def test_json_has_positions_kinds_and_components() -> None:
    document = json.loads(to_json(site()))
    assert [(node["kind"], node["name"], node["line"]) for node in document["nodes"]] == [
        ("resource", "site", 2),
        ("component", "web", 5),
        ("component", "second", 8),
        ("output", "text", 11),
    ]
    assert document["nodes"][0]["token"] == "probe:index:Thing"
    named = {node["id"]: node["name"] for node in document["nodes"]}
    edges = [(named[e["from"]], named[e["to"]], e["line"], e["column"]) for e in document["edges"]]
    assert edges == [("web", "site", 6, 10), ("text", "web", 12, 11)]
    (component,) = document["components"]
    assert [node["name"] for node in component["nodes"]] == ["size", "inner", "name"]
    assert len(component["edges"]) == 2


def test_a_component_is_drawn_once_and_its_uses_lead_to_it() -> None:
    text = to_dot(site())
    assert text.count("subgraph") == 1
    assert text.count("style=dotted") == 2
    assert to_mermaid(site()).count("-.->") == 2


def test_mermaid_labels_are_quoted() -> None:
    text = to_mermaid(site())
    assert 'n0["resource site<br>probe:index:Thing"]' in text
    assert "  n1 --> n0" in text


def test_hostile_names_are_quoted(tmp_path: object) -> None:
    program = bound('resource r "probe:index:Thing" {}\n')
    (node,) = program.nodes
    symbol = symbol_of(node)
    assert symbol is not None
    hostile = 'a"] --> b; }\\\n<script>'
    force_setattr(symbol, "name", hostile)
    mermaid = to_mermaid(program)
    assert "<script" not in mermaid
    assert mermaid.count("]") == 1
    assert json.loads(to_json(program))["nodes"][0]["name"] == hostile
    if shutil.which("dot") is not None:
        drawn = subprocess.run(["dot", "-Tplain"], input=to_dot(program), text=True, capture_output=True, check=False)
        assert drawn.returncode == 0
    assert to_dot(program).count("\n") == 5
    for picture in (to_svg(program), to_html(program)):
        assert "<script" not in picture
    texts = "".join(ElementTree.fromstring(to_svg(program)).itertext())
    assert 'resource a"] --> b; }\\\\x0a<script>' in texts


def apart(first: Box, second: Box) -> bool:
    across = first.x + first.width <= second.x or second.x + second.width <= first.x
    return across or first.y + first.height <= second.y or second.y + second.height <= first.y


CIRCLE = 'component a "./p" {\n  v = b.w\n}\ncomponent b "./p" {\n  v = a.w\n}\nz = b.w\n'


@pytest.mark.parametrize("text", [SITE, CIRCLE, "", *(program.read_text() for program in sorted(EXAMPLES.glob("*/main.pp")))])
def test_a_picture_has_every_node_and_edge_and_nothing_overlaps(text: str) -> None:
    program, _ = bind_text(text, components={"./web": WEB, "web": WEB, "./p": PART, "p": PART}, lenient=True)
    picture = ElementTree.fromstring(to_svg(program))
    graph = json.loads(to_json(program))
    groups = [graph, *graph["components"]]
    assert len(picture.findall(f"{SVG}g")) == sum(len(group["nodes"]) for group in groups)
    arrows = [path for path in picture.findall(f"{SVG}path") if path.get("class") != "use"]
    assert len(arrows) == sum(len(group["edges"]) for group in groups)
    placed = layout(groups_of(program))
    assert all(apart(*pair) for boxes in (placed.boxes, placed.frames) for pair in combinations(boxes.values(), 2))
    for box in (*placed.boxes.values(), *placed.frames.values()):
        assert box.x >= 0 and box.x + box.width <= placed.width and box.y + box.height <= placed.height


def test_what_needs_others_stands_left_of_them_and_cycles_are_marked() -> None:
    program = bound("a = 1\nb = a\nc = [a, b]\n")
    (group,) = groups_of(program)
    boxes = layout([group]).boxes
    a, b, c = (boxes[node_id] for _, node_id in sorted(group.ids.items(), key=lambda item: node_name(item[0])))
    assert a.x > b.x + b.width and b.x > c.x + c.width
    picture = to_svg(bound(CIRCLE, {"./p": PART, "p": PART}))
    assert picture.count('<path class="cycle"') == picture.count('<rect class="cycle"') == 2


CYCLES = """\
a = b
b = [for x in [1] : "${x}${a}"]
reader = a
itself = itself
config size int { default = size }
resource first "probe:index:Thing" { label = second.out }
resource second "probe:index:Thing" {
  label = first.out
  options { dependsOn = [third] }
}
resource third "probe:index:Thing" {
  label = second.label
  options { range = length(first.out) }
}
component c "./p" { v = c }
output one { value = two.x }
two = { x = one }
output last { value = [first, itself, c.w] }
"""


def test_pictures_show_cycles_that_are_errors() -> None:
    sources = program_in_memory("app", {"main.pp": CYCLES, "p/main.pp": PART})
    drawn = draw(sources, schemas=[SCHEMAS], graph_format="svg")
    assert drawn.text is not None
    assert {d.code for d in drawn.diagnostics if d.severity is Severity.ERROR} == {"PCL0801"}
    needed = re.findall(r'<path (class="cycle" )?d[^>]*><title>(\w+) needs (\w+):', drawn.text)
    around = {(who, whom) for mark, who, whom in needed if mark}
    assert around == {
        *(("a", "b"), ("b", "a"), ("itself", "itself"), ("size", "size"), ("c", "c"), ("one", "two"), ("two", "one")),
        *(("first", "second"), ("second", "first"), ("second", "third"), ("third", "second"), ("third", "first")),
    }
    others = {("reader", "a"), ("last", "first"), ("last", "itself"), ("last", "c"), ("w", "v")}
    assert {(who, whom) for mark, who, whom in needed if not mark} == others
    assert drawn.text.count('<rect class="cycle"') == len({who for who, _ in around})
    assert draw(sources, schemas=[SCHEMAS], graph_format="html").text is not None
    assert draw(sources, schemas=[SCHEMAS], graph_format="json").text is None
    broken = program_in_memory("app", {"main.pp": CYCLES + "x = missing\n", "p/main.pp": PART})
    assert draw(broken, schemas=[SCHEMAS], graph_format="svg").text is None


def test_pictures_are_the_same_in_every_run() -> None:
    assert to_svg(site()) == to_svg(site())
    assert to_dot(site()) == to_dot(site())
    assert to_mermaid(site()) == to_mermaid(site())


@pytest.mark.parametrize("text", ["a = b\nb = a\n", "a = [for x in [1] : a]\n"])
def test_binding_refuses_cycles(text: str) -> None:
    codes = [d.code for d in bind_text(text)[1]]
    assert codes == ["PCL0801"]


PART = "config v any {}\noutput w {\n  value = v\n}\n"
MANY = 'component many "./p" {\n  v = %s\n  options {\n    range = 2\n  }\n}\n'
A, B = 'component a "./p" {\n  v = %s\n}\n', 'component b "./p" {\n  v = %s\n}\n'
WAITS = 'component a "./p" {\n  v = b.w\n  options {\n    dependsOn = [%s]\n  }\n}\n'


@pytest.mark.parametrize(
    ("text", "served"),
    [
        (A % "a.w", ["a"]),
        (A % "a", None),
        (A % "{k = [a]}", None),
        (A % "b" + B % "a.w", ["b", "a"]),
        (A % "b.w" + B % "{k = a}", ["a", "b"]),
        (A % "b" + B % "a", None),
        (WAITS % "b" + B % "a.w", ["b", "a"]),
        (WAITS % "b" + B % "a", None),
        (A % "many[*].w" + MANY % "a.w", ["a", "many"]),
        (A % "many[0].w" + MANY % "a.w", ["a", "many"]),
        (A % "many[0]" + MANY % "a.w", ["many", "a"]),
        (A % "many[0]" + MANY % "a", None),
        (A % "[for m in many : m.w]" + MANY % "a.w", ["a", "many"]),
        (A % "[for m in many : m]" + MANY % "a.w", ["many", "a"]),
        (A % "[for m in many : m]" + MANY % "a", None),
        (A % '[for m in many : "x"]' + MANY % "a.w", ["many", "a"]),
        (A % "length(many)" + MANY % "a", None),
        (A % '"${b.w}" == "" ? b.w : a.w' + B % "a.w", ["a", "b"]),
    ],
)
def test_components_in_a_cycle_give_outputs_and_not_themselves(text: str, served: list[str] | None) -> None:
    program, diagnostics = bind_text(text, components={"./p": PART, "p": PART})
    assert [d.code for d in diagnostics] == (["PCL0801"] if served is None else [])
    if served is not None:
        assert names_in_order(program) == served
        result = generate(
            program_in_memory("app", {"main.pp": text, "p/main.pp": PART}), languages=LANGUAGES, schemas=[SCHEMAS]
        )
        assert {d.code for d in result.diagnostics} <= {"PCL0901"}, result.diagnostics  # No target produces an invalid tree.
