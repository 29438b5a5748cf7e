"""Settings of a run from the inputs of a user: configuration texts, a stack file, a replay file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core.program import Program
from pclgen.evaluate.config import StackFileError, read_stack_file
from pclgen.evaluate.models import EchoModel
from pclgen.evaluate.replay import ReplayError, ReplayModel, read_recording
from pclgen.evaluate.run import packages_of
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.source.files import SIDE_FILE, read_regular
from pclgen.source.load import LoadError


class RunInputs(Struct, frozen=True, kw_only=True):
    """The inputs of a run: configuration and files of a user, over the settings `base`.

    `config` and `secrets` are values by key (`region` or `site:region`); they override those of `stack_file`.
    """

    base: Settings
    config: Mapping[str, str] = field(default_factory=dict)
    secrets: Mapping[str, str] = field(default_factory=dict)
    stack_file: Path | None = None
    replay_file: Path | None = None


def settings_for(program: Program, inputs: RunInputs) -> Settings:
    """Return the settings of a run of `program`.  Raises `LoadError` for a file that cannot be used."""
    project = inputs.base.project or program.name
    config = dict(inputs.base.config)
    if inputs.stack_file is not None:
        try:
            config |= read_stack_file(inputs.stack_file, project)
        except StackFileError as problem:
            raise LoadError(f"{inputs.stack_file}: {problem}") from None
    for values, secret in ((inputs.config, False), (inputs.secrets, True)):
        config |= {key if ":" in key else f"{project}:{key}": ConfigValue(text, secret) for key, text in values.items()}
    settings = replace(inputs.base, project=project, config=config)
    return settings if inputs.replay_file is None else _with_replay(settings, program, inputs.replay_file)


def _with_replay(settings: Settings, program: Program, path: Path) -> Settings:
    try:
        recording = read_recording(read_regular(path, most=SIDE_FILE).decode("utf-8"))
    except OSError as problem:
        raise LoadError(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise LoadError(f"{path} is not UTF-8 text") from None
    except ReplayError as problem:
        raise LoadError(f"{path}: {problem}") from None
    otherwise = settings.default_model or EchoModel(packages_of(program), settings.list_length)
    return replace(settings, default_model=ReplayModel(recording, otherwise), stacks={**recording.stacks, **settings.stacks})
