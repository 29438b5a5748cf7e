"""Downloads within a time limit and a size limit.

The time limit covers the whole download: name resolution, redirections, slow headers, endless bodies. Socket timeouts
limit only single waits, so a thread downloads, and its connections are closed when the time is over.
"""

from __future__ import annotations

import socket
import threading
import time
import urllib.error
import urllib.request
from contextlib import suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection

from pclgen.errors import UserError

_CHUNK = 256 * 1024
_NOT_FOUND = frozenset({404, 410})
_REACH = "check the address, the network and the proxy"


class FetchError(UserError):
    """A schema could not be added, and nothing has changed; `hint` gives the next step."""


class NotFoundError(FetchError):
    """The server has nothing at this address."""


def download(url: str, limit: float, size_limit: int, *, subject: str = "schema") -> bytes:
    """Return the content of `url` (`subject` in messages), at most `size_limit` bytes, within `limit` seconds. Raises
    `FetchError`."""
    line = _Line(time.monotonic() + limit)
    results: list[bytes | FetchError] = []

    def work() -> None:
        result = _attempt(url, line, size_limit, subject)
        if not line.is_late:  # a truncated response may look like a complete response
            results.append(result)

    thread = threading.Thread(target=work, name="pclgen-download", daemon=True)
    thread.start()
    try:
        thread.join(limit)
    finally:  # also at Ctrl-C
        line.cut()
    match results:
        case [bytes() as data]:
            return data
        case [FetchError() as error]:
            raise error
        case _:
            raise FetchError(f"{url}: no answer within {limit:g} s", "`--time-limit SECONDS` sets another limit")


class _Line:
    """The connections of one download, closed at a point in time of the monotonic clock."""

    def __init__(self, end: float) -> None:
        self._end = end
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []

    @property
    def is_late(self) -> bool:
        return time.monotonic() >= self._end

    @property
    def left(self) -> float:
        """Return the remaining seconds. Raises `TimeoutError` if there are none."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def take(self, connected: socket.socket | None) -> None:
        """Register a connection."""
        with self._lock:
            if connected is not None:
                self._sockets.append(connected)
        if self.is_late:
            self.cut()

    def cut(self) -> None:
        """Close all connections."""
        with self._lock:
            for connected in self._sockets:
                with suppress(OSError):  # it may be closed
                    connected.shutdown(socket.SHUT_RDWR)
            self._sockets.clear()


def _handlers(line: _Line) -> list[urllib.request.BaseHandler]:
    """Return explicit handlers: no files and no FTP, not even after a redirection."""

    class Plain(HTTPConnection):
        def connect(self) -> None:
            self.timeout = line.left
            super().connect()
            line.take(self.sock)

    class Secure(Plain, HTTPSConnection):
        """As `Plain`, with TLS."""

    class PlainHandler(urllib.request.HTTPHandler):
        def http_open(self, req: urllib.request.Request) -> HTTPResponse:
            return self.do_open(Plain, req)

    class SecureHandler(urllib.request.HTTPSHandler):
        def https_open(self, req: urllib.request.Request) -> HTTPResponse:
            return self.do_open(Secure, req)

    return [
        urllib.request.ProxyHandler(),
        PlainHandler(),
        SecureHandler(),
        urllib.request.HTTPRedirectHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.UnknownHandler(),
    ]


def _attempt(url: str, line: _Line, size_limit: int, subject: str) -> bytes | FetchError:
    opener = urllib.request.OpenerDirector()
    for handler in _handlers(line):
        opener.add_handler(handler)
    try:
        with opener.open(url, timeout=line.left) as response:
            return _body(url, response, size_limit, subject)
    except FetchError as error:
        return error
    except urllib.error.HTTPError as error:
        reason = " ".join(f"{error.code} {error.reason}".split())
        error.close()
        kind = NotFoundError if error.code in _NOT_FOUND else FetchError
        return kind(f"{url}: the server answered {reason}", "check the address")
    except urllib.error.URLError as error:
        return FetchError(f"{url}: no connection: {_said(error.reason)}", _REACH)
    except (HTTPException, OSError, ValueError) as error:
        return FetchError(f"{url}: the download broke off: {_said(error)}", _REACH)


def _body(url: str, response: HTTPResponse, size_limit: int, subject: str) -> bytes:
    parts: list[bytes] = []
    size = 0
    while chunk := response.read1(_CHUNK):
        parts.append(chunk)
        size += len(chunk)
        if size > size_limit:
            raise FetchError(f"{url}: larger than {size_limit // 1_000_000} MB, which no {subject} is")
    promised = response.headers.get("Content-Length")
    if promised is not None and promised.isdigit() and int(promised) != size:
        raise FetchError(f"{url}: the download broke off: {size} of {promised} bytes came", "run the command again")
    return b"".join(parts)


def _said(error: object) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__
