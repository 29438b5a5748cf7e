"""A whole run: the entry of the evaluator.

    result = evaluate_program(program, Settings(preview=True))
    result.trace          the registrations
    result.diagnostics    the reason for a failure, or values unknown in a preview

The evaluator does not change the program. The trace of a failed run contains everything up to the failure.
"""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core.program import OutputVariable, Program
from pclgen.core.walk import programs_of
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag
from pclgen.evaluate.faults import EvaluationError, Unread
from pclgen.evaluate.models import label_of_function
from pclgen.evaluate.program import Inside, Instance
from pclgen.evaluate.samples import Readings, any_element
from pclgen.evaluate.session import Session, place_of
from pclgen.evaluate.settings import Settings
from pclgen.evaluate.wire import Sent
from pclgen.graph.cycles import late_inputs
from pclgen.trace.model import RegistrationKind, Trace
from pclgen.types.declarations import Package
from pclgen.types.model import Primitive


class Evaluation(Struct, frozen=True, kw_only=True):
    """The trace and the diagnostics of a run. `readings` are the sample texts that the program reads as numbers or bools."""

    trace: Trace
    diagnostics: tuple[Diagnostic, ...]
    readings: Readings = field(default_factory=dict)


def evaluate_program(program: Program, settings: Settings) -> Evaluation:
    """Run `program`.

    Run it again if it reads a sample text of a model as a number or a bool: the model then makes a sample that parses.
    """
    while True:
        evaluation, unread = _run(program, settings)
        more = {} if unread is None else _sample_readings(unread, evaluation.trace)
        if more.keys() <= settings.readings.keys():
            return replace(evaluation, readings=settings.readings)
        settings = replace(settings, readings={**settings.readings, **more})


def _sample_readings(unread: Unread, trace: Trace) -> Readings:
    """Return values for the properties of answers that may contain the sample text `unread`."""
    readings: dict[tuple[str, str], Primitive] = {}
    resources = [r for r in trace.registrations if r.kind is not RegistrationKind.STACK]
    answers = [(resource.type, resource.name) for resource in resources]
    for token, label in (*answers, *((call.token, label_of_function(call.token)) for call in trace.calls)):
        if unread.text == f"{label}-id":
            readings[token, "id"] = unread.target
        elif unread.text.startswith(f"{label}."):
            readings[token, any_element(unread.text.removeprefix(f"{label}."))] = unread.target
    return readings


def _run(program: Program, settings: Settings) -> tuple[Evaluation, Unread | None]:
    """The result of one run, and the sample text that ended it because it does not parse as a number or bool."""
    project = settings.project or program.name
    session = Session(settings, project, packages_of(program))
    session.late_inputs = late_inputs(program)
    bag = DiagnosticBag()
    unread: Unread | None = None
    instance = Instance(program, session, Inside(owner=session.root))
    try:
        outputs = instance.run()
        for node in program.nodes:
            if isinstance(node, OutputVariable):
                session.effort.send(outputs.get(node.logical_name), node.span)
    except EvaluationError as problem:
        diagnostic, unread = problem.diagnostic, problem.unread
        bag.add(diagnostic)
        session.failed = True
        session.log("error", diagnostic.message, place=None if diagnostic.primary is None else place_of(diagnostic.primary))
    else:
        session.outputs = {name: Sent().value(value) for name, value in outputs.items()}
        spans = {node.logical_name: place_of(node.span) for node in program.nodes if isinstance(node, OutputVariable)}
        session.finish_stack(outputs, spans)
    bag.extend(session.warnings)
    return Evaluation(trace=session.trace(), diagnostics=bag.sorted()), unread


def packages_of(program: Program) -> tuple[Package, ...]:
    """Return the packages of a program and of its components without duplicates."""
    packages: dict[str, Package] = {}
    for part in programs_of(program):
        for package in part.packages:
            packages.setdefault(package.name, package)
    return tuple(packages.values())
