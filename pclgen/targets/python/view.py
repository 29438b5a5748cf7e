"""The view of a file for templates: statements with printed expressions, imports in groups, helpers.

A `FileView` has texts and computed booleans; the templates decide only layout.

`assign_names` assigns the final names of the file, and collects its imports. Imports and classes come first, then the
variables of statements, then the variables of inner scopes.

`FORMS` are the statements that have templates, with the values that these read. The comment at the head of each template
describes it. A test compares the templates with `FORMS`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, assert_never

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core.expr import Comments
from pclgen.emit.forms import Form, Forms, forms
from pclgen.emit.overlay import Overlay
from pclgen.targets.comments import without_gaps
from pclgen.targets.names import NameTable
from pclgen.targets.origins import BindingLine, Mark, Recorder, printed_length
from pclgen.targets.python import quote, tree
from pclgen.targets.python.modules import BESIDE, CHECKERS, CHECKS, HELPERS
from pclgen.targets.python.names import RESERVED
from pclgen.targets.python.printer import Printer, Spellings, comment_lines
from pclgen.targets.python.tree import outline
from pclgen.targets.scopes import Naming, Rules, Scope, check

FORMS: Final = (
    Form("assign", ("target", "annotation", "value")),
    Form("construct", ("construction",), facts=("token",)),
    Form("define", ("name", "parameter", "returns", "body")),
    Form("do", ("call",)),
    Form("for", ("targets", "values", "body")),
    Form("import", ("module", "alias")),
    Form("import-names", ("module", "names")),
    Form("record", ("name", "base", "members"), facts=("partial",)),
    Form("return", ("value",)),
    Form("unpack", ("declarations", "targets", "value")),
)


_WIDTH = 88
_STEP = "    "


class StatementView(Struct, frozen=True, kw_only=True):
    """One statement.

    It has a `text` whose first line is not indented, comment lines above it (`leading`), a `gap` (an empty line) above both,
    and an `indent` (white space).
    """

    indent: str
    leading: tuple[str, ...]
    text: str
    gap: bool


class ParameterView(Struct, frozen=True, kw_only=True):
    """A keyword of a constructor, and a member of a class (which has no default)."""

    name: str
    annotation: str
    default: str
    doc: tuple[str, ...]


class ComponentView(Struct, frozen=True, kw_only=True):
    """The class of a component; `doc` are the lines of its docstring."""

    name: str
    base: str
    doc: tuple[str, ...]
    members: tuple[ParameterView, ...]
    resource_name: str
    parameters: tuple[ParameterView, ...]
    options: ParameterView
    body: tuple[StatementView, ...]


class FileView(Struct, frozen=True, kw_only=True):
    """A file.

    `imports` are groups of lines, `helpers` the templates of added functions, `imported` the helpers in other modules, by
    module.
    """

    path: str
    header: tuple[str, ...]
    imports: tuple[tuple[str, ...], ...]
    helpers: tuple[str, ...]
    imported: Mapping[tree.Module, tuple[str, ...]]
    statements: tuple[StatementView, ...]
    component: ComponentView | None


def view_file(
    file: tree.File, overlay: Overlay | None, *, beside: bool = False, recorder: Recorder | None = None
) -> FileView:
    """The view of `file`, with names assigned and expressions printed.

    With `beside` it imports all helpers that it uses.  With a `recorder` its nodes are marked.
    """
    names = assign_names(file, beside=beside)
    words = forms("python", FORMS, overlay)
    viewer = _Viewer(Printer(names, words, recorder), words, file.groups, _marks_of(file, names), recorder)
    component = file.component
    return FileView(
        path=file.path,
        header=comment_lines(file.header),
        imports=_imports(names, words, recorder),
        helpers=tuple(f"python/helpers/{key}.py.jinja" for key in names.helpers),
        imported={home: tuple(name for module, name in names.direct if module == home) for home in (CHECKS, BESIDE)},
        statements=viewer.statements(file.statements),
        component=viewer.component(component) if component is not None else None,
    )


def _marks_of(file: tree.File, names: Spellings) -> Mapping[tree.Statement, Mark]:
    """Return the marks of the statements of `file`."""
    readers = {reader: BindingLine((names.variables[variable],)) for reader, variable in file.readers.items()}
    return {**file.origins, **readers}


def _imports(names: Spellings, words: Forms, recorder: Recorder | None) -> tuple[tuple[str, ...], ...]:
    lines: list[tuple[tree.Group, bool, str, str, BindingLine]] = []
    for module, alias in names.modules.items():
        slots = {"module": module.path, "alias": alias if alias != module.path else ""}
        lines.append((module.group, False, module.path, words.text("import", slots), BindingLine((alias,))))
    taken: dict[tree.Module, list[tuple[str, str]]] = {}
    for (module, name), alias in names.direct.items():
        taken.setdefault(module, []).append((name if alias == name else f"{name} as {alias}", alias))
    for module, members in taken.items():
        members.sort()
        text = words.text("import-names", {"module": module.path, "names": ", ".join(member for member, _ in members)})
        binding = BindingLine(tuple([alias for _, alias in members]), are_sources=False)
        lines.append((module.group, True, module.path, text, binding))
    lines.sort(key=lambda line: line[:4])
    groups: dict[tree.Group, list[str]] = {group: [] for group in tree.Group}
    for group, _, _, line, binding in lines:
        groups[group].append(line if recorder is None else recorder.around(line, binding))
    return tuple(tuple(group) for group in groups.values() if group)


class _Printed(Struct, frozen=True, kw_only=True):
    """A printed statement, independent of the statement above it.

    `close`: it belongs to the statement above.  `kind` and `is_long` decide about empty lines.
    """

    kind: str
    text: str = ""
    leading: tuple[str, ...] = ()
    is_long: bool = False
    close: bool = False


class _Viewer(Struct, frozen=True):
    printer: Printer
    words: Forms
    groups: Mapping[tree.Statement, int]
    marks: Mapping[tree.Statement, Mark]
    recorder: Recorder | None

    def statements(self, statements: Iterable[tree.Statement], depth: int = 0) -> tuple[StatementView, ...]:
        """The views of statements at indentation level `depth`."""
        views: list[StatementView] = []
        before: _Printed | None = None
        group: int | None = None
        for statement in statements:
            printed = self.statement(statement, depth)
            own = self.groups.get(statement)
            is_other = own != group if own is not None else before is not None and printed.kind != before.kind
            gap = before is not None and _is_apart(printed, before, is_other=is_other)
            group = group if own is None else own
            view = StatementView(indent=_STEP * depth, leading=printed.leading, text=printed.text, gap=gap)
            mark = self.marks.get(statement) if self.recorder is not None else None
            views.append(self._marked(view, mark) if mark is not None else view)
            before = printed
        return tuple(views)

    def _marked(self, view: StatementView, mark: Mark) -> StatementView:
        """`view` with marks around its lines."""
        assert self.recorder is not None
        lines = [*view.leading, view.text] if view.text else list(view.leading)
        if not lines:
            return view
        before, behind = self.recorder.marks(mark)
        lines[0] = before + lines[0]
        lines[-1] += behind
        text = lines.pop() if view.text else ""
        return replace(view, leading=tuple(lines), text=text)

    def _block(self, statements: Iterable[tree.Statement], depth: int) -> str:
        """Statements as the body of another statement: all lines except the first are indented."""
        lines: list[str] = []
        for view in self.statements(statements, depth):
            lines += [""] if view.gap else []
            lines += [view.indent + line for line in view.leading]
            lines += [view.indent + view.text] if view.text else []
        return "\n".join(lines).lstrip(" ")

    def _form(self, form: str, depth: int, /, *facts: str, **slots: str) -> str:
        filled = tuple([slot for slot, code in slots.items() if code])
        parts = list(self.words.parts(form, filled, facts))
        parts[::2] = [part.replace("\n", "\n" + _STEP * depth) for part in parts[::2]]
        parts[1::2] = [slots[part] for part in parts[1::2]]
        return "".join(parts)

    def statement(self, statement: tree.Statement, depth: int) -> _Printed:
        """A printed statement at indentation level `depth`."""
        printed = self.printer.print
        match statement:
            case tree.Assign():
                return self._assign(statement, depth)
            case tree.Unpack():
                return self._unpack(statement, depth)
            case tree.Do():
                value = printed(statement.value)
                text = self._form("do", depth, call=value)
                return replace(_commented("do", statement.comments, text, value), close=statement.close)
            case tree.For():
                assert statement.loop.condition is None
                targets, values = self.printer.heads(statement.loop)
                body = self._block(statement.body, depth + 1)
                text = self._form("for", depth, targets=targets, values=values, body=body)
                return _Printed(kind="for", text=text, close=statement.close, is_long=_is_long(targets, values))
            case tree.Define():
                return self._define(statement, depth)
            case tree.Record():
                return self._record(statement, depth)
            case tree.Remark():
                return _Printed(kind="remark", leading=comment_lines(statement.lines))
        assert_never(statement)

    def _assign(self, statement: tree.Assign, depth: int) -> _Printed:
        target = statement.target
        named = self.printer.print(tree.name(target) if isinstance(target, tree.Variable) else target)
        annotation = self.printer.print(statement.annotation) if statement.annotation is not None else ""
        value = self.printer.marked(statement.origin, self.printer.print(statement.value))
        text = self._form("assign", depth, target=named, annotation=annotation, value=value)
        printed = _commented("assign", statement.comments, text, value, target=named)
        return replace(printed, is_long=_is_long(named, annotation, value))

    def _unpack(self, statement: tree.Unpack, depth: int) -> _Printed:
        names = [self.printer.print(tree.name(target)) for target in statement.targets]
        types = [self.printer.print(annotation) for annotation in statement.annotations]
        declarations = [f"{name}: {t}" for name, t in zip(names, types, strict=True)]
        lines = ("\n" + _STEP * depth).join(declarations)
        targets, value = ", ".join(names), self.printer.print(statement.value)
        text = self._form("unpack", depth, declarations=lines, targets=targets, value=value)
        return _Printed(kind="unpack", text=text, is_long=_is_long(targets, value))

    def _define(self, statement: tree.Define, depth: int) -> _Printed:
        body = self._block(statement.body, depth + 1)
        if statement.result is not None:
            result = self._form("return", depth + 1, value=self.printer.print(statement.result))
            body = f"{body}\n\n{_STEP * (depth + 1)}{result}" if body else result
        name, parameter = (self.printer.print(tree.name(v)) for v in (statement.name, statement.parameter))
        annotated = f"{parameter}: {self.printer.print(statement.annotation)}"
        returns = self.printer.print(statement.returns)
        text = self._form("define", depth, name=name, parameter=annotated, returns=returns, body=body)
        leading = comment_lines(statement.comments.leading + statement.comments.trailing)
        return _Printed(kind="define", leading=leading, text=text + "\n", is_long=_is_long(name, annotated, returns))

    def _record(self, statement: tree.Record, depth: int) -> _Printed:
        lines = [f"{name}: {self.printer.print(annotation)}" for name, annotation in statement.members]
        name, base = self.printer.print(tree.name(statement.name)), self.printer.print(statement.base)
        members = ("\n" + _STEP * (depth + 1)).join(lines)
        slots = {"name": name, "base": base, "members": members}
        text = self._form("record", depth, "" if statement.total else "partial", **slots)
        return _Printed(kind="record", leading=comment_lines(statement.comments.leading), text=text, is_long=True)

    def component(self, component: tree.ComponentClass) -> ComponentView:
        named = [(self.printer.print(tree.name(p.variable)), p) for p in component.all_parameters]
        *parameters, options = [self._parameter(name, parameter, parameter.default) for name, parameter in named]
        return ComponentView(
            name=component.name,
            base=self.printer.print(component.base),
            doc=quote.docstring(component.doc),
            members=tuple(self._parameter(member.name, member) for member in component.members),
            resource_name=self.printer.print(tree.name(component.resource_name)),
            parameters=tuple(parameters),
            options=options,
            body=self.statements(component.body, depth=2),
        )

    def _parameter(
        self, name: str, declared: tree.Parameter | tree.Member, default: tree.Expr | None = None
    ) -> ParameterView:
        annotation = self.printer.print(declared.annotation)
        value = self.printer.print(default) if default is not None else ""
        if self.recorder is not None and declared.origin is not None:
            before, behind = self.recorder.marks(declared.origin)
            name = before + name
            annotation, value = (annotation, value + behind) if value else (annotation + behind, value)
        doc = comment_lines(without_gaps(declared.doc))
        return ParameterView(name=name, annotation=annotation, default=value, doc=doc)


def _commented(kind: str, comments: Comments, text: str, value: str, *, target: str = "") -> _Printed:
    leading, trailing = comment_lines(comments.leading), comment_lines(comments.trailing)
    # After a multi-line statement, a comment would belong to its last line only.
    if len(trailing) > 1 or "\n" in value or printed_length(value) + len(target) > _WIDTH:
        leading, trailing = leading + trailing, ()
    behind = "".join(f"  {line}" for line in trailing)
    return _Printed(kind=kind, leading=leading, text=text + behind, is_long=_is_long(target, value))


def _is_apart(statement: _Printed, before: _Printed, *, is_other: bool) -> bool:
    """Return whether an empty line separates the statements: around long statements and between groups (`is_other`)."""
    if before.kind == "remark" or statement.close:
        return False
    return bool(statement.leading) or is_other or statement.is_long or before.is_long


def _is_long(*parts: str) -> bool:
    return sum(map(printed_length, parts)) + 3 > _WIDTH or "\n" in parts[-1]


# -- names ------------------------------------------------------------------------------------------------------------------

def assign_names(file: tree.File, *, beside: bool = False) -> Spellings:
    """The names of `file`; with `beside` it imports all helpers that it uses.

    Raises `BrokenTreeError` when its variables are inconsistent.
    """
    finder = _Finder(beside=beside)
    scope = outline(file)
    finder.claim_imports(scope, file)
    naming = Naming(NameTable(RESERVED), finder.spelling, hoists=True)
    if file.component is not None:
        naming.spellings.update((variable, variable.preferred_names[0]) for variable in file.component.variables)
    naming.assign(scope, finder.table)
    check(scope, naming.spellings, finder.spelling, Rules(path=file.path, is_name=str.isidentifier, hoists=True))
    helpers = tuple(sorted(finder.helpers))
    return Spellings(variables=naming.spellings, modules=finder.modules, direct=finder.direct, helpers=helpers)


class _Finder(Struct):
    beside: bool
    table: NameTable = field(default_factory=lambda: NameTable(RESERVED))
    modules: dict[tree.Module, str] = field(default_factory=dict)
    direct: dict[tuple[tree.Module, str], str] = field(default_factory=dict)
    helpers: dict[str, None] = field(default_factory=dict)

    def claim_imports(self, scope: Scope, file: tree.File) -> None:
        """Claim the names of the file's imports."""
        imported: dict[tree.Module, None] = {}
        direct: dict[tuple[tree.Module, str], None] = {}
        for use in scope.walk():
            if type(use) is tree.Imported:
                if use.direct:
                    direct[use.module, use.name] = None
                else:
                    imported[use.module] = None
            elif type(use) is tree.Helper:
                self.helpers[use.key] = None
        for key in sorted(self.helpers if self.beside else CHECKERS & self.helpers.keys()):
            del self.helpers[key]
            self.table.reserve(key)
            self.direct[CHECKS if key in CHECKERS else BESIDE, key] = key
        self.helpers.update(dict.fromkeys(file.helpers))
        for key in sorted(self.helpers):
            imported.update(dict.fromkeys(HELPERS[key].modules))
            direct.update(dict.fromkeys(HELPERS[key].direct))
        self.table.reserve(*self.helpers)
        if file.component is not None:
            # Callers use the names of the parameters, so parameters get their names before modules and variables.
            variables = file.component.variables
            self.table.reserve(file.component.name, *(variable.preferred_names[0] for variable in variables))
        for module in sorted(imported, key=lambda m: (m.group, m.path != "pulumi", m.path)):
            self.modules[module] = self.table.claim(module.alias, module.path.replace(".", "_"))
        for module, name in sorted(direct, key=lambda pair: (pair[0].group, pair[0].path, pair[1])):
            self.direct[module, name] = self.table.claim(name)

    def spelling(self, use: object) -> str:
        """The name of an import or a helper."""
        match use:
            case tree.Imported(direct=True):
                return self.direct[use.module, use.name]
            case tree.Imported():
                return self.modules[use.module]
            case tree.Helper():
                return use.key
            case _:
                raise AssertionError(use)
