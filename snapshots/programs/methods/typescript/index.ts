import * as probe from "@pulumi/probe";

export = async () => {
    // Functions of a resource.
    const thing = new probe.Thing("thing", {});

    return {
        text: thing.describe({ style: "short" }).text,
        size: await thing.measure(),
    };
};
