"""Runs of small programs against the `probe` package, for tests of the evaluator."""

from __future__ import annotations

from collections.abc import Mapping

from pclgen.diagnostics.model import Severity
from pclgen.evaluate.models import (
    ConstructAnswer,
    ConstructHost,
    ConstructRequest,
    CreateRequest,
    FunctionRequest,
    ProviderFailureError,
    ReadRequest,
    ResourceAnswer,
)
from pclgen.evaluate.run import Evaluation, evaluate_program
from pclgen.evaluate.settings import ConfigValue, Settings
from pclgen.trace.model import UNKNOWN, Properties, PropertyValue, Registration, Trace
from tests.support.binding import bind_text


class Answers:
    """A model that echoes inputs and adds, by name of the resource, the outputs of the test; functions echo arguments."""

    def __init__(self, outputs: Mapping[str, Properties], failures: Mapping[str, str] | None = None) -> None:
        self.outputs = outputs
        self.failures = failures or {}
        self.called: list[str] = []

    def create(self, request: CreateRequest) -> ResourceAnswer:
        if request.name in self.failures:
            raise ProviderFailureError(self.failures[request.name])
        outputs = {**request.inputs, **self.outputs.get(request.name, {})}
        return ResourceAnswer(id=UNKNOWN if request.deployment.preview else f"{request.name}-id", outputs=outputs)

    def read(self, request: ReadRequest) -> ResourceAnswer:
        return ResourceAnswer(id=request.id, outputs={**request.inputs, **self.outputs.get(request.name, {})})

    def invoke(self, request: FunctionRequest) -> Properties:
        self.called.append(request.token)
        if request.token in self.failures:
            raise ProviderFailureError(self.failures[request.token])
        return self.outputs.get(request.token, request.args)

    def call(self, request: FunctionRequest) -> Properties:
        return self.invoke(request)

    def construct(self, request: ConstructRequest, host: ConstructHost) -> ConstructAnswer:
        raise ProviderFailureError("the tests have no remote components")


def evaluate(
    text: str,
    *,
    components: Mapping[str, str] | None = None,
    outputs: Mapping[str, Properties] | None = None,
    failures: Mapping[str, str] | None = None,
    config: Mapping[str, ConfigValue] | None = None,
    preview: bool = False,
    model: Answers | None = None,
    continue_on_error: bool = False,
) -> Evaluation:
    """Run one file, which must bind without errors."""
    program, diagnostics = bind_text(text, components=components)
    assert [d.message for d in diagnostics if d.severity is Severity.ERROR] == []
    settings = Settings(
        project="test",
        preview=preview,
        default_model=model or Answers(outputs or {}, failures),
        config={f"test:{key}": value for key, value in (config or {}).items()},
        continue_on_error=continue_on_error,
    )
    return evaluate_program(program, settings)


def trace_of(
    text: str,
    *,
    components: Mapping[str, str] | None = None,
    outputs: Mapping[str, Properties] | None = None,
    preview: bool = False,
) -> Trace:
    """The trace of a program that does not fail."""
    result = evaluate(text, components=components, outputs=outputs, preview=preview)
    assert [d.message for d in result.diagnostics if d.severity is Severity.ERROR] == []
    return result.trace


def named(trace: Trace, name: str) -> Registration:
    """The only registration with this name."""
    [match] = [registration for registration in trace.registrations if registration.name == name]
    return match


def names(urns: tuple[str, ...]) -> list[str]:
    """The names in URNs."""
    return [urn.rsplit("::", 1)[-1] for urn in urns]


def output(text: str, *, outputs: Mapping[str, Properties] | None = None, preview: bool = False) -> PropertyValue:
    """The stack output `o`."""
    return trace_of(text, outputs=outputs, preview=preview).outputs["o"]
