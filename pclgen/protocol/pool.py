"""Message classes made from the tables, in a descriptor pool of their own.

The pool that protobuf shares between all libraries of a process may already hold the messages of an installed `pulumi`
package; adding ours there is an error or silently uses theirs, whatever their edition.  So nothing is ever registered
there.  Comes in: the tables.  Goes out: classes by full name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from threading import RLock
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, empty_pb2, message_factory, struct_pb2
from google.protobuf.message import DecodeError

from pclgen.protocol.notation import Enumeration, Field, Message, enumerations, messages
from pclgen.protocol.tables import engine, language, loader, monitor, provider, shared

_MESSAGES: tuple[Mapping[str, str], ...] = (
    shared.MESSAGES,
    provider.MESSAGES,
    monitor.MESSAGES,
    engine.MESSAGES,
    loader.MESSAGES,
    language.MESSAGES,
)
_ENUMS: tuple[Mapping[str, str], ...] = (monitor.ENUMS, engine.ENUMS, language.ENUMS)
_PACKAGES = ("pulumirpc.codegen", "pulumirpc", "codegen")
"""The packages of all messages; one stands before those that name its messages."""

_Row = descriptor_pb2.FieldDescriptorProto
_SCALARS = {
    "string": _Row.TYPE_STRING,
    "bool": _Row.TYPE_BOOL,
    "int32": _Row.TYPE_INT32,
    "int64": _Row.TYPE_INT64,
    "double": _Row.TYPE_DOUBLE,
    "bytes": _Row.TYPE_BYTES,
}


@cache
def message_class(name: str) -> Any:
    """The class of the message with this full name: `pulumirpc.GetSchemaRequest`, `google.protobuf.Struct`.

    Raises `KeyError` for a name that is in no table.
    """
    # protobuf makes the class of a message, also of one inside of another, when somebody first needs it.  Two threads that
    # do so at the same time get two classes, which do not take each other's messages: all that may be needed is made here.
    with _MAKING:
        waiting, made = [_pool().FindMessageTypeByName(name)], {}
        while waiting:
            found = waiting.pop()
            if found.full_name not in made:
                made[found.full_name] = message_factory.GetMessageClass(found)
                waiting += [field.message_type for field in found.fields if field.message_type is not None]
        return made[name]


_MAKING = RLock()


@cache
def enumeration_values(name: str) -> Mapping[str, int]:
    """The values of the enumeration with this full name.  Raises `KeyError` for a name that is in no table."""
    with _MAKING:
        return {value.name: value.number for value in _pool().FindEnumTypeByName(name).values}


def parse(kind: Any, data: bytes) -> Any | None:
    """The message of class `kind` that `data` holds, or None when it holds none."""
    try:
        return kind.FromString(data)
    except DecodeError:
        return None


@cache
def _pool() -> descriptor_pool.DescriptorPool:
    pool = descriptor_pool.DescriptorPool()
    wellknown = [file.DESCRIPTOR for file in (struct_pb2, empty_pb2)]
    for file in wellknown:
        pool.AddSerializedFile(file.serialized_pb)
    known = [file.name for file in wellknown]
    for package in _PACKAGES:
        row = _package(package)
        row.dependency.extend(known)
        known.append(row.name)
        pool.AddSerializedFile(row.SerializeToString())
    return pool


def _package(package: str) -> descriptor_pb2.FileDescriptorProto:
    """One file with everything of `package`."""
    file = descriptor_pb2.FileDescriptorProto(name=f"pclgen/{package}.proto", package=package, syntax="proto3")
    enums = [row for table in _ENUMS for row in enumerations(table) if _within(row.name, package)]
    rows = [row for table in _MESSAGES for row in messages(table) if _within(row.name, package)]
    builder = _Builder(package=package, enums=enums, rows=rows)
    for enum in enums:
        new = file.enum_type.add(name=enum.name.removeprefix(f"{package}."))
        for name, number in enum.values:
            new.value.add(name=name, number=number)
    made: dict[str, descriptor_pb2.DescriptorProto] = {}
    for message in rows:
        outer, _, name = message.name.rpartition(".")
        # A message stands after the one around it in every table.
        made[message.name] = (made[outer].nested_type if outer != package else file.message_type).add(name=name)
    for message in rows:
        builder.fill(made[message.name], message)
    return file


def _within(name: str, package: str) -> bool:
    """Whether a message is of `package`, and not of one whose name is longer."""
    return package == max((one for one in _PACKAGES if name.startswith(f"{one}.")), key=len)


class _Builder:
    """Writes the fields of messages, knowing what the names in them may mean."""

    def __init__(self, *, package: str, enums: list[Enumeration], rows: list[Message]) -> None:
        self._package = package
        self._enums = frozenset(enum.name for enum in enums)
        self._messages = frozenset(message.name for message in rows)

    def fill(self, target: descriptor_pb2.DescriptorProto, message: Message) -> None:
        """Add the fields of `message`, its groups, and the entry types of its maps."""
        groups = list(dict.fromkeys(field.group for field in message.fields if field.group is not None))
        # A field whose absence can be told is the only member of a group of its own; these come last.
        groups += [f"_{field.name}" for field in message.fields if field.optional]
        for group in groups:
            target.oneof_decl.add(name=group)
        for field in message.fields:
            row = target.field.add(name=field.name, number=field.number)
            row.label = _Row.LABEL_REPEATED if field.repeated or field.mapped else _Row.LABEL_OPTIONAL
            if field.optional:
                row.proto3_optional = True
                row.oneof_index = groups.index(f"_{field.name}")
            elif field.group is not None:
                row.oneof_index = groups.index(field.group)
            if field.mapped:
                row.type = _Row.TYPE_MESSAGE
                row.type_name = f".{message.name}.{self._entry(target, message, field)}"
            else:
                self._write_type(row, field.type, message.name)

    def _entry(self, target: descriptor_pb2.DescriptorProto, message: Message, field: Field) -> str:
        """Add the type of the entries of a map; the name is the one that protobuf demands."""
        name = "".join(part[:1].upper() + part[1:] for part in field.name.split("_")) + "Entry"
        entry = target.nested_type.add(name=name)
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, label=_Row.LABEL_OPTIONAL, type=_Row.TYPE_STRING)
        self._write_type(entry.field.add(name="value", number=2, label=_Row.LABEL_OPTIONAL), field.type, message.name)
        return name

    def _write_type(self, row: descriptor_pb2.FieldDescriptorProto, name: str, scope: str) -> None:
        scalar = _SCALARS.get(name)
        if scalar is not None:
            row.type = scalar
            return
        full = next((full for full in self._meanings(name, scope) if full in self._messages or full in self._enums), name)
        row.type = _Row.TYPE_ENUM if full in self._enums else _Row.TYPE_MESSAGE
        row.type_name = f".{full}"

    def _meanings(self, name: str, scope: str) -> Iterator[str]:
        """What `name` may mean in the message `scope`, innermost first."""
        while scope:
            yield f"{scope}.{name}"
            scope = scope.rpartition(".")[0]
