"""Go names are assigned when the files are complete: for packages, for things that the program names, for the rest."""

from __future__ import annotations

from collections.abc import Mapping

import pclgen
from pclgen.targets.go import build as make
from pclgen.targets.go import tree as go
from pclgen.targets.go.names import PREDECLARED
from pclgen.targets.go.naming import Import, NameAssignment, assign_names
from pclgen.targets.names import NameTable
from tests.support.corpus import ROOT

ONE = make.number(1)


def assigned(
    *body: go.Statement, own: Mapping[go.Variable, str] | None = None, helpers: tuple[str, ...] = ()
) -> NameAssignment:
    """The names of a file with a function of these statements."""
    function = go.FunctionDeclaration(name="run", body=body)
    declarations: tuple[go.Declaration, ...] = (function, *(go.HelperDeclaration(name=helper) for helper in helpers))
    file = go.File(declarations=declarations, own=own or {})
    return assign_names(file, NameTable({*PREDECLARED, *helpers}, separator=""))


def names(assignment: NameAssignment, *variables: go.Variable) -> list[str]:
    return [assignment.spellings.variables[variable] for variable in variables]


def use(*values: go.Expr) -> go.Statement:
    return go.ExpressionStatement(expression=make.builtin("println", *values))


def package(path: str) -> go.Package:
    last = path.rsplit("/", 1)[-1]
    return go.Package(path=path, clause=last, preferred_name=last)


def call(path: str) -> go.Expr:
    return make.call(go.Qualified(package=package(path), name="F"))


def test_what_the_program_has_named_comes_first() -> None:
    before, size, after = (make.variable("size") for _ in range(3))
    body = [make.define([v], ONE) for v in (before, size, after)]
    assert names(assigned(*body, own={size: "Config"}), before, size, after) == ["sizeValue", "size", "size2"]


def test_names_of_what_is_not_in_the_file_are_free() -> None:
    gone, there = make.variable("size"), make.variable("size")
    assert names(assigned(make.define([there], ONE), own={gone: "Config"}), there) == ["size"]


def test_two_nodes_of_one_name() -> None:
    first, second, third = make.variable("my-size"), make.variable("mySize"), make.variable("my_size")
    body = [make.define([v], ONE) for v in (first, second, third)]
    own = {first: "Config", second: "mySizeValue", third: "mySizeValue"}
    assert names(assigned(*body, own=own), first, second, third) == ["mySize", "mySizeValue", "mySize2"]


def test_no_name_hides_one_around_it() -> None:
    outer, inner, parameter, sibling = (make.variable("item") for _ in range(4))
    function = make.function([(parameter, make.ANY)], [], [use(go.Name(parameter))])
    body = (
        go.If(condition=make.TRUE, body=(make.define([sibling], ONE),)),
        make.define([outer], ONE),
        go.ForRange(key=None, value=inner, collection=go.Name(outer), body=(use(go.Name(inner), function),)),
    )
    assert names(assigned(*body), sibling, outer, inner, parameter) == ["item", "item", "item2", "item3"]


def test_a_value_does_not_see_the_variable_that_it_is_for() -> None:
    variable, parameter = make.variable("text"), make.variable("text")
    function = make.function([(parameter, make.ANY)], [], [use(go.Name(parameter))])
    assert names(assigned(make.define([variable], make.call(function))), parameter, variable) == ["text", "text"]


def test_fixed_names_are_what_they_are() -> None:
    err, ctx, name = make.variable("err"), make.variable("ctx"), make.variable("name")
    body = [make.define([err, make.ERR.variable], ONE), make.define([ctx], ONE), make.define([name], ONE)]
    inner = go.If(condition=make.TRUE, body=(make.define([make.ERR.variable], ONE),))
    assignment = assigned(*body, inner)
    assert names(assignment, err, make.ERR.variable, ctx, name) == ["err2", "err", "ctx2", "name"]
    constructor = [make.define([make.NAME.variable], ONE), *body]
    assert names(assigned(*constructor), name) == ["name2"]


def test_variables_give_way_to_packages_and_helpers() -> None:
    random, decode = make.variable("random"), make.variable("decode")
    body = (make.define([random], call("x/random")), make.define([decode], make.call(go.Helper(key="decode"))))
    own = {random: "randomPet", decode: "decodeValue"}
    assert names(assigned(*body, own=own, helpers=("decode",)), random, decode) == ["randomPet", "decodeValue"]
    assert names(assigned(*body[1:], own=own), decode) == ["decode"], "no helper of this name is in the project"


def test_packages_of_one_name() -> None:
    paths = ("a/v2/net", "b/net", "c/b/net", "d/v3/fmt", "e/args")
    assignment = assigned(*(use(call(path)) for path in paths), helpers=("entryOf",))
    assert [assignment.spellings.packages[package(path)] for path in paths] == ["net", "bnet", "net2", "dfmt", "eargs"]
    assert assignment.imports == (
        Import(path="a/v2/net"),
        Import(path="b/net", alias="bnet"),
        Import(path="c/b/net", alias="net2"),
        Import(path="d/v3/fmt", alias="dfmt"),
        Import(path="e/args", alias="eargs"),
        Import(path="fmt"),
    ), "helpers call `fmt` by its name"


def test_names_of_helpers_and_packages_that_a_program_has() -> None:
    text = """
resource random "random:index/randomPet:RandomPet" { prefix = fmt }
config fmt string {}
config decode string {}
text = "${decode}-x"
output whole { value = text }
output pet { value = random.id }
"""
    result = pclgen.generate(
        {"main.pp": text},
        schemas=[ROOT / "examples" / "schemas"],
        languages=["go"],
        program_only=True,
    )
    assert pclgen.render_diagnostics(result.diagnostics) == ""
    [(_, program)] = result.files["go"].items()
    assert "randomPet, err := random.NewRandomPet(" in program
    assert 'decode := cfg.Require("decode")' in program
