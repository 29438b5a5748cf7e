"""Random programs of components that need each other: outputs of later ones as inputs, in every form that takes outputs.

Each number makes the files of a program, by path.  Every program is valid and runs to its end: the output of a component for
others of its cycle (`url`) needs none of its inputs; only later components use the output that needs them (`echo`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

_PARTS: Mapping[str, str] = {
    "site/main.pp": """
config "peer" "string" { default = "none" }
config "peers" "list(string)" { default = [] }
config "named" "map(string)" { default = {} }
resource "pet" "random:index/randomPet:RandomPet" { prefix = "site" }
resource "late" "command:local:Command" {
  create = peer
  delete = join(",", peers)
  stdin  = join(",", [for k, v in named : "${k}=${v}"])
}
resource "given" "command:local:Command" {
  create      = "x"
  interpreter = peers
  environment = named
}
output "url" { value = "http://${pet.id}/" }
output "echo" { value = "${peer}!" }
""",
    "pair/main.pp": """
config "peer" "string" {}
config "peers" "list(string)" { default = ["x"] }
config "named" "map(string)" { default = { a = "b" } }
component "inner" "../site" {
  peer  = "${peer}-inner"
  peers = peers
}
resource "own" "random:index/randomPet:RandomPet" {}
resource "late" "random:index/randomPet:RandomPet" { prefix = lookup(named, "k", "none") }
output "url" { value = "${own.id}.example" }
output "echo" { value = inner.echo }
""",
}


def files(number: int) -> Mapping[str, str]:
    """The program with this number."""
    draw = Random(number)
    count = draw.randint(2, 5)
    ranged = [draw.random() < 0.25 for _ in range(count)]
    blocks = ['config "flag" "bool" { default = true }', 'resource "base" "random:index/randomPet:RandomPet" {}']
    for own in range(count):
        part = draw.choice(("site", "pair"))
        inputs = [f"  peer = {_text(draw, ranged, own)}"]
        if draw.random() < 0.6:
            inputs.append(f"  peers = {_list(draw, ranged, own)}")
        if draw.random() < 0.4:
            inputs.append(f"  named = {{ k = {_text(draw, ranged, own)}, l = {_text(draw, ranged, own)} }}")
        if ranged[own]:
            inputs.append("  options {\n    range = 2\n  }")
        blocks.append("\n".join((f'component "part{own}" "./{part}" {{', *inputs, "}")))
    names = [f"part{own}[1].echo" if ranged[own] else f"part{own}.echo" for own in range(count)]
    draw.shuffle(blocks)
    blocks.append(f'output "all" {{\n  value = [{", ".join(names)}]\n}}')
    return {"main.pp": "\n\n".join(blocks) + "\n", **_PARTS}


def _text(draw: Random, ranged: Sequence[bool], own: int) -> str:
    other = _output(draw, ranged, own)
    forms = (
        other,
        f'"${{{other}}}"',
        f'"${{{other}}} and ${{{_output(draw, ranged, own)}}}"',
        f'flag ? {other} : "n"',
        f'flag ? "n" : {other}',
        f'"{draw.choice(("plain", "", "$${kept}"))}"',
        "base.id",
        f'join(",", {_list(draw, ranged, own)})',
        f'secret({other})',
    )
    return draw.choice(forms)


def _list(draw: Random, ranged: Sequence[bool], own: int) -> str:
    others = [_output(draw, ranged, own) for _ in range(draw.randint(1, 3))]
    several = [at for at, many in enumerate(ranged) if many and at != own]
    forms = [
        f"[{', '.join(others)}]",
        f'[for x in [{", ".join(others)}] : "${{x}}?"]',
        f'["a", {others[0]}]',
    ]
    if several:
        forms += [f"part{several[0]}[*].url", f'[for m in part{several[0]} : "${{m.url}}!"]']
    return draw.choice(forms)


def _output(draw: Random, ranged: Sequence[bool], own: int) -> str:
    """An output of another component: `url` of any, also `echo` of earlier components."""
    other = draw.choice([at for at in range(len(ranged)) if at != own])
    name = "echo" if other < own and draw.random() < 0.4 else "url"
    return f"part{other}[{draw.randrange(2)}].{name}" if ranged[other] else f"part{other}.{name}"
