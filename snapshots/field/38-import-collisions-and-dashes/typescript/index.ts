import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as digitalocean from "@pulumi/digitalocean";
import * as random from "@pulumi/random";
import * as tls from "@pulumi/tls";

const config2 = new pulumi.Config();
const pulumiConfig = config2.get("pulumi") ?? "p";

const randomPet = new random.RandomPet("random", { prefix: pulumiConfig });

const digitaloceanTag = new digitalocean.Tag("digitalocean", {
    name: randomPet.id,
});

const webServer1 = new digitalocean.Droplet("web-server-1", {
    image: "ubuntu-24-04-x64",
    size: digitalocean.DropletSlug.DropletS1VCPU1GB,
    region: digitalocean.Region.NYC3,
    tags: [digitaloceanTag.id],
});

const commandResource = new command.local.Command("command", {
    create: pulumi.interpolate`ping -c1 ${webServer1.ipv4Address}`,
});

const json = new command.local.Command("json", {
    create: pulumi.jsonStringify({ host: webServer1.name }),
});

const id = new random.RandomId("id", { byteLength: 4 });
const urn = new random.RandomId("urn", { byteLength: 4 });
const ctx = new random.RandomUuid("the ctx/uuid", { keepers: { id: id.hex } });
const config = new random.RandomUuid("config");

const rangeSize = 3;

const os = new tls.PrivateKey("os", { algorithm: "ED25519" });

const webIp = webServer1.ipv4Address;
export { webIp as "web-ip" };
export const std = commandResource.stdout;

const exportsOutput = [
    ctx.result,
    config.result,
    urn.hex,
    rangeSize,
    json.stdout,
    os.publicKeyPem,
];
export { exportsOutput as exports };
