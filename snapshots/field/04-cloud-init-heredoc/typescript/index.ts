import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as tls from "@pulumi/tls";

const config = new pulumi.Config();
const hostname = config.get("hostname") ?? "bastion";
const users = config.getObject<string[]>("users") ?? ["ann", "bob"];

const key = new tls.PrivateKey("key", { algorithm: "ED25519" });

export const motd = `Welcome to ${hostname === "bastion" ? "the bastion" : hostname}!
${users.map((u) => `  * ${u}\n`).join("")}  Everything you do here is "logged".
    Indented \\n is not a newline.
`;

const bastion = new digitalocean.Droplet("bastion", {
    image: "debian-12-x64",
    size: digitalocean.DropletSlug.DropletS1VCPU512MB10GB,
    region: digitalocean.Region.AMS3,
    userData: pulumi.interpolate`#cloud-config
hostname: ${hostname}
users:
  - name: deploy
    sudo: "ALL=(ALL) NOPASSWD:ALL"
    ssh_authorized_keys:
      - ${key.publicKeyOpenssh}
runcmd:
  - [sh, -c, "echo \${HOSTNAME} > /etc/motd"]
  - |
    for i in 1 2 3; do
      echo "$i%"
    done
`,
});

export const address = bastion.ipv4Address;
