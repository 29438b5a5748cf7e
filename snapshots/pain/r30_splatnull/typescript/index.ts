import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

function singleOrNone<T>(values: T[]): T | undefined {
    if (values.length > 1) {
        throw new Error("expected at most one element");
    }
    return values[0];
}

const pet = true ? new random.RandomPet("pet") : undefined;

export const i = pet?.id;
export const j = pulumi.output(pet?.id).apply((id) => singleOrNone([id]));
