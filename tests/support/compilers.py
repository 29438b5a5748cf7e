"""Check generated programs: one compiler run over many programs.

Programs are {name: directory}; a check reads only the files of its language, in all folders.  The result is
{name: messages}, an empty list for a clean program.  A message is `tool: file:line: text`.

    check_python, check_typescript, check_go      types
    check_black, check_prettier, check_gofmt      layout: the files that the formatter would change

SDKs that no registry has are passed as `search` (Python: entries of a search path; TypeScript: folders with `node_modules`),
in Go as `generated` (a folder with `go/<module path>/`).
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from tests.support import toolchains
from tests.support.earlier import once
from tests.support.toolchains import GoTools, Sdks, ToolError, locked, run

Programs: TypeAlias = Mapping[str, Path]
Messages: TypeAlias = dict[str, list[str]]

_MISSING = re.compile(r"  \[(name-defined|import-not-found|attr-defined|valid-type|syntax)\]$")
"""Relevant errors in SDKs: those that turn a name into `Any`; published SDKs have others."""
_TSCONFIG = {
    "noEmit": True,
    "target": "ES2022",
    "module": "nodenext",
    "moduleResolution": "nodenext",
    "moduleDetection": "force",
    "types": ["node"],
    "strict": True,
    "noFallthroughCasesInSwitch": True,
    "noImplicitReturns": True,
    "skipLibCheck": True,
}


@contextmanager
def _staged(programs: Programs, suffix: str) -> Iterator[tuple[Path, dict[str, list[str]]]]:
    """Copies of the programs' files in a scratch folder, `progs/<name>/…`, and the files of each, sorted."""
    with tempfile.TemporaryDirectory(prefix="pclgen-check-") as scratch:
        stage = Path(scratch).resolve()
        files: dict[str, list[str]] = {}
        for name, folder in sorted(programs.items()):
            paths = sorted(path.relative_to(folder) for path in folder.rglob(f"*{suffix}"))
            files[name] = [path.as_posix() for path in paths if "node_modules" not in path.parts]
            for file in files[name]:
                target = stage / "progs" / name / file
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(folder / file, target)
        yield stage, files


def _sort(output: str, pattern: str, messages: Messages, tool: str) -> None:
    """File each line that `pattern` (groups: program, rest) matches under its program; indented lines continue a line.

    Raises `ToolError` if a message does not belong to a program.
    """
    last: list[str] | None = None
    strays: list[str] = []
    for line in output.splitlines():
        match = re.match(pattern, line)
        if match is not None and match[1] in messages:
            last = messages[match[1]]
            last.append(f"{tool}: {match[2]}")
        elif line[:1].isspace() and last:
            last[-1] += " / " + line.strip()
        elif line.strip():
            strays.append(line)
    if strays:
        raise ToolError(f"{tool} says: " + "\n".join(strays[:20]))


@once
def check_python(programs: Programs, *, search: Sequence[Path] = (), deep: bool = True) -> Messages:
    """mypy (with unannotated functions) and, if `deep`, pyright; `search` has priority over installed packages."""
    with _staged(programs, ".py") as (stage, files):
        messages: Messages = {name: [] if sources else ["python: no file"] for name, sources in files.items()}
        parsed = {name: sources for name, sources in files.items() if _parses(stage, name, sources, messages[name])}
        with locked("mypy"):  # its cache does not support concurrent runs
            _mypy(stage, parsed, messages, search)
        if deep:
            _pyright(stage, messages, search)
        return messages


def _parses(stage: Path, name: str, files: list[str], messages: list[str]) -> bool:
    """Whether this Python parses all files; a file that it rejects would stop mypy for all programs."""
    for file in files:
        try:
            compile((stage / "progs" / name / file).read_bytes(), file, "exec")
        except (SyntaxError, ValueError) as error:
            messages.append(f"python: {file}:{getattr(error, 'lineno', 0)}: {error}")
    return not messages


