"""Message classes made from the descriptor set, in a separate descriptor pool.

The pool that protobuf shares between all libraries of a process may already hold the messages of an installed `pulumi`
package; adding pclgen's there is an error or silently uses theirs, whatever their edition.  So nothing is ever
registered there.  `messages/messages.binpb`, which `scripts.messages` makes, has the classes by full name, and the services.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from threading import RLock
from typing import Any

from google.protobuf import descriptor_pb2, descriptor_pool, empty_pb2, message_factory, struct_pb2
from google.protobuf.message import DecodeError

DESCRIPTORS = "messages.binpb"
_MAKING = RLock()


@cache
def message_class(name: str) -> Any:
    """Return the class of the message with this full name: `pulumirpc.GetSchemaRequest`, `google.protobuf.Struct`.

    Raises `KeyError` for a name that is in no `.proto` file.
    """
    # protobuf makes the class of a message, also of an inner message, at first use.  Two threads that do so at the same
    # time get two classes, which do not accept each other's messages: all possible classes are made here.
    with _MAKING:
        waiting, classes = [_pool().FindMessageTypeByName(name)], {}
        while waiting:
            descriptor = waiting.pop()
            if descriptor.full_name not in classes:
                classes[descriptor.full_name] = message_factory.GetMessageClass(descriptor)
                waiting += [field.message_type for field in descriptor.fields if field.message_type is not None]
        return classes[name]


@cache
def enumeration_values(name: str) -> Mapping[str, int]:
    """Return the values of the enumeration with this full name.  Raises `KeyError` for a name that is in no `.proto` file.
    """
    with _MAKING:
        return {value.name: value.number for value in _pool().FindEnumTypeByName(name).values}


def methods() -> Mapping[str, tuple[str, str]]:
    """Return, by the path of each method, `/service/method`, the full names of its request and response messages."""
    return {
        f"/{file.package}.{service.name}/{method.name}": (method.input_type[1:], method.output_type[1:])
        for file in descriptors().file
        for service in file.service
        for method in service.method
    }


def parse(kind: Any, data: bytes) -> Any | None:
    """Return the message of class `kind` in `data`, or None for invalid data."""
    try:
        return kind.FromString(data)
    except DecodeError:
        return None


@cache
def descriptors() -> descriptor_pb2.FileDescriptorSet:
    """Return the descriptors of the `.proto` files, without those that they import from protobuf."""
    data = resources.files("pclgen.protocol").joinpath("messages", DESCRIPTORS).read_bytes()
    return descriptor_pb2.FileDescriptorSet.FromString(data)


@cache
def _pool() -> descriptor_pool.DescriptorPool:
    pool = descriptor_pool.DescriptorPool()
    for wellknown in (struct_pb2, empty_pb2):
        pool.AddSerializedFile(wellknown.DESCRIPTOR.serialized_pb)
    for file in descriptors().file:  # in an order in which each comes after those that it imports
        pool.AddSerializedFile(file.SerializeToString())
    return pool
