"""The engine of a run, the same for the evaluator and for the recording monitor.

It takes registrations and calls as a program sends them (`trace.model`), forwards the answers of provider models as the
engine does, and records everything. The work of SDKs before that is in `evaluate.session`, messages are in
`verify.monitor`. Several threads may use it at once; models are called outside of its lock.

The engine's version must be in the range that a program requires (`requiredVersionRange`; language.md, The settings block).
A range has comparisons with `>=`, `<=`, `>`, `<`, `=`, `!=`, all of which must hold, and `||` between alternatives.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from itertools import takewhile

from msgspec.structs import replace

from pclgen.evaluate.models import (
    ConstructAnswer,
    ConstructHost,
    ConstructRequest,
    CreateRequest,
    Deployment,
    FunctionRequest,
    Models,
    ProviderFailureError,
    ReadRequest,
    Registered,
    ResourceAnswer,
    engine_outputs,
    holds_unknown,
    package_of,
)
from pclgen.evaluate.settings import Settings
from pclgen.evaluate.wire import holds_secret
from pclgen.semver import Version, parse_version
from pclgen.stdlib.deployment import STACK_REFERENCE
from pclgen.trace import model as tr
from pclgen.trace.normal import provider_urn


class DuplicateUrnError(ProviderFailureError):
    """Another resource has this URN."""

    def __init__(self, urn: str) -> None:
        super().__init__(f"Duplicate resource URN '{urn}'; try giving it a unique name")


class Engine:
    """The state of a run: its registrations, and the answers to them."""

    def __init__(self, settings: Settings, models: Models, project: str) -> None:
        self.deployment: Deployment = Deployment(
            project=project, stack=settings.stack, organization=settings.organization, preview=settings.preview
        )
        self._settings = settings
        self._models = models
        self._lock = threading.Lock()
        self._records: list[tr.Registration] = []
        self._index: dict[str, int] = {}
        self._calls: list[tr.FunctionCall] = []
        self._log: list[tr.LogEntry] = []

    def trace(self, producer: str, *, outputs: tr.Properties, failed: bool) -> tr.Trace:
        """Return the trace; `producer` names the program, `outputs` are those of the stack."""
        with self._lock:
            return tr.Trace(
                producer=producer,
                project=self.deployment.project,
                stack=self.deployment.stack,
                organization=self.deployment.organization,
                preview=self.deployment.preview,
                registrations=tuple(self._records),
                calls=tuple(self._calls),
                outputs=outputs,
                log=tuple(self._log),
                failed=failed,
            )

    def log(self, entry: tr.LogEntry) -> None:
        """Add an entry to the log."""
        with self._lock:
            self._log.append(entry)

    # --- registrations -------------------------------------------------------------------------------------------------

    def record(self, registration: tr.Registration) -> tr.Registration:
        """Store a registration and answer it.  Raises `DuplicateUrnError`."""
        with self._lock:
            if registration.urn in self._index:
                raise DuplicateUrnError(registration.urn)
            self._index[registration.urn] = len(self._records)
            self._records.append(registration)
        return registration

    def update(self, registration: tr.Registration, *, was: str = "") -> None:
        """Replace a registration by its current state; `was` is its previous URN, if it has changed."""
        with self._lock:
            at = self._index.pop(was or registration.urn)
            self._index[registration.urn] = at
            self._records[at] = registration

    def find(self, urn: str) -> tr.Registration | None:
        """Return the registration with this URN."""
        with self._lock:
            at = self._index.get(urn)
            return None if at is None else self._records[at]

    def put_outputs(self, urn: str, outputs: tr.Properties) -> bool:
        """Set the outputs of a component; return False if there is no such component."""
        with self._lock:
            at = self._index.get(urn)
            if at is not None:
                self._records[at] = replace(self._records[at], outputs=outputs)
            return at is not None

    def state(self, urn: str) -> Registered:
        """Return a registered resource. Raises `ProviderFailureError` for an unknown URN."""
        registration = self.find(urn)
        if registration is None:
            raise ProviderFailureError(f"unknown resource {urn}")
        return Registered(urn=urn, id=registration.id, outputs=registration.outputs)

    # --- answers -------------------------------------------------------------------------------------------------------

    def provider_inputs(self, token: str, reference: str) -> tr.Properties:
        """The inputs of the provider with this reference, or the stack's configuration of the default provider."""
        if reference:
            registration = self.find(provider_urn(reference))
            return {} if registration is None else registration.inputs
        prefix = f"{package_of(token)}:"
        config = self._settings.config
        return {key.removeprefix(prefix): value.text for key, value in config.items() if key.startswith(prefix)}

    def answer(self, asked: tr.Registration) -> ResourceAnswer:
        """Return the answer of the model for a resource or a read.  Raises `ProviderFailureError`."""
        if asked.type == STACK_REFERENCE:
            return self._other_stack(asked)
        configured = self.provider_inputs(asked.type, asked.provider)
        model = self._models.of(asked.type)
        if asked.kind is tr.RegistrationKind.READ:
            return model.read(
                ReadRequest(
                    type=asked.type,
                    name=asked.name,
                    urn=asked.urn,
                    id=asked.id if isinstance(asked.id, str) else tr.UNKNOWN,
                    inputs=asked.inputs,
                    deployment=self.deployment,
                    provider_inputs=configured,
                    version=asked.options.version,
                )
            )
        if self.deployment.preview and holds_unknown(configured):
            # The engine does not ask a provider that cannot be configured yet.
            return ResourceAnswer(id=tr.UNKNOWN, outputs={})
        return model.create(
            CreateRequest(
                type=asked.type,
                name=asked.name,
                urn=asked.urn,
                inputs=asked.inputs,
                deployment=self.deployment,
                provider_inputs=configured,
                version=asked.options.version,
                import_id=asked.options.import_id,
            )
        )

    def _other_stack(self, asked: tr.Registration) -> ResourceAnswer:
        """Return the answer for a stack reference: the outputs of the named stack, or no outputs for an unknown stack."""
        name = asked.inputs.get("name", asked.name)
        outputs = self._settings.stacks.get(name, {}) if isinstance(name, str) else {}
        secret = tuple(sorted(key for key, value in outputs.items() if holds_secret(value)))
        answered: tr.Properties = {"name": name, "outputs": outputs, "secretOutputNames": secret}
        return ResourceAnswer(id=name if isinstance(name, str) else tr.UNKNOWN, outputs=answered)

    def construct(
        self, asked: tr.Registration, inputs: tr.Properties, providers: Mapping[str, str], host: ConstructHost
    ) -> ConstructAnswer:
        """Ask the model of a component, which registers it and its children with `host`. Raises `ProviderFailureError`."""
        request = ConstructRequest(
            type=asked.type,
            name=asked.name,
            parent=asked.parent,
            inputs=inputs,
            deployment=self.deployment,
            providers=providers,
            dependencies={name: asked.property_dependencies.get(name, ()) for name in inputs},
            options=asked.options,
            version=asked.options.version,
        )
        return self._models.of(asked.type).construct(request, host)

    def call(
        self, request: FunctionRequest, *, provider: str, plugin_download_url: str, place: tr.SourcePlace | None = None
    ) -> tr.Properties:
        """Return the answer of a function, or of a method of a receiver.  Raises `ProviderFailureError`."""
        model = self._models.of(request.token)
        call = tr.FunctionCall(
            token=request.token,
            args=request.args,
            answer={},
            receiver="" if request.receiver is None else request.receiver.urn,
            provider=provider,
            version=request.version,
            plugin_download_url=plugin_download_url,
            place=place,
        )
        try:
            answer = model.invoke(request) if request.receiver is None else model.call(request)
        except ProviderFailureError as problem:
            self._called(replace(call, failures=(str(problem),)))
            raise
        self._called(replace(call, answer=answer))
        return answer

    def _called(self, call: tr.FunctionCall) -> None:
        with self._lock:
            self._calls.append(call)


