"""Generation of the descriptor set: `python -m scripts.messages`, after a change in `protocol/messages/*.proto`.

The `.proto` files become `messages.binpb` beside them, one `FileDescriptorSet`, which `pclgen.protocol.pool` reads. The
compiler is that of grpcio-tools, which is in the extra `pclgen[test]` and needed here only; `tests/test_protocol.py`
compares the file with a new one.
"""

from __future__ import annotations

import sys
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

from pclgen.protocol.pool import DESCRIPTORS

_FOLDER = Path(__file__).resolve().parent.parent / "pclgen" / "protocol" / "messages"


def compiled() -> bytes:
    """Return the descriptor set. Raises `SystemExit` for an invalid `.proto` file; the compiler reports the position."""
    from grpc_tools import protoc  # type: ignore[import-untyped]  # it has no types

    wellknown = resources.files("grpc_tools").joinpath("_proto")
    with TemporaryDirectory() as folder:
        descriptors = Path(folder, DESCRIPTORS)
        files = sorted(path.name for path in _FOLDER.glob("*.proto"))
        options = [f"--proto_path={_FOLDER}", f"--proto_path={wellknown}", f"--descriptor_set_out={descriptors}"]
        if protoc.main(["protoc", *options, *files]) != 0:
            sys.exit(1)
        return descriptors.read_bytes()


if __name__ == "__main__":
    _FOLDER.joinpath(DESCRIPTORS).write_bytes(compiled())
