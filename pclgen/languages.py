"""The target languages by name."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("python", "typescript", "go")
"""The target languages, in the order in which they are generated."""

LANGUAGE_NAMES: Mapping[str, str] = {
    **{name: name for name in LANGUAGES},
    "py": "python",
    "python3": "python",
    "ts": "typescript",
    "node": "typescript",
    "nodejs": "typescript",
    "javascript": "typescript",
    "js": "typescript",
    "golang": "go",
}
"""Every name that people have for a language, with ours."""
