import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";

const first = new command.local.Command("first", {
    create: JSON.stringify({ a: 1 }),
    delete: JSON.stringify({ b: 2 }),
    environment: { DATA: JSON.stringify(["x"]) },
});

const second = new command.local.Command("second", {
    create: pulumi.jsonStringify({ first: first.stdout, list: [first.stderr] }),
    delete: JSON.stringify({ c: 3 }),
});