def _mypy(stage: Path, files: dict[str, list[str]], messages: Messages, search: Sequence[Path]) -> None:
    """One run for all programs, whose modules get unique names."""
    tools = toolchains.python()
    config = stage / "mypy.ini"
    config.write_text("[mypy]\n")
    flags = ["--check-untyped-defs", "--no-error-summary", "--no-color-output", "--hide-error-context"]
    command: list[str | Path] = [tools.python, "-m", "mypy", *flags, "--config-file", config]
    command += ["--cache-dir", tools.home / "mypy-cache", "--python-executable", tools.python]
    batch = stage / "batch"
    batch.mkdir()
    owners: dict[str, tuple[str, str]] = {}
    for name, sources in files.items():
        # mypy caches messages by module, so the name includes a hash of the content.
        texts = [(stage / "progs" / name / file).read_bytes() for file in sources]
        content = hashlib.sha256(repr((name, sources, texts)).encode()).hexdigest()[:16]
        modules = {
            file.removesuffix(".py"): f"program_{content}_{file.removesuffix('.py')}".replace("/", "_") for file in sources
        }
        for file in sources:
            alias = modules[file.removesuffix(".py")] + ".py"
            text = (stage / "progs" / name / file).read_text(encoding="utf-8")
            (batch / alias).write_text(_renamed(text, modules), encoding="utf-8")
            owners[alias] = (name, file)
    if not owners:
        return
    path = ":".join(str(entry) for entry in search)
    output = run([*command, *sorted(owners)], cwd=batch, env={"MYPYPATH": path}, ok=(0, 1))
    for line in output.splitlines():
        match = re.match(r"(.+?\.pyi?):(\d+): error: (.*)", line)
        if match is not None and match[1] in owners:
            program, file = owners[match[1]]
            messages[program].append(f"mypy: {file}:{match[2]}: {match[3]}")
        elif (match is None and ": note: " not in line) or _MISSING.search(line):
            raise ToolError(f"mypy says: {line}")


def _renamed(text: str, modules: Mapping[str, str]) -> str:
    """A file whose imports of the program's own modules use their new names."""
    return re.sub(
        r"^from (\w+) import ", lambda match: f"from {modules.get(match[1], match[1])} import ", text, flags=re.MULTILINE
    )


def _pyright(stage: Path, messages: Messages, search: Sequence[Path]) -> None:
    node, python = toolchains.node(), toolchains.python()
    # In the folder of its program, a module has priority over all others.
    several = [name for name in sorted(messages) if len(list((stage / "progs" / name).glob("*.py"))) > 1]
    config = {
        "include": ["progs"],
        "venvPath": str(python.home),
        "venv": "venv",
        "pythonVersion": "3.11",
        "typeCheckingMode": "standard",
        "reportMissingModuleSource": "none",
        "extraPaths": [str(entry) for entry in search],
        "executionEnvironments": [{"root": f"progs/{name}"} for name in several],
    }
    (stage / "pyrightconfig.json").write_text(json.dumps(config))
    script = node.modules / "pyright" / "index.js"
    output = run([node.node, script, "-p", "pyrightconfig.json", "--outputjson"], cwd=stage, ok=(0, 1))
    for diagnostic in json.loads(output[output.index("{") :])["generalDiagnostics"]:
        if diagnostic["severity"] == "error":
            name, _, file = Path(diagnostic["file"]).relative_to(stage / "progs").as_posix().partition("/")
            line = diagnostic["range"]["start"]["line"] + 1
            messages[name].append(f"pyright: {file}:{line}: {' / '.join(diagnostic['message'].split(chr(10)))}")


