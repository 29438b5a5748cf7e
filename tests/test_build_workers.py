"""Workers of a build do not re-import the program that starts them: a script may build at its top level."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.support.waiting import PATIENCE

SCRIPT = """
print("begun")
from pclgen import docs
fences = [f"```pcl\\noutput o{n} {{\\n  value = {n}\\n}}\\n```\\n" for n in range(40)]
open("guide.md", "w").write("\\n".join(fences))
built = docs.build(["guide.md"], languages=["python"], jobs=2)
print(len(built.diagnostics), [text.count("```python") for text in built.files.values()])
"""


def test_a_script_without_a_guard_runs_once(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    run = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (run.returncode, run.stdout, run.stderr) == (0, "begun\n0 [40]\n", "")
