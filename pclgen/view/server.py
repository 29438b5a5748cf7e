"""An HTTP server for the page of one program, reachable only from this machine.

    GET  /<token>/            the page, with the program as it is on disk
    POST /<token>/content     {"files", "config", "preview", "parts"} -> the content of the page with these parts
    POST /<token>/problems    {"files", "parts"} -> the diagnostics and the code of an edited item, which cost little
    POST /<token>/complete    {"files", "file", "offset"} -> completions at that offset

A page closes the connection of a request that a newer edit overtakes; the server drops such requests when their turn comes.
Other sites cannot guess the token, and requests for another host (a name that resolves to this machine) or from another page
are rejected. The server never writes to disk.
"""

from __future__ import annotations

import json
import secrets
import select
import socket
import sys
import traceback
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any, Final

import msgspec

from pclgen.view.page import PageRequest, ViewedProgram, page, policy

HOST: Final = "127.0.0.1"
_LARGEST = 8_000_000
_PATIENCE = 10
"""Time limit for receiving a request, in seconds."""


class _Request(PageRequest, forbid_unknown_fields=True, frozen=True, kw_only=True):
    """The body of a request: see the module."""

    file: str = ""
    offset: int = 0


class ViewServer(ThreadingHTTPServer):
    """Serves the page of a program at `url`. Raises `OSError` if `port` is taken; 0 means any free one."""

    daemon_threads = True

    def __init__(self, viewed: ViewedProgram, port: int) -> None:
        self.viewed = viewed
        self.turn: Lock = Lock()
        self.token: str = secrets.token_urlsafe(16)
        super().__init__((HOST, port), _Handler)

    @property
    def url(self) -> str:
        """The URL of the page, with its token."""
        return f"http://{HOST}:{self.server_port}/{self.token}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore pages that disconnect before their answer."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            traceback.print_exc()


class _Handler(BaseHTTPRequestHandler):
    server: ViewServer
    timeout = _PATIENCE

    def do_GET(self) -> None:
        """Send the page."""
        if not self._is_ours() or self.path.partition("?")[0] != f"/{self.server.token}/":
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        with self.server.turn:
            content = self.server.viewed.opened()
        self._send(page(content, live=True), "text/html", policy=policy(content, live=True))

    def do_POST(self) -> None:
        """Send the content, the problems or the completions after an edit."""
        prefix, _, action = self.path.rpartition("/")
        if not self._is_ours() or prefix != f"/{self.server.token}" or action not in ("content", "problems", "complete"):
            self._refuse(HTTPStatus.NOT_FOUND)
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _LARGEST:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return
        try:
            request = msgspec.json.decode(self.rfile.read(int(length)), type=_Request)
        except msgspec.DecodeError:
            self._refuse(HTTPStatus.BAD_REQUEST)
            return
        self._send(json.dumps(self._answer(request, action)), "application/json")

    def _answer(self, request: _Request, action: str) -> Any:
        with self.server.turn:
            if self._has_left():
                raise ConnectionAbortedError
            match action:
                case "content":
                    return self.server.viewed.content(request)
                case "problems":
                    return self.server.viewed.problems(request)
                case _:
                    return self.server.viewed.completions(request, request.file, request.offset)

    def _has_left(self) -> bool:
        """Return whether the page has closed the connection."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        return bool(readable) and not self.connection.recv(1, socket.MSG_PEEK)

    def _is_ours(self) -> bool:
        """Return whether a request names this machine, at any port (it may be forwarded), and comes from its page or from
        none."""
        host = self.headers.get("Host", "")
        return host.partition(":")[0] in (HOST, "localhost") and self.headers.get("Origin") in (None, f"http://{host}")

    def _send(self, text: str, kind: str, *, policy: str = "default-src 'none'") -> None:
        data = text.encode("utf-8")
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Content-Security-Policy", f"{policy}; frame-ancestors 'none'")
        self.send_header("Cache-Control", "no-store")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.end_headers()
        self.wfile.write(data)

    def _refuse(self, status: HTTPStatus) -> None:
        self.send_error(status)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  # the name of the method that it takes the place of
        """Ignore log messages: the terminal belongs to the user."""
