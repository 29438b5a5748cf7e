"""Schema files as bytes: reading them, telling whether they changed, and YAML.

Comes in: paths.  Goes out: bytes, fingerprints, and the `Document` in the bytes of a schema.
"""

from __future__ import annotations

import hashlib
import os
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from pclgen.schema.document import Document, read_document
from pclgen.schema.errors import BadSchema

if TYPE_CHECKING:
    from pclgen.schema.sources import Candidate

SUFFIXES = (".json", ".yaml", ".yml")
"""What names of schema files end in."""

_YAML = (".yaml", ".yml")


def fingerprint_of(path: Path | None) -> str:
    """A text that changes when the file does: its path, size and times; "" when it cannot be looked at."""
    if path is None:
        return ""
    try:
        stat = os.stat(path)
    except OSError:
        return ""
    return f"file {os.path.abspath(path)} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}"


def read_file(name: str, path: Path) -> bytes | BadSchema:
    """The bytes of the file with the schema of package `name`."""
    try:
        # Not mapped: a file cut short by another program would end ours, and a copy costs little.
        return path.read_bytes()
    except OSError as error:
        return BadSchema(name=name, where=str(path), reason=f"the file cannot be read: {error.strerror or error}")


def digest(data: bytes) -> str:
    """The SHA-256 of `data`, in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def parse(candidate: Candidate, data: bytes) -> Document | BadSchema:
    """The schema in the bytes of `candidate`, members unread; its identity is the digest of the bytes."""

    def bad(reason: str) -> BadSchema:
        return BadSchema(name=candidate.name, where=candidate.where, reason=reason)

    identity = f"sha256:{digest(data)}"
    if is_yaml(candidate.path):
        text = json_of_yaml(data)
        if isinstance(text, str):
            return bad(text)
        data = text
    document = read_document(data, where=candidate.where, path=candidate.path, identity=identity)
    return bad(document) if isinstance(document, str) else document


def is_yaml(path: Path | None) -> bool:
    """Whether the name of a file says that it is YAML."""
    return path is not None and path.suffix in _YAML


def json_of_yaml(data: bytes) -> bytes | str:
    """YAML as JSON, or the reason why it is none."""
    import yaml

    try:
        return msgspec.json.encode(yaml.load(data, Loader=_loader()))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
        return f"not valid YAML: {error.problem or error.context}{place}"
    except (yaml.YAMLError, UnicodeDecodeError, ValueError) as error:
        return f"not valid YAML: {error}"
    except (RecursionError, TypeError) as error:
        return f"the YAML is not plain data: {error}"


@cache
def _loader() -> Any:
    """Safe loading by libyaml where there is one.  Texts such as `on`, `no` and `2024-01-01` stay texts: names of properties
    and descriptions may be just that, and YAML 1.2 has no other meaning for them."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

    class Loader(base):  # type: ignore[misc]  # the base is known when pclgen runs
        yaml_implicit_resolvers = {  # noqa: RUF012  # the attribute of yaml's classes
            first: [
                (tag, pattern)
                for tag, pattern in resolvers
                if tag != "tag:yaml.org,2002:timestamp" and (tag != "tag:yaml.org,2002:bool" or first in "tTfF")
            ]
            for first, resolvers in base.yaml_implicit_resolvers.items()
        }

    return Loader
