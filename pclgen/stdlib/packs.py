"""Packs of functions: pure functions of users, called `pack::function(…)` in programs.

`[functions]` of a configuration names a pack and its place (`module:NAME`, or `folder/file.py:NAME` below the
configuration). Its functions bind, fold, evaluate and print like built-in functions. Reading a pack runs its module: only
callers that the user has allowed to do so may call `load_pack`.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import keyword
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Final

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.errors import UserError
from pclgen.source.files import SIDE_FILE, is_inside, read_regular
from pclgen.stdlib.model import (
    ENDINGS,
    SEPARATOR,
    UNKNOWN,
    Argument,
    BadArgumentError,
    Function,
    Home,
    Lifting,
    Parameter,
    Value,
)
from pclgen.types import model as ty
from pclgen.types.show import show

_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_FUNCTION: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_TAKEN: Final = frozenset({"checks", "config", "helpers", "index", "main", "program", "pulumi", "std"})
"""Names that generated projects reserve."""


class FunctionPackError(UserError):
    """A pack that cannot be used; `hint` suggests a correction."""


class FunctionPack(Struct, frozen=True, kw_only=True, eq=False):
    """The content of a pack, written by its author.

    `files` has for each language the file that defines the functions, as a text or as a path (relative to the module).
    """

    functions: tuple[Function, ...]
    files: Mapping[str, str | Path] = field(default_factory=dict)


class Functions(Struct, frozen=True, kw_only=True):
    """The functions of all packs of a configuration, by their name in programs (`acme::slug`).

    `identity` is equal as long as the packs are; `files` are the files of the packs.  `refused` are packs whose code may not
    be run.
    """

    by_name: Mapping[str, Function] = field(default_factory=dict)
    identity: str = ""
    files: tuple[Path, ...] = ()
    refused: frozenset[str] = frozenset()


def load_packs(places: Mapping[str, str], folder: Path, fence: Path | None) -> Functions:
    """Return the packs that a configuration in `folder` names, sorted by name.

    Runs their modules.  Raises `FunctionPackError`.
    """
    by_name: dict[str, Function] = {}
    digest = hashlib.sha256()
    files: list[Path] = []
    for name in sorted(places):
        functions = load_pack(name, places[name], folder, fence)
        by_name |= {function.name: function for function in functions}
        home = functions[0].home
        assert home is not None, "functions of packs have one"
        for path in home.read_from:
            digest.update(f"{name} {path.name}\0".encode() + _bytes(path, name))
        for language, text in sorted(home.files.items()):
            digest.update(f"{name} {language} {text}\0".encode())
        files += home.read_from
    return Functions(by_name=MappingProxyType(by_name), identity=digest.hexdigest() if by_name else "", files=tuple(files))


def load_pack(name: str, place: str, folder: Path, fence: Path | None) -> tuple[Function, ...]:
    """Return the functions of one pack.  Runs its module.  Raises `FunctionPackError`."""
    if not _NAME.fullmatch(name) or name in _TAKEN or name in sys.stdlib_module_names or keyword.iskeyword(name):
        why = "it is taken" if _NAME.fullmatch(name) else "it is no lower-case name"
        raise FunctionPackError(f"a pack of functions cannot be called `{name}`: {why}", "choose the name of your team")
    module, origin = _module(name, place, folder, fence)
    attribute = place.rpartition(":")[2]
    pack = getattr(module, attribute, None)
    if not isinstance(pack, FunctionPack):
        packs = sorted(key for key, value in vars(module).items() if isinstance(value, FunctionPack))
        hint = f"the module has {', '.join(packs)}" if packs else f"write `{attribute} = FunctionPack(functions=(…))`"
        raise FunctionPackError(f"`{place}` is not a pack of functions", hint)
    files, read_from = _files(name, pack, origin)
    if not pack.functions:
        raise FunctionPackError(f"the pack `{name}` has no functions")
    home = Home(name=name, files=files, read_from=(*((origin,) if origin is not None else ()), *read_from))
    names = [function.name for function in pack.functions]
    twice = next((key for key in names if names.count(key) > 1), None)
    if twice is not None:
        raise FunctionPackError(f"the pack `{name}` has two functions `{twice}`")
    return tuple(_own(function, home) for function in pack.functions)


def _module(name: str, place: str, folder: Path, fence: Path | None) -> tuple[ModuleType, Path | None]:
    """Run the module of a pack; return it and its file."""
    where = place.rpartition(":")[0]
    try:
        if not where.endswith(".py"):
            module = importlib.import_module(where)
        else:
            path = folder / where
            if not is_inside(path, fence):
                raise FunctionPackError(f"`{where}` is not inside of the repository")
            spec = importlib.util.spec_from_file_location(f"_pclgen_functions_{name}", path)
            if spec is None or spec.loader is None or not path.is_file():
                raise FunctionPackError(f"there is no file `{where}`", f"it is looked for in {folder}")
            module = importlib.util.module_from_spec(spec)
            sys.modules[spec.name] = module  # as an import would, for code that finds a class by its module
            spec.loader.exec_module(module)
    except FunctionPackError:
        raise
    except ModuleNotFoundError as error:
        hint = "install it beside pclgen, or write `folder/file.py:NAME` for a file of the repository"
        raise FunctionPackError(f"there is no module `{error.name}`", hint) from error
    except (Exception, SystemExit) as error:  # whatever the module of a user does
        raise FunctionPackError(f"`{where}` fails when it is read: {type(error).__name__}: {error}") from error
    origin = getattr(module, "__file__", None)
    return module, Path(origin) if isinstance(origin, str) else None


def _files(name: str, pack: FunctionPack, origin: Path | None) -> tuple[Mapping[str, str], list[Path]]:
    """Return the texts of a pack's files by language, and the paths of these files."""
    texts: dict[str, str] = {}
    read_from: list[Path] = []
    for language, content in sorted(pack.files.items()):
        if language not in ENDINGS:
            raise FunctionPackError(f"the pack `{name}` has a file for `{language}`", f"there are {', '.join(ENDINGS)}")
        if isinstance(content, Path):
            path = content if origin is None else origin.parent / content
            read_from.append(path)
            content = _text(path, name)
        texts[language] = content.rstrip("\n") + "\n"
    return MappingProxyType(texts), read_from


