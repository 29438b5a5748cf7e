import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as random from "@pulumi/random";

const pet = new random.RandomPet("pet");

const copy = new random.RandomPet("copy", {
    prefix: pet.prefix,
    keepers: pet.keepers,
    length: pet.length,
});

const ran = command.local.runOutput({
    command: pet.separator,
    dir: pet.prefix.apply((prefix) => prefix!),
});

export const text = pulumi.interpolate`${ran.stdout}-${pet.prefix}`;
export const fallback = pet.prefix.apply((prefix) => prefix ?? "none");
