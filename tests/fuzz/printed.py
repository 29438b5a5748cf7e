"""Check that generated TypeScript and Go parse: one run of each language's own parser over many files.

Findings are reported by file name.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.judge import Finding
from tests.support import toolchains

_READER = """
const ts = require(process.argv[1] + "/typescript");
const fs = require("fs"), path = require("path");
const folder = process.argv[2], found = [];
for (const name of fs.readdirSync(folder).sort()) {
    if (!name.endsWith(".ts")) continue;
    const file = ts.createSourceFile(name, fs.readFileSync(path.join(folder, name), "utf8"), ts.ScriptTarget.ES2022);
    for (const one of file.parseDiagnostics.slice(0, 1)) {
        const place = file.getLineAndCharacterOfPosition(one.start);
        found.push([name, place.line + 1, ts.flattenDiagnosticMessageText(one.messageText, " ")]);
    }
}
console.log(JSON.stringify(found));
"""


def unreadable(folder: Path) -> Iterator[tuple[str, Finding]]:
    """Yield each file of `folder` that its language cannot parse."""
    for name, line, message in (*_typescript(folder), *_go(folder)):
        lines = (folder / name).read_text(encoding="utf-8").splitlines()[max(0, line - 6) : line + 3]
        kind = re.sub(r"\d+|'[^']*'|\S*\.go", "n", message)[:80]
        what = f"{Path(name).suffix} cannot be read: {kind}"
        yield name, Finding(what=what, detail=f"{name}:{line}: {message}\n" + "\n".join(lines)[:3000])


def _typescript(folder: Path) -> Iterator[tuple[str, int, str]]:
    tools = toolchains.node()
    memory = "--max-old-space-size=4000"
    output = toolchains.run([tools.node, memory, "--stack-size=8000", "-e", _READER, tools.modules, folder], cwd=folder)
    for name, line, message in json.loads(output):
        yield str(name), int(line), str(message)


def _go(folder: Path) -> Iterator[tuple[str, int, str]]:
    names = sorted(path.name for path in folder.glob("*.go"))
    if not names:
        return
    first: dict[str, list[tuple[int, str]]] = defaultdict(list)
    output = toolchains.run([toolchains.go().gofmt, "-l", "."], cwd=folder, ok=(0, 2))
    for line in output.splitlines():
        match = re.match(r"(?:\./)?([^:]+\.go)(?::(\d+):\d+: (.*))?$", line)
        if match is not None:
            first[match[1]].append((int(match[2] or 1), match[3] or "gofmt would lay it out differently"))
    for name, messages in first.items():
        yield name, *messages[0]
