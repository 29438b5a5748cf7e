"""The content of an installed SDK: tokens, the location of what is behind each of them, and source files in pieces.

No member is parsed to find it: the tokens of resources are in the table that the package registers at its root, those of
functions and methods are found by text search, and the names of types in the lists of exported names at the start of their
files.

Packages of the Terraform bridge repeat the member in the module, `aws:s3/bucket:Bucket`; only their provider has methods.
In all other packages every member's file is searched.

Only requested classes and functions of a source file are parsed, since files of types can have megabytes. A definition ends
before the next line without indentation. Strings in triple quotes may contain such lines, too; a piece that does not parse
is extended to the next candidate.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from os import scandir
from pathlib import Path
from threading import Lock

import msgspec
from msgspec import Struct, field

from pclgen.schema.recovery.folders import Installation
from pclgen.source.files import open_regular, read_regular

INPUTS, OUTPUTS, ENUMS = "_inputs.py", "outputs.py", "_enums.py"
PROVIDER = "provider.py"
_NOT_MEMBERS = frozenset({INPUTS, OUTPUTS, ENUMS, "_utilities.py", "_tables.py", "__init__.py", "vars.py"})
_CALLED = re.compile(rb"pulumi\.runtime\.(invoke|call)(?:_single)?\(\s*(?:tok=)?['\"]([^'\"]+)['\"]")
_REGISTERED = re.compile(rb"super\(\w+, __self__\)\.__init__\(\s*['\"]([^'\"]+:[^'\"]+)['\"]")
_ALIAS = re.compile(rb"pulumi\.Alias\((?:[^()]*?,\s*)?type_=['\"]([^'\"]+)['\"]")
_TYPE_TOKEN = re.compile(r"^@pulumi\.type_token\(['\"]([^'\"]+)['\"]\)\s*^class (\w+)", re.MULTILINE)
_TABLE = re.compile(rb'resource_modules="""(.*?)"""', re.DOTALL)
_LIFTED = b"__result__ = pulumi.runtime.call("


class _Registered(msgspec.Struct):
    """An entry of the table of resource classes."""

    mod: str
    fqn: str
    classes: dict[str, str]


class SdkPlace(Struct, frozen=True, kw_only=True):
    """The location of a class or function: the folder of its module, as path parts below the package, its file and its
    name.

    `file` is None until it is needed.
    """

    module: tuple[str, ...]
    name: str
    file: Path | None = None


class _SearchResult(Struct, kw_only=True):
    """The result of searching the members' files."""

    functions: dict[str, Path] = field(default_factory=dict)
    methods: dict[str, Path] = field(default_factory=dict)
    resources: dict[str, Path] = field(default_factory=dict)
    lifted: bool = False


