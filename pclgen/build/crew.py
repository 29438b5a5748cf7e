"""Many items over any executor: in chunks, a bounded number of them in flight, results as they come.

Comes in: a function of a chunk, items (a stream that may be longer than memory), and a `concurrent.futures.Executor` of any
kind.  Goes out: each chunk with what came of it.  Nothing is kept of items that are done.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from itertools import chain, islice
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

CHUNK = 200
"""Items that travel together, at most: enough that sending them costs nothing beside the work."""
OWN_CHUNK = 25
"""The same for processes of our own: they are near, and the last ones are to end at about the same time."""
IN_FLIGHT = 2
"""Chunks for each worker that are under way or wait: nobody is idle, and memory does not grow with the number of items."""
_PRELOADED = ["pclgen.pipeline", "pclgen.build.work"]


class NotStartedError(Exception):
    """The executor took no more work."""


def over(
    executor: Executor, function: Callable[[Sequence[T]], R], items: Iterable[T], *, size: int, in_flight: int
) -> Iterator[tuple[Sequence[T], R | Exception]]:
    """Each chunk of `items` with the answer of `function`, or with the exception that it, or its worker, ended with
    (`NotStartedError` when the executor did not take it)."""
    chunks = _chunks(items, size)
    under_way: dict[Future[R], Sequence[T]] = {}
    try:
        while True:
            for chunk in islice(chunks, in_flight - len(under_way)):
                try:
                    under_way[executor.submit(function, chunk)] = chunk
                except Exception as error:  # a worker died, it was shut down, whatever an executor of somebody has to say
                    yield chunk, NotStartedError(str(error) or type(error).__name__)
                    break
            else:
                if not under_way:
                    return
            for future in wait(under_way, return_when=FIRST_COMPLETED).done if under_way else ():
                answer: R | Exception = _answer(future)
                yield under_way.pop(future), answer
    finally:
        for future in under_way:
            future.cancel()


def over_processes(
    function: Callable[[Sequence[T]], R], items: Iterable[T], workers: int, *, size: int
) -> Iterator[tuple[Sequence[T], R | Exception]]:
    """The same over processes of our own.  When one of them dies, what was under way is tried once more, item by item, so
    that only the one which killed it is lost.  A machine that lets us start none at all loses what was to be done."""
    stream = iter(items)
    while head := tuple(islice(stream, 1)):
        stream = chain(head, stream)
        suspects: list[T] = []
        unstarted: list[T] = []
        refusal: NotStartedError | None = None
        is_of_use = False
        with own_pool(workers) as pool:
            started = _until(unstarted, stream)
            for chunk, answer in over(pool, function, started, size=size, in_flight=IN_FLIGHT * workers):
                if isinstance(answer, NotStartedError):
                    refusal = answer
                    unstarted.extend(chunk)
                elif isinstance(answer, Exception):
                    suspects.extend(chunk)
                else:
                    is_of_use = True
                    yield chunk, answer
        yield from _one_by_one(function, suspects)
        if refusal is not None and not is_of_use and not suspects:
            yield unstarted, refusal
        else:
            stream = chain(unstarted, stream)


def _until(refused: Sequence[T], stream: Iterator[T]) -> Iterator[T]:
    """What `stream` gives, until something is `refused`: a pool that is broken is offered no more."""
    while not refused:
        for item in islice(stream, 1):
            yield item
            break
        else:
            return


def _one_by_one(function: Callable[[Sequence[T]], R], items: Sequence[T]) -> Iterator[tuple[Sequence[T], R | Exception]]:
    rest = items
    while rest:
        unstarted: list[T] = []
        refusal: NotStartedError | None = None
        with own_pool(1) as pool:
            for chunk, answer in over(pool, function, rest, size=1, in_flight=1):
                if isinstance(answer, NotStartedError):
                    refusal = answer
                    unstarted.extend(chunk)
                else:
                    yield chunk, answer
        if refusal is not None and len(unstarted) == len(rest):
            yield unstarted, refusal
            return
        rest = unstarted


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def chunk_size(items: int, workers: int) -> int:
    """Chunks small enough that all workers end at about the same time."""
    return max(1, min(CHUNK, items // (workers * 4)))


def own_pool(workers: int) -> Executor:
    """Processes of our own."""
    # Loaded here, since a build with nothing to do needs none of it.
    from concurrent.futures import ProcessPoolExecutor

    from pclgen.build.workers import worker_context

    return ProcessPoolExecutor(workers, mp_context=worker_context(_PRELOADED), initializer=_end_with_parent)


def _end_with_parent() -> None:
    """End this process as soon as the one that gives out the work is gone, also when that was killed: it would wait for
    more work for ever."""
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
    except Exception as error:  # whatever the work or its executor ended with; the caller tells
        return error


def _chunks(items: Iterable[T], size: int) -> Iterator[Sequence[T]]:
    stream = iter(items)
    while chunk := tuple(islice(stream, size)):
        yield chunk
