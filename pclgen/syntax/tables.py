"""The tables that lark makes of the grammar, stored because making them takes fifty milliseconds.

`grammar.tables.json` holds the tables of one version of lark for one text of the grammar; with another version, or another
text, the grammar is analyzed as if the file were missing. `python -m pclgen.syntax.tables` prints its new content, and
`tests/test_parser_tables.py` compares it.
"""

from __future__ import annotations

import json
from collections import deque
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING, Any

import lark
from lark import Lark
from lark.grammar import Rule
from lark.lexer import Lexer, TerminalDef

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lark.lexer import LexerState

TABLES = "grammar.tables.json"

_STARTS = ["file", "line", "head_line"]
_LEXER = "lexer_type"


class _Reduction:
    """A rule of the parse table, equal only to itself: lark compares and hashes its rules in Python, for each reduction."""

    __slots__ = ("expansion", "origin")

    def __init__(self, rule: Rule) -> None:
        self.origin = rule.origin
        self.expansion = rule.expansion


class _NoLexer(Lexer):
    """A lexer that is never used: tokens are fed to the parser directly."""

    def __init__(self, _conf: object) -> None: ...

    def lex(self, _lexer_state: LexerState, _parser_state: object) -> Iterator[Any]:
        return iter(())


def load_parser(transformer: object) -> Lark:
    """Return the parser, which calls the methods of `transformer` by the names of rules."""
    grammar = _read("grammar.lark")
    parser = _from_tables(_read(TABLES), _stamp(grammar), transformer) or _analysed(grammar, transformer)
    _compare_by_identity(parser.parser.parser)
    return parser


def _compare_by_identity(lalr: Any) -> None:
    parser = lalr.parser
    reductions = {rule: _Reduction(rule) for rule in parser.callbacks if isinstance(rule, Rule)}
    parser.callbacks = {reductions.get(key, key): called for key, called in parser.callbacks.items()}
    for actions in parser.parse_table.states.values():
        for name, (action, target) in actions.items():
            if isinstance(target, Rule):
                actions[name] = (action, reductions[target])


def compute_tables() -> str:
    """Return the content of `TABLES`: the text of a JSON document."""
    grammar = _read("grammar.lark")
    # The data of lark's own `save`, as JSON in place of a pickle.
    data, memo = _analysed(grammar, None).memo_serialize([TerminalDef, Rule])
    del data["options"]["lexer"], data["options"]["transformer"], data["parser"]["lexer_conf"][_LEXER]
    data["parser"]["parser"] = _numbered(data["parser"]["parser"])
    tables = {"stamp": _stamp(grammar), "data": data, "memo": memo}
    return json.dumps(tables, separators=(",", ":"), sort_keys=True).replace('},"', '},\n"') + "\n"


def _numbered(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the LALR table with its tokens in order, and its states in the order in which they are reached.

    Lark numbers both by the order of its sets, which differs in each process.
    """
    names = sorted(table["tokens"].values())
    tokens = {number: names.index(name) for number, name in table["tokens"].items()}
    states = {
        state: sorted((tokens[token], tuple(action)) for token, action in actions.items())
        for state, actions in table["states"].items()
    }
    reached = dict.fromkeys(table["start_states"][start] for start in sorted(table["start_states"]))
    waiting = deque(reached)
    while waiting:
        for _, (is_reduction, target) in states[waiting.popleft()]:
            if not is_reduction and target not in reached:
                reached[target] = None
                waiting.append(target)
    number = {state: place for place, state in enumerate(reached)}
    return {
        **table,
        "tokens": dict(enumerate(names)),
        "start_states": {start: number[state] for start, state in table["start_states"].items()},
        "end_states": {start: number[state] for start, state in table["end_states"].items()},
        "states": {
            number[state]: {
                token: (is_reduction, target if is_reduction else number[target])
                for token, (is_reduction, target) in states[state]
            }
            for state in reached
        },
    }


def _from_tables(text: str, stamp: str, transformer: object) -> Lark | None:
    tables = json.loads(text, object_pairs_hook=_with_numbers)
    if tables["stamp"] != stamp:
        return None
    data = tables["data"]
    data["options"]["lexer"] = data["parser"]["lexer_conf"][_LEXER] = _NoLexer
    # The entry of lark's own generated parsers to their tables: it has no public name.
    parser: Lark = Lark._load_from_dict(data, tables["memo"], transformer=transformer)  # type: ignore[no-untyped-call]
    return parser


def _analysed(grammar: str, transformer: object) -> Lark:
    return Lark(
        grammar,
        parser="lalr",
        lexer=_NoLexer,
        start=_STARTS,
        keep_all_tokens=True,
        maybe_placeholders=False,
        transformer=transformer,
    )


def _stamp(grammar: str) -> str:
    return f"lark {lark.__version__}, {sha256(grammar.encode()).hexdigest()}"


def _with_numbers(pairs: list[tuple[str, Any]]) -> dict[str | int, Any]:
    """Return an object, with the keys that were numbers before JSON made them texts."""
    return {int(key) if key.isdecimal() else key: value for key, value in pairs}


def _read(name: str) -> str:
    return resources.files("pclgen.syntax").joinpath(name).read_text(encoding="utf-8")


if __name__ == "__main__":
    print(compute_tables(), end="")
