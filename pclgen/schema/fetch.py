"""Additions to the project's own schemas: from a URL, a file, or another source; and downloads.

A schema becomes the file `name-version.json` in the folder with an entry in its lock file; on `FetchError` nothing has
changed.

A download has a time limit and a size limit. The time limit covers the whole download: name resolution, redirections, slow
headers, endless bodies. Socket timeouts limit only single waits, so a thread downloads, and its connections are closed when
the time is over.
"""

from __future__ import annotations

import re
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from pclgen.disk import Changes, commit, held
from pclgen.errors import UserError
from pclgen.schema.discovery import LOCK, Entry, lock_file, read_lock
from pclgen.schema.document import Document, dump_document, read_document
from pclgen.schema.errors import SchemaError
from pclgen.schema.plugins import NAME
from pclgen.schema.sources import SUFFIXES, digest, is_yaml, json_of_yaml
from pclgen.semver import parse_version
from pclgen.source.files import is_inside, read_regular, repository_of

TIME_LIMIT = 60.0
"""Default time limit of a download in seconds."""
SIZE_LIMIT = 1024**3
"""Maximum size of a download in bytes."""

_SHA256 = re.compile(r"[0-9a-f]{64}")


class Expected(Struct, frozen=True, kw_only=True):
    """The requirements on a schema: the package, its version (None for any), and the digest of its bytes ("" for any)."""

    name: str
    version: str | None = None
    sha256: str = ""


class Fetched(Struct, frozen=True, kw_only=True):
    """A schema that meets the requirements: its bytes, its version ("" without one), the suffix of its file, and its
    origin."""

    name: str
    version: str
    data: bytes
    suffix: str
    source: str


def expected(label: str, sha256: str = "") -> Expected:
    """Return the requirements in `NAME` or `NAME@VERSION` and a digest. Raises `FetchError`."""
    name, at, version = label.partition("@")
    if NAME.fullmatch(name) is None:
        raise FetchError(f"`{name}` is not the name of a package", "names look like aws or azure-native")
    if at and parse_version(version) is None:
        raise FetchError(f"`{version}` is not a version", f"versions have three numbers: {name}@1.2.3")
    checksum = sha256.strip().lower().removeprefix("sha256:")
    if checksum and _SHA256.fullmatch(checksum) is None:
        raise FetchError(f"`{sha256}` is not a SHA-256", "it has 64 hexadecimal digits")
    return Expected(name=name, version=version.removeprefix("v") if at else None, sha256=checksum)


def fetch(place: str, expected: Expected, *, limit: float = TIME_LIMIT, size_limit: int = SIZE_LIMIT) -> Fetched:
    """Return the schema at `place`, a URL (http, https) or a file. Raises `FetchError`."""
    scheme = urlsplit(place).scheme
    if scheme in ("http", "https"):
        data = download(place, limit, size_limit)
        suffix = Path(urlsplit(place).path).suffix
    elif "://" in place:
        raise FetchError(f"{place}: there is no way to get it", "an address begins with https:// or http://")
    else:
        path = Path(place)
        suffix = path.suffix
        try:
            data = read_regular(path, most=size_limit)
        except OSError as error:
            raise FetchError(f"{place}: the file cannot be read: {error.strerror or error}") from error
    return _accepted(place, data, suffix if suffix in SUFFIXES else ".json", expected)


def taken(document: Document, expected: Expected) -> Fetched:
    """Return the schema of a source of the project as a whole. Raises `FetchError`."""
    try:
        data = dump_document(document)
    except SchemaError as error:
        raise FetchError(f"{document.where}: {error.path}: {error.reason}") from error
    return _accepted(document.where, data, ".json", expected)


def document_of(fetched: Fetched) -> Document:
    """Return the document of a schema. Raises `FetchError` for other data."""
    return _document(fetched.source, fetched.data, fetched.suffix)


def with_go_settings(fetched: Fetched, settings: Mapping[str, object]) -> Fetched:
    """Return the schema as JSON, with `settings` for Go."""
    document = msgspec.json.decode(_json(fetched.source, fetched.data, fetched.suffix), type=dict[str, msgspec.Raw])
    languages = msgspec.json.decode(document.get("language", b"null"), type=dict[str, object] | None)
    document["language"] = msgspec.Raw(msgspec.json.encode({**(languages or {}), "go": settings}))
    return replace(fetched, data=msgspec.json.encode(document) + b"\n", suffix=".json")


