"""Prints expressions of the Python tree; black lays the text out afterwards.

The text is on one line except for comments and texts in triple quotes, with as few parentheses as precedence allows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final, assert_never

from msgspec import Struct
from msgspec.structs import replace

from pclgen.core.expr import Comments
from pclgen.emit.forms import Forms
from pclgen.targets.comments import comment_line, without_gaps
from pclgen.targets.origins import Attribute, Recorder
from pclgen.targets.python import quote, tree
from pclgen.targets.python.quote import QUOTES, QuotesExhaustedError
from pclgen.targets.python.tree import walk

_LAMBDA, _IF, _OR, _AND, _NOT, _COMPARE, _ADD, _MULTIPLY, _SIGN, _POSTFIX, _ATOM = range(1, 12)

_BINARY: Mapping[str, int] = {
    "or": _OR,
    "and": _AND,
    **dict.fromkeys(("==", "!=", "<", "<=", ">", ">=", "is", "is not", "in"), _COMPARE),
    "+": _ADD,
    "-": _ADD,
    "*": _MULTIPLY,
    "/": _MULTIPLY,
    "%": _MULTIPLY,
}


class Spellings(Struct, frozen=True, kw_only=True):
    """The final names of one file.

    They are those of variables, modules (`import path as alias`), direct imports (`from module import name`), helpers.
    """

    variables: Mapping[tree.Variable, str]
    modules: Mapping[tree.Module, str]
    direct: Mapping[tuple[tree.Module, str], str]
    helpers: tuple[str, ...] = ()


class Printer(Struct, frozen=True):
    """Prints with one set of names.

    `quotes` are the quotes that no enclosing f-string uses, `loops` the variables of enclosing comprehensions.  With a
    `recorder`, attributes are marked.
    """

    spellings: Spellings
    words: Forms
    recorder: Recorder | None = None
    quotes: tuple[str, ...] = QUOTES
    loops: frozenset[tree.Variable] = frozenset()

    def print(self, expr: tree.Expr, level: int = 0) -> str:
        """`expr`, in parentheses when it binds less tightly than `level`."""
        text = self._print(expr)
        return f"({text})" if _precedence(expr) < level else text

    def _print(self, expr: tree.Expr) -> str:
        match expr:
            case tree.Name():
                return self.spellings.variables[expr.variable]
            case tree.Builtin():
                return expr.name
            case tree.Imported():
                return self._imported(expr)
            case tree.Helper():
                return expr.key
            case tree.Constant():
                return self._constant(expr)
            case tree.FormatString():
                return self._format_string(expr)
            case tree.ListDisplay():
                return self._list(expr)
            case tree.Pair():
                return f"({self.print(expr.first, _IF)}, {self.print(expr.second, _IF)})"
            case tree.DictDisplay():
                return self._dict(expr)
            case tree.Call():
                return self._call(expr)
            case tree.Attribute():
                return f"{self._receiver(expr.value)}.{expr.name}"
            case tree.Subscript():
                return f"{self._receiver(expr.value)}[{', '.join(self.print(key) for key in expr.keys)}]"
            case tree.Unary():
                return self._unary(expr)
            case tree.Binary():
                return self._binary(expr)
            case tree.IfElse():
                return self._if_else(expr)
            case tree.Lambda():
                return self._lambda(expr)
            case tree.ListComprehension():
                inner = self._inside(expr.loop)
                return f"[{inner.print(expr.element, _IF)} {self.loop(expr.loop)}]"
            case tree.DictComprehension():
                inner = self._inside(expr.loop)
                pair = f"{inner.print(expr.key, _IF)}: {inner.print(expr.value, _IF)}"
                return f"{{{pair} {self.loop(expr.loop)}}}"
        assert_never(expr)

    def _imported(self, expr: tree.Imported) -> str:
        if expr.direct:
            return self.spellings.direct[expr.module, expr.name]
        return f"{self.spellings.modules[expr.module]}.{expr.name}"

    def _receiver(self, expr: tree.Expr) -> str:
        text = self.print(expr, _POSTFIX)
        # `1.real` is a malformed number.
        return f"({text})" if text.isdecimal() else text

    def _constant(self, expr: tree.Constant) -> str:
        match expr.value:
            case None | bool():
                return str(expr.value)
            case int() | Decimal():
                return number(expr.value)
            case str():
                if expr.multiline and self.quotes == QUOTES and "\n" in expr.value:
                    return quote.quote_lines(expr.value)
                return quote.quote(expr.value, self.quotes)
        assert_never(expr.value)

    def _format_string(self, expr: tree.FormatString) -> str:
        multiline = expr.multiline and self.quotes == QUOTES and _has_newline(expr.parts)
        try:
            return self._f_string(expr.parts, multiline=multiline)
        except QuotesExhaustedError:
            return self._format_call(expr.parts, multiline=multiline)

    def _f_string(self, parts: Sequence[str | tree.Hole], *, multiline: bool) -> str:
        literal = "".join(part for part in parts if isinstance(part, str))
        mark = '"' if multiline else quote.choose(literal, self.quotes)
        inner = replace(self, quotes=tuple(q for q in self.quotes if q != mark))
        escaped = [_escape(part, mark, multiline=multiline) for part in _merge(parts)]
        for part in escaped:
            if isinstance(part, str):
                quote.refuse_inside(part, self.quotes)
        body = "".join(quote.braces(part) if isinstance(part, str) else inner._hole(part) for part in escaped)
        return f'f"""\\\n{body}"""' if multiline else f"f{mark}{body}{mark}"

    def _hole(self, hole: tree.Hole) -> str:
        text = self.print(hole.value, _IF)
        if "\\" in text or "\n" in text or "#" in text:
            raise QuotesExhaustedError
        spec = f":{hole.spec}" if hole.spec else ""
        # `{{` would be a brace.
        return f"{{ {text}{spec}}}" if text.startswith("{") else f"{{{text}{spec}}}"

    def _format_call(self, parts: Sequence[str | tree.Hole], *, multiline: bool) -> str:
        holes = [part for part in parts if isinstance(part, tree.Hole)]
        text = "".join(
            quote.braces(part) if isinstance(part, str) else ("{:" + part.spec + "}" if part.spec else "{}")
            for part in parts
        )
        literal = self._constant(tree.Constant(value=text, multiline=multiline))
        return f"{literal}.format({', '.join(self.print(hole.value, _IF) for hole in holes)})"

    def _list(self, expr: tree.ListDisplay) -> str:
        values = [
            (("*" if item.starred else "") + self.print(item.value, _ADD if item.starred else _IF), item.comments)
            for item in expr.items
        ]
        return "[" + self._join(values, expr.closing) + "]"

    def _dict(self, expr: tree.DictDisplay) -> str:
        entries = [(self._entry(entry), entry.comments) for entry in expr.entries]
        return "{" + self._join(entries, expr.closing) + "}"

    def marked(self, origin: Attribute | None, text: str) -> str:
        """`text` with marks of its origin, if there is a recorder."""
        if self.recorder is None or origin is None:
            return text
        return self.recorder.around(text, origin)

    def _entry(self, entry: tree.Entry) -> str:
        if entry.key is None:
            return "**" + self.print(entry.value, _OR)
        return self.marked(entry.origin, f"{self.print(entry.key, _IF)}: {self.print(entry.value, _IF)}")

    def _call(self, expr: tree.Call) -> str:
        args = [(self._argument(argument), argument.comments) for argument in expr.args]
        text = f"{self._receiver(expr.function)}({self._join(args, expr.closing)})"
        before, after = self.words.around("construct", "construction", (expr.token,)) if expr.token else ("", "")
        return before + text + after

    def _argument(self, argument: tree.Argument) -> str:
        if argument.name.startswith("*"):
            return argument.name + self.print(argument.value, _OR)
        value = self.print(argument.value, _LAMBDA)
        return self.marked(argument.origin, f"{argument.name}={value}" if argument.name else value)

    def _join(self, parts: Sequence[tuple[str, Comments]], closing: tuple[str, ...]) -> str:
        inside_text = self.quotes != QUOTES
        if inside_text or not (closing or any(c.leading or c.trailing for _, c in parts)):
            return ", ".join(text for text, _ in parts)
        lines = [""]
        for text, comments in parts:
            lines += comment_lines(without_gaps(comments.leading))
            trailing = "  ".join(comment_lines(comments.trailing))
            lines.append(f"{text},  {trailing}" if trailing else f"{text},")
        return "\n".join([*lines, *comment_lines(without_gaps(closing)), ""])

    def _unary(self, expr: tree.Unary) -> str:
        if expr.operator == "not":
            return f"not {self.print(expr.operand, _NOT)}"
        return expr.operator + self.print(expr.operand, _SIGN)

    def _binary(self, expr: tree.Binary) -> str:
        level = _BINARY[expr.operator]
        # Comparisons chain in Python, so neither operand may be a comparison.
        left = self.print(expr.left, level + 1 if level == _COMPARE else level)
        # `and`, `or` and text concatenation are associative; the others group to the left.
        right = self.print(expr.right, level if expr.operator in ("and", "or") else level + 1)
        return f"{left} {expr.operator} {right}"

    def _if_else(self, expr: tree.IfElse) -> str:
        then, condition = self.print(expr.then, _OR), self.print(expr.condition, _OR)
        return f"{then} if {condition} else {self.print(expr.otherwise, _OR)}"

    def _lambda(self, expr: tree.Lambda) -> str:
        """A lambda that captures the loop variables that it uses as parameters with defaults.

        A deferred call would otherwise see their values at the time of the call.  A lambda without parameters is called
        immediately and captures no variables.
        """
        captured = self._captured(expr.body) if expr.parameters else []
        inner = replace(self, loops=frozenset()) if expr.parameters else self
        names = [self.spellings.variables[parameter] for parameter in expr.parameters]
        names += [f"{name}={name}" for name in (self.spellings.variables[variable] for variable in captured)]
        body = inner.print(expr.body, _LAMBDA if names else 0)
        return f"lambda {', '.join(names)}: {body}" if names else f"lambda: {body}"

    def _captured(self, body: tree.Expr) -> list[tree.Variable]:
        """The variables of enclosing loops that `body` uses, sorted by name."""
        if not self.loops:
            return []
        used = [part.variable for part in walk((body,)) if isinstance(part, tree.Name) and part.variable in self.loops]
        return sorted(set(used), key=lambda variable: self.spellings.variables[variable])

    def _inside(self, loop: tree.Loop) -> Printer:
        """The printer for the repeated parts of a comprehension."""
        return replace(self, loops=self.loops.union(loop.targets))

    def loop(self, loop: tree.Loop) -> str:
        """`for targets in iterable if condition`."""
        targets, values = self.heads(loop)
        condition = f" if {self._inside(loop).print(loop.condition, _OR)}" if loop.condition is not None else ""
        return f"for {targets} in {values}{condition}"

    def heads(self, loop: tree.Loop) -> tuple[str, str]:
        """The targets of a loop, and its iterable."""
        return ", ".join(self.spellings.variables[target] for target in loop.targets), self.print(loop.iterable, _OR)


def number(value: int | Decimal) -> str:
    """`value` as a Python literal: an int when it is whole and not huge, otherwise a float."""
    if value == int(value) and -(2**63) < value < 2**63:
        return str(int(value))
    return repr(float(value))


# Words to find in comments of programs; nothing is silenced here.
_DIRECTIVES = re.compile(r"type: ?ignore|mypy:|pyright:|ty:|pylint:|ruff:|isort:|flake8:|noqa|fmt: ?(off|on|skip)|yapf:")
"""Directives in comments for type checkers, formatters and linters."""

_CODING = re.compile(r"(coding)([:=])")
"""The declaration of a file's encoding: Python searches the first two lines for it."""


