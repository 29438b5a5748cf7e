"""Clients and servers of gRPC services, and the way from one to the other.

Methods have paths (`/pulumirpc.ResourceProvider/GetSchema`); a failing call raises `CallFailed`. `load` is the only entry
point, so that every caller handles a machine without grpcio. Messages are `Any`: their classes are made at run time.

`forwarding` passes calls on to another service byte for byte, whatever its methods are. The `Upstream` receives the messages
of a call as bytes, its metadata, its time limit, and its cancellation. The caller receives the messages, the initial and
trailing metadata, the status and the details of the answer.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from types import TracebackType
from typing import Any, Protocol, Self, TypeAlias

from msgspec import Struct

Handler: TypeAlias = Callable[[Any], Any]
"""Returns the response to the request of a method; may raise `Refused`."""
Others: TypeAlias = Callable[[Any], Any]
"""Takes the module `grpc` and returns its handler of all methods without a `Handler`."""

LOCALHOST = "127.0.0.1"
_THREADS = 16
_OPTIONS = (
    # A schema can have a hundred megabytes.
    ("grpc.max_receive_message_length", -1),
    ("grpc.max_send_message_length", -1),
    # Plugins and engines are on this machine; a proxy for the web cannot reach them.
    ("grpc.enable_http_proxy", 0),
)


class Missing(Struct, frozen=True, kw_only=True):
    """gRPC is unavailable; `reason` is a sentence for the user."""

    reason: str


class CallFailed(Struct, frozen=True, kw_only=True):
    """A failed call.  `status` is gRPC's name for the failure (`UNAVAILABLE`), `details` the message of the other side."""

    status: str
    details: str

    @property
    def timed_out(self) -> bool:
        """Whether the time limit was exceeded."""
        return self.status == "DEADLINE_EXCEEDED"

    @property
    def unimplemented(self) -> bool:
        """Whether the other side lacks the method."""
        return self.status == "UNIMPLEMENTED"


class Method(Struct, frozen=True, kw_only=True):
    """A method with one request and one response message: their full names."""

    request: str
    response: str


_GARBLED = CallFailed(status="INTERNAL", details="the answer is garbled")


class Refused(Exception):  # noqa: N818  # it is an answer, not an error
    """Raised by a `Handler` to return a failure: a status (`INVALID_ARGUMENT`) and a sentence."""

    def __init__(self, status: str, details: str) -> None:
        super().__init__(details)
        self.status = status
        self.details = details


@cache
def load() -> Rpc | Missing:
    """Return the gRPC runtime, or why it is missing."""
    # gRPC's own log lines on stderr do not help users; the responses have the necessary information.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        import grpc

        import pclgen.protocol.pool
    except ImportError as error:
        name = error.name or "grpc"
        hint = "install both with: pip install 'pclgen[pulumi]'"
        return Missing(reason=f"the Python packages grpcio and protobuf are needed ({name} cannot be imported); {hint}")
    methods = {
        path: Method(request=request, response=response)
        for path, (request, response) in pclgen.protocol.pool.methods().items()
    }
    return Rpc(grpc=grpc, pool=pclgen.protocol.pool, methods=methods)


class Rpc:
    """Messages, connections and servers; `load` makes the only instance."""

    def __init__(self, *, grpc: Any, pool: Any, methods: Mapping[str, Method]) -> None:
        self._grpc = grpc
        self._pool = pool
        self.methods = methods

    def message_class(self, name: str) -> Any:
        """Return the class of the message with this full name.  Raises `KeyError` for a name that is in no `.proto` file."""
        return self._pool.message_class(name)

    def message(self, name: str, /, **fields: Any) -> Any:
        """Return a new message.  Raises `KeyError` for an unknown full name, `ValueError` for a wrong field."""
        return self.message_class(name)(**fields)

    def parse(self, class_: Any, data: bytes) -> Any | None:
        """Return the message of `class_` in `data`, or None for invalid data."""
        return self._pool.parse(class_, data)

    def enumeration(self, name: str) -> Mapping[str, int]:
        """Return the values of an enumeration.  Raises `KeyError` for a full name that is in no `.proto` file."""
        values: Mapping[str, int] = self._pool.enumeration_values(name)
        return values

    def struct(self, members: Mapping[str, Any]) -> Any:
        """Return a `google.protobuf.Struct` with JSON values."""
        message = self.message("google.protobuf.Struct")
        message.update(members)
        return message

    @property
    def call_error(self) -> type[Exception]:
        """The exception that gRPC raises for a relayed call that fails."""
        error: type[Exception] = self._grpc.RpcError
        return error

    def connect(self, address: str) -> Connection:
        """Return a connection to `host:port`, which sends nothing before the first call. Close it, or use it in a `with`."""
        return Connection(self, self._grpc, address)

    def serve(
        self, handlers: Mapping[str, Handler], *, threads: int = _THREADS, others: Others | None = None
    ) -> Server:
        """Answer the methods with these paths on a free port of this machine, each call in a separate thread.

        At most `threads` calls run at once.  Methods without a handler are handled by `others`, or answered with
        UNIMPLEMENTED.  Stop the server, or use it in a `with`.  Raises `KeyError` for a path that is in no `.proto` file.
        """
        return Server(self, self._grpc, handlers, threads=threads, others=others)


