"""The phases in order: the only module that knows all of them.

    read      bytes                    -> SourceFile            syntax.parse.decode_source
    parse     SourceFile               -> ast.File              syntax.parse.parse_file
    bind      ast.File + schemas       -> core.Program          bind.binder
    order and lower (per target)       -> core.Program          graph, lower.program
    render    core.Program             -> files                 targets.<language>

The pipeline stops between phases when there are errors, so that later phases may rely on a valid program.  Calls share no
state; the caller may share a `SchemaStore` to read schemas once for many programs.
"""

from __future__ import annotations

import gc
import posixpath
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pclgen.bind.binder import Binding, Bound, Reader, bind_program
from pclgen.bind.reading import read_sources
from pclgen.choices import PLAIN_STYLE, CodeStyle, JsonText, RuntimeChecks
from pclgen.core.paths import NamedFile, named_files
from pclgen.core.program import ComponentUse, Program
from pclgen.core.walk import programs_of
from pclgen.deps.components import Components
from pclgen.diagnostics.expressions import file_not_copied, missing_file
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag, Severity
from pclgen.diagnostics.target import outgrown_expression, same_member, template_failed
from pclgen.emit.overlay import Overlay, TemplateFailureError
from pclgen.forks import side_by_side
from pclgen.languages import TITLES
from pclgen.reads import READS, recording
from pclgen.results import CheckResult, EvaluateResult, GenerateResult, PackResult, TextResult
from pclgen.schema.errors import SchemaError, report_error
from pclgen.schema.load import SchemaStore
from pclgen.source.files import DataFileError, Finder, plugin_of, read_regular
from pclgen.source.load import LoadedProgram, LoadError, RawFile, component_state, read_file
from pclgen.source.project import settings_without
from pclgen.source.text import SourceFile, Span
from pclgen.sourcemaps import SourceMap
from pclgen.syntax.ast import File
from pclgen.syntax.parse import decode_source
from pclgen.targets.base import BrokenTreeError as BrokenTreeError
from pclgen.targets.base import Project, target
from pclgen.targets.origins import Recorder

if TYPE_CHECKING:
    from pclgen.bind.rebind import Rebound
    from pclgen.evaluate.models import ProviderModel
    from pclgen.evaluate.run import RunInputs

GraphFormat: TypeAlias = Literal["dot", "html", "json", "mermaid", "svg"]

BIND = "bind"
PLAN = "plan"
"""The pass that makes the program."""

# Binding and printing recurse over expressions.  The parser bounds their depth; this leaves room for that many levels.
_RECURSION_LIMIT = 20_000

LARGE = 20_000
"""Minimum length in characters of a program and its components for a process per language: some 60 resources."""


_SETTINGS: Final[list[tuple[int, bool]]] = []
"""The recursion limit, and whether cycles were collected, at the start of each compilation that runs."""
_SETTINGS_LOCK: Final = Lock()


@contextmanager
def compiling() -> Iterator[None]:
    """Raise the recursion limit and disable cycle collection while a compilation runs.

    A compilation builds trees that live until it ends; repeated traversal of them would make its cost grow faster than the
    program. Threads share both settings: the last compilation to end restores those that the first one found.
    """
    with _SETTINGS_LOCK:
        _SETTINGS.append((sys.getrecursionlimit(), gc.isenabled()))
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
        gc.disable()
    try:
        yield
    finally:
        with _SETTINGS_LOCK:
            limit, collecting = _SETTINGS.pop()
            if not _SETTINGS:
                sys.setrecursionlimit(limit)
                if collecting:
                    gc.enable()


@contextmanager
def _reading_members(bag: DiagnosticBag, program: Program | None = None) -> Iterator[None]:
    """Report errors in schema members, which are read at first use, as diagnostics.

    A member that the program does not name may be invalid, too. A `program` of a pack was bound elsewhere: its parts may
    contradict each other.
    """
    try:
        yield
    except SchemaError as problem:
        bag.add(report_error(problem, problem.package, None))
    except Exception as error:  # any failure of a phase on a program that no binder would produce
        if program is None or not program.pack:
            raise
        from pclgen.diagnostics.dependencies import inconsistent

        bag.add(inconsistent(program.pack, f"{type(error).__name__}: {error}"))


