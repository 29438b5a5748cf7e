import * as random from "@pulumi/random";

const prov = new random.Provider("prov");
const b = new random.RandomPet("b");

const a = new random.RandomPet(
    "a",
    {},
    {
        aliases: ["urn:x"],
        parent: b,
        provider: prov,
        dependsOn: [b],
        retainOnDelete: true,
        ignoreChanges: ["prefix"],
        deleteBeforeReplace: true,
        customTimeouts: { create: "5m" },
    },
);
