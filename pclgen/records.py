"""`dataclass`, as in the standard library, with methods that are made when they are first used.

The standard decorator writes and compiles five methods a class, for some hundred classes of which a small program makes few:
that was a third of the time of a short command.  Here a class gets its slots at once; `__init__` is compiled with the first
instance, `__eq__` and `__hash__` with the first comparison, and so on.  What comes out is what the standard decorator
makes (`tests/test_records.py` compares them), with two differences: a field that may not be (a mutable default, a default
before none) is told at the first use of the class, and frozen objects are filled by the setters of their slots, which is
faster.  Whether frozen classes inherit from frozen ones is left to the type checker.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from inspect import get_annotations
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, TypeVar, cast
from weakref import WeakSet

__all__ = ["dataclass"]

T = TypeVar("T")

_Fields = Mapping[str, "dataclasses.Field[Any]"]

_KNOWN = sys.version_info < (3, 14)  # Later versions make slotted classes in another way.
_OPTIONS = frozenset(("frozen", "slots", "kw_only", "eq", "repr"))
_UNLIKE_FIELDS = ("ClassVar", "InitVar", "KW_ONLY")


class _FactoryDefault:
    """What signatures show for a default that a factory makes; the same text as in the standard library."""

    def __repr__(self) -> str:
        return "<factory>"


_FACTORY = _FactoryDefault()


class _Record:
    """What was said of a class, and the class itself, until all its methods are made."""

    __slots__ = ("cls", "defaults", "fields", "frozen", "kw_only", "options")

    def __init__(self, options: Mapping[str, bool], defaults: Mapping[str, object]) -> None:
        self.options = options
        self.frozen = options.get("frozen", False)
        self.kw_only = options.get("kw_only", False)
        self.defaults = defaults
        self.cls: type = object
        self.fields: _Fields | None = None

    def all_fields(self) -> _Fields:
        """The fields of the class, those of its bases first, as `dataclasses` understands them."""
        if self.fields is None:
            found: dict[str, dataclasses.Field[Any]] = {}
            for base in self.cls.__mro__[-1:0:-1]:
                found.update(getattr(base, "__dataclass_fields__", {}))
            found.update(_own_fields(self.cls, self.defaults, self.kw_only))
            self.fields = found
        return self.fields

    def initialised(self) -> Iterable[dataclasses.Field[Any]]:
        """The fields that are arguments, in the order of the signature."""
        given = [field for field in self.all_fields().values() if field.init]
        return sorted(given, key=lambda field: bool(field.kw_only))


class _Later:
    """Stands in a class for an attribute that is made when it is first asked for."""

    __slots__ = ("make", "name", "record")

    def __init__(self, name: str, record: _Record, make: Callable[[_Record], Any]) -> None:
        self.name = name
        self.record = record
        self.make = make

    def __get__(self, instance: object, owner: type | None = None) -> Any:
        # Another thread may do the same at the same time: both make the same, and one assignment puts it in place.
        holder = self.record.cls
        if holder.__dict__[self.name] is self:
            made = self.make(self.record)
            setattr(holder, self.name, made)
        made = holder.__dict__[self.name]
        bind = getattr(type(made), "__get__", None)
        return made if bind is None else bind(made, instance, owner)


def _own_fields(cls: type, defaults: Mapping[str, object], kw_only: bool) -> _Fields:
    """What the standard decorator reads from the body of the class: asked of a class with nothing else in it."""
    if all(default.__hash__ is not None for default in defaults.values()):
        return {name: _own_field(name, text, defaults, kw_only) for name, text in get_annotations(cls).items()}
    body = {"__annotations__": get_annotations(cls), "__module__": cls.__module__, "__doc__": "fields", **defaults}
    twin = type(cls.__name__, (), body)
    dataclasses.dataclass(init=False, repr=False, eq=False, match_args=False, kw_only=kw_only)(twin)
    return {field.name: field for field in dataclasses.fields(twin)}


@dataclasses.dataclass
class _Plain:
    """Shows what the standard decorator writes into a field that is no `ClassVar` and no `InitVar`."""

    one: int


_PLAIN: Any = dataclasses.fields(_Plain)[0]


def _own_field(name: str, text: str, defaults: Mapping[str, object], kw_only: bool) -> dataclasses.Field[Any]:
    """One field, as the decorator fills it in, without its look at what the text of its type could mean."""
    default: Any = defaults.get(name, dataclasses.MISSING)
    field: Any = default if isinstance(default, dataclasses.Field) else dataclasses.field(default=default)
    field.name, field.type, field._field_type = name, text, _PLAIN._field_type
    if field.kw_only is dataclasses.MISSING:
        field.kw_only = kw_only
    return cast("dataclasses.Field[Any]", field)


def _init(record: _Record) -> Callable[..., None]:
    fields = record.all_fields()
    scope: dict[str, Any] = {"__missing": _FACTORY}
    arguments, lines = [], []
    plain = True
    required_after = None
    for field in record.initialised():
        if field.kw_only and plain:
            arguments.append("*")
            plain = False
        if field.default is not dataclasses.MISSING:
            scope[f"__default_{field.name}"] = field.default
            arguments.append(f"{field.name}=__default_{field.name}")
        elif field.default_factory is not dataclasses.MISSING:
            arguments.append(f"{field.name}=__missing")
        else:
            if plain and arguments and "=" in arguments[-1]:
                required_after = field.name
            arguments.append(field.name)
    if required_after is not None:
        raise TypeError(f"non-default argument {required_after!r} follows default argument")
    for field in fields.values():
        value = _value(field, scope)
        if value is not None:
            lines.append(_assignment(record, field.name, value, scope))
    if hasattr(record.cls, "__post_init__"):
        lines.append("self.__post_init__()")
    made: Callable[..., None] = _compiled("__init__", ["self", *arguments], lines or ["pass"], scope, cls=record.cls)
    made.__annotations__ = {field.name: field.type for field in record.initialised()} | {"return": None}
    return made


def _value(field: dataclasses.Field[Any], scope: dict[str, Any]) -> str | None:
    """What the field is set to; None for one that `__post_init__` sets."""
    name = field.name
    if field.default_factory is not dataclasses.MISSING:
        scope[f"__factory_{name}"] = field.default_factory
        return f"__factory_{name}() if {name} is __missing else {name}" if field.init else f"__factory_{name}()"
    if field.init:
        return name
    if field.default is not dataclasses.MISSING:
        scope[f"__default_{name}"] = field.default
        return f"__default_{name}"
    return None


def _assignment(record: _Record, name: str, value: str, scope: dict[str, Any]) -> str:
    if not record.frozen:
        return f"self.{name} = {value}"
    slot = getattr(record.cls, name, None)
    if isinstance(slot, MemberDescriptorType):
        scope[f"__set_{name}"] = slot.__set__
        return f"__set_{name}(self, {value})"
    scope["__assign"] = object.__setattr__
    return f"__assign(self, {name!r}, {value})"


def _compiled(name: str, arguments: Sequence[str], lines: Sequence[str], scope: dict[str, Any], *, cls: type) -> Any:
    body = "\n    ".join(lines)
    exec(f"def {name}({', '.join(arguments)}):\n    {body}\n", scope)  # names of fields only
    made = scope.pop(name)
    made.__qualname__ = f"{cls.__qualname__}.{name}"
    made.__module__ = cls.__module__
    return made


def _tuple_of(names: Iterable[str], whose: str) -> str:
    return "(" + "".join(f"{whose}.{name}, " for name in names) + ")"


def _eq(record: _Record) -> Callable[..., bool]:
    names = [field.name for field in record.all_fields().values() if field.compare]
    lines = (
        "if other.__class__ is self.__class__:",
        f"    return {_tuple_of(names, 'self')} == {_tuple_of(names, 'other')}",
        "return NotImplemented",
    )
    made: Callable[..., bool] = _compiled("__eq__", ("self", "other"), lines, {}, cls=record.cls)
    return made


def _hash(record: _Record) -> Callable[..., int]:
    fields = record.all_fields().values()
    names = [field.name for field in fields if (field.compare if field.hash is None else field.hash)]
    made: Callable[..., int] = _compiled(
        "__hash__", ("self",), [f"return hash({_tuple_of(names, 'self')})"], {}, cls=record.cls
    )
    return made


def _repr(record: _Record) -> Callable[..., str]:
    from reprlib import recursive_repr

    shown = ", ".join(f"{f.name}={{self.{f.name}!r}}" for f in record.all_fields().values() if f.repr)
    line = f'return f"{{self.__class__.__qualname__}}({shown})"'
    made: Callable[..., str] = recursive_repr()(_compiled("__repr__", ("self",), [line], {}, cls=record.cls))
    return made


def _setattr(record: _Record) -> Callable[..., None]:
    cls: type[Any] = record.cls
    names = frozenset(record.all_fields())

    def __setattr__(self: object, name: str, value: object) -> None:  # noqa: N807  # the name that it has in its class
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    return __setattr__


def _delattr(record: _Record) -> Callable[..., None]:
    cls: type[Any] = record.cls
    names = frozenset(record.all_fields())

    def __delattr__(self: object, name: str) -> None:  # noqa: N807  # the name that it has in its class
        if type(self) is cls or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    return __delattr__


def _match_args(record: _Record) -> tuple[str, ...]:
    return tuple(field.name for field in record.all_fields().values() if field.init and not field.kw_only)


@cache
def _parameters(options: tuple[tuple[str, bool], ...]) -> Any:
    """What the standard decorator keeps of its arguments."""
    twin: Any = dataclasses.dataclass(**dict(options))(type("Twin", (), {"__doc__": "options"}))
    return twin.__dataclass_params__


def _replaced(self: Any, /, **changes: Any) -> Any:
    return dataclasses.replace(self, **changes)


def _state(self: Any) -> list[object]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: Sequence[object]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)


_METHODS: tuple[tuple[str, str, Callable[[_Record], Any]], ...] = (
    ("", "__init__", _init),
    ("", "__match_args__", _match_args),
    ("", "__dataclass_fields__", _Record.all_fields),
    ("", "__dataclass_params__", lambda record: _parameters(tuple(record.options.items()))),
    ("repr", "__repr__", _repr),
    ("eq", "__eq__", _eq),
    ("frozen", "__setattr__", _setattr),
    ("frozen", "__delattr__", _delattr),
)
"""Which option asks for which method, and who makes it."""


_OURS: WeakSet[type] = WeakSet()


def record(cls: type[T] | None = None, /, **options: bool) -> Any:
    """The decorator `dataclass`: takes the arguments of the standard one, and does what that does."""
    if cls is None:
        return lambda given: record(given, **options)
    if not (_KNOWN and options.get("slots") and options.keys() <= _OPTIONS and _is_plain(cls)):
        return dataclasses.dataclass(**options)(cls)
    return _slotted(cls, options)


def _is_plain(cls: type) -> bool:
    """Whether the class has nothing but fields that are strings of types, and so have its bases."""
    return all(
        isinstance(text, str) and not any(word in text for word in _UNLIKE_FIELDS) for text in get_annotations(cls).values()
    ) and not any("__dataclass_fields__" in base.__dict__ and base not in _OURS for base in cls.__mro__[1:])


def _slotted(cls: type[T], options: Mapping[str, bool]) -> type[T]:
    body = dict(cls.__dict__)
    names = get_annotations(cls)
    made = _Record(options, {name: body.pop(name) for name in names if name in body})
    inherited = {slot for base in cls.__mro__[1:-1] for slot in _slots_of(base)}
    body["__slots__"] = tuple(name for name in names if name not in inherited)
    body.pop("__dict__", None)
    body.pop("__weakref__", None)
    has_hash = body.get("__hash__") is not None or ("__hash__" in body and "__eq__" not in body)
    for option, name, make in _METHODS:
        if name not in body and options.get(option, option != "frozen"):
            body[name] = _Later(name, made, make)
    frozen = options.get("frozen", False)
    if options.get("eq", True) and not has_hash:
        body["__hash__"] = _Later("__hash__", made, _hash) if frozen else None
    if frozen:
        body.setdefault("__getstate__", _state)
        body.setdefault("__setstate__", _restore)
    if sys.version_info >= (3, 13):
        body.setdefault("__replace__", _replaced)
    metaclass: Any = type(cls)
    slotted: type[T] = metaclass(cls.__name__, cls.__bases__, body)
    slotted.__qualname__ = cls.__qualname__
    made.cls = slotted
    _OURS.add(slotted)
    return slotted


def _slots_of(base: type) -> Iterable[str]:
    slots = base.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else slots


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = record
