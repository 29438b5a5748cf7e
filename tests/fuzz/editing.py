"""Fuzzing of the language server: random edits of documents, and after each edit requests at random places.

    python -m tests.fuzz.editing --count 50000 --seed 1      50,000 edits and requests
    python -m tests.fuzz.editing --seed 1 --only 517         one sitting again

Sitting number `n` of seed `s` opens one program, and is a function of `n` and `s`.  Everything runs in one process, below
the part of the server that hides exceptions from its client.
"""

from __future__ import annotations

import argparse
import re
import signal
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

from lsprotocol import types

from pclgen.lsp.server import Handlers
from pclgen.lsp.session import Session
from pclgen.lsp.wire import Wire
from pclgen.lsp.workspace import Document, Encoding
from tests.fuzz.judge import Finding
from tests.fuzz.mutate import NUMBERS, TROUBLE, WORDS
from tests.fuzz.supervise import HangError
from tests.support.corpus import ROOT, program_directories
from tests.support.editing import session
from tests.support.yaml_programs import CONSTRUCTS

EDITS = 8
"""Edits of one sitting."""
REQUESTS = 8
"""Requests after each edit."""
_SECONDS = 30
_NAME = re.compile(r"[^\W\d][\w-]*")
_SURROGATES = ("\ud83d", "\ude00", "\U0001f600", "a\U0001f600b", "\U0001f468\u200d\U0001f469")
_PCL = ("\n", "\n}", "  ", 'resource a "random:index/randomPet:RandomPet" {\n', 'component c "./', "output o { value = ", "${a.", "[for")
_YAML = ("\n", "\n  ", "\n    ", "- ", ": ", "${", "${a.", "fn::invoke:\n", "type: random:", "properties:\n      ", "&a ", "*a", "{", "|\n")


_CYCLES = (
    'a = b\nb = [for x in [1] : "${x}${a}"]\nc = c\nconfig size int { default = size }\noutput one { value = a }\n',
    'resource first "random:index/randomPet:RandomPet" { prefix = second.id }\n'
    'resource second "random:index/randomPet:RandomPet" {\n  prefix = first.id\n  options { dependsOn = [second] }\n}\n',
)
_FLOW = (
    "resources:\n  pet: {type: random:RandomPet, properties: {length: 2, keepers: {a: '${other.id}'}}}\n"
    "  other: {\n    type: random:RandomPet,\n    options: {dependsOn: ['${pet}']}\n  }\n"
)


def texts() -> list[tuple[str, str]]:
    """The initial documents of sittings: names and texts of files."""
    folders = [path.parent for path in sorted((ROOT / "examples").glob("*/main.pp"))] + program_directories("bad")
    folders += program_directories("field")
    files = [("main.pp", (folder / "main.pp").read_text(encoding="utf-8", errors="replace")) for folder in folders]
    files += [("main.pp", text) for text in _CYCLES]
    head = "name: p\nruntime: yaml\n"
    return [*files, *(("Pulumi.yaml", head + text) for text in (_FLOW, *(text for text, _ in CONSTRUCTS.values())))]


