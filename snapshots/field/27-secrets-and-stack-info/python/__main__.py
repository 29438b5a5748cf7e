import unicodedata
from typing import cast

import pulumi
import pulumi_command as command
import pulumi_github as github
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


config = pulumi.Config()

pulumi.require_pulumi_version(">=3.150.0")

license_key = config.require_secret("licenseKey")

full_name = f"{pulumi.get_organization()}/{pulumi.get_project()}/{pulumi.get_stack()}"
is_prod = pulumi.get_stack() == "prod"

password = random.RandomPassword("password", length=40 if is_prod else 20)

env = github.RepositoryEnvironment(
    "env", repository=pulumi.get_project(), environment=pulumi.get_stack()
)

variable = github.ActionsVariable(
    "variable", repository=env.repository, variable_name="PULUMI_STACK", value=full_name
)

licence = github.ActionsEnvironmentSecret(
    "licence",
    repository=env.repository,
    environment=env.environment,
    secret_name="LICENSE",
    value=license_key,
)

wrapped = command.local.Command(
    "wrapped",
    create="deploy",
    stdin=cast(
        pulumi.Output[str],
        pulumi.Output.secret(pulumi.Output.format("token-{0}", password.result)),
    ),
    environment={
        "STACK": pulumi.get_stack(),
        "SECRET": pulumi.Output.secret("plain"),
        "LENGTH": pulumi.Output.unsecret(password.length).apply(str),
    },
)

pulumi.export("open", pulumi.Output.unsecret(password.result))

pulumi.export(
    "closed", pulumi.Output.secret({"user": "admin", "pass": password.result})
)

pulumi.export(
    "identity", f"{password.pulumi_resource_name} is a {password.pulumi_resource_type}"
)

pulumi.export("licenseLength", license_key.apply(grapheme_length))
