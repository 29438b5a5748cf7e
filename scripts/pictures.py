"""Draw the terminal pictures of the README: `python -m scripts.pictures` writes `docs/images/*.svg`.

The pictures show real output of the commands. The SDKs that `verify` runs come from the cache, or are installed there.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs" / "images"
WIDTH = 120

PROGRAM = """\
config domain string {
}

resource server "digitalocean:index:Droplet" {
  image   = "ubuntu-24-04-x64"
  region  = "fra1"
  size    = "s-1vcpu-1gb"
  monitor = true
}

resource record "digitalocean:index:DnsRecord" {
  domain = domian
  type   = "A"
  value  = server.ipv4Adress
  ttl    = "soon"
}
"""
"""A program with four errors."""


def terminal(arguments: list[str], folder: Path) -> str:
    """Return what a command prints on a terminal with colors."""
    environment = {**os.environ, "PCLGEN_SCHEMAS": str(ROOT / "examples" / "schemas"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pclgen", *arguments, "--color", "always"]
    result = subprocess.run(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    return result.stdout


def picture(command: str, output: str, name: str) -> str:
    """Return an SVG picture of a terminal in which `command` printed `output`; the same text gives the same bytes."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text(f"$ {command}", style="bold"))
    console.print(Text.from_ansi(output.rstrip("\n")))
    return console.export_svg(title="pclgen", theme=MONOKAI, unique_id=f"pclgen-{name}")


def check_picture() -> str:
    """Return the picture of `pclgen check` for a program with four errors."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "main.pp").write_text(PROGRAM, encoding="utf-8")
        return picture("pclgen check main.pp", terminal(["check", "main.pp"], Path(folder)), "check")


def verify_picture() -> str:
    """Return the picture of `pclgen verify` for an example."""
    output = terminal(["verify", "examples/random-password", "--quiet"], ROOT)
    return picture("pclgen verify examples/random-password", output, "verify")


def pictures() -> Mapping[str, str]:
    """Return all pictures by file name."""
    return {"check.svg": check_picture(), "verify.svg": verify_picture()}


if __name__ == "__main__":
    IMAGES.mkdir(parents=True, exist_ok=True)
    for file, text in pictures().items():
        (IMAGES / file).write_text(text, encoding="utf-8")
