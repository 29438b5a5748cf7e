"""Messages of package managers about unreachable registries and full disks.

An unreachable registry says nothing about a program, which is then not verified rather than failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

_UNREACHED: Final = re.compile(
    r"connection (?:was )?(?:refused|reset|broken|aborted|timed out)|timed? ?out\b|no such host|name resolution"
    r"|name or service not known|network is unreachable|no route to host|TLS handshake|certificate|cannot connect to proxy"
    r"|\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)\b"
    # Only 404 and 410 mean that a package does not exist; other refusals say nothing about it.
    r"|\breading \S+: (?!404|410)\d{3} |\b(?:401|403|407|429|5\d\d) (?:Unauthorized|Forbidden|Proxy Auth|Too Many|Internal"
    r"|Bad Gateway|Service Un|Gateway Time)",
    re.IGNORECASE,
)
_FULL: Final = re.compile(
    r"no space left on device|\b(?:ENOSPC|EDQUOT)\b|disk quota exceeded|not enough space", re.IGNORECASE
)
_PIP_RETRIES: Final = re.compile(r"^WARNING: Retrying .*>: |[')]*: /simple/\S*$")
_NPM_ERROR: Final = re.compile(r"^npm (?:error|ERR!) ?(?:(?:code|syscall|errno) \S+$|\d{3}(?: |$))?")


def is_out_of_reach(text: str) -> bool:
    """Return whether a tool reports that a registry is unreachable or denies access."""
    return _UNREACHED.search(text) is not None


def says_disk_is_full(text: str) -> bool:
    """Return whether a tool reports a full disk or an exceeded quota."""
    return _FULL.search(text) is not None


def last_words(lines: Iterable[str]) -> str:
    """Return the relevant output of an installer.

    In order of preference: lines about a full disk, the first line about an unreachable registry, the first lines with
    `error`, the last line.
    """
    words = [line.strip() for line in lines if line.strip()]
    full = [line for line in words if says_disk_is_full(line)][:1]
    unreached = [_PIP_RETRIES.sub("", _NPM_ERROR.sub("", line)) for line in words if is_out_of_reach(line)]
    errors = [_NPM_ERROR.sub("", line) for line in words if re.match(r"(?i)(npm )?err", line)]
    relevant = full or [line for line in unreached if " " in line][:1] or [line for line in errors if line][:3] or words[-1:]
    return "; ".join(relevant) or "it says nothing"


def named(packages: Mapping[str, str], text: str) -> bool:
    """Return whether `text` contains the name of one of these packages as a word."""
    return any(re.search(rf"(?<![\w@/.-]){re.escape(name)}(?![\w/-])", text) for name in packages)
