// Every option of a resource.

import * as pulumi from "@pulumi/pulumi";
import * as probe from "@pulumi/probe";

const base = new probe.Thing("base");
const special = new probe.Provider("special", { region: "north" });

const full = new probe.Thing(
    "full-name",
    { label: "all options" },
    {
        aliases: [
            "urn:pulumi:dev::project::probe:index:Thing::old",
            { name: "former" },
            { name: "moved", parent: pulumi.rootStackResource },
        ],
        parent: base,
        provider: special,
        dependsOn: [base],
        protect: true,
        retainOnDelete: true,
        ignoreChanges: ["label", "obj.s", 'tags["a.b"]', "list[0].n"],
        hideDiffs: ["names"],
        replaceOnChanges: ["size"],
        deletedWith: base,
        replaceWith: [base],
        replacementTrigger: base.out,
        import: "an-id",
        deleteBeforeReplace: true,
        additionalSecretOutputs: ["out"],
        customTimeouts: {
            create: "5m",
            delete: "1h",
        },
        pluginDownloadURL: "https://example.com/plugins",
    },
);