def decode_files(files: Iterable[RawFile], bag: DiagnosticBag) -> list[SourceFile]:
    """Return the texts of files; diagnostics about undecodable files go to `bag`."""
    return [decode_source(raw.name, raw.data, bag) for raw in files]


def _component_loader(
    components: Components, bag: DiagnosticBag, names: set[str]
) -> Callable[[str], Sequence[SourceFile] | str]:
    """Loads component directories relative to the program's own, and those of other packages; `names` get their files."""

    def load(directory: str) -> Sequence[SourceFile] | str:
        files = components.read(directory)
        reads = READS.get()
        if reads is not None:
            reads.directories[directory] = component_state(files)
        if isinstance(files, str):
            return files
        names.update(file.name for file in files)
        return decode_files(files, bag)

    return load


def bind(sources: LoadedProgram, store: SchemaStore, *, lenient: bool = False) -> CheckResult:
    """Read, parse and bind a program against the packages of `store`; a packed program is already bound."""
    if sources.is_pack:
        return _unpack(sources.files[0], store, lenient=lenient)
    bag = DiagnosticBag()
    program = _bind(sources, store, bag, lenient=lenient).program
    diagnostics = bag.sorted()
    if sources.unread and diagnostics:
        from pclgen.bind import unread

        if unread.unknown_names(diagnostics):
            diagnostics = unread.with_declaring_files(diagnostics, decode_files(_readable(sources), DiagnosticBag()))
    return CheckResult(diagnostics=diagnostics, program=None if bag.has_errors else program)


class PartialResult(Struct, frozen=True, kw_only=True):
    """The known parts of a program that may have errors: `program` has `Invalid` expressions in their place.

    `trees` are the parsed files of its folder; `files` are the names of all files read, those of components included.
    `binding` can bind an edited item again (`bind.rebind`), if the program has a meaning as a whole.
    """

    diagnostics: tuple[Diagnostic, ...]
    program: Program
    trees: tuple[File, ...]
    files: frozenset[str]
    binding: Binding | None = None


def bind_partly(sources: LoadedProgram, store: SchemaStore, *, lenient: bool = False, read: Reader) -> PartialResult:
    """Bind as much as possible of a program in an editor, parsing its files with `read`."""
    bag = DiagnosticBag()
    trees: list[File] = []
    names = {file.name for file in sources.files}

    def reading(files: Sequence[SourceFile], problems: DiagnosticBag, lenient: bool) -> list[File]:
        result = read(files, problems, lenient)
        if not trees:
            trees.extend(result)
        return result

    bound = _bind(sources, store, bag, lenient=lenient, read=reading, partial=True, names=names)
    return PartialResult(
        diagnostics=bag.sorted(),
        program=bound.program,
        trees=tuple(trees),
        files=frozenset(names),
        binding=bound.binding,
    )


def rebind_partly(bound: PartialResult, before: Span, tree: File) -> Rebound | None:
    """Bind the item of `tree` in place of the item at `before`; None if the whole program must be bound again."""
    from pclgen.bind.rebind import rebind

    if bound.binding is None:
        return None
    with compiling():
        return rebind(bound.binding, before, tree)


def _bind(
    sources: LoadedProgram,
    store: SchemaStore,
    bag: DiagnosticBag,
    *,
    lenient: bool,
    read: Reader = read_sources,
    partial: bool = False,
    names: set[str] | None = None,
) -> Bound:
    """Bind a program; `names` get the files of its components."""
    with compiling():
        files = decode_files(sources.files, bag)
        components = Components(sources, store)
        bound = bind_program(
            sources.name,
            files,
            store.within(components.provider_ranges()),
            bag,
            load_component=_component_loader(components, bag, set() if names is None else names),
            locate=components.locate,
            lenient=lenient,
            read=read,
            partial=partial,
        )
        if components.problem is not None:
            bag.add(components.problem)
        bag.extend(components.wrong_providers([(package.name, package.version) for package in bound.program.packages]))
    store.flush()
    return bound


def _unpack(file: RawFile, store: SchemaStore, *, lenient: bool) -> CheckResult:
    from pclgen.packs.read import read_pack

    with compiling():
        content = read_pack(file.data, file.name, lenient=lenient, functions=store.functions)
    return CheckResult(diagnostics=content.diagnostics, program=content.program)


