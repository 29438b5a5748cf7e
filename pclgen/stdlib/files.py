"""Files read when the program runs: `readFile`, `filebase64`, `filebase64sha256`.  Never folded: the file may change."""

from __future__ import annotations

from pclgen.stdlib.model import Derivation, Function, Parameter
from pclgen.types.model import STRING

_WHY = "reads a file when the program runs"


def _reader(name: str, doc: str, example: str, *, named_after: int | None = None, hashes: bool = False) -> Function:
    path = Parameter(name="path", doc="The path of the file, relative to the working directory.", type=STRING)
    return Function(
        name=name,
        doc=doc,
        result=lambda _: STRING,
        parameters=(path,),
        impure=_WHY,
        derives=Derivation.NEW if hashes else Derivation.FILE,
        named_after=named_after,
        example=f'{name}("{example}")',
    )


FUNCTIONS = (
    _reader("readFile", "The text of a file (UTF-8).", "./motd.txt", named_after=0),
    _reader("filebase64", "The bytes of a file, in base64.", "./logo.png"),
    _reader("filebase64sha256", "The SHA-256 digest of a file's bytes, in base64.", "./function.zip", hashes=True),
)
