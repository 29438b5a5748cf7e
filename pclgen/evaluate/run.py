"""A whole run: the entry of the evaluator.

    result = evaluate_program(program, Settings(preview=True))
    result.trace          what was registered
    result.diagnostics    why it failed, or what a preview cannot know

Nothing of the program is changed.  A run that fails keeps what it did before.
"""

from __future__ import annotations

from pclgen.core.program import OutputVariable, Program
from pclgen.core.walk import components_of
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag
from pclgen.evaluate.faults import EvaluationError
from pclgen.evaluate.program import Inside, Instance
from pclgen.evaluate.session import Session, place_of
from pclgen.evaluate.settings import Settings
from pclgen.evaluate.wire import Sent
from pclgen.graph.circles import late_inputs
from pclgen.records import dataclass
from pclgen.trace.model import Trace
from pclgen.types.declarations import Package


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What happened, and what there is to say about it."""

    trace: Trace
    diagnostics: tuple[Diagnostic, ...]


def evaluate_program(program: Program, settings: Settings) -> Evaluation:
    """Run `program`."""
    project = settings.project or program.name
    session = Session(settings, project, packages_of(program))
    session.late_inputs = late_inputs(program)
    bag = DiagnosticBag()
    instance = Instance(program, session, Inside(owner=session.root))
    try:
        outputs = instance.run()
        for node in program.nodes:
            if isinstance(node, OutputVariable):
                session.effort.send(outputs.get(node.logical_name), node.span)
    except EvaluationError as problem:
        found = problem.diagnostic
        bag.add(found)
        session.failed = True
        session.log("error", found.message, place=None if found.primary is None else place_of(found.primary))
    else:
        session.outputs = {name: Sent().value(value) for name, value in outputs.items()}
        spans = {node.logical_name: place_of(node.span) for node in program.nodes if isinstance(node, OutputVariable)}
        session.finish_stack(outputs, spans)
    bag.extend(session.warnings)
    return Evaluation(trace=session.trace(), diagnostics=bag.sorted())


def packages_of(program: Program) -> tuple[Package, ...]:
    """The packages of a program and of its components, each once."""
    found: dict[str, Package] = {}
    for one in (program, *(component.program for component in components_of(program))):
        for package in one.packages:
            found.setdefault(package.name, package)
    return tuple(found.values())
