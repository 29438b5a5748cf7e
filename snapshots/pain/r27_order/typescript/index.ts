import * as random from "@pulumi/random";

const local2 = "x";
const local1 = local2;

const a = new random.RandomPet("a", { prefix: local1 });

export const o = a.id;
