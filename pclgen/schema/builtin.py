"""The package `pulumi`, which every program has without a schema file (language.md, Resources).

It is written as a schema, so that it is processed like all others.
"""

from __future__ import annotations

from pclgen.schema.document import Document, read_document
from pclgen.schema.errors import SchemaError
from pclgen.schema.package import FoundPackage, open_package
from pclgen.types.declarations import Package

NAME = "pulumi"

_SCHEMA = b"""
{
  "name": "pulumi",
  "resources": {
    "pulumi:pulumi:StackReference": {
      "description": "The outputs of another stack.",
      "inputProperties": {
        "name": {
          "type": "string",
          "description": "The full name of the stack; the name of the resource when absent."
        }
      },
      "properties": {
        "name": {"type": "string", "description": "The full name of the stack."},
        "outputs": {
          "type": "object",
          "additionalProperties": {"$ref": "pulumi.json#/Any"},
          "description": "The outputs of the stack, by name."
        },
        "secretOutputNames": {
          "type": "array",
          "items": {"type": "string"},
          "description": "The names of the outputs that are secret."
        }
      },
      "required": ["name", "outputs", "secretOutputNames"]
    },
    "pulumi:index:Stash": {
      "description": "A value that is kept in the state of the stack.",
      "inputProperties": {
        "input": {"$ref": "pulumi.json#/Any", "description": "The value to keep when there is none yet."}
      },
      "requiredInputs": ["input"],
      "properties": {
        "input": {"$ref": "pulumi.json#/Any", "description": "The value given last."},
        "output": {"$ref": "pulumi.json#/Any", "description": "The value that is kept."}
      },
      "required": ["input", "output"]
    }
  }
}
"""


def builtin_package() -> FoundPackage:
    """A fresh package `pulumi` (stores keep theirs, so that its declarations are one object each)."""
    document = read_document(_SCHEMA, where="pclgen itself", identity="built-in")
    assert isinstance(document, Document), document
    return open_package(document, _no_package)


def _no_package(name: str, version: str) -> Package:
    raise SchemaError(package=NAME, path="", reason=f"the package `{name}` is not available", missing=(name, version))