def _readable(sources: LoadedProgram) -> Iterator[RawFile]:
    """Yield the readable files among those beside a program."""
    for path in sources.unread:
        with suppress(LoadError):
            yield read_file(path, sources.named_from)


def check(
    sources: LoadedProgram, *, schemas: Sequence[Path] = (), lenient: bool = False, store: SchemaStore | None = None
) -> CheckResult:
    """Check a program.

    `schemas` are directories or files of package schemas; a `store` of the caller replaces them.
    """
    checked = bind(sources, store if store is not None else SchemaStore(schemas), lenient=lenient)
    if checked.program is None:
        return checked
    bag = DiagnosticBag(checked.diagnostics)
    for lack in find_data(sources, checked.program).missing:
        bag.add(missing_file(lack.named.path, lack.named.span, lack.reason))
    return CheckResult(diagnostics=bag.sorted(), program=checked.program)


class Lack(Struct, frozen=True, kw_only=True):
    """A file that a program names and that cannot be copied, with the reason."""

    named: NamedFile
    reason: str


class Data(Struct, frozen=True, kw_only=True):
    """The files that a program names: the available ones, with a place that names them, the missing and the unfit ones.

    Unfit files cannot be copied.
    """

    files: Mapping[PurePosixPath, tuple[Path, NamedFile]]
    missing: Sequence[Lack]
    unfit: Sequence[Lack]


def find_data(sources: LoadedProgram, program: Program) -> Data:
    """Return the files that a program on disk names; none for a program in memory."""
    files: dict[PurePosixPath, tuple[Path, NamedFile]] = {}
    lacks: dict[str, list[Lack]] = {"missing": [], "unfit": []}
    finder = Finder(root=sources.root)
    reads = READS.get()
    for named in named_files(program) if sources.is_on_disk else ():
        if reads is not None:
            reads.files[named.path, named.may_be_folder] = None
        try:
            matches = finder.find(named.path, may_be_folder=named.may_be_folder)
        except DataFileError as error:
            if error.problem != "missing" or not named.may_be_missing:
                lacks[error.problem].append(Lack(named=named, reason=str(error)))
        else:
            files.update({file.path: (file.source, named) for file in matches})
    return Data(files=files, missing=lacks["missing"], unfit=lacks["unfit"])


def _carry(
    data: Data, files: Mapping[str, Mapping[PurePosixPath, str]], main: str, bag: DiagnosticBag
) -> Mapping[str, Mapping[PurePosixPath, Path]]:
    """Return the data files beside the generated files of each language.

    A file that cannot be copied is reported to `bag`, once for each use.
    """
    from pclgen.emit.write import obstacle

    refused = {lack.named: lack.reason for lack in reversed(data.unfit)}
    carried: dict[str, dict[PurePosixPath, Path]] = {language: {} for language in files}
    for path, (source, named) in data.files.items():
        for language, generated in files.items():
            place = PurePosixPath(main) / path
            reason = obstacle(language, place, generated)
            if reason is None:
                carried[language][place] = source
            else:
                refused.setdefault(named, reason)
    for named, reason in refused.items():
        bag.add(file_not_copied(named.path, named.span, reason))
    return carried


@compiling()
def generate(
    sources: LoadedProgram,
    *,
    languages: Sequence[str],
    schemas: Sequence[Path] = (),
    lenient: bool = False,
    program_only: bool = False,
    copy_files: bool = True,
    store: SchemaStore | None = None,
    local: Mapping[str, str] | None = None,
    overlay: Overlay | None = None,
    style: CodeStyle = PLAIN_STYLE,
    hidden: AbstractSet[str] = frozenset(),
    keep_going: bool = False,
    source_maps: bool = False,
    jobs: int = 1,
) -> GenerateResult:
    """Check a program and generate the files of each language.

    An error in any language fails all of them; with `keep_going`, the result has the languages that can express the program.

    The program's files in `hidden` take part in the compilation, but the generated files omit their items.  With
    `source_maps` the result has the maps of the source files, unless `hidden` has files.

    With `copy_files` the result also has the files that the program names.  `local` are paths of SDKs on this machine, by
    package, that the project files name in place of published ones; `pulumi` is the core SDK.  `overlay` are templates that
    override pclgen's own.  `style` sets the style of generated code where there is a choice.

    The languages of a large program are rendered by up to `jobs` processes, forked where that is safe (`forks`).
    """
    store = store if store is not None else SchemaStore(schemas)
    checked = bind(sources, store, lenient=lenient)
    if checked.program is None:
        return GenerateResult(diagnostics=checked.diagnostics)
    result = generate_checked(
        sources,
        checked.program,
        checked.diagnostics,
        languages=languages,
        program_only=program_only,
        copy_files=copy_files,
        local=local,
        overlay=overlay,
        style=style,
        hidden=hidden,
        keep_going=keep_going,
        source_maps=source_maps,
        jobs=jobs,
    )
    store.flush()
    return result


