import * as pulumi from "@pulumi/pulumi";
import * as command from "@pulumi/command";
import * as random from "@pulumi/random";

function requireValue<T>(value: T, problem: string): NonNullable<T> {
    if (value == null) {
        throw new Error(problem);
    }
    return value;
}

const pet = new random.RandomPet("pet", {});

const copy = new random.RandomPet("copy", {
    prefix: pet.prefix,
    keepers: pet.keepers,
    length: pet.length,
});

const ran = command.local.runOutput({
    command: pet.separator,
    dir: pet.prefix.apply((prefix) => prefix!),
});

export const text = pulumi
    .all([ran.stdout, pet.prefix])
    .apply(
        ([stdout, prefix]) =>
            `${stdout}-${requireValue(prefix, "main.pp:12:28: pet.prefix is not set")}`,
    );

export const fallback = pet.prefix.apply((prefix) => prefix ?? "none");
