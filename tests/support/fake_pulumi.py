"""A stand-in for Pulumi's Python SDK and for the SDK of the `probe` package: enough to run generated programs in process.

Outputs are resolved immediately.  `run(source, config)` executes a program and returns a record of it.
"""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


class Output:
    """A value that is already known; its use as a plain value fails as in the SDK."""

    def __init__(self, value: Any, secret: bool = False) -> None:
        self._value = value
        self._secret = secret

    def __getattr__(self, name: str) -> Output:
        if name.startswith("__"):
            raise AttributeError(name)
        return self.apply(lambda value: getattr(value, name))

    def __getitem__(self, key: object) -> Output:
        return self.apply(lambda value: value[key])

    def __iter__(self) -> Iterator[object]:
        raise TypeError("an output cannot be walked through")

    def __bool__(self) -> bool:
        raise TypeError("an output is neither true nor false")

    def __str__(self) -> str:
        raise TypeError("an output is no text")

    __hash__ = None  # type: ignore[assignment]  # outputs are compared by nobody

    def apply(self, function: Callable[[Any], Any]) -> Output:
        result = function(self._value)
        if isinstance(result, Output):
            return Output(result._value, self._secret or result._secret)
        return Output(result, self._secret)  # not unwrapped further, as in the SDK

    def recover(self, function: Callable[[Exception], Any]) -> Output:
        return self

    @staticmethod
    def from_input(value: Any) -> Output:
        return Output(*unwrap(value))

    @staticmethod
    def all(*args: Any, **named: Any) -> Output:
        return Output(*unwrap(list(args) if args else named))

    @staticmethod
    def format(text: str, *args: Any) -> Output:
        return Output.all(*args).apply(lambda values: text.format(*values)) if args else Output(text.format())

    @staticmethod
    def json_dumps(value: Any, **settings: Any) -> Output:
        return Output.from_input(value).apply(lambda plain: json.dumps(plain, **settings))

    @staticmethod
    def secret(value: Any) -> Output:
        return Output(unwrap(value)[0], secret=True)

    @staticmethod
    def unsecret(value: Output) -> Output:
        return Output(value._value)


def unwrap(value: Any) -> tuple[Any, bool]:
    """`value` without outputs, and whether one of them was secret."""
    if isinstance(value, Output):
        return value._value, value._secret
    if isinstance(value, list | tuple):
        parts = [unwrap(part) for part in value]
        return [part for part, _ in parts], any(secret for _, secret in parts)
    if isinstance(value, dict) and not isinstance(value, Value):
        members = {key: unwrap(part) for key, part in value.items()}
        return {key: part for key, (part, _) in members.items()}, any(secret for _, secret in members.values())
    return value, False


