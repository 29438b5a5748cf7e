"""Constraints of types (language.md, Constraints).

The compiler checks known values, the running program all other values, with the same messages everywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from pclgen.diagnostics.model import Severity
from pclgen.evaluate.settings import ConfigValue
from tests.support.binding import bind_text
from tests.support.evaluation import evaluate
from tests.support.everywhere import LANGUAGES, run_everywhere
from tests.support.rules import for_all


@dataclass(frozen=True, slots=True)
class Case:
    """A label, a value that violates it and a value that satisfies it (in configuration), and the message."""

    label: str
    plain: str
    keeps: str
    says: str

    @property
    def value(self) -> str:
        """The violating value in PCL."""
        return self.plain if self.plain[0] in "[{-0123456789" else json.dumps(self.plain, ensure_ascii=False)


CASES: Mapping[str, Case] = {
    "minimum": Case("int(minimum=1)", "0", "1", ": must be at least 1, and is 0"),
    "maximum": Case("int(maximum=10)", "12", "10", ": must be at most 10, and is 12"),
    "exclusiveMinimum": Case("number(exclusiveMinimum=0)", "0", "0.5", ": must be more than 0, and is 0"),
    "exclusiveMaximum": Case("number(exclusiveMaximum=1.5)", "1.5", "-3", ": must be less than 1.5, and is 1.5"),
    "multipleOf": Case("int(multipleOf=2)", "3", "-4", ": must be a multiple of 2, and is 3"),
    "parts of one": Case("number(multipleOf=0.1)", "0.25", "0.3", ": must be a multiple of 0.1, and is 0.25"),
    "minLength": Case("string(minLength=2)", "😀", "😀é", ": the number of characters must be at least 2, and is 1"),
    "maxLength": Case("string(maxLength=2)", "abc", "😀é", ": the number of characters must be at most 2, and is 3"),
    "pattern": Case("string(pattern='^[a-z]+$')", "aB", "ab", ': must match ^[a-z]+$, and is "aB"'),
    "pattern at the end of a line": Case(r"string(pattern='^.\\w$')", "ab\n", "ab", ': must match ^.\\w$, and is "ab\n"'),
    "minItems": Case("list(string, minItems=1)", "[]", '["a"]', ": the number of items must be at least 1, and is 0"),
    "maxItems": Case("list(int, maxItems=1)", "[1, 2]", "[1]", ": the number of items must be at most 1, and is 2"),
    "uniqueItems": Case("list(string, uniqueItems=true)", '["a", "a"]', '["a", "b"]', ": items must be unique"),
    "minProperties": Case(
        "map(string, minProperties=1)", "{}", '{"a": "b"}', ": the number of members must be at least 1, and is 0"
    ),
    "maxProperties": Case(
        "map(int, maxProperties=1)", '{"a": 1, "b": 2}', '{"a": 1}', ": the number of members must be at most 1, and is 2"
    ),
    "literals": Case("'small' | 'large'", "huge", "small", ': must be one of "small", "large", and is "huge"'),
    "numbers that are listed": Case("union(1, 3)", "2", "3", ": must be one of 1, 3, and is 2"),
    "elements": Case(
        "list(string(minLength=2))", '["ab", "c"]', '["ab"]', "[1]: the number of characters must be at least 2, and is 1"
    ),
    "members": Case(
        "object({ name = string(pattern='^a'), size = optional(int(maximum=3)) })",
        '{"name": "ab", "size": 4}',
        '{"name": "ab"}',
        ".size: must be at most 3, and is 4",
    ),
    "values": Case("map(int(minimum=1))", '{"b": 0, "a": 1}', '{"a": 1}', ".b: must be at least 1, and is 0"),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("block", ["config c {label} {{\n  default = {value}\n}}", "local c {label} {{\n  value = {value}\n}}"])
def test_known_values_are_checked_where_they_stand(name: str, block: str) -> None:
    case = CASES[name]
    text = block.format(label=f'"{case.label}"', value=case.value)
    _, diagnostics = bind_text(text)
    [diagnostic] = diagnostics
    assert (diagnostic.code, diagnostic.severity) == ("PCL0219", Severity.ERROR)
    assert diagnostic.message == text.split()[0] + " c" + case.says
    assert diagnostic.primary is not None
    assert diagnostic.primary.start_position.line == 2
    assert diagnostic.primary.text in case.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A program, its configuration, and the error that it ends with; empty if it does not fail."""

    text: str
    config: Mapping[str, str] = field(default_factory=dict)
    says: str = ""


