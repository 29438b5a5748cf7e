"""The functions of acme, as pclgen computes them; `acme.py`, `acme.ts` and `acme.go` are what generated programs use."""

from decimal import Decimal
from pathlib import Path

from pclgen.functions import (
    INT,
    NUMBER,
    STRING,
    BadArgumentError,
    Function,
    FunctionPack,
    Parameter,
    Spelling,
    gives,
    list_of,
    map_of,
)

STAGES = ("dev", "test", "prod")


def slug(text: str) -> str:
    return "-".join(text.lower().split())


def tags(team: str, stage: str) -> dict[str, str]:
    if stage not in STAGES:
        raise BadArgumentError(1, f"a stage is one of {', '.join(STAGES)}")
    return {"owner": slug(team), "stage": stage}


def share(total: int | Decimal, parts: int) -> float:
    if parts < 1:
        raise BadArgumentError(1, "there must be a part")
    return float(total) / parts


FUNCTIONS = FunctionPack(
    functions=(
        Function(
            name="slug",
            doc="A text as part of a name: lower case, with dashes in place of spaces.",
            parameters=(Parameter(name="text", doc="any text", type=STRING),),
            result=gives(STRING),
            implementation=slug,
            spelled={
                "python": Spelling(name="slug"),
                "typescript": Spelling(name="slug"),
                "go": Spelling(name="acmeSlug"),
            },
            example='acme::slug("Data Platform")',
        ),
        Function(
            name="slugs",
            doc="The same of each text of a list.",
            parameters=(Parameter(name="texts", doc="any texts", type=list_of(STRING)),),
            result=gives(list_of(STRING)),
            implementation=lambda texts: [slug(text) for text in texts],
            spelled={
                "python": Spelling(name="slugs"),
                "typescript": Spelling(name="slugs"),
                "go": Spelling(name="acmeSlugs"),
            },
            example='acme::slugs(["Data Platform", "Web"])',
        ),
        Function(
            name="tags",
            doc="The tags that every resource has.",
            parameters=(
                Parameter(name="team", doc="who owns it", type=STRING),
                Parameter(name="stage", doc="dev, test or prod", type=STRING),
            ),
            result=gives(map_of(STRING)),
            implementation=tags,
            spelled={
                "python": Spelling(name="tags"),
                "typescript": Spelling(name="tags"),
                "go": Spelling(name="acmeTags", fails=True),
            },
            example='acme::tags("Data Platform", "dev")',
        ),
        Function(
            name="share",
            doc="An equal share of a number.",
            parameters=(
                Parameter(name="total", doc="what is shared out", type=NUMBER),
                Parameter(name="parts", doc="among how many", type=INT),
            ),
            result=gives(NUMBER),
            implementation=share,
            spelled={
                "python": Spelling(name="share"),
                "typescript": Spelling(name="share"),
                "go": Spelling(name="acmeShare", fails=True),
            },
            example="acme::share(10, 4)",
        ),
    ),
    files={"python": Path("acme.py"), "typescript": Path("acme.ts"), "go": Path("acme.go")},
)
