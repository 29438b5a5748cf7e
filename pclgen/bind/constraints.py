"""Checks of values against rules: known values now, other values in the running program (language.md, Constraints).

A value that only a run can check is wrapped in a call of `stdlib.checks.KEPT`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pclgen.bind.context import Context
from pclgen.core import expr as core
from pclgen.core.predicates import unconverted
from pclgen.diagnostics import structure as say
from pclgen.diagnostics.model import Note
from pclgen.source.text import Span
from pclgen.stdlib.checks import KEPT, rule_text
from pclgen.types import model as ty
from pclgen.types.rules import ENUM, ITEMS, MEMBERS, TEXTS, VALUES, Rule, enforced, inner_rule, own_violation


def kept(
    cx: Context,
    value: core.Expr,
    rule: Rule | None,
    where: str,
    *,
    because: Sequence[Note] = (),
    type_: ty.Type | None = None,
) -> core.Expr:
    """Check `value` against `rule` for a place of type `type_` (None: its own type).

    A value that was checked against the same rule before is not checked again.
    """
    rule = enforced(rule)
    if rule is None or value.type is ty.ERROR or _is_checked(cx, value, rule):
        return value
    checker = _Checker(cx, because)
    is_decided = checker.is_decided(value, rule, where, None)
    if is_decided or checker.reported:
        return value
    return checked_later(value, rule, where, type_)


def _is_checked(cx: Context, value: core.Expr, rule: Rule) -> bool:
    """Return whether a value was already checked against every argument of a rule."""
    value = unconverted(value)
    checked = cx.checked.get(value.symbol) if isinstance(value, core.Ref) else None
    return checked is not None and all(checked.get(word) == argument for word, argument in rule.items())


def checked_later(value: core.Expr, rule: Rule, where: str, expected: ty.Type | None = None) -> core.Expr:
    """Let the running program check `value`, for a place of type `expected`.

    Messages do not show eventual values, which may be secret.
    """
    checked_rule = rule if not value.type.eventual else {**rule, "hidden": True}
    own = ty.resolve(value.type)
    plain = own if expected is None else ty.resolve(expected)
    plain = plain if ty.is_optional(own) else ty.without_none(plain)
    type_ = ty.output_of(plain) if value.type.eventual else plain
    text = rule_text(checked_rule)
    facts = [core.Literal(value=fact, type=ty.STRING, span=value.span) for fact in (where, text)]
    return core.Call(function=KEPT, args=(value, *facts), expand=False, type=type_, span=value.span)


class _Checker(Struct, eq=False):
    """The check of one value; `reported` is set if it breaks a rule. A trial adds no diagnostic."""

    cx: Context
    because: Sequence[Note]
    reported: bool = False
    is_trial: bool = False

    def is_decided(self, value: core.Expr, rule: Rule, where: str, place: Span | None) -> bool:
        """Check the known parts; return whether every part that the rule constrains is known.

        Diagnostics point at `place`, or else at the value.
        """
        if _is_checked(self.cx, value, enforced(rule) or {}):
            return True
        constant = self.constant(value)
        match constant:
            case core.Literal():
                self.look(constant.value, rule, where, place or value.span)
                return True
            case core.ListExpr():
                place = place or (value.span if constant is not value and isinstance(value, core.Ref) else None)
                parts: list[object] = [self.plain(element) for element in constant.elements]
                distinct = None not in parts or "uniqueItems" not in rule
                self.look([part if part is not None else object() for part in parts], rule, where, place or value.span)
                inner = inner_rule(rule, 0)
                elements = enumerate(constant.elements if inner is not None else ())
                each = [self.is_decided(e, inner or {}, f"{where}[{i}]", place) for i, e in elements]
                return distinct and all(each)
            case core.ObjectExpr():
                return self.members(constant, value, (rule, where, place))
            case core.Conditional():
                return self.branches(constant, rule, where, place)
            case _:
                return False

    def branches(self, conditional: core.Conditional, rule: Rule, where: str, place: Span | None) -> bool:
        """Check both branches. Only a run shows which branch counts, so it is an error only if both break the rule."""
        trials = [_Checker(self.cx, self.because, is_trial=True) for _ in range(2)]
        both = zip(trials, (conditional.then, conditional.otherwise), strict=True)
        outcomes = [trial.is_decided(branch, rule, where, place) for trial, branch in both]
        wrong = [trial.reported for trial in trials]
        if all(wrong) and self.is_trial:
            self.reported = True
        elif all(wrong):
            self.is_decided(conditional.then, rule, where, place)
        return all(outcomes) and not any(wrong)

    def members(self, constant: core.ObjectExpr, value: core.Expr, context: tuple[Rule, str, Span | None]) -> bool:
        rule, where, place = context
        place = place or (value.span if isinstance(value, core.Ref) else None)
        if not all(isinstance(item.key, core.Literal) for item in constant.items):
            return False
        self.look(dict.fromkeys(str(i) for i in range(len(constant.items))), rule, where, place or value.span)
        is_decided = True
        for item in constant.items:
            assert isinstance(item.key, core.Literal)
            name = str(item.key.value)
            inner = inner_rule(rule, name)
            if inner is not None:
                is_decided = self.is_decided(item.value, inner, f"{where}.{name}", place) and is_decided
        return is_decided

    def look(self, value: object, rule: Rule, where: str, span: Span) -> None:
        """Report a value that breaks the rule itself; its components are checked separately."""
        own = {word: rule[word] for word in rule if word not in (ITEMS, MEMBERS, VALUES)}
        violation = own_violation(value, own, where)
        if violation is not None and not self.reported:
            self.reported = True
            if self.is_trial:
                return
            allowed = own.get(ENUM) or own.get(TEXTS)
            values = [text for text in allowed if isinstance(text, str)] if isinstance(allowed, list | tuple) else ()
            self.cx.report_softly(say.broken_rule(violation, span, self.because, written=value, values=values))

    def constant(self, value: core.Expr) -> core.Expr:
        """The expression behind conversions and names of locals."""
        for _ in range(100):
            if isinstance(value, core.Convert):
                value = value.value
            elif isinstance(value, core.Ref) and value.symbol in self.cx.definitions and not value.symbol.type.eventual:
                definition = self.cx.definitions[value.symbol]
                if not isinstance(
                    definition, core.Literal | core.ListExpr | core.ObjectExpr | core.Ref | core.Convert
                ) or _is_loop(value):
                    break
                value = definition
            else:
                break
        return value

    def plain(self, value: core.Expr) -> object:
        """The value of a known scalar, else None."""
        constant = self.constant(value)
        return constant.value if isinstance(constant, core.Literal) else None


def _is_loop(value: core.Ref) -> bool:
    return str(value.symbol.kind) not in ("local", "config")
