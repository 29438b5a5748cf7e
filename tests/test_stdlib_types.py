"""Result types of the built-in functions (language.md, Functions), also where the reference has gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

import pytest

from pclgen.stdlib.calling import expected_types
from pclgen.stdlib.model import UNKNOWN, Argument, BadArgumentError, Value
from pclgen.stdlib.registry import FUNCTIONS
from pclgen.types.declarations import Declaration, DeclarationKind, Field, Shape
from pclgen.types.model import (
    ARCHIVE,
    ASSET,
    BOOL,
    DYNAMIC,
    ERROR,
    ID,
    INT,
    NONE,
    NUMBER,
    STRING,
    Type,
    const_of,
    list_of,
    map_of,
    nominal_of,
    object_of,
    optional_of,
    output_of,
    tuple_of,
    union_of,
)


def field(name: str, t: Type) -> Field:
    return Field(name=name, type=t, required=True)


def declare(kind: DeclarationKind, token: str, members: Mapping[str, Type]) -> Type:
    fields = {name: field(name, t) for name, t in members.items()}
    return nominal_of(Declaration(kind=kind, token=token, package=None, load=lambda _: fields), Shape.OUTPUT)


ONE, TWO_HALF = const_of(INT, 1), const_of(NUMBER, Decimal("2.5"))
NAMES, TAGS = list_of(STRING), map_of(STRING)
SPEC = object_of({"name": STRING, "size": optional_of(NUMBER)})
DATA = declare(DeclarationKind.OBJECT, "output:index:Data", {"output": STRING, "note": optional_of(STRING)})
BUCKET = declare(DeclarationKind.RESOURCE, "aws:s3:Bucket", {"id": output_of(ID)})
SITE = declare(DeclarationKind.COMPONENT, "Site", {})
OTHER = declare(DeclarationKind.RESOURCE, "pulumi:pulumi:StackReference", {})
PAIR = tuple_of((ONE, STRING))


def entry(key: Type, value: Type) -> Type:
    return list_of(object_of({"key": key, "value": value}))


def arguments(values: Sequence[object]) -> list[Argument]:
    """Types, or (type, known value) pairs."""
    collected = []
    for item in values:
        t, value = item if isinstance(item, tuple) else (item, UNKNOWN)
        collected.append(Argument(type=t, value=value, eventual=t.eventual))
    return collected


def result(name: str, *values: object) -> Type:
    return FUNCTIONS[name].result(arguments(values))


def known(t: Type, value: Value) -> tuple[Type, Value]:
    return (t, value)


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        # element
        ("element", (NAMES, ONE), STRING),
        ("element", (list_of(SPEC), INT), SPEC),
        ("element", (optional_of(NAMES), INT), STRING),
        ("element", (PAIR, INT), union_of((INT, STRING))),
        ("element", (PAIR, known(ONE, 0)), INT),
        ("element", (PAIR, known(ONE, 1)), STRING),
        ("element", (PAIR, known(ONE, 2)), INT),
        ("element", (PAIR, known(const_of(INT, 5), 5)), STRING),
        ("element", (DYNAMIC, INT), DYNAMIC),
        ("element", (ERROR, INT), ERROR),
        ("element", (output_of(NAMES), INT), STRING),
        # entries
        ("entries", (TAGS,), entry(STRING, STRING)),
        ("entries", (optional_of(TAGS),), entry(STRING, STRING)),
        ("entries", (DATA,), entry(STRING, optional_of(STRING))),
        ("entries", (object_of({"a": ONE, "b": ONE}),), entry(STRING, INT)),
        ("entries", (object_of({}),), entry(STRING, DYNAMIC)),
        ("entries", (NAMES,), entry(INT, STRING)),
        ("entries", (PAIR,), entry(INT, union_of((INT, STRING)))),
        ("entries", (DYNAMIC,), entry(STRING, DYNAMIC)),
        # length
        ("length", (NAMES,), INT),
        ("length", (TAGS,), INT),
        ("length", (DATA,), INT),
        ("length", (STRING,), INT),
        ("length", (ID,), INT),
        ("length", (const_of(STRING, "a"),), INT),
        ("length", (optional_of(NAMES),), INT),
        ("length", (union_of((NAMES, STRING)),), INT),
        ("length", (PAIR,), const_of(INT, 2)),
        ("length", (output_of(PAIR),), const_of(INT, 2)),
        ("length", (DYNAMIC,), INT),
        # lookup
        ("lookup", (TAGS, STRING, STRING), STRING),
        ("lookup", (TAGS, STRING), STRING),
        ("lookup", (optional_of(TAGS), STRING, STRING), STRING),
        ("lookup", (TAGS, STRING, NONE), optional_of(STRING)),
        ("lookup", (DATA, known(STRING, "output"), STRING), STRING),
        ("lookup", (DATA, known(STRING, "note"), STRING), STRING),
        ("lookup", (DATA, known(STRING, "note")), optional_of(STRING)),
        ("lookup", (DATA, known(STRING, "missing"), STRING), STRING),
        ("lookup", (SPEC, known(STRING, "size"), ONE), optional_of(NUMBER)),
        ("lookup", (object_of({"a": ONE, "b": TWO_HALF}), STRING, ONE), NUMBER),
        ("lookup", (object_of({}), STRING, STRING), STRING),
        ("lookup", (object_of({}), STRING), DYNAMIC),
        ("lookup", (DYNAMIC, STRING, STRING), DYNAMIC),
        # texts
        ("join", (STRING, NAMES), STRING),
        ("split", (STRING, STRING), list_of(STRING)),
        ("range", (ONE,), list_of(INT)),
        # singleOrNone
        ("singleOrNone", (NAMES,), optional_of(STRING)),
        ("singleOrNone", (PAIR,), optional_of(union_of((INT, STRING)))),
        ("singleOrNone", (tuple_of((ONE, BOOL)),), optional_of(union_of((INT, BOOL)))),
        ("singleOrNone", (tuple_of(()),), NONE),
        ("singleOrNone", (DYNAMIC,), DYNAMIC),
        # failure
        ("try", (optional_of(STRING), STRING), optional_of(STRING)),
        ("try", (ONE, TWO_HALF), NUMBER),
        ("try", (DYNAMIC, STRING), DYNAMIC),
        ("try", (output_of(STRING), STRING), STRING),
        ("can", (DYNAMIC,), BOOL),
        ("recover", (output_of(STRING), STRING), STRING),
        ("recover", (output_of(STRING), NONE), optional_of(STRING)),
        ("notImplemented", (STRING,), DYNAMIC),
        # numbers
        ("max", (ONE, TWO_HALF), NUMBER),
        ("max", (NUMBER, ONE), NUMBER),
        ("min", (ONE, INT), INT),
        ("min", (output_of(INT), INT), INT),
        ("max", (union_of((ONE, const_of(INT, 2))),), INT),
        ("max", (DYNAMIC, INT), NUMBER),
        # secrets, encoding
        ("secret", (const_of(INT, 1),), INT),
        ("secret", (SPEC,), SPEC),
        ("unsecret", (output_of(STRING),), STRING),
        ("toJSON", (object_of({"a": output_of(STRING)}),), STRING),
        ("toJSON", (NONE,), STRING),
        ("sha1", (STRING,), STRING),
        # assets
        ("fileAsset", (STRING,), ASSET),
        ("remoteArchive", (STRING,), ARCHIVE),
        ("assetArchive", (map_of(ASSET),), ARCHIVE),
        # deployment
        ("stack", (), STRING),
        ("getOutput", (OTHER, STRING), DYNAMIC),
        ("getOutput", (DYNAMIC, STRING), DYNAMIC),
        ("pulumiResourceName", (BUCKET,), STRING),
        ("pulumiResourceType", (optional_of(BUCKET),), STRING),
        ("pulumiResourceType", (SITE,), STRING),
        ("pulumiResourceType", (DYNAMIC,), STRING),
    ],
)
def test_result(name: str, values: tuple[object, ...], expected: Type) -> None:
    assert result(name, *values) is expected


@pytest.mark.parametrize(
    ("name", "values", "index", "reason"),
    [
        ("element", (STRING, INT), 0, "expected a list, found a string"),
        ("element", (union_of((NAMES, STRING)), INT), 0, "expected a list"),
        ("element", (tuple_of(()), INT), 0, "no elements"),
        ("element", (PAIR, known(TWO_HALF, Decimal("2.5"))), 1, "expected a whole number, found 2.5"),
        ("element", (NONE, INT), 0, "expected a list, found null"),
        ("length", (INT,), 0, "expected a list, a map, an object or a string, found an int"),
        ("length", (BOOL,), 0, "found a bool"),
        ("length", (BUCKET,), 0, "found the resource"),
        ("entries", (STRING,), 0, "expected a map, an object or a list, found a string"),
        ("entries", (BUCKET,), 0, "found the resource"),
        ("lookup", (NAMES, STRING, STRING), 0, "expected a map or an object, found a list(string)"),
        ("singleOrNone", (TAGS,), 0, "expected a list, found a map(string)"),
        ("recover", (STRING, STRING), 0, "expected an output, found a string"),
        ("toJSON", (map_of(ASSET),), 0, "cannot be written as JSON"),
        ("getOutput", (STRING, STRING), 0, "expected a stack reference, found a string"),
        ("getOutput", (BUCKET, STRING), 0, "expected a stack reference"),
        ("pulumiResourceName", (STRING,), 0, "expected a resource, found a string"),
        ("pulumiResourceName", (list_of(BUCKET),), 0, "expected a resource"),
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
        ("max", (ONE, TWO_HALF), (NUMBER, NUMBER)),
        ("max", (ONE, INT, INT), (INT, INT, INT)),
        ("element", (optional_of(NAMES), STRING), (NAMES, INT)),
        ("lookup", (optional_of(TAGS), ID, ONE), (TAGS, STRING, STRING)),
        ("lookup", (TAGS, STRING, NONE), (TAGS, STRING, optional_of(STRING))),
        ("lookup", (object_of({}), STRING, ONE), (object_of({}), STRING, DYNAMIC)),
        ("length", (optional_of(STRING),), (STRING,)),
        ("join", (STRING, PAIR), (STRING, list_of(STRING))),
        ("range", (INT,), (INT,)),
        ("secret", (output_of(STRING),), (DYNAMIC,)),
        ("try", (STRING, INT, BOOL), (DYNAMIC, DYNAMIC, DYNAMIC)),
        ("try", (PAIR, STRING), (DYNAMIC, DYNAMIC)),
    ],
)
def test_expected_types(name: str, values: tuple[object, ...], expected: tuple[Type, ...]) -> None:
    assert expected_types(FUNCTIONS[name], arguments(values)) == expected


def test_a_number_is_advised_to_become_text() -> None:
    with pytest.raises(BadArgumentError) as caught:
        result("length", INT)
    assert caught.value.hint is not None and "${" in caught.value.hint
