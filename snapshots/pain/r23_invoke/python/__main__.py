import unicodedata

import pulumi
import pulumi_command as command
import pulumi_random as random


def grapheme_length(text: str) -> int:
    """The number of characters that a reader sees: marks and joined parts do not count."""
    length, before, flags = 0, "\n", 0
    for c in text:
        kind = unicodedata.category(c)
        flags = flags + 1 if "\U0001f1e6" <= c <= "\U0001f1ff" else 0
        alone = unicodedata.category(before) in ("Cc", "Zl", "Zp") or before == "\u200b"
        extends = kind[0] == "M" or c == "\u200d" or "\U0001f3fb" <= c <= "\U0001f3ff"
        joined = (before == "\u200d" and kind == "So") or before + c == "\r\n"
        length += not (joined or (extends and not alone) or (flags and flags % 2 == 0))
        before = c
    return length


pet = random.RandomPet("pet")

up = command.local.run_output(command=pet.id)
low = command.local.run(command="echo ABC")

many = [random.RandomPet(f"many-{i}") for i in range(grapheme_length(low.stdout))]

pulumi.export("u", up.stdout)
pulumi.export("l", low.stdout)
