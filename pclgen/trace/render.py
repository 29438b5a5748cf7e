"""Traces for people: a run as a tree, a difference side by side.

Comes in: a `Trace` or a `Difference`.  Goes out: text that ends in a newline; no escape sequences unless `color` is true.

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
from dataclasses import replace

from pclgen.trace.compare import Absent, Difference, Side
from pclgen.trace.json import options_to_json
from pclgen.trace.model import (
    Archive,
    Asset,
    Bytes,
    LogEntry,
    Output,
    PropertyValue,
    Registration,
    RegistrationKind,
    ResourceRef,
    Secret,
    Trace,
    Unknown,
    name_of,
)

_BOLD, _DIM, _RESET = "\x1b[1m", "\x1b[2m", "\x1b[0m"
_LONGEST = 160
"""Texts longer than this are cut: the tree is for reading."""


class _Paint:
    def __init__(self, color: bool, secrets: bool = True) -> None:
        self.color = color
        self.secrets = secrets

    def bold(self, text: str) -> str:
        return f"{_BOLD}{text}{_RESET}" if self.color else text

    def dim(self, text: str) -> str:
        return f"{_DIM}{text}{_RESET}" if self.color else text


def render_trace(trace: Trace, *, color: bool = False, secrets: bool = True) -> str:
    """A run as a tree by parents, with the inputs, the dependencies and the options of each registration.  Without
    `secrets` only the mark of a secret is shown."""
    paint = _Paint(color, secrets)
    children: dict[str, list[Registration]] = {}
    known = {found.urn for found in trace.registrations}
    for found in trace.registrations:
        children.setdefault(found.parent if found.parent in known and found.parent != found.urn else "", []).append(found)
    lines: list[str] = []
    for root in children.get("", ()):
        lines.append(_head(root, paint))
        lines.extend(_below(root, children, paint, ""))
    if trace.outputs:
        lines.append(paint.bold("outputs"))
        lines.extend(f"  {line}" for line in _members(trace.outputs, paint))
    lines.extend(_log_line(entry) for entry in trace.log)
    # Names and messages hold what programs like; none of them begins a line.
    return "".join(line.replace("\n", "\\n") + "\n" for line in lines)


def _head(found: Registration, paint: _Paint) -> str:
    if found.kind is RegistrationKind.STACK:
        return f"{paint.bold('stack')}  {found.name}"
    kind = "" if found.kind is RegistrationKind.RESOURCE else paint.dim(f"  ({found.kind})")
    place = "" if found.place is None else paint.dim(f"  {found.place}")
    return f"{found.type}  {paint.bold(found.name)}{kind}{place}"


def _below(found: Registration, children: Mapping[str, Sequence[Registration]], paint: _Paint, indent: str) -> Iterator[str]:
    below = children.get(found.urn, ()) if found.urn else ()
    bar = "│" if below else " "
    for line in _details(found, paint):
        yield f"{indent}{bar}  {line}"
    for index, child in enumerate(below):
        last = index == len(below) - 1
        yield f"{indent}{'└─' if last else '├─'} {_head(child, paint)}"
        yield from _below(child, children, paint, indent + ("   " if last else "│  "))


def _details(found: Registration, paint: _Paint) -> Iterator[str]:
    if found.kind is RegistrationKind.STACK:
        return
    if found.kind is RegistrationKind.READ:
        yield f"id = {show_value(found.id)}"
    yield from _members(found.inputs, paint)
    if found.provider:
        yield f"provider: {name_of(found.provider).split('::')[0]}"
    for package, reference in found.providers.items():
        yield f"provider of {package}: {name_of(reference).split('::')[0]}"
    if found.dependencies:
        yield "depends on: " + ", ".join(name_of(urn) for urn in found.dependencies)
    if found.options.version:
        yield f"version: {found.options.version}"
    if found.options.plugin_download_url:
        yield f"pluginDownloadURL: {json.dumps(found.options.plugin_download_url, ensure_ascii=False)}"
    options = replace(found.options, version="", plugin_download_url="", replacement_trigger=None)
    for name, value in options_to_json(options).items():
        yield f"option {name}: {json.dumps(value, ensure_ascii=False)}"
    if found.options.replacement_trigger is not None:
        yield f"option replacementTrigger: {show_value(found.options.replacement_trigger, secrets=paint.secrets)}"


def _members(members: Mapping[str, PropertyValue], paint: _Paint) -> Iterator[str]:
    width = max((len(name) for name in members), default=0)
    for name, value in members.items():
        yield f"{name.ljust(width)} = {show_value(value, secrets=paint.secrets)}"


def _log_line(entry: LogEntry) -> str:
    place = "" if entry.place is None else f"{entry.place}: "
    return f"{place}{entry.severity}: {entry.message}"


def show_value(value: PropertyValue, *, secrets: bool = True) -> str:
    """A value on one line, much as PCL writes it, with `[secret]` and `[unknown]` marks; without `secrets` only the mark."""
    text = _show(value, secrets)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def _show(value: PropertyValue, secrets: bool) -> str:
    match value:
        case Secret() | Output(secret=True) if not secrets:
            return "[secret]"
        case Secret():
            return f"[secret] {_show(value.value, secrets)}"
        case Unknown():
            return "[unknown]"
        case ResourceRef():
            return f"<{name_of(value.urn)}>"
        case Asset() | Archive():
            return _show_blob(value, secrets)
        case Bytes():
            return f"<{len(value.data)} bytes>"
        case Output():
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


def _show_blob(value: Asset | Archive, secrets: bool) -> str:
    kind = "asset" if isinstance(value, Asset) else "archive"
    if isinstance(value, Asset) and value.text is not None:
        return f"{kind}({json.dumps(value.text, ensure_ascii=False)})"
    if isinstance(value, Archive) and value.members is not None:
        return f"{kind}({', '.join(f'{name}: {_show(member, secrets)}' for name, member in value.members.items())})"
    return f"{kind}({value.path if value.path is not None else value.uri})"


def render_difference(found: Difference, *, left: str, right: str, color: bool = False) -> str:
    """A difference: what and where, then both sides one above the other, `left` and `right` being their names.

    main.pp:12:3: random:index/randomPet:RandomPet  pet  inputs.prefix: secret on the left only
      evaluator | [secret] "a"
      go        | "a"
    """
    paint = _Paint(color)
    place = "" if found.place is None else f"{found.place}: "
    what = "  ".join(part for part in (found.type, paint.bold(found.name) if found.name else "", found.path) if part)
    reason = found.reason.replace("the left run", left).replace("the right run", right)
    reason = reason.replace("on the left", f"in {left}").replace("on the right", f"in {right}")
    reason = reason.replace("the left", left).replace("the right", right)
    width = max(len(left), len(right))
    lines = [f"{place}{what}: {reason}".replace("\n", "\\n")]
    lines.extend(f"  {name.ljust(width)} | {_show_side(side)}" for name, side in ((left, found.left), (right, found.right)))
    return "\n".join(lines) + "\n"


def _show_side(side: Side) -> str:
    return "(not there)" if isinstance(side, Absent) else show_value(side)
