# A password for a database account. Raise `generation` to have a new one made.

import pulumi
import pulumi_command as command
import pulumi_random as random

config = pulumi.Config()
generation = config.get_int("generation", 1)

account = random.RandomPet("account", prefix="app")

password = random.RandomPassword(
    "password",
    length=24,
    override_special="!#%*-_",
    keepers={"generation": str(generation)},
)

# psql reads the statement from its standard input, so that the password is in no process list.
grant = command.local.Command(
    "grant",
    create="psql --quiet",
    delete=pulumi.Output.format(
        "psql --quiet --command 'DROP ROLE IF EXISTS \"{0}\"'", account.id
    ),
    stdin=pulumi.Output.format(
        "CREATE ROLE \"{0}\" LOGIN PASSWORD '{1}';", account.id, password.result
    ),
    logging=command.local.Logging.NONE,
    environment={"PGHOST": "db.example.com", "PGCONNECT_TIMEOUT": "10"},
    # A changed password needs a new role: the old one is dropped first.
    triggers=[password.result],
    opts=pulumi.ResourceOptions(delete_before_replace=True),
)

pulumi.export("accountName", account.id)
pulumi.export("accountPassword", pulumi.Output.secret(password.result))
