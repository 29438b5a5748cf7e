import * as pulumi from "@pulumi/pulumi";
import * as aws from "@pulumi/aws";

function itemAt<T>(values: T[], index: number): T {
    if (!(index in values)) {
        throw new Error(
            `index ${index} is out of range of ${values.length} elements`,
        );
    }
    return values[index];
}

export interface NetworkArgs {
    /** What the network is called. */
    label: string;
    /** The addresses of the network, in CIDR notation. */
    addresses: pulumi.Input<string>;
    /** The availability zones to use, one for each subnet. */
    zoneNames: string[];
    /** Addresses of the subnets that the internet reaches. */
    publicSubnets?: string[];
    /** Addresses of the subnets that only the network reaches. */
    privateSubnets: string[];
}

export class Network extends pulumi.ComponentResource {
    public readonly vpcId: pulumi.Output<string>;
    public readonly publicSubnetIds: pulumi.Output<string[]>;
    public readonly privateSubnetIds: pulumi.Output<string[]>;

    constructor(
        name: string,
        args: NetworkArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Network", name, args, opts);

        const publicSubnets = args.publicSubnets ?? [];

        const vpc = new aws.ec2.Vpc(
            `${name}-vpc`,
            {
                cidrBlock: args.addresses,
                instanceTenancy: "default",
                enableDnsHostnames: true,
                tags: { Name: args.label },
            },
            { parent: this },
        );

        const _public: aws.ec2.Subnet[] = [];
        for (
            let i = 0;
            i < (publicSubnets.length > 0 ? args.zoneNames.length : 0);
            i++
        ) {
            _public.push(
                new aws.ec2.Subnet(
                    `${name}-public-${i}`,
                    {
                        vpcId: vpc.id,
                        cidrBlock: itemAt(publicSubnets, i),
                        availabilityZone: itemAt(args.zoneNames, i),
                        mapPublicIpOnLaunch: true,
                        tags: { Name: `${args.label}-public-${i}` },
                    },
                    { parent: this },
                ),
            );
        }

        const _private: aws.ec2.Subnet[] = [];
        for (const [i, zoneName] of args.zoneNames.entries()) {
            _private.push(
                new aws.ec2.Subnet(
                    `${name}-private-${i}`,
                    {
                        vpcId: vpc.id,
                        cidrBlock: itemAt(args.privateSubnets, i),
                        availabilityZone: zoneName,
                        tags: { Name: `${args.label}-private-${i}` },
                    },
                    { parent: this },
                ),
            );
        }

        const gateway =
            publicSubnets.length > 0
                ? new aws.ec2.InternetGateway(
                      `${name}-gateway`,
                      { vpcId: vpc.id },
                      { parent: this },
                  )
                : undefined;

        // Who is outside may come in, and everybody may answer.
        const web = new aws.ec2.SecurityGroup(
            `${name}-web`,
            {
                vpcId: vpc.id,
                description: `Web servers of ${args.label}`,
                ingress: [80, 443].map((port) => ({
                    protocol: "tcp",
                    fromPort: port,
                    toPort: port,
                    cidrBlocks: ["0.0.0.0/0"],
                })),
                egress: [
                    {
                        protocol: "-1",
                        fromPort: 0,
                        toPort: 0,
                        cidrBlocks: ["0.0.0.0/0"],
                    },
                ],
            },
            { parent: this },
        );

        this.vpcId = vpc.id;

        this.publicSubnetIds = pulumi.output(
            _public.map((subnet) => subnet.id),
        );

        this.privateSubnetIds = pulumi.output(
            _private.map((subnet) => subnet.id),
        );

        this.registerOutputs({
            vpcId: this.vpcId,
            publicSubnetIds: this.publicSubnetIds,
            privateSubnetIds: this.privateSubnetIds,
        });
    }
}
