import pulumi
import pulumi_command as command

config = pulumi.Config()
hosts = config.require_object("hosts")

host = command.remote.Command(
    "host",
    create="uptime",
    connection={
        "host": hosts[0].get("hostName"),
        "port": hosts[0].get("portNumber"),
        "private_key_password": "secret",
        "proxy": {"host": "bastion", "dial_error_limit": 3},
    },
    environment={
        "MY_KEY": "1",
        "camelCase": "2",
        "with-dash": hosts[0].get("hostName"),
    },
)

pulumi.export("camel", host.environment["camelCase"])
pulumi.export("keys", {"MY_KEY": 1, "nestedMap": {"innerKey": host.stdout}})
