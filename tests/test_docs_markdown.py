"""Markdown: the positions of snippets, errors in their markers, and that writing tabs changes nothing else."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pclgen.docs.regions import Document, RegionKind, apply, is_program, read_document, written
from pclgen.source.text import SourceFile

ORDER = ("typescript", "python", "go", "yaml", "pcl")
TEXTS = {"typescript": "const a = 1;\n", "python": "a = 1\n\nb = 2\n", "go": "a := 1\n"}
START, END = "<!--Start PulumiCodeChooser -->", "<!--End PulumiCodeChooser -->"


def read(text: str) -> Document:
    return read_document(SourceFile("docs.md", text))


def built(text: str) -> str:
    document = read(text)
    assert document.diagnostics == ()
    return apply(text, [edit for snippet in document.snippets for edit in written(text, snippet, TEXTS, ORDER)])


def kinds(text: str) -> list[tuple[str, str, str]]:
    return [(snippet.language, snippet.region.kind.value, snippet.text) for snippet in read(text).snippets]


BARE = "before\n\n```pcl\nx = 1\n```\n\nafter\n"
COMMENTS = f"# T\n\n{START}\n```typescript\nold\n```\n```csharp\nvar a;\n```\n```yaml\nvariables:\n  a: 1\n```\n{END}\nend"
EXAMPLE = "{{% examples %}}\n{{% example %}}\n### A\n\n```go\nold\n```\n\n```pcl\nx = 1\n```\n\n{{% /example %}}\n{{% /examples %}}\n"
CHOOSER = """\
{{< chooser language "python,go,java" >}}

{{% choosable language python %}}

Words.

```python
old
```

{{% /choosable %}}
{{% choosable language java %}}

```java
int a;
```

{{% /choosable %}}
{{% choosable language pcl %}}

```pcl
x = 1
```

{{% /choosable %}}

