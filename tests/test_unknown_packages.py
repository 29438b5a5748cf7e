"""Lenient mode: resources and providers of packages without a schema, in every use that Go's static types can refuse."""

from __future__ import annotations

from itertools import product
from pathlib import Path

from tests.support.compilers import check_go
from tests.support.files import write_files
from tests.support.generated import generate

PROVIDERS = {
    "one": ("", "prov"),
    "counted": ("range = 2", "prov[1]"),
    "keyed": ('range = { a = "x" }', 'prov["a"]'),
}
"""Options of the provider, and how the program refers to it."""
OPTIONS = {
    "provider": "provider = {0}",
    "ranged": "range = 2\nprovider = {0}",
    "parent": "parent = {0}",
    "dependsOn": "dependsOn = [{0}]",
    "deletedWith": "deletedWith = {0}",
}
USES = {
    **{name: f'resource thing "other:index:Thing" {{{{\noptions {{{{\n{text}\n}}}}\n}}}}' for name, text in OPTIONS.items()},
    "read": 'read thing "other:index:Thing" {{\nid = "a"\noptions {{\nprovider = {0}\n}}\n}}',
    "providers": 'component thing "./part" {{\noptions {{\nproviders = [{0}]\n}}\n}}',
    "output": "output thing {{\nvalue = {0}.id\n}}",
    "local": "chosen = {0}\noutput thing {{\nvalue = chosen.urn\n}}",
    "list": "output thing {{\nvalue = [for p in [{0}] : p.urn]\n}}",
    "invoke": 'found = invoke("other:index:find", {{ name = "a" }}, {{ provider = {0} }})\noutput thing {{\nvalue = found.id\n}}',
}


def _program(options: str, path: str, use: str) -> dict[str, str]:
    provider = f'resource prov "pulumi:providers:other" {{\nregion = "x"\noptions {{\n{options}\n}}\n}}'
    part = {"part/part.pp": "output o {\nvalue = 1\n}\n"} if "./part" in use else {}
    return {"main.pp": f"{provider}\n{use.format(path)}\n", **part}


def test_go_type_checks(tmp_path: Path) -> None:
    programs: dict[str, Path] = {}
    for (kind, (options, path)), (name, use) in product(PROVIDERS.items(), USES.items()):
        folder = programs[f"{kind}-{name}"] = tmp_path / kind / name
        write_files(folder, _program(options, path, use))
    result = generate(programs, tmp_path / "out", schemas=(), languages=["go"], lenient=True)
    assert result.refused == {}
    assert {name: errors for name, errors in check_go(result.folders["go"]).items() if errors} == {}


SPLATS = {
    "ids": "thing[*].id",
    "members": "thing[*].name",
    "looped": "[for t in thing : t.id]",
    "nested": "[for t in [1] : thing[*].urn]",
    "of a map": "[for k, t in keyed : t.id]",
    "first": "thing[0].name",
}


def test_splats_over_resources_of_unknown_type_are_refused_at_their_place(tmp_path: Path) -> None:
    head = (
        'resource prov "pulumi:providers:other" {\nregion = "x"\n}\n'
        'resource thing "other:index:Thing" {\noptions {\nrange = 2\nprovider = prov\n}\n}\n'
        'resource keyed "other:index:Thing" {\noptions {\nrange = { a = 1 }\n}\n}\n'
    )
    programs = {name: tmp_path / name for name in SPLATS}
    for name, text in SPLATS.items():
        programs[name].mkdir()
        (programs[name] / "main.pp").write_text(f"{head}output o {{\nvalue = {text}\n}}\n")
    result = generate(programs, tmp_path / "out", schemas=(), languages=["go"], lenient=True)
    assert {code.partition(":")[0] for codes in result.refused.values() for code in codes} == {"PCL0901"}
    assert result.refused.keys() == SPLATS.keys()
