"""The target languages by name."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("python", "typescript", "go")
"""The target languages, in the order in which they are generated."""

TITLES: Mapping[str, str] = {"python": "Python", "typescript": "TypeScript", "go": "Go"}
"""What they are called in sentences."""

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
