// A worker: a thing, its parts and its helper.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";
import { Helper } from "./helper";

export interface WorkerArgs {
    /** What the worker is called */
    label: string;
    seed: pulumi.Input<string>;
    size?: pulumi.Input<number>;
}

export class Worker extends pulumi.ComponentResource {
    public readonly name: pulumi.Output<string>;
    public readonly parts: pulumi.Output<string[]>;
    public readonly greeting: pulumi.Output<string>;

    constructor(
        name: string,
        args: WorkerArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Worker", name, args, opts);

        const size = args.size ?? 1;

        const thing = new probe.Thing(
            `${name}-thing`,
            {
                label: pulumi.interpolate`${args.label}/${args.seed}`,
                size,
            },
            { parent: this },
        );

        const part: probe.Thing[] = [];
        for (let i = 0; i < 2; i++) {
            part.push(
                new probe.Thing(
                    `${name}-part-${i}`,
                    { label: `${args.label} part ${i}` },
                    { parent: this },
                ),
            );
        }

        const helper = new Helper(
            `${name}-helper`,
            { owner: thing.out },
            { parent: this },
        );

        this.name = thing.out;
        this.parts = pulumi.output(part.map((item) => item.out));
        this.greeting = pulumi.interpolate`hello ${helper.greeting}`;

        this.registerOutputs({
            name: this.name,
            parts: this.parts,
            greeting: this.greeting,
        });
    }
}