def _bytes(path: Path, name: str) -> bytes:
    try:
        return read_regular(path, most=SIDE_FILE)
    except OSError as error:
        raise FunctionPackError(f"`{path}` of the pack `{name}` cannot be read: {error.strerror or error}") from error


def _text(path: Path, name: str) -> str:
    try:
        return _bytes(path, name).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FunctionPackError(f"`{path}` of the pack `{name}` is not UTF-8") from error


def _own(function: Function, home: Home) -> Function:
    """Return a function of a pack under its name in programs, checked against its specification."""
    key = f"{home.name}{SEPARATOR}{function.name}"
    problem = next(_problems(function, home), None)
    if problem is not None:
        raise FunctionPackError(f"`{key}`: {problem}")
    assert function.implementation is not None, "looked at before"
    return replace(function, name=key, home=home, implementation=_guarded(function, function.implementation))


def _problems(function: Function, home: Home) -> Iterator[str]:
    """Yield the problems of a function's specification."""
    if not _FUNCTION.fullmatch(function.name):
        yield "it is no name"
    if not function.doc.strip():
        yield "it has no description (`doc`)"
    if function.implementation is None:
        yield "it has no implementation"
    if function.lifting is not Lifting.LIFT or function.expects is not None or function.variadic is not None:
        yield "functions of packs take a fixed number of values, and wait for them"
    for parameter in function.parameters:
        yield from _parameter_problems(parameter)
    for language, spelling in function.spelled.items():
        if language not in home.files:
            yield f"it is spelled in `{language}`, for which the pack has no file"
        elif not spelling.name.isascii() or not spelling.name.isidentifier() or keyword.iskeyword(spelling.name):
            yield f"it cannot be spelled `{spelling.name}`"
        elif spelling.fails and language != "go":
            yield f"`fails` is of Go; in `{language}` functions raise"


