"""Runs generated Python programs on the Pulumi SDK of the interpreter that runs this file.

This is a separate program, started in the environment that has the SDK; it does not import pclgen. Standard input has one
job per line, as JSON:

    {"folder": ..., "log": ..., "monitor": ..., "project": ..., "stack": ..., "organization": ..., "preview": ...,
     "config": {"project:key": text}, "secret_keys": [...]}

Standard output has one line per job, {"status": exit status}; output of the program goes to the file `log`.

The SDK keeps its state in modules, so each program runs in its own process: a fork of this one, which has already imported
the SDKs. Where fork does not exist, this process runs the first job and ends.
"""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import re
import runpy
import sys
import traceback
from pathlib import Path
from typing import Any, Final

Job = dict[str, Any]

FAILED: Final = 1
_SDK: Final = re.compile(r"^(?:import|from) +(pulumi\w*)", re.MULTILINE)


def main() -> None:
    """Serve jobs until standard input ends."""
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    for line in sys.stdin:
        job = json.loads(line)
        status = run_forked(job) if hasattr(os, "fork") else run(job)
        replies.write(json.dumps({"status": status}) + "\n")
        replies.flush()
        if not hasattr(os, "fork"):
            break


def run_forked(job: Job) -> int:
    """Run the job in a forked process and return its status."""
    import_sdks(Path(job["folder"]))
    child = os.fork()
    if child == 0:
        status = FAILED
        try:
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            status = run(job)
        finally:
            # Buffers and files of the parent must not be flushed or closed a second time.
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def import_sdks(folder: Path) -> None:
    """Import the SDKs that a program names, once for all programs; failures are left to the program."""
    for path in folder.rglob("*.py"):
        for name in _SDK.findall(path.read_text(encoding="utf-8")):
            try:
                importlib.import_module(name)
            except Exception:  # any failure: the program has the same failure, and reports it
                continue


def run(job: Job) -> int:
    """Run a program like Pulumi's own Python host, and return its exit status."""
    log = os.open(job["log"], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    try:
        run_program(job)
    except SystemExit as request:
        return request.code if isinstance(request.code, int) else FAILED
    except BaseException:  # any exception of the program: the log and the status report it
        traceback.print_exc()
        return FAILED
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


def run_program(job: Job) -> None:
    """Run a program; an exception is logged to the engine and raised."""
    pulumi: Any = importlib.import_module("pulumi")
    runtime: Any = importlib.import_module("pulumi.runtime")
    folder = job["folder"]
    os.chdir(folder)
    sys.path.insert(0, folder)
    sys.argv = [folder]
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    runtime.set_all_config(job["config"], job["secret_keys"])
    settings = runtime.Settings(
        monitor=job["monitor"],
        engine=job["monitor"],
        project=job["project"],
        stack=job["stack"],
        organization=job["organization"],
        root_directory=folder,
        parallel=16,
        dry_run=job["preview"],
    )
    runtime.configure(settings)
    main = Path(folder) / "__main__.py"
    try:
        loop.run_until_complete(
            runtime.run_in_stack(lambda: drop(runpy.run_path(str(main), run_name="__main__")))
        )
    except Exception as error:  # any exception of the program: inform the engine, then propagate
        message = str(error) if isinstance(error, pulumi.RunError) else traceback.format_exc()
        earlier = asyncio.all_tasks(loop)
        pulumi.log.error(message)
        # The SDK sends the message in a separate task.
        loop.run_until_complete(asyncio.gather(*(asyncio.all_tasks(loop) - earlier), return_exceptions=True))
        raise
    finally:
        loop.close()


def drop(_: object) -> None:
    """Ignore the result of a program."""


if __name__ == "__main__":
    main()
