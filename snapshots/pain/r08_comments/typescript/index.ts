import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const config = new pulumi.Config();

// leading config
// trailing config
// inside config
// default
const env = config.get("env") ?? "dev";

// leading local
const names = [
    // opening
    // before a
    "a", // after a
    "b",
    // tail in list
];

// block
// comment
// head
const sh = new random.RandomShuffle(
    "sh",
    {
        // before inputs
        inputs: names, // after inputs
        // only comment
        resultCount: 1,
        // tail in resource
    },
    {
        // opts
        // before protect
        protect: true, // after protect
    },
);

// out
export const o = {
    // obj
    // k1
    k1: env, // aft k1
    // tail obj
}; // inside out

// end of file
