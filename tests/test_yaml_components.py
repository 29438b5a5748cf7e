"""Components in Pulumi YAML: plugins in folders that a program lists in its packages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

import pytest

import pclgen
from pclgen.cli import app
from pclgen.core.program import ComponentUse, ConfigVariable
from pclgen.source.data import read_yaml
from pclgen.types.model import INT, STRING, list_of
from tests.support.counting import calls_of
from tests.support.yaml_programs import SCHEMA

LANGUAGES = ("python", "typescript", "go")
PROGRAM = """\
name: shop
runtime: yaml
packages: {web: ./web}
resources:
  site: {type: 'web:index:Site', properties: {label: a}}
outputs: {o: '${site.name}'}
"""
PLUGIN = """\
name: web
runtime: yaml
components:
  Site:
    inputs: {label: {type: string}}
    resources: {thing: {type: 'acme:Thing', properties: {name: '${label}'}}}
    outputs: {name: '${thing.name}'}
"""


@pytest.fixture(scope="module")
def schemas(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("schemas")
    (folder / "acme.json").write_text(json.dumps(SCHEMA))
    return folder


def with_plugin(plugin: str = PLUGIN, program: str = PROGRAM, **others: str) -> dict[str, str]:
    more = {f"web/{name}.yaml": text for name, text in others.items()}
    return {"Pulumi.yaml": program, "web/PulumiPlugin.yaml": plugin, **more}


def reported(files: Mapping[str, str], schemas: Path) -> list[tuple[str, str, str]]:
    """The code, the file and the text at the place of each diagnostic."""
    result = pclgen.check(files, schemas=[schemas]).diagnostics
    return [
        (diagnostic.code, *((at.file.name, at.text) if (at := diagnostic.primary) is not None else ("", "")))
        for diagnostic in result
    ]


def test_it_is_the_component_in_pcl(schemas: Path) -> None:
    """The component equals its equivalent in a PCL folder, except for places and the name of its folder."""
    pcl = {
        "main.pp": 'component site "./web/Site" { label = "a" }\noutput o { value = site.name }\n',
        "web/Site/main.pp": 'config label string {}\nresource thing "acme:Thing" { name = label }\noutput name { value = thing.name }\n',
    }
    own = pclgen.generate(with_plugin(), languages=LANGUAGES, schemas=[schemas], name="shop")
    other = pclgen.generate(pcl, languages=LANGUAGES, schemas=[schemas], name="shop")
    assert own.ok and other.ok
    for language in LANGUAGES:
        drop = {PurePosixPath("Pulumi.yaml")}
        first, second = ({p: t for p, t in r.files[language].items() if p not in drop} for r in (own, other))
        assert first == second


def test_inputs(schemas: Path) -> None:
    plugin = """\
name: web
runtime: {name: yaml}
components:
  Site:
    inputs:
      label: {type: string, description: Its name}
      count: {type: integer, default: 3}
      names: {type: array, items: {type: string}, default: []}
      pass-word: {type: string, secret: true, default: x}
    outputs: {name: '${label}${count}${names[0]}${pass-word}'}
"""
    program = pclgen.check(with_plugin(plugin), schemas=[schemas]).program
    assert program is not None
    [use] = [node for node in program.nodes if isinstance(node, ComponentUse)]
    assert use.component is not None and use.component.name == "Site"
    inputs = {node.logical_name: node for node in use.component.program.nodes if isinstance(node, ConfigVariable)}
    assert {name: (node.type, node.required, node.secret) for name, node in inputs.items()} == {
        "label": (STRING, True, False),
        "count": (INT, False, False),
        "names": (list_of(STRING), False, False),
        "pass-word": (STRING, False, True),
    }


def test_components_in_several_files_use_each_other(schemas: Path) -> None:
    more = "components:\n  Wrap:\n    resources: {inner: {type: 'web:Site', properties: {label: b}}}\n    outputs: {name: '${inner.name}'}\n"
    program = PROGRAM.replace("'web:index:Site', properties: {label: a}", "'web:index:Wrap'")
    result = pclgen.generate(with_plugin(program=program, more=more), languages=["python"], schemas=[schemas])
    assert result.ok, pclgen.render_diagnostics(result.diagnostics)
    assert {PurePosixPath("wrap.py"), PurePosixPath("web_site.py")} <= result.files["python"].keys()


def test_plugins_use_plugins(schemas: Path) -> None:
    plugin = """\
