"""Programs as text: the canonical layout of PCL, and Pulumi YAML as PCL."""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pclgen.bind.reading import as_texts, plugin_of_files, with_components
from pclgen.diagnostics.model import DiagnosticBag
from pclgen.pipeline import compiling, decode_files
from pclgen.pulumiyaml.program import read_programs
from pclgen.results import TextResult
from pclgen.source.files import PLUGIN
from pclgen.source.load import RawFile
from pclgen.source.text import SourceFile
from pclgen.syntax.format import format_source as format_text
from pclgen.syntax.parse import decode_source
from pclgen.syntax.write import write_file

if TYPE_CHECKING:
    from pclgen.pulumiyaml.components import Plugin


def convert_source(
    source: RawFile,
    *,
    beside: Sequence[RawFile] = (),
    read_plugin: Callable[[str], tuple[RawFile, ...] | str] = lambda path: "does not exist",
) -> TextResult:
    """Return a program in Pulumi YAML, with the files that configure it, as PCL in the canonical layout; the text is None if
    it cannot be read.

    `read_plugin` returns the files of a plugin whose `PulumiPlugin.yaml` has that path, or the reason why there are none.
    """
    bag = DiagnosticBag()

    def plugin_in(folder: str) -> Plugin | None:
        files = read_plugin(posixpath.join(folder, PLUGIN))
        return None if isinstance(files, str) else plugin_of_files(decode_files(files, bag), bag)

    with compiling():
        trees = as_texts(with_components(read_programs(decode_files((source, *beside), bag), bag), plugin_in))
        written = "\n".join([part for tree in trees if (part := write_file(tree))])
        text = None if bag.has_errors else format_text(SourceFile(source.name, written), bag)
    return TextResult(diagnostics=bag.sorted(), text=text)


def format_source(source: RawFile) -> TextResult:
    """Return the canonical layout of one file; the text is None if it does not parse."""
    bag = DiagnosticBag()
    with compiling():
        decoded = decode_source(source.name, source.data, bag)
        text = None if bag.has_errors else format_text(decoded, bag)
    return TextResult(diagnostics=bag.sorted(), text=text)
