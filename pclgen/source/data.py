"""Untrusted JSON and YAML: side files, configuration values, schemas.

Text becomes plain values, or raises a `DataError` with the problem. The size and the depth of values stay within the limits
of their readers: nesting is bounded, aliases of YAML may not multiply, numbers fit into doubles.
"""

from __future__ import annotations

import json
import re
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from functools import cache
from typing import TYPE_CHECKING, Any, Final, NoReturn

from pclgen.source.numbers import read_number

if TYPE_CHECKING:
    from yaml import Event, Node

MAX_NESTING: Final = 200
"""Maximum nesting of lists and objects."""

_HALF: Final = re.compile("[\ud800-\udfff]")
_ROOM: Final = 10_000
_GROWTH: Final = 10
"""Maximum factor by which aliases may enlarge a YAML text; any text may have `_ROOM` values."""


class DataError(ValueError):
    """Invalid text; the message is the reason, to follow "is not JSON: " or "is not YAML: "."""


def read_json(text: str) -> Any:
    """Return the value of a JSON text; numbers with a fraction or an exponent are floats.  Raises `DataError`."""
    return _json(text, whole=_whole, fraction=lambda digits: float(_number(digits)))


def read_exact_json(text: str) -> Any:
    """Read JSON as `read_json` does, with numbers as in PCL: whole numbers are ints, others `Decimal`s."""
    return _json(text, whole=_whole, fraction=_number)


def _json(text: str, *, whole: Any, fraction: Any) -> Any:
    try:
        value = json.loads(text, parse_int=whole, parse_float=fraction, parse_constant=_no_number)
    except RecursionError:
        raise _too_deep() from None
    except json.JSONDecodeError as error:
        raise DataError(str(error)) from None
    _demand_flat(value)
    return value


def _whole(digits: str) -> int:
    return int(_number(digits))


def _number(digits: str) -> int | Decimal:
    value = read_number(digits)
    if value is None:
        _no_number(digits)
    return value


def _no_number(digits: str) -> NoReturn:
    raise DataError(f"{digits if len(digits) < 40 else digits[:40] + '…'} is not a number that fits into 64 bits")


def _too_deep() -> DataError:
    return DataError(f"lists and objects are nested more than {MAX_NESTING} levels deep")


def _demand_flat(value: object) -> None:
    """Raise `DataError` for a value with too many levels, a number that no double can hold, or an unwritable text."""
    level: list[object] = [[value]]
    for _ in range(MAX_NESTING + 1):
        level = [part for parent in level for part in _parts(parent)]
        if not level:
            return
        if any(isinstance(part, int) and part.bit_length() > 1024 for part in level):
            raise DataError("a number does not fit into 64 bits")
        if any(isinstance(part, str) and _HALF.search(part) for part in level):
            raise DataError("a text has half of a character (a surrogate)")
    raise _too_deep()


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return [*value, *value.values()]
    return value if isinstance(value, list) else ()


def read_yaml(text: str | bytes, *, only_json: bool = False) -> Any:
    """Return the value of a YAML text.  Raises `DataError`.

    With `only_json`, words such as `on`, `no` and `2024-01-01` stay texts: they may be names and descriptions, and YAML 1.2
    has no other meaning for them.
    """
    import yaml

    try:
        with _composed(text, _loader(only_json)) as (loader, node):
            if node is None:
                return None
            value = loader.construct_document(node)
        _demand_flat(value)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark
        place = f" at line {mark.line + 1}, column {mark.column + 1}" if mark is not None else ""
        raise DataError(f"{error.problem or error.context}{place}") from None
    except RecursionError:
        raise _too_deep() from None
    except DataError:
        raise
    except (yaml.YAMLError, ValueError, ArithmeticError) as error:
        raise DataError(str(error).partition("\n")[0]) from None
    except (LookupError, AttributeError, TypeError):  # the library's errors for `!!bool abc` and `!!timestamp abc`
        raise DataError("a value is not of the type that its tag names") from None
    return value


def bounded_nodes(text: str) -> Node | None:
    """Return the nodes of the only document of a YAML text, with their positions; None when it is empty.

    Raises `DataError` for a document that is too deep or multiplies, and the library's exceptions for text that is no YAML.
    """
    with _composed(text, _loader(True)) as (_, node):
        return node


@contextmanager
def _composed(text: str | bytes, kind: Any) -> Iterator[tuple[Any, Node | None]]:
    """Return a loader of `kind` with the nodes of `text`."""
    import yaml

    _demand_shallow(yaml.parse(text, Loader=kind))
    loader = kind(text)
    try:
        node = loader.get_single_node()
        if node is not None:
            _demand_bounded(node, _ROOM + _GROWTH * len(text))
        yield loader, node
    finally:
        loader.dispose()


@cache
def _loader(only_json: bool) -> Any:
    """Return a safe loader, that of libyaml if it is available."""
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    if not only_json:
        return base
    resolvers = {
        first: [
            (tag, pattern)
            for tag, pattern in patterns
            if tag != "tag:yaml.org,2002:timestamp" and (tag != "tag:yaml.org,2002:bool" or first in "tTfF")
        ]
        for first, patterns in base.yaml_implicit_resolvers.items()
    }
    return type("Loader", (base,), {"yaml_implicit_resolvers": resolvers})


def _demand_shallow(events: Iterable[Event]) -> None:
    """Check the nesting before any recursion: libyaml recurses without a check of the stack."""
    import yaml

    depth = 0
    try:
        for event in events:
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > MAX_NESTING:
                    raise _too_deep()
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
    except yaml.MarkedYAMLError as error:
        if "nesting depth" in str(error.problem):  # from 6.0.4 on the library has a limit of its own
            raise _too_deep() from None
        raise


def _demand_bounded(top: Node, most: int) -> None:
    """Raise `DataError` for a node with more than `most` values (those of aliases count each time), too deep or without end.
    """
    measured: dict[Hashable, tuple[int, int] | None] = {}
    waiting = [(top, False)]
    while waiting:
        node, entered = waiting.pop()
        key = id(node)
        if entered:
            sizes = [measure for part in _nodes(node) if (measure := measured[id(part)]) is not None]
            size = 1 + sum(size for size, _ in sizes)
            depth = 1 + max((depth for _, depth in sizes), default=0)
            if size > most:
                raise DataError("its aliases make it many times larger than it is")
            if depth > MAX_NESTING:
                raise _too_deep()
            measured[key] = size, depth
        elif key not in measured:
            measured[key] = None
            waiting.append((node, True))
            for part in _nodes(node):
                if id(part) not in measured:
                    waiting.append((part, False))
                elif measured[id(part)] is None:
                    raise DataError("a part of it is a part of itself")


def _nodes(node: Node) -> Iterable[Node]:
    import yaml

    if isinstance(node, yaml.MappingNode):
        return [part for pair in node.value for part in pair]
    return node.value if isinstance(node, yaml.SequenceNode) else ()