name: web
runtime: yaml
packages: {base: ../base}
components:
  Site:
    inputs: {label: {type: string}}
    resources: {inner: {type: 'base:index:Base', properties: {label: '${label}'}}}
    outputs: {name: '${inner.name}'}
"""
    files = {**with_plugin(plugin), "base/PulumiPlugin.yaml": PLUGIN.replace("web", "base").replace("Site", "Base")}
    assert reported(files, schemas) == []


def test_a_component_in_pcl_may_be_one(schemas: Path) -> None:
    pcl = {
        "main.pp": 'component site "./web/PulumiPlugin.yaml/Site" { label = "a" }\noutput o { value = site.name }\n',
        "web/PulumiPlugin.yaml": PLUGIN,
    }
    assert reported(pcl, schemas) == []


def test_comments_and_the_description_are_about_the_class(schemas: Path) -> None:
    plugin = PLUGIN.replace("  Site:\n", "  # Above it.\n  Site:\n    description: What it is.\n")
    result = pclgen.generate(with_plugin(plugin), languages=["python"], schemas=[schemas])
    text = result.files["python"][PurePosixPath("web_site.py")]
    assert text.index("Above it.") < text.index("What it is.") < text.index("def __init__")


def test_on_disk_the_project_has_no_package_of_what_is_compiled(schemas: Path, tmp_path: Path) -> None:
    (tmp_path / "web").mkdir()
    program = PROGRAM.replace("{web: ./web}", "{web: ./web/, acme: 1.2.3}")
    for name, text in with_plugin(program=program).items():
        (tmp_path / name).write_text(text)
    result = pclgen.generate(tmp_path, languages=["typescript"], schemas=[schemas])
    assert result.ok, pclgen.render_diagnostics(result.diagnostics)
    project = read_yaml(result.files["typescript"][PurePosixPath("Pulumi.yaml")])
    assert project["packages"] == {"acme": "1.2.3"}


WRONG: Mapping[str, tuple[str, list[tuple[str, str, str]]]] = {
    "an unknown key of a plugin": (f"{PLUGIN}resources: {{}}\n", [("PCL1205", "web/PulumiPlugin.yaml", "resources")]),
    "an unknown key of a component": (
        PLUGIN.replace("    inputs", "    input: {}\n    inputs"), [("PCL1205", "web/PulumiPlugin.yaml", "input")],
    ),
    "an unknown key of an input": (
        PLUGIN.replace("{type: string}", "{type: string, value: 1}"), [("PCL1205", "web/PulumiPlugin.yaml", "value")],
    ),
    "an unknown type of an input": (
        PLUGIN.replace("{type: string}", "{type: text}"), [("PCL1209", "web/PulumiPlugin.yaml", "text")],
    ),
    "an input without type and default": (
        PLUGIN.replace("{type: string}", "{secret: true}"), [("PCL1206", "web/PulumiPlugin.yaml", "label")],
    ),
    "a component that is a list": ("name: web\nruntime: yaml\ncomponents: {Site: [a]}\n",
        [("PCL1204", "web/PulumiPlugin.yaml", "[a]")]),
    "components that are a text": ("name: web\nruntime: yaml\ncomponents: none\n",
        [("PCL1204", "web/PulumiPlugin.yaml", "none")]),
    "no YAML": ("name: web\nruntime: yaml\ncomponents: [\n", [("PCL1201", "web/PulumiPlugin.yaml", "")]),
    "a name of the program": (PLUGIN.replace("'${label}'", "'${site}'"), [("PCL0501", "web/PulumiPlugin.yaml", "site")]),
    "a setting of the stack": (PLUGIN.replace("'${label}'", "'${aws:region}'"), [("PCL0501", "web/PulumiPlugin.yaml", "aws:region")]),
    "a name that is an input and a resource": (
        PLUGIN.replace("{thing:", "{label:").replace("thing.", "label."), [("PCL1207", "web/PulumiPlugin.yaml", "label")],
    ),
    "a component that uses itself": (
        PLUGIN.replace("acme:Thing', properties: {name:", "web:index:Site', properties: {label:"),
        [("PCL0802", "web/PulumiPlugin.yaml", "'web:index:Site'")],
    ),
    "another component": (PLUGIN.replace("Site", "Page"), [("PCL0705", "Pulumi.yaml", "'web:index:Site'")]),
}  # fmt: skip  # a table


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_has_its_place(what: str, schemas: Path) -> None:
    plugin, expected = WRONG[what]
    result = reported(with_plugin(plugin), schemas)
    assert [(code, file) for code, file, _ in result] == [(code, file) for code, file, _ in expected]
    if expected[0][2]:
        assert [text for _, _, text in result] == [text for _, _, text in expected]


def test_a_component_in_two_files(schemas: Path) -> None:
    assert reported(with_plugin(more="components: {Site: {}}\n"), schemas) == [("PCL1207", "web/more.yaml", "Site")]


def test_lenient_passes_over_unknown_keys(schemas: Path) -> None:
    plugin = PLUGIN.replace("    inputs", "    input: {}\n    inputs")
    result = pclgen.check(with_plugin(plugin), schemas=[schemas], lenient=True)
    assert result.ok and [diagnostic.code for diagnostic in result.diagnostics] == ["PCL1205"]


def test_components_in_the_program_itself_say_where_they_belong(schemas: Path) -> None:
    """Pulumi's runtime also refuses components in a program (pulumi-yaml#917)."""
    files = {"Pulumi.yaml": "runtime: yaml\nname: a\noutputs: {o: 1}\ncomponents: {}\n"}
    [diagnostic] = pclgen.check(files, schemas=[schemas]).diagnostics
    assert diagnostic.code == "PCL1205" and diagnostic.help is not None and "PulumiPlugin.yaml" in str(diagnostic.help)


