"""The interface between a target language and the rest of the compiler.

A target turns the plan of a lowered `Program` (`lower.program` has its invariants) and the project's facts into files, by
path relative to the output folder. A construct that the language cannot express becomes a diagnostic. No construct becomes
both, and no output is broken text.

`target` finds a language by its name; each is imported on first use.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from importlib import import_module
from pathlib import PurePosixPath

from msgspec import Struct, field

from pclgen.core.capabilities import Capabilities
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.overlay import Overlay
from pclgen.languages import TARGETS
from pclgen.plan.model import ProjectPlan
from pclgen.targets.origins import Recorder


class Project(Struct, frozen=True, kw_only=True):
    """Facts of the project around a program."""

    name: str
    description: str = ""
    main: str = ""  # sub-directory for the sources, "" for the root
    program_only: bool = False  # omit the project files
    options: Mapping[str, object] = field(default_factory=dict)  # of the runtime, as JSON
    settings: Mapping[str, object] = field(default_factory=dict)  # other settings of `Pulumi.yaml`, as JSON
    overlay: Overlay | None = None  # the user's templates
    blames: bool = False  # check values of unknown type where they are used
    inline_helpers: bool = False  # put helpers into the file of the program, whatever their length
    local: Mapping[str, str] = field(default_factory=dict)  # local paths of SDKs by package; `pulumi` is the core SDK

    @property
    def folder(self) -> PurePosixPath:
        """The folder of the sources."""
        return PurePosixPath(self.main) if self.main else PurePosixPath()


class BrokenTreeError(Exception):
    """A target built code that its language would reject: a bug in pclgen, found before any file is written."""


class Target(ABC):
    """One target language: its `name` on the command line, and the `capabilities` of its SDK, for lowering."""

    name: str
    capabilities: Capabilities

    def member_name(self, name: str) -> str:
        """Return the name in the language's SDKs of the member that schemas call `name`."""
        return name

    @abstractmethod
    def render(
        self, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None = None
    ) -> Mapping[PurePosixPath, str]:
        """All files of the project.  Errors go to `bag`; the result is then not used. `recorder` gets the source maps."""


def target(name: str) -> Target:
    """Return the target named `name`, the `TARGET` of its module `target`. Raises `KeyError` for a name not in `TARGETS`."""
    if name not in TARGETS:
        raise KeyError(name)
    module = import_module(f"pclgen.targets.{name}.target")
    result: Target = module.TARGET
    return result
