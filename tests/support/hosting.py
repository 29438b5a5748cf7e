"""The environment of language host tests: a loader service, a client, and the expected files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from pclgen.host.generation import Generator
from pclgen.host.languages import HOST_LANGUAGES
from pclgen.protocol.rpc import CallFailed, Refused, Rpc, load
from pclgen.schema.load import SchemaStore
from pclgen.schema.package import FoundPackage
from tests.support.waiting import PATIENCE

SERVICE = "/pulumirpc.LanguageRuntime"
GET_SCHEMA = "/codegen.Loader/GetSchema"


def rpc() -> Rpc:
    """gRPC, which the tests require."""
    loaded = load()
    assert isinstance(loaded, Rpc)
    return loaded


@dataclass(slots=True)
class Loader:
    """A loader service with the schemas of some folders; `folders` may change while it runs."""

    folders: Sequence[Path] = ()  # or single files
    asked: list[tuple[str, str]] = field(default_factory=list)

    def get_schema(self, request: Any) -> Any:
        """Answer a request with an unmodified file."""
        self.asked.append((request.package, request.version))
        asked = request.parameterization if request.HasField("parameterization") else request
        name = request.package if asked is request else asked.name
        # The highest version of all folders unless the request has a version, as the engine uses installed packages.
        package = SchemaStore(self.folders).find(name, asked.version or None)
        if isinstance(package, FoundPackage) and package.path is not None:
            return rpc().message("codegen.GetSchemaResponse", schema=package.path.read_bytes())
        raise Refused("UNKNOWN", f"no plugin {request.package}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """A running host, and its client; messages are passed as fields."""

    address: str
    loader: Loader
    loader_address: str

    def ask(self, method: str, **fields: Any) -> Any | CallFailed:
        """Call a method, with the tests' loader by default."""
        path = f"{SERVICE}/{method}"
        kind = rpc().methods[path].request
        if method.startswith("Generate"):
            fields.setdefault("loader_target", self.loader_address)
        with rpc().connect(self.address) as connection:
            return connection.call(path, rpc().message(kind, **fields), timeout=PATIENCE)


@contextmanager
def hosting(runtime: str, *folders: Path) -> Iterator[Host]:
    """A host in this process, without a stock host, and a loader with the schemas of `folders`."""
    loader = Loader(folders)
    generator = Generator(rpc=rpc(), language=HOST_LANGUAGES[runtime], lock=Lock())
    with rpc().serve({GET_SCHEMA: loader.get_schema}) as schemas, rpc().serve(generator.handlers()) as server:
        yield Host(address=server.address, loader=loader, loader_address=schemas.address)


def texts_below(folder: Path) -> Mapping[str, bytes]:
    """The contents of the files of a folder, by relative path, without pclgen's own records."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.startswith(".pclgen"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}
