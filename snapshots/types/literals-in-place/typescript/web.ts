import * as pulumi from "@pulumi/pulumi";

/**
 * How large a machine is.
 * The larger, the dearer: *​/ """ # 100%.
 */
export type Size = "small" | "medium" | "large";

/** A port of a machine. */
export type Port = number;

/** What may pass. */
export interface RuleArgs {
    port: pulumi.Input<Port>;
    protocol: pulumi.Input<"tcp" | "udp">;
    note?: pulumi.Input<string>;
}

export type FlagsArgs = Record<string, pulumi.Input<"on" | "off">>;

export type SizesArgs = pulumi.Input<Size>[];

export interface WebArgs {
    size: pulumi.Input<Size>;
    level: pulumi.Input<1 | 2.5 | true>;
    rule: pulumi.Input<RuleArgs>;
    flags: pulumi.Input<FlagsArgs>;
    sizes: pulumi.Input<SizesArgs>;
    either: pulumi.Input<"auto" | number>;
}

export class Web extends pulumi.ComponentResource {
    public readonly shown: pulumi.Output<{
        size: string;
        level: boolean | number;
        rule: { port: number; protocol: string; note?: string };
        flags: Record<string, string>;
        sizes: string[];
        either: number | string;
    }>;

    constructor(
        name: string,
        args: WebArgs,
        opts?: pulumi.ComponentResourceOptions,
    ) {
        super("components:index:Web", name, args, opts);

        const size: pulumi.Input<string> = args.size;
        const level: pulumi.Input<boolean | number> = args.level;

        const rule: pulumi.Input<{
            port: pulumi.Input<number>;
            protocol: pulumi.Input<string>;
            note?: pulumi.Input<string>;
        }> = args.rule;

        const flags: pulumi.Input<Record<string, pulumi.Input<string>>> =
            args.flags;

        const sizes: pulumi.Input<pulumi.Input<string>[]> = args.sizes;
        const either: pulumi.Input<number | string> = args.either;

        this.shown = pulumi.output({ size, level, rule, flags, sizes, either });

        this.registerOutputs({ shown: this.shown });
    }
}
