"""Values in places that have a rule: checked where they are known, else by the running program (language.md, Constraints).

A value that only a run can check is wrapped in a call of `stdlib.constraints.KEPT`.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pclgen.bind.context import Context
from pclgen.core.expr import Call, Conditional, Convert, Expr, ListExpr, Literal, ObjectExpr, Ref
from pclgen.diagnostics import structure as say
from pclgen.diagnostics.model import Note
from pclgen.source.text import Span
from pclgen.stdlib.constraints import KEPT, rule_text
from pclgen.types.model import ERROR, STRING, Type, is_optional, output_of, resolve, without_none
from pclgen.types.rules import ITEMS, MEMBERS, VALUES, Rule, enforced, inner_rule, own_violation


def kept(
    cx: Context, value: Expr, rule: Rule | None, where: str, *, because: Sequence[Note] = (), type_: Type | None = None
) -> Expr:
    """`value`, which is to keep `rule`, in a place of `type_` (None: of its own).

    What was looked at for the same rule before is not looked at again.
    """
    rule = enforced(rule)
    if rule is None or value.type is ERROR or _is_checked(cx, value, rule):
        return value
    checker = _Checker(cx, because)
    known = checker.known(value, rule, where, None)
    if known or checker.reported:
        return value
    return checked_later(value, rule, where, type_)


def _is_checked(cx: Context, value: Expr, rule: Rule) -> bool:
    """Whether a value was looked at for all that a rule asks, and maybe more."""
    while isinstance(value, Convert):
        value = value.value
    known = cx.checked.get(value.symbol) if isinstance(value, Ref) else None
    return known is not None and all(known.get(word) == found for word, found in rule.items())


def checked_later(value: Expr, rule: Rule, where: str, wanted: Type | None = None) -> Expr:
    """`value`, looked at by the running program, in a place of type `wanted`.  What is known late may be secret: it is not
    told."""
    told = rule if not value.type.eventual else {**rule, "hidden": True}
    own = resolve(value.type)
    plain = own if wanted is None else resolve(wanted)
    plain = plain if is_optional(own) else without_none(plain)
    type_ = output_of(plain) if value.type.eventual else plain
    text = rule_text(told)
    facts = [Literal(value=fact, type=STRING, span=value.span) for fact in (where, text)]
    return Call(function=KEPT, args=(value, *facts), expand=False, type=type_, span=value.span)


class _Checker(Struct, eq=False):
    """One look at a value: `reported` when something in it is wrong, which a trial tells nobody."""

    cx: Context
    because: Sequence[Note]
    reported: bool = False
    is_trial: bool = False

    def known(self, value: Expr, rule: Rule, where: str, place: Span | None) -> bool:
        """Whether all that the rule speaks of is known; `place` is where to say what is wrong, when not at the value."""
        if _is_checked(self.cx, value, enforced(rule) or {}):
            return True
        found = self.constant(value)
        match found:
            case Literal():
                self.look(found.value, rule, where, place or value.span)
                return True
            case ListExpr():
                place = place or (value.span if found is not value and isinstance(value, Ref) else None)
                parts: list[object] = [self.plain(element) for element in found.elements]
                distinct = None not in parts or "uniqueItems" not in rule
                self.look([part if part is not None else object() for part in parts], rule, where, place or value.span)
                inner = inner_rule(rule, 0)
                elements = enumerate(found.elements if inner is not None else ())
                each = [self.known(e, inner or {}, f"{where}[{i}]", place) for i, e in elements]
                return distinct and all(each)
            case ObjectExpr():
                return self.members(found, value, (rule, where, place))
            case Conditional():
                return self.branches(found, rule, where, place)
            case _:
                return False

    def branches(self, found: Conditional, rule: Rule, where: str, place: Span | None) -> bool:
        """One branch that breaks a rule may be one that nothing takes: only a run can tell.  Both are a mistake."""
        trials = [_Checker(self.cx, self.because, is_trial=True) for _ in range(2)]
        both = zip(trials, (found.then, found.otherwise), strict=True)
        known = [trial.known(branch, rule, where, place) for trial, branch in both]
        wrong = [trial.reported for trial in trials]
        if all(wrong) and self.is_trial:
            self.reported = True
        elif all(wrong):
            self.known(found.then, rule, where, place)
        return all(known) and not any(wrong)

    def members(self, found: ObjectExpr, value: Expr, given: tuple[Rule, str, Span | None]) -> bool:
        rule, where, place = given
        place = place or (value.span if isinstance(value, Ref) else None)
        if not all(isinstance(item.key, Literal) for item in found.items):
            return False
        self.look(dict.fromkeys(str(i) for i in range(len(found.items))), rule, where, place or value.span)
        known = True
        for item in found.items:
            assert isinstance(item.key, Literal)
            name = str(item.key.value)
            inner = inner_rule(rule, name)
            if inner is not None:
                known = self.known(item.value, inner, f"{where}.{name}", place) and known
        return known

    def look(self, value: object, rule: Rule, where: str, span: Span) -> None:
        """Report what is wrong with a value itself; its parts are looked at by themselves."""
        own = {word: rule[word] for word in rule if word not in (ITEMS, MEMBERS, VALUES)}
        found = own_violation(value, own, where)
        if found is not None and not self.reported:
            self.reported = True
            if self.is_trial:
                return
            self.cx.report_softly(say.broken_rule(found, span, self.because))

    def constant(self, value: Expr) -> Expr:
        """What a value is, behind conversions and names of locals."""
        for _ in range(100):
            if isinstance(value, Convert):
                value = value.value
            elif isinstance(value, Ref) and value.symbol in self.cx.definitions and not value.symbol.type.eventual:
                found = self.cx.definitions[value.symbol]
                if not isinstance(found, Literal | ListExpr | ObjectExpr | Ref | Convert) or _is_loop(value):
                    break
                value = found
            else:
                break
        return value

    def plain(self, value: Expr) -> object:
        """A known scalar; None for all else."""
        found = self.constant(value)
        return found.value if isinstance(found, Literal) else None


def _is_loop(value: Ref) -> bool:
    return str(value.symbol.kind) not in ("local", "config")
