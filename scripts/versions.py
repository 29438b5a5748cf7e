"""Build the documentation as one version of the site: `python -m scripts.versions v1.2.3 published`.

A tag `vX.Y.Z` becomes the folder `X.Y`, the branch `main` the folder `dev`; the other versions in `published` stay as they
are. `latest` is a copy of the newest release, or of `dev` before the first one. `versions.json` feeds the version selector.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

DEVELOPMENT = "dev"
LATEST = "latest"
START = f'<!DOCTYPE html><meta charset="utf-8"><title>pclgen</title><meta http-equiv="refresh" content="0; url={LATEST}/">\n'
"""The page at the root of the site."""


def version_of(ref: str) -> str:
    """Return the version that a branch or tag documents.  Raises `ValueError`."""
    if ref == "main":
        return DEVELOPMENT
    tag = re.fullmatch(r"v(\d+\.\d+)\.\d+", ref)
    if tag is None:
        raise ValueError(f"`{ref}` is neither `main` nor a tag such as `v1.2.3`")
    return tag[1]


def publish(site: Path, published: Path, version: str) -> None:
    """Put a built site into the folder of all versions, and update `latest`, `versions.json` and the start page."""
    _replace(site, published / version)
    folders = {path.parent.name for path in published.glob("*/sitemap.xml")} - {LATEST, DEVELOPMENT}
    releases = sorted(folders, key=lambda name: [int(part) for part in name.split(".")], reverse=True)
    newest = releases[0] if releases else DEVELOPMENT
    _replace(published / newest, published / LATEST)
    names = [*releases, DEVELOPMENT] if (published / DEVELOPMENT).exists() else releases
    versions = [{"version": name, "title": name, "aliases": [LATEST] if name == newest else []} for name in names]
    (published / "versions.json").write_text(json.dumps(versions, indent=2) + "\n", encoding="utf-8")
    (published / "index.html").write_text(START, encoding="utf-8")


def _replace(source: Path, destination: Path) -> None:
    shutil.rmtree(destination, ignore_errors=True)
    shutil.copytree(source, destination)


def main(arguments: list[str]) -> None:
    ref, published = arguments
    version = version_of(ref)
    zensical = [sys.executable, "-m", "zensical", "build", "--strict"]
    # Zensical adds the version to the addresses of pages, as it does below `mike`.
    subprocess.run(zensical, env={**os.environ, "MIKE_DOCS_VERSION": version}, check=True)
    publish(Path("site"), Path(published), version)


if __name__ == "__main__":
    main(sys.argv[1:])
