"""Finding and reading the `.pp` files of programs.

A directory, one `.pp` file or `-` becomes a `LoadedProgram`, whose files are still bytes, since bad UTF-8 is a mistake in
the program that the parser reports. Unreadable files raise `LoadError`, never `OSError`.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.errors import UserError
from pclgen.source.data import DataError, read_yaml
from pclgen.source.files import PLUGIN, fence_of, is_inside, plugin_of
from pclgen.source.project import NO_PROJECT, PULUMI, ProjectError, ProjectFile, is_project_file, project_in, read_project

SUFFIX = ".pp"
YAML_SUFFIXES = (".yaml", ".yml")
"""The suffixes of programs in Pulumi YAML, which are one file each."""
_JSON_PROGRAM = "Main.json"
"""The name of a program in Pulumi YAML that is written as JSON."""
YAML_PROGRAMS = (_JSON_PROGRAM, "Main.yaml", "Main.yml", "Pulumi.yaml", "Pulumi.yml")
"""Files that make a folder without `.pp` files a program, if they hold one: the first of them, as in Pulumi's own host."""
SNIPPET = "snippet.yaml"
"""The name of a part of a program in Pulumi YAML: other files declare the names that it does not."""
_SECTIONS = frozenset({"resources", "outputs", "variables"})
_STACK = re.compile(r"Pulumi\.[^/]+\.ya?ml")
_MAY_BE_PROGRAM = re.compile(rb"resources|outputs|variables|yaml", re.IGNORECASE)
PACK_SUFFIX = ".mupack.json"
"""The suffix of packs (docs/packs.md)."""
STDIN = "-"
STDIN_NAME = "<stdin>"
STDIN_YAML = "<stdin>.yaml"

_SKIPPED_DIRECTORIES = frozenset({"node_modules", "__pycache__", "venv"})


class LoadError(UserError):
    """The program cannot be read. `hint` is the next step, or None if it is unknown."""


class RawFile(Struct, frozen=True, kw_only=True):
    """One file as read: the `name` in diagnostics (relative to the working directory), and its bytes."""

    name: str
    path: Path | None
    data: bytes


class LoadedProgram(Struct, frozen=True, kw_only=True):
    """The files of one program, sorted by name; `root` is the directory that component sources are relative to.

    With `directories` the program lives in memory: component directories are found there, by their path relative to the
    root, and no file is read.  `project` is the project file beside the program.  The program can make pclgen read files
    inside of `fence` only (None: anywhere).  `unread` are the other `.pp` files beside a program that was requested as one
    file: they are no part of it, though a reader may expect that.  Names of files are relative to `named_from` (None: to the
    working directory).  `beside` is the location of a pack, whose `root` has only the files that the pack carries.
    `unsaved` are the texts of documents in an editor, by absolute path: they replace the files on disk.
    """

    name: str
    root: Path
    files: tuple[RawFile, ...]
    directories: Mapping[str, tuple[RawFile, ...]] | None = None
    project: ProjectFile = NO_PROJECT
    fence: Path | None = None
    unread: tuple[Path, ...] = ()
    named_from: Path | None = None
    beside: Path | None = None
    unsaved: Mapping[Path, bytes] = field(default_factory=dict)

    @property
    def is_pack(self) -> bool:
        """Whether the only file is a pack, which holds a program that was bound elsewhere."""
        return len(self.files) == 1 and self.files[0].name.endswith(PACK_SUFFIX)

    @property
    def surroundings(self) -> Path:
        """The directory whose configuration applies."""
        return self.root if self.beside is None else self.beside

    @property
    def is_on_disk(self) -> bool:
        """Whether the program has a directory, in which it may have other files."""
        return self.directories is None and any(file.path is not None for file in self.files)


def program_in_memory(name: str, texts: Mapping[str, str]) -> LoadedProgram:
    """Return a program of texts by path relative to its root: `main.pp`, and `web/main.pp` for the component `./web`.

    A `Pulumi.yaml` among them is the project file, too, but `name` is the project's name.  Raises `LoadError` for a path
    that does not end in `.pp` or is outside of the root, and for an invalid project file.
    """
    directories: dict[str, list[RawFile]] = {".": []}
    for path in sorted(texts):
        place = PurePosixPath(path)
        if not (place.suffix == SUFFIX or is_yaml(place.name)) or place.is_absolute() or ".." in place.parts:
            raise LoadError(f"{path!r} is not the path of a .pp file inside the program")
        raw = RawFile(name=path, path=None, data=encoded(path, texts[path]))
        directories.setdefault(str(place.parent), []).append(raw)
    tables = {directory: tuple(files) for directory, files in directories.items()}
    try:
        project = replace(project_in(texts.get(PULUMI, "")), name="")
    except ProjectError as error:
        raise LoadError(str(error)) from error
    return LoadedProgram(name=name, root=Path(), files=tables["."], directories=tables, project=project)


