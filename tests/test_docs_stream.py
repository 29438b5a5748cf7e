"""Docs files are processed in order, over any workers, and released one after the other."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from pclgen.build.model import BuildContext
from pclgen.docs import work
from pclgen.docs.files import MarkdownFile, Spool, docs_of
from pclgen.schema.config import SourceKind
from pclgen.schema.discovery import Settings


def files(counts: list[int]) -> Iterator[MarkdownFile]:
    """Markdown files with these numbers of snippets."""
    for number, count in enumerate(counts):
        fences = [f"```pcl\noutput answer {{\n  value = {number}{at}\n}}\n```\n" for at in range(count)]
        yield docs_of(Path(f"{number:03}.md"), "\n".join(["# Words", *fences]))


def request(jobs: int) -> work.DocsRequest:
    settings = Settings(sources=(SourceKind.FILES,), isolated=True, no_cache=True)
    return work.DocsRequest(paths=(), context=BuildContext(root=Path(), settings=settings), languages=("python",), jobs=jobs)


@pytest.mark.parametrize(("jobs", "has_executor"), [(1, False), (2, False), (2, True)])
def test_files_come_in_their_order_with_their_own_answers(jobs: int, has_executor: bool) -> None:
    counts = [0, 3, 40, 0, 1, 25, 0]
    with ExitStack() as stack:
        executor: Executor | None = stack.enter_context(ThreadPoolExecutor(2)) if has_executor else None
        results = list(work.convert_read(files(counts), request(jobs), executor=executor))
    assert [result.file.path.name for result in results] == [f"{number:03}.md" for number in range(len(counts))]
    for number, result in enumerate(results):
        texts = [entry.answer.texts["python"] for entry in result.entries if entry.answer is not None]
        assert texts == [f'import pulumi\n\npulumi.export("answer", {int(f"{number}{at}")})\n' for at in range(counts[number])]


def test_a_file_is_gone_after_it_was_returned() -> None:
    def alive() -> int:
        gc.collect()
        return sum(isinstance(item, work.DocsFile) for item in gc.get_objects())

    others = alive()
    count = 0
    for count, _ in enumerate(work.convert_read(files([2] * 30), request(1)), 1):
        if count % 10 == 0:
            assert alive() - others <= 4
    assert count == 30


def test_a_spool_gives_back_what_it_took() -> None:
    with Spool.opened() as spool:
        contents = {Path(f"{number}.md"): bytes([number]) * (number * 70_000) for number in range(20)}
        for path, data in contents.items():
            spool.add(path, data)
        spool.add(Path("0.md"), b"anew")
        assert dict(spool) == {**contents, Path("0.md"): b"anew"}
        assert len(spool) == 20
