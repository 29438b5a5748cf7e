"""Resource hooks: commands around the life of a resource (language.md, Hooks).

The evaluator runs no commands by itself: callers that want hooks to run set `Settings.run_hook`. Hooks of a resource are
called by event; a failure is a `HookFailureError`, or a warning where errors are ignored.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from pclgen.evaluate.operations import text_of
from pclgen.evaluate.values import HookRef, Value, all_of

MOST_RETRIES = 100


class HookFailureError(Exception):
    """A hook failed; the text is the reason."""


class HookCall(Struct, frozen=True, kw_only=True):
    """A command to run: `event` as PCL names it (`beforeCreate`, `onError`, …), `urn` of the resource."""

    name: str
    event: str
    urn: str
    command: tuple[str, ...]


HookRunner = Callable[[HookCall], None]
"""Runs a command in the directory of the program. Raises `HookFailureError` if its exit status is not 0."""


class _Warn(Protocol):
    def __call__(self, severity: str, message: str, urn: str) -> None: ...


class Hooks(Struct, frozen=True, kw_only=True):
    """The hooks of one resource."""

    by_event: Mapping[str, Sequence[HookRef]]
    runner: HookRunner | None
    warn: _Warn
    preview: bool
    urn: str

    def run(self, event: str, args: Mapping[str, Value]) -> bool:
        """Run the hooks of `event`; return whether there are any.  Raises `HookFailureError`."""
        ran = False
        for hook in self.by_event.get(event, ()) if self.runner is not None else ():
            if self.preview and not hook.on_dry_run:
                continue
            ran = True
            try:
                self._run_one(hook, event, args)
            except HookFailureError as problem:
                if not hook.ignore_errors:
                    raise HookFailureError(f'hook "{hook.name}" failed: {problem}') from None
                self.warn("warning", f'hook "{hook.name}" failed: {problem}', self.urn)
        return ran

    def wants_retry(self, args: Mapping[str, Value]) -> bool:
        """Return whether the resource has error hooks and all succeed, which requests a retry."""
        try:
            return self.run("onError", args)
        except HookFailureError:
            return False

    def _run_one(self, hook: HookRef, event: str, args: Mapping[str, Value]) -> None:
        assert self.runner is not None, "hooks are run only with a runner"
        command, _ = all_of(hook.command(dict(args)))
        words = tuple(text_of(word) for word in command) if isinstance(command, list) else ()
        self.runner(HookCall(name=hook.name, event=event, urn=self.urn, command=words))
