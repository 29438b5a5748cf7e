"""Settings of a run: names, configuration, models.

Settings(project="site", stack="dev", config={"site:region": ConfigValue("eu")}, preview=True)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from pclgen.evaluate.models import EchoModel, ProviderModel, Rereads
from pclgen.evaluate.options import HookRunner
from pclgen.evaluate.samples import Readings
from pclgen.records import Keyed
from pclgen.trace.model import Properties
from pclgen.types.declarations import Package


class ConfigValue(Keyed, frozen=True, eq=False):
    """A configuration value of the stack: text (structures as JSON); `place` is its location, if it has one."""

    text: str
    secret: bool = False
    place: str = ""

    def _key(self) -> object:
        return self.text, self.secret


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of a run.

    If `project` is None, it is the program's name. `config` is by full key (`site:region`). `models` are provider models by
    package name, `default_model` answers for all other packages (None: `EchoModel`). `stacks` are the outputs of other
    stacks, by the name that stack references use. `directory` is the working directory of the program (files are relative to
    it), `root_directory` is that of the project file; nothing outside of `fence` is read.
    `continue_on_error`: a resource that fails does not end the run.
    `run_hook` runs the commands of hooks (None: they are not run).
    `pulumi_version` is the version to check `requiredVersionRange` against; empty for no check.
    `list_length` is the number of elements of `EchoModel`'s sample lists; `readings` are sample texts that the program reads
    as numbers or bools (`evaluate_program` finds them).
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
        """Return the model of all packages without a model of their own."""
        chosen = self.default_model or EchoModel(packages, self.list_length)
        return chosen.reading(self.readings) if self.readings and isinstance(chosen, Rereads) else chosen
