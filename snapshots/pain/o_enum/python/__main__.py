from typing import cast

import pulumi
import pulumi_command as command

config = pulumi.Config()
quiet = config.get_bool("quiet", False)

literal = command.local.Command(
    "literal", create="true", logging=command.local.Logging.STDOUT_AND_STDERR
)

chosen = command.local.Command(
    "chosen",
    create="true",
    logging=command.local.Logging.NONE if quiet else command.local.Logging.STDERR,
)

passed = command.local.Command(
    "passed",
    create="true",
    logging=cast(pulumi.Output[command.local.Logging], literal.logging),
)
