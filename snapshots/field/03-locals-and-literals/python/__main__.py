from typing import Any

import pulumi
import pulumi_random as random

# every literal form, gathered in locals
empty = ""
plain = "plain"
escapes = 'tab:\t quote:" backslash:\\ newline:\n unicode:é'
dollar = "${not_interpolated} and %{also_not}"
answer = 42
negative = -17
fraction = 3.14159
exponent = 1500
yes = True
no = False
empty_list: list[Any] = []
empty_map: dict[str, Any] = {}
mixed: list[Any] = [1, "two", True, None]
nested_list = [[1, 2], [3, 4]]

nested_object: dict[str, Any] = {
    "outer": {"inner": ["a", "b"], "flag": True},
    "quoted": 1,
}

area = answer * 2 + 1
parity = answer % 2 == 0
logic = not no and (yes or parity) and answer >= 42 and answer != 41
half = answer / 4

token = random.RandomString(
    "token",
    length=area,
    special=logic,
    lower=not no,
    keepers={"a": nested_object["outer"]["inner"][0], "b": plain, "c": dollar},
)

pulumi.export(
    "literals",
    {
        "empty": empty,
        "escapes": escapes,
        "negative": negative,
        "fraction": fraction,
        "exponent": exponent,
        "list": empty_list,
        "map": empty_map,
        "mixed": mixed,
        "nested": nested_list,
        "half": half,
        "flag": nested_object["outer"]["flag"],
    },
)
