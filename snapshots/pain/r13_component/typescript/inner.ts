import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

export interface InnerArgs {
    p: pulumi.Input<string>;
}

export class Inner extends pulumi.ComponentResource {
    public readonly out: pulumi.Output<string>;

    constructor(
        name: string,
        args: InnerArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Inner", name, args, opts);

        const pet = new random.RandomPet(
            `${name}-pet`,
            { prefix: args.p },
            { parent: this },
        );

        this.out = pet.id;

        this.registerOutputs({ out: this.out });
    }
}
