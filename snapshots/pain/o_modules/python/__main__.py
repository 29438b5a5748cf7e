import pulumi_command as command
import pulumi_random as random

local = command.local.Command("local", create="hostname")

remote = command.remote.Command(
    "remote", create=local.stdout, connection={"host": "example.org"}
)

command_random_pet = random.RandomPet("command", prefix=remote.stdout)
