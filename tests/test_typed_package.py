"""The types of the package are complete for its importers."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from tests.support.corpus import ROOT
from tests.support.toolchains import node, run


def test_every_public_symbol_has_a_known_type() -> None:
    """`pyright --verifytypes` checks the types that other packages see in a package with a `py.typed`."""
    tools = node()
    script = tools.modules / "pyright" / "index.js"
    command: list[str | Path] = [tools.node, script, "--verifytypes", "pclgen", "--ignoreexternal", "--outputjson"]
    # It asks the first Python on PATH for the location of packages.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    printed = run(command, cwd=ROOT, env={"PATH": path}, ok=(0, 1))
    completeness = json.loads(printed[printed.index("{") :])["typeCompleteness"]
    unclear = {
        symbol["name"]: [diagnostic["message"] for diagnostic in symbol["diagnostics"]]
        for symbol in completeness["symbols"]
        if symbol["isExported"] and (not symbol["isTypeKnown"] or symbol["isTypeAmbiguous"])
    }
    assert not unclear
    assert completeness["completenessScore"] == 1 and completeness["moduleName"] == "pclgen"
    assert len(completeness["symbols"]) > 5000