def _parameter_problems(parameter: Parameter) -> Iterator[str]:
    if not is_portable(parameter.type):
        yield f"`{parameter.name}` is {show(parameter.type)}; there are bool, int, number, string, any, lists and maps"
    if parameter.optional or parameter.lazy:
        yield f"`{parameter.name}` must be given, and computed before"
    if parameter.allow_null and parameter.type is not ty.DYNAMIC:
        yield f"`{parameter.name}` can be null only if it is of type any"


def is_portable(t: ty.Type) -> bool:
    """Return whether every language can pass a value of type `t` to a function of a pack."""
    match t:
        case ty.ListType() | ty.MapType():
            return is_portable(t.element)
        case _:
            return t in (ty.BOOL, ty.INT, ty.NUMBER, ty.STRING, ty.DYNAMIC)


def _guarded(function: Function, implementation: Callable[..., Value]) -> Callable[..., Value]:
    """Return the implementation with every failure, and every result of another type, as an error with a position."""

    def call(*values: Value) -> Value:
        try:
            answer = implementation(*values)
        except BadArgumentError:
            raise
        except Exception as error:  # whatever the function of a user does
            raise BadArgumentError(0, f"it fails: {type(error).__name__}: {error}") from error
        arguments = zip(function.parameters, values, strict=True)
        target = function.result([Argument(type=parameter.type, value=value) for parameter, value in arguments])
        result = _typed(answer, target)
        if result is UNKNOWN and not any(value is UNKNOWN for value in values):
            reason = f"its implementation gives `{type(answer).__name__}` in place of {show(target)}"
            raise BadArgumentError(0, reason, "this is a mistake in the pack")
        return result

    return call


def _typed(answer: object, target: ty.Type) -> Value:
    """Return `answer` as a value of type `target`; UNKNOWN when it has another type."""
    match target:
        case ty.ListType() if isinstance(answer, list | tuple):
            parts = [_typed(part, target.element) for part in answer]
            return UNKNOWN if any(part is UNKNOWN for part in parts) else parts
        case ty.MapType() if isinstance(answer, dict):
            members = {key: _typed(value, target.element) for key, value in answer.items()}
            is_sound = all(isinstance(key, str) for key in members) and all(part is not UNKNOWN for part in members.values())
            return members if is_sound else UNKNOWN
    match answer:
        case bool():
            return answer if target in (ty.BOOL, ty.DYNAMIC) else UNKNOWN
        case int():
            return answer if target in (ty.INT, ty.NUMBER, ty.DYNAMIC) else UNKNOWN
        case float() if answer == answer and answer not in (float("inf"), float("-inf")):
            return Decimal(repr(answer)) if target in (ty.NUMBER, ty.DYNAMIC) else UNKNOWN
        case Decimal() if answer.is_finite():
            return answer if target in (ty.NUMBER, ty.DYNAMIC) else UNKNOWN
        case str():
            return answer if target in (ty.STRING, ty.DYNAMIC) else UNKNOWN
        case None:
            return None if target is ty.DYNAMIC else UNKNOWN
        case list() | tuple() if target is ty.DYNAMIC:
            parts = [_typed(part, ty.DYNAMIC) for part in answer]
            return UNKNOWN if any(part is UNKNOWN for part in parts) else parts
        case dict() if target is ty.DYNAMIC and all(isinstance(key, str) for key in answer):
            members = {key: _typed(value, ty.DYNAMIC) for key, value in answer.items()}
            return UNKNOWN if any(part is UNKNOWN for part in members.values()) else members
    return UNKNOWN


def gives(t: ty.Type) -> Callable[[Sequence[Argument]], ty.Type]:
    """Return the rule of a result that is always of type `t`.  Raises `ValueError` for a type that some language lacks."""
    if not is_portable(t):
        raise ValueError(f"{show(t)}: there are bool, int, number, string, any, lists and maps")
    return lambda arguments: t
