import * as pulumi from "@pulumi/pulumi";
import * as digitalocean from "@pulumi/digitalocean";
import * as random from "@pulumi/random";

export interface WebServerArgs {
    /** Name of the server */
    name: string;
    image: pulumi.Input<string>;
    region?: pulumi.Input<string>;
    tags?: pulumi.Input<pulumi.Input<string>[]>;
}

export class WebServer extends pulumi.ComponentResource {
    public readonly address: pulumi.Output<string>;
    public readonly port: pulumi.Output<number>;

    constructor(
        name: string,
        args: WebServerArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:WebServer", name, args, opts);

        const region = args.region ?? "nyc3";
        const tags = args.tags ?? [];

        const suffix = new random.RandomId(
            `${name}-suffix`,
            { byteLength: 2 },
            { parent: this },
        );

        const server = new digitalocean.Droplet(
            `${name}-server`,
            {
                name: pulumi.interpolate`${args.name}-${suffix.hex}`,
                image: args.image,
                size: digitalocean.DropletSlug.DropletS1VCPU1GB,
                region,
                tags,
            },
            { parent: this },
        );

        this.address = server.ipv4Address;
        this.port = pulumi.output(8080);

        this.registerOutputs({ address: this.address, port: this.port });
    }
}
