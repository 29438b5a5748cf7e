import pulumi
import pulumi_command as command
import pulumi_digitalocean as digitalocean
import pulumi_random as random
import pulumi_tls as tls

config_2 = pulumi.Config()
pulumi_config = config_2.get("pulumi", "p")

random_pet = random.RandomPet("random", prefix=pulumi_config)
digitalocean_tag = digitalocean.Tag("digitalocean", name=random_pet.id)

web_server_1 = digitalocean.Droplet(
    "web-server-1",
    image="ubuntu-24-04-x64",
    size=digitalocean.DropletSlug.DROPLET_S1_VCPU1_GB,
    region=digitalocean.Region.NYC3,
    tags=[digitalocean_tag.id],
)

command_resource = command.local.Command(
    "command", create=pulumi.Output.format("ping -c1 {0}", web_server_1.ipv4_address)
)

json = command.local.Command(
    "json", create=pulumi.Output.json_dumps({"host": web_server_1.name})
)

id_ = random.RandomId("id", byte_length=4)
urn = random.RandomId("urn", byte_length=4)
ctx = random.RandomUuid("the ctx/uuid", keepers={"id": id_.hex})
config = random.RandomUuid("config")

range_size = 3

os = tls.PrivateKey("os", algorithm="ED25519")

pulumi.export("web-ip", web_server_1.ipv4_address)
pulumi.export("std", command_resource.stdout)

pulumi.export(
    "exports",
    [ctx.result, config.result, urn.hex, range_size, json.stdout, os.public_key_pem],
)
