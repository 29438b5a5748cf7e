"""Programs in Pulumi YAML, run by Pulumi's own language host under the recording monitor.

Comes in: the text of a `Pulumi.yaml`, the schemas that it needs, and settings.  Goes out: the trace of the run; what the host
wrote is in its log when it fails.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
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
"""What the engine knows of itself."""


def beyond_hosts(found: Difference) -> bool:
    """Whether a difference is what SDKs do and the host leaves to others: defaults of schemas, `replaceOnChanges` of schemas,
    and that a component is one."""
    lacks = isinstance(found.right, Absent) and found.path.startswith(("inputs.", "options.replaceOnChanges"))
    return lacks or (found.path in ("kind", "custom") and found.left in ("component", False))


def run_yaml(folder: Path, schemas: Sequence[Path], settings: Settings) -> Trace:
    """The run of `folder`'s Pulumi.yaml.  Raises `ToolError` when there is no host."""
    host = toolchains.pulumi_yaml()
    model = settings.default_model or EchoModel()
    loader = Loader(schemas)

    def get_schema(request: Any) -> Any:
        if request.package == "pulumi":
            return rpc().message("codegen.GetSchemaResponse", schema=json.dumps(_BUILT_IN).encode())
        return loader.get_schema(request)

    with (
        rpc().serve({GET_SCHEMA: get_schema}) as loading,
        Monitor(rpc(), settings, Models(model, settings.models)) as monitor,
        PluginProcess([host, monitor.address]) as process,
    ):
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
            loader_target=loading.address,
            info=info,
        )
        with rpc().connect(f"127.0.0.1:{process.port}") as connection:
            answer = connection.call(f"{SERVICE}/Run", request, timeout=PATIENCE)
        process.stop()
        told = answer.details if isinstance(answer, CallFailed) else answer.error
        failed = isinstance(answer, CallFailed) or bool(answer.error) or answer.bail
        trace = monitor.trace("yaml", failed=failed)
    if not failed:
        return trace
    return replace(trace, log=(*trace.log, LogEntry(severity="error", message="\n".join([told, *process.printed]))))