@dataclass
class Record:
    """The effects of a program: resources as (class, name, inputs, options), and exports."""

    resources: list[tuple[str, str, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    exports: dict[str, Any] = field(default_factory=dict)
    secrets: set[str] = field(default_factory=set)

    def inputs(self, name: str) -> dict[str, Any]:
        """The inputs of the resource with logical name `name`."""
        return next(inputs for _, logical, inputs, _ in self.resources if logical == name)

    def options(self, name: str) -> dict[str, Any]:
        """The options of the resource with logical name `name`."""
        return next(options for _, logical, _, options in self.resources if logical == name)


class Options:
    """Any record of options: keeps its keywords."""

    def __init__(self, *args: Any, **named: Any) -> None:
        self.args = args
        self.named = named


class Arguments(dict[str, Any]):
    """An arguments class: a dict with the keywords."""

    def __init__(self, **named: Any) -> None:
        super().__init__(named)


class Value(dict[str, Any]):
    """An object returned by a provider: a dict with its members as attributes; unset members are None."""

    def __init__(self, **named: Any) -> None:
        super().__init__({name: value for name, value in named.items() if value is not None})
        self.__dict__.update(named)


def _resource_class(record: Record, kind: str, outputs: Callable[[dict[str, Any]], dict[str, Any]]) -> type:
    class Resource:
        def __init__(self, name: str, opts: Options | None = None, **inputs: Any) -> None:
            values = {key: unwrap(value)[0] for key, value in inputs.items()}
            record.resources.append((kind, name, values, opts.named if opts else {}))
            self.name_ = name
            self.id = Output(f"{name}-id")
            self.urn = Output(f"urn:{name}")
            for key, value in outputs(values).items():
                setattr(self, key, Output(value))

        @classmethod
        def get(cls, name: str, id: str, opts: Options | None = None, **state: Any) -> Any:  # noqa: A002 - as in the SDK
            return cls(name, opts, id=id, **state)

        def describe(self, **args: Any) -> Output:
            return Output(Value(text=f"{self.name_} {unwrap(args)[0]}"))

        def measure(self) -> int:
            return 7

    return Resource


def _thing(inputs: dict[str, Any]) -> dict[str, Any]:
    outputs = {"out": "out", "int": 3, "num": 1.5, "flag": True, "tags": {"b": "2", "a": "1"}, "names": ["x", "y"]}
    outputs |= {"list": [Value(s="i", n=1, inner=Value(s="deep", when=None), tags=["t"])], "maybe": None}
    outputs |= {"obj": Value(s="o", n=None, inner=None, tags=None), "en": "fast", "any": {"k": 1}, "asset": None}
    return outputs | inputs


def _pulumi(record: Record, config: Mapping[str, str]) -> types.ModuleType:
    module = types.ModuleType("pulumi")

    class Config:
        def _value(self, key: str, read: Callable[[str], Any], default: Any) -> Any:
            return read(config[key]) if key in config else default

    def getter(read: Callable[[str], Any], *, secret: bool, required: bool) -> Callable[..., Any]:
        def get(self: Config, key: str, default: Any = None) -> Any:
            if required and key not in config:
                raise KeyError(key)
            value = self._value(key, read, default)
            return Output(value, secret=True) if secret and value is not None else value

        return get

    readers: dict[str, Callable[[str], Any]] = {
        "": str,
        "_bool": lambda text: text == "true",
        "_int": int,
        "_float": float,
        "_object": json.loads,
    }
    for suffix, read in readers.items():
        for secret in ("", "_secret"):
            for verb in ("get", "require"):
                method = getter(read, secret=bool(secret), required=verb == "require")
                setattr(Config, f"{verb}{secret}{suffix}", method)

    def export(name: str, value: Any) -> None:
        record.exports[name], secret = unwrap(value)
        if secret:
            record.secrets.add(name)

    class ComponentResource:
        def __init__(self, type_: str, name: str, props: Any = None, opts: Options | None = None) -> None:
            record.resources.append((type_, name, unwrap(props or {})[0], opts.named if opts else {}))
            self.component_name = name

        def register_outputs(self, outputs: dict[str, Any]) -> None:
            record.exports[self.component_name] = unwrap(outputs)[0]

    module.__dict__.update(Config=Config, Output=Output, export=export, ComponentResource=ComponentResource)
    for name in ("ResourceOptions", "InvokeOptions", "InvokeOutputOptions", "CustomTimeouts", "Alias"):
        setattr(module, name, Options)
    for name in ("ResourceHookOptions", "ResourceHookBinding", "ResourceHook", "ErrorHook"):
        setattr(module, name, Options)
    for name in ("FileAsset", "StringAsset", "RemoteAsset", "FileArchive", "RemoteArchive", "AssetArchive"):
        setattr(module, name, Options)
    module.__dict__.update(ResourceHookArgs=object, ErrorHookArgs=object)
    # Types only: anything that can be subscripted.
    module.__dict__.update(Input=list)
    Output.__class_getitem__ = classmethod(lambda cls, item: cls)  # type: ignore[attr-defined]  # for annotations
    for name, value in {"stack": "dev", "project": "test", "organization": "acme"}.items():
        setattr(module, f"get_{name}", lambda value=value: value)
    return module


def _probe(record: Record) -> types.ModuleType:
    module = types.ModuleType("pulumi_probe")
    module.__dict__.update(
        Thing=_resource_class(record, "Thing", _thing),
        Strict=_resource_class(record, "Strict", lambda inputs: inputs),
        Provider=_resource_class(record, "Provider", lambda inputs: inputs),
        ItemArgs=Arguments,
        InnerArgs=Arguments,
        CircleArgs=Arguments,
        SquareArgs=Arguments,
        Mode=types.SimpleNamespace(FAST="fast", SLOW="slow"),
        get_thing_output=lambda opts=None, **args: Output(Value(result=f"got {unwrap(args)[0]}", list=["p", "q"])),
        get_all_output=lambda opts=None: Output(Value(names=["n"])),
        join_output=lambda a, b=None, opts=None: Output(Value(result=f"{a}{b}")),
        scalar_output=lambda opts=None, **args: Output("scalar"),
    )
    return module


@contextmanager
def _modules(**modules: types.ModuleType) -> Iterator[None]:
    before = {name: sys.modules.get(name) for name in modules}
    sys.modules.update(modules)
    try:
        yield
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def run(files: Mapping[str, str], config: Mapping[str, str] | None = None) -> Record:
    """Execute `__main__.py` of `files` (the others are modules) with the stand-ins."""
    record = Record()
    pulumi = _pulumi(record, config or {})
    with _modules(pulumi=pulumi, pulumi_probe=_probe(record)):
        pending = [path for path in files if path != "__main__.py"]
        modules: dict[str, types.ModuleType] = {}
        # Components may import each other; the imported component comes later in the list of files.
        for path in reversed(pending):
            name = Path(path).stem
            module = modules[name] = types.ModuleType(name)
            sys.modules[name] = module
        try:
            for path in reversed(pending):
                exec(compile(files[path], path, "exec"), modules[Path(path).stem].__dict__)
            exec(compile(files["__main__.py"], "__main__.py", "exec"), {"__name__": "__main__"})
        finally:
            for name in modules:
                del sys.modules[name]
    return record
