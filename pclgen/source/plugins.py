"""The paths of components in plugins: folders with a `PulumiPlugin.yaml`, whose section `components` has several components.

The path of a component is the path of the file and the name: `web/PulumiPlugin.yaml/Site`. No folder has such a path.
"""

from __future__ import annotations

from typing import Final

PLUGIN: Final = "PulumiPlugin.yaml"


def plugin_of(path: str) -> tuple[str, str] | None:
    """Return the folder of a plugin and the name of the component in it, empty for the plugin itself; None for another
    path."""
    parts = path.split("/")
    if PLUGIN not in parts:
        return None
    at = parts.index(PLUGIN)
    return "/".join(parts[:at]) or ".", "/".join(parts[at + 1 :])


def folder_of(path: str) -> str:
    """Return the folder with the files of a component."""
    plugin = plugin_of(path)
    return path if plugin is None else plugin[0]
