// Values that fit only after a conversion.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";
import { textOf, toNumber, wholeNumber } from "./helpers";

const config = new pulumi.Config();
const digitsConfig = config.get("digits") ?? "12";
const flag = config.getBoolean("flag") ?? true;
const numbers = config.getObject<number[]>("numbers") ?? [1.5];

const thing = new probe.Thing("thing", {
    label: "5",
    size: 7,
    flag: true,
    num: toNumber(digitsConfig),
    names: ["1", String(flag), digitsConfig],
    tags: { a: "1", b: String(flag) },
});

const second = new probe.Thing("second", {
    label: thing.int.apply((int) => String(int)),
    size: thing.out.apply((out) => wholeNumber(out)),
    names: numbers.map((item) => textOf(item)),
    maybe: String(flag),
});

export const digits = wholeNumber(digitsConfig);
