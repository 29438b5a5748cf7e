import pulumi
import pulumi_digitalocean as digitalocean
import pulumi_docker as docker
import pulumi_random as random

config = pulumi.Config()
eu_token = config.require_secret("euToken")
docker_host = config.get("dockerHost", "ssh://deploy@eu-1.example.com:22")

eu = digitalocean.Provider("eu", token=eu_token, http_retry_max=6)

remote_docker = docker.Provider(
    "remoteDocker",
    host=docker_host,
    ssh_opts=["-o", "StrictHostKeyChecking=no"],
    registry_auth=[
        docker.ProviderRegistryAuthArgs(
            address="registry.example.com", username="robot", password=eu_token
        )
    ],
)

vpc = digitalocean.Vpc("vpc", region="fra1", opts=pulumi.ResourceOptions(provider=eu))

nginx = docker.RemoteImage(
    "nginx", name="nginx:1.27", opts=pulumi.ResourceOptions(provider=remote_docker)
)

web = docker.Container(
    "web",
    image=nginx.repo_digest,
    ports=[{"internal": 80, "external": 8080}],
    opts=pulumi.ResourceOptions(parent=nginx, provider=remote_docker),
)

pinned = random.RandomPet(
    "pinned",
    length=3,
    opts=pulumi.ResourceOptions(
        version="4.21.1", plugin_download_url="https://plugins.example.com/random"
    ),
)

pulumi.export("host", remote_docker.host)
pulumi.export("effectiveConfig", eu.terraform_config().result)
pulumi.export("ip", web.network_datas[0].ip_address)