class Sitting:
    """An edited program."""

    def __init__(self, own: Session, folder: Path, rng: Random, start: tuple[str, str]) -> None:
        self.rng = rng
        self.session = own
        self.path = folder / start[0]
        self.text = start[1]
        self.version = 0
        capabilities = types.ClientCapabilities(text_document=None)
        server: Any = SimpleNamespace(client_capabilities=capabilities)
        self.handlers = Handlers(server, own)
        self.handlers.wire = Wire(rng.choice(list(Encoding)))

    def edit(self) -> str:
        """Insert, delete or replace text; return the name of the action."""
        rng, text = self.rng, self.text
        start = rng.randint(0, len(text))
        end = start if rng.random() < 0.5 else min(len(text), start + rng.choice((1, 1, 2, 5, 20, 200)))
        pools: Sequence[Sequence[str]] = (_SURROGATES, TROUBLE, NUMBERS, WORDS, _YAML if self.path.suffix == ".yaml" else _PCL)
        new = rng.choice(rng.choice(pools)) if rng.random() < 0.8 else ""
        self.text = text[:start] + new + text[end:]
        self.version += 1
        self.session.open(Document(uri=self.path.as_uri(), path=self.path, text=self.text, version=self.version))
        return "edit"

    def place(self) -> types.Position:
        """A place in the text, or rarely a place outside of it."""
        if self.rng.random() < 0.05:
            return types.Position(line=self.rng.choice((0, 3, 10**9)), character=self.rng.choice((0, 7, 10**9)))
        words = [match.end() for match in _NAME.finditer(self.text)] if self.rng.random() < 0.7 else []
        offset = self.rng.choice(words) if words else self.rng.randint(0, len(self.text))
        line = self.text.count("\n", 0, offset)
        return types.Position(line=line, character=offset - (self.text.rfind("\n", 0, offset) + 1))

    def request(self) -> str:
        """Make a request.  Return its name, or an empty text if the server has no answer."""
        name, make = self.rng.choice(self.requests())
        return name if make() else ""

    def requests(self) -> list[tuple[str, Callable[[], object]]]:
        """All requests of the server, at a random place."""
        h, d, at = self.handlers, types.TextDocumentIdentifier(uri=self.path.as_uri()), self.place()
        whole = types.Range(start=at, end=self.place())
        layout = types.FormattingOptions(tab_size=2, insert_spaces=True)
        position = types.TextDocumentPositionParams(d, at)
        call: Any = SimpleNamespace(item=SimpleNamespace(uri=d.uri))
        context = types.ReferenceContext(include_declaration=True)
        show = {"uri": d.uri, "language": self.rng.choice(("python", "typescript", "go", "yaml", ""))}
        return [
            ("diagnostics", lambda: [h.wire.diagnostic(mark) for report in h.session.reports() for mark in report.marks]),
            ("definition", lambda: h.definition(types.DefinitionParams(d, at))),
            ("references", lambda: h.references(types.ReferenceParams(context, d, at))),
            ("highlight", lambda: h.highlight(types.DocumentHighlightParams(d, at))),
            ("prepare rename", lambda: h.prepare_rename(types.PrepareRenameParams(d, at))),
            ("rename", lambda: self.refusable(lambda: h.rename(types.RenameParams(d, at, self.rng.choice(WORDS))))),
            ("hover", lambda: h.hover(types.HoverParams(d, at))),
            ("completion", lambda: h.completion(types.CompletionParams(d, at))),
            ("completion", lambda: h.completion(types.CompletionParams(d, at))),
            ("signature help", lambda: h.signature_help(types.SignatureHelpParams(d, at))),
            ("calls", lambda: h.prepare_calls(types.CallHierarchyPrepareParams(position.text_document, position.position))),
            ("incoming calls", lambda: h.incoming_calls(call)),
            ("outgoing calls", lambda: h.outgoing_calls(call)),
            ("symbols", lambda: h.document_symbol(types.DocumentSymbolParams(d))),
            ("search", lambda: h.workspace_symbol(types.WorkspaceSymbolParams(self.rng.choice(WORDS)))),
            ("folding", lambda: h.folding(types.FoldingRangeParams(d))),
            ("selection", lambda: h.selection(types.SelectionRangeParams(d, [at]))),
            ("links", lambda: h.document_link(types.DocumentLinkParams(d))),
            ("lenses", lambda: h.code_lens(types.CodeLensParams(d))),
            ("hints", lambda: h.inlay_hint(types.InlayHintParams(d, whole))),
            ("tokens", lambda: h.semantic_tokens(types.SemanticTokensParams(d))),
            ("fixes", lambda: h.code_action(types.CodeActionParams(d, whole, types.CodeActionContext(diagnostics=[])))),
            ("formatting", lambda: h.formatting(types.DocumentFormattingParams(d, layout))),
            ("range formatting", lambda: h.range_formatting(types.DocumentRangeFormattingParams(d, whole, layout))),
            ("formatting as typed", lambda: h.on_type_formatting(types.DocumentOnTypeFormattingParams(d, at, "}", layout))),
            ("generated code", lambda: h.show_generated(show)),
        ]

    @staticmethod
    def refusable(ask: Callable[[], object]) -> object:
        """Make a request that the server may refuse."""
        try:
            return ask()
        except Exception as error:  # a refusal is a valid answer to any request
            if type(error).__name__ != "JsonRpcException":
                raise
            return str(error)


def sit(own: Session, folder: Path, seed: int, number: int, starts: Sequence[tuple[str, str]]) -> Iterator[Finding | str]:
    """Run a sitting: yield the failure or the name of each action, or an empty text if it has no answer."""
    rng = Random(f"{seed}:{number}")
    start = rng.choice(starts)
    (folder / start[0]).write_text(start[1], encoding="utf-8")
    sitting = Sitting(own, folder, rng, start)
    for _ in range(EDITS):
        for act in (sitting.edit, *[sitting.request] * REQUESTS):
            yield _guarded(act, sitting)
    own.close(sitting.path)
    (folder / start[0]).unlink()


def _guarded(act: Callable[[], str], sitting: Sitting) -> Finding | str:
    try:
        return act()
    except (Exception, HangError) as error:  # the fuzzer looks for any exception
        frames = traceback.extract_tb(error.__traceback__)
        last = next((frame for frame in reversed(frames) if "/pclgen/" in frame.filename), frames[-1])
        what = f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"
        return Finding(what=what, detail=f"{traceback.format_exc()[-3000:]}\n{sitting.text!r}")


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.editing")
    parser.add_argument("--count", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    arguments = parser.parse_args()

    def late(*_: object) -> None:
        raise HangError

    signal.signal(signal.SIGALRM, late)
    starts, own, number = texts(), session(), arguments.only or 0
    failures: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    done = 0
    with TemporaryDirectory() as folder:
        while done < arguments.count:
            signal.alarm(_SECONDS)
            for outcome in sit(own, Path(folder), arguments.seed, number, starts):
                signal.alarm(_SECONDS)
                done += 1
                if isinstance(outcome, str):
                    answers[outcome] += 1
                    continue
                if outcome.what not in failures:
                    print(f"--- {outcome.what} --seed {arguments.seed} --only {number}\n{outcome.detail}", flush=True)
                failures[outcome.what] += 1
            number += 1
            if arguments.only is not None:
                break
    print(f"{done:,} edits and requests: {dict(failures) or 'no failure'}\n{dict(answers)}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