class Layout:
    """The members of one SDK by token, found on first use and cached."""

    def __init__(self, installation: Installation) -> None:
        self.installation = installation
        self.root: Path = installation.folder

    # ------------------------------------------------------------------------------------------------- resources

    @cached_property
    def resources(self) -> Mapping[str, SdkPlace]:
        """The resources, by token.  Raises `SourceError`."""
        registered = self._table
        if registered:
            return {
                token: SdkPlace(module=self._parts(entry.fqn), name=name)
                for entry in registered
                for token, name in entry.classes.items()
            }
        # Packages without a table (no resources, or written by hand) are searched.
        return {
            token: SdkPlace(module=self._module_of(path), name=token.rpartition(":")[2], file=path)
            for token, path in sorted(self._searched.resources.items())
        }

    @cached_property
    def classes(self) -> Mapping[tuple[tuple[str, ...], str], str]:
        """The tokens of resources by module folder and class."""
        return {(place.module, place.name): token for token, place in self.resources.items()}

    @cached_property
    def is_bridged(self) -> bool:
        """Whether the package was made by the Terraform bridge, as its tokens show."""
        tokens = [token for entry in self._table for token in entry.classes] or list(self._searched.functions)
        own = [token for token in tokens if not token.startswith("pulumi:")]
        return bool(own) and all(_repeats_member(token) for token in own[:50])

    @property
    def is_legacy(self) -> bool:
        """Whether the package follows the older conventions for type names: those of the bridge and of kubernetes."""
        return self.is_bridged or self.installation.name == "kubernetes"

    @cached_property
    def class_names(self) -> frozenset[str]:
        """The names of all resource classes, including the provider's."""
        return frozenset({place.name for place in self.resources.values()} | {"Provider"})

    @cached_property
    def function_names(self) -> frozenset[str]:
        """The functions not called `get…`, in the form that begins their class names."""
        names = (token.rpartition(":")[2] for token in self.functions)
        return frozenset(name[:1].upper() + name[1:] for name in names if not name.startswith("get"))

    @cached_property
    def _table(self) -> list[_Registered]:
        try:
            data = read_regular(self.root / "__init__.py")
        except OSError as error:
            raise SourceError(self.root / "__init__.py", f"the file cannot be read: {error.strerror or error}") from error
        match = _TABLE.search(data)
        if match is None:
            return []
        try:
            return msgspec.json.decode(match[1], type=list[_Registered])
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise SourceError(self.root / "__init__.py", f"the table of resource classes: {error}") from error

    def resource_file(self, token: str) -> Path:
        """Return the file of a resource's class. Raises `SourceError` if there is none."""
        place = self.resources[token]
        if place.file is not None:
            return place.file
        folder = self.folder(place.module)
        for name in (snake(place.name), place.name, place.name.lower()):
            path = folder / f"{name}.py"
            if f"\nclass {place.name}(" in read_text(path):
                return path
        for path in self._files(place.module):
            if f"\nclass {place.name}(" in read_text(path):
                return path
        raise SourceError(folder, f"there is no class `{place.name}`")

    def aliases(self) -> Iterator[tuple[str, str]]:
        """Yield all pairs (former token, token of a resource); searches the file of every resource."""
        for token in self.resources:
            try:
                data = read_regular(self.resource_file(token))
            except (OSError, SourceError):
                continue  # reported when the resource itself is used
            for match in _ALIAS.finditer(data):
                yield match[1].decode("utf-8", "replace"), token

    # ------------------------------------------------------------------------------------- functions and methods

    @cached_property
    def functions(self) -> Mapping[str, Path]:
        """The files of the functions, by token."""
        return dict(sorted(self._searched.functions.items()))

    @cached_property
    def methods(self) -> Mapping[str, Path]:
        """The files of the classes with methods, by the methods' tokens."""
        return dict(sorted(self._searched.methods.items()))

    @property
    def lifts_single_results(self) -> bool:
        """Whether methods with one result property return that property."""
        return self._searched.lifted

    @cached_property
    def _searched(self) -> _SearchResult:
        result = _SearchResult()
        # By path parts and name, not by path: there may be thousands.
        claimed: set[tuple[tuple[str, ...], str]] = set()
        if self._table and all(_repeats_member(token) for entry in self._table for token in entry.classes):
            for entry in self._table:
                module = self._parts(entry.fqn)
                claimed.update((module, f"{snake(name)}.py") for name in entry.classes.values())
        for module, files in self.modules.items():
            for name in files:
                if name not in _NOT_MEMBERS and (module, name) not in claimed:
                    _search(self.folder(module) / name, result, resources=not self._table)
        return result

    # ----------------------------------------------------------------------------------------------------- files

    @cached_property
    def modules(self) -> Mapping[tuple[str, ...], tuple[str, ...]]:
        """The module folders, as path parts, and the Python files in each; sorted."""
        files_by_module: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._walk((), files_by_module)
        return dict(sorted(files_by_module.items()))

    def _walk(self, parts: tuple[str, ...], files_by_module: dict[tuple[str, ...], tuple[str, ...]]) -> None:
        folder = self.folder(parts)
        files: list[str] = []
        try:
            with scandir(folder) as entries:
                for entry in entries:
                    if entry.name.endswith(".py"):
                        files.append(entry.name)
                    elif entry.is_dir() and entry.name.isidentifier() and not entry.name.startswith("__"):
                        self._walk((*parts, entry.name), files_by_module)
        except OSError as error:
            raise SourceError(folder, f"the folder cannot be read: {error.strerror or error}") from error
        files_by_module[parts] = tuple(sorted(files))

    def folder(self, module: tuple[str, ...]) -> Path:
        """Return the folder of a module."""
        return self.root.joinpath(*module)

    def _files(self, module: tuple[str, ...]) -> Iterator[Path]:
        """Yield the files of a module that may contain members."""
        folder = self.folder(module)
        for name in self.modules.get(module, ()):
            if name not in _NOT_MEMBERS:
                yield folder / name

    def _parts(self, qualified: str) -> tuple[str, ...]:
        """Return the path parts of a module from its Python name: `pulumi_aws.ec2`."""
        return tuple(qualified.split(".")[1:])

    def _module_of(self, path: Path) -> tuple[str, ...]:
        return path.relative_to(self.root).parent.parts

    # --------------------------------------------------------------------------------------------- schema modules

    @cached_property
    def schema_modules(self) -> Mapping[tuple[str, ...], str]:
        """The token module for each folder with a resource or function: `s3`, `apps/v1`, `index`."""
        tokens_by_folder: dict[tuple[str, ...], str] = {}
        for token, place in self.resources.items():
            tokens_by_folder.setdefault(place.module, self._token_module(token))
        for token, path in self.functions.items():
            if not token.startswith("pulumi:"):
                tokens_by_folder.setdefault(self._module_of(path), self._token_module(token))
        return tokens_by_folder

    def _token_module(self, token: str) -> str:
        module = token.split(":")[1]
        return module.rpartition("/")[0] if self.is_bridged else module

    def schema_module(self, module: tuple[str, ...]) -> str:
        """Return the token module of types in a folder."""
        schema_module = self.schema_modules.get(module)
        if schema_module is not None:
            return schema_module
        return "/".join(part.rstrip("_") for part in module) or "index"

    def folders_of(self, schema_module: str) -> tuple[tuple[str, ...], ...]:
        """Return the folders whose types have that token module."""
        return self._folders.get(schema_module, ())

    @cached_property
    def _folders(self) -> Mapping[str, tuple[tuple[str, ...], ...]]:
        folders: dict[str, tuple[tuple[str, ...], ...]] = {}
        for module in self.modules:
            name = self.schema_module(module)
            folders[name] = (*folders.get(name, ()), module)
        return folders


