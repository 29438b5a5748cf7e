"""Aliases and literal types, written as types of each language where a component takes values.

The reference is targets.md, Declared types.  Every program is compiled by mypy and pyright, `tsc --strict` and `go vet`,
formatted by the languages' formatters, and compared with the evaluator when it runs; the files are snapshots."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from pathlib import Path

import pytest

from pclgen import pipeline
from pclgen.bind.scope import Labelled
from pclgen.core.declared import ListOf, Literals, MapOf, Members, Named, Nullable, Plain, declared
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.schema.load import SchemaStore
from pclgen.source.load import program_in_memory
from pclgen.testing.snapshots import FileSnapshots
from pclgen.types import model as ty
from pclgen.types.rules import Rule, enforced
from pclgen.verify.report import Level, Report, Status, to_text
from pclgen.verify.subjects import Subject
from tests.support import compilers
from tests.support.corpus import ROOT
from tests.support.files import write_files
from tests.support.hostile import TROUBLE
from tests.support.verified import LANGUAGES, environments, programs_in_memory, verified

LEVELS: tuple[Level, ...] = ("compile", "run")
STORE = SchemaStore([ROOT / "examples" / "schemas"])

TYPES = r"""
type "Size" "'small' | 'medium' | 'large'" {
  description = "How large a machine is.\nThe larger, the dearer: */ \"\"\" # 100%."
}
# A port of a machine.
type "Port" "int(minimum=1, maximum=65535)" {}
// What may pass.
type "Rule" "object({ port = Port, protocol = 'tcp' | 'udp', note = optional(string) })" {}
type "Flags" "map('on' | 'off')" {}
type "Sizes" "list(Size, minItems=1)" {}
"""

Check = Callable[[Mapping[str, Path]], Mapping[str, list[str]]]
FORMATTERS: Mapping[str, Check] = {
    "python": compilers.check_black,
    "typescript": compilers.check_prettier,
    "go": compilers.check_gofmt,
}
COMPILERS: Mapping[str, Check] = {
    "python": compilers.check_python,
    "typescript": compilers.check_typescript,
    "go": compilers.check_go,
}
PET = "random:index/randomPet:RandomPet"

Files = Mapping[str, str]


def component(config: str, use: str, *, outputs: str = "", types: str = TYPES) -> dict[str, str]:
    """A program that uses one component `./web` with `use`, and outputs its result."""
    main = f'{types}\n{use}\noutput shown {{ value = web.shown }}\n'
    body = f'output shown {{ value = {outputs} }}' if outputs else ""
    return {"main.pp": main, "web/main.pp": f"{types}\n{config}\n{body}"}


CASES: Mapping[str, Files] = {
    "literals in place": component(
        'config size "Size" {}\nconfig level "1 | 2.5 | true" {}\nconfig rule "Rule" {}\nconfig flags "Flags" {}\n'
        'config sizes "Sizes" {}\nconfig either "\'auto\' | int" {}',
        """
        component web "./web" {
          size   = "large"
          level  = 2.5
          rule   = { port = 80, protocol = "tcp" }
          flags  = { a = "on", "b c" = "off" }
          sizes  = ["small", "small"]
          either = "auto"
        }
        """,
        outputs="{ size = size, level = level, rule = rule, flags = flags, sizes = sizes, either = either }",
    ),
    "compared, looked into, looped over": component(
        'config size "Size" {}\nconfig rules "list(Rule)" {}\nconfig flags "Flags" {}',
        """
        component web "./web" {
          size  = "large"
          rules = [{ port = 80, protocol = "tcp" }, { port = 81, protocol = "udp", note = "n" }]
          flags = { a = "on" }
        }
        """,
        outputs="""{
            tiny  = size == "tiny" ? "t" : "no",
            upper = [for s in [size, "x"] : "${s}!"],
            tcp   = [for r in rules : r.port if r.protocol == "icmp" || r.protocol == "tcp"],
            odd   = [for k in ["a"] : flags[k]],
            notes = [for r in rules : r.note],
            on    = { for k, v in flags : "${k}-${v}" => v == "maybe" },
            first = rules[0].protocol,
            all   = rules[*].port,
            count = length(flags) + length(rules),
        }""",
    ),
    "what the program computes": component(
        'config size "Size" {}\nconfig rule "Rule" {}\nconfig rules "list(Rule)" {}\nconfig flags "Flags" {}\n'
        'config sizes "Sizes" {}\nconfig either "\'auto\' | int" {}',
        """
        config want "Size" { default = "small" }
        config ports "list(int)" { default = [80, 81] }
        big = want == "large" ? "large" : "medium"
        local made "Rule" { value = { port = ports[0], protocol = big == "large" ? "tcp" : "udp" } }
        component web "./web" {
          size   = big
          rule   = made
          rules  = [for p in ports : { port = p, protocol = p > 80 ? "tcp" : "udp" }]
          flags  = { for p in ports : "p${p}" => "on" }
          sizes  = [want, big, "small"]
          either = length(ports) > 2 ? "auto" : 7
        }
        """,
        outputs='{ a = "${size}-${rule.port}", b = rules, c = flags, d = sizes, e = either }',
    ),
    "outputs, and what is in them": component(
        'config size "Size" {}\nconfig rule "Rule" {}\nconfig rules "list(Rule)" {}\nconfig flags "Flags" {}\n'
        'config sizes "Sizes" {}\nconfig secretive "Size" { secret = true }',
        f"""
        resource pet "{PET}" {{ prefix = "small" }}
        resource port "{PET}" {{ length = 80 }}
        component web "./web" {{
          size      = pet.prefix
          rule      = {{ port = port.length, protocol = "tcp", note = pet.id }}
          rules     = [{{ port = 80, protocol = "tcp", note = pet.id }}]
          flags     = {{ a = pet.prefix == "small" ? "on" : "off" }}
          sizes     = [pet.prefix, "large"]
          secretive = "large"
        }}
        """,
        outputs='{ a = "${size}-${rule.port}", b = rules[0].note, c = flags, d = sizes, e = secretive == "tiny" ? 1 : 2 }',
    ),
    "nothing, and what stands in for it": component(
        'config a "Size" { default = "small" }\nconfig b "Size" { nullable = true }\n'
        'config c "optional(Rule)" { default = null }\nconfig d "Rule" { default = { port = 1, protocol = "tcp" } }\n'
        'config e "Sizes" { default = ["small"] }\nconfig f "Size" { default = "${a}" }\n'
        'config g "list(optional(Size))" {}\nconfig h "object({ x = optional(Size), y = optional(Rule) })" {}',
        """
        component web "./web" {
          g = ["small", null]
          h = { y = { port = 2, protocol = "udp" } }
        }
        component other "./web" {
          a = "medium"
          b = "large"
          c = { port = 3, protocol = "tcp" }
          d = { port = 4, protocol = "tcp", note = "n" }
          e = ["large"]
          f = "large"
          g = []
          h = { x = "small" }
        }
        output other { value = other.shown }
        """,
        outputs='{ a = a, b = b == null ? "none" : b, c = c == null ? 0 : 1, d = d.port, e = e, f = f == "no", g = g, h = h }',
    ),
    "optional members that values omit": {
        "main.pp": f"""
        config names "list(string)" {{ default = ["a", "b"] }}
        config on bool {{ default = true }}
        resource pet "{PET}" {{}}
        type "Item" "object({{ a = string, b = optional(int) }})" {{}}
        other = {{ a = "q" }}
        local one "Item" {{ value = {{ a = "x" }} }}
        local listed "list(Item)" {{ value = [{{ a = "x" }}, {{ a = "y", b = 1 }}] }}
        local looped "list(Item)" {{ value = [for n in names : {{ a = n }}] }}
        local mapped "map(Item)" {{ value = {{ k = {{ a = "x" }}, l = {{ a = "y", b = 2 }} }} }}
        local chosen "Item" {{ value = on ? {{ a = "x" }} : other }}
        local tried "Item" {{ value = try({{ a = names[0] }}, {{ a = "y", b = 2 }}) }}
        local same "Item" {{ value = other }}
        local nested "object({{ a = string, inside = optional(object({{ c = optional(string), d = string }})) }})" {{
          value = {{ a = "x", inside = {{ d = "e" }} }}
        }}
        local later "Item" {{ value = {{ a = pet.id }} }}
        local hidden "Item" {{ value = secret({{ a = "x" }}) }}
        local laterOnes "list(Item)" {{ value = [{{ a = pet.id }}] }}
        local loopedLater "list(Item)" {{ value = [for n in split("-", pet.id) : {{ a = n }}] }}
        output direct {{ value = [one.b == null ? 1 : one.b, chosen.b, tried.b, same.b, nested.inside.c] }}
        output elements {{ value = [[for x in listed : x.b], [for x in looped : x.b], mapped["k"].b, mapped.l.b] }}
        output eventual {{ value = [later.a, later.b, hidden.b, [for x in laterOnes : x.b], [for x in loopedLater : x.b]] }}
        resource sized "{PET}" {{
          length = one.b
          prefix = later.a
        }}
        """,
    },
    "handed on": {
        "main.pp": TYPES
        + """
        component web "./outer" {
          size = "large"
          rule = { port = 80, protocol = "tcp" }
          late = pet.prefix
        }
        """
        + f'resource pet "{PET}" {{ prefix = "small" }}\noutput shown {{ value = web.shown }}',
        "outer/main.pp": TYPES
        + """
        config size "Size" {}
        config rule "Rule" {}
        config late "Size" {}
        config more "list(Size)" { default = ["small"] }
        component inner "../inner" {
          size = size
          rule = rule
          late = late
          more = more
          text = "${size}-${late}"
        }
        component again "../inner" {
          size = late
          rule = { port = 81, protocol = rule.protocol }
          late = size
          more = [size, late]
          text = size
        }
        output shown { value = [inner.shown, again.shown] }
        """,
        "inner/main.pp": TYPES
        + f"""
        config size "Size" {{}}
        config rule "Rule" {{}}
        config late "Size" {{}}
        config more "list(Size)" {{}}
        config text "string" {{}}
        resource pet "{PET}" {{
          prefix    = size
          separator = rule.protocol
          keepers   = {{ late = late, text = text }}
        }}
        output shown {{ value = {{ a = pet.prefix, b = late, c = more, d = pet.separator }} }}
        """,
    },
    "ranges": component(
        f"""
        config sizes "list(Size)" {{}}
        config flags "Flags" {{}}
        config count "1 | 2 | 3" {{}}
        config wanted "true" {{}}
        resource each "{PET}" {{
          options {{ range = sizes }}
          prefix = range.value
        }}
        resource keyed "{PET}" {{
          options {{ range = flags }}
          prefix = "${{range.key}}-${{range.value}}"
        }}
        resource counted "{PET}" {{
          options {{ range = count }}
          length = range.value + count
        }}
        resource maybe "{PET}" {{
          options {{ range = wanted }}
        }}
        """,
        """
        component web "./web" {
          sizes  = ["small", "large"]
          flags  = { a = "on", b = "off" }
          count  = 2
          wanted = true
        }
        """,
        outputs="each[*].prefix",
    ),
    "names that mean something else": component(
        "\n".join(
            f'config {name.lower()}In "{name}" {{}}'
            for name in ("web", "WebArgs", "Random", "Pulumi", "Record", "Any", "Sequence", "Literal", "TypedDict", "String")
        )
        + '\nconfig "size" "Size" {}\nconfig "Size" "Size" {}',
        'component web "./web" {\n'
        + "\n".join(
            f'{name.lower()}In = {"""{ a = "x", b = { c = 1 } }""" if name in ("Record", "WebArgs") else chr(34) + "x" + chr(34)}'
            for name in ("web", "WebArgs", "Random", "Pulumi", "Record", "Any", "Sequence", "Literal", "TypedDict", "String")
        )
        + '\nsize = "small"\nSize = "large"\n}',
        types="\n".join(
            f"""type "{name}" "{"object({ a = 'x' | 'y', b = object({ c = int }) })" if name in ("Record", "WebArgs") else "'x'"}" {{}}"""
            for name in ("web", "WebArgs", "Random", "Pulumi", "Record", "Any", "Sequence", "Literal", "TypedDict", "String")
        )
        + TYPES,
        outputs=f'[webIn, webargsIn.a, "${{anyIn}}", stringIn, size, Size, "{PET}"]',
    ),
    "types of the same name": {
        "main.pp": """
        type "Size" "'s'" {}
        component one "./one" {
          size = "s"
          both = { size = "s", other = "l" }
        }
        output shown { value = one.shown }
        """,
        "one/main.pp": """
        type "Size" "'s' | 't'" {}
        config size "Size" {}
        config both "object({ size = Size, other = ../two/Size })" {}
        component two "../two" { size = both.other }
        output shown { value = [size, both, two.shown] }
        """,
        "two/main.pp": """
        type "Size" "'l' | 'm'" {}
        config size "Size" {}
        output shown { value = size }
        """,
    },
    "members that no class can have": component(
        'config a "Keys" {}\nconfig b "Kinds" {}',
        """
        component web "./web" {
          a = { class = "x", from = 1, "with space" = "y", __x = 2, str = 3, Port = 4 }
          b = { str = "x", int = "y" }
        }
        """,
        types="type \"Keys\" \"object({ class = 'x' | 'y', from = int, 'with space' = 'x' | 'y', __x = int, str = int, Port = int })\" {}\n"
        "type \"Kinds\" \"object({ str = 'x', int = 'y' })\" {}",
        outputs='[a.class, a.from, a["with space"], a.__x, a.str, a.Port, b]',
    ),
    "many and long": component(
        'config region "Region" {}\nconfig nested "Nested" {}',
        """
        component web "./web" {
          region = "europe-north-15-with-a-long-name"
          nested = [{ a = { x = [{ k = "v1" }] } }]
        }
        """,
        types='type "Region" "'
        + " | ".join(f"'europe-north-{at}-with-a-long-name'" for at in range(20))
        + "\" {}\ntype \"Nested\" \"list(map(object({ x = list(object({ k = 'v1' | 'v2', other = optional(string) })) })))\" {}",
        outputs="[region, nested[0].a.x[0].k]",
    ),
}


@pytest.fixture(scope="module")
def report() -> Report:
    """The verification of all programs."""
    names = {f"case {number}": name for number, name in enumerate(CASES)}
    subjects = programs_in_memory({key: CASES[name] for key, name in names.items()}, STORE)

    def settings_of(subject: Subject) -> Settings:
        return Settings(stack="dev", organization="acme", config={f"{subject.name}:unused": ConfigValue("1")})

    return verified(subjects, settings_of, tools=environments(), levels=LEVELS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CASES)
def test_compiles_and_runs(report: Report, name: str, language: str) -> None:
    key = f"p_case_{list(CASES).index(name)}_"
    verdicts = [verdict for verdict in report.of(key) if verdict.language == language]
    shown = to_text(Report(verdicts=tuple(verdicts), names={key: name}))
    assert [(verdict.level, verdict.status) for verdict in verdicts] == [(level, Status.PASSED) for level in LEVELS], shown


def generated(files: Files, language: str) -> Mapping[str, str]:
    """The files of a program in one language."""
    result = pipeline.generate(program_in_memory("it", dict(files)), languages=[language], store=STORE)
    assert result.ok, result.diagnostics
    return {str(path): text for path, text in result.files[language].items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_formatters_change_nothing(language: str, tmp_path: Path) -> None:
    programs = {
        f"case{at}": write_files(tmp_path / f"case{at}", generated(files, language)) for at, files in enumerate(CASES.values())
    }
    assert FORMATTERS[language](programs) == {name: [] for name in programs}


SHOWN = {
    "literals-in-place": "literals in place",
    "nothing": "nothing, and what stands in for it",
    "odd-members": "members that no class can have",
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", SHOWN)
def test_how_types_are_written(case: str, language: str, pcl_snapshots: FileSnapshots) -> None:
    files = generated(CASES[SHOWN[case]], language)
    shown = {path: text for path, text in files.items() if path.startswith(("web.", "main.go"))}
    pcl_snapshots.folder(f"types/{case}/{language}", shown)


def test_no_snapshot_without_a_case(pcl_snapshots: FileSnapshots) -> None:
    pcl_snapshots.only("types", SHOWN)


def hostile(language: str) -> Files:
    """A component whose label contains all hostile strings that a label may contain."""
    fit = [text for text in TROUBLE if text and "'" not in text and "\\" not in text and '"' not in text]
    fit = [text for text in fit if text.isprintable() and "${" not in text and "%{" not in text]
    assert len(fit) > 10, language
    label = " | ".join(f"'{text}'" for text in fit)
    first = fit[0]
    return component(
        'config word "Word" {}',
        f'component web "./web" {{ word = "{first}" }}',
        types=f'type "Word" "{label}" {{}}',
        outputs='"${word}"',
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_hostile_texts(language: str, tmp_path: Path) -> None:
    program = {"it": write_files(tmp_path, generated(hostile(language), language))}
    assert COMPILERS[language](program) == {"it": []}


def test_what_labels_say() -> None:
    literals: Rule = {"enum": ["a", 1.0, 2.5, True]}
    base = ty.union_of([ty.STRING, ty.INT, ty.BOOL])
    assert declared(base, literals) == Literals(("a", 1, Decimal("2.5"), True), None, base)
    named: Rule = {"title": "T", "enum": ["a"]}
    form = Named("T", Literals(("a",), None, ty.STRING))
    assert declared(ty.STRING, named) == form
    assert declared(ty.STRING, {**named, "description": "a\nb"}) == Named("T", form.form, ("a", "b"))
    assert declared(ty.optional_of(ty.STRING), named) == Nullable(form)
    assert declared(ty.list_of(ty.STRING), {"items": named}) == ListOf(form)
    assert declared(ty.map_of(ty.STRING), {"additionalProperties": named}) == MapOf(form)
    thing = ty.object_of({"a": ty.STRING, "b": ty.INT})
    assert declared(thing, {"properties": {"a": named}}) == Members((("a", form), ("b", Plain(ty.INT))), thing)
    assert declared(thing, {"title": "X"}) == Named("X", Members((("a", Plain(ty.STRING)), ("b", Plain(ty.INT))), thing))
    assert declared(ty.list_of(ty.INT), {"items": {"minimum": 1}}) == Plain(ty.list_of(ty.INT))
    assert declared(ty.STRING, None) == Plain(ty.STRING)


def test_names_ask_nothing() -> None:
    assert enforced({"title": "A", "description": "B"}) is None
    assert enforced({"items": {"title": "A"}, "properties": {"x": {"title": "B", "minimum": 1}}}) == {
        "properties": {"x": {"minimum": 1}}
    }
    assert Labelled(ty.STRING).rule is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_looked_at_is_not_looked_at_again(language: str) -> None:
    files = component(
        'config size "Size" {}',
        'config want "Size" { default = "small" }\ncomponent web "./web" { size = want }',
        outputs="size",
    )
    text = "\n".join(generated(files, language).values())
    assert text.count("config want") == 1
    assert "component web, input size" not in text
