"""Result types of the built-in functions (language.md, Functions), also where the reference has gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

import pytest

from pclgen.stdlib.model import UNKNOWN, Argument, BadArgumentError, Value, expected_types
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.types import model as ty
from pclgen.types.declarations import Declaration, DeclarationKind, Field, Shape


def field(name: str, t: ty.Type) -> Field:
    return Field(name=name, type=t, required=True)


def declare(kind: DeclarationKind, token: str, members: Mapping[str, ty.Type]) -> ty.Type:
    fields = {name: field(name, t) for name, t in members.items()}
    return ty.nominal_of(Declaration(kind=kind, token=token, package=None, load=lambda _: fields), Shape.OUTPUT)


ONE, TWO_HALF = ty.const_of(ty.INT, 1), ty.const_of(ty.NUMBER, Decimal("2.5"))
NAMES, TAGS = ty.list_of(ty.STRING), ty.map_of(ty.STRING)
SPEC = ty.object_of({"name": ty.STRING, "size": ty.optional_of(ty.NUMBER)})
DATA = declare(DeclarationKind.OBJECT, "output:index:Data", {"output": ty.STRING, "note": ty.optional_of(ty.STRING)})
BUCKET = declare(DeclarationKind.RESOURCE, "aws:s3:Bucket", {"id": ty.output_of(ty.ID)})
SITE = declare(DeclarationKind.COMPONENT, "Site", {})
OTHER = declare(DeclarationKind.RESOURCE, "pulumi:pulumi:StackReference", {})
PAIR = ty.tuple_of((ONE, ty.STRING))


def entry(key: ty.Type, value: ty.Type) -> ty.Type:
    return ty.list_of(ty.object_of({"key": key, "value": value}))


def arguments(values: Sequence[object]) -> list[Argument]:
    """Types, or (type, known value) pairs."""
    collected = []
    for item in values:
        t, value = item if isinstance(item, tuple) else (item, UNKNOWN)
        collected.append(Argument(type=t, value=value, eventual=t.eventual))
    return collected


def result(name: str, *values: object) -> ty.Type:
    return FUNCTIONS[name].result(arguments(values))


def constant(t: ty.Type, value: Value) -> tuple[ty.Type, Value]:
    return (t, value)


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        # element
        ("element", (NAMES, ONE), ty.STRING),
        ("element", (ty.list_of(SPEC), ty.INT), SPEC),
        ("element", (ty.optional_of(NAMES), ty.INT), ty.STRING),
        ("element", (PAIR, ty.INT), ty.union_of((ty.INT, ty.STRING))),
        ("element", (PAIR, constant(ONE, 0)), ty.INT),
        ("element", (PAIR, constant(ONE, 1)), ty.STRING),
        ("element", (PAIR, constant(ONE, 2)), ty.INT),
        ("element", (PAIR, constant(ty.const_of(ty.INT, 5), 5)), ty.STRING),
        ("element", (ty.DYNAMIC, ty.INT), ty.DYNAMIC),
        ("element", (ty.ERROR, ty.INT), ty.ERROR),
        ("element", (ty.output_of(NAMES), ty.INT), ty.STRING),
        # entries
        ("entries", (TAGS,), entry(ty.STRING, ty.STRING)),
        ("entries", (ty.optional_of(TAGS),), entry(ty.STRING, ty.STRING)),
        ("entries", (DATA,), entry(ty.STRING, ty.optional_of(ty.STRING))),
        ("entries", (ty.object_of({"a": ONE, "b": ONE}),), entry(ty.STRING, ty.INT)),
        ("entries", (ty.object_of({}),), entry(ty.STRING, ty.DYNAMIC)),
        ("entries", (NAMES,), entry(ty.INT, ty.STRING)),
        ("entries", (PAIR,), entry(ty.INT, ty.union_of((ty.INT, ty.STRING)))),
        ("entries", (ty.DYNAMIC,), entry(ty.STRING, ty.DYNAMIC)),
        # length
        ("length", (NAMES,), ty.INT),
        ("length", (TAGS,), ty.INT),
        ("length", (DATA,), ty.INT),
        ("length", (ty.STRING,), ty.INT),
        ("length", (ty.ID,), ty.INT),
        ("length", (ty.const_of(ty.STRING, "a"),), ty.INT),
        ("length", (ty.optional_of(NAMES),), ty.INT),
        ("length", (ty.union_of((NAMES, ty.STRING)),), ty.INT),
        ("length", (PAIR,), ty.const_of(ty.INT, 2)),
        ("length", (ty.output_of(PAIR),), ty.const_of(ty.INT, 2)),
        ("length", (ty.DYNAMIC,), ty.INT),
        # lookup
        ("lookup", (TAGS, ty.STRING, ty.STRING), ty.STRING),
        ("lookup", (TAGS, ty.STRING), ty.STRING),
        ("lookup", (ty.optional_of(TAGS), ty.STRING, ty.STRING), ty.STRING),
        ("lookup", (TAGS, ty.STRING, ty.NONE), ty.optional_of(ty.STRING)),
        ("lookup", (DATA, constant(ty.STRING, "output"), ty.STRING), ty.STRING),
        ("lookup", (DATA, constant(ty.STRING, "note"), ty.STRING), ty.STRING),
        ("lookup", (DATA, constant(ty.STRING, "note")), ty.optional_of(ty.STRING)),
        ("lookup", (DATA, constant(ty.STRING, "missing"), ty.STRING), ty.STRING),
        ("lookup", (SPEC, constant(ty.STRING, "size"), ONE), ty.optional_of(ty.NUMBER)),
        ("lookup", (ty.object_of({"a": ONE, "b": TWO_HALF}), ty.STRING, ONE), ty.NUMBER),
        ("lookup", (ty.object_of({}), ty.STRING, ty.STRING), ty.STRING),
        ("lookup", (ty.object_of({}), ty.STRING), ty.DYNAMIC),
        ("lookup", (ty.DYNAMIC, ty.STRING, ty.STRING), ty.DYNAMIC),
        # texts
        ("join", (ty.STRING, NAMES), ty.STRING),
        ("split", (ty.STRING, ty.STRING), ty.list_of(ty.STRING)),
        ("range", (ONE,), ty.list_of(ty.INT)),
        # singleOrNone
        ("singleOrNone", (NAMES,), ty.optional_of(ty.STRING)),
        ("singleOrNone", (PAIR,), ty.optional_of(ty.union_of((ty.INT, ty.STRING)))),
        ("singleOrNone", (ty.tuple_of((ONE, ty.BOOL)),), ty.optional_of(ty.union_of((ty.INT, ty.BOOL)))),
        ("singleOrNone", (ty.tuple_of(()),), ty.NONE),
        ("singleOrNone", (ty.DYNAMIC,), ty.DYNAMIC),
        # failure
        ("try", (ty.optional_of(ty.STRING), ty.STRING), ty.optional_of(ty.STRING)),
        ("try", (ONE, TWO_HALF), ty.NUMBER),
        ("try", (ty.DYNAMIC, ty.STRING), ty.DYNAMIC),
        ("try", (ty.output_of(ty.STRING), ty.STRING), ty.STRING),
        ("can", (ty.DYNAMIC,), ty.BOOL),
        ("recover", (ty.output_of(ty.STRING), ty.STRING), ty.STRING),
        ("recover", (ty.output_of(ty.STRING), ty.NONE), ty.optional_of(ty.STRING)),
        ("notImplemented", (ty.STRING,), ty.DYNAMIC),
        # numbers
        ("max", (ONE, TWO_HALF), ty.NUMBER),
        ("max", (ty.NUMBER, ONE), ty.NUMBER),
        ("min", (ONE, ty.INT), ty.INT),
        ("min", (ty.output_of(ty.INT), ty.INT), ty.INT),
        ("max", (ty.union_of((ONE, ty.const_of(ty.INT, 2))),), ty.INT),
        ("max", (ty.DYNAMIC, ty.INT), ty.NUMBER),
        # secrets, encoding
        ("secret", (ty.const_of(ty.INT, 1),), ty.INT),
        ("secret", (SPEC,), SPEC),
        ("unsecret", (ty.output_of(ty.STRING),), ty.STRING),
        ("toJSON", (ty.object_of({"a": ty.output_of(ty.STRING)}),), ty.STRING),
        ("toJSON", (ty.NONE,), ty.STRING),
        ("sha1", (ty.STRING,), ty.STRING),
        # assets
        ("fileAsset", (ty.STRING,), ty.ASSET),
        ("remoteArchive", (ty.STRING,), ty.ARCHIVE),
        ("assetArchive", (ty.map_of(ty.ASSET),), ty.ARCHIVE),
        # deployment
        ("stack", (), ty.STRING),
        ("getOutput", (OTHER, ty.STRING), ty.DYNAMIC),
        ("getOutput", (ty.DYNAMIC, ty.STRING), ty.DYNAMIC),
        ("pulumiResourceName", (BUCKET,), ty.STRING),
        ("pulumiResourceType", (ty.optional_of(BUCKET),), ty.STRING),
        ("pulumiResourceType", (SITE,), ty.STRING),
        ("pulumiResourceType", (ty.DYNAMIC,), ty.STRING),
    ],
)
def test_result(name: str, values: tuple[object, ...], expected: ty.Type) -> None:
    assert result(name, *values) is expected


@pytest.mark.parametrize(
    ("name", "values", "index", "reason"),
    [
        ("element", (ty.STRING, ty.INT), 0, "expected a list, found a string"),
        ("element", (ty.union_of((NAMES, ty.STRING)), ty.INT), 0, "expected a list"),
        ("element", (ty.tuple_of(()), ty.INT), 0, "no elements"),
        ("element", (PAIR, constant(TWO_HALF, Decimal("2.5"))), 1, "expected a whole number, found 2.5"),
        ("element", (ty.NONE, ty.INT), 0, "expected a list, found null"),
        ("length", (ty.INT,), 0, "expected a list, a map, an object or a string, found an int"),
        ("length", (ty.BOOL,), 0, "found a bool"),
        ("length", (BUCKET,), 0, "found the resource"),
        ("entries", (ty.STRING,), 0, "expected a map, an object or a list, found a string"),
        ("entries", (BUCKET,), 0, "found the resource"),
        ("lookup", (NAMES, ty.STRING, ty.STRING), 0, "expected a map or an object, found a list(string)"),
        ("singleOrNone", (TAGS,), 0, "expected a list, found a map(string)"),
        ("recover", (ty.STRING, ty.STRING), 0, "expected an output, found a string"),
        ("toJSON", (ty.map_of(ty.ASSET),), 0, "cannot be written as JSON"),
        ("getOutput", (ty.STRING, ty.STRING), 0, "expected a stack reference, found a string"),
        ("getOutput", (BUCKET, ty.STRING), 0, "expected a stack reference"),
        ("pulumiResourceName", (ty.STRING,), 0, "expected a resource, found a string"),
        ("pulumiResourceName", (ty.list_of(BUCKET),), 0, "expected a resource"),
    ],
)
def test_refused(name: str, values: tuple[object, ...], index: int, reason: str) -> None:
    with pytest.raises(BadArgumentError) as caught:
        result(name, *values)
    assert caught.value.index == index
    assert reason in caught.value.reason


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("max", (ONE, TWO_HALF), (ty.NUMBER, ty.NUMBER)),
        ("max", (ONE, ty.INT, ty.INT), (ty.INT, ty.INT, ty.INT)),
        ("element", (ty.optional_of(NAMES), ty.STRING), (NAMES, ty.INT)),
        ("lookup", (ty.optional_of(TAGS), ty.ID, ONE), (TAGS, ty.STRING, ty.STRING)),
        ("lookup", (TAGS, ty.STRING, ty.NONE), (TAGS, ty.STRING, ty.optional_of(ty.STRING))),
        ("lookup", (ty.object_of({}), ty.STRING, ONE), (ty.object_of({}), ty.STRING, ty.DYNAMIC)),
        ("length", (ty.optional_of(ty.STRING),), (ty.STRING,)),
        ("join", (ty.STRING, PAIR), (ty.STRING, ty.list_of(ty.STRING))),
        ("range", (ty.INT,), (ty.INT,)),
        ("secret", (ty.output_of(ty.STRING),), (ty.DYNAMIC,)),
        ("try", (ty.STRING, ty.INT, ty.BOOL), (ty.DYNAMIC, ty.DYNAMIC, ty.DYNAMIC)),
        ("try", (PAIR, ty.STRING), (ty.DYNAMIC, ty.DYNAMIC)),
    ],
)
def test_expected_types(name: str, values: tuple[object, ...], expected: tuple[ty.Type, ...]) -> None:
    assert expected_types(FUNCTIONS[name], arguments(values)) == expected
