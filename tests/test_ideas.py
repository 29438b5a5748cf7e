"""docs/ideas.md: its links, paths and modules exist."""

from __future__ import annotations

import re

from tests.support.corpus import ROOT

PAGE = ROOT / "docs" / "ideas.md"


def test_what_it_points_to_is_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)", text)
    assert len(links) > 5
    assert [link for link in links if not (PAGE.parent / link).exists()] == []
    paths = re.findall(r"`((?:pclgen|examples|docs)/[\w./-]+)`", text)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []
    modules = re.findall(r"`(stdlib|types|bind|syntax|lower)\.(\w+)", text)
    assert [f"{package}.{name}" for package, name in modules if not (ROOT / "pclgen" / package / f"{name}.py").exists()] == []
