"""Text that tries to become code, and readers of generated projects that detect success.

Every payload has the marker `Q9`, mostly as a call without arguments.  Comments, strings and the values of project files may
have it; the marker is never a name of code, and is never called.
"""

from __future__ import annotations

import ast
import json
import re
import tempfile
import unicodedata
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import Any, Final, TypeAlias

import yaml

from pclgen.source.text import CONTROL
from tests.support import toolchains

MARK: Final = "Q9"
CALL: Final = "Q9()"

Files: TypeAlias = Mapping[PurePosixPath, str]
Projects: TypeAlias = Mapping[str, Mapping[str, Files]]
"""Generated files by name of the program, language and path."""

_ALIKE: Final = frozenset({"Lo", "Ll", "Lu", "So", "Sm", "Mn", "Cn"})
"""Categories with hundreds of characters, none of which has a meaning of its own in a language."""
CHARACTERS: Final = "".join(
    c
    for c in map(chr, range(1, 0x3000))
    if not CONTROL.match(c) and (c < "\u0300" or unicodedata.category(c) not in _ALIKE or ord(c) % 16 == 0)
)
"""The characters below U+3000 that a program may contain; above U+0300 every sixteenth of those that are alike."""

_BREAKERS: Final = (
    *('"', "'", "`", '"""', "'''", "\\", '\\"', "\\'", "\\`", "\\\\", '"+', "'+", '")', "')", "`)", '"]', '"}', '";', "';", "`;"),
    *("*/", "/*", "//", "--", "#", "-->", "<!--", "]]>", "%>", "?>", "</script>", "<?", "#!", "#}", "{#", "{{", "}}", "{%", "%}"),
    *("${", "$${", "}", "{", "%{", "%%{", "${'", '${"', "#{", "$(", "$((", "{0}", "{", "%s", "%d", "%!", "%[1]s", "%n", "%%", "%("),
    *("\n", "\r", "\r\n", "\t", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029", "\n\n", "\\\n", "\n---\n", "\n...\n"),
    *("\n#", "\n//", "\n  - ", "\n&a ", ": ", " #", "- ", "? ", "! ", "!!python/object/apply:os.system ", "*a", "&a", "|", ">", "@"),
    *("\n--index-url=x ", "\nimport os;", "\nreplace a => b\n", "\n)\n", "\n}\n", "\n};\n", '\nimport "os"\n', "\nexport "),
    *("-*- coding: utf-7 -*- +AAo-", "coding: utf_7\n", "go:generate ", "go:build x\n", "go:embed x", "+build ", "line x:1", "export X\n"),
    *("@ts-nocheck", "<reference path='x'/>", "# sourceMappingURL=x", "type: ignore", "fmt: off", "prettier-ignore"),
    *("\u200b", "\u200c", "\u200d", "\u200e", "\u200f", "\u202a", "\u202b", "\u202d", "\u202e", "\u2060", "\u2066", "\u2069", "\u061c"),
    *("\u00a0", "\u00ad", "\u034f", "\u115f", "\u1160", "\u17b4", "\u180e", "\u3000", "\u3164", "\ufe0f", "\uffa0", "\ufffc", "\ufffd"),
    *("\ufffe", "\uffff", "\U0001f600", "\U0001d400", "\U000e0001", "\U000e0100", "\U0010ffff", "\U0001f468\u200d\U0001f469", "e\u0301"),
    *("\u2126", "\u212a", "\uff02", "\uff07", "\u037e", "\uff1b", "\u2024", "\u00b4", "\u02bc", "\u2018", "\u201c", "\u0130", "\u0131"),
    *("\ufb01", "\u1e9e", "\u00df", "\u01c5", "\u2160", "\u00b2", "\u2460", "\u0660", "\u09e6", "\u3007", "\u4e00", "\uac00", "\u0e33"),
    *("..", "../", "/", "\\..\\", "~", "~/", "C:", "\\\\x\\", "con", "nul", "aux.", ".", " ", "  ", "-", "--x", "_", "__", "$", "0", "9x"),
    *("eval(", "exec('", "constructor", "__proto__", "prototype", "toString", "self", "this", "None", "nil", "null", "undefined", "NaN"),
    *("\\u000a", "\\x0a", "\\n", "\\012", "\\N{NEWLINE}", "\\U0000000a", "\\u{a}", "&#10;", "%0a", "+AAo-", "=cmd|' /C calc'!A0"),
)
TROUBLE: Final = tuple(dict.fromkeys(f"{b}{CALL}" for b in _BREAKERS)) + tuple(f"{b};{CALL};{b}" for b in ('"', "'", "`", '"""', "*/"))
"""Some two hundred beginnings of code, each before a call of the marker."""


def quoted(text: str) -> str:
    """`text` as a PCL string, with unescaped characters where a string allows them."""
    escapes = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"}
    parts = [f"\\u{ord(c):04X}" if CONTROL.match(c) else escapes.get(c, c) for c in text]
    return '"' + re.sub(r"([$%])\{", r"\1\1{", "".join(parts)) + '"'


def faults(projects: Projects) -> dict[str, list[str]]:
    """Places where text became code or a file cannot be parsed, by program."""
    by_program: dict[str, list[str]] = {name: [] for name in projects}
    sources: dict[str, list[tuple[str, str, str]]] = {"python": [], "typescript": [], "go": []}
    for name, project in projects.items():
        for language, files in project.items():
            for path, text in files.items():
                assert CONTROL.search(text) is None, (name, language, path)
                if path.suffix in (".py", ".ts", ".go"):
                    sources[language].append((name, str(path), text))
                else:
                    by_program[name] += [f"{language}/{path}: {fault}" for fault in _in_manifest(path.name, text)]
    for name, place, text in sources["python"]:
        by_program[name] += [f"python/{place}: {fault}" for fault in _in_python(text)]
    for language, read in (("typescript", _in_typescript), ("go", _in_go)):
        for at, fault in read([text for _, _, text in sources[language]]):
            by_program[sources[language][at][0]].append(f"{language}/{sources[language][at][1]}: {fault}")
    return {name: messages for name, messages in by_program.items() if messages}


def _in_python(text: str) -> Iterator[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            tree = ast.parse(text.encode("utf-8"))
    except (SyntaxError, ValueError, Warning) as error:
        yield f"does not parse: {error}"
        return
    for node in ast.walk(tree):
        for key, value in ast.iter_fields(node):
            if isinstance(node, ast.Constant) or not isinstance(value, str):
                continue
            if value == MARK:
                yield f"line {getattr(node, 'lineno', 0)}: the marker is a name ({type(node).__name__}.{key})"


_READ_TYPESCRIPT: Final = """
const ts = require(process.argv[2]);
const texts = JSON.parse(require("fs").readFileSync(process.argv[3], "utf8"));
const out = [];
texts.forEach((text, at) => {
  const file = ts.createSourceFile("x.ts", text, ts.ScriptTarget.ES2022, true);
  const line = (pos) => file.getLineAndCharacterOfPosition(pos).line + 1;
  for (const d of file.parseDiagnostics) {
    out.push([at, `line ${line(d.start)}: does not parse: ${ts.flattenDiagnosticMessageText(d.messageText, " ")}`]);
  }
  const walk = (node) => {
    if ((ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) && node.text === "Q9") {
      out.push([at, `line ${line(node.pos)}: the marker is a name`]);
    }
    ts.forEachChild(node, walk);
  };
  walk(file);
  if ((file.referencedFiles || []).length || (file.libReferenceDirectives || []).length || file.checkJsDirective) {
    out.push([at, "a comment is a directive"]);
  }
});
console.log(JSON.stringify(out));
"""


def _in_typescript(texts: list[str]) -> list[tuple[int, str]]:
    tools = toolchains.node()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "read.cjs").write_text(_READ_TYPESCRIPT, encoding="utf-8")
        (folder / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
        command: list[str | Path] = [tools.node, "read.cjs", tools.modules / "typescript", "texts.json"]
        return [(at, fault) for at, fault in json.loads(toolchains.run(command, cwd=folder))]


_READ_GO: Final = """
package main

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
)

func main() {
	data, err := os.ReadFile("texts.json")
	if err != nil {
		panic(err)
	}
	var texts []string
	if err := json.Unmarshal(data, &texts); err != nil {
		panic(err)
	}
	out := [][]any{}
	for at, text := range texts {
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, "x.go", text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			out = append(out, []any{at, "does not parse: " + err.Error()})
			continue
		}
		for _, group := range file.Comments {
			for _, comment := range group.List {
				rest := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
				if strings.HasPrefix(comment.Text, "//go:") || strings.HasPrefix(comment.Text, "//line") || strings.HasPrefix(rest, "+build") {
					out = append(out, []any{at, "a comment is a directive: " + comment.Text})
				}
			}
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if name, ok := node.(*ast.Ident); ok && name.Name == "Q9" {
				out = append(out, []any{at, fmt.Sprintf("line %d: the marker is a name", set.Position(name.Pos()).Line)})
			}
			if spec, ok := node.(*ast.ImportSpec); ok && strings.ContainsAny(spec.Path.Value, " \\t(;)\\\\") {
				out = append(out, []any{at, "an import path is none: " + spec.Path.Value})
			}
			return true
		})
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}
"""


def _in_go(texts: list[str]) -> list[tuple[int, str]]:
    tools = toolchains.go()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "read.go").write_text(_READ_GO, encoding="utf-8")
        (folder / "go.mod").write_text("module read\n", encoding="utf-8")
        (folder / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
        output = toolchains.run([tools.go, "run", "read.go"], cwd=folder, env=tools.environment)
        return [(at, fault) for at, fault in json.loads(output)]


_PROJECT_KEYS: Final = {"name", "description", "runtime", "main", "config", "packages"}
_CONFIG_KEYS: Final = {"type", "description", "secret", "default", "items"}
_NPM_KEYS: Final = {"name", "description", "main", "private", "dependencies", "devDependencies"}
_REQUIREMENT: Final = re.compile(r"[A-Za-z0-9._-]+(==[0-9A-Za-z.+!-]+|>=[0-9.]+,<[0-9.]+)?")
_GO_MOD: Final = re.compile(
    r"module [A-Za-z0-9._~-]+|go [0-9.]+|require \(|\)||\t[A-Za-z0-9._~/-]+ v[0-9A-Za-z.+-]+", re.ASCII
)


def _in_manifest(name: str, text: str) -> Iterator[str]:
    """The faults of a project file: lines or keys that pclgen does not write."""
    match name:
        case "Pulumi.yaml":
            yield from _in_settings(text)
        case "package.json":
            content = json.loads(text)
            if not content.keys() <= _NPM_KEYS:
                yield f"keys {sorted(content)}"
            for package, version in {**content.get("dependencies", {}), **content.get("devDependencies", {})}.items():
                if re.search(r"[^A-Za-z0-9@/._~^*+-]", package + version):
                    yield f"dependency {package!r}: {version!r}"
        case "tsconfig.json":
            if json.loads(text).keys() != {"compilerOptions", "files"}:
                yield "other keys"
        case "requirements.txt" | "go.mod" | ".gitignore":
            rules = {"requirements.txt": _REQUIREMENT, "go.mod": _GO_MOD, ".gitignore": re.compile(r"[A-Za-z0-9._*/~-]+")}
            yield from (f"line {line!r}" for line in text.removesuffix("\n").split("\n") if not rules[name].fullmatch(line))
        case _:
            yield "an unexpected file"


def _in_settings(text: str) -> Iterator[str]:
    try:
        content: Any = yaml.safe_load(text)
    except yaml.YAMLError as error:
        yield f"does not parse: {error}"
        return
    if not content.keys() <= _PROJECT_KEYS:
        yield f"keys {sorted(content)}"
    for key in ("name", "description", "main"):
        if not isinstance(content.get(key, ""), str):
            yield f"{key} is no text: {content[key]!r}"
    for name, entry in content.get("config", {}).items():
        if not isinstance(name, str) or not (entry or {}).keys() <= _CONFIG_KEYS:
            yield f"config {name!r}: {entry!r}"
