"""The members that the class of every component has of its SDK, which an output of the component may not replace.

The SDKs are Pulumi's own; `tests/test_component_names.py` holds the table against them.
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
"""Those that begin with underscores."""


def _plain(name: str) -> str:
    """Equal for what the languages may make of one name: `getProvider`, `get_provider`, `GetProvider`."""
    return name.replace("_", "").replace("-", "").lower()


OBJECT: Final = (
    "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
)  # fmt: skip  # many short entries a line
"""Members of every object of JavaScript, for which TypeScript does not take an input that is left out."""

_OWN: Final = frozenset(_plain(name) for names in OWN.values() for name in names)
_HIDDEN: Final = frozenset(map(_plain, HIDDEN))


def is_own(name: str) -> bool:
    """Return whether an output called `name` would take the place of what every component has."""
    if _is_special(name):
        return True
    return _plain(name) in (_HIDDEN if name.startswith("_") else _OWN)


def is_taken_input(name: str) -> bool:
    """Return whether an input called `name` would be taken for what every object has."""
    return name in OBJECT or _is_special(name)


def _is_special(name: str) -> bool:
    """`__init__`, `__proto__`, `_`: these mean something to Python, JavaScript and Go."""
    return (name.startswith("__") and name.endswith("__")) or not name.strip("_")