def is_yaml(name: str) -> bool:
    """Return whether a file of this name is a program in Pulumi YAML."""
    return name.endswith(YAML_SUFFIXES) or PurePosixPath(name).name == _JSON_PROGRAM


def encoded(name: str, text: str) -> bytes:
    """Return the bytes of a text in place of a file.  Raises `LoadError` for half characters, which no file can hold."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise LoadError(f"{name!r} holds half a character (a surrogate) at offset {error.start}") from error


def load_program(
    path: str,
    *,
    stdin: BinaryIO | None = None,
    stdin_yaml: bool = False,
    allow_outside: bool = False,
    named_from: Path | None = None,
    others: bool = True,
) -> LoadedProgram:
    """Read the program at `path`.

    It is all `.pp` files directly inside a directory, one `.pp` file, a program in Pulumi YAML (a file, or a directory with
    nothing else), or `-` for `stdin`. It is named after the directory, the file's stem, or `stdin` (language.md, Programs);
    a directory may have a project file.  With `stdin_yaml` standard input holds Pulumi YAML.  With `allow_outside` files and
    components may be outside of the repository; with `named_from` the names of files in diagnostics are relative to that
    directory.  Without `others` the files beside a program of one file are not searched.  Raises `LoadError`.
    """
    if path == STDIN:
        if stdin is None:
            raise LoadError("standard input is not available here")
        raw = RawFile(name=STDIN_YAML if stdin_yaml else STDIN_NAME, path=None, data=stdin.read())
        return LoadedProgram(name="stdin", root=Path(), files=(raw,), fence=None if allow_outside else fence_of(Path()))
    place = Path(path)
    if stat.S_ISDIR(_mode(place)):
        fence = None if allow_outside else fence_of(place)
        files = _program_files(place, fence, named_from)
        return LoadedProgram(
            name=_directory_name(place), root=place, files=files, project=_project(place), fence=fence, named_from=named_from
        )
    if place.name.endswith(PACK_SUFFIX):
        return _pack(place, named_from)
    _demand_suffix(place)
    fence = None if allow_outside else fence_of(place.parent)
    files = (read_file(place, named_from),)
    if is_yaml(place.name):
        is_whole = place.name in YAML_PROGRAMS
        return LoadedProgram(
            name=_directory_name(place.parent) if is_whole else place.stem,
            root=place.parent,
            files=(*files, *_beside(place, fence, named_from)) if is_whole else files,
            project=_project(place.parent),
            fence=fence,
            named_from=named_from,
        )
    unread = _others(place, fence) if others else ()
    return LoadedProgram(
        name=without_suffix(place.name), root=place.parent, files=files, fence=fence, unread=unread, named_from=named_from
    )


def _pack(place: Path, named_from: Path | None) -> LoadedProgram:
    # Loaded here: most programs are none.
    from pclgen.source.packed import outside_of

    file = read_file(place, named_from)
    name, project, root = outside_of(file.data, place.name.removesuffix(PACK_SUFFIX))
    return LoadedProgram(
        name=name, root=root, files=(file,), project=project, fence=root, named_from=named_from, beside=place.parent
    )


def without_suffix(path: str) -> str:
    """Return the path of a program, written with `/`, without `.pp`.  It is used for folders: `...pp` does not become `..`.
    """
    if not path.endswith(SUFFIX):
        return path
    folder, slash, name = path.removesuffix(SUFFIX).rpartition("/")
    return f"{folder}{slash}{name if name.strip('.') else 'program'}"


def with_unsaved(program: LoadedProgram, unsaved: Mapping[Path, bytes]) -> LoadedProgram:
    """Return the program with the texts of an editor's documents in place of its files, those of components included."""
    return replace(program, files=_edited(program.files, unsaved), unsaved=unsaved)


def _edited(files: tuple[RawFile, ...], unsaved: Mapping[Path, bytes]) -> tuple[RawFile, ...]:
    """Return `files` with the texts of an editor's documents; `unsaved` has absolute paths."""

    def edited(file: RawFile) -> RawFile:
        data = unsaved.get(file.path.absolute()) if file.path is not None else None
        return file if data is None else replace(file, data=data)

    return tuple(map(edited, files)) if unsaved else files