def test_a_plugin_in_another_language_is_left_to_pulumi(schemas: Path) -> None:
    result = reported(with_plugin("runtime: nodejs\n"), schemas)
    assert [(code, text) for code, _, text in result] == [("PCL0302", "'web:index:Site'")]
    pcl = {"main.pp": 'component site "./web/PulumiPlugin.yaml/Site" {}\n', "web/PulumiPlugin.yaml": "runtime: nodejs\n"}
    assert [code for code, _, _ in reported(pcl, schemas)] == ["PCL0705"]


def test_a_program_with_them_as_pcl(tmp_path: Path, schemas: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`fmt --from yaml` names the components themselves, and the PCL program gives the same code."""
    for name, text in with_plugin().items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert app.main(["fmt", str(tmp_path / "Pulumi.yaml"), "--from", "yaml"]) == 0
    text = capsys.readouterr().out
    assert 'component site "./web/PulumiPlugin.yaml/Site" {' in text
    plugin = {name: text for name, text in with_plugin().items() if name.startswith("web/")}
    results = [
        pclgen.generate(files, schemas=[schemas], languages=LANGUAGES, program_only=True)
        for files in (with_plugin(), {"main.pp": text, **plugin})
    ]
    assert [pclgen.render_diagnostics(result.diagnostics) for result in results] == ["", ""]
    assert results[0].files == results[1].files


def test_a_plugin_is_no_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "PulumiPlugin.yaml").write_text(PLUGIN)
    assert app.main(["check", str(tmp_path)]) == 2
    errors = capsys.readouterr().err
    assert "is a plugin (PulumiPlugin.yaml), not a program" in errors
    assert "name this folder in `packages`" in errors


def test_a_plugin_is_read_once(schemas: Path) -> None:
    """Calls grow linearly with the number of components, not quadratically."""

    def calls(count: int) -> int:
        body = PLUGIN.partition("components:\n")[2]
        plugin = PLUGIN.partition("  Site:")[0] + "".join(body.replace("Site", f"Site{number}") for number in range(count))
        uses = "".join(
            f"  site{number}: {{type: 'web:index:Site{number}', properties: {{label: a}}}}\n" for number in range(count)
        )
        program = PROGRAM.partition("  site:")[0] + uses
        files = with_plugin(plugin, program)
        assert reported(files, schemas) == []
        return calls_of(lambda: reported(files, schemas))

    assert calls(40) < 4.4 * calls(10)
