"""A converter plugin for tests: `install` writes a program `pulumi-converter-NAME` that returns a folder of PCL.

No package registry has a converter.  The CLI treats all of them alike: it asks for PCL, which goes to the language host,
together with the source's other files.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.support.corpus import ROOT

_SCRIPT = """\
#!{python}
import sys
sys.path.insert(0, {root!r})
from tests.support.fake_converter import main
main({made!r})
"""


def install(directory: Path, name: str, pcl: Path) -> None:
    """Write the plugin into `directory`; it converts everything to the PCL in the folder `pcl`."""
    program = directory / f"pulumi-converter-{name}"
    program.write_text(_SCRIPT.format(python=sys.executable, root=str(ROOT), made=str(pcl)))
    program.chmod(0o755)


def main(pcl: str) -> None:
    """Be the plugin."""
    import grpc

    signal.signal(signal.SIGINT, signal.SIG_DFL)

    def convert(request: bytes, context: Any) -> bytes:
        texts = {number: value.decode() for number, value in _fields(request)}
        source, target = texts[1], texts[2]
        assert os.path.isdir(source), source
        shutil.copytree(pcl, target, dirs_exist_ok=True)
        return b""

    handler = grpc.unary_unary_rpc_method_handler(convert)  # without serializers: bytes
    service = grpc.method_handlers_generic_handler("pulumirpc.Converter", {"ConvertProgram": handler})
    from concurrent.futures import ThreadPoolExecutor

    server = grpc.server(ThreadPoolExecutor(1), handlers=[service])
    print(server.add_insecure_port("127.0.0.1:0"), flush=True)
    server.start()
    server.wait_for_termination(60)


def _fields(message: bytes) -> Iterator[tuple[int, bytes]]:
    """The numbers and bytes of a message's texts."""
    at = 0
    while at < len(message):
        key, length = message[at], message[at + 1]
        at += 2
        if length & 0x80:
            length, at = length & 0x7F | message[at] << 7, at + 1
        assert key & 7 == 2, "all fields of this request are texts"
        yield key >> 3, message[at : at + length]
        at += length