def read_directory(
    directory: Path, fence: Path | None = None, named_from: Path | None = None, *, plugin: bool = False
) -> tuple[RawFile, ...]:
    """Return all `.pp` files directly inside `directory`, or the files of the `plugin` in it, sorted by name.

    Directories with such a name are skipped. Raises `LoadError` when the directory or a file cannot be read, and for a link
    that leads out of `fence`.
    """
    is_own = _is_of_plugin if plugin else _is_pcl
    try:
        names = sorted(name for name in os.listdir(directory) if is_own(name))
    except OSError as error:
        raise _cannot_read(directory, error) from error
    paths = [directory / name for name in names]
    for path in paths:
        if not is_inside(path, fence):
            hint = "copy the file, or say `--allow-outside`"
            raise LoadError(f"`{path}` is a link that leads out of the repository", hint)
    return tuple(read_file(path, named_from) for path in paths if not path.is_dir())


def _is_pcl(name: str) -> bool:
    return name.endswith(SUFFIX)


def _is_of_plugin(name: str) -> bool:
    """Return whether a file in the folder of a plugin may have components: Pulumi reads all but those of a project."""
    return name.endswith(".yaml") and not (is_project_file(name) or _STACK.fullmatch(name))


OUTSIDE = "lies outside of the repository"
"""Why a component beyond the fence is not read."""


def read_component(sources: LoadedProgram, directory: str) -> tuple[RawFile, ...] | str:
    """Return the files of the component in `directory`, relative to the program's own, or why there are none.

    A plugin is read as a whole, whichever of its components is requested.
    """
    plugin = plugin_of(directory)
    folder = directory if plugin is None else plugin[0]
    if sources.directories is not None:
        files = sources.directories.get(folder, ())
        if plugin is not None:
            files = tuple([file for file in files if _is_of_plugin(PurePosixPath(file.name).name)])
            return files if any(PurePosixPath(file.name).name == PLUGIN for file in files) else "does not exist"
        return files or "does not exist"
    place = sources.root / folder
    if not is_inside(place, sources.fence):
        return OUTSIDE
    if not place.is_dir():
        return "is not a directory" if place.exists() else "does not exist"
    if plugin is not None and not (place / PLUGIN).is_file():
        return "does not exist"
    try:
        read = read_directory(_direct(place), sources.fence, sources.named_from, plugin=plugin is not None)
    except LoadError as problem:
        return str(problem)
    return _edited(read, sources.unsaved) or "holds no .pp files"


def _direct(directory: Path) -> Path:
    """Return `directory` without `..`, so that a file has one name for all programs; unchanged where `..` follows a link."""
    direct = Path(os.path.normpath(directory))
    with contextlib.suppress(OSError):
        return direct if os.path.samefile(direct, directory) else directory
    return directory


def component_state(files: tuple[RawFile, ...] | str) -> str:
    """Return the result of `read_component` as a text that is equal for equal results."""
    if isinstance(files, str):
        return f"problem: {files}"
    return " ".join(f"{raw.name!r} {hashlib.sha256(raw.data).hexdigest()}" for raw in files)


def read_file(path: Path, named_from: Path | None = None) -> RawFile:
    """Return the bytes of `path`, named relative to the directory `named_from`.

    Raises `LoadError` when it is missing, unreadable, or no file.
    """
    mode = _mode(path)
    if stat.S_ISDIR(mode):
        raise LoadError(f"`{path}` is a directory, not a file", "name one of the files in it")
    if not stat.S_ISREG(mode):
        # Reading a pipe or a device could wait for ever.
        raise LoadError(f"`{path}` is not a regular file", "to read a pipe, use `-` for standard input")
    try:
        name = path if named_from is None else Path(os.path.relpath(path, named_from))
        return RawFile(name=name.as_posix(), path=path, data=path.read_bytes())
    except OSError as error:
        raise _cannot_read(path, error) from error


def _others(path: Path, fence: Path | None) -> tuple[Path, ...]:
    """Return the other `.pp` files in the directory of `path`; none where it cannot be listed."""
    try:
        names = sorted(name for name in os.listdir(path.parent) if name.endswith(SUFFIX) and name != path.name)
    except OSError:
        return ()
    paths = [path.parent / name for name in names]
    return tuple(other for other in paths if other.is_file() and is_inside(other, fence))


