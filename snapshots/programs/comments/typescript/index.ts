// The first lines of the file say what it is for.
// There are two of them.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const config = new pulumi.Config();

// Above a setting,
// twice.
// beside its head
// above its default
// beside its default
const size = config.getNumber("size") ?? 1;

// A block comment
// over two lines.
const prefix = "a"; // beside a local

// Set apart: belongs to nothing below.

// Above a resource.
const thing = new probe.Thing(
    "thing",
    {
        // Above an input.
        label: prefix, // beside an input
        // before a list
        names: [
            // above an element
            "first", // beside an element
            "second",
            // after the last element
        ],
        obj: {
            s: "x", // beside a member
            // above another member
            n: size,
        },
        // At the end of the block.
    },
    {
        // Before the options.
        protect: true, // beside an option
    },
);

// Above an output.
export const result = thing.out; // */ """ not to be trusted

// The last line.
