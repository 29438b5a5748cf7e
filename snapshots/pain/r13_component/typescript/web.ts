import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";
import { Inner } from "./inner";

export interface WebArgs {
    prefix: string;
    tags: pulumi.Input<pulumi.Input<string>[]>;
    cfg: { path: string };
    size?: number;
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

        const size = args.size ?? 2;

        const pet = new random.RandomPet(
            `${name}-pet`,
            {
                prefix: `${args.prefix}-${args.cfg.path}`,
                length: size,
            },
            { parent: this },
        );

        const inner = new Inner(
            `${name}-inner`,
            { p: pet.id },
            { parent: this },
        );

        this.petId = inner.out;
        this.lab = pulumi.output(args.prefix === "a" ? "t" : "f");

        this.registerOutputs({ petId: this.petId, lab: this.lab });
    }
}
