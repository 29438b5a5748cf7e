"""The target Pulumi YAML: a program as one `Pulumi.yaml`.

The program is in the project file itself, so it is always written, with or without other project files.

`CAPABILITIES` tell lowering that Pulumi YAML waits for every value, and converts it, wherever it is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct

from pclgen.core.capabilities import Capabilities
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.plan.model import ProjectPlan
from pclgen.targets.base import Project, Target
from pclgen.targets.origins import Recorder, Section
from pclgen.targets.settings import own_config, settings_of
from pclgen.targets.yaml.nodes import SECTIONS, sections
from pclgen.targets.yaml.printer import comment_lines, members
from pclgen.targets.yaml.tree import Member

CAPABILITIES = Capabilities(
    can_lift=lambda source, name, field: True, converts_freely=lambda source, target: True, waits_by_itself=True
)


class SectionView(Struct, frozen=True, kw_only=True):
    """A section of the program: `name`, and its lines without the indentation."""

    name: str
    lines: tuple[str, ...]


class ProgramView(Struct, frozen=True, kw_only=True):
    """The view of the program for a template: comments above and below, and its nonempty sections."""

    header: tuple[str, ...]
    sections: tuple[SectionView, ...]
    footer: tuple[str, ...]


class YamlTarget(Target):
    """Pulumi YAML 1."""

    name = "yaml"
    capabilities = CAPABILITIES

    def render(
        self, plan: ProjectPlan, project: Project, bag: DiagnosticBag, recorder: Recorder | None = None
    ) -> Mapping[PurePosixPath, str]:
        """The `Pulumi.yaml` of the program."""
        from pclgen.emit.environment import render

        program = plan.main.program
        sections_by_name = sections(program, bag)
        if bag.has_errors:
            return {}
        keys = [member.key for name in ("config", "configuration") for member in sections_by_name.get(name, ())]
        view = ProgramView(
            header=tuple(comment_lines(program.header)),
            sections=tuple(_views(sections_by_name, own_config(project, keys), recorder)),
            footer=tuple(comment_lines(program.footer)),
        )
        settings = settings_of(program, project, "yaml", declares=False)
        text = render("yaml/Pulumi.yaml.jinja", project.overlay, settings=settings, program=view)
        path = PurePosixPath("Pulumi.yaml")
        return {path: text if recorder is None else recorder.finish(path, text)}


def _views(
    sections_by_name: Mapping[str, Sequence[Member]], config: Sequence[str], recorder: Recorder | None
) -> Iterator[SectionView]:
    """The sections; `config` is the configuration that is in the project but not in the program."""
    for name in SECTIONS:
        own = members(sections_by_name.get(name, ()), recorder)
        # Empty lines hold no spaces.
        lines = [*(line if line.strip() else "" for line in own), *(config if name == "config" else ())]
        if lines and recorder is not None:
            before, behind = recorder.marks(Section())
            yield SectionView(name=before + name, lines=(*lines[:-1], lines[-1] + behind))
        elif lines:
            yield SectionView(name=name, lines=tuple(lines))


TARGET = YamlTarget()
