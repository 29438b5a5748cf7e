import * as random from "@pulumi/random";

const ctx = new random.RandomPet("ctx");

export const o = ctx.id;
