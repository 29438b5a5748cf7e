"""Traces as text for people: a run as a tree, a difference as one line for each side.

A text ends in a newline, and contains escape sequences only if `color` is true.

    stack  website-dev
    ├─ random:index/randomPet:RandomPet  pet
    │    length   2
    │    prefix   [secret] "a"
    └─ components:index:Web  web
       └─ …
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from pclgen.trace import model as tr
from pclgen.trace.compare import Absent, Difference, Side
from pclgen.trace.json import options_to_json

_BOLD, _DIM, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"
_LONGEST = 160
"""Maximum length of a value; longer values are cut."""


class _Paint:
    def __init__(self, color: bool, secrets: bool = True) -> None:
        self.color = color
        self.secrets = secrets

    def bold(self, text: str) -> str:
        return f"{_BOLD}{text}{_RESET}" if self.color else text

    def dim(self, text: str) -> str:
        return f"{_DIM}{text}{_RESET}" if self.color else text


def render_trace(trace: tr.Trace, *, color: bool = False, secrets: bool = True) -> str:
    """Return a run as a tree by parents, with the inputs, dependencies and options of each registration.

    Without `secrets`, secret values are hidden.
    """
    paint = _Paint(color, secrets)
    children: dict[str, list[tr.Registration]] = {}
    urns = {registration.urn for registration in trace.registrations}
    for registration in trace.registrations:
        parent = registration.parent if registration.parent in urns and registration.parent != registration.urn else ""
        children.setdefault(parent, []).append(registration)
    lines: list[str] = []
    for root in children.get("", ()):
        lines.append(_head(root, paint))
        lines.extend(_below(root, children, paint, ""))
    if trace.outputs:
        lines.append(paint.bold("outputs"))
        lines.extend(f"  {line}" for line in _members(trace.outputs, paint))
    lines.extend(_log_line(entry) for entry in trace.log)
    # Names and messages are arbitrary text of programs; none may begin a line.
    return "".join(line.replace("\n", "\\n") + "\n" for line in lines)


def _head(registration: tr.Registration, paint: _Paint) -> str:
    if registration.kind is tr.RegistrationKind.STACK:
        return f"{paint.bold('stack')}  {registration.name}"
    kind = "" if registration.kind is tr.RegistrationKind.RESOURCE else paint.dim(f"  ({registration.kind})")
    place = "" if registration.place is None else paint.dim(f"  {registration.place}")
    return f"{registration.type}  {paint.bold(registration.name)}{kind}{place}"


def _below(
    registration: tr.Registration, children: Mapping[str, Sequence[tr.Registration]], paint: _Paint, indent: str
) -> Iterator[str]:
    below = children.get(registration.urn, ()) if registration.urn else ()
    bar = "│" if below else " "
    for line in _details(registration, paint):
        yield f"{indent}{bar}  {line}"
    for index, child in enumerate(below):
        last = index == len(below) - 1
        yield f"{indent}{'└─' if last else '├─'} {_head(child, paint)}"
        yield from _below(child, children, paint, indent + ("   " if last else "│  "))


def _details(registration: tr.Registration, paint: _Paint) -> Iterator[str]:
    if registration.kind is tr.RegistrationKind.STACK:
        return
    if registration.kind is tr.RegistrationKind.READ:
        yield f"id = {show_value(registration.id)}"
    yield from _members(registration.inputs, paint)
    if registration.provider:
        yield f"provider: {tr.name_of(registration.provider).split('::')[0]}"
    for package, reference in registration.providers.items():
        yield f"provider of {package}: {tr.name_of(reference).split('::')[0]}"
    if registration.dependencies:
        yield "depends on: " + ", ".join(tr.name_of(urn) for urn in registration.dependencies)
    if registration.options.version:
        yield f"version: {registration.options.version}"
    if registration.options.plugin_download_url:
        yield f"pluginDownloadURL: {json.dumps(registration.options.plugin_download_url, ensure_ascii=False)}"
    options = replace(registration.options, version="", plugin_download_url="", replacement_trigger=None)
    for name, value in options_to_json(options).items():
        yield f"option {name}: {json.dumps(value, ensure_ascii=False)}"
    if registration.options.replacement_trigger is not None:
        yield f"option replacementTrigger: {show_value(registration.options.replacement_trigger, secrets=paint.secrets)}"


def _members(members: Mapping[str, tr.PropertyValue], paint: _Paint) -> Iterator[str]:
    width = max((len(name) for name in members), default=0)
    for name, value in members.items():
        yield f"{name.ljust(width)} = {show_value(value, secrets=paint.secrets)}"


def _log_line(entry: tr.LogEntry) -> str:
    place = "" if entry.place is None else f"{entry.place}: "
    return f"{place}{entry.severity}: {entry.message}"


def show_value(value: tr.PropertyValue, *, secrets: bool = True) -> str:
    """Return a value on one line, similar to PCL, with `[secret]` and `[unknown]` marks; without `secrets` only the mark."""
    text = _show(value, secrets)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def _show(value: tr.PropertyValue, secrets: bool) -> str:
    match value:
        case tr.Secret() | tr.Output(secret=True) if not secrets:
            return "[secret]"
        case tr.Secret():
            return f"[secret] {_show(value.value, secrets)}"
        case tr.Unknown():
            return "[unknown]"
        case tr.ResourceRef():
            return f"<{tr.name_of(value.urn)}>"
        case tr.Asset() | tr.Archive():
            return _show_blob(value, secrets)
        case tr.Bytes():
            return f"<{len(value.data)} bytes>"
        case tr.Output():
            return f"{'[secret] ' if value.secret else ''}{_show(value.value, secrets)}"
        case tuple():
            return f"[{', '.join(_show(element, secrets) for element in value)}]"
        case Mapping():
            inside = ", ".join(
                f"{json.dumps(name, ensure_ascii=False)} = {_show(member, secrets)}" for name, member in value.items()
            )
            return f"{{ {inside} }}" if inside else "{}"
        case _:
            return json.dumps(value, ensure_ascii=False)


def _show_blob(value: tr.Asset | tr.Archive, secrets: bool) -> str:
    noun = "asset" if isinstance(value, tr.Asset) else "archive"
    if isinstance(value, tr.Asset) and value.text is not None:
        return f"{noun}({json.dumps(value.text, ensure_ascii=False)})"
    if isinstance(value, tr.Archive) and value.members is not None:
        return f"{noun}({', '.join(f'{name}: {_show(member, secrets)}' for name, member in value.members.items())})"
    return f"{noun}({value.path if value.path is not None else value.uri})"


def render_difference(difference: Difference, *, left: str, right: str, color: bool = False) -> str:
    """Return a difference: its position, then both sides one above the other, named `left` and `right`.

        main.pp:12:3: random:index/randomPet:RandomPet  pet  inputs.prefix: secret on the left only
          evaluator | [secret] "a"
          go        | "a"
    """
    paint = _Paint(color)
    place = "" if difference.place is None else f"{difference.place}: "
    name = paint.bold(difference.name) if difference.name else ""
    subject = "  ".join(part for part in (difference.type, name, difference.path) if part)
    reason = difference.reason.replace("the left run", left).replace("the right run", right)
    reason = reason.replace("on the left", f"in {left}").replace("on the right", f"in {right}")
    reason = reason.replace("the left", left).replace("the right", right)
    width = max(len(left), len(right))
    lines = [f"{place}{subject}: {reason}".replace("\n", "\\n")]
    lines.extend(
        f"  {name.ljust(width)} | {_show_side(side)}" for name, side in ((left, difference.left), (right, difference.right))
    )
    return "\n".join(lines) + "\n"


def _show_side(side: Side) -> str:
    return "(not there)" if isinstance(side, Absent) else show_value(side)
