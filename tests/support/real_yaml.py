"""Programs and components in Pulumi YAML, run by Pulumi's own runtime under the recording monitor.

A run needs a folder, the schemas of its packages, and settings, and returns its trace.  The log of a failed run includes the
runtime's output.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from pclgen.evaluate.models import EchoModel, Models
from pclgen.evaluate.settings import Settings
from pclgen.protocol.process import PluginProcess
from pclgen.protocol.rpc import CallFailed
from pclgen.trace.compare import Absent, Difference
from pclgen.trace.model import LogEntry, Trace
from pclgen.verify.monitor import Monitor
from tests.support import toolchains
from tests.support.hosting import GET_SCHEMA, SERVICE, Loader, rpc
from tests.support.waiting import PATIENCE

_ANY = {"$ref": "pulumi.json#/Any"}
_BUILT_IN = {
    "name": "pulumi",
    "version": "3.0.0",
    "resources": {
        "pulumi:pulumi:StackReference": {
            "inputProperties": {"name": {"type": "string"}},
            "properties": {"name": {"type": "string"}, "outputs": {"type": "object", "additionalProperties": _ANY}},
        },
        "pulumi:index:Stash": {
            "inputProperties": {"input": _ANY},
            "properties": {"input": _ANY, "output": _ANY},
            "requiredInputs": ["input"],
        },
    },
}
"""The schema of the engine's own package."""


def beyond_hosts(difference: Difference) -> bool:
    """Whether a difference is due to work that SDKs do and the host leaves to others.

    These are defaults and `replaceOnChanges` of schemas, and marking a component as a component.
    """
    lacks = isinstance(difference.right, Absent) and difference.path.startswith(("inputs.", "options.replaceOnChanges"))
    return lacks or (difference.path in ("kind", "custom") and difference.left in ("component", False))


def run_yaml(folder: Path, schemas: Sequence[Path], settings: Settings) -> Trace:
    """Run `folder`'s Pulumi.yaml and return its trace.  Raises `ToolError` if there is no host."""
    with engine(schemas, settings) as (monitor, loading), PluginProcess([toolchains.pulumi_yaml(), monitor.address]) as process:
        problem = process.wait_for_port(time.monotonic() + PATIENCE, f"within {PATIENCE} s")
        assert problem is None, (problem, process.printed)
        info = rpc().message("pulumirpc.ProgramInfo", root_directory=str(folder), program_directory=str(folder), entry_point=".")
        request = rpc().message(
            "pulumirpc.RunRequest",
            project=settings.project,
            stack=settings.stack,
            organization=settings.organization,
            config={key: value.text for key, value in settings.config.items()},
            configSecretKeys=[key for key, value in settings.config.items() if value.secret],
            dryRun=settings.preview,
            parallel=1,
            monitor_address=monitor.address,
            loader_target=loading,
            info=info,
        )
        with rpc().connect(f"127.0.0.1:{process.port}") as connection:
            answer = connection.call(f"{SERVICE}/Run", request, timeout=PATIENCE)
        process.stop()
        message = answer.details if isinstance(answer, CallFailed) else answer.error
        failed = isinstance(answer, CallFailed) or bool(answer.error) or answer.bail
        trace = monitor.trace("yaml", failed=failed)
    return with_message(trace, "\n".join([message, *process.printed]))


def run_yaml_component(folder: Path, token: str, schemas: Sequence[Path], settings: Settings) -> Trace:
    """Run one resource of a component, without inputs, from the `PulumiPlugin.yaml` of `folder`; its outputs are those of the stack.

    Raises `ToolError` when the runtime cannot be built.
    """
    with engine(schemas, settings) as (monitor, loading):
        command: list[str | Path] = [toolchains.pulumi_yaml(), monitor.address, loading, folder, token]
        result = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        trace = monitor.trace("yaml", failed=result.returncode != 0)
    return with_message(trace, result.stdout + result.stderr)


@contextmanager
def engine(schemas: Sequence[Path], settings: Settings) -> Iterator[tuple[Monitor, str]]:
    """Serve a recording monitor and a schema loader; yield the monitor and the loader's address."""
    loader, model = Loader(schemas), settings.default_model or EchoModel()

    def get_schema(request: Any) -> Any:
        if request.package == "pulumi":
            return rpc().message("codegen.GetSchemaResponse", schema=json.dumps(_BUILT_IN).encode())
        return loader.get_schema(request)

    with rpc().serve({GET_SCHEMA: get_schema}) as loading, Monitor(rpc(), settings, Models(model, settings.models)) as monitor:
        yield monitor, loading.address


def with_message(trace: Trace, message: str) -> Trace:
    """Add the runtime's output to the log of a failed run."""
    return replace(trace, log=(*trace.log, LogEntry(severity="error", message=message))) if trace.failed else trace
