"""Names of TypeScript: of variables in programs, and of declarations in the published SDKs.

Names of PCL and of schemas become identifiers. PCL names stay unchanged wherever TypeScript accepts them; dashed names
become camel case, a reserved word gets a `_` in front (targets.md, Reserved words).

`assign_names` gives every variable of a file or of a constructor its final name. Exports keep their names; then come the
variables of the program in their order, then the variables of pclgen. Functions and loops have separate scopes, in which a
variable may hide names that they do not use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from typing import Final

from pclgen.targets import names as shared
from pclgen.targets.names import NameTable
from pclgen.targets.scopes import Naming, Rules, check
from pclgen.targets.typescript import tree as ts
from pclgen.targets.typescript.literals import is_identifier, is_identifier_part
from pclgen.targets.typescript.tree import declared, is_exported, outline


def words(text: str) -> frozenset[str]:
    """The words of a text, for long sets of names."""
    return frozenset(text.split())


RESERVED: Final = words(
    """
    break case catch class const continue debugger default delete do else enum export extends false finally for
    function if implements import in instanceof interface let new null package private protected public return
    static super switch this throw true try typeof var void while with yield await arguments eval undefined
    """
)

# Names that generated code uses or that have a meaning in every module.
GLOBALS: Final = words(
    """
    Array Buffer Error Infinity Intl JSON Math NaN Number Object Promise Record Set String Symbol console
    exports fs globalThis module process require childProcess crypto __dirname __filename
    """
)

# A run of underscores in an enum member's name becomes a single underscore.
_ILLEGAL_RUN: Final = re.compile(r"_+")


def variable(name: str) -> str:
    """The variable for the PCL name `name`: `web-server` -> `webServer`, `class` -> `_class`."""
    text = shared.identifier(shared.unhyphenate(name), rest=is_identifier_part)
    return "_" + text if text in RESERVED else text


def is_exportable(name: str) -> bool:
    """Return whether `export const name` is possible."""
    return is_identifier(name) and name not in RESERVED and name not in ("exports", "module", "require")


def function_name(member: str) -> str:
    """The function of an invoke: `DoIt` -> `doIt` (targets.md, Entities)."""
    return shared.camel(shared.uppercase_first(member))


def enum_member(name: str, enum: str) -> str:
    """The member of an enum (targets.md, Enum members): `redOne` -> `RedOne`, `*` -> `Asterisk`, `12` -> `Color_12`."""
    text = shared.uppercase_first(shared.expand_short_member(name))
    text = "".join(c if is_identifier_part(c) else "_" for c in text)
    text = _ILLEGAL_RUN.sub("_", text)
    if text and not (text[0].isalpha() or text[0] in "_$"):
        text = "_" + text
    return enum + text if text.startswith("_") else text


@lru_cache(maxsize=4096)
def module_path(canonical: str) -> str:
    """The path of a module inside its package (targets.md, Packages and modules): `Compute/v1` -> `compute.v1`.

    It is empty for the root.
    """
    parts = [shared.identifier(part, rest=is_identifier_part) for part in canonical.lower().split("/") if part]
    return ".".join(parts)


def alias(package: str) -> str:
    """The name that a package is imported under: `simple-invoke` -> `simple_invoke`."""
    text = shared.identifier(package, rest=is_identifier_part)
    return "_" + text if text in RESERVED else text


# -- final names ------------------------------------------------------------------------------------------------------------

def assign_names(
    statements: Sequence[ts.Statement],
    *,
    imported: Iterable[str] = (),
    taken: AbstractSet[str] = frozenset(),
    parameters: Iterable[ts.Variable] = (),
    types: Iterable[ts.Variable] = (),
    checks: str = "",
) -> ts.Spellings:
    """The names of the variables in `statements` and of the `types` that the file declares.

    No name is in `imported`, and no name outside of functions is in `taken`; `parameters` of the enclosing function keep
    their preferred names. Raises `BrokenTreeError` when the variables of the file called `checks` are inconsistent.
    """
    outer = NameTable(frozenset(imported) | GLOBALS, separator="")
    scope = outline(statements, parameters)
    naming = Naming(outer, _spelling, hoists=True)
    table = outer.child(taken)
    for variable in (*scope.parameters, *(variable for s in statements if is_exported(s) for variable in declared(s))):
        naming.spellings[variable] = variable.preferred_names[0]
        table.reserve(variable.preferred_names[0])
    naming.assign(scope, table)
    if checks:
        check(scope, naming.spellings, _spelling, Rules(path=checks, is_name=is_identifier, hoists=True))
    own = outer.child(taken)  # TypeScript has separate namespaces for types and variables
    return {**naming.spellings, **{variable: own.claim(*variable.preferred_names) for variable in types}}


def _spelling(use: object) -> str:
    assert isinstance(use, ts.Global | ts.Imported | ts.Helper)
    return use.name
