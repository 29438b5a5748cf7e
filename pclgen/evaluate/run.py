"""A whole run: the entry of the evaluator.

    result = evaluate_program(program, Settings(preview=True))
    result.trace          what was registered
    result.diagnostics    why it failed, or what a preview cannot know

Nothing of the program is changed.  A run that fails keeps what it did before.
"""

from __future__ import annotations

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core.program import OutputVariable, Program
from pclgen.core.walk import components_of
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
    """What happened, and what there is to say about it.  `readings` are the made-up texts that the program reads as numbers
    or bools; providers answered them so."""

    trace: Trace
    diagnostics: tuple[Diagnostic, ...]
    readings: Readings = field(default_factory=dict)


def evaluate_program(program: Program, settings: Settings) -> Evaluation:
    """Run `program`.

    Run it again if it reads a number or a bool in a text that a model made up: the model then makes up a number.
    """
    while True:
        found, unread = _run(program, settings)
        more = {} if unread is None else _made_up(unread, found.trace)
        if more.keys() <= settings.readings.keys():
            return replace(found, readings=settings.readings)
        settings = replace(settings, readings={**settings.readings, **more})


def _made_up(unread: Unread, trace: Trace) -> Readings:
    """The places in the answers of providers that may have made up a text."""
    found: dict[tuple[str, str], Primitive] = {}
    answers = [(one.type, one.name) for one in trace.registrations if one.kind is not RegistrationKind.STACK]
    for token, label in (*answers, *((call.token, label_of_function(call.token)) for call in trace.calls)):
        if unread.text == f"{label}-id":
            found[token, "id"] = unread.wanted
        elif unread.text.startswith(f"{label}."):
            found[token, any_element(unread.text.removeprefix(f"{label}."))] = unread.wanted
    return found


def _run(program: Program, settings: Settings) -> tuple[Evaluation, Unread | None]:
    """One run, and the text that ended it because it holds no number or bool."""
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
        found, unread = problem.diagnostic, problem.unread
        bag.add(found)
        session.failed = True
        session.log("error", found.message, place=None if found.primary is None else place_of(found.primary))
    else:
        session.outputs = {name: Sent().value(value) for name, value in outputs.items()}
        spans = {node.logical_name: place_of(node.span) for node in program.nodes if isinstance(node, OutputVariable)}
        session.finish_stack(outputs, spans)
    bag.extend(session.warnings)
    return Evaluation(trace=session.trace(), diagnostics=bag.sorted()), unread


def packages_of(program: Program) -> tuple[Package, ...]:
    """The packages of a program and of its components, each once."""
    found: dict[str, Package] = {}
    for one in (program, *(component.program for component in components_of(program))):
        for package in one.packages:
            found.setdefault(package.name, package)
    return tuple(found.values())