def find_own_files(path: str) -> Iterator[Path]:
    """Yield the `.pp` files at `path`, to write to them: itself, or all below a directory, sorted.

    Raises `LoadError`, also for a link that leads out of the repository.
    """
    place = Path(path)
    is_directory = stat.S_ISDIR(_mode(place))
    if not is_directory:
        _demand_suffix(place)
    fence = fence_of(place)
    for file in tuple(_walk(place)) if is_directory else (place,):
        if file != place and file.is_symlink() and not is_inside(file, fence):
            raise LoadError(f"`{file}` is a link that leads out of the repository", "name the file itself")
        yield file


def find_folders(top: Path, *, skipped: Collection[Path] = ()) -> Iterator[tuple[Path, Sequence[str]]]:
    """Yield the folders at and below `top`, without those of `skipped`, hidden, of installed packages, or behind links.

    Each has the sorted names of its `.pp` files and of its possible programs in Pulumi YAML.  Raises `LoadError`.
    """

    def fail(error: OSError) -> None:
        raise _cannot_read(Path(error.filename or top), error) from error

    for folder, directories, names in os.walk(top, onerror=fail):
        directories[:] = sorted(
            name
            for name in directories
            if not name.startswith(".")
            and name not in _SKIPPED_DIRECTORIES
            and (not skipped or Path(folder, name) not in skipped)
        )
        yield Path(folder), sorted(name for name in names if name.endswith(SUFFIX) or name in YAML_PROGRAMS)


def find_program_files(top: Path, *, skipped: Collection[Path] = ()) -> Iterator[Path]:
    """Yield the `.pp` files below `top`, and in a folder without any its program in Pulumi YAML.  Raises `LoadError`."""
    fence = fence_of(top)
    for folder, names in find_folders(top, skipped=skipped):
        own = [folder / name for name in names if name.endswith(SUFFIX)]
        yield from own
        if names and not own:
            with contextlib.suppress(LoadError):  # reported when it is named
                yield from (file.path for file in _yaml_program(folder, fence, None)[:1] if file.path is not None)


def _walk(top: Path) -> Iterator[Path]:
    for folder, names in find_folders(top):
        yield from (folder / name for name in names if name.endswith(SUFFIX))


def _program_files(directory: Path, fence: Path | None, named_from: Path | None) -> tuple[RawFile, ...]:
    files = read_directory(directory, fence, named_from)
    if files:
        return files
    yaml = _yaml_program(directory, fence, named_from)
    if yaml:
        return yaml
    if (directory / PLUGIN).is_file():
        hint = "programs that name this folder in `packages` use its components: check one of them"
        raise LoadError(f"`{directory}` is a plugin ({PLUGIN}), not a program", hint)
    below = next((child for child in _walk(directory)), None)
    hint = what_programs_are(directory)
    if below is not None:
        hint = f"there are some in a directory below it: did you mean `{below.parent}`?"
    raise LoadError(f"there are no .pp files directly inside `{directory}`", hint)


_SCHEMA = re.compile(r"schema\.(?:json|yaml)|[a-z][\w-]*-\d+\.\d+\.\d+[\w.+-]*\.(?:json|yaml)")
"""File names of package schemas."""


def what_programs_are(directory: Path) -> str:
    """Return a help line for a directory without a program: how to use the schemas in it, or the definition of a program."""
    with contextlib.suppress(OSError):
        if any(_SCHEMA.fullmatch(name) for name in os.listdir(directory)):
            return f"it has package schemas: `pclgen docs coverage {directory}` compiles the examples in them"
    return "a program is a folder with `.pp` files, or with Pulumi YAML"


def _yaml_program(directory: Path, fence: Path | None, named_from: Path | None) -> tuple[RawFile, ...]:
    """Return the files of the program in Pulumi YAML in a directory without `.pp` files, if there is one.

    They are the program, the project file, and the configuration of stacks.  Raises `LoadError` when a compiler makes the
    program.
    """
    files = [
        read_file(directory / name, named_from)
        for name in YAML_PROGRAMS
        if (directory / name).is_file() and is_inside(directory / name, fence)
    ]
    projects = [content for file in files if is_project_file(file.name) for content in _contents(file)]
    compiler = next((name for content in projects if (name := _compiler(content))), None)
    if compiler is not None:
        raise LoadError(
            f"the program in `{directory}` is what the compiler `{compiler}` writes",
            f"give pclgen what it writes: {compiler} | pclgen COMMAND --from yaml -",
        )
    is_project = any(_runtime(content) == "yaml" for content in projects)
    if not any(_holds_program(file, is_project=is_project) for file in files):
        return ()
    return (*files, *_stacks(directory, fence, named_from))


