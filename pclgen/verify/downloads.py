"""What package managers and other tools say when they cannot get something, or cannot write it.

Comes in: lines that pip, npm or Go printed.  Goes out: whether a registry is out of reach, and the words that matter.  A
registry that cannot be asked says nothing about a program: the program is not verified then, and has not failed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

_UNREACHED: Final = re.compile(
    r"connection (?:was )?(?:refused|reset|broken|aborted|timed out)|timed? ?out\b|no such host|name resolution"
    r"|name or service not known|network is unreachable|no route to host|TLS handshake|certificate|cannot connect to proxy"
    r"|\b(?:ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)\b"
    # Registries answer 404 or 410 when they do not have a package; any other refusal says nothing about it.
    r"|\breading \S+: (?!404|410)\d{3} |\b(?:401|403|407|429|5\d\d) (?:Unauthorized|Forbidden|Proxy Auth|Too Many|Internal"
    r"|Bad Gateway|Service Un|Gateway Time)",
    re.IGNORECASE,
)
_FULL: Final = re.compile(
    r"no space left on device|\b(?:ENOSPC|EDQUOT)\b|disk quota exceeded|not enough space", re.IGNORECASE
)
_PIP_RETRIES: Final = re.compile(r"^WARNING: Retrying .*>: ")
_NPM_ERROR: Final = re.compile(r"^npm (?:error|ERR!) ?(?:(?:code|syscall|errno) \S+$|\d{3}(?: |$))?")


def is_out_of_reach(text: str) -> bool:
    """Whether a tool says that a registry cannot be reached, or does not let us in."""
    return _UNREACHED.search(text) is not None


def says_disk_is_full(text: str) -> bool:
    """Whether a tool says that it cannot write because a disk, or the user's share of it, is full."""
    return _FULL.search(text) is not None


def last_words(lines: Iterable[str]) -> str:
    """What matters in the output of an installer: the first line about a registry out of reach, else the first ones that
    say `error`, else the last line.  A full disk comes before all of them."""
    said = [line.strip() for line in lines if line.strip()]
    full = [line for line in said if says_disk_is_full(line)][:1]
    unreached = [_PIP_RETRIES.sub("", _NPM_ERROR.sub("", line)) for line in said if is_out_of_reach(line)]
    errors = [_NPM_ERROR.sub("", line) for line in said if re.match(r"(?i)(npm )?err", line)]
    told = full or [line for line in unreached if " " in line][:1] or [line for line in errors if line][:3] or said[-1:]
    return "; ".join(told) or "it says nothing"


def named(packages: Mapping[str, str], text: str) -> bool:
    """Whether `text` names one of these packages: the word as a whole."""
    return any(re.search(rf"(?<![\w@/.-]){re.escape(name)}(?![\w/-])", text) for name in packages)
