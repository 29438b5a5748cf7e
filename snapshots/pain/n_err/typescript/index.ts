import * as random from "@pulumi/random";

const err = new random.RandomPet("err");

export const o = err.id;