def _plugins_in(program: Program) -> frozenset[str]:
    """Return the folders of the plugins whose components a program uses: they are generated with it."""
    sources = (posixpath.normpath(node.source) for node in program.nodes if isinstance(node, ComponentUse))
    return frozenset(plugin[0] for source in sources if (plugin := plugin_of(source)) is not None)


@compiling()
def generate_checked(
    sources: LoadedProgram,
    program: Program,
    diagnostics: Sequence[Diagnostic] = (),
    *,
    languages: Sequence[str],
    program_only: bool = False,
    copy_files: bool = True,
    local: Mapping[str, str] | None = None,
    overlay: Overlay | None = None,
    style: CodeStyle = PLAIN_STYLE,
    hidden: AbstractSet[str] = frozenset(),
    keep_going: bool = False,
    source_maps: bool = False,
    jobs: int = 1,
) -> GenerateResult:
    """Generate a program that was bound from `sources`, as `generate` does; `diagnostics` are those of the check."""
    bag = DiagnosticBag(diagnostics)
    facts = sources.project
    project = Project(
        name=facts.name or sources.name,
        description=facts.description,
        main=facts.main,
        program_only=program_only,
        options=facts.options,
        settings=settings_without(facts.settings, _plugins_in(program)),
        local=local or {},
        overlay=overlay,
        blames=style.runtime_checks is RuntimeChecks.BLAME,
        inline_helpers=style.inline_helpers,
    )
    files: Mapping[str, Mapping[PurePosixPath, str]] = {}
    rendered: Mapping[str, _Rendered] = {}
    with compiling(), _reading_members(bag, program):
        prepared = prepare(program, bag, style)
        if not bag.has_errors:
            problems = DiagnosticBag()
            refused = _with_same_members(prepared, languages, problems)
            able = [name for name in languages if name not in refused]
            works = [partial(_rendered, prepared, name, project, hidden, source_maps=source_maps) for name in able]
            rendered = dict(zip(able, side_by_side(works, *_processes(program, jobs)), strict=True))
            for result in rendered.values():
                problems.extend(result.diagnostics)
            bag.extend(problems)
            if keep_going or not problems.has_errors:
                files = {name: result.files for name, result in rendered.items() if result.files}
    if bag.has_errors and not files:
        return GenerateResult(diagnostics=bag.sorted())
    data = find_data(sources, program)
    for lack in data.missing:
        bag.add(missing_file(lack.named.path, lack.named.span, lack.reason))
    carried = _carry(data, files, facts.main, bag) if copy_files else {}
    maps = {name: rendered[name].maps for name in files if source_maps and not hidden}
    return GenerateResult(diagnostics=bag.sorted(), files=files, data=carried, program=program, source_maps=maps)


class _Rendered(Struct, frozen=True):
    """The result of one language."""

    files: Mapping[PurePosixPath, str]
    diagnostics: Sequence[Diagnostic]
    maps: Mapping[PurePosixPath, SourceMap]


def _rendered(
    prepared: Program, language: str, project: Project, hidden: AbstractSet[str], *, source_maps: bool
) -> _Rendered:
    recorder, bag = Recorder() if source_maps or hidden else None, DiagnosticBag()
    files = render(prepared, language, project, bag, hidden=hidden, recorder=recorder)
    return _Rendered(files, tuple(bag), recorder.maps if recorder is not None and not hidden else {})


