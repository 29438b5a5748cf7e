import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

export interface HelperArgs {
    owner: pulumi.Input<string>;
}

export class Helper extends pulumi.ComponentResource {
    public readonly greeting: pulumi.Output<string>;

    constructor(
        name: string,
        args: HelperArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Helper", name, args, opts);

        const thing = new probe.Thing(
            `${name}-thing`,
            { label: args.owner },
            { parent: this },
        );

        this.greeting = pulumi.interpolate`helper of ${thing.out}`;

        this.registerOutputs({ greeting: this.greeting });
    }
}
