import pulumi
import pulumi_command as command
import pulumi_docker as docker

network = docker.Network(
    "network",
    name="backend",
    driver="bridge",
    opts=pulumi.ResourceOptions(protect=True),
)

data = docker.Volume(
    "data",
    name="pgdata",
    opts=pulumi.ResourceOptions(protect=True, retain_on_delete=True),
)

image = docker.RemoteImage("image", name="postgres:16", keep_locally=True)

postgres = docker.Container(
    "postgres",
    name="postgres",
    image=image.image_id,
    restart="unless-stopped",
    envs=["POSTGRES_PASSWORD=hunter2"],
    networks_advanced=[{"name": network.name, "aliases": ["db"]}],
    volumes=[{"volume_name": data.name, "container_path": "/var/lib/postgresql/data"}],
    opts=pulumi.ResourceOptions(
        parent=network,
        depends_on=[data, image],
        ignore_changes=[
            "envs",
            "labels",
            "networksAdvanced[0].aliases",
            'logOpts["max-size"]',
        ],
        delete_before_replace=True,
    ),
)

smoke = command.local.Command(
    "smoke",
    create=pulumi.Output.format("docker exec {0} pg_isready", postgres.name),
    opts=pulumi.ResourceOptions(
        parent=postgres, depends_on=postgres, ignore_changes=["create"]
    ),
)

pulumi.export("ready", smoke.stdout)