def add(folder: Path, fetched: Fetched) -> Entry:
    """Write a schema and its lock entry to `folder`, which is created if necessary.

    Raises `FetchError` if that fails, and `ConfigurationError` for an invalid lock file.
    """
    stem = f"{fetched.name}-{fetched.version}" if fetched.version else fetched.name
    entry = Entry(
        name=fetched.name,
        version=fetched.version,
        file=stem + fetched.suffix,
        sha256=digest(fetched.data),
        source=fetched.source,
    )
    with _alone(folder):
        entries = {entry.file: entry for entry in read_lock(folder)}
        entries[entry.file] = entry
        commit([_changes(folder, {entry.file: fetched.data}, entries)])
    return entry


def remove(folder: Path, label: Expected) -> tuple[Entry, ...]:
    """Delete the schemas of a package (in one version, if given) that `add` wrote, with their entries.

    Raises `FetchError` if there are none, or several without a version; `ConfigurationError` as `add`.
    """
    with _alone(folder):
        entries = {entry.file: entry for entry in read_lock(folder)}
        own = [entry for entry in entries.values() if entry.name == label.name]
        chosen = [entry for entry in own if label.version in (None, entry.version)]
        if not chosen:
            has = ", ".join(f"{entry.name}@{entry.version}" for entry in own or entries.values())
            text = f"{label.name}@{label.version}" if label.version is not None else label.name
            raise FetchError(f"{folder}: no schema of {text} was added here", f"there are {has}" if has else None)
        if len(chosen) > 1:
            versions = " or ".join(f"`{entry.name}@{entry.version}`" for entry in chosen)
            raise FetchError(f"{folder}: there are {len(chosen)} versions of {label.name}", f"say which: {versions}")
        left = {file: entry for file, entry in entries.items() if entry not in chosen}
        commit([_changes(folder, {entry.file: None for entry in chosen}, left)])
    return tuple(chosen)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock `folder` while the block runs; file system errors become `FetchError`s."""
    if not is_inside(folder, repository_of(folder.parent)):
        raise FetchError(f"{folder}: a link leads out of the repository", "make it a folder")
    try:
        with held([folder]):
            yield
    except OSError as error:
        raise FetchError(f"{error.filename or folder}: cannot be written: {error.strerror or error}") from error


def _changes(folder: Path, schemas: Mapping[str, bytes | None], entries: Mapping[str, Entry]) -> Changes:
    files = {PurePosixPath(name): data for name, data in schemas.items()}
    return Changes(folder=folder, files={**files, PurePosixPath(LOCK): lock_file(entries)})


def _accepted(place: str, data: bytes, suffix: str, expected: Expected) -> Fetched:
    """Return the schema from `place` if it meets the requirements."""
    checksum = digest(data)
    if expected.sha256 and checksum != expected.sha256:
        raise FetchError(f"{place}: wrong checksum: its SHA-256 is {checksum}", f"--sha256 says {expected.sha256}")
    header = _document(place, data, suffix).header
    if header.name != expected.name:
        raise FetchError(f"{place}: the schema is that of package `{header.name}`, not `{expected.name}`")
    version = header.version.removeprefix("v")
    if version and parse_version(version) is None:
        raise FetchError(f"{place}: the schema has no version that we can read: `{version}`")
    if expected.version is not None and version and parse_version(version) != parse_version(expected.version):
        raise FetchError(f"{place}: the schema is that of version {version}, not {expected.version}")
    return Fetched(
        name=expected.name, version=version or expected.version or "", data=data, suffix=suffix, source=_for_lock(place)
    )


def _document(place: str, data: bytes, suffix: str) -> Document:
    document = read_document(_json(place, data, suffix), where=place)
    if isinstance(document, str):
        raise FetchError(f"{place}: not a package schema: {document}")
    return document


def _json(place: str, data: bytes, suffix: str) -> bytes:
    """Return the JSON of a schema, which may be in YAML."""
    text = json_of_yaml(data) if is_yaml(Path(f"schema{suffix}")) else data
    if isinstance(text, str):
        raise FetchError(f"{place}: not a package schema: {text}")
    return text


def _for_lock(place: str) -> str:
    """Return a location for the lock file; folders of one machine are meaningless elsewhere."""
    path = Path(place)
    return path.name if path.is_absolute() else place


# -- downloads --------------------------------------------------------------------------------------------------------------

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
