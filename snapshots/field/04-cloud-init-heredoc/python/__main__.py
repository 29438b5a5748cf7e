import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_tls as tls

config = pulumi.Config()
hostname = config.get("hostname", "bastion")
users = config.get_object("users", ["ann", "bob"])

key = tls.PrivateKey("key", algorithm="ED25519")

motd = """\
Welcome to {}!
{}  Everything you do here is "logged".
    Indented \\n is not a newline.
""".format(
    "the bastion" if hostname == "bastion" else hostname,
    "".join([f"  * {u}\n" for u in users]),
)

bastion = digitalocean.Droplet(
    "bastion",
    image="debian-12-x64",
    size=digitalocean.DropletSlug.DROPLET_S1_VCPU512_MB10_GB,
    region=digitalocean.Region.AMS3,
    user_data=pulumi.Output.format(
        """\
#cloud-config
hostname: {0}
users:
  - name: deploy
    sudo: "ALL=(ALL) NOPASSWD:ALL"
    ssh_authorized_keys:
      - {1}
runcmd:
  - [sh, -c, "echo ${{HOSTNAME}} > /etc/motd"]
  - |
    for i in 1 2 3; do
      echo "$i%"
    done
""",
        hostname,
        key.public_key_openssh,
    ),
)

pulumi.export("motd", motd)
pulumi.export("address", bastion.ipv4_address)
