"""The version of pclgen, readable without loading anything else (a test keeps it equal to pyproject.toml)."""

from __future__ import annotations

VERSION = "0.1.0"
