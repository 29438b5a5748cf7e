"""Run a function over chunks of many items on any executor, and yield results as they complete.

The items may be a stream longer than memory: a bounded number of chunks is in flight, and finished items are forgotten.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import chain, islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

CHUNK = 200
"""Maximum number of items per chunk: the cost of sending a chunk is small compared with its work."""
OWN_CHUNK = 25
"""Maximum for local processes: small chunks let all workers end at about the same time."""
IN_FLIGHT = 2
"""Chunks per worker that run or wait: no worker is idle, and memory does not grow with the number of items."""
_PRELOADED = ["pclgen.pipeline", "pclgen.build.compile"]


class RefusedError(Exception):
    """The executor accepted no more work."""


def over(
    executor: Executor, function: Callable[[Sequence[T]], R], items: Iterable[T], *, size: int, in_flight: int
) -> Iterator[tuple[Sequence[T], R | Exception]]:
    """Yield each chunk of `items` with the result of `function`, or with the exception of the call or of its worker.

    The exception is a `RefusedError` if the executor did not accept the chunk.
    """
    chunks = _chunks(items, size)
    pending: dict[Future[R], Sequence[T]] = {}
    try:
        while True:
            for chunk in islice(chunks, in_flight - len(pending)):
                try:
                    pending[executor.submit(function, chunk)] = chunk
                except Exception as error:  # a dead worker, a shut down executor, or any error of a foreign executor
                    yield chunk, RefusedError(str(error) or type(error).__name__)
                    break
            else:
                if not pending:
                    return
            for future in wait(pending, return_when=FIRST_COMPLETED).done if pending else ():
                result: R | Exception = _answer(future)
                yield pending.pop(future), result
    finally:
        for future in pending:
            future.cancel()


def over_worker_processes(
    function: Callable[[Sequence[T]], R], items: Iterable[T], workers: int, *, size: int
) -> Iterator[tuple[Sequence[T], R | Exception]]:
    """Yield as `over` does, over local processes.

    When a worker dies, the chunks in flight are retried item by item, so that only the item that killed it is lost. If no
    process can be started at all, the rest is yielded with a `RefusedError`.
    """
    stream = iter(items)
    while head := tuple(islice(stream, 1)):
        stream = chain(head, stream)
        suspects: list[T] = []
        rejected: list[T] = []
        refusal: RefusedError | None = None
        has_worked = False
        with own_pool(workers) as pool:
            started = _until(rejected, stream)
            for chunk, result in over(pool, function, started, size=size, in_flight=IN_FLIGHT * workers):
                if isinstance(result, RefusedError):
                    refusal = result
                    rejected.extend(chunk)
                elif isinstance(result, Exception):
                    suspects.extend(chunk)
                else:
                    has_worked = True
                    yield chunk, result
        yield from _one_by_one(function, suspects)
        if refusal is not None and not has_worked and not suspects:
            yield rejected, refusal
        else:
            stream = chain(rejected, stream)


def _until(refused: Sequence[T], stream: Iterator[T]) -> Iterator[T]:
    """Yield items of `stream` until one is `refused`: a broken pool gets no more work."""
    while not refused:
        for item in islice(stream, 1):
            yield item
            break
        else:
            return


def _one_by_one(function: Callable[[Sequence[T]], R], items: Sequence[T]) -> Iterator[tuple[Sequence[T], R | Exception]]:
    rest = items
    while rest:
        rejected: list[T] = []
        refusal: RefusedError | None = None
        with own_pool(1) as pool:
            for chunk, result in over(pool, function, rest, size=1, in_flight=1):
                if isinstance(result, RefusedError):
                    refusal = result
                    rejected.extend(chunk)
                else:
                    yield chunk, result
        if refusal is not None and len(rejected) == len(rest):
            yield rejected, refusal
            return
        rest = rejected


def chunk_size(items: int, workers: int) -> int:
    """Return a chunk size small enough that all workers end at about the same time."""
    return max(1, min(CHUNK, items // (workers * 4)))


def own_pool(workers: int) -> Executor:
    """Start a pool of local processes."""
    # An up-to-date build does not need these modules.
    from concurrent.futures import ProcessPoolExecutor

    from pclgen.build.workers import worker_context

    return ProcessPoolExecutor(workers, mp_context=worker_context(_PRELOADED), initializer=_end_with_parent)


def _end_with_parent() -> None:
    """End this worker when its parent ends, even if it was killed; otherwise it would wait for work forever."""
    import multiprocessing
    import threading
    from multiprocessing.connection import wait as wait_for

    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch() -> None:
        wait_for([parent.sentinel])
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _answer(future: Future[T]) -> T | Exception:
    try:
        return future.result()
    except Exception as error:  # the caller reports failures of the work and of its executor
        return error


def _chunks(items: Iterable[T], size: int) -> Iterator[Sequence[T]]:
    stream = iter(items)
    while chunk := tuple(islice(stream, size)):
        yield chunk
