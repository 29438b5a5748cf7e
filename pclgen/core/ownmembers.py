"""The members that every component class inherits from its SDK; outputs of a component must not replace them.

The SDKs are Pulumi's own; `tests/test_component_names.py` checks the table against them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

OWN: Final[Mapping[str, tuple[str, ...]]] = {
    "python": (
        "get_provider", "pulumi_resource_name", "pulumi_resource_type", "register_outputs", "translate_input_property",
        "translate_output_property", "urn",
    ),
    "typescript": ("constructor", "getData", "getProvider", "initialize", "registerOutputs", "urn"),
    "go": ("GetProvider", "PulumiResourceName", "PulumiResourceType", "ResourceState", "URN"),
}  # fmt: skip  # many short entries a line
"""Public members, by language."""

HIDDEN: Final = (
    "aliases", "childResources", "data", "doNotCapture", "getProviders", "inputs", "name", "plugin_download_url",
    "pluginDownloadURL", "prov", "protect", "provider", "providers", "pulumiType", "registered", "remote", "transformations",
    "type", "version",
)  # fmt: skip  # many short entries a line
"""Members with leading underscores, listed without them."""


def _plain(name: str) -> str:
    """Return a key that is equal for all spellings of a name: `getProvider`, `get_provider`, `GetProvider`."""
    return name.replace("_", "").replace("-", "").lower()


OBJECT: Final = (
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
)  # fmt: skip  # many short entries a line
"""Members of every JavaScript object; TypeScript does not accept that an input with such a name is omitted."""

_OWN: Final = frozenset(_plain(name) for names in OWN.values() for name in names)
_HIDDEN: Final = frozenset(map(_plain, HIDDEN))


def is_own(name: str) -> bool:
    """Return whether an output called `name` would replace an inherited member of every component."""
    if _is_special(name):
        return True
    return _plain(name) in (_HIDDEN if name.startswith("_") else _OWN)


def is_taken_input(name: str) -> bool:
    """Return whether an input called `name` would be mistaken for a member of every object."""
    return name in OBJECT or _is_special(name)


def _is_special(name: str) -> bool:
    """Return whether `name` has a meaning in Python, JavaScript or Go: `__init__`, `__proto__`, `_`."""
    return (name.startswith("__") and name.endswith("__")) or not name.strip("_")
