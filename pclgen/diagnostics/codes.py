"""Every diagnostic code and the page that explains it.

Markdown files in `pages/`, one per code and named after it, become `Page`s. They are read only on request (`pclgen explain`,
SARIF).

A page is a title line, two to five sentences, and at least the two examples:

    # PCL0101: title in lower case, no full stop

    Prose.

    ```pcl wrong
    ```

    ```pcl right
    ```

A fence of PCL may name its file (`pcl wrong file=web/main.pp`, by default `main.pp`). A fence `yaml` is a program in
Pulumi YAML (`Pulumi.yaml`), `toml` is `pclgen.toml`, `markdown` is `docs.md`, `json` is a pack (`program.mupack.json`),
and `jinja` is a user's template. A fence without `wrong` or `right` belongs to both examples. Further words of a fence
select how the example is processed: `bytes` turns `\\xNN` into a byte, `lenient` checks it with `--lenient`, `generate`
generates all languages, `evaluate` runs it, `preview` runs it as a preview, `fmt` checks its layout, `docs` builds its
tabs, `check` compares them, `config` checks the stack `Pulumi.dev.yaml`, and `deps` resolves its packages.
A fence `replay` holds recorded answers for these runs,
`options` words for the command.  A fence `schema` holds the JSON of a package schema for both examples, and a fence
`sh file=NAME` a program of that name on PATH.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from msgspec import Struct

from pclgen.diagnostics.suggest import suggest

PAGES = Path(__file__).with_name("pages")

SITE = "https://pclgen.github.io/pclgen/latest/"
"""The address of the documentation of the newest release (`site_url` of zensical.toml)."""

_CODE = re.compile(r"PCL\d{4}")
_TITLE = re.compile(r"# (PCL\d{4}): (\S.*)")
_FENCE = re.compile(r"```(\w*)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_BYTE = re.compile(rb"\\x([0-9a-fA-F]{2})")
_FILES = {
    "json": "program.mupack.json",
    "pcl": "main.pp",
    "toml": "pclgen.toml",
    "yaml": "Pulumi.yaml",
    "markdown": "docs.md",
    "jinja": "templates/go/file.go.jinja",
}
_FLAGS = frozenset({"docs", "bytes", "lenient", "generate", "evaluate", "preview", "fmt", "check", "config", "deps"})
_SPELLINGS = re.compile(r"(?:pcl)?[-_ ]?0*(\d{1,4})", re.IGNORECASE)


class PageError(ValueError):
    """A page violates the format: a mistake of pclgen's authors, found by the tests."""


class Example(Struct, frozen=True, kw_only=True):
    """A small program of a page: its files (name, content) in the order of the page, and how to run it."""

    files: tuple[tuple[str, bytes], ...]
    lenient: bool
    generate: bool
    evaluate: bool = False
    preview: bool = False
    fmt: bool = False
    docs: str = ""
    config: bool = False
    deps: bool = False


class Page(Struct, frozen=True, kw_only=True):
    """The explanation of a code: Markdown text, its opening prose, the examples, and for both of them schemas (JSON) and
    programs on PATH (name, shell script).
    """

    code: str
    title: str
    text: str
    prose: str
    wrong: Example
    right: Example
    schemas: tuple[str, ...]
    programs: tuple[tuple[str, str], ...] = ()
    replay: str | None = None
    options: tuple[str, ...] = ()


class Code(Struct, frozen=True, kw_only=True):
    """A diagnostic code, the title of its page and the path of its page."""

    code: str
    title: str
    page: Path


@cache
def all_codes() -> tuple[Code, ...]:
    """Every code that has a page, in order."""
    paths = sorted(PAGES.glob("PCL[0-9][0-9][0-9][0-9].md"))
    return tuple(Code(code=path.stem, title=_title(path), page=path) for path in paths)


def address(code: str) -> str:
    """The address of the page of a code."""
    return f"{SITE}reference/diagnostics/#{code.lower()}"


def page(code: str) -> Page | None:
    """The page of `code` (spelled `PCLnnnn`), or None when there is no such code.

    Raises `PageError` for a page that does not follow the form.
    """
    path = PAGES / f"{code}.md"
    if not _CODE.fullmatch(code) or not path.is_file():
        return None
    return parse_page(path.read_text(encoding="utf-8"), code=code)


def find_code(spelling: str) -> str | None:
    """The code for the user's spelling `PCL0101`, `pcl101` or `0101`; None if there is no such code."""
    match = _SPELLINGS.fullmatch(spelling.strip())
    if match is None:
        return None
    code = f"PCL{int(match[1]):04d}"
    return code if (PAGES / f"{code}.md").is_file() else None


def similar_code(spelling: str) -> str | None:
    """The code whose number or title is nearest to the user's spelling."""
    titles = {entry.title: entry.code for entry in all_codes()}
    match = _SPELLINGS.fullmatch(spelling.strip())
    name = spelling if match is None else f"PCL{int(match[1]):04d}"
    similar = suggest(name, [*titles.values(), *titles])
    return None if similar is None else titles.get(similar, similar)


def parse_page(text: str, *, code: str) -> Page:
    """Parse the Markdown of a page. Raises `PageError` naming the missing part."""
    match = _TITLE.match(text)
    if match is None or match[1] != code:
        raise PageError(f"{code}: the first line must be '# {code}: title'")
    body = text[match.end() :]
    prose = _FENCE.split(body, maxsplit=1)[0].strip()
    if not prose:
        raise PageError(f"{code}: no explanation between the title and the first example")
    fences = [(m[1], m[2].split(), m[3]) for m in _FENCE.finditer(body)]
    return Page(
        code=code,
        title=match[2].strip(),
        text=text,
        prose=prose,
        wrong=_example(code, fences, "wrong"),
        right=_example(code, fences, "right"),
        schemas=tuple(content for language, _, content in fences if language == "schema"),
        replay=next((content for language, _, content in fences if language == "replay"), None),
        options=tuple(word for language, _, content in fences if language == "options" for word in content.split()),
        programs=tuple((words[0].removeprefix("file="), content) for language, words, content in fences if language == "sh"),
    )


def _example(code: str, fences: list[tuple[str, list[str], str]], kind: str) -> Example:
    files: list[tuple[str, bytes]] = []
    flags: set[str] = set()
    has_kind = False
    for language, words, content in fences:
        if language not in _FILES or ({"wrong", "right"} - {kind}) & set(words):
            continue
        has_kind = has_kind or kind in words
        name = _FILES[language]
        for word in words:
            if word.startswith("file="):
                name = word.removeprefix("file=")
            elif word in _FLAGS:
                flags.add(word)
            elif word != kind:
                raise PageError(f"{code}: unknown word '{word}' after the opening of a fence")
        data = content.encode("utf-8")
        if "bytes" in words:
            data = _BYTE.sub(lambda match: bytes.fromhex(match[1].decode()), data)
        files.append((name, data))
    if not has_kind:
        raise PageError(f"{code}: no example opened by '```pcl {kind}'")
    return Example(
        files=tuple(files),
        lenient="lenient" in flags,
        generate="generate" in flags,
        evaluate="evaluate" in flags or "preview" in flags,
        preview="preview" in flags,
        fmt="fmt" in flags,
        config="config" in flags,
        deps="deps" in flags,
        docs="check" if "check" in flags else "build" if "docs" in flags else "",
    )


def _title(path: Path) -> str:
    with path.open(encoding="utf-8") as file:
        match = _TITLE.match(file.readline())
    if match is None:
        raise PageError(f"{path.stem}: the first line must be '# {path.stem}: title'")
    return match[2].strip()
