import * as random from "@pulumi/random";

const pet = new random.RandomPet("pet", {
    prefix: undefined,
    keepers: {},
});

const sh = new random.RandomShuffle("sh", { inputs: [] });

export const n = null;
export const o = [];
export const p = {};
