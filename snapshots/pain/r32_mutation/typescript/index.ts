import * as pulumi from "@pulumi/pulumi";
import * as random from "@pulumi/random";

const pet = new random.RandomPet("pet");

const p2: random.RandomPet[] = [];
for (let i = 0; i < 2; i++) {
    p2.push(new random.RandomPet(`p2-${i}`, { prefix: String(i) }));
}

export const a = pulumi.interpolate`p-${pet.id}`;
export const j = pulumi.jsonStringify({ a: pet.id });
export const c = pet.id.apply((id) => (id === "x" ? 1 : 2));
