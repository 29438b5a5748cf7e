import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as docker from "@pulumi/docker";

const network = new docker.Network(
    "network",
    {
        name: "backend",
        driver: "bridge",
    },
    { protect: true },
);

const data = new docker.Volume(
    "data",
    { name: "pgdata" },
    {
        protect: true,
        retainOnDelete: true,
    },
);

const image = new docker.RemoteImage("image", {
    name: "postgres:16",
    keepLocally: true,
});

const postgres = new docker.Container(
    "postgres",
    {
        name: "postgres",
        image: image.imageId,
        restart: "unless-stopped",
        envs: ["POSTGRES_PASSWORD=hunter2"],
        networksAdvanced: [
            {
                name: network.name,
                aliases: ["db"],
            },
        ],
        volumes: [
            {
                volumeName: data.name,
                containerPath: "/var/lib/postgresql/data",
            },
        ],
    },
    {
        parent: network,
        dependsOn: [data, image],
        ignoreChanges: [
            "envs",
            "labels",
            "networksAdvanced[0].aliases",
            'logOpts["max-size"]',
        ],
        deleteBeforeReplace: true,
    },
);

const smoke = new command.local.Command(
    "smoke",
    { create: pulumi.interpolate`docker exec ${postgres.name} pg_isready` },
    {
        parent: postgres,
        dependsOn: [postgres],
        ignoreChanges: ["create"],
    },
);

export const ready = smoke.stdout;