@once
def check_ty(programs: Programs, *, search: Sequence[Path] = (), sdks: Sdks = Sdks.INSTALLED) -> Messages:
    """ty, in a second where mypy and pyright take minutes over large SDKs; `search` has priority."""
    with _staged(programs, ".py") as (stage, files):
        messages: Messages = {name: [] if sources else ["ty: no file"] for name, sources in files.items()}
        tools = toolchains.python(sdks)
        flags = ["--python", str(tools.home / "venv"), "--python-version", "3.11", "--output-format", "concise"]
        # Another checker may need a conversion that this checker considers redundant.
        flags += ["--ignore", "redundant-cast"]
        # Modules of two programs may have the same name, so a program with several files gets its own run.
        single = [f"progs/{name}" for name, sources in files.items() if len(sources) == 1]
        several = [f"progs/{name}" for name, sources in files.items() if len(sources) > 1]
        for paths, own in ((single, []), *(([path], [path]) for path in several)):
            roots = [str(part) for entry in (*own, *search) for part in ("--extra-search-path", entry)]
            command: list[str | Path] = [tools.home / "venv" / "bin" / "ty", "check", *flags, *roots, *paths]
            output = run(command, cwd=stage, ok=(0, 1)) if paths else ""
            kept = "\n".join(line for line in output.splitlines() if not re.match(r"Found \d+ diag|All checks passed", line))
            _sort(kept, r"progs/([^/]+)/(.+)", messages, "ty")
        return messages


@once
def check_typescript(programs: Programs, *, search: Sequence[Path] = (), sdks: Sdks = Sdks.USUAL) -> Messages:
    """tsc, strict, as in the generated tsconfig.json; the `node_modules` of `search` have priority."""
    with _staged(programs, ".ts") as (stage, files):
        messages: Messages = {name: [] if entries else ["tsc: no file"] for name, entries in files.items()}
        tools = toolchains.node(sdks)
        link_modules(stage / "node_modules", tools.modules, search)
        waiting = [name for name, entries in files.items() if entries]
        # While any file has a syntax error, tsc reports nothing else, so such programs are removed.
        while waiting:
            entries: Messages = {name: [] for name in waiting}
            config = {"compilerOptions": _TSCONFIG, "include": [f"progs/{name}/**/*.ts" for name in waiting]}
            (stage / "tsconfig.json").write_text(json.dumps(config))
            script = tools.modules / "typescript" / "bin" / "tsc"
            memory = "--max-old-space-size=6000"
            output = run([tools.node, memory, script, "-p", ".", "--pretty", "false"], cwd=stage, ok=(0, 1, 2))
            _sort(output, r"progs/([^/]+)/(.+)", entries, "tsc")
            broken = {name for name in waiting if any(re.search(r" error TS1[0-6]\d\d:", m) for m in entries[name])}
            for name in broken or set(waiting):
                messages[name] += entries[name]
            waiting = [name for name in waiting if broken and name not in broken]
        return messages


def link_modules(target: Path, modules: Path, search: Sequence[Path]) -> None:
    """Make a node_modules folder with links to installed packages and copies of generated ones, which need those."""
    target.mkdir()
    for package in modules.iterdir():
        if package.name == "@pulumi":
            (target / "@pulumi").mkdir()
            for scoped in package.iterdir():
                (target / "@pulumi" / scoped.name).symlink_to(scoped)
        else:
            (target / package.name).symlink_to(package)
    for entry in search:
        for manifest in sorted((entry / "node_modules").glob("**/package.json")):
            place = target / manifest.parent.relative_to(entry / "node_modules")
            if place.is_symlink():
                place.unlink()
            if not place.exists():
                shutil.copytree(manifest.parent, place)


@once
def check_go(programs: Programs, *, generated: Path | None = None, sdks: Sdks = Sdks.USUAL) -> Messages:
    """go vet, which type-checks too."""
    with _staged(programs, ".go") as (stage, files):
        messages: Messages = {name: [] if sources else ["go: no file"] for name, sources in files.items()}
        tools = toolchains.go(sdks)
        _write_module(stage, tools.module, generated)
        # A package with a syntax error or a missing import stops vet for all packages.
        good = [name for name, sources in files.items() if sources and _go_loads(stage, name, messages[name], tools)]
        if good:
            command: list[str | Path] = [tools.go, "vet", *(f"./progs/{name}/..." for name in good)]
            output = run(command, cwd=stage, env=tools.environment, ok=(0, 1, 2))
            kept = "\n".join(line for line in output.splitlines() if not line.startswith(("# ", "go: downloading")))
            _sort(kept, r"(?:vet: )?(?:\./)?progs/([^/]+)/(.+)", messages, "go")
        return messages


