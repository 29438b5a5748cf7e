import * as pulumi from "@pulumi/pulumi";

/**
 * How large a machine is.
 * The larger, the dearer: *​/ """ # 100%.
 */
export type Size = "small" | "medium" | "large";

/** A port of a machine. */
export type Port = number;

/** What may pass. */
export interface Rule {
    port: Port;
    protocol: "tcp" | "udp";
    note?: string;
}

export type SizesArgs = pulumi.Input<Size>[];

/** What may pass. */
export interface RuleArgs {
    port: pulumi.Input<Port>;
    protocol: pulumi.Input<"tcp" | "udp">;
    note?: pulumi.Input<string>;
}

export interface WebArgs {
    a?: Size;
    b?: Size;
    c?: Rule;
    d?: Rule;
    e?: pulumi.Input<SizesArgs>;
    f?: Size;
    g: pulumi.Input<pulumi.Input<Size | undefined>[]>;
    h: pulumi.Input<{ x?: pulumi.Input<Size>; y?: pulumi.Input<RuleArgs> }>;
}

export class Web extends pulumi.ComponentResource {
    public readonly shown: pulumi.Output<{
        a: string;
        b: string;
        c: number;
        d: number;
        e: string[];
        f: boolean;
        g: (string | undefined)[];
        h: {
            x?: string;
            y?: { port: number; protocol: string; note?: string };
        };
    }>;

    constructor(
        name: string,
        args: WebArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Web", name, args, opts);

        const a: string = args.a ?? "small";
        const b: string | undefined = args.b;

        const c: { port: number; protocol: string; note?: string } | undefined =
            args.c;

        const d: { port: number; protocol: string; note?: string } = args.d ?? {
            port: 1,
            protocol: "tcp",
        };

        const e: pulumi.Input<pulumi.Input<string>[]> = args.e ?? ["small"];
        const f: string = args.f ?? a;
        const g: pulumi.Input<pulumi.Input<string | undefined>[]> = args.g;

        const h: pulumi.Input<{
            x?: pulumi.Input<string>;
            y?: pulumi.Input<{
                port: pulumi.Input<number>;
                protocol: pulumi.Input<string>;
                note?: pulumi.Input<string>;
            }>;
        }> = args.h;

        this.shown = pulumi.output({
            a,
            b: b ?? "none",
            c: c == null ? 0 : 1,
            d: d.port,
            e,
            f: f === "no",
            g,
            h,
        });

        this.registerOutputs({ shown: this.shown });
    }
}
