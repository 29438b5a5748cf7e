// Commands that run when something happens to a resource.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";
import * as childProcess from "child_process";

const config = new pulumi.Config();
const channel = config.get("channel") ?? "ops";

const announce = new pulumi.ResourceHook(
    "announce",
    (args) => {
        childProcess.execFileSync("notify", [channel, `${args.name} is there`]);
    },
    { onDryRun: false, ignoreErrors: true },
);

const again = new pulumi.ErrorHook("again", (args) => {
    try {
        childProcess.execFileSync("./retry.sh", [args.urn]);
        return true;
    } catch {
        return false;
    }
});

const thing = new probe.Thing(
    "thing",
    { label: "hooked" },
    {
        hooks: {
            afterCreate: [announce],
            afterUpdate: [announce],
            onError: [again],
        },
    },
);
