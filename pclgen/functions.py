"""What packs of functions are written with (docs/own-functions.md).

    from pathlib import Path
    from pclgen.functions import STRING, Function, FunctionPack, Parameter, Spelling, gives

    FUNCTIONS = FunctionPack(
        functions=(
            Function(
                name="slug",
                doc="The text in lower case, with dashes.",
                parameters=(Parameter(name="text", doc="the text", type=STRING),),
                result=gives(STRING),
                implementation=lambda text: "-".join(text.lower().split()),
                spelled={"python": Spelling(name="slug")},
            ),
        ),
        files={"python": Path("acme_functions.py")},
    )
"""

from __future__ import annotations

from pclgen.stdlib.model import UNKNOWN, BadArgumentError, Function, Parameter, Spelling
from pclgen.stdlib.packs import FunctionPack, gives
from pclgen.types.model import BOOL, DYNAMIC, INT, NUMBER, STRING, Type, list_of, map_of

ANY = DYNAMIC
"""The type of any value."""

__all__ = [
    "ANY",
    "BOOL",
    "INT",
    "NUMBER",
    "STRING",
    "UNKNOWN",
    "BadArgumentError",
    "Function",
    "FunctionPack",
    "Parameter",
    "Spelling",
    "Type",
    "gives",
    "list_of",
    "map_of",
]