def answered(asked: tr.Registration, answer: ResourceAnswer) -> tr.Registration:
    """Return a registration with the answer of its provider, as the engine forwards it."""
    outputs = engine_outputs(asked.inputs, answer.outputs, asked.options.additional_secret_outputs)
    return replace(asked, id=answer.id, outputs=outputs)


# -- version ranges ---------------------------------------------------------------------------------------------------------

_CONDITION = re.compile(
    r"(>=|<=|!=|==|>|<|=|!)?\s*v?(\d+)(?:\.(\d+|x))?(?:\.(\d+|x))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?\s*"
)


def satisfies(version: str, range_text: str) -> bool | None:
    """Return whether `version` is in the range `range_text`; None if either is malformed."""
    own = parse_version(version.strip())
    if own is None:
        return None
    results: list[bool] = []
    for alternative in range_text.split("||"):
        holds = _all_hold(own, alternative.strip())
        if holds is None:
            return None
        results.append(holds)
    return any(results)


def _all_hold(own: Version, conditions: str) -> bool | None:
    at = 0
    holds = True
    while at < len(conditions):
        match = _CONDITION.match(conditions, at)
        if match is None:
            return None
        holds = holds and _holds(own, match)
        at = match.end()
    return holds


def _holds(own: Version, match_: re.Match[str]) -> bool:
    numbers = [int(part) for part in takewhile(lambda part: part and part != "x", match_.group(2, 3, 4))]
    major, minor, patch = (*numbers, 0, 0, 0)[:3]
    prerelease = tuple(match_[5][1:].split(".")) if match_[5] else ()
    bound = Version(numbers=(major, minor, patch), prerelease=prerelease, text=match_[0])
    match match_[1]:
        case ">=":
            return own >= bound
        case "<=":
            return own <= bound
        case ">":
            return own > bound
        case "<":
            return own < bound
        case "!=" | "!":
            return own != bound
        case _:
            return own == bound if len(numbers) == 3 else list(own.numbers[: len(numbers)]) == numbers