def _write_module(stage: Path, module: Path, generated: Path | None) -> None:
    text = (module / "go.mod").read_text()
    shutil.copyfile(module / "go.sum", stage / "go.sum")
    if generated is not None:
        for manifest in sorted((generated / "go").rglob("go.mod")):
            path = manifest.parent.relative_to(generated / "go").as_posix()
            if f"\t{path} v" not in text:
                version = re.search(r"/v(\d+)$", path)
                text += f"\nrequire {path} v{version[1] if version else 0}.0.0\n"
            text += f"\nreplace {path} => {manifest.parent}\n"
    (stage / "go.mod").write_text(text)


def _go_loads(stage: Path, name: str, messages: list[str], tools: GoTools) -> bool:
    form = "{{range .DepsErrors}}{{.Err}}\n{{end}}{{with .Error}}{{.Err}}{{end}}"
    output = run([tools.go, "list", "-e", "-f", form, f"./progs/{name}/..."], cwd=stage, env=tools.environment, ok=(0, 1))
    lines = [line.strip() for line in dict.fromkeys(output.splitlines()) if not line.startswith("go: downloading")]
    messages += [f"go: {line}" for line in lines if line]
    return not messages


@once
def check_black(programs: Programs) -> Messages:
    """black with its defaults."""
    with _staged(programs, ".py") as (stage, files):
        messages: Messages = {name: [] for name in files}
        tools = toolchains.python()
        output = run([tools.python, "-m", "black", "--check", "--workers", "1", "progs"], cwd=stage, ok=(0, 1, 123))
        for kind, path in re.findall(r"^(would reformat|error: cannot \w+):? (.+?\.py)\b", output, re.MULTILINE):
            name, _, file = _split(path, stage)
            messages[name].append(f"black: {file}: {kind}")
        return messages


def _split(path: str, stage: Path) -> tuple[str, str, str]:
    """Program, slash and file of a path that a tool printed."""
    relative = (stage / path).relative_to(stage / "progs").as_posix()
    return relative.partition("/")


@once
def check_prettier(programs: Programs) -> Messages:
    """prettier with four spaces, as in Pulumi's TypeScript."""
    with _staged(programs, ".ts") as (stage, files):
        messages: Messages = {name: [] for name in files}
        tools = toolchains.node()
        script = tools.modules / "prettier" / "bin" / "prettier.cjs"
        flags = ["--no-config", "--no-editorconfig", "--tab-width", "4", "--ignore-path", "/dev/null", "--list-different"]
        output = run([tools.node, script, *flags, "progs/**/*.ts"], cwd=stage, ok=(0, 1, 2))
        for line in output.splitlines():
            broken = re.match(r"\[error\] (progs/.+?\.ts):(.*)", line)
            if broken is not None or line.startswith("progs/"):
                name, _, file = _split(broken[1] if broken else line, stage)
                messages[name].append(f"prettier: {file}:{broken[2] if broken else ' would reformat'}")
        return messages


@once
def check_gofmt(programs: Programs) -> Messages:
    """gofmt."""
    with _staged(programs, ".go") as (stage, files):
        messages: Messages = {name: [] for name in files}
        output = run([toolchains.go().gofmt, "-l", "progs"], cwd=stage, ok=(0, 2))
        for line in output.splitlines():
            name, _, rest = line.removeprefix("progs/").partition("/")
            messages[name].append(f"gofmt: {rest if ':' in rest else rest + ': would reformat'}")
        return messages