def _processes(program: Program, jobs: int) -> tuple[int, Sequence[SourceFile]]:
    """Return the number of processes that render a program, and its sources, which their results name."""
    programs = programs_of(program)
    sources = [text for inside in programs for text in inside.texts]
    # A recording of reads covers this process only.
    is_worth_it = jobs > 1 and READS.get() is None and sum(len(source.text) for source in sources) >= LARGE
    return jobs if is_worth_it else 1, sources


def prepare(program: Program, bag: DiagnosticBag, style: CodeStyle = PLAIN_STYLE) -> Program:
    """Run the part of lowering that all languages share."""
    from pclgen.lower.program import prepare_program

    return prepare_program(program, bag, canonical_json=style.json is JsonText.CANONICAL)


def render(
    prepared: Program,
    language: str,
    project: Project,
    bag: DiagnosticBag,
    *,
    hidden: AbstractSet[str] = frozenset(),
    recorder: Recorder | None = None,
) -> Mapping[PurePosixPath, str]:
    """Return the files of one language, without the items of the program's files in `hidden`.

    The program is lowered to the capabilities of the language's SDK.  Diagnostics about parts that the language cannot
    express go to `bag`, which may hold those of other languages.  A `BrokenTreeError` names the program.  `recorder` gets
    the source maps of the files.
    """
    from pclgen.lower.program import lower_prepared
    from pclgen.lower.region import OutgrownError, outgrown
    from pclgen.plan.build import plan_project
    from pclgen.targets.assembly import check_spellings

    chosen = target(language)
    try:
        lowered = lower_prepared(prepared, replace(chosen.capabilities, checks_values=project.blames))
        too_large = tuple(outgrown(lowered))
    except OutgrownError as error:
        too_large = (error.span,)
    if too_large:
        for span in too_large:
            bag.add(outgrown_expression(TITLES[language], span))
        return {}
    problems = DiagnosticBag()
    check_spellings(lowered, language, problems)
    if problems.has_errors:
        bag.extend(problems)
        return {}
    try:
        if hidden and recorder is None:
            recorder = Recorder()
        files = chosen.render(plan_project(lowered), project, problems, recorder)
        if hidden and recorder is not None and files:
            from pclgen.targets.visible import visible_files

            files = visible_files(files, recorder, hidden)
    except BrokenTreeError as error:
        raise BrokenTreeError(f"{prepared.name}, {language}: {error}") from None
    except TemplateFailureError as failure:
        place = project.overlay.span(failure.name, failure.line) if project.overlay is not None else None
        bag.add(template_failed(failure.name, failure.message, place))
        return {}
    bag.extend(problems)
    return files


def _with_same_members(prepared: Program, languages: Sequence[str], bag: DiagnosticBag) -> frozenset[str]:
    """Return the languages that would give two members of one object the same name; `bag` gets the diagnostics."""
    from pclgen.targets.names import collisions

    clashes = list(collisions(prepared, {name: target(name).member_name for name in languages}))
    for clash in clashes:
        bag.add(same_member(TITLES[clash.language], clash.span, name=clash.name, other=clash.other, spelled=clash.spelled))
    return frozenset(clash.language for clash in clashes)


def lower(program: Program, language: str, bag: DiagnosticBag) -> Program:
    """Return the program as a language's printer receives it: each wait for eventual values is explicit."""
    from pclgen.lower.program import lower_program

    return lower_program(program, target(language).capabilities, bag)


def passes() -> Mapping[str, str]:
    """The passes from program to program that `dump` can show, in order, with a one-line description each."""
    from pclgen.lower.passes import ORDER, SHARED_PASSES, TARGET_PASSES

    first = {BIND: "resolve names, find types, and add conversions", ORDER: "put definitions before uses"}
    last = {PLAN: "put statements in order, with deferred inputs and unused variables"}
    return first | {step.name: step.does for step in (*SHARED_PASSES, *TARGET_PASSES)} | last


