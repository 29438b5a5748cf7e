"""Names that a snippet uses and does not declare: a fragment of a program stands for a whole one.

Comes in: the names, and a way to make the program with declarations in front.  Goes out: PCL that declares each name as
configuration, of the type that its places ask for:

    overrideSpecial = amiId            ->  config "amiId" "string" {}
    subnetId = subnet.id               ->  config "subnet" "object({id=string})" {}

The program is bound with all of them as `any`; the conversions that binding had to make say what was expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from pclgen.core.wanted import Shape, shapes_of
from pclgen.diagnostics.model import Diagnostic
from pclgen.pipeline import bind
from pclgen.schema.load import SchemaStore
from pclgen.source.load import LoadedProgram

_NAME: Final = re.compile(r"[A-Za-z_][\w-]*")
_AROUND: Final = "[]\"' "
"""What may stand around a name in Pulumi YAML: `${["my-vpc"].id}`."""


def names_of(unknown: Iterable[Diagnostic]) -> tuple[str, ...]:
    """The names that diagnostics say are unknown, in the order in which they are met."""
    texts = [one.primary.text.strip(_AROUND) for one in unknown if one.primary is not None]
    return tuple(dict.fromkeys(text for text in texts if _NAME.fullmatch(text)))


def declared(names: Sequence[str], program_with: Callable[[str], LoadedProgram], store: SchemaStore) -> str:
    """Declarations of `names`; those that make the program no better are left out."""
    unknown = {name: Shape() for name in names}
    bound = bind(program_with(_declarations(unknown)), store, lenient=True)
    return _declarations(unknown if bound.program is None else shapes_of(names, bound.program))


def _declarations(shapes: Mapping[str, Shape]) -> str:
    return "".join(f"config {json.dumps(name)} {json.dumps(shape.label())} {{}}\n" for name, shape in shapes.items())
