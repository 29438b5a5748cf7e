"""Packages of components, and indexes of them, for tests."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from pclgen.deps.archive import digest_of, write_archive

COMPONENT = 'config label string {\n}\noutput shown string {\n  value = "<NAME> ${label}"\n}\n'


def manifest(
    name: str,
    version: str,
    *,
    dependencies: Mapping[str, str] | None = None,
    providers: Mapping[str, str] | None = None,
    exports: str = '["part"]',
) -> str:
    """The `pclgen.toml` of a package; values of `dependencies` are ranges, or TOML tables."""
    wants = [
        f"{key} = {value if value.startswith('{') else json.dumps(value)}" for key, value in (dependencies or {}).items()
    ]
    needs = [f"{key} = {json.dumps(value)}" for key, value in (providers or {}).items()]
    lines = ["[package]", f'name = "{name}"', f'version = "{version}"', f"exports = {exports}"]
    lines += ["[dependencies]", *wants] if wants else []
    return "\n".join([*lines, *(["[providers]", *needs] if needs else [])]) + "\n"


def write_index(folder: Path, packages: Mapping[str, Mapping[str, Mapping[str, str]]]) -> Path:
    """An index with packages by name, then version, with their dependencies; each has the component `part`."""
    folder.mkdir(parents=True, exist_ok=True)
    rows: dict[str, list[dict[str, object]]] = {}
    for name, versions in packages.items():
        for version, dependencies in versions.items():
            files = {
                "pclgen.toml": manifest(name, version, dependencies=dependencies).encode(),
                "part/main.pp": COMPONENT.replace("<NAME>", f"{name} {version}").encode(),
            }
            data = write_archive(files)
            file = f"{name}-{version}.tar.gz"
            (folder / file).write_bytes(data)
            rows.setdefault(name, []).append(
                {"version": version, "file": file, "digest": digest_of(data), "dependencies": dict(dependencies)}
            )
    (folder / "index.json").write_text(json.dumps({"format": 1, "packages": rows}))
    return folder


@contextlib.contextmanager
def served(folder: Path) -> Iterator[tuple[str, Sequence[str]]]:
    """Serve the files of `folder` at a local address; yield the address and the list of requested paths."""
    asked: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            asked.append(self.path)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name that the class gives it
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder))) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", asked
        finally:
            server.shutdown()
            thread.join()
