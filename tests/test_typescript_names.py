"""The names of variables in TypeScript: exports keep their names, and no name shadows a name that is used below it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from pclgen import pipeline
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.targets.scopes import Scope
from pclgen.targets.typescript import build, program
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.names import assign_names
from pclgen.targets.typescript.tree import outline
from tests.support import random_programs
from tests.support.corpus import ROOT
from tests.support.typescript_target import typescript_files, typescript_text
from tests.test_names_everywhere import programs

ONE = ts.Number("1")


def constants(*variables: ts.Variable) -> tuple[ts.Statement, ...]:
    return tuple(build.declare(variable, ONE) for variable in variables)


def test_the_first_preferred_name_that_is_free() -> None:
    first, second, third = (ts.Variable(("web", "webResource")) for _ in range(3))
    names = assign_names(constants(first, second, third))
    assert [names[variable] for variable in (first, second, third)] == ["web", "webResource", "web2"]


def test_what_is_exported_comes_first_and_what_yields_last() -> None:
    config, local, output = ts.Variable(("config",), yields=True), ts.Variable(("config",)), ts.Variable(("size",))
    before = ts.Variable(("size",))
    statements = (*constants(config, local, before), ts.Commented(ts.Declare((output,), ONE, exported=True)))
    names = assign_names(statements)
    assert [names[variable] for variable in (config, local, before, output)] == ["config2", "config", "size2", "size"]


def test_names_that_are_taken_and_parameters_of_the_constructor() -> None:
    parameter, local, other = ts.Variable(("args",)), ts.Variable(("args",)), ts.Variable(("toJson",))
    names = assign_names(constants(local, other), taken={"toJson"}, parameters=(parameter,))
    assert [names[variable] for variable in (parameter, local, other)] == ["args", "args2", "toJson2"]


def test_types_and_variables_are_apart() -> None:
    variable, type_ = ts.Variable(("Size",)), ts.Variable(("Size",))
    names = assign_names(constants(variable), types=(type_,))
    assert names[variable] == names[type_] == "Size"


def test_a_function_hides_only_what_it_does_not_use() -> None:
    outer, hiding, avoiding = (ts.Variable(("x",)) for _ in range(3))
    functions = ts.Array(
        (
            build.arrow([hiding], ts.Name(hiding)),
            build.arrow([avoiding], ts.Binary("+", ts.Name(outer), ts.Name(avoiding))),
        )
    )
    names = assign_names((*constants(outer), ts.Do(functions)))
    assert [names[variable] for variable in (outer, hiding, avoiding)] == ["x", "x", "x2"]


@pytest.mark.parametrize("name", ["Object", "pulumi"])
def test_nothing_hides_globals_and_imports(name: str) -> None:
    inner = ts.Variable((name,))
    assert assign_names((ts.Do(build.arrow([inner], ts.Name(inner))),), imported=("pulumi",))[inner] == f"{name}2"


def test_a_function_hides_helpers_that_it_does_not_call() -> None:
    caller, other = ts.Variable(("isEqual",)), ts.Variable(("isEqual",))
    call = ts.Call(ts.Helper("isEqual"), (ts.Name(caller), ONE))
    names = assign_names((ts.Do(build.arrow([caller], call)), ts.Do(build.arrow([other], ts.Name(other)))), taken={"isEqual"})
    assert [names[variable] for variable in (caller, other)] == ["isEqual2", "isEqual"]


def test_members_of_an_object_that_is_taken_apart_have_the_names_of_the_variables() -> None:
    size = "\n".join(f'config "v{at}" "string" {{\n  secret = true\n}}' for at in range(9))
    text = typescript_text(f'{size}\noutput o {{\n  value = max({", ".join(f"length(v{at})" for at in range(9))})\n}}\n')
    assert "pulumi\n    .output({ v0, v1, v2, v3, v4, v5, v6, v7, v8 })" in text


def test_what_pclgen_binds_itself_hides_no_variable_of_the_program() -> None:
    """`i` and `_` of functions that are not in the program, and the variable of a loop whose count is a variable."""
    text = typescript_text(
        "i = 4\n_ = 5\n"
        "output a {\n  value = [for x in range(i, 9) : x]\n}\n"
        'output b {\n  value = [for k, v in ["x"] : "${_}${k}"]\n}\n'
        'resource web "probe:index:Thing" {\n  options {\n    range = i\n  }\n}\n'
    )
    assert "(_, i2) => i + i2" in text
    assert "(_2, k) => `${_}${k}`" in text
    assert "for (let index = 0; index < i; index++)" in text


def test_the_constructor_of_a_component_keeps_its_parameters() -> None:
    body = 'config size int {}\nname = size + 1\nargs = name\noutput o {\n  value = [for name in ["a"] : "${name}${args}"]\n}\n'
    text = typescript_files('component c "./c" {\n  size = 1\n}', components={"c": body})["c.ts"]
    assert "const nameValue = " in text and "const argsValue = nameValue" in text and "(name) => " in text


def assert_nothing_hides(scope: Scope, spellings: ts.Spellings, around: Mapping[str, object]) -> int:
    """Check that every name in `scope` has its intended meaning; return the number of names."""
    own = [*scope.variables()]
    visible = {**around, **{spellings[variable]: variable for variable in own}}
    assert len({spellings[variable] for variable in own}) == len(set(own))
    count = 0
    for part in scope.parts:
        if isinstance(part, Scope):
            count += assert_nothing_hides(part, spellings, visible)
        elif isinstance(part, ts.Name):
            assert visible[spellings[part.variable]] is part.variable
            count += 1
        elif isinstance(part, ts.Global | ts.Imported | ts.Helper):
            assert visible.get(part.name, part.name) == part.name
            count += 1
    return count


def test_no_name_is_hidden_where_it_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0

    def looked_at(
        statements: list[ts.Statement], *, parameters: tuple[ts.Variable, ...], **others: Any
    ) -> ts.Spellings:
        nonlocal count
        names = assign_names(statements, parameters=parameters, **others)
        count += assert_nothing_hides(outline(statements, parameters), names, {})
        return names

    monkeypatch.setattr(program, "assign_names", looked_at)
    texts = [*programs().values()]
    texts += [{"main.pp": random_programs.program(seed, whole=seed % 2 == 0)} for seed in range(60)]
    store = SchemaStore([ROOT / "tests" / "schemas", ROOT / "examples" / "schemas"])
    for files in texts:
        result = pipeline.generate(program_in_memory("web", files), languages=("typescript",), store=store)
        assert result.ok
    assert count > 10_000
