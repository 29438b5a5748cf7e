import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

export interface PartArgs {
    env: pulumi.Input<string>;
}

export class Part extends pulumi.ComponentResource {
    public readonly summary: pulumi.Output<{ kind: string; label: string }>;

    constructor(
        name: string,
        args: PartArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Part", name, args, opts);

        const pet = new random.RandomPet(
            `${name}-pet`,
            { prefix: pulumi.interpolate`${args.env}-x` },
            { parent: this },
        );

        this.summary = pulumi.output({
            kind: pulumi
                .output(args.env)
                .apply((env) => (env === "prd" ? "large" : "small")),
            label: pet.id,
        });

        this.registerOutputs({ summary: this.summary });
    }
}
