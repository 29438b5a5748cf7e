"""Singular and plural forms of English names, for the names of elements in every language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

_LAST_WORD: Final = re.compile(r"[A-Z]{2,}s$|[A-Z]?[a-z]+$")
"""The word with the plural ending: in `publicIPs` it is `IPs`, in `web_boxes` it is `boxes`."""

_IRREGULAR: Final[Mapping[str, str]] = {
    "aliases": "alias", "analyses": "analysis", "apaches": "apache", "atlases": "atlas", "axes": "axis", "biases": "bias",
    "bonuses": "bonus", "buses": "bus", "caches": "cache", "calories": "calorie", "campuses": "campus",
    "canvases": "canvas", "children": "child", "cookies": "cookie", "crises": "crisis", "criteria": "criterion",
    "echoes": "echo", "feet": "foot", "gases": "gas", "halves": "half", "headaches": "headache", "heroes": "hero",
    "hypotheses": "hypothesis", "indices": "index", "knives": "knife", "leaves": "leaf", "lenses": "lens",
    "matrices": "matrix", "men": "man", "mice": "mouse", "movies": "movie", "niches": "niche", "people": "person",
    "quizzes": "quiz", "selfies": "selfie", "shelves": "shelf", "statuses": "status", "vertices": "vertex", "vetoes": "veto",
    "viruses": "virus", "wolves": "wolf", "women": "woman", "zombies": "zombie",
}  # fmt: skip  # a table with many short entries a line
_NO_PLURAL: Final = frozenset({
    "access", "always", "analysis", "aws", "basis", "chaos", "cors", "cos", "css", "dns", "ecs", "efs", "eks", "gas",
    "gcs", "gps", "has", "https", "ims", "ios", "iops", "kms", "kubernetes", "lens", "news", "nfs", "os", "rds", "redis",
    "s3s", "sans", "sas", "series", "ses", "sms", "sns", "species", "sqs", "sts", "tls", "was", "windows", "yes", "alias",
    "atlas", "bias", "canvas",
})  # fmt: skip  # a table with many short entries a line
"""Singular names that end in `s`, besides names in `ss`, `us` and `is`."""
_ES: Final = re.compile(r"(?:ss|sh|ch|x|zz)es$")


@lru_cache(maxsize=4096)
def singular(name: str) -> str | None:
    """The singular of `name` (`webBoxes` gives `webBox`), in any spelling; None if its last word is not a plural."""
    match = _LAST_WORD.search(name)
    if match is None:
        return None
    word = match[0]
    lower = word.lower()
    form = _IRREGULAR.get(lower)
    if form is None and not lower.endswith("s"):
        return None
    if form is None:
        form = _regular(lower)
    if form is None:
        return None
    common = next((at for at, (a, b) in enumerate(zip(lower, form, strict=False)) if a != b), len(form))
    return name[: match.start()] + word[:common] + form[common:]


def _regular(word: str) -> str | None:
    if len(word) < 3 or word in _NO_PLURAL or word.endswith(("ss", "us", "is")):
        return None
    if word.endswith("ies"):
        return word[:-3] + "y" if len(word) > 4 else word[:-1]
    return word[:-2] if _ES.search(word) else word[:-1]


def plural(word: str) -> str:
    """The plural of a name by its ending: `key` to `keys`, `policy` to `policies`."""
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + ("" if word.endswith("s") and not word.endswith("ss") else "es")
    if word.endswith("y") and word[-2:-1] not in ("a", "e", "i", "o", "u", ""):
        return word[:-1] + "ies"
    return word + "s"
