# What must not be shown.

import base64

import pulumi
import pulumi_probe as probe

config = pulumi.Config()
password = config.require_secret("password")

thing = probe.Thing("thing", password=password, label=pulumi.Output.secret("hidden"))

header = password.apply(
    lambda password: f"Basic {base64.b64encode(f'admin:{password}'.encode()).decode()}"
)

pulumi.export("header", header)
pulumi.export("parts", pulumi.Output.secret({"user": "admin", "password": password}))
pulumi.export("open", pulumi.Output.unsecret(password))
