import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as tls from "@pulumi/tls";

function sortedEntries<T>(values: Record<string, T>): [string, T][] {
    return Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
}

function wholeNumber(value: string | number): number {
    if (!/^[+-]?\d+$/.test(String(value))) {
        throw new Error(`expected a whole number, found ${value}`);
    }
    return Number(value);
}

export interface NetworkArgs {
    environment: string;
    region: string;
    /** Addresses of the network; cannot be changed later */
    ipRange: string;
    adminAddresses?: pulumi.Input<pulumi.Input<string>[]>;
    /** Machines to log in through, by name */
    bastions: Record<string, { size?: string; image?: string }>;
}

export class Network extends pulumi.ComponentResource {
    public readonly vpcId: pulumi.Output<string>;
    public readonly addresses: pulumi.Output<Record<string, string>>;
    public readonly publicKey: pulumi.Output<string>;
    public readonly privateKey: pulumi.Output<string>;

    constructor(
        name: string,
        args: NetworkArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Network", name, args, opts);

        const adminAddresses = args.adminAddresses ?? [];

        const labels = [`environment:${args.environment}`, "managed-by:pulumi"];

        const _this = new digitalocean.Vpc(
            `${name}-this`,
            {
                name: `${args.environment}-${args.region}`,
                region: args.region,
                ipRange: args.ipRange,
            },
            { parent: this },
        );

        const bastionKey = new tls.PrivateKey(
            `${name}-bastion_key`,
            { algorithm: "ED25519" },
            { parent: this },
        );

        const bastionPublicKey = new digitalocean.SshKey(
            `${name}-bastion_public_key`,
            {
                name: `${args.environment}-bastion`,
                publicKey: bastionKey.publicKeyOpenssh,
            },
            { parent: this },
        );

        const bastion: Record<string, digitalocean.Droplet> = {};
        for (const [key, value] of sortedEntries(args.bastions)) {
            bastion[key] = new digitalocean.Droplet(
                `${name}-bastion-${key}`,
                {
                    name: `${args.environment}-bastion-${key}`,
                    image: value.image ?? "ubuntu-24-04-x64",
                    size:
                        value.size ?? digitalocean.DropletSlug.DropletS1VCPU1GB,
                    region: args.region,
                    vpcUuid: _this.id,
                    sshKeys: [bastionPublicKey.fingerprint],
                    tags: labels,
                },
                { parent: this },
            );
        }

        const bastionFirewall = new digitalocean.Firewall(
            `${name}-bastion_firewall`,
            {
                name: `${args.environment}-bastion`,
                dropletIds: sortedEntries(bastion).map(([, machine]) =>
                    machine.id.apply((id) => wholeNumber(id)),
                ),
                inboundRules: [
                    {
                        protocol: "tcp",
                        portRange: "22",
                        sourceAddresses: adminAddresses,
                    },
                ],
                outboundRules: ["tcp", "udp"].map((protocol) => ({
                    protocol,
                    portRange: "all",
                    destinationAddresses: [args.ipRange],
                })),
            },
            { parent: this },
        );

        this.vpcId = _this.id;

        this.addresses = pulumi.output(
            Object.fromEntries(
                Object.entries(bastion).map(([name, machine]) => [
                    name,
                    machine.ipv4Address,
                ]),
            ),
        );

        this.publicKey = bastionKey.publicKeyOpenssh;
        this.privateKey = bastionKey.privateKeyOpenssh;

        this.registerOutputs({
            vpcId: this.vpcId,
            addresses: this.addresses,
            publicKey: this.publicKey,
            privateKey: this.privateKey,
        });
    }
}