def _runs() -> Mapping[str, Run]:
    runs: dict[str, Run] = {}
    for name, case in CASES.items():
        text = f'config c "{case.label}" {{}}\noutput o {{\n  value = c\n}}\n'
        runs[f"{name}: broken"] = Run(text=text, config={"c": case.plain}, says=f"config c{case.says}")
        runs[f"{name}: kept"] = Run(text=text, config={"c": case.keeps})
    return {
        **runs,
        "a local": Run(
            text='config n int {}\nlocal half "int(maximum=5)" {\n  value = n * 2\n}\noutput o {\n  value = half\n}\n',
            config={"n": "3"},
            says="local half: must be at most 5, and is 6",
        ),
        "an output": Run(
            text='config n int {}\noutput o "int(maximum=5)" {\n  value = n * 2\n}\n',
            config={"n": "3"},
            says="output o: must be at most 5, and is 6",
        ),
        "secrets are not told": Run(
            text='config c "string(pattern=\'^a\')" {\n  secret = true\n}\noutput o {\n  value = c\n}\n',
            config={"c": "hunter2"},
            says="config c: must match ^a",
        ),
        "what is known late": Run(
            text=(
                'resource t "probe:index:Thing" {\n  int = 7\n}\n'
                'local late "int(maximum=5)" {\n  value = t.int\n}\noutput o {\n  value = late\n}\n'
            ),
            says="local late: must be at most 5",
        ),
        "an alias": Run(
            text=(
                'type "Size" "\'small\' | \'large\'" {\n  description = "How large."\n}\n'
                'type "Sizes" "list(Size, maxItems=2)" {}\n'
                "config c Sizes {}\noutput o {\n  value = c\n}\n"
            ),
            config={"c": '["small", "tiny"]'},
            says='config c[1]: must be one of "small", "large", and is "tiny"',
        ),
    }


RUNS = _runs()


@pytest.fixture(scope="module")
def outcomes() -> Mapping[tuple[str, str], str]:
    """The error that each program ended with, by language and name."""
    errors = {key: outcome.error for key, outcome in run_everywhere(RUNS).items()}
    for name, case in RUNS.items():
        evaluation = evaluate(case.text, config={key: ConfigValue(value) for key, value in case.config.items()})
        errors["evaluator", name] = "".join(d.message for d in evaluation.diagnostics if d.severity is Severity.ERROR)
    return errors


@for_all("language", [*LANGUAGES, "evaluator"])
@pytest.mark.parametrize("name", RUNS)
def test_the_running_program_says_the_same(outcomes: Mapping[tuple[str, str], str], name: str, language: str) -> None:
    error, says = outcomes[language, name], RUNS[name].says
    assert says in error if says else error == ""
    assert "hunter2" not in error


BAD_LABELS: Mapping[str, tuple[str, str, str]] = {
    # label -> code, the underlined text, a part of the message
    "string(minimum=3)": ("PCL0217", "minimum", "unknown constraint `minimum`"),
    "int(minimun=3)": ("PCL0217", "minimun", "unknown constraint `minimun`"),
    "any(minLength=1)": ("PCL0217", "minLength", "unknown constraint `minLength`"),
    "int(minimum=1, minimum=2)": ("PCL0217", "minimum", "there twice"),
    "int(minimum='1')": ("PCL0217", "'1'", "is a number"),
    "int(minimum=5, maximum=3)": ("PCL0217", "int(minimum=5, maximum=3)", "no value has"),
    "number(minimum=1, exclusiveMaximum=1)": ("PCL0217", "number(minimum=1, exclusiveMaximum=1)", "no value has"),
    "int(multipleOf=0)": ("PCL0217", "0", "more than 0"),
    "int(minimum=1e999)": ("PCL0217", "1e999", "is a number"),
    "list(string, maxItems=-1)": ("PCL0217", "-1", "a whole number from 0"),
    "list(string, uniqueItems=1)": ("PCL0217", "1", "true or false"),
    "string(pattern=a)": ("PCL0217", "a", "in single quotes"),
    "string(pattern='^(?=x)')": ("PCL0217", "'^(?=x)'", "in every language"),
    "string(pattern='a**')": ("PCL0217", "'a**'", "a repetition of a repetition"),
    "string(pattern='(a')": ("PCL0217", "'(a'", '")" expected'),
    "string(pattern='(a{900}){900}')": ("PCL0217", "'(a{900}){900}'", "too large"),
    "tuple([int(minimum=1)])": ("PCL0217", "int(minimum=1)", "tuple"),
    "'a' | string": ("PCL0217", "'a' | string", "not beside string"),
    "union(int(minimum=1), number(minimum=2))": ("PCL0217", "union(int(minimum=1), number(minimum=2))", "two of the types"),
    "list(Sise)": ("PCL0211", "Sise", "unknown type"),
    "list(Loop)": ("PCL0218", "Loop", "recursive type `Loop`: Loop -> Back -> Loop"),
    "int(": ("PCL0210", "", "a constraint expected"),
    "object({ x = string )": ("PCL0210", ")", 'a member name or "}" expected'),
    "object({": ("PCL0210", "", 'a member name or "}" expected'),
    "'a": ("PCL0210", "'", "a type expected"),
    "'a' |": ("PCL0210", "", "a type expected"),
    "list(" * 500 + "int" + ")" * 500: ("PCL0210", "list", "more than 100 deep"),
}


