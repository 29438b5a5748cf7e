import * as random from "@pulumi/random";

const pet = new random.RandomPet("pet", { keepers: { a: "1" } });

export const o = { a: pet.id, n: 1, l: ["x"] };