class Connection:
    """A channel to one service."""

    def __init__(self, rpc: Rpc, grpc: Any, address: str) -> None:
        self._rpc = rpc
        self._grpc = grpc
        self._channel = grpc.insecure_channel(address, options=_OPTIONS)

    def call(self, path: str, request: Any, *, timeout: float) -> Any | CallFailed:
        """Call the method with this path; wait at most `timeout` seconds.  Raises `KeyError` for an unknown path."""
        response = self._rpc.message_class(self._rpc.methods[path].response)
        answer = self._call(path, request, timeout)
        return answer if isinstance(answer, CallFailed) else self._parsed(response, answer)

    def fetch(self, path: str, request: Any, *, timeout: float) -> bytes | CallFailed:
        """Call a method whose response is a single text, and return its UTF-8 bytes.

        This saves time and memory for a schema of a hundred megabytes. Raises `KeyError` for an unknown path.
        """
        fields = self._rpc.message_class(self._rpc.methods[path].response).DESCRIPTOR.fields
        assert [field.number for field in fields] == [1], path
        answer = self._call(path, request, timeout)
        if isinstance(answer, CallFailed):
            return answer
        text = _first_bytes(answer)
        return text if text is not None else _GARBLED

    def _parsed(self, response: Any, data: bytes) -> Any | CallFailed:
        message = self._rpc.parse(response, data)
        return message if message is not None else _GARBLED

    def _call(self, path: str, request: Any, timeout: float) -> bytes | CallFailed:
        # This class parses answers itself: gRPC would print a traceback for an invalid answer.
        stub = self._channel.unary_unary(path, request_serializer=_serialize)
        try:
            answer: bytes = stub(request, timeout=max(timeout, 0.0))
        except self._grpc.RpcError as error:
            return CallFailed(status=error.code().name, details=(error.details() or "").strip())
        return answer

    def relay(
        self, path: str, requests: Iterator[bytes], *, timeout: float | None, metadata: Sequence[tuple[str, str | bytes]]
    ) -> Any:
        """Call a method with any number of messages in both directions, all as bytes; return gRPC's call object."""
        # On the wire, a single message is a stream of one.
        return self._channel.stream_stream(path)(requests, timeout=timeout, metadata=metadata)

    def close(self) -> None:
        """Close the connection."""
        self._channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, class_: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Server:
    """A running service on a free port of this machine."""

    def __init__(
        self, rpc: Rpc, grpc: Any, handlers: Mapping[str, Handler], *, threads: int, others: Others | None
    ) -> None:
        self._threads = ThreadPoolExecutor(max_workers=threads, thread_name_prefix="pclgen-rpc")
        self._server = grpc.server(self._threads, options=_OPTIONS)
        self._server.add_generic_rpc_handlers(tuple(_services(rpc, grpc, handlers)))
        if others is not None:
            self._server.add_generic_rpc_handlers((others(grpc),))
        self.port: int = self._server.add_insecure_port(f"{LOCALHOST}:0")
        self._server.start()

    @property
    def address(self) -> str:
        """`host:port`, for clients."""
        return f"{LOCALHOST}:{self.port}"

    def wait(self, timeout: float | None = None) -> None:
        """Wait until another thread stops the server, at most `timeout` seconds."""
        self._server.wait_for_termination(timeout)

    def stop(self, grace: float = 0.0) -> None:
        """Reject new calls, give running calls `grace` seconds, and end all threads."""
        self._server.stop(grace).wait()
        self._threads.shutdown(wait=True, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, class_: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


def _services(rpc: Rpc, grpc: Any, handlers: Mapping[str, Handler]) -> Iterable[Any]:
    services: dict[str, dict[str, Any]] = {}
    for path, handler in handlers.items():
        method = rpc.methods[path]
        _, service, name = path.split("/")
        services.setdefault(service, {})[name] = grpc.unary_unary_rpc_method_handler(
            _answering(rpc, grpc, handler, method.request),
            response_serializer=_serialize,
        )
    return [grpc.method_handlers_generic_handler(service, rows) for service, rows in services.items()]


def _answering(rpc: Rpc, grpc: Any, handler: Handler, request_name: str) -> Callable[[bytes, Any], Any]:
    # This function parses requests itself: gRPC would print a traceback for an invalid request, and not inform the caller.
    request_class = rpc.message_class(request_name)

    def answer(data: bytes, context: Any) -> Any:
        request = rpc.parse(request_class, data)
        try:
            if request is None:
                raise Refused("INVALID_ARGUMENT", f"the request is no message `{request_name}`")
            return handler(request)
        except Refused as refused:
            context.abort(grpc.StatusCode[refused.status], refused.details)

    return answer


def _first_bytes(data: bytes) -> bytes | None:
    """Return field 1, bytes or a text, of a message without other known fields; None if `data` is no message."""
    content = b""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        match key & 7:
            case 0:
                _, at = _varint(data, at)
            case 1:
                at += 8
            case 2:
                size, at = _varint(data, at)
                if key >> 3 == 1:
                    content = data[at : at + size]
                at += size
            case 5:
                at += 4
            case _:
                return None
    return content if at == len(data) else None


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return the number at `at` in groups of seven bits, lowest first, and the offset of its end."""
    number = shift = 0
    while at < len(data):
        byte = data[at]
        number |= (byte & 127) << shift
        at += 1
        shift += 7
        if byte < 128:
            return number, at
    return number, at + 1  # the number continues beyond the end


def _serialize(message: Any) -> bytes:
    data: bytes = message.SerializeToString()
    return data


# -- forwarded calls --------------------------------------------------------------------------------------------------------

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