def dump(
    sources: LoadedProgram,
    *,
    after: str,
    languages: Sequence[str],
    store: SchemaStore,
    lenient: bool,
    style: CodeStyle = PLAIN_STYLE,
) -> TextResult:
    """Return a program after the pass `after` (one of `passes`), in the notation of `core.pretty`.

    A pass that depends on the target is shown once for each of `languages`.
    """
    from pclgen.core.pretty import pretty_program
    from pclgen.lower.passes import TARGET_PASSES
    from pclgen.lower.program import lower_prepared, prepare_program

    checked = bind(sources, store, lenient=lenient)
    if checked.program is None:
        return TextResult(diagnostics=checked.diagnostics, text=None)
    if after == BIND:
        return TextResult(diagnostics=checked.diagnostics, text=pretty_program(checked.program))
    bag = DiagnosticBag(checked.diagnostics)
    is_for_target = after == PLAN or any(step.name == after for step in TARGET_PASSES)
    with compiling(), _reading_members(bag, checked.program):
        canonical = style.json is JsonText.CANONICAL
        until = None if is_for_target else after
        prepared = prepare_program(checked.program, bag, until=until, canonical_json=canonical)
        texts = [pretty_program(prepared)]
        if is_for_target:
            until = None if after == PLAN else after
            blames = style.runtime_checks is RuntimeChecks.BLAME
            able = {name: replace(target(name).capabilities, checks_values=blames) for name in languages}
            lowered = {name: lower_prepared(prepared, can, until=until) for name, can in able.items()}
            shown = _pretty_plan if after == PLAN else pretty_program
            texts = [f"# {TITLES[name]}\n\n{shown(program)}" for name, program in lowered.items()]
    return TextResult(diagnostics=bag.sorted(), text=None if bag.has_errors else "\n".join(texts))


def _pretty_plan(program: Program) -> str:
    from pclgen.plan.build import plan_project
    from pclgen.plan.pretty import pretty_plan

    return pretty_plan(plan_project(program))


def graph(
    sources: LoadedProgram,
    *,
    schemas: Sequence[Path] = (),
    lenient: bool = False,
    graph_format: GraphFormat = "dot",
    store: SchemaStore | None = None,
) -> TextResult:
    """Return the dependencies of a program as a drawing or as data; a picture also shows cycles, which are errors."""
    store = store if store is not None else SchemaStore(schemas)
    checked = check(sources, lenient=lenient, store=store)
    program = checked.program
    if graph_format in ("svg", "html") and _are_cycles(checked.diagnostics):
        program = _bind(sources, store, DiagnosticBag(), lenient=lenient, partial=True).program
    if program is None:
        return TextResult(diagnostics=checked.diagnostics, text=None)
    from pclgen.graph import export

    bag, text = DiagnosticBag(), None
    with _reading_members(bag, program):
        writers: Mapping[GraphFormat, Callable[[Program], str]] = {
            "dot": export.to_dot,
            "mermaid": export.to_mermaid,
            "json": export.to_json,
            "svg": export.to_svg,
            "html": export.to_html,
        }
        text = writers[graph_format](program)
    return TextResult(diagnostics=(*checked.diagnostics, *bag), text=text)


def _are_cycles(diagnostics: Iterable[Diagnostic]) -> bool:
    """Return whether there are errors, all of them cycles."""
    from pclgen.diagnostics.order import CYCLE

    return {item.code for item in diagnostics if item.severity is Severity.ERROR} == {CYCLE}


def config_schema(
    sources: LoadedProgram, *, schemas: Sequence[Path] = (), lenient: bool = False, store: SchemaStore | None = None
) -> TextResult:
    """Return the JSON Schema of a program's configuration."""
    checked = check(sources, schemas=schemas, lenient=lenient, store=store)
    if checked.program is None:
        return TextResult(diagnostics=checked.diagnostics, text=None)
    import json

    from pclgen.core.configuration import config_schema as schema_of

    text = json.dumps(schema_of(checked.program), indent=2, ensure_ascii=False) + "\n"
    return TextResult(diagnostics=checked.diagnostics, text=text)


def check_stack_files(
    sources: LoadedProgram,
    files: Sequence[RawFile],
    *,
    project: str | None = None,
    schemas: Sequence[Path] = (),
    lenient: bool = False,
    store: SchemaStore | None = None,
) -> CheckResult:
    """Check the configuration of stacks against the configuration that a program declares.

    `project` is the project's name; by default the program's.
    """
    from pclgen.evaluate.config import check_stack_file

    checked = check(sources, schemas=schemas, lenient=lenient, store=store)
    if checked.program is None:
        return checked
    bag = DiagnosticBag()
    name = project or sources.project.name or sources.name
    for source in decode_files(files, bag):
        bag.extend(check_stack_file(checked.program, name, source))
    return CheckResult(diagnostics=(*checked.diagnostics, *bag.sorted()), program=checked.program)


