"""What a target language is to the rest of the compiler.

The plan of a lowered `Program` (`lower.program` says what holds of it) and the project's facts become files by path relative
to the output folder, or diagnostics for what the language cannot express; never both for one construct, never broken text.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import PurePosixPath

from msgspec import Struct, field

from pclgen.core.capabilities import Capabilities
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.emit.overlay import Overlay
from pclgen.plan.model import ProjectPlan
from pclgen.targets.origins import Recorder


class Project(Struct, frozen=True, kw_only=True):
    """Facts of the project around a program."""

    name: str
    description: str = ""
    main: str = ""  # sub-directory for the sources, "" for the root
    program_only: bool = False  # leave the project files out
    options: Mapping[str, object] = field(default_factory=dict)  # of the runtime, as JSON
    settings: Mapping[str, object] = field(default_factory=dict)  # other settings of `Pulumi.yaml`, as JSON
    overlay: Overlay | None = None  # the user's templates
    blames: bool = False  # check values of no known type where they are used
    inline_helpers: bool = False  # keep helpers in the file of the program, however long they are
    local: Mapping[str, str] = field(default_factory=dict)  # paths of SDKs on this machine, by package; `pulumi` is the core

    @property
    def folder(self) -> PurePosixPath:
        """The folder of the sources."""
        return PurePosixPath(self.main) if self.main else PurePosixPath()


class BrokenTreeError(Exception):
    """A target built something that its language would refuse: a mistake of pclgen, found before anything is written."""


class Target(ABC):
    """One target language: its `name` on the command line, and the `capabilities` of its SDK, for lowering."""

    name: str
    capabilities: Capabilities

    def member_name(self, name: str) -> str:
        """Return how its SDKs spell a member that schemas call `name`."""
        return name

    @abstractmethod
    def render(
        self, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None = None
    ) -> Mapping[PurePosixPath, str]:
        """All files of the project.  Errors go to `bag`; then the result is not used.  `recorder` gets the source maps."""