def names_of_enums(path: Path) -> dict[str, str]:
    """Return the enums in a file, by class; the token is empty if the file does not contain it."""
    tokens = {name: token for token, name in _TYPE_TOKEN.findall(read_text(path))}
    return {name: tokens.get(name, "") for name in listed_names(path)}


def snake(name: str) -> str:
    """Return the file name of a class: `random_password` for `RandomPassword`, `s3_object` for `S3Object`."""
    name = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", name).lower()


def _repeats_member(token: str) -> bool:
    _, _, rest = token.partition(":")
    module, _, member = rest.rpartition(":")
    folder, slash, last = module.rpartition("/")
    return bool(slash and folder) and last[:1].lower() + last[1:] == member[:1].lower() + member[1:]


def _search(path: Path, result: _SearchResult, *, resources: bool) -> None:
    try:
        data = read_regular(path)
    except OSError:
        return  # its members are missing, and requests for them are reported
    for match in _CALLED.finditer(data):
        token = match[2].decode("utf-8", "replace")
        (result.functions if match[1] == b"invoke" else result.methods).setdefault(token, path)
    for match in _REGISTERED.finditer(data) if resources else ():
        token = match[1].decode("utf-8", "replace")
        if not token.startswith("pulumi:"):
            result.resources.setdefault(token, path)
    if _LIFTED in data:
        result.lifted = True


# -- source files in pieces -------------------------------------------------------------------------------------------------

_KEPT_FILES = 12
"""How many texts stay in memory: the files of types of a few modules."""

_NEXT = re.compile(r"^[^\s)#]", re.MULTILINE)
_MOST_EXTENSIONS = 60
_PART = 1 << 14
"""Bytes that are read at once in search of the list of names at the head of a file."""

