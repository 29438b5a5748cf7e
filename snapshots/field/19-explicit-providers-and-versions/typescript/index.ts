import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as docker from "@pulumi/docker";
import * as random from "@pulumi/random";

const config = new pulumi.Config();
const euToken = config.requireSecret("euToken");

const dockerHost =
    config.get("dockerHost") ?? "ssh://deploy@eu-1.example.com:22";

const eu = new digitalocean.Provider("eu", {
    token: euToken,
    httpRetryMax: 6,
});

const remoteDocker = new docker.Provider("remoteDocker", {
    host: dockerHost,
    sshOpts: ["-o", "StrictHostKeyChecking=no"],
    registryAuth: [
        {
            address: "registry.example.com",
            username: "robot",
            password: euToken,
        },
    ],
});

const vpc = new digitalocean.Vpc("vpc", { region: "fra1" }, { provider: eu });

const nginx = new docker.RemoteImage(
    "nginx",
    { name: "nginx:1.27" },
    { provider: remoteDocker },
);

const web = new docker.Container(
    "web",
    {
        image: nginx.repoDigest,
        ports: [
            {
                internal: 80,
                external: 8080,
            },
        ],
    },
    {
        parent: nginx,
        provider: remoteDocker,
    },
);

const pinned = new random.RandomPet(
    "pinned",
    { length: 3 },
    { pluginDownloadURL: "https://plugins.example.com/random" },
);

export const host = remoteDocker.host;
export const effectiveConfig = eu.terraformConfig().result;
export const ip = web.networkDatas[0].ipAddress;
