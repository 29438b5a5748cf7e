"""The extension for Zed: its files agree with each other and with the server."""

from __future__ import annotations

import re
import tomllib

from tests.support.corpus import ROOT

ZED = ROOT / "editors" / "zed"


def test_the_files_of_the_extension_agree() -> None:
    extension = tomllib.loads((ZED / "extension.toml").read_text(encoding="utf-8"))
    language = tomllib.loads((ZED / "languages" / "pcl" / "config.toml").read_text(encoding="utf-8"))
    assert language["grammar"] in extension["grammars"]
    assert language["path_suffixes"] == ["pp"]
    [(name, server)] = extension["language_servers"].items()
    assert server["languages"] == [language["name"]]
    code = (ZED / "src" / "lib.rs").read_text(encoding="utf-8")
    assert f'which("{name}")' in code and 'vec!["lsp".into()]' in code and f"`lsp.{name}.binary" in code
    crate = tomllib.loads((ZED / "Cargo.toml").read_text(encoding="utf-8"))
    assert crate["package"]["version"] == extension["version"]
    guide = (ROOT / "docs" / "guides" / "editors.md").read_text(encoding="utf-8")
    assert re.search(rf'"lsp": {{ "{name}": ', guide)
