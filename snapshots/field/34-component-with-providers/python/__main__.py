import pulumi
import pulumi_github as github

from service import Service

config = pulumi.Config()
token = config.require_secret("token")

acme = github.Provider("acme", owner="acme", token=token)

platform = github.Repository(
    "platform", name="platform", opts=pulumi.ResourceOptions(provider=acme)
)

service = Service(
    "service",
    service_name="billing",
    template=platform.name,
    opts=pulumi.ResourceOptions(providers=[acme], depends_on=platform, protect=True),
)

other = Service(
    "other",
    service_name="shipping",
    template=platform.name,
    opts=pulumi.ResourceOptions(parent=platform, providers={"github": acme}),
)

pulumi.export("clone", service.clone_url)
pulumi.export("otherKey", other.deploy_key)
