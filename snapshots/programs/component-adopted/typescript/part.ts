import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

export interface PartArgs {
    label: pulumi.Input<string>;
}

export class Part extends pulumi.ComponentResource {
    public readonly shown: pulumi.Output<string>;

    constructor(
        name: string,
        args: PartArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Part", name, args, opts);

        const thing = new probe.Thing(
            `${name}-thing`,
            { out: args.label },
            { parent: this },
        );

        this.shown = thing.out;

        this.registerOutputs({ shown: this.shown });
    }
}
