"""Generated Python, executed with a stand-in for the SDK, computes the values that PCL defines."""

from __future__ import annotations

from pclgen.stdlib.checks import KEPT
from pclgen.stdlib.encoding import CANONICAL_JSON
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.targets.python import stdlib
from tests.support.python_target import python_files, python_run


def test_every_function_has_a_row() -> None:
    assert set(stdlib.FUNCTIONS) == {function.name for function in (*FUNCTIONS.values(), CANONICAL_JSON, KEPT)}


def test_an_explicit_falsy_value_is_kept() -> None:
    text = (
        'config a bool { default = true }\nconfig b int { default = 5 }\nconfig c string { default = "x" }\n'
        "config d string { default = null }\noutput o { value = [a, b, c, d == null] }"
    )
    assert python_run(text, config={"a": "false", "b": "0", "c": ""}).exports == {"o": [False, 0, "", True]}
    assert python_run(text).exports == {"o": [True, 5, "x", True]}


def test_a_default_that_is_known_later() -> None:
    text = 'config a string { default = invoke("probe:index:scalar", {}) }\noutput o { value = "${a}!" }'
    assert python_run(text).exports == {"o": "scalar!"}
    assert python_run(text, config={"a": "given"}).exports == {"o": "given!"}


def test_outputs_are_looked_through() -> None:
    outcome = python_run(
        """
        resource a "probe:index:Thing" {}
        output template { value = "${a.out}-${a.int}-${a.flag}-${a.list[0].inner.s}" }
        output loop { value = [for k, v in a.tags : "${k}=${v}"] }
        output splat { value = a.list[*].s }
        output choice { value = a.int > 2 ? a.names[0] : "none" }
        output absent { value = a.maybe == null ? "no" : a.maybe }
        output json { value = toJSON({ x = [a.out, 1] }) }
        output fallback { value = try(a.names[7], "none") }
        output number { value = a.int * 2 + length(a.names) }
        """
    )
    assert outcome.exports == {
        "template": "out-3-true-deep",
        "loop": ["a=1", "b=2"],
        "splat": ["i"],
        "choice": "x",
        "absent": "no",
        "json": '{"x": ["out", 1]}',
        "fallback": "none",
        "number": 8,
    }


def test_ranges() -> None:
    outcome = python_run(
        """
        config names "list(string)" {}
        config on bool {}
        resource n "probe:index:Thing" {
          options { range = 2 }
          int = range.value
        }
        resource l "probe:index:Thing" {
          options { range = names }
          out = "${range.key}-${range.value}"
        }
        resource m "probe:index:Thing" {
          options { range = { z = { n = 1, s = "x" }, y = { n = 2, s = "w" } } }
          out = range.value.s
          int = range.value.n
        }
        resource b "probe:index:Thing" {
          options { range = on }
        }
        resource o "probe:index:Thing" {
          options { range = n[0].names }
          out = range.value
        }
        output refs { value = [n[1].int, l[0].out, m["y"].int, o[1].out] }
        output all { value = [for k, r in m : "${k}:${r.out}"] }
        output maybe { value = b.out }
        """,
        config={"names": '["p"]', "on": "false"},
    )
    assert [name for _, name, _, _ in outcome.resources] == ["n-0", "n-1", "l-0", "m-y", "m-z", "o-0", "o-1"]
    assert outcome.exports == {"refs": [1, "0-p", 2, "y"], "all": ["y:w", "z:x"], "maybe": None}


def test_conversions() -> None:
    outcome = python_run(
        """
        config text string {}
        config ratio number {}
        config on bool {}
        resource a "probe:index:Thing" {
          int = text
          num = text
          flag = "true"
          out = ratio
          tags = { on = on, n = 3 }
          names = [ratio, on]
        }
        resource b "probe:index:Thing" {
          int = a.num
          out = a.flag
          flag = a.names[1]
        }
        """,
        config={"text": "12", "ratio": "2.0", "on": "true"},
    )
    assert outcome.inputs("a") == {
        "int": 12,
        "num": 12.0,
        "flag": True,
        "out": "2",
        "tags": {"on": "true", "n": "3"},
        "names": ["2", "true"],
    }
    assert outcome.inputs("b") == {"int": 12, "out": "true", "flag": True}


def test_components_plain_eventual_and_ranged() -> None:
    part = """
    config label string {}
    config sizes "list(int)" { default = [1, 2] }
    resource t "probe:index:Thing" { out = "<${label}>" }
    output shown { value = "${t.out}/${length(sizes)}" }
    output given { value = label }
    """
    outcome = python_run(
        """
        resource r "probe:index:Thing" {}
        component one "./part" { label = r.out }
        component many "./part" {
          options { range = ["x", "y"] }
          label = range.value
          sizes = [range.key]
        }
        output o { value = [one.shown, many[1].shown, many[*].given] }
        """,
        components={"part": part},
    )
    assert outcome.exports["o"] == ["<out>/2", "<y>/1", ["x", "y"]]
    assert outcome.exports["many-0"] == {"shown": "<x>/1", "given": "x"}
    assert [name for _, name, _, _ in outcome.resources] == ["r", "one", "one-t", "many-0", "many-0-t", "many-1", "many-1-t"]
    assert outcome.options("one-t")["parent"] is not None


def test_every_file_is_python_and_stays_so_under_black() -> None:
    from pclgen.format.python import format_python

    files = python_files(
        'config "größe" string {}\noutput "ä-b" { value = "${größe}\\n\\"" }\ncomponent c "./sub-part" {}',
        components={"sub-part": 'output x {\n  value = <<EOT\n  a \\ """ {}\nEOT\n}'},
    )
    assert all(format_python(text) == text for text in files.values())