_parsing = Lock()


class SourceError(Exception):
    """A source file cannot be used; the message is the reason, `path` the file."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{reason} ({path})")
        self.path = path
        self.reason = reason


def read_text(path: Path) -> str:
    """The text of a file; "" when there is none.  Raises `SourceError` when it cannot be read."""
    try:
        status = path.stat()
        return _read_text(path, status.st_mtime_ns, status.st_size)
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise SourceError(path, f"the file cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SourceError(path, "the text is not UTF-8") from error


@lru_cache(maxsize=_KEPT_FILES)
def _read_text(path: Path, changed: int, size: int) -> str:
    del changed, size  # a package may be replaced while a server runs
    return read_regular(path).decode("utf-8")


def parse(text: str) -> ast.Module:
    """Return the syntax tree of Python text.  Raises `SyntaxError`, also for Python's other parse failures."""
    # Documentation holds backslashes that Python warns about.  Warnings are state of the whole process, hence the lock.
    with _parsing, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ast.parse(text)
        except (ValueError, RecursionError, MemoryError) as error:
            raise SyntaxError(str(error) or type(error).__name__) from error


def find_class(path: Path, name: str) -> ast.ClassDef | None:
    """The top-level class `name` of a file, or None.  Raises `SourceError` when it cannot be parsed."""
    definition = _find(path, f"class {name}")
    return definition if isinstance(definition, ast.ClassDef) else None


def find_function(path: Path, name: str) -> ast.FunctionDef | None:
    """The top-level function `name` of a file, or None.  Raises `SourceError` when it cannot be parsed."""
    definition = _find(path, f"def {name}")
    return definition if isinstance(definition, ast.FunctionDef) else None


def _find(path: Path, words: str) -> ast.stmt | None:
    text = read_text(path)
    start = _start(text, words)
    return _definition(path, text, start) if start is not None else None


def head(path: Path) -> str:
    """The text of a file before its first class or function."""
    text = read_text(path)
    match = re.search(r"^(?:@|class |def |if not MYPY)", text, re.MULTILINE)
    return text[: match.start()] if match is not None else text


def listed_names(path: Path) -> tuple[str, ...]:
    """The names in `__all__` of a file, in order; () when it has none.  Reads no more than that part of a large file."""
    text = _beginning(path)
    start = text.find(b"\n__all__ = [")
    end = text.find(b"]", start)
    if start < 0 or end < 0:
        return ()
    return tuple(re.findall(r"['\"](\w+)['\"]", text[start:end].decode("utf-8", "replace")))


def _beginning(path: Path) -> bytes:
    """A file up to the end of its `__all__`, or all of it."""
    text = b""
    try:
        with open_regular(path) as file:
            while part := file.read(_PART):
                text += part
                start = text.find(b"\n__all__ = [")
                if start >= 0 and text.find(b"]", start) >= 0:
                    break
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise SourceError(path, f"the file cannot be read: {error.strerror or error}") from error
    return text


def _start(text: str, words: str) -> int | None:
    """Return the offset of the definition that begins with `words`, without its decorators."""
    for mark in ("(", ":"):
        if text.startswith(words + mark):
            return 0
        at = text.find(f"\n{words}{mark}")
        if at >= 0:
            return at + 1
    return None


def _definition(path: Path, text: str, start: int) -> ast.stmt:
    """The definition that begins at `start`."""
    # The line with the name has no indentation, nor has a `)` that ends the parameters.
    line_end = text.find("\n", start)
    position = line_end + 1 if line_end >= 0 else len(text)
    reason = "it does not parse"
    for _ in range(_MOST_EXTENSIONS):
        following = _NEXT.search(text, position)
        end = following.start() if following is not None else len(text)
        try:
            return parse(text[start:end]).body[0]
        except SyntaxError as error:
            line = text.count("\n", 0, start) + (error.lineno or 1)
            reason = f"line {line} does not parse: {error.msg}"
        if following is None:
            break
        position = end + 1
    raise SourceError(path, reason)
