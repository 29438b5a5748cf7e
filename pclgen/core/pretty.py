"""Expressions and programs as text, for tests and for developers of pclgen.

The text is compact and shows the decisions of lowering; it is close to PCL but not PCL.

    Apply([r.out], [out], "x${out}")   ->   apply(r.out as out => "x${out}")
    All([r.out, "a"])                  ->   all([r.out, "a"])
    Convert(r.out, int)                ->   convert<int>(r.out)

Names are the names of symbols; a `'` distinguishes different symbols of the same name in one text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from pclgen.core import expr as core
from pclgen.core import program as prog
from pclgen.types.model import OutputType
from pclgen.types.show import show, show_value


class Names:
    """Unique names for symbols, the same in every run."""

    def __init__(self) -> None:
        self._names: dict[core.Symbol, str] = {}
        self._taken: set[str] = set()

    def __call__(self, symbol: core.Symbol) -> str:
        """The name of `symbol` in this text."""
        name = self._names.get(symbol)
        if name is None:
            name = symbol.name
            while name in self._taken:
                name += "'"
            self._taken.add(name)
            self._names[symbol] = name
        return name


def pretty(expr: core.Expr, *, types: bool = False) -> str:
    """`expr` on one line; `types` adds the type of every operation, call and construction as `:(type)`."""
    return Printer(Names(), types).show(expr)


def pretty_program(program: prog.Program, *, types: bool = False) -> str:
    """`program` with a line for each part, its components below it."""
    printer = Printer(Names(), types)
    lines = [line for node in program.nodes for line in printer.node(node)]
    for component in program.components:
        body = pretty_program(component.program, types=types)
        lines += ["", f"component {component.name} ({component.path}):"]
        lines += [f"  {line}" if line else "" for line in body.splitlines()]
    return "\n".join(lines) + ("\n" if lines else "")


class Printer:
    """Prints expressions and nodes of one text; see `Names`."""

    def __init__(self, names: Names, types: bool = False) -> None:
        self._name = names
        self._types = types

    def node(self, node: prog.Node) -> list[str]:
        """The lines of a node."""
        return _node_lines(node, self, self._name)

    def show(self, expr: core.Expr) -> str:
        """An expression on one line."""
        text = self._text(expr)
        if self._types and not isinstance(expr, core.Literal | core.Ref | core.PropertyPath | core.Invalid):
            return f"{text}:({show(expr.type)})"
        return text

    def _text(self, expr: core.Expr) -> str:
        match expr:
            case core.Literal():
                return show_value(expr.value)
            case core.Ref():
                return self._name(expr.symbol)
            case core.Attr():
                return f"{self._operand(expr.source)}.{expr.name}"
            case core.Index():
                return f"{self._operand(expr.source)}[{self.show(expr.key)}]"
            case core.ListExpr():
                return f"[{self._list(expr.elements)}]"
            case core.ObjectExpr():
                return self._object(expr)
            case core.Template():
                return self._template(expr)
            case core.Unary():
                return f"{expr.operator}{self._operand(expr.operand)}"
            case core.Binary():
                return f"{self._operand(expr.left)} {expr.operator} {self._operand(expr.right)}"
            case core.Conditional():
                parts = (expr.condition, expr.then, expr.otherwise)
                condition, then, otherwise = (self._operand(part) for part in parts)
                return f"{condition} ? {then} : {otherwise}"
            case core.For():
                return self._for(expr)
            case core.Call():
                return f"{expr.function.name}({self._list(expr.args)}{'...' if expr.expand else ''})"
            case core.Invoke():
                return self._invoke(expr)
            case core.MethodCall():
                args = "" if expr.args is None else self.show(expr.args)
                return f"{self._operand(expr.receiver)}.call:{expr.name}({args})"
            case core.Convert():
                return f"convert<{show(expr.type)}>({self.show(expr.value)})"
            case core.PropertyPath():
                return f"path({show_value(expr.path)})"
            case core.Invalid():
                return "invalid"
            case core.Apply():
                return self._apply(expr)
            case core.All():
                return f"all({self.show(expr.value)})"
            case _:
                assert_never(expr)

    def _operand(self, expr: core.Expr) -> str:
        text = self.show(expr)
        if isinstance(expr, core.Binary | core.Conditional) and not self._types:
            return f"({text})"
        return text

    def _list(self, parts: Sequence[core.Expr]) -> str:
        return ", ".join(self.show(part) for part in parts)

    def _object(self, expr: core.ObjectExpr) -> str:
        return "{" + ", ".join(self._item(item) for item in expr.items) + "}"

    def _item(self, item: core.ObjectItem) -> str:
        when = "" if item.when is None else f" if {self.show(item.when)}"
        return f"{self._key(item.key)} = {self.show(item.value)}{when}"

    def _key(self, key: core.Expr) -> str:
        if isinstance(key, core.Literal) and isinstance(key.value, str):
            return key.value if key.value.isidentifier() else show_value(key.value)
        return f"({self.show(key)})"

    def _template(self, expr: core.Template) -> str:
        parts = [
            show_value(part.value)[1:-1].replace("${", "$${")
            if isinstance(part, core.Literal) and isinstance(part.value, str)
            else "${" + self.show(part) + "}"
            for part in expr.parts
        ]
        mark = "i" if isinstance(expr.type, OutputType) else ""
        return f'{mark}"{"".join(parts)}"'

    def _for(self, expr: core.For) -> str:
        key = "" if expr.key is None else f"{self._name(expr.key)}, "
        head = f"for {key}{self._name(expr.value)} in {self.show(expr.collection)} : "
        tail = "" if expr.condition is None else f" if {self.show(expr.condition)}"
        result = self.show(expr.result)
        if expr.result_key is None:
            return f"[{head}{result}{tail}]"
        group = "..." if expr.group else ""
        return "{" + f"{head}{self.show(expr.result_key)} => {result}{group}{tail}" + "}"

    def _invoke(self, expr: core.Invoke) -> str:
        name = "invoke_output" if expr.output_form else "invoke"
        args = "" if expr.args is None else f", {self.show(expr.args)}"
        options = "".join(f", {name}: {self.show(value)}" for name, value in expr.options.items())
        return f"{name}({expr.token}{args}{options})"

    def _apply(self, expr: core.Apply) -> str:
        pairs = zip(expr.args, expr.parameters, strict=True)
        args = ", ".join(f"{self.show(arg)} as {self._parameter(symbol)}" for arg, symbol in pairs)
        return f"apply({args} => {self.show(expr.body)})"

    def _parameter(self, symbol: core.Symbol) -> str:
        return f"{self._name(symbol)}:({show(symbol.type)})" if self._types else self._name(symbol)



def _node_lines(node: prog.Node, printer: Printer, names: Names) -> list[str]:
    match node:
        case prog.ConfigVariable():
            default = "" if node.default is None else f" = {printer.show(node.default)}"
            return [f"config {names(node.symbol)}: {show(node.symbol.type)}{default}"]
        case prog.Local():
            return [f"{names(node.symbol)} = {printer.show(node.value)}"]
        case prog.Resource():
            verb = "resource" if node.read_id is None else f"read({printer.show(node.read_id)})"
            return [f"{verb} {names(node.symbol)} {node.token}", *_body_lines(node, printer)]
        case prog.ComponentUse():
            source = node.token if node.component is None else node.component.path
            return [f"component {names(node.symbol)} {source}", *_body_lines(node, printer)]
        case prog.Hook():
            lines = [f"hook {names(node.symbol)}", f"  command = {printer.show(node.command)}"]
            if node.on_dry_run is not None:
                lines.append(f"  onDryRun = {printer.show(node.on_dry_run)}")
            if node.ignore_errors is not None:
                lines.append(f"  ignoreErrors = {printer.show(node.ignore_errors)}")
            return lines
        case prog.OutputVariable():
            return [f"output {node.logical_name} = {printer.show(node.value)}"]
        case prog.PulumiSettings():
            value = node.required_version_range
            return ["pulumi" if value is None else f"pulumi {printer.show(value)}"]
        case _:
            assert_never(node)


def _body_lines(node: prog.Resource | prog.ComponentUse, printer: Printer) -> list[str]:
    lines = []
    if node.range is not None:
        lines.append(f"  range {node.range.kind} = {printer.show(node.range.value)}")
    lines += [_input_line(item, printer) for item in node.inputs]
    lines += [f"  option {option.name} = {printer.show(option.value)}" for option in node.options]
    return lines


def _input_line(input_: prog.Input, printer: Printer) -> str:
    return f"  {input_.name} = {printer.show(input_.value)}"
