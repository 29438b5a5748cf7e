import * as random from "@pulumi/random";

const randomPet = new random.RandomPet("random");
const b = new random.RandomPet("b", { prefix: randomPet.id });

export const o = b.id;
