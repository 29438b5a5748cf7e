"""The functions of acme for Pulumi programs."""


STAGES = ("dev", "test", "prod")


def slug(text: str) -> str:
    """A text as part of a name."""
    return "-".join(text.lower().split())


def slugs(texts: list[str]) -> list[str]:
    """The same of each text of a list."""
    return [slug(text) for text in texts]


def tags(team: str, stage: str) -> dict[str, str]:
    """The tags that every resource has."""
    if stage not in STAGES:
        raise ValueError(f"a stage is one of {', '.join(STAGES)}")
    return {"owner": slug(team), "stage": stage}


def share(total: float, parts: int) -> float:
    """An equal share of a number."""
    if parts < 1:
        raise ValueError("there must be a part")
    return total / parts