@pytest.mark.parametrize("label", BAD_LABELS)
def test_labels_are_refused_at_the_word(label: str) -> None:
    code, text, message = BAD_LABELS[label]
    type_block = 'type "Size" "\'a\'" {\n}\n'
    if "Loop" in label:
        type_block += 'type "Loop" "list(Back)" {\n}\ntype "Back" "map(Loop)" {\n}\n'
    _, diagnostics = bind_text(f'{type_block}config c "{label}" {{\n}}\n')
    [diagnostic] = [d for d in diagnostics if d.severity is Severity.ERROR]
    assert diagnostic.code == code
    assert message in diagnostic.message
    assert diagnostic.primary is not None
    assert diagnostic.primary.text == text


def test_types_that_grow_with_every_name_are_refused() -> None:
    blocks = ['type "T0" "int(minimum=1)" {\n}\n']
    blocks += [f'type "T{i}" "object({{ a = T{i - 1}, b = T{i - 1} }})" {{\n}}\n' for i in range(1, 60)]
    _, diagnostics = bind_text("".join(blocks))
    assert "too large" in diagnostics[0].message


def test_a_component_has_its_own_types_and_its_inputs_are_checked_at_their_uses() -> None:
    inside = 'type "Size" "\'small\' | \'large\'" {\n}\nconfig size Size {\n}\noutput size {\n  value = size\n}\n'
    text = 'component web "./web" {\n  size = "huge"\n}\n'
    _, diagnostics = bind_text(text, components={"web": inside})
    [diagnostic] = diagnostics
    assert diagnostic.message == 'component web, input size: must be one of "small", "large", and is "huge"'
    assert diagnostic.primary is not None
    assert diagnostic.primary.start_position.line == 2
    _, diagnostics = bind_text(text + "config other Size {\n}\n", components={"web": inside})
    assert "PCL0211" in [d.code for d in diagnostics]


MIXED = """
config b "union(string, number)" {}
config c "union('auto', int(minimum=0))" {
  default = "auto"
}
config d "optional(union(string, number))" {}
config e "union(string, bool)" {
  secret = true
}
config f "union(string, bool)" {
  default = 4
}
output o {
  value = [b, c, d, unsecret(e), f]
}
"""
MIXED_VALUES: tuple[tuple[Mapping[str, str], list[object]], ...] = (
    ({"b": "x", "c": "auto", "e": "q w"}, ["x", "auto", None, "q w", "4"]),
    ({"b": "1", "c": "3", "d": "x", "e": "true", "f": "NaN"}, [1, 3, "x", True, "NaN"]),
)


def test_what_may_be_a_text_need_not_be_json() -> None:
    outcomes = run_everywhere({at: Run(text=MIXED, config=config) for at, (config, _) in enumerate(MIXED_VALUES)})
    assert [(key, outcome.error) for key, outcome in outcomes.items() if outcome.error] == []
    assert [outcome.exports for outcome in outcomes.values()] == [{"o": expected} for _, expected in MIXED_VALUES] * 3
    for config, expected in MIXED_VALUES:
        evaluation = evaluate(MIXED, config={key: ConfigValue(value) for key, value in config.items()})
        assert [d.message for d in evaluation.diagnostics if d.severity is Severity.ERROR] == []
        assert evaluation.trace is not None
        assert evaluation.trace.outputs["o"] == tuple(expected)


@pytest.mark.parametrize(
    ("value", "expected", "later"),
    [
        ("flag ? 1 : 9", [], False),
        ("flag ? 1 : 12", [], True),
        ("flag ? 11 : 12", ["11"], False),
        ("flag ? (flag ? 11 : 12) : 13", ["11"], False),
        ("flag ? (flag ? 11 : 2) : 13", [], True),
        ("[for n in [flag ? 1 : 9] : n][0]", [], True),
    ],
)
def test_branches(value: str, expected: list[str], later: bool) -> None:
    text = f'config flag bool {{\n  default = true\n}}\nlocal c "int(maximum=10)" {{\n  value = {value}\n}}'
    program, diagnostics = bind_text(text)
    assert [diagnostic.primary.text for diagnostic in diagnostics if diagnostic.primary is not None] == expected
    assert ("name='kept'" in repr(program)) is later


def test_branches_of_branches_cost_what_they_are() -> None:
    deep = "flag ? 12 : 13"
    for _ in range(28):
        deep = f"flag ? ({deep}) : 14"
    _, diagnostics = bind_text(f'config flag bool {{}}\nlocal c "int(maximum=10)" {{\n  value = {deep}\n}}')
    assert [diagnostic.code for diagnostic in diagnostics] == ["PCL0219"]


def test_what_was_looked_at_for_more_is_not_looked_at_again() -> None:
    label = '"list(int(maximum=10), minItems=1)"'
    program, _ = bind_text(f'config c {label} {{}}\nlocal d "list(int(maximum=10))" {{\n  value = c\n}}')
    again, _ = bind_text(f'config c {label} {{}}\nlocal d "list(int(maximum=9))" {{\n  value = c\n}}')
    assert (repr(program).count("name='kept'"), repr(again).count("name='kept'")) == (1, 2)