def comment_lines(lines: tuple[str, ...]) -> tuple[str, ...]:
    """Comment texts as Python comments."""
    return tuple([comment_line("#", _CODING.sub(r"\1 \2", line), _DIRECTIVES) for line in lines])


_LOOSE: Final = (tree.Lambda, tree.IfElse, tree.Binary, tree.Unary, tree.Constant)
"""The classes of expressions that may need parentheses."""


def _precedence(expr: tree.Expr) -> int:
    if type(expr) not in _LOOSE:
        return _ATOM
    match expr:
        case tree.Lambda():
            return _LAMBDA
        case tree.IfElse():
            return _IF
        case tree.Binary():
            return _BINARY[expr.operator]
        case tree.Unary():
            return _NOT if expr.operator == "not" else _SIGN
        case tree.Constant(value=int() | Decimal() as value) if not isinstance(value, bool):
            return _ATOM if value >= 0 else _SIGN
        case _:
            return _ATOM


def _has_newline(parts: Sequence[str | tree.Hole]) -> bool:
    return any(isinstance(part, str) and "\n" in part for part in parts)


def _merge(parts: Sequence[str | tree.Hole]) -> list[str | tree.Hole]:
    """Merge adjacent texts, so that escaping sees every run of quotes in full."""
    merged: list[str | tree.Hole] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    return merged


def _escape(part: str | tree.Hole, mark: str, *, multiline: bool) -> str | tree.Hole:
    if isinstance(part, tree.Hole):
        return part
    return quote.escape_lines(part) if multiline else quote.escape(part, mark)