def evaluate(
    sources: LoadedProgram,
    inputs: RunInputs,
    *,
    schemas: Sequence[Path] = (),
    lenient: bool = False,
    store: SchemaStore | None = None,
) -> EvaluateResult:
    """Check a program and run it against provider models.  Raises `LoadError` for a file of `inputs`."""
    checked = bind(sources, store if store is not None else SchemaStore(schemas), lenient=lenient)
    if checked.program is None:
        return EvaluateResult(diagnostics=checked.diagnostics, trace=None)
    return evaluate_checked(checked.program, inputs, checked.diagnostics)


def evaluate_checked(program: Program, inputs: RunInputs, diagnostics: Sequence[Diagnostic] = ()) -> EvaluateResult:
    """Run a checked program; `diagnostics` are those of the check.  Raises `LoadError` for a file of `inputs`."""
    from pclgen.evaluate.run import evaluate_program, settings_for

    settings = settings_for(program, inputs)
    bag = DiagnosticBag(diagnostics)
    trace = None
    with compiling(), _reading_members(bag, program):
        run = evaluate_program(program, settings)
        bag.extend(run.diagnostics)
        trace = run.trace
    return EvaluateResult(diagnostics=bag.sorted(), trace=trace)


def inputs_for_run(
    sources: LoadedProgram,
    *,
    preview: bool = False,
    project: str | None = None,
    stack: str = "dev",
    organization: str = "organization",
    config: Mapping[str, str] | None = None,
    secrets: Mapping[str, str] | None = None,
    stack_file: Path | None = None,
    replay_file: Path | None = None,
    models: Mapping[str, ProviderModel] | None = None,
    pulumi_version: str = "",
    list_length: int = 1,
) -> RunInputs:
    """Return the inputs of a run of `sources`; paths of files that it reads are relative to its directory."""
    from pclgen.evaluate.run import RunInputs
    from pclgen.evaluate.settings import Settings

    base = Settings(
        project=project,
        stack=stack,
        organization=organization,
        preview=preview,
        models=models or {},
        pulumi_version=pulumi_version,
        directory=sources.root,
        fence=sources.fence,
        list_length=list_length,
    )
    return RunInputs(base=base, config=config or {}, secrets=secrets or {}, stack_file=stack_file, replay_file=replay_file)


def pack(
    sources: LoadedProgram, *, store: SchemaStore, lenient: bool = False, package: tuple[str, str] | None = None
) -> PackResult:
    """Write a program as one file, with everything that any phase reads from schemas and files.

    `package` is the name and the version under which others use the program as a component; by default those of
    `[package]` in its folder.
    `store` must be unused: the pack carries everything that is requested from its packages for the first time.
    """
    from pclgen.packs.document import PackInfo
    from pclgen.packs.write import Content
    from pclgen.packs.write import pack as make

    with recording():
        checked = check(sources, store=store, lenient=lenient)
        if checked.program is None:
            return PackResult(diagnostics=checked.diagnostics, data=None)
        strictly = bind(sources, store) if lenient else None
        _ask_for_all(checked.program)
        facts, data_files = sources.project, find_data(sources, checked.program)
        name, version = package or Components(sources, store).exported()
        content = Content(
            program=checked.program,
            diagnostics=bind(sources, store, lenient=lenient).diagnostics,
            strictly=strictly.diagnostics if strictly is not None else (),
            lenient=strictly is not None and strictly.program is None,
            data={path: read_regular(source) for path, (source, _) in data_files.files.items()},
            about=PackInfo(
                description=facts.description,
                author=facts.author,
                website=facts.website,
                license=facts.license,
                package=name,
                version=version,
            ),
        )
        with compiling():
            data = make(sources, content)
    return PackResult(diagnostics=checked.diagnostics, data=data)


def _ask_for_all(program: Program) -> None:
    """Make every target request the data that it needs from the packages of a program, whatever the outcome."""
    project = Project(name=program.name)
    with compiling():
        prepared = prepare(program, DiagnosticBag())
        for language in TITLES:
            render(prepared, language, project, DiagnosticBag())
