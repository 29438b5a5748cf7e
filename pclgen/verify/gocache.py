"""Where Go keeps what it compiled for `pclgen verify`: a build cache of our own, which `keeping` bounds.

A program's package is as large as the generic code of the SDKs that it names (30 MB for one command), and Go itself throws
nothing away for five days.  So our builds do not go into the user's build cache.  A user who sets `GOCACHE` keeps it, and
its size.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def go_settings(folder: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """The variables for each call of Go; the build cache is in `folder`.

    Paths are left out of what is compiled (`-trimpath`), so that a program which was compiled in another folder need not be
    compiled again.
    """
    settings = {"GOWORK": "off", "GOTOOLCHAIN": "local", "GOFLAGS": "-mod=mod -trimpath"}
    if not environ.get("GOCACHE"):
        settings["GOCACHE"] = str(folder / "go-build")
    return settings
