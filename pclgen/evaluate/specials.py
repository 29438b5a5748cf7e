"""Built-in functions that depend on the deployment, on files or on secrecy, and are never folded.

Their arguments may be or hold outputs; a failure is a `FaultError`.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from collections.abc import Sequence
from errno import EACCES
from hashlib import sha256

from msgspec.structs import replace

from pclgen.diagnostics import evaluation as say
from pclgen.evaluate.faults import FaultError
from pclgen.evaluate.machine import take_step
from pclgen.evaluate.operations import describe
from pclgen.evaluate.options import one_resource
from pclgen.evaluate.session import Session
from pclgen.evaluate.settings import Settings
from pclgen.evaluate.values import Output, Raw, Value, all_of, apply, as_output, lift, marked_secret
from pclgen.source.files import is_inside, read_regular
from pclgen.stdlib.model import UNKNOWN
from pclgen.stdlib.values import integer

_LARGEST_FILE = 64 << 20
_LONGEST_RANGE = 1_000_000


def special(session: Session, name: str, args: Sequence[Value]) -> Value:
    """The result of the function called `name`."""
    match name:
        case "stack":
            return session.deployment.stack
        case "project":
            return session.deployment.project
        case "organization":
            return session.deployment.organization
        case "cwd":
            return str(session.settings.directory.resolve())
        case "rootDirectory":
            return str((session.settings.root_directory or session.settings.directory).resolve())
        case "secret":
            return marked_secret(args[0])
        case "unsecret":
            return replace(as_output(args[0]), secret=False)
        case "getOutput":
            return _stack_output(args[0], args[1])
        case "pulumiResourceType":
            return _of_resource(args[0], "type")
        case "pulumiResourceName":
            return _of_resource(args[0], "name")
        case "notImplemented":
            return lift(args, _not_implemented)
        case "range":
            return _range(*args)
        case "toJSON" | "canonicalJSON":
            return UNKNOWN
        case "fromBase64":
            return lift(args, lambda text: Raw(b64decode(str(text))))
        case _:
            return lift(args, lambda path: _file(session.settings, name, str(path)))


def _stack_output(reference: Value, name: Value) -> Value:
    """An output of a stack reference: null if it does not exist, secret if it is listed as secret."""
    outputs = take_step(reference, "outputs")
    secrets, _ = all_of(take_step(reference, "secretOutputNames"))

    def pick(outputs: Value, key: Value) -> Value:
        value = outputs.get(key) if isinstance(outputs, dict) else None
        return marked_secret(value) if isinstance(secrets, list) and key in secrets else value

    if isinstance(outputs, Output):
        outputs = replace(outputs, secret=False)
    return apply((outputs, name), pick)


def _of_resource(value: Value, attribute: str) -> Value:
    resource = one_resource(value)
    if resource is None:
        raise FaultError(lambda span: say.cannot_convert("a resource", describe(value), span))
    return resource.type if attribute == "type" else resource.name


def _range(first: Value, end: Value = None) -> Value:
    """A range that is too long to be folded."""
    start, stop = (0, integer(first, 0)) if end is None else (integer(first, 0), integer(end, 1))
    if stop - start > _LONGEST_RANGE:
        size = f"a range of {stop - start:,} elements is too long to be evaluated"
        raise FaultError(lambda span: say.bad_arithmetic(size, span))
    return list(range(start, stop))


def _not_implemented(message: Value) -> Value:
    raise FaultError(lambda span: say.not_implemented(str(message), span))


def _file(settings: Settings, function: str, path: str) -> Value:
    place = settings.directory / path
    try:
        if not is_inside(place, settings.fence):
            raise PermissionError(EACCES, "it lies outside of the repository (`--allow-outside` lifts that)")
        data = read_regular(place, most=_LARGEST_FILE)
    except OSError as problem:
        reason = problem.strerror or "it is unknown why"
        raise FaultError(lambda span: say.unreadable_file(path, f"cannot be read: {reason}", span)) from None
    match function:
        case "filebase64":
            return b64encode(data).decode("ascii")
        case "filebase64sha256":
            return b64encode(sha256(data).digest()).decode("ascii")
        case _:
            try:
                return data.decode("utf-8")
            except UnicodeDecodeError:
                raise FaultError(lambda span: say.unreadable_file(path, "is not UTF-8 text", span)) from None
