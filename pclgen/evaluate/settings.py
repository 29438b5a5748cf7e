"""What a run is given: names, configuration, models.

Settings(project="site", stack="dev", config={"site:region": ConfigValue("eu")}, preview=True)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from pclgen.evaluate.hooks import HookRunner
from pclgen.evaluate.models import EchoModel, ProviderModel, Rereads
from pclgen.evaluate.samples import Readings
from pclgen.records import Keyed
from pclgen.trace.model import Properties
from pclgen.types.declarations import Package


class ConfigValue(Keyed, frozen=True, eq=False):
    """A configuration value as the stack has it: text (structures as JSON); `place` is where that stands, if anywhere."""

    text: str
    secret: bool = False
    place: str = ""

    def _key(self) -> object:
        return self.text, self.secret


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of a run.

    `project` of None is the program's name.  `config` is by full key (`site:region`).  `models` are provider models by
    package name, `default_model` answers for all others (None: `EchoModel`).  `stacks` are the outputs of other stacks, by
    the name that stack references use.  `directory` is where the program runs (files are relative to it),
    `root_directory` where the project file is; nothing outside of `fence` is read.
    `continue_on_error`: a resource that fails does not end the run.
    `run_hook` runs the commands of hooks (None: they are not run).
    `pulumi_version` is what `requiredVersionRange` is held against; empty for no check.
    `list_length` says how many elements lists have that `EchoModel` makes up; `readings` are made-up texts that the program
    reads as numbers or bools (`evaluate_program` finds them).
    """

    project: str | None = None
    stack: str = "dev"
    organization: str = "organization"
    preview: bool = False
    config: Mapping[str, ConfigValue] = field(default_factory=dict)
    models: Mapping[str, ProviderModel] = field(default_factory=dict)
    default_model: ProviderModel | None = None
    stacks: Mapping[str, Properties] = field(default_factory=dict)
    directory: Path = Path()
    root_directory: Path | None = None
    fence: Path | None = None
    continue_on_error: bool = False
    run_hook: HookRunner | None = None
    pulumi_version: str = ""
    list_length: int = 1
    readings: Readings = field(default_factory=dict)

    def otherwise(self, packages: Sequence[Package]) -> ProviderModel:
        """The model of all packages that have none of their own."""
        chosen = self.default_model or EchoModel(packages, self.list_length)
        return chosen.reading(self.readings) if self.readings and isinstance(chosen, Rereads) else chosen