def _beside(program: Path, fence: Path | None, named_from: Path | None) -> Iterator[RawFile]:
    """Yield the configuration files of a program in Pulumi YAML: of the project, if it has a separate file, and of stacks.
    """
    if not is_project_file(program.name):
        projects = (program.parent / name for name in YAML_PROGRAMS if is_project_file(name))
        project = next((path for path in projects if path.is_file() and is_inside(path, fence)), None)
        yield from () if project is None else (read_file(project, named_from),)
    yield from _stacks(program.parent, fence, named_from)


def _stacks(directory: Path, fence: Path | None, named_from: Path | None) -> Iterator[RawFile]:
    """Yield the files with the configuration of stacks; unreadable files declare nothing."""
    for name in sorted(name for name in os.listdir(directory) if _STACK.fullmatch(name)):
        path = directory / name
        if is_inside(path, fence):
            with contextlib.suppress(LoadError):
                yield read_file(path, named_from)


def _holds_program(file: RawFile, *, is_project: bool) -> bool:
    """Return whether a file with the name of a program in Pulumi YAML is a program.

    In a project in YAML, a Main file is a program, whatever its content; so is an unreadable file, to report the problem.
    """
    if is_project:
        return True
    if is_project_file(file.name) and _MAY_BE_PROGRAM.search(file.data) is None:
        return False
    contents = _contents(file)
    return not contents or any(str(key).lower() in _SECTIONS for content in contents for key in content)


def is_only_project(file: RawFile, *, beside_pcl: bool) -> bool:
    """Return whether a file is the project file of a program that is elsewhere: in another language, or `beside_pcl` in PCL.
    """
    if not is_project_file(file.name):
        return False
    is_project = not beside_pcl and any(_runtime(content) == "yaml" for content in _contents(file))
    return not _holds_program(file, is_project=is_project)


def _contents(file: RawFile) -> Sequence[Mapping[object, object]]:
    """Return the mapping in a file, if it can be read; an empty mapping for another value."""
    try:
        value = read_yaml(file.data.decode("utf-8-sig"), only_json=True)
    except (DataError, UnicodeDecodeError):
        return ()
    return (value if isinstance(value, dict) else {},)


def _runtime(content: Mapping[object, object]) -> object:
    """Return the name of the language in a project file."""
    runtime = content.get("runtime")
    return runtime.get("name") if isinstance(runtime, dict) else runtime


def _compiler(content: Mapping[object, object]) -> str | None:
    """Return the command that makes a program in Pulumi YAML, where a project file names one."""
    runtime = content.get("runtime")
    options = runtime.get("options") if isinstance(runtime, dict) and _runtime(content) == "yaml" else None
    compiler = options.get("compiler") if isinstance(options, dict) else None
    return compiler if isinstance(compiler, str) and compiler else None


def _project(directory: Path) -> ProjectFile:
    try:
        return read_project(directory)
    except ProjectError as error:
        raise LoadError(str(error), f"name a directory below the one of `{directory / PULUMI}`") from error


def _directory_name(directory: Path) -> str:
    try:
        return directory.resolve().name or "program"
    except (OSError, RuntimeError) as error:
        raise LoadError(f"cannot read `{directory}`: {error}") from error


def _demand_suffix(path: Path) -> None:
    if path.suffix != SUFFIX and not is_yaml(path.name):
        raise LoadError(f"`{path}` is not a .pp file", "name a program directory, one .pp file, or `-`")


def _mode(path: Path) -> int:
    """Return the file mode of `path`, links followed."""
    try:
        return path.stat().st_mode
    except FileNotFoundError as error:
        if path.is_symlink():
            raise LoadError(f"`{path}` is a link to something that does not exist") from error
        raise LoadError(f"there is no file or directory `{path}`", _similar(path)) from error
    except (OSError, ValueError) as error:
        raise _cannot_read(path, error) from error


def _similar(path: Path) -> str | None:
    """Return a name in the same directory that differs in case or only in the missing suffix."""
    spellings = {path.name.casefold(), path.name.casefold() + SUFFIX}
    try:
        names = sorted(name for name in os.listdir(path.parent) if name.casefold() in spellings)
    except OSError:
        return None
    return f"did you mean `{path.parent / names[0]}`?" if names else None


def _cannot_read(path: Path, error: OSError | ValueError) -> LoadError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return LoadError(f"cannot read `{path}`: {reason[:1].lower()}{reason[1:]}")
