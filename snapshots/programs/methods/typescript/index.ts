// Functions of a resource.

import * as probe from "@pulumi/probe";

export = async () => {
    const thing = new probe.Thing("thing");

    return {
        text: thing.describe({ style: "short" }).text,
        size: await thing.measure(),
    };
};
