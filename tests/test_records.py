"""`pclgen.records.dataclass` makes what the standard `dataclass` makes, for every shape of class that it takes."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import inspect
import pickle
import re
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pclgen import records
from tests.support.corpus import ROOT

HEAD = """from __future__ import annotations
from dataclasses import field
from typing import ClassVar, Generic, TypeVar
T = TypeVar("T")
calls = []
"""
DEFAULTS = (
    "",
    " = 1",
    " = None",
    " = ()",
    " = field(default=2)",
    " = field(default_factory=list)",
    " = field(kw_only=True)",
    " = field(default=3, kw_only=True)",
    " = field(default=4, compare=False)",
    " = field(default=5, repr=False)",
    " = field(default=6, hash=False)",
    " = field(init=False, default=7)",
    " = field(init=False, default_factory=dict)",
    " = field(default=8, metadata={'a': 1})",
    " = []",
)
METHODS = (
    "def __post_init__(self): calls.append(type(self).__name__)",
    "def __eq__(self, other): return True",
    "def __hash__(self): return 5",
    "def __repr__(self): return 'own'",
    "def __init__(self, *args): pass",
    "shared: ClassVar[int] = 9",
    "def total(self): return [getattr(self, f, None) for f in 'abcd']",
    "@property\n    def twice(self): return 2 * self.a",
    "__match_args__ = ('b',)",
)
VALUES: Sequence[Any] = (0, 1, "x", None, (), 1.5)

options = st.fixed_dictionaries(
    {"frozen": st.booleans()},
    optional={"slots": st.just(True), "kw_only": st.booleans(), "eq": st.booleans(), "repr": st.booleans()},
)


@st.composite
def class_texts(draw: st.DrawFn, name: str, bases: Sequence[str], frozen: bool | None = None) -> str:
    chosen: dict[str, bool] = {"slots": True, **draw(options)}
    if frozen is not None:
        chosen["frozen"] = frozen
    base = draw(st.sampled_from(bases))
    lines = [f"@dataclass({', '.join(f'{key}={value}' for key, value in chosen.items())})", f"class {name}{base}:", "    'Text.'"]
    fields = draw(st.lists(st.sampled_from("abcd"), unique=True, max_size=4))
    lines += [f"    {field}: int{draw(st.sampled_from(DEFAULTS))}" for field in fields]
    lines += [f"    {method}" for method in draw(st.lists(st.sampled_from(METHODS), unique=True, max_size=2))]
    return "\n".join(lines) + "\n"


@st.composite
def programs(draw: st.DrawFn) -> str:
    frozen = draw(st.booleans())
    first = draw(class_texts("First", ("", "(Generic[T])"), frozen))
    second = draw(class_texts("Second", ("", "(First)"), frozen))
    third = draw(class_texts("Third", ("(First)", "(Second)"), frozen))
    return HEAD + first + second + third + "class Plain(Third):\n    pass\n"


def module_of(text: str, decorator: object) -> ModuleType:
    module = ModuleType("made_for_records")
    sys.modules[module.__name__] = module
    module.__dict__["dataclass"] = decorator
    exec(text, module.__dict__)
    return module


def told(ask: Callable[[], object]) -> object:
    """What comes of `ask`, without addresses, or the kind of its failure."""
    try:
        found = ask()
        return re.sub(r" at 0x\w+", "", found) if isinstance(found, str) else found
    except (TypeError, ValueError, AttributeError) as error:
        return type(error).__name__


def described(cls: Any, argument_lists: Sequence[tuple[Sequence[object], Mapping[str, object]]]) -> list[object]:
    """All that can be seen of a class and of its instances."""
    found: list[object] = []
    for args, named in argument_lists:
        made = told(lambda args=args, named=named: cls(*args, **named))  # type: ignore[misc]  # the default binds the value of this round
        found.append(made if isinstance(made, str) else of_instance(made))
        if not isinstance(made, str):
            again = cls(*args, **named)
            found += [told(lambda made=made, again=again: made == again), made != 5]  # type: ignore[misc]  # the default binds the value of this round
    found.append([(f.name, f.type, f.init, f.repr, f.hash, f.compare, f.kw_only, repr(f.default)) for f in dataclasses.fields(cls)])
    found += [
        str(inspect.signature(cls)),
        cls.__match_args__,
        cls.__slots__,
        cls.__doc__,
        cls.__qualname__,
        dataclasses.is_dataclass(cls),
        (cls.__hash__ is None, "__eq__" in cls.__dict__, "__setattr__" in cls.__dict__),
        repr(cls.__dataclass_params__),
        sorted(name for name in cls.__dict__ if name != "__weakref__"),
    ]
    return found


def of_instance(made: Any) -> list[object]:
    # What is no field is left out: the standard library stumbles there over the class that had no slots yet.
    names = [field.name for field in dataclasses.fields(made)]
    return [
        told(lambda: repr(made)),
        told(lambda: hash(made) if any("__hash__" in vars(c) for c in type(made).__mro__[:-1]) else "by identity"),
        told(lambda: repr(dataclasses.replace(made))),
        told(lambda: repr(dataclasses.asdict(made))),
        told(lambda: repr(dataclasses.astuple(made))),
        told(lambda: repr(copy.copy(made))),
        told(lambda: repr(copy.deepcopy(made))),
        told(made.total) if hasattr(made, "total") else "",
        *(told(lambda name=name: setattr(made, name, 1)) for name in names),  # type: ignore[misc]  # the default binds the value of this round
        *(told(lambda name=name: delattr(made, name)) for name in names),  # type: ignore[misc]  # the default binds the value of this round
        told(lambda: repr(made)),
    ]


arguments = st.lists(
    st.tuples(st.lists(st.sampled_from(VALUES), max_size=4), st.dictionaries(st.sampled_from("abcd"), st.sampled_from(VALUES))),
    min_size=3,
    max_size=6,
)


@given(programs(), arguments)
def test_classes_are_those_of_the_standard_library(
    text: str, argument_lists: Sequence[tuple[Sequence[object], Mapping[str, object]]]
) -> None:
    try:
        theirs = module_of(text, dataclasses.dataclass)
    except (TypeError, ValueError) as error:
        # What may not be is told with the first use, and what a class does not use is not looked at.
        if "def __init__" in text:
            return
        with pytest.raises(type(error)):
            ours = module_of(text, records.dataclass)
            for name in ("First", "Second", "Third"):
                dataclasses.fields(ours.__dict__[name])
                inspect.signature(ours.__dict__[name])
        return
    expected = [described(theirs.__dict__[name], argument_lists) for name in ("Plain", "Third", "First", "Second")]
    ours = module_of(text, records.dataclass)
    found = [described(ours.__dict__[name], argument_lists) for name in ("Plain", "Third", "First", "Second")]
    assert found == expected
    assert ours.calls == theirs.calls


@records.dataclass(frozen=True, slots=True)
class Point:
    """Kept by pickle by its name."""

    x: int
    y: list[int] = dataclasses.field(default_factory=list)


@records.dataclass(frozen=True, slots=True)
class Unmade:
    """Never made by a call."""

    x: int


def test_instances_travel() -> None:
    assert pickle.loads(pickle.dumps(Point(1, [2]))) == Point(1, [2])


def test_what_was_not_made_by_a_call_is_frozen_too() -> None:
    bare = object.__new__(Unmade)
    with pytest.raises(dataclasses.FrozenInstanceError):
        bare.x = 1  # type: ignore[misc]  # which is what must fail


def test_patterns_and_types_need_no_instance() -> None:
    match 5:
        case Unmade(_):  # type: ignore[unreachable]  # what is asked is whether it can be asked
            raise AssertionError
    assert Unmade.__match_args__ == ("x",)
    assert [field.name for field in dataclasses.fields(Unmade)] == ["x"]


def test_threads_may_meet_at_the_first_use() -> None:
    for _ in range(20):
        module = module_of(
            HEAD + "@dataclass(frozen=True, slots=True)\nclass One:\n    'One.'\n    a: int\n    b: int = 2\n", records.dataclass
        )
        one: Any = module.__dict__["One"]
        found: list[bool] = []
        start = threading.Barrier(4)

        def work(one: Any = one, found: list[bool] = found, start: threading.Barrier = start) -> None:
            start.wait()
            found.append(one(1) == one(1, 2) and hash(one(1)) == hash(one(1, 2)) and repr(one(1)) == "One(a=1, b=2)")

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found == [True] * 4


def test_no_class_of_ours_is_made_in_another_way() -> None:
    for path in sorted((ROOT / "pclgen").rglob("*.py")):
        if path.name != "records.py":
            assert not re.search(r"^from dataclasses import.*\bdataclass\b", path.read_text(encoding="utf-8"), re.MULTILINE), path


def test_every_class_of_ours_can_be_made() -> None:
    """A class whose fields cannot be is told at its first use, which may be far away."""
    seen = 0
    for path in sorted((ROOT / "pclgen").rglob("*.py")):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if name.endswith("__main__"):
            continue
        module = importlib.import_module(name)
        for cls in vars(module).values():
            if isinstance(cls, type) and cls.__module__ == name and "__dataclass_fields__" in vars(cls):
                assert inspect.signature(cls) is not None
                assert dataclasses.fields(cls) is not None
                seen += 1
    assert seen > 400
