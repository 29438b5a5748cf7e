"""What the templates see of a file: statements whose expressions are printed, imports in groups, helpers.

Comes in: a `tree.File`.  Goes out: a `FileView` of texts and ready booleans; the templates decide nothing but layout.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from pclgen.core.expr import Comments
from pclgen.records import dataclass
from pclgen.targets.python import quote, tree
from pclgen.targets.python.allot import Allotment, allot
from pclgen.targets.python.printer import Printer, comment_lines

_WIDTH = 88


@dataclass(frozen=True, slots=True, kw_only=True)
class StatementView:
    """One statement: `kind` chooses the form, `gap` asks for an empty line above it, `indent` is white space."""

    kind: str
    indent: str = ""
    leading: tuple[str, ...] = ()
    trailing: str = ""
    gap: bool = False
    target: str = ""
    annotation: str = ""
    value: str = ""
    parameter: str = ""
    declarations: tuple[str, ...] = ()
    body: tuple[StatementView, ...] = ()
    close: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ParameterView:
    """A keyword of a constructor, and a member of a class (which has no default)."""

    name: str
    annotation: str
    default: str
    doc: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentView:
    """The class of a component; `doc` are the lines of its docstring."""

    name: str
    base: str
    doc: tuple[str, ...]
    members: tuple[ParameterView, ...]
    resource_name: str
    parameters: tuple[ParameterView, ...]
    options: ParameterView
    body: tuple[StatementView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileView:
    """A whole file; `imports` are groups of lines, `helpers` the templates of added functions."""

    path: str
    header: tuple[str, ...]
    imports: tuple[tuple[str, ...], ...]
    helpers: tuple[str, ...]
    statements: tuple[StatementView, ...]
    component: ComponentView | None


def view_file(file: tree.File) -> FileView:
    """`file` with its names found and its expressions printed."""
    names = allot(file)
    viewer = _Viewer(Printer(names.spellings))
    component = file.component
    return FileView(
        path=file.path,
        header=_standing(file.header),
        imports=_imports(names),
        helpers=tuple(f"python/helpers/{key}.py.jinja" for key in names.helpers),
        statements=viewer.statements(file.statements),
        component=viewer.component(component) if component is not None else None,
    )


def _imports(names: Allotment) -> tuple[tuple[str, ...], ...]:
    spellings = names.spellings
    lines: list[tuple[tree.Group, bool, str, str]] = []
    for module, alias in spellings.modules.items():
        renamed = f" as {alias}" if alias != module.path else ""
        lines.append((module.group, False, module.path, f"import {module.path}{renamed}"))
    taken: dict[tree.Module, list[str]] = {}
    for (module, name), alias in spellings.direct.items():
        taken.setdefault(module, []).append(name if alias == name else f"{name} as {alias}")
    for module, members in taken.items():
        members.sort()
        lines.append((module.group, True, module.path, f"from {module.path} import {', '.join(members)}"))
    lines.sort()
    groups = [tuple(line for group, _, _, line in lines if group is wanted) for wanted in tree.Group]
    return tuple(group for group in groups if group)


@dataclass(frozen=True, slots=True)
class _Viewer:
    printer: Printer

    def statements(self, statements: Iterable[tree.Statement], depth: int = 0) -> tuple[StatementView, ...]:
        views = [self._indented(self.statement(statement), depth) for statement in statements]
        spaced = [_with_gap(view, views[at - 1]) if at else view for at, view in enumerate(views)]
        return tuple(spaced)

    def _indented(self, view: StatementView, depth: int) -> StatementView:
        inner = tuple(self._indented(inner, depth + 1) for inner in view.body)
        return replace(view, indent="    " * depth, body=inner)

    def statement(self, statement: tree.Statement) -> StatementView:
        match statement:
            case tree.Assign():
                return self._assign(statement)
            case tree.Rebind():
                name = self.printer.print(tree.name(statement.target))
                return StatementView(kind="assign", target=name, value=self.printer.print(statement.value))
            case tree.Unpack():
                return self._unpack(statement)
            case tree.Do():
                value = self.printer.print(statement.value)
                return replace(_commented("do", statement.comments, value=value), close=statement.close)
            case tree.For():
                body = tuple(self.statement(inner) for inner in statement.body)
                loop = self.printer.loop(statement.loop)
                return StatementView(kind="for", target=loop, body=body, close=statement.close)
            case tree.Define():
                return self._define(statement)
            case tree.Remark():
                return StatementView(kind="remark", leading=_standing(statement.lines))
        assert_never(statement)

    def _assign(self, statement: tree.Assign) -> StatementView:
        target = statement.target
        named = tree.name(target) if isinstance(target, tree.Variable) else target
        annotation = self.printer.print(statement.annotation) if statement.annotation is not None else ""
        return _commented(
            "assign",
            statement.comments,
            target=self.printer.print(named),
            annotation=annotation,
            value=self.printer.print(statement.value),
        )

    def _unpack(self, statement: tree.Unpack) -> StatementView:
        names = [self.printer.print(tree.name(target)) for target in statement.targets]
        types = [self.printer.print(annotation) for annotation in statement.annotations]
        return StatementView(
            kind="unpack",
            declarations=tuple(f"{name}: {t}" for name, t in zip(names, types, strict=True)),
            target=", ".join(names),
            value=self.printer.print(statement.value),
        )

    def _define(self, statement: tree.Define) -> StatementView:
        body = [self.statement(inner) for inner in statement.body]
        if statement.result is not None:
            body.append(StatementView(kind="return", value=self.printer.print(statement.result)))
        name, parameter = (self.printer.print(tree.name(v)) for v in (statement.name, statement.parameter))
        return StatementView(
            kind="define",
            leading=_standing(statement.comments.leading + statement.comments.trailing),
            target=name,
            parameter=f"{parameter}: {self.printer.print(statement.annotation)}",
            annotation=self.printer.print(statement.returns),
            body=tuple(body),
        )

    def component(self, component: tree.ComponentClass) -> ComponentView:
        members = tuple(
            ParameterView(
                name=member.name,
                annotation=self.printer.print(member.annotation),
                default="",
                doc=tuple(comment_lines(member.doc)),
            )
            for member in component.members
        )
        return ComponentView(
            name=component.name,
            base=self.printer.print(component.base),
            doc=quote.docstring(component.doc),
            members=members,
            resource_name=self.printer.print(tree.name(component.resource_name)),
            parameters=tuple(self._parameter(parameter) for parameter in component.parameters),
            options=self._parameter(component.options),
            body=self.statements(component.body, depth=2),
        )

    def _parameter(self, parameter: tree.Parameter) -> ParameterView:
        return ParameterView(
            name=self.printer.print(tree.name(parameter.variable)),
            annotation=self.printer.print(parameter.annotation),
            default=self.printer.print(parameter.default) if parameter.default is not None else "",
            doc=tuple(comment_lines(parameter.doc)),
        )


def _standing(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Comments on lines of their own; what was an empty line between two of them is one again."""
    return tuple(line and comment for line, comment in zip(lines, comment_lines(lines), strict=True))


def _commented(kind: str, comments: Comments, *, value: str, target: str = "", annotation: str = "") -> StatementView:
    leading, trailing = list(_standing(comments.leading)), comment_lines(comments.trailing)
    # Behind a statement of several lines a comment would belong to its last line only.
    if len(trailing) > 1 or "\n" in value or len(value) + len(target) > _WIDTH:
        leading, trailing = leading + trailing, []
    return StatementView(
        kind=kind,
        leading=tuple(leading),
        trailing=trailing[0] if trailing else "",
        target=target,
        annotation=annotation,
        value=value,
    )


def _with_gap(view: StatementView, before: StatementView) -> StatementView:
    if before.kind == "remark" or view.close or not _apart(view, before):
        return view
    return replace(view, gap=True)


def _apart(view: StatementView, before: StatementView) -> bool:
    """Empty lines stand around what takes several lines, and between statements of different kinds."""
    return bool(view.leading) or view.kind != before.kind or _is_long(view) or _is_long(before)


def _is_long(view: StatementView) -> bool:
    length = sum(len(part) for part in (view.target, view.annotation, view.value)) + 3
    return length > _WIDTH or "\n" in view.value
