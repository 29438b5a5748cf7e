import * as pulumi from "@pulumi/pulumi";

export interface Keys {
    class: "x" | "y";
    from: number;
    "with space": "x" | "y";
    __x: number;
    str: number;
    Port: number;
}

export interface KindsArgs {
    str: pulumi.Input<"x">;
    int: pulumi.Input<"y">;
}

export interface WebArgs {
    a: Keys;
    b: pulumi.Input<KindsArgs>;
}

export class Web extends pulumi.ComponentResource {
    public readonly shown: pulumi.Output<
        (number | string | { str: string; int: string })[]
    >;

    constructor(
        name: string,
        args: WebArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Web", name, args, opts);

        const a: {
            class: string;
            from: number;
            "with space": string;
            __x: number;
            str: number;
            Port: number;
        } = args.a;

        const b: pulumi.Input<{
            str: pulumi.Input<string>;
            int: pulumi.Input<string>;
        }> = args.b;

        this.shown = pulumi.output([
            a.class,
            a.from,
            a["with space"],
            a.__x,
            a.str,
            a.Port,
            b,
        ]);

        this.registerOutputs({ shown: this.shown });
    }
}
