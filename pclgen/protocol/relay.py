"""Forwards calls to another service byte for byte, whatever its methods are.

The `Upstream` receives the messages of a call as bytes, its metadata, its time limit, and its cancellation. The caller
receives the messages, the initial and trailing metadata, the status and the details of the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeAlias

from pclgen.protocol.rpc import Connection, Others, Refused

OwnAnswer: TypeAlias = Callable[[bytes], bytes]
"""Returns the response to the request of a method, both as bytes; may raise `Refused`."""

_PER_CONNECTION = frozenset({"user-agent", "content-type", "te", "grpc-timeout", "grpc-encoding", "grpc-accept-encoding"})
"""Metadata of one connection; gRPC writes those of the next connection itself."""
_CENTURY = 100 * 365 * 86400.0


class Upstream(Protocol):
    """The service that receives forwarded calls."""

    def reach(self, path: str) -> Connection | OwnAnswer:
        """Return the connection for a call of `path`, or the answer that replaces it.  Raises `Refused`."""
        ...

    def sent(self, path: str, request: bytes) -> None:
        """Receive every message that is forwarded."""
        ...

    def lost(self, connection: Connection) -> str | None:
        """Return how the service behind `connection` ended; None while it runs."""
        ...


def forwarding(upstream: Upstream) -> Others:
    """Return the handler of all methods without another handler, which forwards them to `upstream`."""

    def handler(grpc: Any) -> Any:
        class Handler(grpc.GenericRpcHandler):  # type: ignore[misc]  # grpc is loaded when it is needed
            def service(self, details: Any) -> Any:
                return grpc.stream_stream_rpc_method_handler(_Relay(grpc, upstream, details.method).answer)

        return Handler()

    return handler


class _Relay:
    """Calls of one method."""

    def __init__(self, grpc: Any, upstream: Upstream, path: str) -> None:
        self._grpc = grpc
        self._upstream = upstream
        self._path = path

    def answer(self, requests: Iterator[bytes], context: Any) -> Iterator[bytes]:
        try:
            reached = self._upstream.reach(self._path)
            if not isinstance(reached, Connection):
                yield reached(next(requests, b""))
                return
        except Refused as refused:
            context.abort(self._grpc.StatusCode[refused.status], refused.details)
            return
        yield from self._forwarded(reached, requests, context)

    def _forwarded(self, connection: Connection, requests: Iterator[bytes], context: Any) -> Iterator[bytes]:
        metadata = [(key, value) for key, value in context.invocation_metadata() if key not in _PER_CONNECTION]
        try:
            call = connection.relay(self._path, self._recorded(requests), timeout=_time_left(context), metadata=metadata)
        except ValueError:  # the connection was closed meanwhile
            context.abort(self._grpc.StatusCode.UNAVAILABLE, self._upstream.lost(connection) or "the host is being stopped")
            return
        if not context.add_callback(call.cancel):
            call.cancel()
            return
        try:
            context.send_initial_metadata(call.initial_metadata())
            yield from call
        except self._grpc.RpcError:
            pass  # `call.code` below has the status
        finally:
            call.cancel()  # does nothing to a call that has ended
        context.set_trailing_metadata(call.trailing_metadata() or ())
        code, details = call.code(), call.details() or ""
        if code is self._grpc.StatusCode.OK:
            return
        reason = self._upstream.lost(connection) if code is self._grpc.StatusCode.UNAVAILABLE else None
        context.abort(code, reason if reason is not None else details)

    def _recorded(self, requests: Iterator[bytes]) -> Iterator[bytes]:
        try:
            for request in requests:
                self._upstream.sent(self._path, request)
                yield request
        except Exception:  # the caller is gone, and the call is cancelled; gRPC would print a traceback
            return


def _time_left(context: Any) -> float | None:
    """Return the remaining seconds of a call.

    gRPC represents a missing limit as a distant time, which it does not accept as a limit.
    """
    seconds: float | None = context.time_remaining()
    return seconds if seconds is not None and seconds < _CENTURY else None
