# Literals of all kinds, in locals and in an output.

from typing import Any

import pulumi

answer = 42
negative = -7
small = 0.001
huge = 9007199254740991
yes = True
nothing = None
empty = ""
escaped = 'tab\t quote" backslash\\ dollar${ percent%{ line\n end'
unicode = "grüße ☃ 😀"
mixed: list[Any] = [1, "two", True, None]
nested: dict[str, Any] = {"name": "x", "odd key": {"deep": [1, [2, [3]]]}, "7": "seven"}
sum_ = answer + 1
share = answer / 4
remainder = answer % 5
product = -(answer * 2) - negative
either = yes and not (answer > 3 or small <= 0.5)
same = nothing is None and "a" != empty

pulumi.export(
    "values",
    [
        answer,
        negative,
        small,
        huge,
        yes,
        nothing,
        empty,
        escaped,
        unicode,
        mixed,
        nested,
    ],
)

pulumi.export("results", [sum_, share, remainder, product, either, same])
