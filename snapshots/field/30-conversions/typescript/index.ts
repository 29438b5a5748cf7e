import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as digitalocean from "@pulumi/digitalocean";
import * as docker from "@pulumi/docker";
import * as random from "@pulumi/random";
import { requireValue, textOf, toBoolean, wholeNumber } from "./helpers";

const config = new pulumi.Config();
const lengthText = config.get("lengthText") ?? "24";
const portNumber = config.getNumber("portNumber") ?? 8080;
const flagText = config.get("flagText") ?? "true";
const count = config.getNumber("count") ?? 3;

const droplet = new digitalocean.Droplet("droplet", {
    image: "ubuntu-24-04-x64",
    size: digitalocean.DropletSlug.DropletS1VCPU1GB,
    region: digitalocean.Region.NYC3,
    monitoring: true,
    ipv6: toBoolean(flagText),
});

const password = new random.RandomPassword("password", {
    length: wholeNumber(lengthText),
    special: false,
    minLower: 2,
    keepers: {
        count: String(count),
        enabled: "true",
        ratio: "0.25",
    },
});

const firewall = new digitalocean.Firewall("firewall", {
    dropletIds: [droplet.id.apply((id) => wholeNumber(id))],
    inboundRules: [
        {
            protocol: "tcp",
            portRange: textOf(portNumber),
            sourceAddresses: ["0.0.0.0/0"],
        },
    ],
});

const ip = new digitalocean.ReservedIp("ip", {
    region: "nyc3",
    dropletId: droplet.id.apply((id) => wholeNumber(id)),
});

const box = new docker.Container("box", {
    image: "12345",
    memory: 512,
    envs: [`PORT=${textOf(portNumber)}`, String(count), "true"],
    ports: [
        {
            internal: portNumber,
            external: 80,
        },
    ],
});

const run = new command.local.Command("run", {
    create: password.length.apply((length) => String(length)),
    environment: {
        MEMORY: box.memory.apply((memory) =>
            String(
                requireValue(memory, "main.pp:63:15: box.memory is not set"),
            ),
        ),
        SPECIAL: password.special.apply((special) => String(special)),
    },
});

export const sum = count + 1;
export const memoryPlusOne = password.length.apply((length) => length * 2 + 1);