{{< /chooser >}}
"""
NESTED = "1. One\n\n   - Two\n\n     ```pcl\n     x = {\n       a = 1\n     }\n\n     y = 2\n     ```\n\n2. Three\n"
QUOTED = "> Words\n>\n> ~~~~pcl\n> x = 1\n>\n> ```\n> ~~~~\n\nafter\n"
TABBED = "-\tItem\n\n\t```pcl\n\tx = 1\n\t\ty = 2\n\t```\n"
ALL = (BARE, COMMENTS, EXAMPLE, CHOOSER, NESTED, QUOTED, TABBED)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BARE, ("pcl", "bare", "x = 1\n")),
        (COMMENTS, ("yaml", "comments", "variables:\n  a: 1\n")),
        (EXAMPLE, ("pcl", "example", "x = 1\n")),
        (CHOOSER, ("pcl", "chooser", "x = 1\n")),
        (NESTED, ("pcl", "bare", "x = {\n  a = 1\n}\n\ny = 2\n")),
        (QUOTED, ("pcl", "bare", "x = 1\n\n```\n")),
        (TABBED, ("pcl", "bare", "x = 1\n\ty = 2\n")),
        ("- ```pcl\n  x = 1\n  ```\n", ("pcl", "bare", "x = 1\n")),
        ("* a\nlazy\n\n    ~~~ pcl\n    x = 1\n    ~~~\n", ("pcl", "bare", "x = 1\n")),
        (BARE.replace("\n", "\r\n"), ("pcl", "bare", "x = 1\n")),
    ],
)
def test_snippets_are_found(text: str, expected: tuple[str, str, str]) -> None:
    assert kinds(text) == [expected]


@pytest.mark.parametrize(
    "text",
    [
        "    ```pcl\n    x = 1\n    ```\n",
        "````markdown\n```pcl\nx = 1\n```\n````\n",
        "<!--\n```pcl\nx = 1\n```\n-->\n",
        "`{{% example %}}` is a marker\n",
        "```yaml\nname: CI\non: push\njobs: {}\n```\n",
        "```yaml\nresources:\n- a.yaml\n```\n",
        "```yaml\nconfig:\n  aws:region: us-east-1\n```\n",
        f"{START}\n```python\na = 1\n```\n{END}\n",
        '{{< chooser cloud "aws,azure" / >}}\n{{% choosable cloud aws %}}\n{{% /choosable %}}\n',
    ],
)
def test_what_is_no_snippet_is_left(text: str) -> None:
    assert read(text).snippets == () and read(text).diagnostics == ()
    assert built(text) == text


@pytest.mark.parametrize("text", [NESTED, QUOTED, TABBED, BARE, CHOOSER, NESTED.replace("\n", "\r\n")])
def test_each_offset_of_a_snippet_is_one_in_its_document(text: str) -> None:
    (snippet,) = read(text).snippets
    for at, sign in enumerate(snippet.text):
        assert sign == "\n" or text[snippet.offset(at)] == sign


def test_programs_differ_from_other_yaml() -> None:
    assert is_program("name: a\nruntime: yaml\n")
    assert is_program("resources:\n\n  # words\n  a:\n    type: b\n")
    assert is_program("outputs: {a: 1}\n")
    assert not is_program("resources: 5\n")
    assert not is_program("")


def test_tabs_of_a_bare_fence() -> None:
    assert built(BARE) == (
        f"before\n\n{START}\n```typescript\nconst a = 1;\n```\n```python\na = 1\n\nb = 2\n```\n```go\na := 1\n```\n"
        f"```pcl\nx = 1\n```\n{END}\n\nafter\n"
    )


def test_tabs_take_the_places_that_are_there() -> None:
    assert built(COMMENTS) == (
        f"# T\n\n{START}\n```typescript\nconst a = 1;\n```\n```python\na = 1\n\nb = 2\n```\n```go\na := 1\n```\n"
        f"```csharp\nvar a;\n```\n```yaml\nvariables:\n  a: 1\n```\n{END}\nend"
    )


def test_tabs_of_a_chooser() -> None:
    output = built(CHOOSER)
    assert output.startswith('{{< chooser language "python,go,java,typescript" >}}\n')
    assert "{{% choosable language go %}}\n\n```go\na := 1\n```\n\n{{% /choosable %}}" in output
    assert "```java\nint a;\n```" in output and "old" not in output


def test_what_is_indented_or_quoted_stays_so() -> None:
    assert "     ```python\n     a = 1\n\n     b = 2\n     ```\n" in built(NESTED)
    assert "> ```python\n> a = 1\n>\n> b = 2\n> ```\n" in built(QUOTED)
    assert "\t```python\n\ta = 1\n\n\tb = 2\n\t```\n" in built(TABBED)


def test_text_with_marks_of_a_fence_gets_longer_ones() -> None:
    text = f"{START}\n```go title\nold\n```\n```pcl\nx = 1\n```\n{END}\n"
    (snippet,) = read(text).snippets
    output = apply(text, written(text, snippet, {"go": "a\n```\nb\n"}, ORDER))
    assert "````go title\na\n```\nb\n````\n" in output
    (again,) = read(output).snippets
    assert written(output, again, {"go": "a\n```\nb\n"}, ORDER) == []


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (f"a\n{START}\n```pcl\nx = 1\n```\n", "PCL1301", 2),
        ("{{% example %}}\n{{% example %}}\n{{% /example %}}\n", "PCL1301", 1),
        (f"a\n\n{END}\n", "PCL1302", 3),
        (f"{START}\n{{{{% /example %}}}}\n{END}\n", "PCL1302", 2),
        (f"{START}\n{START}\n{END}\n{END}\n", "PCL1302", 2),
        ("a\n```pcl\nx = 1\n", "PCL1303", 2),
        (f"{START}\n```pcl\nx = 1\n```\n```pcl\nx = 1\n```\n{END}\n", "PCL1304", 5),
        (f"{START}\n```pcl\nx = 1\n```\n```go\n```\n```go\n```\n{END}\n", "PCL1304", 7),
        ("```pcl skipp\nx = 1\n```\n", "PCL1305", 1),
    ],
)
def test_broken_markers_and_fences_are_reported(text: str, code: str, line: int) -> None:
    (diagnostic,) = read(text).diagnostics
    assert diagnostic.primary is not None
    assert (diagnostic.code, diagnostic.primary.start_position.line) == (code, line)


def test_attributes_and_hidden_lines() -> None:
    text = '<!-- pclgen hidden\nconfig "a" "string" {}\n-->\n\n```pcl skip expect-error=PCL0401 title="a b"\nx = a\n```\n'
    (snippet,) = read(text).snippets
    assert dict(snippet.attributes) == {"skip": "", "expect-error": "PCL0401"}
    assert snippet.hidden == 'config "a" "string" {}\n'
    assert text[snippet.offset(0, hidden=True) :].startswith("config")


OTHERS = ("- item\n\n  ", "> ", "    ", "\t", "words\n", "\n", "```sh\nls\n```\n", "```", "~~~\n", "1. ", "é\u2028 \x85")
MARKERS = (f"{START}\n", f"{END}\n", "{{% example %}}\n", "{{% /example %}}\n", "```yaml\nresources:\n  a:\n```\n")
PIECES = st.sampled_from([*ALL, *OTHERS, *MARKERS])


@settings(max_examples=300)
@given(st.lists(PIECES, max_size=7), st.booleans(), st.permutations(ORDER))
def test_build_is_idempotent_and_touches_tabs_only(pieces: list[str], windows: bool, order: list[str]) -> None:
    text = "".join(pieces)
    text = text.replace("\n", "\r\n") if windows else text
    document = read(text)
    if document.diagnostics:
        return
    edits = [edit for snippet in document.snippets for edit in written(text, snippet, TEXTS, order)]
    spans = sorted((edit.start, edit.end) for edit in edits)
    assert all(a[1] <= b[0] for a, b in itertools.pairwise(spans))
    output = apply(text, edits)
    again = read(output)
    assert [snippet.text for snippet in again.snippets] == [snippet.text for snippet in document.snippets]
    assert [edit for snippet in again.snippets for edit in written(output, snippet, TEXTS, order)] == []
    own = [
        (tab.fence.body, tab.fence.closing)
        for snippet in document.snippets
        for tab in snippet.region.tabs
        if tab.language in TEXTS
    ]
    for start, end in spans:
        inside = any(first <= start and end <= last for first, last in own)
        whole = any(start == tab.start and end == tab.end for snippet in document.snippets for tab in snippet.region.tabs)
        listed = any(snippet.region.listed == (start, end) for snippet in document.snippets)
        assert start == end or inside or whole or listed
    assert all(snippet.region.kind is not RegionKind.BARE for snippet in again.snippets)
