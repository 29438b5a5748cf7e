import unicodedata

import pulumi
import pulumi_command as command
import pulumi_random as random


def grapheme_length(text: str) -> int:
    """The number of characters that a reader sees: marks and joined parts do not count."""
    length, joined, flags = 0, False, 0
    for c in text:
        flag = "\U0001f1e6" <= c <= "\U0001f1ff"
        flags = flags + 1 if flag else 0
        extends = unicodedata.category(c) in ("Mn", "Mc", "Me") or c == "\u200d"
        modifier = "\U0001f3fb" <= c <= "\U0001f3ff"
        if not (extends or modifier or joined or (flag and flags % 2 == 0)):
            length += 1
        joined = c == "\u200d"
    return length


pet = random.RandomPet("pet")
up = command.local.run_output(command=pet.id)
low = command.local.run_output(command="echo ABC")

pulumi.export("u", up.stdout)
pulumi.export("l", low.stdout)

many = low.stdout.apply(grapheme_length).apply(
    lambda count: [random.RandomPet(f"many-{i}") for i in range(count)]
)
