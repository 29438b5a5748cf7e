"""A whole run: the entry of the evaluator, and the settings of a run from the inputs of a user.

    result = evaluate_program(program, Settings(preview=True))
    result.trace          the registrations
    result.diagnostics    the reason for a failure, or values unknown in a preview

The evaluator does not change the program. The trace of a failed run contains everything up to the failure.

The inputs of a user (`RunInputs`) are configuration texts, a stack file, and a recording with answers of real providers:

    {"resources": {"urn:… or type::name": {"id": "i-1", "outputs": {"arn": "…"}}, "type::other": {"failure": "no quota"}},
     "functions": [{"token": "aws:index/getRegion:getRegion", "args": {}, "answer": {"name": "eu-west-1"}}],
     "stacks":    {"organization/network/prod": {"vpcId": "vpc-1", "key": {"$secret": "…"}}}}

All three parts of a recording are optional. A function without `args` answers all arguments; one with `receiver` (a URN) is
a method. The JSON of a run (`pclgen evaluate --format json`) is accepted, too. Values have the form of `trace.json`.

In a preview, an output of a new resource is known only if it equals the input of the same name. Another model answers
requests without a recorded answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from pclgen.core.program import OutputVariable, Program
from pclgen.core.walk import programs_of
from pclgen.diagnostics.model import Diagnostic, DiagnosticBag
from pclgen.evaluate.config import StackFileError, read_stack_file
from pclgen.evaluate.faults import EvaluationError, Unread
from pclgen.evaluate.models import (
    ConstructAnswer,
    ConstructHost,
    ConstructRequest,
    CreateRequest,
    EchoModel,
    FunctionRequest,
    ProviderFailureError,
    ProviderModel,
    ReadRequest,
    Rereads,
    ResourceAnswer,
    label_of_function,
)
from pclgen.evaluate.program import Inside, Instance
from pclgen.evaluate.samples import Readings, any_element
from pclgen.evaluate.session import Session, place_of
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.evaluate.wire import Sent
from pclgen.graph.dependencies import late_inputs
from pclgen.source.data import DataError, read_json
from pclgen.source.files import SIDE_FILE, read_regular
from pclgen.source.load import LoadError
from pclgen.trace.json import Json, TraceFormatError, from_json, properties_from_json
from pclgen.trace.model import UNKNOWN, FunctionCall, Properties, RegistrationKind, Trace
from pclgen.trace.normal import json_properties, normal_properties
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


# -- inputs of a user -------------------------------------------------------------------------------------------------------


class ReplayError(Exception):
    """A replay file is invalid; the message says why."""


class Recording(Struct, frozen=True, kw_only=True):
    """Recorded answers: of resources by URN or by `type::name`, of functions and methods, of other stacks."""

    resources: Mapping[str, ResourceAnswer | ProviderFailureError]
    functions: Sequence[FunctionAnswer]
    stacks: Mapping[str, Properties]


class FunctionAnswer(Struct, frozen=True, kw_only=True):
    """The answer of a function; `args` is None if it answers all arguments."""

    token: str
    args: Properties | None
    answer: Properties
    receiver: str = ""
    failure: str = ""


def read_recording(text: str) -> Recording:
    """Read a recording from JSON text. Raises `ReplayError`."""
    try:
        data: Json = read_json(text)
        if isinstance(data, dict) and "registrations" in data:
            return _of_run(data)
        return _recording(data)
    except DataError as problem:
        raise ReplayError(f"is not JSON: {problem}") from None
    except TraceFormatError as problem:
        raise ReplayError(str(problem)) from None


def _of_run(data: Json) -> Recording:
    trace = from_json(data)
    resources: dict[str, ResourceAnswer | ProviderFailureError] = {
        registration.urn: ResourceAnswer(id=registration.id or "", outputs=registration.outputs)
        for registration in trace.registrations
        if registration.custom and registration.id is not None
    }
    return Recording(resources=resources, functions=[_of_call(call) for call in trace.calls], stacks={})


def _of_call(call: FunctionCall) -> FunctionAnswer:
    return FunctionAnswer(token=call.token, args=call.args, answer=call.answer, receiver=call.receiver)


def _recording(data: Json) -> Recording:
    members = _members(data, "the file")
    unknown = sorted(set(members) - {"resources", "functions", "stacks", "format_version"})
    if unknown:
        raise TraceFormatError(f'expected "resources", "functions" and "stacks", found "{unknown[0]}"')
    functions = members.get("functions") or []
    if not isinstance(functions, list):
        raise TraceFormatError('expected a list for "functions"')
    resources = _members(members.get("resources") or {}, "resources")
    stacks = _members(members.get("stacks") or {}, "stacks")
    return Recording(
        resources={key: _resource(key, item) for key, item in resources.items()},
        functions=[_function(item) for item in functions],
        stacks={name: properties_from_json(_members(outputs, name)) for name, outputs in stacks.items()},
    )


def _members(data: Json, what: str) -> dict[str, Json]:
    if not isinstance(data, dict):
        raise TraceFormatError(f"expected an object for {what}")
    return data


def _resource(key: str, data: Json) -> ResourceAnswer | ProviderFailureError:
    members = _members(data, f'the resource "{key}"')
    failure = members.get("failure")
    if isinstance(failure, str):
        return ProviderFailureError(failure)
    id_ = members.get("id")
    if id_ is not None and not isinstance(id_, str):
        raise TraceFormatError(f'expected a string for the id of "{key}"')
    outputs = properties_from_json(_members(members.get("outputs") or {}, f'the outputs of "{key}"'))
    return ResourceAnswer(id=id_ or f"{key.rsplit('::', 1)[-1]}-id", outputs=outputs)


def _function(data: Json) -> FunctionAnswer:
    members = _members(data, "a function")
    token, receiver = members.get("token"), members.get("receiver", "")
    if not isinstance(token, str) or not isinstance(receiver, str):
        raise TraceFormatError('expected the "token" of a function')
    arguments = members.get("args")
    args = None if arguments is None else properties_from_json(_members(arguments, f"the arguments of {token}"))
    answer = properties_from_json(_members(members.get("answer") or {}, f"the answer of {token}"))
    failure = members.get("failure", "")
    return FunctionAnswer(
        token=token, args=args, answer=answer, receiver=receiver, failure=failure if isinstance(failure, str) else ""
    )


class ReplayModel:
    """A model with recorded answers; `otherwise` answers all other requests."""

    def __init__(self, recording: Recording, otherwise: ProviderModel) -> None:
        self._recording = recording
        self._otherwise = otherwise

    def reading(self, readings: Readings) -> ReplayModel:
        """The same recorded answers; other answers are samples for `readings`."""
        otherwise = self._otherwise
        return ReplayModel(self._recording, otherwise.reading(readings) if isinstance(otherwise, Rereads) else otherwise)

    def _find(self, urn: str, token: str, name: str) -> ResourceAnswer | None:
        resources = self._recording.resources
        answer = resources.get(urn, resources.get(f"{token}::{name}"))
        if isinstance(answer, ProviderFailureError):
            raise ProviderFailureError(str(answer))
        return answer

    def create(self, request: CreateRequest) -> ResourceAnswer:
        """The recorded resource."""
        answer = self._find(request.urn, request.type, request.name)
        if answer is None:
            return self._otherwise.create(request)
        if not request.deployment.preview:
            return answer
        outputs = {name: value if request.inputs.get(name) == value else UNKNOWN for name, value in answer.outputs.items()}
        return ResourceAnswer(id=request.import_id or UNKNOWN, outputs=outputs)

    def read(self, request: ReadRequest) -> ResourceAnswer:
        """The recorded state of an existing resource."""
        return self._find(request.urn, request.type, request.name) or self._otherwise.read(request)

    def invoke(self, request: FunctionRequest) -> Properties:
        """The recorded result."""
        answer = self._answer(request)
        return self._otherwise.invoke(request) if answer is None else answer

    def call(self, request: FunctionRequest) -> Properties:
        """The recorded result."""
        answer = self._answer(request)
        return self._otherwise.call(request) if answer is None else answer

    def _answer(self, request: FunctionRequest) -> Properties | None:
        receiver = "" if request.receiver is None else request.receiver.urn
        args = json_properties(normal_properties(request.args))
        for recorded in self._recording.functions:
            if recorded.token != request.token or recorded.receiver not in ("", receiver):
                continue
            if recorded.args is None or json_properties(normal_properties(recorded.args)) == args:
                if recorded.failure:
                    raise ProviderFailureError(recorded.failure)
                return recorded.answer
        return None

    def construct(self, request: ConstructRequest, host: ConstructHost) -> ConstructAnswer:
        """Let the other model construct the component."""
        return self._otherwise.construct(request, host)


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
