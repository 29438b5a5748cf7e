"""The target languages by name."""

from __future__ import annotations

from collections.abc import Mapping

LANGUAGES = ("python", "typescript", "go")
"""The languages in which every program can be written, in the order in which they are generated: the default."""

TARGETS = (*LANGUAGES, "yaml")
"""All that a program can be turned into.  Pulumi YAML has no way to write many programs, so it is made on request only."""

TITLES: Mapping[str, str] = {"python": "Python", "typescript": "TypeScript", "go": "Go", "yaml": "YAML"}
"""What they are called in sentences."""

LANGUAGE_NAMES: Mapping[str, str] = {
    **{name: name for name in TARGETS},
    "py": "python",
    "python3": "python",
    "ts": "typescript",
    "node": "typescript",
    "nodejs": "typescript",
    "javascript": "typescript",
    "js": "typescript",
    "golang": "go",
    "yml": "yaml",
}
"""Every name that people have for a language, with ours."""
