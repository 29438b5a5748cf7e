import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

export interface WebArgs {
    prefix: string;
}

export class Web extends pulumi.ComponentResource {
    public readonly petId: pulumi.Output<string>;
    public readonly lab: pulumi.Output<string>;

    constructor(
        name: string,
        args: WebArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Web", name, args, opts);

        const pet = new random.RandomPet(
            `${name}-pet`,
            { prefix: `${args.prefix}-a` },
            { parent: this },
        );

        this.petId = pet.id;
        this.lab = pulumi.output(args.prefix === "a" ? "t" : "f");

        this.registerOutputs({ petId: this.petId, lab: this.lab });
    }
}
